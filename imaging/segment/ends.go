package segment

import (
	"context"
	"image"
	"math"
	"slices"
)

// How feet are looked for, in face diameters.
const (
	feetFrom   = 5.0 // below the face, for legs that show
	feetAbove  = 0.9 // of the lowest that was found
	feetBelow  = 1.4
	feetAside  = 1.5
	feetNear   = 1.3  // of what was found
	ankle      = 0.6  // at most, between a shoe and a leg
	feetWhole  = 0.35 // of the square of a diameter, for shoes of which hardly a part was found
	groundIn   = 1.7  // from the middle of a person, where the ground is learned
	groundOut  = 4.0  // and up to there
	oddGround  = 0.1  // of the ground, for what is unlike it
	oddWeight  = 1.2  // of how much less likely than that it is
	oddLimit   = 9    // of that
	bootsAbove = 2.0  // of the lowest that was found: boots that only an end was found of
	shoeLong   = 0.6  // beyond a leg
	shoeGap    = 0.5  // between what looks like a shoe above and below it
	seenLeast  = 0.12 // of how likely something is a shoe or a head, from which that counts
	seenWeight = 50
	seenLimit  = 14
)

// addFeet looks once more at where the legs of people end: shoes hardly look like legs, and what is learned of backgrounds is learned of
// the whole picture. What lies close to the legs and unlike the ground to both sides, be that in the sun or in the shade, is theirs, and what
// the forest takes for shoes there, even of the ground's colours.
func (s *scene) addFeet(ctx context.Context, f *finding, people []face, plain bool) error {
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
	ground := func(i int) bool { return f.labels[i] == 0 && within(i, groundIn, groundOut) }
	unlike := k.unlike(ground)
	if unlike == nil {
		return nil
	}
	below := func(i int, above float64) bool {
		return b.down[i] > bottom-above && b.down[i] < bottom+feetBelow && b.across[i] < feetAside
	}
	under := f.columns(k.w, int(shoeLong*size), func(i int) bool { return below(i, bootsAbove) })
	doubt := f.doubt()
	for i, v := range f.seen(feetClass, k.w, k.h, int(shoeGap*size), ground) {
		odd := float32(0)
		if below(i, feetAbove) {
			odd = max(unlike[i], 0) * doubt[i]
		}
		unlike[i] = max(odd, v)
	}
	near := dilate(f.labels, k.w, k.h, feetNear*size)
	labels, more, err := s.oddly(ctx, *f, unlike, func(i int) bool { return near[i] == 1 && below(i, bootsAbove) && under[i%k.w] })
	if err != nil {
		return err
	}
	was := slices.Clone(f.labels)
	f.shoes(labels, more, k.w, k.h, size)
	for i, v := range s.outlinedShoes(f, lowest, float64(size), plain) {
		if v == 1 && f.labels[i] == 0 {
			f.labels[i] = 1
			f.prior[i] += 2 * colourLimit // finer copies keep it
		}
	}
	f.keepOpen(was, k)
	return nil
}

// keepOpen keeps gaps between legs open that reached the frame below before the shoes closed them: they are no holes.
func (f *finding) keepOpen(was []uint8, k *cutter) {
	const against = 4
	outside := make([]bool, len(was))
	for _, p := range pieces(was, k.w, k.h) {
		if p.label == 0 && p.edge {
			for _, i := range p.pixels {
				outside[i] = true
			}
		}
	}
	score := k.score(f.models, f.prior)
	for _, p := range pieces(f.labels, k.w, k.h) {
		if p.label == 1 || p.edge {
			continue
		}
		for _, i := range p.pixels {
			if outside[i] {
				f.prior[i] -= max(0, score[i]+against)
			}
		}
	}
}

// doubt is how little the forest has against each pixel, 0..1: ground between legs is unlike that farther off as well, where it lies in the
// shade.
func (f *finding) doubt() []float32 {
	const none, full = -5, -2 // logits
	out := make([]float32, len(f.labels))
	if f.opinion[background] == nil {
		for i := range out {
			out[i] = 1
		}
		return out
	}
	for i, v := range f.opinion.subject() {
		out[i] = min(max((v-none)/(full-none), 0), 1)
	}
	return out
}

