package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/testpics"
)

// onPreview has the page's requests for the preview of a mask answered by a function in JavaScript that gets the options of fetch; "" has
// them sent as ever. window.previews counts what was asked, window.givenUp what was aborted.
func (b *tab) onPreview(answer string) {
	b.t.Helper()
	if answer == "" {
		answer = "null"
	}
	evaluate[bool](b, `(() => {
		window.sentAsEver ??= window.fetch;
		window.previews = 0;
		window.givenUp = 0;
		const answer = `+answer+`;
		window.fetch = (url, options) => {
			if (!String(url).includes("/api/masks/preview")) return window.sentAsEver(url, options);
			window.previews++;
			options.signal.addEventListener("abort", () => window.givenUp++);
			return answer ? answer(options) : window.sentAsEver(url, options);
		};
		return true;
	})()`)
}

// never is an answer that does not come until it is given up.
const never = `o => new Promise((_, fail) => o.signal.addEventListener("abort", () => fail(new DOMException("given up", "AbortError"))))`

// previewed waits until the stage says that about so much of the picture is kept, in percent.
func (b *tab) previewed(low, high int) {
	b.t.Helper()
	b.waitFor(sel("preview") + `[data-state="shown"]`)
	b.waitUntil(`(n => n >= ` + strconv.Itoa(low) + ` && n <= ` + strconv.Itoa(high) + `)(parseInt(document.querySelector('` + sel("preview-says") + `')?.textContent ?? "-1"))`)
}

func TestPreviewTintsWhatIsKept(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	img, truth := testpics.Garment(1000, 1000, 5)
	share := int(100 * truth.Stats(0).Share)
	b.onPreview(never)
	b.upload("garment.png", testpics.PNG(img))
	b.chooseAgent("removeBG")

	// While it is looked for the stage says so, and nothing waits for it.
	b.waitFor(sel("preview") + `[data-state="loading"]`)
	b.shot("preview-looking")
	if evaluate[bool](b, `document.querySelector('`+sel("generate")+`').disabled`) {
		t.Error("Generate waits for the preview")
	}
	// Another choice gives the request up.
	b.waitUntil(`window.previews > 0 && window.previews === window.givenUp + 1`)
	b.choose("maskType", "custom")
	b.waitUntil(`window.previews === window.givenUp && !document.querySelector('` + sel("preview") + `')`)

	// What fails says so, and can be tried again.
	b.onPreview(`() => Promise.resolve(new Response(JSON.stringify({error: {code: "internal", message: "The disk is full."}}), {status: 500}))`)
	b.choose("maskType", "autoSubjectSegment")
	b.waitFor(sel("preview") + `[data-state="failed"]`)
	b.says(sel("preview-says"), "You can generate without it")
	b.shot("preview-failed")
	b.onPreview("")
	b.click("preview-again")
	b.previewed(share-3, share+3)
	e := b.easel(1000, 1000)
	middle := truth.Bounds().Min.Add(truth.Bounds().Max).Div(2)
	inside, outside := e.at(float64(middle.X), float64(middle.Y)), e.at(20, 20)
	b.drawn(inside, outside)
	b.shot("preview-shown")

	// The tint can be put away.
	b.click("preview-tint")
	b.waitUntil(`!` + tinted(inside))
	b.click("preview-tint")
	b.drawn(inside, outside)

	// An answer is kept: it is not asked for twice.
	b.onPreview("")
	b.choose("maskType", "custom")
	b.waitUntil(`!document.querySelector('` + sel("preview") + `')`)
	b.choose("maskType", "autoSubjectSegment")
	b.previewed(share-3, share+3)
	if n := evaluate[int](b, `window.previews`); n != 0 {
		t.Errorf("asked again %d times", n)
	}

	// The mask desk begins with the region, as a step that can be undone.
	b.click("preview-fix")
	b.waitFor(sel("tool-brush"))
	b.waitKept(share-3, share+3)
	b.says(sel("mask-note"), "Found")
	b.waitUntil(`document.activeElement?.id === "stage"`)
	e = b.easel(1000, 1000) // the panel has moved the picture
	b.drawn(e.at(float64(middle.X), float64(middle.Y)), e.at(20, 20))
	b.shot("preview-fixed")
	b.click("mask-undo")
	b.waitKept(0, 0)

	// The same by keyboard alone.
	b.choose("maskType", "autoSubjectSegment")
	b.previewed(share-3, share+3)
	b.do(chromedp.Focus(chromedp.CSS("#stage")))
	b.press("b")
	b.waitFor(sel("tool-brush"))
	b.waitKept(share-3, share+3)

	// Where nothing is clear, Generate asks before anything is sent.
	b.upload("noise.png", testpics.PNG(testpics.Photo(600, 640, 5)))
	b.choose("maskType", "autoSubjectSegment")
	b.click("generate")
	b.says(sel("unclear-says"), "cannot tell what to keep in noise.png")
	b.shot("unclear")
	if b.count(sel("unclear-anyway")) != 0 {
		t.Error("the embedded service is asked for what it would refuse")
	}
	b.click("unclear-paint")
	b.waitFor(sel("tool-brush"))
	if tasks := s.tasks(); len(tasks) != 0 {
		t.Errorf("the service was asked for %+v", tasks)
	}
	b.forgive("422")
}

func TestPreviewOnPhone(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 390, 844)
	b.signIn(s)
	img, truth := testpics.Garment(700, 900, 6)
	share := int(100 * truth.Stats(0).Share)
	b.upload("garment.png", testpics.PNG(img))
	b.previewed(share-3, share+3)
	b.shot("preview-phone")
	for _, name := range []string{"preview-tint", "preview-fix"} {
		if r := b.box(sel(name)); r.X < 0 || r.X+r.Width > 390 || r.Height < 24 {
			t.Errorf("%s lies at %+v", name, r)
		}
	}
	b.press(kb.Escape)
	b.click("preview-fix")
	b.waitFor(sel("tool-brush"))
	b.waitKept(share-3, share+3)
	b.shot("preview-phone-fixed")
}
