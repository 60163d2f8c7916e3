package segment

import "context"

// How what people carry is told, in face diameters where nothing else is said. Chosen on photographs of people in streets with known outlines.
const (
	carriedFrom   = 1.0 // below the face
	carriedTo     = 6.5
	carriedReach  = 1.5  // of what was found
	carriedBeside = 0.6  // of that, from which the background is learned
	carriedOut    = 4.0  // and up to there from the middle
	carriedLeast  = 0.07 // of the square of a diameter
	carriedMost   = 2.0
	carriedHeld   = 0.3  // how much the forest says for it
	carriedOdd    = 0.65 // how much it is unlike the background
	carriedLeaves = 0.15 // of its outline, at the border of what is looked at: it goes on behind
	carriedWithin = 0.8  // of its outline, at the person: a gap beside an arm
)

// addCarried looks once more beside people for what they carry: what is unlike the background there, hangs together with them, ends close to them, and
// may be a bag to the forest.
func (s *scene) addCarried(ctx context.Context, f *finding, people []face) error {
	k := s.cut
	if f.opinion[heldClass] == nil {
		return nil
	}
	b := newBodyMap(k, f.labels, people)
	size := float32(people[0].size)
	near, beside := dilate(f.labels, k.w, k.h, carriedReach*size), dilate(f.labels, k.w, k.h, carriedBeside*size)
	for i := range near {
		if b.down[i] < carriedFrom || b.down[i] > carriedTo {
			near[i] = 0
		}
	}
	behind := func(i int) bool {
		return beside[i] == 0 && b.down[i] > carriedFrom && b.down[i] < carriedTo && b.across[i] < carriedOut
	}
	odd := k.unlike(behind)
	if odd == nil {
		return nil
	}
	held := f.seen(heldClass, k.w, k.h, 1, behind)
	more := make([]float32, len(odd))
	for i := range more {
		odd[i] = max(odd[i], 0)
		more[i] = odd[i] + held[i]
	}
	labels, more, err := s.oddly(ctx, *f, more, func(i int) bool { return near[i] == 1 })
	if err != nil {
		return err
	}
	whole := opened(subtract(labels, f.labels), k.w, k.h)
	carried := make([]uint8, len(labels))
	for _, p := range pieces(whole, k.w, k.h) {
		area := float32(len(p.pixels)) / (size * size)
		if p.label == 0 || area <= carriedLeast || area >= carriedMost || p.mean(held) <= carriedHeld || p.mean(odd) <= carriedOdd {
			continue
		}
		if leaves, within := s.rimShares(p, f.labels, near); leaves < carriedLeaves && within < carriedWithin {
			paint(carried, p, 1)
		}
	}
	for i := range more {
		more[i] += 2 * colourLimit // finer copies keep it
	}
	f.take(carried, more)
	return nil
}

// rimShares is how much of a piece's outline lies at the border of what is near people, and how much at the people themselves.
func (s *scene) rimShares(p piece, person, near []uint8) (leaves, within float64) {
	w, h := s.cut.w, s.cut.h
	in := make([]bool, w*h)
	for _, i := range p.pixels {
		in[i] = true
	}
	rim := 0.0
	for _, i := range p.pixels {
		x, y := int(i)%w, int(i)/w
		for _, d := range [4][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			u, v := x+d[0], y+d[1]
			beyond := u < 0 || v < 0 || u >= w || v >= h
			if !beyond && in[v*w+u] {
				continue
			}
			rim++
			switch {
			case beyond || near[v*w+u] == 0:
				leaves++
			case person[v*w+u] == 1:
				within++
			}
		}
	}
	return leaves / rim, within / rim
}

// opened is labels without what is hardly wider than a line.
func opened(labels []uint8, w, h int) []uint8 {
	out := dilate(dilate(labels, w, h, -1), w, h, 1.4)
	for i, l := range labels {
		out[i] &= l
	}
	return out
}

// mean is the mean of a field over a piece.
func (p piece) mean(field []float32) float32 {
	var sum float32
	for _, i := range p.pixels {
		sum += field[i]
	}
	return sum / float32(len(p.pixels))
}
