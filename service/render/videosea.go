package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// swell is the water of a drawn scene, which moves: it heaves the more the nearer it is, waves run to the shore, and light
// plays on it.
type swell struct {
	still *image.NRGBA
	water mask.Plane
	top   int // the horizon
	low   int // where the water ends
	f     field
}

// newSwell finds the water of a scene: what is of its colour below the horizon, the foam of its waves included. It is nil
// when there is next to none. What stands before the water stays.
func newSwell(scene *image.NRGBA, seed uint32) *swell {
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	soft := compose.Blur(scene, max(1, h/180))
	wet := func(x, y int) bool {
		p := soft.Pix[soft.PixOffset(x, y):]
		r, g, b := int(p[0]), int(p[1]), int(p[2])
		return b > r+14 && g > r+8 && b > g-34
	}
	// Along rows water is wet nearly all the way; above the horizon the sky may be as blue: the brighter band between them
	// tells them apart.
	share, light := make([]float64, h), make([]float64, h)
	for y := range h {
		for x := 0; x < w; x += 3 {
			if wet(x, y) {
				share[y]++
			}
			light[y] += lightOf(soft.Pix[soft.PixOffset(x, y):])
		}
		n := float64((w + 2) / 3)
		share[y], light[y] = share[y]/n, light[y]/n
	}
	top, most := 0, 0.0
	d := max(2, h/60)
	for y := h / 4; y < h*7/10; y++ {
		// The horizon is where it darkens most, downwards, within a few rows.
		if fall := light[y-d] - light[y+d]; share[y+2*d] > 0.4 && fall > most {
			top, most = y, fall
		}
	}
	if most < 6 {
		return nil
	}
	s := &swell{still: imaging.Clone(scene), water: mask.New(w, h), top: top, f: field{seed: seed}}
	count := 0
	for x := range w {
		last := top - 1
		for y := top; y < h*9/10; y++ {
			if wet(x, y) {
				if y-last < h/22 {
					// Foam between water is water.
					for between := last + 1; between < y; between++ {
						s.water.Set(x, between, 255)
					}
				}
				s.water.Set(x, y, 255)
				last = y
				count++
			}
		}
		s.low = max(s.low, last)
	}
	if count < w*h/50 || s.low <= top {
		return nil
	}
	s.water = s.water.Feather(math.Max(1, float64(h)/200))
	return s
}

// draw draws the scene as it is at a second into a picture of its size.
func (s *swell) draw(dst *image.NRGBA, second float64) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	deep := float64(s.low - s.top)
	parallelRows(s.low-s.top+1, func(row int) {
		y := s.top + row
		if y >= h {
			return
		}
		near := float64(row) / deep // 0 at the horizon
		// Waves are the longer the nearer they are, and come towards the shore.
		phase := 30*math.Sqrt(near+0.02) - 1.7*second
		rise := deep * 0.03 * near
		drift := deep * 0.035 * near * math.Sin(0.9*second+9*near)
		for x := range w {
			share := float64(s.water.Pix[y*s.water.W+x]) / 255
			if share == 0 {
				continue
			}
			u := float64(x) / deep
			wave := math.Sin(phase + 0.8*math.Sin(1.3*u/(0.3+near)))
			c, ok := sampled(s.still, float64(x)+drift+0.5*rise*math.Sin(phase*0.7+2*u), float64(y)+rise*wave)
			if !ok {
				continue
			}
			// Glints come and go.
			glint := s.f.at(u*46/(0.35+near), near*60-2.2*second) * s.f.at(u*20/(0.35+near)+1.4*second, near*34)
			lit := 0.05*wave*near*255 + 120*math.Max(0, glint-0.36)
			i := dst.PixOffset(x, y)
			for k := range 3 {
				v := float64(s.still.Pix[i+k])
				dst.Pix[i+k] = byte255(v + share*(c[k]+lit-v))
			}
		}
	})
}
