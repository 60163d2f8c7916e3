package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// head is what is known about the head in a picture: where the face is, and which pixels are skin and which hair.
type head struct {
	face image.Rectangle
	skin mask.Plane
	hair mask.Plane
	ok   bool
}

// hues counts the colours of something: how often each occurs, a little blurred, as a share of all.
type hues struct {
	share []float32
	n     float64
}

const (
	huesL, huesAB = 26, 18 // bins of 4 Lab steps
	huesLow       = -32.0  // of a and b
)

func bin(lab [3]float64) int {
	step := func(v float64, n int) int { return max(0, min(n-1, int(v/4))) }
	// Of blacks only that they are black counts.
	return (step(math.Max(14, lab[0]), huesL)*huesAB+step(lab[1]-huesLow, huesAB))*huesAB + step(lab[2]-huesLow, huesAB)
}

// counted are the hues of what add is called for.
func counted(each func(add func(lab [3]float64, weight float64))) hues {
	p := hues{share: make([]float32, huesL*huesAB*huesAB)}
	each(func(lab [3]float64, weight float64) {
		p.share[bin(lab)] += float32(weight)
		p.n += weight
	})
	strides := [3]int{huesAB * huesAB, huesAB, 1}
	sides := [3]int{huesL, huesAB, huesAB}
	for axis, stride := range strides {
		next := make([]float32, len(p.share))
		for i, v := range p.share {
			at := i / stride % sides[axis]
			next[i] += 0.5 * v
			next[i-stride*min(1, at)] += 0.25 * v
			next[i+stride*min(1, sides[axis]-1-at)] += 0.25 * v
		}
		p.share = next
	}
	for i := range p.share {
		p.share[i] /= float32(math.Max(1, p.n))
	}
	return p
}

// against is how much more likely a colour is one of p's than one of q's: a natural logarithm within ±4.
func (p hues) against(q hues, lab [3]float64) float64 {
	const rare = 2e-4
	i := bin(lab)
	return math.Max(-4, math.Min(4, math.Log((float64(p.share[i])+rare)/(float64(q.share[i])+rare))))
}

