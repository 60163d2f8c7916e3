package e2e

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// watchShifts notes from now on, and from before where the browser still knows it, what moves without having been asked to. A
// ten-thousandth is less than a word does that changes its figure.
const watchShifts = `(() => {
	window.shifts = [];
	new PerformanceObserver(list => {
		for (const e of list.getEntries()) if (!e.hadRecentInput && e.value > .0001) shifts.push(e.value.toFixed(4) + ": " + e.sources.map(s => s.node?.className || s.node?.nodeName).join(", "));
	}).observe({type: "layout-shift", buffered: true});
	return true;
})()`

// unmoved fails the test where something moved on the page, once two more frames are painted.
func (b *tab) unmoved(what string) {
	b.t.Helper()
	moved := evaluate[[]string](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(shifts), 50))))`)
	for _, m := range moved {
		b.t.Errorf("%s: something moved by %s", what, m)
	}
}

// runOfText asks for a run in words alone, as another window would, and waits until its result is kept.
func (b *tab) runOfText(key, text string) {
	b.t.Helper()
	id := evaluate[string](b, `fetch("/api/runs", {method: "POST", headers: {"X-Atelier": "1", "Content-Type": "application/json"}, body: JSON.stringify(
		{intentKey: "`+key+`", agent: "image-studio", values: {textDescription: "`+text+`", batchCount: 2}})}).then(r => r.json()).then(b => b.run?.id ?? JSON.stringify(b))`)
	b.waitUntil(`(fetch("/api/runs/` + id + `").then(r => r.json()).then(b => { window.made = b.run.state }), window.made === "done")`)
	evaluate[bool](b, `(delete window.made)`)
}

// What arrives by the live connection stands on the wall by itself, unless the pointer rests there: then the tile under it stays, and what
// is new waits behind a button. Nothing moves while the previews of a page give way to its pictures.
func TestNewResultsKeepTileUnderPointer(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 9})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?size=large")
	evaluate[bool](b, watchShifts)
	b.waitTiles(9)
	b.waitUntil(`[...document.querySelectorAll(".wall__row img")].filter(i => i.hasAttribute("data-loaded")).length >= 9`)
	b.unmoved("while the previews gave way")

	tile := b.box(sel("wall") + ` [aria-posinset="2"] ` + sel("result-card"))
	at := tile.at(.5, .4)
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, at[0], at[1]))
	under := `(e => { const c = e?.closest('` + sel("result-card") + `'), r = c?.getBoundingClientRect(); return c ? [c.dataset.result, r.x, r.y, r.width, r.height].join() : "" })(document.elementFromPoint(` +
		strconv.FormatFloat(at[0], 'f', 1, 64) + `, ` + strconv.FormatFloat(at[1], 'f', 1, 64) + `))`
	before := evaluate[string](b, under)
	if before == "" {
		t.Fatal("the pointer is not over a result")
	}
	b.runOfText("0123456789abcdef-one", "a red boat")
	b.says(sel("fresh"), "2 new")
	if now := evaluate[string](b, under); now != before {
		t.Errorf("under the pointer was %s, and is %s", before, now)
	}
	b.waitTiles(9)
	b.unmoved("while results arrived")
	b.shot("gallery-fresh")

	// The pointer goes away: what comes next stands there at once.
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, 20, 500))
	b.runOfText("0123456789abcdef-two", "a blue boat")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `[data-stored="true"]').length >= 11`)
}
