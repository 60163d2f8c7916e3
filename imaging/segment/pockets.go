package segment

import "math"

// openPockets takes out of a cut what is background for certain although the cut goes all around it: between a hand and a face, an
// arm and a hip. It does so before a plain background alone, one that a smooth surface explains, for there a colour tells; and only
// what lies clearly apart from all around it and is little of the subject, whose clothes may be as white as the wall. Parts of people
// are told by more than colour: they are left alone.
func (s *scene) openPockets(f *finding) {
	const (
		explained = 0.85 // of the background, for a plain one
		plainTo   = 16.0 // levels a plain background is off its surface, at most
		most      = 0.06 // of the subject
		least     = 5000 // the smallest pocket is that part of the picture
		clear     = 45   // levels between a pocket and what lies around it
	)
	k := s.cut.canvas
	w, h := k.w, k.h
	flat := flattened(k)
	off := make([]float32, w*h)
	var outside []float32
	inside := 0
	for i := range off {
		for c := range 3 {
			d := flat.pix[3*i+c] - 128
			off[i] += d * d
		}
		off[i] = sqrt32(off[i])
		if f.labels[i] == 0 {
			outside = append(outside, off[i])
		} else {
			inside++
		}
	}
	usual := quantile(outside, explained)
	if len(outside) == 0 || usual > plainTo || s.likeSkin(f.labels) {
		return
	}
	limit := max(9, 1.5*usual)
	like, n := make([]uint8, w*h), 0
	for i, l := range f.labels {
		if l == 1 && off[i] < limit {
			like[i] = 1
			n++
		}
	}
	if n == 0 || float64(n) > most*float64(inside) {
		return
	}
	for _, p := range pieces(like, w, h) {
		if p.label == 0 || len(p.pixels) < max(6, w*h/least) || s.rimOf(p, like, f.labels) < clear {
			continue
		}
		for _, i := range p.pixels {
			f.labels[i], f.chance[i] = 0, 0
			f.prior[i] -= 2 * colourLimit // finer copies keep it
		}
	}
}

// likeSkin tells whether the background of a cut has about the colour of somebody's face: then a neck would pass for a gap.
func (s *scene) likeSkin(labels []uint8) bool {
	const apart = 60 // levels
	var behind, skin [3]float64
	n, m := 1e-9, 1e-9
	for i, l := range labels {
		p := s.cut.pix[3*i : 3*i+3]
		inFace := false
		for _, f := range s.people {
			inFace = inFace || f.inside(float64(i%s.cut.w)+0.5, float64(i/s.cut.w)+0.5)
		}
		for c, v := range p {
			switch {
			case l == 0:
				behind[c] += float64(v)
			case inFace:
				skin[c] += float64(v)
			}
		}
		switch {
		case l == 0:
			n++
		case inFace:
			m++
		}
	}
	d := 0.0
	for c := range 3 {
		d += (behind[c]/n - skin[c]/m) * (behind[c]/n - skin[c]/m)
	}
	return math.Sqrt(d) < apart
}

// rimOf is how far the colour of a piece is from that of what is kept around it, beyond the pixels that mix both; 0 where
// it lies nearly all open.
func (s *scene) rimOf(p piece, like, labels []uint8) float32 {
	const near, far = 2, 4
	w, h := s.cut.w, s.cut.h
	own := s.cut.meanOf(p.pixels)
	var around [3]float64
	n, open, seen := 1e-9, 0.0, map[int]bool{}
	for _, i := range p.pixels {
		x, y := int(i)%w, int(i)/w
		for dy := -far; dy <= far; dy++ {
			for dx := -far; dx <= far; dx++ {
				if dx*dx+dy*dy < near*near || dx*dx+dy*dy > far*far || x+dx < 0 || y+dy < 0 || x+dx >= w || y+dy >= h {
					continue
				}
				j := (y+dy)*w + x + dx
				if seen[j] || like[j] == 1 {
					continue
				}
				seen[j] = true
				if labels[j] == 0 {
					open++
					continue
				}
				n++
				for c := range 3 {
					around[c] += float64(s.cut.pix[3*j+c])
				}
			}
		}
	}
	if 4*n < open {
		return 0 // hardly a part of what is kept
	}
	d := 0.0
	for c := range 3 {
		d += (around[c]/n - own[c]) * (around[c]/n - own[c])
	}
	return float32(math.Sqrt(d))
}
