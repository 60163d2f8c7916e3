package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// skull is the head as it is without hair: a round vault above the eyes, cheeks and a jaw below them.
type skull struct {
	f    features
	s    float64 // the distance of the eyes, no less than a face's size allows: heads that turn away show less of it
	hair mask.Plane
	long bool // hair hangs beside the face
	cut  haircut
	not  []image.Rectangle // other people's heads
}

// haircut is what is left of the hair of a head.
type haircut struct {
	stubble float64                         // how much of it shows on the skin where hair goes
	stays   func(p spot, r float64) float64 // the share of the hair that stays at a place within reach r; nil for none
}

// keeps is the share of the hair that stays at a place.
func (c haircut) keeps(p spot, r float64) float64 {
	if c.stays == nil {
		return 0
	}
	return c.stays(p, r)
}

// shortCut leaves the hair on top as it is and takes what hangs beside the face: it ends in sideburns.
func shortCut(p spot, r float64) float64 {
	widest := 1.22 - 0.2*smooth((p.y+0.7)/0.7)
	low := 0.1 + 0.3*smooth((r-0.78)/0.14)
	return smooth((widest-r)/0.07) * smooth((low-p.y)/0.3)
}

func skullOf(h head, f features, cut haircut) skull {
	return skull{f, math.Max(4, math.Max(f.span(), 0.34*float64(h.face.Dx()))), h.hair, hangsLong(h, f), cut, nil}
}

// headsBeside are heads of others that lean against this one and were not found by their faces, such as behind sunglasses: skin of some
// size beside the neck or the head that hair frames to both sides, or to one and above. Their hair is not this head's.
func (k skull) headsBeside(img *image.NRGBA, subject mask.Plane, tone [3]float64) (out []image.Rectangle) {
	skin := mask.New(k.hair.W, k.hair.H)
	parallelRows(skin.H, func(y int) {
		for x := range skin.W {
			at := k.at(x, y)
			if own := k.reach(at) < 1.12 || math.Abs(at.x) < 0.8 && at.y > 0.8; own || !subject.Kept(x, y) || k.hair.At(x, y) > 128 {
				continue
			}
			if p := img.Pix[img.PixOffset(x, y):]; likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.5 {
				skin.Set(x, y, 255)
			}
		}
	})
	skin = skin.Shrink(k.s / 14).Grow(k.s / 10)
	const most = 24
	list := skin.Listing(most)
	list.Step(0)
	for _, region := range list.Regions() {
		r := region.Box
		if !region.Kept || float64(region.Area) < 0.5*k.s*k.s || r.Dx() > 2*r.Dy() || r.Dy() > 2*r.Dx() {
			continue
		}
		// What goes on from the own neck is a chest.
		from, to := k.at(r.Min.X, r.Min.Y), k.at(r.Max.X, r.Min.Y)
		if math.Min(math.Abs(from.x-0.8), math.Abs(to.x+0.8)) < 0.12 && from.y > 0.8 {
			continue
		}
		// Hair beside each row and above each column, within a quarter of its size.
		beside := func(dx, dy int) float64 {
			n, hair := 0, 0
			for i := range max(r.Dx(), r.Dy()) {
				start := image.Pt(r.Min.X+i, r.Min.Y)
				if dy == 0 {
					start = image.Pt(r.Min.X, r.Min.Y+i)
					if dx > 0 {
						start.X = r.Max.X - 1
					}
				}
				if !start.In(r) {
					break
				}
				n++
				for d := range max(2, max(r.Dx(), r.Dy())/4) {
					if k.hair.At(start.X+d*dx, start.Y+d*dy) > 96 {
						hair++
						break
					}
				}
			}
			return float64(hair) / float64(max(1, n))
		}
		const framed = 0.4
		left, right, above := beside(-1, 0) > framed, beside(1, 0) > framed, beside(0, -1) > framed
		if left && right || above && (left || right) {
			out = append(out, image.Rect(r.Min.X-2*r.Dx()/3, r.Min.Y-r.Dy()*3/2, r.Max.X+2*r.Dx()/3, r.Max.Y+r.Dy()))
		}
	}
	return out
}

