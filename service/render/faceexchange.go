package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/service/presets"
)

// Model is what a portrait of a fashion model gives to the person of another picture: the face, and the colours of skin
// and hair. How the hair is cut stays with the person.
type Model struct {
	Picture *image.NRGBA    // the portrait
	Face    image.Rectangle // in Picture
	at      features
	skin    [3]float64    // Lab tone of the face
	hair    compose.Stats // of the hair; no weight without any
}

// headSide is the long side in pixels of the portrait that a face is taken from, by the usual engine.
const headSide = 1000

// modelOf reads the portrait of a fashion model, who it is when it is one of ours; nil when no face can be found in it.
func modelOf(ctx context.Context, portrait *image.NRGBA, who *presets.FashionModel, e engine) (*Model, error) {
	portrait = atMost(portrait, e.head)
	r, err := analysis.Region(ctx, portrait, segment.InverseHuman, e.segmentation())
	if err != nil {
		return nil, fmt.Errorf("find the model's head: %w", err)
	}
	if len(r.Faces) == 0 {
		return nil, nil //nolint:nilnil // a portrait without a face is an ordinary case
	}
	face := r.Faces[0]
	matte := ofFace(r.Matte, face)
	if b := matte.Bounds(); b.Empty() || !face.Overlaps(b) {
		return nil, nil //nolint:nilnil // see above
	}
	m := &Model{Picture: portrait, Face: face, at: featuresOf(portrait, face), skin: skinTone(portrait, face)}
	if who != nil {
		left, right, mouth := presets.FeaturesAt(portrait.Rect.Dx(), portrait.Rect.Dy())
		m.at = features{spot{left[0], left[1]}, spot{right[0], right[1]}, spot{mouth[0], mouth[1]}}
		c := who.Hair()
		m.hair = compose.Stats{Mean: compose.Lab(c.R, c.G, c.B), Std: [3]float64{9, 3, 4}, Weight: 1}
		return m, nil
	}
	h := headIn(portrait, Segmentation{Mask: matte, Matte: matte, Subject: matte, Faces: []image.Rectangle{face}})
	if _, ok := hairOn(portrait, h, m.at); ok {
		sure := h.hair.Clone()
		sure.Threshold(200)
		m.hair = compose.Measure(portrait, &sure)
	}
	return m, nil
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

// mirrored is the model seen in a mirror: another parting of the face, and light from the other side.
func (m *Model) mirrored() *Model {
	out := *m
	out.Picture = imaging.Clone(m.Picture)
	compose.Flip(out.Picture)
	w := m.Picture.Rect.Dx()
	out.Face.Min.X, out.Face.Max.X = w-m.Face.Max.X, w-m.Face.Min.X
	flip := func(s spot) spot { return spot{float64(w) - s.x, s.y} }
	out.at = features{left: flip(m.at.right), right: flip(m.at.left), mouth: flip(m.at.mouth)}
	return &out
}

// model is whose face an item shows; nil when it stays as it is. Items that share one show it as it is and mirrored.
func (s Segmentation) model(item int) *Model {
	if len(s.Models) == 0 || len(s.Faces) == 0 || s.Head.W == 0 {
		return nil
	}
	m := s.Models[item%len(s.Models)]
	if item/len(s.Models)%2 == 1 {
		m = m.mirrored()
	}
	return m
}

// likeModel is how much the face of an item is the model's rather than the person's: drawn faces leave more of the skin of a
// photograph. Items that share a model differ in it.
func (r Request) likeModel() float64 {
	share := 0.88
	if r.Who != nil || r.portrait() == nil {
		share = 0.77
	}
	if r.portrait() != nil { // two items, one of them mirrored, share each step; a run has 16 at most
		share *= [8]float64{1, 0.7, 0.85, 0.55, 0.93, 0.62, 0.77, 0.47}[r.Item/2%8]
	}
	return share
}

// findHead finds the head of the original whose face changes, and makes it part of the person even where the search for
// the whole of them missed hair.
func (s *Segmentation) findHead(ctx context.Context, req Request, maskType string) error {
	if maskType == maskHuman {
		s.Head = ofFace(outside(s.Matte), s.Faces[0])
		s.openHead()
		return nil
	}
	r, err := analysis.Region(ctx, req.Source(), segment.InverseHuman, req.engine().segmentation())
	if err != nil {
		return fmt.Errorf("find the head: %w", err)
	}
	s.Head = s.ofPerson(req.Source(), ofFace(r.Matte, s.Faces[0]))
	// Nothing shows through a face, whatever lies before it.
	at := featuresOf(req.Source(), s.Faces[0])
	for i, v := range s.Head.Pix {
		r := ovalReach(at.below(spot{float64(i % s.Head.W), float64(i / s.Head.W)}))
		s.Head.Pix[i] = max(v, byte255(255*smooth((0.95-r)/0.15)))
	}
	s.Subject = s.Subject.Clone()
	for i, v := range s.Head.Pix {
		s.Subject.Pix[i] = max(s.Subject.Pix[i], v)
	}
	s.include(req.Source(), s.Head)
	return nil
}

// ofPerson is the matte of a head without what only the search for heads took for it and what has, there, rather the colours of what
// lies behind than those of the head: hair that the other search missed stays.
func (s *Segmentation) ofPerson(src *image.NRGBA, head mask.Plane) mask.Plane {
	behind, both, alone := mask.New(head.W, head.H), mask.New(head.W, head.H), false
	for i, v := range head.Pix {
		a := s.Foreground.Pix[4*i+3]
		behind.Pix[i], both.Pix[i] = 255-max(v, a), min(v, a)
		alone = alone || v > a
	}
	if !alone {
		return head
	}
	d, none := float64(s.Faces[0].Dx()), image.NewNRGBA(src.Rect)
	back, front := lightBetween(src, none, behind.Shrink(d/40), d/3), lightBetween(src, none, both.Shrink(d/40), d/3)
	out := head.Clone()
	parallelRows(head.H, func(y int) {
		for x := range head.W {
			i := y*head.W + x
			a := s.Foreground.Pix[4*i+3]
			if head.Pix[i] <= a {
				continue
			}
			p := src.Pix[src.PixOffset(src.Rect.Min.X+x, src.Rect.Min.Y+y):]
			lab := compose.Lab(p[0], p[1], p[2])
			b, f := apartFrom(lab, back.at(x, y)), apartFrom(lab, front.at(x, y))
			own := smooth((b/math.Max(1, b+f) - 0.25) / 0.2) // all of it where both are as near
			out.Pix[i] = byte255(float64(a) + own*float64(head.Pix[i]-a))
		}
	})
	return out
}

// apartFrom is how far a Lab colour lies from one of three channels.
func apartFrom(lab, rgb [3]float64) float64 {
	other := compose.Lab(byte255(rgb[0]), byte255(rgb[1]), byte255(rgb[2]))
	return math.Hypot(math.Hypot(lab[0]-other[0], lab[1]-other[1]), lab[2]-other[2])
}

// openHead takes the head and a rim around it out of what is protected, so that soft hair changes as a whole.
func (s *Segmentation) openHead() {
	d := float64(s.Faces[0].Dx())
	open := s.Head.Clone()
	open.Threshold(4)
	open = open.Grow(math.Max(1, d/12)).Feather(math.Max(0.8, d/90))
	s.Mask, s.Matte = s.Mask.Clone(), s.Matte.Clone()
	for i, v := range open.Pix {
		s.Matte.Pix[i] = min(s.Matte.Pix[i], 255-v)
		if v >= mask.Level {
			s.Mask.Pix[i] = 0
		}
	}
}

// exchange gives the person of img, the original or a cut-out of its size, the face and the colours of the item's model, in
// place. What is protected is not looked after here. The skin takes the model's tone; with keepSkin, where the body may
// not change, the model's face takes the body's.
func exchange(ctx context.Context, img *image.NRGBA, req Request, seg Segmentation, keepSkin bool) error {
	m := seg.model(req.Item)
	if m == nil {
		return ctx.Err()
	}
	to := likeness{img: imaging.Flatten(imaging.Clone(req.Source()), 255, 255, 255), face: seg.Faces[0]}
	if !keepSkin {
		// The colours of a cut-out are free of what was behind it, and go on beyond its edge.
		for i := range len(img.Pix) / 4 {
			copy(to.img.Pix[4*i:4*i+3], img.Pix[4*i:])
		}
	}
	to.at = featuresOf(to.img, to.face)
	from := likeness{img: m.Picture, face: m.Face, at: m.at}
	only := seg
	only.Matte, only.Mask = seg.Head, seg.Head
	h, tone := headIn(to.img, only), skinTone(to.img, to.face)
	lock, hairy := hairOn(req.Source(), h, to.at)
	freed := mask.New(h.hair.W, h.hair.H)
	if hairy {
		freed = to.notHair(h, lock, tone)
		hat := to.hat(h)
		for i, v := range freed.Pix {
			h.hair.Pix[i] = min(h.hair.Pix[i], 255-max(v, hat.Pix[i]))
		}
	}
	if keepSkin {
		from.img = imaging.Clone(from.img)
		compose.Retone(from.img, m.skin, tone, compose.Matte(from.img))
	} else {
		skin := bareSkin(img, seg, tone)
		for i, v := range visibleSkin(to.img, only, h, tone).Pix {
			found := max(min(skin.Pix[i], 255-h.hair.Pix[i]), v)
			skin.Pix[i] = found + min(255-found, freed.Pix[i])
		}
		compose.Retone(to.img, tone, m.skin, skin)
	}
	share := req.likeModel()
	to.img = to.met(from, share, smooth(share/0.85), only)
	if hairy && m.hair.Weight > 0 {
		// Gaps between its locks are hair, spots away from it are not.
		d := math.Max(1, to.at.span()/7)
		h.hair = h.hair.Grow(d).Shrink(2 * d).Grow(d + math.Max(1, to.at.span()/20))
		large := h.hair.Clone()
		large.Threshold(mask.Level)
		large.Clean(int(to.at.span() * to.at.span()))
		large = large.Grow(1)
		for i, v := range large.Pix {
			h.hair.Pix[i] = min(h.hair.Pix[i], v)
		}
		bare, src := skinTone(to.img, to.face), req.Source()
		for i, v := range h.hair.Pix {
			if v == 0 {
				continue
			}
			p := to.at.below(spot{float64(i % h.hair.W), float64(i / h.hair.W)})
			r, c := ovalReach(p), to.img.Pix[4*i:]
			lab := compose.Lab(c[0], c[1], c[2])
			toSkin, toLock := math.Abs(lab[0]-bare[0]), math.Abs(lab[0]-lock[0])
			switch {
			case p.y > -0.3: // beside the cheeks and below them it may as well be shade
				q := src.Pix[src.PixOffset(src.Rect.Min.X+i%h.hair.W, src.Rect.Min.Y+i/h.hair.W):]
				was := compose.Lab(q[0], q[1], q[2])
				rather := smooth((rayDistance(was, tone) - rayDistance(was, lock) - 2) / 5)
				neck := smooth((1-math.Abs(p.x))/0.3) * smooth((p.y-1.2)/0.4)
				doubt := math.Max(neck, 1-smooth((r-1)/0.2))
				h.hair.Pix[i] = byte255(float64(v) * smooth((r-0.82)/0.14) * (1 - doubt*(1-rather)))
			case r < 1.05 && toSkin < toLock: // the forehead
				h.hair.Pix[i] = 0
			case r < 1.4 && math.Abs(bare[0]-lock[0]) > toldApart && toSkin < 0.6*toLock: // the temples
				h.hair.Pix[i] = 0
			}
		}
		h.hair = h.hair.Feather(math.Max(0.7, to.at.span()/40))
		dye(to.img, fading(h.hair, seg.Mask, to.at.span()), to.at.span(), m.hair, tone)
	}
	for i := range len(img.Pix) / 4 {
		copy(img.Pix[4*i:4*i+3], to.img.Pix[4*i:])
	}
	return ctx.Err()
}

// rayDistance is how far a Lab colour lies from those that a colour takes in light and shade: more or less of all of it.
func rayDistance(lab, of [3]float64) float64 {
	along := (lab[0]*of[0] + lab[1]*of[1] + lab[2]*of[2]) / math.Max(1, of[0]*of[0]+of[1]*of[1]+of[2]*of[2])
	along = math.Max(0.4, math.Min(1.2, along))
	return math.Hypot(math.Hypot(lab[0]-along*of[0], lab[1]-along*of[1]), lab[2]-along*of[2])
}

// toldApart is from how many Lab steps of lightness on hair and skin are told apart by it alone.
const toldApart = 25

// notHair is what was taken for hair and is skin: beside a face that lies in the shade what is lighter by far than hair, lock, and
// tone, in the sun, and on the forehead what is nearer to the tone than to the hair.
func (l likeness) notHair(h head, lock, tone [3]float64) mask.Plane {
	const hair, face = 38, 14 // Lab steps of lightness
	out := mask.New(h.hair.W, h.hair.H)
	for i, v := range h.hair.Pix {
		if v == 0 {
			continue
		}
		at := l.at.below(spot{float64(i % out.W), float64(i / out.W)})
		p, r := l.img.Pix[4*i:], ovalReach(at)
		lab := compose.Lab(p[0], p[1], p[2])
		own := 0.0
		switch {
		case at.y < -0.3 && r < 1.35 && tone[0]-lock[0] > toldApart:
			own = smooth((lab[0]-(lock[0]+tone[0])/2)/10) * (1 - smooth((r-1.05)/0.3))
		case at.y > -0.8 && r < 1.6:
			own = smooth((lab[0]-lock[0]-hair)/8) * smooth((lab[0]-tone[0]-face)/6) * smooth((lab[2]+2)/4)
		}
		out.Pix[i] = byte255(own * float64(v))
	}
	return out.Feather(math.Max(0.7, l.at.span()/40))
}

// hat is what was taken for hair and is worn over it: a large part above the eyes that is far lighter or darker than the hair next to the
// face. One that hides all of the hair there is not told from it.
func (l likeness) hat(h head) mask.Plane {
	const apart = 36 // Lab steps of lightness
	out := mask.New(h.hair.W, h.hair.H)
	s := l.at.span()
	light := func(i int) float64 { return compose.Lab(l.img.Pix[4*i], l.img.Pix[4*i+1], l.img.Pix[4*i+2])[0] }
	place := func(i int) spot { return l.at.below(spot{float64(i % out.W), float64(i / out.W)}) }
	var next []float64
	for i, v := range h.hair.Pix {
		if p := place(i); v > 200 && p.y < -0.6 && ovalReach(p) < 1.25 {
			next = append(next, light(i))
		}
	}
	if float64(len(next)) < 0.1*s*s {
		return out
	}
	slices.Sort(next)
	own := next[len(next)/2]
	for i, v := range h.hair.Pix {
		if v > 0 && place(i).y < -0.1 && math.Abs(light(i)-own) > apart {
			out.Pix[i] = 255
		}
	}
	// Lights on hair, and the wall that shows beside it, are no thicker than a lock.
	thick := out.Shrink(s / 5)
	thick.Clean(int(0.1 * s * s))
	for i, v := range thick.Grow(s / 4).Pix {
		out.Pix[i] = min(out.Pix[i], v)
	}
	return out.Grow(s / 14).Feather(math.Max(0.7, s/40))
}

// grown is hair of the colour nearest to like's that hair of a colour can be given and still look grown: it can be made much
// darker, but hardly lighter, and where its outline was not found its own colour goes on beside it.
func grown(like compose.Stats, own [3]float64) compose.Stats {
	const darker, lighter, tint = 30, 6, 8
	like.Mean[0] = math.Max(own[0]-darker, math.Min(own[0]+lighter, like.Mean[0]))
	for k := 1; k < 3; k++ {
		like.Mean[k] = math.Max(own[k]-tint, math.Min(own[k]+tint, like.Mean[k]))
	}
	return like
}

// dye gives hair the colours that other hair has, as far as it could have grown so, in place: as much of a pixel as is hair, told by its lightness between
// that of the hair and what lies beside it, skin of a tone or a wall. span is that between the eyes in pixels.
func dye(img *image.NRGBA, hair mask.Plane, span float64, like compose.Stats, tone [3]float64) {
	sure := hair.Clone()
	sure.Threshold(200)
	from := compose.Measure(img, &sure)
	like = grown(like, from.Mean)
	deep := math.Max(4, from.Std[0])
	gain := math.Max(0.6, math.Min(2.2, math.Max(8, like.Std[0])/deep))
	own := 1.5 * deep                                 // how far hair itself goes from its mean
	inner := hair.Shrink(span / 6).Feather(span / 14) // all of it is hair, with its lights
	beyond := math.Max(own+12, math.Abs(tone[0]-from.Mean[0])-3)
	eachPixel(img, func(x, y int, p []uint8) {
		cover := float64(hair.Pix[y*hair.W+x]) / 255
		if cover == 0 {
			return
		}
		lab := compose.Lab(p[0], p[1], p[2])
		off := lab[0] - from.Mean[0]
		away := off
		if tone[0] < from.Mean[0] {
			away = -off
		}
		share := smooth(cover/0.4) * math.Max(0, math.Min(1, 1-(away-own)/(beyond-own)))
		share = math.Max(share, float64(inner.Pix[y*hair.W+x])/255)
		off = math.Max(-2*deep, math.Min(2*deep, off))
		lab[0] += share * (like.Mean[0] - from.Mean[0] + (gain-1)*off)
		for k := 1; k < 3; k++ {
			lab[k] += share * (like.Mean[k] - from.Mean[k] - 0.5*(lab[k]-from.Mean[k]))
		}
		p[0], p[1], p[2] = compose.RGB(lab)
	})
}

// fading is hair that goes over, softly, into what of it is protected and keeps its colour; s is a span between eyes in pixels.
func fading(hair, protected mask.Plane, s float64) mask.Plane {
	held := hair.Clone()
	for i, v := range protected.Pix {
		held.Pix[i] = min(held.Pix[i], v)
	}
	held.Threshold(mask.Level)
	if held.Empty() {
		return hair
	}
	out := hair.Clone()
	for i, v := range held.Feather(1.2 * s).Pix {
		out.Pix[i] = byte255(float64(hair.Pix[i]) * smooth(1-2*float64(v)/255))
	}
	return out
}
