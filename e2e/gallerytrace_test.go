package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

//go:embed walltrace.js
var wallTrace string

// keepMemory makes the program's memory known to wallTrace.
const keepMemory = `const started = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = async (...args) => {
	const program = await started.apply(WebAssembly, args);
	window.wasmMemory = program.instance.exports.mem;
	return program;
};`

// wallElements is more than a wall at rest or under way has in the page at once.
const wallElements = 2500

// The wall of 10,000 results has a bounded number of elements from its beginning to its end, and going through it a second time takes
// no more memory.
func TestWallKeepsElementsAndMemoryBounded(t *testing.T) {
	t.Parallel()
	throughWall(openWall(t, func() *tab { return openTab(t, 1440, 900) }), 1200)
}

// BenchmarkGallery measures frames of the wall scrolled as a hand does it, beside a plain wall of the same pictures: make bench
// BENCH=gallery. They say something only where nothing else works.
func BenchmarkGallery(b *testing.B) {
	page := openWall(b, func() *tab { return openBrowser(b, b.TempDir(), 1440, 900) })
	const stride = 120
	scrolled, first, loaded, last := throughWall(page, stride)
	// At reading speed the tiles get their pictures, which they do not while they only rush by.
	const slow = 25
	evaluate[bool](page, `wallTrace.back()`)
	calm := page.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, slow, wallResults))
	if n := evaluate[float64](page, `wallTrace.open()`); n != wallResults {
		b.Fatalf("the plain wall has %.0f results", n)
	}
	plain := page.scrolled(fmt.Sprintf(`wallTrace.plain(%d)`, stride))
	plainCalm := page.scrolled(fmt.Sprintf(`wallTrace.plain(%d)`, slow))
	if calm.Images < 500 || plainCalm.Images < 500 {
		b.Errorf("calmly scrolled, the wall asked for %.0f pictures and the plain one for %.0f: there is nothing to compare", calm.Images, plainCalm.Images)
	}
	var lines strings.Builder
	for name, pass := range map[string]frames{"scroll": scrolled, "plain": plain, "calmscroll": calm, "calmplain": plainCalm} {
		b.Logf("%s: %v", name, pass)
		pass.write(&lines, name)
	}
	fmt.Fprintf(&lines, "first/bytes %.0f\nloaded/bytes %.0f\nlast/bytes %.0f\nresult/bytes %.0f\n", first, loaded, last, (loaded-first)/wallResults)
	writeTrace(b, lines.String())
}

const wallResults = 10_000

