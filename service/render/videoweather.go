package render

import (
	"image"
	"math"
	"slices"
)

// addAir draws what is in the air at a second of the video over the frame.
func addAir(dst *image.NRGBA, kinds []weather, second, share float64, seed uint32) {
	for i, k := range kinds {
		f := field{seed: seed + uint32(i)*977}
		switch k {
		case rain:
			f.rainfall(dst, second)
		case snow:
			f.flakes(dst, second, 340, 0.13, 0.0024, 0.0085, [][3]float64{{250, 252, 255}}, 0.85, 1)
		case petals:
			f.flakes(dst, second, 34, 0.10, 0.005, 0.012, [][3]float64{{226, 150, 60}, {200, 92, 44}, {236, 188, 96}, {228, 160, 170}}, 0.85, 0.45)
		case confetti:
			f.flakes(dst, second, 90, 0.20, 0.003, 0.006, [][3]float64{{230, 70, 90}, {70, 150, 220}, {240, 196, 60}, {90, 190, 120}, {250, 250, 250}}, 0.95, 0.5)
		case sparkles:
			f.motes(dst, second)
		case mist:
			f.mist(dst, second)
		case sweep:
			lightBand(dst, share)
		case sunrays:
			f.rays(dst, second)
		}
	}
}

// weathered draws the weather of some kinds that the description names over a picture, in place, as over videos, unless it is to
// be taken away.
func (r Request) weathered(img *image.NRGBA, kinds ...weather) {
	text := r.text("textDescription")
	if slices.ContainsFunc(words(text), func(w string) bool { return w == "remove" || w == "without" || w == "no" || w == "stop" }) {
		return
	}
	air := slices.DeleteFunc(readDirection(text, r.text("negTextDescription")).air, func(w weather) bool { return !slices.Contains(kinds, w) })
	for _, second := range []float64{3, 7.3} { // a picture stands still: as much as a moment of looking shows
		addAir(img, air, second, 0.5, uint32(r.seed())+uint32(r.Item))
	}
}

// chance is a number from 0 to 1 of particle n.
func (f field) chance(n, which int) float64 { return float64(f.hash(n, which)&0xffff) / 65535 }

// speck adds light of a colour as a soft disc; flat below 1 makes it an upright ellipse.
func speck(dst *image.NRGBA, cx, cy, r, flat float64, c [3]float64, alpha, edge float64) {
	rx := r * flat
	for y := max(0, int(cy-r-1)); y < min(dst.Rect.Dy(), int(cy+r+2)); y++ {
		for x := max(0, int(cx-rx-1)); x < min(dst.Rect.Dx(), int(cx+rx+2)); x++ {
			d := math.Hypot((float64(x)+0.5-cx)/rx, (float64(y)+0.5-cy)/r)
			a := alpha * smooth((1-d)/edge)
			if a <= 0 {
				continue
			}
			p := dst.Pix[dst.PixOffset(x, y):]
			for k := range 3 {
				p[k] = byte255(float64(p[k]) + a*(c[k]-float64(p[k])))
			}
		}
	}
}

// flakes fall at fall heights a second, swaying; sizes are shares of the frame's height.
func (f field) flakes(dst *image.NRGBA, second float64, n int, fall, least, most float64, colours [][3]float64, alpha, tumble float64) {
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	for i := range n {
		near := f.chance(i, 1)
		r := math.Max(1, h*(least+(most-least)*near*near))
		speed := fall * (0.45 + 0.9*near)
		y := math.Mod(f.chance(i, 2)+second*speed, 1.1) - 0.05
		drift := 0.02 * math.Sin(2*math.Pi*(second*(0.18+0.2*f.chance(i, 4))+f.chance(i, 5)))
		x := math.Mod(f.chance(i, 3)+drift+second*0.012+1, 1)
		flat := 1.0
		if tumble < 1 {
			flat = math.Max(0.2, math.Abs(math.Cos(second*(1.5+3*f.chance(i, 6))+9*f.chance(i, 7))))
			flat = tumble + (1-tumble)*flat
		}
		c := colours[i%len(colours)]
		speck(dst, x*w, y*h, r, flat, c, alpha*(0.4+0.6*near), 0.35+0.5*near*near)
	}
}

