package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/atelier"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// Pictures the service would refuse are listed in one table, repaired as chosen and only then sent; where one was taken is
// removed; the same content goes up once. What arrived at once is offered at once, when the last of it is decided about, in the order it was picked
// in; and no sentence covers what is decided with.
func TestPicturesAreRepairedBeforeUpload(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	paths := []string{
		writeFile(t, "long.jpg", testpics.JPEG(testpics.Photo(1300, 600, 3))),
		writeFile(t, "small.png", testpics.PNG(testpics.Photo(400, 500, 4))),
		writeFile(t, "moving.png", testpics.AnimatedPNG(600, 600)), // its frames are none a browser can draw
		writeFile(t, "holiday.jpg", append(testpics.WithPlace(testpics.JPEG(testpics.Photo(640, 700, 5))), "a film behind it"...)),
		writeFile(t, "notes.jpg", []byte(strings.Repeat("This is no picture. ", 60))),
		writeFile(t, "narrow.jpg", testpics.JPEG(testpics.Photo(600, 1400, 6))),
		writeFile(t, "poster.png", testpics.PNGHeader(30000, 30000, 8, 2)), // larger than what a browser draws
		// What tells the place stands behind more than is read of a file to know its size.
		writeFile(t, "evening.webp", testpics.WithPlace(testpics.PadTo(testpics.WebP(testpics.Photo(650, 700, 7)), 2*probe.HeadBytes))),
	}
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), paths))
	b.waitUntil(`document.querySelectorAll('` + sel("patient") + `').length === 6`)
	b.says(sel("patient")+":nth-child(1)", "under 2")
	b.waitUntil(`[...document.querySelectorAll('` + sel("patient") + `')].some(e => e.textContent.includes("notes.jpg") && e.textContent.includes("skipped") && !e.querySelector("img"))`)
	b.waitUntil(`[...document.querySelectorAll('` + sel("patient") + `')].some(e => e.textContent.includes("poster.png") && e.textContent.includes("cannot be repaired here") && !e.querySelector("img"))`)
	b.audited("doctor")
	b.waitUntil(`document.querySelector('#doctor ` + sel("toast") + `')`)
	if said := evaluate[string](b, `[...document.querySelectorAll('#doctor `+sel("toast")+`')].map(e => e.innerText).join()`); strings.Contains(said, "photos added") {
		t.Errorf("before all is decided about, it says %q", said)
	}
	if evaluate[bool](b, `(b => [...document.querySelectorAll('#doctor `+sel("toast")+`')].map(e => e.getBoundingClientRect()).some(r => r.right > b.left && r.bottom > b.top))(document.querySelector('`+sel("repair-none")+`').getBoundingClientRect())`) {
		t.Error("sentences lie over the buttons of the table")
	}
	row := func(name string) string {
		return `[...document.querySelectorAll('` + sel("patient") + `')].find(e => e.textContent.includes("` + name + `"))`
	}
	choose := func(name, choice string) {
		b.waitUntil(row(name) + `.querySelector('` + choice + `').ariaChecked === "true" || ` + row(name) + `.querySelector('` + choice + `').click()`)
	}
	choose("long.jpg", `[data-value="crop"]`)
	b.waitUntil(row("long.jpg") + `.textContent.includes("1199 × 600")`)
	choose("narrow.jpg", ".segmented__item:last-child")
	b.says(sel("repair"), "3 pictures")
	b.click("repair")

	assets := func() map[string]atelier.Asset {
		data, _, err := s.fetch(t.Context(), "/api/assets", b.cookies())
		if err != nil {
			t.Fatal(err)
		}
		var page atelier.AssetPage
		if err := json.Unmarshal(data, &page); err != nil {
			t.Fatal(err)
		}
		out := map[string]atelier.Asset{}
		for _, a := range page.Assets {
			out[a.Name] = a
		}
		return out
	}
	b.says(sel("upload-problem"), "could not be repaired")
	b.waitUntil(`(all => all.length === 1 && all[0].includes("4 photos"))([...document.querySelectorAll('` + sel("toast") + `')].map(e => e.innerText).filter(s => s.includes("photos added")))`)
	b.click("asset-button")
	b.waitUntil(`document.querySelectorAll('` + sel("asset") + `').length === 4`)
	got := assets()
	want := map[string]image.Point{"long.jpg": image.Pt(1199, 600), "small.png": image.Pt(513, 642), "holiday.jpg": image.Pt(640, 700), "evening.webp": image.Pt(650, 700)}
	for name, size := range want {
		if a := got[name]; image.Pt(a.Width, a.Height) != size {
			t.Errorf("%s arrived as %d × %d, want %v", name, a.Width, a.Height, size)
		}
	}
	for _, name := range []string{"holiday.jpg", "evening.webp"} {
		file, _, err := s.fetch(t.Context(), got[name].File, b.cookies())
		if err != nil {
			t.Fatal(err)
		}
		if facts, err := probe.Read(file, int64(len(file))); err != nil || facts.Located {
			t.Errorf("%s still says where it was taken: %+v, %v", name, facts, err)
		}
		if bytes.Contains(file, []byte{48, 0, 0, 0, 1, 0, 0, 0, 51}) || bytes.Contains(file, []byte("a film behind it")) {
			t.Errorf("the latitude or what was behind it is still in %s", name)
		}
	}

	// The first of them again, from the dialog: what is here already is taken, and nothing is sent.
	sent := func() int {
		return evaluate[int](b, `performance.getEntriesByType("resource").filter(e => e.name.includes("/api/assets?name=")).length`)
	}
	before := sent()
	b.pick(paths[3])
	b.says(sel("asset-button"), "holiday.jpg")
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth === 640`)
	if n := sent(); n != before {
		t.Errorf("a file that was here already was sent again: %d uploads, %d before", n, before)
	}
}
