package examples

import (
	"errors"
	"image"
	"testing"

	"atelier/catalog"
	"atelier/imaging/video"
	"atelier/internal/killable"
)

// TestSlowExamplesAreDrawn draws, from small pictures and short videos, the examples of one agent of each family and of each picture that
// recipes begin with.
func TestSlowExamplesAreDrawn(t *testing.T) {
	tool, err := video.Find(t.Context(), video.Limits{})
	if err != nil && !errors.Is(err, video.ErrMissing) {
		t.Fatal(err)
	}
	small := newShelf(416, "0.5s")
	seen := map[string]bool{}
	for _, a := range catalog.All() {
		first := false
		for _, what := range append([]string{"family " + a.Family}, recipes[a.Name].pictures...) {
			first = first || !seen[what]
			seen[what] = true
		}
		if !first {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			from := small
			if a.Name == "ai-translate" {
				from = newShelf(longest, filmLength) // a smaller sheet has no room for the words of another language
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

func TestWithoutFFmpegAgentsThatMakeVideosHaveNoExample(t *testing.T) {
	a, _ := catalog.Find("text-to-video", "")
	if _, err := Draw(t.Context(), a, nil, t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("Draw = %v, want ErrNone", err)
	}
}
