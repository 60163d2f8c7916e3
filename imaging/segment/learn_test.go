package segment

import (
	"encoding/binary"
	cli "flag"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var learnFrom = cli.String("learn", "", "folder with NNN.jpg and NNN.labels.png to learn the embedded weights from")

// photo is a photograph of a person whose garments are labelled pixel by pixel.
type photo struct {
	name   string
	img    *image.NRGBA
	labels []uint8 // one a pixel: 0 is background, the others number garments, hair and skin
}

// photos lists the labelled photographs of a folder.
func photos(tb testing.TB, folder string) []string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.labels.png"))
	if err != nil {
		tb.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func readPhoto(tb testing.TB, labels string) photo {
	tb.Helper()
	base := strings.TrimSuffix(labels, ".labels.png")
	p := photo{name: filepath.Base(base), img: toNRGBA(readImage(tb, base+".jpg"))}
	switch g := readImage(tb, labels).(type) {
	case *image.Gray:
		p.labels = g.Pix
	case *image.Paletted:
		p.labels = g.Pix
	default:
		tb.Fatalf("%s has no single channel of labels", labels)
	}
	if len(p.labels) != p.img.Rect.Dx()*p.img.Rect.Dy() {
		tb.Fatalf("%s has not the size of its photograph", labels)
	}
	return p
}

func readImage(tb testing.TB, name string) image.Image {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		tb.Fatalf("decode %s: %v", name, err)
	}
	return img
}

func toNRGBA(img image.Image) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// extent is the figure that the labels of a photograph show, on a canvas scale times its size.
func (p photo) extent(scale float64) figure {
	w := p.img.Rect.Dx()
	top, bottom, sum, n := len(p.labels)/w, -1, 0.0, 0.0
	for i, l := range p.labels {
		if l != 0 {
			top, bottom = min(top, i/w), max(bottom, i/w)
		}
	}
	// The trunk says where the middle is; bags and arms reach out on one side.
	for i, l := range p.labels {
		if y := i / w; l != 0 && y-top < (bottom-top)/2 {
			sum += float64(i%w) + 0.5
			n++
		}
	}
	return figure{x: sum / n * scale, y: float64(top+bottom+1) / 2 * scale, height: float64(bottom-top+1) * scale}
}

// TestLearnStanding writes standing.weights: a logistic regression on windows of labelled photographs, half of them turned left to
// right, with windows that were taken for people added twice.
func TestLearnStanding(t *testing.T) {
	if *learnFrom == "" {
		t.Skip("needs -learn with a folder of labelled photographs")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var people, others []histograms
	var scenes []learnScene
	for _, name := range photos(t, *learnFrom) {
		p := readPhoto(t, name)
		if slices.Max(p.labels) == 0 {
			continue // nobody labelled it
		}
		for _, turned := range []bool{false, true} {
			c := reduce(p.img, coarseSize)
			who := p.extent(float64(c.w) / float64(p.img.Rect.Dx()))
			gray := c.gray()
			if turned {
				mirror(gray, c.w)
				who.x = float64(c.w) - who.x
			}
			s := learnScene{tiers(gray, c.w, c.h, foreground), who}
			people = append(people, s.people(gray, c.w, c.h, rng)...)
			others = append(others, s.others(template{}, 24, rng)...)
			scenes = append(scenes, s)
		}
	}
	model := learnTemplate(people, others, rng)
	for range 2 {
		for _, s := range scenes {
			others = append(others, s.others(model, 40, rng)...)
		}
		model = learnTemplate(people, others, rng)
		t.Logf("%d windows with and %d without a person", len(people), len(others))
	}
	biggest := float32(0)
	for _, w := range model.weight {
		biggest = max(biggest, abs(w))
	}
	step := biggest / 127
	out := make([]byte, 0, templateOf+8)
	for _, w := range model.weight {
		out = append(out, byte(int8(math.Round(float64(w/step)))))
	}
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(step))
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(model.offset))
	if err := os.WriteFile("standing.weights", out, 0o644); err != nil {
		t.Fatal(err)
	}
}

