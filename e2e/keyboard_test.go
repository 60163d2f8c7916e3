package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the element known by name has the focus.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	for range 120 {
		if evaluate[bool](b, `document.activeElement?.matches('`+sel(name)+`') ?? false`) {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("%s cannot be reached with the Tab key", name)
}

func (b *tab) press(keys string, modifiers ...chromedp.KeyOption) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, modifiers...))
}

func TestACutOutIsMadeWithTheKeyboardAlone(t *testing.T) {
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.waitFor(sel("sample-dress-on-wall"))

	b.tabTo("sample-dress-on-wall")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)

	b.tabTo("agent-button")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-search") + `')`)
	b.press("removeBG")
	b.tabTo("agent-removeBG")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes("removeBG")`)

	b.tabTo("batch-1")
	b.press(kb.Enter)
	b.press(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitForResults(1)

	b.press("g")
	b.waitFor(sel("wall"))
	b.waitUntil(`document.querySelector('` + sel("wall") + ` ` + sel("result-card") + `')?.dataset.stored === "true"`)
	b.tabTo("result-card")
	b.press(kb.Enter)
	b.waitFor(sel("lightbox-picture"))
	b.press("c")
	b.waitFor(sel("compare-view"))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.waitUntil(`document.activeElement?.matches('` + sel("result-card") + `')`) // where it came from
}
