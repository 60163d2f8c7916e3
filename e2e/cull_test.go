package e2e

import (
	"bytes"
	"image"
	"image/color"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Sixteen results are decided about with the keyboard alone: from the gallery to the desk, each picked, rejected or rated,
// looked at near and against its source, and the picks delivered.
func TestJourneyCullsByKeyboardToZIP(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 16})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?view=runs")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press("c")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 17`)
	b.waitUntil(`[...document.querySelectorAll(".desk__picture--thumb:not([hidden])")].filter(i => i.naturalWidth > 0).length === 17`)
	b.shot("desk-grid")
	active := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelector(".desk__cell--active .desk__name")?.textContent === "Result ` + strconv.Itoa(n) + `"`)
	}
	cell := func(n int) string {
		return `[...document.querySelectorAll('` + sel("desk-cell") + `')].find(c => c.querySelector(".desk__name").textContent === "Result ` + strconv.Itoa(n) + `")`
	}
	active(1)
	for n := 1; n <= 16; n++ { // Shift goes on to the next
		press := map[bool]string{true: "P", false: "X"}[n%4 == 1]
		b.press(press, chromedp.KeyModifiers(chromedp.ModifierShift))
		b.waitUntil(cell(n) + `?.dataset.pick === "` + map[string]string{"P": "pick", "X": "reject"}[press] + `"`)
		active(min(n+1, 16))
	}
	b.press(kb.ArrowLeft)
	active(15)
	b.press("!", chromedp.KeyModifiers(chromedp.ModifierShift)) // Shift and 1
	b.waitUntil(cell(15) + `?.dataset.rating === "1"`)
	active(16)
	b.press("5")
	b.waitUntil(cell(16) + `?.dataset.rating === "5"`)
	for _, width := range []int64{390, 320} { // all that is thought of one has room below the smallest
		b.do(chromedp.EmulateViewport(width, 844))
		b.waitUntil(`(c => c.clientWidth < 100 && c.scrollWidth <= c.clientWidth)((` + cell(16) + `).querySelector(".desk__caption"))`)
		b.shot("desk-judged-" + strconv.FormatInt(width, 10))
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	b.press("u")
	b.waitUntil(`!(` + cell(16) + `).dataset.pick`)
	b.press(kb.ArrowUp)
	b.waitUntil(`document.querySelector(".desk__cell--active .desk__name").textContent !== "Result 16"`)

	// Near: all cells show the same part at 100 %.
	b.press("z")
	b.waitUntil(`document.querySelector('` + sel("desk-zoom") + `').textContent.includes("100 %")`)
	b.waitUntil(`new Set([...document.querySelectorAll(".desk__stack")].map(e => e.style.transform)).size === 1`)
	b.waitUntil(`[...document.querySelectorAll(".desk__picture--file:not([hidden])")].every(i => i.naturalWidth === 600)`)
	b.shot("desk-near")
	b.press("z")
	b.press("d")
	b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "difference"`)
	b.shot("desk-difference")
	b.press("c")
	b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "split"`)
	b.shot("desk-split")
	b.press("c")

	// One at a time: the next picture is there before it is asked for, so nothing flashes.
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector(".desk__area--one")`)
	for range 3 {
		b.waitUntil(`[...document.querySelectorAll(".desk__picture--file:not([hidden])")].every(i => i.complete && i.naturalWidth > 0)`)
		before := b.text(".desk__cell--active .desk__name")
		shown := evaluate[bool](b, `(() => {
			window.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));
			return new Promise(done => { const look = () => { const c = document.querySelector(".desk__cell--active");
				if (c.querySelector(".desk__name").textContent === "`+before+`") return requestAnimationFrame(look);
				const i = c.querySelector(".desk__picture--file:not([hidden])"); done(i.complete && i.naturalWidth > 0 && getComputedStyle(c).visibility === "visible"); }; look(); });
		})()`)
		if !shown {
			t.Error("the next picture is not there in the frame it is shown in")
		}
	}
	b.shot("desk-one")

	// The picks, as a ZIP.
	b.tabTo("desk-deliver")
	if text := b.text(sel("desk-deliver")); text != "Export 4 picks" {
		t.Errorf("the button says %q", text)
	}
	b.press(kb.Enter)
	b.waitFor(sel("deliver-zip"))
	b.shot("deliver")
	b.listenToSaving()
	b.tabTo("deliver-zip")
	b.press(kb.Enter)
	data, _ := b.saved(s)
	if files := unzipped(t, data); len(files) != 4+2 { // with the list, for people and for programs
		t.Errorf("the picks come as %d files", len(files))
	}
	b.waitUntil(`!document.getElementById("deliver").open && document.getElementById("desk").open`)
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.arrived()
	b.do(chromedp.Reload())
	b.waitTiles(1)
	b.open(s, "/gallery?pick=pick")
	b.waitTiles(4)
}

