package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// motif draws one tattoo design in ink about (x, y): a sign of the words with rays, dots and leaves around it.
func motif(img *image.NRGBA, e emblem, x, y, r float64, ink, ground color.NRGBA, manner int) {
	switch manner % 4 {
	case 0:
		for i := range 24 {
			a := float64(i) / 24
			sin, cos := math.Sincos(2 * math.Pi * a)
			long := 0.14
			if i%2 == 0 {
				long = 0.24
			}
			line(0.018*r, 0.008*r, spot{x + 0.72*r*sin, y - 0.72*r*cos}, spot{x + (0.72+long)*r*sin, y - (0.72+long)*r*cos}).fill(img, ink)
		}
	case 1:
		sector(x, y, 0.9*r, 0.93*r, 0, 1).fill(img, ink)
		sector(x, y, 0.84*r, 0.85*r, 0, 1).fill(img, ink)
		for i := range 36 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / 36)
			oval(x+0.78*r*sin, y-0.78*r*cos, 0.014*r, 0.014*r, 0).fill(img, ink)
		}
	case 2:
		for _, s := range []float64{-1, 1} {
			stem := through(false, []spot{{x, y + 0.98*r}, {x + s*0.6*r, y + 0.72*r}, {x + s*0.86*r, y + 0.1*r}})
			line(0.025*r, 0.012*r, stem...).fill(img, ink)
			for i := 4; i < len(stem); i += 4 {
				q := stem[i]
				oval(q.x+s*0.06*r, q.y-0.05*r, 0.09*r, 0.035*r, -s*50).fill(img, ink)
				oval(q.x-s*0.05*r, q.y-0.06*r, 0.08*r, 0.03*r, s*60).fill(img, ink)
			}
		}
	default:
		diamond(image.Rect(int(x-r), int(y-r), int(x+r), int(y+r))).fill(img, ink)
		diamond(image.Rect(int(x-0.955*r), int(y-0.955*r), int(x+0.955*r), int(y+0.955*r))).fill(img, ground)
	}
	e(img, x, y, 0.56*r, ink, ground)
}

// signsOf are the signs a description names, at least one.
func (r Request) signsOf() []emblem {
	var out []emblem
	for _, w := range words(r.text("textDescription")) {
		switch w {
		case "rose", "flower", "flowers", "roses", "lotus":
			out = append(out, roseSign)
			continue
		}
		e, ok := emblems[w]
		if !ok {
			e, ok = emblems[singular(w)]
		}
		if ok {
			out = append(out, e)
		}
	}
	if len(out) == 0 {
		named, _ := subjectsOf(r.text("textDescription"), "")
		for _, n := range named {
			out = append(out, r.etched(n))
		}
	}
	if len(out) == 0 {
		usual := []emblem{roseSign, moonSign, waveSign, heartSign, sunSign, peakSign}
		n := int(uint64(r.Seed) % uint64(len(usual)))
		out = append(out, usual[(n+r.Item)%len(usual)], usual[(n+r.Item+2)%len(usual)])
	}
	return out
}

// tattoo puts a design of the words on the skin that a photo shows, or draws a flash sheet of designs (Run API, "Family A":
// ai-tattoo-generator).
func tattoo(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	v := req.vary()
	if src := req.Source(); src != nil {
		img := worked(src)
		if err := req.inked(ctx, img); err != nil {
			return nil, err
		}
		v.grade(img)
		return img, ctx.Err()
	}
	signs := req.signsOf()
	size := req.madeSize()
	size = image.Pt(min(size.X, size.Y*4/5), min(size.Y, size.X*5/4))
	out := image.NewNRGBA(image.Rectangle{Max: size})
	f := field{seed: v.random.Uint32()}
	eachPixel(out, func(x, y int, p []uint8) {
		lit := 1 + 0.02*f.sum(float64(x)/90, float64(y)/90, 4) + 0.012*f.at(float64(x)/1.6, float64(y)/1.6)
		for k := range 3 {
			p[k] = byte255([3]float64{242, 234, 216}[k] * lit)
		}
		p[3] = 255
	})
	w, h := float64(size.X), float64(size.Y)
	paper := color.NRGBA{242, 234, 216, 255}
	for i, at := range [][3]float64{{0.5, 0.36, 0.3}, {0.24, 0.76, 0.17}, {0.72, 0.74, 0.2}, {0.13, 0.13, 0.09}, {0.88, 0.12, 0.09}} {
		motif(out, signs[i%len(signs)], at[0]*w, at[1]*h, at[2]*w, tattooInk, paper, i+req.Item)
	}
	return out, ctx.Err()
}

// tattooInk is the colour of tattoos, bareGround of what a design leaves bare: no ink at all.
var tattooInk, bareGround = color.NRGBA{30, 36, 44, 255}, color.NRGBA{255, 255, 255, 255}

