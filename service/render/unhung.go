package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// unhung is a garment without its hanger, and without the rows that only that was in. A wooden one shows in the collar: what lies in
// the middle of the upper end, has the colour of wood, and no other part of the garment has that colour. Of one of wire or plastic the
// hook is seen: what hangs together with it is thin, grey as nothing else of the garment is, and stands in the middle above everything.
func unhung(cut *image.NRGBA) *image.NRGBA {
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	if own := coloursBelow(cut, int(hangersEnd*float64(h))); own != nil {
		gone := mask.New(w, h)
		for _, part := range []mask.Plane{woodIn(cut, own), wireIn(cut, own)} {
			for i, v := range part.Pix {
				gone.Pix[i] = max(gone.Pix[i], v)
			}
		}
		if gone.Empty() {
			return cut
		}
		out := imaging.Clone(cut)
		gone = gone.Grow(max(1, float64(w)/200)).Feather(1)
		for i, v := range gone.Pix[:w*int(wiresEnd*float64(h))] {
			p := out.Pix[4*i:]
			p[3] = uint8(int(p[3]) * (255 - int(v)) / 255)
		}
		if b := compose.Matte(out).Bounds(); !b.Empty() {
			return compose.Window(out, image.Rect(0, b.Min.Y, w, b.Max.Y))
		}
	}
	return cut
}

const (
	hangersEnd  = 0.16  // of the height: how far down wooden hangers are seen
	wiresEnd    = 0.3   // … and those of wire, whose hook is part of the height
	foreignMost = 0.002 // share of a garment that a colour may have and not be its own
)

// ownColours is how large a share of a garment each of its colours has, and those near it.
type ownColours [1 << 12]float64

func (o *ownColours) bin(p []uint8) int { return int(p[0])>>4<<8 | int(p[1])>>4<<4 | int(p[2])>>4 }

// foreign says that the garment has hardly anything of a colour.
func (o *ownColours) foreign(p []uint8) bool { return o[o.bin(p)] <= foreignMost }

// coloursBelow are the colours of a garment from a row on, nil when nothing is there.
func coloursBelow(cut *image.NRGBA, from int) *ownColours {
	own, total := &ownColours{}, 0.0
	for i := from * cut.Stride; i < len(cut.Pix); i += 4 {
		if p := cut.Pix[i:]; p[3] == 255 {
			own[own.bin(p)]++
			total++
		}
	}
	if total == 0 {
		return nil
	}
	for i := range own {
		own[i] /= total
	}
	return own
}

// woodIn is what shows of a wooden hanger.
func woodIn(cut *image.NRGBA, own *ownColours) mask.Plane {
	const across = 0.34 // of the width, to each side of the middle
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	wood := mask.New(w, h)
	for y := range int(hangersEnd * float64(h)) {
		for x := range w {
			p := cut.Pix[cut.PixOffset(x, y):]
			if p[3] == 0 || math.Abs(float64(2*x-w)) > 2*across*float64(w) || !own.foreign(p) {
				continue
			}
			lab := compose.Lab(p[0], p[1], p[2])
			if lab[0] > 20 && lab[0] < 85 && lab[1] > 4 && lab[2] > 14 && lab[2] > lab[1] {
				wood.Set(x, y, 255)
			}
		}
	}
	wood.Clean(w * h / 4000)
	return wood
}

// wireIn is what shows of a hanger of wire or plastic: empty when there is no hook.
func wireIn(cut *image.NRGBA, own *ownColours) mask.Plane {
	const (
		thick  = 0.012 // half of it, of the width
		middle = 0.1   // of the width: how far from it a hook begins
		grey   = 12    // chroma
	)
	w, h := cut.Rect.Dx(), cut.Rect.Dy()
	end := int(wiresEnd * float64(h))
	r := math.Max(1.5, thick*float64(w))
	matte := compose.Matte(cut)
	broad := matte.Shrink(r).Grow(1.3 * r)
	wire, top := mask.New(w, h), image.Pt(-1, -1)
	for y := range end {
		for x := range w {
			p := cut.Pix[cut.PixOffset(x, y):]
			if !matte.Kept(x, y) || broad.Kept(x, y) || !own.foreign(p) {
				continue
			}
			if lab := compose.Lab(p[0], p[1], p[2]); math.Hypot(lab[1], lab[2]) < grey {
				wire.Set(x, y, 255)
				if top.Y < 0 {
					top = image.Pt(x, y)
				}
			}
		}
	}
	if top.Y < 0 || top.Y > matte.Bounds().Min.Y+max(2, h/200) || math.Abs(float64(top.X)-float64(w)/2) > middle*float64(w) {
		return mask.New(w, h)
	}
	// Its edges are mixed with what is behind it.
	return wire.Grow(math.Max(1, r/3)).RegionAt(top).Run()
}
