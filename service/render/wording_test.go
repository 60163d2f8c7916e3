package render

import (
	"image"
	"image/color"
	"regexp"
	"slices"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/service/presets"
)

// Weather that is named is seen in pictures as it is over videos: bright streaks or flakes on what is there without it.
func TestSlowNamedWeatherShows(t *testing.T) {
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

func TestSlowGarmentsAndColoursByName(t *testing.T) {
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

// wordings are words that the lines of the catalog say an agent reads, and words that it does not. Agents that draw what words name
// have no other words.
var wordings = map[string]struct{ read, other string }{
	"ai-selfie":                   {"on the beach", "holding hands"},
	"ai-zombie":                   {"purple", "holding hands"},
	"bangs-filter":                {"copper red hair", "holding hands"},
	"chibi-maker":                 {"emerald green", "holding hands"},
	"gender-swap":                 {"as a woman", "holding hands"},
	"mugshot-creator":             {"Riverside", ""},
	"skin-color-changer":          {"very dark", "holding hands"},
	"ai-hair-color-changer":       {"navy blue", "holding hands"},
	"hair-color-try-on":           {"navy blue", "holding hands"},
	"ai-translate":                {"PANE FRESCO", ""},
	"image-to-sketch":             {"in blue", "holding hands"},
	"ai-3d-rendering":             {"emerald green", "holding hands"},
	"outfit-generator":            {"emerald green", "holding hands"},
	"ai-hairstyle-changer":        {"curly", "holding hands"},
	"ai-room-planner":             {"industrial", "holding hands"},
	"ai-tattoo-generator":         {"a rose", "holding hands"},
	"ai-spray-paint":              {"emerald green", "holding hands"},
	"wild-graffiti-generator":     {"bright and warm", "holding hands"},
	"ai-dog":                      {"a black dog", "holding hands"},
	"ai-action-figure-generators": {"Captain Max", ""},
	"ai-flag-generator":           {"emerald green", "holding hands"},
	"ghibli-art-create":           {"bright and warm", "holding hands"},
	"random-animal-generator":     {"an owl", "holding hands"},
	"ai-headshot-generator":       {"emerald green", "holding hands"},
	"ai-clothes-changer":          {"only the trousers", "holding hands"},
	"ai-couple-photo-maker":       {"on the beach", "holding hands"},
	"ai-group-photo-generator":    {"on the beach", "holding hands"},
	"ai-collage-maker":            {"emerald green", "bright and warm, holding hands"},
	"baby-face-generator":         {"with blue eyes", "holding hands"},
	"ai-landscape-design-free":    {"a pond", "holding hands"},
	"ai-photoshoot":               {"in the rain", "holding hands"},
	"ai-infographic-generator":    {"Tea 40 %, coffee 60 %", ""},
	"flowchart-generator":         {"Mix, then bake", ""},
	"ai-logo-generator":           {"Kette", ""},
	"z-image":                     {"an owl", "holding hands"},
	"ai-poster":                   {"Summer festival", ""},
	"ai-poster-from-images":       {"Summer festival", ""},
	"flat-lay":                    {"a cup of coffee", "holding hands"},
	"face-forge":                  {"with white hair", "holding hands"},
	"aimodel":                     {"on the beach", "holding hands"},
	"aiproduct":                   {"on the beach", "holding hands"},
	"aipose":                      {"lean left", ""},
	"virtualtryon":                {"on the beach", "holding hands"},
	"image-studio":                {"as a sketch", ""},
	"image-search":                {"as a sketch", ""},
	"image-light":                 {"as a sketch", ""},
	"image-quality":               {"as a sketch", ""},
	"image-edit":                  {"as a sketch", ""},
}

// What the catalog says of an agent's words is so, for every agent that takes words and makes pictures: where light and warmth alone are
// followed, other words change nothing; where none are read, none do; and where its line tells what they are for, such words change the
// picture and others do not.
func TestSlowUnreadWordsChangeNothing(t *testing.T) {
	t.Parallel()
	unreadWordsChangeNothing(t, func(catalog.Agent) bool { return true })
}

// TestUnreadWordsChangeNothing checks what the catalog says of every agent's words, and draws one agent of each family.
func TestUnreadWordsChangeNothing(t *testing.T) {
	t.Parallel()
	unreadWordsChangeNothing(t, oneOfEachFamily())
}

// oneOfEachFamily returns a function that reports true for the first agent of each family it is called with.
func oneOfEachFamily() func(catalog.Agent) bool {
	seen := map[string]bool{}
	return func(a catalog.Agent) bool {
		first := !seen[a.Family]
		seen[a.Family] = true
		return first
	}
}

// unreadWordsChangeNothing checks what the catalog says of every agent's words, and draws those agents that drawn chooses.
func unreadWordsChangeNothing(t *testing.T, drawn func(catalog.Agent) bool) {
	t.Helper()
	for _, a := range catalog.All() {
		if !slices.ContainsFunc(a.Params, func(p catalog.Param) bool { return p.Name == "textDescription" }) {
			continue
		}
		lightAlone, none := strings.Contains(a.Embedded, "only light and warmth are used"), strings.Contains(a.Embedded, "Text is not used.")
		wording, told := wordings[a.Name]
		if !lightAlone && !none && !tellsOfWords.MatchString(a.Embedded) {
			t.Errorf("%s takes words and does not say what for: %s", a.Name, a.Embedded)
		}
		if a.Makes != catalog.MakesImage || a.Family == "G" {
			continue
		}
		if told == (lightAlone || none) {
			t.Errorf("%s: words to try are known: %v; its line says that words change nothing else: %v", a.Name, told, !told)
			continue
		}
		if !drawn(a) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			req := worded(t, a.Name)
			draw := func(text string) *image.NRGBA {
				req.Values["textDescription"] = text
				return drawIt(t, req)
			}
			if told {
				plain := draw(map[string]string{"aipose": "closer", "ai-translate": "AQUA"}[a.Name]) // these fail without words
				if d := worlds(draw(wording.read), plain); d == 0 {
					t.Errorf("%q, which it says it reads, changes nothing", wording.read)
				}
				if wording.other != "" {
					if d := worlds(draw(wording.other), plain); d != 0 {
						t.Errorf("%q, which it does not say it reads, changes the picture by %.2f levels", wording.other, d)
					}
				}
				return
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
}

// tellsOfWords is what a line says of the words that are read.
var tellsOfWords = regexp.MustCompile(`(?i)\bwords?\b|\byou (name|write)\b|\byour (numbers|description|text)\b`)

// worlds is how far two pictures are apart; those of different sizes are wholly.
func worlds(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 255
	}
	return unlike(a, b, a.Rect)
}

// worded is a request for an agent whose words are tried: with somebody to change, where it changes people.
func worded(t *testing.T, agent string) Request {
	t.Helper()
	req := example(t, agent)
	switch agent {
	case "pregnant_ai", "ai-translate", "ai-room-planner", "glasses-remover-from-photo":
		return req
	case "ai-clothes-changer":
		whole, err := presets.Samples()[2].Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		req.Original = imaging.Fit(whole, 256, 352)
		other := imaging.Clone(req.Original)
		compose.Grade(other, -20, 30, 1)
		req.Files = map[string][]*image.NRGBA{"images": {req.Original, other}}
		return req
	}
	portrait, err := smallSitter()
	if err != nil {
		t.Fatal(err)
	}
	req.Original, req.Files = portrait, map[string][]*image.NRGBA{"images": {portrait, portrait}}
	switch agent {
	case "ai-dog", "ai-flag-generator", "random-animal-generator", "baby-face-generator", "z-image", "ai-infographic-generator", "flowchart-generator", "ai-logo-generator", "face-forge":
		req.Original, req.Files = nil, nil
	}
	return req
}
