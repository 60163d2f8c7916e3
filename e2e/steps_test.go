package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg" // results may be
	_ "image/png"  // results are, unless asked otherwise
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"atelier/atelier"
)

// signIn opens the printed address and waits for the studio.
func (b *tab) signIn(s *studio) {
	b.t.Helper()
	b.do(chromedp.Navigate(s.url))
	b.waitFor(sel("upload-button"))
	b.waitUntil(`!location.href.includes("launch=")`) // the one-time code does not stay in the address bar
}

// reload loads the page again and waits for the studio.
func (b *tab) reload() {
	b.t.Helper()
	b.do(chromedp.Reload())
	b.waitFor(sel("upload-button"))
}

// writeFile puts a picture where the browser can pick it.
func writeFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pick gives a file to the picker, as a person would.
func (b *tab) pick(path string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{path}))
}

// upload picks a file and waits until it is on the stage.
func (b *tab) upload(name string, data []byte) {
	b.t.Helper()
	b.pick(writeFile(b.t, name, data))
	b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + name + `")`)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `').naturalWidth > 0`)
}

func (b *tab) chooseAgent(name string) {
	b.t.Helper()
	b.click("agent-button")
	b.click("agent-" + name)
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes(` + strconv.Quote(name) + `)`)
}

// choose sets a list of choices or a row of them to a value.
func (b *tab) choose(param, value string) {
	b.t.Helper()
	b.waitFor(sel("input-" + param))
	ok := evaluate[bool](b, `(() => {
		const field = document.querySelector('`+sel("input-"+param)+`');
		if (field.tagName === "SELECT") {
			field.value = `+strconv.Quote(value)+`;
			field.dispatchEvent(new Event("change", {bubbles: true}));
			return field.value === `+strconv.Quote(value)+`;
		}
		const item = field.querySelector('[data-value="`+value+`"]');
		if (item) item.click();
		return !!item;
	})()`)
	if !ok {
		b.t.Fatalf("%s does not offer %q", param, value)
	}
}

// selectOption chooses one of a list, as a person does.
func (b *tab) selectOption(id, value string) {
	b.t.Helper()
	b.waitUntil(`(f => { f.value = "` + value + `"; return f.value === "` + value + `" && f.dispatchEvent(new Event("change", {bubbles: true})) })(document.querySelector('` + sel(id) + `'))`)
}

// generate starts a run and waits until the strip shows it.
func (b *tab) generate() {
	b.t.Helper()
	before := b.count(sel("run"))
	b.click("generate")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length > ` + strconv.Itoa(before))
}

func (b *tab) count(selector string) int {
	b.t.Helper()
	return evaluate[int](b, `document.querySelectorAll('`+selector+`').length`)
}

// waitForResults waits until n stored results are shown anywhere on the page.
func (b *tab) waitForResults(n int) {
	b.t.Helper()
	b.waitUntil(`document.querySelectorAll('` + sel("result-card") + `[data-stored="true"]').length >= ` + strconv.Itoa(n))
}

// openGallery goes to the gallery and gives the ids of the results on it, newest first.
func (b *tab) openGallery(want int) []string {
	b.t.Helper()
	b.click("nav-gallery")
	b.waitFor(sel("wall"))
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `[data-stored="true"]').length === ` + strconv.Itoa(want))
	return evaluate[[]string](b, `[...document.querySelectorAll('`+sel("wall")+" "+sel("result-card")+`')].map(e => e.dataset.result)`)
}

// downloads gives the folder into which the browser puts what is downloaded from now on.
func (b *tab) downloads() (folder string) {
	b.t.Helper()
	folder = b.t.TempDir()
	to := cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
	}
	if _, err := chromedp.Call(b.ctx, cdpbrowser.SetDownloadBehavior, to); err != nil {
		b.t.Fatal(err)
	}
	return folder
}

