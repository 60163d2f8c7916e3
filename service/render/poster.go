package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// palette is paper, ink and accents that go together.
type palette struct {
	paper, ink, accent, second color.NRGBA
}

var palettes = []palette{
	{color.NRGBA{246, 242, 234, 255}, color.NRGBA{34, 36, 44, 255}, color.NRGBA{214, 92, 66, 255}, color.NRGBA{242, 196, 120, 255}},
	{color.NRGBA{24, 32, 48, 255}, color.NRGBA{240, 240, 236, 255}, color.NRGBA{96, 190, 196, 255}, color.NRGBA{240, 176, 92, 255}},
	{color.NRGBA{232, 238, 230, 255}, color.NRGBA{30, 56, 48, 255}, color.NRGBA{74, 130, 100, 255}, color.NRGBA{236, 186, 160, 255}},
	{color.NRGBA{250, 232, 228, 255}, color.NRGBA{72, 28, 56, 255}, color.NRGBA{196, 64, 108, 255}, color.NRGBA{120, 110, 196, 255}},
}

// set is the item's of n colour sets: another for each of the first n, and for those n apart, which share a layout.
func (r Request) set(n int) int { return (int(uint64(r.Seed)%uint64(n)) + r.Item + r.Item/n) % n }

// palette is the item's, with the description's colours as accents.
func (r Request) palette() palette {
	p := palettes[r.set(len(palettes))]
	n := 0
	for _, c := range readWish(r.text("textDescription"), r.text("negTextDescription")).colours {
		if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) < 24 {
			continue // greys are not accents
		}
		switch n {
		case 0:
			p.accent = c
		case 1:
			p.second = c
		}
		n++
	}
	return p
}

// byWords draws the scene a description asks for, with what it names.
func byWords(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size := req.canvas(image.Pt(1024, 1024))
	if req.asksPortrait() {
		out, err := personByWords(ctx, req, size.X, size.Y)
		if err == nil {
			req.vary().grade(out)
		}
		return out, err
	}
	v := req.vary()
	v.item = req.Item + 1 // with light through a window first: the scene is all there is
	out, err := req.drawnScene(ctx, size.X, size.Y, v)
	if err != nil {
		return nil, err
	}
	req.weathered(out, rain, snow)
	return out, nil
}

// sentenceEnd is what ends a sentence; points and colons within figures do not.
var sentenceEnd = regexp.MustCompile(`\b[.!?:]+(?:\s+|$)|[;\n]`)

// headline is the first sentence of a description, and what follows it.
func headline(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	if at := sentenceEnd.FindStringIndex(text); at != nil {
		return strings.TrimSpace(text[:at[0]]), strings.TrimSpace(text[at[1]:])
	}
	return text, ""
}

// singleQuoted is text in single quotation marks, which apostrophes within words are not.
var singleQuoted = regexp.MustCompile(`(?:^|[\s(])['‘](\S.+?)['’](?:$|[\s.,;:!?)])`)

// brandName is what a description calls the brand: what stands in quotes, or after "called" or "named", or after "for" or "of",
// or its first two words that say more than how it is to look.
func brandName(text string) string {
	if name := quoted(text); name != "" {
		return name
	}
	if name := singleQuoted.FindStringSubmatch(text); name != nil {
		return name[1]
	}
	list := strings.Fields(text)
	if isName(list) {
		return strings.Trim(text, ".,;:!? \n")
	}
	for _, lead := range [][]string{{"called", "named"}, {"for", "of"}} {
		for i, w := range list {
			if slices.Contains(lead, strings.ToLower(w)) {
				if name := nameIn(list[i+1:], lead[0] == "called"); name != "" {
					return name
				}
			}
		}
	}
	for i, w := range list {
		if strings.EqualFold(w, "for") && i+2 < len(list) {
			// No name was given: what it is for stands there.
			if what := []rune(nameIn(list[i+2:], true)); len(what) > 0 {
				return string(unicode.ToUpper(what[0])) + string(what[1:])
			}
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), isManner)
	if len(list) > 2 {
		list = list[:2]
	}
	if len(list) > 1 && strings.ContainsAny(list[0], ",:;.") {
		list = list[:1]
	}
	if name := strings.Trim(strings.Join(list, " "), ".,;:!? "); name != "" {
		return name
	}
	return "Atelier"
}

