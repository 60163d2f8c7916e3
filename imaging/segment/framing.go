package segment

import (
	"context"
	"image"
	"math"
)

// framed cuts the subject out of a part of the picture: out of what lies between bars, and people out of what is around them when they
// take up little of it, since what was learned, was learned on people who fill their picture. ok tells whether there is such a part.
// Who shows a face may lie, sit or reach out of the frame that the face suggests, so only those are framed by it who are small.
func (s *scene) framed(ctx context.Context, people []face) (f finding, ok bool, err error) {
	const (
		most  = 0.6  // of the picture's area
		small = 0.09 // of its height, for a face
	)
	k := s.cut
	whole := image.Rect(0, 0, k.w, k.h)
	if s.within {
		return finding{}, false, nil
	}
	frame := k.unbarred()
	if len(people) > 0 && (len(s.faces) == 0 || s.faces[0].unit() <= small*float64(k.h)) {
		if near := surroundings(people).Intersect(frame); float64(near.Dx()*near.Dy()) <= most*float64(k.w*k.h) {
			frame = near
		}
	}
	if frame == whole || frame.Dx() < 16 || frame.Dy() < 16 {
		return finding{}, false, nil
	}
	b := s.img.Bounds()
	at := func(v int) int { return int(math.Round(float64(v) * s.zoom)) }
	part := image.Rect(at(frame.Min.X), at(frame.Min.Y), at(frame.Max.X), at(frame.Max.Y)).Add(b.Min).Intersect(b)
	img, isNRGBA := s.img.SubImage(part).(*image.NRGBA)
	if !isNRGBA || part.Empty() {
		return finding{}, false, nil
	}
	c := reduce(img, s.opt.Coarse).in(s.light)
	if s.even {
		c = flattened(c)
	}
	sub := &scene{img: img, opt: s.opt, faces: s.faces, within: true, wary: s.wary, light: s.light, cut: newCutter(c)}
	sub.zoom = float64(part.Dx()) / float64(sub.cut.w)
	for _, p := range people {
		p.x, p.y = p.x-float64(part.Min.X-b.Min.X)/s.zoom, p.y-float64(part.Min.Y-b.Min.Y)/s.zoom
		sub.people = append(sub.people, p.scaled(s.zoom/sub.zoom))
	}
	f, err = sub.attempt(ctx, sub.people)
	if err != nil {
		return finding{}, false, err
	}
	return f.placed(sub.cut.canvas, k.canvas, frame), true, nil
}

// surroundings is the part of a canvas that people may take up, with room to compare them with what is beside them.
func surroundings(people []face) Rect {
	var out Rect
	for _, p := range people {
		// In face sizes around the face: half of what a picture of one person shows beside and below.
		across := 3.4
		if !p.guessed {
			across = 4.5
		}
		size := p.unit()
		out = out.Union(image.Rect(int(p.x-across*size), int(p.y-2*p.size), int(p.x+across*size), int(p.y+10.2*size)))
	}
	return out
}

// placed is a finding on a canvas put into a frame of a larger one. Outside the frame everything is background.
func (f finding) placed(from, to *canvas, frame Rect) finding {
	const never = -30
	w, h := frame.Dx(), frame.Dy()
	field := func(v []float32, outside float32) []float32 {
		if v == nil {
			return nil
		}
		small := scaleField(v, from.w, from.h, w, h)
		out := make([]float32, to.w*to.h)
		for i := range out {
			out[i] = outside
		}
		for y := range h {
			copy(out[(frame.Min.Y+y)*to.w+frame.Min.X:][:w], small[y*w:(y+1)*w])
		}
		return out
	}
	labels := resize(f.labels, from.w, from.h, w, h)
	out := f
	out.labels = make([]uint8, to.w*to.h)
	for y := range h {
		copy(out.labels[(frame.Min.Y+y)*to.w+frame.Min.X:][:w], labels[y*w:(y+1)*w])
	}
	out.prior, out.chance = field(f.prior, never), field(f.chance, 0)
	for c := range out.opinion {
		outside := float32(never)
		if class(c) == background {
			outside = -never
		}
		out.opinion[c] = field(f.opinion[c], outside)
	}
	return out
}
