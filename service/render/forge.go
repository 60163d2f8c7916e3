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
	"atelier/service/presets"
)

// personByWords is the drawn portrait that suits a description best, another for each item, with the hair colour it names.
func personByWords(ctx context.Context, req Request, w, h int) (*image.NRGBA, error) {
	best := math.MinInt
	var fit []presets.FashionModel
	wish := req.personWish()
	for _, m := range presets.FashionModels() {
		score := wish.suits(m)
		if score > best {
			best, fit = score, nil
		}
		if score == best {
			fit = append(fit, m)
		}
	}
	n := int(uint64(req.Seed)%uint64(len(fit))) + req.Item
	m := fit[n%len(fit)]
	k := math.Min(1, 1280/float64(max(w, h)))
	img, err := req.portraitOf(ctx, m, max(1, int(k*float64(w))), max(1, int(k*float64(h))))
	if err != nil {
		return nil, err
	}
	if req.Item/len(fit)%2 == 1 {
		compose.Flip(img) // another parting, light from the other side
	}
	return sizedTo(img, w, h), nil
}

// asksPortrait tells whether a description asks for somebody's portrait: not an animal's, a thing's, or a sheet in portrait format.
func (r Request) asksPortrait() bool {
	list := words(r.text("textDescription"))
	has := func(some ...string) bool {
		return slices.ContainsFunc(some, func(w string) bool { return slices.Contains(list, w) })
	}
	subjects, _ := subjectsOf(r.text("textDescription"), r.text("negTextDescription"))
	if slices.ContainsFunc(subjects, func(n named) bool { return n.thing.kind != "person" }) {
		return false
	}
	wish := personWords(list)
	somebody := len(subjects) > 0 || wish["Women"] || wish["Men"]
	return has("headshot", "selfie") || has("portrait") && somebody && !has("format", "orientation", "mode")
}

func sizedTo(img *image.NRGBA, w, h int) *image.NRGBA {
	if img.Rect.Dx() == w && img.Rect.Dy() == h {
		return img
	}
	return imaging.Resize(img, w, h)
}

// ofHair tells whether hair is what the words begin with, after words for its form.
func ofHair(list []string) bool {
	for _, w := range list {
		switch w {
		case "hair", "curls", "locks", "bob", "ponytail", "afro", "braids":
			return true
		case "long", "short", "curly", "wavy", "straight", "coily", "thick", "fine", "shiny", "smooth", "medium", "length", "and":
		default:
			return false
		}
	}
	return false
}

// hairColour is the colour of hair that words name before it, or a word for hair of a colour.
func hairColour(list []string) ([3]float64, bool) {
	natural := map[string][3]float64{
		"blond": {214, 178, 116}, "blonde": {214, 178, 116}, "brunette": {88, 58, 40}, "ginger": {186, 92, 44}, "redhead": {170, 76, 40}, "red": {166, 62, 36}, "auburn": {128, 58, 34},
		"copper": {176, 92, 52}, "chestnut": {104, 62, 42}, "caramel": {166, 112, 70}, "honey": {196, 146, 86}, "platinum": {228, 218, 200}, "strawberry": {206, 142, 100}, "raven": {34, 30, 36},
	}
	for i, w := range list {
		if c, ok := natural[w]; ok && (w != "red" || ofHair(list[i+1:])) {
			return c, true
		}
		if c, ok := colourNames[w]; ok && ofHair(list[i+1:]) {
			return channels(c), true
		}
	}
	return [3]float64{}, false
}

// likeness is a picture with its face and what lies in it.
type likeness struct {
	img  *image.NRGBA
	face image.Rectangle
	at   features
}

// likenessOf finds the largest face of a picture; ok is false when there is none.
func likenessOf(img *image.NRGBA) (l likeness, ok bool, err error) {
	img = atMost(img, 1400)
	faces, err := analysis.Faces(img)
	if err != nil {
		return l, false, fmt.Errorf("find a face: %w", err)
	}
	if len(faces) == 0 {
		return likeness{img: img}, false, nil
	}
	return likeness{img, faces[0], featuresOf(img, faces[0])}, true, nil
}

