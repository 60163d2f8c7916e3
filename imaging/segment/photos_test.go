package segment

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// goodOverlap is the overlap from which a cut is called good: Confidence is the chance of it.
const goodOverlap = 0.85

// tally collects overlaps, and how they go with confidence.
type tally struct {
	overlaps    []float64
	confidences []float64
}

func (t *tally) add(overlap, confidence float64) {
	t.overlaps, t.confidences = append(t.overlaps, overlap), append(t.confidences, confidence)
}

func (t *tally) mean() float64 { return total(t.overlaps) / float64(max(len(t.overlaps), 1)) }

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

// worstTenth is the mean of the worst tenth.
func (t *tally) worstTenth() float64 {
	sorted := slices.Sorted(slices.Values(t.overlaps))
	n := (len(sorted) + 9) / 10
	return total(sorted[:n]) / float64(n)
}

// measurement is what a folder of photographs says.
type measurement struct {
	overlaps map[string]*tally // by what was looked for
	faces    faceCount
	matte    map[string]float64 // sums of differences from true alphas, in pixels
	cpu      time.Duration      // of finding the subjects, edges and mattes included
	pixels   float64            // of the pictures they were found in
}

// faceCount compares the faces found with those that faces.csv says are shown.
type faceCount struct{ shown, found, wrong int }

// BenchmarkPhotographs reports what measured gives for the photographs of the folder that ATELIER_PHOTOS names, and
// how sure the cuts are beside how good.
func BenchmarkPhotographs(b *testing.B) {
	folder := testpics.Photographs(b)
	for b.Loop() {
		m := measured(b, folder)
		for name, off := range m.matte {
			b.ReportMetric(off, name+"-SAD")
		}
		for name, t := range m.overlaps {
			b.ReportMetric(t.mean(), name+"-IoU")
			b.ReportMetric(t.worstTenth(), name+"-worst-tenth-IoU")
		}
		if m.faces.shown > 0 {
			b.ReportMetric(100*float64(m.faces.found)/float64(m.faces.shown), "faces-found-%")
			b.ReportMetric(100*float64(m.faces.wrong)/float64(max(m.faces.found+m.faces.wrong, 1)), "faces-wrong-%")
		}
		b.ReportMetric(m.cpu.Seconds()/m.pixels*1e6, "subject-CPU-s/MP")
		for _, what := range []string{"people", "fashion"} {
			if t := m.overlaps[what]; t != nil {
				b.Log(what + ": " + t.reliability())
			}
		}
	}
}

// reliability is a table: of the cuts in each fifth of confidence how many there are, their mean confidence, and how
// many are good.
func (t *tally) reliability() string {
	const bins = 5
	var n, good [bins]int
	var sure [bins]float64
	for i, c := range t.confidences {
		k := min(int(c*bins), bins-1)
		n[k]++
		sure[k] += c
		if t.overlaps[i] >= goodOverlap {
			good[k]++
		}
	}
	var out strings.Builder
	for k := range bins {
		if n[k] > 0 {
			all := float64(n[k])
			fmt.Fprintf(&out, "%d cuts with confidence %.2f: %.2f good; ", n[k], sure[k]/all, float64(good[k])/all)
		}
	}
	return strings.TrimSuffix(out.String(), "; ")
}

