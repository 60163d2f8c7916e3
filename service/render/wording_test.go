package render

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"atelier/catalog"
)

// Weather that is named is seen in pictures as it is over videos: bright streaks or flakes on what is there without it.
func TestWeatherThatIsNamedIsSeen(t *testing.T) {
	t.Parallel()
	person, dark := portrait(t, "Kenji", 240, 320), plain(300, 260, color.NRGBA{60, 66, 72, 255})
	for _, tt := range []struct {
		agent, text string
		files       []*image.NRGBA
	}{
		{"z-image", "a barn on a meadow", nil},
		{"image-studio", "a barn on a meadow", nil},
		{"image-studio", "as it is", []*image.NRGBA{dark}},
		{"ai-photoshoot", "as it is", []*image.NRGBA{person, dark}},
		{"ai-couple-photo-maker", "on the street", []*image.NRGBA{person, person}},
	} {
		t.Run(tt.agent+" "+tt.text, func(t *testing.T) {
			t.Parallel()
			draw := func(more string) *image.NRGBA {
				return drawIt(t, Request{Agent: tt.agent, Seed: 6, Count: 1, Values: map[string]any{"textDescription": tt.text + more}, Files: map[string][]*image.NRGBA{"images": tt.files}})
			}
			dry, wet := draw(""), draw(" in the rain")
			lighter, darker := 0, 0
			for i := 0; i < len(dry.Pix); i += 4 {
				switch d := lightOf(wet.Pix[i:]) - lightOf(dry.Pix[i:]); {
				case d > 6:
					lighter++
				case d < -6:
					darker++
				}
			}
			if all := len(dry.Pix) / 4; lighter < all/150 || lighter > all/2 || darker > lighter {
				t.Errorf("of %d pixels rain makes %d lighter and %d darker", all, lighter, darker)
			}
			if d := unlike(draw(" without rain"), dry, dry.Rect); d > 0.01 {
				t.Errorf("where rain is not wanted the picture changes by %.2f levels", d)
			}
		})
	}
}

func TestClothsAndTheirColoursAreKnownByName(t *testing.T) {
	t.Parallel()
	img, seg := sitter(t)
	f := featuresOf(img, seg.Faces[0])
	chest := spot{f.mouth.x, 0.92 * float64(img.Rect.Dy())}
	tone := func(text string) [3]float64 { return toneIn(made(t, "outfit-generator", text, 0, img, seg), chest, 10) }
	for _, tt := range []struct {
		text string
		is   func(lab [3]float64) bool
	}{
		{"a plain emerald top", func(c [3]float64) bool { return c[1] < -15 }},
		{"a plain mustard top", func(c [3]float64) bool { return c[2] > 25 && c[0] > 45 }},
		{"a plain crimson top", func(c [3]float64) bool { return c[1] > 28 }},
		{"a plain violet top", func(c [3]float64) bool { return c[1] > 8 && c[2] < -12 }},
		{"leather", func(c [3]float64) bool { return c[0] < 40 }},
		{"denim", func(c [3]float64) bool { return c[2] < -10 && c[1] < 8 }},
		{"silk", func(c [3]float64) bool { return c[0] > 70 }},
	} {
		if c := tone(tt.text); !tt.is(c) {
			t.Errorf("%q gives Lab %.0f", tt.text, c)
		}
	}
}

// What the catalog says of an agent's words is so: where light and warmth alone are followed, other words change nothing, and
// where none are read, none do.
func TestWordsThatAreNotReadChangeNothing(t *testing.T) {
	t.Parallel()
	n := 0
	for _, a := range catalog.All() {
		lightAlone, none := strings.Contains(a.Embedded, "only light and warmth are followed"), strings.Contains(a.Embedded, "Words are not read.")
		if !lightAlone && !none {
			continue
		}
		n++
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			req := example(t, a.Name)
			if portrait, err := smallSitter(); err == nil {
				req.Original, req.Files = portrait, map[string][]*image.NRGBA{"images": {portrait, portrait}}
			}
			draw := func(text string) *image.NRGBA {
				req.Values["textDescription"] = text
				return drawIt(t, req)
			}
			plain := draw("")
			if d := unlike(draw("blond hair, green eyes, glasses, a red leather jacket, smiling on the beach in the rain"), plain, plain.Rect); d != 0 {
				t.Errorf("words that are said not to be read change the picture by %.2f levels", d)
			}
			if d := unlike(draw("bright and warm"), plain, plain.Rect); (d > 1) != lightAlone {
				t.Errorf("words for light change the picture by %.2f levels", d)
			}
		})
	}
	if n < 10 {
		t.Errorf("%d agents were looked at", n)
	}
}