// columns tells for each column of a canvas w pixels wide whether some of the labels that a part has lie at most reach columns away.
func (f *finding) columns(w, reach int, part func(i int) bool) []bool {
	out := make([]bool, w)
	for i, l := range f.labels {
		if l == 1 && part(i) {
			for x := max(0, i%w-reach); x <= min(w-1, i%w+reach); x++ {
				out[x] = true
			}
		}
	}
	return out
}

// seen is how much the forest says for a class, 0 where it says hardly more than of what lies around. Straps and shine hardly look like
// shoes: what lies between two pixels of its column that do, less than gap apart, counts as these do; the ground between two shoes lies
// beside them.
func (f *finding) seen(of class, w, h, gap int, around func(i int) bool) []float32 {
	out := make([]float32, len(f.labels))
	if f.opinion[of] == nil {
		return out
	}
	for i, v := range f.opinion.against(func(c class) bool { return c == of }, nil) {
		out[i] = float32(1 / (1 + math.Exp(-float64(v))))
	}
	out = boxBlur(out, w, h, 1)
	var usual []float32
	for i, v := range out {
		if around(i) {
			usual = append(usual, v)
		}
	}
	from := max(seenLeast, quantile(usual, 1-oddGround/2))
	most := make([]float32, len(out)) // of each pixel and those below it
	for i := range most {
		for n := 0; n < gap && i+n*w < len(out); n++ {
			most[i] = max(most[i], out[i+n*w])
		}
	}
	for i := range out {
		least := most[i]
		for n := 1; n < gap && i-n*w >= 0; n++ {
			least = min(least, most[i-n*w])
		}
		out[i] = min(seenWeight*max(least-from, 0), seenLimit)
	}
	return out
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

// shoes takes the pieces of labels that may be shoes. What is smaller than whole ones, lies at some that were found before and does not
// look like one is shadow, or the gap between two of them; to what lies apart from the legs, the ankle is filled in.
func (f *finding) shoes(labels []uint8, more []float32, w, h int, size float32) {
	var shoe []float32
	if f.opinion[feetClass] != nil {
		shoe = f.opinion.against(func(c class) bool { return c == feetClass }, nil)
	}
	fresh, was, joined := subtract(labels, f.labels), slices.Clone(f.labels), largest(labels, w, h)
	for _, p := range pieces(fresh, w, h) {
		if p.label == 0 {
			continue
		}
		at, shoes, looks := 0, 0, 0
		for _, i := range p.pixels {
			if shoe != nil && shoe[i] > 0 {
				looks++
			}
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
		if 2*shoes > at && 2*looks < len(p.pixels) && float32(len(p.pixels)) < feetWhole*size*size {
			paint(labels, p, 0)
			continue
		}
		if !joined[p.pixels[0]] {
			f.fillAbove(p, was, w, int(ankle*size))
		}
	}
	f.take(labels, more)
}

// largest tells of each pixel whether it belongs to the largest piece of what is kept.
func largest(labels []uint8, w, h int) []bool {
	var most piece
	for _, p := range pieces(labels, w, h) {
		if p.label == 1 && len(p.pixels) > len(most.pixels) {
			most = p
		}
	}
	out := make([]bool, len(labels))
	for _, i := range most.pixels {
		out[i] = true
	}
	return out
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
		round    = 0.62 // where the forest is heard
		in, out  = 0.95, 2.2
		roof     = -1.6
		high     = 0.25
		seenHigh = 0.7  // where the forest sees a head
		curl     = 0.1  // of it that need not look like one
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
	size := float32(people[0].size)
	near, far := dilate(f.labels, k.w, k.h, high*size), dilate(f.labels, k.w, k.h, seenHigh*size)
	for i, v := range f.seen(headClass, k.w, k.h, max(1, int(curl*size)), behind) {
		if near[i] == 0 {
			unlike[i] = 0
		}
		if b.across[i] < round {
			unlike[i] = max(unlike[i], v)
		}
	}
	labels, more, err := s.oddly(ctx, *f, unlike, func(i int) bool {
		return far[i] == 1 && b.down[i] > top && b.down[i] < low && b.across[i] < aside
	})
	if err != nil {
		return err
	}
	f.take(labels, more)
	return nil
}
