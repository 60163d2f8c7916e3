package fidelity

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
	"atelier/imaging/testpics"
)

// BenchmarkEdgesOfPhotographs counts on photographs with their truth, in the folder that ATELIER_PHOTOS names: false alarms about exact
// masks, masks without a twentieth of their subject and with as much background that are found, and automatic masks in doubt. It takes
// every second photograph with labels and all with a mask, at 1,024 px.
func BenchmarkEdgesOfPhotographs(b *testing.B) {
	names := truths(b, testpics.Photographs(b))
	for b.Loop() {
		counts := map[string]int{}
		for _, name := range names {
			countEdges(b, name, counts)
		}
		for _, unit := range []string{"judged", "false-alarms", "holes-found", "spills-found", "auto-faulty", "auto-in-doubt", "auto-rightly"} {
			b.ReportMetric(float64(counts[unit]), unit)
		}
	}
}

func truths(tb testing.TB, folder string) (names []string) {
	tb.Helper()
	labels, err := filepath.Glob(filepath.Join(folder, "*.labels.png"))
	if err != nil {
		tb.Fatal(err)
	}
	masks, err := filepath.Glob(filepath.Join(folder, "*.mask.png"))
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(labels)
	for i := 0; i < len(labels); i += 2 {
		names = append(names, labels[i])
	}
	return append(names, masks...)
}

func countEdges(tb testing.TB, name string, counts map[string]int) {
	tb.Helper()
	photo := strings.TrimSuffix(strings.TrimSuffix(name, ".labels.png"), ".mask.png") + ".jpg"
	data, err := os.ReadFile(photo)
	if err != nil {
		tb.Fatal(err)
	}
	img, _, err := imaging.Decode(tb.Context(), data, imaging.DefaultLimits)
	if err != nil {
		tb.Fatal(err)
	}
	found, err := analysis.Subject(tb.Context(), imaging.Fit(img, 1024, 1024), segment.Options{Hard: true})
	if err != nil {
		tb.Fatal(err)
	}
	small := fit(img)
	w, h := small.Rect.Dx(), small.Rect.Dy()
	source, truth := labOf(small), shrink(readTruth(tb, name), w, h)
	r := readings{first: shrink(found.Mask, w, h)}
	if r.second, r.pieces, _, err = lookAtPieces(tb.Context(), small); err != nil {
		tb.Fatal(err)
	}
	for unit, keep := range map[string]mask.Plane{"false-alarms": truth, "holes-found": short(truth), "spills-found": wide(truth)} {
		e, ok := r.judge(source, keep)
		if ok && unit == "false-alarms" {
			counts["judged"]++
		}
		if e.Doubt > 0 {
			counts[unit]++
		}
	}
	real := dispute{source: source, keep: r.first, look: truth, subject: truth.Stats(0)}
	real.add(without(truth, r.first), true)
	real.add(without(r.first, truth), false)
	faulty := len(real.edge.Parts) > 0
	if faulty {
		counts["auto-faulty"]++
	}
	r.automatic = true
	if e, _ := r.judge(source, r.first); e.Doubt > 0 {
		counts["auto-in-doubt"]++
		if faulty {
			counts["auto-rightly"]++
		}
	}
}

// readTruth reads the subject of a photograph: a label of anything, or white.
func readTruth(tb testing.TB, name string) mask.Plane {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		tb.Fatal(err)
	}
	out := mask.New(img.Bounds().Dx(), img.Bounds().Dy())
	labels := strings.HasSuffix(name, ".labels.png")
	for y := range out.H {
		for x := range out.W {
			in := false
			switch p := img.(type) {
			case *image.Paletted:
				in = p.ColorIndexAt(x, y) > 0
			case *image.Gray:
				in = p.GrayAt(x, y).Y > 0
			}
			if !labels {
				v, _, _, _ := img.At(x, y).RGBA()
				in = v >= 1<<15
			}
			if in {
				out.Set(x, y, 255)
			}
		}
	}
	return out
}

// short is a mask without a twentieth of its area, from the left.
func short(keep mask.Plane) mask.Plane {
	out, left := keep.Clone(), keep.Stats(0).Kept/20
	for x := 0; x < keep.W && left > 0; x++ {
		for y := range keep.H {
			if left > 0 && keep.Kept(x, y) {
				out.Set(x, y, 0)
				left--
			}
		}
	}
	return out
}

// wide is a mask with background of a twentieth of its area at the right of its middle third.
func wide(keep mask.Plane) mask.Plane {
	out, left, b := keep.Clone(), keep.Stats(0).Kept/20, keep.Bounds()
	for x := b.Max.X - b.Dx()/4; x < keep.W && left > 0; x++ {
		for y := b.Min.Y + b.Dy()/3; y < b.Min.Y+b.Dy()*2/3 && left > 0; y++ {
			if !keep.Kept(x, y) {
				out.Set(x, y, 255)
				left--
			}
		}
	}
	return out
}
