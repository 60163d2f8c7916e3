package render

import (
	"image/color"
	"strings"
	"unicode"
)

// words are the lower-case words of a text.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// colourNames are the colours a description may name.
var colourNames = map[string]color.NRGBA{
	"white": {242, 241, 238, 255}, "ivory": {240, 234, 218, 255}, "cream": {238, 226, 203, 255},
	"beige": {217, 200, 174, 255}, "sand": {214, 190, 150, 255}, "tan": {200, 168, 128, 255},
	"brown": {122, 84, 58, 255}, "chocolate": {84, 54, 38, 255}, "terracotta": {190, 104, 76, 255},
	"orange": {226, 134, 62, 255}, "peach": {240, 190, 158, 255}, "coral": {232, 122, 104, 255},
	"red": {178, 44, 46, 255}, "burgundy": {104, 28, 44, 255}, "pink": {232, 178, 190, 255},
	"rose": {214, 150, 160, 255}, "purple": {110, 76, 142, 255}, "lavender": {196, 184, 220, 255},
	"lilac": {200, 178, 212, 255}, "blue": {74, 116, 172, 255}, "navy": {34, 46, 78, 255},
	"teal": {48, 122, 124, 255}, "turquoise": {84, 176, 176, 255}, "mint": {186, 220, 202, 255},
	"green": {96, 138, 92, 255}, "olive": {122, 122, 76, 255}, "sage": {168, 182, 156, 255},
	"yellow": {232, 204, 98, 255}, "gold": {196, 156, 84, 255}, "golden": {206, 164, 92, 255},
	"grey": {150, 150, 150, 255}, "gray": {150, 150, 150, 255}, "silver": {190, 192, 196, 255},
	"charcoal": {62, 63, 66, 255}, "black": {34, 34, 36, 255},
}

// placeNames lead from words to the kind of scene they ask for.
var placeNames = map[string]place{
	"studio": studioPlace, "backdrop": studioPlace, "minimal": studioPlace, "podium": studioPlace,
	"wood": woodPlace, "wooden": woodPlace, "table": woodPlace, "desk": woodPlace, "oak": woodPlace, "kitchen": woodPlace,
	"marble": marblePlace, "stone": marblePlace, "bathroom": marblePlace, "spa": marblePlace, "luxury": marblePlace,
	"concrete": concretePlace, "industrial": concretePlace, "loft": concretePlace, "urban": concretePlace, "street": concretePlace, "city": concretePlace,
	"beach": beachPlace, "sea": beachPlace, "ocean": beachPlace, "seaside": beachPlace, "coast": beachPlace,
	"desert": desertPlace, "dune": desertPlace, "dunes": desertPlace,
	"grass": meadowPlace, "garden": meadowPlace, "park": meadowPlace, "meadow": meadowPlace, "field": meadowPlace, "forest": meadowPlace, "nature": meadowPlace, "outdoor": meadowPlace, "outdoors": meadowPlace,
	"snow": snowPlace, "winter": snowPlace, "ski": snowPlace,
	"sky": skyPlace, "clouds": skyPlace,
	"night": nightPlace, "party": nightPlace, "neon": nightPlace, "bar": nightPlace, "club": nightPlace,
}

// wish is what a description asks of a scene.
type wish struct {
	place   place
	colours []color.NRGBA
	light   float64 // Lab steps
	warmth  float64
	sunset  bool // a low sun behind
}

// readWish takes the colours, the place and the light out of a description. A colour or place that the negative
// description names too is left out.
func readWish(text, negative string) wish {
	unwanted := map[string]bool{}
	for _, w := range words(negative) {
		unwanted[w] = true
	}
	out := wish{place: studioPlace}
	placed, named := false, false
	for _, w := range words(text) {
		if unwanted[w] {
			named = false
			continue
		}
		if p, ok := placeNames[w]; ok && !placed {
			out.place, placed = p, true
		}
		c, ok := colourNames[w]
		if ok && !named && len(out.colours) < 3 {
			out.colours = append(out.colours, c) // of "sage green" or "navy blue" the first word says it
		}
		named = ok
		switch w {
		case "bright", "light", "sunny", "airy", "high":
			out.light += 5
		case "dark", "moody", "dim", "dramatic":
			out.light -= 12
		case "sunset", "sunrise", "dawn", "dusk":
			out.sunset = true
			out.warmth += 4
		case "warm", "cosy", "cozy", "autumn", "candle":
			out.warmth += 9
		case "cool", "cold", "icy", "moonlight":
			out.warmth -= 8
		}
	}
	return out
}
