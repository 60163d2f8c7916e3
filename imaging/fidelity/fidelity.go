// Package fidelity measures whether a result kept what it was to keep: the share of the protected region that looks the same
// in the source and in the result.
package fidelity

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// Side is the longer side in px at which pictures are compared: small enough to be quick, large enough to see a seam or a print.
const Side = 512

const (
	// reach is how far in px at that size a result may be shifted as a whole and still count as the same picture.
	reach = 3
	// rim is how much of the region's edge is left out: there the new surroundings shine through on purpose.
	rim = 2
	// tolerance is the distance in CIELAB below which nobody sees a change side by side, JPEG's own noise included.
	tolerance = 7
	// minRegion is the least share of the picture a region must have to be judged.
	minRegion = 0.002
	// minConfidence is how sure the segmentation must be for its region to be judged by.
	minConfidence = 0.5
)

// ErrNotComparable says that source and result cannot be laid on each other: another shape, or no region worth measuring.
var ErrNotComparable = errors.New("source and result cannot be compared")

// Region is what of a source was to be kept, at the size pictures are compared at.
type Region struct {
	source *image.NRGBA
	keep   mask.Plane
}

// FromMask takes the region from a mask of the source's own size.
func FromMask(source *image.NRGBA, keep mask.Plane) (Region, error) {
	if keep.W != source.Rect.Dx() || keep.H != source.Rect.Dy() {
		return Region{}, fmt.Errorf("%w: the mask is of another size", ErrNotComparable)
	}
	small := fit(source)
	return region(small, shrink(keep, small.Rect.Dx(), small.Rect.Dy()))
}

// Find takes the region an automatic mask type protects. It is our own reading of the picture: where it is unsure, nothing is
// compared.
func Find(ctx context.Context, source *image.NRGBA, kind segment.Kind) (Region, error) {
	small := fit(source)
	found, err := segment.Region(ctx, small, kind, segment.Options{Fine: Side, Hard: true})
	if err != nil {
		return Region{}, err
	}
	if found.Confidence < minConfidence {
		return Region{}, fmt.Errorf("%w: the protected region is not clear", ErrNotComparable)
	}
	return region(small, found.Mask)
}

func region(small *image.NRGBA, keep mask.Plane) (Region, error) {
	keep = keep.Shrink(rim)
	if keep.Stats(0).Share < minRegion {
		return Region{}, fmt.Errorf("%w: too little is protected", ErrNotComparable)
	}
	return Region{small, keep}, nil
}

// Score gives the share of the region that looks the same in the result, 0 to 1.
func (r Region) Score(result *image.NRGBA) (float64, error) {
	w, h := r.source.Rect.Dx(), r.source.Rect.Dy()
	rw, rh := result.Rect.Dx(), result.Rect.Dy()
	if ratio := float64(w) * float64(rh) / (float64(h) * float64(rw)); ratio < .98 || ratio > 1.02 {
		return 0, fmt.Errorf("%w: the result has another shape", ErrNotComparable)
	}
	a, b := labOf(r.source), labOf(imaging.Resize(result, w, h))
	dx, dy := r.shift(a, b)
	same, all := 0, 0
	for y := range h {
		for x := range w {
			if !r.keep.Kept(x, y) {
				continue
			}
			all++
			if a.near(b, x, y, dx, dy) {
				same++
			}
		}
	}
	return float64(same) / float64(all), nil
}

// shift finds how the result lies on the source: the offset at which the region's lightness differs least.
func (r Region) shift(a, b lab) (dx, dy int) {
	best := math.Inf(1)
	for oy := -reach; oy <= reach; oy++ {
		for ox := -reach; ox <= reach; ox++ {
			var sum float64
			n := 0
			// Every third pixel of every third row tells it as well.
			for y := reach; y < a.h-reach; y += 3 {
				for x := reach; x < a.w-reach; x += 3 {
					if r.keep.Kept(x, y) {
						sum += math.Abs(float64(a.at(x, y)[0] - b.at(x+ox, y+oy)[0]))
						n++
					}
				}
			}
			// A shift must be better than none, not just as good.
			if n > 0 && sum/float64(n) < best-1e-3*float64(ox*ox+oy*oy) {
				best, dx, dy = sum/float64(n), ox, oy
			}
		}
	}
	return dx, dy
}

// lab is a picture in CIELAB (D65), with L in 0..100.
type lab struct {
	w, h int
	pix  [][3]float32
}

func (l lab) at(x, y int) [3]float32 { return l.pix[y*l.w+x] }

// near says whether the pixel looks like one of the nine around its place in the other picture: resampling moves edges by
// a fraction of a pixel.
func (l lab) near(other lab, x, y, dx, dy int) bool {
	p := l.at(x, y)
	for ny := y + dy - 1; ny <= y+dy+1; ny++ {
		for nx := x + dx - 1; nx <= x+dx+1; nx++ {
			if nx < 0 || ny < 0 || nx >= other.w || ny >= other.h {
				continue
			}
			q := other.at(nx, ny)
			dl, da, db := p[0]-q[0], p[1]-q[1], p[2]-q[2]
			if dl*dl+da*da+db*db < tolerance*tolerance {
				return true
			}
		}
	}
	return false
}

// labOf converts a picture; what is transparent is far from every colour, so it counts as changed.
func labOf(img *image.NRGBA) lab {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	l := lab{w, h, make([][3]float32, w*h)}
	var linear [256]float64
	for i := range linear {
		v := float64(i) / 255
		if v <= .04045 {
			linear[i] = v / 12.92
		} else {
			linear[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	for y := range h {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		for x := range w {
			c := row[4*x : 4*x+4 : 4*x+4]
			if c[3] < 128 {
				l.pix[y*w+x] = [3]float32{-1000, 0, 0}
				continue
			}
			r, g, b := linear[c[0]], linear[c[1]], linear[c[2]]
			fx := cbrt((.4124*r + .3576*g + .1805*b) / .95047)
			fy := cbrt(.2126*r + .7152*g + .0722*b)
			fz := cbrt((.0193*r + .1192*g + .9505*b) / 1.08883)
			l.pix[y*w+x] = [3]float32{float32(116*fy - 16), float32(500 * (fx - fy)), float32(200 * (fy - fz))}
		}
	}
	return l
}

func cbrt(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

func fit(img *image.NRGBA) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) <= Side {
		return img
	}
	return imaging.Fit(img, Side, Side)
}

// shrink makes a mask smaller by its middle points: a region's edge is left out anyway.
func shrink(p mask.Plane, w, h int) mask.Plane {
	out := mask.New(w, h)
	for y := range h {
		row, from := out.Row(y), p.Row((2*y+1)*p.H/(2*h))
		for x := range row {
			row[x] = from[(2*x+1)*p.W/(2*w)]
		}
	}
	return out
}
