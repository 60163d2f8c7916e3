package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// Wearer is the person a garment is put on.
type Wearer struct {
	Picture *image.NRGBA // opaque
	Matte   mask.Plane
	Face    image.Rectangle // empty when none was found
	// Head is the soft cover of face and hair, Upper and Lower what is worn above and below the waist. They are empty when
	// nobody could be divided.
	Head, Upper, Lower mask.Plane
}

// wearerOf finds the person in a picture.
func wearerOf(ctx context.Context, person *image.NRGBA, e engine) (*Wearer, error) {
	person = worked(person)
	p, err := piecesOf(ctx, person, e.segmentation())
	if err != nil {
		return nil, fmt.Errorf("find the person to dress: %w", err)
	}
	w := &Wearer{Picture: person, Matte: p.Subject.Matte, Head: p.Head, Upper: p.Upper, Lower: p.Lower}
	if len(p.Subject.Faces) > 0 {
		w.Face = p.Subject.Faces[0]
	}
	if w.Head.W == 0 {
		w.Head, w.Upper, w.Lower = mask.New(w.Matte.W, w.Matte.H), mask.New(w.Matte.W, w.Matte.H), mask.New(w.Matte.W, w.Matte.H)
	}
	return w, nil
}

// clothing is a garment to be put on: cut out, and where the body is that wears it or would.
type clothing struct {
	cut  *image.NRGBA
	body figure // of whoever wears it; as a flat garment's, told by its own outline
	kind int
}

// clothingIn cuts the garment out of a photo: what somebody wears, but for the shoes, or what lies flat. text may say which
// part of an outfit is meant.
func clothingIn(ctx context.Context, photo *image.NRGBA, text string) (clothing, error) {
	photo = worked(photo)
	p, err := piecesOf(ctx, photo, segment.Options{})
	if err != nil {
		return clothing{}, fmt.Errorf("find the garment: %w", err)
	}
	if len(p.Subject.Faces) == 0 || p.Head.W == 0 {
		cut := segment.Foreground(photo, p.Subject.Matte)
		if b := p.Subject.Mask.Bounds(); !b.Empty() {
			cut = compose.Window(cut, b)
		}
		return flat(cut, garmentKind(text, cut)), nil
	}
	kind := wholeGarment
	for _, w := range words(text) {
		if k, ok := garmentWords[w]; ok && k != notWorn {
			kind = k
			break
		}
	}
	matte := p.Worn
	switch part := p.Upper; kind {
	case upperGarment, lowerGarment:
		if kind == lowerGarment {
			part = p.Lower
		}
		matte = matte.Clone()
		soft := part.Feather(2)
		for i, v := range soft.Pix {
			matte.Pix[i] = min(matte.Pix[i], v)
		}
	}
	c := clothing{body: figureOf(p.Subject.Matte, p.Subject.Faces[0]), kind: kind}
	c.cut = segment.Foreground(photo, c.body.without(matte))
	c.body.remeasure(compose.Matte(c.cut))
	if c.body.legs {
		c.body.clearGround(photo, c.cut)
	}
	// What ends above the knees has no legs, only a slit.
	c.body.legs = c.body.legs && c.body.level(math.Max(c.body.hem[0], c.body.hem[1])) > 1.55
	return c, nil
}

// flat is a garment that nobody wears.
func flat(cut *image.NRGBA, kind int) clothing {
	cut = unhung(cut)
	return clothing{cut: cut, body: hanger(compose.Matte(cut), kind), kind: kind}
}

// dressing is a person with the garment on.
type dressing struct {
	picture *image.NRGBA
	matte   mask.Plane // the person's, the garment included
}

// wristLevel is where hands begin on arms that hang.
const wristLevel = 0.98

// dress puts the garment on: row by row it is drawn as wide as the body is there, wider where it is wider itself, sleeves
// along the arms. What was worn there before and still shows takes the garment's colour; hair and face lie before it.
func dress(w *Wearer, c clothing) (dressing, error) {
	if c.cut.Rect.Empty() || c.body.unit < 1 {
		return dressing{w.Picture, w.Matte}, nil
	}
	body := figureOf(w.Matte, w.Face)
	if body.unit < 4 {
		return dressing{w.Picture, w.Matte}, nil
	}
	alone := compose.CutOut(w.Picture, w.Matte)
	body.clearGround(w.Picture, alone)
	layer := w.drape(body, c)
	out := imaging.Clone(w.Picture)
	under := compose.Matte(layer)
	w.match(out, layer, under, compose.Matte(alone), body, c.kind)
	shade(layer, w.Picture)
	dim(out, under, max(1, int(body.unit/14)))
	compose.Over(out, layer, image.Point{})
	w.keepHead(out)
	matte := w.Matte.Clone()
	if err := matte.Combine(under, mask.Add); err != nil {
		return dressing{}, fmt.Errorf("join person and garment: %w", err)
	}
	return dressing{out, matte}, nil
}

