package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"atelier/catalog"
	"atelier/imaging/probe"
	"atelier/service/presets"
)

func pictureAt(t *testing.T, h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

func TestEachAgentHasAnExample(t *testing.T) {
	agents := catalog.All()
	own := map[string]bool{}
	for _, family := range []string{"original", "A", "B", "C", "D", "E", "F", "G"} {
		a := agents[0]
		a.Name, a.Family = "acme-"+family, family
		agents, own[a.Name] = append(agents, a), true
	}
	h := servePictures(examplesPath, examplePicture(agents), slog.New(slog.DiscardHandler))
	neutral := map[string]bool{}
	for _, a := range agents {
		w := pictureAt(t, h, examplesPath+a.Name+".webp")
		media := "image/webp"
		if own[a.Name] {
			media = "image/svg+xml"
			neutral[w.Body.String()] = true
		}
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != media || w.Header().Get("Cache-Control") != "public, max-age=86400" {
			t.Errorf("%s: %d %v", a.Name, w.Code, w.Header())
		}
		if again := pictureAt(t, h, examplesPath+a.Name+".webp", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", a.Name, again.Code)
		}
	}
	if len(neutral) != len(own) {
		t.Errorf("%d families have %d pictures", len(own), len(neutral))
	}
	for _, name := range []string{"none.webp", "aimodel.jpg", "family-a.svg", "family-a.webp", "../examples.go", ""} {
		if w := pictureAt(t, h, examplesPath+name); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

func TestSamplesAreServed(t *testing.T) {
	h := servePictures(samplesPath, samplePicture, slog.New(slog.DiscardHandler))
	for _, s := range presets.Samples() {
		w := pictureAt(t, h, samplesPath+s.Slug+".webp")
		facts, err := probe.Read(w.Body.Bytes(), int64(w.Body.Len()))
		if err != nil || w.Code != http.StatusOK || facts.Format != probe.WebP || w.Header().Get("Content-Type") != "image/webp" {
			t.Errorf("%s: %d %+v, %v", s.Slug, w.Code, facts, err)
		}
	}
	if w := pictureAt(t, h, samplesPath+"none.webp"); w.Code != http.StatusNotFound {
		t.Errorf("a sample that is not there: %d", w.Code)
	}
}
