package render

import (
	"image"
	"math"
	"math/rand/v2"

	"atelier/imaging/compose"
)

// variation is what makes one item differ from the others: how the scene is framed, lit and focused, and how shadows
// fall. The first item is the plain one.
type variation struct {
	framing compose.Framing
	light   float64 // Lab steps
	warmth  float64
	shadow  float64 // strength
	length  float64 // of the cast shadow, 1 what the light makes it
	depth   float64 // how far what lies behind is out of focus, as a share of the picture's short side
	item    int
	random  *rand.Rand
}

// tones are light and warmth of the items, in Lab steps. The first is as it is, the first four are far apart, and so are
// those four apart, which share whatever an agent has four of; no two of sixteen are alike.
var tones = [16]struct{ light, warmth float64 }{
	{0, 0},
	{-4.6, 3},
	{1.5, -3},
	{4.6, 1},
	{-1.8, 1.2},
	{-4.6, -3},
	{2, -1.2},
	{4.6, 3},
	{-1.5, 3},
	{-4.6, -1},
	{2, 1.2},
	{4.6, -3},
	{-1.5, -3},
	{-4.6, 1},
	{1.5, 3},
	{4.6, -1},
}

// grade gives a picture that shows the same in all items, in place, the item's light: less of it than scenes get.
func (v variation) grade(img *image.NRGBA) {
	if v.light != 0 || v.warmth != 0 {
		compose.Grade(img, 0.4*v.light, 0.7*v.warmth, 1)
	}
}

// vary is the variation of the request's item.
func (r Request) vary() variation {
	random := rand.New(rand.NewPCG(uint64(r.Seed), uint64(r.Item)+0x9e3779b97f4a7c15))
	v := variation{framing: compose.Centred, shadow: 0.62, length: 1, depth: 0.003, item: r.Item, random: random}
	if r.Item > 0 {
		_, turn := math.Modf(float64(r.Item) * 0.618034)
		v.framing = compose.Framing{X: turn, Y: random.Float64(), Zoom: 1.02 + 0.3*random.Float64(), Flip: r.Item%2 == 1}
		tone := tones[r.Item%len(tones)]
		v.light, v.warmth = tone.light, tone.warmth+0.4*(random.Float64()-0.5)
		v.shadow = 0.5 + 0.25*random.Float64()
		v.length = 0.7 + 0.6*random.Float64()
		v.depth = [4]float64{0.003, 0, 0.008, 0.014}[r.Item%4]
	}
	if r.unwanted("shadow", "shadows") {
		v.shadow = 0
	}
	return v
}

// seed is a seed of its own for each item.
func (r Request) seed() int64 {
	return r.Seed ^ int64(r.Item+1)*0x5851f42d4c957f2d
}

// progress tells the fraction done, if anybody listens.
func (r Request) progress(f float64) {
	if r.Progress != nil {
		r.Progress(f)
	}
}

// part is a listener for a part of the work, from one fraction to another.
func (r Request) part(from, to float64) func(float64) {
	return func(f float64) { r.progress(from + f*(to-from)) }
}
