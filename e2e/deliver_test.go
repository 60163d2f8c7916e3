package e2e

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"mime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	other "github.com/oov/psd"
)

// listenToSaving has the page remember the address of what it saves.
func (b *tab) listenToSaving() {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`document.addEventListener("click", e => { if (e.target.matches?.("a[download]")) window.saved = e.target.getAttribute("href"); }, true)`))
}

// saved is the file the page has saved, and its name.
func (b *tab) saved(s *studio) (data []byte, name string) {
	b.t.Helper()
	b.waitUntil(`window.saved`)
	data, header, err := s.fetch(b.t.Context(), evaluate[string](b, `(() => { const at = window.saved; window.saved = ""; return at })()`), b.cookies())
	if err != nil {
		b.t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	if err != nil {
		b.t.Fatal(err)
	}
	return data, params["filename"]
}

// Results are handed over in the format, the quality, the size and under the names that were chosen: one as a file, or with its list; two
// as an archive. The name the dialog promises is the one that comes, and every file says where it is from.
func TestResultsAreExportedAsChosen(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look: one", prompt: "x", results: 2})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(2)
	b.listenToSaving()
	says := func(what string, data []byte) {
		t.Helper()
		for _, text := range []string{"digitalsourcetype/compositeSynthetic", "Atelier, aimodel v1.0", "<dc:source>sha256:"} {
			if bytes.Count(data, []byte(text)) != 1 {
				t.Errorf("%s does not say %q once", what, text)
			}
		}
	}
	promised := func() string {
		t.Helper()
		_, name, _ := strings.Cut(b.text("#deliver-example"), "For example: ")
		return name
	}
	b.tabTo("result-card")
	b.press(" ")
	b.waitFor(sel("chosen"))
	b.click("chosen-deliver")
	b.waitFor(sel("deliver-file"))
	b.says("#deliver", "an algorithm made it")
	name := promised()
	b.click("deliver-file")
	data, got := b.saved(s)
	if name != "Look- one 01.jpg" || got != name {
		t.Errorf("unchanged, %q was promised and is called %q", name, got)
	}
	says("the unchanged file", data)

	b.click("chosen-deliver")
	b.waitFor(sel("deliver-file"))
	b.do(chromedp.Click(chromedp.CSS(`#deliver [data-value="jpeg"]`)))
	small := func(quality string) (data []byte, name string) {
		t.Helper()
		b.waitFor(sel("deliver-quality"))
		b.do(chromedp.Evaluate[chromedp.Void](`(() => { const set = (e, kind, v) => { e.value = v; e.dispatchEvent(new Event(kind, {bubbles: true})) };
			set(document.querySelector('` + sel("deliver-quality") + `'), "input", "` + quality + `");
			set(document.querySelector('` + sel("deliver-size") + `'), "change", "square-1000");
			set(document.querySelector('` + sel("deliver-template") + `'), "input", "{date} {agent} {number}") })()`))
		b.says("#deliver-example", "aimodel 01.jpg")
		want := promised()
		b.click("deliver-file")
		data, name = b.saved(s)
		if name != want || name != time.Now().Add(-time.Hour).UTC().Format(time.DateOnly)+" aimodel 01.jpg" {
			t.Errorf("%q was promised and is called %q", want, name)
		}
		b.click("chosen-deliver")
		return data, name
	}
	fine, _ := small("95")
	coarse, _ := small("20")
	config, format, err := image.DecodeConfig(bytes.NewReader(coarse))
	if err != nil || format != "jpeg" || config.Width != 1000 || config.Height != 1000 || 2*len(coarse) > len(fine) {
		t.Errorf("a %s of %d × %d: %d bytes at 20, %d at 95; %v", format, config.Width, config.Height, len(coarse), len(fine), err)
	}
	says("the converted file", coarse)
	b.click("deliver-zip")
	data, _ = b.saved(s)
	if files := unzipped(t, data); len(files) != 3 || !bytes.Contains(files["manifest.json"], []byte("aimodel 01.jpg")) {
		t.Errorf("with its list it comes as %d files", len(files))
	}

	b.do(chromedp.Focus(chromedp.CSS(sel("result-card"))))
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.says(sel("chosen"), "2 ")
	b.click("chosen-deliver")
	b.says("#deliver", "2 results, with a list")
	name = promised()
	b.do(chromedp.Click(chromedp.CSS(`#deliver [data-value="png"]`)))
	b.waitUntil(`document.querySelector("#deliver-example").textContent.endsWith(".png")`)
	b.shot("deliver-two")
	b.click("deliver-zip")
	data, _ = b.saved(s)
	files := unzipped(t, data)
	second := strings.Replace(name, "01.jpg", "02.png", 1)
	if len(files) != 4 || files[second] == nil || files["manifest.csv"] == nil {
		t.Errorf("%d files, none of them called %s", len(files), second)
	}
	says("a file of the archive", files[second])
	b.press(kb.Escape)
}

func unzipped(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// layersOf reads a layered file with a reader that is not ours.
func layersOf(t testing.TB, data []byte) (layers []other.Layer, names string) {
	t.Helper()
	file, _, err := other.Decode(bytes.NewReader(data), &other.DecodeOptions{})
	if err != nil || file.Config.Rect != image.Rect(0, 0, 640, 820) {
		t.Fatalf("a file of %v: %v", file.Config.Rect, err)
	}
	list := make([]string, len(file.Layer))
	for i, l := range file.Layer {
		list[i] = l.UnicodeName
	}
	return file.Layer, strings.Join(list, ", ")
}

// sameLayer compares a layer with a picture where the picture is seen.
func sameLayer(t testing.TB, l other.Layer, want image.Image) {
	t.Helper()
	for _, p := range []image.Point{{10, 10}, {320, 410}, {300, 300}, {630, 800}} {
		got, want := color.NRGBAModel.Convert(l.Picker.At(p.X, p.Y)), color.NRGBAModel.Convert(want.At(p.X, p.Y)).(color.NRGBA)
		if got != want && want.A > 0 {
			t.Errorf("layer %q has %v at %v, want %v", l.UnicodeName, got, p, want)
		}
	}
}

// layerMask is the number of the channel with the mask of a layer.
const layerMask = -2

// A layered file is made both ways: by the image service from a run, and by the studio from a selection.
func TestJourneyMakesLayeredFiles(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	b.generate()
	b.waitForResults(1)
	b.click("nav-gallery")
	b.waitTiles(1)
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.click("details")
	b.tabTo("psd")
	b.press(kb.Enter)
	b.waitFor(sel("psd-download"))
	if !evaluate[bool](b, `document.activeElement.matches('`+sel("psd-download")+`')`) {
		t.Errorf("when the file was there, the focus was on %s", evaluate[string](b, `document.activeElement.outerHTML.slice(0,300)`))
	}
	b.shot("lightbox-details")
	get := func(href string) []byte {
		t.Helper()
		data, _, err := s.fetch(t.Context(), href, b.cookies())
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	decoded := func(data []byte) image.Image {
		t.Helper()
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	result, source := decoded(get(b.attribute(sel("download"), "href"))), decoded(garmentPhoto())
	b.listenToSaving()
	b.press(kb.Enter)
	data, name := b.saved(s)
	if !strings.HasSuffix(name, ".psd") {
		t.Errorf("the service's file is called %q", name)
	}
	layers, names := layersOf(t, data)
	if names != "Background, Original, Protected, Results" || len(layers[3].Layer) != 1 || !layers[3].Layer[0].Visible() || layers[1].Visible() {
		t.Fatalf("the service's file has the layers %s", names)
	}
	sameLayer(t, layers[1], source)
	sameLayer(t, layers[3].Layer[0], result)
	keeps := func(l other.Layer) {
		t.Helper()
		if mask := l.Channel[layerMask].Data; len(mask) != 640*820 || mask[410*640+320] != 255 || mask[5*640+5] != 0 {
			t.Errorf("the mask of %q has %d pixels and does not keep the middle alone", l.UnicodeName, len(mask))
		}
	}
	keeps(layers[2])

	// The studio's own has what is kept of the source in a group of its own, behind a mask.
	b.click("deliver")
	b.waitFor(sel("deliver-psd"))
	b.click("deliver-psd")
	data, _ = b.saved(s)
	layers, names = layersOf(t, data)
	if len(layers) != 3 || layers[0].UnicodeName != "Source" || layers[2].UnicodeName != "Kept pixels" || !layers[0].Visible() || !layers[1].Visible() || layers[2].Visible() {
		t.Fatalf("the studio's file has the layers %s", names)
	}
	sameLayer(t, layers[0], source)
	sameLayer(t, layers[1], result)
	kept := layers[2].Layer
	if len(kept) != 1 {
		t.Fatalf("the group of what is kept has %d layers", len(kept))
	}
	sameLayer(t, kept[0], source)
	keeps(kept[0])
}
