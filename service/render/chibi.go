package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// The sheet a chibi figure stands on, px, and where its chin, shoulders, hips and feet are.
const (
	chibiWide, chibiHigh                          = 1024, 1280
	chibiChin, chibiShoulder, chibiHip, chibiSole = 806.0, 792.0, 1010.0, 1214.0
)

// wear is what a small figure of a person is drawn in.
type wear struct {
	skin, upper, lower, shoes [3]float64
	skirt                     bool // the lower garment ends above the knees
}

// asChibi makes a small figure with a large head: the head is cut out and redrawn with large eyes, and a small body is drawn
// below it in the colours of what the person wears.
func asChibi(ctx context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	pieces, err := analysis.Pieces(ctx, b.img, segment.Options{})
	if err != nil {
		return fmt.Errorf("find the clothes: %w", err)
	}
	worn := wearOf(b.img, h.face, fitPlane(b.seg.Subject, b.img.Rect.Dx(), b.img.Rect.Dy()), pieces)
	matte := ofFace(fitPlane(b.seg.Matte, b.img.Rect.Dx(), b.img.Rect.Dy()), h.face)
	for i, v := range h.hair.Pix {
		matte.Pix[i] = max(matte.Pix[i], v) // hair that falls
	}
	// Below the chin only hair belongs to the head; it ends above a small body's hips.
	chin := h.face.Max.Y + h.face.Dy()/20
	face := float64(h.face.Dy())
	for y := max(0, chin); y < matte.H; y++ {
		for x := range matte.W {
			aside := math.Abs(float64(x)-float64(h.face.Min.X+h.face.Max.X)/2) / face
			end := smooth((0.9-aside)/0.08) * smooth((0.52+0.2*smooth(aside-0.3)-float64(y-chin)/face)/0.06)
			i := y*matte.W + x
			matte.Pix[i] = byte255(end * float64(min(matte.Pix[i], h.hair.Pix[i])))
		}
	}
	box := matte.Bounds()
	if box.Empty() {
		return unseen(somebody, 0)
	}
	b.req.progress(0.4)
	// From crown to chin it is as high as half the sheet; wide hair makes it smaller. It is drawn at that size.
	k := math.Min(560/math.Max(1, float64(chin-box.Min.Y)), 960/float64(box.Dx()))
	w, high := max(1, int(k*float64(box.Dx()))), max(1, int(k*float64(box.Dy())))
	part := image.NewNRGBA(image.Rectangle{Max: box.Size()})
	for i := range part.Rect.Dx() * part.Rect.Dy() {
		part.Pix[4*i+3] = matte.At(box.Min.X+i%box.Dx(), box.Min.Y+i/box.Dx())
	}
	shape := compose.Matte(imaging.Resize(part, w, high))
	b.img = imaging.Resize(compose.Window(b.img, box), w, high)
	if err := asAnime(ctx, b); err != nil {
		return err
	}
	head := compose.CutOut(b.img, shape)
	at := image.Pt(chibiWide/2-int(k*(float64(h.face.Min.X+h.face.Max.X)/2-float64(box.Min.X))), int(chibiChin-k*float64(chin-box.Min.Y)))
	figure := image.NewNRGBA(image.Rect(0, 0, chibiWide, chibiHigh))
	worn.chibi(figure, b.req.Item)
	compose.Over(figure, head, at)
	b.img = b.sticker(figure)
	return ctx.Err()
}

// wearOf reads the colours of a person's clothes, and whether legs are bare.
func wearOf(img *image.NRGBA, face image.Rectangle, body mask.Plane, p segment.Pieces) wear {
	mean := func(m mask.Plane, otherwise [3]float64) [3]float64 {
		if m.W == 0 || m.Empty() {
			return otherwise
		}
		return rgbOf(compose.Measure(img, &m).Mean)
	}
	below := body.Clone()
	below.FillRect(image.Rect(0, 0, below.W, min(below.H, face.Max.Y+face.Dy()/2)), 0)
	out := wear{skin: rgbOf(skinTone(img, face)), shoes: [3]float64{58, 50, 60}}
	out.upper = mean(below, [3]float64{226, 110, 96})
	out.lower = toned(out.upper, [3]float64{44, 52, 84}, 0.7)
	if p.Worn.W == 0 {
		return out
	}
	out.upper = mean(p.Upper, out.upper)
	low, all := p.Lower.Bounds(), p.Subject.Mask.Bounds()
	if low.Dy() < face.Dy()/2 {
		// One garment, or a photo that ends above the waist.
		if out.skirt = all.Dy() > 5*face.Dy(); out.skirt {
			out.lower = out.upper
		}
		return out
	}
	out.lower = mean(p.Lower, out.lower)
	out.skirt = all.Max.Y < p.Lower.H-2 && 10*low.Dy() < 7*(all.Max.Y-low.Min.Y)
	return out
}

// rgbOf is a Lab colour in red, green and blue, 0 to 255.
func rgbOf(lab [3]float64) [3]float64 {
	r, g, b := compose.RGB(lab)
	return [3]float64{float64(r), float64(g), float64(b)}
}

