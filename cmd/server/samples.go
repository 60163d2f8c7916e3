package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/service/presets"
)

// samplesPath is where the pictures to begin with are, for someone who has none at hand.
const samplesPath = "/web/samples/"

// samples serves the pictures to begin with, each drawn when it is first asked for.
type samples struct {
	draw   map[string]func() ([]byte, error) // by file name
	logger *slog.Logger
}

func newSamples(logger *slog.Logger) *samples {
	s := &samples{draw: map[string]func() ([]byte, error){}, logger: logger}
	for _, sample := range presets.Samples() {
		s.draw[sample.Slug+".jpg"] = sync.OnceValues(func() ([]byte, error) {
			img, err := sample.Draw(context.Background())
			if err != nil {
				return nil, fmt.Errorf("draw the sample %s: %w", sample.Slug, err)
			}
			var b bytes.Buffer
			err = imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 90})
			return b.Bytes(), err
		})
	}
	return s
}

// ServeHTTP answers GET and HEAD.
func (s *samples) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, samplesPath)
	draw, ok := s.draw[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	data, err := draw()
	if err != nil {
		s.logger.ErrorContext(r.Context(), "a sample picture is missing", "error", err)
		http.Error(w, "The picture could not be drawn.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
