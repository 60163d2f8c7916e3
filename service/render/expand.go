package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging/fill"
	"atelier/imaging/mask"
)

// expandImage places the original in the new canvas and completes the rest out of the photo itself, never out of its
// subject (Task API, "expandimage v1.0").
func expandImage(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	w, okW := req.number("targetWidth")
	h, okH := req.number("targetHeight")
	if !okW || !okH || w < 1 || h < 1 || w > 4096 || h > 4096 {
		return nil, fmt.Errorf("%w: targetWidth and targetHeight go from 1 to 4096", ErrInvalid)
	}
	size, at := req.Source().Rect.Size(), req.Placed().Min
	left, top := at.X, at.Y
	opt := fill.Options{Seed: req.seed(), Variant: req.Item, Apart: seg.Passers, Progress: req.part(0.02, 0.8)}
	avoid, subject, err := barred(req.Source(), seg)
	if err != nil {
		return nil, err
	}
	if !avoid.Empty() {
		rim := rimOf(size)
		avoid = avoid.Grow(rim)
		near := atArmsLength(avoid, seg)
		if len(near.Pix) == 0 {
			opt.Avoid, opt.Doubt = &avoid, doubtful(seg, avoid, subject.Grow(rim), seg.Others.Grow(rim))
		} else {
			both := avoid.Clone()
			if err := both.Combine(near, mask.Add); err != nil {
				return nil, fmt.Errorf("keep out what may be carried: %w", err)
			}
			opt.Avoid, opt.Doubt = &both, &near
		}
	}
	lit := req.Source()
	fade, faded := vignetteOf(lit, avoid)
	if faded {
		lit = fade.even(lit)
	}
	out, err := fill.Expand(ctx, lit, w, h, left, top, opt)
	if err != nil {
		return nil, err
	}
	if faded {
		fade.restore(out, req.Source(), image.Pt(left, top))
	}
	req.vary().letFall(out, image.Rectangle{Max: size}.Add(image.Pt(left, top)))
	b := body{
		src: req.Source(), person: subject, faces: seg.Faces, joints: seg.Bodies, place: image.Pt(left, top),
	}
	if len(seg.Faces) == 0 {
		b.person = cutBelow(seg, subject)
	}
	if len(b.person.Pix) == 0 {
		return out, nil
	}
	opt.Progress = req.part(0.8, 0.98)
	return out, b.goOn(ctx, out, opt)
}

// barred is what of a picture may not be copied, before it is widened: its subject together with what was left out of it, everybody else, and
// what else the subject may be. The subject alone is without pixels where none is plausible.
func barred(src *image.NRGBA, seg Segmentation) (avoid, subject mask.Plane, err error) {
	size := src.Rect.Size()
	avoid = mask.New(size.X, size.Y)
	if plausible(seg) {
		subject = wholeSubject(src, seg.Subject)
		avoid = subject.Clone()
		if len(seg.Faces) > 0 {
			avoid = withFeet(avoid)
		}
	}
	if len(subject.Pix) > 0 && seg.Confidence < sure && !seg.Exact && len(seg.Faces) == 0 {
		// Its outline is not known well: what lies beside it may be a piece of it.
		if err := avoid.Combine(subject.Grow(vague*float64(min(size.X, size.Y))), mask.Add); err != nil {
			return avoid, subject, fmt.Errorf("keep the subject out: %w", err)
		}
	}
	if err := keepOut(avoid, seg); err != nil {
		return avoid, subject, err
	}
	coverHeads(avoid, seg.Faces)
	return avoid, subject, nil
}

// rimOf is how far what is barred goes on beyond its outline, in pixels of a picture of that size.
func rimOf(size image.Point) float64 { return float64(max(3, min(size.X, size.Y)/80)) }

// doubtful is what may be background of what is to be avoided, or goes on beyond the frame as background does: nothing where a face or a
// drawn mask tells what the subject is.
func doubtful(seg Segmentation, avoid, subject, others mask.Plane) *mask.Plane {
	if seg.Exact || len(seg.Faces) > 0 {
		return nil
	}
	doubt := mask.New(avoid.W, avoid.H)
	if seg.Confidence < sure {
		copy(doubt.Pix, avoid.Pix)
	}
	if len(subject.Pix) > 0 && seg.Confidence >= likely {
		goesOn := beyondSides(subject)
		for i, v := range subject.Pix {
			doubt.Pix[i] = doubt.Pix[i]&^v | goesOn.Pix[i]
		}
	}
	for i, v := range others.Pix {
		doubt.Pix[i] &^= v
	}
	return &doubt
}

// atArmsLength is what lies so close to people whose faces are seen that it may be a sleeve or a bag which their mask misses: it is copied
// where nothing else would join. Without pixels where no face gives the measure, or a drawn mask tells all.
func atArmsLength(avoid mask.Plane, seg Segmentation) mask.Plane {
	const reach = 0.8 // of the largest face's width
	if seg.Exact || len(seg.Faces) == 0 {
		return mask.Plane{}
	}
	face := 0
	for _, f := range seg.Faces {
		face = max(face, f.Dx())
	}
	near := avoid.Grow(reach * float64(face))
	for i, v := range avoid.Pix {
		near.Pix[i] &^= v
	}
	return near
}