// measured compares a folder's photographs with their truth: NAME.jpg with NAME.labels.png (a label of garments a
// pixel) or with NAME.mask.png (white is the person), NAME.png with NAME.alpha.png (the true alpha), and the names in
// faces.csv (NAME,COUNT) with the faces found. What each label counts as is in classOf; upper and lower are measured
// where both are worn and nothing is in one piece.
func measured(tb testing.TB, folder string) measurement {
	tb.Helper()
	m := measurement{overlaps: map[string]*tally{}, matte: map[string]float64{}}
	shown := facesShown(tb, folder)
	for _, name := range photos(tb, folder) {
		m.addLabelled(tb, readPhoto(tb, name), shown)
	}
	masks, err := filepath.Glob(filepath.Join(folder, "*.mask.png"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range masks {
		m.addMask(tb, name, shown)
	}
	mattes, err := filepath.Glob(filepath.Join(folder, "*.alpha.png"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, name := range mattes {
		m.matte[strings.TrimSuffix(filepath.Base(name), ".alpha.png")] = measureMatte(tb, name)
	}
	if len(m.overlaps) == 0 {
		tb.Fatalf("%s holds no photographs with their truth", folder)
	}
	return m
}

// facesShown reads faces.csv of a folder, when there is one.
func facesShown(tb testing.TB, folder string) map[string]int {
	tb.Helper()
	f, err := os.Open(filepath.Join(folder, "faces.csv"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	out := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		name, count, _ := strings.Cut(lines.Text(), ",")
		n, err := strconv.Atoi(count)
		if err != nil {
			tb.Fatalf("faces.csv: %q is not NAME,COUNT", lines.Text())
		}
		out[name] = n
	}
	return out
}

func (m *measurement) add(what string, r Result, truth []bool) {
	if !slices.Contains(truth, true) {
		return
	}
	if m.overlaps[what] == nil {
		m.overlaps[what] = &tally{}
	}
	m.overlaps[what].add(sameAs(r.Mask, truth), r.Confidence)
}

// countFaces compares the faces of a photograph with how many it shows. Which of them is which is not known: only the
// numbers are.
func (m *measurement) countFaces(name string, found int, shown map[string]int) {
	n, known := shown[name]
	if !known {
		return
	}
	m.faces.shown += n
	m.faces.found += min(found, n)
	m.faces.wrong += max(found-n, 0)
}

func (m *measurement) addLabelled(tb testing.TB, p photo, shown map[string]int) {
	tb.Helper()
	if slices.Max(p.labels) == 0 {
		return
	}
	all := p.classes()
	begun := processorTime(tb)
	s := NewScene(Options{})
	r, err := s.Region(tb.Context(), p.img, WholeSubject)
	if err != nil {
		tb.Fatalf("%s: %v", p.name, err)
	}
	m.cpu += processorTime(tb) - begun
	m.pixels += float64(len(p.labels))
	m.countFaces(p.name, len(r.Faces), shown)
	for _, each := range regions {
		if each.two && !p.twoPieces() {
			continue
		}
		if each.kind != WholeSubject {
			if r, err = s.Region(tb.Context(), p.img, each.kind); err != nil {
				tb.Fatalf("%s: %v", p.name, err)
			}
		}
		m.add(each.name, r, each.truth(all))
	}
}

// region is what is looked for on photographs with labels, and the classes of its pixels.
type region struct {
	name string
	kind Kind
	of   []class
	two  bool // only where something is worn above and something below the waist
}

var regions = []region{
	{"fashion", WholeSubject, []class{headClass, skinClass, upperClass, lowerClass, feetClass, heldClass}, false},
	{"head", InverseHuman, []class{headClass}, false},
	{"apparel", Apparel, []class{upperClass, lowerClass, feetClass}, false},
	{"upper", UpperApparel, []class{upperClass}, true},
	{"lower", LowerApparel, []class{lowerClass}, true},
}

func (l region) truth(all []class) []bool {
	out := make([]bool, len(all))
	for i, c := range all {
		out[i] = slices.Contains(l.of, c)
	}
	return out
}

func (m *measurement) addMask(tb testing.TB, name string, shown map[string]int) {
	tb.Helper()
	base := strings.TrimSuffix(name, ".mask.png")
	img := toNRGBA(readImage(tb, base+".jpg"))
	truth := readMask(tb, name, img.Rect.Size())
	begun := processorTime(tb)
	r, err := Subject(tb.Context(), img, Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	m.cpu += processorTime(tb) - begun
	m.pixels += float64(len(truth))
	m.countFaces(filepath.Base(base), len(r.Faces), shown)
	m.add("people", r, truth)
}

// processorTime is what this process has used so far.
func processorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measureMatte is how far the matte of a picture's subject is from the true one, in pixels.
func measureMatte(tb testing.TB, name string) float64 {
	tb.Helper()
	img := toNRGBA(readImage(tb, strings.TrimSuffix(name, ".alpha.png")+".png"))
	truth := toNRGBA(readImage(tb, name))
	if img.Rect != truth.Rect {
		tb.Fatalf("%s has not the size of its photograph", name)
	}
	r, err := Subject(tb.Context(), img, Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	sum := 0.0
	for i, v := range r.Matte.Pix {
		sum += math.Abs(float64(v)-float64(truth.Pix[4*i])) / 255
	}
	return sum
}

// twoPieces reports whether something is worn above and something below the waist, and nothing in one piece.
func (p photo) twoPieces() bool {
	upper, lower, whole := 0, 0, 0
	for _, l := range p.labels {
		switch c := classOf[l]; {
		case onePiece(l):
			whole++
		case c == upperClass:
			upper++
		case c == lowerClass:
			lower++
		}
	}
	least := len(p.labels) / 100
	return upper > least && lower > least && whole < least
}

// sameAs is the intersection over union of a mask with a truth.
func sameAs(m mask.Plane, truth []bool) float64 {
	both, either := 0, 0
	for i, v := range truth {
		kept := m.Pix[i] >= mask.Level
		if v && kept {
			both++
		}
		if v || kept {
			either++
		}
	}
	return float64(both) / float64(max(either, 1))
}
