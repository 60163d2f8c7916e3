package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// eyewear is what lies before a face about the eyes: dark frames, and dark lenses that hide an eye.
type eyewear struct {
	front  mask.Plane
	hidden [2]bool // whether the left and the right eye lie behind a dark lens
}

// eyewearOn finds it by how much darker it is than the skin. Brows count as frames do; an open eye does not.
func eyewearOn(img *image.NRGBA, h head, f features) eyewear {
	out := eyewear{front: mask.New(h.skin.W, h.skin.H)}
	s := math.Max(1, f.span())
	skin := skinTone(img, h.face)[0]
	dark := func(x, y int) float64 {
		p := img.Pix[img.PixOffset(x, y):]
		return smooth((0.62*skin-compose.Lab(p[0], p[1], p[2])[0])/math.Max(3, 0.14*skin) + 0.5)
	}
	within := func(c spot, rx, ry float64, do func(x, y int, reach float64)) {
		for y := max(0, int(c.y-ry)); y < min(out.front.H, int(c.y+ry)+1); y++ {
			for x := max(0, int(c.x-rx)); x < min(out.front.W, int(c.x+rx)+1); x++ {
				if d := math.Hypot((float64(x)-c.x)/rx, (float64(y)-c.y)/ry); d < 1 {
					do(x, y, d)
				}
			}
		}
	}
	for i, e := range []spot{f.left, f.right} {
		sum, n := 0.0, 0.0
		within(e, 0.3*s, 0.17*s, func(x, y int, _ float64) { sum, n = sum+dark(x, y), n+1 })
		out.hidden[i] = sum > 0.72*n
		within(e, 0.72*s, 0.44*s, func(x, y int, reach float64) {
			v := dark(x, y) * smooth((1-reach)/0.2)
			if !out.hidden[i] {
				// The eye itself, with its lashes, is no frame.
				v *= smooth((math.Hypot((float64(x)-e.x)/0.26, (float64(y)-e.y)/0.13)/s - 0.8) / 0.3)
			}
			k := y*out.front.W + x
			out.front.Pix[k] = max(out.front.Pix[k], byte255(255*v))
		})
	}
	return out
}

// off is skin without what lies before it.
func (e eyewear) off(skin mask.Plane) mask.Plane {
	out := skin.Clone()
	for i, v := range e.front.Grow(1).Feather(1).Pix {
		out.Pix[i] = min(out.Pix[i], 255-v)
	}
	return out
}
