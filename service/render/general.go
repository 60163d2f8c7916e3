package render

import (
	"context"
	"image"
	"maps"
	"slices"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/segment"
)

// edits is what a description asks to be done with a picture, as far as drawing can.
type edits struct {
	cut        bool // background away
	blur       bool // background out of focus
	backdrop   bool // another background
	mirror     bool
	turn       int // quarter turns clockwise
	grey       bool
	sharp      bool
	look       style // nil when none is named
	protected  string
	collage    bool
	dress      bool // the garment of the second picture on the first
	face       bool // the face of the second picture on the first
	understood bool
}

// readEdits reads a description of family D.
func readEdits(req Request) edits {
	list := words(req.text("textDescription"))
	wanted := readWish(req.text("textDescription"), req.text("negTextDescription"))
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(list, w) })
	}
	var e edits
	background := has("background", "backdrop", "behind", "scene", "setting", "place", "surroundings")
	e.cut = background && has("remove", "delete", "erase", "without", "transparent", "no") || has("cutout", "isolate", "isolated", "transparent")
	e.blur = !e.cut && background && has("blur", "blurred", "blurry", "bokeh", "defocus")
	e.backdrop = !e.cut && !e.blur && (background && wanted.says() || wanted.place != studioPlace)
	e.mirror = has("flip", "flipped", "mirror", "mirrored")
	if has("rotate", "rotated", "turn") {
		switch {
		case has("left", "counterclockwise", "anticlockwise"):
			e.turn = 3
		case has("right", "clockwise", "90"):
			e.turn = 1
		case has("180", "upside"):
			e.turn = 2
		}
	}
	e.grey = has("monochrome", "greyscale", "grayscale", "noir") || has("black") && has("white") && has("and")
	e.sharp = has("sharp", "sharper", "sharpen", "enhance", "enhanced", "detail", "details", "crisp", "upscale", "enlarge", "hd")
	e.collage = has("collage", "grid", "moodboard", "side")
	e.dress = has("wear", "wears", "wearing", "outfit", "garment", "clothes", "dress") && !e.backdrop
	e.face = has("face", "faces", "head") && has("swap", "replace", "merge", "change")
	if l, ok := lookNamed(list, func(w string) bool { return !isGarment(w) && w != "hair" && w != "hairstyle" && w != "portrait" }); ok {
		e.look, e.protected = l.style, l.protected
	}
	if e.look == nil && len(wanted.colours) > 0 && !background && !e.grey {
		switch {
		case slices.ContainsFunc(list, isGarment):
			e.look, e.protected = withClothes, maskApparel
			for _, w := range list {
				switch kind, ok := garmentWords[w]; {
				case ok && kind == upperGarment:
					e.protected = maskUpper
				case ok && kind == lowerGarment:
					e.protected = maskLower
				}
			}
		case has("hair", "hairstyle"):
			e.look, e.protected = withHair(dyes...), maskHead
		case has("skin"):
			e.look, e.protected = withComplexion, maskHead
		}
	}
	e.understood = e.cut || e.blur || e.backdrop || e.mirror || e.turn != 0 || e.grey || e.sharp || e.look != nil
	return e
}

// fineness is how much finer than its result a drawing is made, and how much of its detail is raised, by quality.
// ASSUMED [quality (family D)]: the document names the qualities and not what they are; here more quality is more work on the same picture.
var fineness = map[string]struct{ drawn, crisp float64 }{
	"medium": {1.25, 0.08}, "high": {1.5, 0.16}, "xhigh": {1.75, 0.22}, "max": {2, 0.28},
}

// general makes and edits pictures by words and references (Run API, "Family D"): words alone are drawn, one picture is
// edited as the words say, several are set together.
func general(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	list := req.Pictures()
	fine := fineness[req.text("quality")]
	if len(list) == 0 {
		return drawnFinely(ctx, req, seg, fine.drawn)
	}
	size := req.canvas(list[0].Rect.Size())
	e := readEdits(req)
	out, err := edited(ctx, req, e)
	if err != nil {
		return nil, err
	}
	req.progress(0.8)
	if out, err = shaped(ctx, req, out, size, e.turn%2 == 1); err != nil {
		return nil, err
	}
	if e.sharp {
		fine.crisp += 0.3
	}
	if fine.crisp > 0 {
		crisp(out, unit(out, 2), fine.crisp)
	}
	if !e.cut {
		req.weathered(out, rain, snow, mist, sunrays)
	}
	return out, ctx.Err()
}

// drawnFinely draws the description larger by a factor and reduces it.
func drawnFinely(ctx context.Context, req Request, seg Segmentation, factor float64) (*image.NRGBA, error) {
	size := req.canvas(image.Pt(1024, 1024))
	if factor <= 1 || max(size.X, size.Y) > 2048 {
		return byWords(ctx, req, seg)
	}
	v := req.vary()
	v.item = req.Item + 1
	large, err := req.drawnScene(ctx, int(factor*float64(size.X)), int(factor*float64(size.Y)), v)
	if err != nil {
		return nil, err
	}
	out := imaging.Resize(large, size.X, size.Y)
	req.weathered(out, rain, snow)
	return out, ctx.Err()
}

