package compose

import (
	"image"
	"image/color"
	"math"

	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// Stats are the mean and standard deviation of a picture's colours in CIE Lab (lightness 0 … 100).
type Stats struct {
	Mean, Std [3]float64
	Weight    float64 // how many pixels were seen
}

// Measure takes the Stats of img where weight, a plane of its size, is not 0; of all opaque pixels when weight is
// nil. Large pictures are sampled.
func Measure(img *image.NRGBA, weight *mask.Plane) Stats {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	stride := max(1, int(math.Sqrt(float64(w*h)/60000)))
	var s Stats
	var sum, square [3]float64
	for y := 0; y < h; y += stride {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):]
		for x := 0; x < w; x += stride {
			part := float64(row[4*x+3]) / 255
			if weight != nil {
				part *= float64(weight.At(x, y)) / 255
			}
			if part == 0 {
				continue
			}
			lab := Lab(row[4*x], row[4*x+1], row[4*x+2])
			for k, v := range lab {
				sum[k] += part * v
				square[k] += part * v * v
			}
			s.Weight += part
		}
	}
	if s.Weight == 0 {
		return Stats{Mean: [3]float64{50, 0, 0}, Std: [3]float64{1, 1, 1}}
	}
	for k := range sum {
		s.Mean[k] = sum[k] / s.Weight
		s.Std[k] = math.Sqrt(math.Max(0, square[k]/s.Weight-s.Mean[k]*s.Mean[k]))
	}
	return s
}

// Harmonise draws the colours of img, whose Stats are from, by amount (0 … 1) towards those of to, in place. Pixels
// that keep, a plane of img's size, holds at 255 are left alone, those between in part; keep may be nil. Hue follows by
// half as much as lightness: a red dress must not turn its room red.
func Harmonise(img *image.NRGBA, from, to Stats, amount float64, keep *mask.Plane) {
	var gain, shift [3]float64
	for k := range gain {
		amount := amount
		if k > 0 {
			amount /= 2
		}
		g := 1.0
		if from.Std[k] > 0.5 {
			g = math.Min(1.6, math.Max(0.6, to.Std[k]/from.Std[k]))
		}
		gain[k] = 1 + amount*(g-1)
		shift[k] = from.Mean[k] + amount*(to.Mean[k]-from.Mean[k]) - gain[k]*from.Mean[k]
	}
	recolour(img, keep, func(lab [3]float64) [3]float64 {
		for k := range lab {
			lab[k] = lab[k]*gain[k] + shift[k]
		}
		return lab
	})
}

// Grade shifts lightness (in Lab steps), warmth (towards yellow and red, below 0 towards blue) and multiplies
// colourfulness, in place.
func Grade(img *image.NRGBA, light, warmth, colour float64) {
	recolour(img, nil, func(lab [3]float64) [3]float64 {
		return [3]float64{lab[0] + light, lab[1]*colour + warmth*0.4, lab[2]*colour + warmth}
	})
}

// Retone takes colours from one Lab tone to another, in place, where part, a plane of img's size, is set: light and shade
// stay in proportion, differences of hue stay as they are. Skin of one tone becomes skin of another.
func Retone(img *image.NRGBA, from, to [3]float64, part mask.Plane) {
	gain := to[0] / math.Max(8, from[0])
	keep := part.Clone()
	keep.Invert()
	recolour(img, &keep, func(lab [3]float64) [3]float64 {
		// Lights keep their own place: what shines on one skin shines on the other.
		l := lab[0] * gain
		if gain < 1 {
			high := math.Max(0, lab[0]-from[0])
			l = from[0]*gain + (lab[0]-from[0])*gain + 0.35*(1-gain)*high
		} else if lab[0] > from[0] {
			l = to[0] + (lab[0]-from[0])*(100-to[0])/math.Max(1, 100-from[0])
		}
		share := math.Min(1, lab[0]/math.Max(8, from[0]))
		out := [3]float64{l}
		for k := 1; k < 3; k++ {
			out[k] = lab[k] + share*(to[k]-from[k])
			// What has less colour than the tone loses its share of it, and takes on none from across the wheel.
			if to[k]*from[k] > 0 && math.Abs(to[k]) < math.Abs(from[k]) && lab[k]/from[k] < share {
				out[k] = lab[k] * to[k] / from[k]
			}
		}
		return out
	})
}

// Mute takes the colour out of what is coloured like c, in place: hues close to c's become grey, and where c is grey
// itself, lights or darks like it move away from it.
func Mute(img *image.NRGBA, c color.NRGBA) {
	out := Lab(c.R, c.G, c.B)
	strong := math.Hypot(out[1], out[2])
	recolour(img, nil, func(lab [3]float64) [3]float64 {
		if strong < 8 {
			near := math.Exp(-math.Pow((lab[0]-out[0])/16, 2)) * math.Exp(-math.Hypot(lab[1], lab[2])/12)
			away := -14.0
			if out[0] < 50 {
				away = 14
			}
			lab[0] += near * away
			return lab
		}
		here := math.Hypot(lab[1], lab[2])
		if here < 1 {
			return lab
		}
		cos := (lab[1]*out[1] + lab[2]*out[2]) / (here * strong)
		near := math.Max(0, math.Min(1, (cos-0.70)/0.2))
		keep := 1 - 0.88*near
		return [3]float64{lab[0], lab[1] * keep, lab[2] * keep}
	})
}