// fitted3 is the plane map that takes three points of one face to those of another.
func fitted3(from, to [3]spot) affine {
	det := (from[1].x-from[0].x)*(from[2].y-from[0].y) - (from[2].x-from[0].x)*(from[1].y-from[0].y)
	if math.Abs(det) < 1e-6 {
		return affine{a: 1, e: 1, c: to[0].x - from[0].x, f: to[0].y - from[0].y}
	}
	solve := func(v0, v1, v2 float64) (p, q, r float64) {
		p = ((v1-v0)*(from[2].y-from[0].y) - (v2-v0)*(from[1].y-from[0].y)) / det
		q = ((v2-v0)*(from[1].x-from[0].x) - (v1-v0)*(from[2].x-from[0].x)) / det
		return p, q, v0 - p*from[0].x - q*from[0].y
	}
	var m affine
	m.a, m.b, m.c = solve(to[0].x, to[1].x, to[2].x)
	m.d, m.e, m.f = solve(to[0].y, to[1].y, to[2].y)
	return m
}

// sampled is the colour between pixels, and whether the place lies in the picture.
func sampled(img *image.NRGBA, x, y float64) (c [3]float64, ok bool) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < 0 || y0 < 0 || x0 >= w-1 || y0 >= h-1 {
		return c, false
	}
	u, v := x-float64(x0), y-float64(y0)
	i := img.PixOffset(x0, y0)
	for k := range 3 {
		top := float64(img.Pix[i+k])*(1-u) + float64(img.Pix[i+4+k])*u
		low := float64(img.Pix[i+img.Stride+k])*(1-u) + float64(img.Pix[i+img.Stride+4+k])*u
		c[k] = top*(1-v) + low*v
	}
	return c, true
}

// baby shows a baby's face with features of the parents: drawn, in the mean of their skin and hair colours, of those the
// words name, or another for each item (Run API, "Family B": baby-face-generator).
func baby(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1024))
	if len(req.Pictures()) > 0 {
		size = image.Pt(1024, 1024)
	}
	skins := [][3]float64{{244, 206, 178}, {226, 176, 140}, {150, 102, 74}, {236, 190, 156}}
	hairs := [][3]float64{{206, 164, 104}, {92, 62, 44}, {44, 34, 32}, {150, 96, 56}}
	skin, hair := skins[req.Item%4], hairs[(req.Item+int(uint64(req.Seed)%4))%4]
	n := 0
	var mean [2][3]float64
	for i, img := range req.Pictures() {
		l, ok, err := likenessOf(img)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, unseen(aFace, i+1)
		}
		r, g, b := compose.RGB(skinTone(l.img, l.face))
		top := l.at.at(0, -1.5)
		c, in := sampled(l.img, top.x, top.y)
		if !in {
			c = hair
		}
		for k, v := range [3]uint8{r, g, b} {
			mean[0][k] += float64(v)
			mean[1][k] += c[k]
		}
		n++
	}
	if n > 0 {
		for k := range 3 {
			// A baby's skin and hair are lighter than its parents'.
			skin[k] = mean[0][k]/float64(n)*0.88 + 0.12*255
			hair[k] = mean[1][k]/float64(n)*0.9 + 0.1*230
		}
	}
	list := words(req.text("textDescription"))
	if c, ok := hairColour(list); ok {
		hair = c
	}
	iris := [3]float64{96, 70, 48}
	for i, w := range list {
		if c, ok := colourNames[w]; ok && i+1 < len(list) && list[i+1] == "eyes" {
			iris = channels(c)
		}
	}
	return babyFace(req, size, skin, hair, iris), ctx.Err()
}

