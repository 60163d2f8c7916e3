package e2e

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/model"
)

// Each filter of the gallery's panel is operated where it stands, shows what it asks for, and is in the address; the tiles take the
// size that is pressed.
func TestEveryFilterWorksInThePanel(t *testing.T) {
	t.Parallel()
	now := time.Now()
	yesterday, before := now.Add(-24*time.Hour), now.Add(-240*time.Hour)
	s := studioWith(t,
		past{at: yesterday, agent: "aimodel", title: "Young", prompt: "x", results: 3},
		past{at: before, agent: "removeBG", title: "Old", prompt: "x", results: 2},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(5)
	b.tabTo("result-card") // the newest
	b.press("4")
	b.press("p")
	b.press("b")
	b.waitUntil(`document.activeElement.matches('` + sel("boarding-name") + `')`) // there is nothing else to do
	b.press("Spring" + kb.Enter)
	b.told("1 result added to “Spring”.")
	b.press("b")
	b.waitUntil(`document.activeElement.matches('` + sel("boarding-item") + `')`)
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.press(kb.Escape)
	b.click("filter-more")
	b.waitFor(sel("filter-agent"))

	change := func(id, value string) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](`(() => { const e = document.getElementById("` + id + `"); e.value = "` + value + `"; e.dispatchEvent(new Event("change", {bubbles: true})) })()`))
	}
	chosen := func(id, value, param, said string, tiles int) {
		t.Helper()
		change(id, value)
		b.waitUntil(`new URLSearchParams(location.search).get("` + param + `") === ` + said)
		b.waitTiles(tiles)
		change(id, map[bool]string{true: "", false: " "}[id == "filter-from" || id == "filter-to"])
		b.waitTiles(5)
	}
	chosen("filter-agent", "removeBG", "agent", `"removeBG"`, 2)
	chosen("filter-status", "Success", "status", `"Success"`, 5)
	chosen("filter-status", "Failed", "status", `"Failed"`, 0)
	chosen("filter-rating", "4", "rating", `"4"`, 1)
	chosen("filter-rating", "5", "rating", `"5"`, 0)
	chosen("filter-pick", "pick", "pick", `"pick"`, 1)
	board := evaluate[string](b, `[...document.getElementById("filter-board").options].find(o => o.textContent === "Spring").value`)
	chosen("filter-board", board, "board", `"`+board+`"`, 1)
	between := now.Add(-120 * time.Hour).Format("2006-01-02")
	chosen("filter-from", between, "from", `"`+between+`"`, 3)
	chosen("filter-to", between, "to", `"`+between+`"`, 2)

	height := `document.querySelector('` + sel("result-card") + `').getBoundingClientRect().height`
	usual := evaluate[float64](b, height)
	for size, says := range map[string]string{model.TileLarge: ` > 1.2 * `, model.TileSmall: ` < 0.8 * `} {
		b.do(chromedp.Click(chromedp.CSS(`.filter__look [data-value="` + size + `"]`)))
		b.waitUntil(height + says + strconv.FormatFloat(usual, 'f', 1, 64))
	}
}

// Filters narrow each other down, whichever is set last; together with an order and what is searched for they are in the address, and a
// reload keeps them.
func TestFiltersCombineAndKeepTheOrder(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := studioWith(t,
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
