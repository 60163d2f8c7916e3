package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// tinted recolours where part is set: towards c, keeping light and dark; lift moves its brightness towards c's.
func tinted(img *image.NRGBA, part mask.Plane, c [3]float64, amount, lift float64) {
	if part.Empty() {
		return
	}
	from := compose.Measure(img, &part)
	dot := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	copy(dot.Pix, []uint8{byte255(c[0]), byte255(c[1]), byte255(c[2]), 255})
	to := compose.Measure(dot, nil)
	to.Std = from.Std
	to.Mean[0] = from.Mean[0] + lift*(to.Mean[0]-from.Mean[0])
	for k := 1; k < 3; k++ {
		// Harmonise follows hue by half.
		to.Mean[k] = from.Mean[k] + 2*(to.Mean[k]-from.Mean[k])
	}
	keep := part.Clone()
	keep.Invert()
	compose.Harmonise(img, from, to, amount, &keep)
}

// smoothSkin evens out the skin by amount: blemishes and lines go, eyes, mouth and outlines stay.
func smoothSkin(img *image.NRGBA, part mask.Plane, r int, amount float64) {
	even := paint(img, r)
	even = compose.Blur(even, max(1, r/2))
	eachPixel(img, func(x, y int, p []uint8) {
		share := amount * float64(part.At(x, y)) / 255
		if share == 0 {
			return
		}
		i := even.PixOffset(x, y)
		d := math.Abs(lightOf(p) - lightOf(even.Pix[i:]))
		share *= 1 - smooth((d-14)/26) // strong edges are features
		for k := range 3 {
			p[k] = byte255(float64(p[k]) + share*(float64(even.Pix[i+k])-float64(p[k])))
		}
	})
}

// shoulders is the frame of a head and shoulders with the shape of w × h, about a face.
func shoulders(face image.Rectangle, w, h int) image.Rectangle {
	high := float64(face.Dy()) * 3.1
	wide := high * float64(w) / float64(h)
	cx := float64(face.Min.X+face.Max.X) / 2
	top := float64(face.Min.Y) - 0.85*float64(face.Dy())
	return image.Rect(int(cx-wide/2), int(top), int(cx+wide/2), int(top+high))
}

// around is the picture cut to the head and shoulders, with w × h pixels; beyond the picture it is clear.
func around(img *image.NRGBA, face image.Rectangle, w, h int) *image.NRGBA {
	return imaging.Resize(compose.Window(img, shoulders(face, w, h)), w, h)
}

// bust is the picture cut to the head and shoulders as far as it reaches, with w × h pixels.
func bust(img *image.NRGBA, face image.Rectangle, w, h int) *image.NRGBA {
	r := shoulders(face, w, h)
	k := math.Min(1, math.Min(float64(img.Rect.Dx())/float64(r.Dx()), float64(img.Rect.Dy())/float64(r.Dy())))
	size := image.Pt(int(k*float64(r.Dx())), int(k*float64(r.Dy())))
	at := r.Min.Add(r.Size().Sub(size).Div(2))
	at.X = max(0, min(img.Rect.Dx()-size.X, at.X))
	at.Y = max(0, min(img.Rect.Dy()-size.Y, at.Y))
	return imaging.Resize(compose.Window(img, image.Rectangle{Min: at, Max: at.Add(size)}), w, h)
}