// headIn divides the head region that was found into skin and hair, by what the middle of this face and the rim of this
// head are like, and lets long hair go on beyond the region. img may be smaller than the picture the region was found in.
func headIn(img *image.NRGBA, seg Segmentation) head {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if len(seg.Faces) == 0 || seg.Matte.W == 0 {
		return head{}
	}
	k := float64(w) / float64(seg.Matte.W)
	f := seg.Faces[0]
	out := head{face: image.Rect(int(k*float64(f.Min.X)), int(k*float64(f.Min.Y)), int(k*float64(f.Max.X)), int(k*float64(f.Max.Y))), ok: true}
	out.skin, out.hair = mask.New(w, h), mask.New(w, h)
	shade := mask.New(w, h)
	at := featuresOf(img, out.face)
	tone := skinTone(img, out.face)
	region := mask.New(w, h)
	for y := range h {
		sy := min(seg.Matte.H-1, int(float64(y)/k))
		for x := range w {
			sx := min(seg.Matte.W-1, int(float64(x)/k))
			if a := seg.Matte.At(sx, sy); a >= 24 && (a >= 96 || seg.Mask.At(sx, sy) >= mask.Level) {
				region.Pix[y*w+x] = a
			}
		}
	}
	labAt := func(i int) [3]float64 { return compose.Lab(img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2]) }
	skin := counted(func(add func([3]float64, float64)) {
		for i, a := range region.Pix {
			if p := at.below(spot{float64(i % w), float64(i / w)}); a > 128 && ovalReach(p) < 0.72 && p.y > -0.75 {
				lab := labAt(i)
				add(lab, likeSkin(lab, tone))
			}
		}
	})
	hair := counted(func(add func([3]float64, float64)) {
		for i, a := range region.Pix {
			if p := at.below(spot{float64(i % w), float64(i / w)}); a > 128 && ovalReach(p) > 1.12 && (p.y < 0.2 || math.Abs(p.x) > 1.15) {
				lab := labAt(i)
				add(lab, 1-likeSkin(lab, tone))
			}
		}
	})
	s := at.span()
	bald := hair.n < 0.2*s*s
	backdrop := counted(func(add func([3]float64, float64)) {
		subject := fitPlane(seg.Subject, w, h)
		for i, v := range subject.Pix {
			if p := at.below(spot{float64(i % w), float64(i / w)}); v < mask.Level && region.Pix[i] == 0 && math.Abs(p.x) < 3 && math.Abs(p.y) < 3 {
				add(labAt(i), 1)
			}
		}
	})
	crown, most := 0.0, 0.0 // how light the hair on top is
	for i, a := range region.Pix {
		if p := at.below(spot{float64(i % w), float64(i / w)}); a > 128 && p.y < -1.15 && math.Abs(p.x) < 1.1 {
			crown, most = crown+labAt(i)[0], most+1
		}
	}
	crown /= math.Max(1, most)
	parallelRows(h, func(y int) {
		for x := range w {
			i := y*w + x
			a := region.Pix[i]
			if a == 0 {
				continue
			}
			lab, p := labAt(i), at.below(spot{float64(x), float64(y)})
			r := ovalReach(p)
			like := likeSkin(lab, tone)
			if !bald {
				sure := 0.5*skin.against(hair, lab) + math.Max(-1.2, math.Min(1.2, 2.4*(1-r))) + 0.8*(like-0.5)
				like = smooth(0.5 + 0.5*sure)
			}
			// Lips, eyes, brows and shadows of the inner face count as skin, so that a tint leaves no holes.
			if p.y > -0.5 {
				like = math.Max(like, 1-smooth((r-0.72)/0.2))
			}
			out.skin.Pix[i] = byte255(like * float64(a))
			if p.y > 0.85 && p.y < 2.1 && math.Abs(p.x) < 0.85 {
				// A beard, or shade below the chin; beside the neck it may be hair that hangs.
				if beside := smooth((math.Abs(p.x) - 0.85 + 0.32*smooth((p.y-1.05)/0.3)) / 0.06); beside > 0 {
					shade.Pix[i] = byte255((1 - like) * float64(a) * beside)
				}
				continue
			}
			// What is like the wall rather than like the hair on top was taken for hair by mistake.
			wall := smooth((math.Abs(lab[0]-crown)-22)/12) * smooth((math.Abs(p.x)-1.2)/0.2) * smooth(0.5-hair.against(backdrop, lab))
			out.hair.Pix[i] = byte255((1 - like) * float64(a) * (1 - wall))
		}
	})
	if hangsLong(out, at) {
		for i, v := range shade.Pix {
			out.hair.Pix[i] = max(out.hair.Pix[i], v)
			out.skin.Pix[i] = min(out.skin.Pix[i], 255-v)
		}
	}
	if !bald {
		out.fall(img, region, seg.Subject, hair, at)
	}
	soft := float64(max(1, out.face.Dx()/60))
	out.skin, out.hair = out.skin.Feather(soft), out.hair.Feather(soft)
	return out
}

// ovalReach is how far out of a face a place lies, 1 on its outline, given as features.below tells it.
func ovalReach(p spot) float64 { return math.Hypot(p.x/1.1, (p.y-0.38)/1.52) }

// fall lets hair go on beyond the region of the head, over what of the person is more like it than like the rest of them
// and hangs together with it.
func (h *head) fall(img *image.NRGBA, region, subject mask.Plane, hair hues, at features) {
	const (
		aside, low = 3.0, 7.0 // how far it may reach, in spans
		surer      = 0.1      // how much more like hair than like clothes it has to be
	)
	w := region.W
	subject = fitPlane(subject, w, region.H)
	s := math.Max(1, at.span())
	near := func(i int) (spot, bool) {
		p := at.below(spot{float64(i % w), float64(i / w)})
		return p, p.y > -1 && p.y < low && math.Abs(p.x) < aside
	}
	labAt := func(i int) [3]float64 { return compose.Lab(img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2]) }
	fallen := mask.New(w, region.H)
	for range 3 { // what fell before is not counted among the clothes again
		clothes := counted(func(add func([3]float64, float64)) {
			for i, v := range subject.Pix {
				if p, in := near(i); in && v >= mask.Level && region.Pix[i] < 24 && fallen.Pix[i] == 0 {
					// Hair falls to the sides; what lies below the chin is neck and clothes.
					add(labAt(i), 0.15+0.85*smooth((1.2-math.Abs(p.x))/0.5))
				}
			}
		})
		if clothes.n < s*s/4 {
			break
		}
		open := mask.New(w, region.H)
		parallelRows(region.H, func(y int) {
			for x := range w {
				i := y*w + x
				if subject.Pix[i] < mask.Level || region.Pix[i] >= 128 {
					continue
				}
				if _, in := near(i); in && hair.against(clothes, labAt(i)) > surer {
					open.Pix[i] = 255
				}
			}
		})
		// Single strands that shine do not end what falls, and single threads do not begin it.
		open = open.Feather(s / 20)
		open.Threshold(mask.Level)
		fallen = reachedFrom(open, h.hair)
	}
	soft := fallen.Feather(s / 30)
	for i, v := range soft.Pix {
		h.hair.Pix[i] = max(h.hair.Pix[i], min(v, 255-h.skin.Pix[i]))
	}
}

