package render

import (
	"context"
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// tryOn shows the garment on the given person, before the location when there is one (Run API, "virtualtryon"). A
// garment that somebody wears already stays on that figure, which gets the person's face; one that lies flat is laid
// over the person's torso as one piece; without a person it is shown on its own in the scene.
func tryOn(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	if len(seg.Faces) > 0 && !seg.Exact {
		return wearer(ctx, req, seg)
	}
	garment := seg.Foreground
	if b := compose.Matte(garment).Bounds(); !b.Empty() {
		garment = compose.Window(garment, b)
	}
	req.progress(0.3)
	v := req.vary()
	size := req.canvas(req.source().Rect.Size())
	person := req.portrait()
	if person == nil {
		req.progress(0.6)
		share := 0.78 - 0.1*v.random.Float64()*math.Min(1, float64(req.Item))
		return posture{share: share, floor: 0.9, across: 0.5}.pose(ctx, req, seg, garment, v)
	}
	dressed, err := dress(ctx, person, garment)
	if err != nil {
		return nil, err
	}
	req.progress(0.7)
	list := req.Files["locationImage"]
	if req.Location == nil && len(list) == 0 {
		out := compose.Cover(dressed.picture, size.X, size.Y, compose.Framing{X: 0.5, Y: 0.3, Zoom: 1})
		if v.light != 0 || v.warmth != 0 {
			compose.Grade(out, v.light*0.6, v.warmth*0.6, 1)
		}
		return out, nil
	}
	figure := compose.CutOut(dressed.picture, dressed.matte)
	p := posture{share: 0.92, floor: 0.98, across: 0.5 + 0.12*(v.random.Float64()-0.5)}
	if dressed.matte.Bounds().Max.Y >= dressed.matte.H-2 {
		p.floor = 1.005
	}
	return p.pose(ctx, req, seg, figure, v)
}

// wearer shows whoever wears the garment with the given person's face, before the location or where they were.
func wearer(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	v := req.vary()
	src := req.source()
	figure := imaging.Clone(seg.Foreground)
	if err := putOn(ctx, figure, req, seg); err != nil {
		return nil, err
	}
	req.progress(0.4)
	size := req.canvas(src.Rect.Size())
	if req.Location == nil && len(req.Files["locationImage"]) == 0 && req.text("textDescription") == "" {
		out := imaging.Clone(src)
		compose.Over(out, figure, image.Point{})
		return compose.Cover(out, size.X, size.Y, compose.Framing{X: 0.5, Y: 0.3, Zoom: v.framing.Zoom}), nil
	}
	p := posture{share: 0.9, floor: 0.96, across: 0.5 + 0.14*(v.random.Float64()-0.5)*math.Min(1, float64(req.Item))}
	if seg.Subject.Bounds().Max.Y >= src.Rect.Dy()-2 {
		p.floor = 1.005
	}
	return p.pose(ctx, req, seg, figure, v)
}

// dressing is a person with the garment on.
type dressing struct {
	picture *image.NRGBA
	matte   mask.Plane // the person's, the garment included
}

// dress lays the garment over the person's upper body, or below the face where clothes cannot be told, or over the
// middle of the picture where there is no face either. Folds and light of what was worn there show through a little.
func dress(ctx context.Context, person, garment *image.NRGBA) (dressing, error) {
	whole, err := segment.Subject(ctx, person, segment.Options{})
	if err != nil {
		return dressing{}, err
	}
	size := person.Rect.Size()
	torso := image.Rect(size.X/4, size.Y/4, size.X*3/4, size.Y*3/4)
	if len(whole.Faces) > 0 {
		part, err := segment.Region(ctx, person, segment.UpperApparel, segment.Options{Hard: true})
		if err != nil {
			return dressing{}, err
		}
		f := whole.Faces[0]
		torso = image.Rect(f.Min.X-f.Dx(), f.Max.Y+f.Dy()/5, f.Max.X+f.Dx(), f.Max.Y+f.Dy()*7/2)
		if b := part.Mask.Bounds(); b.Dy() > f.Dy() && b.Dx() > f.Dx() {
			torso = b
		}
	}
	gw, gh := float64(garment.Rect.Dx()), float64(garment.Rect.Dy())
	k := 1.06 * float64(torso.Dx()) / gw
	if gh < 1.6*gw {
		k = math.Max(k, 1.02*float64(torso.Dy())/gh)
	}
	worn := imaging.Resize(garment, int(k*gw+0.5), int(k*gh+0.5))
	at := image.Pt((torso.Min.X+torso.Max.X-worn.Rect.Dx())/2, torso.Min.Y-worn.Rect.Dy()/50)
	layer := image.NewNRGBA(image.Rect(0, 0, size.X, size.Y))
	compose.Over(layer, worn, at)
	shade(layer, person)
	out := imaging.Clone(person)
	compose.Over(out, layer, image.Point{})
	matte := whole.Matte.Clone()
	if err := matte.Combine(compose.Matte(layer), mask.Add); err != nil {
		return dressing{}, err
	}
	return dressing{out, matte}, nil
}

// shade gives layer, in place, a third of the broad light and dark of the picture under it.
func shade(layer, under *image.NRGBA) {
	broad := compose.Blur(under, max(3, under.Rect.Dx()/50))
	matte := compose.Matte(layer)
	mean := math.Max(12, compose.Measure(broad, &matte).Mean[0]*2.2)
	for i := 0; i < len(layer.Pix); i += 4 {
		if layer.Pix[i+3] == 0 {
			continue
		}
		light := (0.3*float64(broad.Pix[i]) + 0.6*float64(broad.Pix[i+1]) + 0.1*float64(broad.Pix[i+2])) / mean
		gain := 1 + 0.3*(math.Max(0.5, math.Min(1.5, light))-1)
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
// ASSUMED: the documents name the sizes and do not say what they measure; here they are the long side.
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
