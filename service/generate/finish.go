package generate

import (
	"context"
	"errors"
	"fmt"
	"image"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fidelity"
	"atelier/imaging/mask"
	"atelier/service/engine"
	"atelier/service/render"
)

// Finished is the picture of an item.
type Finished struct {
	// Image has the size that render.ResultSize gives.
	Image *image.NRGBA
	// Note is a sentence for the designer, "" when there is nothing to say.
	Note string
}

const (
	mostMoved = 0.02 // of the shorter side, for what must stay
	castBand  = 24   // pixels of a picture of fidelity.Side: where the tint of an answer is measured
	mostCast  = 6    // steps of CIEDE2000 that a tint is taken back
	coarser   = 2    // how many times the engine's resolution a result has from which a note says so
	spill     = 0.6  // how much of the scene's light falls on the soft edge, as in the service's own scenes
)

// noteFree says that nothing of the original was laid over an answer.
const noteFree = "The engine drew the whole picture anew."

// Finish makes the picture of an item out of an engine's answer, a PNG, JPEG or WebP file of at most as many pixels
// as imaging.DefaultLimits allows. It fails with an *engine.Error of the reasons Unusable, OtherShape and Shifted, and
// with the context's error.
func Finish(ctx context.Context, req render.Request, seg render.Segmentation, w Work, answer []byte) (Finished, error) {
	img, _, err := imaging.Decode(ctx, answer, imaging.DefaultLimits)
	if err != nil {
		if refused, ok := errors.AsType[*imaging.Error](err); ok {
			return Finished{}, &engine.Error{Reason: engine.Unusable, Detail: refused.Message, Full: refused.Error()}
		}
		return Finished{}, fmt.Errorf("open the engine's answer: %w", err)
	}
	same := apart(img.Rect.Size(), w.Job.Size) <= engine.Tolerance
	if w.exact && !same {
		return Finished{}, &engine.Error{Reason: engine.OtherShape}
	}
	if !w.Job.Transparent {
		img = imaging.Flatten(img, 255, 255, 255)
	}
	if w.frame != (frame{}) && same {
		img = w.frame.cut(img)
	}
	want := render.ResultSize(req)
	made := img.Rect.Size()
	var out Finished
	if w.agent.keeps == nothing {
		out.Image = shaped(img, want)
	} else if out.Image, out.Note, err = lock(ctx, req, seg, w, img, same); err != nil {
		return Finished{}, err
	}
	if out.Image.Rect.Size() != want {
		out.Image = imaging.Resize(out.Image, want.X, want.Y)
	}
	if max(want.X, want.Y) > coarser*max(made.X, made.Y) {
		note := fmt.Sprintf(
			"The engine's part was made at %d × %d and enlarged to %d × %d.",
			made.X,
			made.Y,
			want.X,
			want.Y,
		)
		out.Note = sentences([]string{out.Note, note})
	}
	return out, ctx.Err()
}

// shaped scales a picture to a size; what is over of another shape is cut off.
func shaped(img *image.NRGBA, want image.Point) *image.NRGBA {
	if apart(img.Rect.Size(), want) <= engine.Tolerance {
		return imaging.Resize(img, want.X, want.Y)
	}
	return imaging.Cover(img, want.X, want.Y)
}

// lock lays what must stay of the original over an answer that shows the canvas, at the canvas's own resolution. An
// answer in which it is elsewhere is refused; of an edited head, which need not be whole, it is taken as it is.
func lock(
	ctx context.Context, req render.Request, seg render.Segmentation, w Work, img *image.NRGBA, same bool,
) (out *image.NRGBA, note string, err error) {
	canvas := w.frame.canvas
	if !same {
		return shaped(img, canvas), noteFree, nil
	}
	keep := keepOf(w.agent, req, seg)
	cast, err := w.compare(req, keep, &img)
	if err != nil {
		if w.exact {
			return nil, "", err
		}
		return shaped(img, canvas), noteFree, nil
	}
	tint(img, cast)
	out = imaging.Resize(img, canvas.X, canvas.Y)
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	src := req.Source()
	switch w.agent.keeps {
	case protected:
		cut := layer(src, seg)
		if seg.Exact {
			compose.SoftenRim(cut)
		}
		// Outside the matte nothing changes: the contact shadow there is the engine's.
		compose.Settle(out, cut, max(2, min(canvas.X, canvas.Y)/60), spill)
		render.Protect(out, src, seg)
	case allButHead:
		cut := compose.CutOut(src, aroundHead(keep))
		compose.Over(out, cut, image.Point{})
	case theOriginal:
		at := req.Placed()
		join(out, src, at)
		compose.Over(out, src, at.Min)
	case nothing:
	}
	return out, "", nil
}

// compare looks for what must stay in an answer, which it lays straight where that moved a little, and measures the
// answer's tint. It fails with an *engine.Error of the reason Shifted.
func (w Work) compare(req render.Request, keep mask.Plane, img **image.NRGBA) (cast [3]float64, err error) {
	small := w.frame.scaled
	sw, sh := imaging.FitSize(small.X, small.Y, fidelity.Side, fidelity.Side)
	seen := keep
	if len(w.Job.Mask.Pix) > 0 {
		seen = w.frame.kept(w.Job.Mask) // without the edge that the engine may redraw
	}
	source := req.Source()
	if w.agent.keeps == theOriginal {
		canvas := image.NewNRGBA(image.Rectangle{Max: w.frame.canvas})
		compose.Over(canvas, source, req.Placed().Min)
		source = canvas
	}
	region, err := fidelity.FromMask(imaging.Resize(source, sw, sh), hard(seen, sw, sh))
	if err != nil {
		return cast, nil //nolint:nilerr // too little stays to be compared: it is laid over the answer all the same
	}
	place, found := region.Find(*img)
	if found && region.Moved(place) > mostMoved {
		return cast, &engine.Error{Reason: engine.Shifted}
	}
	*img = fidelity.Laid(*img, place)
	cast, _ = region.Cast(*img, castBand, mostCast)
	return cast, nil
}

