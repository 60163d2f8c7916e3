package render

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The fonts are read once; faces of any size only read them afterwards.
var (
	regular = sync.OnceValues(func() (*sfnt.Font, error) { return opentype.Parse(goregular.TTF) })
	bolder  = sync.OnceValues(func() (*sfnt.Font, error) { return opentype.Parse(gobold.TTF) })
)

// hand writes text in one font and size.
type hand struct {
	face font.Face
	high int // of a line
	size float64
}

// newHand is a hand of letters size pixels high, bold or regular.
func newHand(size float64, bold bool) (*hand, error) {
	read := regular
	if bold {
		read = bolder
	}
	parsed, err := read()
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("size the font: %w", err)
	}
	return &hand{face: face, high: int(size * 1.25), size: size}, nil
}

// legible is text as the bundled fonts can write it: what they have no letters for is left out. When that is most of it,
// the error names the characters.
// ASSUMED [Letters that can be written]: the documents do not say which scripts a generator can write; the fonts here are Latin, Greek and Cyrillic.
func legible(text string) (string, error) {
	parsed, err := regular()
	if err != nil {
		return "", fmt.Errorf("read the font: %w", err)
	}
	var buf sfnt.Buffer
	var out, missing []rune
	seen := map[rune]bool{}
	known, unknown := 0, 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			out = append(out, r)
			continue
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		index, err := parsed.GlyphIndex(&buf, r)
		if err != nil || index == 0 {
			if r == '→' || r == '⇒' {
				out = append(out, '-', '>')
				continue
			}
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				unknown++
				if !seen[r] && len(missing) < 8 {
					missing = append(missing, r)
				}
				seen[r] = true
			}
			out = append(out, ' ')
			continue
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			known++
		}
		out = append(out, r)
	}
	if unknown > known {
		return "", fmt.Errorf("%w: the letters %s cannot be drawn, only Latin, Greek and Cyrillic ones", ErrInvalid, string(missing))
	}
	return strings.TrimSpace(string(out)), nil
}

// width is how many pixels a line takes.
func (h *hand) width(line string) int { return font.MeasureString(h.face, line).Ceil() }

// wrap breaks text into lines no wider than wide, between words where that is possible, and no more than most; what does
// not fit ends in an ellipsis.
func (h *hand) wrap(text string, wide, most int) []string {
	var lines []string
	line := ""
	for _, word := range unbroken(text) {
		next := strings.TrimSpace(line + " " + word)
		if line != "" && h.width(next) > wide {
			lines = append(lines, line)
			next = word
		}
		for h.width(next) > wide && len([]rune(next)) > 1 {
			head := h.fitting(next, wide)
			lines = append(lines, head)
			next = next[len(head):]
		}
		if line = next; len(lines) > most {
			break
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines = lines[:most]
		if most > 0 {
			last := []rune(lines[most-1])
			for len(last) > 1 && h.width(string(last)+"…") > wide {
				last = last[:len(last)-1]
			}
			lines[most-1] = strings.TrimRight(string(last), " ,.;:") + "…"
		}
	}
	return lines
}

// unbroken are the words of a text; a sign such as % stays with the number before it.
func unbroken(text string) []string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		if n := len(out); n > 0 && strings.ContainsRune("%‰€$£¥°", []rune(word)[0]) && len([]rune(word)) < 4 {
			if before := out[n-1]; unicode.IsDigit(rune(before[len(before)-1])) {
				out[n-1] += " " + word
				continue
			}
		}
		out = append(out, word)
	}
	return out
}

// fitting is the beginning of a word that takes at most wide pixels, one letter at least.
func (h *hand) fitting(word string, wide int) string {
	end := 0
	for i, r := range word {
		next := i + len(string(r))
		if end > 0 && h.width(word[:next]) > wide {
			break
		}
		end = next
	}
	return word[:end]
}

// write puts one line on img with its left end at x and its base line at y.
func (h *hand) write(img *image.NRGBA, line string, x, y int, c color.NRGBA) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: h.face, Dot: fixed.P(x, y)}
	d.DrawString(line)
}

// spaced writes one line with its letters set apart by gap pixels, about the middle x.
func (h *hand) spaced(img *image.NRGBA, line string, x, y, gap int, c color.NRGBA) {
	letters := []rune(line)
	x -= (h.width(line) + gap*(len(letters)-1)) / 2
	for _, r := range letters {
		h.write(img, string(r), x, y, c)
		x += h.width(string(r)) + gap
	}
}

// centred writes lines one below the other, each about the middle x, the first base line at y.
func (h *hand) centred(img *image.NRGBA, lines []string, x, y int, c color.NRGBA) {
	for _, line := range lines {
		h.write(img, line, x-h.width(line)/2, y, c)
		y += h.high
	}
}

// middled writes lines about the middle (x, y), both ways.
func (h *hand) middled(img *image.NRGBA, lines []string, x, y int, c color.NRGBA) {
	h.centred(img, lines, x, y-(len(lines)-1)*h.high/2+int(0.36*h.size), c)
}

// fitted is the largest hand from size downward in which text takes no more than most lines of wide pixels.
func fitted(text string, size float64, bold bool, wide, most int) (*hand, []string, error) {
	return measured(text, size, bold, wide, func(h *hand) int { return most })
}

// inBox is the largest hand from size downward in which text fits into a box of wide × high pixels.
func inBox(text string, size float64, bold bool, wide, high int) (*hand, []string, error) {
	return measured(text, size, bold, wide, func(h *hand) int { return max(1, high/max(1, h.high)) })
}

// wholly is inBox for a text of which nothing may be left out: what does not fit in legible letters is an error.
func wholly(text string, size float64, bold bool, wide, high int) (*hand, []string, error) {
	h, lines, err := inBox(text, size, bold, wide, high)
	if err == nil && joined(lines...) != joined(text) {
		short := []rune(strings.Join(strings.Fields(text), " "))
		if len(short) > 40 {
			short = append(short[:40], '…')
		}
		return nil, nil, &UnseenError{"“" + string(short) + "” is too long for its place in the picture. Shorten it."}
	}
	return h, lines, err
}

// joined is texts without the spaces between their words.
func joined(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), "")
}

// smallest is the size of the letters below which text is not made, px.
const smallest = 11

// measured is the largest hand from size downward in which text takes no more lines than most allows without breaking a
// word; smaller than legible letters do not get.
func measured(text string, size float64, bold bool, wide int, most func(*hand) int) (*hand, []string, error) {
	for {
		h, err := newHand(size, bold)
		if err != nil {
			return nil, nil, err
		}
		limit := most(h)
		if size <= smallest {
			return h, h.wrap(text, wide, limit), nil
		}
		whole := true
		for _, word := range unbroken(text) {
			whole = whole && h.width(word) <= wide
		}
		if lines := h.wrap(text, wide, limit+1); whole && len(lines) <= limit {
			return h, lines, nil
		}
		size = max(smallest, size*0.92)
	}
}
