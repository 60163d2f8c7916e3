package render

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// outfit is clothes that are drawn over those that somebody wears.
type outfit struct {
	upper, lower weave
	tones        [2][2][3]float64 // base and accent of each
	whole        bool             // one piece from neck to hem
	collar       bool             // with a placket and buttons below it
	lapels       bool             // a jacket, open over a light shirt
	ribs         bool             // at neck and hem
	belt         bool
}

// outfits are what is drawn in turns.
var outfits = []outfit{
	{upper: stripes, lower: denim, tones: [2][2][3]float64{{{240, 237, 228}, {36, 48, 84}}, {{44, 62, 96}, {120, 146, 182}}}, belt: true},
	{upper: floral, lower: floral, tones: [2][2][3]float64{{{44, 66, 92}, {226, 128, 116}}, {{44, 66, 92}, {226, 128, 116}}}, whole: true},
	{upper: pinstripes, lower: pinstripes, tones: [2][2][3]float64{{{58, 64, 82}, {150, 156, 172}}, {{58, 64, 82}, {150, 156, 172}}}, lapels: true},
	{upper: knit, lower: plainCloth, tones: [2][2][3]float64{{{206, 190, 160}, {150, 120, 90}}, {{84, 62, 54}, {60, 44, 40}}}, ribs: true},
	{upper: gingham, lower: plainCloth, tones: [2][2][3]float64{{{244, 242, 236}, {58, 108, 158}}, {{176, 148, 110}, {140, 110, 80}}}, collar: true, belt: true},
	{upper: dots, lower: plainCloth, tones: [2][2][3]float64{{{124, 36, 52}, {244, 236, 226}}, {{36, 36, 42}, {60, 60, 66}}}, collar: true},
	{upper: tartan, lower: denim, tones: [2][2][3]float64{{{164, 44, 44}, {236, 206, 120}}, {{40, 46, 62}, {96, 106, 126}}}, collar: true, belt: true},
	{upper: slubbed, lower: slubbed, tones: [2][2][3]float64{{{166, 182, 154}, {130, 150, 120}}, {{226, 216, 196}, {200, 188, 166}}}, collar: true},
}

// outfitWords are what descriptions may ask for, by the places among the outfits.
var outfitWords = map[string]int{
	"striped": 0, "stripes": 0, "stripe": 0, "breton": 0, "sailor": 0,
	"floral": 1, "flowers": 1, "flower": 1, "flowery": 1, "dress": 1, "gown": 1, "summer": 1,
	"suit": 2, "blazer": 2, "jacket": 2, "business": 2, "formal": 2, "office": 2, "tuxedo": 2, "lapels": 2,
	"knit": 3, "knitted": 3, "sweater": 3, "jumper": 3, "pullover": 3, "cardigan": 3, "wool": 3, "woollen": 3, "winter": 3,
	"checked": 4, "checks": 4, "check": 4, "gingham": 4, "shirt": 4,
	"dots": 5, "dotted": 5, "polka": 5, "spotted": 5, "blouse": 5,
	"tartan": 6, "plaid": 6, "flannel": 6, "lumberjack": 6,
	"linen": 7, "plain": 7, "casual": 7, "leather": 7, "denim": 7, "jeans": 7, "silk": 7, "satin": 7, "velvet": 7, "cotton": 7,
}

// clothTones are the colours of cloths for which none is named.
var clothTones = map[string]color.NRGBA{"leather": {52, 42, 38, 255}, "jeans": colourNames["denim"], "velvet": {92, 30, 56, 255}, "silk": colourNames["ivory"], "satin": colourNames["ivory"]}

// outfitFor is the outfit a description asks for, in the colours it names, else another for each item.
func (b *brush) outfitFor() outfit {
	at := (int(uint64(b.req.Seed)%uint64(len(outfits))) + b.req.Item) % len(outfits)
	list, colours := words(b.req.text("textDescription")), b.wanted.colours
	for _, w := range list {
		if n, ok := outfitWords[w]; ok {
			at = n
			break
		}
	}
	for _, w := range list {
		if c, ok := clothTones[w]; ok && len(colours) == 0 {
			colours = append(colours, c)
		}
	}
	o := outfits[at]
	o.tones = [2][2][3]float64{o.tones[0], o.tones[1]}
	for i, c := range colours[:min(2, len(colours))] {
		base := channels(c)
		other := toned(base, [3]float64{248, 244, 236}, 0.75)
		if lightOf([]uint8{c.R, c.G, c.B}) > 150 {
			other = color3(base, 0.4)
		}
		o.tones[i] = [2][3]float64{base, other}
		if i == 0 && (o.whole || o.lapels) {
			o.tones[1] = o.tones[0]
		}
	}
	return o
}