// at is a place of the picture as seen from between the eyes, in widths of the skull's own scale.
func (k skull) at(x, y int) spot {
	p := k.f.below(spot{float64(x), float64(y)})
	return spot{p.x * k.f.span() / k.s, p.y * k.f.span() / k.s}
}

// reach is how far out a place lies, 1 on the outline of the skull.
func (k skull) reach(p spot) float64 {
	if p.y < -0.08 {
		// Rounder than an ellipse.
		return math.Pow(math.Pow(math.Abs(p.x)/1.17, 2.4)+math.Pow(-(p.y+0.08)/1.62, 2.4), 1/2.4)
	}
	// Down the cheeks the head narrows to the chin.
	wide := 1.16 - 0.12*smooth(p.y/0.9) - 0.5*smooth((p.y-0.75)/1.05)
	return math.Max(math.Abs(p.x)/wide, math.Hypot(p.x/1.2, (p.y+0.08)/1.95))
}

// lit is the light on a round head at a place, 1 in the middle of the forehead; lean is how much more comes from the
// right.
func (k skull) lit(p spot, lean float64) float64 {
	d := math.Min(1, math.Hypot(p.x/1.22, math.Min(0, p.y+0.3)/1.6))
	round := math.Sqrt(1 - 0.96*d*d)
	shine := 0.07 * math.Exp(-(math.Pow((p.x-0.5*lean)/0.42, 2) + math.Pow((p.y+1.15)/0.3, 2)))
	return 0.62 + 0.38*round + 0.55*lean*p.x + shine
}

// cover is what hair hides of the head, and the hair beyond it. Skin is never taken for hair, nor is a beard.
func (k skull) cover() (hidden, far mask.Plane) {
	hidden, far = mask.New(k.hair.W, k.hair.H), mask.New(k.hair.W, k.hair.H)
	parallelRows(k.hair.H, func(y int) {
		for x := range k.hair.W {
			i := y*k.hair.W + x
			hair := float64(k.hair.Pix[i])
			if hair < 8 || slices.ContainsFunc(k.not, func(r image.Rectangle) bool { return image.Pt(x, y).In(r) }) {
				continue
			}
			p := k.at(x, y)
			r := k.reach(p)
			hair *= 1 - k.cut.keeps(p, r)
			within := 1 - smooth((r-0.97)/0.06)
			beard := smooth((p.y - 0.15) / 0.3)
			if k.long {
				beard *= 1 - smooth((math.Abs(p.x)-0.62)/0.2)
			}
			hidden.Pix[i] = byte255(hair * within * (1 - beard))
			if r > 0.97 && hair > 60 && (p.y < 0.3 || math.Abs(p.x) > 0.6) {
				far.Pix[i] = 255
			}
		}
	})
	return hidden, far
}

// stays is what is hidden, and what of the hair stays.
func (k skull) stays(hidden mask.Plane) mask.Plane {
	if k.cut.stays == nil {
		return hidden
	}
	out := hidden.Clone()
	parallelRows(out.H, func(y int) {
		for x := range out.W {
			i := y*out.W + x
			if p := k.at(x, y); k.hair.Pix[i] > 60 && k.cut.stays(p, k.reach(p)) > 0.5 {
				out.Pix[i] = 255
			}
		}
	})
	return out
}

