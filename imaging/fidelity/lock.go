package fidelity

import (
	"image"
	"math"

	"atelier/atelier"
	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// Lock puts the protected pixels of a source back over a result of it: exactly as they are within the mask, with a soft edge
// outside. The result is laid on the source first, so the picture has the source's size. Where it shows what was protected at another
// place, nothing is put back.
func Lock(source *image.NRGBA, keep mask.Plane, result *image.NRGBA) (*image.NRGBA, error) {
	if keep.W != source.Rect.Dx() || keep.H != source.Rect.Dy() {
		return nil, notComparable(atelier.ApartMask, saidMaskSize)
	}
	if keep.Empty() {
		return nil, notComparable(atelier.ApartNothing, NothingProtected)
	}
	if err := sameShape(source.Rect.Size(), result.Rect.Size()); err != nil {
		return nil, err
	}
	w, h := source.Rect.Dx(), source.Rect.Dy()
	small := fit(source)
	sw, sh := small.Rect.Dx(), small.Rect.Dy()
	a, b, region := labOf(small), labOf(imaging.Resize(result, sw, sh)), shrink(keep, sw, sh)
	p := findPlace(a, b, region)
	if strayed(a, b, region, p) {
		return nil, notComparable(atelier.ApartElsewhere, saidElsewhere)
	}
	out := imaging.Resize(result, w, h)
	if !p.still(w, h) {
		out = laid(out, p)
	}
	cover(out, source, softened(keep))
	return out, nil
}

// softened is how much of the source shows: all of it where it is kept, less and less over a few pixels outside.
func softened(keep mask.Plane) mask.Plane {
	r := max(1.5, float64(max(keep.W, keep.H))/700)
	soft := keep.Grow(r).Feather(2 * r)
	for i, v := range keep.Pix {
		if v >= mask.Level {
			soft.Pix[i] = 255
		}
	}
	return soft
}

// cover lays the source over the picture, as much of it as the mask says. Both may be transparent.
func cover(out, source *image.NRGBA, shown mask.Plane) {
	w, h := out.Rect.Dx(), out.Rect.Dy()
	parallel.Spread(h, 16, func(from, to int) {
		for y := from; y < to; y++ {
			row, dst, src := shown.Row(y), out.Pix[y*out.Stride:], source.Pix[y*source.Stride:]
			for x := range w {
				d, s := dst[4*x:4*x+4:4*x+4], src[4*x:4*x+4:4*x+4]
				switch m := int(row[x]); m {
				case 0:
				case 255:
					copy(d, s)
				default:
					// Of colours, only as much counts as is seen of them.
					sa, da := m*int(s[3]), (255-m)*int(d[3])
					if sa+da == 0 {
						continue
					}
					for c := range 3 {
						d[c] = uint8((sa*int(s[c]) + da*int(d[c]) + (sa+da)/2) / (sa + da))
					}
					d[3] = uint8((sa + da + 127) / 255)
				}
			}
		}
	})
}

// laid gives a picture as it lies on its source, of the same size. What comes from beyond its edge repeats the edge.
func laid(img *image.NRGBA, p Place) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	parallel.Spread(h, 16, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range w {
				sx, sy := p.to(float64(x), float64(y), w, h)
				copy(out.Pix[y*out.Stride+4*x:], between(img, sx, sy))
			}
		}
	})
	return out
}

// between is the colour between pixels, by Catmull and Rom's cubic, which keeps edges as sharp as they are.
func between(img *image.NRGBA, x, y float64) []uint8 {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y = min(max(x, 0), float64(w-1)), min(max(y, 0), float64(h-1))
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	wx, wy := cubic(x-float64(x0)), cubic(y-float64(y0))
	var sum [4]float64
	for j, fy := range wy {
		row := img.Pix[min(max(y0+j-1, 0), h-1)*img.Stride:]
		for i, fx := range wx {
			c := row[4*min(max(x0+i-1, 0), w-1):]
			f := fx * fy * float64(c[3])
			sum[0], sum[1], sum[2], sum[3] = sum[0]+f*float64(c[0]), sum[1]+f*float64(c[1]), sum[2]+f*float64(c[2]), sum[3]+f
		}
	}
	if sum[3] <= .5 {
		return []uint8{0, 0, 0, 0}
	}
	var out [4]uint8
	for c := range 3 {
		out[c] = uint8(min(max(sum[c]/sum[3]+.5, 0), 255))
	}
	out[3] = uint8(min(sum[3]+.5, 255))
	return out[:]
}

func cubic(t float64) [4]float64 {
	return [4]float64{
		((-.5*t+1)*t - .5) * t,
		(1.5*t-2.5)*t*t + 1,
		((-1.5*t+2)*t + .5) * t,
		(.5*t - .5) * t * t,
	}
}
