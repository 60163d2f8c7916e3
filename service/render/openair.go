package render

import (
	"image"
	"math"

	"atelier/imaging"
)

// openAir tells whether a picture clearly shows the open air and no room: leaves and grass take up much of it and go on beyond one of
// its sides, or a blue sky that grows lighter downwards begins along its upper edge. Plants in a room, green and blue walls and what
// is seen through a window are not enough, and where it is not clear it is a room.
func openAir(img *image.NRGBA) bool {
	const (
		side     = 96   // of the copy that is looked at
		leafy    = 0.17 // share of the picture that leaves and grass take up out of doors
		beyond   = 0.12 // and of the strip along a side of it
		strip    = 16   // parts of the width that such a strip is wide
		skyLeast = 0.12
		skyWide  = 0.75 // of the upper edge
		lighter  = 14.0 // levels that a sky gains from top to bottom, at least
	)
	img = imaging.Fit(img, side, side)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	at := func(x, y int) []uint8 { return img.Pix[img.PixOffset(x, y):] }
	green, left, right, all := 0, 0, 0, w*h
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			p := at(x, y)
			r, g, b := float64(p[0]), float64(p[1]), float64(p[2])
			if g < 1.04*r || g < 1.15*b || g-math.Min(r, b) < 14 {
				continue
			}
			// Leaves and grass are uneven at any size, walls and cloth are not.
			l := lightOf(p)
			uneven := math.Abs(lightOf(at(x-1, y))+lightOf(at(x+1, y))-2*l) + math.Abs(lightOf(at(x, y-1))+lightOf(at(x, y+1))-2*l)
			if uneven > 0.08*l+2 {
				green++
				if x < w/strip {
					left++
				}
				if x >= w-w/strip {
					right++
				}
			}
		}
	}
	if float64(green) > leafy*float64(all) && float64(max(left, right)) > beyond*float64(w/strip*h) {
		return true
	}
	sky, wide := 0, 0
	first, last := 0.0, 0.0
	for x := range w {
		y := 0
		for ; y < h; y++ {
			p := at(x, y)
			if int(p[2]) < int(p[0])+14 || int(p[2]) < int(p[1])+2 || p[2] < 90 {
				break
			}
			if y > 0 && math.Abs(lightOf(p)-lightOf(at(x, y-1))) > 16 {
				break
			}
		}
		if y > 3 {
			wide++
			sky += y
			first += lightOf(at(x, 1))
			last += lightOf(at(x, y-2))
		}
	}
	return float64(wide) > skyWide*float64(w) && float64(sky) > skyLeast*float64(all) && last-first > lighter*float64(wide)
}
