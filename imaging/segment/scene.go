package segment

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/mask"
	"atelier/imaging/net"
)

// Scene remembers what was found in one picture, so that a further question about it costs its own answer only. It
// keeps nothing of the picture's size: every method takes the picture again. It is safe for concurrent use; questions
// are answered one after another.
type Scene struct {
	turn chan struct{} // holds a value while a question is answered
	scene
}

// NewScene returns a scene that nothing is known about yet.
func NewScene(opt Options) *Scene {
	return &Scene{turn: make(chan struct{}, 1), scene: scene{opt: opt.WithDefaults()}}
}

// bytesPerPixel is about what a scene keeps of a pixel of its coarse copy: colours, edges, what the networks saw, and
// the finding with the logits of every class.
const bytesPerPixel = 140

// Bytes returns about how much memory a scene takes at most.
func (s *Scene) Bytes() int { return bytesPerPixel * s.opt.Coarse * s.opt.Coarse }

// Region is Region of the scene's picture.
func (s *Scene) Region(ctx context.Context, img *image.NRGBA, kind Kind) (r Result, err error) {
	switch kind {
	case WholeSubject, Apparel, UpperApparel, LowerApparel, Human, InverseHuman:
	default:
		return Result{}, fmt.Errorf("find the region: unknown mask type %q", kind)
	}
	err = s.answer(ctx, img, func() error {
		r, err = s.region(ctx, kind)
		return err
	})
	return r, err
}

// Clothes finds what the people of the scene's picture wear. Found is false without a person to divide.
func (s *Scene) Clothes(ctx context.Context, img *image.NRGBA) (c Clothes, err error) {
	err = s.answer(ctx, img, func() error {
		c, err = s.clothes(ctx)
		return err
	})
	return c, err
}

// Faces finds the faces of the scene's picture, the largest first: those that Region works with.
func (s *Scene) Faces(ctx context.Context, img *image.NRGBA) (out []Rect, err error) {
	err = s.answer(ctx, img, func() error {
		if err := s.meet(ctx); err != nil {
			return err
		}
		out = s.rects(s.people)
		return nil
	})
	return out, err
}

// Heads finds where the heads of the scene's people are: their faces, largest first, or where the joints put the face
// of a person that shows none.
func (s *Scene) Heads(ctx context.Context, img *image.NRGBA) (out []Rect, err error) {
	err = s.answer(ctx, img, func() error {
		if err := s.meet(ctx); err != nil {
			return err
		}
		for _, p := range s.people {
			if p.shown || p.joints.Presence >= presentFrom {
				out = append(out, p.face.rect(s.zoom, img.Bounds()))
			}
		}
		return nil
	})
	return out, err
}

// Bodies finds the joints of the scene's people, in pixels of the picture: of whoever shows a face, the largest first,
// or else of the only person seen.
func (s *Scene) Bodies(ctx context.Context, img *image.NRGBA) (out []net.Joints, err error) {
	// A close-up shows no body: the network puts shoulders and hips into its face then.
	const shortest = 0.7 // of a face, for a trunk
	err = s.answer(ctx, img, func() error {
		if err := s.meet(ctx); err != nil {
			return err
		}
		if err := s.findBodies(ctx); err != nil {
			return err
		}
		for _, p := range s.people {
			if p.joints.Presence < presentFrom || p.shown && p.trunk < shortest*p.face.size {
				continue
			}
			for i, j := range p.joints.At {
				p.joints.At[i].X, p.joints.At[i].Y = j.X*s.zoom, j.Y*s.zoom
			}
			out = append(out, p.joints)
		}
		return nil
	})
	return out, err
}

// answer works out an answer when it is its turn, and drops what is only needed meanwhile.
func (s *Scene) answer(ctx context.Context, img *image.NRGBA, work func() error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		s.img, s.view = nil, nil
		if s.cut != nil {
			s.cut.grid = nil
		}
		<-s.turn
	}()
	if err := s.open(img); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return work()
}

// scene is a picture being worked on: the coarse copy, and what was found in it so far.
type scene struct {
	img         *image.NRGBA
	opt         Options
	transparent bool // the picture brings its own alpha
	cut         *cutter
	view        *canvas // see picture
	met         bool    // the networks have looked
	looked      look
	people      []person
	whole       *finding // see subject
	divided     *parts   // see parts
	zoom        float64  // picture pixels per coarse pixel
}

