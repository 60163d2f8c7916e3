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

// tryOn shows the garment on the given person, before the location when there is one (Run API, "virtualtryon"). A
// garment that somebody wears already stays on that figure, which gets the person's face; one that lies flat is laid
// over the person's body; without a person it is shown on a tailor's dummy, or on its own when it is no garment for one.
func tryOn(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	if len(seg.Faces) > 0 && !seg.Exact {
		return wearer(ctx, req, seg)
	}
	garment := seg.Foreground
	if b := compose.Matte(garment).Bounds(); !b.Empty() {
		garment = unhung(compose.Window(garment, b))
	}
	req.progress(0.3)
	v := req.vary()
	kind := garmentKind(req.text("textDescription"), garment)
	if seg.Wearer == nil {
		share := 0.86 - 0.1*v.random.Float64()*math.Min(1, float64(req.Item))
		if kind == upperGarment || kind == wholeGarment {
			return posture{share: share, floor: 0.95, across: 0.5}.pose(ctx, req, seg, onDummy(garment), v)
		}
		return posture{share: 0.9 * share, floor: 0.9, across: 0.5}.pose(ctx, req, seg, garment, v)
	}
	worn := flat(garment, kind)
	person := seg.Wearer.lengthened(worn)
	dressed, err := dress(person, worn)
	if err != nil {
		return nil, err
	}
	req.progress(0.5)
	size := req.canvas(req.Source().Rect.Size())
	if person == seg.Wearer && !req.placed() && !differs(size, dressed.picture.Rect.Size()) {
		out := compose.Cover(dressed.picture, size.X, size.Y, compose.Framing{X: 0.5, Y: 0.3, Zoom: 1})
		v.grade(out)
		return out, nil
	}
	seg.Faces = nil
	if !seg.Wearer.Face.Empty() {
		seg.Faces = []image.Rectangle{seg.Wearer.Face}
	}
	return shown(ctx, req, seg, compose.CutOut(dressed.picture, dressed.matte), v)
}

// placed tells whether the request says where the picture is to play.
func (r Request) placed() bool {
	return r.placePhoto() != nil || r.text("textDescription") != "" && r.wish().says()
}

// differs tells whether two sizes differ in shape.
func differs(a, b image.Point) bool {
	k := float64(a.X) * float64(b.Y) / math.Max(1, float64(a.Y)*float64(b.X))
	return k < 0.95 || k > 1.05
}

// shown sets a dressed figure into the item's scene.
func shown(ctx context.Context, req Request, seg Segmentation, figure *image.NRGBA, v variation) (*image.NRGBA, error) {
	stand := compose.Stand(compose.Matte(figure))
	p := posture{share: 0.9 - 0.05*v.random.Float64(), floor: 0.965, across: 0.5 + 0.16*(v.random.Float64()-0.5)*math.Min(1, float64(req.Item))}
	if !seg.SceneFigure.Empty() && !stand.Cut {
		// As large as whoever stood there, where they stood.
		f := seg.figureIn(req.canvas(req.Source().Rect.Size()))
		size := req.canvas(req.Source().Rect.Size())
		p.share = math.Max(0.35, math.Min(0.95, float64(f.Dy())/float64(size.Y)))
		p.floor = math.Min(0.985, float64(f.Max.Y)/float64(size.Y))
		p.across = float64(f.Min.X+f.Max.X) / 2 / float64(size.X)
	}
	if stand.Cut {
		p.floor = 1.005
	}
	return p.pose(ctx, req, seg, figure, v)
}

// wearer shows whoever wears the garment with the given person's face, before the location or where they were.
func wearer(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	v := req.vary()
	src := req.Source()
	figure := imaging.Clone(seg.Foreground)
	if err := exchange(ctx, figure, req, seg, false); err != nil {
		return nil, err
	}
	req.progress(0.4)
	size := req.canvas(src.Rect.Size())
	if !req.placed() && !differs(size, src.Rect.Size()) {
		out := imaging.Flatten(imaging.Clone(src), 255, 255, 255)
		seen := compose.Matte(figure)
		if v.item > 0 {
			v.focusOn(out, seen)
		}
		compose.Over(out, figure, image.Point{})
		out = compose.Cover(out, size.X, size.Y, v.closer(seen.Bounds(), src.Rect.Size()))
		v.grade(out)
		return out, nil
	}
	return shown(ctx, req, seg, figure, v)
}

