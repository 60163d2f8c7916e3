package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// What was pressed by key may go with what it did: the focus is then on what comes next, and never lost.
func TestTheFocusOutlivesWhatWasPressed(t *testing.T) {
	s := newStudio(t)
	s.remember(past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 3})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(3)
	at := func(what, selector string) {
		t.Helper()
		b.waitUntil(`!document.querySelector("dialog[open]") && document.activeElement?.matches('` + selector + `')`)
		b.shot("focus-" + what)
	}
	b.tabTo("result-card")
	b.press(" ")
	b.tabTo("chosen-clear")
	b.press(kb.Enter)
	at("unchosen", sel("result-card"))
	b.press(" ")
	b.tabTo("chosen-trash")
	b.press(kb.Enter)
	b.waitTiles(2)
	at("thrown", sel("result-card"))
	b.open(s, "/gallery?view=trash")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press(" ")
	b.tabTo("chosen-restore")
	b.press(kb.Enter)
	b.waitFor(sel("trash-empty"))
	at("restored", `#filter-view`)
}