// chibi draws the body of a chibi figure below its chin: flat colours, one shade to the right, firm outlines. Items stand in
// other ways.
func (c wear) chibi(img *image.NRGBA, item int) {
	const middle, pen = chibiWide / 2.0, 9.0
	part := func(tone [3]float64, points ...spot) {
		shape := curved(points...)
		line(pen, pen, append(shape[0][:len(shape[0]):len(shape[0])], shape[0][0])...).fill(img, dot(color3(tone, 0.34), 255))
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range points {
			low, high = math.Min(low, p.x), math.Max(high, p.x)
		}
		shape.shade(img, func(x, _ float64) [3]float64 {
			if x > low+0.7*(high-low) {
				return color3(tone, 0.82)
			}
			return tone
		})
	}
	leg := c.lower
	if c.skirt {
		leg = c.skin
	}
	for _, s := range []float64{-1, 1} {
		at := func(x, y float64) spot { return spot{middle + s*x, y} }
		part(leg, at(16, chibiHip-40), at(104, chibiHip-40), at(98, 1110), at(94, 1188), at(30, 1188), at(22, 1110))
		part(c.shoes, at(18, 1170), at(70, 1158), at(112, 1178), at(124, chibiSole-8), at(70, chibiSole), at(20, chibiSole-6))
	}
	// One arm may be raised in greeting, or both stand out.
	for i, s := range []float64{-1, 1} {
		at := func(x, y float64) spot { return spot{middle + s*x, y} }
		hand := [4][2]spot{{{176, 968}, {176, 968}}, {{176, 968}, {292, 704}}, {{214, 936}, {214, 936}}, {{292, 704}, {176, 968}}}[item%4][i]
		elbow := spot{0.5*(84+hand.x) + 16, 0.5*(chibiShoulder+30+hand.y) + 10}
		from, mid, to := at(84, chibiShoulder+26), at(elbow.x, elbow.y), at(hand.x, hand.y)
		sleeve := through(false, []spot{from, mid, to})
		line(74+pen, 58+pen, sleeve...).fill(img, dot(color3(c.upper, 0.34), 255))
		oval(to.x, to.y, 33+pen/2, 33+pen/2, 0).fill(img, dot(color3(c.skin, 0.34), 255))
		oval(to.x, to.y, 32, 32, 0).fill(img, dot(c.skin, 255))
		line(74-pen, 58-pen, sleeve[:len(sleeve)-3]...).fill(img, dot(color3(c.upper, 0.94), 255))
	}
	part(c.skin, spot{middle - 44, chibiChin - 70}, spot{middle + 44, chibiChin - 70}, spot{middle + 46, chibiShoulder + 30}, spot{middle - 46, chibiShoulder + 30})
	part(c.upper, spot{middle - 60, chibiShoulder}, spot{middle, chibiShoulder + 16}, spot{middle + 60, chibiShoulder}, spot{middle + 112, chibiShoulder + 44},
		spot{middle + 112, chibiHip - 70}, spot{middle + 118, chibiHip}, spot{middle, chibiHip + 14}, spot{middle - 118, chibiHip}, spot{middle - 112, chibiHip - 70}, spot{middle - 112, chibiShoulder + 44})
	if c.skirt {
		part(c.lower, spot{middle - 106, chibiHip - 60}, spot{middle + 106, chibiHip - 60}, spot{middle + 172, chibiHip + 86}, spot{middle + 60, chibiHip + 106}, spot{middle - 60, chibiHip + 106}, spot{middle - 172, chibiHip + 86})
		for _, x := range []float64{-60, 0, 60} {
			line(5, 3, spot{middle + 0.6*x, chibiHip - 10}, spot{middle + x, chibiHip + 88}).fill(img, dot(color3(c.lower, 0.55), 160))
		}
	}
}

// sticker sets a figure with a white rim before a disc on a light ground, with its shade below the feet.
func (b *brush) sticker(figure *image.NRGBA) *image.NRGBA {
	c := b.colour([][3]float64{{255, 222, 214}, {214, 232, 252}, {226, 244, 214}, {248, 236, 200}}...)
	out := image.NewNRGBA(figure.Rect)
	flood(out, dot([3]float64{c[0]*0.45 + 140, c[1]*0.45 + 140, c[2]*0.45 + 140}, 255))
	oval(chibiWide/2, 640, 470, 470, 0).fill(out, dot(c, 255))
	for i := range 6 {
		oval(chibiWide/2, chibiSole+4, 230-18*float64(i), 30-3*float64(i), 0).fill(out, color.NRGBA{60, 50, 70, 22})
	}
	rim := compose.Matte(figure).Grow(10).Feather(1.2)
	eachPixel(out, func(x, y int, p []uint8) {
		blend(p, [3]float64{255, 255, 255}, float64(rim.At(x, y))/255)
	})
	compose.Over(out, figure, image.Point{})
	return out
}
