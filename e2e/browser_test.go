package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// tab is one browser tab. What the browser complains of (script errors, refused loads, policy violations) fails the test.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

type step = chromedp.Action[chromedp.Void]

// patience bounds every step; renders of test pictures take a few seconds.
const patience = 90 * time.Second

// openTab opens a tab of the given size in a profile of its own, with nothing in it. All these tabs share one browser.
func openTab(t testing.TB, width, height int) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(sharedBrowser(t), chromedp.WithNewBrowserContext())
	return openTabOf(t, ctx, cancel, width, height)
}

// openBrowser opens a tab in a browser of its own, for what measures the browser or ends it. The folder holds the profile, which may be
// the one another browser left.
func openBrowser(t testing.TB, folder string, width, height int) *tab {
	t.Helper()
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), browserOptions(folder)...)
	ctx, cancel := chromedp.NewContext(alloc)
	return openTabOf(t, ctx, func() { cancel(); cancelAlloc() }, width, height)
}

// keepMessages is what a user chooses who wants messages to stay until they are closed: a slow machine then misses none.
const keepMessages = `try { localStorage["atelier.notice.stay"] ??= "on" } catch {}`

func openTabOf(t testing.TB, ctx context.Context, cancel func(), width, height int) *tab {
	t.Helper()
	b := &tab{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		for m, err := range messages {
			if err != nil {
				return
			}
			b.hear(m)
		}
	}()
	t.Cleanup(func() {
		if t.Failed() {
			b.shot("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Logf("close the tab: %v", err)
		}
		cancel()
		<-listening
		if len(b.complaints) > 0 {
			t.Errorf("the browser complained:\n%s", strings.Join(b.complaints, "\n"))
		}
	})
	b.do(chromedp.EmulateViewport(int64(width), int64(height)))
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMessages}); err != nil {
		t.Fatal(err)
	}
	// Each tab is looked at, however many there are.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *tab) hear(m chromedp.ConsoleMessage) {
	if m.Type != chromedp.ConsoleError && m.Type != chromedp.ConsoleException {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, fmt.Sprintf("%s: %s (%s)", m.Type, m.Text, m.URL))
}

// forgive drops the complaints that contain text: those a test provokes on purpose.
func (b *tab) forgive(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = slices.DeleteFunc(b.complaints, func(c string) bool { return strings.Contains(c, text) })
}

// forgiveOutage drops what the browser complains of while no server answers: which words it has for that depends on when the last
// connection ended.
func (b *tab) forgiveOutage() {
	for _, text := range []string{
		"ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED",
		"ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONTENT_LENGTH_MISMATCH", "WebSocket",
	} {
		b.forgive(text)
	}
}

// do performs steps, failing the test when they do not end in time.
func (b *tab) do(steps ...step) {
	b.t.Helper()
	patient := make([]step, len(steps))
	for i, s := range steps {
		patient[i] = again(s)
	}
	run(b, chromedp.Steps(patient...))
}

// again is a step that is taken again while the page overtakes it.
func again(s step) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for late := time.Now().Add(patience); ; {
			v, err := s(ctx, t)
			if err == nil || !overtaken(err) || time.Now().After(late) {
				return v, err
			}
		}
	}
}

// overtaken says whether nothing was done because the page drew the element anew after it was found.
func overtaken(err error) bool {
	return strings.Contains(err.Error(), "Could not find node with given id") || strings.Contains(err.Error(), "Element is not focusable")
}

// run performs one action and gives its result, failing the test when it does not end in time.
func run[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	type outcome struct {
		value T
		err   error
	}
	// The first action starts the browser and must not be given a deadline: it would end the browser, too.
	done := make(chan outcome, 1)
	go func() {
		v, err := chromedp.Run(b.ctx, a)
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			b.t.Fatalf("%v\nthe page says: %s", o.err, b.pageText())
		}
		return o.value
	case <-time.After(patience):
		b.t.Fatalf("nothing came of it in %v; the page says: %s", patience, b.pageText())
		panic("unreachable")
	}
}

// sel is the selector of an element that tests know by name.
func sel(name string) string { return `[data-testid="` + name + `"]` }

func (b *tab) click(name string) {
	b.t.Helper()
	b.still(sel(name), 60) // what is still on its way to its place is missed
	b.do(chromedp.Click(chromedp.CSS(sel(name))))
}

