package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// What was pressed by key may go with what it did: the focus is then on what comes next, and never lost.
func TestFocusOutlivesThePressedButton(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 3})
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

	// The same where another hand takes it back while the focus is on the button.
	b.open(s, "/gallery")
	b.waitTiles(3)
	b.tabTo("result-card")
	thrown := strings.TrimPrefix(evaluate[string](b, `document.activeElement.id`), "tile-")
	b.press(" ")
	b.tabTo("chosen-trash")
	b.press(kb.Enter)
	b.waitTiles(2)
	b.open(s, "/gallery?view=trash")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press(" ")
	b.tabTo("chosen-restore")
	if got := evaluate[int](b, `fetch("/api/results/restore", {method: "POST", headers: {"X-Atelier": "1", "Content-Type": "application/json"},
		body: JSON.stringify({ids: ["`+thrown+`"]})}).then(r => r.status)`); got != http.StatusOK {
		t.Fatalf("taken back elsewhere: %d", got)
	}
	b.waitFor(sel("trash-empty"))
	at("restored-elsewhere", `#filter-view`)
}

// What was made is handed over, put on a board with notes and a cover, thrown away and taken back with the keyboard alone, and the
// focus is never lost on the way.
func TestKeyboardDeliversAndRestoresResults(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 3})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(3)
	b.listenToSaving()
	kept := func(after string) {
		t.Helper()
		b.waitUntil(`!document.querySelector("dialog[open]")`)
		if !evaluate[bool](b, `document.activeElement !== document.body && document.activeElement.checkVisibility()`) {
			t.Errorf("after %s the focus is nowhere", after)
		}
	}
	goTo := func(place string) {
		t.Helper()
		b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
		b.waitUntil(`document.activeElement?.matches('` + sel("palette-input") + `')`)
		b.press(place)
		b.waitUntil(`document.querySelector(".palette__item")?.textContent.includes("` + place + `")`)
		b.press(kb.Enter)
		b.waitUntil(`!document.querySelector("dialog[open]")`)
	}

	// As an archive, with names of one's own.
	b.tabTo("result-card")
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.says(sel("chosen"), "2 ")
	b.tabTo("chosen-deliver")
	b.press(kb.Enter)
	b.waitFor(sel("deliver-zip"))
	b.tabTo("deliver-template")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("Shop {number}")
	b.says("#deliver-example", "Shop 01.")
	b.tabTo("deliver-zip")
	b.press(kb.Enter)
	data, _ := b.saved(s)
	files := unzipped(t, data)
	for _, name := range []string{"Shop 01.jpg", "Shop 02.jpg", "manifest.csv", "manifest.json"} {
		if len(files[name]) == 0 {
			t.Errorf("the archive has no %s", name)
		}
	}
	if len(files) != 4 {
		t.Errorf("the archive has %d files", len(files))
	}
	kept("the archive")

	// On a new board, with notes, one of them its cover.
	b.press("b")
	b.waitUntil(`document.activeElement?.matches('` + sel("boarding-name") + `')`)
	b.press("Spring" + kb.Enter)
	b.told("2 results added to")
	kept("the new board")
	goTo("Spring")
	b.waitTiles(2)
	b.tabTo("board-edit")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("board-name") + `')`)
	b.tabTo("board-notes")
	b.press("For the window")
	b.tabTo("board-save")
	b.press(kb.Enter)
	b.says(sel("board-head"), "For the window")
	kept("the notes")
	b.tabTo("result-card")
	b.press(" ")
	b.tabTo("chosen-cover")
	b.press(kb.Enter)
	b.told("Board cover set")
	kept("the cover")

	// Away, and back: by the trash, and by the key that takes back.
	goTo("Gallery")
	b.waitTiles(3)
	b.tabTo("result-card")
	b.press(kb.Delete)
	b.waitTiles(2)
	kept("the first is gone")
	goTo("Trash")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press(" ")
	b.tabTo("chosen-restore")
	b.press(kb.Enter)
	b.waitFor(sel("trash-empty"))
	kept("it is restored")
	goTo("Gallery")
	b.waitTiles(3)
	b.tabTo("result-card")
	b.press(kb.Delete)
	b.waitTiles(2)
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitTiles(3)
	kept("it is taken back")
}
