package segment

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"
)

// The detector of standing people: histograms of gradient directions in a window, weighed by a template (Dalal and Triggs, "Histograms
// of Oriented Gradients for Human Detection", 2005). It needs no face, so it finds who is seen from behind or from far.
const (
	cellSide   = 6  // pixels
	windowCols = 7  // cells
	windowRows = 16 // cells; the person is one cell less above and below
	directions = 9
	figureRows = windowRows - 2
	templateOf = windowCols * windowRows * directions
	frameCells = 3 // added around the picture, so that people may touch its frame
)

// standingWeights is the template: for each cell, row by row, nine weights as int8, then as little-endian float32 what one step of
// them is worth and the offset. learn_test.go writes it; NOTICE says from what.
//
//go:embed standing.weights
var standingWeights []byte

type template struct {
	weight []float32
	offset float32
}

var standingTemplate = sync.OnceValue(func() template {
	step := math.Float32frombits(binary.LittleEndian.Uint32(standingWeights[templateOf:]))
	t := template{offset: math.Float32frombits(binary.LittleEndian.Uint32(standingWeights[templateOf+4:]))}
	t.weight = make([]float32, templateOf)
	for i := range t.weight {
		t.weight[i] = float32(int8(standingWeights[i])) * step
	}
	return t
})

// figure is someone who stands, on a canvas: the middle between head and feet, the height from crown to sole, and the score, a logit.
type figure struct {
	x, y, height float64
	score        float64
}

// cells are the histograms of a picture, normalised by their surroundings.
type cells struct {
	w, h int
	hist []float32
}

func newCells(gray []float32, w, h int) *cells {
	c := &cells{w: (w+cellSide-1)/cellSide + 2*frameCells, h: (h+cellSide-1)/cellSide + 2*frameCells}
	raw := make([]float32, c.w*c.h*directions)
	at := func(x, y int) float32 { return gray[min(max(y, 0), h-1)*w+min(max(x, 0), w-1)] }
	for y := range h {
		for x := range w {
			gx, gy := at(x+1, y)-at(x-1, y), at(x, y+1)-at(x, y-1)
			strength := sqrt32(gx*gx + gy*gy)
			if strength < 1 {
				continue
			}
			turn := math.Atan2(float64(gy), float64(gx)) / math.Pi * directions
			if turn < 0 {
				turn += directions
			}
			d := int(turn)
			f := float32(turn - float64(d))
			d %= directions
			c.spreadOver(raw, x, y, d, strength*(1-f))
			c.spreadOver(raw, x, y, (d+1)%directions, strength*f)
		}
	}
	c.normalise(raw)
	return c
}

// spreadOver shares a gradient among the four nearest cells.
func (c *cells) spreadOver(raw []float32, x, y, d int, v float32) {
	u, t := (float32(x)+0.5)/cellSide-0.5+frameCells, (float32(y)+0.5)/cellSide-0.5+frameCells
	i, j := int(u), int(t)
	fx, fy := u-float32(i), t-float32(j)
	n := (j*c.w+i)*directions + d
	raw[n] += v * (1 - fx) * (1 - fy)
	raw[n+directions] += v * fx * (1 - fy)
	raw[n+c.w*directions] += v * (1 - fx) * fy
	raw[n+(c.w+1)*directions] += v * fx * fy
}

func (c *cells) normalise(raw []float32) {
	const most = 0.4
	energy := make([]float32, c.w*c.h)
	for i := range energy {
		for _, v := range raw[i*directions:][:directions] {
			energy[i] += v * v
		}
	}
	energy = boxBlur(energy, c.w, c.h, 1)
	c.hist = raw
	for i, e := range energy {
		n := 1 / (sqrt32(9*max(e, 0)) + 40)
		for k := range directions {
			c.hist[i*directions+k] = min(raw[i*directions+k]*n, most)
		}
	}
}

// score is the template's answer for the window whose first cell is (col, row).
func (c *cells) score(t template, col, row int) float32 {
	sum := t.offset
	for r := range windowRows {
		h := c.hist[((row+r)*c.w+col)*directions:][:windowCols*directions]
		w := t.weight[r*windowCols*directions:][:windowCols*directions]
		for i, v := range h {
			sum += v * w[i]
		}
	}
	return sum
}

// tier is a picture scaled so that a standing person of some height fills the template.
type tier struct {
	*cells
	scale float64 // level pixels per canvas pixel
}

