package segment

import (
	"image/color"
	"math"
	"testing"
)

// wearing paints what a drawn person has at some place, in face diameters beside and below the face's middle, in another colour each pixel.
func (p picture) wearing(who person, tone func(x, y int, across, down float64) (color.NRGBA, bool)) picture {
	w := p.img.Rect.Dx()
	for i := range p.alpha {
		x, y := i%w, i/w
		if _, on := who.at(float64(x)+0.5, float64(y)+0.5); !on {
			continue
		}
		c, ok := tone(x, y, math.Abs(float64(x)+0.5-who.x)/who.size, (float64(y)+0.5-who.y)/who.size)
		if ok {
			n := float64((i*7919)%9) - 4
			p.img.SetNRGBA(x, y, color.NRGBA{R: level(float64(c.R) + n), G: level(float64(c.G) + n), B: level(float64(c.B) + n), A: 255})
		}
	}
	return p
}

// A skirt of black and white begins below a white top where it looks different from a little farther off: each of its colours may be above
// the waist as well. The waist need not be where most people's is.
func TestAPatternBelongsToOneGarment(t *testing.T) {
	t.Parallel()
	const waist = 2.7
	white, black := color.NRGBA{R: 235, G: 233, B: 230, A: 255}, color.NRGBA{R: 25, G: 25, B: 28, A: 255}
	who := person{x: 180, y: 80, size: 46}
	p := who.draw(paper(360, 520, sand, 3)).wearing(who, func(x, y int, across, down float64) (color.NRGBA, bool) {
		switch {
		case down > 8.3 || down < 0.8 || across > 0.9 && down > 1.7:
			return color.NRGBA{}, false
		case down > waist && (x/5+y/7)%2 == 0:
			return black, true
		}
		return white, true
	})
	s := sceneOf(t, p, who)
	s.divided = true
	r, err := s.region(t.Context(), LowerApparel)
	if err != nil {
		t.Fatal(err)
	}
	between := 0
	for y := int(who.y + (waist+0.15)*who.size); y < int(who.y+3.4*who.size); y++ {
		for x := int(who.x - 0.6*who.size); x < int(who.x+0.6*who.size); x++ {
			between += int(r.Mask.Pix[y*r.Mask.W+x] / 255)
		}
	}
	area := (int(who.y+3.4*who.size) - int(who.y+(waist+0.15)*who.size)) * 2 * int(0.6*who.size)
	if float64(between) < 0.8*float64(area) {
		t.Errorf("%d of %d pixels below the waist belong to what is worn below it", between, area)
	}
}

// Arms of the colour that the face has are no sleeves, though the forest takes them for some. Shoes of that colour stay shoes, and a top that
// is not like it stays one where it is doubted as much.
func TestArmsLikeTheFaceAreNoSleeves(t *testing.T) {
	t.Parallel()
	const hand = 3.4 // down to there arms look like sleeves
	who := person{x: 180, y: 80, size: 46}
	p := who.draw(paper(360, 520, sand, 3)).wearing(who, func(_, _ int, _, down float64) (color.NRGBA, bool) {
		return skinTone, down > 8.3
	})
	s := sceneOf(t, p, who)
	var o opinion
	for c := range o {
		o[c] = make([]float32, s.cut.w*s.cut.h)
	}
	area := make([]uint8, s.cut.w*s.cut.h)
	arm, shoe, top := make([]bool, len(area)), make([]bool, len(area)), make([]bool, len(area))
	for i := range area {
		x, y := (float64(i%s.cut.w)+0.5)*s.zoom, (float64(i/s.cut.w)+0.5)*s.zoom
		tone, on := who.at(x, y)
		down := (y - who.y) / who.size
		if !on || down < 0.9 {
			continue
		}
		area[i] = 1
		switch tone {
		case skinTone:
			arm[i] = true
			o[upperClass][i] = 1
			if down > hand {
				o[upperClass][i] = -3
			}
		case topTone:
			top[i] = true
			o[upperClass][i] = 1
		case legTone:
			o[lowerClass][i] = 4
		case shoeTone:
			shoe[i] = true
			o[feetClass][i] = 1.5
		}
	}
	bare, err := s.bare(t.Context(), area, o, newBodyMap(s.cut, area, s.people))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name        string
		of          []bool
		least, most float64
	}{{"the arms", arm, 0.9, 1}, {"the shoes", shoe, 0, 0.1}, {"the top", top, 0, 0.05}} {
		all, taken := 0.0, 0.0
		for i, in := range test.of {
			all += flag(in)
			taken += flag(in) * float64(bare[i])
		}
		if share := taken / all; share < test.least || share > test.most {
			t.Errorf("%.2f of %s is bare, want %.2f to %.2f", share, test.name, test.least, test.most)
		}
	}
}
