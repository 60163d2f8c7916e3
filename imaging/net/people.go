package net

import (
	_ "embed"
	"math"
)

//go:embed weights/selfie_segmentation.tflite
var peopleWeights string

var people shared

// PeopleSize is the width and height of the answer of People.
const PeopleSize = 256

// People looks for people in a region of a picture and returns for each point of a grid of PeopleSize × PeopleSize
// over the region, row by row, the chance (0 to 1) that a person is seen there. The network is the general model of
// MediaPipe Selfie Segmentation, trained on one or few people within some metres; it sees the region stretched to a
// square.
func People(p Picture, r Region) []float32 {
	run := people.runner(peopleWeights)
	defer people.put(run)
	p.sample(run.Input(0), PeopleSize, PeopleSize, r, 0, 1)
	run.Run()
	return append([]float32(nil), run.Output(0)...)
}

// sigmoidOf returns the chance of a logit.
func sigmoidOf(v float32) float32 { return float32(1 / (1 + math.Exp(-float64(v)))) }
