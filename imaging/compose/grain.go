package compose

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/parallel"
)

// grainCell is the side of the cells in which grain is measured, in px.
const grainCell = 8

// GrainOf is how grainy a picture is, as the standard deviation of its brightness in levels of 255: that of its most even parts,
// for elsewhere it cannot be told from what the picture shows. Only opaque pixels count; 0 when there are too few.
func GrainOf(img *image.NRGBA) float64 {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	step := max(1, int(math.Sqrt(float64(w*h)/grainCell/grainCell/4000)))
	var found []float64
	for cy := 0; (cy+1)*grainCell <= h; cy += step {
		for cx := 0; (cx+1)*grainCell <= w; cx += step {
			if v, ok := grainIn(img, cx*grainCell, cy*grainCell); ok {
				found = append(found, v)
			}
		}
	}
	if len(found) < 24 {
		return 0
	}
	slices.Sort(found)
	return found[len(found)/5]
}

// grainIn measures one cell; ok is false where it is not opaque, or as light or dark as can be.
func grainIn(img *image.NRGBA, left, top int) (v float64, ok bool) {
	var light [grainCell][grainCell]float64
	for y := range grainCell {
		row := img.Pix[img.PixOffset(img.Rect.Min.X+left, img.Rect.Min.Y+top+y):]
		for x := range grainCell {
			p := row[4*x : 4*x+4]
			light[y][x] = 0.3*float64(p[0]) + 0.6*float64(p[1]) + 0.1*float64(p[2])
			if p[3] < 255 || light[y][x] < 6 || light[y][x] > 249 {
				return 0, false
			}
		}
	}
	// A second difference in both directions leaves grain and takes slopes away (Immerkær 1996).
	sum := 0.0
	for y := 1; y < grainCell-1; y++ {
		for x := 1; x < grainCell-1; x++ {
			sum += math.Abs(light[y-1][x-1] + light[y-1][x+1] + light[y+1][x-1] + light[y+1][x+1] + 4*light[y][x] -
				2*(light[y-1][x]+light[y+1][x]+light[y][x-1]+light[y][x+1]))
		}
	}
	return sum * math.Sqrt(math.Pi/2) / 6 / (grainCell - 2) / (grainCell - 2), true
}

// Grain makes an opaque picture as grainy as so many levels, in place, by noise of a seed; one that is so already stays as it is.
func Grain(img *image.NRGBA, levels float64, seed uint32) {
	const most = 7
	own := GrainOf(img)
	more := math.Sqrt(math.Max(0, math.Min(most, levels)*math.Min(most, levels)-own*own))
	if more < 0.4 {
		return
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	parallel.Spread(h, 8, func(from, to int) {
		for y := from; y < to; y++ {
			row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):]
			for x := range w {
				// The sum of four even draws is nearly normal.
				n := scatter(seed, x, y)
				sum := int(n&255) + int(n>>8&255) + int(n>>16&255) + int(n>>24) - 510
				d := more * float64(sum) / 147.8
				for k := range 3 {
					row[4*x+k] = uint8(math.Max(0, math.Min(255, float64(row[4*x+k])+d+0.5)))
				}
			}
		}
	})
}

// scatter is a number by lot for each pixel.
func scatter(seed uint32, x, y int) uint32 {
	h := seed ^ uint32(x)*0x85ebca6b ^ uint32(y)*0xc2b2ae35
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	h *= 0x297a2d39
	return h ^ h>>15
}
