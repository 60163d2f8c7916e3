package psd

import (
	"image"

	"atelier/imaging/parallel"
)

// blend is one way for a layer to meet those below.
type blend struct {
	key string                     // of the format
	mix func(below, above int) int // both 0 to 255; nil is the layer itself
}

// Blends are the names Layer.Blend takes.
func Blends() []string {
	return []string{"normal", "multiply", "screen", "overlay", "darken", "lighten", "hard-light", "difference"}
}

var blends = map[string]blend{
	"normal":     {"norm", nil},
	"multiply":   {"mul ", multiply},
	"screen":     {"scrn", screen},
	"overlay":    {"over", func(below, above int) int { return hardLight(above, below) }},
	"darken":     {"dark", func(below, above int) int { return min(below, above) }},
	"lighten":    {"lite", func(below, above int) int { return max(below, above) }},
	"hard-light": {"hLit", hardLight},
	"difference": {"diff", func(below, above int) int { return max(below-above, above-below) }},
}

func multiply(below, above int) int { return div255(below * above) }
func screen(below, above int) int   { return 255 - div255((255-below)*(255-above)) }

func hardLight(below, above int) int {
	if above < 128 {
		return multiply(below, 2*above)
	}
	return screen(below, 2*above-255)
}

// div255 divides by 255, rounding to the nearest.
func div255(v int) int { return (v + 127) / 255 }

// compose is the document flattened, straight alpha.
func compose(doc Document) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, doc.Width, doc.Height))
	if err := lay(out, doc.Layers); err != nil {
		return nil, err
	}
	return out, nil
}

// lay lays layers on a picture, the lowest first. One that is opened is let go of before the next.
func lay(out *image.NRGBA, layers []Layer) error {
	for _, l := range layers {
		if l.Hidden {
			continue
		}
		if l.isGroup() {
			l.Image, l.X, l.Y = image.NewNRGBA(out.Rect), 0, 0
			if err := lay(l.Image, l.Layers); err != nil {
				return err
			}
		} else {
			var err error
			if l, err = l.open(); err != nil {
				return err
			}
		}
		parallel.Spread(out.Rect.Dy(), 16, func(from, to int) {
			for y := max(from, l.Y); y < min(to, l.Y+l.Image.Rect.Dy()); y++ {
				row := y - l.Y
				src := l.Image.Pix[row*l.Image.Stride : row*l.Image.Stride+4*l.Image.Rect.Dx()]
				var shown []uint8
				if l.Mask != nil {
					shown = l.Mask.Row(row)
				}
				layRow(out.Pix[y*out.Stride:(y+1)*out.Stride], src, l.X, shown, int(l.opacity()), blends[l.blend()].mix)
			}
		})
	}
	return nil
}

// layRow lays the pixels src, whose first falls on pixel at of dst, over dst.
// shown is the layer's mask along src, or nil.
func layRow(dst, src []uint8, at int, shown []uint8, opacity int, mix func(below, above int) int) {
	from, to := max(-at, 0), min(len(src)/4, len(dst)/4-at)
	for x := from; x < to; x++ {
		s := src[4*x : 4*x+4 : 4*x+4]
		alpha := int(s[3])
		if shown != nil {
			alpha = div255(alpha * int(shown[x]))
		}
		if opacity != 255 {
			alpha = div255(alpha * opacity)
		}
		if alpha == 0 {
			continue
		}
		d := dst[4*(x+at) : 4*(x+at)+4 : 4*(x+at)+4]
		if alpha == 255 && (mix == nil || d[3] == 0) {
			*(*[4]uint8)(d) = [4]uint8(s)
			continue
		}
		// All three parts are in units of 1/255²: the layer over nothing, the
		// layer mixed with what is below, and what still shows of it.
		below := int(d[3])
		alone, mixed, rest := alpha*(255-below), alpha*below, (255-alpha)*below
		sum := alone + mixed + rest
		for c := range 3 {
			v := int(s[c])
			if mix != nil {
				v = mix(int(d[c]), int(s[c]))
			}
			d[c] = uint8((alone*int(s[c]) + mixed*v + rest*int(d[c]) + sum/2) / sum)
		}
		d[3] = uint8(div255(sum))
	}
}

// matte lays the colours on white and keeps the transparency, which is how the
// format stores a flattened picture that is not opaque.
func matte(img *image.NRGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		if a := int(p[3]); a != 255 {
			for c := range 3 {
				p[c] = uint8(div255(int(p[c])*a + 255*(255-a)))
			}
		}
	}
}
