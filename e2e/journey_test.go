package e2e

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/imaging/testpics"
)

// garmentPhoto is a drawn garment on a plain wall, a little larger than the smallest picture the service takes.
func garmentPhoto() []byte {
	img, _ := testpics.Garment(640, 820, 7)
	return testpics.JPEG(img)
}

func TestJourneyCutsOutOnWhiteAndTransparent(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")

	b.generate() // on transparent
	b.reload()   // what runs goes on, and what was typed is still there
	b.waitForResults(1)

	b.do(chromedp.SendKeys(chromedp.CSS(sel("input-backgroundHex")), "#ffffff"))
	b.generate()
	b.waitForResults(2)
	b.shot("journey-cut-out")

	ids := b.openGallery(2)
	white, clear := b.download(ids[0]), b.download(ids[1])
	for name, img := range map[string]image.Image{"white": white, "transparent": clear} {
		if size := img.Bounds().Size(); size != image.Pt(640, 820) {
			t.Errorf("the cut-out on %s is %v, want the source's 640 × 820", name, size)
		}
	}
	for _, p := range corners(clear) {
		if _, _, _, a := clear.At(p.X, p.Y).RGBA(); a != 0 {
			t.Errorf("the corner %v of the transparent cut-out has alpha %d", p, a>>8)
		}
		if got := color.NRGBAModel.Convert(white.At(p.X, p.Y)); got != (color.NRGBA{255, 255, 255, 255}) {
			t.Errorf("the corner %v of the white cut-out is %v", p, got)
		}
	}
	if _, _, _, a := clear.At(320, 410).RGBA(); a != 0xffff {
		t.Errorf("the centre of the transparent cut-out has alpha %d", a>>8)
	}
	if got := color.NRGBAModel.Convert(white.At(320, 410)); got == (color.NRGBA{255, 255, 255, 255}) {
		t.Error("the centre of the white cut-out is white: the garment is gone")
	}
}

func corners(img image.Image) []image.Point {
	r := img.Bounds()
	return []image.Point{r.Min, {r.Max.X - 1, r.Min.Y}, {r.Min.X, r.Max.Y - 1}, {r.Max.X - 1, r.Max.Y - 1}}
}

func TestJourneyMaskReachesServiceAfterKill(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("aimodel")
	b.choose("maskType", "custom")
	b.choose("generatedContent", "freeCreation")
	b.click("batch-2")
	b.do(chromedp.Click(chromedp.CSS(sel("field-locationId") + " " + sel("preset"))))

	// A cross of two strokes in the middle of the picture.
	b.click("tool-brush")
	picture := b.box(sel("stage-picture"))
	b.drag(picture.at(0.3, 0.5), picture.at(0.7, 0.5))
	b.drag(picture.at(0.5, 0.3), picture.at(0.5, 0.7))
	b.shot("journey-mask")
	b.reload() // the draft of the mask and the form are still there
	b.waitUntil(`/[1-9]/.test(document.querySelector('` + sel("kept") + `')?.textContent ?? "")`)

	b.generate()
	b.waitUntil(`["accepted", "done"].includes(document.querySelector('` + sel("run") + `').dataset.state)`)
	s.kill()
	s.start()
	b.waitForResults(2)
	b.forgiveOutage()
	b.reload()
	b.waitForResults(2)
	b.shot("journey-after-restart")

	tasks := s.tasks()
	if len(tasks) != 1 || len(tasks[0].Executions) != 1 {
		t.Fatalf("the service has %d tasks, want one with one execution: %+v", len(tasks), tasks)
	}
	execution := tasks[0].Executions[0]
	if n := len(execution.Result); n != 2 || execution.Status != "Success" {
		t.Errorf("the execution has %d results and status %s, want 2 and Success", n, execution.Status)
	}
	if ids := b.openGallery(2); len(ids) != 2 {
		t.Errorf("the gallery shows %d results, want 2", len(ids))
	}
	checkMask(t, execution.Params["customMask"])
	b.checkLock(s)
}

// checkLock looks at what became of the kept part in the first result of the gallery, has its pixels put back, and takes both files.
func (b *tab) checkLock(s *studio) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.says("#lightbox "+sel("fidelity"), "%")
	b.press("h")
	b.waitUntil(`document.querySelector('` + sel("heat") + `')?.naturalWidth > 0`)
	b.press("h")
	b.press("i")
	made := b.attribute(sel("lightbox"), "data-result")
	file := func() image.Image {
		data, _, err := s.fetch(b.t.Context(), b.attribute(sel("download"), "href"), b.cookies())
		if err != nil {
			b.t.Fatal(err)
		}
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			b.t.Fatal(err)
		}
		return img
	}
	before := file()
	b.click("lock")
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').dataset.result !== "` + made + `"`)
	b.says(".lightbox__details", "Restored in the kept area")
	b.says("#lightbox "+sel("fidelity"), "100 %")
	b.shot("journey-lock")
	after := file()
	source, _, err := image.Decode(bytes.NewReader(garmentPhoto()))
	if err != nil {
		b.t.Fatal(err)
	}
	if after.Bounds() != source.Bounds() || before.Bounds() != after.Bounds() {
		b.t.Fatalf("the source is %v, the result %v, with its pixels put back %v", source.Bounds(), before.Bounds(), after.Bounds())
	}
	for _, p := range []image.Point{{320, 410}, {220, 410}, {420, 410}, {320, 300}, {320, 520}} {
		if got, want := color.NRGBAModel.Convert(after.At(p.X, p.Y)), color.NRGBAModel.Convert(source.At(p.X, p.Y)); got != want {
			b.t.Errorf("%v is %v, and was %v", p, got, want)
		}
	}
	same := 0
	for _, p := range []image.Point{{30, 30}, {610, 30}, {30, 790}, {610, 790}} {
		if after.At(p.X, p.Y) == before.At(p.X, p.Y) {
			same++
		}
	}
	if same == 0 {
		b.t.Error("what was made around the kept part is gone")
	}
}

// checkMask looks at the mask as the service received it.
func checkMask(t testing.TB, param any) {
	t.Helper()
	text, ok := param.(string)
	if !ok {
		t.Fatalf("the service received no customMask but %T", param)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatalf("customMask: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size != image.Pt(640, 820) {
		t.Fatalf("the mask is %v, want the source's 640 × 820", size)
	}
	kept := 0
	for y := range 820 {
		for x := range 640 {
			switch _, _, _, a := img.At(x, y).RGBA(); a {
			case 0xffff:
				kept++
			case 0:
			default:
				t.Fatalf("alpha at %d, %d is %d, want 0 or 255", x, y, a>>8)
			}
		}
	}
	if kept == 0 || kept == 640*820 {
		t.Errorf("%d of %d pixels are kept", kept, 640*820)
	}
	for _, p := range []struct {
		at   image.Point
		kept bool
	}{
		{image.Pt(320, 410), true},
		{image.Pt(200, 410), true},
		{image.Pt(440, 410), true},
		{image.Pt(320, 256), true},
		{image.Pt(320, 565), true},
		{image.Pt(5, 5), false},
		{image.Pt(634, 814), false},
		{image.Pt(60, 410), false},
		{image.Pt(320, 60), false},
	} {
		if _, _, _, a := img.At(p.at.X, p.at.Y).RGBA(); (a == 0xffff) != p.kept {
			t.Errorf("the mask at %v has alpha %d, painted: %v", p.at, a>>8, p.kept)
		}
	}
}
