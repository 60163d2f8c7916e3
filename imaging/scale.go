package imaging

import (
	"image"
	"math"

	"github.com/nfnt/resize"
)

// Resize returns the picture scaled to exactly w × h pixels, at least 1 × 1.
// Reductions average whole blocks first, then filter; enlargements filter only.
func Resize(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = max(w, 1), max(h, 1)
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	switch {
	case sw == 0 || sh == 0:
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	case sw == w && sh == h:
		return Clone(img)
	}
	return filter(reduce(img, reduced(sw, w), reduced(sh, h)), w, h)
}

// Fit returns the picture scaled to the largest size of its shape within w × h.
func Fit(img *image.NRGBA, w, h int) *image.NRGBA {
	fw, fh := FitSize(img.Rect.Dx(), img.Rect.Dy(), w, h)
	return Resize(img, fw, fh)
}

// FitPixels returns the picture scaled down to at most so many pixels; one that has no more is returned as it is.
func FitPixels(img *image.NRGBA, most int64) *image.NRGBA {
	w, h := int64(img.Rect.Dx()), int64(img.Rect.Dy())
	if w*h <= most {
		return img
	}
	k := math.Sqrt(float64(most) / float64(w*h))
	return Resize(img, max(1, int(k*float64(w))), max(1, int(k*float64(h))))
}

// FitSize is the size Fit scales a picture of sw × sh pixels to.
func FitSize(sw, sh, w, h int) (fw, fh int) {
	sw, sh, w, h = max(sw, 1), max(sh, 1), max(w, 1), max(h, 1)
	if int64(w)*int64(sh) <= int64(h)*int64(sw) {
		return w, max(divide(sh*w, sw), 1)
	}
	return max(divide(sw*h, sh), 1), h
}

// Cover returns the picture scaled until it covers w × h and cropped to that
// size around its middle.
func Cover(img *image.NRGBA, w, h int) *image.NRGBA {
	w, h = max(w, 1), max(h, 1)
	sw, sh := img.Rect.Dx(), img.Rect.Dy()
	if sw == 0 || sh == 0 {
		return image.NewNRGBA(image.Rect(0, 0, w, h))
	}
	// Cropping first means no pixel is scaled for nothing.
	cw, ch := sw, sh
	if int64(sw)*int64(h) > int64(w)*int64(sh) {
		cw = max(divide(sh*w, h), 1)
	} else {
		ch = max(divide(sw*h, w), 1)
	}
	x, y := (sw-cw)/2, (sh-ch)/2
	return Resize(Crop(img, image.Rect(x, y, x+cw, y+ch)), w, h)
}

// Crop returns a copy of the part of the picture within r, with its origin at (0, 0).
func Crop(img *image.NRGBA, r image.Rectangle) *image.NRGBA {
	r = r.Intersect(img.Rect)
	out := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	for y := range r.Dy() {
		from := img.PixOffset(r.Min.X, r.Min.Y+y)
		copy(out.Pix[y*out.Stride:(y+1)*out.Stride], img.Pix[from:from+out.Stride])
	}
	return out
}

// Clone returns a copy of the picture with its origin at (0, 0).
func Clone(img *image.NRGBA) *image.NRGBA { return Crop(img, img.Rect) }

// divide rounds a/b to the nearest whole number.
func divide(a, b int) int { return (a + b/2) / b }

// reduced is the length n is brought to by averaging blocks before filtering
// it down to want: half as long again as wanted, or longer.
func reduced(n, want int) int { return n / max(2*n/(3*want), 1) }

// filter is the last step of scaling.
func filter(img *image.NRGBA, w, h int) *image.NRGBA {
	if img.Rect.Dx() == w && img.Rect.Dy() == h {
		return img
	}
	kind := resize.Lanczos3
	if w > img.Rect.Dx() || h > img.Rect.Dy() {
		// Lanczos rings visibly when it enlarges.
		kind = resize.Bicubic
	}
	opaque := img.Opaque()
	var src image.Image = img
	if opaque {
		src = &image.RGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}
	}
	scaled, ok := resize.Resize(uint(w), uint(h), src, kind).(*image.RGBA)
	if !ok {
		panic("imaging: the scaler answered with another kind of picture")
	}
	out := &image.NRGBA{Pix: scaled.Pix, Stride: scaled.Stride, Rect: scaled.Rect}
	if !opaque {
		bands(h, func(from, to int) { unmultiply(out.Pix[from*out.Stride : to*out.Stride]) })
	}
	return out
}

// unmultiply turns premultiplied pixels into straight ones, in place. A filter
// that overshoots may leave colours above their alpha; they become full.
func unmultiply(pix []uint8) {
	for i := 0; i+4 <= len(pix); i += 4 {
		p := pix[i : i+4 : i+4]
		switch a := uint32(p[3]); a {
		case 255:
		case 0:
			p[0], p[1], p[2] = 0, 0, 0
		default:
			for c := range 3 {
				p[c] = uint8(min((uint32(p[c])*255+a/2)/a, 255))
			}
		}
	}
}