// isManner tells whether a word of a description says how something looks, or only joins others.
func isManner(word string) bool {
	word = strings.ToLower(strings.Trim(word, ".,;:!? "))
	if _, ok := colourNames[word]; ok {
		return true
	}
	switch word {
	case "a", "an", "the", "and", "or", "in", "on", "with", "tones", "shades", "colour", "colours", "color", "colors", "letters", "lettering", "style",
		"bright", "bold", "dark", "light", "neon", "pastel", "vivid", "colourful", "colorful", "graffiti", "mural", "spray", "paint":
		return true
	}
	return false
}

// nameIn is the name that words begin with, up to four of them: those with capitals, after an article too; or one without, and,
// where the name is given as such, what follows it.
func nameIn(list []string, given bool) string {
	article := false
	if len(list) > 1 {
		switch strings.ToLower(list[0]) {
		case "a", "an", "the", "my", "our", "your":
			article, list = true, list[1:]
		}
	}
	var name []string
	for i, w := range list {
		first, _ := utf8.DecodeRuneInString(w)
		capital := unicode.IsUpper(first) || unicode.IsDigit(first)
		switch strings.ToLower(w) {
		case "with", "in", "on", "and", "that", "which", "by", "using":
			if !capital && (i+1 >= len(list) || strings.ToLower(list[i+1]) == list[i+1]) {
				return strings.Join(name, " ")
			}
		}
		if !capital && i == 0 && article || !capital && i > 0 && !given || len(name) == 4 {
			break
		}
		name = append(name, strings.Trim(w, ".,;:!?"))
		if strings.ContainsAny(w[len(w)-1:], ".,;:!?") {
			break
		}
	}
	return strings.Join(name, " ")
}

// isName tells whether words are a name and nothing else: up to nine, capital but for the small ones between them.
func isName(list []string) bool {
	if len(list) == 0 || len(list) > 9 {
		return false
	}
	for i, w := range list {
		switch strings.ToLower(w) {
		case "of", "the", "and", "for", "de", "la", "le", "du", "des", "von", "und", "der", "&", "+", "y", "e", "et":
			if i > 0 && i < len(list)-1 {
				continue
			}
		}
		first, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(first) && !unicode.IsDigit(first) || strings.ContainsAny(w[len(w)-1:], ".:;!?,") && i < len(list)-1 {
			return false
		}
	}
	return true
}

// on is a colour that can be read on c.
func on(c color.NRGBA) color.NRGBA {
	if lightOf([]uint8{c.R, c.G, c.B}) > 140 {
		return color.NRGBA{28, 28, 34, 255}
	}
	return color.NRGBA{250, 249, 246, 255}
}

func mixed(a, b color.NRGBA, share float64) color.NRGBA {
	mix := func(x, y uint8) uint8 { return byte255(float64(x) + share*(float64(y)-float64(x))) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

func fillRect(img *image.NRGBA, r image.Rectangle, c color.NRGBA) { shapeOver(img, r, c, nil) }

// shapeOver paints c within r where inside, measured in pixels from the edge, is above 0.
func shapeOver(img *image.NRGBA, r image.Rectangle, c color.NRGBA, inside func(x, y float64) float64) {
	r = r.Intersect(img.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			share := 1.0
			if inside != nil {
				share = math.Max(0, math.Min(1, inside(float64(x)+0.5, float64(y)+0.5)))
			}
			if share == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			p[0] = byte255(float64(p[0]) + share*(float64(c.R)-float64(p[0])))
			p[1] = byte255(float64(p[1]) + share*(float64(c.G)-float64(p[1])))
			p[2] = byte255(float64(p[2]) + share*(float64(c.B)-float64(p[2])))
			p[3] = max(p[3], byte255(255*share))
		}
	}
}
