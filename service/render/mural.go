package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"atelier/imaging"
	"atelier/imaging/mask"
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
		if req.Source() != nil {
			return photo.render(ctx, req, seg)
		}
		text, err := legible(req.text("textDescription"))
		if err != nil {
			return nil, err
		}
		v := req.vary()
		f := field{seed: v.random.Uint32()}
		size := req.madeSize()
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
