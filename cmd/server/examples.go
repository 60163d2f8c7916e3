package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/service/examples"
)

// examplesPath is where a picture for each agent is that shows what it does.
const examplesPath = "/web/examples/"

// gallery serves the examples. What is not drawn yet is not found; browsers then show a sign in its place.
type gallery struct {
	folder string
	agents map[string]catalog.Agent
	tool   *video.Tool
	logger *slog.Logger
}

func newGallery(folder string, agents []catalog.Agent, tool *video.Tool, logger *slog.Logger) *gallery {
	g := &gallery{folder: folder, agents: map[string]catalog.Agent{}, tool: tool, logger: logger}
	for _, a := range agents {
		g.agents[a.Name] = a
	}
	return g
}

// settle is how long the server runs before the first example is drawn: who has just started it wants to see the studio.
const settle = 15 * time.Second

// mostBeginnings is how often an example is begun without ending. One of which the process has died as often, because it takes more memory than
// there is, is left out: else no process would live longer than until it comes round.
const mostBeginnings = 3

// errDeadly is what an example is not drawn for any more.
var errDeadly = fmt.Errorf("the server has ended %d times while drawing it", mostBeginnings)

// fill draws what is missing, one after the other, each through idle: at a time when nobody waits for a picture.
func (g *gallery) fill(ctx context.Context, agents []catalog.Agent, idle func(context.Context, func(context.Context) error) error) {
	for _, a := range agents {
		if _, err := os.Stat(g.path(a.Name)); err == nil {
			continue
		}
		err := idle(ctx, func(ctx context.Context) error { return g.draw(ctx, a) })
		if ctx.Err() != nil {
			return
		}
		if err != nil && !errors.Is(err, examples.ErrNone) {
			g.logger.WarnContext(ctx, "an example picture is missing", "error", err)
		}
	}
}

// path is where an example is kept. Names are those of agents, which hold letters, digits, -, _ and ., and no separator.
func (g *gallery) path(agent string) string {
	return filepath.Join(g.folder, strconv.Itoa(examples.Edition)+"-"+filepath.Base(agent)+".jpg")
}

// begin counts a beginning, by the bytes of a file, unless there were too many; end forgets all of them.
func (g *gallery) begin(agent string) (end func() error, err error) {
	path := filepath.Join(g.folder, "begun-"+filepath.Base(agent))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if info, err := f.Stat(); err != nil || info.Size() >= mostBeginnings {
		return nil, cmp.Or(err, errDeadly)
	}
	_, err = f.WriteString(".")
	return func() error { return os.Remove(path) }, err
}

// draw makes an example and keeps it.
func (g *gallery) draw(ctx context.Context, a catalog.Agent) (err error) {
	if err := os.MkdirAll(g.folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of examples: %w", err)
	}
	end, err := g.begin(a.Name)
	if err != nil {
		return fmt.Errorf("begin the example of %s: %w", a.Name, err)
	}
	defer func() { err = errors.Join(err, end()) }()
	bench, err := os.MkdirTemp(g.folder, "making-")
	if err != nil {
		return fmt.Errorf("make a folder for an example: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bench)) }()
	img, err := examples.Draw(ctx, a, g.tool, bench)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := imaging.Encode(&b, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 86}); err != nil {
		return fmt.Errorf("encode the example of %s: %w", a.Name, err)
	}
	half := filepath.Join(bench, "example.jpg")
	if err := errors.Join(os.WriteFile(half, b.Bytes(), 0o600), os.Rename(half, g.path(a.Name))); err != nil {
		return fmt.Errorf("keep the example of %s: %w", a.Name, err)
	}
	return nil
}

// tidy removes what an earlier process left half made.
func (g *gallery) tidy() error {
	left, err := filepath.Glob(filepath.Join(g.folder, "making-*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

// ServeHTTP answers GET and HEAD.
func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, isJPEG := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, examplesPath), ".jpg")
	if _, known := g.agents[name]; !known || !isJPEG {
		http.NotFound(w, r)
		return
	}
	f, err := os.Open(g.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		w.Header().Set("Cache-Control", "no-store")
		http.NotFound(w, r)
		return
	}
	if err != nil {
		g.logger.ErrorContext(r.Context(), "an example picture cannot be read", "error", err)
		http.Error(w, "The picture could not be read.", http.StatusInternalServerError)
		return
	}
	defer func() {
		if err := f.Close(); err != nil {
			g.logger.ErrorContext(r.Context(), "close an example picture", "error", err)
		}
	}()
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, "", time.Time{}, f)
}