// At the desk the sentences stand where no picture is covered, whatever the window: somebody judges them while they stand.
func TestDeskMessagesCoverNoPicture(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 16})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?view=runs")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press("c")
	for left := 17; left > 15; left-- {
		b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === ` + strconv.Itoa(left))
		b.press(kb.Delete)
	}
	b.waitUntil(`document.querySelectorAll('#desk ` + sel("toast") + `').length === 2`)
	for _, size := range [][2]int64{{1440, 900}, {1280, 720}, {1279, 720}, {900, 700}, {390, 844}, {844, 390}} {
		b.do(chromedp.EmulateViewport(size[0], size[1]))
		b.ended()
		got := evaluate[string](b, `(() => {
			const at = e => e.getBoundingClientRect(), shown = [...document.querySelectorAll('#desk `+sel("toast")+`')].map(at).filter(r => r.height);
			const cell = [...document.querySelectorAll('`+sel("desk-cell")+`')].map(at), button = [...document.querySelectorAll("#desk header button")].map(at);
			const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
			return shown.length + " shown, " + shown.filter(r => r.left < 0 || r.top < 0 || r.right > innerWidth).length + " cut off, over " + cell.filter(r => shown.some(s => over(r, s))).length +
				" pictures and " + button.filter(r => shown.some(s => over(r, s))).length + " buttons";
		})()`)
		if got != "1 shown, 0 cut off, over 0 pictures and 0 buttons" {
			t.Errorf("at %d × %d: %s", size[0], size[1], got)
		}
		b.shot("desk-said-" + strconv.FormatInt(size[0], 10))
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	for left := 16; left <= 17; left++ { // the newest first
		b.takeOffer()
		b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === ` + strconv.Itoa(left))
	}
}

// What differs from the source is bright and all else is dark; before the line is the source, behind it the result: on the screen, pixel by
// pixel, also near.
func TestDeskShowsWhereResultDiffers(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 2}) // the first is green along its left and upper edges
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?view=runs")
	b.waitTiles(1)
	b.tabTo("result-card")
	b.press("c")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 3`)
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector(".desk__area--one")`)
	b.calm()
	const shown = ".desk__cell--active .desk__picture--file:not([hidden])"
	edge, middle := [2]float64{.7, .04}, [2]float64{.5, .5}
	look := func(name string, points ...[2]float64) (out []color.RGBA) {
		t.Helper()
		b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "` + name + `"`)
		b.waitUntil(`(i => i.complete && i.naturalWidth === 600)(document.querySelector("` + shown + `"))`)
		r := b.box(shown)
		b.shot("desk-where-" + name)
		img, _, err := image.Decode(bytes.NewReader(run(b, chromedp.CaptureScreenshot())))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			at := r.at(p[0], p[1])
			out = append(out, color.RGBAModel.Convert(img.At(int(at[0]), int(at[1]))).(color.RGBA))
		}
		return out
	}
	green := func(c color.RGBA) bool { return int(c.G) > int(c.R)+60 }
	if got := look("result", edge, middle); !green(got[0]) || green(got[1]) {
		t.Fatalf("the result is %v at its edge and %v in its middle", got[0], got[1])
	}
	for _, how := range []string{"whole", "near"} {
		if how == "near" {
			b.press("z")
			b.waitUntil(`document.querySelector('` + sel("desk-zoom") + `').textContent.includes("100 %")`)
		}
		b.press("d")
		near := [][2]float64{{.02, .5}, middle} // the upper edge is out of sight then
		if got := look("difference", near...); max(got[0].R, got[0].G, got[0].B) < 120 || max(got[1].R, got[1].G, got[1].B) > 40 {
			t.Errorf("%s, the difference is %v where it differs and %v where it does not", how, got[0], got[1])
		}
		b.press("d")
	}
	b.press("z")
	b.press("c")
	if got := look("split", [2]float64{.3, .04}, edge); green(got[0]) || !green(got[1]) {
		t.Errorf("before the line it is %v, behind it %v", got[0], got[1])
	}
	b.do(chromedp.Focus(chromedp.CSS(sel("desk-split"))))
	b.press(kb.Home)
	if got := look("split", [2]float64{.3, .04}, edge); !green(got[0]) || !green(got[1]) {
		t.Errorf("with the line at the left it is %v and %v", got[0], got[1])
	}
	b.press(kb.End)
	if got := look("split", [2]float64{.3, .04}, edge); green(got[0]) || green(got[1]) {
		t.Errorf("with the line at the right it is %v and %v", got[0], got[1])
	}
}
