package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// The mask types (Run API, "Mask and enum semantics"); all but custom are found by segment.
const (
	maskCustom  = "custom"
	maskSubject = "autoSubjectSegment"
	maskApparel = "autoApparelSegment"
	maskUpper   = "autoUpperApparelSegment"
	maskLower   = "autoLowerApparelSegment"
	maskHuman   = "autoHumanSegment"        // everything except the face area
	maskHead    = "inverseAutoHumanSegment" // face and head only
)

// Source returns the picture that the agent works on and that masks belong to: originalImage, or the first of images.
// It is nil without one.
func (r Request) Source() *image.NRGBA {
	if list := r.Pictures(); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Pictures returns the source and all of images after it. The list must not be changed.
func (r Request) Pictures() []*image.NRGBA {
	list := r.Files["images"]
	if r.Original != nil && (len(list) == 0 || list[0] != r.Original) {
		list = append([]*image.NRGBA{r.Original}, list...)
	}
	return list
}

// segmentOriginal finds or takes over the protected region.
func segmentOriginal(ctx context.Context, req Request) (Segmentation, error) {
	way, err := req.wayOf()
	if err != nil {
		return Segmentation{}, err
	}
	src := req.Source()
	if src == nil {
		if way.needs {
			return Segmentation{}, ErrMissingInput
		}
		return Segmentation{}, req.missing(ctx)
	}
	if src.Rect.Empty() {
		return Segmentation{}, fmt.Errorf("%w: the picture has no pixels", ErrInvalid)
	}
	if err := req.missing(ctx); err != nil {
		return Segmentation{}, err
	}
	maskType := req.text("maskType")
	if maskType == "" {
		maskType = way.mask
	}
	var seg Segmentation
	switch maskType {
	case "":
		return Segmentation{}, nil
	case maskCustom:
		seg, err = drawn(ctx, req, src)
	default:
		if seg, err = found(ctx, req, src, maskType); err == nil {
			err = seg.clear(req, maskType)
		}
	}
	if err != nil {
		return Segmentation{}, err
	}
	return seg, seg.prepare(ctx, req, maskType)
}

// painting are the agents that take a painted mask in place of an automatic one (Task API, "Shared mask and execution
// parameters"; Run API, "Original agents as run agents").
var painting = []string{"aimodel", "aiproduct", "removeBG"}

// clear refuses a region that was found with too little confidence, where the caller can paint a better one. Agents
// that take no mask work with what there is. ASSUMED [An unclear automatic mask]: the documents do not say what
// becomes of a photo in which nothing is certain.
func (s Segmentation) clear(req Request, maskType string) error {
	switch {
	case !slices.Contains(painting, req.Agent):
		return nil
	case req.Agent == "aimodel" && maskType == maskHuman && len(s.Faces) == 0:
		return errNoFace
	case !catalog.Sure(s.Confidence):
		return errUnclear
	}
	return nil
}

// prepare readies what the items share beyond the protected region: the fashion model's face, and the photograph of the
// location without whoever stands in it.
func (s *Segmentation) prepare(ctx context.Context, req Request, maskType string) error {
	if list := req.Pictures(); req.Agent == "ai-photoshoot" && len(list) > 1 {
		return s.clearScene(ctx, list[1], req)
	}
	if req.Agent == "aipose" && !s.Subject.Bounds().Empty() {
		_, err := s.asked(req)
		return err
	}
	if req.Agent != "aimodel" && req.Agent != "aiproduct" && req.Agent != "virtualtryon" {
		return nil
	}
	if s.faceChanges(req, maskType) {
		if err := s.takeModels(ctx, req, maskType); err != nil {
			return err
		}
	}
	if req.Agent == "aimodel" && (maskType == maskHead || maskType == maskUpper || maskType == maskLower) && len(s.Faces) > 0 && len(readWish(req.text("textDescription"), req.text("negTextDescription")).colours) > 0 {
		worn, err := analysis.Region(ctx, req.Source(), segment.Apparel, segment.Options{})
		if err != nil {
			return fmt.Errorf("find the clothes: %w", err)
		}
		s.Clothes = worn.Matte
		for i, v := range s.Matte.Pix {
			s.Clothes.Pix[i] = min(s.Clothes.Pix[i], 255-v)
		}
	}
	if req.Agent == "virtualtryon" && req.portrait() != nil && (len(s.Faces) == 0 || s.Exact) {
		var err error
		if s.Wearer, err = wearerOf(ctx, req.portrait(), req.engine()); err != nil {
			return err
		}
	}
	if photo := req.placePhoto(); photo != nil && req.Place == nil && maskType != maskHuman {
		return s.clearScene(ctx, photo, req)
	}
	return nil
}

// takeModels readies the models whose faces are given to the person and finds the head that they change.
func (s *Segmentation) takeModels(ctx context.Context, req Request, maskType string) error {
	if req.portrait() == nil {
		models, err := req.castModels(ctx, req.Source(), *s)
		if err != nil {
			return err
		}
		s.Models = models
	} else {
		m, err := modelOf(ctx, req.portrait(), req.Who, req.engine())
		if err != nil {
			return err
		}
		if m == nil && maskType == maskHuman {
			return errNoModelFace
		}
		if m != nil {
			s.Models = []*Model{m}
		}
	}
	if len(s.Models) == 0 {
		return nil
	}
	return s.findHead(ctx, req, maskType)
}

// faceChanges tells whether another face takes the place of the original's: the fashion model's, or with
// autoHumanSegment, which leaves nothing else to change, that of one of ours. With autoSubjectSegment a fashion model
// has no effect (Task API, "aimodel v1.0"); a head that is protected stays.
func (s *Segmentation) faceChanges(req Request, maskType string) bool {
	if len(s.Faces) == 0 || req.portrait() == nil && (req.Agent != "aimodel" || maskType != maskHuman) {
		return false
	}
	if req.Agent == "virtualtryon" {
		return !s.Exact
	}
	switch maskType {
	case maskSubject, maskHead, "":
		return false
	case maskCustom:
		f := s.Faces[0]
		n, all := 0, 0
		for y := f.Min.Y; y < f.Max.Y; y++ {
			for x := f.Min.X; x < f.Max.X; x++ {
				all++
				if s.Mask.Kept(x, y) {
					n++
				}
			}
		}
		return 4*n < all
	}
	return true
}

// drawn takes the caller's mask as it is.
func drawn(ctx context.Context, req Request, src *image.NRGBA) (Segmentation, error) {
	m := req.CustomMask
	if m == nil {
		return Segmentation{}, fmt.Errorf("%w: maskType custom needs a mask", ErrInvalid)
	}
	if m.W != src.Rect.Dx() || m.H != src.Rect.Dy() {
		return Segmentation{}, fmt.Errorf("%w: the mask is %d × %d and the picture is %d × %d",
			ErrInvalid, m.W, m.H, src.Rect.Dx(), src.Rect.Dy())
	}
	if m.Empty() {
		return Segmentation{}, fmt.Errorf("%w: nothing is painted in the mask", ErrInvalid)
	}
	hard := m.Clone()
	hard.Threshold(mask.Level)
	seg := Segmentation{Mask: hard, Matte: hard, Subject: hard, Exact: true, Confidence: 1}
	if req.Agent == "aimodel" {
		if err := seg.aroundDrawn(ctx, src); err != nil {
			return Segmentation{}, err
		}
		return seg, nil
	}
	seg.Foreground = opaque(src, hard)
	return seg, nil
}

// aroundDrawn finds the person that wears what was painted, so that the garment does not float: whoever the mask lies
// on is shown with it, without being protected.
func (s *Segmentation) aroundDrawn(ctx context.Context, src *image.NRGBA) error {
	r, err := analysis.Subject(ctx, src, segment.Options{})
	if err != nil {
		return fmt.Errorf("find the person in the mask: %w", err)
	}
	on, all := 0, 0
	for i, v := range s.Mask.Pix {
		if v != 0 {
			all++
			if r.Mask.Pix[i] >= mask.Level {
				on++
			}
		}
	}
	s.Foreground = opaque(src, s.Mask)
	if len(r.Faces) == 0 || 2*on < all {
		return nil
	}
	s.Faces = r.Faces
	person := segment.Foreground(src, r.Matte)
	for i, v := range s.Mask.Pix {
		if v != 0 {
			person.Pix[4*i+3] = 255
			copy(person.Pix[4*i:4*i+3], s.Foreground.Pix[4*i:4*i+3])
		}
	}
	s.Foreground = person
	s.Subject = r.Mask.Clone()
	return s.Subject.Combine(s.Mask, mask.Add)
}

// found segments the picture for one of the automatic mask types.
func found(ctx context.Context, req Request, src *image.NRGBA, maskType string) (Segmentation, error) {
	keep := analysis.Keep{
		Kind: segment.Kind(maskType), Product: req.Agent == "aiproduct", Stronger: catalog.Stronger(req.Values), Garment: req.Agent == "virtualtryon",
	}
	how := keep.Options()
	whole, err := analysis.Subject(ctx, src, how)
	if err != nil {
		return Segmentation{}, err
	}
	seg := Segmentation{
		Mask: whole.Mask, Matte: whole.Matte, Subject: whole.Mask,
		Others: whole.Others, Confidence: whole.Confidence, Note: whole.Note, Faces: whole.Faces,
	}
	seg.Foreground = segment.Foreground(src, whole.Matte)
	maskType = string(keep.KindIn(whole))
	if req.Agent == "expandimage" || req.Agent == "aipose" {
		if seg.Passers, err = seg.passers(ctx, src); err != nil {
			return Segmentation{}, err
		}
		if seg.Bodies, err = analysis.Bodies(src); err != nil {
			return Segmentation{}, err
		}
	}
	if maskType == maskSubject {
		return seg, nil
	}
	part, err := analysis.Region(ctx, src, segment.Kind(maskType), how)
	if err != nil {
		return Segmentation{}, err
	}
	seg.Mask, seg.Matte, seg.Confidence, seg.Note = part.Mask, part.Matte, part.Confidence, part.Note
	if maskType == maskHead && len(seg.Faces) == 0 {
		seg.Faces = part.Faces // of somebody beside what the picture was taken for
	}
	if maskType != maskHuman {
		// What is protected belongs to the person even where the two searches disagree.
		seg.Subject = seg.Subject.Clone()
		if err := seg.Subject.Combine(seg.Mask, mask.Add); err != nil {
			return Segmentation{}, err
		}
		seg.include(src, seg.Matte)
	}
	return seg, nil
}

// passers are the places of those who stand or walk behind the subject, too small for their faces to be seen.
func (s Segmentation) passers(ctx context.Context, src *image.NRGBA) ([]image.Rectangle, error) {
	const (
		tallest = 0.6 // of the picture's height: who is taller is the subject, or another one
		mostly  = 0.2 // of a place that the subject takes up when it is the subject's own
	)
	places, err := segment.Standing(ctx, src)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(places, func(r image.Rectangle) bool {
		return float64(r.Dy()) > tallest*float64(src.Rect.Dy()) || coverage(s.Subject, r) > mostly
	}), nil
}

// coverage is the share of a rectangle within a mask that the mask keeps.
func coverage(m mask.Plane, r image.Rectangle) float64 {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, v := range m.Row(y)[r.Min.X:r.Max.X] {
			n += int(v >> 7)
		}
	}
	return float64(n) / math.Max(1, float64(r.Dx()*r.Dy()))
}

// include makes what a matte covers part of the foreground, in colours free of the old background.
func (s *Segmentation) include(src *image.NRGBA, matte mask.Plane) {
	whole := compose.Matte(s.Foreground)
	for i, v := range matte.Pix {
		whole.Pix[i] = max(whole.Pix[i], v)
	}
	flat := segment.Foreground(src, whole)
	for i, v := range matte.Pix {
		p := s.Foreground.Pix[4*i : 4*i+4 : 4*i+4]
		if v > p[3] {
			copy(p, flat.Pix[4*i:4*i+3])
			p[3] = v
		}
	}
}

// opaque is src where hard is painted, and clear elsewhere.
func opaque(src *image.NRGBA, hard mask.Plane) *image.NRGBA {
	out := imaging.Clone(src)
	for i, v := range hard.Pix {
		p := out.Pix[4*i : 4*i+4 : 4*i+4]
		if v == 0 {
			clear(p)
		} else {
			p[3] = 255
		}
	}
	return out
}
