package segment

import (
	"image"
	"math"
)

// backdrop is a plain background, as of a studio: what hangs together with the frame in small steps of colour, with the light and the soft
// shadows on it. It tells of each pixel, in the unit of scores, what speaks for something before it (above 0) or for the backdrop itself.
type backdrop struct {
	reached []uint8
	step    []float32 // see steps
	speaks  []float32
	gaps    []piece // as the backdrop, but enclosed
}

// How a plain background is told.
const (
	plainShare = 0.9 // of the frame, without its lower side, that is backdrop
	plainArea  = 0.3 // of the picture
	plainPiece = 0.1 // of that frame: a smaller piece may be a sleeve at the picture's edge
	usualSteps = 3   // of these on the frame make a step too large
	leastStep  = 3.5 // levels
	mostStep   = 7
	narrow     = 1.9 // half of a gap in an outline, in pixels
)

// How what is not reached is told.
const (
	softSteps  = 2.5  // of the largest step of the backdrop, within a shadow
	clearlyOff = 14   // levels of colour that shade does not explain
	darkest    = 0.45 // of the backdrop's light, for a shadow on it
	asBright   = 1.04 // of that light, for a gap
	brightest  = 1.15
	opening    = 0.08 // of a shadow's outline, where it lies at the backdrop
	outlined   = 0.2  // of the outline of something as light as the backdrop, where only a line divides them
	thinLine   = 5    // pixels
)

// What speaks for each, in the unit of scores. Chosen on photographs of people before studio walls, white clothes among them; results change little
// within ±20 %.
const (
	plainFor   = 20.0 // a colour that the backdrop does not have
	plainWhite = 16.0 // as light as the backdrop, within a thin outline
	plainLit   = 11.0 // brighter than the backdrop is there
	plainShade = -4.0
	plainLike  = -10.0
)

// backdropOf finds the plain background of a canvas. It is false where there is none.
func backdropOf(c *canvas) (backdrop, bool) {
	step := c.steps()
	frame := c.frame()
	usual := make([]float32, len(frame))
	for n, i := range frame {
		usual[n] = step[i]
	}
	limit := min(max(usualSteps*quantile(usual, 0.5), leastStep), mostStep)
	calm := make([]uint8, c.w*c.h)
	for i, v := range step {
		if v < limit {
			calm[i] = 1
		}
	}
	// What is reached through a gap in an outline is not the backdrop.
	wide := dilate(calm, c.w, c.h, -narrow)
	onFrame := make([]bool, c.w*c.h)
	for _, i := range frame {
		onFrame[i] = true
	}
	b := backdrop{reached: make([]uint8, c.w*c.h), step: step}
	for _, p := range pieces(wide, c.w, c.h) {
		at := 0
		for _, i := range p.pixels {
			if onFrame[i] {
				at++
			}
		}
		if p.label == 1 && float64(at) >= plainPiece*float64(len(frame)) {
			paint(b.reached, p, 1)
		}
	}
	b.reached = dilate(b.reached, c.w, c.h, narrow)
	for i, v := range calm {
		b.reached[i] &= v
	}
	along, area := 0, 0
	for i, v := range b.reached {
		area += int(v)
		if onFrame[i] {
			along += int(v)
		}
	}
	if float64(along) < plainShare*float64(len(frame)) || float64(area) < plainArea*float64(c.w*c.h) {
		return backdrop{}, false
	}
	b.weigh(c, softSteps*limit)
	return b, true
}

// frame are the pixels along the left, upper and right side of the canvas; along the lower one stands what the picture is about.
func (c *canvas) frame() []int {
	const in = 2
	var out []int
	for y := in; y < c.h-in; y++ {
		out = append(out, y*c.w+in, y*c.w+max(c.w-1-in, 0))
	}
	for x := in; x < c.w-in; x++ {
		out = append(out, min(in, c.h-1)*c.w+x)
	}
	return out
}

// steps is for each pixel the largest difference of a channel across it, in levels.
func (c *canvas) steps() []float32 {
	out := make([]float32, c.w*c.h)
	spread(c.h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range c.w {
				l, r := 3*(y*c.w+max(x-1, 0)), 3*(y*c.w+min(x+1, c.w-1))
				u, d := 3*(max(y-1, 0)*c.w+x), 3*(min(y+1, c.h-1)*c.w+x)
				for k := range 3 {
					out[y*c.w+x] = max(out[y*c.w+x], abs(c.pix[l+k]-c.pix[r+k]), abs(c.pix[u+k]-c.pix[d+k]))
				}
			}
		}
	})
	return out
}