// drape draws the garment as it lies on the body, as a layer of the person's size.
func (w *Wearer) drape(body figure, c clothing) *image.NRGBA {
	k := body.unit / c.body.unit
	// As large as it will be drawn, so that nothing is lost or aliased.
	cut, from := c.cut, c.body
	if s := math.Min(1, k*1.1); s < 1 {
		cut = imaging.Resize(cut, max(1, int(s*float64(cut.Rect.Dx()))), max(1, int(s*float64(cut.Rect.Dy()))))
		from, k = from.scaled(float64(cut.Rect.Dx())/float64(c.cut.Rect.Dx()), cut.Rect.Dy()), k/s
	}
	layer := image.NewNRGBA(w.Picture.Rect)
	width := layer.Rect.Dx()
	parallelRows(layer.Rect.Dy(), func(y int) {
		level := body.level(float64(y))
		sy := from.row(level)
		if level < 0 {
			sy = from.shoulder + (float64(y)-body.shoulder)/k
		}
		if sy < -1 || sy > float64(cut.Rect.Dy()) {
			return
		}
		legs := from.legs && body.legs && level > 1
		down := sy
		for side, sign := range [2]float64{-1, 1} {
			sy := down
			if legs {
				sy = from.fromLeg(side, down)
			}
			own, sleeve := at(from.trunk[side], sy), at(from.outer[side], sy)
			half, arm := k*own, body.outer[side][y]
			fit := body.trunk[side][y]
			if level > -0.06 && own > 0 {
				// Never narrower than the body; at the neck it is as wide as it is.
				half = math.Max(half, fit*1.02*smooth((level+0.06)/0.12))
			}
			if on := smooth((level+0.04)/0.08) * (1 - smooth((level-0.2)/0.15)); on > 0 && at(from.joined[side], sy) > own {
				// Shoulders are covered to where the arm begins: there sleeve and trunk are one.
				own += on * (at(from.joined[side], sy) - own)
				half += on * (math.Max(half, body.joined[side][y]) - half)
			}
			sleeved := sleeve > own+0.05*from.unit && arm > half && level > -0.05 && level < 1.15
			if own <= 0 && !sleeved {
				continue
			}
			// Each leg of the garment lies on one of the body, and around it where it is wider.
			inside, begin := 0.0, 0.0
			if legs {
				inside = math.Min(at(from.inner[side], sy), own)
				begin = math.Min(body.inner[side][y], fit)
				wide := math.Max(k*(own-inside), 1.02*(fit-begin))
				begin = math.Max(0, begin-(wide-(fit-begin))/2)
				half = begin + wide
			}
			far := half
			if sleeved {
				far = arm
			} else if sleeve > own {
				far = half + k*(sleeve-own) // what sticks out a little
			}
			for step := math.Floor(begin); step <= far+1; step++ {
				x := int(body.axis[y] + sign*(step+0.5))
				if x < 0 || x >= width {
					break
				}
				var reach float64
				onArm := step > half
				switch {
				case !onArm:
					reach = inside + (step-begin)/math.Max(1, half-begin)*(own-inside)
				case sleeved:
					reach = own + (step-half)/math.Max(1, arm-half)*(sleeve-own)
				default:
					reach = own + (step-half)/k
				}
				col, a := sampledSoft(cut, from.axisAt(sy)+sign*reach, sy)
				if onArm && sleeved {
					a *= float64(w.Matte.Pix[y*w.Matte.W+x]) / 255
					a *= 1 - smooth((level-wristLevel)/0.1)*(1-float64(w.Upper.Pix[y*w.Upper.W+x])/255)
				}
				if a <= 0 {
					continue
				}
				p := layer.Pix[layer.PixOffset(x, y):][:4:4]
				if uint8(255*a) >= p[3] {
					p[0], p[1], p[2], p[3] = byte255(col[0]), byte255(col[1]), byte255(col[2]), byte255(255*a)
				}
			}
		}
	})
	return layer
}

