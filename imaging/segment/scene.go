package segment

import (
	"context"
	"image"

	"atelier/imaging/mask"
)

// scene is a picture being worked on: the coarse copy, and the people in it.
type scene struct {
	img         *image.NRGBA
	opt         Options
	transparent bool // the picture brings its own alpha
	cut         *cutter
	sharp       *canvas // see fine
	looked      look
	people      []person
	zoom        float64 // picture pixels per coarse pixel
}

// finding is an answer on the coarse canvas.
type finding struct {
	labels     []uint8
	models     models
	prior      []float32 // what is known about each pixel besides its colour
	chance     []float32 // where a subject was expected; nil when strokes tell
	opinion    opinion   // what the forests say of each pixel, when people are seen
	part       bool      // a region within the subject
	others     []uint8   // people that the subject is not; nil when there are none
	confidence float64
	note       string
}

// sceneOf makes the copies of a picture.
func sceneOf(img *image.NRGBA, opt Options) (*scene, error) {
	b := img.Bounds()
	if b.Empty() {
		return nil, errEmpty
	}
	s := &scene{img: img, opt: opt.WithDefaults(), transparent: hasAlpha(img)}
	c := reduce(img, s.opt.Coarse)
	s.zoom = float64(b.Dx()) / float64(c.w)
	s.cut = newCutter(c)
	return s, nil
}

// newScene looks for people in a picture.
func newScene(ctx context.Context, img *image.NRGBA, opt Options) (*scene, error) {
	s, err := sceneOf(img, opt)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.looked = s.look()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.people = s.findPeople(s.looked)
	return s, ctx.Err()
}

// fine is the copy on which edges are found and that the networks look at.
func (s *scene) fine() *canvas {
	if s.sharp == nil {
		s.sharp = reduce(s.img, s.opt.Fine)
	}
	return s.sharp
}

// faces are those shown, the largest first.
func (s *scene) faces() []face {
	var out []face
	for _, p := range s.people {
		if p.shown {
			out = append(out, p.face)
		}
	}
	return out
}

// hasAlpha tells whether the picture is already cut out: more than one pixel in 200 is see-through.
func hasAlpha(img *image.NRGBA) bool {
	b := img.Bounds()
	n := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := img.Pix[img.PixOffset(b.Min.X, y):][:4*b.Dx()]
		for i := 3; i < len(row); i += 4 {
			if row[i] < 128 {
				n++
			}
		}
	}
	return n*200 > b.Dx()*b.Dy()
}

func (s *scene) fromAlpha() Result {
	b := s.img.Bounds()
	r := Result{Mask: mask.New(b.Dx(), b.Dy()), Matte: mask.New(b.Dx(), b.Dy()), Confidence: 1, Faces: s.rects()}
	kept := 0
	for y := range b.Dy() {
		row := s.img.Pix[s.img.PixOffset(b.Min.X, b.Min.Y+y):]
		for x := range b.Dx() {
			a := row[4*x+3]
			r.Matte.Pix[y*b.Dx()+x] = a
			if a >= mask.Level {
				r.Mask.Pix[y*b.Dx()+x] = 255
				kept++
			}
		}
	}
	if kept == 0 {
		r.Confidence, r.Note = 0, saidTransparent
	}
	return r
}

func (s *scene) rects() []Rect {
	var out []Rect
	for _, f := range s.faces() {
		out = append(out, f.rect(s.zoom, s.img.Bounds()))
	}
	return out
}

// finish takes a finding to full size: the edge is cut again in a band on a finer copy, then solved as a matte.
func (s *scene) finish(ctx context.Context, f finding) (Result, error) {
	b := s.img.Bounds()
	r := Result{Confidence: f.confidence, Faces: s.rects(), Note: f.note}
	if f.others != nil {
		r.Others = plane(resize(f.others, s.cut.w, s.cut.h, b.Dx(), b.Dy()), b.Dx(), b.Dy())
	}
	c, labels, err := s.sharpen(ctx, f)
	if err != nil {
		return Result{}, err
	}
	if s.opt.Hard {
		r.Mask = plane(resize(labels, c.w, c.h, b.Dx(), b.Dy()), b.Dx(), b.Dy())
		r.Matte = r.Mask.Clone()
		return r, nil
	}
	heads := s.heads(c)
	solid := heads
	if f.part {
		solid = nil // a face may go on beyond the edge of a part, as a neck does
	}
	alpha, err := soften(ctx, c, labels, heads, solid, true)
	if err != nil {
		return Result{}, err
	}
	r.Matte = enlarge(s.img, c, alpha)
	r.Mask = harden(r.Matte, c, alpha)
	return r, nil
}

// heads are the faces on another canvas.
func (s *scene) heads(c *canvas) []face {
	var out []face
	for _, f := range s.faces() {
		out = append(out, f.scaled(float64(c.w)/float64(s.cut.w)))
	}
	return out
}

// harden is the matte as a hard mask, without the specks that single hairs leave: islands below a fiftieth of the largest piece of the
// alpha on the canvas.
func harden(matte mask.Plane, c *canvas, alpha []float32) mask.Plane {
	labels := make([]uint8, len(alpha))
	for i, a := range alpha {
		if a >= 0.5 {
			labels[i] = 1
		}
	}
	whole := append([]uint8(nil), labels...)
	tidy(whole, c.w, c.h, 0.02, 0, nil)
	out := mask.New(matte.W, matte.H)
	for y := range matte.H {
		row := (y * c.h / matte.H) * c.w
		for x, v := range matte.Row(y) {
			i := row + x*c.w/matte.W
			if v >= mask.Level && labels[i] == whole[i] {
				out.Pix[y*matte.W+x] = 255
			}
		}
	}
	out.Clean(matte.W * matte.H / 10000)
	return out
}

// sharpen decides the pixels along the finding's edge again on a finer copy.
func (s *scene) sharpen(ctx context.Context, f finding) (*canvas, []uint8, error) {
	if max(s.img.Bounds().Dx(), s.img.Bounds().Dy()) <= s.opt.Coarse {
		return s.cut.canvas, f.labels, nil
	}
	if f.part {
		f.models = s.around(f.labels)
	}
	fine := s.fine()
	k := newCutter(fine)
	labels := resize(f.labels, s.cut.w, s.cut.h, k.w, k.h)
	open := band(labels, k.w, k.h, 2.5*float32(k.w)/float32(s.cut.w))
	prior := make([]float32, len(labels))
	if !f.part && f.prior != nil {
		prior = scaleField(f.prior, s.cut.w, s.cut.h, k.w, k.h)
	}
	score := k.score(f.models, prior)
	for i, v := range score {
		// The coarse cut smooths over gaps between limbs; here they are wide enough to be seen.
		if labels[i] == 1 && v < -9 {
			open[i] = 2
		}
	}
	labels, err := k.cut(ctx, score, open)
	if err != nil {
		return nil, nil, err
	}
	mend := func(piece) bool { return false }
	if !f.part && f.chance != nil {
		chance := scaleField(f.chance, s.cut.w, s.cut.h, k.w, k.h)
		mend = func(p piece) bool { return mended(p, score, chance) }
	}
	tidy(labels, k.w, k.h, 0.02, k.w*k.h/2500, mend)
	return fine, labels, nil
}

// around learns what a part looks like against its surroundings.
func (s *scene) around(labels []uint8) models {
	ring := dilate(labels, s.cut.w, s.cut.h, float32(max(s.cut.w, s.cut.h))/25)
	return s.cut.learn(
		func(i int) float64 { return float64(labels[i]) },
		func(i int) float64 { return float64(ring[i] &^ labels[i]) },
	)
}
