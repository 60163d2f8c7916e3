package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
)

// key is the colour that stands for nothing while a cut-out is completed: none that is worn looks like it.
var key = [3]float64{0, 255, 24}

// behead takes the old head away from a cut-out and completes what it covered.
func behead(ctx context.Context, figure *image.NRGBA, req Request, seg Segmentation) error {
	return heal(ctx, figure, req, seg, true)
}

// heal fills the place of the old head out of what surrounds it. Of a cut-out the background counts as the key colour,
// so that the filling decides where the figure ends.
func heal(ctx context.Context, img *image.NRGBA, req Request, seg Segmentation, cutOut bool) error {
	face := seg.Faces[0]
	d := face.Dx()
	hole := seg.OldHead.Clone()
	for i, v := range hole.Pix {
		hole.Pix[i] = 0
		if v > 3 {
			hole.Pix[i] = 255
		}
	}
	area := hole.Bounds()
	area = image.Rect(area.Min.X-d/2, area.Min.Y-d/2, area.Max.X+d/2, area.Max.Y+d).Intersect(img.Rect)
	if area.Empty() {
		return nil
	}
	// What was close to the head shows its hair; it is not copied from.
	e := req.engine()
	k := math.Min(1, float64(e.gap)/float64(max(area.Dx(), area.Dy())))
	part := compose.Window(img, area)
	gap := mask.New(area.Dx(), area.Dy())
	for y := range gap.H {
		copy(gap.Row(y), hole.Row(area.Min.Y + y)[area.Min.X:area.Max.X])
	}
	gap = gap.Grow(math.Max(1, float64(d)/12))
	work := part
	if cutOut {
		work = keyed(part)
	}
	small, smallGap := work, gap
	if k < 1 {
		w, h := max(1, int(k*float64(area.Dx()))), max(1, int(k*float64(area.Dy())))
		small = imaging.Resize(work, w, h)
		smallGap = mask.New(w, h)
		for y := range h {
			for x := range w {
				smallGap.Set(x, y, gap.At(int((float64(x)+0.5)/k), int((float64(y)+0.5)/k)))
			}
		}
	}
	if smallGap.Full() {
		return nil
	}
	done, err := fill.Complete(ctx, small, smallGap, fill.Options{Seed: req.seed(), Tries: e.tries})
	if err != nil {
		return fmt.Errorf("complete what the head covered: %w", err)
	}
	if k < 1 {
		done = imaging.Resize(done, area.Dx(), area.Dy())
	}
	soft := gap.Feather(math.Max(0.7, float64(d)/120))
	for y := range area.Dy() {
		for x := range area.Dx() {
			share := float64(soft.Pix[y*gap.W+x]) / 255
			if gap.Pix[y*gap.W+x] != 0 {
				share = 1
			}
			if share == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(area.Min.X+x, area.Min.Y+y):]
			q := done.Pix[done.PixOffset(x, y):]
			if cutOut {
				c, a := unkeyed(q)
				if share < 1 {
					continue
				}
				copy(p, []uint8{c[0], c[1], c[2], a})
				continue
			}
			for n := range 3 {
				p[n] = byte255(float64(p[n]) + share*(float64(q[n])-float64(p[n])))
			}
		}
	}
	return nil
}

// keyed is a cut-out over the key colour.
func keyed(cut *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(cut)
	eachPixel(out, func(_, _ int, p []uint8) {
		a := float64(p[3]) / 255
		for k := range 3 {
			p[k] = byte255(a*float64(p[k]) + (1-a)*key[k])
		}
		p[3] = 255
	})
	return out
}

// unkeyed is the colour and cover of a pixel that was completed over the key colour.
func unkeyed(p []uint8) (c [3]uint8, alpha uint8) {
	// The more a pixel is greener than the rest of it, the more of the key is in it.
	green := float64(p[1]) - math.Max(float64(p[0]), float64(p[2]))
	share := math.Max(0, math.Min(1, (green-36)/(key[1]-key[2]-60)))
	if share >= 0.97 {
		return c, 0
	}
	for k := range 3 {
		c[k] = byte255((float64(p[k]) - share*key[k]) / (1 - share))
	}
	return c, byte255(255 * (1 - share))
}
