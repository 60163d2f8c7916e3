package mask

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// deskSide is the side of the largest picture the mask desk has to keep up with.
const deskSide = 4096

// grainy is a source of soft hills of colour with the noise of a camera.
func grainy(w, h int) Source {
	rng := rand.New(rand.NewPCG(1, 2))
	s := Source{w, h, make([]byte, 4*w*h)}
	across := make([]float64, w)
	for x := range across {
		across[x] = 90 * math.Sin(float64(x)/310)
	}
	for y := range h {
		down := math.Cos(float64(y) / 270)
		for x := range w {
			v := 120 + across[x]*down
			p := s.Pix[4*(y*w+x):]
			noise := int(rng.Uint32() % 13)
			p[0], p[1], p[2], p[3] = uint8(int(v)+noise), uint8(int(v/2)+noise), uint8(int(200-v/2)+noise), 255
		}
	}
	return s
}

// scribble is a plane with thick strokes all over, and specks.
func scribble(w, h int) Plane {
	rng := rand.New(rand.NewPCG(3, 3))
	p := New(w, h)
	fw, fh := float64(w), float64(h)
	for range 60 {
		p.Stroke(rng.Float64()*fw, rng.Float64()*fh, rng.Float64()*fw, rng.Float64()*fh, 40+rng.Float64()*100, 1, false)
	}
	for range 400 {
		x, y := rng.Float64()*fw, rng.Float64()*fh
		p.Stroke(x, y, x, y, 4, 1, rng.IntN(2) == 0)
	}
	return p
}

// BenchmarkMaskDesk measures the work of the mask desk on 16.8 megapixels, and the longest slice of what is done in slices of 8 ms.
func BenchmarkMaskDesk(b *testing.B) {
	src, p := grainy(deskSide, deskSide), scribble(deskSide, deskSide)
	e := NewEditor(deskSide, deskSide)
	if _, err := e.Replace(p); err != nil {
		b.Fatal(err)
	}
	ring := NewEditor(deskSide, deskSide)
	ring.Select(Ellipse(Point{100, 100}, Point{4000, 4000}), Add)
	ring.Select(Ellipse(Point{200, 200}, Point{3900, 3900}), Subtract)
	mustCombine := func(p Plane, op Op) *Job {
		j, err := e.Combining(p, op)
		if err != nil {
			b.Fatal(err)
		}
		return j
	}
	jobs := []struct {
		name string
		job  func() *Job
	}{
		{"wand, connected", func() *Job {
			return src.Wand(Wand{At: image.Pt(2000, 2000), Tolerance: 60, Contiguous: true}).Job
		}},
		{"wand, everywhere", func() *Job { return src.Wand(Wand{At: image.Pt(2000, 2000), Tolerance: 60}).Job }},
		{"bucket", func() *Job { return ring.Plane().Bucket(image.Pt(2000, 2000), false).Job }},
		{"grow 8", func() *Job { return p.Growing(8).Job }},
		{"shrink 40", func() *Job { return p.Shrinking(40).Job }},
		{"feather 20", func() *Job { return p.Feathering(20).Job }},
		{"smooth 12", func() *Job { return p.Smoothing(12).Job }},
		{"drop specks", func() *Job { return p.DroppingSpecks(500).Job }},
		{"fill holes", func() *Job { return p.FillingHoles(500).Job }},
		{"list regions", func() *Job { return p.Listing(50).Job }},
		{"pre-flight", func() *Job { return p.Preflight(deskSide, deskSide, true).Job }},
		{"combine", func() *Job { return mustCombine(ring.Plane(), Add) }},
		{"invert", func() *Job { return e.Inverting() }},
		{"move to another frame", func() *Job { return p.Moved(Alignment{DX: 12, DY: -7, Scale: 1.02}).Job }},
	}
	for _, test := range jobs {
		b.Run(test.name, func(b *testing.B) {
			longest := time.Duration(0)
			for b.Loop() {
				j := test.job()
				for over := false; !over; {
					begin := time.Now()
					over = j.Step(8 * time.Millisecond)
					longest = max(longest, time.Since(begin))
				}
			}
			b.ReportMetric(float64(longest.Microseconds())/1e3, "longest-ms")
		})
	}
	buffer, screen := make([]byte, 4*1024*1024), NewScreen(p)
	look := Look{Fill: color.NRGBA{R: 9, G: 99, B: 90, A: 120}, Side: 8, Line: 1}
	show := func(at Place) func() {
		return func() { screen.Draw(buffer, 1024, image.Rect(0, 0, 1024, 1024), at, look) }
	}
	steps := []struct {
		name string
		run  func()
	}{
		{"stroke of 80 px, one event", func() { e.Begin(); e.Stroke(1000, 1000, 1030, 1020, 40, 1, false) }},
		{"export RGBA", func() { EncodeRGBA(p) }},
		{"export palette", func() { EncodePalette(p) }},
		{"import 256 rows", func() { NewImport(deskSide, 256).Rows(src.Pix[:4*deskSide*256]) }},
		{"show all of it on 1 Mpx", show(Place{Scale: .25})},
		{"show a part of it on 1 Mpx", show(Place{X: -900, Y: -900, Scale: 1})},
		{"show it turned on 1 Mpx", show(Place{X: 400, Scale: .2, Angle: 30})},
		{"follow a change all over, for the screen", func() { screen.Update(p.Rect()) }},
	}
	for _, test := range steps {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				test.run()
			}
		})
	}
	b.Run("a stroke all over, its end", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			e.Begin()
			for i := range 200 {
				x, y := float64(i%20)*200, float64(i/20)*400
				e.Stroke(x, y, x+200, y+30, 40, 0.8, i%2 == 0)
			}
			b.StartTimer()
			e.End()
		}
	})
	b.Run("undo of it", func(b *testing.B) {
		for b.Loop() {
			e.Undo()
			b.StopTimer()
			e.Redo()
			b.StartTimer()
		}
	})
}
