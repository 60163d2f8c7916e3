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
	"atelier/imaging/segment"
)

// second is the second of images, what the agents of Run API, "Family B" bring to the first.
func (r Request) second() (*image.NRGBA, error) {
	list := r.Pictures()
	if len(list) < 2 {
		return nil, fmt.Errorf("%w: a second picture", ErrMissingInput)
	}
	return list[1], nil
}

// clothesChanger lays the garment of the second picture over the person of the first.
func clothesChanger(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	garment, err := req.second()
	if err != nil {
		return nil, err
	}
	worn, err := clothingIn(ctx, garment, req.text("textDescription"))
	if err != nil {
		return nil, err
	}
	req.progress(0.4)
	w, err := wearerOf(ctx, req.Source(), req.engine())
	if err != nil {
		return nil, err
	}
	d, err := dress(w, worn)
	if err != nil {
		return nil, err
	}
	req.vary().grade(d.picture)
	return d.picture, nil
}

// photoshoot sets the person of the first picture into the scene of the second.
func photoshoot(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	scene, err := req.second()
	if err != nil {
		return nil, err
	}
	if seg.Scene != nil {
		scene = seg.Scene // whoever stood there has made room
	}
	req.Location = scene
	size := req.canvas(scene.Rect.Size())
	v := req.vary()
	p := posture{share: 0.86, floor: 0.97, across: 0.5 + 0.24*(v.random.Float64()-0.5)*math.Min(1, float64(req.Item))}
	if seg.Subject.Bounds().Max.Y >= req.Source().Rect.Dy()-2 {
		p.floor, p.share = 1.005, 0.8
	}
	figure := imaging.Clone(seg.Foreground)
	stageScene := req.scene(size.X, size.Y, v)
	compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(stageScene, nil), 0.25, nil)
	out, err := p.set(ctx, req, figure, seenAs(stageScene), v)
	if err != nil {
		return nil, err
	}
	req.weathered(out, rain, snow, mist, sunrays)
	return out, nil
}

// combine sets the subjects of all pictures but the last into the last one.
func combine(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	list := req.Pictures()
	switch len(list) {
	case 0:
		return byWords(ctx, req, seg)
	case 1:
		return styled(asGraded, "", true).render(ctx, req, seg)
	}
	back := list[len(list)-1]
	size := req.canvas(back.Rect.Size())
	v := req.vary()
	req.Location = back
	scene := req.scene(size.X, size.Y, v)
	host, err := analysis.Subject(ctx, worked(scene), segment.Options{})
	if err != nil {
		return nil, err
	}
	n := len(list) - 1
	for i, img := range list[:n] {
		found, err := analysis.Subject(ctx, worked(img), segment.Options{})
		if err != nil {
			return nil, err
		}
		req.progress(0.2 + 0.6*float64(i+1)/float64(n))
		figure := segment.Foreground(worked(img), found.Matte)
		compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(scene, nil), 0.3, nil)
		p := posture{share: 0.74 - 0.1*v.random.Float64(), floor: 0.97, across: (float64(i) + 0.5 + 0.2*(v.random.Float64()-0.5)) / float64(n)}
		if b := found.Mask.Bounds(); b.Max.Y > found.Mask.H-max(3, found.Mask.H/25) && len(found.Faces) > 0 {
			// Whom the edge of their photo cuts off the edge of the scene cuts off too; a white rim below goes.
			p.floor = 1.03
		}
		if n == 1 && len(host.Faces) > 0 && len(found.Faces) > 0 {
			p = beside(host, found)
		}
		if scene, err = p.set(ctx, req, figure, seenAs(scene), v); err != nil {
			return nil, err
		}
	}
	return scene, nil
}

