package main

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/service/examples"
)

// Where the committed pictures are, and how many bytes they may have together.
const (
	committed = "../../web/examples"
	ofPresets = "../../service/presets/pictures"
	mostBytes = 6_000_000
)

func TestEveryAgentHasItsCommittedPicture(t *testing.T) {
	want := map[string]bool{}
	for _, a := range catalog.All() {
		want[a.Name+".webp"] = true
	}
	total := 0
	for _, folder := range []string{committed, ofPresets} {
		paths, err := filepath.Glob(filepath.Join(folder, "*.webp"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			total += len(data)
			if folder != committed {
				continue
			}
			facts, err := probe.Read(data, int64(len(data)))
			if err != nil || facts.Format != probe.WebP || facts.Width != examples.Side || facts.Height != examples.Side {
				t.Errorf("%s is %+v, %v", path, facts, err)
			}
			if !want[filepath.Base(path)] {
				t.Errorf("%s belongs to no agent", path)
			}
			delete(want, filepath.Base(path))
		}
	}
	for name := range want {
		t.Errorf("%s is missing: run `make pictures`", name)
	}
	if total > mostBytes {
		t.Errorf("the pictures have %d bytes together, want at most %d", total, mostBytes)
	}
}

// The committed pictures are those the code draws: shown by agents whose pictures are drawn soon.
func TestPicturesAreDrawnAsCommitted(t *testing.T) {
	for _, name := range []string{"ai-logo-generator", "ai-flag-generator", "ai-infographic-generator"} {
		a, ok := catalog.Find(name, "")
		if !ok {
			t.Fatalf("there is no agent %s", name)
		}
		path := filepath.Join(t.TempDir(), name+".webp")
		if err := draw(t.Context(), a, nil, path); err != nil {
			t.Fatal(err)
		}
		// Lossy files of one picture differ a little from one machine's arithmetic to another's.
		if d := apart(opened(t, path), opened(t, filepath.Join(committed, name+".webp"))); d > 2 {
			t.Errorf("%s is drawn %.1f of 255 away from its file", name, d)
		}
	}
}

func TestPicturesOfUnknownAgentsAreRemoved(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"kept.webp", "gone.webp", "family-a.svg"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := tidy(folder, map[string]bool{"kept": true}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range left {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); got != "family-a.svg kept.webp" {
		t.Errorf("left: %s", got)
	}
}

func opened(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := imaging.Decode(t.Context(), data, imaging.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// apart is the mean difference of two pictures' bytes.
func apart(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 255
	}
	sum := 0.0
	for i, v := range a.Pix {
		sum += math.Abs(float64(v) - float64(b.Pix[i]))
	}
	return sum / float64(len(a.Pix))
}
