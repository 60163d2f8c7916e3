package segment

import "image"

// Faces finds the faces of a picture's people, largest first, and nothing else: what a film is followed by, frame after
// frame. The only errors are a picture without pixels and a broken detector.
func Faces(img *image.NRGBA) ([]Rect, error) {
	b := img.Bounds()
	if b.Empty() {
		return nil, errEmpty
	}
	s := &scene{img: img, opt: Options{}.defaults()}
	c := reduce(img, s.opt.Coarse)
	s.zoom = float64(b.Dx()) / float64(c.w)
	if err := s.meet(c); err != nil {
		return nil, err
	}
	return s.rects(), nil
}
