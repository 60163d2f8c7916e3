package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
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

// headSide is the long side in pixels of the portrait a head is cut from.
const headSide = 1000

// headOf cuts the head out of a portrait; nil when no face can be found in it.
func headOf(ctx context.Context, portrait *image.NRGBA) (*Head, error) {
	portrait = atMost(portrait, headSide)
	r, err := segment.Region(ctx, portrait, segment.InverseHuman, segment.Options{})
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

// skinTone is the Lab tone of a face: the middle half of what lies between eyes and chin, by lightness, so that neither
// shine nor beard nor glasses decide.
func skinTone(img *image.NRGBA, face image.Rectangle) [3]float64 {
	area := image.Rect(
		face.Min.X+face.Dx()*26/100, face.Min.Y+face.Dy()*46/100,
		face.Max.X-face.Dx()*26/100, face.Min.Y+face.Dy()*78/100).Intersect(img.Rect)
	var light [101][]([3]float64)
	n := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			p := img.Pix[img.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			light[int(math.Max(0, math.Min(100, lab[0])))] = append(light[int(math.Max(0, math.Min(100, lab[0])))], lab)
			n++
		}
	}
	if n == 0 {
		return [3]float64{60, 12, 16}
	}
	var sum [3]float64
	count, seen := 0.0, 0
	for _, bin := range light {
		for _, lab := range bin {
			seen++
			if 4*seen < n || 4*seen > 3*n+4 {
				continue
			}
			for k, v := range lab {
				sum[k] += v
			}
			count++
		}
	}
	for k := range sum {
		sum[k] /= math.Max(1, count)
	}
	return sum
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
func (s *Segmentation) oldHead(ctx context.Context, src *image.NRGBA, maskType string) error {
	var matte mask.Plane
	if maskType == maskHuman {
		matte = outside(s.Matte)
	} else {
		r, err := segment.Region(ctx, src, segment.InverseHuman, segment.Options{})
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

// key is the colour that stands for nothing while a cut-out is completed: none that is worn looks like it.
var key = [3]float64{0, 255, 24}

// behead takes the old head away from a cut-out and completes what it covered.
func behead(ctx context.Context, figure *image.NRGBA, req Request, seg Segmentation) error {
	return heal(ctx, figure, req, seg, true)
}

// heal fills the place of the old head out of what surrounds it. Of a cut-out the background counts as the key colour,
// so that the filling decides where the figure ends.
func heal(ctx context.Context, img *image.NRGBA, req Request, seg Segmentation, cutOut bool) error {
	face := seg.Faces[0]
	d := face.Dx()
	hole := seg.OldHead.Clone()
	for i, v := range hole.Pix {
		hole.Pix[i] = 0
		if v > 3 {
			hole.Pix[i] = 255
		}
	}
	area := hole.Bounds()
	area = image.Rect(area.Min.X-d/2, area.Min.Y-d/2, area.Max.X+d/2, area.Max.Y+d).Intersect(img.Rect)
	if area.Empty() {
		return nil
	}
	// What was close to the head shows its hair; it is not copied from.
	k := math.Min(1, 480/float64(max(area.Dx(), area.Dy())))
	part := compose.Window(img, area)
	gap := mask.New(area.Dx(), area.Dy())
	for y := range gap.H {
		copy(gap.Row(y), hole.Row(area.Min.Y + y)[area.Min.X:area.Max.X])
	}
	gap = gap.Grow(math.Max(1, float64(d)/12))
	work := part
	if cutOut {
		work = keyed(part)
	}
	small, smallGap := work, gap
	if k < 1 {
		w, h := max(1, int(k*float64(area.Dx()))), max(1, int(k*float64(area.Dy())))
		small = imaging.Resize(work, w, h)
		smallGap = mask.New(w, h)
		for y := range h {
			for x := range w {
				smallGap.Set(x, y, gap.At(int((float64(x)+0.5)/k), int((float64(y)+0.5)/k)))
			}
		}
	}
	if smallGap.Full() {
		return nil
	}
	done, err := fill.Complete(ctx, small, smallGap, fill.Options{Seed: req.seed()})
	if err != nil {
		return fmt.Errorf("complete what the head covered: %w", err)
	}
	if k < 1 {
		done = imaging.Resize(done, area.Dx(), area.Dy())
	}
	soft := gap.Feather(math.Max(0.7, float64(d)/120))
	for y := range area.Dy() {
		for x := range area.Dx() {
			share := float64(soft.Pix[y*gap.W+x]) / 255
			if gap.Pix[y*gap.W+x] != 0 {
				share = 1
			}
			if share == 0 {
				continue
			}
			p := img.Pix[img.PixOffset(area.Min.X+x, area.Min.Y+y):]
			q := done.Pix[done.PixOffset(x, y):]
			if cutOut {
				c, a := unkeyed(q)
				if share < 1 {
					continue
				}
				copy(p, []uint8{c[0], c[1], c[2], a})
				continue
			}
			for n := range 3 {
				p[n] = byte255(float64(p[n]) + share*(float64(q[n])-float64(p[n])))
			}
		}
	}
	return nil
}

// keyed is a cut-out over the key colour.
func keyed(cut *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(cut)
	eachPixel(out, func(_, _ int, p []uint8) {
		a := float64(p[3]) / 255
		for k := range 3 {
			p[k] = byte255(a*float64(p[k]) + (1-a)*key[k])
		}
		p[3] = 255
	})
	return out
}

// unkeyed is the colour and cover of a pixel that was completed over the key colour.
func unkeyed(p []uint8) (c [3]uint8, alpha uint8) {
	// The more a pixel is greener than the rest of it, the more of the key is in it.
	green := float64(p[1]) - math.Max(float64(p[0]), float64(p[2]))
	share := math.Max(0, math.Min(1, (green-36)/(key[1]-key[2]-60)))
	if share >= 0.97 {
		return c, 0
	}
	for k := range 3 {
		c[k] = byte255((float64(p[k]) - share*key[k]) / (1 - share))
	}
	return c, byte255(255 * (1 - share))
}

// bareSkin is the soft cover of what is visible of the body's skin: what resembles the face's tone outside head and
// clothes.
func bareSkin(figure *image.NRGBA, seg Segmentation, tone [3]float64) mask.Plane {
	out := mask.New(figure.Rect.Dx(), figure.Rect.Dy())
	parallelRows(out.H, func(y int) {
		row := figure.Pix[figure.PixOffset(0, y):]
		for x := range out.W {
			i := y*out.W + x
			p := row[4*x : 4*x+4]
			if p[3] == 0 || seg.Mask.Pix[i] >= mask.Level {
				continue
			}
			out.Pix[i] = byte255(255 * likeSkin(compose.Lab(p[0], p[1], p[2]), tone))
		}
	})
	// Shine and shade within skin are skin; single pixels elsewhere are not.
	d := float64(seg.Faces[0].Dx())
	wide := out.Feather(math.Max(1, d/16))
	for i, v := range wide.Pix {
		at := smooth((float64(v)/255 - 0.35) / 0.3)
		if figure.Pix[4*i+3] == 0 || seg.Mask.Pix[i] >= mask.Level {
			at = 0
		}
		out.Pix[i] = byte255(255 * at)
	}
	return out.Feather(math.Max(0.8, d/70))
}

// likeSkin is how much a colour may be skin of a tone, in the sun or in the shade: 0 … 1.
func likeSkin(lab, tone [3]float64) float64 {
	// In the shade skin is as much duller as it is darker.
	share := math.Max(0.45, math.Min(1.15, lab[0]/math.Max(10, tone[0])))
	da, db := lab[1]-share*tone[1], lab[2]-share*tone[2]
	dl := (lab[0] - tone[0]) / 42
	return 1 - smooth((math.Sqrt(da*da/140+db*db/190+dl*dl)-0.8)/0.5)
}

// skin is the soft cover of the skin of a head as it is put on: what resembles its tone, and in the middle of the face
// everything that has colour, so that blush and shine are not left behind.
func (w worn) skin(tone [3]float64) mask.Plane {
	out := mask.New(w.picture.Rect.Dx(), w.picture.Rect.Dy())
	f := w.face.Sub(w.at)
	parallelRows(out.H, func(y int) {
		for x := range out.W {
			i := y*out.W + x
			p := w.picture.Pix[4*i : 4*i+4]
			if p[3] == 0 {
				continue
			}
			lab := compose.Lab(p[0], p[1], p[2])
			like := likeSkin(lab, tone)
			if r := reachOf(x-f.Min.X, y-f.Min.Y, f.Dx(), f.Dy()); r < 1 && lab[0] > 0.5*tone[0] {
				hue := smooth((math.Hypot(lab[1], lab[2]) - 6) / 8)
				like = math.Max(like, hue*(1-smooth((r-0.75)/0.25)))
			}
			out.Pix[i] = byte255(255 * like)
		}
	})
	return out.Feather(math.Max(0.8, float64(f.Dx())/70))
}

// neck paints a neck where the old head left a gap between chin and collar, in the chin's shade: from the middle of the
// new face to where the body's own neck begins. tones are those of the old skin and the new.
func neck(img *image.NRGBA, src *image.NRGBA, seg Segmentation, face image.Rectangle, tones [2][3]float64) {
	tone := tones[1]
	d := float64(face.Dx())
	middle := float64(face.Min.X+face.Max.X) / 2
	top, low := float64(face.Min.Y)+0.66*d, float64(face.Max.Y)+0.5*d
	foot := float64(seg.Faces[0].Min.X+seg.Faces[0].Max.X)/2 + seg.footOfNeck(src, tones[0])
	area := image.Rect(int(math.Min(middle, foot)-0.3*d), int(top), int(math.Max(middle, foot)+0.3*d), int(low)).Intersect(img.Rect)
	if area.Empty() {
		return
	}
	across := func(x, y int) float64 {
		t := smooth((float64(y) - float64(face.Min.Y) - 0.85*d) / (0.4 * d))
		return (float64(x) + 0.5 - middle*(1-t) - foot*t) / (0.2 * d)
	}
	cover := mask.New(area.Dx(), area.Dy())
	for y := range cover.H {
		for x := range cover.W {
			if math.Abs(across(area.Min.X+x, area.Min.Y+y)) < 1 && seg.OldHead.At(area.Min.X+x, area.Min.Y+y) > 8 {
				cover.Set(x, y, 255)
			}
		}
	}
	cover = cover.Feather(math.Max(0.8, d/40))
	for y := range cover.H {
		// Just below the chin it is darkest.
		below := (float64(area.Min.Y+y) - float64(face.Min.Y) - 0.95*d) / (0.3 * d)
		shade := 0.80 + 0.16*smooth(below)
		for x := range cover.W {
			a := cover.At(x, y)
			if a == 0 {
				continue
			}
			u := math.Min(1, math.Abs(across(area.Min.X+x, area.Min.Y+y)))
			r, g, b := compose.RGB([3]float64{tone[0] * shade * (1 - 0.16*u*u), tone[1], tone[2]})
			p := img.Pix[img.PixOffset(area.Min.X+x, area.Min.Y+y):][:4:4]
			blot(p, [4]uint8{r, g, b, a})
		}
	}
}

// footOfNeck is how far right of the middle of the old face the neck meets the body: by the skin of a tone that shows
// below the chin, else by the middle of the shoulders.
func (s Segmentation) footOfNeck(src *image.NRGBA, tone [3]float64) float64 {
	face := s.Faces[0]
	d := face.Dx()
	middle := (face.Min.X + face.Max.X) / 2
	area := image.Rect(middle-d*6/10, face.Max.Y+d/12, middle+d*6/10, face.Max.Y+d*4/10).Intersect(src.Rect)
	var sum, n float64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if s.Subject.At(x, y) < mask.Level {
				continue
			}
			p := src.Pix[src.PixOffset(x, y):]
			like := likeSkin(compose.Lab(p[0], p[1], p[2]), tone)
			sum += like * float64(x-middle)
			n += like
		}
	}
	if n < 0.05*float64(area.Dx()*area.Dy()) {
		at := middleOf(s.Subject, face.Max.Y+d*45/100, face.Max.Y+d*8/10, float64(middle), 1.2*float64(d))
		return math.Max(-0.4, math.Min(0.4, 0.8*(at-float64(middle))/float64(d))) * float64(d)
	}
	return math.Max(-0.3, math.Min(0.3, sum/n/float64(d))) * float64(d)
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