// skinField is the skin's colour without the light of a round head, for every place of the picture: as it is where it shows, and
// from there on evenly.
func (k skull) skinField(b *brush, h head, hidden mask.Plane, lean float64, tone [3]float64) *image.NRGBA {
	sum := image.NewNRGBA(b.img.Rect)
	sure := h.skin.Clone()
	sure.Threshold(200)
	sure = sure.Shrink(math.Max(1, k.s/9)) // where hair begins it throws its shade
	eachPixel(sum, func(x, y int, p []uint8) {
		at := k.at(x, y)
		if sure.At(x, y) == 0 || hidden.At(x, y) > 8 || at.y > 1.1 || math.Abs(at.y+0.12) < 0.36 && math.Abs(at.x) > 0.12 && math.Abs(at.x) < 0.95 {
			return // brows and eyes say nothing of skin
		}
		q := b.img.Pix[b.img.PixOffset(x, y):]
		if lab := compose.Lab(q[0], q[1], q[2]); likeSkin(lab, tone) < 0.7 || lab[0] < tone[0]-10 {
			return
		}
		lit := k.lit(at, lean)
		for c := range 3 {
			p[c] = byte255(0.8 * float64(q[c]) / lit)
		}
		p[3] = 255
	})
	return spread(sum)
}

// spread carries the colours of a picture into its clear parts: near ones as they are, the farther the more evenly.
func spread(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if w < 3 || h < 3 {
		return img
	}
	half := image.NewNRGBA(image.Rect(0, 0, (w+1)/2, (h+1)/2))
	some := false
	for y := range half.Rect.Dy() {
		for x := range half.Rect.Dx() {
			var sum [3]float64
			n := 0.0
			for _, d := range [4]image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
				if at := (image.Point{X: 2*x + d.X, Y: 2*y + d.Y}); at.In(img.Rect) {
					p := img.Pix[img.PixOffset(at.X, at.Y):]
					a := float64(p[3]) / 255
					for c := range 3 {
						sum[c] += a * float64(p[c])
					}
					n += a
				}
			}
			p := half.Pix[half.PixOffset(x, y):]
			if n > 0 {
				some = true
				for c := range 3 {
					p[c] = byte255(sum[c] / n)
				}
			}
			p[3] = byte255(255 * math.Min(1, n/1.5))
		}
	}
	if !some {
		return img
	}
	far := spread(half)
	parallelRows(h, func(y int) {
		for x := range w {
			p := img.Pix[img.PixOffset(x, y):]
			if p[3] == 255 {
				continue
			}
			c, ok := sampled(far, float64(x)/2-0.25, float64(y)/2-0.25)
			if !ok {
				q := far.Pix[far.PixOffset(x/2, y/2):]
				c = [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}
			}
			a := float64(p[3]) / 255
			for n := range 3 {
				p[n] = byte255(a*float64(p[n]) + (1-a)*c[n])
			}
			p[3] = 255
		}
	})
	return img
}

// shoulderLine is the outline of a body between neck and shoulders, where hair hides it: for every column the row below which
// body lies, and how far to both sides of the mouth shoulders reach, 0 when none was found. visible is what shows of the person
// beside the hair.
func shoulderLine(hidden, visible mask.Plane, f features) (rows []float64, reach float64) {
	s := f.span()
	out := make([]float64, visible.W)
	neck := f.at(0, 1.55)
	for x := range out {
		out[x] = neck.y + 0.5*math.Max(0, math.Abs(float64(x)-f.mouth.x)-0.6*s)
	}
	from, to := max(0, int(neck.y-0.1*s)), min(visible.H, int(neck.y+1.8*s))
	var tops [2]spot // where each shoulder comes out, across from the mouth; zero where it does not
	for n, side := range []float64{-1, 1} {
		// The shoulder comes out from below the hair where the hair ends.
		last := 0.7 * s
		for d := last; d < 3*s; d++ {
			x := int(f.mouth.x + side*d)
			for y := from; y < to && x >= 0 && x < hidden.W; y++ {
				if hidden.Pix[y*hidden.W+x] != 0 {
					last = d
					break
				}
			}
		}
		var top spot
		for d := last + 1; d < last+0.6*s && top.y == 0; d++ {
			x := int(f.mouth.x + side*d)
			for y := from; y < to && x >= 0 && x < visible.W; y++ {
				if visible.Kept(x, y) {
					top = spot{float64(x), float64(y)}
					break
				}
			}
		}
		if top.y != 0 {
			tops[n] = spot{math.Abs(top.x - f.mouth.x), top.y}
		}
	}
	for n, side := range []float64{-1, 1} {
		// Where hair hides one all the way it is like the other.
		top := tops[n]
		if top.y == 0 {
			top = tops[1-n]
		}
		if top.y == 0 {
			continue
		}
		reach = math.Max(reach, top.x)
		top.x = f.mouth.x + side*top.x
		foot := spot{f.mouth.x + side*0.6*s, neck.y}
		for x := range out {
			// It falls softly from the neck and runs out into the shoulder.
			if t := (float64(x) - foot.x) / (top.x - foot.x); t > 0 && t <= 1 {
				out[x] = foot.y + (top.y-foot.y)*(0.35*t+0.65*smooth(t))
			} else if t > 1 {
				out[x] = top.y
			}
		}
	}
	return out, reach
}

