package compose

import (
	"image"
	"math"

	"atelier/imaging/parallel"
)

// Light says how a scene is lit, so that what is put into it throws a fitting shadow.
type Light struct {
	// Angle is where in the picture light comes from, in degrees counter-clockwise: 0 the right, 90 above, 180 the left.
	Angle float64
	// Softness is 0 for the hard shadow of the sun and 1 for an overcast sky.
	Softness float64
	// Behind says that the light stands behind what it falls on: shadows come towards the viewer.
	Behind bool
}

// Side is the share of the light that comes from the side: -1 the left … 1 the right.
func (l Light) Side() float64 { return math.Cos(l.Angle * math.Pi / 180) }

// Mirrored is the light of the flipped picture.
func (l Light) Mirrored() Light {
	l.Angle = math.Mod(540-l.Angle, 360)
	return l
}

// EstimateLight guesses how a photograph is lit: from the side where its brightness lies, and the harder the deeper its
// shadows are beside its lights.
func EstimateLight(scene *image.NRGBA) Light {
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	stride := max(1, max(w, h)/128)
	var sum, moment, dark, n float64
	for y := 0; y < h; y += stride {
		row := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
		for x := 0; x < w; x += stride {
			v := linear(row[4*x])*0.3 + linear(row[4*x+1])*0.6 + linear(row[4*x+2])*0.1
			sum += v
			n++
			if v < 0.04 {
				dark++
			}
			moment += v * (2*float64(x)/float64(max(1, w-1)) - 1)
		}
	}
	if sum == 0 {
		return Light{Angle: 90, Softness: 1}
	}
	side := math.Max(-1, math.Min(1, 4*moment/sum))
	hard := math.Min(1, 3*dark/n) * math.Min(1, 2*sum/n)
	return Light{Angle: 90 - 60*side, Softness: 0.8 - 0.3*hard}
}

// LitFrom estimates from which side a cut-out was lit: -1 the left … 1 the right. It compares the halves of each row,
// so that a bright shirt over dark trousers says nothing.
func LitFrom(cut *image.NRGBA) float64 {
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	stride := max(1, max(w, h)/200)
	var total, weight float64
	line := make([]float64, 0, w/stride+1)
	for y := 0; y < h; y += stride {
		row := cut.Pix[cut.PixOffset(cut.Rect.Min.X, cut.Rect.Min.Y+y):]
		line = line[:0]
		for x := 0; x < w; x += stride {
			if row[4*x+3] == 255 {
				line = append(line, 0.3*float64(row[4*x])+0.6*float64(row[4*x+1])+0.1*float64(row[4*x+2]))
			}
		}
		if len(line) < 4 {
			continue
		}
		var left, right float64
		for i, v := range line {
			if i < len(line)/2 {
				left += v
			} else if i >= (len(line)+1)/2 {
				right += v
			}
		}
		if left+right > 0 {
			total += (right - left) / (right + left) * float64(len(line))
			weight += float64(len(line))
		}
	}
	if weight == 0 {
		return 0
	}
	return math.Max(-1, math.Min(1, 3*total/weight))
}

// FloorLine estimates where in a photograph the ground begins, as a share of its height: the strongest level edge
// between the upper third and the lowest part, those near three fifths before others.
func FloorLine(scene *image.NRGBA) float64 {
	const usual, rows, columns = 0.62, 96, 64
	w, h := scene.Rect.Dx(), scene.Rect.Dy()
	if w < 8 || h < 16 {
		return usual
	}
	var mean [rows][3]float64
	for i := range rows {
		y := (2*i + 1) * h / (2 * rows)
		row := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
		for j := range columns {
			x := (2*j + 1) * w / (2 * columns)
			lab := Lab(row[4*x], row[4*x+1], row[4*x+2])
			for k, v := range lab {
				mean[i][k] += v / columns
			}
		}
	}
	best, at := 4.0, usual
	for i := 2; i < rows-2; i++ {
		y := float64(i) / rows
		if y < 0.35 || y > 0.9 {
			continue
		}
		d := 0.0
		for k := range 3 {
			v := mean[i][k] + mean[i+1][k] - mean[i-1][k] - mean[i-2][k]
			d += v * v / 4
		}
		off := (y - usual) / 0.22
		if score := math.Sqrt(d) * math.Exp(-off*off); score > best {
			best, at = score, y
		}
	}
	return at
}