// etched is a sign of what a description names: its outlines in ink, its shades hatched.
func (r Request) etched(n named) emblem {
	v := r.vary()
	f := field{seed: v.random.Uint32()}
	return func(img *image.NRGBA, x, y, radius float64, ink, ground color.NRGBA) {
		side := max(48, int(2.3*radius))
		drawn := image.NewNRGBA(image.Rect(0, 0, side, side))
		n.paint(drawn, float64(side)/2, 0.98*float64(side), 0.95*float64(side), f, v)
		light := func(px, py int) float64 {
			if !image.Pt(px, py).In(drawn.Rect) {
				return 255
			}
			q := drawn.Pix[drawn.PixOffset(px, py):]
			return 255 + float64(q[3])/255*(lightOf(q)-255)
		}
		gap := max(3, side/36)
		left, top := int(x)-side/2, int(y)-side/2
		eachPixel(drawn, func(px, py int, q []uint8) {
			at := image.Pt(left+px, top+py)
			if !at.In(img.Rect) {
				return
			}
			reach := max(1, side/160)
			edge := math.Abs(light(px+reach, py)-light(px-reach, py)) + math.Abs(light(px, py+reach)-light(px, py-reach))
			shade := 1 - light(px, py)/255
			hatched := float64((px+py)%gap) < float64(gap)*(1.5*shade-0.35)
			p := img.Pix[img.PixOffset(at.X, at.Y):]
			switch {
			case edge > 64 || q[3] > 128 && hatched:
				copy(p[:4], []uint8{ink.R, ink.G, ink.B, 255})
			case q[3] > 128:
				copy(p[:4], []uint8{ground.R, ground.G, ground.B, 255})
			}
		})
	}
}

// withTattoo puts a design of the words on the skin that the picture shows.
func withTattoo(ctx context.Context, b *brush) error { return b.req.inked(ctx, b.img) }

// inked puts the item's design of the words on bare skin of a picture, in place; a picture without any is an error.
func (r Request) inked(ctx context.Context, img *image.NRGBA) error {
	x, y, radius, ok, err := bareIn(ctx, img, r.Item)
	if err != nil {
		return err
	}
	if !ok {
		return unseen(skinOfBody, 0)
	}
	signs := r.signsOf()
	layer := image.NewNRGBA(img.Rect)
	motif(layer, signs[r.Item%len(signs)], x, y, radius, tattooInk, bareGround, r.Item)
	eachPixel(img, func(px, py int, p []uint8) {
		// Ink lies under the skin: it darkens and lets its light and its pores through.
		q := layer.Pix[layer.PixOffset(px, py):]
		a := 0.78 * float64(q[3]) / 255 * (1 - lightOf(q)/255)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (1 - a*[3]float64{0.92, 0.82, 0.74}[k]))
		}
	})
	return nil
}

// bareIn finds the middle and size of the largest round patch of bare skin outside the face: not of clothes of its colour.
// Where a person shows none it is the cheek. ok is false when there is neither skin nor a face.
func bareIn(ctx context.Context, img *image.NRGBA, item int) (x, y, r float64, ok bool, err error) {
	l, faced, err := likenessOf(img)
	if err != nil {
		return 0, 0, 0, false, err
	}
	person, err := analysis.Pieces(ctx, l.img, segment.Options{Hard: true})
	if err != nil {
		return 0, 0, 0, false, fmt.Errorf("find the skin: %w", err)
	}
	k := float64(img.Rect.Dx()) / float64(l.img.Rect.Dx())
	tone, keep, most := [3]float64{62, 15, 20}, image.Rectangle{}, float64(min(l.img.Rect.Dx(), l.img.Rect.Dy()))/6
	nearness := [][2]float64{{34, 14}} // of lightness and of hue
	if faced {
		tone, keep, most = skinTone(l.img, l.face), l.face, float64(l.face.Dx())
		// Shoulders and chest are often lit otherwise than the face.
		nearness = [][2]float64{{22, 11}, {40, 17}}
	}
	near := nearness[0]
	step := max(2, l.img.Rect.Dx()/160)
	alike := func(px, py int) bool {
		if !image.Pt(px, py).In(l.img.Rect) || image.Pt(px, py).In(keep) || py < l.face.Min.Y ||
			!person.Subject.Mask.Kept(px, py) || person.Worn.W > 0 && (person.Worn.Kept(px, py) || person.Head.Kept(px, py)) {
			return false
		}
		p := l.img.Pix[l.img.PixOffset(px, py):]
		lab := compose.Lab(p[0], p[1], p[2])
		return math.Abs(lab[0]-tone[0]) < near[0] && math.Hypot(lab[1]-tone[1], lab[2]-tone[2]) < near[1]
	}
	best := 0.0
	for _, near = range nearness {
		if best > 0.45*most {
			break
		}
		best = 0
		for py := 0; py < l.img.Rect.Dy(); py += step {
			for px := 0; px < l.img.Rect.Dx(); px += step {
				if !alike(px, py) {
					continue
				}
				rad := float64(step)
				for grow := true; grow && rad < most; rad += float64(step) {
					for i := range 12 {
						sin, cos := math.Sincos(float64(i) * math.Pi / 6)
						if !alike(px+int(rad*cos), py+int(rad*sin)) {
							grow = false
							break
						}
					}
				}
				if d := rad * (1 + 0.02*float64((px/step+item*7)%5)); d > best {
					best, x, y, r = d, k*float64(px), k*float64(py), k*rad
				}
			}
		}
	}
	if !faced {
		return x, y, r, best > 0.3*most, nil
	}
	if best < 0.2*most {
		s := l.at.span()
		c := l.at.at([2]float64{0.62, -0.62}[item%2], 0.72)
		return k * c.x, k * c.y, k * 0.36 * s, true, nil
	}
	return x, y, r, true, nil
}