func (b *tab) waitFor(selector string) {
	b.t.Helper()
	b.do(chromedp.WaitVisible(chromedp.CSS(selector)))
}

// waitUntil waits for a JavaScript expression to be true.
func (b *tab) waitUntil(expression string) {
	b.t.Helper()
	// What is not on the page yet is no error: it is waited for.
	poll := chromedp.Poll[bool]("(() => { try { return !!("+expression+") } catch { return false } })()", chromedp.WithPollingTimeout(patience-10*time.Second), chromedp.WithPollingInterval(50*time.Millisecond))
	for {
		_, err := chromedp.Run(b.ctx, poll)
		if err == nil {
			return
		}
		if !replaced(err) {
			b.t.Fatalf("waiting for %s: %v\nthe page says: %s", expression, err, b.pageText())
		}
	}
}

// replaced reports whether an expression was lost because another page took the place of the one that was asked.
func replaced(err error) bool {
	for _, said := range []string{"Cannot find context with specified id", "Execution context was destroyed", "Inspected target navigated or closed", "uniqueContextId not found"} {
		if strings.Contains(err.Error(), said) {
			return true
		}
	}
	return false
}

// says waits until the text of an element contains part.
func (b *tab) says(selector, part string) {
	b.t.Helper()
	b.waitUntil(`(document.querySelector('` + selector + `')?.textContent ?? "").includes(` + strconv.Quote(part) + `)`)
}

// told waits until one of the messages contains part.
func (b *tab) told(part string) {
	b.t.Helper()
	b.waitUntil(`[...document.querySelectorAll('` + sel("toast") + `')].some(e => e.textContent.includes(` + strconv.Quote(part) + `))`)
}

// takeOffer presses what the newest message with something to press offers.
func (b *tab) takeOffer() {
	b.t.Helper()
	newest := sel("toast") + ":nth-last-child(1 of :has(" + sel("toast-action") + ")) " + sel("toast-action")
	b.still(newest, 60)
	b.do(chromedp.Click(chromedp.CSS(newest)))
}

// closeMessages closes all messages, also those that come while it does.
func (b *tab) closeMessages() {
	b.t.Helper()
	toasts := `document.querySelectorAll('` + sel("toast") + ` .icon-button')`
	b.waitUntil(`(` + toasts + `.forEach(button => button.click()), !document.querySelector('` + sel("toast") + `'))`)
}

func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return strings.TrimSpace(run(b, chromedp.Text(chromedp.CSS(selector))))
}

func (b *tab) attribute(selector, name string) string {
	b.t.Helper()
	return evaluate[string](b, `document.querySelector('`+selector+`').getAttribute("`+name+`") ?? ""`)
}

// cookies are those the browser holds, for requests made beside it.
func (b *tab) cookies() []*http.Cookie {
	b.t.Helper()
	got, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	out := make([]*http.Cookie, len(got.Cookies))
	for i, c := range got.Cookies {
		out[i] = &http.Cookie{Name: c.Name, Value: c.Value}
	}
	return out
}

// started says whether there is a browser. Where starting it failed nothing must be asked of it: that would start another one,
// and the program does not outlive both of them ending.
func (b *tab) started() bool {
	c := chromedp.FromContext(b.ctx)
	return c != nil && c.Browser != nil
}

func (b *tab) pageText() string {
	if !b.started() {
		return "(no browser)"
	}
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[location.href, ...[...document.querySelectorAll("dialog[open]")].map(d => "open: " + d.id), document.body.innerText].join("\n")`))
	if err != nil {
		return err.Error()
	}
	return s
}

// shot waits until the page is painted, and writes a picture of it into the folder ATELIER_E2E_SHOTS names, if it names one.
func (b *tab) shot(name string) {
	if !b.started() {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	if shots == "" {
		painted := chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise)
		if _, err := chromedp.Run(ctx, painted); err != nil {
			b.t.Logf("wait for the page at %s: %v", name, err)
		}
		return
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Logf("screenshot %s: %v", name, err)
		return
	}
	saveShot(b.t, name, png)
}

// on gives the same tab for a part of a test.
func (b *tab) on(t testing.TB) *tab { return &tab{t: t, ctx: b.ctx} }