// gridSide is the number of steps per channel of a recolouring table.
const gridSide = 17

// recolour applies change, a smooth map in Lab, through a table of 17³ colours with linear steps between.
func recolour(img *image.NRGBA, keep *mask.Plane, change func([3]float64) [3]float64) {
	var grid [gridSide * gridSide * gridSide][3]float32
	for i := range grid {
		r, g, b := i/gridSide/gridSide, i/gridSide%gridSide, i%gridSide
		c := fromLab(change(Lab(step(r), step(g), step(b))))
		for k := range 3 {
			grid[i][k] = float32(c[k])
		}
	}
	w := img.Rect.Dx()
	parallel.Spread(img.Rect.Dy(), 1, func(from, to int) {
		for y := from; y < to; y++ {
			row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):]
			for x := range w {
				share := float32(1)
				if keep != nil {
					share = 1 - float32(keep.At(x, y))/255
				}
				p := row[4*x : 4*x+4 : 4*x+4]
				if share == 0 || p[3] == 0 {
					continue
				}
				c := lookUp(&grid, p[0], p[1], p[2])
				for k := range 3 {
					v := float32(p[k]) + share*(c[k]-float32(p[k]))
					p[k] = uint8(min(255, max(0, v+0.5)))
				}
			}
		}
	})
}

func step(i int) uint8 { return uint8(min(255, i*16)) }

// lookUp interpolates the table between its eight colours around (r, g, b).
func lookUp(grid *[gridSide * gridSide * gridSide][3]float32, r, g, b uint8) [3]float32 {
	pos := func(v uint8) (int, float32) {
		i := int(v) / 16
		width := float32(16)
		if i == 15 {
			width = 15
		}
		return i, float32(int(v)-16*i) / width
	}
	ri, rf := pos(r)
	gi, gf := pos(g)
	bi, bf := pos(b)
	var out [3]float32
	for n := range 8 {
		part := [2]float32{1 - rf, rf}[n>>2] * [2]float32{1 - gf, gf}[n>>1&1] * [2]float32{1 - bf, bf}[n&1]
		if part == 0 {
			continue
		}
		c := &grid[((ri+n>>2)*gridSide+gi+n>>1&1)*gridSide+bi+n&1]
		for k := range 3 {
			out[k] += part * c[k]
		}
	}
	return out
}

// Lab converts sRGB to CIE Lab (D65).
func Lab(r, g, b uint8) [3]float64 {
	lr, lg, lb := linear(r), linear(g), linear(b)
	x := (0.4124564*lr + 0.3575761*lg + 0.1804375*lb) / 0.95047
	y := 0.2126729*lr + 0.7151522*lg + 0.0721750*lb
	z := (0.0193339*lr + 0.1191920*lg + 0.9503041*lb) / 1.08883
	fx, fy, fz := labCurve(x), labCurve(y), labCurve(z)
	return [3]float64{116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)}
}

// RGB converts CIE Lab to sRGB.
func RGB(lab [3]float64) (r, g, b uint8) {
	c := fromLab(lab)
	return uint8(c[0] + 0.5), uint8(c[1] + 0.5), uint8(c[2] + 0.5)
}

// fromLab converts CIE Lab to sRGB 0 … 255, cut off at the limits.
func fromLab(lab [3]float64) [3]float64 {
	fy := (lab[0] + 16) / 116
	x := 0.95047 * labLine(fy+lab[1]/500)
	y := labLine(fy)
	z := 1.08883 * labLine(fy-lab[2]/200)
	return [3]float64{
		gamma(3.2404542*x - 1.5371385*y - 0.4985314*z),
		gamma(-0.9692660*x + 1.8760108*y + 0.0415560*z),
		gamma(0.0556434*x - 0.2040259*y + 1.0572252*z),
	}
}

func labCurve(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}

func labLine(f float64) float64 {
	if f3 := f * f * f; f3 > 216.0/24389 {
		return f3
	}
	return (116*f - 16) * 27 / 24389
}

// linear is the light of an sRGB value, 0 … 1.
func linear(v uint8) float64 { return lights[v] }

var lights = func() (t [256]float64) {
	for v := range t {
		c := float64(v) / 255
		if c <= 0.04045 {
			t[v] = c / 12.92
		} else {
			t[v] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return t
}()

func gamma(c float64) float64 {
	switch {
	case c <= 0:
		return 0
	case c >= 1:
		return 255
	case c <= 0.0031308:
		return 255 * 12.92 * c
	}
	return 255 * (1.055*math.Pow(c, 1/2.4) - 0.055)
}