// Settle lays cut over scene, which has its size, and lets the scene's light spill over the soft edge by amount: pixels
// that are neither opaque nor clear take on the scene softened by about radius pixels. Opaque pixels are copied bit by
// bit.
func Settle(scene, cut *image.NRGBA, radius int, amount float64) {
	if cut.Rect.Size() != scene.Rect.Size() {
		return
	}
	glow := broad(scene, radius)
	w := cut.Rect.Dx()
	parallel.Spread(cut.Rect.Dy(), 8, func(from, to int) {
		for y := from; y < to; y++ {
			s := cut.Pix[cut.PixOffset(cut.Rect.Min.X, cut.Rect.Min.Y+y):]
			d := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
			for x := range w {
				p := [4]uint8(s[4*x : 4*x+4])
				if p[3] == 0 {
					continue
				}
				if p[3] < 255 {
					share := amount * (1 - float64(p[3])/255)
					c := glow.at(x, y)
					for k := range 3 {
						p[k] = uint8(float64(p[k])*(1-share) + c[k]*share + 0.5)
					}
				}
				over(d[4*x:4*x+4:4*x+4], p[:])
			}
		}
	})
}

// haze is a picture softened so far that a small copy holds it.
type haze struct {
	small *image.NRGBA
	kx    float64
	ky    float64
}

// broad is img softened by about r pixels.
func broad(img *image.NRGBA, r int) haze {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	k := max(1, r/2)
	sw, sh := max(1, w/k), max(1, h/k)
	small := image.NewNRGBA(image.Rect(0, 0, sw, sh))
	parallel.Spread(sh, 8, func(from, to int) {
		for y := from; y < to; y++ {
			y0, y1 := y*h/sh, max(y*h/sh+1, (y+1)*h/sh)
			for x := range sw {
				x0, x1 := x*w/sw, max(x*w/sw+1, (x+1)*w/sw)
				var sum [3]int
				for v := y0; v < y1; v++ {
					row := img.Pix[img.PixOffset(img.Rect.Min.X+x0, img.Rect.Min.Y+v):]
					for u := range x1 - x0 {
						sum[0] += int(row[4*u])
						sum[1] += int(row[4*u+1])
						sum[2] += int(row[4*u+2])
					}
				}
				n := (x1 - x0) * (y1 - y0)
				p := small.Pix[small.PixOffset(x, y):]
				for c := range 3 {
					p[c] = uint8(sum[c] / n)
				}
				p[3] = 255
			}
		}
	})
	return haze{small: Blur(small, max(1, r/k)), kx: float64(sw) / float64(w), ky: float64(sh) / float64(h)}
}

// at is the softened colour at a pixel of the picture.
func (z haze) at(x, y int) [3]float64 {
	fx := math.Max(0, (float64(x)+0.5)*z.kx-0.5)
	fy := math.Max(0, (float64(y)+0.5)*z.ky-0.5)
	x0, y0 := int(fx), int(fy)
	x1, y1 := min(x0+1, z.small.Rect.Dx()-1), min(y0+1, z.small.Rect.Dy()-1)
	u, v := fx-float64(x0), fy-float64(y0)
	a, b := z.small.Pix[z.small.PixOffset(x0, y0):], z.small.Pix[z.small.PixOffset(x1, y0):]
	c, d := z.small.Pix[z.small.PixOffset(x0, y1):], z.small.Pix[z.small.PixOffset(x1, y1):]
	var out [3]float64
	for k := range 3 {
		out[k] = (float64(a[k])*(1-u)+float64(b[k])*u)*(1-v) + (float64(c[k])*(1-u)+float64(d[k])*u)*v
	}
	return out
}

// Defocus softens an opaque scene in place by about r pixels, as a lens does that is set to a subject standing on row
// sharp: above row floor in full, from there down to sharp less and less.
func Defocus(scene *image.NRGBA, r, floor, sharp int) {
	if r < 1 {
		return
	}
	soft := broad(scene, r)
	w := scene.Rect.Dx()
	parallel.Spread(scene.Rect.Dy(), 8, func(from, to int) {
		for y := from; y < to; y++ {
			share := 1.0
			if y > floor {
				share = 1 - math.Min(1, float64(y-floor)/float64(max(1, sharp-floor)))
			}
			if share <= 0 {
				continue
			}
			row := scene.Pix[scene.PixOffset(scene.Rect.Min.X, scene.Rect.Min.Y+y):]
			for x := range w {
				c := soft.at(x, y)
				for k := range 3 {
					row[4*x+k] = uint8(float64(row[4*x+k])*(1-share) + c[k]*share + 0.5)
				}
			}
		}
	})
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
