package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/service/presets"
)

// samplesPath is where the pictures to begin with are, for someone who has none at hand.
const samplesPath = "/web/samples/"

// samples serves the pictures to begin with. They are drawn at the first start and kept in the data folder.
type samples struct {
	pictures map[string]func() ([]byte, error) // by file name
	logger   *slog.Logger
	drawing  sync.WaitGroup
	cancel   context.CancelFunc
}

// newSamples begins to draw what folder does not hold yet.
func newSamples(ctx context.Context, folder string, panics *atomic.Int64, logger *slog.Logger) *samples {
	ctx, cancel := context.WithCancel(ctx)
	s := &samples{pictures: map[string]func() ([]byte, error){}, logger: logger, cancel: cancel}
	for _, sample := range presets.Samples() {
		name := sample.Slug + ".jpg"
		picture := sync.OnceValues(func() ([]byte, error) { return keptSample(ctx, sample, filepath.Join(folder, name)) })
		s.pictures[name] = picture
		s.drawing.Go(func() {
			defer survive(logger, panics, "drawing a sample picture")
			if _, err := picture(); err != nil && ctx.Err() == nil {
				logger.WarnContext(ctx, "a sample picture is missing", "error", err)
			}
		})
	}
	return s
}

// stop ends the drawing: once it is over, nothing is written into the folder any more.
func (s *samples) stop() error {
	s.cancel()
	s.drawing.Wait()
	return nil
}

// keptSample reads a sample from its file, or draws it and keeps it there.
func keptSample(ctx context.Context, sample presets.Sample, path string) ([]byte, error) {
	if data, err := os.ReadFile(path); err == nil {
		if _, err := probe.Read(data, int64(len(data))); err == nil {
			return data, nil
		}
	}
	img, err := sample.Draw(ctx)
	if err != nil {
		return nil, fmt.Errorf("draw the sample %s: %w", sample.Slug, err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 90}); err != nil {
		return nil, fmt.Errorf("draw the sample %s: %w", sample.Slug, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("keep the sample %s: %w", sample.Slug, err)
	}
	half := path + ".part"
	if err := os.WriteFile(half, b.Bytes(), 0o600); err != nil {
		return nil, fmt.Errorf("keep the sample %s: %w", sample.Slug, err)
	}
	if err := os.Rename(half, path); err != nil {
		return nil, fmt.Errorf("keep the sample %s: %w", sample.Slug, err)
	}
	return b.Bytes(), nil
}

// ServeHTTP answers GET and HEAD.
func (s *samples) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, samplesPath)
	picture, ok := s.pictures[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	data, err := picture()
	if err != nil {
		s.logger.ErrorContext(r.Context(), "a sample picture is missing", "error", err)
		http.Error(w, "The picture could not be drawn.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}
