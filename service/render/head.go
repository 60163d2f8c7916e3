package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// Head is the head of a fashion model, cut out of a portrait.
type Head struct {
	Picture *image.NRGBA    // face, hair and some of the neck; clear elsewhere
	Face    image.Rectangle // in Picture
	Skin    [3]float64      // Lab tone of the face
	Tilt    float64         // degrees clockwise
}

// headSide is the long side in pixels of the portrait a head is cut from, by the usual engine.
const headSide = 1000

// headOf cuts the head out of a portrait; nil when no face can be found in it.
func headOf(ctx context.Context, portrait *image.NRGBA, e engine) (*Head, error) {
	portrait = atMost(portrait, e.head)
	r, err := regionOf(ctx, portrait, segment.InverseHuman, e.segmentation())
	if err != nil {
		return nil, fmt.Errorf("find the model's head: %w", err)
	}
	if len(r.Faces) == 0 {
		return nil, nil //nolint:nilnil // a portrait without a face is an ordinary case
	}
	face := r.Faces[0]
	matte := ofFace(r.Matte, face)
	b := matte.Bounds()
	if b.Empty() || !face.Overlaps(b) {
		return nil, nil //nolint:nilnil // see above
	}
	// Some of the picture is kept around, for edges that are softened.
	b = b.Inset(-2).Intersect(portrait.Rect)
	cut := compose.Window(segment.Foreground(portrait, matte), b)
	return &Head{
		Picture: cut, Face: face.Sub(b.Min), Skin: skinTone(portrait, face), Tilt: tilt(portrait, face),
	}, nil
}

// atMost is a copy of img, opaque, with a long side of at most side pixels.
func atMost(img *image.NRGBA, side int) *image.NRGBA {
	if max(img.Rect.Dx(), img.Rect.Dy()) <= side {
		return imaging.Flatten(imaging.Clone(img), 255, 255, 255)
	}
	return imaging.Flatten(imaging.Fit(img, side, side), 255, 255, 255)
}

// ofFace is the part of a matte of heads that belongs to one face: what hangs together with it, within reach of it.
func ofFace(matte mask.Plane, face image.Rectangle) mask.Plane {
	reach := image.Rect(face.Min.X-face.Dx(), face.Min.Y-face.Dy(), face.Max.X+face.Dx(), face.Max.Y+2*face.Dy()).Intersect(matte.Rect())
	out := mask.New(matte.W, matte.H)
	var queue []image.Point
	visit := func(x, y int) {
		if i := y*matte.W + x; image.Pt(x, y).In(reach) && out.Pix[i] == 0 && matte.Pix[i] > 6 {
			out.Pix[i] = matte.Pix[i]
			queue = append(queue, image.Pt(x, y))
		}
	}
	middle := face.Inset(face.Dx() / 4)
	for y := middle.Min.Y; y < middle.Max.Y; y++ {
		for x := middle.Min.X; x < middle.Max.X; x++ {
			visit(x, y)
		}
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		visit(p.X-1, p.Y)
		visit(p.X+1, p.Y)
		visit(p.X, p.Y-1)
		visit(p.X, p.Y+1)
	}
	return out
}

// tilt estimates how far a face leans, in degrees clockwise: the turn that makes its halves mirror each other best, 0
// when none does so clearly better than upright.
func tilt(img *image.NRGBA, face image.Rectangle) float64 {
	const n, limit = 40, 15
	var patch [n * n]float64
	read := func(angle float64) {
		sin, cos := math.Sincos(angle * math.Pi / 180)
		cx, cy := float64(face.Min.X+face.Max.X)/2, float64(face.Min.Y+face.Max.Y)/2
		k := 0.92 * float64(face.Dx()) / n
		for i := range n {
			for j := range n {
				u, v := (float64(j)+0.5-n/2)*k, (float64(i)+0.5-n/2)*k
				x, y := int(cx+u*cos-v*sin), int(cy+u*sin+v*cos)
				patch[i*n+j] = 0
				if image.Pt(x, y).In(img.Rect) {
					patch[i*n+j] = lightOf(img.Pix[img.PixOffset(x, y):])
				}
			}
		}
	}
	score := func(angle float64) float64 {
		read(angle)
		best := -1.0
		for shift := -5; shift <= 5; shift++ {
			var a, b, aa, bb, ab, count float64
			for i := range n {
				for j := range n {
					m := n - 1 - j + shift
					if m < 0 || m >= n {
						continue
					}
					p, q := patch[i*n+j], patch[i*n+m]
					a, b, aa, bb, ab, count = a+p, b+q, aa+p*p, bb+q*q, ab+p*q, count+1
				}
			}
			va, vb := aa-a*a/count, bb-b*b/count
			if va > 0 && vb > 0 {
				best = math.Max(best, (ab-a*b/count)/math.Sqrt(va*vb))
			}
		}
		return best
	}
	upright := score(0)
	best, at := upright+0.12, 0.0
	for angle := -float64(limit); angle <= limit; angle += 3 {
		if s := score(angle) - 0.002*math.Abs(angle); s > best {
			best, at = s, angle
		}
	}
	if best < 0.35 {
		return 0
	}
	return at
}

