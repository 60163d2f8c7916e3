package render

import (
	"fmt"
	"image"
	"image/color"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// hand writes text in one font and size.
type hand struct {
	face font.Face
	high int // of a line
	size float64
}

// newHand is a hand of letters size pixels high, bold or regular. close it after use.
func newHand(size float64, bold bool) (*hand, error) {
	data := goregular.TTF
	if bold {
		data = gobold.TTF
	}
	parsed, err := opentype.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read the font: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("size the font: %w", err)
	}
	return &hand{face: face, high: int(size * 1.25), size: size}, nil
}

// width is how many pixels a line takes.
func (h *hand) width(line string) int { return font.MeasureString(h.face, line).Ceil() }

// wrap breaks text into lines no wider than wide where words allow, and no more than most; what does not fit ends
// in an ellipsis.
func (h *hand) wrap(text string, wide, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		next := strings.TrimSpace(line + " " + word)
		if line != "" && h.width(next) > wide {
			lines = append(lines, line)
			next = word
		}
		line = next
	}
	if line != "" {
		lines = append(lines, line)
	}
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] += "…"
	}
	return lines
}

// write puts one line on img with its left end at x and its base line at y.
func (h *hand) write(img *image.NRGBA, line string, x, y int, c color.NRGBA) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: h.face, Dot: fixed.P(x, y)}
	d.DrawString(line)
}

// centred writes lines one below the other, each about the middle x, the first base line at y, and gives the next.
func (h *hand) centred(img *image.NRGBA, lines []string, x, y int, c color.NRGBA) int {
	for _, line := range lines {
		h.write(img, line, x-h.width(line)/2, y, c)
		y += h.high
	}
	return y
}

// fitted is the largest hand from size downward in which text takes no more than most lines of wide pixels.
func fitted(text string, size float64, bold bool, wide, most int) (*hand, []string, error) {
	for {
		h, err := newHand(size, bold)
		if err != nil {
			return nil, nil, err
		}
		lines := h.wrap(text, wide, most+1)
		widest := 0
		for _, line := range lines {
			widest = max(widest, h.width(line))
		}
		if len(lines) <= most && widest <= wide || size < 14 {
			return h, h.wrap(text, wide, most), nil
		}
		size *= 0.88
	}
}
