package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Of 100,000 results the page holds no more than what is seen of them, and what arrives while the pointer rests on one moves nothing.
func TestWallHoldsAHundredThousandResults(t *testing.T) {
	t.Parallel()
	w := openLongWall(t, func() *tab { return openTab(t, 1440, 900) }, (*tab).counted)
	w.wheel(60)
	w.months(4)
	w.end()
	w.arrive()
}

// BenchmarkLongGallery measures frames, tasks and memory while a hundred thousand results are gone through, kept, leapt over and gone
// through again, beside a plain wall of the same pictures: make bench BENCH=gallery.
func BenchmarkLongGallery(b *testing.B) {
	w := openLongWall(b, func() *tab { return openBrowser(b, b.TempDir(), 1440, 900) }, (*tab).watched)
	page := w.b
	w.wheel(400)
	w.months(12)
	w.end()
	page.open(w.s, "/gallery?size=small")
	page.waitUntil(longWallShown)
	evaluate[bool](page, wallTrace)
	w.note("through", page.traced(fmt.Sprintf(`wallTrace.ours(600, %d)`, longWallResults)))
	w.loaded = page.programMemory()
	w.note("bar", page.traced(`wallTrace.leap(120, 8)`))
	w.note("rest", page.traced(`wallTrace.leap(40, 30)`))
	evaluate[bool](page, `wallTrace.back()`)
	w.note("again", page.traced(fmt.Sprintf(`wallTrace.ours(1200, %d)`, longWallResults)))
	last := w.arrive()
	if n := evaluate[float64](page, `wallTrace.open()`); n < longWallResults {
		b.Fatalf("the plain wall has %.0f results", n)
	}
	w.note("barplain", page.traced(`wallTrace.leap(120, 8)`))
	w.note("restplain", page.traced(`wallTrace.leap(40, 30)`))
	fmt.Fprintf(&w.lines, "first/bytes %.0f\nloaded/bytes %.0f\nlast/bytes %.0f\nresult/bytes %.0f\n", w.first, w.loaded, last, (w.loaded-w.first)/longWallResults)
	writeTrace(b, w.lines.String())
}

const (
	longWallResults = 100_000
	longWallShown   = `document.querySelectorAll(".wall__row img").length > 40`
)

// longWall is the gallery of nearly three years, and the figures of what was done in it.
type longWall struct {
	s     *studio
	b     *tab
	now   time.Time
	watch func(b *tab, do func()) frames
	at    [2]float64 // the middle of the wall

	first, loaded float64 // bytes of the program
	lines         strings.Builder
}

func openLongWall(t testing.TB, open func() *tab, watch func(b *tab, do func()) frames) *longWall {
	t.Helper()
	w := &longWall{now: time.Now(), watch: watch}
	w.s = studioWith(t, longer(w.now.Add(-time.Hour), longWallResults/4, time.Hour)...)
	b := open()
	w.b = b
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMemory}); err != nil {
		t.Fatal(err)
	}
	b.enter(w.s, "/gallery?size=small")
	b.waitUntil(`document.querySelectorAll('` + sel("months") + ` button').length > 30 && ` + longWallShown)
	b.untold()
	evaluate[bool](b, wallTrace)
	evaluate[bool](b, `wallTrace.rested()`)
	w.first = b.programMemory()
	w.loaded = w.first
	w.at = b.box(sel("wall")).at(.5, .5)
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, w.at[0], w.at[1]))
	return w
}

// note keeps the figures of one way through the wall, which never has many elements.
func (w *longWall) note(name string, got frames) {
	w.b.t.Helper()
	w.b.t.Logf("%s: %v; memory of the program %.1f MB", name, got, w.b.programMemory()/1e6)
	if got.Elements > wallElements {
		w.b.t.Errorf("%s: the page had %.0f elements at once", name, got.Elements)
	}
	got.write(&w.lines, name)
}

