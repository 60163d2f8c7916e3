package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

func itoa(n int) string { return strconv.Itoa(n) }

// wallOf is a painted brick wall.
func wallOf(size image.Point, f field, tone [3]float64) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	long := float64(max(size.X, size.Y))
	eachPixel(out, func(x, y int, p []uint8) {
		lit := (1 + 1.5*bricks(f, float64(x)/long, float64(y)/long)) * (1.04 - 0.2*float64(y)/float64(size.Y))
		for k := range 3 {
			p[k] = byte255(tone[k] * lit)
		}
		p[3] = 255
	})
	return out
}

// tagOf is what is sprayed: what stands in quotes, words in capitals, or the first word or two.
func tagOf(text string) string {
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, ".,;:!?\"'")
		if len(w) > 2 && w == strings.ToUpper(w) && strings.ContainsAny(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			return w
		}
	}
	if strings.TrimSpace(text) == "" {
		return "ATELIER"
	}
	return strings.ToUpper(brandName(text))
}

// mural is a wall sprayed with the description's word, a cloud of colour behind it, drips and its sign; wild letters are
// slanted, sharper and have arrows. A photo is sprayed in a few tones instead (Run API, "Family A").
func mural(wild bool) way {
	photo := styled(asStencil, "", false)
	if wild {
		photo = styled(asWild, "", false)
	}
	return way{render: func(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
		if req.source() != nil {
			return photo.render(ctx, req, seg)
		}
		text, err := legible(req.text("textDescription"))
		if err != nil {
			return nil, err
		}
		v := req.vary()
		f := field{seed: v.random.Uint32()}
		size := req.canvas(image.Pt(1280, 960))
		tones := [][3]float64{{176, 170, 160}, {150, 92, 74}, {120, 126, 132}, {196, 186, 166}}
		out := wallOf(size, f, tones[req.Item%4])
		w, h := float64(size.X), float64(size.Y)
		p := req.palette()
		first, second := vividly(p.accent), vividly(p.second)
		spray := func(x, y, r float64, c color.NRGBA, amount float64) {
			oval(x, y, r, r, 0).cover(out, func(px, py int, share float64, q []uint8) {
				d := math.Hypot(float64(px)-x, float64(py)-y) / r
				grain := 0.6 + 0.4*float64(f.hash(px, py)&255)/255
				blend(q, channels(c), share*amount*smooth(1-d)*grain)
			})
		}
		for range 22 {
			c := second
			if v.random.Float64() < 0.3 {
				c = mixed(first, second, 0.5)
			}
			spray(w*(0.12+0.76*v.random.Float64()), h*(0.34+0.34*v.random.Float64()), w*(0.08+0.1*v.random.Float64()), c, 0.75)
		}
		word := tagOf(text)
		hand, lines, err := fitted(word, h/2.6, true, int(0.84*w), 2)
		if err != nil {
			return nil, err
		}
		// The letters as a plane, to be fattened for their outlines.
		sheet := image.NewNRGBA(out.Rect)
		hand.middled(sheet, lines, size.X/2, size.Y*52/100, color.NRGBA{255, 255, 255, 255})
		plane := mask.New(size.X, size.Y)
		slant, swing := 0.0, 0.03
		if wild {
			slant, swing = 0.28, 0.06
		}
		parallelRows(size.Y, func(y int) {
			for x := range size.X {
				fy := float64(y) + swing*h*math.Sin(float64(x)/w*math.Pi*(2+float64(req.Item%3)))
				fx := float64(x) + slant*(fy-h*0.52)
				if c, ok := sampledAlpha(sheet, fx, fy); ok {
					plane.Pix[y*size.X+x] = c
				}
			}
		})
		lay := func(m mask.Plane, dx, dy int, in func(x, y int) [3]float64) {
			eachPixel(out, func(x, y int, q []uint8) {
				if a := m.At(x-dx, y-dy); a > 0 {
					blend(q, in(x, y), float64(a)/255*(0.93+0.07*float64(f.hash(x, y)&255)/255))
				}
			})
		}
		thick := h / 60
		if wild {
			thick *= 0.7
		}
		flat := func(c color.NRGBA) func(x, y int) [3]float64 {
			return func(int, int) [3]float64 { return channels(c) }
		}
		dark := color.NRGBA{22, 20, 28, 255}
		fat := plane.Grow(2.2 * thick).Feather(1)
		deep := int(1.6 * thick)
		for n := deep; n > 0; n -= 2 {
			lay(fat, n, n, flat(mixed(dark, first, 0.25)))
		}
		lay(plane.Grow(2.9*thick).Feather(1), 0, 0, flat(color.NRGBA{250, 250, 246, 255}))
		lay(fat, 0, 0, flat(dark))
		top := mixed(second, color.NRGBA{255, 255, 255, 255}, 0.3)
		lay(plane.Grow(0.9*thick).Feather(1), 0, 0, func(_, y int) [3]float64 {
			t := smooth((float64(y)/h - 0.34) / 0.34)
			return channels(mixed(top, first, t))
		})
		b := plane.Bounds()
		for range 9 { // paint runs down
			x := float64(b.Min.X) + v.random.Float64()*float64(b.Dx())
			y := float64(b.Max.Y) - 0.1*float64(b.Dy())
			if plane.At(int(x), int(y)) > 128 {
				long := h * (0.05 + 0.14*v.random.Float64())
				line(thick*0.7, thick*0.4, spot{x, y}, spot{x, y + long}).fill(out, first)
			}
		}
		for range 5 { // shine
			x, y := float64(b.Min.X)+v.random.Float64()*float64(b.Dx()), float64(b.Min.Y)+0.25*float64(b.Dy())
			if plane.At(int(x), int(y)) > 128 {
				starAt(x, y, 1.6*thick, 4).fill(out, color.NRGBA{255, 255, 255, 235})
			}
		}
		if wild {
			for _, s := range []float64{-1, 1} {
				x, y := w/2+s*float64(b.Dx())*0.5, float64(b.Min.Y+b.Max.Y)/2
				for i, c := range []color.NRGBA{dark, first} {
					arrowTo(out, thick*(2.6-1.2*float64(i)), c, spot{x - s*0.1*w, y + 0.16*h}, spot{x - s*0.02*w, y + 0.2*h}, spot{x + s*0.03*w, y - 0.24*h})
				}
			}
		}
		for _, word := range words(text) {
			if e, ok := emblems[singular(word)]; ok {
				e(out, 0.86*w, 0.2*h, 0.12*h, first, tonesOf(out, int(0.86*w), int(0.2*h)))
				break
			}
		}
		for range 160 { // specks
			r := thick * (0.05 + 0.2*v.random.Float64()*v.random.Float64())
			oval(w*v.random.Float64(), h*(0.2+0.7*v.random.Float64()), r, r, 0).fill(out, first)
		}
		return out, ctx.Err()
	}}
}

