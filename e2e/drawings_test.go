package e2e

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"atelier/catalog"
	"atelier/imaging/testpics"
	"atelier/service/examples"
	"atelier/service/presets"
)

// drawings are the pictures a server draws of its own accord when its data folder is new: previews of all presets, pictures
// to begin with, an example for each agent. That takes every core for many seconds, at the side of each journey; so one
// server draws the first two, as the binary does, and the other journeys begin with what it has drawn. Examples, which take
// minutes, are plain squares.
var drawings struct {
	once   sync.Once
	folder string
}

// drawn gives a folder with the drawings, as they stand in a data folder.
func drawn(t testing.TB) string {
	t.Helper()
	drawings.once.Do(func() { drawings.folder = drawAll(t) })
	if drawings.folder == "" {
		t.Fatal("the first server could not be started")
	}
	return drawings.folder
}

// drawAll lets a server draw. What it has not drawn in a time that is more than enough, the others draw themselves.
func drawAll(t testing.TB) string {
	t.Helper()
	s := emptyStudio(t)
	s.start()
	want := len(presets.Samples()) + len(presets.Locations()) + len(presets.FashionModels()) + len(presets.Backgrounds())
	places := []string{"samples", filepath.Join("service", "previews")}
	count := func() (n int) {
		for _, place := range places {
			files, err := filepath.Glob(filepath.Join(s.data, place, "*.jpg"))
			if err != nil {
				t.Fatal(err)
			}
			n += len(files)
		}
		return n
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	deadline := time.NewTimer(startTimeout)
	defer deadline.Stop()
	for waiting := true; waiting && count() < want; {
		select {
		case <-tick.C:
		case <-deadline.C:
			waiting = false
		}
	}
	s.stop()
	folder, err := os.MkdirTemp("", "atelier-e2e-") //nolint:usetesting // it stays until all tests have run
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range places {
		if err := os.CopyFS(filepath.Join(folder, place), os.DirFS(filepath.Join(s.data, place))); err != nil {
			t.Fatal(err)
		}
	}
	square := testpics.JPEG(testpics.Flat(examples.Side, examples.Side, color.NRGBA{120, 140, 160, 255}))
	if err := os.Mkdir(filepath.Join(folder, "examples"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, a := range catalog.All() {
		if err := os.WriteFile(filepath.Join(folder, "examples", fmt.Sprintf("%d-%s.jpg", examples.Edition, a.Name)), square, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}
