package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/app/gallery"
)

// withComponents is the address of a studio to whose visitors the client with the page of components is given.
func withComponents(t testing.TB, s *studio) string {
	t.Helper()
	path := os.Getenv("ATELIER_COMPONENTS")
	if path == "" {
		t.Fatal("the page of components is in a client of its own: use `make e2e`, or `make build/components.wasm` and name it in ATELIER_COMPONENTS")
	}
	target, err := url.Parse("http://" + s.listen)
	if err != nil {
		t.Fatal(err)
	}
	client, rest := regexp.MustCompile(`^/web/app\..*\.wasm$`), httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client.MatchString(r.URL.Path) {
			w.Header().Set("Content-Type", "application/wasm")
			http.ServeFile(w, r, path)
			return
		}
		r.Host = target.Host
		rest.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The page of components opens, holds every story, fits a desk and a phone, and everybody can use what is on it.
func TestComponentsPageShowsEveryStory(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.do(chromedp.Navigate(withComponents(t, s) + "/components"))
	b.waitFor(".stories")
	shown := evaluate[[]string](b, `[...document.querySelectorAll('`+sel("story")+`')].filter(s => s.querySelector(".story__view").getBoundingClientRect().height > 0).map(s => s.querySelector(".story__name").textContent)`)
	if names := gallery.Names(); !slices.Equal(shown, names) {
		t.Errorf("%d stories are shown, there are %d", len(shown), len(names))
		for _, name := range names {
			if !slices.Contains(shown, name) {
				t.Errorf("%s is not shown", name)
			}
		}
	}
	b.calm()
	evaluate[bool](b, contrastScript)
	for _, width := range []int64{390, 1440} {
		b.do(chromedp.EmulateViewport(width, 844))
		if wide := evaluate[[]string](b, `[document.documentElement, document.querySelector(".stories")].filter(e => e.scrollWidth > e.clientWidth).map(e => e.tagName + " " + e.scrollWidth + " of " + e.clientWidth).concat(
			[...document.querySelectorAll('`+sel("story")+`')].filter(s => s.getBoundingClientRect().right > innerWidth).map(s => s.querySelector(".story__name").textContent))`); len(wide) > 0 {
			t.Errorf("at %d px wider than the window: %s", width, strings.Join(wide, ", "))
		}
		b.shot("components-" + strconv.FormatInt(width, 10))
	}
	evaluate[bool](b, ownIDs)
	for _, theme := range []string{"dark", "light"} {
		b.theme(theme)
		b.ended()
		if wrong := evaluate[string](b, audit); wrong != "" {
			t.Errorf("%s:\n%s", theme, wrong)
		}
		b.shot("components-" + theme)
	}
}

// ownIDs gives each story ids of its own: all states of one field stand on the page, and each has the id of the field.
const ownIDs = `[...document.querySelectorAll(".story")].map((story, i) => {
	const names = ["id", "for", "aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant"];
	for (const e of story.querySelectorAll(names.map(n => "[" + n + "]").join(", "))) for (const n of names) if (e.getAttribute(n)) {
		e.setAttribute(n, e.getAttribute(n).split(" ").map(id => "story-" + i + "-" + id).join(" "));
	}
}).length > 0`

// What changes is drawn, though nothing else wakes the program and most of its timers are let go of at the same time: Go's scheduler
// overlooks then that the next frame was set to an earlier time.
func TestFrameIsDrawnWhileTimersAreStopped(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.do(chromedp.Navigate(withComponents(t, s) + "/components"))
	b.says(sel("presses"), "Pressed 0")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('` + sel("presses") + `').click()`))
	b.says(sel("presses"), "Pressed 1")
}
