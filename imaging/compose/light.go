package compose

import (
	"image"
	"math"

	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// Light estimates from where a scene is lit: -1 from the left … 1 from the right, by where its brightness lies.
func Light(scene *image.NRGBA) float64 {
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	stride := max(1, max(w, h)/128)
	var sum, moment float64
	for y := 0; y < h; y += stride {
		row := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
		for x := 0; x < w; x += stride {
			v := linear(row[4*x])*0.3 + linear(row[4*x+1])*0.6 + linear(row[4*x+2])*0.1
			sum += v
			moment += v * (2*float64(x)/float64(max(1, w-1)) - 1)
		}
	}
	if sum == 0 {
		return 0
	}
	return math.Max(-1, math.Min(1, 4*moment/sum))
}

// Shadow says how a subject darkens the floor it stands on.
type Shadow struct {
	Strength float64 // 0 … 1, of the darkest place
	Light    float64 // where light comes from, -1 left … 1 right: the shadow falls the other way
	Length   float64 // of the cast shadow, as a share of the subject's height
}

// ContactShadow darkens scene, in place, under a subject whose matte (of the scene's size) stands in it: a dark line
// where it touches the floor and its squashed, softened shape lying there. A subject that the lower edge of the
// picture cuts off has no visible floor and throws no shadow.
func ContactShadow(scene *image.NRGBA, matte mask.Plane, s Shadow) {
	b := matte.Bounds()
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	if b.Empty() || matte.W != w || matte.H != h || b.Max.Y >= h-1-h/200 || s.Strength <= 0 {
		return
	}
	dark := mask.New(w, h)
	s.cast(dark, matte, b)
	blurPlane(dark.Pix, w, h, max(1, b.Dy()/70), false)
	touch := contact(matte, b)
	blurPlane(touch.Pix, w, h, max(1, b.Dy()/160), false)
	parallel.Spread(h, 1, func(from, to int) {
		for y := from; y < to; y++ {
			row := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
			for x := range w {
				i := y*w + x
				a := 0.55*float64(dark.Pix[i])/255 + 0.75*float64(touch.Pix[i])/255
				if a == 0 {
					continue
				}
				keep := 1 - s.Strength*math.Min(1, a)
				for k := range 3 {
					row[4*x+k] = uint8(float64(row[4*x+k])*keep + 0.5)
				}
			}
		}
	})
}

// cast lays the squashed shape on the floor: away from the light, and to the back, where it fades.
func (s Shadow) cast(dark, matte mask.Plane, b image.Rectangle) {
	length := s.Length
	if length <= 0 {
		length = 0.16
	}
	reach := int(length * float64(b.Dy()))
	drop := b.Dy() / 90 // the near side of the shadow lies a little before the feet
	for d := range reach {
		y := b.Max.Y + drop - d
		if y < 0 || y >= matte.H {
			continue
		}
		up := float64(d) / float64(reach)
		from := b.Max.Y - 1 - int(up*0.9*float64(b.Dy()))
		aside := int(-s.Light * up * 0.45 * float64(b.Dy()))
		fade := 1 - up
		row := matte.Row(max(0, from))
		for x := b.Min.X; x < b.Max.X; x++ {
			if row[x] == 0 {
				continue
			}
			to := x + aside
			if to < 0 || to >= matte.W {
				continue
			}
			i := y*matte.W + to
			dark.Pix[i] = max(dark.Pix[i], uint8(float64(row[x])*fade))
		}
	}
}

// contact marks where the subject touches the floor: a flat spot under every column's lowest point that is close
// enough to the lowest of all.
func contact(matte mask.Plane, b image.Rectangle) mask.Plane {
	out := mask.New(matte.W, matte.H)
	near := max(2, b.Dy()/14)
	thick := max(1, b.Dy()/110)
	for x := b.Min.X; x < b.Max.X; x++ {
		for y := b.Max.Y - 1; y >= b.Max.Y-near && y >= 0; y-- {
			if matte.Pix[y*matte.W+x] < mask.Level {
				continue
			}
			out.FillRect(image.Rect(x, y-thick, x+1, y+thick+1), 255)
			break
		}
	}
	return out
}

// LightWrap lets the light of scene spill over the soft edge of cut, in place: pixels that are neither opaque nor
// clear take on the blurred scene by amount. cut has the scene's size. Opaque pixels stay as they are.
func LightWrap(cut, scene *image.NRGBA, radius int, amount float64) {
	if cut.Rect.Size() != scene.Rect.Size() || amount <= 0 {
		return
	}
	glow := Blur(scene, radius)
	w := cut.Rect.Dx()
	for y := range cut.Rect.Dy() {
		row := cut.Pix[cut.PixOffset(cut.Rect.Min.X, cut.Rect.Min.Y+y):]
		light := glow.Pix[y*glow.Stride:]
		for x := range w {
			p := row[4*x : 4*x+4 : 4*x+4]
			if p[3] == 0 || p[3] == 255 {
				continue
			}
			share := amount * (1 - float64(p[3])/255)
			for k := range 3 {
				p[k] = uint8(float64(p[k])*(1-share) + float64(light[4*x+k])*share + 0.5)
			}
		}
	}
}

// SoftenRim lays half-covered pixels around the hard edge of a cut-out, in place, coloured like the opaque pixels they
// touch, so that a drawn outline does not look like stairs. Pixels that are not clear stay as they are.
func SoftenRim(cut *image.NRGBA) {
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	from := Matte(cut)
	for y := range h {
		row := cut.Pix[cut.PixOffset(cut.Rect.Min.X, cut.Rect.Min.Y+y):]
		for x := range w {
			if from.Pix[y*w+x] != 0 {
				continue
			}
			var sum [3]uint32
			var near, all uint32 // edge neighbours count twice
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if from.At(x+dx, y+dy) != 255 {
						continue
					}
					weight := uint32(1)
					if dx == 0 || dy == 0 {
						weight = 2
						near++
					}
					p := cut.Pix[cut.PixOffset(cut.Rect.Min.X+x+dx, cut.Rect.Min.Y+y+dy):]
					for k := range 3 {
						sum[k] += weight * uint32(p[k])
					}
					all += weight
				}
			}
			if near == 0 {
				continue
			}
			for k := range 3 {
				row[4*x+k] = uint8((sum[k] + all/2) / all)
			}
			row[4*x+3] = uint8(min(170, 255*all/12))
		}
	}
}
