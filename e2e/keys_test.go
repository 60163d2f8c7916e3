package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A designer gives the gallery and the culling desk other keys: they work, those before do not, and the tips say so, after a reload too.
func TestShortcutsAreChangedInTheSheet(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 2})
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.press("?")
	b.waitFor(sel("key-gallery"))
	b.audited("keys-sheet")
	choose := func(action string) {
		t.Helper()
		b.click("key-" + action)
		b.waitUntil(`document.querySelector('` + sel("key-"+action) + `').getAttribute("aria-pressed") === "true"`)
	}
	change := func(action, key, shown string) {
		t.Helper()
		choose(action)
		b.press(key)
		b.waitUntil(`document.querySelector('` + sel("key-"+action) + `').textContent === "` + shown + `"`)
	}
	choose("gallery")
	b.press(kb.Home)
	b.told("Home is used by the studio itself")
	b.press(kb.Escape)
	b.waitUntil(`document.querySelector('` + sel("key-gallery") + `').getAttribute("aria-pressed") === "false" && document.getElementById("keys").open`)
	change("gallery", "v", "V")
	change("pick", "k", "K")
	change("difference", "q", "Q")
	change("palette", "e", "E")
	b.waitUntil(`document.querySelector('` + sel("key-eraser") + `').textContent === "Ctrl K"`)
	b.audited("keys-sheet-changed")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("keys-sheet-phone")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)

	used := func() {
		t.Helper()
		tip := func(name, says, key string) {
			t.Helper()
			b.waitUntil(`(e => e.title.endsWith("  ` + says + `") && e.getAttribute("aria-keyshortcuts") === "` + key + `")(document.querySelector('` + sel(name) + `'))`)
		}
		tip("nav-gallery", "V", "v")
		b.press("g")
		b.press("v")
		b.waitTiles(2)
		b.tabTo("result-card")
		b.press("c")
		b.waitFor(sel("desk-cell"))
		tip("desk-pick", "K", "k")
		b.press("p")
		b.press("y")
		b.press("d")
		b.press("1")
		b.waitUntil(`document.querySelector(".desk__cell--active").dataset.rating === "1"`)
		if evaluate[string](b, `document.querySelector(".desk__cell--active").dataset.pick ?? ""`) != "" {
			t.Error("a key picks that was taken from it")
		}
		b.press("k")
		b.waitUntil(`document.querySelector(".desk__cell--active").dataset.pick === "pick"`)
		b.press("u")
		b.waitUntil(`!document.querySelector(".desk__cell--active").dataset.pick`)
		b.press("q")
		b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "difference"`)
		b.press(kb.Escape)
		b.waitUntil(`!document.querySelector("dialog[open]")`)
	}
	used()
	b.open(s, "/")
	used()
	b.press("?")
	b.waitUntil(`document.querySelector('` + sel("key-gallery") + `')?.textContent === "V"`)

	// The usual keys, and back.
	b.click("keys-reset")
	b.waitUntil(`document.querySelector('` + sel("key-gallery") + `').textContent === "G" && document.querySelector('` + sel("keys-reset") + `').disabled`)
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitUntil(`document.querySelector('` + sel("key-gallery") + `').textContent === "V"`)
}