// focusOn puts what lies behind a figure out of focus, in place, as far as the item has it; matte is where the figure will be laid over.
func (v variation) focusOn(img *image.NRGBA, matte mask.Plane) {
	stand := compose.Stand(matte)
	r := v.depth * float64(min(matte.W, matte.H))
	if stand.Cut {
		r *= 2
	}
	if r < 1 {
		return
	}
	// Nothing of the figure's own colours may glow around it.
	covered := matte.Grow(math.Max(3, float64(min(matte.W, matte.H))/120))
	for y := range matte.H {
		row := img.Pix[img.PixOffset(0, y):]
		for _, c := range cuts(matte.W, 1, func(x int) bool { return covered.Kept(x, y) }) {
			a, b := c.from-1, c.to
			if a < 0 {
				a = b
			}
			if b == matte.W {
				b = a
			}
			if a == matte.W {
				continue // nothing else is in this row
			}
			for x := c.from; x < c.to; x++ {
				t := (float64(x-c.from) + 1) / float64(c.long()+1)
				for k := range 3 {
					row[4*x+k] = byte255((1-t)*float64(row[4*a+k]) + t*float64(row[4*b+k]))
				}
			}
		}
	}
	feet := stand.Bounds.Max.Y
	floor := min(int(compose.FloorLine(img)*float64(matte.H)), feet-stand.Bounds.Dy()/10)
	compose.Defocus(img, int(r+0.5), floor, feet)
}

// closer frames a picture of a size a little closer around what is seen in it, of which nothing is cut off.
func (v variation) closer(seen image.Rectangle, size image.Point) compose.Framing {
	wanted := [4]float64{1, 1.08, 1.04, 1.12}[v.item%4]
	const room = 1.03
	zoom := math.Max(1, math.Min(wanted, math.Min(float64(size.X)/(room*float64(seen.Dx())), float64(size.Y)/(room*float64(seen.Dy())))))
	// Where the part begins of what is left over, first as far as all that is seen lies in it.
	share := func(from, to, whole int, usual float64) float64 {
		part := float64(whole) / zoom
		left := math.Max(1, float64(whole)-part)
		lo, hi := math.Max(0, float64(to)-part)/left, float64(from)/left
		return math.Max(0, math.Min(1, math.Max(lo, math.Min(hi, usual))))
	}
	return compose.Framing{X: share(seen.Min.X, seen.Max.X, size.X, 0.5), Y: share(seen.Min.Y, seen.Max.Y, size.Y, 0.4), Zoom: zoom}
}

// garment kinds are where on a body something is worn.
const (
	upperGarment = iota
	wholeGarment
	lowerGarment
	notWorn // on the body: bags, shoes, things
)

// garmentWords tell what something is.
var garmentWords = map[string]int{
	"dress": wholeGarment, "gown": wholeGarment, "coat": wholeGarment, "jumpsuit": wholeGarment, "robe": wholeGarment, "kaftan": wholeGarment, "overall": wholeGarment,
	"shirt": upperGarment, "blouse": upperGarment, "top": upperGarment, "jacket": upperGarment, "blazer": upperGarment, "sweater": upperGarment, "jumper": upperGarment, "tee": upperGarment, "hoodie": upperGarment, "cardigan": upperGarment, "vest": upperGarment,
	"skirt": lowerGarment, "trousers": lowerGarment, "pants": lowerGarment, "jeans": lowerGarment, "shorts": lowerGarment, "leggings": lowerGarment,
	"bag": notWorn, "handbag": notWorn, "shoe": notWorn, "shoes": notWorn, "boots": notWorn, "sneakers": notWorn, "hat": notWorn, "watch": notWorn, "bottle": notWorn, "jewellery": notWorn, "jewelry": notWorn,
}

// isGarment reports whether a word names something that is worn on the body, of whatever kind.
func isGarment(word string) bool {
	kind, ok := garmentWords[word]
	return ok && kind != notWorn || slices.Contains([]string{"clothes", "clothing", "garment", "outfit", "suit"}, word)
}

