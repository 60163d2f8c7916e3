package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// What the server answers while it waits for the image service is told in bff; this is the browser's half, with the script of
// the page against a picture that is late.
func TestPendingPictureIsRequestedAgain(t *testing.T) {
	t.Parallel()
	picture := func(side int) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, side, side))); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	pixel, whole := picture(1), picture(40)
	const late = 2 // answers that say "not yet"
	var asked atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("GET /boot.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "../web/static/boot.js") })
	mux.HandleFunc("GET /api/images/{token}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		body := whole
		if asked.Add(1) <= late {
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusAccepted)
			body = pixel
		}
		if r.URL.Query().Get("w") != "64" {
			t.Errorf("asked for %s, without the size", r.URL)
		}
		if _, err := w.Write(body); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if _, err := fmt.Fprint(w, `<!doctype html><html><head><script src="/boot.js"></script><link rel="icon" href="data:,"></head>
<body><img alt="" loading="lazy" src="/api/images/a.b?w=64" style="background-image: linear-gradient(red, red)"></body></html>`); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b := openTab(t, 400, 300)
	b.do(chromedp.Navigate(server.URL))
	b.waitUntil(`document.querySelector("img").naturalWidth === 40 && document.querySelector("img").hasAttribute("data-loaded")`)
	if n := asked.Load(); n != late+1 {
		t.Errorf("asked %d times, want %d", n, late+1)
	}
	if left := evaluate[string](b, `document.querySelector("img").style.backgroundImage`); left != "" {
		t.Errorf("the preview stays behind the picture: %s", left)
	}
}
