package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// workSide is the long side pictures are brought to by agents that repaint all of them.
// ASSUMED [Size of results]: the documents do not say how large their results are.
const workSide = 2048

// worked is a copy of img at a size fit for repainting, opaque, on white where it was clear.
func worked(img *image.NRGBA) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) > workSide {
		return imaging.Flatten(imaging.Fit(img, workSide, workSide), 255, 255, 255)
	}
	return imaging.Flatten(imaging.Clone(img), 255, 255, 255)
}

// byte255 rounds and limits a channel.
func byte255(v float64) uint8 { return uint8(math.Max(0, math.Min(255, v+0.5))) }

// lightOf is the brightness of a pixel, 0 … 255.
func lightOf(p []uint8) float64 {
	return 0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])
}

// eachPixel runs change over every pixel's four bytes, row by row on all processors.
func eachPixel(img *image.NRGBA, change func(x, y int, p []uint8)) {
	parallelRows(img.Rect.Dy(), func(y int) {
		row := img.Pix[y*img.Stride:]
		for x := range img.Rect.Dx() {
			change(x, y, row[4*x:4*x+4:4*x+4])
		}
	})
}

// unit is a length of one thousandth of the picture's long side, at least one pixel.
func unit(img *image.NRGBA, thousandths float64) int {
	return max(1, int(thousandths*float64(max(img.Rect.Dx(), img.Rect.Dy()))/1000+0.5))
}

// pencil draws img as graphite on paper: what is darker than its surroundings leaves a line.
func pencil(img *image.NRGBA, seed uint32, ink [3]float64) *image.NRGBA {
	soft := compose.Blur(img, unit(img, 5))
	f := field{seed: seed}
	out := image.NewNRGBA(img.Rect)
	eachPixel(out, func(x, y int, p []uint8) {
		i := img.PixOffset(x, y)
		here, around := lightOf(img.Pix[i:]), lightOf(soft.Pix[i:])
		line := math.Min(1, (here+8)/(around+8))
		tone := 0.86 + 0.14*smooth(around/190)
		hatch := 0.03 * f.at(float64(x+y)/2.2, float64(x-y)/26) * (1 - around/255)
		v := math.Pow(line, 2.6)*tone + hatch
		paper := 248 + 5*f.at(float64(x)/1.7, float64(y)/1.7)
		for k := range 3 {
			p[k] = byte255(ink[k] + (paper-ink[k])*math.Max(0, math.Min(1, v)))
		}
		p[3] = 255
	})
	return out
}

// paint smooths img within areas of like colour and keeps their borders, as a brush does: each pixel takes the mean
// of whichever of four quarters around it varies least. Sums over whole columns make it as fast for wide brushes.
func paint(img *image.NRGBA, r int) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	stride := w + 1
	// Up to the corner before each pixel: red, green, blue and light; 32 bits hold them for pictures of 16 million
	// pixels, and differences are right even beyond. Squares need more.
	sums := make([][4]uint32, stride*(h+1))
	squares := make([]uint64, stride*(h+1))
	for y := range h {
		var row [4]uint32
		var square uint64
		for x := range w {
			p := img.Pix[img.PixOffset(x, y):]
			l := uint32(lightOf(p))
			for k, v := range [4]uint32{uint32(p[0]), uint32(p[1]), uint32(p[2]), l} {
				row[k] += v
				sums[(y+1)*stride+x+1][k] = sums[y*stride+x+1][k] + row[k]
			}
			square += uint64(l) * uint64(l)
			squares[(y+1)*stride+x+1] = squares[y*stride+x+1] + square
		}
	}
	out := image.NewNRGBA(img.Rect)
	eachPixel(out, func(x, y int, p []uint8) {
		best := math.Inf(1)
		for q := range 4 {
			x0, x1 := max(0, x-r), x+1
			if q&1 == 1 {
				x0, x1 = x, min(w, x+r+1)
			}
			y0, y1 := max(0, y-r), y+1
			if q&2 == 2 {
				y0, y1 = y, min(h, y+r+1)
			}
			ai, bi, ci, di := y0*stride+x0, y0*stride+x1, y1*stride+x0, y1*stride+x1
			sum := func(k int) float64 { return float64(sums[di][k] - sums[bi][k] - sums[ci][k] + sums[ai][k]) }
			n := float64((x1 - x0) * (y1 - y0))
			mean := sum(3) / n
			if v := float64(squares[di]-squares[bi]-squares[ci]+squares[ai])/n - mean*mean; v < best {
				best = v
				for k := range 3 {
					p[k] = byte255(sum(k) / n)
				}
			}
		}
		p[3] = 255
	})
	return out
}

// ink darkens img, in place, along the contours of like: lines of about r pixels.
func ink(img, like *image.NRGBA, r int, strength float64) {
	fine, wide := compose.Blur(like, r), compose.Blur(like, 2*r)
	eachPixel(img, func(x, y int, p []uint8) {
		i := like.PixOffset(x, y)
		d := lightOf(wide.Pix[i:]) - lightOf(fine.Pix[i:])
		line := strength * smooth((d-2.5)/6)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (1 - line))
		}
	})
}

// steps reduces brightness to n soft levels, in place.
func steps(img *image.NRGBA, n float64) {
	eachPixel(img, func(_, _ int, p []uint8) {
		l := lightOf(p) / 255 * n
		low := math.Floor(l)
		level := (low + smooth((l-low-0.35)/0.3)) / n * 255
		gain := (level + 6) / (lightOf(p) + 6)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * gain)
		}
	})
}

