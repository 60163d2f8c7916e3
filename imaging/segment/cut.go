package segment

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging/mask"
)

// Cut separates a picture by strokes: what they cross is kept or redrawn for certain, and the colours and edges around them decide the
// rest. It starts from nothing, from a mask, or from what Subject found. A Cut is used by one goroutine at a time.
type Cut struct {
	img    *image.NRGBA
	opt    Options
	cut    *cutter
	labels []uint8 // what is kept so far, on the coarse canvas; nil before the first Refine without a start
	seeds  []uint8 // 0 redraw and 1 keep under strokes, elsewhere 2
	fresh  []uint8 // 1 under strokes since the last Refine
}

// NewCut prepares a picture; it costs a few tens of milliseconds. The only error is a picture without pixels.
func NewCut(img *image.NRGBA, opt Options) (*Cut, error) {
	if img.Bounds().Empty() {
		return nil, fmt.Errorf("prepare a cut: %w", errEmpty)
	}
	opt = opt.defaults()
	c := &Cut{img: img, opt: opt, cut: newCutter(reduce(img, opt.Coarse))}
	c.seeds = make([]uint8, c.cut.w*c.cut.h)
	c.fresh = make([]uint8, len(c.seeds))
	for i := range c.seeds {
		c.seeds[i] = 2
	}
	return c, nil
}

// Start takes a mask of the picture's size as the cut so far; strokes then change it around themselves only.
func (c *Cut) Start(m mask.Plane) error {
	if b := c.img.Bounds(); m.W != b.Dx() || m.H != b.Dy() {
		return fmt.Errorf("start a cut: mask is %d×%d, picture is %d×%d", m.W, m.H, b.Dx(), b.Dy())
	}
	hard := m.Clone()
	hard.Threshold(mask.Level)
	c.labels, _ = readTrimap(hard, c.cut.w, c.cut.h)
	return nil
}

// Keep draws a stroke of what is certainly kept: a line through the points, radius pixels to each side, in picture pixels.
func (c *Cut) Keep(points []image.Point, radius float64) { c.stroke(points, radius, 1) }

// Redraw draws a stroke of what is certainly redrawn.
func (c *Cut) Redraw(points []image.Point, radius float64) { c.stroke(points, radius, 0) }

func (c *Cut) stroke(points []image.Point, radius float64, label uint8) {
	k := float64(c.cut.w) / float64(c.img.Bounds().Dx())
	r := max(radius*k, 0.75)
	for n := range points {
		a, b := points[max(n-1, 0)], points[n]
		ax, ay, bx, by := float64(a.X)*k, float64(a.Y)*k, float64(b.X)*k, float64(b.Y)*k
		for y := max(0, int(min(ay, by)-r)); y <= min(c.cut.h-1, int(max(ay, by)+r)); y++ {
			for x := max(0, int(min(ax, bx)-r)); x <= min(c.cut.w-1, int(max(ax, bx)+r)); x++ {
				if toSegment(float64(x)+0.5, float64(y)+0.5, ax, ay, bx, by) <= r {
					c.seeds[y*c.cut.w+x] = label
					c.fresh[y*c.cut.w+x] = 1
				}
			}
		}
	}
}

// toSegment is the distance of (x,y) to the line between a and b.
func toSegment(x, y, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = min(max(((x-ax)*dx+(y-ay)*dy)/l, 0), 1)
	}
	return math.Hypot(x-ax-t*dx, y-ay-t*dy)
}

// Refine cuts again with all strokes so far. The only error is the context's; the cut is then as before.
func (c *Cut) Refine(ctx context.Context) (Result, error) {
	f, err := c.solve(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("refine the cut: %w", err)
	}
	s := scene{img: c.img, opt: c.opt, cut: c.cut}
	r, err := s.finish(ctx, f)
	if err != nil {
		return Result{}, fmt.Errorf("refine the cut's edge: %w", err)
	}
	c.labels = f.labels
	clear(c.fresh)
	return r, nil
}

func (c *Cut) solve(ctx context.Context) (finding, error) {
	k := c.cut
	labels, prior := c.begin()
	var m models
	begun := c.labels != nil
	for range 2 {
		m = k.learn(
			func(i int) float64 { return c.sureness(i, 1, labels, begun) },
			func(i int) float64 { return c.sureness(i, 0, labels, begun) },
		)
		begun = true
		var err error
		if labels, err = k.cut(ctx, k.score(m, prior), c.seeds); err != nil {
			return finding{}, err
		}
	}
	// An island is only kept where a stroke asked for it; a hole stays where a stroke asked for it.
	stroked := func(p piece) bool { return anchored(p, func(i int) bool { return c.seeds[i] == p.label }) }
	small := k.w * k.h / 1500
	for _, p := range pieces(labels, k.w, k.h) {
		if len(p.pixels) < small && !p.edge && !stroked(p) {
			paint(labels, p, 1-p.label)
		}
	}
	return finding{labels: labels, models: m, prior: prior, confidence: 1}, nil
}

// begin is the cut so far and how firmly it stands: firmly far from new strokes, hardly near them.
func (c *Cut) begin() ([]uint8, []float32) {
	n := len(c.seeds)
	labels, prior := make([]uint8, n), make([]float32, n)
	if c.labels == nil {
		for i, s := range c.seeds {
			if s == 1 {
				labels[i] = 1
			}
		}
		return labels, prior
	}
	copy(labels, c.labels)
	reach := float32(max(c.cut.w, c.cut.h)) / 6
	d := distances(c.cut.w, c.cut.h, reach, func(i int) bool { return c.fresh[i] == 1 })
	for i, l := range labels {
		prior[i] = side(l) * 14 * (d[i] / reach) * (d[i] / reach)
	}
	return labels, prior
}

// sureness is how much a pixel teaches about a label: strokes most of all; without a cut so far, for what is redrawn, the frame's edge.
func (c *Cut) sureness(i int, label uint8, labels []uint8, begun bool) float64 {
	switch {
	case c.seeds[i] == label:
		return 8
	case c.seeds[i] != 2:
		return 0
	case begun:
		return flag(labels[i] == label)
	case label == 0:
		x, y := i%c.cut.w, i/c.cut.w
		return 0.2 * flag(x == 0 || y == 0 || x == c.cut.w-1 || y == c.cut.h-1)
	}
	return 0
}