// openWall opens a gallery of 10,000 results. Where one more row comes into sight than there were places for, those that are there stay in
// the page.
func openWall(t testing.TB, open func() *tab) *tab {
	t.Helper()
	s := studioWith(t, long(time.Now(), wallResults/4)...)
	b := open()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMemory}); err != nil {
		t.Fatal(err)
	}
	b.enter(s, "/gallery?size=small")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 40`)
	b.waitUntil(`[...document.querySelectorAll(".wall__row img")].every(i => i.src && i.complete)`)
	b.untold()
	evaluate[bool](b, wallTrace)
	evaluate[bool](b, `(() => {
		const rows = document.querySelector(".wall__rows");
		window.stood = rows.children.length;
		window.taken = 0;
		new MutationObserver(list => { taken += list.reduce((n, r) => n + r.removedNodes.length, 0); }).observe(rows, {childList: true});
		document.getElementById("gallery-wall").scrollTop = 200;
		return true;
	})()`)
	b.waitUntil(`document.querySelector(".wall__rows").children.length > stood`)
	if n := evaluate[float64](b, `taken`); n > 0 {
		t.Errorf("%.0f rows on screen were taken out and put back when one more came into sight", n)
	}
	if !evaluate[bool](b, `(all => new Set(all).size === all.length)([...document.querySelectorAll(".wall__row [aria-posinset]")].map(e => e.getAttribute("aria-posinset")))`) {
		t.Error("a result stands on the wall twice")
	}
	evaluate[bool](b, `wallTrace.back()`)
	return b
}

// throughWall scrolls to the end of the wall, by a stride in CSS px in each sixtieth of a second, and once more. It returns the figures of
// the first pass, and the program's memory before it, after it and at last.
func throughWall(b *tab, stride int) (got frames, first, loaded, last float64) {
	b.t.Helper()
	first = b.programMemory()
	got = b.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, stride, wallResults))
	loaded = b.programMemory()
	evaluate[bool](b, `wallTrace.back()`)
	again := b.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, max(stride, 600), wallResults))
	last = b.programMemory()
	b.t.Logf("memory of the program: %.1f MB at first, %.1f MB with all results, %.1f MB after going through them again", first/1e6, loaded/1e6, last/1e6)
	if most := max(got.Elements, again.Elements); most > wallElements {
		b.t.Errorf("the page had %.0f elements at once", most)
	}
	// A heap that is at another point of its collection may be larger by some megabytes; one that grows with each pass is by far more.
	if last > loaded*1.25 {
		b.t.Errorf("the program took %.0f bytes, and %.0f after going through the wall again", loaded, last)
	}
	return got, first, loaded, last
}

// programMemory is how many bytes the program has, where keepMemory was added to the page.
func (b *tab) programMemory() float64 {
	b.t.Helper()
	return evaluate[float64](b, `wallTrace.memory()`)
}

// writeTrace writes the figures of a benchmark into the file ATELIER_TRACE names, for internal/benchreport.
func writeTrace(t testing.TB, lines string) {
	t.Helper()
	file := os.Getenv("ATELIER_TRACE")
	if file == "" {
		t.Log(lines)
		return
	}
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
}

// frames is what wallTrace tells of a while: milliseconds from frame to frame, and counts.
type frames struct {
	P50, P95, P99, Max, Frames, Over, Elements, Longest, Height, Images, Requests float64

	Worked float64  // the longest that the processor worked at one task: what other programs took meanwhile is not in it
	Heavy  int      // how many tasks it worked at for more than 50 ms
	Slow   []string // what each frame over 50 ms was spent on
}

func (f frames) String() string {
	return fmt.Sprintf("%.0f frames, p50 %.1f ms, p95 %.1f, p99 %.1f, longest %.1f, %.0f over 50 ms; longest task %.0f ms, of the processor %.0f, and %d over 50 ms; at most %.0f elements; %.0f px; %.0f pictures and %.0f other things asked for\n\t%s",
		f.Frames, f.P50, f.P95, f.P99, f.Max, f.Over, f.Longest, f.Worked, f.Heavy, f.Elements, f.Height, f.Images, f.Requests, strings.Join(f.Slow, "\n\t"))
}

// write adds the figures to a trace, under the name of what was scrolled, or done.
func (f frames) write(lines *strings.Builder, name string) {
	fmt.Fprintf(lines, "%[1]s/p50 %.3[2]f\n%[1]s/p95 %.3[3]f\n%[1]s/p99 %.3[4]f\n%[1]s/max %.3[5]f\n%[1]s/longest %.3[6]f\n%[1]s/worked %.3[7]f\n", name, f.P50, f.P95, f.P99, f.Max, f.Longest, f.Worked)
	fmt.Fprintf(lines, "%[1]s,_heavy/bytes %[6]d\n%[1]s,_over/bytes %.0[2]f\n%[1]s,_elements/bytes %.0[3]f\n%[1]s,_images/bytes %.0[4]f\n%[1]s,_requests/bytes %.0[5]f\n", name, f.Over, f.Elements, f.Images, f.Requests, f.Heavy)
}

// untold has the browser no longer tell of its requests, as it does to whoever drives it: of each picture of a wall that is scrolled that
// takes as long as to fetch it, and makes twice as many frames late. Nobody's own browser tells of them.
func (b *tab) untold() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, network.Disable, cdp.Empty{}); err != nil {
		b.t.Fatal(err)
	}
}

// worked says for how long, in ms, the processor worked at each task of the page while something was done.
func (b *tab) worked(do func()) (tasks []float64) {
	b.t.Helper()
	type event struct {
		Name, Ph string
		Pid, Tid int64
		Tdur     float64 // µs
		Args     struct{ Name string }
	}
	var all []event // of the listener until it has heard the end
	ended := make(chan bool, 1)
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	err := chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *tracing.EventDataCollected:
			for _, data := range e.Value {
				var one event
				if json.Unmarshal(data, &one) == nil && (one.Name == "thread_name" || one.Tdur > 0 && strings.HasSuffix(one.Name, "RunTask")) {
					all = append(all, one)
				}
			}
		case *tracing.EventTracingComplete:
			ended <- !e.DataLossOccurred
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
	config := tracing.TraceConfig{IncludedCategories: []string{"disabled-by-default-devtools.timeline"}, ExcludedCategories: []string{"*"}}
	if _, err := chromedp.Call(b.ctx, tracing.Start, tracing.StartParams{TraceConfig: &config}); err != nil {
		b.t.Fatal(err)
	}
	do()
	if _, err := chromedp.Call(b.ctx, tracing.End, cdp.Empty{}); err != nil {
		b.t.Fatal(err)
	}
	select {
	case whole := <-ended:
		if !whole {
			b.t.Error("a part of the trace was lost")
		}
	case <-time.After(4 * patience):
		b.t.Fatal("the browser does not end its trace")
	}
	for _, thread := range all {
		if thread.Name != "thread_name" || thread.Args.Name != "CrRendererMain" {
			continue
		}
		for _, e := range all {
			if e.Pid == thread.Pid && e.Tid == thread.Tid && e.Tdur > 0 {
				tasks = append(tasks, e.Tdur/1000)
			}
		}
	}
	slices.Sort(tasks)
	return tasks
}

// scrolled waits for a scroll that walltrace.js measures, however busy the machine is, and gives its figures but those of the processor:
// to trace its tasks takes so much of the browser itself that a tenth of the frames come later.
func (b *tab) scrolled(scroll string) frames {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void]("window.scrolled = null; " + scroll + ".then(got => { window.scrolled = got }); undefined"))
	poll := chromedp.Poll[bool]("!!window.scrolled", chromedp.WithPollingTimeout(20*time.Minute), chromedp.WithPollingInterval(200*time.Millisecond))
	if _, err := chromedp.Run(b.ctx, poll); err != nil {
		b.t.Fatalf("%s: %v\nthe page says: %s", scroll, err, b.pageText())
	}
	return evaluate[frames](b, "window.scrolled")
}

// traced is scrolled with what the processor worked.
func (b *tab) traced(scroll string) frames {
	b.t.Helper()
	var got frames
	tasks := b.worked(func() { got = b.scrolled(scroll) })
	return got.with(tasks)
}

// counted gives what happens in the page while something is done in it, until the wall stands still and has its pictures.
func (b *tab) counted(do func()) frames {
	b.t.Helper()
	evaluate[bool](b, "wallTrace.watch()")
	do()
	evaluate[bool](b, `wallTrace.rested()`)
	return evaluate[frames](b, "wallTrace.told()")
}

// watched is counted with what the processor worked.
func (b *tab) watched(do func()) frames {
	b.t.Helper()
	var got frames
	tasks := b.worked(func() { got = b.counted(do) })
	return got.with(tasks)
}

// with adds for how long the processor worked at each task, ms, in order.
func (f frames) with(tasks []float64) frames {
	if n := len(tasks); n > 0 {
		light, _ := slices.BinarySearch(tasks, 50)
		f.Worked, f.Heavy = tasks[n-1], n-light
	}
	return f
}
