package compose

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

func TestASceneBecomesAsGrainyAsThePhotoSetIntoIt(t *testing.T) {
	t.Parallel()
	slope := func(noise float64) *image.NRGBA {
		r := rand.New(rand.NewPCG(3, 4))
		img := image.NewNRGBA(image.Rect(0, 0, 240, 200))
		for y := range 200 {
			for x := range 240 {
				v := uint8(60 + float64(x)/3 + noise*r.NormFloat64())
				img.SetNRGBA(x, y, color.NRGBA{v, v, v, 255})
			}
		}
		return img
	}
	for _, noise := range []float64{2, 5} {
		photo, scene := slope(noise), slope(0.1)
		found := GrainOf(photo)
		if math.Abs(found-noise) > 0.3*noise {
			t.Errorf("grain of %.0f levels is measured as %.1f", noise, found)
		}
		Grain(scene, found, 7)
		if got := GrainOf(scene); math.Abs(got-found) > 0.25*found {
			t.Errorf("the scene has grain of %.1f levels, the photo of %.1f", got, found)
		}
		was := string(photo.Pix)
		Grain(photo, found, 7)
		if string(photo.Pix) != was {
			t.Error("a picture that is grainy already got more")
		}
	}
}
