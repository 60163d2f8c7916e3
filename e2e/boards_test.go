package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A board loses its cover and then goes; both can be taken back, and its results stay where they are.
func TestBoardLosesItsCoverAndIsDeleted(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(3)
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("b")
	b.waitFor(sel("boarding-name"))
	b.press("Spring" + kb.Enter)
	b.told("3 results added to")
	b.click("nav-boards")
	b.click("board-card")
	b.waitTiles(3)
	b.do(chromedp.Focus(chromedp.CSS(sel("wall") + ` [aria-posinset="3"] ` + sel("result-card"))))
	b.press(" ")
	b.click("chosen-cover")
	b.told("Board cover set")
	for _, width := range []int64{1440, 1200, 1000, 720, 390} {
		b.do(chromedp.EmulateViewport(width, 844))
		if told, bar := b.box(sel("toast")+":last-child"), b.box(sel("chosen")); told.Y+told.Height > bar.Y {
			t.Errorf("%d px wide, what is told ends at %.0f and covers what can be done with the chosen, from %.0f on", width, told.Y+told.Height, bar.Y)
		}
		if cut := evaluate[[]string](b, `(bar => { const r = bar.getBoundingClientRect(); return [...bar.querySelectorAll("button")].filter(e => { const o = e.getBoundingClientRect(); return o.left < r.left || o.right > r.right || o.top < r.top || o.bottom > r.bottom + .5; }).map(e => e.innerText || e.getAttribute("aria-label")); })(document.querySelector('`+sel("chosen")+`'))`); len(cut) > 0 {
			t.Errorf("%d px wide, the bar of the chosen cuts off %q", width, cut)
		}
		b.shot(fmt.Sprintf("told-chosen-%d", width))
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	faces := func(n string) {
		t.Helper()
		b.click("nav-boards")
		b.waitUntil(`document.querySelector(".board-face")?.querySelectorAll("img").length === ` + n)
		b.click("board-card")
		b.waitTiles(3)
	}
	faces("1")
	b.click("board-edit")
	b.click("board-coverless")
	b.waitUntil(`!document.querySelector('` + sel("board-coverless") + `')`)
	b.press(kb.Escape)
	faces("3")
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	faces("1")

	b.click("board-edit")
	b.click("board-delete")
	b.waitUntil(`!document.querySelector("dialog[open]") && location.pathname === "/boards"`)
	b.waitFor(sel("boards-empty"))
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.click("nav-boards")
	b.waitFor(sel("board-card"))
	faces("1") // with its cover and all that was on it
	b.click("board-edit")
	b.click("board-delete")
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.click("nav-boards")
	b.waitFor(sel("boards-empty"))
	b.open(s, "/gallery")
	b.waitTiles(3)
}
