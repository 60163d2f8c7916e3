package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// complexions are the Lab tones that skin is changed to, from fair to deep.
var complexions = [][3]float64{{80, 9, 14}, {70, 13, 22}, {58, 16, 25}, {44, 16, 22}, {31, 12, 15}}

// withComplexion gives all visible skin, of face, neck, arms and legs, another tone: that of a colour the words name, else
// one that is far from the person's own, another for each item.
func withComplexion(ctx context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	tone := skinTone(b.img, h.face)
	part, err := b.bareParts(ctx, h, tone)
	if err != nil {
		return err
	}
	compose.Retone(b.img, tone, b.complexion(tone), part)
	return nil
}

// bareParts is the skin of face, neck and limbs.
func (b *brush) bareParts(ctx context.Context, h head, tone [3]float64) (mask.Plane, error) {
	pieces, err := analysis.Pieces(ctx, b.img, segment.Options{})
	if err != nil {
		return mask.Plane{}, fmt.Errorf("find the skin: %w", err)
	}
	if pieces.Worn.W == 0 {
		return h.skin, nil
	}
	return joinedSkin(b.img, h.skin, h.hair, pieces, tone, h.face), nil
}

// complexion is the tone that skin of a tone is to take: the one that is named, then deeper, lighter and warmer than it.
func (b *brush) complexion(tone [3]float64) [3]float64 {
	if named, ok := b.namedComplexion(); ok {
		by := [4][3]float64{{}, {-6, 1, 1}, {5, -1, -1}, {-1, 4, 5}}[b.req.Item%4]
		return [3]float64{named[0] + by[0], named[1] + by[1], named[2] + by[2]}
	}
	list := slices.Clone(complexions)
	far := func(c [3]float64) float64 { return math.Abs(c[0] - tone[0]) }
	slices.SortStableFunc(list, func(a, b [3]float64) int {
		switch {
		case far(a) > far(b):
			return -1
		case far(a) < far(b):
			return 1
		}
		return 0
	})
	return list[b.req.Item%4]
}

// namedComplexion is the tone of skin that the words name.
func (b *brush) namedComplexion() (tone [3]float64, ok bool) {
	for _, w := range words(b.req.text("textDescription")) {
		switch w {
		case "fair", "pale", "porcelain", "light", "lighter", "white":
			return complexions[0], true
		case "olive", "tan", "tanned", "bronze", "bronzed", "golden":
			return complexions[2], true
		case "brown", "caramel":
			return complexions[3], true
		case "dark", "darker", "deep", "black", "ebony":
			return complexions[4], true
		}
	}
	if len(b.wanted.colours) > 0 {
		c := b.wanted.colours[0]
		return compose.Lab(c.R, c.G, c.B), true
	}
	return tone, false
}

