package render

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"atelier/imaging/compose"
)

func TestSlowGeneralEditsDoWhatTheWordsSay(t *testing.T) {
	t.Parallel()
	photo := still(320, 240)
	grey := func(img *image.NRGBA) bool {
		s := compose.Measure(img, nil)
		return math.Abs(s.Mean[1]) < 1.5 && math.Abs(s.Mean[2]) < 1.5 && s.Std[1] < 2
	}
	tests := []struct {
		text string
		ok   func(img *image.NRGBA) bool
	}{
		{"black and white", grey},
		{"remove the background", func(img *image.NRGBA) bool { return img.NRGBAAt(2, 2).A == 0 && img.NRGBAAt(160, 132).A == 255 }},
		{"blue background", func(img *image.NRGBA) bool { c := img.NRGBAAt(4, 4); return c.B > c.R+20 }},
		{"mirror it", func(img *image.NRGBA) bool { return unlike(img, photo, photo.Rect) > 1 }},
		{"rotate right", func(img *image.NRGBA) bool { return img.Rect.Size() == image.Pt(240, 320) }},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			out := drawIt(t, Request{Agent: "own-editor", Values: map[string]any{"textDescription": tt.text}, Files: map[string][]*image.NRGBA{"images": {photo}}})
			if !tt.ok(out) {
				t.Errorf("%q gives a picture of %v that does not show it", tt.text, out.Rect.Size())
			}
		})
	}
	for _, tt := range []struct {
		ratio, size, quality string
		want                 image.Point
	}{{"16:9", "1K", "", image.Pt(1024, 576)}, {"1:8", "1K", "high", image.Pt(128, 1024)}, {"8:1", "1K", "", image.Pt(1024, 128)}, {"auto", "1K", "max", image.Pt(1024, 768)}, {"2:3", "3K", "", image.Pt(2048, 3072)}} {
		values := map[string]any{"textDescription": "brighter", "aspectRatio": tt.ratio, "imageSize": tt.size, "quality": tt.quality}
		out := drawIt(t, Request{Agent: "own-editor", Values: values, Files: map[string][]*image.NRGBA{"images": {photo}}})
		if out.Rect.Size() != tt.want {
			t.Errorf("%s at %s is %v, want %v", tt.ratio, tt.size, out.Rect.Size(), tt.want)
		}
	}
}

func TestAColourIsForTheGarmentThatIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"make the blouse green": maskUpper, "a red cardigan": maskUpper, "black leggings": maskLower, "a white robe": maskApparel, "a red bag": "", "Red jeans, please": maskLower, "a burgundy dress": maskApparel, "make the outfit navy": maskApparel, "red hair": maskHead, "warmer colours": "",
	} {
		if got := readEdits(Request{Values: map[string]any{"textDescription": text}}).protected; got != want {
			t.Errorf("%q changes %q, want %q", text, got, want)
		}
	}
}

