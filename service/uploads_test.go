package service

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestUploadsAreTakenUpToTheirLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	const limit = 10 << 20
	gif := append([]byte("GIF89a"), make([]byte, 100)...)
	tests := []struct {
		name string
		data []byte
		says string // "" = accepted
	}{
		{"png", testpics.PNG(photo()), ""},
		{"jpeg", testpics.JPEG(photo()), ""},
		{"webp", testpics.WebP(photo()), ""},
		{"both sides 513", testpics.PNG(testpics.Photo(513, 513, 1)), ""},
		{"a width of 512", testpics.PNG(testpics.Photo(512, 600, 1)), "more than 512"},
		{"a height of 512", testpics.PNG(testpics.Photo(600, 512, 1)), "more than 512"},
		{"a ratio just under 2", testpics.JPEG(testpics.Photo(1025, 513, 1)), ""},
		{"a ratio of 2", testpics.JPEG(testpics.Photo(1026, 513, 1)), "ratio"},
		{"a ratio of 2 standing", testpics.JPEG(testpics.Photo(513, 1026, 1)), "ratio"},
		{"10 MB to the byte", testpics.PadTo(testpics.JPEG(photo()), limit), ""},
		{"a byte under 10 MB", testpics.PadTo(testpics.JPEG(photo()), limit-1), ""},
		{"a byte over 10 MB", testpics.PadTo(testpics.JPEG(photo()), limit+1), "10 MB"},
		{"a GIF", gif, "GIF"},
		{"an animated WebP", testpics.AnimatedWebP(600, 600), "animated"},
		{"an animated PNG", testpics.AnimatedPNG(600, 600), "animated"},
		{"nothing", nil, "image"},
		{"half a file", testpics.PNG(photo())[:20], "damaged"},
		{"half a JPEG", testpics.JPEG(photo())[:len(testpics.JPEG(photo()))/2], "damaged"},
		{"a whole JPEG without its end mark", bytes.TrimSuffix(testpics.JPEG(photo()), []byte{0xff, 0xd9}), ""},
		{"a photo of 45 MB", testpics.PadTo(testpics.JPEG(photo()), 45<<20), "10 MB"},
		{"a JPEG of a thousand scans", testpics.ManyScansJPEG(600, 600, 1000), "image"},
		{"a turned photo", testpics.Turned(photo(), "jpeg", 6), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range []string{upstream.PathUploadImage, upstream.PathRunUpload} {
				a := w.tryUpload(path, w.key, tt.data)
				if tt.says == "" {
					must[upstream.Uploaded](t, a)
					continue
				}
				if a.Success || a.status < 400 || a.status >= 500 || !strings.Contains(a.said(), tt.says) {
					t.Errorf("%s: status %d, %s", path, a.status, a.raw)
				}
			}
		})
	}
}

func TestAnUploadThatIsNotAFormIsExplained(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	picture := testpics.PNG(photo())
	otherField, body := formOf(t, "file", picture)
	whole, form := formOf(t, "image", picture)
	if a := w.do(http.MethodPost, upstream.PathUploadImage, w.key, "image/png", picture); a.status != http.StatusUnsupportedMediaType || a.Code != upstream.CodeParameter || !strings.Contains(a.Msg, "multipart/form-data") {
		t.Errorf("a raw body: status %d, %s", a.status, a.raw)
	}
	for name, a := range map[string]answer{
		"another field":    w.do(http.MethodPost, upstream.PathUploadImage, w.key, otherField, body),
		"a form cut short": w.do(http.MethodPost, upstream.PathUploadImage, w.key, whole, form[:len(form)/2]),
	} {
		if a.status != http.StatusBadRequest || a.Code != upstream.CodeParameter || a.Msg == "" {
			t.Errorf("%s: status %d, %s", name, a.status, a.raw)
		}
	}
}

func TestAnUploadsSizeIsKnownUpright(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.Turned(photo(), "jpeg", 6))
	task := w.task("removeBG", source)
	right := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: cutOut("customMask", leftHalf(520, 560))})
	must[upstream.TaskExecuted](t, right)
	wrong := w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{TaskID: task, Params: cutOut("customMask", leftHalf(560, 520))})
	if wrong.Success || !strings.Contains(wrong.Msg, "560 × 520") || !strings.Contains(wrong.Msg, "520 × 560") {
		t.Errorf("a mask that lies on its side: %s", wrong.raw)
	}
}

func TestFilesAreServedSoThatTheyNeverRunAsAPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	url := w.upload(testpics.PNG(photo()))
	a := w.fetch(url)
	for name, want := range map[string]string{
		"Content-Type":                 "image/png",
		"X-Content-Type-Options":       "nosniff",
		"Content-Security-Policy":      "default-src 'none'; sandbox",
		"Cross-Origin-Resource-Policy": "cross-origin",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(a.header.Get("Content-Disposition"), "filename=") || !strings.Contains(a.header.Get("Cache-Control"), "private") {
		t.Errorf("headers = %v", a.header)
	}
	path := url[len(w.srv.URL):]
	part := w.do(http.MethodGet, path, "", "", nil, "Range", "bytes=1-3")
	if part.status != http.StatusPartialContent || string(part.raw) != "PNG" {
		t.Errorf("a range: status %d, %q", part.status, part.raw)
	}
	if again := w.do(http.MethodGet, path, "", "", nil, "If-None-Match", a.header.Get("ETag")); again.status != http.StatusNotModified {
		t.Errorf("the same again: status %d", again.status)
	}
	for _, bad := range []string{pathFiles + "unknown.png", pathFiles + "..%2Fservice.db", pathFiles + "tmp", pathPreviews + "location-0.webp", pathPreviews + "..%2F..%2Fservice.db"} {
		if a := w.get(bad, ""); a.status != http.StatusNotFound {
			t.Errorf("%s: status %d", bad, a.status)
		}
	}
}

func TestLinksBeginWithTheConfiguredOrigin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(cfg *Config) {
		cfg.PublicURL, cfg.Hosts = "https://pictures.example", []string{"pictures.example", "old.example:8443"}
	})
	uploadAs := func(host string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, upstream.PathUploadImage, nil)
		contentType, body := formOf(t, "image", testpics.JPEG(photo()))
		r.Body, r.Host = io.NopCloser(bytes.NewReader(body)), host
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Authorization", w.key)
		rec := httptest.NewRecorder()
		w.svc.Handler().ServeHTTP(rec, r)
		var a answer
		if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		a.status = rec.Code
		return must[upstream.Uploaded](t, a).Image
	}
	// As behind a proxy that ends TLS: the request itself came over http.
	url := uploadAs("Pictures.example")
	path, ok := strings.CutPrefix(url, "https://pictures.example"+pathFiles)
	if !ok {
		t.Fatalf("link = %s", url)
	}
	if url := uploadAs("old.example:8443"); !strings.HasPrefix(url, "http://old.example:8443/") {
		t.Errorf("under another name, the link is %s", url)
	}
	for _, origin := range []string{"https://pictures.example", "http://old.example:8443", "http://" + EmbeddedHost} {
		if got := w.finish(w.execute(w.task("removeBG", origin+pathFiles+path), cutOut())); got.Status != statusSuccess {
			t.Errorf("a picture under %s: %+v", origin, got)
		}
	}
	if a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{
		AgentName: "removeBG", AgentVersion: "v1.0",
		InitParams: map[string]any{"originalImage": "http://elsewhere.example" + pathFiles + path},
	}); a.Success {
		t.Errorf("a host that is not ours was taken for ours: %s", a.raw)
	}
}
