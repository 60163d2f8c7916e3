package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/fill"
)

// posture is how a figure is set into a picture, as one piece.
type posture struct {
	share  float64 // height, as a share of the picture's
	floor  float64 // where it stands, as a share of the height
	across float64 // its middle, as a share of the width
	slant  float64 // degrees clockwise
	flip   bool
}

// readPosture finds in an instruction what can be done with a figure as one piece: where it goes, how it leans, how
// near it comes, and which way it faces. now is the posture it has.
func readPosture(text string, now posture) (p posture, understood bool) {
	p = now
	list := words(text)
	turn := false
	for i, w := range list {
		next := ""
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch w {
		case "left":
			p.across -= 0.14
		case "right":
			p.across += 0.14
		case "centre", "center", "middle":
			p.across = 0.5
		case "lean", "leaning", "tilt", "tilted", "tilting", "dance", "dancing", "walk", "walking", "run", "running", "casual", "relaxed":
			p.slant += 4
			if next == "left" {
				p.slant -= 8
			}
		case "turn", "turned", "turning", "mirror", "mirrored", "flip", "opposite", "back", "other":
			turn = true
		case "jump", "jumping", "leap", "fly", "flying":
			p.floor -= 0.07
		case "close", "closer", "near", "nearer", "forward", "bigger", "larger":
			p.share *= 1.12
		case "far", "farther", "further", "away", "smaller", "backward", "step":
			p.share *= 0.88
		case "sit", "sitting", "seated", "crouch", "crouching", "kneel", "kneeling":
			p.floor += 0.05
			p.share *= 0.96
		}
	}
	if turn {
		p.flip = !p.flip
	}
	return p, p != now
}

// pose re-places the figure as one piece, by the words of the instruction, and completes the background behind it out
// of the picture itself (Task API, "aipose v1.0").
func pose(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	src := req.source()
	size := src.Rect.Size()
	seen := seg.Subject.Bounds()
	if seen.Empty() {
		return imaging.Clone(src), nil
	}
	margin := float64(max(4, min(size.X, size.Y)/60))
	hole := seg.Subject.Clone()
	for i, v := range seg.Matte.Pix {
		hole.Pix[i] = max(hole.Pix[i], v)
	}
	for i, v := range hole.Pix {
		if v > 8 {
			hole.Pix[i] = 255
		}
	}
	hole = hole.Grow(margin)
	if hole.Full() {
		return imaging.Clone(src), nil
	}
	back, err := fill.Complete(ctx, src, hole, fill.Options{Seed: req.seed(), Progress: req.part(0, 0.8)})
	if err != nil {
		return nil, err
	}
	v := req.vary()
	now := posture{
		share:  float64(seen.Dy()) / float64(size.Y),
		floor:  float64(seen.Max.Y) / float64(size.Y),
		across: float64(seen.Min.X+seen.Max.X) / 2 / float64(size.X),
	}
	p, understood := readPosture(req.text("textDescription"), now)
	if !understood {
		p.slant = 3
		p.flip = true
	}
	if req.Item > 0 {
		p.slant += 2.5 * (v.random.Float64()*2 - 1)
		p.across += 0.05 * (v.random.Float64()*2 - 1)
		p.share *= 1 + 0.05*(v.random.Float64()*2-1)
		if req.Item%4 == 3 {
			p.flip = !p.flip
		}
	}
	if seen.Max.Y >= size.Y-2 {
		// The frame cuts the figure off below: it has to go on being cut off there.
		p.floor = math.Max(p.floor, 1) + 0.02
		p.share *= 1.02
		p.slant = math.Max(-2, math.Min(2, p.slant))
	}
	// A head that was in the picture stays in it.
	if top := float64(seen.Min.Y) / float64(size.Y); top > 0.005 {
		p.share = math.Min(p.share, p.floor-math.Min(top, 0.03))
	}
	return p.set(ctx, req, seg.Foreground, seenAs(back), v)
}

// pose sets the figure into the item's scene, framed for where it will stand.
func (p posture) pose(ctx context.Context, req Request, seg Segmentation, figure *image.NRGBA, v variation) (*image.NRGBA, error) {
	size := req.canvas(req.source().Rect.Size())
	if req.Agent == "aimodel" {
		size = req.source().Rect.Size()
	}
	b := bearing{top: p.floor - p.share, feet: p.floor, across: p.across, cut: p.floor >= 1, person: len(seg.Faces) > 0, lit: compose.LitFrom(figure)}
	if p.flip {
		b.lit = -b.lit
	}
	if b.cut {
		b.feet = math.Max(1.12, b.top+1.15*p.share)
		if b.person {
			seen := compose.Matte(figure).Bounds()
			b.feet = math.Max(1.04, b.top+7.6*float64(seg.Faces[0].Dy())/float64(max(1, seen.Dy()))*p.share)
		}
	}
	back, err := req.behind(ctx, seg, size, b, v)
	if err != nil {
		return nil, err
	}
	return p.set(ctx, req, figure, back, v)
}

// set lays the figure into the backdrop, which it changes, with shadow and edge light.
func (p posture) set(ctx context.Context, req Request, figure *image.NRGBA, back backdrop, v variation) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	scene := back.img
	size := scene.Rect.Size()
	bounds := compose.Matte(figure).Bounds()
	if bounds.Empty() {
		return scene, nil
	}
	figure = compose.Window(figure, bounds)
	if p.flip {
		compose.Flip(figure)
	}
	if math.Abs(p.slant) > 0.1 {
		figure = compose.Turn(figure, p.slant)
	}
	share := math.Max(0.1, math.Min(1.6, p.share))
	across := math.Max(0.12, math.Min(0.88, p.across))
	placed, at := compose.Place(figure, size, share, p.floor, across)
	layer := image.NewNRGBA(scene.Rect)
	compose.Over(layer, placed, at)
	req.progress(0.88)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compose.ContactShadow(scene, compose.Matte(layer), back.shadow(v))
	compose.Settle(scene, layer, max(2, min(size.X, size.Y)/60), 0.6)
	return scene, nil
}
