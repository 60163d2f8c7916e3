package segment

import (
	"fmt"
	"image"
	"os"
	"strings"
	"testing"

	"atelier/imaging/mask"
)

// BenchmarkFromRectangle cuts a subject out of a rectangle in at most five rounds, as programs that compare GrabCuts do:
// on all pixels (full), or on a copy of 512 pixels whose edges are then found at full size (coarse). The picture is drawn,
// or named by ATELIER_CUT_PICTURE: "width height file", the file being RGBA bytes. With ATELIER_CUT_MASK, a file of one
// byte per pixel, the benchmark also tells the overlap (IoU) with that mask.
func BenchmarkFromRectangle(b *testing.B) {
	img, truth := rectanglePicture(b)
	long := max(img.Rect.Dx(), img.Rect.Dy())
	cuts := []struct {
		name   string
		coarse int
	}{{"full", long}, {"coarse", min(long, 512)}}
	for _, c := range cuts {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var kept mask.Plane
			for b.Loop() {
				kept = fromRectangle(b, img, c.coarse, long)
			}
			if truth != nil {
				b.ReportMetric(overlapOf(kept, truth), "IoU")
			}
		})
	}
}

func rectanglePicture(b *testing.B) (img *image.NRGBA, truth []float64) {
	b.Helper()
	given := os.Getenv("ATELIER_CUT_PICTURE")
	if given == "" {
		return over(paper(512, 512, brick, 1), paper(512, 512, blue, 2), shirt(512)).img, nil
	}
	var w, h int
	var file string
	if _, err := fmt.Fscan(strings.NewReader(given), &w, &h, &file); err != nil {
		b.Fatalf("ATELIER_CUT_PICTURE %q: %v", given, err)
	}
	img = image.NewNRGBA(image.Rect(0, 0, w, h))
	pix, err := os.ReadFile(file)
	if err != nil || len(pix) != len(img.Pix) {
		b.Fatalf("%s has %d bytes, want %d: %v", file, len(pix), len(img.Pix), err)
	}
	img.Pix = pix
	if file = os.Getenv("ATELIER_CUT_MASK"); file != "" {
		kept, err := os.ReadFile(file)
		if err != nil || len(kept) != w*h {
			b.Fatalf("%s has %d bytes, want %d: %v", file, len(kept), w*h, err)
		}
		truth = make([]float64, len(kept))
		for i, v := range kept {
			truth[i] = float64(v) / 255
		}
	}
	return img, truth
}

// fromRectangle takes all but a margin of 1/25 for the subject to begin with.
func fromRectangle(b *testing.B, img *image.NRGBA, coarse, fine int) mask.Plane {
	b.Helper()
	k := newCutter(reduce(img, coarse))
	labels, prior := make([]uint8, k.w*k.h), make([]float32, k.w*k.h)
	inside := image.Rect(k.w/25, k.h/25, k.w-k.w/25, k.h-k.h/25)
	for i := range labels {
		if image.Pt(i%k.w, i/k.w).In(inside) {
			labels[i] = 1
		} else {
			prior[i] = -100
		}
	}
	labels, m, err := k.grab(b.Context(), labels, prior, 5)
	if err != nil {
		b.Fatal(err)
	}
	s := scene{img: img, opt: Options{Coarse: coarse, Fine: fine, Hard: true}, cut: k}
	if coarse == fine {
		return plane(labels, k.w, k.h)
	}
	r, err := s.finish(b.Context(), finding{labels: labels, models: m, prior: prior})
	if err != nil {
		b.Fatal(err)
	}
	return r.Mask
}