type histograms = []float32

type learnScene struct {
	tiers []tier
	who   figure
}

func mirror(field []float32, w int) {
	for i := 0; i < len(field); i += w {
		slices.Reverse(field[i : i+w])
	}
}

func (l tier) window(col, row int) histograms {
	out := make([]float32, 0, templateOf)
	for r := range windowRows {
		out = append(out, l.hist[((row+r)*l.w+col)*directions:][:windowCols*directions]...)
	}
	return out
}

// people are windows around the person, a little off in place and size.
func (s learnScene) people(gray []float32, w, h int, rng *rand.Rand) []histograms {
	var out []histograms
	for range 4 {
		size := s.who.height * math.Exp(0.05*rng.NormFloat64())
		k := figureRows * cellSide / size
		lw, lh := int(math.Round(float64(w)*k)), int(math.Round(float64(h)*k))
		l := tier{newCells(scaleField(gray, w, h, lw, lh), lw, lh), k}
		col := int(math.Round(s.who.x*k/cellSide-windowCols/2.0)) + frameCells
		row := int(math.Round(s.who.y*k/cellSide-windowRows/2.0)) + frameCells
		if col >= 0 && row >= 0 && col+windowCols <= l.w && row+windowRows <= l.h {
			out = append(out, l.window(col, row))
		}
	}
	return out
}

// others are windows that do not show the person: those most like one, or, without a template, any.
func (s learnScene) others(t template, n int, rng *rand.Rand) []histograms {
	type found struct {
		w     histograms
		score float32
	}
	var all []found
	for _, l := range s.tiers {
		for row := 0; row+windowRows <= l.h; row++ {
			for col := 0; col+windowCols <= l.w; col++ {
				f := l.figure(float64(col), float64(row), 0)
				if f.overlaps(s.who) && f.height > 0.6*s.who.height {
					continue
				}
				v := rng.Float32()
				if t.weight != nil {
					if v = l.score(t, col, row); v < -1.5 {
						continue
					}
				}
				all = append(all, found{score: v, w: nil})
				if len(all) <= 4*n || rng.IntN(8) == 0 {
					all[len(all)-1].w = l.window(col, row)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.score > b.score {
			return -1
		}
		return 1
	})
	var out []histograms
	for _, f := range all {
		if f.w != nil && len(out) < n {
			out = append(out, f.w)
		}
	}
	return out
}

// learnTemplate is a logistic regression by stochastic gradient descent with shrinking weights.
func learnTemplate(people, others []histograms, rng *rand.Rand) template {
	t := template{weight: make([]float32, templateOf)}
	n := len(people) + len(others)
	balance := float32(len(others)) / float32(len(people)) / 2
	const rounds, shrink = 12, 2e-4
	for round := range rounds {
		rate := float32(0.2 / (1 + float64(round)))
		for range n {
			i := rng.IntN(n)
			x, y, weight := histograms(nil), float32(0), float32(1)
			if i < len(people) {
				x, y, weight = people[i], 1, balance
			} else {
				x = others[i-len(people)]
			}
			sum := t.offset
			for k, v := range x {
				sum += v * t.weight[k]
			}
			step := rate * weight * (y - float32(1/(1+math.Exp(-float64(sum)))))
			for k, v := range x {
				t.weight[k] += step*v - rate*shrink*t.weight[k]
			}
			t.offset += 0.1 * step
		}
	}
	return t
}

// The labels of the photographs, by what they count as.
var classOf = func() (out [256]class) {
	for c, labels := range map[class][]int{
		headClass:  {19, 20, 17, 47, 15},
		skinClass:  {41},
		upperClass: {3, 4, 5, 6, 8, 10, 11, 13, 14, 18, 22, 23, 24, 26, 35, 37, 38, 46, 48, 49, 50, 51, 52, 54, 55},
		lowerClass: {25, 27, 30, 31, 40, 42, 45, 53},
		feetClass:  {7, 12, 16, 21, 28, 32, 36, 39, 43, 44, 58},
		heldClass:  {1, 2, 9, 29, 33, 34, 56, 57},
	} {
		for _, l := range labels {
			out[l] = c
		}
	}
	return out
}()

// classes is what each pixel shows. Skin is head above the chin, and what is worn above and below the waist in one piece is parted
// there; chin and waist are where they are on most people who stand.
func (p photo) classes() []class {
	const chin, waist = 0.135, 0.45
	w := p.img.Rect.Dx()
	who := p.extent(1)
	out := make([]class, len(p.labels))
	for i, l := range p.labels {
		c := classOf[l]
		down := (float64(i/w) - (who.y - who.height/2)) / who.height
		switch {
		case c == skinClass && down < chin:
			c = headClass
		case onePiece(l) && down > waist:
			c = lowerClass
		}
		out[i] = c
	}
	return out
}

// onePiece tells the labels of what is worn above and below the waist at once.
func onePiece(label uint8) bool { return slices.Contains([]uint8{6, 14, 35, 46, 50}, label) }

// cropped is a part of the photograph, with the classes of its pixels.
func cropped(img *image.NRGBA, all []class, r image.Rectangle) (*image.NRGBA, []class) {
	out, part := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy())), make([]class, 0, r.Dx()*r.Dy())
	draw.Draw(out, out.Rect, img, r.Min, draw.Src)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		part = append(part, all[y*img.Rect.Dx()+r.Min.X:][:r.Dx()]...)
	}
	return out, part
}