// edited does with the pictures what the words ask for.
func edited(ctx context.Context, req Request, e edits) (*image.NRGBA, error) {
	list := req.Pictures()
	if len(list) > 1 {
		sub := req
		sub.Values = maps.Clone(req.Values)
		delete(sub.Values, "aspectRatio") // the shape is given to the result as a whole
		delete(sub.Values, "imageSize")
		switch {
		case e.collage || len(list) > 5:
			return collage(ctx, req, Segmentation{})
		case e.face:
			sub.Values["maskType"] = maskHead
			seg, err := segmentOriginal(ctx, sub)
			if err != nil {
				return nil, err
			}
			return faceMerge(ctx, sub, seg)
		case e.dress && len(list) == 2:
			return clothesChanger(ctx, sub, Segmentation{})
		case !e.understood || e.backdrop:
			return combine(ctx, sub, Segmentation{})
		}
	}
	img, err := e.background(ctx, req, worked(list[0]))
	if err != nil {
		return nil, err
	}
	if !e.cut {
		look := e.look
		if look == nil {
			look = asGraded
		}
		sub := req
		sub.Values = maps.Clone(req.Values)
		if e.backdrop || e.grey || e.look == nil {
			// Its colours and its light went into the background, or away.
			sub.Values["textDescription"] = ""
		}
		if e.look == nil && !e.backdrop && !e.grey {
			sub.Values["textDescription"] = req.text("textDescription")
		}
		sub.Original, sub.Files = img, nil
		var seg Segmentation
		if e.protected != "" {
			sub.Values["maskType"] = e.protected
			if seg, err = segmentOriginal(ctx, sub); err != nil {
				return nil, err
			}
		}
		if img, err = styled(look, e.protected, true).render(ctx, sub, seg); err != nil {
			return nil, err
		}
	}
	if e.grey {
		compose.Grade(img, 0, 0, 0)
	}
	if e.mirror {
		compose.Flip(img)
	}
	for range e.turn {
		img = quarterTurned(img)
	}
	return img, nil
}

// background changes what is behind the subject.
func (e edits) background(ctx context.Context, req Request, img *image.NRGBA) (*image.NRGBA, error) {
	if !e.cut && !e.blur && !e.backdrop {
		return img, nil
	}
	found, err := analysis.Subject(ctx, img, segment.Options{})
	if err != nil {
		return nil, err
	}
	figure := segment.Foreground(img, found.Matte)
	req.progress(0.4)
	switch {
	case e.cut:
		return figure, nil
	case e.blur:
		s := &studio{req: req}
		back, err := s.behind(ctx, img, found.Matte)
		if err != nil {
			return nil, err
		}
		back = compose.Blur(back, unit(back, 14+2*float64(req.Item%4)))
		compose.Settle(back, figure, unit(img, 6), 0.4)
		return back, nil
	}
	v := req.vary()
	sub := req
	sub.Values = maps.Clone(req.Values)
	scene := sub.scene(img.Rect.Dx(), img.Rect.Dy(), v)
	compose.Harmonise(figure, compose.Measure(figure, nil), compose.Measure(scene, nil), 0.2, nil)
	compose.ContactShadow(scene, compose.Matte(figure), seenAs(scene).shadow(v))
	compose.Settle(scene, figure, unit(img, 8), 0.5)
	return scene, nil
}

// quarterTurned is the picture turned clockwise by a quarter.
func quarterTurned(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, h, w))
	for y := range h {
		for x := range w {
			copy(out.Pix[out.PixOffset(h-1-y, x):][:4], img.Pix[img.PixOffset(x, y):])
		}
	}
	return out
}

// shaped gives a picture the result's size: a shape that is much longer or wider is continued at its edges, the rest cut.
func shaped(ctx context.Context, req Request, img *image.NRGBA, size image.Point, turned bool) (*image.NRGBA, error) {
	if _, given := ratios[req.text("aspectRatio")]; turned && !given {
		size = image.Pt(size.Y, size.X)
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if img.Rect.Size() == size {
		return img, nil
	}
	focus := compose.Framing{X: 0.5, Y: 0.4, Zoom: 1}
	if wrong := float64(w*size.Y) / float64(h*size.X); wrong > 1.02 || wrong < 1/1.02 {
		found, err := analysis.Subject(ctx, small(img, 800), segment.Options{Hard: true})
		if err != nil {
			return nil, err
		}
		s := &studio{req: req}
		if img, err = s.widened(ctx, img, size, found); err != nil {
			return nil, err
		}
		if b := found.Mask.Bounds(); !b.Empty() && img.Rect.Dx() == w && img.Rect.Dy() == h {
			k := max(float64(size.X)/float64(w), float64(size.Y)/float64(h))
			focus.X = slack(float64(b.Min.X+b.Max.X)/2/float64(found.Mask.W), k*float64(w), float64(size.X))
			focus.Y = slack(float64(b.Min.Y+b.Max.Y)/2/float64(found.Mask.H), k*float64(h), float64(size.Y))
		}
	}
	if max(size.X, size.Y) > workSide {
		// Framed first, then enlarged: as good, and far less work.
		half := image.Pt(size.X/2, size.Y/2)
		if half.X >= w && half.Y >= h {
			return imaging.Resize(compose.Cover(img, half.X, half.Y, focus), size.X, size.Y), nil
		}
	}
	return compose.Cover(img, size.X, size.Y, focus), nil
}
