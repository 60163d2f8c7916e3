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
func TestEveryFilterIsOperatedInThePanel(t *testing.T) {
	s := newStudio(t)
	now := time.Now()
	yesterday, before := now.Add(-24*time.Hour), now.Add(-240*time.Hour)
	s.remember(
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
	b.says(sel("toast"), "on")
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
