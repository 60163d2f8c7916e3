package segment

import (
	_ "embed"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	pigo "github.com/esimov/pigo/core"
)

//go:embed facefinder
var cascade []byte

// faceFinder is the cascade, for faces that lean and for those that do not.
type faceFinder struct {
	*pigo.Pigo
	upright *upright
}

// finder unpacks the cascade once; the detector only reads it afterwards.
var finder = sync.OnceValues(func() (*faceFinder, error) {
	p, err := pigo.NewPigo().Unpack(cascade)
	return &faceFinder{p, unpackUpright(cascade)}, err
})

// run looks for faces that lean by a turn.
func (f *faceFinder) run(p pigo.CascadeParams, turn float64) []pigo.Detection {
	if turn == 0 {
		return f.upright.run(p)
	}
	return f.RunCascade(p, turn)
}

// Rect is a region of the picture in its own pixels, half open: Min is inside, Max is not.
type Rect = image.Rectangle

// face is a detection on a canvas: centre and diameter in canvas pixels. The circle spans roughly from brows to chin.
type face struct {
	x, y, size float64
	quality    float64 // the detector's: above 100 is sure, below 30 is a guess
	skin       float64 // share of skin-like colours in it
	sharp      float64 // detail against the sharpest parts of the picture
	guessed    bool    // from the outline of someone who stands: place and size are rough
	wide       float64 // how much wider than usual the body is taken to be; 0 is as usual
	trunk      float64 // the diameter that goes with the body where the face is far too large for it, as a child's; 0 is its own
}

// unit is the diameter by which the body below the face is measured.
func (f face) unit() float64 {
	if f.trunk > 0 {
		return f.trunk
	}
	return f.size
}

// place is where a point lies from the centre of the face: across and down, in its diameters, and below the chin in those that go with
// the body.
func (f face) place(x, y float64) (across, down float64) {
	const chin, shoulders = 0.5, 0.5 // from the centre, and below that
	across, down = (x-f.x)/f.size, (y-f.y)/f.size
	if f.trunk == 0 || down <= chin {
		return across, down
	}
	below := (down - chin) * f.size / f.trunk
	// Across, such bodies are broader for their height than others: half way, as factors, between what both say.
	k := f.size + (math.Sqrt(f.size*f.trunk)-f.size)*min(below/shoulders, 1)
	return (x - f.x) / k, chin + below
}

// faceSize is the long side of the copy that faces are looked for on.
const faceSize = 640

// tilt is how far heads lean that are looked for when none is upright, in turns.
const tilt = 0.06

// findFaces looks for faces that lean by one of the given turns and have at least some quality, the most convincing first.
func findFaces(c *canvas, turns []float64, least float64) ([]face, error) {
	const small = 400 // long side below which faces are looked for on a copy twice as large
	f, err := finder()
	if err != nil {
		return nil, fmt.Errorf("unpack the face cascade: %w", err)
	}
	gray, w, h, zoom := c.gray(), c.w, c.h, 1.0
	if max(w, h) < small {
		gray, w, h, zoom = scaleField(gray, w, h, 2*w, 2*h), 2*w, 2*h, 2
	}
	pixels := make([]uint8, w*h)
	for i, v := range gray {
		pixels[i] = uint8(v + 0.5)
	}
	var out []face
	for _, turn := range turns {
		smallest := max(20, max(w, h)/24)
		if turn != 0 {
			smallest *= 2 // small ones cost most and are hardly ever right
		}
		if min(w, h) < smallest+2 {
			continue
		}
		found := f.run(pigo.CascadeParams{
			MinSize: smallest, MaxSize: min(w, h), ShiftFactor: 0.08, ScaleFactor: 1.08,
			ImageParams: pigo.ImageParams{Pixels: pixels, Rows: h, Cols: w, Dim: w},
		}, turn)
		for _, d := range f.ClusterDetections(found, 0.2) {
			if float64(d.Q) < least {
				continue
			}
			out = append(out, face{x: float64(d.Col) / zoom, y: float64(d.Row) / zoom, size: float64(d.Scale) / zoom, quality: float64(d.Q)})
		}
	}
	slices.SortFunc(out, func(a, b face) int {
		switch {
		case a.quality > b.quality:
			return -1
		case a.quality < b.quality:
			return 1
		}
		return 0
	})
	return out, nil
}

