package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/compose"
)

// emblemWords are the shapes a flag may bear, besides those of logos.
var emblemWords = map[string]bool{"cross": true, "circle": true, "disc": true, "crescent": true, "diamond": true, "triangle": true, "stripes": true, "bars": true}

// clothOf draws a flag flat, by the words of its description: colours, stripes or bars, and what it bears. A picture is
// printed on it whole.
func (r Request) clothOf(ctx context.Context, w, h int) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	if src := r.Source(); src != nil {
		return compose.Cover(worked(src), w, h, portraitFirst), ctx.Err()
	}
	text := r.text("textDescription")
	list := words(text)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(s string) bool { return slices.Contains(list, s) })
	}
	// Colours right before a sign are the sign's, all others the field's.
	var ground []color.NRGBA
	var sign color.NRGBA
	signed := false
	for i, word := range list {
		c, ok := colourNames[word]
		if !ok {
			continue
		}
		if i+1 < len(list) {
			_, is := emblems[singular(list[i+1])]
			if is || emblemWords[list[i+1]] && list[i+1] != "stripes" && list[i+1] != "bars" {
				sign, signed = c, true
				continue
			}
		}
		ground = append(ground, vividly(c))
	}
	if len(ground) == 0 {
		sets := [][]color.NRGBA{
			{{22, 72, 140, 255}, {246, 244, 238, 255}, {206, 52, 56, 255}}, {{24, 110, 84, 255}, {246, 206, 76, 255}}, {{186, 44, 60, 255}, {248, 246, 240, 255}}, {{34, 44, 84, 255}, {240, 170, 60, 255}, {88, 170, 190, 255}},
		}
		ground = sets[r.set(len(sets))]
	}
	if len(ground) > 5 {
		ground = ground[:5]
	}
	fw, fh := float64(w), float64(h)
	manner := r.Item % 4
	switch {
	case has("vertical", "bars", "upright"):
		manner = 1
	case has("horizontal", "stripes"):
		manner = 0
	case has("diagonal"):
		manner = 2
	}
	flood(out, ground[0])
	n := float64(len(ground))
	for i, c := range ground {
		k := float64(i)
		switch {
		case len(ground) == 1:
		case manner == 0:
			card(0, k/n*fh, fw, (k+1)/n*fh, 0).fill(out, c)
		case manner == 1:
			card(k/n*fw, 0, (k+1)/n*fw, fh, 0).fill(out, c)
		case manner == 2:
			if i > 0 {
				x := k / n * fw
				polygon(spot{x - fw*0.35, fh}, spot{x + fw*0.35, 0}, spot{3 * fw, 0}, spot{3 * fw, fh}).fill(out, c)
			}
		default: // a triangle at the hoist before bands
			if i > 0 {
				card(0, (k-1)/(n-1)*fh, fw, k/(n-1)*fh, 0).fill(out, c)
			}
		}
	}
	if manner == 3 && len(ground) > 1 {
		polygon(spot{0, 0}, spot{0.42 * fw, fh / 2}, spot{0, fh}).fill(out, ground[0])
	}
	if !signed {
		middle := out.NRGBAAt(w/2, h/2)
		sign = color.NRGBA{250, 246, 236, 255}
		if lightOf([]uint8{middle.R, middle.G, middle.B}) > 150 {
			sign = color.NRGBA{206, 158, 44, 255}
		}
	}
	around := out.NRGBAAt(w/2, h/2)
	switch {
	case has("cross"):
		t := 0.09 * fh
		card(0, fh/2-t, fw, fh/2+t, 0).fill(out, sign)
		card(0.38*fw-t, 0, 0.38*fw+t, fh, 0).fill(out, sign)
	case has("circle", "disc"):
		oval(fw/2, fh/2, 0.28*fh, 0.28*fh, 0).fill(out, sign)
	case has("crescent"):
		moonSign(out, fw/2, fh/2, 0.3*fh, sign, around)
	case has("diamond"):
		diamond(image.Rect(int(0.2*fw), int(0.15*fh), int(0.8*fw), int(0.85*fh))).fill(out, sign)
	case has("stars"):
		for i := range 5 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 5)
			starAt(fw/2+0.24*fh*sin, fh/2-0.24*fh*cos, 0.09*fh, 5).fill(out, sign)
		}
	default:
		for _, word := range list {
			if e, ok := emblems[singular(word)]; ok {
				e(out, fw/2, fh/2, 0.28*fh, sign, around)
				break
			}
		}
	}
	return out, ctx.Err()
}

// vividly is a colour as flags have it.
func vividly(c color.NRGBA) color.NRGBA {
	m := (int(c.R) + int(c.G) + int(c.B)) / 3
	up := func(v uint8) uint8 { return byte255(float64(m) + 1.35*float64(int(v)-m)) }
	return color.NRGBA{up(c.R), up(c.G), up(c.B), 255}
}

// flag shows a flag that waves at a pole before the sky, drawn by words or with a picture printed on it (Run API, "Family
// A": ai-flag-generator).
func flag(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.madeSize()
	v := req.vary()
	sky := wish{place: skyPlace, light: 2}
	out := sky.draw(size.X, size.Y, v)
	w, h := float64(size.X), float64(size.Y)
	cw, ch := int(0.72*w), int(0.60*h)
	cloth, err := req.clothOf(ctx, cw, ch)
	if err != nil {
		return nil, err
	}
	req.progress(0.4)
	x0, y0 := 0.15*w, 0.14*h
	phase := 2.1*float64(req.Item) + 2*v.random.Float64()
	weave := field{seed: v.random.Uint32()}
	wave := func(t float64) (lift, slope float64) {
		grow := smooth(t*1.8) * 0.06 * h
		a := phase + t*9.5
		return grow*math.Sin(a) + 0.05*h*t, math.Cos(a) * smooth(t*2.2)
	}
	parallelRows(size.Y, func(y int) {
		for x := range size.X {
			t := (float64(x) - x0) / float64(cw)
			if t < 0 || t >= 1 {
				continue
			}
			lift, _ := wave(t)
			// Folds run a little slanted: what hangs lower follows later.
			fy := float64(y) - y0 - lift
			lean := 0.05 * fy / h
			lift, slope := wave(math.Max(0, t-lean))
			fy = float64(y) - y0 - lift
			if fy < -0.5 || fy > float64(ch)-0.5 {
				continue
			}
			squeeze := t - 0.006*slope
			sx := max(0, min(cw-1, int(squeeze*float64(cw))))
			sy := max(0, min(ch-1, int(fy)))
			p := cloth.Pix[cloth.PixOffset(sx, sy):]
			lit := 1 - 0.26*slope + 0.03*weave.at(float64(sx)*0.9, float64(sy)*0.9)
			cover := math.Min(1, math.Min(fy+0.5, float64(ch)-0.5-fy))
			blend(out.Pix[out.PixOffset(x, y):][:4:4], [3]float64{float64(p[0]) * lit, float64(p[1]) * lit, float64(p[2]) * lit}, math.Max(0, cover))
		}
	})
	pole := 0.012 * w
	card(x0-2*pole, 0.07*h, x0, h+4, pole).shade(out, func(x, _ float64) [3]float64 {
		t := (x - x0 + 2*pole) / (2 * pole)
		c := 120 + 110*math.Sin(math.Pi*math.Min(1, t*1.2))
		return [3]float64{c, c * 0.98, c * 0.94}
	})
	oval(x0-pole, 0.06*h, 1.7*pole, 1.7*pole, 0).fill(out, color.NRGBA{206, 168, 76, 255})
	return out, ctx.Err()
}
