package render

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/compose"
)

// caption is a text that comes and goes over a video.
type caption struct {
	text   layer
	shade  layer
	at     image.Point
	margin int
}

// newCaption sets a text for frames of a size, in the lower third.
func newCaption(text string, size image.Point) (*caption, error) {
	short := float64(min(size.X, size.Y))
	wide := size.X * 86 / 100
	h, lines, err := fitted(text, short/9, true, wide, 3)
	if err != nil {
		return nil, err
	}
	widest := 0
	for _, l := range lines {
		widest = max(widest, h.width(l))
	}
	margin := max(8, int(h.size/2))
	box := image.Rect(0, 0, widest+2*margin, h.high*len(lines)+2*margin)
	ink, dark := image.NewNRGBA(box), image.NewNRGBA(box)
	h.centred(ink, lines, box.Dx()/2, margin+int(h.size), color.NRGBA{250, 248, 244, 255})
	shade := compose.Matte(ink).Feather(h.size / 6)
	for i, v := range shade.Pix {
		dark.Pix[4*i+3] = uint8(min(255, int(v)*3/2))
	}
	c := &caption{text: layer{img: premultiplied(ink), clear: true}, shade: layer{img: premultiplied(dark), clear: true}, margin: margin}
	c.at = image.Pt((size.X-box.Dx())/2, size.Y*4/5-box.Dy()/2)
	c.at.Y = min(c.at.Y, size.Y-box.Dy()-margin/2)
	return c, nil
}

// draw shows the caption at a second of a video: it rises softly, stays, and goes before the end.
func (c *caption) draw(dst *image.NRGBA, second, length float64) {
	in, out := math.Min(0.5, length/6), math.Min(0.5, length/6)
	show := math.Min(smooth((second-0.15*in)/in), smooth((length-0.1-second)/out))
	if show <= 0 {
		return
	}
	rise := (1 - smooth((second-0.15*in)/(1.4*in))) * float64(c.margin)
	for _, l := range []struct {
		layer *layer
		alpha float64
	}{{&c.shade, 0.7 * show}, {&c.text, show}} {
		l.layer.draw(dst, lookup{a: 1, c: -float64(c.at.X), e: 1, f: -float64(c.at.Y) - rise}, l.alpha)
	}
}

// spoken is a shot of words alone: the scene they name, or the words themselves as a title before a plain stage.
type spoken struct {
	take
	sea    *swell // nil without water
	title  *caption
	length float64
}

func (s *studio) newWords(ctx context.Context, size image.Point, frames int) (*spoken, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text := s.req.text("textDescription")
	k := detail(size)
	v := s.v
	v.item = s.req.Item + 1
	req := s.req
	req.Files = nil
	scene, err := req.drawnScene(ctx, int(k*float64(size.X)), int(k*float64(size.Y)), v)
	if err != nil {
		return nil, err
	}
	out := &spoken{length: float64(frames) / filmRate.PerSecond()}
	d := s.direct(0)
	d.aside = 0
	if d.zoom == 1 && d.pan == 0 && d.tilt == 0 && d.turn == 0 && d.shake == 0 && !d.moved {
		d.zoom = usualZoom
	}
	t, err := s.newTake(ctx, scene, size, frames, d, false)
	if err != nil {
		return nil, err
	}
	out.take = *t
	out.sea = newSwell(t.set.back.img, uint32(s.req.seed()))
	named := slices.ContainsFunc(words(text), func(w string) bool { _, ok := placeNames[w]; return ok })
	things, _ := subjectsOf(text, "")
	if first, _ := headline(text); !named && len(things) == 0 && first != "" && quoted(text) == "" {
		if out.title, err = newCaption(first, size); err != nil {
			return nil, err
		}
		// The words are all there is: they stand in the middle.
		out.title.at.Y = (size.Y - out.title.text.img.Rect.Dy()) / 2
	}
	return out, nil
}

func (w *spoken) draw(n int, dst *image.NRGBA) error {
	if w.sea != nil {
		w.sea.draw(w.set.back.img, float64(n)/filmRate.PerSecond())
	}
	if err := w.take.draw(n, dst); err != nil {
		return err
	}
	if w.title != nil {
		w.title.draw(dst, float64(n)/filmRate.PerSecond(), w.length)
	}
	return nil
}
