package smartselect

import (
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// photo is a picture at the working size with what is to be cut out of it.
type photo struct {
	pix   *image.NRGBA
	truth mask.Plane
}

func open(tb testing.TB, name string) *image.NRGBA {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		tb.Fatal(err)
	}
	out := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// readPhoto scales a photograph and its truth, everything that is not black, to long pixels on the long side.
func readPhoto(tb testing.TB, name, truth string, long int) photo {
	tb.Helper()
	img, labels := open(tb, name), open(tb, truth)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	k := float64(long) / float64(max(w, h))
	p := photo{truth: mask.New(labels.Rect.Dx(), labels.Rect.Dy())}
	for i := range p.truth.Pix {
		if l := labels.Pix[4*i:]; l[0]|l[1]|l[2] != 0 {
			p.truth.Pix[i] = 255
		}
	}
	w, h = int(float64(w)*k), int(float64(h)*k)
	p.pix = imaging.Resize(img, w, h)
	p.truth = p.truth.Fitted(w, h).Run()
	p.truth.Threshold(mask.Level)
	return p
}

// overlap is the intersection over the union.
func overlap(a, b mask.Plane) float64 {
	both, either := 0, 0
	for i, v := range a.Pix {
		both += int(v & b.Pix[i] >> 7)
		either += int((v | b.Pix[i]) >> 7)
	}
	return float64(both) / float64(max(either, 1))
}

// worst is the middle of the largest disc of pixels that are wrong, and its radius: where a careful person would draw next.
func worst(got, truth mask.Plane) (at image.Point, radius float64) {
	wrong := mask.New(got.W, got.H)
	for i, v := range got.Pix {
		wrong.Pix[i] = v ^ truth.Pix[i]
	}
	const shrink = 8 // measured on a smaller copy
	small := wrong.Fitted(got.W/shrink, got.H/shrink).Run()
	for r := 1.0; ; r *= 1.3 {
		left := small.Shrink(r)
		b := left.Bounds()
		if b.Empty() {
			return at, radius * shrink
		}
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				if left.Kept(x, y) {
					at, radius = image.Pt(x*shrink+shrink/2, y*shrink+shrink/2), r
				}
			}
		}
	}
}

// BenchmarkPhotographs cuts the photographs of the folder ATELIER_PHOTOS names out of a box around their truth, then corrects the
// worst place with a dot, six times, and reports the mean overlap after the box and after each dot.
func BenchmarkPhotographs(b *testing.B) {
	folder := testpics.Photographs(b)
	names, err := filepath.Glob(filepath.Join(folder, "*.labels.png"))
	if err != nil || len(names) == 0 {
		b.Fatalf("no photographs with their truth in %s (%v)", folder, err)
	}
	const dots = 6
	for b.Loop() {
		var sums [dots + 1]float64
		var first, again time.Duration
		for _, name := range names {
			p := readPhoto(b, strings.TrimSuffix(name, ".labels.png")+".jpg", name, 1024)
			begin := time.Now()
			s, err := New(p.pix.Pix, p.pix.Rect.Dx(), p.pix.Rect.Dy())
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Box(p.truth.Bounds().Inset(-12)); err != nil {
				b.Fatal(err)
			}
			first += time.Since(begin)
			sums[0] += overlap(s.Mask(), p.truth)
			for n := range dots {
				got := s.Mask()
				at, radius := worst(got, p.truth)
				if radius == 0 {
					sums[n+1] += overlap(got, p.truth)
					continue
				}
				begin := time.Now()
				keep := p.truth.Kept(at.X, at.Y)
				if _, err := s.Stroke(Stroke{Keep: keep, Points: []mask.Point{{X: float64(at.X), Y: float64(at.Y)}}, Radius: radius * 0.7}); err != nil {
					b.Fatal(err)
				}
				again += time.Since(begin)
				sums[n+1] += overlap(s.Mask(), p.truth)
			}
			b.Logf("%s %.3f", filepath.Base(name), overlap(s.Mask(), p.truth))
		}
		n := float64(len(names))
		b.ReportMetric(sums[0]/n, "box-IoU")
		b.ReportMetric(sums[2]/n, "dots2-IoU")
		b.ReportMetric(sums[dots]/n, "dots6-IoU")
		b.ReportMetric(first.Seconds()*1e3/n, "first-ms")
		b.ReportMetric(again.Seconds()*1e3/n/dots, "again-ms")
	}
}