// wardrobe is what drawing an outfit needs to know of the picture.
type wardrobe struct {
	worn       mask.Plane // soft, what the new clothes cover
	body       figure
	neck       spot      // where clothes begin below the chin
	waist      []float64 // row of the waist, by column
	shade      []float64 // Lab steps of light that the old clothes had, by pixel
	lowerBelow bool      // whether anything is worn below the waist
}

// withOutfit draws other clothes on the body: cloth and pattern that follow the folds that are there, and how they are cut.
func withOutfit(ctx context.Context, b *brush) error {
	p, err := analysis.Pieces(ctx, b.img, segment.Options{})
	if err != nil {
		return fmt.Errorf("find the clothes: %w", err)
	}
	head, err := b.headAt()
	if err != nil {
		return err
	}
	if len(p.Subject.Faces) > 0 {
		head = p.Subject.Faces[0]
	}
	if p.Worn.W == 0 || p.Worn.Bounds().Dx() < head.Dx()/2 {
		return unseen(clothes, 0)
	}
	b.req.progress(0.5)
	if err := ctx.Err(); err != nil {
		return err
	}
	w := wardrobeOf(b.img, p, head)
	b.dressIn(b.outfitFor(), w)
	return nil
}

func wardrobeOf(img *image.NRGBA, p segment.Pieces, head image.Rectangle) wardrobe {
	w := wardrobe{worn: p.Worn, body: figureOf(p.Subject.Matte, head)}
	u := w.body.unit
	middle := (head.Min.X + head.Max.X) / 2
	w.neck = spot{float64(middle), float64(head.Max.Y) + 0.25*u}
	for y := head.Max.Y - head.Dy()/8; y < min(w.worn.H, head.Max.Y+int(1.6*u)); y++ {
		if w.worn.At(middle, y) >= mask.Level {
			w.neck.y = float64(y)
			break
		}
	}
	// The waist lies where one garment ends and another begins; of one piece, where waists are.
	usual := w.body.row(0.84)
	w.waist = make([]float64, w.worn.W)
	var rows []float64
	for x := range w.worn.W {
		for y := int(w.body.row(0.45)); y < min(w.worn.H, int(w.body.row(1.25))); y++ {
			if p.Lower.At(x, y) >= mask.Level {
				if p.Upper.At(x, y-2) >= mask.Level {
					rows = append(rows, float64(y))
				}
				break
			}
		}
	}
	row := usual
	if float64(len(rows)) > 0.5*u {
		slices.Sort(rows)
		row = rows[len(rows)/2]
	}
	for x := range w.waist {
		d := (float64(x) - w.neck.x) / u
		w.waist[x] = row + 0.05*u*(1-d*d)
	}
	below := 0
	for y := int(row); y < w.worn.H; y++ {
		for _, v := range w.worn.Row(y) {
			if v >= mask.Level {
				below++
			}
		}
	}
	w.lowerBelow = float64(below) > 0.5*u*u
	w.shade = foldsOf(img, w.worn, u)
	return w
}

// foldsOf is the light and shade of what is worn, in Lab steps about its mean and of about one strength whatever its colour:
// folds rather than prints, and the light that falls on the whole.
func foldsOf(img *image.NRGBA, worn mask.Plane, u float64) []float64 {
	const strength = 5.0
	mean := compose.Measure(img, &worn)
	r, g, bl := compose.RGB(mean.Mean)
	inside := image.NewNRGBA(img.Rect)
	eachPixel(inside, func(x, y int, p []uint8) {
		copy(p, img.Pix[img.PixOffset(x, y):][:4])
		blend(p, [3]float64{float64(r), float64(g), float64(bl)}, 1-float64(worn.At(x, y))/255)
		p[3] = 255
	})
	fine, wide := compose.Blur(inside, max(1, int(u/26))), compose.Blur(inside, max(2, int(0.42*u)))
	lightAt := func(img *image.NRGBA, i int) float64 {
		return compose.Lab(img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2])[0]
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out, broad := make([]float64, w*h), make([]float64, w*h)
	parallelRows(h, func(y int) {
		for x := range w {
			i := y*w + x
			if worn.Pix[i] == 0 {
				continue
			}
			broad[i] = lightAt(wide, i) - mean.Mean[0]
			out[i] = lightAt(fine, i) - lightAt(wide, i)
		}
	})
	sum, n := 0.0, 0.0
	for i, v := range worn.Pix {
		if v > 200 {
			sum += out[i] * out[i]
			n++
		}
	}
	k := math.Max(0.4, math.Min(2.4, strength/math.Max(0.5, math.Sqrt(sum/math.Max(1, n)))))
	for i := range out {
		out[i] = math.Max(-22, math.Min(16, k*out[i])) + 0.5*broad[i]
	}
	return out
}

