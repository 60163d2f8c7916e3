package e2e

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// shared is the browser in which openTab opens tabs. It starts with the first of them and ends with the package.
var shared struct {
	mu  sync.Mutex
	ctx context.Context
	end func() error
}

// sharedBrowser returns the context of the shared browser. It starts another one when the last has crashed.
func sharedBrowser(t testing.TB) context.Context {
	t.Helper()
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.ctx != nil && shared.ctx.Err() == nil {
		return shared.ctx
	}
	folder, err := os.MkdirTemp("", "atelier-e2e-browser-") //nolint:usetesting // it outlives the test that starts the browser
	if err != nil {
		t.Fatal(err)
	}
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), browserOptions(folder)...)
	ctx, cancel := chromedp.NewContext(alloc)
	shared.end = func() error {
		defer func() { cancel(); cancelAlloc() }()
		if ctx.Err() == nil {
			if err := chromedp.Cancel(ctx); err != nil {
				return fmt.Errorf("end the browser: %w", err)
			}
		}
		return os.RemoveAll(folder)
	}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start the browser: %v", err)
	}
	shared.ctx = ctx
	return ctx
}

// endSharedBrowser ends the shared browser, if one was started.
func endSharedBrowser() error {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	if shared.end == nil {
		return nil
	}
	return shared.end()
}

// browserOptions returns the options of every browser. The disabled features draw invisible parts of the window in a process per window,
// which costs more than opening a tab.
func browserOptions(folder string) []chromedp.ExecAllocatorOption {
	return append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI"),
		chromedp.UserDataDir(folder), chromedp.WindowSize(1440, 900), chromedp.WSURLReadTimeout(patience),
	)
}
