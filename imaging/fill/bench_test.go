package fill

import (
	"image"
	"image/color"
	"math"
	"runtime"
	"testing"

	"atelier/imaging/mask"
)

// landscape is photo-like: a graded sky, hills, and ground with grain and lines.
func landscape(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	r := rng(7)
	for y := range h {
		for x := range w {
			fx, fy := float64(x)/float64(w), float64(y)/float64(h)
			hill := 0.5 + 0.06*math.Sin(9*fx) + 0.03*math.Sin(31*fx)
			n := float64(r.between(-6, 6))
			c := [3]float64{140 + 90*fy, 180 + 50*fy, 230}
			if fy > hill {
				n *= 2.5
				line := 12 * math.Sin(40*fx+160*(fy-hill))
				c = [3]float64{90 + line, 115 + line + 60*(fy-hill), 70}
			}
			img.SetNRGBA(x, y, color.NRGBA{uint8(c[0] + n), uint8(c[1] + n), uint8(c[2] + n*0.7), 255})
		}
	}
	return img
}

func BenchmarkComplete1024Quarter(b *testing.B) {
	img := landscape(1024, 1024)
	hole := mask.New(1024, 1024)
	hole.FillRect(image.Rect(256, 256, 768, 768), 255)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Complete(b.Context(), img, hole, Options{Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExpandTo(b *testing.B) {
	for _, side := range []int{1024, 2048, 4096} {
		b.Run(map[int]string{1024: "1024", 2048: "2048", 4096: "4096"}[side], func(b *testing.B) {
			src := landscape(side*7/10, side*7/10) // half of the canvas is new
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Expand(b.Context(), src, side, side, side*3/20, side*3/20, Options{Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapSys)/1e6, "heap-MB")
		})
	}
}