func tonesOf(img *image.NRGBA, x, y int) color.NRGBA {
	return img.NRGBAAt(max(0, min(img.Rect.Dx()-1, x)), max(0, min(img.Rect.Dy()-1, y)))
}

func sampledAlpha(img *image.NRGBA, x, y float64) (uint8, bool) {
	ix, iy := int(math.Round(x)), int(math.Round(y))
	if !image.Pt(ix, iy).In(img.Rect) {
		return 0, false
	}
	return img.Pix[img.PixOffset(ix, iy)+3], true
}

// asWild sprays a photo in glaring colours with thick black outlines.
func asWild(_ context.Context, b *brush) error {
	like := imaging.Clone(b.img)
	sets := [][3][3]float64{
		{{250, 214, 40}, {236, 46, 140}, {60, 20, 92}}, {{70, 226, 200}, {255, 110, 40}, {40, 30, 80}}, {{180, 240, 70}, {40, 140, 240}, {30, 16, 60}}, {{255, 150, 190}, {110, 60, 220}, {14, 40, 66}},
	}
	b.img = stencil(b.img, b.v.random.Uint32(), sets[b.req.Item%len(sets)])
	ink(b.img, like, unit(like, 2.5), 0.95)
	return nil
}

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
		if e, ok := emblems[singular(w)]; ok {
			out = append(out, e)
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
	if src := req.source(); src != nil {
		img := worked(src)
		if err := req.inked(ctx, img); err != nil {
			return nil, err
		}
		v.grade(img)
		return img, ctx.Err()
	}
	signs := req.signsOf()
	size := req.canvas(image.Pt(1024, 1280))
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

// tattooInk is the colour of tattoos.
var tattooInk = color.NRGBA{30, 36, 44, 255}

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
	motif(layer, signs[r.Item%len(signs)], x, y, radius, tattooInk, color.NRGBA{}, r.Item)
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
	person, err := piecesOf(ctx, l.img, segment.Options{Hard: true})
	if err != nil {
		return 0, 0, 0, false, fmt.Errorf("find the skin: %w", err)
	}
	k := float64(img.Rect.Dx()) / float64(l.img.Rect.Dx())
	tone, keep, most := [3]float64{62, 15, 20}, image.Rectangle{}, float64(min(l.img.Rect.Dx(), l.img.Rect.Dy()))/6
	near := [2]float64{34, 14} // of lightness and of hue
	if faced {
		tone, keep, most = skinTone(l.img, l.face), l.face.Inset(-l.face.Dx()/6), float64(l.face.Dx())
		near = [2]float64{22, 11}
	}
	step := max(2, l.img.Rect.Dx()/160)
	alike := func(px, py int) bool {
		if !image.Pt(px, py).In(l.img.Rect) || image.Pt(px, py).In(keep) || py < l.face.Min.Y || !person.Subject.Mask.Kept(px, py) || person.Worn.W > 0 && person.Worn.Kept(px, py) {
			return false
		}
		p := l.img.Pix[l.img.PixOffset(px, py):]
		lab := compose.Lab(p[0], p[1], p[2])
		return math.Abs(lab[0]-tone[0]) < near[0] && math.Hypot(lab[1]-tone[1], lab[2]-tone[2]) < near[1]
	}
	best := 0.0
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
