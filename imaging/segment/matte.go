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
	opt = opt.defaults()
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
	if !open {
		trimap = band(trimap, c.w, c.h, softBand(c))
	}
	alpha, err := solveMatte(ctx, c, trimap)
	if err != nil {
		return mask.Plane{}, fmt.Errorf("matte: %w", err)
	}
	return enlarge(img, c, alpha), nil
}

// softBand is how far from a hard edge soft pixels are looked for.
func softBand(c *canvas) float32 { return max(2, float32(max(c.w, c.h))*0.014) }

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

// solveMatte starts from a smooth step across the open band.
func solveMatte(ctx context.Context, c *canvas, trimap []uint8) ([]float32, error) {
	const far = 64
	toKept := distances(c.w, c.h, far, func(i int) bool { return trimap[i] == 1 })
	toRest := distances(c.w, c.h, far, func(i int) bool { return trimap[i] == 0 })
	guess, trust := make([]float32, len(trimap)), make([]float32, len(trimap))
	for i := range guess {
		guess[i] = toRest[i] / max(toKept[i]+toRest[i], 1e-3)
		trust[i] = 1e-6
	}
	return closedForm(ctx, c, trimap, guess, trust)
}
