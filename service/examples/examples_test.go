package examples

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/probe"
	"atelier/imaging/video"
	"atelier/service/render"
)

// TestAgentsHaveExamples draws one example of each family and shape, or all of them into the folder that
// ATELIER_TEST_EXAMPLES names.
func TestAgentsHaveExamples(t *testing.T) {
	tool, err := video.Find(t.Context(), video.Limits{})
	if err != nil && !errors.Is(err, video.ErrMissing) {
		t.Fatal(err)
	}
	keep := os.Getenv("ATELIER_TEST_EXAMPLES")
	type kind struct {
		family string
		shape  render.Shape
	}
	seen := map[kind]bool{}
	for _, a := range catalog.All() {
		k := kind{a.Family, render.ShapeOf(a)}
		if keep == "" && seen[k] {
			continue
		}
		seen[k] = true
		t.Run(a.Name, func(t *testing.T) {
			img, err := Draw(t.Context(), a, tool, t.TempDir())
			if errors.Is(err, ErrNone) && tool == nil {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if img.Rect.Size() != image.Pt(Side, Side) || plain(img) {
				t.Errorf("the example is %v, of one colour: %v", img.Rect, plain(img))
			}
			if keep != "" {
				save(t, filepath.Join(keep, a.Name+".jpg"), img)
			}
		})
	}
}

// plain says whether a picture is one colour.
func plain(img *image.NRGBA) bool {
	for i := 4; i < len(img.Pix); i += 4 {
		if img.Pix[i] != img.Pix[0] || img.Pix[i+1] != img.Pix[1] || img.Pix[i+2] != img.Pix[2] {
			return false
		}
	}
	return true
}

func save(t *testing.T, path string, img *image.NRGBA) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(imaging.Encode(f, img, imaging.EncodeOptions{Format: probe.JPEG, Quality: 88}), f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestWithoutFFmpegAgentsThatMakeVideosHaveNoExample(t *testing.T) {
	a, _ := catalog.Find("text-to-video", "")
	if _, err := Draw(t.Context(), a, nil, t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("Draw = %v, want ErrNone", err)
	}
}
