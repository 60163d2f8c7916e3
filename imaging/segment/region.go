package segment

import (
	"context"
	"fmt"
	"image"
)

// Region finds the protected region of an automatic mask type. Heads and clothes are found from the faces; without one, the place of
// the head is guessed from a tall outline, with low confidence and a note. Errors: an unknown kind, a picture without pixels, the
// context's.
func Region(ctx context.Context, img *image.NRGBA, kind Kind, opt Options) (Result, error) {
	switch kind {
	case WholeSubject:
		return Subject(ctx, img, opt)
	case Apparel, UpperApparel, LowerApparel, Human, InverseHuman:
	default:
		return Result{}, fmt.Errorf("find the region: unknown mask type %q", kind)
	}
	s, err := newScene(ctx, img, opt)
	if err != nil {
		return Result{}, fmt.Errorf("find the region: %w", err)
	}
	return s.region(ctx, kind)
}

func (s *scene) region(ctx context.Context, kind Kind) (Result, error) {
	whole, err := s.subject(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("find the subject: %w", err)
	}
	p, err := s.parts(ctx, whole)
	if err != nil {
		return Result{}, fmt.Errorf("find the parts: %w", err)
	}
	r, err := s.finish(ctx, p.finding(kind, whole))
	if err != nil {
		return Result{}, fmt.Errorf("find the region's edge: %w", err)
	}
	if kind == Human {
		invert255(r.Mask.Pix)
		invert255(r.Matte.Pix)
	}
	return r, nil
}

func invert255(p []uint8) {
	for i, v := range p {
		p[i] = 255 - v
	}
}

// parts are the pieces people consist of, as labels on the coarse canvas. They do not overlap.
type parts struct {
	head, skin, upper, lower, feet []uint8
	known                          bool // the faces were seen, not guessed
	found                          bool // there is something to divide
}

// parts divides the subject.
func (s *scene) parts(ctx context.Context, whole finding) (parts, error) {
	faces, known := s.people, len(s.faces) > 0
	if len(faces) == 0 {
		f, ok := guessFace(whole.labels, s.cut.w, s.cut.h)
		if !ok {
			return parts{}, nil
		}
		faces = []face{f}
	}
	b := newBodyMap(s.cut, whole.labels, faces)
	p := parts{known: known, found: true}
	var err error
	if p.head, err = b.head(ctx); err != nil {
		return parts{}, err
	}
	if p.skin, err = b.skin(ctx, p.head); err != nil {
		return parts{}, err
	}
	clothes := subtract(subtract(whole.labels, p.head), p.skin)
	if p.upper, err = b.upper(ctx, clothes); err != nil {
		return parts{}, err
	}
	p.lower = subtract(clothes, p.upper)
	if p.feet, err = b.feet(ctx, p.lower); err != nil {
		return parts{}, err
	}
	p.lower = subtract(p.lower, p.feet)
	return p, nil
}

// finding is the answer to one kind; for Human it is the head, which the caller turns round.
func (p parts) finding(kind Kind, whole finding) finding {
	f := whole
	if !p.found {
		f.confidence = 0.3
		f.note = "No face was found, so the whole subject is kept; paint over it to correct."
		if kind == Human || kind == InverseHuman {
			f.labels = make([]uint8, len(whole.labels))
			f.confidence = 0
			f.note = "No face was found; paint the head yourself."
		}
		return f
	}
	switch kind {
	case Human, InverseHuman:
		f.labels = p.head
	case UpperApparel:
		f.labels, f.confidence = p.upper, 0.7*f.confidence
	case LowerApparel:
		f.labels, f.confidence = p.lower, 0.6*f.confidence
	default:
		f.labels, f.confidence = union(p.upper, p.lower, p.feet), 0.85*f.confidence
	}
	f.part = true
	if !p.known {
		f.confidence *= 0.4
		f.note = "No face was found; the head's place is a guess from the outline."
	}
	return f
}

// guessFace places a face on top of a tall outline, where a standing person's would be.
func guessFace(labels []uint8, w, h int) (face, bool) {
	top, bottom, left, right := h, -1, w, -1
	for i, l := range labels {
		if l == 1 {
			top, bottom = min(top, i/w), max(bottom, i/w)
			left, right = min(left, i%w), max(right, i%w)
		}
	}
	tall, wide := float64(bottom-top+1), float64(right-left+1)
	if bottom < 0 || tall < 2*wide {
		return face{}, false
	}
	size := tall / 9.8
	sum, n := 0.0, 0.0
	for y := top; y < top+int(1.4*size)+1 && y < h; y++ {
		for x := range w {
			if labels[y*w+x] == 1 {
				sum += float64(x)
				n++
			}
		}
	}
	return face{x: sum/n + 0.5, y: float64(top) + 0.85*size, size: size}, true
}

func subtract(a, b []uint8) []uint8 {
	out := make([]uint8, len(a))
	for i := range out {
		out[i] = a[i] &^ b[i]
	}
	return out
}

func union(all ...[]uint8) []uint8 {
	out := make([]uint8, len(all[0]))
	for _, l := range all {
		for i, v := range l {
			out[i] |= v
		}
	}
	return out
}
