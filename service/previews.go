package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/service/presets"

	"golang.org/x/sync/singleflight"
)

// previewEdition is part of the names of preview files; it rises when the drawings change, so that old ones are not shown.
const previewEdition = 1

// The size of previews, px.
const (
	previewWidth  = 640
	previewHeight = 800
)

// previews draws the pictures of our presets once and keeps them as JPEG files.
type previews struct {
	folder *os.Root
	once   singleflight.Group
}

// openPreviews opens or makes the folder.
func openPreviews(folder string) (*previews, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of previews: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the folder of previews: %w", err)
	}
	return &previews{folder: root}, nil
}

// previewParams are the words previews are named by: location-1001.jpg.
var previewParams = map[string]string{"location": "locationId", "fashionModel": "fashionModelId", "background": "backgroundId"}

// previewURL is the link to a preview.
func previewURL(base, kind string, id int64) string {
	return base + pathPreviews + kind + "-" + strconv.FormatInt(id, 10) + ".jpg"
}

// previewName reads the file id of one of our URLs; ok says that it names a preview.
func previewName(id string) (name string, ok bool) {
	return strings.CutPrefix(id, strings.TrimPrefix(pathPreviews, pathFiles))
}

// find gives the drawing that a preview's name stands for.
func (p *previews) find(name string) (drawing, bool) {
	kind, rest, ok := strings.Cut(name, "-")
	number, isJPEG := strings.CutSuffix(rest, ".jpg")
	id, err := strconv.ParseInt(number, 10, 64)
	if !ok || !isJPEG || err != nil || strconv.FormatInt(id, 10) != number {
		return nil, false
	}
	return findDrawing(previewParams[kind], id)
}

// open opens a preview, drawing it when it is not there yet. Callers at the same time share one drawing.
func (p *previews) open(ctx context.Context, name string) (*os.File, error) {
	d, ok := p.find(name)
	if !ok {
		return nil, fs.ErrNotExist
	}
	file := strconv.Itoa(previewEdition) + "-" + name
	if f, err := p.folder.Open(file); !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	// The drawing goes on when the one who asked first has left: others wait for it.
	done := p.once.DoChan(name, func() (any, error) {
		return nil, guarded(func() error { return p.draw(detached(ctx), d, file) })
	})
	select {
	case r := <-done:
		if r.Err != nil {
			return nil, r.Err
		}
		return p.folder.Open(file)
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a preview: %w", ctx.Err())
	}
}

func (p *previews) draw(ctx context.Context, d drawing, file string) error {
	img, err := d.Draw(ctx, previewWidth, previewHeight)
	if err != nil {
		return fmt.Errorf("draw a preview: %w", err)
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 88}); err != nil {
		return fmt.Errorf("encode a preview: %w", err)
	}
	unfinished := file + ".tmp" // one writer per name, see once
	if err := p.folder.WriteFile(unfinished, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write a preview: %w", err)
	}
	if err := p.folder.Rename(unfinished, file); err != nil {
		return fmt.Errorf("put a preview in place: %w", err)
	}
	return nil
}

// read gives the bytes of a preview, for use as a source picture.
func (p *previews) read(ctx context.Context, name string) (data []byte, err error) {
	f, err := p.open(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown("preset picture", name)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if data, err = io.ReadAll(f); err != nil {
		return nil, fmt.Errorf("read a preview: %w", err)
	}
	return data, nil
}

// getPreview serves the picture of a preset.
func (s *Service) getPreview(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	content, err := s.previews.open(r.Context(), name)
	err = s.counted(err)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.send(w, r, http.StatusNotFound, taskEnvelope(s, reply{}, asFailure(unknown("preset picture", name))), nil)
	case err != nil:
		if r.Context().Err() == nil {
			s.cfg.Logger.Error("serve a preview", "name", name, "error", err)
		}
		s.send(w, r, http.StatusInternalServerError, taskEnvelope(s, reply{}, asFailure(err)), nil)
	default:
		s.sendFile(w, r, content, probe.JPEG.MediaType(), name, time.Time{}, fmt.Sprintf(`"%d-%s"`, previewEdition, name))
	}
}

// idle waits until no execution is open: pictures somebody waits for go first.
func (s *Service) idle(ctx context.Context) error {
	for {
		open, err := s.read().ListOpenExecutions(ctx)
		if err != nil || len(open) == 0 {
			return err
		}
		if err := wait(ctx, time.Second); err != nil {
			return err
		}
	}
}

// errBusy means that somebody waits for a picture.
var errBusy = errors.New("somebody waits for a picture")

// WhenIdle runs do at a time when nobody waits for a picture. As soon as somebody does, do's context ends, and do is run
// again later from its beginning.
func (s *Service) WhenIdle(ctx context.Context, do func(context.Context) error) error {
	for {
		if err := s.idle(ctx); err != nil {
			return err
		}
		if err := s.untilBusy(ctx, do); !errors.Is(err, errBusy) {
			return err
		}
	}
}

// busyLook is how soon the coming of work is seen.
const busyLook = 100 * time.Millisecond

// untilBusy runs do; the error is errBusy when work cut it short.
func (s *Service) untilBusy(ctx context.Context, do func(context.Context) error) error {
	alone, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		err := s.guarded(func() error {
			for wait(alone, busyLook) == nil {
				if open, err := s.read().ListOpenExecutions(alone); err != nil || len(open) > 0 {
					return errBusy
				}
			}
			return nil
		})
		if err != nil {
			cancel(errBusy)
		}
	}()
	err := do(alone)
	cancel(nil)
	<-watched
	if err != nil && errors.Is(context.Cause(alone), errBusy) && ctx.Err() == nil {
		return errBusy
	}
	return err
}

// warmPreviews draws what is missing, one after the other, so that the first list of presets shows its pictures at once.
func (s *Service) warmPreviews(ctx context.Context) {
	var names []string
	for _, l := range presets.Locations() {
		names = append(names, fmt.Sprintf("location-%d.jpg", l.ID))
	}
	for _, m := range presets.FashionModels() {
		names = append(names, fmt.Sprintf("fashionModel-%d.jpg", m.ID))
	}
	for _, b := range presets.Backgrounds() {
		names = append(names, fmt.Sprintf("background-%d.jpg", b.ID))
	}
	for _, name := range names {
		if err := s.idle(ctx); err != nil {
			return
		}
		f, err := s.previews.open(ctx, name)
		err = s.counted(err)
		if err == nil {
			err = f.Close()
		}
		if err != nil && ctx.Err() == nil {
			s.cfg.Logger.Warn("draw a preview", "name", name, "error", err)
		}
	}
}
