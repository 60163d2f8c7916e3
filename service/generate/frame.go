package generate

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/service/engine"
)

// usualPixels is how many pixels an engine works on unless the operator says otherwise: what SDXL was trained at.
const usualPixels = 1 << 20

// frame is how a canvas lies in what an engine sees: scaled, at the top left, with its right and lower edges repeated
// as far as the engine's sizes ask.
type frame struct {
	canvas image.Point // in pixels of the original
	scaled image.Point // the canvas as the engine sees it
	size   image.Point // with what repeats its edges
}

// frameOf scales a canvas to an engine's sizes and budget of pixels. Canvases with less than half the budget are
// enlarged to that.
func frameOf(canvas image.Point, a engine.Abilities, pixels int) frame {
	f := frame{canvas: canvas}
	if len(a.Sizes) > 0 {
		f.size = nearest(canvas, a.Sizes, pixels)
		w, h := imaging.FitSize(canvas.X, canvas.Y, f.size.X, f.size.Y)
		f.scaled = image.Pt(min(w, f.size.X), min(h, f.size.Y))
		return f
	}
	k := scaleOf(canvas, pixels)
	multiple := max(1, a.Multiple)
	most := a.Most / multiple * multiple
	if most < multiple {
		most = math.MaxInt32 / multiple * multiple
	}
	k = min(k, float64(most)/float64(max(canvas.X, canvas.Y)))
	f.scaled = image.Pt(scaled(canvas.X, k, most), scaled(canvas.Y, k, most))
	up := func(side int) int { return (max(side, a.Least) + multiple - 1) / multiple * multiple }
	f.size = image.Pt(up(f.scaled.X), up(f.scaled.Y))
	return f
}

// scaleOf brings a canvas to between half a budget of pixels and all of it.
func scaleOf(canvas image.Point, pixels int) float64 {
	have := float64(canvas.X) * float64(canvas.Y)
	return math.Sqrt(min(max(have, float64(pixels)/2), float64(pixels)) / have)
}

func scaled(side int, k float64, most int) int {
	return max(1, min(most, int(math.Round(k*float64(side)))))
}

// sizeOf is the size an engine makes that is nearest to one in shape and length, for pictures that nothing is cut from.
func sizeOf(want image.Point, a engine.Abilities, pixels int) image.Point {
	if len(a.Sizes) > 0 {
		return nearest(want, a.Sizes, pixels)
	}
	f := frameOf(want, a, pixels)
	multiple := max(1, a.Multiple)
	near := func(side, padded int) int {
		if down := padded - multiple; down >= max(a.Least, multiple) && side-down < padded-side {
			return down
		}
		return padded
	}
	return image.Pt(near(f.scaled.X, f.size.X), near(f.scaled.Y, f.size.Y))
}

// nearest is the size whose shape is nearest to a canvas's, and of several of that shape the one nearest to the budget.
func nearest(canvas image.Point, sizes []image.Point, pixels int) image.Point {
	best, least, off := sizes[0], math.Inf(1), math.Inf(1)
	for _, s := range sizes {
		shape := math.Abs(math.Log(ratio(s) / ratio(canvas)))
		budget := math.Abs(math.Log(float64(s.X) * float64(s.Y) / float64(pixels)))
		if shape < least-engine.Tolerance || shape < least+engine.Tolerance && budget < off {
			best, least, off = s, shape, budget
		}
	}
	return best
}

// ratio is width over height.
func ratio(p image.Point) float64 { return float64(p.X) / float64(max(1, p.Y)) }

// apart is how far two sizes' shapes lie apart: 0.01 is a hundredth.
func apart(a, b image.Point) float64 {
	r := ratio(a) / ratio(b)
	return max(r, 1/r) - 1
}

// picture scales a picture of the canvas and repeats its edges.
func (f frame) picture(img *image.NRGBA) *image.NRGBA {
	small := imaging.Flatten(imaging.Resize(img, f.scaled.X, f.scaled.Y), 255, 255, 255)
	if f.scaled == f.size {
		return small
	}
	out := image.NewNRGBA(image.Rectangle{Max: f.size})
	for y := range f.size.Y {
		row := out.Pix[y*out.Stride : (y+1)*out.Stride]
		from := small.Pix[min(y, f.scaled.Y-1)*small.Stride:]
		copy(row, from[:4*f.scaled.X])
		last := from[4*(f.scaled.X-1) : 4*f.scaled.X]
		for x := f.scaled.X; x < f.size.X; x++ {
			copy(row[4*x:], last)
		}
	}
	return out
}

// redraw makes a job's mask of what is kept of the canvas: 255 where the engine redraws, which goes grow of the
// picture's shorter side into what is kept, or as far as leaves something of it. What repeats the edges is kept.
func (f frame) redraw(keep mask.Plane, grow float64) mask.Plane {
	small := keep.Fitted(f.scaled.X, f.scaled.Y).Run()
	small.Threshold(mask.Level)
	for _, share := range []float64{1, 0.5, 0.25} {
		if inner := small.Shrink(
			share * grow * float64(min(f.scaled.X, f.scaled.Y)),
		); grow > 0 &&
			3*count(inner) > count(small) {
			small = inner
			break
		}
	}
	out := mask.New(f.size.X, f.size.Y)
	for y := range small.H {
		row := out.Row(y)
		for x, v := range small.Row(y) {
			row[x] = 255 - v
		}
	}
	return out
}

// kept is what a job's mask keeps of the scaled canvas.
func (f frame) kept(redraw mask.Plane) mask.Plane {
	out := mask.New(f.scaled.X, f.scaled.Y)
	for y := range out.H {
		row := out.Row(y)
		for x, v := range redraw.Row(y)[:out.W] {
			row[x] = 255 - v
		}
	}
	return out
}

// cut takes the scaled canvas out of an engine's answer of the frame's shape.
func (f frame) cut(answer *image.NRGBA) *image.NRGBA {
	size := answer.Rect.Size()
	if f.scaled == f.size {
		return answer
	}
	if size != f.size {
		answer = imaging.Resize(answer, f.size.X, f.size.Y)
	}
	return imaging.Crop(answer, image.Rectangle{Max: f.scaled})
}

// count is how many pixels of a hard plane are painted.
func count(p mask.Plane) (n int) {
	for _, v := range p.Pix {
		n += int(v >> 7)
	}
	return n
}
