package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"strings"
)

// emblem draws a sign within a circle of radius r about (x, y) in a colour on a ground.
type emblem func(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA)

// emblems are signs by the words that ask for them.
var emblems = map[string]emblem{
	"leaf": leafSign, "fern": leafSign, "plant": leafSign, "garden": leafSign, "green": leafSign, "organic": leafSign, "nature": leafSign, "bio": leafSign, "tea": leafSign,
	"mountain": peakSign, "mountains": peakSign, "alpine": peakSign, "hiking": peakSign, "outdoor": peakSign, "adventure": peakSign, "adventures": peakSign, "peak": peakSign,
	"sea": waveSign, "ocean": waveSign, "wave": waveSign, "water": waveSign, "surf": waveSign, "river": waveSign, "swim": waveSign, "sail": waveSign,
	"sun": sunSign, "solar": sunSign, "summer": sunSign, "light": sunSign, "energy": boltSign, "electric": boltSign, "power": boltSign, "fast": boltSign, "sport": boltSign,
	"coffee": cupSign, "cafe": cupSign, "café": cupSign, "roastery": cupSign, "espresso": cupSign, "kitchen": cupSign, "bakery": cupSign,
	"star": starSign, "award": starSign, "stars": starSign, "heart": heartSign, "love": heartSign, "care": heartSign, "health": heartSign,
	"home": houseSign, "house": houseSign, "homes": houseSign, "estate": houseSign, "interior": houseSign, "architects": houseSign, "build": houseSign,
	"moon": moonSign, "night": moonSign, "sleep": moonSign, "book": bookSign, "books": bookSign, "school": bookSign, "library": bookSign, "learning": bookSign,
	"tree": treeSign, "forest": treeSign, "wood": treeSign, "drop": dropSign, "oil": dropSign, "rain": dropSign, "wine": dropSign,
	"anchor": anchorSign, "harbour": anchorSign, "harbor": anchorSign, "marine": anchorSign, "sailor": anchorSign, "skull": skullSign, "pirate": skullSign,
	"crown": crownSign, "king": crownSign, "queen": crownSign, "royal": crownSign, "butterfly": butterflySign, "compass": compassSign, "travel": compassSign,
}

func leafSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	curved(spot{x - 0.75*r, y + 0.75*r}, spot{x - 0.62*r, y - 0.1*r}, spot{x + 0.1*r, y - 0.72*r}, spot{x + 0.85*r, y - 0.85*r}, spot{x + 0.72*r, y - 0.05*r}, spot{x + 0.1*r, y + 0.6*r}).fill(img, c)
	line(0.09*r, 0.03*r, spot{x - 0.75*r, y + 0.8*r}, spot{x - 0.1*r, y + 0.08*r}, spot{x + 0.6*r, y - 0.6*r}).fill(img, ground)
	line(0.06*r, 0.03*r, spot{x - 0.3*r, y + 0.3*r}, spot{x - 0.25*r, y - 0.2*r}).fill(img, ground)
	line(0.06*r, 0.03*r, spot{x + 0.05*r, y - 0.06*r}, spot{x + 0.42*r, y + 0.02*r}).fill(img, ground)
}

func peakSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	polygon(spot{x - r, y + 0.65*r}, spot{x - 0.2*r, y - 0.75*r}, spot{x + 0.25*r, y + 0.02*r}, spot{x + 0.45*r, y - 0.28*r}, spot{x + r, y + 0.65*r}).fill(img, c)
	polygon(spot{x - 0.2*r, y - 0.75*r}, spot{x + 0.06*r, y - 0.3*r}, spot{x - 0.1*r, y - 0.18*r}, spot{x - 0.22*r, y - 0.3*r}, spot{x - 0.36*r, y - 0.16*r}, spot{x - 0.46*r, y - 0.3*r}).fill(img, ground)
}

func waveSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	for n := range 3 {
		dy := (float64(n) - 1) * 0.5 * r
		points := make([]spot, 0, 33)
		for i := range 33 {
			t := float64(i)/16 - 1
			points = append(points, spot{x + t*0.9*r, y + dy + 0.16*r*math.Sin(t*2*math.Pi)})
		}
		line(0.17*r, 0.17*r, points...).fill(img, c)
	}
}

func sunSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	oval(x, y, 0.48*r, 0.48*r, 0).fill(img, c)
	for i := range 12 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 6)
		line(0.12*r, 0.06*r, spot{x + 0.64*r*cos, y + 0.64*r*sin}, spot{x + 0.95*r*cos, y + 0.95*r*sin}).fill(img, c)
	}
}

func boltSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	polygon(spot{x + 0.2*r, y - r}, spot{x - 0.6*r, y + 0.15*r}, spot{x - 0.08*r, y + 0.15*r}, spot{x - 0.22*r, y + r}, spot{x + 0.6*r, y - 0.2*r}, spot{x + 0.08*r, y - 0.2*r}).fill(img, c)
}

func cupSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x+0.55*r, y+0.15*r, 0.3*r, 0.28*r, 0).fill(img, c)
	oval(x+0.55*r, y+0.15*r, 0.18*r, 0.16*r, 0).fill(img, ground)
	curved(spot{x - 0.65*r, y - 0.2*r}, spot{x, y - 0.22*r}, spot{x + 0.55*r, y - 0.2*r}, spot{x + 0.48*r, y + 0.4*r}, spot{x + 0.1*r, y + 0.68*r}, spot{x - 0.25*r, y + 0.68*r}, spot{x - 0.6*r, y + 0.4*r}).fill(img, c)
	card(x-0.75*r, y+0.74*r, x+0.65*r, y+0.84*r, 0.05*r).fill(img, c)
	for i := range 2 {
		dx := (float64(i) - 0.6) * 0.38 * r
		line(0.09*r, 0.03*r, through(false, []spot{{x + dx, y - 0.36*r}, {x + dx - 0.1*r, y - 0.54*r}, {x + dx + 0.1*r, y - 0.74*r}, {x + dx, y - 0.92*r}})...).fill(img, c)
	}
}

func starSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) { starAt(x, y, r, 5).fill(img, c) }

// starAt is a star of n points, one upwards.
func starAt(x, y, r float64, n int) contour {
	inner := 0.42
	if n > 5 {
		inner = 0.62
	}
	var points []spot
	for i := range 2 * n {
		sin, cos := math.Sincos(math.Pi * float64(i) / float64(n))
		k := r
		if i%2 == 1 {
			k *= inner
		}
		points = append(points, spot{x + k*sin, y - k*cos})
	}
	return contour{points}
}

func heartSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) { heartAt(x, y, r).fill(img, c) }

func heartAt(x, y, r float64) contour {
	var points []spot
	for i := range 64 {
		t := 2 * math.Pi * float64(i) / 64
		s := math.Sin(t)
		points = append(points, spot{x + r*0.9*s*s*s, y - r*(13*math.Cos(t)-5*math.Cos(2*t)-2*math.Cos(3*t)-math.Cos(4*t))/17})
	}
	return contour{points}
}

func houseSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	polygon(spot{x - 0.95*r, y - 0.05*r}, spot{x, y - 0.85*r}, spot{x + 0.95*r, y - 0.05*r}, spot{x + 0.68*r, y - 0.05*r}, spot{x + 0.68*r, y + 0.8*r}, spot{x - 0.68*r, y + 0.8*r}, spot{x - 0.68*r, y - 0.05*r}).fill(img, c)
	card(x-0.17*r, y+0.25*r, x+0.17*r, y+0.8*r, 0.04*r).fill(img, ground)
}

func moonSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	oval(x, y, 0.85*r, 0.85*r, 0).fill(img, c)
	oval(x+0.36*r, y-0.2*r, 0.72*r, 0.72*r, 0).fill(img, ground)
	starAt(x+0.4*r, y-0.2*r, 0.24*r, 5).fill(img, c)
}

func bookSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	for _, side := range []float64{-1, 1} {
		curved(spot{x + side*0.05*r, y - 0.5*r}, spot{x + side*0.45*r, y - 0.68*r}, spot{x + side*0.95*r, y - 0.58*r}, spot{x + side*0.95*r, y + 0.5*r}, spot{x + side*0.45*r, y + 0.42*r}, spot{x + side*0.05*r, y + 0.62*r}).fill(img, c)
		for i := range 3 {
			dy := (float64(i) - 1) * 0.26 * r
			line(0.05*r, 0.05*r, spot{x + side*0.25*r, y + dy - 0.06*r}, spot{x + side*0.78*r, y + dy - 0.1*r}).fill(img, ground)
		}
	}
}

func treeSign(img *image.NRGBA, x, y, r float64, c, _ color.NRGBA) {
	for i := range 3 {
		k := 1 - 0.22*float64(2-i)
		top := y - r + 0.45*r*float64(i)
		polygon(spot{x, top}, spot{x + 0.62*k*r, top + 0.72*r}, spot{x - 0.62*k*r, top + 0.72*r}).fill(img, c)
	}
	card(x-0.1*r, y+0.5*r, x+0.1*r, y+0.95*r, 0).fill(img, c)
}

func dropSign(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
	curved(spot{x, y - 0.95*r}, spot{x + 0.32*r, y - 0.3*r}, spot{x + 0.6*r, y + 0.25*r}, spot{x + 0.4*r, y + 0.75*r}, spot{x, y + 0.9*r}, spot{x - 0.4*r, y + 0.75*r}, spot{x - 0.6*r, y + 0.25*r}, spot{x - 0.32*r, y - 0.3*r}).fill(img, c)
	line(0.09*r, 0.04*r, through(false, []spot{{x - 0.36*r, y + 0.25*r}, {x - 0.26*r, y + 0.5*r}, {x - 0.06*r, y + 0.64*r}})...).fill(img, ground)
}

