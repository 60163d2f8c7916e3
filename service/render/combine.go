package render

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// second is the second of images, what the agents of Run API, "Family B" bring to the first.
func (r Request) second() (*image.NRGBA, error) {
	list := r.pictures()
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
	found, err := segment.Subject(ctx, garment, segment.Options{})
	if err != nil {
		return nil, err
	}
	if len(found.Faces) > 0 {
		if found, err = segment.Region(ctx, garment, segment.Apparel, segment.Options{}); err != nil {
			return nil, err
		}
	}
	req.progress(0.4)
	cut := segment.Foreground(garment, found.Matte)
	if b := found.Mask.Bounds(); !b.Empty() {
		cut = compose.Window(cut, b)
	}
	w, err := wearerOf(ctx, req.source())
	if err != nil {
		return nil, err
	}
	d, err := dress(w, cut, garmentKind(req.text("textDescription"), cut))
	if err != nil {
		return nil, err
	}
	if v := req.vary(); v.light != 0 {
		compose.Grade(d.picture, 0.4*v.light, 0.5*v.warmth, 1)
	}
	return d.picture, nil
}

// photoshoot sets the person of the first picture into the scene of the second.
func photoshoot(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	req = req.effective()
	scene, err := req.second()
	if err != nil {
		return nil, err
	}
	req.Location = scene
	size := req.canvas(scene.Rect.Size())
	v := req.vary()
	p := posture{share: 0.86, floor: 0.97, across: 0.5 + 0.24*(v.random.Float64()-0.5)*math.Min(1, float64(req.Item))}
	if seg.Subject.Bounds().Max.Y >= req.source().Rect.Dy()-2 {
		p.floor, p.share = 1.005, 0.8
	}
	figure := imaging.Clone(seg.Foreground)
	stageScene := req.scene(size.X, size.Y, v)
	compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(stageScene, nil), 0.25, nil)
	return p.set(ctx, req, figure, seenAs(stageScene), v)
}

// combine sets the subjects of all pictures but the last into the last one.
func combine(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	list := req.pictures()
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
	n := len(list) - 1
	for i, img := range list[:n] {
		found, err := segment.Subject(ctx, worked(img), segment.Options{})
		if err != nil {
			return nil, err
		}
		req.progress(0.2 + 0.6*float64(i+1)/float64(n))
		figure := segment.Foreground(worked(img), found.Matte)
		compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(scene, nil), 0.3, nil)
		p := posture{share: 0.74 - 0.1*v.random.Float64(), floor: 0.97, across: (float64(i) + 0.5 + 0.2*(v.random.Float64()-0.5)) / float64(n)}
		if scene, err = p.set(ctx, req, figure, seenAs(scene), v); err != nil {
			return nil, err
		}
	}
	return scene, nil
}

// together stands the people of all pictures side by side in one scene.
func together(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	list := req.pictures()
	v := req.vary()
	size := req.canvas(image.Pt(1536, 1152))
	scene := req.scene(size.X, size.Y, v)
	light := compose.Measure(scene, nil)
	order := v.random.Perm(len(list))
	if req.Item == 0 {
		for i := range order {
			order[i] = i
		}
	}
	layer := image.NewNRGBA(scene.Rect)
	gap := 0.86 / float64(len(list))
	for i, n := range order {
		img := worked(list[n])
		found, err := segment.Subject(ctx, img, segment.Options{})
		if err != nil {
			return nil, err
		}
		req.progress(0.1 + 0.7*float64(i+1)/float64(len(list)))
		figure := segment.Foreground(img, found.Matte)
		compose.Harmonise(figure, compose.Measure(figure, nil), light, 0.2, nil)
		share, floor := 0.82, 0.95
		if found.Mask.Bounds().Max.Y >= img.Rect.Dy()-2 {
			share, floor = 0.72, 1.003
		}
		// Side by side they may overlap a little, but nobody is wider than twice their place.
		if b := found.Mask.Bounds(); !b.Empty() {
			widest := 2 * gap * float64(size.X)
			share = math.Min(share, widest/float64(b.Dx())*float64(b.Dy())/float64(size.Y))
		}
		placed, at := compose.Place(figure, size, share, floor, 0.07+gap*(float64(i)+0.5))
		compose.Over(layer, placed, at)
	}
	compose.ContactShadow(scene, compose.Matte(layer), seenAs(scene).shadow(v))
	compose.Settle(scene, layer, unit(scene, 8), 0.5)
	return scene, nil
}

// flatLay shows the object from above on a surface of the description's words, with a soft shadow all around.
func flatLay(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1024))
	v := req.vary()
	wanted := readWish(req.text("textDescription"), req.text("negTextDescription"))
	surface := wanted.surface(size.X, size.Y, v)
	cut := seg.Foreground
	if b := compose.Matte(cut).Bounds(); !b.Empty() {
		cut = compose.Window(cut, b)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
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