// oldHead finds the head of the original, which a new one is to replace.
func (s *Segmentation) oldHead(ctx context.Context, req Request, maskType string) error {
	var matte mask.Plane
	if maskType == maskHuman {
		matte = outside(s.Matte)
	} else {
		r, err := regionOf(ctx, req.source(), segment.InverseHuman, req.engine().segmentation())
		if err != nil {
			return fmt.Errorf("find the head: %w", err)
		}
		matte = r.Matte
	}
	s.OldHead = ofFace(matte, s.Faces[0])
	return nil
}

// head is the head an item shows; nil when none is to be changed.
func (s Segmentation) head(item int) *Head {
	if len(s.Heads) == 0 {
		return nil
	}
	return s.Heads[item%len(s.Heads)]
}

// openForHead takes the places of the new heads out of what is protected, as far as they reach over the background, and a
// rim around the old one, where its hair shows between other things. Clothes and skin stay protected.
func (s *Segmentation) openForHead(src *image.NRGBA) {
	d := float64(s.Faces[0].Dx())
	open := s.OldHead.Clone()
	for i, v := range open.Pix {
		open.Pix[i] = 0
		if v > 3 {
			open.Pix[i] = 255
		}
	}
	open = open.Grow(math.Max(1, d/12))
	for n := range 2 * len(s.Heads) { // as they are and mirrored
		w := s.Heads[n/2].fit(src, *s, variation{item: n % 2})
		for y := range w.picture.Rect.Dy() {
			for x := range w.picture.Rect.Dx() {
				px, py := w.at.X+x, w.at.Y+y
				if w.picture.Pix[w.picture.PixOffset(x, y)+3] > 8 && s.Subject.At(px, py) < mask.Level {
					open.Set(px, py, 255)
				}
			}
		}
	}
	open = open.Grow(1).Feather(math.Max(0.8, d/90))
	s.Mask, s.Matte = s.Mask.Clone(), s.Matte.Clone()
	for i, v := range open.Pix {
		s.Matte.Pix[i] = min(s.Matte.Pix[i], 255-v)
		if v >= mask.Level {
			s.Mask.Pix[i] = 0
		}
	}
}

// worn is a head as it is put on: scaled, leaned and moved.
type worn struct {
	picture *image.NRGBA
	at      image.Point     // of its top left corner
	face    image.Rectangle // in the picture it is put on
}

// mirrored is the head seen in a mirror: another parting, and light from the other side.
func (h *Head) mirrored() *Head {
	m := *h
	m.Picture = imaging.Clone(h.Picture)
	compose.Flip(m.Picture)
	w := h.Picture.Rect.Dx()
	m.Face.Min.X, m.Face.Max.X = w-h.Face.Max.X, w-h.Face.Min.X
	m.Tilt = -h.Tilt
	return &m
}