// bodyBelow is the part of what hair hid that body lies below: a neck, and what is below the shoulders. visible is what shows of
// the person; nothing that stays is part of it.
func bodyBelow(hidden, stays, visible mask.Plane, f features) mask.Plane {
	s := f.span()
	line, reach := shoulderLine(hidden, visible, f)
	out := mask.New(hidden.W, hidden.H)
	for y := range out.H {
		left, right := f.mouth.x-0.62*s, f.mouth.x+0.62*s // a neck at least
		for x, v := range visible.Row(y) {
			if v != 0 {
				left, right = math.Min(left, float64(x)), math.Max(right, float64(x))
			}
		}
		for x := range out.W {
			i := y*out.W + x
			if hidden.Pix[i] == 0 || stays.W > 0 && stays.Pix[i] > 200 {
				continue
			}
			fx := float64(x)
			neck := math.Abs(fx-f.mouth.x) < 0.62*s && float64(y) > f.at(0, 1.3).y
			if neck || float64(y) > line[x] && (fx > left && fx < right || float64(y) < line[x]+0.8*s || math.Abs(fx-f.mouth.x) < reach) {
				out.Pix[i] = 255
			}
		}
	}
	return out
}

// clothBelow is the part of the body below hair that is clothed: what is nearer to cloth than to skin, and beside the neck all
// that lies above cloth, since clothes reach over the shoulders.
func clothBelow(h head, body, worn, visible mask.Plane, f features) mask.Plane {
	out := overCloth(h.face.Max.Y, body, worn, visible)
	for x := range body.W {
		if math.Abs(float64(x)-f.mouth.x) < 0.72*f.span() {
			continue
		}
		below := false
		for y := body.H - 1; y >= 0; y-- {
			switch i := y*body.W + x; {
			case body.Pix[i] == 0:
				below = worn.Pix[i] >= mask.Level
			case below:
				out.Pix[i] = 255
			}
		}
	}
	return out
}

