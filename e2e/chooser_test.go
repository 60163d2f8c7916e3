package e2e

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging/testpics"
)

// stock gives the studio a film, then so many pictures, each of its own colour, that came after it.
func (s *studio) stock(pictures int) {
	s.t.Helper()
	s.between(func(d *db.DB, keep func(data []byte) db.Blob) {
		still := keep(testpics.JPEG(testpics.Photo(320, 240, 9)))
		add := func(a atelier.Asset, blob db.Blob, poster string) {
			a.Bytes, a.SHA256 = blob.Bytes, blob.SHA256
			if _, _, err := d.CreateAsset(s.t.Context(), db.Asset{Asset: a, UserID: "local", Sent: blob, PosterSHA: poster}); err != nil {
				s.t.Fatal(err)
			}
		}
		// Nothing plays it: what is known of it is enough to choose it.
		add(atelier.Asset{Kind: "video", Name: "walk.mp4", Format: "mp4", Seconds: 4, Width: 1280, Height: 720}, keep([]byte("a film")), still.SHA256)
		for i := range pictures {
			img := image.NewNRGBA(image.Rect(0, 0, 24, 24))
			for p := range 24 * 24 {
				img.SetNRGBA(p%24, p/24, color.NRGBA{uint8(2 * i), uint8(200 - i), 120, 255})
			}
			add(atelier.Asset{Kind: "image", Name: fmt.Sprintf("Été %03d.jpg", i), Format: "jpeg", Width: 600, Height: 800}, keep(testpics.JPEG(img)), "")
		}
	})
}

// Files and results are chosen for a place of the form among all there are of its kind: by page, by name, by what a run was asked
// for, by keyboard; and a dialog that gets no answer says so.
func TestChooserFindsFilesOfOneKind(t *testing.T) {
	t.Parallel()
	s := studioWith(t,
		past{at: time.Now().Add(-48 * time.Hour), agent: "text-to-video", title: "Hill", prompt: "a slow turn over a green hill", results: 2, films: 2},
		past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "a quiet street", results: 3},
	)
	s.stock(110)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	counted := func(text string) { t.Helper(); b.says(sel("asset-count"), text) }
	choices := func(n int) {
		t.Helper()
		b.waitUntil(fmt.Sprintf(`document.querySelectorAll('%s, %s').length === %d`, sel("asset"), sel("asset-result"), n))
	}

	b.chooseAgent("ai-video-enhancer")
	b.click("slot-videos") // the film lies behind 110 newer pictures
	choices(1)
	b.shot("choose-video")
	b.click("asset")
	b.waitFor(sel("field-videos") + " " + sel("slot-file"))
	b.click("slot-remove")

	b.chooseAgent("advanced-video")
	b.click("slot-firstFrame")
	counted("The latest 48")
	b.shot("choose-picture")
	for _, n := range []int{96, 111} { // and the source of the runs
		b.do(chromedp.Focus(chromedp.CSS(sel("asset-more"))))
		b.press(kb.Enter)
		choices(n)
	}
	b.waitUntil(`document.activeElement?.id === "choice-96"`) // the first of those that came
	counted("111 to choose from")
	if n := b.count(sel("asset-more")); n != 0 {
		t.Error("there is more after the last one")
	}
	b.do(chromedp.SendKeys(chromedp.ID("asset-search"), "été 07"))
	choices(12) // 070 to 079, 007, 107
	b.tabTo("asset-add")
	b.press(kb.ArrowRight)
	b.press(kb.ArrowDown)
	b.waitUntil(`(e => e.id.startsWith("choice-") && e.offsetTop > document.getElementById("choice-0").offsetTop && e.offsetLeft === document.getElementById("choice-0").offsetLeft)(document.activeElement)`)
	b.press(kb.Enter)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.waitUntil(`/^Été .*07.*jpg$/.test(document.querySelector('` + sel("field-firstFrame") + ` .slot__open').title)`)

	// An earlier result, found by its words, and the last frame of an earlier film.
	b.click("slot-lastFrame")
	b.waitFor(sel("asset"))
	b.do(chromedp.Click(chromedp.CSS(`#assets [data-value="results"]`)))
	choices(5)
	b.shot("choose-result")
	b.do(chromedp.SendKeys(chromedp.ID("asset-search"), "green hill"))
	choices(2)
	b.do(chromedp.Click(chromedp.CSS(sel("asset-result") + `[data-last="true"]`)))
	b.waitUntil(`document.querySelector('` + sel("field-lastFrame") + ` .slot__open')?.title.startsWith("last frame of text-to-video")`)
	b.do(chromedp.Click(chromedp.ID("slot-firstFrame-0")))
	b.waitFor(sel("asset"))
	b.do(chromedp.Click(chromedp.CSS(`#assets [data-value="results"]`)))
	b.do(chromedp.Click(chromedp.CSS(sel("asset-result") + `[data-last="false"]`)))
	b.waitUntil(`document.querySelector('` + sel("field-firstFrame") + ` .slot__open')?.title.startsWith("aimodel-")`)

	b.answers(answer{Match: "GET /api/assets", How: "fail"})
	b.do(chromedp.Click(chromedp.ID("slot-firstFrame-0")))
	b.says("#assets [role=alert]", "Something went wrong in the studio.")
	b.audited("access-choose-failed")
	b.answers()
	b.do(chromedp.Click(chromedp.CSS("#assets [role=alert] button")))
	counted("The latest 48")
	b.do(chromedp.SendKeys(chromedp.ID("asset-search"), "no such thing"))
	b.says("#assets", "No match. Try fewer")
	b.audited("access-choose-nothing")
}