// example is one pixel to learn from.
type example struct {
	x     [features]float32
	truth class
}

// examplesOf runs the search on a picture up to where the forest is asked, and keeps a share of its pixels.
func examplesOf(tb testing.TB, img *image.NRGBA, truth []class, blind bool, rng *rand.Rand) []example {
	tb.Helper()
	s, err := newScene(tb.Context(), img, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	if blind {
		s.faces = nil
		s.people = join(nil, findFigures(s.cut.canvas, leastFigure, foreground))
	}
	if len(s.people) == 0 {
		return nil
	}
	e := s.gather(s.people)
	f, err := s.findPeople(tb.Context(), e)
	if err != nil {
		tb.Fatal(err)
	}
	v := see(s.cut, e, f, s.people)
	var out []example
	for i, x := range v.rows {
		px, py := (float64(i%v.w*stride)+0.5)*s.zoom, (float64(i/v.w*stride)+0.5)*s.zoom
		c := truth[min(int(py), img.Rect.Dy()-1)*img.Rect.Dx()+min(int(px), img.Rect.Dx()-1)]
		keep := 0.02
		if x[1] > -3 && x[0] < 4 {
			keep = 0.04
		}
		if rng.Float64() < keep {
			out = append(out, example{x, c})
		}
	}
	return out
}

// TestLearnPeople writes people.weights: boosted trees on pixels of labelled photographs, whole and cut off below the head, the chest or
// the hips, a third of them with their faces withheld.
func TestLearnPeople(t *testing.T) {
	if *learnFrom == "" {
		t.Skip("needs -learn with a folder of labelled photographs")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var all []example
	for n, name := range photos(t, *learnFrom) {
		p := readPhoto(t, name)
		if slices.Max(p.labels) == 0 {
			continue
		}
		truth := p.classes()
		all = append(all, examplesOf(t, p.img, truth, n%3 == 0, rng)...)
		if n%2 == 0 {
			who := p.extent(1)
			head := who.height / 7.5
			down, wide := head*(1.4+3*rng.Float64()), head*(1.2+1.5*rng.Float64())
			top := who.y - who.height/2
			r := image.Rect(int(who.x-wide), int(top-head*rng.Float64()), int(who.x+wide), int(top+down)).Intersect(p.img.Rect)
			img, part := cropped(p.img, truth, r)
			all = append(all, examplesOf(t, img, part, false, rng)...)
		}
		if n%40 == 0 {
			t.Log(n, len(all))
		}
	}
	writeForest(t, "people.weights", all, 25)
}