// things in plain colours, each on a pale ground.
func thingIn(c color.NRGBA) *image.NRGBA {
	img := plain(240, 240, color.NRGBA{226, 222, 216, 255})
	for y := range 240 {
		for x := range 240 {
			if inObject(x, y, 240, 240) {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	return img
}

// showing is the share of a picture that has a colour, in about any light.
func showing(img *image.NRGBA, c color.NRGBA) float64 {
	want := compose.Lab(c.R, c.G, c.B)
	return shareOf(img, img.Rect, func(r, g, b int) bool {
		lab := compose.Lab(uint8(r), uint8(g), uint8(b))
		return math.Hypot(lab[1]-want[1], lab[2]-want[2]) < 22 && math.Abs(lab[0]-want[0]) < 30
	})
}

// The colour of each reference is found in the pictures made of it.
func TestSlowEachReferenceShows(t *testing.T) {
	t.Parallel()
	colours := []color.NRGBA{{196, 30, 36, 255}, {30, 60, 190, 255}, {226, 190, 20, 255}, {20, 130, 60, 255}, {150, 30, 150, 255}, {230, 120, 20, 255}}
	var objects []*image.NRGBA
	for _, c := range colours {
		objects = append(objects, thingIn(c))
	}
	ground := pattern(400, 300, 0, 0)
	for _, tt := range []struct {
		text   string
		n      int // of objects before the ground
		behind bool
	}{
		{"a calm still life", 1, true},
		{"a calm still life", 2, true},
		{"a calm still life", 3, true},
		{"a calm still life", 4, true},
		{"a collage", 3, false},
		{"a calm still life", 6, false},
	} {
		t.Run(fmt.Sprintf("%s of %d", tt.text, tt.n), func(t *testing.T) {
			t.Parallel()
			for item := range 2 {
				list := append(slices.Clone(objects[:tt.n]), ground)
				out := drawIt(t, Request{Agent: "image-studio", Item: item, Count: 2, Seed: 4, Values: map[string]any{"textDescription": tt.text}, Files: map[string][]*image.NRGBA{"images": list}})
				for _, c := range colours[:tt.n] {
					if share := showing(out, c); share < 0.01 {
						t.Errorf("item %d: %.3f of the result has the colour of the reference %v", item, share, c)
					}
				}
				for _, c := range colours[tt.n:] {
					if share := showing(out, c); share > 0.01 {
						t.Errorf("item %d: %.3f of the result has the colour %v of no reference", item, share, c)
					}
				}
				if !tt.behind {
					continue
				}
				w, h := out.Rect.Dx(), out.Rect.Dy()
				for _, r := range []image.Rectangle{image.Rect(0, 0, w/4, h/5), image.Rect(3*w/4, 0, w, h/5)} {
					if d := labApart(toneOf(out, r), compose.Measure(ground, nil).Mean); d > 16 {
						t.Errorf("item %d: at %v the last reference is not behind the others, it is %.0f from its colours", item, r, d)
					}
				}
			}
		})
	}
}

func TestSlowQuotedWordsAreWritten(t *testing.T) {
	t.Parallel()
	others := []string{"LANTERN", "MERIDIAN", "COBALT", "HARVEST"}
	for _, tt := range []struct {
		agent string
		files []*image.NRGBA
	}{
		{"image-studio", nil},
		{"image-studio", []*image.NRGBA{still(600, 480)}},
		{"image-studio", []*image.NRGBA{thingIn(color.NRGBA{196, 30, 36, 255}), plain(640, 480, color.NRGBA{90, 120, 110, 255})}},
		{"z-image", nil},
	} {
		draw := func(text string) *image.NRGBA {
			return drawIt(t, Request{Agent: tt.agent, Values: map[string]any{"textDescription": text}, Files: map[string][]*image.NRGBA{"images": tt.files}, Seed: 2, Count: 1})
		}
		out := draw("a calm studio with “HARBOUR” below")
		if got, apart := bestRead(t, out, append(others, "HARBOUR")...); got != "HARBOUR" {
			t.Errorf("%s of %d pictures: it reads %q (%.2f)", tt.agent, len(tt.files), got, apart)
		}
		if changed := changedIn(out, draw("a calm studio with below")); changed.Empty() || changed.Min.Y < out.Rect.Dy()/2 {
			t.Errorf("%s of %d pictures: the words change %v of %v", tt.agent, len(tt.files), changed, out.Rect)
		}
	}
	_, err := Render(t.Context(), Request{Agent: "z-image", Values: map[string]any{"textDescription": "“" + strings.Repeat("so many words ", 400) + "”"}}, Segmentation{})
	if u := (*UnseenError)(nil); !errors.As(err, &u) {
		t.Errorf("a text that does not fit: %v", err)
	}
}

func TestSlowHigherQualityIsFiner(t *testing.T) {
	t.Parallel()
	soft := compose.Blur(still(480, 360), 2)
	detail := map[string]float64{}
	drawn := map[string]*image.NRGBA{}
	levels := []string{"low", "medium", "high", "xhigh", "max"}
	for _, q := range levels {
		values := map[string]any{"textDescription": "a calm beach", "quality": q}
		out := drawIt(t, Request{Agent: "image-quality", Values: values, Files: map[string][]*image.NRGBA{"images": {soft}}, Seed: 2, Count: 1})
		detail[q] = roughness(out, out.Rect.Inset(4))
		drawn[q] = drawIt(t, Request{Agent: "image-quality", Values: values, Seed: 2, Count: 1})
	}
	for i, q := range levels[1:] {
		if before := levels[i]; detail[q] < 1.005*detail[before] {
			t.Errorf("a photo at %s has detail of %.3f, at %s of %.3f", q, detail[q], before, detail[before])
		}
		// Drawn finer and reduced, it is nearer to what the highest quality draws.
		if i > 0 && i < len(levels)-2 {
			if a, b := unlike(drawn[levels[i]], drawn["max"], drawn["max"].Rect), unlike(drawn[q], drawn["max"], drawn["max"].Rect); b > a {
				t.Errorf("drawn at %s a scene is %.2f levels from the best, at %s %.2f", q, b, levels[i], a)
			}
		}
	}
	t.Logf("detail %v", detail)
}
