package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/net"
)

// What the old frame cut off of a person goes on a little beyond it: below, as far as the canvas goes, since whoever is cut
// off there is cut off by the new frame too; at the sides and above it is rounded off. It is made of what lies along the cut
// and of nothing else, so that no face, hand or limb appears twice. A face that is cut itself ends at the frame. What has no face, such as
// an animal, goes on below alone, and where there is much room it is rounded off there too.
const (
	leastBelow = 0.04 // of the picture's short side: narrower cuts are left alone
	leastUnder = 0.2  // what has no face: narrower are its feet
	leastAside = 0.08
	leastAbove = 0.15
	leastRoom  = 8    // px of canvas beyond the frame
	faceRim    = 0.15 // how far a face reaches beyond where it was found, by its size
	leastDeep  = 4    // px of look that a cut has all along, in the mean; with less it is left alone
	feetFrom   = 8.0  // face heights below a face: what touches the frame there are feet, and they end
	roundDepth = 0.35 // how far a body goes on at the sides and above, by the length of the cut
	endsBelow  = 0.5  // from where what has no face is rounded off below, likewise
	copyDepth  = 0.6  // how far from the cut its look is taken, likewise
	outlineFor = 0.35 // over how much of the body the direction of its outline is measured, likewise
	steepest   = 0.35 // px aside for a px down
)

// cut is where a side of the frame cuts through a person: the pixels from … to-1 along that side.
type cut struct{ from, to int }

func (c cut) long() int { return c.to - c.from }

// cuts are the runs of at least least pixels for which in holds, of n.
func cuts(n, least int, in func(k int) bool) (out []cut) {
	from := -1
	for k := range n + 1 {
		switch on := k < n && in(k); {
		case on && from < 0:
			from = k
		case !on && from >= 0:
			if k-from >= least {
				out = append(out, cut{from, k})
			}
			from = -1
		}
	}
	return out
}

// body is a person that the frame of a picture cuts, on a larger canvas.
type body struct {
	src    *image.NRGBA
	person mask.Plane
	faces  []image.Rectangle // none for what has none
	joints []net.Joints      // of the people who are seen
	place  image.Point       // where the picture lies on the canvas
	size   image.Point       // of the canvas
	more   mask.Plane        // what goes on beyond the frame, on the canvas, softly
	like   mask.Plane        // what it is made from, in the picture
}

// goOn draws on canvas what the frame cut off.
func (b *body) goOn(ctx context.Context, canvas *image.NRGBA, opt fill.Options) error {
	b.size = canvas.Rect.Size()
	b.more, b.like = mask.New(b.size.X, b.size.Y), mask.New(b.person.W, b.person.H)
	area := b.plan()
	if area.Empty() {
		return nil
	}
	area = area.Intersect(canvas.Rect)
	part := imaging.Crop(canvas, area)
	hole, avoid := mask.New(area.Dx(), area.Dy()), mask.New(area.Dx(), area.Dy())
	for y := range area.Dy() {
		for x := range area.Dx() {
			at := image.Pt(x, y).Add(area.Min)
			if b.more.At(at.X, at.Y) > 0 {
				hole.Set(x, y, 255)
			} else if in := at.Sub(b.place); !in.In(b.like.Rect()) || !b.like.Kept(in.X, in.Y) {
				avoid.Set(x, y, 255)
			}
		}
	}
	opt.Avoid, opt.Doubt, opt.Apart = &avoid, nil, nil
	made, err := fill.Complete(ctx, part, hole, opt)
	if err != nil {
		return fmt.Errorf("continue a person: %w", err)
	}
	for y := range area.Dy() {
		for x := range area.Dx() {
			at := image.Pt(x, y).Add(area.Min)
			share := int(b.more.At(at.X, at.Y))
			if share == 0 {
				continue
			}
			p, q := canvas.Pix[canvas.PixOffset(at.X, at.Y):], made.Pix[made.PixOffset(x, y):]
			for k := range 3 {
				p[k] = uint8((int(p[k])*(255-share) + int(q[k])*share + 127) / 255)
			}
		}
	}
	return nil
}

// side is one of the sides of a frame, seen from its own end: along counts along it, out away from the picture.
type side struct {
	line, out int  // the last line of pixels within the picture, and where beyond is
	room      int  // px of canvas beyond it
	across    bool // lines are columns
	least     int  // px of the narrowest cut that matters
}

