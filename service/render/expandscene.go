package render

import (
	"image"

	"atelier/imaging/mask"
)

// beyondSides is what of a subject without a face goes on beyond the frame all the same: of the parts that the left or right side of the
// frame cuts, as it does a field, a wood or a street with cars and seldom who is looked at, what lies near the frame.
func beyondSides(subject mask.Plane) mask.Plane {
	const (
		parts = 8    // the largest are looked at
		near  = 0.15 // of the picture
	)
	out := mask.New(subject.W, subject.H)
	w, h := int(near*float64(subject.W)), int(near*float64(subject.H))
	inner := image.Rect(w, h, subject.W-w, subject.H-h)
	list := subject.Listing(parts)
	list.Step(0)
	for _, r := range list.Regions() {
		if !r.Kept || r.Box.Min.X > 0 && r.Box.Max.X < subject.W {
			continue
		}
		for i, v := range subject.RegionAt(r.At).Run().Pix {
			if v >= mask.Level && !image.Pt(i%subject.W, i/subject.W).In(inner) {
				out.Pix[i] = 255
			}
		}
	}
	return out
}
