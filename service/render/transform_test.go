package render

import (
	"image"
	"maps"
	"math"
	"slices"
	"testing"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// Each look that words may name is measured in the picture by what the word says, and no photo shows it by itself; in the film
// it comes over the photo in the course of it.
func TestSlowPersonTakesNamedLook(t *testing.T) {
	t.Parallel()
	tool := ffmpeg(t)
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	strand, cheek := f.at(-1.15, 0.9), f.at(0.4, 0.6)
	crown := crownOf(f)
	chest := around2(spot{f.mouth.x, 0.92 * float64(img.Rect.Dy())}, f.span(), 0.05*float64(img.Rect.Dy()))
	corner := image.Rect(0, 0, 60, 60)
	colourful := func(img *image.NRGBA, r image.Rectangle) float64 {
		sum, n := 0.0, 0.0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				p := img.Pix[img.PixOffset(x, y):]
				lab := compose.Lab(p[0], p[1], p[2])
				sum, n = sum+math.Hypot(lab[1], lab[2]), n+1
			}
		}
		return sum / n
	}
	// covered is the share that the six commonest colours take up.
	covered := func(img *image.NRGBA) float64 {
		seen := map[[3]uint8]int{}
		for i := 0; i < len(img.Pix); i += 4 {
			seen[[3]uint8{img.Pix[i] >> 4, img.Pix[i+1] >> 4, img.Pix[i+2] >> 4}]++
		}
		n := 0
		for _, k := range slices.Sorted(maps.Values(seen))[max(0, len(seen)-6):] {
			n += k
		}
		return 4 * float64(n) / float64(len(img.Pix))
	}
	// inked is the share that is much darker than in the photo.
	inked := func(out *image.NRGBA) float64 {
		n := 0
		for i := 0; i < len(img.Pix); i += 4 {
			if lightOf(out.Pix[i:]) < lightOf(img.Pix[i:])-35 {
				n++
			}
		}
		return 4 * float64(n) / float64(len(img.Pix))
	}
	all := img.Rect
	looks := []struct {
		word string
		is   func(out *image.NRGBA) (float64, bool) // what is measured, and whether it is what the word says
	}{
		{"a pencil sketch", func(out *image.NRGBA) (float64, bool) { v := colourful(out, all); return v, v < 5 }},
		{"a marble statue", func(out *image.NRGBA) (float64, bool) {
			v := colourful(out, around2(f.mouth, f.span(), f.span()))
			return v, v < 8
		}},
		{"as graffiti", func(out *image.NRGBA) (float64, bool) { v := covered(out); return v, v > 1.4*covered(img) }},
		{"an old console game", func(out *image.NRGBA) (float64, bool) {
			levels := map[uint8]bool{}
			for i := 0; i < len(out.Pix); i += 4 {
				levels[out.Pix[i]] = true
			}
			return float64(len(levels)), len(levels) <= 32
		}},
		{"anime", func(out *image.NRGBA) (float64, bool) {
			v := inked(out)
			return v, v > 0.01 && v < 0.2 && colourful(out, all) > 1.1*colourful(img, all)
		}},
		{"painted in watercolour", func(out *image.NRGBA) (float64, bool) {
			white := shareOf(out, image.Rect(0, 0, all.Dx(), 7), func(r, g, b int) bool { return min(r, g, b) > 225 })
			return white, white > 0.9 && compose.Measure(out, nil).Mean[0] > compose.Measure(img, nil).Mean[0]+5
		}},
		{"an oil painting", func(out *image.NRGBA) (float64, bool) {
			v := roughness(out, corner)
			return v, v > 1.5*roughness(img, corner)+0.5
		}},
		{"much older", func(out *image.NRGBA) (float64, bool) {
			v := colourful(out, around2(strand, 5, 5))
			return v, v < 0.6*colourful(img, around2(strand, 5, 5))
		}},
		{"bald", func(out *image.NRGBA) (float64, bool) {
			v := labApart(toneIn(out, crown, 5), toneIn(img, cheek, 5))
			return v, v < 0.6*labApart(toneIn(img, crown, 5), toneIn(img, cheek, 5))
		}},
		{"navy hair", func(out *image.NRGBA) (float64, bool) {
			v := toneIn(out, strand, 5)[2]
			return v, v < toneIn(img, strand, 5)[2]-8
		}},
		{"a zombie", func(out *image.NRGBA) (float64, bool) {
			v := toneIn(out, cheek, 4)[1]
			return v, v < toneIn(img, cheek, 4)[1]-6
		}},
		{"a red dress", func(out *image.NRGBA) (float64, bool) {
			v := toneOf(out, chest)[1]
			return v, v > toneOf(img, chest)[1]+20
		}},
	}
	for _, look := range looks {
		t.Run(look.word, func(t *testing.T) {
			t.Parallel()
			values := map[string]any{"textDescription": look.word, "generatedType": "image"}
			files := map[string][]*image.NRGBA{"images": {img}}
			out := drawIt(t, Request{Agent: "portrait-motion", Values: values, Files: files, Seed: 5, Count: 1})
			v, ok := look.is(out)
			was, before := look.is(img)
			t.Logf("%.2f is measured, %.2f in the photo", v, was)
			if !ok || before {
				t.Errorf("%.2f is measured, %.2f in the photo: that is not what the words say", v, was)
			}
			// The film begins with the photo and ends with the look, from near by.
			made := filmIt(t, tool, Request{Values: map[string]any{"textDescription": look.word, "duration": "3s", "resolution": "480p"}, Files: files, Seed: 5},
				VideoJob{Shape: ShapeTransform, Sparse: 12})
			_, frames := framesOf(t, tool, made.Path)
			first, last := frames[0], frames[len(frames)-1]
			w, h := first.Rect.Dx(), first.Rect.Dy()
			as := func(img *image.NRGBA, zoom float64) *image.NRGBA {
				return compose.Cover(imaging.Flatten(img, 255, 255, 255), w, h, compose.Framing{X: 0.5, Y: 0.4, Zoom: zoom})
			}
			if d := unlike(first, as(img, 1), first.Rect); d > 8 {
				t.Errorf("the film begins %.1f levels from the photo", d)
			}
			near, photo := unlike(last, as(out, 1.1), last.Rect), unlike(last, as(img, 1.1), last.Rect)
			t.Logf("at the end the film is %.1f levels from the look and %.1f from the photo", near, photo)
			if near > photo {
				t.Errorf("at the end the film is %.1f levels from the look and %.1f from the photo", near, photo)
			}
		})
	}
}