// babyFace draws a baby: a round head, large eyes low in the face, full cheeks, little hair, a knitted collar.
func babyFace(req Request, size image.Point, skin, hair, iris [3]float64) *image.NRGBA {
	v := req.vary()
	wall := [][3]float64{{214, 226, 236}, {240, 226, 214}, {222, 234, 218}, {236, 222, 234}}[req.Item%4]
	out := image.NewNRGBA(image.Rectangle{Max: size})
	w, h := float64(size.X), float64(size.Y)
	eachPixel(out, func(x, y int, p []uint8) {
		lit := 1.04 - 0.25*math.Hypot(float64(x)/w-0.4, float64(y)/h-0.35)
		for k := range 3 {
			p[k] = byte255(wall[k] * lit)
		}
		p[3] = 255
	})
	u := 0.36 * math.Min(w, h)
	x, y := w/2+0.02*u*(v.random.Float64()-0.5), 0.47*h
	f := field{seed: v.random.Uint32()}
	cloth := channels(req.palette().accent)
	for k := range 3 {
		cloth[k] = cloth[k]*0.55 + 0.45*246
	}
	oval(x, y+1.75*u, 1.05*u, 0.95*u, 0).shade(out, func(px, py float64) [3]float64 {
		knit := 1 + 0.05*math.Sin(px/u*60)*math.Sin(py/u*60)
		lit := knit * (1.05 - 0.2*math.Abs(px-x)/u)
		return [3]float64{cloth[0] * lit, cloth[1] * lit, cloth[2] * lit}
	})
	flesh := func(cx, cy, r, strength float64) func(px, py float64) [3]float64 {
		return func(px, py float64) [3]float64 {
			dx, dy := (px-cx)/r, (py-cy)/r
			lit := 1.05 - strength*(dx*dx+dy*dy) - 0.05*dx - 0.07*dy
			blush := 0.0
			for _, s := range []float64{-1, 1} {
				bx, by := (px-x-s*0.5*u)/(0.34*u), (py-y-0.42*u)/(0.28*u)
				blush = math.Max(blush, smooth(1-bx*bx-by*by))
			}
			return [3]float64{skin[0] * lit, skin[1] * lit * (1 - 0.12*blush), skin[2] * lit * (1 - 0.1*blush)}
		}
	}
	oval(x, y+0.95*u, 0.42*u, 0.36*u, 0).shade(out, flesh(x, y+0.6*u, 0.9*u, 0.28))
	for _, s := range []float64{-1, 1} {
		oval(x+s*0.98*u, y+0.16*u, 0.16*u, 0.24*u, 0).shade(out, flesh(x+s*0.95*u, y+0.1*u, 0.4*u, 0.2))
		oval(x+s*0.99*u, y+0.17*u, 0.08*u, 0.14*u, 0).fill(out, dot([3]float64{skin[0] * 0.84, skin[1] * 0.7, skin[2] * 0.66}, 160))
	}
	head := curved(spot{x, y - 1.06*u}, spot{x + 0.66*u, y - 0.86*u}, spot{x + 0.97*u, y - 0.2*u}, spot{x + 0.93*u, y + 0.42*u}, spot{x + 0.6*u, y + 0.86*u}, spot{x, y + 1.0*u},
		spot{x - 0.6*u, y + 0.86*u}, spot{x - 0.93*u, y + 0.42*u}, spot{x - 0.97*u, y - 0.2*u}, spot{x - 0.66*u, y - 0.86*u})
	head.shade(out, flesh(x-0.1*u, y-0.15*u, 1.15*u, 0.2))
	// Down of hair, thickest on top.
	for i := range 700 {
		a := math.Pi * (0.1 + 0.8*v.random.Float64())
		k := 0.82 + 0.24*v.random.Float64()
		px, py := x-k*0.94*u*math.Cos(a), y-0.06*u-k*1.0*u*math.Sin(a)
		long := 0.14 * u * (0.6 + v.random.Float64())
		bend := 0.5*f.at(px/u*3, py/u*3) + 0.3
		lit := 0.8 + 0.35*v.random.Float64()
		line(0.02*u, 0.004*u, spot{px, py}, spot{px + long*(math.Cos(a)*0.5+bend), py - long*(0.45*math.Sin(a)-0.6)}).fill(out, dot([3]float64{hair[0] * lit, hair[1] * lit, hair[2] * lit}, uint8(120+i%80)))
	}
	dark := color3(skin, 0.45)
	for _, s := range []float64{-1, 1} {
		ex, ey := x+s*0.4*u, y+0.14*u
		oval(ex, ey, 0.215*u, 0.165*u, 0).fill(out, dot([3]float64{250, 249, 246}, 255))
		oval(ex, ey, 0.135*u, 0.145*u, 0).fill(out, dot(iris, 255))
		oval(ex, ey, 0.075*u, 0.08*u, 0).fill(out, dot([3]float64{22, 18, 18}, 255))
		oval(ex-0.05*u, ey-0.06*u, 0.04*u, 0.04*u, 0).fill(out, dot([3]float64{255, 255, 255}, 245))
		lid := through(false, []spot{{ex - 0.235*u, ey + 0.03*u}, {ex - 0.12*u, ey - 0.13*u}, {ex + 0.12*u, ey - 0.14*u}, {ex + 0.235*u, ey + 0.03*u}})
		line(0.035*u, 0.035*u, lid...).fill(out, dot([3]float64{60, 42, 38}, 225))
		brow := through(false, []spot{{ex - 0.2*u, ey - 0.33*u}, {ex, ey - 0.39*u}, {ex + 0.2*u, ey - 0.33*u}})
		line(0.03*u, 0.03*u, brow...).fill(out, dot([3]float64{hair[0] * 0.8, hair[1] * 0.8, hair[2] * 0.8}, 130))
		oval(x+s*0.055*u, y+0.46*u, 0.028*u, 0.018*u, 0).fill(out, dot(dark, 130))
	}
	oval(x, y+0.41*u, 0.1*u, 0.07*u, 0).fill(out, dot(color3(skin, 1.05), 150))
	smile := through(false, []spot{{x - 0.23*u, y + 0.65*u}, {x - 0.1*u, y + 0.7*u}, {x + 0.1*u, y + 0.7*u}, {x + 0.23*u, y + 0.65*u}})
	line(0.028*u, 0.028*u, smile...).fill(out, dot([3]float64{150, 72, 70}, 230))
	oval(x, y+0.76*u, 0.11*u, 0.045*u, 0).fill(out, dot([3]float64{222, 132, 126}, 180))
	return out
}

