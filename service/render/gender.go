package render

import (
	"context"
	"image"
	"image/color"
	"math"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// asOther shows the person as of the other gender: long hair about a smooth face with reddened lips, or a full beard,
// strong brows and a wider jaw. Words say which; without them the length of the hair does.
func asOther(ctx context.Context, b *brush) error {
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
	if !male {
		asWoman(b, h, f)
		return ctx.Err()
	}
	if hangsLong(h, f) {
		if err := shaved(ctx, b, &h, haircut{stubble: 0.34, stays: shortCut}); err != nil {
			return err
		}
	}
	asMan(b, h, f)
	return ctx.Err()
}

// asMan gives a face a wider jaw, heavy brows and a full beard, another cut for each item.
func asMan(b *brush, h head, f features) {
	s := f.span()
	jaw := f.at(0, 1.3)
	magnify(b.img, jaw.x, jaw.y, 1.35*s, 0.9*s, 0.14)
	tone := hairTone(b.img, h, f)
	dark := color3(tone, 0.5)
	n := field{seed: b.v.random.Uint32()}
	crisp(b.img, max(1, int(s/14)), 0.35)
	// How far the beard reaches down the cheeks and below the chin, and how thick it is, by item.
	high, long, thick := [4]float64{0.15, 0.32, 0.5, 0.05}[b.req.Item%4], [4]float64{1.94, 1.84, 1.72, 2.1}[b.req.Item%4], [4]float64{0.9, 0.76, 0.58, 0.94}[b.req.Item%4]
	m := f.mouth
	whole := fitPlane(b.seg.Matte, h.skin.W, h.skin.H)
	grown := mask.New(h.skin.W, h.skin.H)
	natural := toned(rgbOf(skinTone(b.img, h.face)), [3]float64{150, 84, 78}, 0.45)
	eachPixel(b.img, func(x, y int, p []uint8) {
		dx, dy := (float64(x)-m.x)/s, (float64(y)-m.y)/s
		if dy < -0.9 || dy > 1.1 || math.Abs(dx) > 1.25 {
			return
		}
		skin := float64(h.skin.At(x, y)) / 255
		// Between mouth and chin all of the head is skin, whatever light it is in.
		skin = math.Max(skin, float64(whole.At(x, y))/255*smooth((0.7-math.Abs(dx))/0.15)*smooth((dy-0.05)/0.1))
		edge := 0.11 * n.sum(float64(x)/s*6, float64(y)/s*6, 3)
		// The face narrows to the chin; the beard fills it from a line that rises to the ears.
		half := 1.04 - 0.42*smooth((dy+0.1)/0.75)
		side := smooth((half + edge - math.Abs(dx)) / 0.34)
		upper := -0.04 + high - 0.66*smooth((math.Abs(dx)-0.34)/0.5) + edge
		cover := side * smooth((dy-upper)/0.38) * smooth((long-1.02-dy+edge)/0.3)
		// A moustache, and free lips.
		lip := smooth(1.25-math.Pow(dx/0.46, 2)-math.Pow((dy+0.21)/0.1, 2)) * smooth((0.03-dy)/0.05)
		lips := smooth(1.2 - math.Pow(dx/0.3, 2) - math.Pow(dy/0.115, 2))
		// Beside the mouth both meet.
		meet := smooth(1.2 - math.Pow((math.Abs(dx)-0.43)/0.12, 2) - math.Pow((dy-0.03)/0.26, 2))
		if lips > 0 && skin > 0 {
			blend(p, natural, 0.5*lips*skin) // no lipstick
		}
		cover = math.Max(cover, math.Max(lip, meet)) * (1 - lips) * math.Max(skin, 0.25*smooth((dy-0.3)/0.2))
		if cover <= 0 {
			return
		}
		grown.Pix[y*grown.W+x] = byte255(255 * cover * thick)
		strand := 0.5 + 0.5*n.at(float64(x)/s*34+2*n.at(float64(y)/s*5, float64(x)/s*5), float64(y)/s*11)
		lit := 0.7 + 0.62*strand
		blend(p, [3]float64{dark[0] * lit, dark[1] * lit, dark[2] * lit}, cover*thick*(0.72+0.28*strand))
	})
	// Single hairs lie on it, downwards and away from the middle.
	for range 900 {
		x, y := m.x+s*(2.4*b.v.random.Float64()-1.2), m.y+s*(2*b.v.random.Float64()-0.9)
		lit, long := 0.55+1.0*b.v.random.Float64(), s*(0.05+0.06*b.v.random.Float64())
		if a := grown.At(int(x), int(y)); a > 70 {
			aside := 0.5*(x-m.x)/s + 0.3*(b.v.random.Float64()-0.5)
			line(0.022*s, 0.008*s, spot{x, y}, spot{x + aside*long, y + long}).fill(b.img, dot(color3(dark, lit), a/2+40))
		}
	}
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
	worn := eyewearOn(b.img, h, f)
	h.skin = worn.off(h.skin)
	evened(b.img, h.skin, f, max(2, int(s/9)), 0.95, 4)
	// What is left of a beard is lifted to the tone of the skin.
	tone := skinTone(b.img, h.face)
	cheek := compose.Measure(b.img, cheekOf(h, f)).Mean
	if cheek[0] > 0 {
		tone = cheek
	}
	tr, tg, tb := compose.RGB(tone)
	k, lean, n := skullOf(h, f, haircut{}), lightLean(b.img, f, s, tone), field{seed: b.v.random.Uint32()}
	whole := fitPlane(b.seg.Matte, h.skin.W, h.skin.H)
	for i, e := range []spot{f.left, f.right} {
		if worn.hidden[i] {
			continue
		}
		magnify(b.img, e.x, e.y, 0.42*s, 0.36*s, 0.16)
	}
	eachPixel(b.img, func(x, y int, p []uint8) {
		share := float64(h.skin.At(x, y)) / 255
		if share == 0 && whole.At(x, y) == 0 {
			return
		}
		dx, dy := (float64(x)-f.mouth.x)/s, (float64(y)-f.mouth.y)/s
		lips := smooth(1.35 - math.Pow(dx/0.36, 2) - math.Pow(dy/0.14, 2))
		at := k.at(x, y)
		r := k.reach(at)
		round := (1 - 0.3*smooth((r-0.6)/0.5)) * (1 + lean*at.x) * (1 + 0.02*n.at(float64(x)/2, float64(y)/2))
		beard := smooth((dy+0.4)/0.3) * smooth((1.04-r)/0.1) * (1 - lips) * smooth((round*lightOf([]uint8{tr, tg, tb})-lightOf(p)-4)/20)
		blend(p, [3]float64{float64(tr) * round, float64(tg) * round, float64(tb) * round}, 0.9*float64(whole.At(x, y))/255*beard)
		lab := compose.Lab(p[0], p[1], p[2])
		teeth := smooth((lab[0]-tone[0]+2)/14) * smooth((tone[1]-lab[1])/5)
		blend(p, [3]float64{178, 44, 62}, 0.5*share*lips*(1-teeth))
		for _, e := range []spot{f.left, f.right} {
			ex, ey := (float64(x)-e.x)/s, (float64(y)-e.y)/s
			blend(p, [3]float64{232, 110, 116}, 0.16*share*smooth(1-math.Pow(ex/0.44, 2)-math.Pow((ey-0.55)/0.3, 2)))
			blend(p, [3]float64{100, 56, 86}, 0.3*share*smooth(1-math.Pow(ex/0.36, 2)-math.Pow((ey+0.15)/0.13, 2)))
		}
	})
	for i, e := range []spot{f.left, f.right} {
		if worn.hidden[i] {
			continue
		}
		out := float64(2*i - 1)
		line(0.045*s, 0.012*s, through(false, []spot{{e.x - out*0.24*s, e.y - 0.02*s}, {e.x + out*0.04*s, e.y - 0.13*s}, {e.x + out*0.3*s, e.y - 0.1*s}})...).fill(b.img, color.NRGBA{26, 18, 22, 215})
	}
	if !hangsLong(h, f) && !standsOut(h, f) {
		longHair(b, h, f)
	}
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
