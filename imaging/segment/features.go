package segment

import (
	"math"

	"atelier/imaging/net"
)

// features is the number of what is measured of a pixel for the forests.
const features = 40

// stride is the distance in pixels of the coarse canvas between the pixels that are measured.
const stride = 2

// sights is what is measured of a picture: one row of features for each pixel of a grid, row by row.
type sights struct {
	w, h  int
	rows  [][features]float32
	ratio []float32 // for each pixel of the canvas how much its colour speaks for what was seen, as a log-likelihood ratio
}

// The places that the colours of people are learned from.
const (
	ofFace = iota
	ofHair
	ofChest
	ofLegs
	ofPeople
	ofGround
	samplePlaces
)

// see measures the picture.
func (s *scene) see(l look, people []person) sights {
	k := s.cut
	v := sights{w: (k.w + stride - 1) / stride, h: (k.h + stride - 1) / stride}
	v.rows = make([][features]float32, v.w*v.h)
	who, places := s.places(v, people)
	mask := make([]float32, k.w*k.h)
	presence := 0.0
	for _, p := range people {
		presence = max(presence, p.joints.Presence)
		for i, m := range p.mask {
			mask[i] = max(mask[i], m)
		}
	}
	samples := s.samples(v, l, people, who, places)
	v.ratio = k.spreadRatio(samples[ofPeople], samples[ofGround])
	reach := max(2, max(k.w, k.h)/100)
	near, wide := boxBlur(l.chance, k.w, k.h, reach), boxBlur(l.chance, k.w, k.h, 4*reach)
	nearMask := boxBlur(mask, k.w, k.h, reach)
	grain, smooth := boxBlur(k.grain(), k.w, k.h, 2), boxBlur(v.ratio, k.w, k.h, 2)
	spread(v.h, func(lo, hi int) {
		for n := lo * v.w; n < hi*v.w; n++ {
			x, y := n%v.w*stride, n/v.w*stride
			i := y*k.w + x
			bin := k.colours.of[i]
			r, g, b := k.pix[3*i], k.pix[3*i+1], k.pix[3*i+2]
			whole, second, joints := logit32(l.whole[i]), logit32(l.near[i]), logit32(mask[i])
			face, hair, chest, legs := samples[ofFace][bin], samples[ofHair][bin], samples[ofChest][bin], samples[ofLegs][bin]
			at := bodyOf(people, who[n], places[n], float64(x)+0.5, float64(y)+0.5, float64(k.h))
			v.rows[n] = [features]float32{
				whole, second, logit32(near[i]), logit32(wide[i]), joints, logit32(nearMask[i]), float32(presence),
				0.299*r + 0.587*g + 0.114*b, r - g, g - b, grain[i],
				face, hair, chest, legs, samples[ofPeople][bin], samples[ofGround][bin],
				face - chest, chest - legs, hair - chest, v.ratio[i], smooth[i],
				at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10], at[11], at[12],
				abs(float32(x)/float32(k.w) - 0.5), float32(y) / float32(k.h), float32(len(people)),
				whole + second + joints, face - legs,
			}
		}
	})
	return v
}

// logit32 is the logit of a chance, within ±5.3.
func logit32(p float32) float32 {
	const least = 0.005
	p = min(max(p, least), 1-least)
	return float32(math.Log(float64(p / (1 - p))))
}

// logit is the same without bounds.
func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// nowhere stands for a distance that cannot be measured, as without people.
const nowhere = 9

// bodyOf is where a pixel lies on the body it belongs to: the features of a place, then those of the face and of the
// whole body.
func bodyOf(people []person, who int, at place, x, y, height float64) (out [13]float32) {
	if who < 0 {
		return [13]float32{nowhere, nowhere, nowhere, nowhere, 0, 0, nowhere, nowhere, nowhere, nowhere}
	}
	p := &people[who]
	faceAcross, faceDown, faceSize := float32(nowhere), float32(nowhere), float32(0)
	if p.shown {
		faceAcross, faceDown = float32(math.Abs(x-p.face.x)/p.face.size), float32((y-p.face.y)/p.face.size)
		faceSize = float32(p.face.size / height)
	}
	ankle := max(p.joints.At[net.LeftAnkle].Visible, p.joints.At[net.RightAnkle].Visible)
	return [13]float32{
		float32(at.across), float32(at.down), float32(at.off[armLimbs]), float32(at.off[legLimbs]),
		float32(at.along[armLimbs]), float32(at.along[legLimbs]), float32(at.end[armLimbs]), float32(at.end[legLimbs]),
		faceAcross, faceDown, float32(p.trunk / height), float32(ankle), faceSize,
	}
}