func color3(c [3]float64, k float64) [3]float64 { return [3]float64{c[0] * k, c[1] * k, c[2] * k} }

// newFace makes up a person's face: a drawn portrait by words, or out of the pictures' faces, merged where there are
// several and given features of a drawn one where there is one (Run API, "Family C": face-forge).
func newFace(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	size := req.madeSize()
	list := req.Pictures()
	if len(list) == 0 {
		out, err := personByWords(ctx, req, size.X, size.Y)
		if err != nil {
			return nil, err
		}
		req.vary().grade(out)
		return out, nil
	}
	base, ok, err := likenessOf(list[req.Item%len(list)])
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, unseen(aFace, req.Item%len(list)+1)
	}
	others := append([]*image.NRGBA(nil), list...)
	if len(list) == 1 {
		drawn, err := personByWords(ctx, req, 800, 1000)
		if err != nil {
			return nil, err
		}
		others = append(others, drawn)
	}
	n := 1.0
	much := [4]float64{1, 0.6, 1.4, 0.8}[req.Item/len(list)%4] // of the others, once each has been the first
	for i, img := range others {
		if i == req.Item%len(list) {
			continue
		}
		from, ok, err := likenessOf(img)
		if err != nil {
			return nil, err
		}
		if ok {
			n++
			meant := base.metBy(from, much/n)
			base.img, base.at = base.met(from, much/n, 0, Segmentation{}), meant
		}
		req.progress(float64(i+1) / float64(len(others)+1))
	}
	out := bust(base.img, base.face, size.X, size.Y)
	req.vary().grade(out)
	return out, ctx.Err()
}
