package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// head is what is known about the head in a picture: where the face is, and which pixels are skin and which hair.
type head struct {
	face image.Rectangle
	skin mask.Plane
	hair mask.Plane
	ok   bool
}

// headIn divides the head region that was found into skin and hair, by colour: skin is what resembles the middle of
// the face. img may be smaller than the picture the region was found in.
func headIn(img *image.NRGBA, seg Segmentation) head {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if len(seg.Faces) == 0 || seg.Matte.W == 0 {
		return head{}
	}
	k := float64(w) / float64(seg.Matte.W)
	f := seg.Faces[0]
	out := head{face: image.Rect(int(k*float64(f.Min.X)), int(k*float64(f.Min.Y)), int(k*float64(f.Max.X)), int(k*float64(f.Max.Y))), ok: true}
	out.skin, out.hair = mask.New(w, h), mask.New(w, h)
	cheeks := mask.New(w, h)
	cheeks.FillRect(image.Rect(
		out.face.Min.X+out.face.Dx()*3/10, out.face.Min.Y+out.face.Dy()*45/100,
		out.face.Max.X-out.face.Dx()*3/10, out.face.Min.Y+out.face.Dy()*75/100), 255)
	tone := compose.Measure(img, &cheeks)
	for y := range h {
		sy := min(seg.Matte.H-1, int(float64(y)/k))
		for x := range w {
			a := seg.Matte.At(int(float64(x)/k), sy)
			if a < 24 || seg.Mask.At(int(float64(x)/k), sy) < mask.Level && a < 96 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			d := math.Pow((lab[0]-tone.Mean[0])/26, 2) + math.Pow((lab[1]-tone.Mean[1])/9, 2) + math.Pow((lab[2]-tone.Mean[2])/11, 2)
			like := 1 - smooth(d-0.6)
			if image.Pt(x, y).In(out.face) {
				// Lips, eyes and shadows of the inner face count as skin, so that a tint leaves no holes.
				r := reachOf(x-out.face.Min.X, y-out.face.Min.Y, out.face.Dx(), out.face.Dy())
				inner := 0.6
				if y > out.face.Min.Y+out.face.Dy()*2/5 {
					inner = 0.82 // below the brows there is no hair but a beard's
				}
				like = math.Max(like, 1-smooth((r-inner)/0.25))
			}
			out.skin.Pix[y*w+x] = byte255(like * float64(a))
			out.hair.Pix[y*w+x] = byte255((1 - like) * float64(a))
		}
	}
	soft := float64(max(1, out.face.Dx()/60))
	out.skin, out.hair = out.skin.Feather(soft), out.hair.Feather(soft)
	return out
}

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

// around is the picture cut to the head and shoulders, with w × h pixels, or all of it when there is no face.
func around(img *image.NRGBA, face image.Rectangle, w, h int) *image.NRGBA {
	if face.Empty() {
		return compose.Cover(img, w, h, compose.Framing{X: 0.5, Y: 0.25, Zoom: 1})
	}
	high := float64(face.Dy()) * 3.1
	wide := high * float64(w) / float64(h)
	cx := float64(face.Min.X+face.Max.X) / 2
	top := float64(face.Min.Y) - 0.85*float64(face.Dy())
	r := image.Rect(int(cx-wide/2), int(top), int(cx+wide/2), int(top+high))
	return imaging.Resize(compose.Window(img, r), w, h)
}
