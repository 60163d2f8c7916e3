package service

import (
	"image"
	"math"

	"atelier/imaging"
	"atelier/imaging/segment"
)

// frontality judges how well a photo shows the face of a fashion model: 0 without a face, else the more the larger the
// face is, as a share of the photo's short side, and the more its two halves are alike, as they are when it looks at the
// camera and is level.
func frontality(img *image.NRGBA) (float64, error) {
	small := imaging.Fit(img, 640, 640)
	faces, err := segment.Faces(small)
	if err != nil {
		return 0, err
	}
	if len(faces) == 0 {
		return 0, nil
	}
	f := faces[0]
	face := imaging.Resize(imaging.Crop(small, f), 48, 48)
	// Correlation of the left half with the right one, seen in a mirror; light from one side does not matter.
	var sumA, sumB, sumAA, sumBB, sumAB, n float64
	for y := 6; y < 46; y++ {
		for x := 4; x < 24; x++ {
			light := func(x int) float64 {
				p := face.Pix[face.PixOffset(x, y):]
				return 0.3*float64(p[0]) + 0.6*float64(p[1]) + 0.1*float64(p[2])
			}
			a, b := light(x), light(47-x)
			sumA, sumB, sumAA, sumBB, sumAB, n = sumA+a, sumB+b, sumAA+a*a, sumBB+b*b, sumAB+a*b, n+1
		}
	}
	alike := 0.0
	if va, vb := sumAA-sumA*sumA/n, sumBB-sumB*sumB/n; va > 0 && vb > 0 {
		alike = math.Max(0, (sumAB-sumA*sumB/n)/math.Sqrt(va*vb))
	}
	size := float64(f.Dx()) / float64(min(small.Rect.Dx(), small.Rect.Dy()))
	return math.Sqrt(math.Min(size, 0.5)) * (0.25 + alike), nil
}
