package render

import (
	"context"
	"image"
	"image/color"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// crease darkens a soft line along points, as folds of skin do, with a light rim below it.
func crease(img *image.NRGBA, width, strength float64, skin mask.Plane, points ...spot) {
	way := through(false, points)
	for n := range 3 {
		k := 1 + 1.1*float64(2-n)
		line(width*k*0.4, width*k*0.25, way...).cover(img, func(x, y int, share float64, p []uint8) {
			a := strength * share * 0.36 * float64(skin.At(x, y)) / 255
			for i := range 3 {
				p[i] = byte255(float64(p[i]) * (1 - a*[3]float64{0.62, 0.8, 0.86}[i]))
			}
		})
	}
	lit := make([]spot, len(way))
	for i, p := range way {
		lit[i] = spot{p.x, p.y + width*0.8}
	}
	line(width*0.7, width*0.4, lit...).cover(img, func(x, y int, share float64, p []uint8) {
		blend(p, [3]float64{float64(p[0]) + 26, float64(p[1]) + 22, float64(p[2]) + 20}, 0.4*strength*share*float64(skin.At(x, y))/255)
	})
}

// asAged greys the hair and draws the lines of age: across the forehead, at the eyes, from nose to mouth.
func asAged(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	greyed(b.img, h.hair, 192-8*float64(b.req.Item%4), 0.94-0.06*float64(b.req.Item%4))
	f := featuresOf(b.img, h.face)
	s := f.span()
	soft := h.skin
	before := imaging.Clone(b.img)
	crisp(b.img, max(1, int(s/10)), 0.3)
	crisp(b.img, max(1, int(s/24)), 0.35)
	// Skin becomes paler, uneven and a little yellow.
	n := field{seed: b.v.random.Uint32()}
	eachPixel(b.img, func(x, y int, p []uint8) {
		share := float64(soft.At(x, y)) / 255
		i := before.PixOffset(x, y)
		spots := 0.12 * smooth((n.sum(float64(x)/s*5, float64(y)/s*5, 3)-0.26)/0.15)
		for k := range 3 {
			v := float64(before.Pix[i+k]) + share*(float64(p[k])-float64(before.Pix[i+k]))
			p[k] = byte255(v * (1 - share*spots*[3]float64{0.5, 0.8, 1}[k]))
		}
	})
	amount := 0.6 + 0.08*float64(b.req.Item%4)
	wide := math.Max(1.2, s/26)
	for i := range 3 {
		below := -0.62 - 0.17*float64(i)
		// Lines across the forehead waver, and each is shorter than the one below.
		wave := func(t float64) float64 { return below + 0.045*n.at(3*t, 7*below) + 0.05*t*t }
		long := 0.66 - 0.1*float64(i)
		crease(b.img, 0.9*wide, 0.34*amount, soft, f.at(-long, wave(-1)), f.at(-0.45*long, wave(-0.5)), f.at(0, wave(0)), f.at(0.5*long, wave(0.5)), f.at(long, wave(1)))
	}
	for _, side := range []float64{-1, 1} {
		for i := range 3 {
			rise := 0.16 * (float64(i) - 1)
			crease(b.img, 0.8*wide, 0.6*amount, soft, f.at(side*0.78, 0.02+0.4*rise), f.at(side*1.0, 0.02+1.3*rise))
		}
		crease(b.img, 0.9*wide, 0.6*amount, soft, f.at(side*0.26, 0.2), f.at(side*0.5, 0.28), f.at(side*0.72, 0.2))
		crease(b.img, 1.3*wide, 0.95*amount, soft, f.at(side*0.32, 0.56), f.at(side*0.5, 0.8), f.at(side*0.56, 1.08))
		crease(b.img, 0.9*wide, 0.6*amount, soft, f.at(side*0.48, 1.22), f.at(side*0.5, 1.45))
		crease(b.img, 0.8*wide, 0.5*amount, soft, f.at(side*0.1, -0.34), f.at(side*0.12, -0.12))
	}
	return nil
}

// greyed takes the colour out of hair, in place, by a share, and lifts it half the way to a brightness: the darkest strands stay
// dark.
func greyed(img *image.NRGBA, hair mask.Plane, light, share float64) {
	if hair.Empty() {
		return
	}
	r, g, b := compose.RGB(compose.Measure(img, &hair).Mean)
	mean := lightOf([]uint8{r, g, b})
	gain := (mean + 0.5*(light-mean)) / math.Max(24, mean)
	eachPixel(img, func(x, y int, p []uint8) {
		a := share * float64(hair.At(x, y)) / 255
		if a == 0 {
			return
		}
		// What is light already stays as it is, or the rim of dark hair would glow.
		l := lightOf(p)
		l = math.Max(l, light*(1-math.Exp(-1.7*gain*l/light)))
		blend(p, [3]float64{l * 1.005, l, l * 0.985}, a)
	})
}

// asZombie turns the skin grey-green with dark sockets, veins and pale lips, in a cold light.
func asZombie(ctx context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	tones := [][3]float64{{116, 132, 98}, {108, 120, 124}, {136, 134, 96}, {92, 116, 96}}
	part, err := b.bareParts(ctx, h, skinTone(b.img, h.face))
	if err != nil {
		return err
	}
	f := featuresOf(b.img, h.face)
	s := f.span()
	worn := eyewearOn(b.img, h, f)
	tinted(b.img, worn.off(part), b.colour(tones...), 0.95, 0.55)
	n := field{seed: b.v.random.Uint32()}
	eachPixel(b.img, func(x, y int, p []uint8) {
		share := float64(h.skin.At(x, y)) / 255 * (1 - float64(worn.front.At(x, y))/255)
		if share == 0 {
			return
		}
		u, v := float64(x)/s, float64(y)/s
		dark := 0.0
		for _, e := range []spot{f.left, f.right} {
			dx, dy := (float64(x)-e.x)/(0.44*s), (float64(y)-e.y-0.04*s)/(0.36*s)
			dark = math.Max(dark, 0.72*smooth(1.25-dx*dx-dy*dy))
		}
		dx, dy := (float64(x)-f.mouth.x)/(0.5*s), (float64(y)-f.mouth.y)/(0.22*s)
		dark = math.Max(dark, 0.4*smooth(1-dx*dx-dy*dy))
		vein := smooth((0.05 - math.Abs(n.sum(u*2.4+0.4*n.at(v*3, u*3), v*2.4, 3))) / 0.04)
		blotch := smooth((n.sum(u*1.6+9, v*1.6, 4) - 0.12) / 0.2)
		blend(p, [3]float64{44, 34, 44}, share*dark)
		blend(p, [3]float64{70, 60, 84}, share*0.34*vein)
		blend(p, [3]float64{86, 62, 50}, share*0.38*blotch)
	})
	for i, e := range []spot{f.left, f.right} {
		if worn.hidden[i] {
			continue
		}
		for _, part := range []struct {
			r     float64
			c     [3]float64
			share float64
		}{{0.085, [3]float64{226, 226, 206}, 0.84}, {0.025, [3]float64{40, 30, 30}, 0.86}} {
			oval(e.x, e.y, part.r*s, 0.9*part.r*s, 0).cover(b.img, func(x, y int, share float64, p []uint8) {
				blend(p, part.c, part.share*share*(1-float64(worn.front.At(x, y))/255))
			})
		}
	}
	compose.Grade(b.img, -5, -5, 0.72)
	return nil
}

// asElf draws pointed ears, makes the skin fair and luminous, and lets light play around.
func asElf(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	all := visibleSkin(b.img, b.seg, h, skinTone(b.img, h.face)) // neck and shoulders too
	smoothSkin(b.img, h.skin, max(2, h.face.Dx()/30), 0.6)
	from := compose.Measure(b.img, &h.skin).Mean
	fair := [3]float64{math.Min(88, from[0]+7), from[1] * 0.8, from[2] * 0.82}
	compose.Retone(b.img, from, fair, all)
	f := featuresOf(b.img, h.face)
	s := f.span()
	for _, side := range []float64{-1, 1} {
		pointedEar(b.img, f, side, 0.95+0.12*float64(b.req.Item%4), fair)
	}
	iris := [][3]float64{{86, 170, 120}, {110, 150, 220}, {190, 150, 60}, {150, 110, 190}}[b.req.Item%4]
	for _, e := range []spot{f.left, f.right} {
		oval(e.x, e.y, 0.075*s, 0.075*s, 0).cover(b.img, func(_, _ int, share float64, p []uint8) {
			if lightOf(p) < 120 {
				blend(p, iris, 0.5*share)
			}
		})
	}
	for range 26 {
		x, y := b.v.random.Float64()*float64(b.img.Rect.Dx()), b.v.random.Float64()*float64(b.img.Rect.Dy())
		for n := range 4 {
			r := s * (0.02 + 0.02*float64(n))
			oval(x, y, r, r, 0).fill(b.img, color.NRGBA{255, 246, 190, 46})
		}
	}
	compose.Grade(b.img, 1, 2, 1.08)
	return nil
}

// pointedEar draws the long ear of an elf at a side of the head, -1 or 1, in the Lab tone of its skin: a bright rim about a
// hollow, out of the cheek.
func pointedEar(img *image.NRGBA, f features, side, long float64, tone [3]float64) {
	skin := rgbOf(tone)
	at := func(across, below float64) spot { return f.at(side*across, below) }
	tip := at(1.06+0.62*long, -0.72*long)
	s := f.span()
	outline := contour{through(true, []spot{at(0.98, 0.36), at(1.14, 0.3), at(1.3, 0.06), at(1.36+0.2*long, -0.24*long), tip, at(1.1+0.2*long, -0.44*long), at(0.96, -0.16)})}
	outline.cover(img, func(x, y int, share float64, p []uint8) {
		q := f.below(spot{float64(x) + 0.5, float64(y) + 0.5})
		across := side * q.x
		lit := 1.03 - 0.1*smooth((0.3-q.y-0.7*(across-1))/1.2)
		blend(p, [3]float64{skin[0] * lit, skin[1] * lit, skin[2] * lit}, share*smooth((across-0.9)/0.16))
	})
	// The hollow runs up towards the tip, its light rim lies above it.
	hollow := through(false, []spot{at(1.1, 0.16), at(1.17+0.08*long, -0.08*long), at(1.06+0.42*long, -0.46*long)})
	for n := range 4 {
		k := 1 - 0.2*float64(n)
		line(0.2*k*s, 0.05*k*s, hollow...).cover(img, func(_, _ int, share float64, p []uint8) {
			blend(p, [3]float64{skin[0] * 0.74, skin[1] * 0.6, skin[2] * 0.57}, 0.2*share)
		})
	}
	rim := through(false, []spot{at(1.02, -0.1), at(1.1+0.18*long, -0.38*long), at(1.04+0.56*long, -0.66*long)})
	line(0.05*s, 0.015*s, rim...).fill(img, dot([3]float64{skin[0]*1.06 + 6, skin[1]*1.06 + 6, skin[2]*1.06 + 6}, 110))
}

// fringe draws a fringe of strands in the hair's own colour over the forehead, fuller from item to item.
func fringe(b *brush, h head) {
	f := featuresOf(b.img, h.face)
	s := f.span()
	tone := compose.Measure(b.img, &h.hair)
	r, g, bl := compose.RGB(tone.Mean)
	base := [3]float64{float64(r), float64(g), float64(bl)}
	// Roots lie in the hair, at whatever height the forehead ends.
	top := -1.1
	for ; top > -1.8; top -= 0.04 {
		if p := f.at(0, top); h.hair.At(int(p.x), int(p.y)) > 160 {
			break
		}
	}
	top -= 0.15
	sweep := [4]float64{0, 0.45, -0.45, 0.15}[b.req.Item%4]
	const n = 190
	layer := image.NewNRGBA(b.img.Rect)
	for i := range n {
		// Strands in no order, so that none lies on all its neighbours.
		t := 2*(float64(i*71%n)+0.5)/n - 1
		jitter := b.v.random.Float64() - 0.5
		end := f.at(1.02*t+0.34*sweep+0.05*jitter, -0.42-0.08*t*t+0.2*jitter+0.2*math.Abs(t)+0.05*math.Sin(9*t))
		from := f.at(0.7*t-0.25*sweep, top-0.12+0.1*t*t)
		middle := spot{(from.x+end.x)/2 + 0.14*s*t + 0.04*s*jitter, from.y + 0.45*(end.y-from.y)}
		lit := 0.72 + 0.5*b.v.random.Float64() - 0.1*math.Abs(t)
		line((0.04+0.025*b.v.random.Float64())*s, 0.006*s, through(false, []spot{from, middle, end})...).fill(layer, dot(color3(base, lit), 225))
	}
	// Nothing stands out beside the head.
	within := mask.New(h.skin.W, h.skin.H)
	for i := range within.Pix {
		if max(h.skin.Pix[i], h.hair.Pix[i]) >= mask.Level {
			within.Pix[i] = 255
		}
	}
	within = within.Grow(s / 16).Feather(math.Max(1, s/30))
	// Roots lie in the hair that is there, and light falls on the bend of the strands.
	eachPixel(layer, func(x, y int, p []uint8) {
		if p[3] == 0 {
			return
		}
		at := f.below(spot{float64(x), float64(y)})
		shine := 1 + 0.3*math.Exp(-math.Pow((at.y+0.92+0.08*at.x*at.x)/0.16, 2))
		for k := range 3 {
			p[k] = byte255(float64(p[k])*shine + 14*(shine-1))
		}
		p[3] = byte255(float64(p[3]) * smooth((at.y-top+0.12)/0.16) * smooth(float64(within.At(x, y))/128))
	})
	// A little shade on the forehead below.
	shade := compose.Matte(layer).Feather(math.Max(1, s/14))
	eachPixel(b.img, func(x, y int, p []uint8) {
		k := 1 - 0.28*float64(shade.At(x, y-int(s/16)))/255*float64(h.skin.At(x, y))/255
		for c := range 3 {
			p[c] = byte255(float64(p[c]) * k)
		}
	})
	compose.Over(b.img, layer, image.Point{})
}

// withFringe gives the person a fringe.
func withFringe(_ context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	if _, named := hairColour(words(b.req.text("textDescription"))); named || len(b.wanted.colours) > 0 {
		tinted(b.img, h.hair, b.hairColour(dyes...), 0.9, 0.5)
	}
	fringe(b, h)
	return nil
}

// withHairstyle changes cut and colour, another for each item: a fringe, volume, a very short cut, a new colour with a
// fringe.
func withHairstyle(ctx context.Context, b *brush) error {
	h, err := b.head()
	if err != nil {
		return err
	}
	list := words(b.req.text("textDescription"))
	manner := b.req.Item % 4
	for _, w := range list {
		switch w {
		case "bangs", "fringe":
			manner = 0
		case "curly", "volume", "afro", "long", "wavy":
			manner = 1
		case "short", "buzz", "crop", "shaved":
			manner = 2
		}
	}
	if _, named := hairColour(list); named || len(b.wanted.colours) > 0 || manner == 3 {
		tinted(b.img, h.hair, b.hairColour(browns...), 0.9, 0.5)
	}
	switch manner {
	case 1:
		fuller(b, h)
	case 2:
		return asBuzz(ctx, b)
	default:
		fringe(b, h)
	}
	return nil
}

// hairstyle is the way of the agent that changes hair: with a photo its person's, by words alone that of a drawn portrait.
var hairstyle = func() way {
	w := styled(withHairstyle, maskHead, false)
	onPhoto := w.render
	w.render = func(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
		if req.Source() != nil {
			return onPhoto(ctx, req, seg)
		}
		img, err := personByWords(ctx, req, 819, 1024)
		if err != nil {
			return nil, err
		}
		req.Original, req.Files = img, nil
		if seg, err = found(ctx, req, img, maskHead); err != nil {
			return nil, err
		}
		return onPhoto(ctx, req, seg)
	}
	return w
}()

// fuller surrounds the head with curls in the hair's colour, behind the face.
func fuller(b *brush, h head) {
	f := featuresOf(b.img, h.face)
	s := f.span()
	before := imaging.Clone(b.img)
	r, g, bl := compose.RGB(compose.Measure(b.img, &h.hair).Mean)
	for range 900 {
		a := math.Pi * (1.44*b.v.random.Float64() - 1.22)
		k := 0.98 + 0.5*b.v.random.Float64()
		p := f.at(1.28*k*math.Cos(a), -0.35+1.28*k*math.Sin(a))
		lit := 0.62 + 0.5*b.v.random.Float64()
		size := s * (0.07 + 0.09*b.v.random.Float64())
		c := dot([3]float64{float64(r) * lit, float64(g) * lit, float64(bl) * lit}, 235)
		sector(p.x, p.y, 0.45*size, size, b.v.random.Float64(), 1+b.v.random.Float64()).fill(b.img, c)
		oval(p.x, p.y, 0.6*size, 0.6*size, 0).fill(b.img, c)
	}
	// The face lies before the curls.
	eachPixel(b.img, func(x, y int, p []uint8) {
		share := float64(h.skin.At(x, y)) / 255
		i := before.PixOffset(x, y)
		blend(p, [3]float64{float64(before.Pix[i]), float64(before.Pix[i+1]), float64(before.Pix[i+2])}, smooth(share*1.4))
	})
}