// weigh says for each pixel what the backdrop makes of it: a colour that it has in no light is something before it, what was reached is
// the backdrop, and what goes over into its shade without a step is more likely that than something as grey.
func (b *backdrop) weigh(c *canvas, soft float32) {
	colour, luma := c.behind(b.reached), c.gray()
	var seen []float32
	for i, v := range b.reached {
		if v == 1 {
			seen = append(seen, luma[i])
		}
	}
	most := quantile(seen, 0.95)
	b.speaks = make([]float32, len(b.reached))
	shade, bright := make([]uint8, len(b.reached)), make([]uint8, len(b.reached))
	for i, v := range b.reached {
		if v == 1 {
			b.speaks[i] = plainLike
			continue
		}
		lit, off := litBy(c.pix[3*i:3*i+3], colour[3*i:3*i+3])
		switch {
		case off > clearlyOff || lit < darkest || lit > brightest && luma[i] > most:
			b.speaks[i] = plainFor
		case b.step[i] >= soft:
		case lit < asBright:
			shade[i] = 1
		default:
			bright[i] = 1
		}
	}
	b.sort(c, shade, plainShade)
	b.sort(c, bright, 0)
}

// sort tells what is as grey as the backdrop without being reached: its shade goes over into it (what over says speaks for that), something as
// light before it has an outline that is thin, and what lies behind an arm or between legs is far from it.
func (b *backdrop) sort(c *canvas, alike []uint8, over float32) {
	beyond := gaps(b.reached, c.w, c.h, thinLine+1)
	whole := dilate(dilate(alike, c.w, c.h, -1), c.w, c.h, 1.4)
	for i, v := range alike {
		whole[i] &= v
	}
	for _, p := range pieces(whole, c.w, c.h) {
		if p.label == 0 {
			continue
		}
		rim, open, near := 0.0, 0.0, 0.0
		for _, i := range p.pixels {
			x, y := int(i)%c.w, int(i)/c.w
			outer := false
			for _, n := range [4]image.Point{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				outer = outer || n.X < 0 || n.Y < 0 || n.X >= c.w || n.Y >= c.h || whole[n.Y*c.w+n.X] == 0
			}
			switch {
			case !outer:
				continue
			case beyond[i] < 1.5:
				open++
			case beyond[i] <= thinLine:
				near++
			}
			rim++
		}
		var speaks float32
		switch {
		case open >= opening*rim:
			speaks = over
		case near >= outlined*rim:
			speaks = plainWhite
		case over == 0:
			speaks = plainLit
		default:
			b.gaps = append(b.gaps, p)
			continue
		}
		for _, i := range p.pixels {
			b.speaks[i] = speaks
		}
	}
}

// litBy is how much of a colour's light would make another of it, and how far off that still is, in levels.
func litBy(pixel, colour []float32) (lit, off float64) {
	dot, square := 0.0, 1e-6
	for k := range 3 {
		dot += float64(pixel[k]) * float64(colour[k])
		square += float64(colour[k]) * float64(colour[k])
	}
	lit = dot / square
	for k := range 3 {
		d := float64(pixel[k]) - lit*float64(colour[k])
		off += d * d
	}
	return lit, math.Sqrt(off)
}

// behind is the colour that a background has at each pixel, three a pixel: its own where it shows, and what is near where it does not.
func (c *canvas) behind(shows []uint8) []float32 {
	n := c.w * c.h
	weight := make([]float32, n)
	for i, v := range shows {
		weight[i] = float32(v)
	}
	out := make([]float32, 3*n)
	field := make([]float32, n)
	for _, r := range [3]int{max(c.w, c.h), max(c.w, c.h) / 8, max(c.w, c.h) / 25} {
		total := boxBlur(weight, c.w, c.h, r)
		for k := range 3 {
			for i, v := range weight {
				field[i] = c.pix[3*i+k] * v
			}
			for i, v := range boxBlur(field, c.w, c.h, r) {
				const little = 0.02
				out[3*i+k] = (v + little*out[3*i+k]) / (total[i] + little)
			}
		}
	}
	return out
}

// edgeOf is the step, in levels, that divides a piece from what lies around it, at most of its outline.
func (c *canvas) edgeOf(p piece, all []uint8, step []float32) float32 {
	const reach, most = 2, 0.4
	var out []float32
	for _, i := range p.pixels {
		x, y := int(i)%c.w, int(i)/c.w
		outer, largest := false, float32(0)
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				if x+dx < 0 || y+dy < 0 || x+dx >= c.w || y+dy >= c.h {
					continue
				}
				j := (y+dy)*c.w + x + dx
				outer = outer || all[j] == 0 && dx*dx+dy*dy == 1
				largest = max(largest, step[j])
			}
		}
		if outer {
			out = append(out, largest)
		}
	}
	return quantile(out, most)
}
