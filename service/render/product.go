package render

import (
	"context"
	"image"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// product keeps the product as it is and sets it into the location or a drawn scene (Task API, "aiproduct v1.0").
func product(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	return stage(ctx, req, seg, seg.Foreground)
}

// stage sets cut, of the original's size, before the item's scene: the scene takes on something of the subject's
// light, a shadow lies where it stands, and the scene's light spills over soft edges. What is protected stays exact. A
// cut that is not the segmentation's own is changed.
func stage(ctx context.Context, req Request, seg Segmentation, cut *image.NRGBA) (*image.NRGBA, error) {
	src := req.Source()
	size := src.Rect.Size()
	v := req.vary()
	matte := compose.Matte(cut)
	var face image.Rectangle
	if len(seg.Faces) > 0 && req.Agent != "aiproduct" {
		face = seg.Faces[0]
	}
	b := bearingOf(compose.Stand(matte), face, size)
	b.lit = compose.LitFrom(cut)
	back, err := req.behind(ctx, seg, size, b, v)
	if err != nil {
		return nil, err
	}
	scene := back.img
	req.progress(0.45)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	req.meet(scene, cut, seg)
	if cut != seg.Foreground {
		// What may change of the subject meets the scene as well.
		compose.Harmonise(cut, compose.Measure(cut, nil), compose.Measure(scene, nil), 0.12, &seg.Matte)
		back.tone.light(cut, &seg.Matte)
	}
	req.progress(0.6)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compose.ContactShadow(scene, matte, back.shadow(v))
	compose.Grain(scene, compose.GrainOf(cut), v.random.Uint32())
	req.progress(0.8)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if seg.Exact {
		cut = imaging.Clone(cut)
		compose.SoftenRim(cut)
	}
	compose.Settle(scene, cut, max(2, min(size.X, size.Y)/60), 0.6)
	Protect(scene, src, seg)
	return scene, nil
}

// outside is the inverse of a matte.
func outside(matte mask.Plane) mask.Plane {
	m := matte.Clone()
	m.Invert()
	return m
}

// Protect copies the protected pixels of src to out, bit by bit: all painted ones when the caller drew the mask,
// otherwise those that the soft edge leaves whole.
func Protect(out, src *image.NRGBA, seg Segmentation) {
	least := uint8(255)
	if seg.Exact {
		least = mask.Level
	}
	w := src.Rect.Dx()
	for y := range src.Rect.Dy() {
		from := src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y+y):]
		to := out.Pix[out.PixOffset(0, y):]
		for x := range w {
			if i := y*w + x; i < len(seg.Matte.Pix) && seg.Matte.Pix[i] >= least && seg.Mask.Pix[i] >= mask.Level {
				copy(to[4*x:4*x+3], from[4*x:4*x+3])
				to[4*x+3] = 255
			}
		}
	}
}

// meet brings the colours of a scene nearer to the source, as generatedContent asks.
func (r Request) meet(scene, cut *image.NRGBA, seg Segmentation) {
	now := compose.Measure(scene, nil)
	if r.text("generatedContent") == "referToOrigin" {
		// Closer to the source: the old background's light rather than the subject's colours.
		old := outside(compose.Matte(seg.Foreground))
		compose.Harmonise(scene, now, compose.Measure(r.Source(), &old), 0.4, nil)
		return
	}
	// The product may not change, so the scene meets it, but only so far: a white studio has to stay white.
	compose.Harmonise(scene, now, compose.Measure(cut, nil), 0.1, nil)
}