// tiers are the scales people are looked for at: from a share of the canvas's height to the whole of it. A canvas is hardly enlarged:
// there is nobody to see in a strip of a few pixels, and its enlarged copy would be thousands wide.
func tiers(gray []float32, w, h int, smallest float64) []tier {
	const step, enlarged = 1.12, 4
	var out []tier
	for height := 1.06 * float64(h); height > smallest*float64(h); height /= step {
		k := figureRows * cellSide / height
		if k > enlarged {
			break
		}
		lw, lh := max(2, int(math.Round(float64(w)*k))), max(2, int(math.Round(float64(h)*k)))
		if lw+2*frameCells*cellSide < windowCols*cellSide {
			continue
		}
		out = append(out, tier{newCells(scaleField(gray, w, h, lw, lh), lw, lh), float64(lh) / float64(h)})
	}
	return out
}

// figure is the person a window stands for, on the canvas.
func (l tier) figure(col, row float64, score float32) figure {
	return figure{
		x:      (col - frameCells + windowCols/2.0) * cellSide / l.scale,
		y:      (row - frameCells + windowRows/2.0) * cellSide / l.scale,
		height: figureRows * cellSide / l.scale,
		score:  float64(score),
	}
}

// findFigures looks for people who stand, whole and at least smallest of the canvas's height, the most convincing first; overlapping
// answers are merged into the best.
func findFigures(c *canvas, least, smallest float64) []figure {
	t := standingTemplate()
	all := tiers(c.gray(), c.w, c.h, smallest)
	found := make([][]sighting, len(all))
	spread(len(all), func(lo, hi int) {
		for n := lo; n < hi; n++ {
			l := all[n]
			for row := 0; row+windowRows <= l.h; row++ {
				for col := 0; col+windowCols <= l.w; col++ {
					if s := l.score(t, col, row); float64(s) > least {
						found[n] = append(found[n], sighting{l.figure(float64(col), float64(row), s), n, col, row})
					}
				}
			}
		}
	})
	flat := slices.Concat(found...)
	slices.SortFunc(flat, func(a, b sighting) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	var kept []sighting
	for _, f := range flat {
		if !slices.ContainsFunc(kept, func(o sighting) bool { return f.overlaps(o.figure) }) {
			kept = append(kept, f)
		}
	}
	out := make([]figure, 0, len(kept))
	for _, f := range kept {
		out = append(out, f.between(all, t))
	}
	return out
}

// sighting is a figure with the window it was seen in.
type sighting struct {
	figure
	tier, col, row int
}

// between is the figure where it fits best between the windows, which lie a good part of a head apart: a parabola is laid through the
// scores of the window and those beside it.
func (s sighting) between(all []tier, t template) figure {
	l := all[s.tier]
	score := func(col, row int) float64 {
		if col < 0 || row < 0 || col+windowCols > l.w || row+windowRows > l.h {
			return s.score - 1
		}
		return float64(l.score(t, col, row))
	}
	return l.figure(
		float64(s.col)+peak(score(s.col-1, s.row), s.score, score(s.col+1, s.row)),
		float64(s.row)+peak(score(s.col, s.row-1), s.score, score(s.col, s.row+1)), float32(s.score))
}

// peak is where a parabola through three values one apart is highest, within half a step of the middle one.
func peak(before, at, after float64) float64 {
	bend := 2*at - before - after
	if bend <= 0 {
		return 0
	}
	return min(max((after-before)/(2*bend), -0.5), 0.5)
}

// Standing are the places, in pixels of a picture, of the people who stand in it or walk behind, small ones too and in doubt rather one
// too many, the most convincing first. Who touches another may be missed. The only errors are a picture without pixels and the context's.
func Standing(ctx context.Context, img *image.NRGBA) ([]Rect, error) {
	const canvas, wide, high = 640, 0.46, 1.06 // of the copy that is looked at, and of a place by the height of who is there
	b := img.Bounds()
	if b.Empty() {
		return nil, fmt.Errorf("find who stands: %w", errEmpty)
	}
	c := reduce(img, canvas)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("find who stands: %w", err)
	}
	zoom := float64(b.Dx()) / float64(c.w)
	var out []Rect
	for _, f := range findFigures(c, halfSeen, farther) {
		w, h := wide/2*f.height, high/2*f.height
		cut := (f.x < w || f.x > float64(c.w)-w) && f.height > foreground*float64(c.h)
		if f.score < passing && !cut {
			continue
		}
		r := image.Rect(int(zoom*(f.x-w)), int(zoom*(f.y-h)), int(zoom*(f.x+w)), int(zoom*(f.y+h))).Intersect(image.Rectangle{Max: b.Size()})
		out = append(out, r)
	}
	return out, nil
}