// places finds for each measured pixel the person it is nearest to, -1 without any, and where it lies on that body.
func (s *scene) places(v sights, people []person) (who []int, places []place) {
	who, places = make([]int, v.w*v.h), make([]place, v.w*v.h)
	spread(v.h, func(lo, hi int) {
		for n := lo * v.w; n < hi*v.w; n++ {
			who[n] = -1
			nearest := math.Inf(1)
			for i := range people {
				at := people[i].place(float64(n%v.w*stride)+0.5, float64(n/v.w*stride)+0.5)
				if d := at.distance(); d < nearest {
					nearest, who[n], places[n] = d, i, at
				}
			}
		}
	})
	return who, places
}

// samples is for each colour bin how like it is to what the people and the ground show, as log densities.
func (s *scene) samples(v sights, l look, people []person, who []int, places []place) (out [samplePlaces][]float32) {
	k := s.cut
	on := func(in func(p *person, at place, x, y float64) bool) func(i int) float64 {
		return func(i int) float64 {
			n := i/k.w/stride*v.w + i%k.w/stride
			if who[n] < 0 || l.chance[i] < seen {
				return 0
			}
			return flag(in(&people[who[n]], places[n], float64(i%k.w)+0.5, float64(i/k.w)+0.5))
		}
	}
	for n, weight := range [samplePlaces]func(i int) float64{
		ofFace: on(func(p *person, _ place, x, y float64) bool { return p.shown && p.face.inside(x, y) }),
		ofHair: on(func(p *person, _ place, x, y float64) bool {
			across, down := (x-p.face.x)/p.face.size, (y-p.face.y)/p.face.size
			return p.shown && math.Abs(across) < 0.5 && down > -0.9 && down < -0.45
		}),
		ofChest: on(func(_ *person, at place, _, _ float64) bool {
			return at.across < 0.25 && at.down > 0.1 && at.down < 0.8
		}),
		ofLegs: on(func(_ *person, at place, _, _ float64) bool {
			return at.off[legLimbs] < 0.12 && at.along[legLimbs] > 0.2 && at.along[legLimbs] < 1.8
		}),
		ofPeople: l.people,
		ofGround: l.ground,
	} {
		out[n] = k.sample(weight)
	}
	return out
}

// people and ground weigh the pixels that surely show a person, and surely background.
func (l look) people(i int) float64 { return flag(l.chance[i] > 0.8) }
func (l look) ground(i int) float64 { return flag(l.chance[i] < 0.1) }

// likeSeen is for each pixel how much its colour speaks for what was seen.
func (s *scene) likeSeen() []float32 {
	return s.cut.spreadRatio(s.cut.sample(s.looked.people), s.cut.sample(s.looked.ground))
}

// sample is the log density of each colour bin among weighted pixels.
func (k *cutter) sample(weight func(i int) float64) []float32 {
	const (
		wider = 60 // squared levels that colours of one thing may differ by beyond what a sample shows
		least = -25
	)
	out := make([]float32, len(k.colours.mean))
	if m := newMixture(k.colours, k.colours.weigh(weight)); len(m.parts) > 0 {
		out = m.widened(wider).logProb(k.colours)
	} else {
		for i := range out {
			out[i] = least
		}
	}
	for i, d := range out {
		out[i] = max(d, least)
	}
	return out
}

// spreadRatio is for each pixel the log-likelihood ratio of two densities of its colour.
func (k *cutter) spreadRatio(a, b []float32) []float32 {
	out := make([]float32, k.w*k.h)
	for i, n := range k.colours.of {
		out[i] = min(max(a[n]-b[n], -colourLimit), colourLimit)
	}
	return out
}

// grain is the difference of each pixel's luma from its surroundings.
func (c *canvas) grain() []float32 {
	g := c.gray()
	for i, v := range boxBlur(g, c.w, c.h, 1) {
		g[i] = abs(g[i] - v)
	}
	return g
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
