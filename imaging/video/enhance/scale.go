package enhance

import (
	"math"

	"atelier/imaging/parallel"
)

// scaler enlarges planes of one size to another.
type scaler struct {
	sw, sh, dw, dh int
	across, down   []taps
	rows           []float32 // sources widened, not yet made higher
	out            []float32
	back           []float32 // what is missing from the source's point of view
	spanX, spanY   []span
	least, most    []float32
}

// taps are the four source pixels a result is made of.
type taps struct {
	at [4]int32
	k  [4]float32
}

// span is which results lie over one source pixel, the outer two by a share.
type span struct {
	from, to    int32 // to is one past the last
	first, last float32
}

func newScaler(sw, sh, dw, dh int) *scaler {
	s := &scaler{sw: sw, sh: sh, dw: dw, dh: dh, across: kernel(sw, dw), down: kernel(sh, dh), rows: make([]float32, dw*sh), out: make([]float32, dw*dh)}
	s.spanX, s.spanY = spans(sw, dw), spans(sh, dh)
	return s
}

// kernel is cubic interpolation (Catmull and Rom).
func kernel(sn, dn int) []taps {
	out := make([]taps, dn)
	for i := range out {
		x := (float64(i)+0.5)*float64(sn)/float64(dn) - 0.5
		x0 := math.Floor(x)
		t := x - x0
		k := [4]float64{
			-0.5*t + t*t - 0.5*t*t*t,
			1 - 2.5*t*t + 1.5*t*t*t,
			0.5*t + 2*t*t - 1.5*t*t*t,
			-0.5*t*t + 0.5*t*t*t,
		}
		for j := range 4 {
			out[i].at[j] = int32(min(sn-1, max(0, int(x0)-1+j)))
			out[i].k[j] = float32(k[j])
		}
	}
	return out
}

func spans(sn, dn int) []span {
	out := make([]span, sn)
	for i := range out {
		a, b := float64(i)*float64(dn)/float64(sn), float64(i+1)*float64(dn)/float64(sn)
		from, to := int(a), min(dn, int(math.Ceil(b-1e-9)))
		out[i] = span{from: int32(from), to: int32(to), first: float32(1 - (a - float64(from))), last: float32(1 - (float64(to) - b))}
	}
	return out
}

// enlarge writes src, enlarged, into dst.
func (s *scaler) enlarge(dst []float32, src []uint8) {
	parallel.Spread(s.sh, 16, func(from, to int) {
		for y := from; y < to; y++ {
			row, out := src[y*s.sw:(y+1)*s.sw], s.rows[y*s.dw:(y+1)*s.dw]
			for x := range out {
				t := &s.across[x]
				out[x] = t.k[0]*float32(row[t.at[0]]) + t.k[1]*float32(row[t.at[1]]) + t.k[2]*float32(row[t.at[2]]) + t.k[3]*float32(row[t.at[3]])
			}
		}
	})
	s.heighten(dst, false)
}

// heighten makes rows as high as the result, in place of dst or added to it.
func (s *scaler) heighten(dst []float32, add bool) {
	parallel.Spread(s.dh, 16, func(from, to int) {
		for y := from; y < to; y++ {
			t := &s.down[y]
			a, b := s.rows[int(t.at[0])*s.dw:][:s.dw], s.rows[int(t.at[1])*s.dw:][:s.dw]
			c, d := s.rows[int(t.at[2])*s.dw:][:s.dw], s.rows[int(t.at[3])*s.dw:][:s.dw]
			out := dst[y*s.dw : (y+1)*s.dw]
			if add {
				for x := range out {
					out[x] += t.k[0]*a[x] + t.k[1]*b[x] + t.k[2]*c[x] + t.k[3]*d[x]
				}
				continue
			}
			for x := range out {
				out[x] = t.k[0]*a[x] + t.k[1]*b[x] + t.k[2]*c[x] + t.k[3]*d[x]
			}
		}
	})
}

// rounds is how often an enlargement is corrected.
const rounds = 2

// backProject corrects dst until it averages back to src (Irani and Peleg, "Improving resolution by image registration",
// 1991), within what the source's neighbours allow, so that edges become steep and get no rings.
func (s *scaler) backProject(dst []float32, src []uint8) {
	if s.back == nil {
		s.back = make([]float32, s.sw*s.sh)
		s.least, s.most = make([]float32, s.sw*s.sh), make([]float32, s.sw*s.sh)
	}
	s.limits(src)
	for range rounds {
		parallel.Spread(s.sh, 8, func(from, to int) {
			for y := from; y < to; y++ {
				for x := range s.sw {
					s.back[y*s.sw+x] = float32(src[y*s.sw+x]) - s.mean(dst, x, y)
				}
			}
		})
		parallel.Spread(s.sh, 16, func(from, to int) {
			for y := from; y < to; y++ {
				row, out := s.back[y*s.sw:(y+1)*s.sw], s.rows[y*s.dw:(y+1)*s.dw]
				for x := range out {
					t := &s.across[x]
					out[x] = t.k[0]*row[t.at[0]] + t.k[1]*row[t.at[1]] + t.k[2]*row[t.at[2]] + t.k[3]*row[t.at[3]]
				}
			}
		})
		s.heighten(dst, true)
	}
	parallel.Spread(s.dh, 16, func(from, to int) {
		for y := from; y < to; y++ {
			sy := y * s.sh / s.dh
			for x := range s.dw {
				i := sy*s.sw + x*s.sw/s.dw
				dst[y*s.dw+x] = min(max(dst[y*s.dw+x], s.least[i]), s.most[i])
			}
		}
	})
}

// mean is the average of the results over one source pixel.
func (s *scaler) mean(p []float32, x, y int) float32 {
	a, b := s.spanX[x], s.spanY[y]
	var sum, weight float32
	for j := b.from; j < b.to; j++ {
		kj := float32(1)
		if j == b.from {
			kj = b.first
		}
		if j == b.to-1 {
			kj -= 1 - b.last
		}
		row := p[int(j)*s.dw:]
		for i := a.from; i < a.to; i++ {
			k := kj
			if i == a.from {
				k *= a.first
			}
			if i == a.to-1 {
				k *= a.last
			}
			sum += k * row[i]
			weight += k
		}
	}
	return sum / weight
}

// limits are the least and most around each source pixel, with some room for detail.
func (s *scaler) limits(src []uint8) {
	parallel.Spread(s.sh, 16, func(from, to int) {
		for y := from; y < to; y++ {
			for x := range s.sw {
				least, most := src[y*s.sw+x], src[y*s.sw+x]
				for yy := max(0, y-1); yy <= min(s.sh-1, y+1); yy++ {
					for xx := max(0, x-1); xx <= min(s.sw-1, x+1); xx++ {
						v := src[yy*s.sw+xx]
						least, most = min(least, v), max(most, v)
					}
				}
				room := 0.12*float32(most-least) + 1
				s.least[y*s.sw+x], s.most[y*s.sw+x] = float32(least)-room, float32(most)+room
			}
		}
	})
}
