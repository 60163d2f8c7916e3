package e2e

import (
	"archive/zip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// allow lets the page do what a browser asks its user about first.
func (b *tab) allow(permissions ...string) {
	b.t.Helper()
	for _, name := range permissions {
		p := cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: cdpbrowser.PermissionSettingGranted, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID}
		if _, err := chromedp.Call(b.ctx, cdpbrowser.SetPermission, p); err != nil {
			b.t.Fatal(err)
		}
	}
}

// What is done with the hands on results: two fingers on the desk, the line between before and after, the map of changes, the
// whole screen, a copy on the clipboard, and an archive in the folder of downloads.
func TestResultsTakeTouchKeysAndClipboard(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 4, changed: 2})
	b := openTab(t, 1440, 900)
	b.do(chromedp.Navigate("about:blank"))
	b.allow("clipboard-read", "clipboard-write")
	b.enter(s, "/gallery")
	b.waitTiles(4)
	b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
	b.waitUntil(`document.querySelector('` + sel("lightbox-picture") + `').naturalWidth > 0`)

	// The map lies exactly where the picture lies.
	for _, zoom := range []string{"fit", "actual"} {
		if zoom == "actual" {
			b.press("z")
		} else {
			b.press("h")
		}
		b.waitUntil(`document.querySelector(".lightbox__stage").dataset.zoom === "` + zoom + `" && document.querySelector('` + sel("heat") + `').naturalWidth > 0`)
		b.waitUntil(`(() => { const [p, h] = ['` + sel("lightbox-picture") + `', '` + sel("heat") + `'].map(s => document.querySelector(s).getBoundingClientRect());
			return Math.max(Math.abs(p.x - h.x), Math.abs(p.y - h.y), Math.abs(p.width - h.width), Math.abs(p.height - h.height)) < 1.5; })()`)
	}
	b.shot("hands-heat")
	b.press("z")

	// Pixel by pixel the picture's middle is in the middle, or what was clicked stays under the pointer.
	b.do(chromedp.EmulateViewport(1000, 500))
	b.waitUntil(`document.querySelector(".lightbox__stage").dataset.zoom === "fit"`)
	at := b.box(sel("lightbox-picture")).at(.5, .7)
	off := func(down float64, y string) {
		t.Helper()
		b.waitUntil(`(([p, h]) => document.querySelector(".lightbox__stage").dataset.zoom === "actual" && Math.abs(p.y + ` + strconv.FormatFloat(down, 'f', 2, 64) + ` * p.height - ` + y + `) < 2)(
			['` + sel("lightbox-picture") + `', ".lightbox__hold"].map(s => document.querySelector(s).getBoundingClientRect()))`)
	}
	b.press("z")
	off(.5, "(h.y + h.height / 2)")
	b.press("z")
	b.waitUntil(`document.querySelector(".lightbox__stage").dataset.zoom === "fit"`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	off(.7, strconv.FormatFloat(at[1], 'f', 2, 64))
	b.press("z")
	b.do(chromedp.EmulateViewport(1440, 900))

	full := func(inside string) {
		t.Helper()
		b.waitUntil(`document.fullscreenElement ? document.fullscreenElement.matches("` + inside + `") : "` + inside + `" === ""`)
	}
	b.press("f")
	full(".lightbox__box")
	b.press("i")
	b.click("copy")
	if kind := evaluate[string](b, `(async () => { for (;;) { const [item] = await navigator.clipboard.read(); const blob = await item.getType("image/png").catch(() => null);
		if (blob) { const p = await createImageBitmap(blob); return p.width + " × " + p.height; } await new Promise(requestAnimationFrame); } })()`); kind != "600 × 800" {
		t.Errorf("on the clipboard is a picture of %s", kind)
	}
	looked := b.attribute(sel("lightbox"), "data-result") // the button that was clicked has the focus, and leaves the keys to the page
	b.press(kb.ArrowRight)
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').dataset.result !== "` + looked + `"`)
	b.press(kb.ArrowLeft)
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').dataset.result === "` + looked + `"`)
	b.press(kb.Escape) // leaves the page: no browser takes the key for itself here
	full("")

	b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.click("compare-run")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 5`)
	b.press(kb.Enter)
	b.press("c")
	b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "split"`)
	area := b.box(sel("desk-area"))
	b.drag(area.at(.5, .5), area.at(.4, .5))
	b.waitUntil(`parseFloat(document.getElementById("desk-area").style.getPropertyValue("--split")) < 45`)
	b.do(chromedp.Focus(chromedp.CSS(sel("desk-split"))))
	b.press(kb.End)
	b.waitUntil(`parseFloat(document.getElementById("desk-area").style.getPropertyValue("--split")) === 100`)
	b.press("h")
	b.waitUntil(`document.querySelector(".desk__cell--active .desk__picture--heat:not([hidden])")?.naturalWidth > 0`)
	b.press("h")

	// Two fingers near each other go apart: nearer; the pictures are chosen and turned by nothing of it.
	percent := `parseFloat(document.querySelector('` + sel("desk-zoom") + `').textContent)`
	before := evaluate[float64](b, percent)
	l, r := area.at(.45, .5), area.at(.55, .5)
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, l})
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, l}, finger{2, r})
	for i := range 6 {
		b.touch(input.DispatchTouchEventTypeTouchMove, finger{1, [2]float64{l[0] - float64(30*i), l[1]}}, finger{2, [2]float64{r[0] + float64(30*i), r[1]}})
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.waitUntil(`document.querySelector(".desk__stack[style*=scale]") && new DOMMatrix(getComputedStyle(document.querySelector(".desk__cell--active .desk__stack")).transform).a > 1.5`)
	b.waitUntil(percent + " > 1.5 * " + strconv.FormatFloat(before, 'f', -1, 64)) // the bar says so
	b.press("z")                                                                  // back
	b.waitUntil(percent + " === " + strconv.FormatFloat(before, 'f', -1, 64))
	b.press("f")
	full(".desk__box")
	b.press("p")
	b.press(kb.ArrowRight)
	b.press("p")
	b.waitUntil(`document.querySelector('` + sel("desk-deliver") + `').textContent.includes("2 picks")`)

	// An archive arrives in the folder, whole, with its list.
	folder := b.downloads()
	b.click("desk-deliver")
	b.click("deliver-zip")
	b.waitUntil(`!document.getElementById("deliver").open`)
	names, err := inArchive(b.fileIn(folder))
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(names, " "); len(names) != 4 || !strings.Contains(all, ".csv") || !strings.Contains(all, ".json") || strings.Count(all, ".jpg") != 2 {
		t.Errorf("the archive holds %q", names)
	}
	b.click("desk-close")
	full("")
}

// inArchive lists what a ZIP on disk holds, reading every byte of it.
func inArchive(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(strings.NewReader(string(data)), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	return names, nil
}
