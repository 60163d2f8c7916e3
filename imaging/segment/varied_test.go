package segment

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"slices"
	"testing"

	"atelier/imaging/testpics"
)

// varied is a photograph as it might have been taken as well: the picture, and what each of its pixels shows.
type varied func(img *image.NRGBA, all []class) (*image.NRGBA, []class)

// variants are changes to a photograph that leave what it shows.
var variants = []struct {
	name string
	vary varied
}{
	{"mirrored", mirrored},
	{"left-cut", cutOff(0.1, 0, 0, 0)},
	{"top-cut", cutOff(0, 0.1, 0, 0)},
	{"right-cut", cutOff(0, 0, 0.1, 0)},
	{"bottom-cut", cutOff(0, 0, 0, 0.1)},
	{"half", halved},
	{"lighter", toned(func(_ int, v float64) float64 { return math.Pow(v, 0.7) })},
	{"darker", toned(func(_ int, v float64) float64 { return math.Pow(v, 1.4) })},
	{"warm", toned(tint(1.12, 0.85))},
	{"cool", toned(tint(0.85, 1.12))},
	{"compressed", compressed},
}

// BenchmarkVariedPhotographs reports, for each way in which the photographs of the folder that ATELIER_PHOTOS names might have been
// taken as well, the mean overlap with the truth and how much the photograph loses that loses most by it.
func BenchmarkVariedPhotographs(b *testing.B) {
	folder := testpics.Photographs(b)
	asTaken := map[string]map[string]float64{}
	for _, name := range photos(b, folder) {
		if p := readPhoto(b, name); slices.Max(p.labels) != 0 {
			asTaken[name] = seenOn(b, p, p.img, p.classes())
		}
	}
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			for b.Loop() {
				found, most := map[string]*tally{}, map[string]float64{}
				for name, before := range asTaken {
					p := readPhoto(b, name)
					img, all := v.vary(p.img, p.classes())
					for what, overlap := range seenOn(b, p, img, all) {
						if found[what] == nil {
							found[what] = &tally{}
						}
						found[what].add(overlap, 1)
						most[what] = max(most[what], before[what]-overlap)
					}
				}
				for what, t := range found {
					b.ReportMetric(t.mean(), what+"-IoU")
					b.ReportMetric(most[what], what+"-lost")
				}
			}
		})
	}
}

// seenOn is the overlap with the truth of what is looked for on a photograph, all of it on one scene.
func seenOn(b *testing.B, p photo, img *image.NRGBA, all []class) map[string]float64 {
	b.Helper()
	s, err := newScene(b.Context(), img, Options{Hard: true})
	if err != nil {
		b.Fatal(err)
	}
	s.divided = true
	whole, err := s.subject(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	divided, err := s.parts(b.Context(), whole)
	if err != nil {
		b.Fatal(err)
	}
	out := map[string]float64{}
	for _, l := range looks {
		truth := l.truth(all)
		if l.kind == Human || l.two && !p.twoPieces() || !slices.Contains(truth, true) {
			continue
		}
		f := whole
		if l.kind != WholeSubject {
			f = divided.finding(l.kind, whole)
		}
		r, err := s.finish(b.Context(), f)
		if err != nil {
			b.Fatal(err)
		}
		out[l.name] = sameAs(r.Mask, truth)
	}
	return out
}

func mirrored(img *image.NRGBA, all []class) (*image.NRGBA, []class) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out, turned := image.NewNRGBA(img.Rect), slices.Clone(all)
	for y := range h {
		for x := range w {
			copy(out.Pix[out.PixOffset(x, y):][:4], img.Pix[img.PixOffset(w-1-x, y):])
		}
		slices.Reverse(turned[y*w : (y+1)*w])
	}
	return out, turned
}

// cutOff takes parts of the width and height off the sides.
func cutOff(left, top, right, bottom float64) varied {
	return func(img *image.NRGBA, all []class) (*image.NRGBA, []class) {
		w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
		return cropped(img, all, image.Rect(int(left*w), int(top*h), int((1-right)*w), int((1-bottom)*h)))
	}
}

func halved(img *image.NRGBA, all []class) (*image.NRGBA, []class) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	c := reduce(img, max(w, h)/2)
	out, part := image.NewNRGBA(image.Rect(0, 0, c.w, c.h)), make([]class, c.w*c.h)
	for i := range part {
		for k := range 3 {
			out.Pix[4*i+k] = uint8(c.pix[3*i+k] + 0.5)
		}
		out.Pix[4*i+3] = 255
		part[i] = all[i/c.w*h/c.h*w+i%c.w*w/c.w]
	}
	return out, part
}

// toned maps each channel, 0..1.
func toned(tone func(channel int, v float64) float64) varied {
	return func(img *image.NRGBA, all []class) (*image.NRGBA, []class) {
		out := &image.NRGBA{Pix: slices.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect}
		for i, v := range out.Pix {
			if i%4 != 3 {
				out.Pix[i] = level(tone(i%4, float64(v)/255)*255 + 0.5)
			}
		}
		return out, all
	}
}

// tint is light of another colour.
func tint(red, blue float64) func(channel int, v float64) float64 {
	return func(channel int, v float64) float64 { return v * [3]float64{red, 1, blue}[channel] }
}

func compressed(img *image.NRGBA, all []class) (*image.NRGBA, []class) {
	const quality = 50
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		panic(err)
	}
	back, err := jpeg.Decode(&b)
	if err != nil {
		panic(err)
	}
	return toNRGBA(back), all
}