// scaled is the face on a canvas k times as large.
func (f face) scaled(k float64) face {
	f.x, f.y, f.size, f.trunk = f.x*k, f.y*k, f.size*k, f.trunk*k
	return f
}

func (f face) rect(k float64, bounds Rect) Rect {
	r := f.size / 2
	return image.Rect(int(math.Floor((f.x-r)*k)), int(math.Floor((f.y-r)*k)), int(math.Ceil((f.x+r)*k)), int(math.Ceil((f.y+r)*k))).
		Add(bounds.Min).Intersect(bounds)
}

// choose keeps the faces that belong to the picture's people and gives them on a canvas scale times as large, largest first. A weak
// detection must look like skin and be in focus; someone small, blurred and aside is a passer-by.
func choose(faces []face, c *canvas, scale float64) []face {
	detail, usual := detail(c)
	colour := colourful(c)
	var out []face
	for _, f := range faces {
		f.skin, f.sharp = inspect(c, f, detail)
		f.sharp = math.Sqrt(f.sharp / max(usual, 1e-3))
		if !colour {
			f.skin = 1
		}
		if !f.credible(c) {
			continue
		}
		if len(out) > 0 {
			best := out[0]
			near := slices.ContainsFunc(out, func(o face) bool { return math.Abs(o.x-f.x)+math.Abs(o.y-f.y) < (o.size+f.size)/2 })
			if near || f.size < 0.6*best.size || f.skin < 0.6 || f.sharp < 0.5*best.sharp {
				continue
			}
		}
		out = append(out, f)
	}
	for i := range out {
		out[i] = out[i].scaled(scale)
	}
	slices.SortStableFunc(out, func(a, b face) int { return int(math.Round(b.size - a.size)) })
	return out
}

func (f face) credible(c *canvas) bool {
	aside := math.Abs(f.x/float64(c.w)-0.5) > 0.2
	small := f.size < 0.08*float64(c.h)
	// A large face is found at many places and scales, unless it is none.
	lone := f.quality < 8 && f.size > 0.25*float64(c.h)
	switch {
	case lone, f.sharp < 0.4 && small && aside:
		return false
	case f.quality > 150:
		return f.skin > 0.15
	case f.quality > 30:
		return f.skin > 0.4
	}
	return f.skin > 0.55 && f.sharp > 0.3
}

// inspect measures the inner part of a face: the share of skin-like colours and the mean detail.
func inspect(c *canvas, f face, detail []float32) (skin, sharp float64) {
	n := 0
	for y := max(0, int(f.y-0.4*f.size)); y < min(c.h, int(f.y+0.45*f.size)); y++ {
		for x := max(0, int(f.x-0.35*f.size)); x < min(c.w, int(f.x+0.35*f.size)); x++ {
			i := y*c.w + x
			n++
			sharp += float64(detail[i])
			if skinLike(c.pix[3*i], c.pix[3*i+1], c.pix[3*i+2]) {
				skin++
			}
		}
	}
	if n == 0 {
		return 0, 0
	}
	return skin / float64(n), sharp / float64(n)
}

// skinLike tells whether a colour may be skin of any tone: warm, and neither grey nor glaring.
func skinLike(r, g, b float32) bool {
	y := 0.299*r + 0.587*g + 0.114*b
	cb, cr := 0.564*(b-y), 0.713*(r-y)
	return y > 30 && cr > 4 && cr < 50 && cb < 0 && cb > -55 && -cb < 2.2*cr+6
}

// detail is the squared difference of each pixel's luma from its surroundings, and what the sharpest parts of the picture reach.
func detail(c *canvas) ([]float32, float64) {
	g := c.gray()
	for i, v := range boxBlur(g, c.w, c.h, 1) {
		d := g[i] - v
		g[i] = d * d
	}
	return g, float64(quantile(boxBlur(g, c.w, c.h, 6), 0.95))
}

// colourful tells a colour photograph from a black-and-white one.
func colourful(c *canvas) bool {
	sum := 0.0
	for i := range c.w * c.h {
		r, g, b := c.pix[3*i], c.pix[3*i+1], c.pix[3*i+2]
		sum += float64(max(r, g, b) - min(r, g, b))
	}
	return sum > 5*float64(c.w*c.h)
}
