package mask

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// plainLook has no hatch: a line as fine as nothing.
func plainLook(fill color.NRGBA) Look { return Look{Fill: fill, Side: 8, Line: -9} }

func drawn(s *Screen, w, h int, at Place, look Look) func(x, y int) color.NRGBA {
	dst := make([]byte, 4*w*h)
	s.Draw(dst, w, image.Rect(0, 0, w, h), at, look)
	return func(x, y int) color.NRGBA {
		p := dst[4*(y*w+x):]
		return color.NRGBA{p[0], p[1], p[2], p[3]}
	}
}

func TestScreenShowsTheTintWhereTheExportKeeps(t *testing.T) {
	p := New(256, 1)
	for x := range 256 {
		p.Pix[x] = uint8(x)
	}
	s := NewScreen(p)
	fill, under := color.NRGBA{10, 20, 30, 200}, color.NRGBA{0, 0, 0, 255}
	for _, hard := range []bool{false, true} {
		s.Harden(hard)
		kept := drawn(s, 258, 1, Place{X: 1, Scale: 1}, plainLook(fill))
		redrawn := plainLook(fill)
		redrawn.Redraw = true
		rest := drawn(s, 256, 1, Place{Scale: 1}, redrawn)
		alone := plainLook(color.NRGBA{255, 255, 255, 255})
		alone.Under = under
		bw := drawn(s, 256, 1, Place{Scale: 1}, alone)
		for x := range 256 {
			least := uint8(0) // of the tint's opacity
			switch {
			case x < Level:
			case hard || x == 255:
				least = 200
			default:
				least = 100
			}
			got := kept(x+1, 0)
			if got.A < least || (got.A > 0) != (x >= Level) || got.A > 0 && (got.R != 10 || got.G != 20 || got.B != 30) {
				t.Fatalf("hard %v: value %d is shown as %v", hard, x, got)
			}
			if a := int(got.A) + int(rest(x, 0).A); a < 199 || a > 201 {
				t.Fatalf("hard %v: value %d is shown %v when kept is tinted and %v when the rest is", hard, x, got, rest(x, 0))
			}
			if c := bw(x, 0); c.A != 255 || (c.R >= 128) != (x >= Level) || c.R != c.G {
				t.Fatalf("hard %v: value %d is %v with the mask alone", hard, x, c)
			}
		}
		if kept(0, 0).A != 0 || kept(257, 0).A != 0 {
			t.Error("the tint goes on beside the picture")
		}
	}
}

func TestScreenHatchIsOneLineWideAndGoesOnAcrossParts(t *testing.T) {
	p := New(64, 64)
	p.Fill(255)
	s := NewScreen(p)
	s.Update(p.Rect())
	look := Look{Fill: color.NRGBA{0, 0, 0, 255}, Hatch: color.NRGBA{255, 255, 255, 255}, Side: 8, Line: 1}
	at := Place{X: -3, Y: 5, Scale: 1}
	whole := drawn(s, 60, 60, at, look)
	light := 0.0
	for y := 10; y < 18; y++ {
		for x := 10; x < 18; x++ {
			if got, want := whole(x, y), whole(x+1, y-1); got != want {
				t.Fatalf("the line bends at %d,%d: %v then %v", x, y, got, want)
			}
			light += float64(whole(x, y).R) / 255
		}
	}
	if want := 8 * math.Sqrt2; math.Abs(light-want) > 1.5 {
		t.Errorf("a tile of 8 × 8 has %.1f px of line, want %.1f", light, want)
	}
	parts := make([]byte, 4*60*60)
	for _, r := range []image.Rectangle{image.Rect(0, 0, 60, 21), image.Rect(0, 21, 33, 60), image.Rect(33, 21, 60, 60)} {
		s.Draw(parts, 60, r, at, look)
	}
	for i := range 60 * 60 {
		if got, want := (color.NRGBA{parts[4*i], parts[4*i+1], parts[4*i+2], parts[4*i+3]}), whole(i%60, i/60); got != want {
			t.Fatalf("in parts %d,%d is %v, at once %v", i%60, i/60, got, want)
		}
	}
}

// A screen that followed every change shows the same as one that looks at the plane for the first time, at any size and turn.
func TestScreenFollowsWhatChanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	e := NewEditor(333, 401)
	s := NewScreen(e.Plane())
	look := plainLook(color.NRGBA{1, 2, 3, 255})
	for range 40 {
		s.Update(e.Stroke(rng.Float64()*333, rng.Float64()*401, rng.Float64()*333, rng.Float64()*401, 1+rng.Float64()*30, rng.Float64(), rng.IntN(3) == 0))
	}
	fresh := NewScreen(e.Plane())
	fresh.Update(e.Plane().Rect())
	for _, at := range []Place{{Scale: 1}, {X: 7, Y: -9, Scale: .5}, {X: 30, Y: 20, Scale: .12}, {X: 100, Scale: .3, Angle: 33}, {X: -200, Scale: 4}} {
		got, want := drawn(s, 120, 120, at, look), drawn(fresh, 120, 120, at, look)
		covered := 0.0
		for y := range 120 {
			for x := range 120 {
				if got(x, y) != want(x, y) {
					t.Fatalf("%v: %d,%d is %v, want %v", at, x, y, got(x, y), want(x, y))
				}
				covered += float64(got(x, y).A) / 255
			}
		}
		if at.Scale == .12 { // all of the picture is on the screen
			kept := float64(e.Kept()) * .12 * .12
			if math.Abs(covered-kept) > kept/10 { // soft edges are tinted less
				t.Errorf("small, %.0f px are covered, want %.0f", covered, kept)
			}
		}
	}
}

func TestPlaceBoundsHoldEveryPixelOfTheirPart(t *testing.T) {
	p := New(50, 40)
	part := image.Rect(11, 5, 29, 33)
	p.FillRect(part, 255)
	s := NewScreen(p)
	for _, at := range []Place{{X: 3, Y: 4, Scale: 1}, {X: 60, Y: 10, Scale: 1.7, Angle: 70}, {X: 100, Y: 100, Scale: .9, Angle: 200}} {
		get, bounds := drawn(s, 140, 140, at, plainLook(color.NRGBA{1, 1, 1, 255})), at.Bounds(part)
		n := 0
		for y := range 140 {
			for x := range 140 {
				if get(x, y).A > 0 {
					n++
					if !image.Pt(x, y).In(bounds) {
						t.Fatalf("%v: %d,%d is drawn outside of %v", at, x, y, bounds)
					}
				}
			}
		}
		if n == 0 {
			t.Fatalf("%v draws nothing", at)
		}
	}
}
