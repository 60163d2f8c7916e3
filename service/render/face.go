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

// changeFace blends the face of the request's portrait over the largest face of out, in place, a little lighter or
// darker from item to item. When either has no face that can be found, out stays as it is.
func changeFace(ctx context.Context, out *image.NRGBA, req Request, seg Segmentation) error {
	from := req.portrait()
	if from == nil || len(seg.Faces) == 0 {
		return nil
	}
	if from.Rect.Dx() > 1200 || from.Rect.Dy() > 1200 {
		k := 1200 / float64(max(from.Rect.Dx(), from.Rect.Dy()))
		from = imaging.Resize(from, int(k*float64(from.Rect.Dx())), int(k*float64(from.Rect.Dy())))
	}
	found, err := segment.Subject(ctx, from, segment.Options{Hard: true})
	if err != nil {
		return err
	}
	if len(found.Faces) == 0 {
		return nil
	}
	to := seg.Faces[0]
	face := imaging.Resize(compose.Window(from, found.Faces[0]), to.Dx(), to.Dy())
	if v := req.vary(); v.light != 0 {
		compose.Grade(face, 0.5*v.light, v.warmth, 1)
	}
	blendFace(out, face, to.Min)
	return nil
}

// The inner face is an ellipse in the square a face is found in: full up to fullFace of its radius, gone at 1.
const fullFace = 0.72

// reachOf is how far out pixel (x, y) of a face's square lies, 1 on the ellipse.
func reachOf(x, y, w, h int) float64 {
	dx := (float64(x)+0.5)/float64(w) - 0.5
	dy := (float64(y)+0.5)/float64(h) - 0.52
	return math.Sqrt(dx*dx/(0.37*0.37) + dy*dy/(0.47*0.47))
}

// blendFace lays the inner face over out with its top left corner at p: in the old skin's tone, and tuned along its
// outline to what is there, so that no border shows. What the old face had inside, such as glasses, leaves no trace.
func blendFace(out, face *image.NRGBA, p image.Point) {
	w, h := face.Rect.Dx(), face.Rect.Dy()
	under := compose.Window(out, face.Rect.Add(p))
	skin := mask.New(w, h)
	for y := range h {
		for x := range w {
			// Below the eyes, where neither glasses nor a fringe hide the skin.
			if r := reachOf(x, y, w, h); r < 0.95 && y > h*11/20 {
				skin.Set(x, y, 255)
			}
		}
	}
	from, to := compose.Measure(face, &skin), compose.Measure(under, &skin)
	to.Std = from.Std
	compose.Harmonise(face, from, to, 0.8, nil)
	tune := outline(face, under, w, h)
	for y := range h {
		for x := range w {
			r := reachOf(x, y, w, h)
			cover := 1 - smooth((r-fullFace)/(1-fullFace))
			at := image.Pt(p.X+x, p.Y+y)
			if cover <= 0 || !at.In(out.Rect) {
				continue
			}
			i, j := face.PixOffset(x, y), out.PixOffset(at.X, at.Y)
			take := 0.25 + 0.75*smooth(r)
			for k := range 3 {
				v := float64(face.Pix[i+k]) + take*tune[3*(y*w+x)+k]
				v = float64(out.Pix[j+k])*(1-cover) + v*cover
				out.Pix[j+k] = uint8(math.Max(0, math.Min(255, v+0.5)))
			}
		}
	}
}

// outline is the difference of two faces along the ellipse, carried smoothly inward: for each pixel the mean over
// sectors of the outline, the nearer the more. Differences of hair and background are too large to count in full.
func outline(face, under *image.NRGBA, w, h int) []float64 {
	const sectors = 24
	var diff [sectors][3]float64
	var count [sectors]float64
	for y := range h {
		for x := range w {
			if r := reachOf(x, y, w, h); r < fullFace || r > 1 {
				continue
			}
			i := face.PixOffset(x, y)
			if under.Pix[i+3] < 255 {
				continue
			}
			n := int((math.Atan2(float64(y)-0.52*float64(h), float64(x)-0.5*float64(w)) + math.Pi) / (2 * math.Pi) * sectors)
			n = min(sectors-1, max(0, n))
			count[n]++
			for k := range 3 {
				diff[n][k] += float64(under.Pix[i+k]) - float64(face.Pix[i+k])
			}
		}
	}
	var at [sectors][2]float64
	for n := range sectors {
		sin, cos := math.Sincos((float64(n)+0.5)/sectors*2*math.Pi - math.Pi)
		at[n] = [2]float64{0.5 + 0.32*cos, 0.52 + 0.40*sin}
		for k := range 3 {
			diff[n][k] = math.Max(-40, math.Min(40, diff[n][k]/math.Max(1, count[n])))
		}
	}
	out := make([]float64, 3*w*h)
	parallelRows(h, func(y int) {
		for x := range w {
			var total float64
			var sum [3]float64
			for n := range sectors {
				if count[n] == 0 {
					continue
				}
				dx, dy := (float64(x)+0.5)/float64(w)-at[n][0], (float64(y)+0.5)/float64(h)-at[n][1]
				part := 1 / (dx*dx + dy*dy + 0.004)
				total += part
				for k := range 3 {
					sum[k] += part * diff[n][k]
				}
			}
			if total > 0 {
				for k := range 3 {
					out[3*(y*w+x)+k] = sum[k] / total
				}
			}
		}
	})
	return out
}