// dressIn draws an outfit over what is worn.
func (b *brush) dressIn(o outfit, w wardrobe) {
	u := w.body.unit
	chance := field{seed: b.v.random.Uint32()}
	upper := cloth{o.upper, o.tones[0][0], o.tones[0][1], chance}
	lower := cloth{o.lower, o.tones[1][0], o.tones[1][1], chance}
	ribs := cloth{ribbing, o.tones[0][0], o.tones[0][1], chance}
	layer := image.NewNRGBA(b.img.Rect)
	rise := make([]float64, len(w.shade))
	fine := 1 / u
	width := layer.Rect.Dx()
	neckline := w.neckline(0.17 * u)
	eachPixel(layer, func(x, y int, p []uint8) {
		i := y*width + x
		if w.worn.Pix[i] == 0 {
			return
		}
		c := upper
		fx, fy := float64(x), float64(y)
		du, dv := w.place(fx, fy)
		switch edge := w.waist[x] - fy; {
		case edge < 0 && !o.whole:
			c = lower
		case o.ribs && (neckline.Pix[i] >= mask.Level || edge < 0.26*u && w.lowerBelow):
			c = ribs
		}
		tone, up := c.weave(c, du, dv, fine)
		rise[i] = up
		copy(p, []uint8{byte255(tone[0]), byte255(tone[1]), byte255(tone[2]), 255})
	})
	o.cut(layer, w)
	round := w.worn.Feather(math.Max(1, 0.22*u))
	eachPixel(b.img, func(x, y int, p []uint8) {
		i := y*width + x
		share := float64(w.worn.Pix[i]) / 255
		if share == 0 {
			return
		}
		q := layer.Pix[4*i : 4*i+4]
		light := w.shade[i] + 9*rise[i]
		// Light falls off towards the outline, and a fine shade lies where a garment ends over the next.
		light -= 9 * (1 - smooth((float64(round.Pix[i])/255-0.5)*2.2))
		if d := float64(y) - w.waist[x]; !o.whole && d > 0 && d < 0.12*u && w.lowerBelow {
			light -= 11 * (1 - d/(0.12*u))
		}
		k := math.Max(0.3, math.Min(1.5, 1+light/52))
		blend(p, [3]float64{float64(q[0]) * k, float64(q[1]) * k, float64(q[2]) * k}, share)
	})
}

// place is where a pixel lies on the cloth, in heights of the face: across from the middle of the body, as on a round trunk,
// and down from the shoulders, moved along by the folds.
func (w wardrobe) place(x, y float64) (across, down float64) {
	u := w.body.unit
	d := x - at(w.body.axis, y)
	half := 1.1 * math.Max(0.72*u, math.Max(at(w.body.trunk[0], y), at(w.body.trunk[1], y)))
	if t := d / half; math.Abs(t) < 0.9 {
		across = half * math.Asin(t) / u
	} else {
		across = math.Copysign(half*math.Asin(0.9)+math.Abs(d)-0.9*half, d) / u
	}
	down = (y-w.body.shoulder)/u - 0.07*(1-math.Min(1, d*d/(half*half)))
	step := max(1, int(u/18))
	gx := w.foldAt(x+float64(step), y) - w.foldAt(x-float64(step), y)
	gy := w.foldAt(x, y+float64(step)) - w.foldAt(x, y-float64(step))
	return across + 0.006*gx, down + 0.006*gy
}

func (w wardrobe) foldAt(x, y float64) float64 {
	ix, iy := max(0, min(w.worn.W-1, int(x))), max(0, min(w.worn.H-1, int(y)))
	return w.shade[iy*w.worn.W+ix]
}

// neckline is the band of what is worn along its edge below the chin, wide pixels.
func (w wardrobe) neckline(wide float64) mask.Plane {
	u := w.body.unit
	hard := w.worn.Clone()
	hard.Threshold(mask.Level)
	inner := hard.Shrink(wide)
	near := image.Rect(int(w.neck.x-0.8*u), int(w.neck.y-0.6*u), int(w.neck.x+0.8*u), int(w.neck.y+0.35*u))
	for i, v := range hard.Pix {
		if inner.Pix[i] >= mask.Level || !image.Pt(i%hard.W, i/hard.W).In(near) {
			v = 0
		}
		hard.Pix[i] = v
	}
	return hard
}

