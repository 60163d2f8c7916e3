package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/words"
)

// What somebody typed into a field of a page's address leaves it when the address is left by a command, a link or a button; the command
// that is chosen in the palette stays in sight.
func TestFieldsFollowAddressAndCommandIsVisible(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "a red dress", results: 2})
	b := openTab(t, 1024, 480)
	b.enter(s, "/gallery")
	b.waitTiles(2)
	b.do(chromedp.SendKeys(chromedp.ID("gallery-search"), "green"))
	b.waitTiles(0)
	b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitUntil(`document.activeElement?.id === "palette-input"`)
	const last = `document.querySelector("#palette-list [role=option]:last-child")`
	b.waitUntil(last + `.getBoundingClientRect().top > document.getElementById("palette-list").getBoundingClientRect().bottom`)
	n := b.count("#palette-list [role=option]")
	for range n {
		b.press(kb.ArrowDown)
	}
	b.waitUntil(last + `.getAttribute("aria-selected") === "true" && ` + last + `.getBoundingClientRect().bottom <= document.getElementById("palette-list").getBoundingClientRect().bottom + 1`)
	for range n {
		b.press(kb.ArrowUp)
	}
	b.waitUntil(`document.querySelector("#palette-0").getAttribute("aria-selected") === "true" && document.getElementById("palette-list").scrollTop < 10`)
	follow := func() {
		b.press("picked")
		b.waitUntil(`document.querySelector("#palette-0")?.dataset.command === "picked"`)
		b.press(kb.Enter)
		b.waitUntil(`/^\?pick=[a-z]+$/.test(location.search) && document.getElementById("gallery-search").value === ""`)
	}
	follow()
	// The same command once more, from what was looked for meanwhile.
	b.do(chromedp.SendKeys(chromedp.ID("gallery-search"), "red"))
	b.waitUntil(`location.search.includes("red")`)
	b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitUntil(`document.activeElement?.id === "palette-input"`)
	follow()

	b.open(s, "/tasks")
	b.waitFor(sel("tasks-from"))
	b.do(chromedp.Evaluate[chromedp.Void](`(() => { const e = document.querySelector('` + sel("tasks-from") + `'); e.value = "2026-01-02"; e.dispatchEvent(new Event("change", {bubbles: true})) })()`))
	b.waitUntil(`location.search.includes("2026-01-02")`)
	b.says(".tasks__list .empty__text", words.TasksEmptyDays) // the days count once the answer is there
	b.do(chromedp.Click(chromedp.CSS(".tasks__bar .button--link")))
	b.waitUntil(`location.search === "" && document.querySelector('` + sel("tasks-from") + `').value === ""`)
}
