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
	f := seg.Faces[0]
	neck := image.Rect(f.Min.X+f.Dx()/8, f.Max.Y-f.Dy()/6, f.Max.X-f.Dx()/8, f.Max.Y+f.Dy()/2)
	each := func(like func(x, y int, lab [3]float64) float64) {
		parallelRows(out.H, func(y int) {
			row := figure.Pix[figure.PixOffset(0, y):]
			for x := range out.W {
				i := y*out.W + x
				if p := row[4*x : 4*x+4]; p[3] > 0 && seg.Mask.Pix[i] < mask.Level {
					out.Pix[i] = max(out.Pix[i], byte255(255*like(x, y, compose.Lab(p[0], p[1], p[2]))))
				}
			}
		})
	}
	each(func(x, y int, lab [3]float64) float64 {
		if image.Pt(x, y).In(neck) {
			return math.Max(likeSkin(lab, tone), shadedSkin(lab, tone))
		}
		return likeSkin(lab, tone)
	})
	// Beside skin that is sure, what the sun or the shade made of it is skin too.
	sure := out.Feather(math.Max(1, float64(f.Dx())/16))
	sure.Threshold(mask.Level)
	near := sure.Grow(float64(f.Dx()) / 3)
	each(func(x, y int, lab [3]float64) float64 {
		if near.Pix[y*near.W+x] < mask.Level {
			return 0
		}
		return math.Max(sunnySkin(lab, tone), shadedSkin(lab, tone))
	})
	// Shine and shade within skin are skin; single pixels elsewhere are not.
	d := float64(f.Dx())
	wide := out.Feather(math.Max(1, d/16))
	for i, v := range wide.Pix {
		at := smooth((float64(v)/255 - 0.35) / 0.3)
		if figure.Pix[4*i+3] == 0 || seg.Mask.Pix[i] >= mask.Level {
			at = 0
		}
		out.Pix[i] = byte255(255 * at)
	}
	// Deep shade below a chin, all around which is skin, is skin too; what is worn there has another hue.
	other := mask.New(out.W, out.H)
	for i, v := range out.Pix {
		if v < mask.Level {
			other.Pix[i] = 255
		}
	}
	large := other.Clone()
	large.Clean(int(d * d / 6))
	for i, v := range large.Pix {
		p := figure.Pix[4*i : 4*i+3]
		if other.Pix[i] > 0 && (v > 0 || !ofHue(compose.Lab(p[0], p[1], p[2]), tone)) {
			other.Pix[i] = 0
		}
	}
	other = other.Grow(math.Max(1, d/40))
	each(func(x, y int, _ [3]float64) float64 { return float64(other.Pix[y*out.W+x]) / 255 })
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

// sunnySkin is how much a colour may be skin of a tone that the sun made lighter and paler, 0 … 1.
func sunnySkin(lab, tone [3]float64) float64 {
	if lab[0] < tone[0] {
		return 0
	}
	paler := 1 - 0.75*(lab[0]-tone[0])/math.Max(1, 100-tone[0])
	da, db := lab[1]-paler*tone[1], lab[2]-paler*tone[2]
	return (1 - smooth((math.Sqrt(da*da/140+db*db/190)-0.8)/0.5)) * smooth((lab[1]+1)/3) * smooth((lab[2]-2)/4)
}

// shadedSkin is how much a colour may be skin of a tone that is in the shade of the chin, 0 … 1: what the light made pale has
// more colour there, as fair hair has, so that it only tells in places where there is no hair.
func shadedSkin(lab, tone [3]float64) float64 {
	if lab[0] > tone[0] || lab[0] < 0.35*tone[0] {
		return 0
	}
	richer := 1 + 2*(1-lab[0]/math.Max(1, tone[0]))
	da, db := lab[1]-richer*tone[1], lab[2]-richer*tone[2]
	return 1 - smooth((math.Sqrt(da*da/140+db*db/190)-0.8)/0.5)
}
