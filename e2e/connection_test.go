package e2e

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/service"
)

// An account is connected by keyboard: the link on the stage leads to the field, a wrong key is said beside its field, and with the right
// one the stage says where runs go. Disconnected, they are made here again.
func TestConnectsAnAccountByKeyboard(t *testing.T) {
	t.Parallel()
	background := context.WithoutCancel(t.Context())
	images, err := service.Open(background, service.Config{Folder: t.TempDir(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	far := httptest.NewServer(images.Handler())
	t.Cleanup(func() {
		far.Close()
		if err := images.Close(); err != nil {
			t.Error(err)
		}
	})
	const key = "the-right-key-of-the-account-4711"
	if err := images.EnsureKey(background, key, "studio", "studio"); err != nil {
		t.Fatal(err)
	}
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.waitFor(sel("connect-account"))
	b.tabTo("connect-account")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.id === "connection-address"`)
	b.typed("images.invalid") // the server completes it
	b.press(kb.Tab)
	b.press(kb.Tab)
	b.typed("Bearer x")
	b.press(kb.Enter)
	b.says(sel("connection-key-problem"), "Bearer")
	b.tabTo("connection-address")
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("connection-address").select()`))
	b.typed(far.URL)
	b.press(kb.Tab)
	b.waitUntil(`document.activeElement?.textContent === "Show"`)
	b.press(kb.Tab)
	b.waitUntil(`document.activeElement?.id === "connection-key"`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("connection-key").select()`))
	b.typed("a-wrong-key-of-the-account-0815")
	b.tabTo("connection-submit")
	b.press(kb.Enter)
	b.says(sel("connection-key-problem"), "does not accept this key")
	b.waitUntil(`document.activeElement?.id === "connection-key"`)
	b.forgive("400")
	b.audited("connection-refused")
	b.narrow("connection-refused")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("connection-refused-phone")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.tabTo("connection-key")
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("connection-key").select()`))
	b.typed(key)
	b.press(kb.Enter)
	b.says(sel("connection-now"), "••••4711")
	b.audited("connection-connected")
	b.press(kb.Escape)
	b.says(sel("embedded-service"), "Runs go to "+strings.TrimPrefix(far.URL, "http://"))
	b.reload()
	b.says(sel("embedded-service"), "Runs go to")
	b.click("rail-settings")
	b.tabTo("disconnect")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.id === "disconnect-sure"`)
	b.audited("connection-leaving")
	b.press(kb.Enter)
	b.says(sel("connection-now"), "inside this studio")
	b.waitUntil(`document.activeElement?.id === "connect"`)
	b.press(kb.Escape)
	b.waitFor(sel("connect-account"))
}