// An explanation that is open stays with its agent when a search moves the rows, and is there again when the search ends.
func TestExplanationStaysWithItsAgent(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.click("agent-button")
	open := func(names string) {
		t.Helper()
		b.waitUntil(`[...new Set([...document.querySelectorAll(".agents details[open]")]
			.map(e => e.dataset.testid))].join() === "` + names + `"`)
	}
	first := evaluate[string](b, `document.querySelector(".agents details").dataset.testid`)
	b.do(chromedp.Click(chromedp.CSS(".agents " + sel(first) + " summary")))
	open(first)
	const words = "expand"
	b.do(chromedp.SendKeys(chromedp.ID("agent-search"), words))
	b.waitUntil(`document.querySelectorAll('.agents__row').length < 10 &&
		!document.querySelector('.agents ` + sel(first) + `')`)
	open("")
	b.press(strings.Repeat(kb.Backspace, len(words)))
	b.waitFor(".agents " + sel(first))
	open(first)
}

// Presets are read page by page, searched, filtered by tag and paged through; a page that cannot be had is said and asked for again,
// and what is there stays.
func TestPresetsAreSearchedFilteredAndPaged(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	page := func(n, from, to int) atelier.PresetPage {
		p := atelier.PresetPage{Page: n, PageSize: 100, Total: 130, LastPage: n == 2}
		for i := from; i <= to; i++ {
			p.Presets = append(p.Presets, atelier.Preset{
				Kind: "locations", ID: int64(i), Name: fmt.Sprintf("%s %d", []string{"Loft", "Beach"}[i%2], i), Status: "complete",
				Tags: []atelier.Tag{{ID: int64(1 + i/120), Name: []string{"City", "Rare"}[i/120]}},
			})
		}
		return p
	}
	first := answer{Match: `kind=locations.*page=1(&|$)`, Body: page(1, 1, 100)}
	second := answer{Match: `kind=locations.*page=2`, How: "fail"}
	b.enter(s, "/")
	b.answers(first, second)
	b.reload()
	b.click("browse-locationId")
	b.says("#presets", "Something went wrong in the studio.")
	b.says(sel("preset-count"), "100 of 130")
	b.audited("access-presets-part")
	second = answer{Match: second.Match, Body: page(2, 101, 130)}
	b.answers(first, second)
	b.do(chromedp.Click(chromedp.CSS("#presets " + sel("load-again"))))
	b.says(sel("preset-count"), "130 presets")
	b.click("preset-next")
	b.says("#presets .preset__name", "Beach 49")
	b.do(chromedp.Click(chromedp.CSS("#presets .preset-browser__tags button:last-child")))
	b.says(sel("preset-count"), "11 presets")
	b.do(chromedp.SendKeys(chromedp.ID("preset-search"), "loft 12"))
	b.says(sel("preset-count"), "5 presets")
	b.shot("presets-found")
	b.do(chromedp.Click(chromedp.CSS(`#presets [data-testid="preset"]`)))
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.says(sel("field-locationId"), "Loft 120")

	// Beside the chosen one others are taken: each gets its own run, and a reload forgets none.
	b.click("browse-locationId")
	b.waitFor(sel("also-preset"))
	b.says(sel("presets-several"), "1 chosen.")
	for _, said := range []string{"2 runs", "3 runs"} {
		b.do(chromedp.Click(chromedp.CSS(`#presets ` + sel("also-preset") + `[aria-pressed="false"]`)))
		b.says(sel("presets-several"), said+", one for each")
	}
	b.audited("presets-several")
	b.press(kb.Escape)
	b.says(sel("field-locationId"), "Loft 120 and 2 more")
	b.says(sel("generate"), "Generate 12 images in 3 settings")
	b.audited("form-several")

	b.click("more")
	b.waitUntil(`document.querySelectorAll('` + sel("field-locationTagIds") + ` .chip').length === 2`)
	b.reload() // what is chosen is called by its name again, from whichever page it is
	b.says(sel("field-locationId"), "Loft 120 and 2 more")
}
