package render

import (
	"image"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// skinTone is the Lab tone of a face: the middle half of what lies between eyes and chin, by lightness, so that neither
// shine nor beard nor glasses decide.
func skinTone(img *image.NRGBA, face image.Rectangle) [3]float64 {
	area := image.Rect(
		face.Min.X+face.Dx()*26/100, face.Min.Y+face.Dy()*46/100,
		face.Max.X-face.Dx()*26/100, face.Min.Y+face.Dy()*78/100).Intersect(img.Rect)
	var light [101][]([3]float64)
	n := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			p := img.Pix[img.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			light[int(math.Max(0, math.Min(100, lab[0])))] = append(light[int(math.Max(0, math.Min(100, lab[0])))], lab)
			n++
		}
	}
	if n == 0 {
		return [3]float64{60, 12, 16}
	}
	var sum [3]float64
	count, seen := 0.0, 0
	for _, bin := range light {
		for _, lab := range bin {
			seen++
			if 4*seen < n || 4*seen > 3*n+4 {
				continue
			}
			for k, v := range lab {
				sum[k] += v
			}
			count++
		}
	}
	for k := range sum {
		sum[k] /= math.Max(1, count)
	}
	return sum
}

// bareSkin is the soft cover of what is visible of the body's skin: what resembles the face's tone outside head and
// clothes.
func bareSkin(figure *image.NRGBA, seg Segmentation, tone [3]float64) mask.Plane {
	out := mask.New(figure.Rect.Dx(), figure.Rect.Dy())
	parallelRows(out.H, func(y int) {
		row := figure.Pix[figure.PixOffset(0, y):]
		for x := range out.W {
			i := y*out.W + x
			p := row[4*x : 4*x+4]
			if p[3] == 0 || seg.Mask.Pix[i] >= mask.Level {
				continue
			}
			out.Pix[i] = byte255(255 * likeSkin(compose.Lab(p[0], p[1], p[2]), tone))
		}
	})
	// Shine and shade within skin are skin; single pixels elsewhere are not.
	d := float64(seg.Faces[0].Dx())
	wide := out.Feather(math.Max(1, d/16))
	for i, v := range wide.Pix {
		at := smooth((float64(v)/255 - 0.35) / 0.3)
		if figure.Pix[4*i+3] == 0 || seg.Mask.Pix[i] >= mask.Level {
			at = 0
		}
		out.Pix[i] = byte255(255 * at)
	}
	return out.Feather(math.Max(0.8, d/70))
}

// likeSkin is how much a colour may be skin of a tone, in the sun or in the shade: 0 … 1.
func likeSkin(lab, tone [3]float64) float64 {
	// In the shade skin is as much duller as it is darker.
	share := math.Max(0.45, math.Min(1.15, lab[0]/math.Max(10, tone[0])))
	da, db := lab[1]-share*tone[1], lab[2]-share*tone[2]
	dl := (lab[0] - tone[0]) / 42
	return 1 - smooth((math.Sqrt(da*da/140+db*db/190+dl*dl)-0.8)/0.5)
}

// skin is the soft cover of the skin of a head as it is put on: what resembles its tone, and in the middle of the face
// everything that has colour, so that blush and shine are not left behind.
func (w worn) skin(tone [3]float64) mask.Plane {
	out := mask.New(w.picture.Rect.Dx(), w.picture.Rect.Dy())
	f := w.face.Sub(w.at)
	parallelRows(out.H, func(y int) {
		for x := range out.W {
			i := y*out.W + x
			p := w.picture.Pix[4*i : 4*i+4]
			if p[3] == 0 {
				continue
			}
			lab := compose.Lab(p[0], p[1], p[2])
			like := likeSkin(lab, tone)
			if r := reachOf(x-f.Min.X, y-f.Min.Y, f.Dx(), f.Dy()); r < 1 && lab[0] > 0.5*tone[0] {
				hue := smooth((math.Hypot(lab[1], lab[2]) - 6) / 8)
				like = math.Max(like, hue*(1-smooth((r-0.75)/0.25)))
			}
			out.Pix[i] = byte255(255 * like)
		}
	})
	return out.Feather(math.Max(0.8, float64(f.Dx())/70))
}