// cut draws what makes a garment beside its cloth: collar and buttons, lapels over a shirt, a belt.
func (o outfit) cut(layer *image.NRGBA, w wardrobe) {
	u := w.body.unit
	axis := func(y float64) float64 { return at(w.body.axis, y) }
	end := math.Min(w.waist[max(0, min(len(w.waist)-1, int(w.neck.x)))], float64(w.worn.H))
	base := o.tones[0][0]
	seam, lit := dot(color3(base, 0.55), 190), toned(base, [3]float64{255, 252, 246}, 0.35)
	from := w.neck.y
	if o.lapels {
		deep := math.Min(from+1.55*u, from+0.8*(end-from))
		if deep > from+0.4*u {
			shirt := polygon(spot{w.neck.x - 0.4*u, from - 0.5*u}, spot{w.neck.x + 0.4*u, from - 0.5*u}, spot{axis(deep), deep})
			shirt.fill(layer, dot([3]float64{240, 239, 234}, 255))
			line(0.012*u, 0.012*u, spot{w.neck.x, from}, spot{axis(deep), deep}).fill(layer, dot([3]float64{190, 188, 184}, 200))
			for _, side := range []float64{-1, 1} {
				flap := []spot{{w.neck.x + side*0.4*u, from - 0.3*u}, {w.neck.x + side*0.56*u, from + 0.12*u}, {w.neck.x + side*0.78*u, from + 0.42*u}, {w.neck.x + side*0.6*u, from + 0.5*u}, {w.neck.x + side*0.7*u, from + 0.62*u}, {axis(deep) + side*0.02*u, deep}}
				line(0.05*u, 0.05*u, append(slices.Clone(flap), flap[0])...).fill(layer, dot(color3(base, 0.5), 160))
				polygon(flap...).fill(layer, dot(color3(base, 1.12), 255))
				line(0.014*u, 0.014*u, flap[2], flap[3], flap[4]).fill(layer, seam)
			}
			from = deep
		}
	}
	if o.collar || o.lapels {
		line(0.018*u, 0.018*u, spot{axis(from), from}, spot{axis((from + end) / 2), (from + end) / 2}, spot{axis(end), end}).fill(layer, seam)
		if o.collar {
			for _, side := range []float64{-1, 1} {
				line(0.008*u, 0.008*u, spot{axis(from) + side*0.1*u, from}, spot{axis(end) + side*0.1*u, end}).fill(layer, dot(color3(base, 0.6), 120))
			}
		}
		button := toned(o.tones[0][1], [3]float64{244, 240, 230}, 0.5)
		if o.lapels {
			button = color3(base, 0.42)
		}
		step := 0.44 * u
		for y := from + 0.2*u; y < end-0.1*u; y += step {
			r := math.Max(1.2, 0.045*u)
			oval(axis(y), y+0.3*r, 1.15*r, 1.15*r, 0).fill(layer, dot(color3(base, 0.45), 150))
			oval(axis(y), y, r, r, 0).fill(layer, dot(button, 255))
			oval(axis(y), y, 0.34*r, 0.34*r, 0).fill(layer, dot(color3(button, 0.6), 200))
		}
	}
	if o.collar {
		y := w.neck.y
		for _, side := range []float64{-1, 1} {
			flap := []spot{{w.neck.x, y + 0.04*u}, {w.neck.x + side*0.4*u, y - 0.34*u}, {w.neck.x + side*0.58*u, y - 0.06*u}, {w.neck.x + side*0.4*u, y + 0.4*u}}
			line(0.04*u, 0.04*u, append(slices.Clone(flap), flap[0])...).fill(layer, dot(color3(base, 0.5), 170))
			polygon(flap...).fill(layer, dot(lit, 255))
			line(0.01*u, 0.01*u, flap[1], flap[2], flap[3], flap[0]).fill(layer, dot(color3(lit, 0.8), 160))
		}
	}
	if o.belt && w.lowerBelow && !o.whole {
		x0, x1 := max(0, int(w.neck.x-1.4*u)), min(len(w.waist)-1, int(w.neck.x+1.4*u))
		var way []spot
		for x := x0; x <= x1; x += max(1, (x1-x0)/24) {
			way = append(way, spot{float64(x), w.waist[x] + 0.07*u})
		}
		line(0.15*u, 0.15*u, way...).fill(layer, dot([3]float64{74, 48, 34}, 255))
		cx := axis(end)
		card(cx-0.13*u, end-0.02*u, cx+0.13*u, end+0.17*u, 0.03*u).fill(layer, dot([3]float64{206, 184, 128}, 255))
		card(cx-0.08*u, end+0.03*u, cx+0.08*u, end+0.12*u, 0.02*u).fill(layer, dot([3]float64{74, 48, 34}, 255))
	}
}
