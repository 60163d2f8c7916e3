package smartselect

import "math"

// side is the number of bins per channel of a colour count.
const binSide = 32

// palette counts colours, smoothed over their neighbours so that a colour that was hardly seen borrows from those like it.
type palette struct {
	bins  []float32 // binSide³, blue first
	total float32
}

func newPalette() *palette { return &palette{bins: make([]float32, binSide*binSide*binSide)} }

// bin is the number of a colour's bin; p starts with R, G, B.
func bin(p []uint8) int { return int(p[0])>>3<<10 | int(p[1])>>3<<5 | int(p[2])>>3 }

func (c *palette) add(p []uint8, weight float32) {
	c.bins[bin(p)] += weight
	c.total += weight
}

// smooth spreads every count over the bins around it.
func (c *palette) smooth() {
	scratch := make([]float32, len(c.bins))
	for _, step := range [3]int{1, binSide, binSide * binSide} {
		for range 2 {
			for i, v := range c.bins {
				at := i / step % binSide
				before, after := v, v
				if at > 0 {
					before = c.bins[i-step]
				}
				if at < binSide-1 {
					after = c.bins[i+step]
				}
				scratch[i] = (before + 2*v + after) / 4
			}
			c.bins, scratch = scratch, c.bins
		}
	}
}

// model says for every colour how much speaks for keeping it: positive keeps, negative drops, within ±surest.
type model []float32

// surest is how much a colour alone can say.
const surest = 5

// newModel compares two counts. Without anything kept, or anything dropped, no colour says anything.
func newModel(kept, dropped *palette) model {
	m := make(model, binSide*binSide*binSide)
	if kept.total <= 0 || dropped.total <= 0 {
		return m
	}
	kept.smooth()
	dropped.smooth()
	// A colour seen on neither side says nothing; the floor is what a handful of pixels would count.
	const floor = 2e-5
	for i := range m {
		a, b := float64(kept.bins[i]/kept.total+floor), float64(dropped.bins[i]/dropped.total+floor)
		m[i] = float32(min(max(math.Log(a/b), -surest), surest))
	}
	return m
}
