package enhance

import (
	"image"
	"math"
	"slices"
)

// Look is what a film as a whole needs: found once, so that every frame is treated alike.
type Look struct {
	Noise       float64 // standard deviation of the brightness noise, levels
	Black, Gain float64 // brightness v becomes 16 + (v − Black)·Gain; Gain 0 leaves it alone
	Cb, Cr      float64 // added to the colour differences
	Colour      float64 // multiplies them; 0 counts as 1
}

// Plain is the look that changes nothing.
var Plain = Look{Colour: 1}

func (l Look) luma(v int) uint8 {
	if l.Gain == 0 {
		return uint8(v)
	}
	return clip(float32(16 + (float64(v)-l.Black)*l.Gain))
}

// Survey gathers what Look needs over some frames of a film.
type Survey struct {
	light  [256]int
	noise  []float64
	n      float64 // near-grey pixels
	cb, cr float64
	all    float64
	colour float64
}

// Add takes in one frame.
func (s *Survey) Add(img *image.YCbCr) {
	for _, v := range img.Y {
		s.light[v]++
	}
	for i := range img.Cb {
		b, r := float64(img.Cb[i])-128, float64(img.Cr[i])-128
		s.all++
		s.colour += math.Hypot(b, r)
		if math.Hypot(b, r) < 22 {
			s.n++
			s.cb, s.cr = s.cb+b, s.cr+r
		}
	}
	s.noise = append(s.noise, noise(img))
}

// noise is the deviation in the plainest parts of a frame (Immerkær, "Fast noise variance estimation", 1996).
func noise(img *image.YCbCr) float64 {
	const block = 16
	w, h := img.Rect.Dx(), img.Rect.Dy()
	var list []float64
	for y := 1; y+block < h; y += block {
		for x := 1; x+block < w; x += block {
			sum, level := 0, 0
			for j := y; j < y+block; j++ {
				for i := x; i < x+block; i++ {
					at := func(dx, dy int) int { return int(img.Y[(j+dy)*img.YStride+i+dx]) }
					v := at(-1, -1) - 2*at(0, -1) + at(1, -1) - 2*at(-1, 0) + 4*at(0, 0) - 2*at(1, 0) + at(-1, 1) - 2*at(0, 1) + at(1, 1)
					sum += max(v, -v)
					level += at(0, 0)
				}
			}
			// Where the picture is black or white noise is cut off and says nothing.
			if level > 24*block*block && level < 226*block*block {
				list = append(list, math.Sqrt(math.Pi/2)/6*float64(sum)/(block*block))
			}
		}
	}
	if len(list) < 4 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/5]
}

// Look is what the frames so far need: dull light is spread a little, a cast taken back a little. A film that is well
// exposed already is left as it is.
func (s *Survey) Look() Look {
	l := Plain
	if len(s.noise) == 0 {
		return l
	}
	slices.Sort(s.noise)
	l.Noise = s.noise[len(s.noise)/2]
	low, high := s.quantile(0.004), s.quantile(0.996)
	if high-low > 24 {
		// Towards the full range at both ends, by a fifth more contrast at most.
		black, white := math.Max(16, low-14), math.Min(235, high+14)
		if gain := math.Min(1.2, (white-black)/(high-low)); gain > 1.03 {
			// What lies in the middle stays in the middle of where it may go.
			l.Gain, l.Black = gain, (low+high)/2-((black+white)/2-16)/gain
		}
	}
	if s.n > s.all/12 {
		back := func(v float64) float64 { return math.Max(-7, math.Min(7, -0.6*v)) }
		l.Cb, l.Cr = back(s.cb/s.n), back(s.cr/s.n)
		if math.Hypot(l.Cb, l.Cr) < 1 {
			l.Cb, l.Cr = 0, 0
		}
	}
	if mean := s.colour / math.Max(1, s.all); mean > 2 && mean < 16 {
		l.Colour = 1.1
	}
	return l
}

func (s *Survey) quantile(q float64) float64 {
	total := 0
	for _, n := range s.light {
		total += n
	}
	seen := 0
	for v, n := range s.light {
		seen += n
		if float64(seen) > q*float64(total) {
			return float64(v)
		}
	}
	return 255
}
