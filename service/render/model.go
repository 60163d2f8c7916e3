package render

import (
	"context"
	"image"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// model keeps the protected part of a person's picture and puts scene and head around it together from the presets
// (Task API, "aimodel v1.0"). A fashion model has no effect with autoSubjectSegment, a location none with
// autoHumanSegment.
func model(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	src := req.source()
	maskType := req.text("maskType")
	if maskType == maskHuman {
		out := imaging.Clone(src)
		if err := changeFace(ctx, out, req, seg); err != nil {
			return nil, err
		}
		protect(out, src, seg)
		return out, nil
	}
	person := imaging.Clone(seg.Foreground)
	if maskType != maskSubject {
		if maskType != maskHead && maskType != "" {
			if err := changeFace(ctx, person, req, seg); err != nil {
				return nil, err
			}
		}
		v := req.vary()
		scene := req.scene(256, 256, v)
		compose.Harmonise(person, compose.Measure(person, nil), compose.Measure(scene, nil), 0.12, &seg.Matte)
		if maskType == maskHead {
			req.recolourClothes(person, seg)
		}
	}
	req.progress(0.2)
	if p := req.text("pose"); p == "freePose" || p == "referenceImagePose" {
		return strike(ctx, req, seg, person)
	}
	return stage(ctx, req, seg, person)
}

// strike sets the person into the scene in another place, size and slant: with a free pose the product may adjust.
func strike(ctx context.Context, req Request, seg Segmentation, person *image.NRGBA) (*image.NRGBA, error) {
	v := req.vary()
	size := req.source().Rect.Size()
	whole := seg.Subject.Bounds().Max.Y < size.Y-1-size.Y/100
	move := posture{share: 0.92 - 0.14*v.random.Float64(), across: 0.5 + 0.2*(v.random.Float64()-0.5), floor: 0.97}
	if whole {
		move.slant = 3 * (v.random.Float64() - 0.5)
	} else {
		move.share, move.floor = 0.95, 1.001 // cut off by the frame before, cut off by the frame again
	}
	move.flip = req.Item%2 == 1
	return move.set(ctx, req, person, req.scene(size.X, size.Y, v), v)
}

// recolourClothes gives what the person wears the colour the description names, the head excepted.
func (r Request) recolourClothes(person *image.NRGBA, seg Segmentation) {
	wanted := readWish(r.text("textDescription"), r.text("negTextDescription"))
	if len(wanted.colours) == 0 {
		return
	}
	body := compose.Matte(person)
	for i, v := range seg.Matte.Pix {
		body.Pix[i] = min(body.Pix[i], 255-v)
	}
	tinted(person, body, channels(wanted.colours[0]), 0.9, 0.55)
}
