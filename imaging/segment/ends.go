package segment

import (
	"context"
	"image"
	"slices"
)

// How feet are looked for, in face diameters.
const (
	feetFrom  = 5.0 // below the face, for legs that show
	feetAbove = 0.9 // of the lowest that was found
	feetBelow = 1.4
	feetAside = 1.5
	feetNear  = 1.3  // of what was found
	ankle     = 0.6  // at most, between a shoe and a leg
	feetWhole = 0.35 // of the square of a diameter, for shoes of which hardly a part was found
	groundIn  = 1.7  // from the middle of a person, where the ground is learned
	groundOut = 4.0  // and up to there
	oddGround = 0.1  // of the ground, for what is unlike it
	oddWeight = 1.2  // of how much less likely than that it is
	oddLimit  = 9    // of that
)

// addFeet looks once more at where the legs of people end: shoes hardly look like legs, and what is learned of backgrounds is learned of
// the whole picture. What lies close to the legs and unlike the ground to both sides, be that in the sun or in the shade, is theirs.
func (s *scene) addFeet(ctx context.Context, f *finding, people []face) error {
	k := s.cut
	b := newBodyMap(k, f.labels, people)
	bottom, lowest, size := 0.0, 0, float32(0)
	for i, l := range f.labels {
		if l == 1 && b.across[i] < feetAside && b.down[i] > bottom {
			bottom, lowest, size = b.down[i], i/k.w, b.size[i]
		}
	}
	if bottom < feetFrom || lowest >= k.h-2 {
		return nil
	}
	within := func(i int, from, to float64) bool {
		return b.down[i] > bottom-feetAbove && b.down[i] < bottom+feetBelow && b.across[i] >= from && b.across[i] < to
	}
	unlike := k.unlike(func(i int) bool { return f.labels[i] == 0 && within(i, groundIn, groundOut) })
	if unlike == nil {
		return nil
	}
	near := dilate(f.labels, k.w, k.h, feetNear*size)
	labels, more, err := s.oddly(ctx, *f, unlike, func(i int) bool { return near[i] == 1 && within(i, 0, feetAside) })
	if err != nil {
		return err
	}
	f.shoes(labels, more, k.w, k.h, size)
	return nil
}

// oddly cuts again within a part, where what is unlike what lies around counts for the subject: labels that have at least as much as before,
// and what was added to the evidence.
func (s *scene) oddly(ctx context.Context, f finding, unlike []float32, part func(i int) bool) (labels []uint8, more []float32, err error) {
	score := s.cut.score(f.models, f.prior)
	more = make([]float32, len(f.labels))
	open := make([]uint8, len(f.labels))
	for i, l := range f.labels {
		open[i] = l
		if part(i) {
			open[i] = 2
			more[i] = max(unlike[i], 0)
			score[i] += more[i]
		}
	}
	if labels, err = s.cut.cut(ctx, score, open); err != nil {
		return nil, nil, err
	}
	return union(labels, f.labels), more, nil
}

// take adds labels to a finding, with the evidence for them, so that finer copies keep them.
func (f *finding) take(labels []uint8, more []float32) {
	for i, l := range labels {
		if l == 1 && f.labels[i] == 0 {
			f.labels[i] = 1
			f.prior[i] += more[i]
		}
	}
}

// shoes takes the pieces of labels that may be shoes. What is smaller than whole ones and lies at some that were found before is shadow, or
// the gap between two of them; to what lies apart from the legs, the ankle is filled in.
func (f *finding) shoes(labels []uint8, more []float32, w, h int, size float32) {
	var shoe []float32
	if f.opinion[feetClass] != nil {
		shoe = f.opinion.against(func(c class) bool { return c == feetClass }, nil)
	}
	fresh, was := subtract(labels, f.labels), slices.Clone(f.labels)
	for _, p := range pieces(fresh, w, h) {
		if p.label == 0 {
			continue
		}
		at, shoes := 0, 0
		for _, i := range p.pixels {
			x, y := int(i)%w, int(i)/w
			for _, n := range [4]image.Point{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if j := n.Y*w + n.X; n.X >= 0 && n.Y >= 0 && n.X < w && n.Y < h && was[j] == 1 {
					at++
					if shoe != nil && shoe[j] > 0 {
						shoes++
					}
				}
			}
		}
		if 2*shoes > at && float32(len(p.pixels)) < feetWhole*size*size {
			paint(labels, p, 0)
			continue
		}
		if at == 0 {
			f.fillAbove(p, was, w, int(ankle*size))
		}
	}
	f.take(labels, more)
}