// plan marks more and like for every cut, and gives the part of the canvas that they take.
func (b *body) plan() (area image.Rectangle) {
	w, h := b.person.W, b.person.H
	short := float64(min(w, h))
	left, right := 0.0, float64(w) // as far as a body that is cut at a lower corner reaches
	aside := []side{
		{line: 0, out: -1, room: b.place.X, across: true, least: int(leastAside * short)},
		{line: w - 1, out: 1, room: b.size.X - b.place.X - w, across: true, least: int(leastAside * short)},
		{line: 0, out: -1, room: b.place.Y, least: int(leastAbove * short)},
	}
	below := leastBelow
	if len(b.faces) == 0 {
		aside, below = nil, leastUnder
	}
	for _, s := range aside {
		for _, c := range b.cuts(s) {
			look, ok := b.take(s, c)
			if !ok {
				continue
			}
			deep := roundDepth * float64(c.long())
			b.round(s, c, deep)
			if corner := s.across && c.to == h; corner && s.out < 0 {
				left = -deep
			} else if corner {
				right = float64(w) + deep
			}
			area = area.Union(look).Union(s.box(c.from, c.to, int(deep)))
		}
	}
	s := side{line: h - 1, out: 1, room: b.size.Y - b.place.Y - h, least: int(below * short)}
	for _, c := range b.cuts(s) {
		if b.feet(c) {
			continue
		}
		look, ok := b.take(s, c)
		if !ok {
			continue
		}
		if deep := endsBelow * float64(c.long()); len(b.faces) == 0 && float64(s.room) > deep {
			b.round(s, c, deep)
			area = area.Union(look).Union(s.box(c.from, c.to, int(deep)))
			continue
		}
		from, to := float64(c.from), float64(c.to)
		leftLean, rightLean := b.outline(c)
		if c.from == 0 {
			from, leftLean = left, 0
		}
		if c.to == w {
			to, rightLean = right, 0
		}
		far := float64(c.long()) / 2
		for d := range s.room {
			lean := far * (1 - math.Exp(-float64(d+1)/far))
			b.mark(s, d+1, from+leftLean*lean, to+rightLean*lean)
		}
		wide := int(steepest * far)
		area = area.Union(look).Union(s.box(int(from)-wide, int(to)+wide, s.room))
	}
	return area.Add(b.place)
}

// cuts are those of one side that matter; none where the canvas has no room beyond it.
func (b *body) cuts(s side) []cut {
	if s.room < leastRoom {
		return nil
	}
	n := b.person.W
	if s.across {
		n = b.person.H
	}
	return cuts(n, max(4, s.least), func(k int) bool {
		at := s.at(k, 0)
		return b.person.Kept(at.X, at.Y) && !b.inFace(at)
	})
}

// inFace says whether a pixel of the picture lies in or right at a face.
func (b *body) inFace(at image.Point) bool {
	return slices.ContainsFunc(b.faces, func(f image.Rectangle) bool { return at.In(f.Inset(-int(faceRim * float64(f.Dx())))) })
}

// at is the pixel k along the side and d beyond its last line.
func (s side) at(k, d int) image.Point {
	if s.across {
		return image.Pt(s.line+s.out*d, k)
	}
	return image.Pt(k, s.line+s.out*d)
}

// box is what lies from … to along the side and up to d on both sides of it, with some room around.
func (s side) box(from, to, d int) image.Rectangle {
	const rim = 8
	return image.Rectangle{s.at(from-rim, -d-rim), s.at(to+rim, d+rim)}.Canon()
}

// round marks what goes on beyond a cut as half an oval; at a lower corner, as a quarter that stands on it.
func (b *body) round(s side, c cut, deep float64) {
	for d := 1; d <= int(deep)+1; d++ {
		long := float64(c.long()) * math.Sqrt(max(0, 1-math.Pow(float64(d)/(deep+2), 2)))
		from := float64(c.to) - long
		if !s.across || c.to < b.person.H {
			from -= (float64(c.long()) - long) / 2
		}
		b.mark(s, d, from, from+long)
	}
}

// mark marks what goes on d beyond a side; the ends may lie within a pixel.
func (b *body) mark(s side, d int, from, to float64) {
	for k := int(math.Floor(from)); float64(k) < to; k++ {
		at := s.at(k, d)
		if on := at.Add(b.place); on.In(b.more.Rect()) && !at.In(b.person.Rect()) {
			share := min(float64(k)+1, to) - max(float64(k), from)
			b.more.Set(on.X, on.Y, max(b.more.At(on.X, on.Y), uint8(255*share)))
		}
	}
}

