package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging"
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
	part := h.skin
	pieces, err := segment.PiecesOf(ctx, b.img, segment.Options{})
	if err != nil {
		return fmt.Errorf("find the skin: %w", err)
	}
	if pieces.Worn.W > 0 {
		part = joinedSkin(b.img, part, h.hair, pieces, tone, h.face)
	}
	compose.Retone(b.img, tone, b.complexion(tone), part)
	return nil
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
		{f.mouth, 0.5, 0.2},
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
	even := compose.Blur(paint(paint(img, r), max(2, r*2/3)), max(1, r/2))
	wide := compose.Blur(img, 3*r)
	eachPixel(img, func(x, y int, p []uint8) {
		share := amount * float64(skin.At(x, y)) / 255 * (1 - f.guarded(float64(x), float64(y)))
		if share == 0 {
			return
		}
		i := even.PixOffset(x, y)
		// What is far darker than all around it is an outline, hair or glasses.
		off := math.Abs(lightOf(even.Pix[i:]) - lightOf(wide.Pix[i:]))
		share *= 1 - smooth((off-34)/30)
		// A blot as large as the brush gives way to what is around it.
		blot := 0.28 + 0.6*smooth((off-3)/8)
		for k := range 3 {
			// Shade is evened out too, by a part.
			v := float64(even.Pix[i+k]) + blot*(float64(wide.Pix[i+k])-float64(even.Pix[i+k]))
			grain := 0.12 * (float64(p[k]) - float64(even.Pix[i+k]))
			p[k] = byte255(float64(p[k]) + share*(v+math.Max(-2, math.Min(2, grain))+glow-float64(p[k])))
		}
	})
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
	withoutSpots(b.img, h.skin, f, h.face)
	how := retouches[b.req.Item%4]
	evened(b.img, h.skin, f, max(2, int(how.brush*float64(h.face.Dx())/22)), how.amount, 5*how.glow)
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
	evened(b.img, h.skin, f, max(3, int(how.brush*float64(h.face.Dx())/13)), how.amount, 5*how.glow)
	tone := skinTone(b.img, h.face)
	r, g, bl := compose.RGB([3]float64{math.Min(92, tone[0]+5), tone[1], tone[2]})
	for _, e := range []spot{f.left, f.right} {
		for i := range 5 {
			k := 1 - 0.14*float64(i)
			oval(e.x, e.y+0.34*s, 0.34*s*k, 0.13*s*k, 0).cover(b.img, func(x, y int, share float64, p []uint8) {
				like := likeSkin(compose.Lab(p[0], p[1], p[2]), tone)
				blend(p, [3]float64{float64(r), float64(g), float64(bl)}, 0.12*share*like*float64(h.skin.At(x, y))/255)
			})
		}
	}
	return nil
}

// asOther shows the person as of the other gender: long hair about a smooth face with reddened lips, or a full beard,
// strong brows and a wider jaw. Words say which; without them the length of the hair does.
func asOther(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	f := featuresOf(b.img, h.face)
	male := hangsLong(h, f)
	for _, w := range words(b.req.text("textDescription")) {
		switch w {
		case "man", "male", "boy", "masculine", "he":
			male = true
		case "woman", "female", "girl", "feminine", "she":
			male = false
		}
	}
	if male {
		asMan(b, h, f)
	} else {
		asWoman(b, h, f)
	}
	return nil
}

// hangsLong tells whether hair hangs beside or below the chin.
func hangsLong(h head, f features) bool {
	s := f.span()
	from, to := f.at(0, 1.0).y, f.at(0, 2.2).y
	n := 0.0
	for y := max(0, int(from)); y < min(h.hair.H, int(to)); y++ {
		for x := max(0, int(f.mouth.x-2.4*s)); x < min(h.hair.W, int(f.mouth.x+2.4*s)); x++ {
			if h.hair.Pix[y*h.hair.W+x] > 150 && math.Abs(float64(x)-f.mouth.x) > 0.75*s {
				n++
			}
		}
	}
	return n > 0.35*s*s
}

