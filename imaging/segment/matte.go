package segment

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/mask"
)

// Matte turns a hard mask or a trimap of the picture's size into a soft one, 0..255. In a hard mask (0 and 255 only) a band along the
// edge is opened; in a trimap every value between is open. The picture is solved at Options.Fine pixels at most and the result follows
// the detail of the full picture.
func Matte(ctx context.Context, img *image.NRGBA, hard mask.Plane, opt Options) (mask.Plane, error) {
	opt = opt.WithDefaults()
	b := img.Bounds()
	if hard.W != b.Dx() || hard.H != b.Dy() {
		return mask.Plane{}, fmt.Errorf("matte: mask is %d×%d, picture is %d×%d", hard.W, hard.H, b.Dx(), b.Dy())
	}
	if b.Empty() {
		return mask.Plane{}, nil
	}
	if err := ctx.Err(); err != nil {
		return mask.Plane{}, fmt.Errorf("matte: %w", err)
	}
	c := reduce(img, opt.Fine)
	trimap, open := readTrimap(hard, c.w, c.h)
	var alpha []float32
	var err error
	if open {
		alpha, err = solveMatte(ctx, c, trimap)
	} else {
		alpha, err = soften(ctx, c, trimap, nil, nil, false)
	}
	if err != nil {
		return mask.Plane{}, fmt.Errorf("matte: %w", err)
	}
	return enlarge(img, c, alpha), nil
}

// readTrimap takes a mask to w×h as labels; open tells whether it has values between.
func readTrimap(p mask.Plane, w, h int) (labels []uint8, open bool) {
	for _, v := range p.Pix {
		if v > 8 && v < 247 {
			open = true
			break
		}
	}
	labels = make([]uint8, w*h)
	for i, v := range scalePlane(p, w, h).Pix {
		switch {
		case open && v >= 247 || !open && v >= mask.Level:
			labels[i] = 1
		case open && v > 8:
			labels[i] = 2
		}
	}
	return labels, open
}

// solveMatte solves the open pixels. It starts from what the colours nearby say: where the sure colours on both sides differ, a pixel
// between them has the alpha that mixes them best.
func solveMatte(ctx context.Context, c *canvas, trimap []uint8) ([]float32, error) {
	const (
		pull  = 0.0005 // of the local colours against the smoothness of the matte
		clear = 50.0   // levels between two colours that are told apart with ease
	)
	far := float32(max(c.w, c.h))
	toKept := distances(c.w, c.h, far, func(i int) bool { return trimap[i] == 1 })
	toRest := distances(c.w, c.h, far, func(i int) bool { return trimap[i] == 0 })
	reach := float32(0)
	for i, t := range trimap {
		if t == 2 {
			reach = max(reach, min(toKept[i], toRest[i]))
		}
	}
	front, back := sides(c, trimap, max(3, int(1.5*reach)))
	guess, trust := make([]float32, len(trimap)), make([]float32, len(trimap))
	for i, t := range trimap {
		if t != 2 {
			continue
		}
		step := toRest[i] / max(toKept[i]+toRest[i], 1e-3)
		var num, den float32
		for k := range 3 {
			d := front[3*i+k] - back[3*i+k]
			num += d * (c.pix[3*i+k] - back[3*i+k])
			den += d * d
		}
		sureness := min(den/(clear*clear), 1)
		mixed := min(max(num/max(den, 1), 0), 1)
		guess[i] = step + sureness*(mixed-step)
		trust[i] = 1e-5 + pull*sureness*sureness
	}
	return closedForm(ctx, c, trimap, guess, trust, 120)
}

// sides are the mean sure colours around each pixel, kept and not.
func sides(c *canvas, trimap []uint8, r int) (front, back []float32) {
	kept, rest := make([]float32, len(trimap)), make([]float32, len(trimap))
	for i, t := range trimap {
		switch t {
		case 0:
			rest[i] = 1
		case 1:
			kept[i] = 1
		}
	}
	return weighted(c, c.pix, kept, r, false), weighted(c, c.pix, rest, r, false)
}