// across is a stroke in the middle of the largest disc of a truth.
func across(truth mask.Plane, keep bool) Stroke {
	at, r := worst(mask.New(truth.W, truth.H), truth)
	x, y := float64(at.X), float64(at.Y)
	return Stroke{Keep: keep, Points: []mask.Point{{X: x, Y: y - r/2}, {X: x, Y: y + r/2}}, Radius: 8}
}

// byStrokes begins with nothing, as the studio does, and strokes. It returns the time that took.
func byStrokes(tb testing.TB, s *Session, strokes ...Stroke) time.Duration {
	tb.Helper()
	begin := time.Now()
	if err := s.Start(mask.New(s.levels[0].w, s.levels[0].h)); err != nil {
		tb.Fatal(err)
	}
	for _, stroke := range strokes {
		if _, err := s.Stroke(stroke); err != nil {
			tb.Fatal(err)
		}
	}
	return time.Since(begin)
}

// BenchmarkPeople selects the people of the folder ATELIER_PHOTOS names (NAME.jpg, NAME.mask.png) by a box around their
// truth with a twentieth of its sides beside it, and by one stroke, and reports the mean overlaps and times.
func BenchmarkPeople(b *testing.B) {
	names, _ := filepath.Glob(filepath.Join(testpics.Photographs(b), "*.mask.png"))
	for b.Loop() {
		var box, stroke float64
		var boxTime, strokeTime time.Duration
		for _, name := range names {
			p := readPhoto(b, strings.TrimSuffix(name, ".mask.png")+".jpg", name, 1024)
			s := begin(b, p)
			r := p.truth.Bounds()
			from := time.Now()
			dx, dy := r.Dx()/20, r.Dy()/20
			if err := s.Box(image.Rect(r.Min.X-dx, r.Min.Y-dy, r.Max.X+dx, r.Max.Y+dy)); err != nil {
				b.Fatal(err)
			}
			boxTime += time.Since(from)
			box += overlap(s.Mask(), p.truth)
			s = begin(b, p)
			strokeTime += byStrokes(b, s, across(p.truth, true))
			stroke += overlap(s.Mask(), p.truth)
		}
		n := float64(max(len(names), 1))
		b.ReportMetric(box/n, "box-IoU")
		b.ReportMetric(boxTime.Seconds()*1e3/n, "box-ms")
		b.ReportMetric(stroke/n, "stroke-IoU")
		b.ReportMetric(strokeTime.Seconds()*1e3/n, "stroke-ms")
	}
}

// BenchmarkGarments selects the largest garment of each photograph of the folder ATELIER_PHOTOS names (NAME.jpg,
// NAME.labels.png) by a stroke on it and strokes that drop each other label of at least a hundredth of the person, and
// reports the mean overlap.
func BenchmarkGarments(b *testing.B) {
	const hair, skin = 19, 41
	names, _ := filepath.Glob(filepath.Join(testpics.Photographs(b), "*.labels.png"))
	for b.Loop() {
		sum := 0.0
		for _, name := range names {
			p := readPhoto(b, strings.TrimSuffix(name, ".labels.png")+".jpg", name, 1024)
			labels := open(b, name)
			counts := make([]int, 256)
			for i := 0; i < len(labels.Pix); i += 4 {
				counts[labels.Pix[i]]++
			}
			person, garment := 0, 0
			for l, n := range counts[1:] {
				person += n
				if l+1 != hair && l+1 != skin && (garment == 0 || n > counts[garment]) {
					garment = l + 1
				}
			}
			truth := labelled(labels, garment, p.truth.W, p.truth.H)
			strokes := []Stroke{across(truth, true)}
			for l, n := range counts[1:] {
				if l+1 != garment && n > person/100 {
					strokes = append(strokes, across(labelled(labels, l+1, truth.W, truth.H), false))
				}
			}
			s := begin(b, p)
			byStrokes(b, s, strokes...)
			sum += overlap(s.Mask(), truth)
		}
		b.ReportMetric(sum/float64(max(len(names), 1)), "IoU")
	}
}

// labelled is where a picture of labels has one of them, at another size.
func labelled(labels *image.NRGBA, label, w, h int) mask.Plane {
	p := mask.New(labels.Rect.Dx(), labels.Rect.Dy())
	for i := range p.Pix {
		if int(labels.Pix[4*i]) == label {
			p.Pix[i] = 255
		}
	}
	p = p.Fitted(w, h).Run()
	p.Threshold(mask.Level)
	return p
}