// overlaps tells whether two figures are mostly one: both as boxes 0.4 of their height wide.
func (f figure) overlaps(o figure) bool {
	const wide = 0.4
	dx := min(f.x+wide/2*f.height, o.x+wide/2*o.height) - max(f.x-wide/2*f.height, o.x-wide/2*o.height)
	dy := min(f.y+f.height/2, o.y+o.height/2) - max(f.y-f.height/2, o.y-o.height/2)
	if dx <= 0 || dy <= 0 {
		return false
	}
	least := min(f.height, o.height)
	return dx*dy > 0.45*wide*least*least
}

// face is where the face of a standing person would be.
func (f figure) face() face {
	size := f.height / 9.8
	return face{x: f.x, y: f.y - f.height/2 + 0.85*size, size: size, quality: f.score, guessed: true}
}

// What scores of figures mean: half of what reaches leastFigure where there is nobody else is somebody; sureFigure is hardly ever mistaken.
const (
	leastFigure = 0.2
	foreground  = 0.22 // share of the canvas's height that somebody takes up at least who may be the subject
	farther     = 0.10 // and who may walk behind
	passing     = -0.5 // the score of those: to take a lamp post for one of them does little harm
	halfSeen    = -1.9 // the score of those of them whom the left or right side of the picture cuts: part of their outline is missing
	sureFigure  = 2.0
	besideFaces = 0.8 // and is taken for another person where there is one already
)

// atHeads drops the faces that lie on the body of someone who surely stands, since knees and bags look like faces now and then, and then
// also the weak ones that are at nobody's head. Faces are on a canvas 1/scale times as large as that of the figures.
func atHeads(faces []face, standing []figure, scale float64) []face {
	const weak, strong = 100, 200
	if len(standing) == 0 || standing[0].score < sureFigure {
		return faces
	}
	return slices.DeleteFunc(faces, func(f face) bool {
		body, head := false, false
		for _, o := range standing {
			across, down := math.Abs(f.x*scale-o.x)/o.height, (f.y*scale-o.y)/o.height+0.5
			body = body || o.score > sureFigure && across < 0.2 && down > 0.3 && down < 1.05 && f.size*scale < 0.3*o.height
			head = head || across < 0.14 && down > -0.08 && down < 0.26 && f.size*scale < 0.25*o.height
		}
		return body && f.quality < strong || f.quality < weak && !head
	})
}

// foremost drops the faces when someone stands who is much nearer and shows none: the faces are those of passers-by.
func foremost(faces []face, standing []figure) []face {
	const (
		likely = 1.5 // the figure's score
		larger = 1.3 // its head against the largest face
	)
	if len(faces) == 0 || len(standing) == 0 || standing[0].score < likely {
		return faces
	}
	first := standing[0]
	if first.face().size < larger*faces[0].size || slices.ContainsFunc(faces, first.explains) {
		return faces
	}
	return nil
}

// explains tells whether a figure and a face are one person.
func (f figure) explains(o face) bool {
	head := f.face()
	return bodyAt((f.x-o.x)/o.size, (f.y-f.height/4-o.y)/o.size) > 0.3 || math.Hypot(head.x-o.x, head.y-o.y) < 1.5*o.size
}

// trunkOf is the diameter that goes with the body of a face where someone surely stands below it who is far smaller than it says, as
// children and people in drawings are, and 0 for its own.
func (f face) trunkOf(standing []figure) float64 {
	const smaller = 0.7 // photographs of people who are grown up are off by less
	for _, o := range standing {
		guess := o.face()
		if o.score > sureFigure && o.explains(f) && math.Abs(guess.x-f.x) < f.size/2 {
			if guess.size < smaller*f.size {
				return guess.size
			}
			return 0
		}
	}
	return 0
}

// join adds to the faces those of people who stand and show none: beside a face only who is rather sure and about as tall as the largest.
func join(faces []face, standing []figure) []face {
	out := slices.Clone(faces)
	for i := range out {
		out[i].trunk = out[i].trunkOf(standing)
	}
	for n, o := range standing {
		guess := o.face()
		switch {
		case len(faces) == 0 && o.score < 0.35*standing[0].score, n > 5:
			continue
		case len(faces) > 0 && (o.score < besideFaces || guess.size < 0.75*faces[0].size || guess.size > 1.4*faces[0].size):
			continue
		}
		if !slices.ContainsFunc(out, o.explains) {
			out = append(out, guess)
		}
	}
	return out
}