// uncovered completes what hair hid, where nothing stays: below the shoulders with cloth where cloth lies beside the hair, else
// with skin, the rest with what lies behind.
func uncovered(ctx context.Context, b *brush, h head, far, stays mask.Plane, f features) error {
	s := f.span()
	hole := far.Grow(math.Max(2, s/11))
	subject := fitPlane(b.seg.Subject, far.W, far.H)
	// Single hairs stand out farther than what was found.
	for i, v := range far.Grow(math.Max(3, s/4)).Pix {
		if v != 0 && subject.Pix[i] < mask.Level {
			hole.Pix[i] = 255
		}
	}
	visible := subject.Clone()
	visible.Threshold(mask.Level)
	for i, v := range hole.Pix {
		visible.Pix[i] &^= v | far.Pix[i]
	}
	body, behind := bodyBelow(hole, stays, visible, f), hole.Clone()
	for i, v := range body.Pix {
		behind.Pix[i] &^= v
		if stays.Pix[i] > 200 {
			behind.Pix[i] = 0
		}
	}
	outside := subject.Clone()
	outside.Invert()
	parts := []struct{ hole, avoid mask.Plane }{{behind, subject}, {body, outside}}
	if 4*covered(body)*float64(len(body.Pix)) > s*s {
		p, err := analysis.Pieces(ctx, b.img, segment.Options{})
		if err != nil {
			return fmt.Errorf("find the clothes: %w", err)
		}
		if p.Worn.W > 0 && !p.Worn.Empty() {
			cloth, skin := clothBelow(h, body, p.Worn, visible, f), body.Clone()
			bare := outside.Clone()
			worn := outside.Clone()
			for i, v := range p.Worn.Pix {
				if v >= mask.Level {
					bare.Pix[i] = 255
				} else {
					worn.Pix[i] = 255
				}
				skin.Pix[i] &^= cloth.Pix[i]
			}
			parts = append(parts[:1], struct{ hole, avoid mask.Plane }{cloth, worn}, struct{ hole, avoid mask.Plane }{skin, bare})
		}
	}
	before := b.img
	near := hole.Grow(1.4 * s)
	for _, part := range parts {
		avoid := part.avoid.Clone()
		for i, v := range hole.Pix {
			if avoid.Pix[i] = max(avoid.Pix[i], v); h.hair.Pix[i] > 60 {
				avoid.Pix[i] = 255
			}
		}
		if part.hole.Full() || avoid.Full() {
			continue
		}
		// Each side is completed of what lies near on it, where there is enough of that.
		for _, side := range [2]float64{-1, 1} {
			half, local, open := part.hole.Clone(), avoid.Clone(), 0
			for i := range half.Pix {
				beyond := side * (float64(i%half.W) - f.mouth.x)
				if beyond < 0 {
					half.Pix[i] = 0
				}
				if beyond < -0.5*s || near.Pix[i] == 0 {
					local.Pix[i] = 255
				}
				if local.Pix[i] < mask.Level {
					open++
				}
			}
			if half.Empty() {
				continue
			}
			if float64(open) < s*s {
				local = avoid
			}
			done, err := fill.Complete(ctx, b.img, half, fill.Options{Seed: b.req.seed(), Avoid: &local})
			if err != nil {
				return fmt.Errorf("complete what hair hid: %w", err)
			}
			b.img = done
		}
	}
	// What stays ends softly.
	soft := stays.Feather(math.Max(1, s/50))
	eachPixel(b.img, func(x, y int, p []uint8) {
		if i := y*far.W + x; hole.Pix[i] != 0 && stays.Pix[i] <= 200 && soft.Pix[i] > 0 {
			q := before.Pix[before.PixOffset(x, y):]
			blend(p, [3]float64{float64(q[0]), float64(q[1]), float64(q[2])}, float64(soft.Pix[i])/255)
		}
	})
	return nil
}

