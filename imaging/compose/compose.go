// Package compose lays cut-outs into scenes so that they look as if taken there: placing, colour, shadow and the
// light at the edge. Cut-outs are NRGBA pictures whose alpha is their matte and whose colours are free of the old
// background (segment.Foreground). Opaque pixels of a cut-out are never changed by anything here.
package compose

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/parallel"
)

// Over lays cut over dst with its top left corner at p. Opaque pixels are copied bit by bit; dst may be transparent.
func Over(dst, cut *image.NRGBA, p image.Point) {
	size := cut.Rect.Size()
	area := image.Rectangle{Min: p, Max: p.Add(size)}.Intersect(dst.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		d := dst.Pix[dst.PixOffset(area.Min.X, y):]
		s := cut.Pix[cut.PixOffset(cut.Rect.Min.X+area.Min.X-p.X, cut.Rect.Min.Y+y-p.Y):]
		for x := range area.Dx() {
			over(d[4*x:4*x+4:4*x+4], s[4*x:4*x+4:4*x+4])
		}
	}
}

// over is one pixel of Over, on straight alpha.
func over(d, s []uint8) {
	switch {
	case s[3] == 255 || d[3] == 0:
		copy(d, s)
		return
	case s[3] == 0:
		return
	}
	a := uint32(s[3])
	back := uint32(d[3]) * (255 - a) // in 1/255
	total := a*255 + back
	for k := range 3 {
		d[k] = uint8((uint32(s[k])*a*255 + uint32(d[k])*back + total/2) / total)
	}
	d[3] = uint8((total + 127) / 255)
}

// Matte is the alpha of a picture as a plane.
func Matte(img *image.NRGBA) mask.Plane {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	m := mask.New(w, h)
	for y := range m.H {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):]
		for x := range m.W {
			m.Pix[y*w+x] = row[4*x+3]
		}
	}
	return m
}

// CutOut gives img the alpha of matte, a plane of its size.
func CutOut(img *image.NRGBA, matte mask.Plane) *image.NRGBA {
	out := imaging.Clone(img)
	for i, v := range matte.Pix {
		if 4*i+3 < len(out.Pix) {
			out.Pix[4*i+3] = v
		}
	}
	return out
}

// Window is the part r of img, as a copy at the origin; what lies outside img is transparent.
func Window(img *image.NRGBA, r image.Rectangle) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	in := r.Intersect(img.Rect)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		from := img.PixOffset(in.Min.X, y)
		copy(out.Pix[out.PixOffset(in.Min.X-r.Min.X, y-r.Min.Y):], img.Pix[from:from+4*in.Dx()])
	}
	return out
}

// Framing says which part of a picture Cover shows.
type Framing struct {
	X, Y float64 // 0 = left or top, 1 = right or bottom
	Zoom float64 // 1 = as much as fits, 1.2 = a fifth closer; less than 1 counts as 1
	Flip bool    // left and right change places
}

// Centred shows the middle.
var Centred = Framing{X: 0.5, Y: 0.5, Zoom: 1}

// Cover scales img so that it fills w × h pixels and cuts off what is over.
func Cover(img *image.NRGBA, w, h int, f Framing) *image.NRGBA {
	w, h = max(1, w), max(1, h)
	iw, ih := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	share := math.Min(iw/float64(w), ih/float64(h)) / math.Max(1, f.Zoom)
	cw, ch := max(1, int(float64(w)*share+0.5)), max(1, int(float64(h)*share+0.5))
	cw, ch = min(cw, img.Rect.Dx()), min(ch, img.Rect.Dy())
	x := img.Rect.Min.X + int(math.Round(f.X*float64(img.Rect.Dx()-cw)))
	y := img.Rect.Min.Y + int(math.Round(f.Y*float64(img.Rect.Dy()-ch)))
	out := imaging.Resize(Window(img, image.Rect(x, y, x+cw, y+ch)), w, h)
	if f.Flip {
		Flip(out)
	}
	return out
}

// Flip exchanges left and right, in place.
func Flip(img *image.NRGBA) {
	w := img.Rect.Dx()
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+4*w]
		for i, j := 0, 4*(w-1); i < j; i, j = i+4, j-4 {
			a, b := [4]uint8(row[i:]), [4]uint8(row[j:])
			copy(row[i:], b[:])
			copy(row[j:], a[:])
		}
	}
}

// Place scales a cut-out so that what is visible of it is share of the scene's height (less where it would be too
// wide), and says where its top left corner goes to stand on the floor line, a fraction of the height, at the
// fraction across of the width.
func Place(cut *image.NRGBA, scene image.Point, share, floor, across float64) (*image.NRGBA, image.Point) {
	seen := Matte(cut).Bounds()
	if seen.Empty() {
		return imaging.Clone(cut), image.Point{}
	}
	cut = Window(cut, seen.Add(cut.Rect.Min))
	k := share * float64(scene.Y) / float64(seen.Dy())
	k = math.Min(k, 0.9*float64(scene.X)/float64(seen.Dx()))
	out := imaging.Resize(cut, int(k*float64(seen.Dx())+0.5), int(k*float64(seen.Dy())+0.5))
	w, h := out.Rect.Dx(), out.Rect.Dy()
	x := int(across*float64(scene.X)) - w/2
	x = max(0, min(x, scene.X-w))
	return out, image.Pt(x, int(floor*float64(scene.Y))-h)
}

// Turn rotates a cut-out clockwise by degrees about its centre, on a canvas large enough to hold it.
func Turn(img *image.NRGBA, degrees float64) *image.NRGBA {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	ow := int(math.Ceil(w*math.Abs(cos) + h*math.Abs(sin)))
	oh := int(math.Ceil(w*math.Abs(sin) + h*math.Abs(cos)))
	out := image.NewNRGBA(image.Rect(0, 0, ow, oh))
	parallel.Spread(oh, 1, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range ow {
				dx, dy := float64(x)+0.5-float64(ow)/2, float64(y)+0.5-float64(oh)/2
				c := sample(img, dx*cos+dy*sin+w/2-0.5, dy*cos-dx*sin+h/2-0.5)
				copy(out.Pix[y*out.Stride+4*x:], c[:])
			}
		}
	})
	return out
}

// sample is the colour between the four pixels around (x, y), weighted by alpha; clear outside.
func sample(img *image.NRGBA, x, y float64) [4]uint8 {
	fx, fy := math.Floor(x), math.Floor(y)
	var sum [3]float64
	var alpha float64
	for n := range 4 {
		px, py := int(fx)+n&1, int(fy)+n>>1
		if px < 0 || py < 0 || px >= img.Rect.Dx() || py >= img.Rect.Dy() {
			continue
		}
		part := [2]float64{1 - (x - fx), x - fx}[n&1] * [2]float64{1 - (y - fy), y - fy}[n>>1]
		p := img.Pix[img.PixOffset(img.Rect.Min.X+px, img.Rect.Min.Y+py):]
		a := part * float64(p[3])
		alpha += a
		for k := range 3 {
			sum[k] += a * float64(p[k])
		}
	}
	if alpha < 0.5 {
		return [4]uint8{}
	}
	return [4]uint8{uint8(sum[0]/alpha + 0.5), uint8(sum[1]/alpha + 0.5), uint8(sum[2]/alpha + 0.5), uint8(min(255, alpha+0.5))}
}