// joinedSkin is the skin of a head and of the body it belongs to: what within the subject resembles its tone, hair and
// clothes left out.
func joinedSkin(img *image.NRGBA, skin, hair mask.Plane, pieces segment.Pieces, tone [3]float64, face image.Rectangle) mask.Plane {
	out := skin.Clone()
	found := mask.New(out.W, out.H)
	parallelRows(out.H, func(y int) {
		if y < face.Min.Y+face.Dy()/2 {
			return
		}
		for x := range out.W {
			i := y*out.W + x
			if !pieces.Subject.Mask.Kept(x, y) || pieces.Worn.Kept(x, y) {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			found.Pix[i] = byte255(255 * likeSkin(compose.Lab(p[0], p[1], p[2]), tone))
		}
	})
	// A neckline is often taken for a part of the clothes: what hangs together with the neck's skin there is skin.
	near := image.Rect(face.Min.X-face.Dx()/3, face.Max.Y, face.Max.X+face.Dx()/3, face.Max.Y+face.Dy()*5/4).Intersect(out.Rect())
	open := mask.New(out.W, out.H)
	for y := near.Min.Y; y < near.Max.Y; y++ {
		for x := near.Min.X; x < near.Max.X; x++ {
			p := img.Pix[img.PixOffset(x, y):]
			if pieces.Subject.Mask.Kept(x, y) && hair.At(x, y) < 96 && ofHue(compose.Lab(p[0], p[1], p[2]), tone) {
				open.Set(x, y, 255)
			}
		}
	}
	for i, v := range reachedFrom(open, skin).Pix {
		found.Pix[i] = max(found.Pix[i], v)
	}
	hard := found.Clone()
	hard.Threshold(mask.Level)
	hard.Clean(face.Dx() * face.Dy() / 60)
	hard = hard.Feather(math.Max(1, float64(face.Dx())/60))
	for i, v := range hard.Pix {
		out.Pix[i] = max(out.Pix[i], v-min(v, hair.Pix[i]/2))
	}
	return out
}

// ofHue tells whether a colour may be skin of a tone by its hue, also in the warm shade below a chin.
func ofHue(lab, tone [3]float64) bool {
	strong, usual := math.Hypot(lab[1], lab[2]), math.Hypot(tone[1], tone[2])
	cos := (lab[1]*tone[1] + lab[2]*tone[2]) / math.Max(1, strong*usual)
	return cos > 0.94 && strong > 0.5*usual && strong < 1.9*usual && lab[0] > tone[0]-36 && lab[0] < tone[0]+20
}

// guarded is how much each place of a face is a feature that has to stay: eyes with brows, nostrils, lips.
func (f features) guarded(x, y float64) float64 {
	s := math.Max(1, f.span())
	most := 0.0
	for _, g := range []struct {
		c      spot
		rx, ry float64
	}{
		{spot{f.left.x, f.left.y - 0.1*s}, 0.46, 0.3},
		{spot{f.right.x, f.right.y - 0.1*s}, 0.46, 0.3},
		{spot{f.mouth.x, f.mouth.y + 0.08*s}, 0.5, 0.28}, // a laugh hangs below its corners
		{f.at(0, 0.6), 0.3, 0.17},
	} {
		dx, dy := (x-g.c.x)/(g.rx*s), (y-g.c.y)/(g.ry*s)
		most = math.Max(most, smooth((1.3-dx*dx-dy*dy)/0.5))
	}
	return most
}

// evened smooths skin but for its features: r is the brush, px, amount how much of the old goes, glow how much lighter it
// becomes, Lab steps.
func evened(img *image.NRGBA, skin mask.Plane, f features, r int, amount, glow float64) {
	free := skin.Clone()
	parallelRows(free.H, func(y int) {
		for x := range free.W {
			i := y*free.W + x
			free.Pix[i] = byte255(float64(free.Pix[i]) * (1 - f.guarded(float64(x), float64(y))))
		}
	})
	if free.Empty() {
		return
	}
	before := compose.Measure(img, &free).Mean
	// Hair, glasses and what lies behind are no part of the skin's colour.
	mean := rgbOf(before)
	alone := imaging.Clone(img)
	eachPixel(alone, func(x, y int, p []uint8) { blend(p, mean, 1-smooth(float64(skin.At(x, y))/160)) })
	even := compose.Blur(paint(paint(alone, r), max(2, r*2/3)), max(1, r/2))
	wide, all := compose.Blur(alone, 3*r), compose.Blur(img, 3*r)
	eachPixel(img, func(x, y int, p []uint8) {
		share := amount * float64(free.At(x, y)) / 255
		if share == 0 {
			return
		}
		i := even.PixOffset(x, y)
		// What is far darker than all around it is an outline, hair or glasses.
		off := math.Abs(lightOf(even.Pix[i:]) - lightOf(all.Pix[i:]))
		share *= 1 - smooth((off-34)/30)
		// A blot as large as the brush gives way to what is around it.
		blot := 0.28 + 0.6*smooth((math.Abs(lightOf(even.Pix[i:])-lightOf(wide.Pix[i:]))-3)/8)
		for k := range 3 {
			// Shade is evened out too, by a part.
			v := float64(even.Pix[i+k]) + blot*(float64(wide.Pix[i+k])-float64(even.Pix[i+k]))
			grain := 0.12 * (float64(p[k]) - float64(even.Pix[i+k]))
			p[k] = byte255(float64(p[k]) + share*(v+math.Max(-2, math.Min(2, grain))+glow-float64(p[k])))
		}
	})
	// On the whole the skin keeps its hue.
	after := compose.Measure(img, &free).Mean
	compose.Retone(img, after, [3]float64{after[0], before[1], before[2]}, free)
}

// retouch is how far skin is retouched: the width of the brush over the usual, how much of the old goes, and how much
// lighter it becomes in levels.
type retouch struct{ brush, amount, glow float64 }

// retouches are those of the items: thorough, natural, porcelain, and thorough with a glow.
var retouches = [4]retouch{{1, 0.95, 1}, {0.7, 0.6, 0.2}, {1.6, 1, 1.6}, {1.1, 0.85, 3}}

// withoutBlemishes takes spots and blotches off the skin and lets it glow.
func withoutBlemishes(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	f := featuresOf(b.img, h.face)
	skin := eyewearOn(b.img, h, f).off(h.skin)
	withoutSpots(b.img, skin, f, h.face)
	how := retouches[b.req.Item%4]
	evened(b.img, skin, f, max(2, int(how.brush*float64(h.face.Dx())/22)), how.amount, 5*how.glow)
	return nil
}

// withoutSpots paints over what is small and redder than the skin around it with that skin.
func withoutSpots(img *image.NRGBA, skin mask.Plane, f features, face image.Rectangle) {
	const redder, rounds = 3.0, 4 // Lab steps; each round the skin around is taken with fewer spots in it
	wide, fine := max(3, face.Dx()/9), max(1, face.Dx()/90)
	whole := skin.Clone()
	whole.Threshold(mask.Level)
	whole = whole.Grow(float64(wide) / 2).Shrink(float64(wide) / 2) // spots may have been left out of it
	tone := skinTone(img, face)
	r, g, bl := compose.RGB(tone)
	clean := imaging.Clone(img)
	free := func(x, y int) float64 { return float64(whole.At(x, y)) / 255 * (1 - f.guarded(float64(x), float64(y))) }
	eachPixel(clean, func(x, y int, p []uint8) {
		blend(p, [3]float64{float64(r), float64(g), float64(bl)}, 1-free(x, y))
	})
	near := compose.Blur(img, fine)
	for range rounds {
		around := compose.Blur(clean, wide)
		eachPixel(clean, func(x, y int, p []uint8) {
			i := around.PixOffset(x, y)
			skin, here := around.Pix[i:i+3], near.Pix[i:i+3]
			spot := smooth((compose.Lab(here[0], here[1], here[2])[1] - compose.Lab(skin[0], skin[1], skin[2])[1] - redder) / redder)
			blend(p, [3]float64{float64(skin[0]), float64(skin[1]), float64(skin[2])}, spot)
			if share := spot * free(x, y); share > 0 {
				blend(img.Pix[img.PixOffset(x, y):], [3]float64{float64(skin[0]), float64(skin[1]), float64(skin[2])}, share)
			}
		})
	}
}

// withoutWrinkles takes the lines of age out of a face: wider strokes than spots need, and the shade under the eyes goes.
func withoutWrinkles(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	f := featuresOf(b.img, h.face)
	s := f.span()
	how := retouches[b.req.Item%4]
	skin := eyewearOn(b.img, h, f).off(h.skin)
	evened(b.img, skin, f, max(3, int(how.brush*float64(h.face.Dx())/13)), how.amount, 5*how.glow)
	tone := skinTone(b.img, h.face)
	r, g, bl := compose.RGB([3]float64{math.Min(92, tone[0]+5), tone[1], tone[2]})
	for _, e := range []spot{f.left, f.right} {
		for i := range 5 {
			k := 1 - 0.14*float64(i)
			oval(e.x, e.y+0.34*s, 0.34*s*k, 0.13*s*k, 0).cover(b.img, func(x, y int, share float64, p []uint8) {
				like := likeSkin(compose.Lab(p[0], p[1], p[2]), tone)
				blend(p, [3]float64{float64(r), float64(g), float64(bl)}, 0.12*share*like*float64(skin.At(x, y))/255)
			})
		}
	}
	return nil
}