// neck paints a neck where the old head left a gap between chin and collar, in the chin's shade: from the middle of the
// new face to where the body's own neck begins. tones are those of the old skin and the new.
func neck(img *image.NRGBA, src *image.NRGBA, seg Segmentation, face image.Rectangle, tones [2][3]float64) {
	tone := tones[1]
	d := float64(face.Dx())
	middle := float64(face.Min.X+face.Max.X) / 2
	top, low := float64(face.Min.Y)+0.66*d, float64(face.Max.Y)+0.5*d
	foot := float64(seg.Faces[0].Min.X+seg.Faces[0].Max.X)/2 + seg.footOfNeck(src, tones[0])
	area := image.Rect(int(math.Min(middle, foot)-0.3*d), int(top), int(math.Max(middle, foot)+0.3*d), int(low)).Intersect(img.Rect)
	if area.Empty() {
		return
	}
	across := func(x, y int) float64 {
		t := smooth((float64(y) - float64(face.Min.Y) - 0.85*d) / (0.4 * d))
		return (float64(x) + 0.5 - middle*(1-t) - foot*t) / (0.2 * d)
	}
	cover := mask.New(area.Dx(), area.Dy())
	for y := range cover.H {
		for x := range cover.W {
			if math.Abs(across(area.Min.X+x, area.Min.Y+y)) < 1 && seg.OldHead.At(area.Min.X+x, area.Min.Y+y) > 8 {
				cover.Set(x, y, 255)
			}
		}
	}
	cover = cover.Feather(math.Max(0.8, d/40))
	for y := range cover.H {
		// Just below the chin it is darkest.
		below := (float64(area.Min.Y+y) - float64(face.Min.Y) - 0.95*d) / (0.3 * d)
		shade := 0.80 + 0.16*smooth(below)
		for x := range cover.W {
			a := cover.At(x, y)
			if a == 0 {
				continue
			}
			u := math.Min(1, math.Abs(across(area.Min.X+x, area.Min.Y+y)))
			r, g, b := compose.RGB([3]float64{tone[0] * shade * (1 - 0.16*u*u), tone[1], tone[2]})
			p := img.Pix[img.PixOffset(area.Min.X+x, area.Min.Y+y):][:4:4]
			blot(p, [4]uint8{r, g, b, a})
		}
	}
}

// footOfNeck is how far right of the middle of the old face the neck meets the body: by the skin of a tone that shows
// below the chin, else by the middle of the shoulders.
func (s Segmentation) footOfNeck(src *image.NRGBA, tone [3]float64) float64 {
	face := s.Faces[0]
	d := face.Dx()
	middle := (face.Min.X + face.Max.X) / 2
	area := image.Rect(middle-d*6/10, face.Max.Y+d/12, middle+d*6/10, face.Max.Y+d*4/10).Intersect(src.Rect)
	var sum, n float64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if s.Subject.At(x, y) < mask.Level {
				continue
			}
			p := src.Pix[src.PixOffset(x, y):]
			like := likeSkin(compose.Lab(p[0], p[1], p[2]), tone)
			sum += like * float64(x-middle)
			n += like
		}
	}
	if n < 0.05*float64(area.Dx()*area.Dy()) {
		at := middleOf(s.Subject, face.Max.Y+d*45/100, face.Max.Y+d*8/10, float64(middle), 1.2*float64(d))
		return math.Max(-0.4, math.Min(0.4, 0.8*(at-float64(middle))/float64(d))) * float64(d)
	}
	return math.Max(-0.3, math.Min(0.3, sum/n/float64(d))) * float64(d)
}
