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
	"atelier/internal/killable"
	"atelier/service/render"
)

// TestAgentsHaveExamples draws the example of every agent, from small pictures and short films; of agents that make videos in the same
// way and have no recipe of their own, one. With ATELIER_TEST_EXAMPLES all are drawn as they are shown, into the folder that it names.
func TestAgentsHaveExamples(t *testing.T) {
	tool, err := video.Find(t.Context(), video.Limits{})
	if err != nil && !errors.Is(err, video.ErrMissing) {
		t.Fatal(err)
	}
	keep := os.Getenv("ATELIER_TEST_EXAMPLES")
	small := newShelf(416, "0.5s")
	if keep != "" {
		small = newShelf(longest, filmLength)
	}
	seen := map[render.Shape]bool{}
	for _, a := range catalog.All() {
		shape := render.ShapeOf(a)
		if _, own := recipes[a.Name]; keep == "" && !own && shape != render.ShapeNone && seen[shape] {
			continue
		}
		seen[shape] = true
		t.Run(a.Name, func(t *testing.T) {
			from := small
			if a.Name == "ai-translate" {
				from = newShelf(longest, filmLength) // the words of a smaller sheet leave no room for those of another language
			}
			img, err := drawFrom(t.Context(), a, from, tool, t.TempDir())
			if errors.Is(err, ErrNone) && tool == nil {
				killable.Unable(t, "%v", err)
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
