package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/testpics"
)

// shownFile is how a browser shows a file: its size and the middles of its patches, or why it does not.
type shownFile struct {
	W, H    int
	Patches [][]int
	Error   string
}

// lookScript gives what the page's browser shows of pictures by their addresses, as it shows those of <img> and, with bitmap, as those of scripts.
const lookScript = `async (urls, across, down, bitmap) => {
	const look = async url => {
		try {
			let picture = new Image(), w, h;
			if (bitmap) {
				picture = await createImageBitmap(await (await fetch(url)).blob());
				[w, h] = [picture.width, picture.height];
			} else {
				picture.src = url;
				await picture.decode();
				[w, h] = [picture.naturalWidth, picture.naturalHeight];
			}
			const context = new OffscreenCanvas(w, h).getContext("2d", {colorSpace: "srgb", willReadFrequently: true});
			context.drawImage(picture, 0, 0);
			const data = context.getImageData(0, 0, w, h).data, patches = [];
			const [a, d] = w === 5 * down && h === 4 * across ? [down, across] : [across, down];
			for (let y = d / 2; y < h; y += d) for (let x = a / 2; x < w; x += a) patches.push([...data.slice(4 * (y * w + x), 4 * (y * w + x) + 4)]);
			return {W: w, H: h, Patches: patches, Error: ""};
		} catch (e) {
			return {W: 0, H: 0, Patches: [], Error: String(e)};
		}
	};
	const out = {};
	await Promise.all([0, 1, 2, 3].map(async lane => { for (let i = lane; i < urls.length; i += 4) out[urls[i]] = await look(urls[i]) }));
	return out;
}`

func (b *tab) look(urls []string, sheet testpics.Sheet, bitmap bool) map[string]shownFile {
	b.t.Helper()
	list, err := json.Marshal(urls)
	if err != nil {
		b.t.Fatal(err)
	}
	return evaluate[map[string]shownFile](b, fmt.Sprintf(`(%s)(%s, %d, %d, %v)`, lookScript, list, sheet.Across, sheet.Down, bitmap))
}

