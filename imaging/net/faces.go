package net

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
)

//go:embed weights/face_detection_full_range.tflite
var facesWeights string

var faces shared

// Point is a place in a picture, in pixels.
type Point struct{ X, Y float64 }

// Face is a face that Faces found.
type Face struct {
	// X, Y, W and H are the box from the brows to the chin, in pixels of the picture: its centre and sides.
	X, Y, W, H float64
	// Points are the right eye, left eye, tip of the nose, middle of the mouth, right and left ear; right is the
	// person's own.
	Points [6]Point
	Score  float64 // 0 to 1
}

// The points of a Face.
const (
	RightEye = iota
	LeftEye
	NoseTip
	Mouth
	RightEar
	LeftEar
)

// How the detector's answers are read: mediapipe/modules/face_detection/face_detection.pbtxt and
// face_detection_full_range.pbtxt.
const (
	faceInput   = 192
	faceCells   = 48  // a side; each cell has one anchor of the size of the picture
	faceValues  = 16  // a cell: centre, sides, six points
	faceScore   = 0.6 // the least
	faceOverlap = 0.3 // from which two boxes are the same face
	faceLogit   = 100 // beyond which logits are cut off
)

// Faces finds the faces in a region of a picture, the surest first. The network is BlazeFace, full range (Bazarevsky
// et al., BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs, 2019); it finds faces from a tenth of the
// region's longer side on.
func Faces(p Picture, r Region) []Face {
	run := faces.runner(facesWeights)
	defer faces.put(run)
	r = r.Square()
	p.sample(run.Input(0), faceInput, faceInput, r, -1, 1)
	run.Run()
	boxes, scores := run.Output(0), run.Output(1)
	var found []Face
	for i, logit := range scores {
		score := float64(sigmoidOf(min(max(logit, -faceLogit), faceLogit)))
		if score < faceScore {
			continue
		}
		found = append(found, readFace(boxes[i*faceValues:][:faceValues], i, r, score))
	}
	return mergeFaces(found)
}

// readFace turns the values of a cell, in pixels of the input from the cell's centre, into a face of the picture.
func readFace(values []float32, cell int, r Region, score float64) Face {
	x, y := (float64(cell%faceCells)+0.5)/faceCells, (float64(cell/faceCells)+0.5)/faceCells
	at := func(i int) (float64, float64) {
		return r.At(x+float64(values[i])/faceInput, y+float64(values[i+1])/faceInput)
	}
	f := Face{W: float64(values[2]) / faceInput * r.W, H: float64(values[3]) / faceInput * r.H, Score: score}
	f.X, f.Y = at(0)
	for i := range f.Points {
		f.Points[i].X, f.Points[i].Y = at(4 + 2*i)
	}
	return f
}

// mergeFaces replaces boxes of the same face by their mean, weighted by score (Bazarevsky et al., section 3.4).
func mergeFaces(found []Face) []Face {
	slices.SortStableFunc(found, func(a, b Face) int { return cmp.Compare(b.Score, a.Score) })
	var out []Face
	for len(found) > 0 {
		best := found[0]
		var sum Face
		total := 0.0
		found = slices.DeleteFunc(found, func(f Face) bool {
			if f != best && !best.Overlaps(f) {
				return false
			}
			sum.X, sum.Y, sum.W, sum.H = sum.X+f.Score*f.X, sum.Y+f.Score*f.Y, sum.W+f.Score*f.W, sum.H+f.Score*f.H
			for i, p := range f.Points {
				sum.Points[i].X += f.Score * p.X
				sum.Points[i].Y += f.Score * p.Y
			}
			total += f.Score
			return true
		})
		merged := Face{X: sum.X / total, Y: sum.Y / total, W: sum.W / total, H: sum.H / total, Score: best.Score}
		for i, p := range sum.Points {
			merged.Points[i] = Point{p.X / total, p.Y / total}
		}
		out = append(out, merged)
	}
	return out
}

// Overlaps reports whether two boxes are of the same face.
func (f Face) Overlaps(o Face) bool { return overlap(f, o) >= faceOverlap }

// overlap is the intersection over union of two boxes.
func overlap(a, b Face) float64 {
	w := min(a.X+a.W/2, b.X+b.W/2) - max(a.X-a.W/2, b.X-b.W/2)
	h := min(a.Y+a.H/2, b.Y+b.H/2) - max(a.Y-a.H/2, b.Y-b.H/2)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / (a.W*a.H + b.W*b.H - w*h)
}

// region is the square around the face that its landmarks are looked for in, upright by the eyes
// (mediapipe/modules/face_landmark/face_detection_front_detection_to_roi.pbtxt).
func (f Face) region() Region {
	const margin = 1.5
	right, left := f.Points[RightEye], f.Points[LeftEye]
	slant := math.Atan2(left.Y-right.Y, left.X-right.X)
	return Region{X: f.X, Y: f.Y, W: f.W, H: f.H, Angle: slant}.Square().Scaled(margin)
}
