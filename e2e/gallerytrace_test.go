package e2e

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
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

// The wall of 10,000 results has a bounded number of elements from its beginning to its end, and going through it a second time takes
// no more memory. With ATELIER_TRACE it is scrolled as a hand would, and beside a plain wall; the times are written there, for
// make bench BENCH=gallery: they say something only where nothing else works.
func TestTheWallIsScrolledThroughTenThousandResults(t *testing.T) {
	const results = 10_000
	s := newStudio(t)
	s.remember(long(time.Now(), results/4)...)
	b := openTab(t, 1440, 900)
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: keepMemory}); err != nil {
		t.Fatal(err)
	}
	b.enter(s, "/gallery?size=small")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 40`)
	b.waitUntil(`[...document.querySelectorAll(".wall__row img")].every(i => i.complete)`)
	evaluate[bool](b, wallTrace)
	// Where one more row comes into sight than there were places for, those that are there stay in the page.
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
	file := os.Getenv("ATELIER_TRACE")
	stride := 1200
	if file != "" {
		stride = 120
	}
	first := evaluate[float64](b, `wallTrace.memory()`)
	got := b.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, stride, results))
	loaded := evaluate[float64](b, `wallTrace.memory()`)
	evaluate[bool](b, `wallTrace.back()`)
	again := b.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, max(stride, 600), results))
	last := evaluate[float64](b, `wallTrace.memory()`)
	// At reading speed the tiles get their pictures, which they do not while they only rush by.
	const slow = 25
	var calm map[string]float64
	if file != "" {
		evaluate[bool](b, `wallTrace.back()`)
		calm = b.scrolled(fmt.Sprintf(`wallTrace.ours(%d, %d)`, slow, results))
	}
	say := func(name string, got map[string]float64) {
		t.Logf("%s: %.0f frames, p50 %.1f ms, p95 %.1f, p99 %.1f, longest %.1f, %.0f over 50 ms; at most %.0f elements; %.0f px; %.0f pictures asked for", name, got["frames"], got["p50"], got["p95"],
			got["p99"], got["max"], got["over"], got["elements"], got["height"], got["images"])
	}
	say("ours", got)
	say("again", again)
	t.Logf("memory of the program: %.1f MB at first, %.1f MB with all results, %.1f MB after going through them again", first/1e6, loaded/1e6, last/1e6)
	if most := max(got["elements"], again["elements"]); most > 2500 {
		t.Errorf("the page had %.0f elements at once", most)
	}
	// A heap that is at another point of its collection may be larger by some megabytes; one that grows with each pass is by far more.
	if last > loaded*1.25 {
		t.Errorf("the program took %.0f bytes, and %.0f after going through the wall again", loaded, last)
	}
	if file == "" {
		return
	}
	if n := evaluate[float64](b, `wallTrace.open()`); n != results {
		t.Fatalf("the plain wall has %.0f results", n)
	}
	plain := b.scrolled(fmt.Sprintf(`wallTrace.plain(%d)`, stride))
	plainCalm := b.scrolled(fmt.Sprintf(`wallTrace.plain(%d)`, slow))
	say("calm", calm)
	say("plain", plain)
	say("plain, calm", plainCalm)
	if calm["images"] < 500 || plainCalm["images"] < 500 {
		t.Errorf("calmly scrolled, the wall asked for %.0f pictures and the plain one for %.0f: there is nothing to compare", calm["images"], plainCalm["images"])
	}
	var lines strings.Builder
	for _, pass := range []struct {
		name        string
		ours, plain map[string]float64
	}{{"", got, plain}, {"calm", calm, plainCalm}} {
		for _, figure := range []string{"p50", "p95", "p99", "max"} {
			fmt.Fprintf(&lines, "%sscroll/%s %.3f\n%splain/%s %.3f\n", pass.name, figure, pass.ours[figure], pass.name, figure, pass.plain[figure])
		}
		for _, figure := range []string{"over", "elements", "images"} {
			fmt.Fprintf(&lines, "%s%s/bytes %.0f\n%splain%s/bytes %.0f\n", pass.name, figure, pass.ours[figure], pass.name, figure, pass.plain[figure])
		}
	}
	fmt.Fprintf(&lines, "first/bytes %.0f\nloaded/bytes %.0f\nlast/bytes %.0f\nresult/bytes %.0f\n", first, loaded, last, (loaded-first)/results)
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// scrolled waits for a scroll that walltrace.js measures, however busy the machine is, and gives its figures.
func (b *tab) scrolled(scroll string) map[string]float64 {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void]("window.scrolled = null; " + scroll + ".then(got => { window.scrolled = got }); undefined"))
	poll := chromedp.Poll[bool]("!!window.scrolled", chromedp.WithPollingTimeout(8*time.Minute), chromedp.WithPollingInterval(200*time.Millisecond))
	if _, err := chromedp.Run(b.ctx, poll); err != nil {
		b.t.Fatalf("%s: %v\nthe page says: %s", scroll, err, b.pageText())
	}
	return evaluate[map[string]float64](b, "window.scrolled")
}