// monogram sets the initials of a name into a turned square, a ring or a hexagon.
func monogram(name string, item int) emblem {
	initials := ""
	for w := range strings.FieldsSeq(name) {
		if r := []rune(w); len([]rune(initials)) < 2 {
			initials += strings.ToUpper(string(r[0]))
		}
	}
	return func(img *image.NRGBA, x, y, r float64, c, ground color.NRGBA) {
		switch item % 3 {
		case 0:
			oval(x, y, r, r, 0).fill(img, c)
			oval(x, y, 0.9*r, 0.9*r, 0).fill(img, ground)
			oval(x, y, 0.84*r, 0.84*r, 0).fill(img, c)
		case 1:
			var points []spot
			for i := range 6 {
				sin, cos := math.Sincos(float64(i) * math.Pi / 3)
				points = append(points, spot{x + r*sin, y - r*cos})
			}
			polygon(points...).fill(img, c)
		default:
			card(x-0.84*r, y-0.84*r, x+0.84*r, y+0.84*r, 0.3*r).fill(img, c)
		}
		if h, lines, err := fitted(initials, 0.95*r, true, int(1.3*r), 1); err == nil {
			h.middled(img, lines, int(x), int(y), ground)
		}
	}
}

// emblemOf is the sign that a description's words ask for, else its name's initials.
func emblemOf(text, name string, item int) emblem {
	for _, w := range words(text) {
		if e, ok := emblems[w]; ok {
			return e
		}
	}
	return monogram(name, item)
}

// logo sets the name of a description with a sign made from its words, in another arrangement for each item: sign above
// name, side by side, a round badge, initials (Run API, "Family C").
func logo(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text, err := legible(req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	size := req.canvas(image.Pt(1024, 1024))
	p := req.palette()
	out := image.NewNRGBA(image.Rectangle{Max: size})
	flood(out, p.paper)
	name := brandName(text)
	sign := emblemOf(text, name, req.Item)
	w, h := float64(size.X), float64(size.Y)
	short := math.Min(w, h)
	tint := readable(p.accent, p.paper)
	switch req.Item % 4 {
	case 0:
		sign(out, w/2, 0.38*h, 0.19*short, tint, p.paper)
		return out, wordmark(out, name, size.X/2, int(0.70*h), int(0.8*w), short/9, p.ink, false)
	case 1:
		// Side by side, together in the middle.
		face, lines, err := fitted(name, short/9, true, int(0.56*w), 2)
		if err != nil {
			return nil, err
		}
		wide := 0
		for _, l := range lines {
			wide = max(wide, face.width(l))
		}
		r := 0.12 * short
		left := (w - float64(wide) - 2.5*r) / 2
		sign(out, left+r, 0.5*h, r, tint, p.paper)
		y := int(0.5*h) - (len(lines)-1)*face.high/2 + int(0.36*face.size)
		for _, l := range lines {
			face.write(out, l, int(left+2.5*r), y, p.ink)
			y += face.high
		}
		return out, nil
	case 2:
		r := 0.40 * short
		oval(w/2, h/2, r, r, 0).fill(out, tint)
		oval(w/2, h/2, 0.955*r, 0.955*r, 0).fill(out, p.paper)
		oval(w/2, h/2, 0.925*r, 0.925*r, 0).fill(out, tint)
		sign(out, w/2, h/2-0.24*r, 0.36*r, p.paper, tint)
		line(0.012*r, 0.012*r, spot{w/2 - 0.3*r, h/2 + 0.72*r}, spot{w/2 + 0.3*r, h/2 + 0.72*r}).fill(out, p.paper)
		return out, wordmark(out, name, size.X/2, int(h/2+0.36*r), int(1.4*r), 0.2*r, p.paper, false)
	default:
		monogram(name, req.Item/4+1)(out, w/2, 0.40*h, 0.2*short, tint, p.paper)
		return out, wordmark(out, strings.ToUpper(name), size.X/2, int(0.72*h), int(0.78*w), short/17, p.ink, true)
	}
}

// wordmark sets a name about (x, y) in at most two lines, its letters set apart if wanted.
func wordmark(img *image.NRGBA, name string, x, y, wide int, size float64, c color.NRGBA, airy bool) error {
	if airy {
		wide = wide * 62 / 100
	}
	h, lines, err := fitted(name, size, !airy, wide, 2) // letters set apart are light
	if err != nil {
		return err
	}
	if !airy {
		h.middled(img, lines, x, y, c)
		return nil
	}
	for _, l := range lines {
		h.spaced(img, l, x, y, int(0.28*h.size), c)
		y += h.high * 5 / 4
	}
	return nil
}
