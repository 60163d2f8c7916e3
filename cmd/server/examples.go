package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"atelier/catalog"
	"atelier/service/presets"
	"atelier/web/examples"
)

// Where the embedded pictures are: samples to begin with, and one for each agent that shows what it does.
const (
	samplesPath  = "/web/samples/"
	examplesPath = "/web/examples/"
)

// picture finds an embedded picture by its name without ".webp".
type picture func(name string) (data []byte, mediaType string, known bool, err error)

// samplePicture finds the samples.
func samplePicture(name string) ([]byte, string, bool, error) {
	for _, s := range presets.Samples() {
		if s.Slug == name {
			data, err := s.File()
			return data, "image/webp", true, err
		}
	}
	return nil, "", false, nil
}

// examplePicture finds the examples of agents. One that the catalog does not know has the picture of its family.
func examplePicture(agents []catalog.Agent) picture {
	families := map[string]string{}
	for _, a := range agents {
		families[a.Name] = a.Family
	}
	return func(name string) ([]byte, string, bool, error) {
		family, known := families[name]
		if !known {
			return nil, "", false, nil
		}
		data, mediaType, err := examples.Of(name, family)
		return data, mediaType, true, err
	}
}

// servePictures answers GET and HEAD for embedded pictures below a path.
func servePictures(path string, find picture, logger *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, isWebP := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, path), ".webp")
		data, mediaType, known, err := find(name)
		if !known || !isWebP {
			http.NotFound(w, r)
			return
		}
		if err != nil {
			logger.ErrorContext(r.Context(), "serve an embedded picture", "path", r.URL.Path, "error", err)
			http.Error(w, "The picture could not be read.", http.StatusInternalServerError)
			return
		}
		sum := sha256.Sum256(data)
		h := w.Header()
		h.Set("Content-Type", mediaType)
		h.Set("Cache-Control", "public, max-age=86400")
		h.Set("ETag", strconv.Quote(hex.EncodeToString(sum[:16])))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	})
}
