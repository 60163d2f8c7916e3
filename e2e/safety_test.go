package e2e

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The key of the image service may stand in its own file alone: not in what the browser gets, not in a log, not in a
// database.
func TestJourneyKeyStaysInItsFile(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	b.generate()
	b.waitForResults(1)
	key, err := os.ReadFile(filepath.Join(s.data, "service", "studio.key"))
	if err != nil {
		t.Fatal(err)
	}
	key = bytes.TrimSpace(key)
	if len(key) < 32 {
		t.Fatalf("the key has %d characters", len(key))
	}
	page := evaluate[string](b, `(async () => {
		const parts = [document.documentElement.outerHTML, JSON.stringify(localStorage), document.cookie];
		for (const e of performance.getEntriesByType("resource")) parts.push(e.name);
		for (const path of ["/api/session", "/api/agents", "/api/runs", "/api/assets", "/app.js"]) parts.push(await (await fetch(path)).text());
		return parts.join("\n");
	})()`)
	if strings.Contains(page, string(key)) {
		t.Error("the browser has seen the key")
	}
	s.mu.Lock()
	if strings.Contains(s.log.String(), string(key)) {
		t.Error("the log shows the key")
	}
	s.mu.Unlock()
	err = fs.WalkDir(os.DirFS(s.data), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || p == "service/studio.key" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(s.data, p))
		if bytes.Contains(data, key) {
			t.Errorf("%s holds the key", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestJourneyLaunchLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	first, second := openTab(t, 1440, 900), openTab(t, 1440, 900)
	first.signIn(s)
	second.do(chromedp.Navigate(s.url))
	second.waitFor(sel("signin-token"))
	second.waitFor(sel("signin-problem"))
	second.shot("signin-used-link")
	second.forgive("401")
	first.forgive("401") // the question who is working, before signing in

	for path, want := range map[string]int{"/api/runs": 401, "/api/assets": 401, "/api/agents": 401, "/api/events": 401, "/healthz": 200, "/": 200} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.listen+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := (&http.Client{}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s without a session: %d, want %d", path, resp.StatusCode, want)
		}
		req.Host = "studio.example"
		if resp, err = (&http.Client{}).Do(req); err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("%s under a foreign name: %d, want 421", path, resp.StatusCode)
		}
	}
}

// A phone: everything is reachable, and nothing moves once it is there.
func TestJourneyPhoneUploadsWithoutShift(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 390, 844)
	b.do(chromedp.Navigate(s.url))
	b.waitFor(sel("stage"))
	b.upload("blouse.jpg", garmentPhoto())
	b.shot("phone-studio")
	// Which runs the strip shows is chosen with a thumb.
	for _, which := range []string{"all", "mine"} {
		choice := `.strip__head [data-value="` + which + `"]`
		if size := evaluate[[]float64](b, `(e => {
			const r = e.getBoundingClientRect();
			return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) ? [r.width, r.height] : [0, 0];
		})(document.querySelector('`+choice+`'))`); min(size[0], size[1]) < 40 {
			t.Errorf("%s is a target of %v px, want 40 at least", which, size)
		}
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('` + choice + `').click()`))
		b.waitFor(choice + `[aria-checked="true"]`)
	}
	shift := evaluate[float64](b, `new Promise(done => {
		let sum = 0;
		window.shifts = [];
		const at = r => [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
		new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) {
			sum += e.value;
			for (const s of e.sources) window.shifts.push([s.node?.className || s.node?.nodeName,
				"from", at(s.previousRect), "to", at(s.currentRect), "after", Math.round(e.startTime), "ms"].join(" "));
		} }).observe({type: "layout-shift", buffered: true});
		requestAnimationFrame(() => setTimeout(() => done(sum), 100));
	})`)
	if shift > 0.01 {
		moved := evaluate[string](b, `window.shifts.join("\n")`)
		t.Errorf("the page shifted by %.3f after its first paint, want 0: %s", shift, moved)
	}
	if wide := evaluate[int](b, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d px wide on a screen of 390", wide)
	}
}
