package render

import (
	"errors"
	"image"
	"slices"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/testpics"
)

func TestSlowResultSizeIsKnownBefore(t *testing.T) {
	t.Parallel()
	resultSizeIsKnown(t)
}

// TestResultSizeIsKnownBefore is the short form of TestSlowResultSizeIsKnownBefore.
func TestResultSizeIsKnownBefore(t *testing.T) {
	t.Parallel()
	resultSizeIsKnown(t, "aiproduct", "ai-flag-generator", "ai-poster", "image-edit")
}

// resultSizeIsKnown compares ResultSize with what Render makes, of the named agents or all.
func resultSizeIsKnown(t *testing.T, names ...string) {
	t.Helper()
	layouts := []string{"ai-infographic-generator", "flowchart-generator", "ai-collage-maker", "ai-logo-generator"}
	person := testpics.Astronaut()
	upright := imaging.Crop(imaging.Resize(person, 320, 320), image.Rect(20, 0, 260, 320))
	square := imaging.Resize(person, 300, 300)
	for _, a := range catalog.All() {
		if a.Makes != catalog.MakesImage || slices.Contains(layouts, a.Name) ||
			len(names) > 0 && !slices.Contains(names, a.Name) {
			continue
		}
		shapes := []map[string]any{{}}
		if _, ok := a.Param("aspectRatio"); ok {
			shapes = append(
				shapes,
				map[string]any{"aspectRatio": "16:9"},
				map[string]any{"aspectRatio": "auto", "imageSize": "1K"},
			)
		}
		if _, ok := a.Param("resizeToOriginalImage"); ok {
			shapes = append(shapes, map[string]any{"resizeToOriginalImage": true})
		}
		for _, values := range shapes {
			for _, given := range []bool{true, false} {
				req := Request{
					Agent: a.Name,
					Values: map[string]any{
						"textDescription": "look left, walk",
						"targetWidth":     400.0,
						"targetHeight":    360.0,
						"fillTop":         5.0,
					},
					Files: map[string][]*image.NRGBA{},
					Seed:  5,
					Count: 1,
				}
				for k, v := range values {
					req.Values[k] = v
				}
				for _, f := range a.Files {
					if !given {
						break
					}
					req.Files[f.Name] = []*image.NRGBA{upright, square}[:min(2, f.Max)]
					if f.Source {
						req.Original, req.OriginalSize = upright, image.Pt(480, 640)
					}
				}
				seg, err := Segment(t.Context(), req)
				if errors.Is(err, ErrMissingInput) {
					continue
				}
				if _, unseen := errors.AsType[*UnseenError](err); unseen {
					continue // it does not show what the agent works on
				}
				out, err := Render(t.Context(), req, seg)
				if _, unseen := errors.AsType[*UnseenError](err); unseen {
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", a.Name, err)
				} else if got := ResultSize(req); got != out.Rect.Size() {
					t.Errorf("%s, pictures %v, %v: said %v, made %v", a.Name, given, values, got, out.Rect.Size())
				}
			}
		}
	}
}