// sampledSoft is the colour and cover, 0 to 1, between pixels of a cut-out.
func sampledSoft(img *image.NRGBA, x, y float64) (c [3]float64, a float64) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y = x-0.5, y-0.5
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < -1 || y0 < -1 || x0 >= w || y0 >= h {
		return c, 0
	}
	u, v := x-float64(x0), y-float64(y0)
	for n, share := range [4]float64{(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v} {
		px, py := x0+n&1, y0+n>>1
		if px < 0 || py < 0 || px >= w || py >= h {
			continue
		}
		p := img.Pix[img.PixOffset(px, py):]
		s := share * float64(p[3]) / 255
		a += s
		for k := range 3 {
			c[k] += s * float64(p[k])
		}
	}
	if a > 0 {
		for k := range 3 {
			c[k] /= a
		}
	}
	return c, a
}

// match gives what was worn before and is not covered the colour of the garment, as far as it is of the person alone.
func (w *Wearer) match(out, layer *image.NRGBA, under, alone mask.Plane, body figure, kind int) {
	b := under.Bounds()
	if b.Empty() {
		return
	}
	tone := skinTone(w.Picture, w.Face)
	// collar is what of a collar lies before the neck, whatever it was taken for.
	collar := func(x, y int) bool {
		if l := body.level(float64(y)); l < -0.12 || l > 0.5 || math.Abs(float64(x)-body.axis[y]) > 0.6*body.unit {
			return false
		}
		p := w.Picture.Pix[w.Picture.PixOffset(x, y):]
		return w.Matte.Kept(x, y) && !w.Head.Kept(x, y) && likeSkin(compose.Lab(p[0], p[1], p[2]), tone) < 0.5
	}
	recolour := func(part mask.Plane, from, shown, to int) {
		// A collar often is another garment's than the sleeves: each is led to the new colour from its own.
		near, left, neck := mask.New(under.W, under.H), mask.New(under.W, under.H), mask.New(under.W, under.H)
		for y := max(0, from); y < min(under.H, to); y++ {
			for x := range under.W {
				i := y*under.W + x
				if y < shown {
					near.Pix[i] = under.Pix[i]
				}
				switch {
				case kind != lowerGarment && collar(x, y):
					neck.Pix[i] = 255 - under.Pix[i]
				case part.Pix[i] > 0:
					left.Pix[i] = 255 - under.Pix[i]
				}
			}
		}
		if near.Empty() {
			return
		}
		r, g, bl := compose.RGB(compose.Measure(layer, &near).Mean)
		for _, rest := range []mask.Plane{left, neck} {
			rest = rest.Feather(math.Max(1, body.unit/40))
			for i, v := range alone.Pix {
				rest.Pix[i] = min(rest.Pix[i], v)
			}
			tinted(out, rest, [3]float64{float64(r), float64(g), float64(bl)}, 1, 1)
		}
	}
	hem := b.Min.Y
	for y := b.Min.Y; y < b.Max.Y; y++ {
		wide := body.trunk[0][y] + body.trunk[1][y]
		if 3*bodyWidth(under, float64(y), body.axis[y], wide) > wide {
			hem = y
		}
	}
	if kind != lowerGarment {
		recolour(w.Upper, b.Min.Y-int(body.unit/2), int(body.row(0.7)), max(int(body.hip+0.3*body.unit), min(hem, int(body.row(1.5)))))
	}
	if kind != upperGarment {
		recolour(w.Lower, int(body.row(0.8)), hem, hem)
	}
}

// keepHead lays face and hair over what was put on.
func (w *Wearer) keepHead(out *image.NRGBA) {
	f := w.Face
	eachPixel(out, func(x, y int, p []uint8) {
		i := w.Picture.PixOffset(x, y)
		share := float64(w.Head.At(x, y)) / 255
		if image.Pt(x, y).In(f) {
			share = math.Max(share, 1-smooth((reachOf(x-f.Min.X, y-f.Min.Y, f.Dx(), f.Dy())-0.9)/0.12))
		}
		blend(p, [3]float64{float64(w.Picture.Pix[i]), float64(w.Picture.Pix[i+1]), float64(w.Picture.Pix[i+2])}, share)
	})
}