// beside is where one person stands with another who is in the scene: on the side with more room, heads of one size. Whom the
// edge of their own photo cuts off stands before the other, nearer.
func beside(host, guest segment.Result) posture {
	w, h := float64(host.Mask.W), float64(host.Mask.H)
	there, here := host.Mask.Bounds(), guest.Mask.Bounds()
	cut := func(r segment.Result) bool { return r.Mask.Bounds().Max.Y > r.Mask.H-max(3, r.Mask.H/50) }
	faces := float64(host.Faces[0].Dy()) / float64(guest.Faces[0].Dy())
	tall := float64(there.Dy()) / h
	p := posture{share: float64(here.Dy()) * faces / h, floor: math.Min(1.03, float64(there.Max.Y)/h)}
	switch whole := float64(here.Dy()) > 5*float64(guest.Faces[0].Dy()); {
	case whole && float64(there.Dy()) > 5*float64(host.Faces[0].Dy()):
		p.share = math.Max(0.9*tall, math.Min(p.share, 1.06*tall))
	case !whole && cut(guest) && !cut(host):
		p.share = 0.5
	}
	if cut(guest) {
		p.floor = 1.03
	}
	scale := p.share * h / float64(here.Dy()) / w // of the guest, in shares of the width
	half, face := scale*float64(here.Dx())/2, float64(host.Faces[0].Min.X+host.Faces[0].Max.X)/2/w
	apart := 0.75 * (float64(host.Faces[0].Dx())/w + scale*float64(guest.Faces[0].Dx()))
	if left, right := float64(there.Min.X)/w, 1-float64(there.Max.X)/w; right >= left {
		p.across = math.Min(0.86, math.Max(face+apart, math.Min(1-0.8*half, 1-right+0.8*half)))
	} else {
		p.across = math.Max(0.14, math.Min(face-apart, math.Max(0.8*half, left-0.8*half)))
	}
	return p
}

// guest is a person cut out for a photo with others, and how tall they stand in it.
type guest struct {
	cut  *image.NRGBA
	wide float64 // width over height of what is visible
	face float64 // height of the face over that of the whole; 0 when none was found
	cutb bool    // the lower edge of their photo cuts them off
}

// together stands the people of all pictures side by side on one floor: heads of one size, the same light, overlapping a
// little, every other a step behind (Run API, "Family B": couples and groups).
func together(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	list := req.Pictures()
	v := req.vary()
	size := req.madeSize()
	back, err := req.behind(ctx, Segmentation{}, size, bearing{top: 0.2, feet: 0.95, across: 0.5, person: true}, v)
	if err != nil {
		return nil, err
	}
	scene := back.img
	light := compose.Measure(scene, nil)
	order := v.random.Perm(len(list))
	if req.Item == 0 {
		for i := range order {
			order[i] = i
		}
	}
	guests := make([]guest, len(list))
	anyCut := false
	for i, n := range order {
		img := atMost(list[n], 1200)
		found, err := analysis.Subject(ctx, img, segment.Options{})
		if err != nil {
			return nil, err
		}
		req.progress(0.1 + 0.7*float64(i+1)/float64(len(list)))
		g := guest{cut: segment.Foreground(img, found.Matte)}
		compose.Harmonise(g.cut, compose.Measure(g.cut, nil), light, 0.22, nil)
		if b := found.Mask.Bounds(); !b.Empty() {
			g.cut = compose.Window(g.cut, b)
			g.cutb = b.Max.Y >= img.Rect.Dy()-2
			if len(found.Faces) > 0 {
				g.face = float64(found.Faces[0].Dy()) / float64(b.Dy())
			}
		}
		g.wide = float64(g.cut.Rect.Dx()) / math.Max(1, float64(g.cut.Rect.Dy()))
		anyCut = anyCut || g.cutb
		guests[i] = g
	}
	w, h := float64(size.X), float64(size.Y)
	// One face height for all; those without a face stand as tall as the others usually do.
	face := 0.82 * h / 7.2
	if anyCut {
		face = 0.2 * h // seen closer: the frame cuts everybody below
	}
	tall := make([]float64, len(guests))
	total := 0.0
	for i, g := range guests {
		tall[i] = face * 7.2
		if g.face > 0 {
			tall[i] = face / g.face
		}
		if anyCut && g.face == 0 {
			tall[i] = 0.9 * h
		}
		total += tall[i] * g.wide
	}
	if anyCut {
		// Whoever is cut off reaches from the line of heads to the lower edge.
		for _, g := range guests {
			if g.cutb && g.face > 0 {
				face = math.Max(face, 0.74*h*g.face)
			}
		}
		total = 0
		for i, g := range guests {
			if tall[i] = 0.9 * h; g.face > 0 {
				tall[i] = face / g.face
			}
			total += tall[i] * g.wide
		}
	} else if most := slices.Max(tall); most > 0.86*h {
		for i := range tall {
			tall[i] *= 0.86 * h / most
		}
		total *= 0.86 * h / most
	}
	overlap := 0.86
	if k := 0.94 * w / (overlap * total); k < 1 {
		for i := range tall {
			tall[i] *= k
		}
		total *= k
	}
	layer := image.NewNRGBA(scene.Rect)
	shadows := image.NewNRGBA(scene.Rect)
	x := w/2 - overlap*total/2 + (1-overlap)*0.5*total/float64(len(guests))*0.5
	for i, g := range guests {
		gh := int(tall[i])
		gw := int(tall[i] * g.wide)
		if gh < 2 || gw < 2 {
			continue
		}
		y := int(0.95*h) - gh - int(0.012*h*float64(i%2)) // every other a little behind
		if anyCut {
			head := 0.5 * face
			y = int(0.16*h + head*float64(i%2)*0.4)
			if short := int(h) + 2 - (y + gh); short > 0 {
				if g.cutb {
					y += short
				} else {
					y = int(0.97*h) - gh
				}
			}
		}
		placed := imaging.Resize(g.cut, gw, gh)
		at := image.Pt(int(x), y)
		compose.Over(layer, placed, at)
		compose.Over(shadows, placed, at)
		x += overlap * float64(gw)
	}
	compose.ContactShadow(scene, compose.Matte(shadows), back.shadow(v))
	compose.Settle(scene, layer, unit(scene, 8), 0.5)
	req.weathered(scene, rain, snow, mist, sunrays)
	return scene, nil
}

