package render

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// grainwise is the way contours run in a picture, on a grid of step pixels: unit vectors that change slowly.
type grainwise struct {
	step, w, h int
	x, y       []float64
}

// grainOf follows the contours of a picture: where there are none, those near by.
func grainOf(img *image.NRGBA, step int) grainwise {
	g := grainwise{step: step, w: img.Rect.Dx()/step + 1, h: img.Rect.Dy()/step + 1}
	n := g.w * g.h
	xx, xy, yy := make([]float64, n), make([]float64, n), make([]float64, n)
	last := img.Rect.Max.Sub(image.Pt(1, 1))
	parallelRows(g.h, func(gy int) {
		for gx := range g.w {
			x, y := min(gx*step, last.X), min(gy*step, last.Y)
			at := func(dx, dy int) float64 {
				return lightOf(img.Pix[img.PixOffset(max(0, min(last.X, x+dx)), max(0, min(last.Y, y+dy))):])
			}
			dx, dy := at(step, 0)-at(-step, 0), at(0, step)-at(0, -step)
			i := gy*g.w + gx
			xx[i], xy[i], yy[i] = dx*dx, dx*dy, dy*dy
		}
	})
	for range 3 {
		for _, plane := range [][]float64{xx, xy, yy} {
			evenedOut(plane, g.w, g.h)
		}
	}
	g.x, g.y = make([]float64, n), make([]float64, n)
	chance := field{seed: uint32(n)}
	for i := range n {
		// Where nothing runs anywhere the hand wanders.
		sin, cos := math.Sincos(3 * chance.at(float64(i%g.w)/9, float64(i/g.w)/9))
		xx[i], xy[i], yy[i] = xx[i]+9*cos*cos, xy[i]+9*sin*cos, yy[i]+9*sin*sin
		// Along the contour: across the direction of the strongest change.
		a := 0.5*math.Atan2(2*xy[i], xx[i]-yy[i]) + math.Pi/2
		g.y[i], g.x[i] = math.Sincos(a)
	}
	return g
}

// evenedOut replaces each value of a plane by the mean of the five by five around it.
func evenedOut(plane []float64, w, h int) {
	const r = 2
	out := make([]float64, len(plane))
	pass := func(from, to []float64, lines, long, step, stride int) {
		parallelRows(lines, func(n int) {
			for i := range long {
				sum := 0.0
				for d := -r; d <= r; d++ {
					sum += from[n*step+max(0, min(long-1, i+d))*stride]
				}
				to[n*step+i*stride] = sum / (2*r + 1)
			}
		})
	}
	pass(plane, out, h, w, w, 1)
	pass(out, plane, w, h, 1, w)
}

func (g grainwise) at(p spot) spot {
	i := max(0, min(g.h-1, int(p.y)/g.step))*g.w + max(0, min(g.w-1, int(p.x)/g.step))
	return spot{g.x[i], g.y[i]}
}

// canvas is an oil painting in the making: its colours, and how high the paint lies, in levels.
type canvas struct {
	img    *image.NRGBA
	relief []float32
}

// stroke lays one stroke of a brush half px wide to either side: even in colour, thin at both ends, with the grooves of its
// bristles.
func (c canvas) stroke(way []spot, half float64, tone [3]float64, chance field) {
	const bristles = 7.0
	reach := half + 1.5
	w, h := c.img.Rect.Dx(), c.img.Rect.Dy()
	long := 0.0
	for i := 1; i < len(way); i++ {
		long += math.Hypot(way[i].x-way[i-1].x, way[i].y-way[i-1].y)
	}
	gone := 0.0
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		d := math.Hypot(b.x-a.x, b.y-a.y)
		if d < 1e-6 {
			continue
		}
		ux, uy := (b.x-a.x)/d, (b.y-a.y)/d
		x0, x1 := max(0, int(math.Min(a.x, b.x)-reach)), min(w-1, int(math.Max(a.x, b.x)+reach)+1)
		y0, y1 := max(0, int(math.Min(a.y, b.y)-reach)), min(h-1, int(math.Max(a.y, b.y)+reach)+1)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				px, py := float64(x)+0.5-a.x, float64(y)+0.5-a.y
				along, across := px*ux+py*uy, -px*uy+py*ux
				if along < -half && i > 1 || along > d || along < 0 && i > 1 {
					continue // the piece before it, or the one after, paints there
				}
				at := gone + along
				out := math.Max(-at, at-long) // beyond an end it is round
				far := math.Abs(across)
				if out > 0 {
					far = math.Hypot(across, out)
				}
				if far > half+0.5 {
					continue
				}
				thread := chance.at(bristles*across/half, 0.6*at/half)
				cover := math.Min(1, half+0.5-far) * (0.9 + 0.1*thread)
				// Towards its end the brush runs dry between the bristles.
				cover *= 1 - 0.5*smooth((at/math.Max(1, long)-0.55)/0.45)*smooth(0.5-1.4*thread)
				p := c.img.Pix[y*c.img.Stride+4*x:]
				shade := 1 + 0.045*thread
				for k := range 3 {
					p[k] = byte255(float64(p[k]) + cover*(tone[k]*shade-float64(p[k])))
				}
				n := y*w + x
				ridge := 0.7 + 0.5*thread + 0.5*smooth((far/half-0.6)/0.4) // paint is pushed to the rims
				c.relief[n] += float32(cover * (ridge*math.Min(5, half) - float64(c.relief[n])))
			}
		}
		gone += d
	}
}