// fileIn waits until one file is in the folder, and none that is still on its way, and gives its path.
func (b *tab) fileIn(folder string) string {
	b.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		files, err := os.ReadDir(folder)
		if err != nil {
			b.t.Fatal(err)
		}
		if len(files) == 1 && !strings.HasSuffix(files[0].Name(), ".crdownload") && !strings.HasPrefix(files[0].Name(), ".") {
			if info, err := files[0].Info(); err == nil && info.Size() > 0 {
				return filepath.Join(folder, files[0].Name())
			}
		}
		evaluate[bool](b, `new Promise(done => requestAnimationFrame(() => done(true)))`)
	}
	b.t.Fatal("nothing was downloaded")
	return ""
}

// downloadOpen downloads what the lightbox shows, and gives the path of the file.
func (b *tab) downloadOpen() string {
	b.t.Helper()
	folder := b.downloads()
	b.click("download")
	return b.fileIn(folder)
}

// download opens a result in the lightbox and downloads it.
func (b *tab) download(id string) image.Image {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card") + `[data-result="` + id + `"]`)))
	b.waitFor(sel("lightbox-picture"))
	path := b.downloadOpen()
	data, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	img, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		b.t.Fatal(err)
	}
	if kind := map[string]string{".jpg": "jpeg", ".png": "png"}[filepath.Ext(path)]; kind != format {
		b.t.Errorf("%s holds a %s", filepath.Base(path), format)
	}
	b.click("lightbox-close")
	return img
}

// runs are those the studio lists, newest first.
func (b *tab) runs(s *studio) []atelier.Run {
	b.t.Helper()
	data, _, err := s.fetch(b.t.Context(), "/api/runs", b.cookies())
	if err != nil {
		b.t.Fatal(err)
	}
	var page atelier.RunPage
	if err := json.Unmarshal(data, &page); err != nil {
		b.t.Fatal(err)
	}
	return page.Runs
}

// drag presses at the first point, moves through the others and releases, in page coordinates.
func (b *tab) drag(points ...[2]float64) {
	b.t.Helper()
	held := func(p *input.DispatchMouseEventParams) { p.Buttons = 1 }
	steps := []step{chromedp.MouseEvent(chromedp.MousePressed, points[0][0], points[0][1], chromedp.ButtonLeft, chromedp.ClickCount(1), held)}
	for i, p := range points[1:] {
		from := points[i]
		for i := range 6 {
			k := float64(i+1) / 6
			steps = append(steps, chromedp.MouseEvent(chromedp.MouseMoved, from[0]+(p[0]-from[0])*k, from[1]+(p[1]-from[1])*k, chromedp.ButtonLeft, held))
		}
	}
	last := points[len(points)-1]
	steps = append(steps, chromedp.MouseEvent(chromedp.MouseReleased, last[0], last[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
	b.do(steps...)
}

// box is where an element stands on the page.
type box struct{ X, Y, Width, Height float64 }

// box waits until an element has stood still for a fifth of a second, and gives where it stands.
func (b *tab) box(selector string) box {
	b.t.Helper()
	return b.still(selector, 200)
}

// still waits until an element has stood in one place for so many milliseconds, and gives where.
func (b *tab) still(selector string, ms int) box {
	b.t.Helper()
	b.waitFor(selector)
	return evaluate[box](b, `new Promise(done => {
		let last = "", since = 0;
		const look = now => {
			const r = document.querySelector('`+selector+`')?.getBoundingClientRect();
			const where = r ? [r.x, r.y, r.width, r.height].join() : "";
			if (where !== last || !r) { last = where; since = now; }
			if (r && now - since >= `+strconv.Itoa(ms)+`) done({X: r.x, Y: r.y, Width: r.width, Height: r.height});
			else requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	})`)
}

// at gives the point of the box at shares of its width and height.
func (r box) at(x, y float64) [2]float64 { return [2]float64{r.X + x*r.Width, r.Y + y*r.Height} }
