package render

import (
	"image/color"
	"slices"
	"strings"
	"unicode"

	"atelier/service/presets"
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
	"khaki": {168, 152, 112, 255}, "camel": {190, 148, 98, 255}, "mustard": {206, 164, 54, 255}, "ochre": {196, 140, 62, 255}, "amber": {222, 160, 58, 255},
	"rust": {162, 78, 44, 255}, "bronze": {146, 104, 60, 255}, "copper": {176, 98, 64, 255}, "maroon": {96, 26, 36, 255}, "crimson": {164, 28, 50, 255},
	"scarlet": {204, 42, 34, 255}, "fuchsia": {204, 52, 134, 255}, "magenta": {190, 46, 140, 255}, "mauve": {172, 132, 160, 255}, "plum": {98, 48, 88, 255},
	"violet": {120, 78, 168, 255}, "indigo": {58, 58, 130, 255}, "denim": {70, 98, 142, 255}, "cobalt": {30, 72, 164, 255}, "cyan": {60, 176, 204, 255},
	"aqua": {92, 192, 192, 255}, "emerald": {26, 124, 88, 255}, "lime": {158, 200, 70, 255}, "nude": {222, 186, 162, 255},
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

// presetWords lead from words to the preset location they name, by its id. What is not here is drawn by placeNames.
var presetWords = map[string]int64{
	"loft": 1005, "apartment": 1005, "bedroom": 1005, "window": 1005,
	"hall": 1006, "palace": 1006, "museum": 1006, "gallery": 1006, "lobby": 1006, "arches": 1006, "arch": 1006,
	"boutique": 1007, "shop": 1007, "store": 1007, "showroom": 1007, "wardrobe": 1007,
	"palm": 1008, "sunlit": 1008,
	"terrace": 1009, "rooftop": 1009, "balcony": 1009,
	"beach": 1011, "sea": 1011, "ocean": 1011, "seaside": 1011, "coast": 1011, "shore": 1011,
	"desert": 1012, "dune": 1012, "dunes": 1012, "sahara": 1012,
	"forest": 1013, "woods": 1013, "woodland": 1013, "jungle": 1013, "trees": 1013,
	"flower": 1014, "flowers": 1014, "meadow": 1014, "field": 1014, "wildflowers": 1014, "poppies": 1014, "spring": 1014,
	"snow": 1015, "snowy": 1015, "winter": 1015, "ski": 1015, "alpine": 1015,
	"lake": mountainLake, "lakeside": mountainLake, "lakeshore": mountainLake, "mountain": mountainLake, "mountains": mountainLake, "alps": mountainLake, "fjord": mountainLake, "loch": mountainLake,
}

const nightStreet, mountainLake, dayStreet = 1010, 1016, 1017

// nightWords turn a street into the city at night.
var nightWords = map[string]bool{"night": true, "neon": true, "midnight": true, "nightlife": true, "evening": true}

// streetWords ask for a city.
var streetWords = map[string]bool{"street": true, "city": true, "urban": true, "downtown": true}

// sceneryWords after "mountain" mean the mountain: what else follows it is a thing, such as a bike.
var sceneryWords = map[string]bool{
	"view": true, "views": true, "landscape": true, "scenery": true, "scene": true, "top": true, "peak": true, "peaks": true, "summit": true, "range": true, "valley": true,
	"lake": true, "pass": true, "path": true, "trail": true, "side": true, "background": true, "backdrop": true, "air": true, "panorama": true,
	"in": true, "on": true, "at": true, "with": true, "and": true, "or": true, "by": true, "under": true, "behind": true, "during": true, "near": true,
}

// surfaceWords say that the place is the top of something: then the hall of a marble table is not meant.
var surfaceWords = map[string]bool{"table": true, "desk": true, "shelf": true, "counter": true, "podium": true, "surface": true, "tabletop": true}

// wish is what a description asks of a scene.
type wish struct {
	place   place
	preset  *presets.Location // that the description names; nil when it names none
	colours []color.NRGBA
	without []color.NRGBA // colours the scene must not show
	light   float64       // Lab steps
	warmth  float64
	colour  float64 // factor of colourfulness, 0 for no wish
	sunset  bool    // a low sun behind
	blurred bool    // what lies behind is to be out of focus
	sharp   bool    // nothing may be out of focus
	unlit   bool    // no beams of sun
	named   bool    // a place is named
}

// readWish takes the colours, the place and the light out of a description. What the negative description names too is
// left out, and what it names of light and focus is turned down.
func readWish(text, negative string) wish {
	unwanted := map[string]bool{}
	out := wish{place: studioPlace}
	for _, w := range words(negative) {
		unwanted[w] = true
		if c, ok := colourNames[w]; ok {
			out.without = append(out.without, c)
		}
		switch w {
		case "dark", "gloomy", "underexposed":
			out.light += 5
		case "bright", "overexposed", "glare":
			out.light -= 5
		case "blur", "blurry", "bokeh":
			out.sharp = true
		case "sun", "sunlight", "sunbeam", "sunbeams", "rays":
			out.unlit = true
		}
	}
	placed, named := false, false
	for _, w := range words(text) {
		if unwanted[w] {
			named = false
			continue
		}
		if p, ok := placeNames[w]; ok && !placed {
			out.place, placed, out.named = p, true, true
		}
		c, ok := colourNames[w]
		if ok && !named && len(out.colours) < 3 {
			out.colours = append(out.colours, c) // of "sage green" or "navy blue" the first word says it
		}
		named = ok
		switch w {
		case "bright", "light", "sunny", "airy", "high", "noon", "midday":
			out.light += 5
		case "dark", "moody", "dim", "dramatic":
			out.light -= 12
		case "sunset", "sunrise", "dawn", "dusk":
			out.sunset = !out.unlit
			out.warmth += 4
		case "warm", "cosy", "cozy", "candle":
			out.warmth += 9
		case "autumn", "autumnal", "fall":
			out.warmth += 11
			out.colour = 0.9
		case "summer":
			out.warmth += 3
			out.colour = 1.1
		case "cool", "cold", "icy", "moonlight":
			out.warmth -= 8
		case "night", "midnight":
			out.light -= 9
			out.warmth -= 5
		case "muted", "pastel", "faded":
			out.colour = 0.75
		case "vivid", "vibrant", "colourful", "colorful":
			out.colour = 1.2
		case "blurred", "bokeh", "blurry":
			out.blurred = true
		}
	}
	out.preset = presetFor(words(text), unwanted)
	return out
}

// says tells whether the description asks for a place or its colours at all.
func (w wish) says() bool {
	return w.preset != nil || w.place != studioPlace || len(w.colours) > 0 || w.named
}

// streetByDay tells whether a place is the street between houses.
func streetByDay(l *presets.Location) bool { return l != nil && l.ID == dayStreet }

// presetFor is the preset location that most words name, nil when none does.
func presetFor(list []string, unwanted map[string]bool) *presets.Location {
	votes := map[int64]int{}
	night, street := false, 0
	for i, w := range list {
		if unwanted[w] {
			continue
		}
		if surfaceWords[w] {
			return nil
		}
		next := append(list[i+1:len(list):len(list)], "in")[0]
		if id, ok := presetWords[w]; ok && (w != "mountain" || sceneryWords[next]) {
			votes[id]++
		}
		night = night || nightWords[w]
		if streetWords[w] {
			street++
		}
	}
	switch {
	case street > 0 && night:
		votes[nightStreet] += 2
	case street > 0:
		votes[dayStreet] += street
	}
	for w := range unwanted {
		delete(votes, presetWords[w])
	}
	var best *presets.Location
	for _, l := range presets.Locations() {
		if n := votes[l.ID]; n > 0 && (best == nil || n > votes[best.ID]) {
			best = &l
		}
	}
	return best
}

// unwanted tells whether the negative description names one of some words.
func (r Request) unwanted(some ...string) bool {
	return slices.ContainsFunc(words(r.text("negTextDescription")), func(w string) bool { return slices.Contains(some, w) })
}
