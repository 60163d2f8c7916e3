package render

import (
	"image"
	"math"
)

// portrait is the picture the face comes from: the preset fashion model, or the one given with the request.
func (r Request) portrait() *image.NRGBA {
	if r.FashionModel != nil {
		return r.FashionModel
	}
	if list := r.Files["fashionModelImage"]; len(list) > 0 {
		return list[0]
	}
	return nil
}

// reachOf is how far out pixel (x, y) of a face's square lies, 1 on the ellipse.
func reachOf(x, y, w, h int) float64 {
	dx := (float64(x)+0.5)/float64(w) - 0.5
	dy := (float64(y)+0.5)/float64(h) - 0.52
	return math.Sqrt(dx*dx/(0.37*0.37) + dy*dy/(0.47*0.47))
}
