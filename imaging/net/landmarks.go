package net

import (
	_ "embed"
)

//go:embed weights/face_landmark.tflite
var landmarkWeights string

var landmarkNet shared

// LandmarkCount is how many points of a face there are: those of the MediaPipe face mesh, whose numbers its map of
// canonical faces shows (mediapipe/modules/face_geometry/data/canonical_face_model_uv_visualization.png).
const LandmarkCount = 468

const landmarkInput = 192

// Landmarks are the points of a face.
type Landmarks struct {
	Points   [LandmarkCount]Point
	Presence float64 // 0 to 1: the chance that there is a face at all
}

// The landmarks of eyes and mouth: the corners, outer first, and the middles of the lips where they meet.
var (
	rightEyeCorners = [2]int{33, 133}
	leftEyeCorners  = [2]int{263, 362}
	lips            = [2]int{13, 14}
)

// faceOval are the landmarks along the edge of the face, from the middle of the hairline round to it
// (FACEMESH_FACE_OVAL of the MediaPipe face mesh).
var faceOval = [...]int{
	10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
	152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
}

// Oval returns the edge of the face: hairline, cheeks and chin.
func (l *Landmarks) Oval() []Point {
	out := make([]Point, len(faceOval))
	for i, n := range faceOval {
		out[i] = l.Points[n]
	}
	return out
}

// Eyes returns the middles of the right and the left eye; right is the person's own.
func (l *Landmarks) Eyes() (right, left Point) {
	return l.between(rightEyeCorners), l.between(leftEyeCorners)
}

// Mouth returns where the lips meet.
func (l *Landmarks) Mouth() Point { return l.between(lips) }

func (l *Landmarks) between(pair [2]int) Point {
	a, b := l.Points[pair[0]], l.Points[pair[1]]
	return Point{(a.X + b.X) / 2, (a.Y + b.Y) / 2}
}

// LandmarksOf returns the points of a face that Faces found.
func LandmarksOf(p Picture, f Face) Landmarks { return LandmarksIn(p, f.region()) }

// LandmarksIn returns the points of the face in a square that is half as wide again as the face and as slanted as its
// eyes (Kartynnik et al., Real-time Facial Surface Geometry from Monocular Video on Mobile GPUs, 2019).
func LandmarksIn(p Picture, r Region) Landmarks {
	run := landmarkNet.runner(landmarkWeights)
	defer landmarkNet.put(run)
	r = r.Square()
	p.sample(run.Input(0), landmarkInput, landmarkInput, r, 0, 1)
	run.Run()
	out := Landmarks{Presence: float64(sigmoidOf(run.Output(1)[0]))}
	values := run.Output(0) // across, down and depth of each point, in pixels of the input
	for i := range out.Points {
		x, y := r.At(float64(values[3*i])/landmarkInput, float64(values[3*i+1])/landmarkInput)
		out.Points[i] = Point{x, y}
	}
	return out
}
