package e2e

import (
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Two fingers that come together on a picture that is fitted already turn no page.
func TestPinchOnTheDeskTurnsNoPage(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 3})
	b := openTab(t, 390, 844)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	b.enter(s, "/gallery?view=runs")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press("c")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 4`)
	b.press(kb.Enter)
	b.press(kb.ArrowRight)
	active := func(n int) string {
		return `document.querySelector(".desk__area--one .desk__cell--active .desk__name")?.textContent === "Result ` + strconv.Itoa(n) + `"`
	}
	b.waitUntil(active(2))
	area := b.still(sel("desk-area"), 200)
	l, r := area.at(.1, .5), area.at(.9, .5)
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, l})
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, l}, finger{2, r})
	for range 6 {
		l[0], r[0] = l[0]+20, r[0]-20
		b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, l}, finger{2, r})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd, finger{1, l})
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	// One finger still turns it: by one, so the two before turned none.
	l, r = area.at(.8, .5), area.at(.3, .5)
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, l})
	b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, area.at(.5, .5)})
	b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, r})
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.waitUntil(active(3))
}

// What was made in winter and what was made in summer have the hour, and the month, it was then where the designer is.
func TestTimesFollowTheDesignersZone(t *testing.T) {
	t.Parallel()
	year := time.Now().Year() - 1
	s := studioWith(t,
		past{at: time.Date(year, time.January, 15, 12, 0, 0, 0, time.UTC), agent: "aimodel", title: "Winter", prompt: "x", results: 1},
		past{at: time.Date(year, time.June, 30, 22, 30, 0, 0, time.UTC), agent: "aimodel", title: "Summer", prompt: "x", results: 1},
	)
	b := openTab(t, 1440, 900)
	if _, err := chromedp.Call(b.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Berlin"}); err != nil {
		t.Fatal(err)
	}
	b.enter(s, "/gallery")
	b.waitTiles(2)
	for i, want := range []string{"1 July " + strconv.Itoa(year) + ", 00:30:00", "15 January " + strconv.Itoa(year) + ", 13:00:00"} {
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll('` + sel("result-card") + `')[` + strconv.Itoa(i) + `].click()`))
		b.waitFor(sel("lightbox-picture"))
		if i == 0 {
			b.click("details")
		}
		b.waitUntil(`document.querySelector('` + sel("lightbox") + `').textContent.includes("` + want + `")`)
		b.press(kb.Escape)
		b.waitUntil(`!document.querySelector("#lightbox[open]")`)
	}
	b.waitUntil(`[...document.querySelectorAll('` + sel("months") + ` [data-month]')].map(e => e.dataset.month).join() === "` + strconv.Itoa(year) + `-07,` + strconv.Itoa(year) + `-01"`)
}
