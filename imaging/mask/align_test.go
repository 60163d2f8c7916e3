package mask

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// scene draws blocks of colour as they lie after an alignment.
func scene(w, h int, a Alignment) Source {
	rng := rand.New(rand.NewPCG(4, 4))
	s := Source{w, h, make([]byte, 4*w*h)}
	type block struct {
		x, y, w, h float64
		c          uint8
	}
	var blocks []block
	for range 40 {
		blocks = append(blocks, block{rng.Float64()*1.6 - 0.3, rng.Float64()*1.6 - 0.3, 0.03 + rng.Float64()*0.2, 0.03 + rng.Float64()*0.2, uint8(rng.IntN(256))})
	}
	side := float64(max(w, h))
	for y := range h {
		for x := range w {
			// Back from the second picture to the first one.
			u := ((float64(x) + 0.5 - float64(w)/2 - a.DX) / a.Scale) + float64(w)/2
			v := ((float64(y) + 0.5 - float64(h)/2 - a.DY) / a.Scale) + float64(h)/2
			c := uint8(90)
			for _, b := range blocks {
				if u >= b.x*side && u < (b.x+b.w)*side && v >= b.y*side && v < (b.y+b.h)*side {
					c = b.c
				}
			}
			p := s.Pix[4*(y*w+x):]
			p[0], p[1], p[2], p[3] = c, c, c/2, 255
		}
	}
	return s
}

func TestAlignmentFindsShiftAndScale(t *testing.T) {
	const w, h = 256, 192
	from := NewSketch(10*w, 10*h, scene(w, h, Alignment{Scale: 1}))
	tests := []struct {
		name string
		a    Alignment // in pixels of the sketch
	}{
		{"the same place", Alignment{Scale: 1}},
		{"shifted", Alignment{DX: 17, DY: -9, Scale: 1}},
		{"closer", Alignment{Scale: 1.12}},
		{"shifted and further away", Alignment{DX: -12, DY: 6, Scale: 0.9}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			j := Align(from, NewSketch(10*w, 10*h, scene(w, h, test.a)))
			for !j.Step(time.Millisecond) {
			}
			got := j.Alignment()
			if math.Abs(got.DX-10*test.a.DX) > 12 || math.Abs(got.DY-10*test.a.DY) > 12 || math.Abs(got.Scale-test.a.Scale) > 0.01 || got.Confidence < 0.5 {
				t.Errorf("found %+v, want %+v in tens of pixels", got, test.a)
			}
		})
	}
	t.Run("another picture", func(t *testing.T) {
		j := Align(from, NewSketch(10*w, 10*h, grainy(w, h)))
		j.Step(0)
		if got := j.Alignment(); got.Confidence >= 0.5 {
			t.Errorf("found %+v in a picture of something else", got)
		}
	})
	t.Run("another size", func(t *testing.T) {
		j := Align(from, NewSketch(10*h, 10*w, scene(h, w, Alignment{Scale: 1})))
		j.Step(0)
		if got := j.Alignment(); got != (Alignment{Scale: 1}) {
			t.Errorf("found %+v", got)
		}
	})
}

func TestMovedMaskLiesWhereTheAlignmentSays(t *testing.T) {
	p := New(400, 300)
	p.FillRect(image.Rect(180, 130, 220, 170), 255) // around the middle
	got := p.Moved(Alignment{DX: 50, DY: -40, Scale: 1.5}).Run()
	got.Threshold(Level)
	if want := image.Rect(220, 80, 280, 140); got.Bounds() != want || got.count() != want.Dx()*want.Dy() {
		t.Errorf("moved to %v, %d pixels, want %v", got.Bounds(), got.count(), want)
	}
	if !p.Moved(Alignment{Scale: 1}).Run().Equal(p) {
		t.Error("moved by nothing, the mask differs")
	}
	if !p.Moved(Alignment{}).Run().Empty() {
		t.Error("scaled to nothing, something is left")
	}
}

func TestFittedPartsAreThoseOfTheWhole(t *testing.T) {
	p := blots(83, 61, 5)
	whole := p.Fitted(300, 200).Run()
	for _, r := range []image.Rectangle{whole.Rect(), image.Rect(17, 40, 133, 200), image.Rect(299, 0, 300, 1)} {
		if got, want := p.FittedPart(300, 200, r).Run(), whole.crop(r); !got.Equal(want) {
			t.Errorf("part %v differs in %v", r, difference(got, want))
		}
	}
	if !p.Fitted(83, 61).Run().Equal(p) {
		t.Error("fitted to its own size, the plane differs")
	}
}
