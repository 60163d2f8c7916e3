package segment

import (
	cli "flag"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"atelier/imaging/mask"
)

var learnFrom = cli.String("learn", "", "folder with NAME.jpg and NAME.labels.png to learn the embedded forests from")

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

// figure is a standing person: the middle between head and feet, and the height from crown to sole.
type figure struct{ x, y, height float64 }

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

// classes is what each pixel shows. Skin is head above the chin, and what is worn above and below the waist in one
// piece is parted there; chin and waist are where they are on most people who stand.
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

// readMask reads the truth of a photograph of people: which pixels show them.
func readMask(tb testing.TB, name string, size image.Point) []bool {
	tb.Helper()
	truth := readImage(tb, name)
	b := truth.Bounds()
	out := make([]bool, size.X*size.Y)
	for i := range out {
		at := truth.At(b.Min.X+i%size.X*b.Dx()/size.X, b.Min.Y+i/size.X*b.Dy()/size.Y)
		out[i] = color.GrayModel.Convert(at).(color.Gray).Y >= mask.Level //nolint:forcetypeassert // GrayModel gives Gray
	}
	return out
}

// lessons collects examples of the subject and of its parts.
type lessons struct {
	subject, parts []example
	rng            *rand.Rand
}

// add measures a picture and keeps a share of its pixels: most of those where the networks are in doubt.
func (l *lessons) add(tb testing.TB, img *image.NRGBA, truth []class) {
	tb.Helper()
	// The feature that adds up what the networks say, and what it is within where they are in doubt.
	const doubtful, sum = 14, 38
	s, err := sceneOf(img)
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.meet(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	if err := s.findBodies(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	v := s.see(s.looked, s.people)
	for i, x := range v.rows {
		px, py := (float64(i%v.w*stride)+0.5)*s.zoom, (float64(i/v.w*stride)+0.5)*s.zoom
		c := truth[min(int(py), img.Rect.Dy()-1)*img.Rect.Dx()+min(int(px), img.Rect.Dx()-1)]
		keep := 0.01
		switch {
		case x[sum] > -doubtful && x[sum] < doubtful:
			keep = 0.08
		case c != background:
			keep = 0.03
		}
		if l.rng.Float64() >= keep {
			continue
		}
		l.subject = append(l.subject, example{x, uint8(flag(c != background))})
		if c != background {
			l.parts = append(l.parts, example{x, uint8(c - 1)})
		}
	}
}

// crop is a part of a labelled photograph: of one in three its upper part, of another its head and shoulders, else
// nothing.
func (l *lessons) crop(n int, p photo) image.Rectangle {
	w, h := p.img.Rect.Dx(), float64(p.img.Rect.Dy())
	switch n % 3 {
	case 0:
		return image.Rect(0, int(0.15*h*l.rng.Float64()), w, int(h*(0.35+0.4*l.rng.Float64())))
	case 1:
		who := p.extent(1)
		head := who.height / 7.5
		down, wide := head*(1.4+3*l.rng.Float64()), head*(1.2+1.5*l.rng.Float64())
		top := who.y - who.height/2
		above := int(top - head*l.rng.Float64())
		return image.Rect(int(who.x-wide), above, int(who.x+wide), int(top+down)).Intersect(p.img.Rect)
	}
	return image.Rectangle{}
}

// TestLearnForests writes subject.weights and parts.weights: boosted trees on pixels of labelled photographs and of
// parts of them.
func TestLearnForests(t *testing.T) {
	if *learnFrom == "" {
		t.Skip("needs -learn with a folder of labelled photographs")
	}
	const subjectRounds, partRounds = 80, 60
	l := lessons{rng: rand.New(rand.NewPCG(1, 2))}
	for n, name := range photos(t, *learnFrom) {
		p := readPhoto(t, name)
		if slices.Max(p.labels) == 0 {
			continue // without labels
		}
		truth := p.classes()
		l.add(t, p.img, truth)
		if r := l.crop(n, p); !r.Empty() {
			img, part := cropped(p.img, truth, r)
			l.add(t, img, part)
		}
	}
	writeForest(t, "subject.weights", l.subject, 1, subjectRounds)
	writeForest(t, "parts.weights", l.parts, partClasses, partRounds)
}
