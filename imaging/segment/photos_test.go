package segment

import (
	"image/color"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// tally collects overlaps, and how they go with confidence.
type tally struct {
	overlaps []float64
	bad      int // overlaps below 0.6
	warned   int // of them with a confidence below ½
}

func (t *tally) add(overlap, confidence float64) {
	t.overlaps = append(t.overlaps, overlap)
	if overlap < 0.6 {
		t.bad++
		if confidence < 0.5 {
			t.warned++
		}
	}
}

func (t *tally) mean() float64 { return total(t.overlaps) / float64(max(len(t.overlaps), 1)) }

// BenchmarkPhotographs reports what measured gives for the photographs of the folder that ATELIER_PHOTOS names.
func BenchmarkPhotographs(b *testing.B) {
	folder := testpics.Photographs(b)
	for b.Loop() {
		found, mattes := measured(b, folder)
		for name, off := range mattes {
			b.ReportMetric(off, name+"-SAD")
		}
		for name, t := range found {
			b.ReportMetric(t.mean(), name+"-IoU")
			b.ReportMetric(float64(t.warned)/float64(max(t.bad, 1)), name+"-warned")
		}
	}
}

// What masks of photographs reach: the least mean overlap with the truth by what is looked for, and the most that a matte may be off.
var (
	leastOverlaps = map[string]float64{"with-face": 0.86, "fashion": 0.85, "without-face": 0.60, "head": 0.78, "apparel": 0.68, "upper": 0.56, "lower": 0.50}
	mostOff       = map[string]float64{"lemur": 2800}
)

// Drawn people (TestBodyIsDividedFromItsFace and others) guard the same code where there are no photographs.
func TestMasksOfPhotographsReachTheirGoals(t *testing.T) {
	t.Parallel()
	found, mattes := measured(t, testpics.Photographs(t))
	for name, least := range leastOverlaps {
		if one := found[name]; one != nil && one.mean() < least {
			t.Errorf("%s: the mean overlap of %d photographs is %.3f, want at least %.2f", name, len(one.overlaps), one.mean(), least)
		}
	}
	for name, most := range mostOff {
		if off, ok := mattes[name]; ok && off > most {
			t.Errorf("%s: the matte is off by %.0f pixels, want at most %.0f", name, off, most)
		}
	}
}

// measured is the overlap with the truth, intersection over union, by what is looked for, on a folder's photographs: NAME.jpg with
// NAME.labels.png (a label of garments a pixel) or with NAME.mask.png (white is the person). What each label
// counts as is in classOf; upper and lower are measured where both are worn and nothing is in one piece. Of NAME.png with
// NAME.alpha.png it gives the sum of the matte's differences from that, in pixels.
func measured(tb testing.TB, folder string) (found map[string]*tally, off map[string]float64) {
	tb.Helper()
	masks, err := filepath.Glob(filepath.Join(folder, "*.mask.png"))
	if err != nil {
		tb.Fatal(err)
	}
	mattes, err := filepath.Glob(filepath.Join(folder, "*.alpha.png"))
	if err != nil {
		tb.Fatal(err)
	}
	labelled := photos(tb, folder)
	if len(masks)+len(labelled) == 0 {
		tb.Fatalf("%s holds no photographs with their truth", folder)
	}
	found, off = map[string]*tally{}, map[string]float64{}
	count := func(name string, r Result, truth []bool) {
		if !slices.Contains(truth, true) {
			return
		}
		if found[name] == nil {
			found[name] = &tally{}
		}
		found[name].add(sameAs(r.Mask, truth), r.Confidence)
	}
	for _, name := range labelled {
		measureClasses(tb, readPhoto(tb, name), count)
	}
	for _, name := range masks {
		measureMask(tb, name, count)
	}
	for _, name := range mattes {
		off[strings.TrimSuffix(filepath.Base(name), ".alpha.png")] = measureMatte(tb, name)
	}
	return found, off
}

func measureClasses(tb testing.TB, p photo, count func(string, Result, []bool)) {
	tb.Helper()
	if slices.Max(p.labels) == 0 {
		return
	}
	all := p.classes()
	for _, look := range looks {
		if look.two && !p.twoPieces() {
			continue
		}
		r, err := Region(tb.Context(), p.img, look.kind, Options{})
		if err != nil {
			tb.Fatalf("%s: %v", p.name, err)
		}
		count(look.name, r, look.truth(all))
	}
}

// look is what is looked for on photographs with labels, and the classes of its pixels.
type look struct {
	name string
	kind Kind
	of   []class
	two  bool // only where something is worn above and something below the waist
}

var looks = []look{
	{"fashion", WholeSubject, []class{headClass, skinClass, upperClass, lowerClass, feetClass, heldClass}, false},
	{"head", InverseHuman, []class{headClass}, false},
	{"human", Human, []class{background, skinClass, upperClass, lowerClass, feetClass, heldClass}, false},
	{"apparel", Apparel, []class{upperClass, lowerClass, feetClass}, false},
	{"upper", UpperApparel, []class{upperClass}, true},
	{"lower", LowerApparel, []class{lowerClass}, true},
}

func (l look) truth(all []class) []bool {
	out := make([]bool, len(all))
	for i, c := range all {
		out[i] = slices.Contains(l.of, c)
	}
	return out
}

func measureMask(tb testing.TB, name string, count func(string, Result, []bool)) {
	tb.Helper()
	img := toNRGBA(readImage(tb, strings.TrimSuffix(name, ".mask.png")+".jpg"))
	truth := toNRGBA(readImage(tb, name))
	w, h := img.Rect.Dx(), img.Rect.Dy()
	person := make([]bool, w*h)
	for i := range person {
		at := truth.NRGBAAt(i%w*truth.Rect.Dx()/w, i/w*truth.Rect.Dy()/h)
		person[i] = color.GrayModel.Convert(at).(color.Gray).Y >= mask.Level //nolint:forcetypeassert // GrayModel gives Gray
	}
	r, err := Subject(tb.Context(), img, Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	if len(r.Faces) > 0 {
		count("with-face", r, person)
	} else {
		count("without-face", r, person)
	}
}

// measureMatte is how far the matte of a picture's subject is from the true one, in pixels.
func measureMatte(tb testing.TB, name string) float64 {
	tb.Helper()
	img := toNRGBA(readImage(tb, strings.TrimSuffix(name, ".alpha.png")+".png"))
	truth := toNRGBA(readImage(tb, name))
	if img.Rect != truth.Rect {
		tb.Fatalf("%s has not the size of its photograph", name)
	}
	alpha := make([]float64, img.Rect.Dx()*img.Rect.Dy())
	for i := range alpha {
		alpha[i] = float64(truth.Pix[4*i]) / 255
	}
	r, err := Subject(tb.Context(), img, Options{})
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return difference(r.Matte, alpha)
}

// twoPieces tells whether something is worn above and something below the waist, and nothing in one piece.
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
	drawn := make([]float64, len(truth))
	for i, v := range truth {
		drawn[i] = flag(v)
	}
	return overlapOf(m, drawn)
}
