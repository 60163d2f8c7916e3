package mask

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// decodeKept reads a mask PNG with the standard library: opaque is kept.
func decodeKept(t testing.TB, data []byte) (Plane, image.Image) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("png.Decode: %v", err)
	}
	b := img.Bounds()
	p := New(b.Dx(), b.Dy())
	for y := range p.H {
		for x := range p.W {
			if _, _, _, a := img.At(x, y).RGBA(); a == 0xffff {
				p.Set(x, y, 255)
			} else if a != 0 {
				t.Fatalf("pixel %d,%d has alpha %#x, want 0 or ffff", x, y, a)
			}
		}
	}
	return p, img
}

// hard is the plane as an export shows it.
func hard(p Plane) Plane {
	q := p.Clone()
	q.Threshold(Level)
	return q
}

// blots is a plane with round blots, flat areas and some noise.
func blots(w, h int, seed uint64) Plane {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := New(w, h)
	for range 12 {
		newCapsule(rng.Float64()*float64(w), rng.Float64()*float64(h), rng.Float64()*float64(w), rng.Float64()*float64(h),
			rng.Float64()*float64(min(w, h))/6, rng.Float64()).stamp(p, p.Rect(), rng.IntN(3) == 0)
	}
	for range w * h / 50 {
		p.Pix[rng.IntN(len(p.Pix))] = uint8(rng.IntN(256))
	}
	return p
}

func TestEncodedMaskReadsBackPixelByPixel(t *testing.T) {
	encoders := map[string]func(Plane) []byte{"rgba": EncodeRGBA, "palette": EncodePalette}
	for name, encode := range encoders {
		for _, w := range []int{1, 2, 7, 8, 9, 64, 65, 129, 1021} {
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				t.Parallel()
				p := blots(w, 37, uint64(w))
				got, _ := decodeKept(t, encode(p))
				if !got.Equal(hard(p)) {
					t.Error("the decoded mask differs from the painted one")
				}
			})
		}
	}
}

func TestEncodedMaskOfAnyPixelsReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 700).Draw(t, "w"), rapid.IntRange(1, 6).Draw(t, "h")
		p := New(w, h)
		for at := 0; at < len(p.Pix); {
			n := min(rapid.IntRange(1, 400).Draw(t, "run"), len(p.Pix)-at)
			v := rapid.Byte().Draw(t, "value")
			for range n {
				p.Pix[at] = v
				at++
			}
		}
		for _, data := range [][]byte{EncodeRGBA(p), EncodePalette(p)} {
			img, err := png.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("png.Decode: %v", err)
			}
			for i, v := range p.Pix {
				_, _, _, a := img.At(i%w, i/w).RGBA()
				if (a == 0xffff) != (v >= Level) || a != 0 && a != 0xffff {
					t.Fatalf("pixel %d: value %d, alpha %#x", i, v, a)
				}
			}
		}
	})
}

func TestRGBAMaskIsOpaqueWhiteWhereKeptAndTransparentElsewhere(t *testing.T) {
	p := New(3, 1)
	p.Set(1, 0, Level)
	p.Set(2, 0, Level-1)
	_, img := decodeKept(t, EncodeRGBA(p))
	rgba, ok := img.(*image.NRGBA)
	if !ok {
		t.Fatalf("decoded as %T, want 8-bit RGBA", img)
	}
	if got := rgba.NRGBAAt(1, 0); got != (color.NRGBA{255, 255, 255, 255}) {
		t.Errorf("kept pixel is %v", got)
	}
	for _, x := range []int{0, 2} {
		if got := rgba.NRGBAAt(x, 0); got != (color.NRGBA{}) {
			t.Errorf("redrawn pixel %d is %v", x, got)
		}
	}
}

func TestPaletteMaskIsOneBitPerPixel(t *testing.T) {
	data := EncodePalette(blots(100, 10, 1))
	if depth, colour := data[24], data[25]; depth != 1 || colour != 3 {
		t.Errorf("bit depth %d, colour type %d, want 1 and 3", depth, colour)
	}
}

func TestNoiseStaysAReadableMask(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	p := New(513, 300)
	for i := range p.Pix {
		p.Pix[i] = uint8(rng.IntN(256))
	}
	got, _ := decodeKept(t, EncodeRGBA(p))
	if !got.Equal(hard(p)) {
		t.Error("the decoded mask differs from the painted one")
	}
}

func BenchmarkEncode4096(b *testing.B) {
	masks := map[string]Plane{"flat": New(4096, 4096), "strokes": New(4096, 4096), "noise": New(4096, 4096)}
	rng := rand.New(rand.NewPCG(3, 3))
	for range 60 {
		p := masks["strokes"]
		newCapsule(rng.Float64()*4096, rng.Float64()*4096, rng.Float64()*4096, rng.Float64()*4096, 40+rng.Float64()*100, 1).stamp(p, p.Rect(), false)
	}
	for i := range masks["noise"].Pix {
		masks["noise"].Pix[i] = uint8(rng.IntN(256))
	}
	for _, name := range []string{"flat", "strokes", "noise"} {
		for form, encode := range map[string]func(Plane) []byte{"rgba": EncodeRGBA, "palette": EncodePalette} {
			b.Run(name+"/"+form, func(b *testing.B) {
				size := 0
				for b.Loop() {
					size = len(encode(masks[name]))
				}
				b.ReportMetric(float64(size)/1024, "KB")
			})
		}
	}
}

func TestRunsAreThoseOfTheExport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlane(t, rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h"))
		got := make([]uint8, 0, len(p.Pix))
		value := uint8(0)
		p.Runs(func(length int) {
			if length == 0 && len(got) > 0 {
				t.Fatal("a run of nothing within the plane")
			}
			for range length {
				got = append(got, value)
			}
			value = ^value
		})
		want := p.Clone()
		want.Threshold(Level)
		if !want.Equal(Plane{W: p.W, H: p.H, Pix: got}) {
			t.Fatalf("runs of %v make %v", p.Pix, got)
		}
	})
}

func TestExportIsTheSameHoweverItIsSliced(t *testing.T) {
	p := New(700, 500)
	for i := range 30 {
		p.Stroke(float64(20*i), 10, 350, float64(16*i), 9, 1, i%3 == 0)
	}
	e := p.Encoding()
	steps := 1
	for !e.Step(1) {
		steps++
	}
	if !bytes.Equal(e.PNG(), EncodeRGBA(p)) {
		t.Errorf("in %d steps another file", steps)
	}
	if steps < 5 {
		t.Errorf("only %d steps", steps)
	}
}
