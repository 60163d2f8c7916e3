package render

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/net"
)

// features are where eyes and mouth lie in a picture, told from the square a face was found in.
type features struct {
	left, right, mouth spot // the eyes by the viewer's sides
}

// featuresOf finds eyes and mouth by the landmarks of a face. Where the network finds none, as in some drawings,
// colours decide.
func featuresOf(img *image.NRGBA, face image.Rectangle) features {
	const (
		least = 0.5  // presence of a face
		wider = 1.35 // than the square from brows to chin, for the square that landmarks are looked for in
		looks = 3    // each as slanted as the one before found the eyes
		seen  = 512  // side of the copy that is looked at: the network takes 192 pixels of it
	)
	if face.Dx() < 16 || face.Dy() < 16 || !face.Overlaps(img.Rect) {
		return byColour(img, face)
	}
	around := face.Inset(-2 * face.Dx() / 5) // room for the square when it is slanted
	p := net.PictureOf(imaging.FitPixels(compose.Window(img, around), seen*seen))
	k := float64(p.W) / float64(around.Dx())
	r := net.Region{
		X: float64(p.W) / 2, Y: float64(p.H) / 2, W: wider * k * float64(face.Dx()), H: wider * k * float64(face.Dy()),
	}
	back := func(p net.Point) spot { return spot{p.X/k + float64(around.Min.X), p.Y/k + float64(around.Min.Y)} }
	var f features
	for range looks {
		marks := net.LandmarksIn(p, r)
		if marks.Presence < least {
			return byColour(img, face)
		}
		right, left := marks.Eyes()
		f = features{left: back(right), right: back(left), mouth: back(marks.Mouth())}
		r.Angle = math.Atan2(left.Y-right.Y, left.X-right.X)
	}
	return f
}

// byColour takes the darkest places for the eyes and the reddest for the mouth, where a face has them.
func byColour(img *image.NRGBA, face image.Rectangle) features {
	w, h := float64(face.Dx()), float64(face.Dy())
	find := func(x0, y0, x1, y1 float64, weight func(p []uint8) float64) spot {
		cx, cy := float64(face.Min.X)+(x0+x1)/2*w, float64(face.Min.Y)+(y0+y1)/2*h
		var sx, sy, total float64
		for y := float64(face.Min.Y) + y0*h; y < float64(face.Min.Y)+y1*h; y++ {
			for x := float64(face.Min.X) + x0*w; x < float64(face.Min.X)+x1*w; x++ {
				if !image.Pt(int(x), int(y)).In(img.Rect) {
					continue
				}
				dx, dy := (x-cx)/((x1-x0)*w/2), (y-cy)/((y1-y0)*h/2)
				v := weight(img.Pix[img.PixOffset(int(x), int(y)):]) * math.Max(0, 1.2-dx*dx-dy*dy)
				sx, sy, total = sx+v*x, sy+v*y, total+v
			}
		}
		if total < 1e-9 {
			return spot{cx, cy}
		}
		return spot{sx / total, sy / total}
	}
	dark := func(p []uint8) float64 { return math.Pow(1-lightOf(p)/255, 8) }
	red := func(p []uint8) float64 {
		lab := compose.Lab(p[0], p[1], p[2])
		return math.Pow(math.Max(0, lab[1]), 3)
	}
	return features{
		left: find(0.14, 0.27, 0.46, 0.52, dark), right: find(0.54, 0.27, 0.86, 0.52, dark),
		mouth: find(0.28, 0.66, 0.72, 0.94, red),
	}
}

// span is the distance between the eyes.
func (f features) span() float64 { return math.Hypot(f.right.x-f.left.x, f.right.y-f.left.y) }

// at is the place across and below the middle of the eyes, in spans, along the face's own directions.
func (f features) at(across, below float64) spot {
	s := math.Max(1, f.span())
	ux, uy := (f.right.x-f.left.x)/s, (f.right.y-f.left.y)/s
	return spot{
		(f.left.x+f.right.x)/2 + s*(across*ux-below*uy),
		(f.left.y+f.right.y)/2 + s*(across*uy+below*ux),
	}
}

// below is how far a place lies across and below the middle of the eyes, in spans: what at takes.
func (f features) below(p spot) spot {
	s := math.Max(1, f.span())
	ux, uy := (f.right.x-f.left.x)/s, (f.right.y-f.left.y)/s
	dx, dy := p.x-(f.left.x+f.right.x)/2, p.y-(f.left.y+f.right.y)/2
	return spot{(dx*ux + dy*uy) / s, (dy*ux - dx*uy) / s}
}
