package render

import (
	"math"

	"atelier/imaging/parallel"
)

// parallelRows runs do for every row on all processors.
func parallelRows(h int, do func(y int)) {
	parallel.Spread(h, 1, func(from, to int) {
		for y := from; y < to; y++ {
			do(y)
		}
	})
}

// field is smooth noise over the plane, of one seed.
type field struct{ seed uint32 }

func (f field) hash(x, y int) uint32 {
	h := f.seed ^ uint32(x)*0x85ebca6b ^ uint32(y)*0xc2b2ae35
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}

// at is between -1 and 1, changing over distances of about 1.
func (f field) at(x, y float64) float64 {
	fx, fy := math.Floor(x), math.Floor(y)
	ix, iy := int(fx), int(fy)
	u, v := smooth(x-fx), smooth(y-fy)
	value := func(x, y int) float64 { return float64(f.hash(x, y)&0xffff)/32767.5 - 1 }
	top := value(ix, iy)*(1-u) + value(ix+1, iy)*u
	low := value(ix, iy+1)*(1-u) + value(ix+1, iy+1)*u
	return top*(1-v) + low*v
}

// sum adds octaves of noise, each twice as fine and half as strong.
func (f field) sum(x, y float64, octaves int) float64 {
	total, strength := 0.0, 0.5
	for range octaves {
		total += strength * f.at(x, y)
		x, y, strength = 2*x+17.3, 2*y+9.1, strength/2
	}
	return total
}

// planks are boards that run to the back.
func planks(f field, x, y float64) float64 {
	board := math.Floor(x * 3)
	edge := x*3 - board
	g := 0.12*f.at(board*7.7, 0.5) + 0.10*f.sum(x*60, y*1.2+board*5, 3) + 0.05*f.at(x*220, y*3+board)
	if edge < 0.015 || edge > 0.985 {
		g -= 0.35
	}
	return g
}

// veins are the lines of marble.
func veins(f field, x, y float64) float64 {
	warp := f.sum(x*1.1, y*0.5, 4)
	v := math.Abs(math.Sin(1.3*x + 0.5*y + 3.2*warp))
	return 0.04*f.sum(x*3, y*1.5, 3) - 0.14*math.Pow(1-v, 14) - 0.05*math.Pow(1-v, 3)
}

func specks(f field, x, y float64) float64 {
	return 0.06*f.sum(x*8, y*8, 4) + 0.05*f.at(x*140, y*140)
}

func clouds(f field, x, y float64) float64 { return 0.14 * f.sum(x*5, y*7, 5) }

func dunes(f field, x, y float64) float64 {
	return 0.05*math.Sin(9*y+3*f.sum(x, y, 3)) + 0.07*f.sum(x*4, y*4, 3) + 0.03*f.at(x*160, y*160)
}

func blades(f field, x, y float64) float64 {
	return 0.20*f.sum(x*12, y*5, 4) + 0.12*f.at(x*130, y*22)
}

// bokeh is foliage out of focus.
func bokeh(f field, x, y float64) float64 {
	return 0.35*f.sum(x*7, y*7, 2) + 0.25*discs(f, x*9, y*9)
}

func lamps(f field, x, y float64) float64 { return 3.2*discs(f, x*8, y*8) + 0.2*f.sum(x*3, y*3, 3) }

// discs are round spots of light, at most one per unit square.
func discs(f field, x, y float64) float64 {
	ix, iy := int(math.Floor(x)), int(math.Floor(y))
	best := 0.0
	for j := iy - 1; j <= iy+1; j++ {
		for i := ix - 1; i <= ix+1; i++ {
			h := f.hash(i, j)
			if h&3 != 0 {
				continue
			}
			cx, cy := float64(i)+float64(h>>8&255)/255, float64(j)+float64(h>>16&255)/255
			r := 0.25 + 0.35*float64(h>>24)/255
			d := math.Hypot(x-cx, y-cy)
			best = math.Max(best, smooth((r-d)/0.14)*(0.3+0.7*float64(h>>4&15)/15))
		}
	}
	return best
}

// seaAndSky darkens a band above the horizon to water; y is 0 at the horizon.
func seaAndSky(f field, x, y float64) float64 {
	if y > -0.09 {
		return -0.28 + 0.06*f.sum(x*6, y*160, 3)
	}
	return 0.09 * f.sum(x*3, y*9, 4)
}
