package render

import (
	"context"
	"image"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// faceMerge gives the first picture a face between its own and that of the second: features lie where the mean of both has
// them, skin takes the mean of both tones, also on neck and body, and along the oval of the face the first goes on. Half
// and half first, then towards either side (Run API, "Family B": ai-face-merge).
func faceMerge(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	second, err := req.second()
	if err != nil {
		return nil, err
	}
	to, ok, err := likenessOf(req.Source())
	if err != nil {
		return nil, err
	}
	from, both, err := likenessOf(second)
	if err != nil {
		return nil, err
	}
	share := 0.5 + 0.38*(math.Mod(float64(req.Item)*0.381966+0.5, 1)-0.5)*2*math.Min(1, float64(req.Item))
	switch {
	case !ok:
		return nil, unseen(aFace, 1)
	case !both:
		return nil, unseen(aFace, 2)
	}
	req.progress(0.5)
	out := to.met(from, share, 0, seg)
	req.vary().grade(out)
	return out, ctx.Err()
}

// metBy is the share of the way at which a face's place meets that of another: eyes and mouth once the other face has been turned,
// scaled and moved to where l's is.
func (l likeness) metBy(from likeness, share float64) features {
	mine, theirs := l.at.points(), from.at.points()
	// The turn and scale of least squares, as one complex number.
	var a, b spot
	for i := range mine {
		a, b = spot{a.x + mine[i].x/3, a.y + mine[i].y/3}, spot{b.x + theirs[i].x/3, b.y + theirs[i].y/3}
	}
	var re, im, all float64
	for i := range mine {
		mx, my, tx, ty := mine[i].x-a.x, mine[i].y-a.y, theirs[i].x-b.x, theirs[i].y-b.y
		re, im, all = re+mx*tx+my*ty, im+my*tx-mx*ty, all+tx*tx+ty*ty
	}
	re, im = re/math.Max(1e-6, all), im/math.Max(1e-6, all)
	var out [3]spot
	for i := range mine {
		tx, ty := theirs[i].x-b.x, theirs[i].y-b.y
		p := spot{a.x + re*tx - im*ty, a.y + im*tx + re*ty}
		out[i] = spot{mine[i].x + share*(p.x-mine[i].x), mine[i].y + share*(p.y-mine[i].y)}
	}
	return features{out[0], out[1], out[2]}
}

// points are eyes and mouth.
func (f features) points() [3]spot { return [3]spot{f.left, f.right, f.mouth} }

// met is l's picture with the face that lies a share of the way towards another. Only where both show a face is one laid
// over the other: hair that falls into either stays the own, and so does everything about the eyes where either wears glasses.
// Of the own face fading takes away, 0 to 1, what eyes, mouth and beard draw on it, and puts what those of the other draw there.
func (l likeness) met(from likeness, share, fading float64, seg Segmentation) *image.NRGBA {
	meant := l.metBy(from, share)
	mine, theirs := fitted3(meant.points(), l.at.points()), fitted3(meant.points(), from.at.points())
	tones := [2][3]float64{skinTone(l.img, l.face), skinTone(from.img, from.face)}
	var tone [3]float64
	for k := range tone {
		tone[k] = tones[0][k] + share*(tones[1][k]-tones[0][k])
	}
	base := imaging.Clone(l.img)
	if h := headIn(base, seg); h.ok {
		compose.Retone(base, tones[0], tone, visibleSkin(base, seg, h, tones[0]))
	}
	reach := l.face.Inset(-l.face.Dx() / 2).Intersect(base.Rect)
	// The own face follows its features within the oval, and what is around it stays.
	own, other := compose.Window(base, reach), image.NewNRGBA(image.Rectangle{Max: reach.Size()})
	parallelRows(reach.Dy(), func(row int) {
		for column := range reach.Dx() {
			at := spot{float64(reach.Min.X+column) + 0.5, float64(reach.Min.Y+row) + 0.5}
			r := ovalReach(meant.below(at))
			if r >= 1.5 {
				continue
			}
			move := 1 - smooth((r-0.9)/0.55)
			i := own.PixOffset(column, row)
			p, q := mine.at(at), theirs.at(at)
			if c, ok := sampled(base, at.x+move*(p.x-at.x)-0.5, at.y+move*(p.y-at.y)-0.5); ok {
				copy(own.Pix[i:], []uint8{byte255(c[0]), byte255(c[1]), byte255(c[2])})
			}
			if c, ok := sampled(from.img, q.x-0.5, q.y-0.5); ok {
				copy(other.Pix[i:], []uint8{byte255(c[0]), byte255(c[1]), byte255(c[2]), 255})
			}
		}
	})
	at := features{}
	at.left, at.right, at.mouth = meant.left.minus(reach.Min), meant.right.minus(reach.Min), meant.mouth.minus(reach.Min)
	both := at.bareFace(own, tone)
	for i, v := range at.bareFace(other, tones[1]).Pix {
		both.Pix[i] = min(both.Pix[i], v)
	}
	if l.wearsGlasses() || from.wearsGlasses() {
		at.spareEyes(both)
	}
	s := at.span()
	both = both.Shrink(s / 24).Feather(math.Max(0.8, s/14))
	compose.Retone(other, tones[1], tone, compose.Matte(other))
	if fading > 0 {
		at.redraw(own, other, both, tone, fading)
	}
	light := lightBetween(own, other, both, s/5)
	out := imaging.Clone(base)
	parallelRows(reach.Dy(), func(row int) {
		for column := range reach.Dx() {
			i := own.PixOffset(column, row)
			to := out.Pix[out.PixOffset(reach.Min.X+column, reach.Min.Y+row):][:3:3]
			copy(to, own.Pix[i:])
			r := ovalReach(at.below(spot{float64(column) + 0.5, float64(row) + 0.5}))
			cover := share * innerFace(r) * float64(both.Pix[i/4]) / 255
			if cover <= 0 {
				continue
			}
			// What differs in the light of both is evened out along the oval.
			rim, d := smooth((r-0.45)/0.45), light.at(column, row)
			for k := range 3 {
				c := float64(own.Pix[i+k])
				to[k] = byte255(c + cover*(float64(other.Pix[i+k])+rim*math.Max(-70, math.Min(70, d[k]))-c))
			}
		}
	})
	return out
}

// innerFace is how much of a face goes over at a place of its oval.
func innerFace(r float64) float64 { return 1 - smooth((r-0.7)/0.28) }

// redraw gives the face of img, in place, what is drawn on another of the same tone and at the same place: only its shades, those of
// its skin around each place, remain of it, and the grain of that. bare is where both show a face.
func (f features) redraw(img, other *image.NRGBA, bare mask.Plane, tone [3]float64, share float64) {
	s := f.span()
	none := image.NewNRGBA(img.Rect)
	shades := func(of *image.NRGBA) lightField {
		skin := bare.Clone()
		eachPixel(of, func(x, y int, p []uint8) {
			if v := &skin.Pix[y*skin.W+x]; *v > 0 {
				// Where there is no skin for far what is there is better than nothing.
				*v = max(1, byte255(float64(*v)*likeSkin(compose.Lab(p[0], p[1], p[2]), tone)))
			}
		})
		return lightBetween(of, none, skin, s/4)
	}
	const grain = 5 // more are lines
	mine, theirs, soft := shades(img), shades(other), compose.Blur(img, max(1, int(s/16)))
	eachPixel(img, func(x, y int, p []uint8) {
		v := bare.Pix[y*bare.W+x]
		part := share * innerFace(ovalReach(f.below(spot{float64(x) + 0.5, float64(y) + 0.5}))) * float64(v) / 255
		if part <= 0 {
			return
		}
		a, b, q := mine.at(x, y), theirs.at(x, y), other.Pix[other.PixOffset(x, y):]
		for k := range 3 {
			c, shade := float64(p[k]), float64(soft.Pix[soft.PixOffset(x, y)+k])
			p[k] = byte255(c + part*(a[k]+float64(q[k])-b[k]+math.Max(-grain, math.Min(grain, c-shade))-c))
		}
	})
}

// minus is a place told from p.
func (s spot) minus(p image.Point) spot { return spot{s.x - float64(p.X), s.y - float64(p.Y)} }

// bareFace is where nothing hides the face whose features these are: its middle with all that belongs there, and around
// that what is like its skin, and what skin surrounds, as brows and painted lips.
func (f features) bareFace(img *image.NRGBA, tone [3]float64) mask.Plane {
	out := mask.New(img.Rect.Dx(), img.Rect.Dy())
	eachPixel(img, func(x, y int, p []uint8) {
		if p[3] == 0 {
			return
		}
		at := f.below(spot{float64(x) + 0.5, float64(y) + 0.5})
		r := ovalReach(at)
		bare := likeSkin(compose.Lab(p[0], p[1], p[2]), tone)
		if at.y > -0.45 {
			bare = math.Max(bare, 1-smooth((r-0.62)/0.2))
		}
		out.Pix[y*out.W+x] = byte255(255 * bare)
	})
	const rim, beyond = 1.04, 1.12
	hidden, outside := mask.New(out.W, out.H), mask.New(out.W, out.H)
	for i, v := range out.Pix {
		r := ovalReach(f.below(spot{float64(i%out.W) + 0.5, float64(i/out.W) + 0.5}))
		if r > beyond || img.Pix[4*i+3] == 0 {
			continue
		}
		if v < mask.Level {
			hidden.Pix[i] = 255
		}
		if r > rim {
			outside.Pix[i] = 255
		}
	}
	reached := reachedFrom(hidden, outside)
	for i, v := range outside.Pix {
		hidden.Pix[i] -= min(hidden.Pix[i], max(v, reached.Pix[i]))
	}
	for i, v := range hidden.Grow(f.span() / 30).Pix {
		out.Pix[i] = max(out.Pix[i], min(v, 255-reached.Pix[i]))
	}
	return out
}

// wearsGlasses tells glasses by their bridge, a dark line where the light falls on any nose, by dark before both eyes, and by the thin
// dark line of a rim below both. The bounds are those between the faces of the photographs this was tried with.
func (l likeness) wearsGlasses() bool {
	const bridge, before, rim = 0.7, 0.36, 0.1
	tone := skinTone(l.img, l.face)[0]
	lightAt := func(across, below float64) (float64, bool) {
		p := l.at.at(across, below)
		c, ok := sampled(l.img, p.x-0.5, p.y-0.5)
		return compose.Lab(byte255(c[0]), byte255(c[1]), byte255(c[2]))[0], ok
	}
	darkest := tone
	for y := -0.32; y <= 0.32; y += 0.04 {
		lightest := 0.0
		for x := -0.16; x <= 0.17; x += 0.04 {
			if v, ok := lightAt(x, y); ok {
				lightest = math.Max(lightest, v)
			}
		}
		darkest = math.Min(darkest, lightest)
	}
	dark, all := 0.0, 0.0
	for y := -0.3; y <= 0.42; y += 0.04 {
		for x := -0.95; x <= 0.95; x += 0.04 {
			if v, ok := lightAt(x, y); ok {
				all++
				if v < 0.5*tone {
					dark++
				}
			}
		}
	}
	if darkest < bridge*tone || dark > before*all {
		return true
	}
	// A shadow or a fold below an eye is softer than a rim, or shorter.
	rims := math.Inf(1)
	for _, side := range []float64{-1, 1} {
		var lines []float64
		for x := 0.3; x <= 0.76; x += 0.03 {
			line := 0.0
			for y := 0.2; y <= 0.56; y += 0.02 {
				above, _ := lightAt(side*x, y-0.08)
				here, _ := lightAt(side*x, y)
				below, _ := lightAt(side*x, y+0.08)
				line = math.Max(line, math.Min(above, below)-here)
			}
			lines = append(lines, line)
		}
		slices.Sort(lines)
		rims = math.Min(rims, lines[len(lines)/4])
	}
	return rims > rim*tone
}

// spareEyes takes the band of the eyes out of what is laid over another face.
func (f features) spareEyes(part mask.Plane) {
	for i, v := range part.Pix {
		y := f.below(spot{float64(i % part.W), float64(i / part.W)}).y
		part.Pix[i] = byte255(float64(v) * math.Max(smooth((y-0.45)/0.2), smooth((-0.6-y)/0.2)))
	}
}

// lightField is how the light of one picture differs from that of another, by cells.
type lightField struct {
	side  float64 // of a cell in pixels
	w, h  int
	cells [][3]float64
}

// lightBetween is how much lighter a is than b, channel by channel, in the means of what surrounds each place as far as
// part goes, about reach pixels.
func lightBetween(a, b *image.NRGBA, part mask.Plane, reach float64) lightField {
	f := lightField{side: math.Max(1, reach/2)}
	f.w, f.h = int(float64(part.W)/f.side)+2, int(float64(part.H)/f.side)+2
	f.cells = make([][3]float64, f.w*f.h)
	weight := make([]float64, len(f.cells))
	for i, v := range part.Pix {
		if v == 0 {
			continue
		}
		cell := int(float64(i/part.W)/f.side)*f.w + int(float64(i%part.W)/f.side)
		weight[cell] += float64(v)
		for k := range 3 {
			f.cells[cell][k] += float64(v) * (float64(a.Pix[4*i+k]) - float64(b.Pix[4*i+k]))
		}
	}
	for range 8 {
		next, sum := make([][3]float64, len(f.cells)), make([]float64, len(f.cells))
		for y := range f.h {
			for x := range f.w {
				i := y*f.w + x
				for _, n := range [5][3]int{{0, 0, 2}, {-1, 0, 1}, {1, 0, 1}, {0, -1, 1}, {0, 1, 1}} {
					if !image.Pt(x+n[0], y+n[1]).In(image.Rect(0, 0, f.w, f.h)) {
						continue
					}
					j, share := i+n[1]*f.w+n[0], float64(n[2])/6
					sum[i] += share * weight[j]
					for k := range 3 {
						next[i][k] += share * f.cells[j][k]
					}
				}
			}
		}
		f.cells, weight = next, sum
	}
	for i := range f.cells {
		for k := range 3 {
			f.cells[i][k] /= math.Max(1e-6, weight[i])
		}
	}
	return f
}

// at is the difference at a pixel.
func (f lightField) at(x, y int) [3]float64 {
	u, v := math.Max(0, (float64(x)+0.5)/f.side-0.5), math.Max(0, (float64(y)+0.5)/f.side-0.5)
	x0, y0 := min(f.w-2, int(u)), min(f.h-2, int(v))
	u, v = u-float64(x0), v-float64(y0)
	var out [3]float64
	for k := range out {
		top := f.cells[y0*f.w+x0][k]*(1-u) + f.cells[y0*f.w+x0+1][k]*u
		low := f.cells[(y0+1)*f.w+x0][k]*(1-u) + f.cells[(y0+1)*f.w+x0+1][k]*u
		out[k] = top*(1-v) + low*v
	}
	return out
}

// visibleSkin is the soft cover of a person's skin: the head's, and what is like it and hangs together with it down to the chest.
func visibleSkin(img *image.NRGBA, seg Segmentation, h head, tone [3]float64) mask.Plane {
	subject := fitPlane(seg.Subject, h.skin.W, h.skin.H)
	open := mask.New(h.skin.W, h.skin.H)
	parallelRows(open.H, func(y int) {
		for x := range open.W {
			i := y*open.W + x
			p := img.Pix[img.PixOffset(x, y):]
			if subject.Pix[i] >= mask.Level && h.hair.Pix[i] < 96 && y > h.face.Min.Y+h.face.Dy()/2 && likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.55 {
				open.Pix[i] = 255
			}
		}
	})
	out := h.skin.Clone()
	for i, v := range reachedFrom(open, h.skin).Feather(math.Max(1, float64(h.face.Dx())/60)).Pix {
		out.Pix[i] = max(out.Pix[i], min(v, 255-h.hair.Pix[i]))
	}
	return out
}