// mixer mixes two pictures: the items take turns in which picture gives the subject and which the scene; on every third the two are
// laid into each other (Run API, "Family B": image-mixer and ai-image-combiner).
func mixer(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	list := req.Pictures()
	if len(list) != 2 || req.Item%3 == 0 {
		return combine(ctx, req, seg)
	}
	if req.Item%3 == 1 {
		req.Original, req.Files = nil, map[string][]*image.NRGBA{"images": {list[1], list[0]}}
		return combine(ctx, req, seg)
	}
	out := worked(list[0])
	over := compose.Cover(imaging.Flatten(list[1], 255, 255, 255), out.Rect.Dx(), out.Rect.Dy(), compose.Centred)
	f := field{seed: req.vary().random.Uint32()}
	w, h := float64(out.Rect.Dx()), float64(out.Rect.Dy())
	eachPixel(out, func(x, y int, p []uint8) {
		i := over.PixOffset(x, y)
		u, v := float64(x)/w, float64(y)/h
		share := smooth((u+0.25*(v-0.5)-0.5+0.16*f.sum(u*3, v*3, 3))/0.34 + 0.5)
		blend(p, [3]float64{float64(over.Pix[i]), float64(over.Pix[i+1]), float64(over.Pix[i+2])}, share)
	})
	return out, ctx.Err()
}

// garden plans a yard: its lawn and colours follow the style picture, and a path, beds with flowers, shrubs or a pond are
// planted on its ground, as the words say; without pictures on a drawn meadow (Run API, "Family B": ai-landscape-design).
func garden(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	v := req.vary()
	list := req.Pictures()
	var out *image.NRGBA
	if len(list) > 0 {
		out = worked(list[0])
	} else {
		size := req.madeSize()
		out = wish{place: meadowPlace}.stage(size.X, size.Y, v, func(float64) float64 { return 0.5 }).img
	}
	if len(list) > 1 {
		compose.Harmonise(out, compose.Measure(out, nil), compose.Measure(imaging.Flatten(list[1], 255, 255, 255), nil), 0.45, nil)
	}
	w, h := float64(out.Rect.Dx()), float64(out.Rect.Dy())
	f := field{seed: v.random.Uint32()}
	words := words(req.text("textDescription"))
	has := func(s ...string) bool {
		for _, word := range words {
			for _, t := range s {
				if singular(word) == t || word == t {
					return true
				}
			}
		}
		return false
	}
	side := float64(1 - 2*(req.Item%2))
	if has("path", "paving", "walk", "stepping") || req.Item%2 == 0 {
		for i := range 7 { // stepping stones, smaller the farther
			t := float64(i) / 6
			x, y := w*(0.5+side*(0.02+0.12*math.Sin(3*t))), h*(0.95-0.34*t)
			r := w * (0.085 - 0.06*t)
			oval(x, y+0.1*r, r, 0.36*r, 0).fill(out, dot([3]float64{40, 44, 36}, 120))
			oval(x, y, r, 0.34*r, 0).shade(out, func(px, py float64) [3]float64 {
				k := 1 + 0.12*f.sum(px/r*4, py/r*9, 3)
				return [3]float64{178 * k, 170 * k, 158 * k}
			})
		}
	}
	if has("pond", "water", "pool") || req.Item%4 == 3 {
		x, y := w*(0.5-side*0.24), 0.80*h
		oval(x, y, 0.2*w, 0.075*h, 0).fill(out, dot([3]float64{150, 142, 130}, 255))
		oval(x, y, 0.185*w, 0.066*h, 0).shade(out, func(px, py float64) [3]float64 {
			k := 1 + 0.14*f.sum(px/w*22, py/h*90, 3) + 0.4*smooth((y-py)/(0.07*h))
			return [3]float64{72 * k, 118 * k, 138 * k}
		})
	}
	blooms := [][3]float64{{150, 120, 200}, {236, 110, 130}, {246, 206, 84}, {250, 246, 238}}
	if has("lavender") {
		blooms = blooms[:1]
	}
	if wanted := readWish(req.text("textDescription"), ""); len(wanted.colours) > 0 {
		blooms = append([][3]float64{channels(wanted.colours[0])}, blooms...)
	}
	for _, s := range []float64{-1, 1} { // shrubs behind, beds before
		for i := range 4 {
			x, y := w*(0.5+s*(0.30+0.065*float64(i))), h*(0.62+0.02*float64(i)+0.03*v.random.Float64())
			r := w * (0.045 + 0.02*v.random.Float64())
			oval(x, y+0.85*r, 1.1*r, 0.22*r, 0).fill(out, dot([3]float64{20, 26, 16}, 110))
			tone := 0.85 + 0.3*v.random.Float64()
			fur(out, tuft(f, x, y, r, r, 0.16), f, [3]float64{76 * tone, 118 * tone, 62 * tone}, x, y, 1.1*r)
		}
		for i := range 90 {
			t := v.random.Float64()
			x, y := w*(0.5+s*(0.27+0.2*v.random.Float64()+0.06*t)), h*(0.74+0.2*t)
			high := h * (0.03 + 0.05*t)
			line(0.003*w, 0.001*w, spot{x, y}, spot{x + 0.2*high*s, y - high}).fill(out, dot([3]float64{82, 126, 66}, 255))
			c := blooms[(i+req.Item)%len(blooms)]
			oval(x+0.2*high*s, y-high, 0.2*high, 0.26*high, 0).fill(out, dot(c, 245))
			oval(x+0.2*high*s, y-high, 0.07*high, 0.07*high, 0).fill(out, dot(color3(c, 0.7), 255))
		}
	}
	if v.light != 0 {
		compose.Grade(out, 0.5*v.light, 0.5*v.warmth, 1)
	}
	return out, ctx.Err()
}