// hard scales a plane to a size and leaves nothing between kept and redrawn.
func hard(p mask.Plane, w, h int) mask.Plane {
	out := p.Fitted(w, h).Run()
	out.Threshold(mask.Level)
	return out
}

// tint adds a colour in CIELAB to a picture, in place.
func tint(img *image.NRGBA, by [3]float64) {
	if by == ([3]float64{}) {
		return
	}
	// Harmonise follows hue by half.
	compose.Harmonise(img, compose.Stats{}, compose.Stats{Mean: [3]float64{by[0], 2 * by[1], 2 * by[2]}}, 1, nil)
}

// layer is what is protected of the original, in colours free of its old background where those are known.
func layer(src *image.NRGBA, seg render.Segmentation) *image.NRGBA {
	cut := compose.CutOut(src, seg.Matte)
	if seg.Foreground == nil {
		return cut
	}
	for i, v := range seg.Matte.Pix {
		if f := seg.Foreground.Pix[4*i : 4*i+4]; v > 0 && v < 255 && f[3] > 0 {
			copy(cut.Pix[4*i:4*i+3], f)
		}
	}
	return cut
}

// aroundHead is the soft cover of everything outside a head: whole outside what may be redrawn, less and less within
// it.
func aroundHead(keep mask.Plane) mask.Plane {
	const edge = 0.012 // of the picture's shorter side
	soft := keep.Feather(edge * float64(min(keep.W, keep.H)))
	for i, v := range keep.Pix {
		if v >= mask.Level {
			soft.Pix[i] = 255
		}
	}
	return soft
}

// join brings a canvas's colours, in place, to those of the original where its edge will be, less and less away from
// it: the original itself stays exact, so the new part has to meet it.
func join(canvas, original *image.NRGBA, at image.Rectangle) {
	const (
		strip = 0.012 // of the canvas's shorter side: how far inside the edge colours are compared
		reach = 0.12  // and how far outside they are brought near
		most  = 24    // levels of 255 that a colour is brought near by
	)
	side := float64(min(canvas.Rect.Dx(), canvas.Rect.Dy()))
	in := at.Intersect(canvas.Rect)
	left, right := edges(canvas, original, at, in, true, int(max(1, strip*side)), most)
	top, bottom := edges(canvas, original, at, in, false, int(max(1, strip*side)), most)
	far := max(1, reach*side)
	for y := range canvas.Rect.Dy() {
		for x := range canvas.Rect.Dx() {
			if (image.Point{X: x, Y: y}).In(in) {
				continue
			}
			cx, cy := min(max(x, in.Min.X), in.Max.X-1), min(max(y, in.Min.Y), in.Max.Y-1)
			away := float64(max(x-cx, cx-x, y-cy, cy-y)) / far
			if away >= 1 {
				continue
			}
			// At a corner both edges tell the same colour.
			d := left[cy-in.Min.Y]
			switch dx, dy := max(x-cx, cx-x), max(y-cy, cy-y); {
			case dy > dx && y < in.Min.Y:
				d = top[cx-in.Min.X]
			case dy > dx:
				d = bottom[cx-in.Min.X]
			case x >= in.Max.X:
				d = right[cy-in.Min.Y]
			}
			p := canvas.Pix[canvas.PixOffset(x, y):]
			share := (1 - away) * (1 - away)
			for k := range 3 {
				p[k] = uint8(max(0, min(255, float64(p[k])+share*d[k]+0.5)))
			}
		}
	}
}

// edges are the differences of colour along two opposite edges of an original, upright ones or lying ones, evened
// along them.
func edges(
	canvas, original *image.NRGBA, at, in image.Rectangle, upright bool, strip int, most float64,
) (low, high [][3]float64) {
	long, wide := in.Dx(), in.Dy()
	if upright {
		long, wide = wide, long
	}
	strip = min(strip, wide)
	difference := func(along, across int) (d [3]float64) {
		x, y := in.Min.X+along, in.Min.Y+across
		if upright {
			x, y = in.Min.X+across, in.Min.Y+along
		}
		c := canvas.Pix[canvas.PixOffset(x, y):]
		o := original.Pix[original.PixOffset(x-at.Min.X, y-at.Min.Y):]
		for k := range 3 {
			d[k] = float64(o[k]) - float64(c[k])
		}
		return d
	}
	for _, from := range []int{0, wide - strip} {
		sums := make([][3]float64, long+1) // of all before
		for i := range long {
			for n := range strip {
				d := difference(i, from+n)
				for k := range 3 {
					sums[i+1][k] += d[k] / float64(strip)
				}
			}
			for k := range 3 {
				sums[i+1][k] += sums[i][k]
			}
		}
		line := make([][3]float64, long)
		for i := range line {
			a, b := max(0, i-2*strip), min(long, i+2*strip+1)
			for k := range 3 {
				line[i][k] = max(-most, min(most, (sums[b][k]-sums[a][k])/float64(b-a)))
			}
		}
		if from == 0 && low == nil {
			low = line
		} else {
			high = line
		}
	}
	return low, high
}