// fillAbove fills the columns between a piece and what lies above it, at most reach pixels away: a bare ankle between trousers and a shoe.
func (f *finding) fillAbove(p piece, was []uint8, w, reach int) {
	top := map[int]int{} // row of each column
	for _, i := range p.pixels {
		x, y := int(i)%w, int(i)/w
		if row, ok := top[x]; !ok || y < row {
			top[x] = y
		}
	}
	for x, y := range top {
		for up := 1; up <= reach && up <= y; up++ {
			if was[(y-up)*w+x] == 0 {
				continue
			}
			for n := 1; n < up; n++ {
				i := (y-n)*w + x
				f.labels[i] = 1
				f.prior[i] += 2 * colourLimit // finer copies keep it
			}
			break
		}
	}
}

// unlike is how much less likely each pixel is, in the sun or in the shade, than most of a ground that is told by some of its pixels; nil
// where these are few.
func (k *cutter) unlike(ground func(i int) bool) []float32 {
	const few = 50
	weights := k.colours.weigh(func(i int) float64 { return flag(ground(i)) })
	m := newMixture(k.colours, weights)
	if len(m.parts) == 0 {
		return nil
	}
	m = m.widened(30)
	likely := m.logProb(k.colours)
	lit := palette{mean: make([][3]float64, len(likely))}
	for _, light := range []float64{1.25, 1.6, 2.1, 2.8} {
		for i, c := range k.colours.mean {
			for n, v := range c {
				lit.mean[i][n] = min(light*v, 255)
			}
		}
		for i, v := range m.logProb(&lit) {
			likely[i] = max(likely[i], v)
		}
	}
	var usual []float32
	for i, bin := range k.colours.of {
		if ground(i) {
			usual = append(usual, likely[bin])
		}
	}
	if len(usual) < few {
		return nil
	}
	least := quantile(usual, oddGround)
	out := make([]float32, len(k.colours.of))
	for i, bin := range k.colours.of {
		out[i] = min(max(oddWeight*(least-likely[bin]), -oddLimit), oddLimit)
	}
	return boxBlur(out, k.w, k.h, 1)
}

// addCrowns looks once more at the tops of heads that were seen: hair is often as dark as something in the background, but seldom as what
// lies right beside it.
func (s *scene) addCrowns(ctx context.Context, f *finding, people []face) error {
	const (
		top, low = -1.25, -0.1 // from the middle of a face, in its diameters
		aside    = 0.75
		in, out  = 0.95, 2.2
		roof     = -1.6
		high     = 0.25
		portrait = 0.15 // of the height: so large a head is not lost
	)
	k := s.cut
	if people[0].guessed || people[0].size > portrait*float64(k.h) {
		return nil
	}
	b := newBodyMap(k, f.labels, people)
	behind := func(i int) bool {
		return f.labels[i] == 0 && b.down[i] > roof && b.down[i] < low && b.across[i] > in && b.across[i] < out
	}
	unlike := k.unlike(behind)
	if unlike == nil {
		return nil
	}
	near := dilate(f.labels, k.w, k.h, high*float32(people[0].size))
	labels, more, err := s.oddly(ctx, *f, unlike, func(i int) bool {
		return near[i] == 1 && b.down[i] > top && b.down[i] < low && b.across[i] < aside
	})
	if err != nil {
		return err
	}
	f.take(labels, more)
	return nil
}