// rainfall is slanting streaks of three depths.
func (f field) rainfall(dst *image.NRGBA, second float64) {
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	const slant = -0.14
	for i := range 420 {
		near := f.chance(i, 1)
		long := h * (0.025 + 0.07*near)
		fall := 0.9 + 1.1*near
		turns, at := math.Modf(f.chance(i, 2) + second*fall)
		y := (at*1.2 - 0.1) * h
		x := math.Mod(f.chance(i+int(turns)*331, 3)*1.2-0.1+1, 1.2)*w + slant*y
		alpha := 0.16 + 0.3*near
		wide := max(1, int(h/720*(0.6+1.2*near)+0.5))
		for k := 0.0; k < long; k++ {
			py := int(y + k)
			if py < 0 || py >= dst.Rect.Dy() {
				continue
			}
			a := alpha * math.Sin(math.Pi*k/long)
			for j := range wide {
				px := int(x+slant*k) + j
				if px < 0 || px >= dst.Rect.Dx() {
					continue
				}
				p := dst.Pix[dst.PixOffset(px, py):]
				for c, v := range [3]float64{214, 224, 236} {
					p[c] = byte255(float64(p[c]) + a*(v-float64(p[c])))
				}
			}
		}
	}
}

// motes float and twinkle.
func (f field) motes(dst *image.NRGBA, second float64) {
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	for i := range 70 {
		near := f.chance(i, 1)
		r := h * (0.0015 + 0.008*near*near*near)
		x := math.Mod(f.chance(i, 2)+0.012*second*(f.chance(i, 3)-0.5)*4+0.01*math.Sin(second*0.7+6*f.chance(i, 4))+1, 1)
		y := math.Mod(f.chance(i, 5)-0.02*second*(0.3+near)+2, 1)
		twinkle := 0.5 + 0.5*math.Sin(second*(1.2+2.4*f.chance(i, 6))+6.28*f.chance(i, 7))
		speck(dst, x*w, y*h, math.Max(1.2, r), 1, [3]float64{255, 240, 205}, 0.75*twinkle*twinkle*(1-0.5*near), 0.9)
	}
}

// veil lays light of a colour over the frame, as strong as share says of each place; it is worked out on a coarse grid.
func veil(dst *image.NRGBA, colour [3]float64, share func(fx, fy float64) float64) {
	w, h := dst.Rect.Dx(), dst.Rect.Dy()
	const cell = 6
	gw, gh := w/cell+2, h/cell+2
	grid := make([]float64, gw*gh)
	parallelRows(gh, func(y int) {
		for x := range gw {
			grid[y*gw+x] = share(float64(x*cell)/float64(w), float64(y*cell)/float64(h))
		}
	})
	parallelRows(h, func(y int) {
		gy, ty := y/cell, float64(y%cell)/cell
		for x := range w {
			gx, tx := x/cell, float64(x%cell)/cell
			a := grid[gy*gw+gx]*(1-tx) + grid[gy*gw+gx+1]*tx
			b := grid[(gy+1)*gw+gx]*(1-tx) + grid[(gy+1)*gw+gx+1]*tx
			k := a*(1-ty) + b*ty
			if k < 0.002 {
				continue
			}
			p := dst.Pix[dst.PixOffset(x, y):]
			for c, v := range colour {
				p[c] = byte255(float64(p[c]) + k*(v-float64(p[c])))
			}
		}
	})
}

// mist drifts, thicker below.
func (f field) mist(dst *image.NRGBA, second float64) {
	wide := float64(dst.Rect.Dx()) / float64(dst.Rect.Dy())
	veil(dst, [3]float64{226, 230, 234}, func(fx, fy float64) float64 {
		n := f.sum(wide*fx*1.6+second*0.06, fy*3-second*0.02, 4)
		m := f.sum(wide*fx*2.9-second*0.045, fy*4.4, 3)
		return math.Min(0.8, math.Max(0, 0.24+0.42*n+0.3*m)*(0.25+0.75*smooth(fy*1.15)))
	})
}

// lightBand is a band of light that crosses the frame once.
func lightBand(dst *image.NRGBA, share float64) {
	w, h := float64(dst.Rect.Dx()), float64(dst.Rect.Dy())
	middle := -0.35 + 1.7*share
	eachPixel(dst, func(x, y int, p []uint8) {
		d := (float64(x)/w + 0.3*float64(y)/h - 0.15 - middle) / 0.16
		if d < -1 || d > 1 {
			return
		}
		k := 0.34 * (1 - d*d) * (1 - d*d)
		for c, v := range [3]float64{255, 250, 238} {
			// As light does: bright parts answer more than dark ones.
			p[c] = byte255(float64(p[c]) + k*(v-float64(p[c]))*(0.25+0.75*float64(p[c])/255))
		}
	})
}

// rays fall from the upper left and breathe.
func (f field) rays(dst *image.NRGBA, second float64) {
	breath := 0.85 + 0.15*math.Sin(second*0.9)
	veil(dst, [3]float64{255, 238, 204}, func(fx, fy float64) float64 {
		dx, dy := fx+0.12, fy+0.18
		angle := math.Atan2(dy, dx)
		beam := 0.5 + 0.5*f.at(angle*16, second*0.12)
		beam *= 0.6 + 0.4*f.at(angle*37+5, second*0.2)
		return 0.46 * breath * math.Max(0, beam) * smooth(1.35-math.Hypot(dx, dy)*0.95)
	})
}
