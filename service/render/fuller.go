package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
)

// withWideBody makes a figure fuller: trunk and limbs widen about the body's middle, most at waist and hips, and the cheeks a
// little; what stands beside moves aside.
func withWideBody(ctx context.Context, b *brush) error {
	head, err := b.headAt()
	if err != nil {
		return err
	}
	found, err := figureIn(ctx, b)
	if err != nil {
		return err
	}
	amount := [4]float64{0.32, 0.48, 0.2, 0.64}[b.req.Item%4]
	b.img = widened(b.img, figureOf(found.Matte, head), amount)
	cx, cy := float64(head.Min.X+head.Max.X)/2, float64(head.Min.Y)+0.68*float64(head.Dy())
	magnify(b.img, cx, cy, 0.8*float64(head.Dx()), 0.6*float64(head.Dy()), 0.3*amount)
	return nil
}

// widened is a picture in which a body is wider by a share.
func widened(img *image.NRGBA, body figure, amount float64) *image.NRGBA {
	const aside = 1.5 // halves of the body beside it that make room
	out := imaging.Clone(img)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	parallelRows(h, func(y int) {
		level := body.level(float64(y))
		k := amount * smooth((level+0.35)/0.9) * (1 - 0.45*smooth((level-1)/0.8)) * smooth((2.25-level)/0.3)
		if k <= 0 {
			return
		}
		half := math.Max(0.7*body.unit, math.Max(body.trunk[0][y], body.trunk[1][y]))
		for x := range w {
			r := (float64(x) - body.axis[y]) / (half * (1 + k))
			d := math.Abs(r)
			if d >= 1+aside {
				continue
			}
			shift := k * half * d
			if d > 1 {
				shift = k * half * (1 - smooth((d-1)/aside))
			}
			c, ok := sampled(img, float64(x)-math.Copysign(shift, r), float64(y))
			if !ok {
				continue
			}
			p := out.Pix[out.PixOffset(x, y):]
			for n := range 3 {
				p[n] = byte255(c[n])
			}
		}
	})
	return out
}
