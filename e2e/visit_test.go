package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// watchUsable notes when the studio can first be used: its button is there and a frame with it was drawn. What is no page of the studio can
// be used once it is drawn.
var watchUsable = `(() => {
	const look = () => requestAnimationFrame(() => {
		if (!document.querySelector('` + sel("upload-button") + `') && document.contentType === "text/html") return look();
		requestAnimationFrame(() => { window.usable = performance.now(); });
	});
	look();
})()`

// visitFigures are milliseconds since the address was asked for, and bytes over the wire.
const visitFigures = `(() => {
	const all = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
	const program = all.filter(e => e.name.includes(".wasm"));
	const sum = list => list.reduce((n, e) => n + e.transferSize, 0);
	return {usable: window.usable, paint: performance.getEntriesByName("first-paint")[0]?.startTime ?? -1,
		bytes: sum(all), program: sum(program), programs: program.length};
})()`

// visit opens an address in a tab and gives the figures of visitFigures.
func (b *tab) visit(address string) map[string]float64 {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	b.waitUntil("window.usable")
	return evaluate[map[string]float64](b, visitFigures)
}

// A second visit downloads neither the program nor anything else that the first one brought.
func TestJourneySecondVisitLoadsNoProgram(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := visitor(t, 1)
	first := b.visit(s.url)
	if first["program"] < 500<<10 || first["programs"] == 0 {
		t.Fatalf("the first visit brought %v bytes of program: these figures say nothing", first["program"])
	}
	// A visit ends when the button can be pressed: on a busy machine before the studio has the agents.
	b.waitUntil(`localStorage.getItem("atelier.owner") && performance.getEntriesByType("resource").some(
		e => new URL(e.name).pathname === "/api/agents" && e.responseEnd > 0)`)
	second := b.visit(strings.Split(s.url, "#")[0])
	if second["program"] != 0 || second["bytes"] > 64<<10 {
		t.Errorf("the second visit brought %v bytes of program and %v in all", second["program"], second["bytes"])
	}
	// Who is working is asked once, and not only when the program runs.
	asked := evaluate[[]float64](b, `performance.getEntriesByType("resource").filter(e => new URL(e.name).pathname === "/api/session").map(e => e.startTime)`)
	if ran := evaluate[float64](b, `performance.getEntriesByName("mounted")[0].startTime`); len(asked) != 1 || asked[0] >= ran {
		t.Errorf("who is working was asked at %.0f ms, and the program ran at %.0f", asked, ran)
	}
}

// BenchmarkVisit measures first, second and later visits over a slow line, on a fast and on a slow machine, beside those of a visit to a
// drawing by itself: make bench BENCH=visit.
func BenchmarkVisit(b *testing.B) {
	var lines strings.Builder
	for _, slower := range []float64{1, 4} {
		var cold, second, warm, paint, alone, bare []float64
		for range 3 {
			s := newStudio(b)
			page := visitor(b, slower)
			page.throttle()
			got := page.visit(s.url)
			cold, paint = append(cold, got["usable"]), append(paint, got["paint"])
			again := func() float64 { return page.visit(strings.Split(s.url, "#")[0])["usable"] }
			second = append(second, again())
			alone = append(alone, evaluate[float64](page, `(async () => {
				const program = performance.getEntriesByType("resource").find(e => e.name.includes(".wasm")).name;
				const began = performance.now();
				await (await fetch(program, {cache: "no-store"})).arrayBuffer();
				return performance.now() - began;
			})()`))
			for range 3 {
				warm = append(warm, again()) // by now the browser has kept the compiled program
				bare = append(bare, page.visit("http://" + s.listen + "/web/icons/icon.svg")["usable"])
			}
		}
		for _, f := range []struct {
			name string
			ms   []float64
		}{{"cold", cold}, {"second", second}, {"warm", warm}, {"paint", paint}, {"alone", alone}, {"bare", bare}} {
			slices.Sort(f.ms)
			fmt.Fprintf(&lines, "%s,_%.0f/ms %.1f\n", f.name, slower, f.ms[len(f.ms)/2])
		}
	}
	writeTrace(b, lines.String())
}

// visitor is an empty browser on a machine that is so many times slower.
func visitor(t testing.TB, slower float64) *tab {
	t.Helper()
	b := openBrowser(t, t.TempDir(), 1440, 900)
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchUsable}); err != nil {
		t.Fatal(err)
	}
	b.slowDown(slower)
	return b
}

// throttle gives the browser a line of 10 Mbit/s that takes 40 ms.
func (b *tab) throttle() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	// The typed command of this name speaks to newer browsers only.
	line := map[string]any{"offline": false, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
	if _, err := chromedp.Call(b.ctx, cdp.Command[map[string]any, cdp.Empty]{Method: "Network.emulateNetworkConditions"}, line); err != nil {
		b.t.Fatal(err)
	}
}