// reachedFrom is the part of open that hangs together with what is painted of from.
func reachedFrom(open, from mask.Plane) mask.Plane {
	out := mask.New(open.W, open.H)
	var queue []int
	for i, v := range from.Pix {
		if v > 150 {
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, step := range [4]int{-1, 1, -open.W, open.W} {
			n := i + step
			if n < 0 || n >= len(open.Pix) || open.Pix[n] == 0 || out.Pix[n] != 0 || step*step == 1 && n/open.W != i/open.W {
				continue
			}
			out.Pix[n] = 255
			queue = append(queue, n)
		}
	}
	return out
}

// hangsLong tells whether hair hangs beside or below the chin.
func hangsLong(h head, f features) bool {
	s := f.span()
	from, to := f.at(0, 1.0).y, f.at(0, 2.2).y
	n := 0.0
	for y := max(0, int(from)); y < min(h.hair.H, int(to)); y++ {
		for x := max(0, int(f.mouth.x-2.4*s)); x < min(h.hair.W, int(f.mouth.x+2.4*s)); x++ {
			if h.hair.Pix[y*h.hair.W+x] > 150 && math.Abs(float64(x)-f.mouth.x) > 0.75*s {
				n++
			}
		}
	}
	return n > 0.35*s*s
}

// hairOn is the Lab tone of the hair on a head, above the brows; ok is false when there is next to none: what was taken for
// hair is skin in other light.
func hairOn(img *image.NRGBA, h head, f features) (tone [3]float64, ok bool) {
	s := math.Max(1, f.span())
	skin := skinTone(img, h.face)
	top, brow := f.at(0, -2.4).y, f.at(0, -0.6).y
	// A forehead in the sun is as unlike the skin as hair is, so that what lies beyond the face tells where it is enough.
	var all, beyond struct {
		n    float64
		tone [3]float64
	}
	for y := max(0, int(top)); y < min(h.hair.H, int(brow)); y++ {
		for x := max(0, int(f.mouth.x-1.5*s)); x < min(h.hair.W, int(f.mouth.x+1.5*s)); x++ {
			if h.hair.Pix[y*h.hair.W+x] < 150 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			dx, dy := (float64(x)-f.at(0, 0).x)/(1.3*s), (float64(y)-f.at(0, 0).y)/(2.1*s)
			if hairlike(lab, skin) < 0.65 || dx*dx+dy*dy > 1 {
				continue // skin, or what lies beyond the head
			}
			all.n++
			for k, v := range lab {
				all.tone[k] += v
			}
			if ovalReach(f.below(spot{float64(x), float64(y)})) < 1.1 {
				continue
			}
			beyond.n++
			for k, v := range lab {
				beyond.tone[k] += v
			}
		}
	}
	enough := 0.3 * s * s
	if all.n < enough {
		return tone, false
	}
	if beyond.n >= enough {
		all = beyond
	}
	for k, v := range all.tone {
		tone[k] = v / all.n
	}
	return tone, true
}

// hairlike is how much a colour may be hair rather than skin of a tone. Fair hair may come close to fair skin; on dark skin
// shine is no hair.
func hairlike(lab, skin [3]float64) float64 {
	if skin[0] > 58 {
		return smooth((math.Hypot(lab[0]-skin[0], math.Hypot(lab[1]-skin[1], lab[2]-skin[2])) - 4) / 6)
	}
	if lab[0] > skin[0]+4 {
		return 0.1
	}
	return 1 - 0.9*likeSkin(lab, skin)
}

// hairTone is the colour of a head's hair, dark brown when it has none.
func hairTone(img *image.NRGBA, h head, f features) [3]float64 {
	lab, ok := hairOn(img, h, f)
	if !ok {
		return [3]float64{62, 44, 36}
	}
	r, g, b := compose.RGB([3]float64{math.Min(lab[0], 62), lab[1], lab[2]})
	return [3]float64{float64(r), float64(g), float64(b)}
}