// shaved takes the hair off but for what the cut leaves: beyond the skull what it hid is completed, on it the skin of the
// forehead goes on in the light of a round head, with stubble. The head that is given is told where its skin is then.
func shaved(ctx context.Context, b *brush, h *head, cut haircut) error {
	f := featuresOf(b.img, h.face)
	hair, grown := hairOn(b.img, *h, f)
	k := skullOf(*h, f, cut)
	if len(b.seg.Faces) > 1 && b.seg.Matte.W > 0 {
		scale := float64(b.img.Rect.Dx()) / float64(b.seg.Matte.W)
		for _, r := range b.seg.Faces[1:] {
			r = r.Inset(-2 * r.Dx() / 3)
			k.not = append(k.not, image.Rect(int(scale*float64(r.Min.X)), int(scale*float64(r.Min.Y)), int(scale*float64(r.Max.X)), int(scale*float64(r.Max.Y))))
		}
	}
	tone := skinTone(b.img, h.face)
	k.not = append(k.not, k.headsBeside(b.img, fitPlane(b.seg.Subject, h.hair.W, h.hair.H), tone)...)
	hidden, far := k.cover()
	if !grown {
		// The head is bald already; stubble may still grow on it.
		if cut.stubble < 0.3 || cut.stays != nil {
			return nil
		}
		hair = [3]float64{0.45 * tone[0], 4, 6}
		whole := fitPlane(b.seg.Matte, hidden.W, hidden.H)
		for y := range hidden.H {
			for x := range hidden.W {
				i, p := y*hidden.W+x, k.at(x, y)
				hidden.Pix[i] = byte255(smooth((-0.85-p.y)/0.25) * smooth((0.97-k.reach(p))/0.2) * float64(whole.Pix[i]))
			}
		}
	} else if err := uncovered(ctx, b, *h, far, k.stays(hidden), f); err != nil {
		return err
	}
	lean := lightLean(b.img, f, k.s, tone)
	base := k.skinField(b, *h, hidden, lean, tone)
	hr, hg, hb := compose.RGB([3]float64{math.Min(hair[0], 0.7*tone[0]), hair[1], hair[2]})
	shadow := [3]float64{float64(hr), float64(hg), float64(hb)}
	n := field{seed: b.v.random.Uint32()}
	s := k.s
	near := compose.Blur(b.img, max(1, int(s/40)))
	// Skin goes on a little into what is certain, so that no rim of hair stays.
	cover := hidden.Grow(math.Max(1, s/8)).Feather(math.Max(1, s/14))
	eachPixel(b.img, func(x, y int, p []uint8) {
		at := k.at(x, y)
		r := k.reach(at)
		// Eyes, brows and mouth stay, but not the shade of hair at the temples.
		guard := f.guarded(float64(x), float64(y)) * (1 - float64(hidden.At(x, y))/255) * (1 - smooth((math.Abs(at.x)-0.84)/0.14))
		share := math.Min(1, 1.3*float64(cover.At(x, y))/255) * (1 - guard) * (1 - smooth((r-0.97)/0.06))
		if i := base.PixOffset(x, y); grown && at.y < -0.28 && share < 1 {
			// A strand that was taken for skin is darker than skin is there.
			brow := -0.42
			if math.Abs(at.x) < 0.2 {
				brow = -0.28
			}
			stray := smooth((lightOf(base.Pix[i:])*k.lit(at, lean)/0.8-lightOf(near.Pix[i:])-8)/14) * smooth((brow-at.y)/0.1)
			share = math.Max(share, stray*(1-smooth((r-0.97)/0.06)))
		}
		share *= 1 - cut.keeps(at, r)
		if share == 0 {
			return
		}
		n0 := y*h.skin.W + x
		h.skin.Pix[n0] = max(h.skin.Pix[n0], byte255(255*share))
		h.hair.Pix[n0] = min(h.hair.Pix[n0], byte255(255*(1-share)))
		lit := k.lit(at, lean) / 0.8
		skin := lit * (1 + 0.03*n.sum(float64(x)/s*7, float64(y)/s*7, 3) + 0.012*n.at(float64(x)/1.6, float64(y)/1.6))
		grow := cut.stubble * (0.6 + 0.4*n.at(float64(x)/math.Max(1.1, s/46), float64(y)/math.Max(1.1, s/46)))
		switch {
		case cut.stays != nil:
			// What is left ends in short hair before the ears.
			grow *= smooth((0.5 - at.y) / 0.4)
		case grown:
			// A hairline is where the forehead begins, and temples stay free.
			grow *= smooth((-0.92-at.y+0.3*math.Abs(at.x))/0.22 + 0.5)
		}
		i := base.PixOffset(x, y)
		var v [3]float64
		for c := range 3 {
			v[c] = float64(base.Pix[i+c]) * skin
			if !grown {
				v[c] = float64(p[c])
			}
			v[c] += grow * (shadow[c]*0.8*lit - v[c])
		}
		blend(p, v, share)
	})
	return nil
}

func asBald(ctx context.Context, b *brush) error {
	return b.shaved(ctx, haircut{stubble: 0.02 * float64(b.req.Item%4)})
}

func asBuzz(ctx context.Context, b *brush) error {
	return b.shaved(ctx, haircut{stubble: 0.5 + 0.09*float64(b.req.Item%4)})
}

// shaved takes the hair off the head of the picture.
func (b *brush) shaved(ctx context.Context, cut haircut) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	return shaved(ctx, b, &h, cut)
}
