package render

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// BenchmarkPhotographs cuts what the labels of the photographs in the folder ATELIER_PHOTOS show out by a drawn mask, and
// reports the share of pixels that obey: painted ones are the photograph's, others are clear.
func BenchmarkPhotographs(b *testing.B) {
	folder := testpics.Photographs(b)
	names, err := filepath.Glob(filepath.Join(folder, "*.labels.png"))
	if err != nil || len(names) == 0 {
		b.Fatalf("no photographs with their truth in %s (%v)", folder, err)
	}
	for b.Loop() {
		obeyed, all := 0, 0
		for _, name := range names {
			src, drawn := photograph(b, name)
			req := Request{Agent: "removeBG", Original: src, CustomMask: &drawn, Count: 1, Values: map[string]any{"maskType": maskCustom}}
			seg, err := Segment(b.Context(), req)
			if err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			out, err := Render(b.Context(), req, seg)
			if err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			for i, v := range drawn.Pix {
				all++
				if p := [4]uint8(out.Pix[4*i:]); v == 0 && p[3] == 0 || v != 0 && p == [4]uint8(src.Pix[4*i:]) {
					obeyed++
				}
			}
		}
		b.ReportMetric(float64(obeyed)/float64(all), "custom-obeyed")
	}
}

// BenchmarkSubjectLeftToCopy reports, over the photographs in the folder ATELIER_PHOTOS that have their truth, the share of a subject that
// expandimage may copy from because its mask misses it, how much of that is at no arm's length either, in how many photographs more than a
// hundredth may be copied, and the shares of the background that are barred for nothing and at arm's length. With -v it names those photographs.
func BenchmarkSubjectLeftToCopy(b *testing.B) {
	folder := testpics.Photographs(b)
	var names []string
	for _, kind := range []string{"*.labels.png", "*.mask.png"} {
		more, err := filepath.Glob(filepath.Join(folder, kind))
		if err != nil {
			b.Fatal(err)
		}
		names = append(names, more...)
	}
	if len(names) == 0 {
		b.Fatalf("no photographs with their truth in %s", folder)
	}
	for b.Loop() {
		left, open, lost, unliked, bad := 0.0, 0.0, 0.0, 0.0, 0
		for _, name := range names {
			src, truth := photograph(b, name)
			seg, err := Segment(b.Context(), Request{Agent: "expandimage", Original: src, Count: 1})
			if err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			avoid, _, err := barred(src, seg)
			if err != nil {
				b.Fatalf("%s: %v", name, err)
			}
			avoid = avoid.Grow(rimOf(src.Rect.Size()))
			near := atArmsLength(avoid, seg)
			var n, shut, shy [2]float64 // of the background, of the subject
			for i, v := range truth.Pix {
				n[v>>7]++
				switch {
				case avoid.Pix[i] >= mask.Level:
					shut[v>>7]++
				case len(near.Pix) > 0 && near.Pix[i] >= mask.Level:
					shy[v>>7]++
				}
			}
			share := 1 - shut[1]/max(n[1], 1)
			each := 1 / float64(len(names))
			left, lost = left+share*each, lost+shut[0]/max(n[0], 1)*each
			open, unliked = open+(share-shy[1]/max(n[1], 1))*each, unliked+shy[0]/max(n[0], 1)*each
			if share > 0.01 {
				bad++
				b.Logf("%s: %.1f %% of the subject may be copied, confidence %.2f, %d faces", filepath.Base(name), 100*share, seg.Confidence, len(seg.Faces))
			}
		}
		b.ReportMetric(left, "subject-left")
		b.ReportMetric(open, "subject-left-without-reluctance")
		b.ReportMetric(float64(bad), "photographs-with-more-than-.01")
		b.ReportMetric(lost, "background-barred")
		b.ReportMetric(unliked, "background-with-reluctance")
	}
}

// photograph reads a photograph beside its truth, NAME.jpg beside NAME.labels.png or NAME.mask.png, and what the truth shows: all that is not black.
// A truth that is smaller than its photograph is stretched over it.
func photograph(b *testing.B, truth string) (*image.NRGBA, mask.Plane) {
	b.Helper()
	read := func(name string) *image.NRGBA {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		img, _, err := imaging.Decode(b.Context(), data, imaging.DefaultLimits)
		if err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		return img
	}
	shown := read(truth)
	base, _, _ := strings.Cut(filepath.Base(truth), ".")
	src := read(filepath.Join(filepath.Dir(truth), base+".jpg"))
	m := mask.New(src.Rect.Dx(), src.Rect.Dy())
	for i := range m.Pix {
		x, y := i%m.W*shown.Rect.Dx()/m.W, i/m.W*shown.Rect.Dy()/m.H
		if shown.Pix[y*shown.Stride+4*x] != 0 {
			m.Pix[i] = 255
		}
	}
	return src, m
}