// finding is an answer on the coarse canvas.
type finding struct {
	labels     []uint8
	models     models    // of a thing
	prior      []float32 // what is known about each pixel of a thing besides its colour
	evidence   []float32 // the logit of each pixel's being a part of the subject; nil when no people are seen
	part       bool      // a region within the subject
	faint      bool      // whose edge may be fainter than those around it
	people     []person  // who is in it
	others     []uint8   // people that the subject is not; nil when there are none
	confidence float64
	note       string
}

// sceneOf is the scene of a picture at the usual options.
func sceneOf(img *image.NRGBA) (*scene, error) {
	s := &scene{opt: Options{}.WithDefaults()}
	return s, s.open(img)
}

// open takes the picture, and makes the coarse copy of it when there is none yet.
func (s *scene) open(img *image.NRGBA) error {
	b := img.Bounds()
	if b.Empty() {
		return errEmpty
	}
	s.img = img
	if s.cut == nil {
		c := reduce(img, s.opt.Coarse)
		s.zoom, s.transparent = float64(b.Dx())/float64(c.w), hasAlpha(img)
		s.cut = newCutter(c)
	}
	return nil
}

// meet lets the networks look for people, once.
func (s *scene) meet(ctx context.Context) error {
	if s.met {
		return nil
	}
	s.looked = s.look()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.people, s.met = s.findPeople(s.looked), true
	return ctx.Err()
}

// faces are those that people show, the largest first.
func faces(people []person) []face {
	var out []face
	for _, p := range people {
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

// fromAlpha is the subject of a picture that is cut out already.
func (s *scene) fromAlpha(ctx context.Context) (Result, error) {
	if err := s.meet(ctx); err != nil {
		return Result{}, err
	}
	b := s.img.Bounds()
	r := Result{Mask: mask.New(b.Dx(), b.Dy()), Matte: mask.New(b.Dx(), b.Dy()), Confidence: 1, Faces: s.rects(s.people)}
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
	return r, nil
}

// rects are the faces of people, in picture pixels.
func (s *scene) rects(people []person) []Rect {
	var out []Rect
	for _, f := range faces(people) {
		out = append(out, f.rect(s.zoom, s.img.Bounds()))
	}
	return out
}

// finish takes a finding to full size: the edge settles where the colours of a finer copy put it, and is solved as a
// matte.
func (s *scene) finish(ctx context.Context, f finding) (Result, error) {
	b := s.img.Bounds()
	r := Result{Confidence: f.confidence, Faces: s.rects(f.people), Note: f.note}
	if f.others != nil {
		r.Others = plane(resize(f.others, s.cut.w, s.cut.h, b.Dx(), b.Dy()), b.Dx(), b.Dy())
	}
	c := reduce(s.img, s.opt.Fine)
	labels := resize(f.labels, s.cut.w, s.cut.h, c.w, c.h)
	if f.faint && c.w > s.cut.w {
		var err error
		if labels, err = s.cutAgain(ctx, f.labels, c, labels); err != nil {
			return Result{}, err
		}
	}
	if s.opt.Hard {
		r.Mask = plane(resize(labels, c.w, c.h, b.Dx(), b.Dy()), b.Dx(), b.Dy())
		r.Matte = r.Mask.Clone()
		return r, nil
	}
	heads := s.heads(c, f.people)
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

// heads are the faces of people on another canvas.
func (s *scene) heads(c *canvas, people []person) []face {
	var out []face
	for _, f := range faces(people) {
		out = append(out, f.scaled(float64(c.w)/float64(s.cut.w)))
	}
	return out
}

// harden is the matte as a hard mask, without the specks that single hairs leave: islands below a fiftieth of the
// largest piece of the alpha on the canvas.
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

// cutAgain decides the pixels along the edge of a part again on a finer canvas, by what it and its surroundings look
// like: a waist or a collar is often fainter than the edge settles by.
func (s *scene) cutAgain(ctx context.Context, part []uint8, c *canvas, labels []uint8) ([]uint8, error) {
	const open = 2.5 // pixels of the coarse canvas to each side
	ring := dilate(part, s.cut.w, s.cut.h, float32(max(s.cut.w, s.cut.h))/25)
	looks := s.cut.learn(
		func(i int) float64 { return float64(part[i]) },
		func(i int) float64 { return float64(ring[i] &^ part[i]) },
	)
	k := newCutter(c)
	score := k.score(looks, make([]float32, len(labels)))
	labels, err := k.cut(ctx, score, band(labels, k.w, k.h, open*float32(k.w)/float32(s.cut.w)))
	if err == nil {
		tidy(labels, k.w, k.h, 0.02, k.w*k.h/2500, nil)
	}
	return labels, err
}