// fit scales and leans the head to take the place of an old one, and moves it over it: where the old face was turned
// aside, somewhat back over the neck.
func (h *Head) fit(img *image.NRGBA, seg Segmentation, v variation) worn {
	if v.item%2 == 1 {
		h = h.mirrored()
	}
	face, old := seg.Faces[0], seg.OldHead
	k := 0.97 * float64(face.Dx()) / float64(h.Face.Dx())
	// The squares that faces are found in are loose; from crown to chin says more, but hair stands up.
	crown := func(top int, f image.Rectangle) float64 {
		return math.Max(0.15, math.Min(0.42, float64(f.Min.Y-top)/float64(f.Dy()))) + 0.93
	}
	k *= crown(old.Bounds().Min.Y, face) / crown(0, h.Face)
	w, ht := max(1, int(k*float64(h.Picture.Rect.Dx())+0.5)), max(1, int(k*float64(h.Picture.Rect.Dy())+0.5))
	picture := imaging.Resize(h.Picture, w, ht)
	cx := k * float64(h.Face.Min.X+h.Face.Max.X) / 2
	cy := k * float64(h.Face.Min.Y+h.Face.Max.Y) / 2
	if lean := tilt(img, face) - h.Tilt; math.Abs(lean) > 1 {
		sin, cos := math.Sincos(lean * math.Pi / 180)
		u, v := cx-float64(w)/2, cy-float64(ht)/2
		picture = compose.Turn(picture, lean)
		cx = float64(picture.Rect.Dx())/2 + u*cos - v*sin
		cy = float64(picture.Rect.Dy())/2 + u*sin + v*cos
	}
	aside := 0.4 * seg.footOfNeck(img, skinTone(img, face))
	at := image.Pt(
		int(math.Round(float64(face.Min.X+face.Max.X)/2+aside-cx)),
		int(math.Round(float64(face.Min.Y+face.Max.Y)/2-cy)))
	if v.light != 0 || v.warmth != 0 {
		compose.Grade(picture, 0.5*v.light, 0.4*v.warmth, 1)
	}
	return worn{picture: picture, at: at, face: face.Add(image.Pt(int(aside), 0))}
}

// putOn replaces the head of figure, a cut-out of the original's size, in place: the old head goes, clothes and neck are
// completed where it covered them, bare skin takes the tone of the new head, and the new head is laid on.
func putOn(ctx context.Context, figure *image.NRGBA, req Request, seg Segmentation) error {
	h := seg.head(req.Item)
	if h == nil || len(seg.Faces) == 0 || seg.OldHead.W == 0 {
		return nil
	}
	face := seg.Faces[0]
	tone := skinTone(req.source(), face)
	head := h.fit(req.source(), seg, req.vary())
	if err := behead(ctx, figure, req, seg); err != nil {
		return err
	}
	compose.Retone(figure, tone, h.Skin, bareSkin(figure, seg, tone))
	neck(figure, req.source(), seg, head.face, [2][3]float64{tone, h.Skin})
	head.lay(figure, seg.OldHead)
	return ctx.Err()
}

// lay puts the head on a picture. Where the old head was the new one covers what is there; beyond that its neck gives
// way to the body, bare or clothed.
func (w worn) lay(img *image.NRGBA, old mask.Plane) {
	d := float64(w.face.Dx())
	chin := float64(w.face.Min.Y) + 0.95*float64(w.face.Dy())
	middle := float64(w.face.Min.X+w.face.Max.X) / 2
	free := old.Feather(math.Max(1, d/30))
	for y := range w.picture.Rect.Dy() {
		py := w.at.Y + y
		for x := range w.picture.Rect.Dx() {
			px := w.at.X + x
			if !image.Pt(px, py).In(img.Rect) {
				continue
			}
			s := [4]uint8(w.picture.Pix[w.picture.PixOffset(x, y):])
			if s[3] == 0 {
				continue
			}
			to := img.Pix[img.PixOffset(px, py):][:4:4]
			if down := float64(py) - chin; down > 0 && math.Abs(float64(px)-middle) < 0.42*d && to[3] > 128 {
				keep := math.Max(1-smooth(down/(0.22*d)), 0.8*float64(free.At(px, py))/255)
				s[3] = byte255(float64(s[3]) * keep)
			}
			blot(to, s)
		}
	}
}

// blot lays one straight-alpha pixel over another.
func blot(d []uint8, s [4]uint8) {
	dot := &image.NRGBA{Pix: d, Stride: 4, Rect: image.Rect(0, 0, 1, 1)}
	top := &image.NRGBA{Pix: s[:], Stride: 4, Rect: image.Rect(0, 0, 1, 1)}
	compose.Over(dot, top, image.Point{})
}

// swap changes the head alone, in the whole picture: what the old head covered is completed out of its surroundings, and
// the new head takes on the tone of the body's skin, which stays.
func swap(ctx context.Context, out *image.NRGBA, req Request, seg Segmentation) error {
	h := seg.head(req.Item)
	if h == nil || len(seg.Faces) == 0 || seg.OldHead.W == 0 {
		return nil
	}
	head := h.fit(out, seg, req.vary())
	tone := skinTone(req.source(), seg.Faces[0])
	if err := heal(ctx, out, req, seg, false); err != nil {
		return err
	}
	compose.Retone(head.picture, h.Skin, tone, head.skin(h.Skin))
	neck(out, req.source(), seg, head.face, [2][3]float64{tone, tone})
	head.lay(out, seg.OldHead)
	return ctx.Err()
}
