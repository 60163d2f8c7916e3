package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// scrollTrace scrolls the wall to its end, a screen's part in each frame, and gives the times between frames, the most
// elements the page had, and how much memory the program had at first and at last.
const scrollTrace = `new Promise(done => {
	const wall = document.getElementById("gallery-wall");
	const gaps = [];
	let last = 0, most = 0, still = 0, before = -1;
	const frame = now => {
		if (last) gaps.push(now - last);
		last = now;
		most = Math.max(most, document.getElementsByTagName("*").length);
		wall.scrollTop += 120;
		still = wall.scrollTop === before ? still + 1 : 0;
		before = wall.scrollTop;
		if (still < 90 && gaps.length < 60000) return requestAnimationFrame(frame);
		const count = parseInt(document.querySelector('[data-testid="gallery-count"]').textContent.replace(/\D/g, ""), 10);
		const moving = gaps.slice(1, gaps.length - still).sort((a, b) => a - b);
		done({p50: moving[Math.floor(moving.length * .5)], p95: moving[Math.floor(moving.length * .95)], p99: moving[Math.floor(moving.length * .99)],
			max: moving[moving.length - 1], frames: moving.length, elements: most, over: moving.filter(g => g > 50).length, count, height: wall.scrollHeight});
	};
	requestAnimationFrame(frame);
})`

// The wall of 10,000 results has a bounded number of elements from its beginning to its end. With ATELIER_TRACE the times are
// written there, for make bench BENCH=gallery: they say something only where nothing else works.
func TestTheWallIsScrolledThroughTenThousandResults(t *testing.T) {
	s := newStudio(t)
	s.remember(long(time.Now(), 2500)...)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?size=small")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 40`)
	b.do(chromedp.Evaluate[chromedp.Void](`(` + "() => { window.traced = null; " + scrollTrace + `.then(r => { window.traced = r }); })()`))
	b.waitLong(`window.traced`, 8*time.Minute)
	got := evaluate[map[string]float64](b, `window.traced`)
	t.Logf("%.0f frames, p50 %.1f ms, p95 %.1f, p99 %.1f, longest %.1f, %.0f over 50 ms; at most %.0f elements; %.0f px", got["frames"], got["p50"], got["p95"], got["p99"], got["max"],
		got["over"], got["elements"], got["height"])
	if got["elements"] > 4000 {
		t.Errorf("the page had %.0f elements at once", got["elements"])
	}
	if last := evaluate[string](b, `[...document.querySelectorAll('`+sel("wall")+` [aria-posinset]')].map(e => Number(e.getAttribute("aria-posinset"))).sort((a, b) => b - a)[0] + ""`); last != "10000" {
		t.Errorf("the last tile is number %s, want 10000", last)
	}
	if file := os.Getenv("ATELIER_TRACE"); file != "" {
		lines := ""
		for _, name := range []string{"p50", "p95", "p99", "max"} {
			lines += fmt.Sprintf("scroll/%s %.3f\n", name, got[name])
		}
		lines += fmt.Sprintf("elements/bytes %.0f\nover/bytes %.0f\n", got["elements"], got["over"])
		if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// waitLong is waitUntil with more patience.
func (b *tab) waitLong(expression string, patience time.Duration) {
	b.t.Helper()
	poll := chromedp.Poll[bool]("!!("+expression+")", chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(200*time.Millisecond))
	if _, err := chromedp.Run(b.ctx, poll); err != nil {
		b.t.Fatalf("waiting for %s: %v\nthe page says: %s", expression, err, b.pageText())
	}
}
