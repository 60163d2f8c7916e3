package segment

import (
	"testing"

	"atelier/imaging/mask"
)

func BenchmarkSubject(b *testing.B) {
	for _, size := range []struct {
		name string
		side int
	}{{"512", 512}, {"1024", 1024}, {"4096", 4096}} {
		p := over(paper(size.side, size.side, brick, 1), paper(size.side, size.side, blue, 2), shirt(float64(size.side)))
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Subject(b.Context(), p.img, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMatte1024(b *testing.B) {
	p := over(paper(1024, 1024, green, 5), paper(1024, 1024, sand, 6), fur(512, 512, 300))
	hard := mask.New(1024, 1024)
	for i, a := range p.alpha {
		if a >= 0.5 {
			hard.Pix[i] = 255
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.soft(b.Context(), hard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkForeground1024(b *testing.B) {
	p := over(paper(1024, 1024, green, 5), paper(1024, 1024, sand, 6), fur(512, 512, 300))
	matte := mask.New(1024, 1024)
	for i, a := range p.alpha {
		matte.Pix[i] = level(a*255 + 0.5)
	}
	b.ReportAllocs()
	for b.Loop() {
		Foreground(p.img, matte)
	}
}

func BenchmarkGrabCut512(b *testing.B) {
	p := over(paper(512, 512, brick, 1), paper(512, 512, blue, 2), shirt(512))
	b.ReportAllocs()
	for b.Loop() {
		k := newCutter(reduce(p.img, 512))
		labels := make([]uint8, k.w*k.h)
		for i := range labels {
			if x, y := i%k.w, i/k.w; x > 20 && x < 490 && y > 20 && y < 490 {
				labels[i] = 1
			}
		}
		if _, _, err := k.grab(b.Context(), labels, make([]float32, len(labels)), 5); err != nil {
			b.Fatal(err)
		}
	}
}