// flatLay shows the object from above on a surface of the description's words, with a soft shadow all around.
func flatLay(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	size := req.madeSize()
	v := req.vary()
	wanted := readWish(req.text("textDescription"), req.text("negTextDescription"))
	surface := wanted.surface(size.X, size.Y, v)
	cut := seg.Foreground
	if len(seg.Faces) > 0 && !seg.Exact {
		// Of somebody who wears clothes the clothes are laid out.
		worn, err := clothingIn(ctx, req.Source(), req.text("textDescription"))
		if err != nil {
			return nil, err
		}
		if !compose.Matte(worn.cut).Bounds().Empty() {
			cut = worn.cut
		}
	}
	if b := compose.Matte(cut).Bounds(); !b.Empty() {
		cut = compose.Window(cut, b)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req.layProps(surface, v)
	if req.Item > 0 {
		cut = compose.Turn(cut, 14*(v.random.Float64()-0.5))
	}
	placed, at := compose.Place(cut, size, 0.76, 0.88, 0.5)
	layer := image.NewNRGBA(surface.Rect)
	compose.Over(layer, placed, at)
	reach := unit(surface, 10)
	shadow := compose.Matte(layer).Feather(float64(reach))
	eachPixel(surface, func(x, y int, p []uint8) {
		a := float64(shadow.At(x-reach, y-reach)) / 255 * 0.5
		for k := range 3 {
			p[k] = byte255(float64(p[k]) * (1 - a))
		}
	})
	compose.Over(surface, layer, image.Point{})
	return surface, nil
}

// surface is the floor of a scene seen from straight above.
func (w wish) surface(width, height int, v variation) *image.NRGBA {
	l := looks[w.place]
	c := l.low
	if len(w.colours) > 0 {
		c = channels(w.colours[0])
	}
	f := field{seed: v.random.Uint32()}
	out := image.NewNRGBA(image.Rect(0, 0, width, height))
	long := float64(max(width, height))
	eachPixel(out, func(x, y int, p []uint8) {
		fx, fy := float64(x)/long, float64(y)/long
		rough := 0.0
		if l.grain != nil {
			rough = l.grain(f, fx*2+0.1, fy*2)
		}
		lit := v.window(f, fx, fy) * (1.05 - 0.18*math.Hypot(fx-0.3, fy-0.25))
		noise := float64(f.hash(x, y)&255)/255*2.4 - 1.2
		for k := range 3 {
			p[k] = byte255(c[k]*(1+rough)*lit + noise)
		}
		p[3] = 255
	})
	return out
}
