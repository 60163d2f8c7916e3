package segment

import "image"

// Faces finds the faces of a picture's people, largest first, and nothing else: what a film is followed by, frame after
// frame. The only errors are a picture without pixels and a broken detector.
func Faces(img *image.NRGBA) ([]Rect, error) {
	s, err := met(img)
	if err != nil {
		return nil, err
	}
	return s.rects(), nil
}

// Heads finds where the heads of a picture's people are: their faces, largest first, then about where those have theirs who
// stand and show none, as far as there is hardly a doubt that they are there. Errors are those of Faces.
func Heads(img *image.NRGBA) ([]Rect, error) {
	s, err := met(img)
	if err != nil {
		return nil, err
	}
	var out []Rect
	for _, f := range s.people {
		if f.sure() {
			out = append(out, f.rect(s.zoom, img.Bounds()))
		}
	}
	return out, nil
}

// met is a picture whose people have been found, and nothing else.
func met(img *image.NRGBA) (*scene, error) {
	b := img.Bounds()
	if b.Empty() {
		return nil, errEmpty
	}
	s := &scene{img: img, opt: Options{}.WithDefaults()}
	c := s.coarse()
	s.zoom = float64(b.Dx()) / float64(c.w)
	return s, s.meet(c)
}