// filesAt serves files by their numbers.
func filesAt(t *testing.T, files []testpics.MatrixFile) (base string, urls []string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := -1
		if _, err := fmt.Sscanf(r.URL.Path, "/file/%d", &n); err != nil || n < 0 || n >= len(files) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><title>files</title>`)
			return
		}
		w.Header().Set("Content-Type", http.DetectContentType(files[n].Data))
		if _, err := w.Write(files[n].Data); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(server.Close)
	for i := range files {
		urls = append(urls, fmt.Sprintf("/file/%d", i))
	}
	return server.URL, urls
}

// upload sends files to the studio, a few at a time: what became of each, or why it was refused.
func (s *studio) uploadAll(cookies []*http.Cookie, files []testpics.MatrixFile) (assets []atelier.Asset, refused []string) {
	s.t.Helper()
	assets, refused = make([]atelier.Asset, len(files)), make([]string, len(files))
	next := make(chan int)
	var lanes sync.WaitGroup
	for range 3 {
		lanes.Go(func() {
			for i := range next {
				r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.listen+"/api/assets?name="+url.QueryEscape(files[i].Name), bytes.NewReader(files[i].Data))
				if err != nil {
					s.t.Error(err)
					continue
				}
				r.Header.Set("X-Atelier", "1")
				for _, c := range cookies {
					r.AddCookie(c)
				}
				answer, err := http.DefaultClient.Do(r)
				if err != nil {
					s.t.Error(err)
					continue
				}
				body, err := io.ReadAll(answer.Body)
				if err := answer.Body.Close(); err != nil {
					s.t.Error(err)
				}
				if err != nil {
					s.t.Error(err)
					continue
				}
				if answer.StatusCode != http.StatusCreated {
					refused[i] = string(body)
					continue
				}
				if err := json.Unmarshal(body, &assets[i]); err != nil {
					s.t.Error(err)
				}
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	lanes.Wait()
	return assets, refused
}

// Every still picture is the same picture to the browser and to the server: its size, its turn and its colours, as the file was dropped, as the stage
// shows it, and as the server works on it.
func TestBrowserAndServerSeeAlike(t *testing.T) {
	t.Parallel()
	sheet := testpics.UploadSheet
	files := sheet.Matrix()
	record := os.Getenv("ATELIER_RECORD_SEEN")
	if record == "" { // the tests of imaging hold all to what was recorded
		files = slices.DeleteFunc(files, func(f testpics.MatrixFile) bool { return alsoRead(f.Name) })
	}
	base, urls := filesAt(t, files)
	outside := openTab(t, 800, 600)
	outside.do(chromedp.Navigate(base))
	asImage := outside.look(urls, sheet, false)
	if record != "" {
		writeSeen(t, record, files, urls, asImage)
	}

	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	// The client's own way of bringing a file ends on the stage with the same picture.
	for _, name := range []string{"png turn 6", "png turn after pixels", "webp turn 6", "jpeg two turns 6 1", "jpeg four parts, Adobe -1", "png gamma 1 with BT.2020 primaries"} {
		i := slices.IndexFunc(files, func(f testpics.MatrixFile) bool { return f.Name == name })
		kept := strings.ReplaceAll(name, " ", "-")
		b.pick(writeFile(t, kept+".bin", files[i].Data))
		b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("` + kept + `") && document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)
		stage := b.look([]string{evaluate[string](b, `document.querySelector('`+sel("stage-picture")+`').src`)}, sheet, false)
		want := asImage[urls[i]]
		for _, got := range stage {
			if off := testpics.Apart(got.W, got.H, got.Patches, want.W, want.H, want.Patches, true); off != "" {
				t.Errorf("%s, brought by hand: %s", name, off)
			}
		}
	}
	assets, refused := s.uploadAll(b.cookies(), files)
	var shownURLs []string
	for _, a := range assets {
		if a.ID != "" {
			shownURLs = append(shownURLs, a.File)
		}
	}
	shown := b.look(shownURLs, sheet, true) // as the tools of the stage read it
	compared := 0
	for i, f := range files {
		dropped, a := asImage[urls[i]], assets[i]
		if a.ID == "" {
			if dropped.Error == "" && !slices.Contains(testpics.OnlyBrowsersOpen, f.Name) {
				t.Errorf("%s: the server refuses it, the browser shows it: %s", f.Name, refused[i])
			}
			if !strings.Contains(refused[i], "save it as a plain JPEG or PNG") {
				t.Errorf("%s: refused without the next step: %s", f.Name, refused[i])
			}
			continue
		}
		img, facts, err := imaging.Decode(t.Context(), f.Data, imaging.DefaultLimits)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		server := shownFile{W: facts.Width, H: facts.Height}
		for _, p := range sheet.Points(facts.Width, facts.Height) {
			c := img.NRGBAAt(p.X, p.Y)
			server.Patches = append(server.Patches, []int{int(c.R), int(c.G), int(c.B), int(c.A)})
		}
		compared++
		if a.Width != facts.Width || a.Height != facts.Height {
			t.Errorf("%s: the asset is %d × %d, decoded it is %d × %d", f.Name, a.Width, a.Height, facts.Width, facts.Height)
		}
		for what, got := range map[string]shownFile{"dropped": dropped, "on the stage": shown[a.File]} {
			if got.Error != "" {
				t.Errorf("%s, %s: %s", f.Name, what, got.Error)
			} else if off := testpics.Apart(server.W, server.H, server.Patches, got.W, got.H, got.Patches, facts.Profiled); off != "" {
				t.Errorf("%s, %s: %s", f.Name, what, off)
			}
		}
	}
	if compared < 200 {
		t.Errorf("%d files were compared", compared)
	}
}

// alsoRead reports whether a file of the matrix is one of a kind that others stand for here.
func alsoRead(name string) bool {
	for _, kind := range []string{"deep png profile", "grey png profile", "grey jpeg profile", "lossless webp profile", "ink jpeg profile", "webp profile", "jpeg profile"} {
		if rest, ok := strings.CutPrefix(name, kind+" "); ok {
			return !slices.Contains([]string{"linear named sRGB", "P3 with sRGB curve", "grey linear", "table of version 4", "inks", "without flag", "twice", "after frame header"}, rest)
		}
	}
	return false
}

// writeSeen writes what the browser shows for the tests of imaging, which have none.
func writeSeen(t *testing.T, path string, files []testpics.MatrixFile, urls []string, got map[string]shownFile) {
	t.Helper()
	lines := map[string]string{}
	for i, f := range files {
		see := got[urls[i]]
		if see.Error != "" {
			lines[f.Name] = "refused"
			continue
		}
		turned := "stored"
		if see.W > see.H {
			turned = "turned"
		}
		var values []byte
		for _, p := range see.Patches {
			for _, v := range p {
				values = append(values, byte(v))
			}
		}
		lines[f.Name] = fmt.Sprintf("%s %x", turned, values)
	}
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&out, "%s\t%s\n", name, lines[name])
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
