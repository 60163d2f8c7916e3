package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// withRoundBelly rounds the body below the chest, where the picture reaches as far down: its outline widens, and light falls on it as on a ball, bright above,
// in shade at the sides and below.
func withRoundBelly(ctx context.Context, b *brush) error {
	face, err := b.headAt()
	if err != nil {
		return err
	}
	whole, err := analysis.Subject(ctx, b.img, segment.Options{})
	if err != nil {
		return fmt.Errorf("find the body: %w", err)
	}
	wide, high := float64(face.Dx()), float64(face.Dy())
	cx, cy := float64(face.Min.X+face.Max.X)/2, float64(face.Max.Y)+2.35*high
	if cy+0.4*high > float64(b.img.Rect.Dy()) {
		return unseen(aBelly, 0)
	}
	more := [4]float64{0, 0.16, -0.14, 0.32}[b.req.Item%4] // a month or two further on, or less far
	const flank = 1.75                                     // the outline is widened as far as this, and no arm further out
	magnify(b.img, cx, cy, flank*wide, 1.5*high, 0.42+more)
	dome(b.img, whole.Matte, image.Pt(int(cx), int(cy+0.1*high)), 1.1*wide, 1.2*high, 1+more)
	return nil
}

// dome shades what part shows around a centre as a half ball of radii rx and ry that light falls on from above, in place.
func dome(img *image.NRGBA, part mask.Plane, at image.Point, rx, ry, strength float64) {
	eachPixel(img, func(x, y int, p []uint8) {
		u, v := float64(x-at.X)/rx, float64(y-at.Y)/ry
		d := math.Hypot(u, v)
		if d >= 1.25 {
			return
		}
		light := -(0.3*u + 0.7*v) * (1 - smooth((d-0.45)/0.8))
		light -= 0.4 * smooth((d-0.55)/0.45) * (1 - smooth((d-0.95)/0.3)) * smooth(v+0.5)
		k := strength * light * float64(part.At(x, y)) / 255
		if k == 0 {
			return
		}
		lab := compose.Lab(p[0], p[1], p[2])
		p[0], p[1], p[2] = compose.RGB([3]float64{math.Max(0, math.Min(100, lab[0]+30*k)), lab[1], lab[2]})
	})
}