// hairOn is the Lab tone of the hair on a head, above the brows; ok is false when there is next to none: what was taken for
// hair is skin in other light.
func hairOn(img *image.NRGBA, h head, f features) (tone [3]float64, ok bool) {
	s := math.Max(1, f.span())
	skin := skinTone(img, h.face)
	n := 0.0
	top, brow := f.at(0, -2.4).y, f.at(0, -0.6).y
	for y := max(0, int(top)); y < min(h.hair.H, int(brow)); y++ {
		for x := max(0, int(f.mouth.x-1.5*s)); x < min(h.hair.W, int(f.mouth.x+1.5*s)); x++ {
			if h.hair.Pix[y*h.hair.W+x] < 150 {
				continue
			}
			p := img.Pix[img.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			dx, dy := (float64(x)-f.at(0, 0).x)/(1.3*s), (float64(y)-f.at(0, 0).y)/(2.1*s)
			if hairlike(lab, skin) < 0.65 || dx*dx+dy*dy > 1 {
				continue // skin, or what lies beyond the head
			}
			n++
			for k := range 3 {
				tone[k] += lab[k]
			}
		}
	}
	if n < 0.3*s*s {
		return tone, false
	}
	for k := range 3 {
		tone[k] /= n
	}
	return tone, true
}

// hairlike is how much a colour may be hair rather than skin of a tone. Fair hair may come close to fair skin; on dark skin
// shine is no hair.
func hairlike(lab, skin [3]float64) float64 {
	if skin[0] > 58 {
		return smooth((math.Hypot(lab[0]-skin[0], math.Hypot(lab[1]-skin[1], lab[2]-skin[2])) - 4) / 6)
	}
	if lab[0] > skin[0]+4 {
		return 0.1
	}
	return 1 - 0.9*likeSkin(lab, skin)
}

// hairTone is the colour of a head's hair, dark brown when it has none.
func hairTone(img *image.NRGBA, h head, f features) [3]float64 {
	lab, ok := hairOn(img, h, f)
	if !ok {
		return [3]float64{62, 44, 36}
	}
	r, g, b := compose.RGB([3]float64{math.Min(lab[0], 62), lab[1], lab[2]})
	return [3]float64{float64(r), float64(g), float64(b)}
}

// asMan gives a face a wider jaw, heavy brows and a full beard, another cut for each item.
func asMan(b *brush, h head, f features) {
	s := f.span()
	jaw := f.at(0, 1.3)
	magnify(b.img, jaw.x, jaw.y, 1.35*s, 0.9*s, 0.14)
	tone := hairTone(b.img, h, f)
	dark := color3(tone, 0.72)
	n := field{seed: b.v.random.Uint32()}
	crisp(b.img, max(1, int(s/14)), 0.35)
	// How far the beard reaches down the cheeks and below the chin, and how thick it is, by item.
	high, long, thick := [4]float64{0.15, 0.32, 0.5, 0.05}[b.req.Item%4], [4]float64{1.94, 1.84, 1.72, 2.1}[b.req.Item%4], [4]float64{0.82, 0.68, 0.52, 0.88}[b.req.Item%4]
	m := f.mouth
	eachPixel(b.img, func(x, y int, p []uint8) {
		dx, dy := (float64(x)-m.x)/s, (float64(y)-m.y)/s
		if dy < -0.9 || dy > 1.1 || math.Abs(dx) > 1.25 {
			return
		}
		skin := float64(h.skin.At(x, y)) / 255
		edge := 0.07 * n.sum(float64(x)/s*6, float64(y)/s*6, 3)
		// The face narrows to the chin; the beard fills it from a line that rises to the ears.
		half := 1.04 - 0.42*smooth((dy+0.1)/0.75)
		side := smooth((half + edge - math.Abs(dx)) / 0.2)
		upper := -0.04 + high - 0.62*smooth((math.Abs(dx)-0.46)/0.5) + edge
		cover := side * smooth((dy-upper)/0.24) * smooth((long-1.02-dy+edge)/0.22)
		// A moustache, and free lips.
		lip := smooth(1.25-math.Pow(dx/0.46, 2)-math.Pow((dy+0.21)/0.1, 2)) * smooth((0.03-dy)/0.05)
		lips := smooth(1.2 - math.Pow(dx/0.3, 2) - math.Pow(dy/0.115, 2))
		cover = math.Max(cover, lip) * (1 - lips) * math.Max(skin, 0.25*smooth((dy-0.3)/0.2))
		if cover <= 0 {
			return
		}
		strand := 0.5 + 0.5*n.at(float64(x)/s*34+2*n.at(float64(y)/s*5, float64(x)/s*5), float64(y)/s*11)
		lit := 0.7 + 0.62*strand
		blend(p, [3]float64{dark[0] * lit, dark[1] * lit, dark[2] * lit}, cover*thick*(0.72+0.28*strand))
	})
	// The brows that are there grow darker and thicker.
	r, g, bl := compose.RGB(skinTone(b.img, h.face))
	skin := lightOf([]uint8{r, g, bl})
	like := compose.Blur(b.img, max(1, int(s/18)))
	eachPixel(b.img, func(x, y int, p []uint8) {
		for _, e := range []spot{f.left, f.right} {
			dx, dy := (float64(x)-e.x)/(0.46*s), (float64(y)-e.y+0.3*s)/(0.2*s)
			if share := smooth(1.2 - dx*dx - dy*dy); share > 0 {
				blend(p, dark, 0.5*share*smooth((0.8*skin-lightOf(like.Pix[like.PixOffset(x, y):]))/30))
			}
		}
	})
	compose.Grade(b.img, -2, 1, 0.95)
}

// asWoman gives a face long hair, smooth skin, lashes, fine brows, blush and red lips.
func asWoman(b *brush, h head, f features) {
	s := f.span()
	jaw := f.at(0, 1.35)
	magnify(b.img, jaw.x, jaw.y, 1.1*s, 0.7*s, -0.12)
	evened(b.img, h.skin, f, max(2, int(s/9)), 0.95, 4)
	// What is left of a beard is lifted to the tone of the skin.
	tone := skinTone(b.img, h.face)
	cheek := compose.Measure(b.img, cheekOf(h, f)).Mean
	if cheek[0] > 0 {
		tone = cheek
	}
	tr, tg, tb := compose.RGB(tone)
	for _, e := range []spot{f.left, f.right} {
		magnify(b.img, e.x, e.y, 0.42*s, 0.36*s, 0.16)
	}
	eachPixel(b.img, func(x, y int, p []uint8) {
		share := float64(h.skin.At(x, y)) / 255
		if share == 0 {
			return
		}
		dx, dy := (float64(x)-f.mouth.x)/s, (float64(y)-f.mouth.y)/s
		lips := smooth(1.35 - math.Pow(dx/0.36, 2) - math.Pow(dy/0.14, 2))
		beard := smooth((dy+0.4)/0.3) * smooth((1.0-math.Abs(dx))/0.2) * (1 - lips) * smooth((lightOf([]uint8{tr, tg, tb})-lightOf(p)-6)/24)
		blend(p, [3]float64{float64(tr), float64(tg), float64(tb)}, 0.8*share*beard)
		blend(p, [3]float64{186, 40, 62}, 0.62*share*lips)
		for _, e := range []spot{f.left, f.right} {
			ex, ey := (float64(x)-e.x)/s, (float64(y)-e.y)/s
			blend(p, [3]float64{232, 110, 116}, 0.3*share*smooth(1-math.Pow(ex/0.44, 2)-math.Pow((ey-0.55)/0.3, 2)))
			blend(p, [3]float64{100, 56, 86}, 0.5*share*smooth(1-math.Pow(ex/0.36, 2)-math.Pow((ey+0.15)/0.13, 2)))
		}
	})
	for i, e := range []spot{f.left, f.right} {
		out := float64(2*i - 1)
		line(0.055*s, 0.02*s, through(false, []spot{{e.x - out*0.24*s, e.y - 0.02*s}, {e.x + out*0.04*s, e.y - 0.13*s}, {e.x + out*0.36*s, e.y - 0.12*s}})...).fill(b.img, color.NRGBA{26, 18, 22, 215})
	}
	longHair(b, h, f)
	compose.Grade(b.img, 2, 1, 1.06)
}

// cheekOf is the cover of the cheeks below the eyes.
func cheekOf(h head, f features) *mask.Plane {
	s := f.span()
	m := mask.New(h.skin.W, h.skin.H)
	for _, x := range []float64{-0.55, 0.55} {
		at := f.at(x, 0.5)
		m.FillRect(image.Rect(int(at.x-0.16*s), int(at.y-0.14*s), int(at.x+0.16*s), int(at.y+0.14*s)).Intersect(m.Rect()), 255)
	}
	return &m
}

// longHair lets hair fall from a parting past both cheeks to the shoulders: a dark body with strands of light on it.
func longHair(b *brush, h head, f features) {
	s := f.span()
	base := hairTone(b.img, h, f)
	if len(b.wanted.colours) > 0 {
		base = b.colour()
	}
	top := -1.95
	if _, ok := hairOn(b.img, h, f); ok {
		// On top of the hair that is there.
		top = math.Max(-2.5, math.Min(top, (float64(h.hair.Bounds().Min.Y)-f.at(0, 0).y)/s-0.05))
	}
	long := 2.35 + 0.28*float64(b.req.Item%4)
	wave := [4]float64{0.05, 0.13, 0.02, 0.09}[b.req.Item%4]
	for _, side := range []float64{-1, 1} {
		// From the parting along the forehead and the cheek, and along the outline.
		inner := []spot{{0.02, -1.3}, {0.5, -1.08}, {0.9, -0.55}, {1.0, 0.1}, {0.94, 0.8}, {0.8, 1.4}, {0.74, long}}
		outer := []spot{{-0.02, top}, {0.72, top + 0.2}, {1.24, -1.1}, {1.42, -0.2}, {1.5, 0.7}, {1.54, 1.5}, {1.36, long + 0.05}}
		at := func(t float64, n int) spot {
			x := inner[n].x + t*(outer[n].x-inner[n].x) + wave*math.Sin(2.1*float64(n)+5*t)*math.Min(1, float64(n)/3)
			return f.at(side*x, inner[n].y+t*(outer[n].y-inner[n].y))
		}
		strand := func(t float64) []spot {
			list := make([]spot, len(inner))
			for n := range list {
				list[n] = at(t, n)
			}
			return through(false, list)
		}
		edge := strand(0)
		back := strand(1)
		slices.Reverse(back)
		polygon(append(edge, back...)...).fill(b.img, dot(color3(base, 0.5), 255))
		for i := range 170 {
			t := 0.01 + 0.98*float64(i*61%170)/169
			lit := 0.5 + 0.5*b.v.random.Float64() + 0.34*math.Exp(-math.Pow((t-0.55)/0.22, 2))
			line(0.026*s, 0.014*s, strand(t)...).fill(b.img, dot(color3(base, lit), 150))
		}
	}
}
