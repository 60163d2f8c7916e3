package fill

import (
	"bytes"
	"context"
	"image"
	"math"
)

// What is new goes out of focus far from the picture, as what lies far from a subject does: there the same few patches would
// otherwise be recognised again and again. Lengths are in short sides of the picture.
const (
	sharpFor = 0.75 // how far everything is as sharp as the picture
	opening  = 0.03 // radius (standard deviation) of the blur gained over one short side
	finest   = 0.58 // radius of the blur of the first reduced copy, in px
)

// defocus softens the holes of a canvas on which the picture takes place.
func (p *problem) defocus(ctx context.Context, place image.Rectangle) error {
	short := float64(min(place.Dx(), place.Dy()))
	away := func(x, y int) float64 {
		dx := max(0, place.Min.X-x, x-place.Max.X+1)
		dy := max(0, place.Min.Y-y, y-place.Max.Y+1)
		return math.Hypot(float64(dx), float64(dy))
	}
	radius := func(x, y int) float64 { return opening * max(0, away(x, y)-sharpFor*short) }
	most := max(radius(0, 0), radius(p.dst.w-1, 0), radius(0, p.dst.h-1), radius(p.dst.w-1, p.dst.h-1))
	if most < finest {
		return ctx.Err()
	}
	copies, err := reduced(ctx, p.dst, int(math.Ceil(math.Log2(1+most/finest))))
	if err != nil {
		return err
	}
	return parallel(ctx, bands*4, func(b int) {
		for y := p.dst.h * b / (bands * 4); y < p.dst.h*(b+1)/(bands*4); y++ {
			for x := range p.dst.w {
				i := y*p.dst.w + x
				r := radius(x, y)
				if p.state[i] != hole || r == 0 {
					continue
				}
				coarse, part := math.Modf(math.Log2(1 + r/finest))
				q := p.dst.pix[4*i : 4*i+3 : 4*i+3]
				fine := [3]float32{float32(q[0]), float32(q[1]), float32(q[2])}
				k := int(coarse)
				if k > 0 {
					fine = copies[k-1].soft(x, y, 1<<k)
				}
				rough := copies[min(k, len(copies)-1)].soft(x, y, 2<<k)
				for c := range q {
					q[c] = uint8(fine[c] + float32(part)*(rough[c]-fine[c]) + 0.5)
				}
			}
		}
	})
}

// reduced are n copies of a picture, each half the size of the one before.
func reduced(ctx context.Context, p picture, n int) (copies []picture, err error) {
	given := bytes.Repeat([]byte{known}, p.w*p.h)
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, given = half(p, given)
		copies = append(copies, p)
	}
	return copies, nil
}

// soft is the colour of a copy scale times smaller at a full-size pixel, by quadratic B-spline.
func (p picture) soft(x, y, scale int) (sum [3]float32) {
	cx, cy := x/scale, y/scale
	wx := spline((float32(x%scale)+0.5)/float32(scale) - 0.5)
	wy := spline((float32(y%scale)+0.5)/float32(scale) - 0.5)
	for k := range 9 {
		i := 4 * (clamp(cy+k/3-1, 0, p.h-1)*p.w + clamp(cx+k%3-1, 0, p.w-1))
		w := wx[k%3] * wy[k/3]
		for c := range sum {
			sum[c] += w * float32(p.pix[i+c])
		}
	}
	return sum
}