// crisp raises local contrast, in place: detail of about r pixels, by amount.
func crisp(img *image.NRGBA, r int, amount float64) {
	soft := compose.Blur(img, r)
	eachPixel(img, func(x, y int, p []uint8) {
		i := soft.PixOffset(x, y)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) + amount*(float64(p[k])-float64(soft.Pix[i+k])))
		}
	})
}

// relief lights img from the upper left as if brightness were height, in place.
func relief(img *image.NRGBA, r int, amount float64) {
	form := compose.Blur(img, r)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	eachPixel(img, func(x, y int, p []uint8) {
		at := func(dx, dy int) float64 {
			return lightOf(form.Pix[form.PixOffset(min(w-1, max(0, x+dx)), min(h-1, max(0, y+dy))):])
		}
		slope := (at(r, r) - at(-r, -r)) / float64(2*r)
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (1 + amount*math.Max(-0.4, math.Min(0.4, -slope/14))))
		}
	})
}

// console shows img as an old games console did: few lines, few colours, ordered dots between them.
func console(img *image.NRGBA, lines int) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	small := imaging.Fit(img, lines*4/3, lines)
	compose.Grade(small, 0, 2, 1.15)
	dots := [16]float64{0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5}
	eachPixel(small, func(x, y int, p []uint8) {
		d := (dots[y%4*4+x%4]/16 - 0.5) * 10
		for k := range 3 {
			p[k] = byte255(math.Round((float64(p[k])+d)/8.226) * 8.226)
		}
	})
	out := image.NewNRGBA(img.Rect)
	sw, sh := small.Rect.Dx(), small.Rect.Dy()
	eachPixel(out, func(x, y int, p []uint8) {
		copy(p, small.Pix[small.PixOffset(x*sw/w, y*sh/h):][:4])
	})
	return out
}

// stencil is img in three tones of spray paint on a wall.
func stencil(img *image.NRGBA, seed uint32, colours [3][3]float64) *image.NRGBA {
	soft := compose.Blur(img, unit(img, 3))
	f := field{seed: seed}
	out := image.NewNRGBA(img.Rect)
	fw := float64(max(img.Rect.Dx(), img.Rect.Dy()))
	mean := compose.Measure(img, nil).Mean[0] * 2.55
	eachPixel(out, func(x, y int, p []uint8) {
		l := lightOf(soft.Pix[soft.PixOffset(x, y):]) - mean + 128
		u, v := float64(x)/fw, float64(y)/fw
		wall := 186 * (1 + bricks(f, u, v))
		drip := 18 * f.at(u*260, v*260)
		for k := range 3 {
			c := wall
			for n, limit := range [3]float64{158, 110, 62} {
				cover := smooth((limit - l + drip) / 10)
				c += (colours[n][k] - c) * 0.92 * cover
			}
			p[k] = byte255(c)
		}
		p[3] = 255
	})
	return out
}

// bricks are the courses of a painted wall.
func bricks(f field, x, y float64) float64 {
	row := math.Floor(y * 22)
	col := x*9 + 0.5*math.Mod(row, 2)
	ex, ey := col-math.Floor(col), y*22-row
	joint := smooth((0.035-math.Min(ex, 1-ex))/0.02) + smooth((0.09-math.Min(ey, 1-ey))/0.05)
	return 0.05*f.at(math.Floor(col)*3.1, row*1.7) + 0.05*f.sum(x*60, y*60, 3) - 0.13*math.Min(1, joint)
}

// magnify makes what lies around (cx, cy) larger by up to strength in the middle (below 0 smaller), fading out at rx
// and ry, in place.
func magnify(img *image.NRGBA, cx, cy, rx, ry, strength float64) {
	from := imaging.Clone(img)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	eachPixel(img, func(x, y int, p []uint8) {
		dx, dy := (float64(x)-cx)/rx, (float64(y)-cy)/ry
		d := dx*dx + dy*dy
		if d >= 1 {
			return
		}
		k := 1 - strength/(1+strength)*(1-d)*(1-d)
		sx, sy := cx+dx*k*rx, cy+dy*k*ry
		x0, y0 := math.Floor(sx), math.Floor(sy)
		fx, fy := sx-x0, sy-y0
		at := func(ix, iy float64, k int) float64 {
			return float64(from.Pix[from.PixOffset(min(w-1, max(0, int(ix))), min(h-1, max(0, int(iy))))+k])
		}
		for k := range 4 {
			top := at(x0, y0, k)*(1-fx) + at(x0+1, y0, k)*fx
			low := at(x0, y0+1, k)*(1-fx) + at(x0+1, y0+1, k)*fx
			p[k] = byte255(top*(1-fy) + low*fy)
		}
	})
}

// balance undoes a share of a colour cast and of flat light, in place: greys become grey, and brightness fills its range.
func balance(img *image.NRGBA, share float64) {
	var histogram [3][256]int
	for i := 0; i < len(img.Pix); i += 4 {
		for k := range 3 {
			histogram[k][img.Pix[i+k]]++
		}
	}
	total := len(img.Pix) / 4
	var low, high [3]float64
	for k := range 3 {
		seen := 0
		for v := range 256 {
			seen += histogram[k][v]
			if seen <= total/100 {
				low[k] = float64(v)
			}
			if seen <= total*99/100 {
				high[k] = float64(v)
			}
		}
	}
	eachPixel(img, func(_, _ int, p []uint8) {
		for k := range 3 {
			if high[k] > low[k]+20 {
				v := (float64(p[k])-low[k])/(high[k]-low[k])*238 + 8
				p[k] = byte255((1-share)*float64(p[k]) + share*v)
			}
		}
	})
}
