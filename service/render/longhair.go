package render

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// mane is hair as it is drawn: how much of every pixel strands cover, and how light they are there.
type mane struct {
	w, h         int
	cover, light []float32
}

func newMane(r image.Rectangle) mane {
	n := r.Dx() * r.Dy()
	return mane{r.Dx(), r.Dy(), make([]float32, n), make([]float32, n)}
}

// strand lays one strand on the others along a way: wide and lit are its width in pixels and its light at a share of the way, cover is
// how much it covers there.
func (m mane) strand(way []spot, look func(along float64, at spot) (wide, lit, cover float64)) {
	total := 0.0
	for i := 1; i < len(way); i++ {
		total += math.Hypot(way[i].x-way[i-1].x, way[i].y-way[i-1].y)
	}
	gone := 0.0
	for i := 1; i < len(way); i++ {
		a, b := way[i-1], way[i]
		long := math.Hypot(b.x-a.x, b.y-a.y)
		for d := 0.0; d < long; d += 0.7 {
			at := spot{a.x + (b.x-a.x)*d/long, a.y + (b.y-a.y)*d/long}
			wide, lit, cover := look((gone+d)/total, at)
			m.dab(at, wide/2, lit, cover)
		}
		gone += long
	}
}

// dab lays a soft dot of a radius over what is there.
func (m mane) dab(at spot, radius, lit, cover float64) {
	reach := radius + 0.5
	for y := max(0, int(at.y-reach)); y <= min(m.h-1, int(at.y+reach)); y++ {
		for x := max(0, int(at.x-reach)); x <= min(m.w-1, int(at.x+reach)); x++ {
			share := cover * math.Max(0, math.Min(1, radius+0.5-math.Hypot(float64(x)+0.5-at.x, float64(y)+0.5-at.y)))
			if share <= 0 {
				continue
			}
			i := y*m.w + x
			all := float64(m.cover[i])
			sum := share + all*(1-share)
			m.light[i] = float32((lit*share + float64(m.light[i])*all*(1-share)) / sum)
			m.cover[i] = float32(sum)
		}
	}
}

// over lays hair of a colour on a picture, where it may lie.
func (m mane) over(img *image.NRGBA, colour [3]float64, may func(x, y int) float64) {
	eachPixel(img, func(x, y int, p []uint8) {
		i := y*m.w + x
		if m.cover[i] == 0 {
			return
		}
		lit := float64(m.light[i])
		// What shines loses colour.
		shine := 26 * math.Max(0, lit-1)
		blend(p, [3]float64{colour[0]*lit + shine, colour[1]*lit + shine, colour[2]*lit + shine}, float64(m.cover[i])*may(x, y))
	})
}

// plane is what the hair covers.
func (m mane) plane() mask.Plane {
	out := mask.New(m.w, m.h)
	for i, v := range m.cover {
		out.Pix[i] = byte255(255 * float64(v))
	}
	return out
}

// fallOf is how long hair falls about a head: in spans from between the eyes, across and below.
type fallOf struct {
	wide    [2]float64 // how far the head reaches to the left and to the right at the height of the eyes
	top     float64    // the height of its crown
	parting float64
	long    float64 // how far down the tips hang
	wave    float64
	own     bool // hair grows on the head, which strands come out of
}

// fallAbout measures the head that hair is to fall about.
func fallAbout(h head, f features, own bool, item int) fallOf {
	out := fallOf{wide: [2]float64{1.12, 1.12}, top: -1.66, own: own}
	out.parting = [4]float64{0.22, -0.3, 0, 0.34}[item%4]
	out.long = [4]float64{2.75, 3.2, 2.35, 3.5}[item%4]
	out.wave = [4]float64{0.05, 0.12, 0.02, 0.08}[item%4]
	const step = 0.04
	in := func(m mask.Plane, x, y float64) bool {
		p := f.at(x, y)
		return m.At(int(p.x), int(p.y)) >= mask.Level
	}
	for i, side := range []float64{-1, 1} {
		var found []float64
		for y := -0.1; y < 0.6; y += step {
			x := 0.5
			for x < 1.7 && (in(h.skin, side*x, y) || in(h.skin, side*(x+step), y)) {
				x += step
			}
			found = append(found, x)
		}
		out.wide[i] = math.Max(0.85, math.Min(1.35, middle(found)+0.06))
	}
	var found []float64
	for x := -0.4; x < 0.4; x += step {
		y := -0.9
		for y > -2.3 && (in(h.hair, x, y) || in(h.skin, x, y) || in(h.hair, x, y-step)) {
			y -= step
		}
		found = append(found, y)
	}
	out.top = math.Max(-2.0, math.Min(-1.55, middle(found)))
	return out
}