// oiled paints a picture in oil: broad strokes first, finer ones where the painting is still unlike it, each along the
// contours, in the light that falls from the upper left on the paint. care is how finely each place is painted, 0 as usual to
// 1; nil is 0 everywhere.
func oiled(img *image.NRGBA, random *rand.Rand, care func(x, y float64) float64) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	long := float64(max(w, h))
	out := canvas{img: imaging.Clone(img), relief: make([]float32, w*h)}
	flood(out.img, toning(img))
	for n, half := range []float64{13, 7, 3.6, 2} {
		half = math.Max(1.1, half*long/1000)
		like := compose.Blur(img, max(1, int(half/2)))
		grain := grainOf(compose.Blur(img, max(1, int(half/1.5))), max(2, int(half/2)))
		step := math.Max(2, 1.1*half)
		// Places come in no order, so that no row of strokes lies on all its neighbours.
		across, down := int(float64(w)/step)+1, int(float64(h)/step)+1
		for _, i := range random.Perm(across * down) {
			from := spot{(float64(i%across) + random.Float64()) * step, (float64(i/across) + random.Float64()) * step}
			if from.x >= float64(w) || from.y >= float64(h) {
				continue
			}
			tone := toneAt(like, from)
			fine := 0.0
			if care != nil {
				fine = care(from.x, from.y)
			}
			limit := [4]float64{-1, 16, 15, 14}[n] * (1 - 0.55*fine)
			if n == 3 && fine < 0.2 || off(toneAt(out.img, from), tone) < limit {
				continue
			}
			way := follow(like, out.img, grain, from, tone, half, n == 0)
			if len(way) < 2 {
				continue
			}
			lit := 1 + 0.07*(random.Float64()-0.5)
			for k := range tone {
				tone[k] = tone[k]*lit + 7*(random.Float64()-0.5)
			}
			out.stroke(way, half, tone, field{seed: random.Uint32()})
		}
	}
	out.light()
	return out.img
}

// toning is the warm middle tone that a canvas is given before it is painted on.
func toning(img *image.NRGBA) (c color.NRGBA) {
	mean := compose.Measure(img, nil).Mean
	c.R, c.G, c.B = compose.RGB([3]float64{0.85 * mean[0], 0.5*mean[1] + 5, 0.5*mean[2] + 9})
	c.A = 255
	return c
}

func toneAt(img *image.NRGBA, at spot) [3]float64 {
	p := img.Pix[img.PixOffset(max(0, min(img.Rect.Dx()-1, int(at.x))), max(0, min(img.Rect.Dy()-1, int(at.y)))):]
	return [3]float64{float64(p[0]), float64(p[1]), float64(p[2])}
}

// off is how unlike two colours are, in levels.
func off(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0])+(a[1]-b[1])*(a[1]-b[1])+(a[2]-b[2])*(a[2]-b[2])) / math.Sqrt(3)
}

// follow is the way of a stroke from a place along the contours, to where its colour is farther from the picture's than what
// has been painted there is. Of the first coat all strokes are long.
func follow(like, painted *image.NRGBA, grain grainwise, from spot, tone [3]float64, half float64, first bool) []spot {
	const most, least = 7, 3
	way := []spot{from}
	var heading spot
	for n := range most {
		d := grain.at(from)
		if heading.x*d.x+heading.y*d.y < 0 {
			d = spot{-d.x, -d.y}
		}
		if n > 0 {
			d = spot{0.6*d.x + 0.4*heading.x, 0.6*d.y + 0.4*heading.y}
		}
		size := math.Max(1e-6, math.Hypot(d.x, d.y))
		heading = spot{d.x / size, d.y / size}
		from = spot{from.x + 1.2*half*heading.x, from.y + 1.2*half*heading.y}
		if from.x < 0 || from.y < 0 || from.x >= float64(like.Rect.Dx()) || from.y >= float64(like.Rect.Dy()) {
			break
		}
		wanted := toneAt(like, from)
		if miss := off(wanted, tone); n >= least-1 && miss > off(wanted, toneAt(painted, from)) && !first || miss > 34 {
			break
		}
		way = append(way, from)
	}
	return way
}

// light lets light from the upper left fall on the paint.
func (c canvas) light() {
	w, h := c.img.Rect.Dx(), c.img.Rect.Dy()
	eachPixel(c.img, func(x, y int, p []uint8) {
		at := func(dx, dy int) float64 {
			return float64(c.relief[max(0, min(h-1, y+dy))*w+max(0, min(w-1, x+dx))])
		}
		slope := at(1, 1) - at(-1, -1)
		k := 1 + math.Max(-0.16, math.Min(0.16, 0.035*slope))
		for n := range 3 {
			p[n] = byte255(float64(p[n]) * k)
		}
	})
}