// withFeet is a person together with what lies just below: dark shoes on a dark street are easily missed, and would be copied.
func withFeet(person mask.Plane) mask.Plane {
	const parts = 14 // of the person's height
	whole := person.Clone()
	b := person.Bounds()
	for x := b.Min.X; x < b.Max.X; x++ {
		more := 0
		for y := b.Min.Y; y < min(b.Max.Y+b.Dy()/parts, person.H); y++ {
			switch {
			case person.Kept(x, y):
				more = b.Dy() / parts
			case more > 0 && y > b.Max.Y-b.Dy()/parts:
				whole.Set(x, y, 255)
				more--
			}
		}
	}
	return whole
}

// wholeSubject adds what a segmentation left out of a subject: what hangs together with it, lies close and has colours
// that are the subject's much more than the background's, such as a shoulder or a strand of hair. A piece that was missed
// would be copied as if it were background.
func wholeSubject(src *image.NRGBA, subject mask.Plane) mask.Plane {
	const (
		reach = 6 // parts of the short side that lie close
		much  = 6 // times as frequent in the subject
	)
	colour := func(i int) int {
		p := src.Pix[i/subject.W*src.Stride+i%subject.W*4:]
		return int(p[0])>>4<<8 | int(p[1])>>4<<4 | int(p[2])>>4
	}
	near := subject.Grow(float64(min(subject.W, subject.H)) / reach)
	var inside, outside [1 << 12]float64
	var ins, outs float64
	for i, v := range subject.Pix {
		switch {
		case v >= mask.Level:
			inside[colour(i)]++
			ins++
		case near.Pix[i] == 0:
			outside[colour(i)]++
			outs++
		}
	}
	whole := subject.Clone()
	if outs == 0 {
		return whole
	}
	alike := func(i int) bool {
		c := colour(i)
		return inside[c]/ins > much*outside[c]/outs+1e-4
	}
	var edge []int
	for i, v := range subject.Pix {
		if v < mask.Level {
			continue
		}
		for edge = append(edge, i); len(edge) > 0; {
			last := edge[len(edge)-1]
			edge = edge[:len(edge)-1]
			x, y := last%subject.W, last/subject.W
			for _, n := range [4]image.Point{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if !n.In(subject.Rect()) {
					continue
				}
				if j := n.Y*subject.W + n.X; whole.Pix[j] < mask.Level && near.Pix[j] != 0 && alike(j) {
					whole.Pix[j] = 255
					edge = append(edge, j)
				}
			}
		}
	}
	return whole
}

// sure is the confidence from which a subject is taken for one; below it the middle of the picture may belong to it too. Where it is
// not even likely, all that was found may be background as well. What may be is copied where nothing else would join.
const sure, likely = 0.5, 0.35

// vague is how far beyond its outline an uncertain subject may go on, as a share of the short side.
const vague = 0.15

// keepOut adds to what is not copied from, in place: people beside the subject, and where there is doubt about what the subject is, the
// middle of the picture too, since whatever it is will be there. Enough is left to copy from.
func keepOut(avoid mask.Plane, seg Segmentation) error {
	const across, down, most = 0.34, 0.36, 0.75
	if len(seg.Others.Pix) == len(avoid.Pix) {
		if err := avoid.Combine(seg.Others, mask.Add); err != nil {
			return fmt.Errorf("keep people out: %w", err)
		}
	}
	if seg.Exact || seg.Confidence >= sure {
		return nil
	}
	more, n := avoid.Clone(), 0
	for i := range more.Pix {
		x, y := (float64(i%more.W)+0.5)/float64(more.W)-0.5, (float64(i/more.W)+0.5)/float64(more.H)-0.5
		if x*x/(across*across)+y*y/(down*down) < 1 {
			more.Pix[i] = 255
		}
		n += int(more.Pix[i] >> 7)
	}
	if float64(n) < most*float64(len(more.Pix)) {
		copy(avoid.Pix, more.Pix)
	}
	return nil
}

// coverHeads adds the heads around faces that are not in it to what is not copied, in place: whatever else was found, nobody may appear
// twice.
func coverHeads(avoid mask.Plane, faces []image.Rectangle) {
	const aside, above, below = 0.4, 0.6, 0.3 // of a face's size
	for _, f := range faces {
		size, n := float64(f.Dx()), 0
		inner := f.Inset(f.Dx() / 4).Intersect(avoid.Rect())
		for y := inner.Min.Y; y < inner.Max.Y; y++ {
			for x := inner.Min.X; x < inner.Max.X; x++ {
				if avoid.Kept(x, y) {
					n++
				}
			}
		}
		if 4*n >= 3*inner.Dx()*inner.Dy() {
			continue
		}
		head := image.Rect(f.Min.X-int(aside*size), f.Min.Y-int(above*size), f.Max.X+int(aside*size), f.Max.Y+int(below*size))
		head = head.Intersect(avoid.Rect())
		for y := head.Min.Y; y < head.Max.Y; y++ {
			for x := head.Min.X; x < head.Max.X; x++ {
				avoid.Set(x, y, 255)
			}
		}
	}
}

// plausible reports whether the subject found leaves enough of the picture to copy from. A doubtful one is avoided
// too: leaving out some background costs little, repeating a subject cannot be used.
func plausible(seg Segmentation) bool {
	n := 0
	for _, v := range seg.Subject.Pix {
		if v != 0 {
			n++
		}
	}
	most := 85
	if seg.Confidence < 0.3 && len(seg.Faces) == 0 {
		most = 60
	}
	return n > 0 && 100*n < most*len(seg.Subject.Pix)
}
