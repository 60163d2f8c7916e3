package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/net"
	"atelier/imaging/segment"
)

// Wearer is the person a garment is put on.
type Wearer struct {
	Picture *image.NRGBA // opaque
	Matte   mask.Plane
	Face    image.Rectangle // empty when none was found
	Bodies  []net.Joints    // of people in the picture
	// Head is the soft cover of face and hair, Upper and Lower what is worn above and below the waist. They are empty when
	// nobody could be divided.
	Head, Upper, Lower mask.Plane
	shown              int // rows that their picture had before the body was lengthened, 0 where it was not
}

// wearerOf finds the person in a picture.
func wearerOf(ctx context.Context, person *image.NRGBA, e engine) (*Wearer, error) {
	person = worked(person)
	p, err := analysis.Pieces(ctx, person, e.segmentation())
	if err != nil {
		return nil, fmt.Errorf("find the person to dress: %w", err)
	}
	w := &Wearer{Picture: person, Matte: p.Subject.Matte, Head: p.Head, Upper: p.Upper, Lower: p.Lower}
	if len(p.Subject.Faces) > 0 {
		w.Face = p.Subject.Faces[0]
	}
	if w.Bodies, err = analysis.Bodies(person); err != nil {
		return nil, fmt.Errorf("find the person to dress: %w", err)
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
	p, err := analysis.Pieces(ctx, photo, segment.Options{})
	if err != nil {
		return clothing{}, fmt.Errorf("find the garment: %w", err)
	}
	if len(p.Subject.Faces) == 0 || p.Head.W == 0 {
		cut := segment.Foreground(photo, p.Subject.Matte)
		if b := p.Subject.Mask.Bounds(); !b.Empty() {
			cut = unhung(compose.Window(cut, b))
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
	bodies, err := analysis.Bodies(photo)
	if err != nil {
		return clothing{}, fmt.Errorf("find who wears the garment: %w", err)
	}
	c := clothing{body: wearing(p.Subject.Matte, p.Subject.Faces[0], bodies, kind), kind: kind}
	c.cut = segment.Foreground(photo, c.body.without(matte))
	c.body.remeasure(compose.Matte(c.cut))
	if c.body.legs {
		c.body.clearGround(photo, c.cut)
	}
	// What ends above the knees has no legs, only a slit.
	c.body.legs = c.body.legs && c.body.level(math.Max(c.body.hem[0], c.body.hem[1])) > 1.55
	return c, nil
}

// flat is a garment that nobody wears, without its hanger.
func flat(cut *image.NRGBA, kind int) clothing {
	return clothing{cut: cut, body: hanger(compose.Matte(cut), kind), kind: kind}
}

// wearing is the body of a person as clothes of a kind hang on it: where the frame ends above the hips, so do clothes that are worn
// above them, and nothing is drawn together to end within it.
func wearing(matte mask.Plane, face image.Rectangle, bodies []net.Joints, kind int) figure {
	s := skeletonOf(matte, face, bodies)
	if s.cut[0] && kind != lowerGarment {
		hips := &s.bones[boneHips].from
		hips.y = math.Max(hips.y, s.bones[boneTorso].to.y+hipsBelow*s.head)
	}
	return s.figure(matte)
}

// lengthened is the person with more of the body than their picture shows, where that ends so high that hardly anything of the garment
// would be seen: down to where the garment covers no arm any more. It is the person as they are where nothing is missing, no sleeve
// covers an arm, or hair reaches to the end of the picture.
func (w *Wearer) lengthened(c clothing) *Wearer {
	const (
		most   = 0.8  // level to which a body is lengthened
		spare  = 0.04 // levels above a sleeve's end or the hem at which it ends
		little = 0.1  // face heights that are not worth it
	)
	if c.kind == lowerGarment || w.Face.Empty() || w.Matte.Bounds().Max.Y < w.Matte.H-w.Matte.H/200 {
		return w
	}
	body := wearing(w.Matte, w.Face, w.Bodies, c.kind)
	end := math.Min(most, c.body.level(float64(c.cut.Rect.Dy()))-spare)
	sleeve := 0.0
	for y := range c.cut.Rect.Dy() {
		level := c.body.level(float64(y))
		for side := range 2 {
			if c.body.outer[side][y] > c.body.trunk[side][y]+0.05*c.body.unit && level < 1 {
				sleeve = math.Max(sleeve, level)
			}
		}
	}
	end = math.Min(end, sleeve-spare)
	rows := int(body.row(end)) - w.Matte.H
	if float64(rows) < little*body.unit || 5*bodyWidth(w.Head, float64(w.Head.H-1), body.axis[w.Head.H-1], 2*body.unit) > body.unit {
		return w
	}
	longer := func(m mask.Plane) mask.Plane {
		out := mask.New(m.W, m.H+rows)
		copy(out.Pix, m.Pix)
		for y := m.H; y < out.H; y++ {
			copy(out.Row(y), m.Row(m.H-1))
		}
		return out
	}
	img := image.NewNRGBA(image.Rect(0, 0, w.Picture.Rect.Dx(), w.Picture.Rect.Dy()+rows))
	copy(img.Pix, w.Picture.Pix)
	for at := len(w.Picture.Pix); at < len(img.Pix); at += img.Stride {
		copy(img.Pix[at:], w.Picture.Pix[len(w.Picture.Pix)-img.Stride:])
	}
	return &Wearer{
		Picture: img, Matte: longer(w.Matte), Face: w.Face, Bodies: w.Bodies,
		Head: longer(w.Head), Upper: longer(w.Upper), Lower: longer(w.Lower), shown: w.Matte.H,
	}
}

// slacken makes a body as wide as the one that a garment would fit, and leaves sleeves their own width: nobody sees what they need not cover.
func (f *figure) slacken(garment figure) {
	k := f.unit / garment.unit
	for side := range 2 {
		clear(f.outer[side])
		for y := range f.trunk[side] {
			row := garment.row(f.level(float64(y)))
			f.trunk[side][y], f.joined[side][y] = k*at(garment.trunk[side], row), k*at(garment.joined[side], row)
		}
	}
}

// hideWorn takes out of the matte of a lengthened person all that sticks out of the garment but head, hair and neck: their arms are in
// its sleeves. under is what the garment covers.
func (w *Wearer) hideWorn(matte, under mask.Plane, body figure) {
	const (
		neck  = 0.5  // face heights to each side of the middle
		above = -0.4 // level from which on something is worn
	)
	tone := skinTone(w.Picture, w.Face)
	hair := w.hairBelow(body, tone)
	gone := mask.New(matte.W, matte.H)
	for y := max(0, int(body.row(above))); y < gone.H; y++ {
		for x := range gone.W {
			switch {
			case under.Kept(x, y):
				continue
			case y >= w.shown:
			case w.Head.Kept(x, y), hair.Kept(x, y):
				continue
			case math.Abs(float64(x)-body.axis[y]) < neck*body.unit:
				p := w.Picture.Pix[w.Picture.PixOffset(x, y):]
				if likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.5 {
					continue
				}
			}
			gone.Set(x, y, 255)
		}
	}
	gone.Clean(int(body.unit * body.unit / 50))
	gone = gone.Feather(math.Max(1, body.unit/100))
	for i, v := range gone.Pix {
		matte.Pix[i] = min(matte.Pix[i], max(255-v, under.Pix[i]))
	}
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
	body := wearing(w.Matte, w.Face, w.Bodies, c.kind)
	if body.unit < 4 {
		return dressing{w.Picture, w.Matte}, nil
	}
	alone := compose.CutOut(w.Picture, w.Matte)
	body.clearGround(w.Picture, alone)
	if w.shown > 0 {
		body.slacken(c.body)
	}
	layer := w.drape(body, c)
	out := imaging.Clone(w.Picture)
	under := compose.Matte(layer)
	w.match(out, layer, under, compose.Matte(alone), body, c.kind)
	shade(layer, w.Picture)
	matte := w.Matte.Clone()
	if w.shown > 0 {
		w.hideWorn(matte, under, body)
		w.bareNeck(out, matte, under, body)
	}
	dim(out, under, max(1, int(body.unit/14)))
	compose.Over(out, layer, image.Point{})
	w.keepHead(out)
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
	hair := w.hairBelow(body, tone)
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
				case hair.Kept(x, y):
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

// bareNeck draws the neck of a lengthened person where collar and tie hid it, from the chin into the garment's collar, and adds it to the matte.
func (w *Wearer) bareNeck(out *image.NRGBA, matte, under mask.Plane, body figure) {
	const (
		wide  = 0.32 // half of a neck, of the width of a face
		depth = 0.55 // face heights below the shoulders to which a collar is open at most
	)
	chin := float64(w.Face.Max.Y)
	// Below the jaws, wherever the head leans.
	middle := middleOf(w.Head, int(chin-0.4*body.unit), int(chin-0.1*body.unit), float64(w.Face.Min.X+w.Face.Max.X)/2, 0.6*float64(w.Face.Dx()))
	tone := skinTone(w.Picture, w.Face)
	neck := mask.New(matte.W, matte.H)
	end := min(neck.H, int(body.shoulder+depth*body.unit))
	// A collar shows skin down to where the garment closes.
	for y := max(0, int(chin-0.15*body.unit)); y < end; y++ {
		down := smooth((float64(y) - chin) / math.Max(1, body.shoulder-chin))
		centre := middle + down*(body.axis[y]-middle)
		half := float64(w.Face.Dx()) * (wide + 0.5*wide*smooth((float64(y)-body.shoulder+0.2*body.unit)/(0.4*body.unit)))
		for x := max(0, int(centre-half)); x < min(neck.W, int(centre+half)); x++ {
			p := w.Picture.Pix[w.Picture.PixOffset(x, y):]
			bare := y < w.shown && w.Matte.Kept(x, y) && likeSkin(compose.Lab(p[0], p[1], p[2]), tone) > 0.5
			if !bare && !under.Kept(x, y) && !w.Head.Kept(x, y) {
				neck.Set(x, y, 255)
			}
		}
	}
	neck = neck.Grow(math.Max(1, body.unit/40)).Feather(math.Max(1, body.unit/80)) // head and garment lie over its edges
	eachPixel(out, func(x, y int, p []uint8) {
		v := neck.At(x, y)
		if v == 0 {
			return
		}
		// In the shade of the chin, and rounder towards its sides.
		side := (float64(x) - middle) / (1.5 * wide * float64(w.Face.Dx()))
		light := (0.84 + 0.1*smooth((float64(y)-chin)/(0.5*body.unit))) * (1 - 0.16*side*side)
		r, g, b := compose.RGB([3]float64{light * tone[0], tone[1], tone[2]})
		blend(p, [3]float64{float64(r), float64(g), float64(b)}, float64(v)/255)
		matte.Set(x, y, max(matte.At(x, y), v))
	})
}

// hairBelow is the hair, with what goes on from it in its colour before the clothes, whatever that was taken for. It is empty where
// hardly any was found, or it has the colour of skin.
func (w *Wearer) hairBelow(body figure, skin [3]float64) mask.Plane {
	const (
		least  = 0.1 // of a face's area
		unlike = 14  // of colours
	)
	hair := w.Head.Clone()
	hair.Threshold(mask.Level)
	hair.FillRect(w.Face, 0)
	hair.FillRect(image.Rect(0, max(0, w.Face.Max.Y), hair.W, hair.H), 0) // a neck may be among it
	b := hair.Bounds()
	area := 0
	for _, v := range hair.Pix {
		area += int(v) / 255
	}
	if b.Empty() || float64(area) < least*float64(w.Face.Dx()*w.Face.Dy()) {
		return mask.New(hair.W, hair.H)
	}
	tone := compose.Measure(w.Picture, &hair).Mean
	if likeSkin(tone, skin) > 0.5 {
		return mask.New(hair.W, hair.H)
	}
	for y := b.Min.Y; y < min(hair.H, int(body.row(0.6))); y++ {
		for x := range hair.W {
			if !w.Matte.Kept(x, y) || math.Abs(float64(x)-body.axis[y]) > 1.2*body.unit {
				continue
			}
			p := w.Picture.Pix[w.Picture.PixOffset(x, y):]
			lab := compose.Lab(p[0], p[1], p[2])
			if math.Hypot(0.6*(lab[0]-tone[0]), math.Hypot(lab[1]-tone[1], lab[2]-tone[2])) < unlike {
				hair.Set(x, y, 255)
			}
		}
	}
	for x := b.Min.X; x < b.Max.X; x++ {
		if hair.Kept(x, b.Min.Y) {
			return hair.RegionAt(image.Pt(x, b.Min.Y)).Run()
		}
	}
	return hair
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