// garmentKind is what a cut-out garment is, by the words of the description, else by its outline: clothes are about
// as wide on either side of their middle; long ones are worn over the whole body.
func garmentKind(text string, garment *image.NRGBA) int {
	for _, w := range words(text) {
		if k, ok := garmentWords[w]; ok {
			return k
		}
	}
	w, h := garment.Rect.Dx(), garment.Rect.Dy()
	both, either, all := 0, 0, 0
	for y := 0; y < h; y += max(1, h/120) {
		row := garment.Pix[y*garment.Stride:]
		for x := 0; x < w/2; x += max(1, w/120) {
			a, b := row[4*x+3] >= mask.Level, row[4*(w-1-x)+3] >= mask.Level
			all++
			if a && b {
				both++
			}
			if a || b {
				either++
			}
		}
	}
	tall := float64(h) / math.Max(1, float64(w))
	// Shoulders are wide and boxes are full.
	matte := compose.Matte(garment)
	shoulders := bodyWidth(matte, 0.14*float64(h), float64(w)/2, float64(w)/2)
	switch {
	case 100*both < 72*either || tall < 0.6 || tall > 3.6 || shoulders < 0.45*float64(w) || 100*both > 93*all:
		return notWorn
	case tall > 1.45:
		return wholeGarment
	}
	return upperGarment
}

// bodyWidth is how much of a row is covered around x, at most reach to each side.
func bodyWidth(m mask.Plane, row, x, reach float64) float64 {
	y := max(0, min(m.H-1, int(row)))
	n := 0
	for px := max(0, int(x-reach)); px < min(m.W, int(x+reach)); px++ {
		if m.Pix[y*m.W+px] >= mask.Level {
			n++
		}
	}
	return float64(n)
}

// dim darkens a picture a little around and below a plane, as cloth does what it lies on.
func dim(img *image.NRGBA, m mask.Plane, r int) {
	soft := m.Feather(float64(r))
	eachPixel(img, func(x, y int, p []uint8) {
		a := 0.35 * float64(soft.At(x, y-r/2)) / 255
		if a == 0 {
			return
		}
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (1 - a))
		}
	})
}

// shade gives layer, in place, a tenth of the broad light and dark of the picture under it.
func shade(layer, under *image.NRGBA) {
	broad := compose.Blur(under, max(3, under.Rect.Dx()/50))
	matte := compose.Matte(layer)
	mean := math.Max(12, compose.Measure(broad, &matte).Mean[0]*2.2)
	for i := 0; i < len(layer.Pix); i += 4 {
		if layer.Pix[i+3] == 0 {
			continue
		}
		light := (0.3*float64(broad.Pix[i]) + 0.6*float64(broad.Pix[i+1]) + 0.1*float64(broad.Pix[i+2])) / mean
		gain := 1 + 0.1*(math.Max(0.5, math.Min(1.5, light))-1)
		for k := range 3 {
			layer.Pix[i+k] = uint8(math.Max(0, math.Min(255, gain*float64(layer.Pix[i+k])+0.5)))
		}
	}
}

// sides are the long side of a result by imageSize (Run API, "virtualtryon").
var sides = map[string]int{"1K": 1024, "2K": 2048, "3K": 3072, "4K": 4096}

// ratios are width and height of aspectRatio.
var ratios = map[string][2]int{
	"1:1": {1, 1}, "2:3": {2, 3}, "3:2": {3, 2}, "3:4": {3, 4}, "4:3": {4, 3}, "4:5": {4, 5}, "5:4": {5, 4},
	"9:16": {9, 16}, "16:9": {16, 9}, "9:21": {9, 21}, "21:9": {21, 9}, "1:4": {1, 4}, "4:1": {4, 1}, "1:8": {1, 8}, "8:1": {8, 1},
}

// canvas is the size of the result: the shape of aspectRatio, or of like when there is none ("auto"), with the long
// side of imageSize, or like's up to 2048.
// ASSUMED [What imageSize measures]: the documents name the sizes and do not say what they measure; here they are the long side.
func (r Request) canvas(like image.Point) image.Point {
	w, h := float64(like.X), float64(like.Y)
	if q, ok := ratios[r.text("aspectRatio")]; ok {
		w, h = float64(q[0]), float64(q[1])
	}
	long := min(2048, max(like.X, like.Y))
	if side, ok := sides[r.text("imageSize")]; ok {
		long = side
	}
	k := float64(long) / math.Max(w, h)
	return image.Pt(max(1, int(k*w+0.5)), max(1, int(k*h+0.5)))
}
