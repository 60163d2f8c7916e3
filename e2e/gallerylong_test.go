package e2e

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// wheeled turns the wheel over a point, so many times by so many CSS px, and waits until the wall stands still.
func (b *tab) wheeled(at [2]float64, times int, by float64) frames {
	b.t.Helper()
	// The typed command of this name leaves a distance of nothing out, which a wheel must say.
	turn := map[string]any{"type": "mouseWheel", "x": at[0], "y": at[1], "deltaX": 0, "deltaY": by}
	return b.watched(func() {
		for range times {
			if _, err := chromedp.Call(b.ctx, cdp.Command[map[string]any, cdp.Empty]{Method: "Input.dispatchMouseEvent"}, turn); err != nil {
				b.t.Fatal(err)
			}
		}
	})
}

// Of 100,000 results the page has no more than what is seen of them, and neither has the program: they are looked at by wheel, by
// months, and to the end, and what arrives while the pointer rests on one moves nothing. With ATELIER_TRACE all of them are gone through
// and kept, then leapt over and gone through again, and a plain wall of the same pictures is leapt over after it; the times are written there, for make
// bench BENCH=gallery.
func TestTheWallHoldsAHundredThousandResults(t *testing.T) {
	const results = 100_000
	file := os.Getenv("ATELIER_TRACE")
	turns, stops := 60, 4
	if file != "" {
		turns, stops = 400, 12
	}
	s := newStudio(t)
	now := time.Now()
	s.remember(longer(now.Add(-time.Hour), results/4, time.Hour)...) // nearly three years
	b := openTab(t, 1440, 900)
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMemory}); err != nil {
		t.Fatal(err)
	}
	b.enter(s, "/gallery?size=small")
	shown := `document.querySelectorAll(".wall__row img").length > 40`
	b.waitUntil(`document.querySelectorAll('` + sel("months") + ` button').length > 30 && ` + shown)
	b.untold()
	evaluate[bool](b, wallTrace)
	evaluate[bool](b, `wallTrace.rested()`)
	memory := func() float64 { t.Helper(); return evaluate[float64](b, `wallTrace.memory()`) }
	first := memory()
	var lines strings.Builder
	var most float64
	note := func(name string, got frames) {
		t.Helper()
		t.Logf("%s: %v; memory of the program %.1f MB", name, got, memory()/1e6)
		most = max(most, got.Elements)
		got.write(&lines, name)
	}
	middle := b.box(sel("wall")).at(.5, .5)
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, middle[0], middle[1]))
	note("wheel", b.wheeled(middle, turns, 240))

	// From month to month, from the newest to the oldest, then to the end of the list.
	all := evaluate[[]string](b, `[...document.querySelectorAll("[data-month]")].map(e => e.dataset.month)`)
	note("months", b.watched(func() {
		for n := range stops {
			month := `document.querySelector('[data-month="` + all[(n+1)*(len(all)-1)/stops] + `"]')`
			b.do(chromedp.Evaluate[chromedp.Void](month + `.click()`))
			b.waitUntil(month + `.getAttribute("aria-current") === "date" && ` + shown)
		}
	}))
	note("end", b.watched(func() {
		b.do(chromedp.Focus(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
		last := timeID(now.Add(-time.Hour*results/4), results/4-1, 4)
		for there := false; !there; {
			b.press(kb.End)
			evaluate[bool](b, `wallTrace.rested()`)
			there = evaluate[bool](b, `!!document.querySelector('.wall__row [data-result="`+last+`"]')`)
		}
	}))

	b.open(s, "/gallery?size=small")
	b.waitUntil(shown)
	evaluate[bool](b, wallTrace)
	loaded := first
	if file != "" {
		note("through", b.traced(fmt.Sprintf(`wallTrace.ours(600, %d)`, results)))
		loaded = memory()
		note("bar", b.traced(`wallTrace.leap(120, 8)`))
		note("rest", b.traced(`wallTrace.leap(40, 30)`))
		evaluate[bool](b, `wallTrace.back()`)
		note("again", b.traced(fmt.Sprintf(`wallTrace.ours(1200, %d)`, results)))
	}

	// What arrives while a result in the middle is looked at.
	evaluate[bool](b, `(() => { const w = document.getElementById("gallery-wall"); w.scrollTop = w.scrollHeight / 2; return wallTrace.rested(); })()`)
	nearest := evaluate[[]float64](b, fmt.Sprintf(`[...document.querySelectorAll(".wall__row .card")].map(c => c.getBoundingClientRect()).map(r => [r.x + r.width / 2, r.y + r.height / 2])
		.sort((a, b) => Math.hypot(a[0] - %[1]f, a[1] - %[2]f) - Math.hypot(b[0] - %[1]f, b[1] - %[2]f))[0]`, middle[0], middle[1]))
	b.do(chromedp.MouseEvent(chromedp.MouseMoved, nearest[0], nearest[1]))
	under := fmt.Sprintf(`(e => { const c = e?.closest("[data-key]"), r = c?.getBoundingClientRect(); return c ? [c.dataset.key, r.x, r.y].join() : "" })(document.elementFromPoint(%f, %f))`,
		nearest[0], nearest[1])
	before := evaluate[string](b, under)
	note("arrives", b.watched(func() {
		for n := range 3 {
			b.runOfText("0123456789abcdef-"+strconv.Itoa(n), "a red boat")
		}
		b.says(sel("fresh"), "6 new")
	}))
	if now := evaluate[string](b, under); now != before || before == "" {
		t.Errorf("under the pointer was %q, and is %q", before, now)
	}
	last := memory()
	t.Logf("memory of the program: %.1f MB at first, %.1f MB with what was gone through, %.1f MB at last", first/1e6, loaded/1e6, last/1e6)
	if most > 2500 {
		t.Errorf("the page had %.0f elements at once", most)
	}
	// A heap that is at another point of its collection may be larger by some megabytes; one that grows with each pass is by far more.
	if last > loaded*1.25 {
		t.Errorf("the program took %.0f bytes, and %.0f at last", loaded, last)
	}
	if file == "" {
		return
	}
	if n := evaluate[float64](b, `wallTrace.open()`); n < results {
		t.Fatalf("the plain wall has %.0f results", n)
	}
	note("barplain", b.traced(`wallTrace.leap(120, 8)`))
	note("restplain", b.traced(`wallTrace.leap(40, 30)`))
	fmt.Fprintf(&lines, "first/bytes %.0f\nloaded/bytes %.0f\nlast/bytes %.0f\nresult/bytes %.0f\n", first, loaded, last, (loaded-first)/results)
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
