package render

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/mask"
)

// BenchmarkPhotographs cuts what the labels of the photographs in the folder ATELIER_PHOTOS show out by a drawn mask, and
// reports the share of pixels that obey: painted ones are the photograph's, others are clear.
func BenchmarkPhotographs(b *testing.B) {
	folder := os.Getenv("ATELIER_PHOTOS")
	if folder == "" {
		b.Skip("ATELIER_PHOTOS names no folder of photographs with their truth")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.labels.png"))
	if err != nil || len(names) == 0 {
		b.Fatalf("no photographs with their truth in %s (%v)", folder, err)
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		return data
	}
	for b.Loop() {
		obeyed, all := 0, 0
		for _, name := range names {
			src, _, err := imaging.Decode(context.Background(), read(strings.TrimSuffix(name, ".labels.png")+".jpg"), imaging.DefaultLimits)
			if err != nil {
				b.Fatal(err)
			}
			labels, _, err := imaging.Decode(context.Background(), read(name), imaging.DefaultLimits)
			if err != nil {
				b.Fatal(err)
			}
			drawn := mask.New(src.Rect.Dx(), src.Rect.Dy())
			for i := range drawn.Pix {
				if labels.Pix[4*i] != 0 {
					drawn.Pix[i] = 255
				}
			}
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