// middle is the one of values that as many are above as below.
func middle(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// way is the way of a strand on a side, -1 or 1: t runs from the face, 0, to the outline, 1; drop is how much longer it is than others,
// sway shifts its waves.
func (l fallOf) way(f features, side, t, drop, sway float64) []spot {
	w := l.wide[0]
	if side > 0 {
		w = l.wide[1]
	}
	long, px := l.long+drop, side*l.parting
	inner := []spot{{px + 0.02, -1.26}, {px + 0.42*(w-px), -1.02}, {0.85 * w, -0.52}, {0.94 * w, -0.08}, {0.9 * w, 0.55}, {0.83 * w, 1.15}, {0.8 * w, 1.8}, {0.78 * w, long}}
	outer := []spot{{px + 0.01, l.top - 0.07}, {px + 0.62*(w-px), l.top + 0.04}, {1.14 * w, 0.62 * l.top}, {1.3 * w, -0.36}, {1.4 * w, 0.4}, {1.47 * w, 1.1}, {1.47 * w, 1.8}, {1.3 * w, long}}
	if l.own {
		inner[0], inner[1], inner[2] = spot{px + 0.3*(w-px), 0.82 * l.top}, spot{px + 0.76*(w-px), 0.64 * l.top}, spot{0.93 * w, -0.6}
	}
	list := make([]spot, len(inner))
	for n := range list {
		free := smooth(float64(n-2) / 3)
		x := inner[n].x + t*(outer[n].x-inner[n].x) + l.wave*free*math.Sin(2.2*float64(n)+sway)
		list[n] = f.at(side*x, inner[n].y+t*(outer[n].y-inner[n].y))
	}
	return through(false, list)
}

// lit is the light on the hair at a place: a band of shine across the crown and a weaker one lower down, shade beside face and neck and
// where it turns away.
func (l fallOf) lit(p spot, t, lean, sway float64) float64 {
	band := 0.36 * math.Exp(-math.Pow((p.y-0.72*l.top-0.24*p.x*p.x+0.05*math.Sin(3*sway))/0.2, 2))
	low := 0.26 * math.Exp(-math.Pow((p.y-0.45-0.18*math.Sin(sway))/0.4, 2)) * (1 - math.Abs(2*t-1))
	in := 0.42 * smooth((0.3-t)/0.3) * smooth((p.y+0.9)/1.2)
	out := 0.28 * smooth((t-0.8)/0.2)
	return (0.84 + band + low - in - out) * (1 + 0.7*lean*p.x)
}

// longHair lets hair fall past both cheeks to the shoulders, in locks of many strands: on a head with hair they come out of that, on a
// bare one from a parting. What lies farther out falls behind the shoulders.
func longHair(b *brush, h head, f features) {
	s := f.span()
	base := hairTone(b.img, h, f)
	grown, own := hairOn(b.img, h, f)
	own = own && grown[0] < skinTone(b.img, h.face)[0]-16 // thin and shorn hair covers no scalp
	if len(b.wanted.colours) > 0 {
		base = b.colour()
	}
	fall := fallAbout(h, f, own, b.req.Item)
	lean := lightLean(b.img, f, s, skinTone(b.img, h.face))
	subject := fitPlane(b.seg.Subject, h.skin.W, h.skin.H)
	const front = 0.55 // what lies farther from the face falls behind the shoulders
	body := func(x, y int) float64 {
		return float64(subject.At(x, y)) / 255 * smooth((f.below(spot{float64(x), float64(y)}).y-1.2)/0.25)
	}
	random := b.v.random.Float64
	// Behind the neck it is dark.
	back := newMane(b.img.Rect)
	for range 160 {
		x, lit := 2.3*random()-1.15, 0.3+0.16*random()
		back.strand([]spot{f.at(x, 0.7), f.at(1.05*x, fall.long-0.5*random())}, func(float64, spot) (float64, float64, float64) {
			return 0.05 * s, lit, 0.9
		})
	}
	back.over(b.img, base, func(x, y int) float64 { return 1 - float64(subject.At(x, y))/255 })

	layers := [2]mane{newMane(b.img.Rect), newMane(b.img.Rect)} // behind the shoulders, before them
	const locks, strands = 26, 42
	for round := range 2 { // wide dark strands close the locks, fine ones show them
		for _, side := range []float64{-1, 1} {
			for lock := range locks {
				middle := (float64(lock*11%locks) + 0.5 + 0.6*(random()-0.5)) / locks
				sway, drop, tone := 6*random(), 0.7*(random()-0.7), 0.86+0.28*random()
				to := layers[0]
				if middle < front {
					to = layers[1]
				}
				n := strands
				if round == 0 {
					n = 8
				}
				for range n {
					off := (random() + random() - 1) * 1.5 / locks
					t := math.Max(0, math.Min(1, middle+off))
					way := fall.way(f, side, t, drop+0.3*(random()-0.5), sway+7*off)
					tip := fall.way(f, side, middle, drop, sway)
					for i := range way {
						// Locks come together towards their tips.
						k := 0.75 * math.Pow(float64(i)/float64(len(way)-1), 3)
						way[i].x += k * (tip[i].x - way[i].x)
					}
					light := tone * (0.86 + 0.28*random())
					to.strand(way, func(along float64, at spot) (wide, lit, cover float64) {
						root := 1.0
						if own { // towards the face the hair's own line stays
							root = smooth(along/0.16 + 3*(t-0.3))
						}
						lit = light * fall.lit(f.below(at), t, lean, sway)
						if round == 0 {
							return s * (0.07 - 0.05*along), 0.62 * lit, root * smooth((0.97-along)/0.1)
						}
						return math.Max(0.9, s*(0.02-0.012*along)), lit, 0.75 * root * smooth((1-along)/0.12)
					})
				}
			}
		}
	}
	// Hair throws a soft shade on face, neck and clothes.
	shade := layers[1].plane().Feather(math.Max(1, s/7))
	eachPixel(b.img, func(x, y int, p []uint8) {
		k := 1 - 0.5*float64(shade.At(x, y-int(s/12)))/255*float64(subject.At(x, y))/255
		for c := range 3 {
			p[c] = byte255(float64(p[c]) * k)
		}
	})
	layers[0].over(b.img, base, func(x, y int) float64 { return 1 - body(x, y) })
	layers[1].over(b.img, base, func(int, int) float64 { return 1 })
}

// standsOut tells whether hair stands far out about the head, as thick curls do.
func standsOut(h head, f features) bool {
	k := skullOf(h, f, haircut{})
	var n [2]float64 // on either side: what leans against a head is on one
	for y := max(0, int(f.at(0, -0.8).y)); y < min(h.hair.H, int(f.at(0, 0.8).y)); y++ {
		for x := max(0, int(f.at(-2.4, 0).x)); x < min(h.hair.W, int(f.at(2.4, 0).x)); x++ {
			if p := k.at(x, y); h.hair.At(x, y) > 150 && k.reach(p) > 1.05 {
				if p.x < 0 {
					n[0]++
				} else {
					n[1]++
				}
			}
		}
	}
	return min(n[0], n[1]) > 0.15*k.s*k.s
}

// lightLean is how much more light comes from the right than from the left, told from the cheeks, within ±0.2.
func lightLean(img *image.NRGBA, f features, s float64, tone [3]float64) float64 {
	cheek := func(side float64) float64 {
		at := f.at(side*0.6, 0.35)
		return compose.Measure(compose.Window(img, image.Rect(int(at.x), int(at.y), int(at.x)+1, int(at.y)+1).Inset(-int(s/7))), nil).Mean[0]
	}
	return math.Max(-0.2, math.Min(0.2, (cheek(1)-cheek(-1))/math.Max(20, tone[0])))
}
