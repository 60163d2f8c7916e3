package testpics

import (
	"bytes"
	_ "embed"
	"image"
	"image/draw"
	"image/jpeg"
)

// astronaut is a portrait of Eileen Collins by NASA, in the public domain, 512 × 512; SHA-256
// 3556d43201f99348d34edb234940ab5a85a04a8e911e263b95e0c914046afc07.
//
//go:embed testdata/astronaut.jpg
var astronaut []byte

// Astronaut returns a photograph of a person, from the hips up before a flag and a model of a rocket: for networks
// that drawings say little about. Her eyes are at (204, 102) and (247, 104), her mouth at (223, 146).
func Astronaut() *image.NRGBA {
	img, err := jpeg.Decode(bytes.NewReader(astronaut))
	must(err)
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}
