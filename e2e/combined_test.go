package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Filters narrow each other down, whichever is set last; together with an order and what is searched for they are in the address, and a
// reload keeps them.
func TestFiltersAreCombinedAndOrdersKept(t *testing.T) {
	s := newStudio(t)
	now := time.Now()
	s.remember(
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "Linen coat", prompt: "x", results: 4, changed: 2},
		past{at: now.Add(-24 * time.Hour), agent: "removeBG", title: "Linen cut out", prompt: "x", results: 3, changed: 1},
		past{at: now.Add(-48 * time.Hour), agent: "aimodel", title: "Wool coat", prompt: "x", results: 3},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(10)
	rated := func(at, key string) {
		t.Helper()
		card := sel("wall") + ` [aria-posinset="` + at + `"] ` + sel("result-card")
		b.do(chromedp.Focus(chromedp.CSS(card)))
		b.press(key)
		b.waitFor(card + `[data-rating="` + key + `"]`)
	}
	rated("1", "2")
	rated("2", "4")
	rated("5", "5")
	rated("10", "5")

	address := func(want string) { t.Helper(); b.waitUntil(`location.search === "` + want + `"`) }
	b.click("filter-more")
	b.waitFor(sel("filter-agent"))
	b.click("filter-changed")
	b.waitTiles(3)
	b.selectOption("filter-agent", "aimodel")
	b.waitTiles(2)
	b.selectOption("filter-rating", "3")
	b.waitTiles(1)
	b.do(chromedp.Focus(chromedp.ID("gallery-search")))
	b.press("coat")
	address("?agent=aimodel&changed=1&q=coat&rating=3")
	b.waitTiles(1)
	b.do(chromedp.Reload())
	b.waitTiles(1)
	b.waitUntil(`document.querySelector('` + sel("result-card") + `').dataset.rating === "4" && document.getElementById("gallery-search").value === "coat"`)
	b.click("filter-more")
	b.waitUntil(`document.querySelector('` + sel("filter-changed") + `').ariaPressed === "true" && document.querySelector('` + sel("filter-agent") + `').value === "aimodel"`)
	b.click("filter-changed")
	b.waitTiles(2) // the wool coat too
	address("?agent=aimodel&q=coat&rating=3")
	b.selectOption("filter-agent", " ")
	b.waitTiles(2)

	ratings := func(want string) {
		t.Helper()
		b.waitUntil(`[...document.querySelectorAll('` + sel("wall") + ` .tile')].sort((a, b) => a.getAttribute("aria-posinset") - b.getAttribute("aria-posinset"))
			.map(t => t.querySelector('` + sel("result-card") + `').dataset.rating || "0").join("") === "` + want + `"`)
	}
	b.selectOption("filter-sort", "rating")
	ratings("54")                      // the wool coat before the linen one
	b.selectOption("filter-sort", " ") // the newest first
	ratings("45")
	b.click("filter-clear")
	b.waitTiles(10)
	ratings("2400500005")
	b.selectOption("filter-sort", "oldest")
	ratings("0055002400")
	address("?sort=oldest")
	b.do(chromedp.Reload())
	b.waitTiles(10)
	ratings("0055002400")
}

// A board loses its cover and then goes; both can be taken back, and its results stay where they are.
func TestABoardLosesItsCoverAndGoes(t *testing.T) {
	s := newStudio(t)
	s.remember(past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(3)
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("b")
	b.waitFor(sel("boarding-name"))
	b.press("Spring" + kb.Enter)
	b.says(sel("toast"), "3 results are on")
	b.click("nav-boards")
	b.click("board-card")
	b.waitTiles(3)
	b.do(chromedp.Focus(chromedp.CSS(sel("wall") + ` [aria-posinset="3"] ` + sel("result-card"))))
	b.press(" ")
	b.click("chosen-cover")
	b.says(sel("toast")+":last-child", "is the cover of the board")
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
