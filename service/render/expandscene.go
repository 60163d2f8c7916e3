package render

import (
	"image"

	"atelier/imaging/mask"
)

// beyondSides is what of a subject without a face goes on beyond the frame all the same: of the parts that the left or right side of the
// frame cuts, as it does a field, a wood or a street with cars and seldom who is looked at, what lies near the frame.
func beyondSides(subject mask.Plane) mask.Plane {
	const near = 0.15 // of the picture
	out := cutAside(subject)
	w, h := int(near*float64(subject.W)), int(near*float64(subject.H))
	out.FillRect(image.Rect(w, h, subject.W-w, subject.H-h), 0)
	return out
}

// cutBelow is what of a subject without a face the lower side of the frame may cut off: all that its other sides do not, if it is known well
// what the subject is; without pixels otherwise.
func cutBelow(seg Segmentation, subject mask.Plane) mask.Plane {
	if len(subject.Pix) == 0 || !seg.Exact && seg.Confidence < sure {
		return mask.Plane{}
	}
	out := subject.Clone()
	for i, v := range cutAside(subject).Pix {
		out.Pix[i] &^= v
	}
	return out
}

// cutAside are the parts of a mask that the left or right side of the frame cuts.
func cutAside(subject mask.Plane) mask.Plane {
	const parts = 8 // the largest are looked at
	out := mask.New(subject.W, subject.H)
	list := subject.Listing(parts)
	list.Step(0)
	for _, r := range list.Regions() {
		if !r.Kept || r.Box.Min.X > 0 && r.Box.Max.X < subject.W {
			continue
		}
		for i, v := range subject.RegionAt(r.At).Run().Pix {
			if v >= mask.Level {
				out.Pix[i] = 255
			}
		}
	}
	return out
}
