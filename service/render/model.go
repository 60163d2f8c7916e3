package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// model keeps the protected part of a person's picture and puts scene and face around it together from the presets
// (Task API, "aimodel v1.0"). A fashion model has no effect with autoSubjectSegment, a location none with
// autoHumanSegment.
func model(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	src := req.Source()
	maskType := req.text("maskType")
	if maskType == maskHuman {
		out := imaging.Flatten(imaging.Clone(src), 255, 255, 255)
		if err := exchange(ctx, out, req, seg, true); err != nil {
			return nil, err
		}
		Protect(out, src, seg)
		return out, nil
	}
	person := imaging.Clone(seg.Foreground)
	if maskType != maskSubject {
		if err := exchange(ctx, person, req, seg, false); err != nil {
			return nil, err
		}
		req.recolourClothes(person, seg)
	}
	req.progress(0.3)
	if p := req.text("pose"); p == "freePose" || p == "referenceImagePose" {
		return strike(ctx, req, seg, person)
	}
	return stage(ctx, req, seg, person)
}

// strike sets the person into the scene in another place, size and slant: as the one in the location's photograph stood
// (referenceImagePose), or freely. The product may adjust (Task API, "aimodel v1.0").
func strike(ctx context.Context, req Request, seg Segmentation, person *image.NRGBA) (*image.NRGBA, error) {
	v := req.vary()
	size := req.Source().Rect.Size()
	stand := compose.Stand(compose.Matte(person))
	now := posture{
		share:  float64(stand.Bounds.Dy()) / float64(size.Y),
		floor:  float64(stand.Bounds.Max.Y) / float64(size.Y),
		across: float64(stand.Bounds.Min.X+stand.Bounds.Max.X) / 2 / float64(size.X),
	}
	p := now
	reference := req.text("pose") == "referenceImagePose" && !seg.SceneFigure.Empty()
	switch {
	case reference:
		// Framed as the photograph is, the place of the one in it is known.
		f := seg.figureIn(size)
		p.share = float64(f.Dy()) / float64(size.Y)
		p.floor = float64(f.Max.Y) / float64(size.Y)
		p.across = float64(f.Min.X+f.Max.X) / 2 / float64(size.X)
		p.across += 0.05 * (v.framing.X - 0.5) * math.Min(1, float64(req.Item))
	case stand.Cut:
		p.share, p.floor = 0.95, 1.001 // cut off by the frame before, cut off by the frame again
		p.across = 0.5 + 0.2*(v.random.Float64()-0.5)
		p.flip = req.Item%2 == 1
	default:
		p.share = 0.9 - 0.12*v.random.Float64()
		p.floor, p.across = 0.965, 0.5+0.2*(v.random.Float64()-0.5)
		p.slant = 2.4 * (v.random.Float64() - 0.5)
		p.flip = req.Item%2 == 1
	}
	if stand.Cut && p.floor < 1 {
		p.floor = 1.001
	}
	if req.text("pose") == "freePose" && len(seg.Faces) > 0 {
		person, _ = seg.bent(person, freely(req.text("textDescription"), v))
	}
	return p.pose(ctx, req, seg, person, v)
}

// freely is how a figure with a free pose holds itself: as the description says, else in one of a few ways by turns.
func freely(text string, v variation) bending {
	if p, ok := readPosture(text, posture{}); ok && !p.limbs.still() {
		if v.item > 0 {
			p = p.nuanced(v)
		}
		return p.limbs
	}
	p, _ := readPosture([]string{"relaxed", "walking", "look left, lean right", "hands on hips, look right"}[v.item%4], posture{})
	if v.item > 3 {
		p = p.nuanced(v)
	}
	return p.limbs
}

// figureIn is where the person of the location's photograph stands when all of its height or width that fits shows.
func (s Segmentation) figureIn(size image.Point) image.Rectangle {
	iw, ih := float64(s.Scene.Rect.Dx()), float64(s.Scene.Rect.Dy())
	k := math.Max(float64(size.X)/iw, float64(size.Y)/ih)
	dx, dy := (k*iw-float64(size.X))/2, (k*ih-float64(size.Y))/2
	f := s.SceneFigure
	return image.Rect(
		int(k*float64(f.Min.X)-dx), int(k*float64(f.Min.Y)-dy),
		int(k*float64(f.Max.X)-dx), int(k*float64(f.Max.Y)-dy))
}

// recolourClothes gives what the person wears and may change the colour the description names.
func (r Request) recolourClothes(person *image.NRGBA, seg Segmentation) {
	wanted := readWish(r.text("textDescription"), r.text("negTextDescription"))
	if len(wanted.colours) == 0 || seg.Clothes.W == 0 {
		return
	}
	tinted(person, seg.Clothes, channels(wanted.colours[0]), 0.9, 0.55)
}