// wheel turns the wheel in the middle of the wall.
func (w *longWall) wheel(turns int) {
	w.b.t.Helper()
	// The typed command of this name leaves a distance of nothing out, which a wheel must say.
	turn := map[string]any{"type": "mouseWheel", "x": w.at[0], "y": w.at[1], "deltaX": 0, "deltaY": 240}
	w.note("wheel", w.watch(w.b, func() {
		for range turns {
			if _, err := chromedp.Call(w.b.ctx, cdp.Command[map[string]any, cdp.Empty]{Method: "Input.dispatchMouseEvent"}, turn); err != nil {
				w.b.t.Fatal(err)
			}
		}
	}))
}

// months jumps to so many months, from the newest to the oldest.
func (w *longWall) months(stops int) {
	w.b.t.Helper()
	all := evaluate[[]string](w.b, `[...document.querySelectorAll("[data-month]")].map(e => e.dataset.month)`)
	w.note("months", w.watch(w.b, func() {
		for n := range stops {
			month := `document.querySelector('[data-month="` + all[(n+1)*(len(all)-1)/stops] + `"]')`
			w.b.do(chromedp.Evaluate[chromedp.Void](month + `.click()`))
			w.b.waitUntil(month + `.getAttribute("aria-current") === "date" && ` + longWallShown)
		}
	}))
}

// end goes to the oldest result.
func (w *longWall) end() {
	w.b.t.Helper()
	w.note("end", w.watch(w.b, func() {
		w.b.do(chromedp.Focus(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
		last := timeID(w.now.Add(-time.Hour*longWallResults/4), longWallResults/4-1, 4)
		for there := false; !there; {
			w.b.press(kb.End)
			evaluate[bool](w.b, `wallTrace.rested()`)
			there = evaluate[bool](w.b, `!!document.querySelector('.wall__row [data-result="`+last+`"]')`)
		}
	}))
}

// arrive has six results arrive while one in the middle is looked at, which stays where it is. It returns the program's memory at last.
func (w *longWall) arrive() (last float64) {
	b := w.b
	b.t.Helper()
	evaluate[bool](b, `(() => { const w = document.getElementById("gallery-wall"); w.scrollTop = w.scrollHeight / 2; return wallTrace.rested(); })()`)
	nearest := evaluate[[]float64](b, fmt.Sprintf(`[...document.querySelectorAll(".wall__row .card")].map(c => c.getBoundingClientRect()).map(r => [r.x + r.width / 2, r.y + r.height / 2])
		.sort((a, b) => Math.hypot(a[0] - %[1]f, a[1] - %[2]f) - Math.hypot(b[0] - %[1]f, b[1] - %[2]f))[0]`, w.at[0], w.at[1]))
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, nearest[0], nearest[1]))
	under := fmt.Sprintf(`(e => { const c = e?.closest("[data-key]"), r = c?.getBoundingClientRect(); return c ? [c.dataset.key, r.x, r.y].join() : "" })(document.elementFromPoint(%f, %f))`,
		nearest[0], nearest[1])
	before := evaluate[string](b, under)
	w.note("arrives", w.watch(b, func() {
		for n := range 3 {
			b.runOfText("0123456789abcdef-"+strconv.Itoa(n), "a red boat")
		}
		b.says(sel("fresh"), "6 new")
	}))
	if now := evaluate[string](b, under); now != before || before == "" {
		b.t.Errorf("under the pointer was %q, and is %q", before, now)
	}
	last = b.programMemory()
	b.t.Logf("memory of the program: %.1f MB at first, %.1f MB with what was gone through, %.1f MB at last", w.first/1e6, w.loaded/1e6, last/1e6)
	// A heap that is at another point of its collection may be larger by some megabytes; one that grows with each pass is by far more.
	if last > w.loaded*1.25 {
		b.t.Errorf("the program took %.0f bytes, and %.0f at last", w.loaded, last)
	}
	return last
}
