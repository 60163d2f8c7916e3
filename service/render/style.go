package render

import (
	"context"
	"image"
	"image/color"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// brush is what a style works on and with.
type brush struct {
	img    *image.NRGBA // worked source, changed in place or replaced
	req    Request
	seg    Segmentation
	v      variation
	wanted wish
}

// colour is the first colour the description names, in a shade of the item, or one of choices, another for each item.
func (b brush) colour(choices ...[3]float64) [3]float64 {
	if len(b.wanted.colours) > 0 {
		return b.req.shade(b.wanted.colours[0])
	}
	return choices[b.req.Item%len(choices)]
}

// shade is a named colour as the item has it: as named, deeper, lighter, or stronger with a turn of its hue.
func (r Request) shade(c color.NRGBA) [3]float64 {
	lab := compose.Lab(c.R, c.G, c.B)
	switch r.Item % 4 {
	case 0:
		return channels(c)
	case 1:
		lab[0] = math.Max(6, lab[0]-10)
	case 2:
		lab = [3]float64{math.Min(94, lab[0]+10), 0.9 * lab[1], 0.9 * lab[2]}
	default:
		sin, cos := math.Sincos(9 * math.Pi / 180)
		lab[1], lab[2] = 1.3*(lab[1]*cos-lab[2]*sin), 1.3*(lab[1]*sin+lab[2]*cos)
	}
	red, green, blue := compose.RGB(lab)
	return [3]float64{float64(red), float64(green), float64(blue)}
}

// hairColour is the colour for hair that the description names, or one of choices, another for each item.
func (b brush) hairColour(choices ...[3]float64) [3]float64 {
	if c, ok := hairColour(words(b.req.text("textDescription"))); ok {
		return b.req.shade(dot(c, 255))
	}
	return b.colour(choices...)
}

// style repaints one picture (Run API, "Family A").
type style func(ctx context.Context, b *brush) error

// styled is the way of an agent that repaints its picture, or draws by words when it has none.
func styled(s style, protected string, needs bool) way {
	return way{needs: needs, mask: protected, render: func(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
		src := req.Source()
		if src == nil {
			return byWords(ctx, req, seg)
		}
		b := &brush{
			img: worked(src), req: req, seg: seg, v: req.vary(),
			wanted: readWish(req.text("textDescription"), req.text("negTextDescription")),
		}
		req.progress(0.1)
		if err := s(ctx, b); err != nil {
			return nil, err
		}
		b.v.grade(b.img)
		if b.wanted.light != 0 || b.wanted.warmth != 0 {
			compose.Grade(b.img, 0.6*b.wanted.light, 0.6*b.wanted.warmth, 1)
		}
		return b.img, nil
	}}
}

func asComic(_ context.Context, b *brush) error {
	like := b.img
	b.img = paint(b.img, unit(b.img, 4))
	steps(b.img, 5)
	compose.Grade(b.img, 3, 0, 1.35)
	ink(b.img, like, unit(like, 1.2), 0.8)
	return nil
}

// asPainting paints the picture in oil; a face that is found is painted with more care.
func asPainting(_ context.Context, b *brush) error {
	face, _, faced, err := faceOf(b.img)
	if err != nil {
		return err
	}
	var care func(x, y float64) float64
	if faced {
		c, r := spot{float64(face.Min.X+face.Max.X) / 2, float64(face.Min.Y+face.Max.Y) / 2}, 0.75*float64(face.Dy())
		care = func(x, y float64) float64 { return 1 - smooth((math.Hypot(x-c.x, y-c.y)/r-0.8)/0.6) }
	}
	compose.Grade(b.img, 2, [4]float64{3, -2, 6, 0}[b.req.Item%4], 1.25)
	b.img = oiled(b.img, b.v.random, care)
	return nil
}

func asStencil(_ context.Context, b *brush) error {
	palettes := [][3][3]float64{
		{{226, 92, 64}, {130, 40, 76}, {28, 22, 34}},
		{{82, 170, 176}, {40, 84, 140}, {20, 24, 44}},
		{{240, 190, 70}, {196, 84, 52}, {44, 26, 28}},
	}
	p := palettes[b.req.Item%len(palettes)]
	if len(b.wanted.colours) > 0 {
		p[0] = channels(b.wanted.colours[0])
	}
	b.img = stencil(b.img, b.v.random.Uint32(), p)
	return nil
}

// asGraded leaves the picture's content alone and changes its light, as little as is honest.
func asGraded(_ context.Context, b *brush) error {
	crisp(b.img, unit(b.img, 8), 0.2)
	if len(b.wanted.colours) > 0 {
		whole := mask.New(b.img.Rect.Dx(), b.img.Rect.Dy())
		whole.Fill(255)
		tinted(b.img, whole, channels(b.wanted.colours[0]), 0.25, 0)
	}
	return nil
}

// asUnfiltered takes the cast and the flat light of a filter off: most of it, a part, all of it, or with the depth that
// filters take.
func asUnfiltered(_ context.Context, b *brush) error {
	manner := b.req.Item % 4
	balance(b.img, [4]float64{0.7, 0.42, 0.95, 0.7}[manner])
	if manner == 3 {
		crisp(b.img, unit(b.img, 8), 0.3)
		compose.Grade(b.img, -1, 0, 1.15)
	}
	return nil
}

func withHair(choices ...[3]float64) style {
	return func(_ context.Context, b *brush) error {
		c := b.hairColour(choices...)
		h, err := b.head()
		if err != nil {
			return err
		}
		if !h.hasHair(featuresOf(b.img, h.face)) {
			return unseen(hairOfIt, 0)
		}
		tinted(b.img, h.hair, c, 0.9, 0.45)
		return nil
	}
}

// withClothes recolours what is worn.
func withClothes(ctx context.Context, b *brush) error {
	if err := seenIn(ctx, b.img, clothes, 0); err != nil {
		return err
	}
	part := fitPlane(b.seg.Matte, b.img.Rect.Dx(), b.img.Rect.Dy())
	tinted(b.img, part, b.colour([3]float64{160, 52, 60}, [3]float64{44, 76, 130}, [3]float64{70, 112, 84}, [3]float64{206, 170, 110}), 0.85, 0.3)
	return nil
}

// asPortrait sets the subject before a plain studio, cut to head and shoulders.
func asPortrait(ctx context.Context, b *brush) error {
	whole, face, err := b.sitter(ctx)
	if err != nil {
		return err
	}
	w, h := b.img.Rect.Dx(), b.img.Rect.Dy()
	cut := segment.Foreground(b.img, whole.Matte)
	long := min(1536, max(w, h))
	pw, ph := long*4/5, long
	figure := seated(cut, face, pw, ph, 3.1)
	wall := b.wanted
	if len(wall.colours) == 0 && b.req.Item > 0 {
		wall.colours = append(wall.colours, colourNames[[]string{"grey", "navy", "beige", "charcoal", "sage"}[b.req.Item%5]])
	}
	b.img = wall.draw(pw, ph, b.v)
	compose.Settle(b.img, figure, unit(b.img, 8), 0.5)
	return nil
}

// fitPlane is a plane scaled to w × h by its nearest pixels.
func fitPlane(p mask.Plane, w, h int) mask.Plane {
	if p.W == w && p.H == h {
		return p
	}
	out := mask.New(w, h)
	if p.W == 0 || p.H == 0 {
		return out
	}
	for y := range h {
		row := p.Row(y * p.H / h)
		for x := range w {
			out.Pix[y*w+x] = row[x*p.W/w]
		}
	}
	return out
}