// feet says whether what the lower side of the frame cuts are feet: an ankle is seen right above it or, where no joints
// are seen, it is as far below a face as feet are.
func (b *body) feet(c cut) bool {
	const (
		surely = 0.5  // chance from which an ankle is in the picture
		foot   = 0.45 // of a shank, from the ankle to the ground
	)
	for i := range b.joints {
		for _, leg := range [2][2]int{{net.LeftKnee, net.LeftAnkle}, {net.RightKnee, net.RightAnkle}} {
			knee, ankle := b.joints[i].At[leg[0]], b.joints[i].At[leg[1]]
			shank := math.Hypot(ankle.X-knee.X, ankle.Y-knee.Y)
			inside := ankle.Present >= surely && ankle.X >= float64(c.from)-shank && ankle.X < float64(c.to)+shank
			if below := float64(b.person.H) - ankle.Y; inside && below > 0 && below < foot*shank {
				return true
			}
		}
	}
	nearest, down := math.Inf(1), 0.0
	for _, f := range b.faces {
		mid := float64(f.Min.X+f.Max.X) / 2
		if d := math.Abs(mid - float64(c.from+c.to)/2); d < nearest {
			nearest, down = d, (float64(b.person.H)-float64(f.Min.Y+f.Max.Y)/2)/float64(max(1, f.Dy()))
		}
	}
	return down > feetFrom
}

// outline measures where the outlines on both sides of a cut at the lower side go, in px aside for a px down.
func (b *body) outline(c cut) (left, right float64) {
	var n, sk, skk, sl, skl, sr, skr float64
	at := c
	for k := range max(6, int(outlineFor*float64(c.long()))) {
		y := b.person.H - 1 - k
		if y < 0 {
			break
		}
		best := cut{}
		for _, r := range cuts(b.person.W, 1, func(x int) bool { return b.person.Kept(x, y) }) {
			if min(r.to, at.to)-max(r.from, at.from) > min(best.to, at.to)-max(best.from, at.from) {
				best = r
			}
		}
		if best.long() == 0 || 2*best.long() < at.long() || best.long() > 2*at.long() {
			break // another part of the body begins here
		}
		at = best
		d, l, r := -float64(k), float64(at.from), float64(at.to)
		n, sk, skk, sl, skl, sr, skr = n+1, sk+d, skk+d*d, sl+l, skl+d*l, sr+r, skr+d*r
	}
	if n < 4 {
		return 0, 0
	}
	by := n*skk - sk*sk
	slope := func(s, sd float64) float64 { return min(steepest, max(-steepest, (n*sd-sk*s)/by)) }
	return slope(sl, skl), slope(sr, skr)
}

// take marks as like what lies along a cut, is the person's but no face, and has colours that the cut itself shows. It gives where that
// is, and whether there is enough to go on with.
func (b *body) take(s side, c cut) (image.Rectangle, bool) {
	const rows, few = 8, 0.003
	bin := func(at image.Point) [3]int {
		p := b.src.Pix[b.src.PixOffset(b.src.Rect.Min.X+at.X, b.src.Rect.Min.Y+at.Y):]
		return [3]int{int(p[0]) >> 4, int(p[1]) >> 4, int(p[2]) >> 4}
	}
	shown := map[[3]int]float64{}
	for k := c.from; k < c.to; k++ {
		for d := range rows {
			if at := s.at(k, -d); at.In(b.person.Rect()) && b.person.Kept(at.X, at.Y) {
				shown[bin(at)] += 1 / float64(rows*c.long())
			}
		}
	}
	known := func(v [3]int) bool {
		sum := 0.0
		for n := range 27 {
			sum += shown[[3]int{v[0] + n%3 - 1, v[1] + n/3%3 - 1, v[2] + n/9 - 1}]
		}
		return sum > few
	}
	deep := min(max(16, int(copyDepth*float64(c.long()))), b.person.W/2, b.person.H/4)
	inner, marked := b.person.Shrink(2), 0
	for k := c.from; k < c.to; k++ {
		for d := range deep {
			if at := s.at(k, -d); inner.Kept(at.X, at.Y) && !b.inFace(at) && known(bin(at)) {
				b.like.Set(at.X, at.Y, 255)
				marked++
			}
		}
	}
	return s.box(c.from, c.to, deep), marked >= leastDeep*c.long()
}
