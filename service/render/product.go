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
// light, a shadow lies where it stands, and the scene's light spills over soft edges. What is protected stays exact.
func stage(ctx context.Context, req Request, seg Segmentation, cut *image.NRGBA) (*image.NRGBA, error) {
	src := req.source()
	size := src.Rect.Size()
	v := req.vary()
	scene := req.scene(size.X, size.Y, v)
	req.progress(0.35)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	matte := compose.Matte(cut)
	if req.text("generatedContent") == "referToOrigin" {
		// Closer to the source: the old background's light rather than the subject's colours.
		back := outside(matte)
		compose.Harmonise(scene, compose.Measure(scene, nil), compose.Measure(src, &back), 0.5, nil)
	} else {
		// The product may not change, so the scene meets it, but only so far: a white studio has to stay white.
		compose.Harmonise(scene, compose.Measure(scene, nil), compose.Measure(cut, nil), 0.1, nil)
	}
	req.progress(0.55)
	compose.ContactShadow(scene, matte, compose.Shadow{Strength: v.shadow, Light: compose.Light(scene), Length: v.length})
	req.progress(0.7)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cut = imaging.Clone(cut)
	if seg.Exact {
		compose.SoftenRim(cut)
	}
	compose.LightWrap(cut, scene, max(2, min(size.X, size.Y)/60), 0.6)
	compose.Over(scene, cut, image.Point{})
	protect(scene, src, seg)
	return scene, nil
}

// outside is the inverse of a matte.
func outside(matte mask.Plane) mask.Plane {
	m := matte.Clone()
	m.Invert()
	return m
}

// protect copies the protected pixels of src to out, bit by bit: all painted ones when the caller drew the mask,
// otherwise those that the soft edge leaves whole.
func protect(out, src *image.NRGBA, seg Segmentation) {
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
