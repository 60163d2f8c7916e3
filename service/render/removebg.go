package render

import (
	"context"
	"image"
	"image/color"
	"math"

	"atelier/imaging"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
	"atelier/imaging/segment"
)

// removeBG lays the cut-out over nothing, over backgroundHex or over the preset background (Task API,
// "removeBG v1.0"; omitting both gives a transparent result: Run API, "removeBG"). Items of one execution differ in the
// edge of the cut-out, and in the framing and shadow of a preset.
func removeBG(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	cut := seg.edged(req.Source(), req.Item)
	out := image.NewNRGBA(cut.Rect)
	size := out.Rect.Size()
	hex := req.text("backgroundHex")
	req.progress(0.4)
	switch {
	case req.Background != nil:
		v := req.vary()
		out = compose.Cover(req.Background, size.X, size.Y, v.framing)
		req.progress(0.6)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		compose.ContactShadow(out, compose.Matte(cut), compose.Shadow{
			Strength: 0.8 * v.shadow, Light: compose.Light{Angle: 115 - 50*v.framing.X, Softness: 0.85}, Length: 0.7 * v.length,
		})
		compose.Settle(out, cut, max(2, min(size.X, size.Y)/60), 0.4)
		return out, nil
	case hex != "":
		c, err := hexColour(hex)
		if err != nil {
			return nil, err
		}
		flood(out, c)
	}
	compose.Over(out, cut, image.Point{})
	return out, nil
}

// edge is how the border of a cut-out is treated.
type edge struct {
	gain  int // how much steeper it gets, in halves: 2 leaves it
	soft  int // units it is softened; what is nearly clear, as single hairs are, shows more
	choke int // units it is drawn in
}

// edges are those of the items of an execution.
// ASSUMED [Items of removeBG]: the documents do not say in what the items of removeBG differ. Here the first has the balanced edge, the
// second a crisper, the third a softer that keeps more of fine hair, and the fourth a tighter one; later items combine these.
var edges = [16]edge{
	{2, 0, 0},
	{5, 0, 0},
	{2, 2, 0},
	{2, 0, 1},
	{4, 0, 1},
	{2, 3, 0},
	{2, 0, 2},
	{2, 1, 1},
	{6, 0, 2},
	{3, 4, 0},
	{3, 0, 0},
	{8, 0, 1},
	{2, 2, 2},
	{2, 0, 3},
	{10, 0, 0},
	{6, 0, 3},
}

// hardEdges are those of cut-outs that have a hard edge already: there is nothing to make steeper.
var hardEdges = [16]edge{
	{2, 0, 0},
	{2, 0, 1},
	{2, 2, 0},
	{2, 0, 2},
	{2, 1, 1},
	{2, 3, 0},
	{2, 2, 2},
	{2, 0, 3},
	{2, 1, 0},
	{2, 3, 1},
	{2, 2, 1},
	{2, 3, 2},
	{2, 1, 2},
	{4, 3, 0},
	{2, 2, 3},
	{4, 3, 1},
}

// edgeUnit is one step of an edge in pixels: as much as can be told apart when a picture is seen whole.
func edgeUnit(w, h int) float64 { return math.Max(1, float64(min(w, h))/450) }

// edged is the cut-out with the edge of an item. Where the caller drew the mask, everything painted stays whole and
// only a rim outside it differs.
func (s Segmentation) edged(src *image.NRGBA, item int) *image.NRGBA {
	if item == 0 {
		return s.Foreground
	}
	if s.Exact {
		return s.rimmed(src, item)
	}
	e := edges[item%len(edges)]
	matte := compose.Matte(s.Foreground)
	unit := edgeUnit(matte.W, matte.H)
	if hardEdged(matte) {
		e = hardEdges[item%len(hardEdges)]
	}
	thin := slender(matte, float64(max(2*e.choke, e.soft))*unit+1)
	whole := matte.Clone()
	for range int(float64(e.choke)*unit + 0.5) {
		drawIn(matte)
	}
	if e.soft > 0 {
		loosen(matte, float64(e.soft), unit)
	}
	out := imaging.Clone(s.Foreground)
	for i, v := range matte.Pix {
		if thin.Pix[i] > 0 {
			v = max(v, whole.Pix[i])
		}
		if e.gain != 2 && v > 0 && v < 255 {
			v = uint8(max(0, min(255, (int(v)-128)*e.gain/2+128)))
		}
		out.Pix[4*i+3] = v
	}
	return out
}

// slender marks what of a matte is narrower than twice r and much longer than that, as straps, handles and cables are, with the places where it
// joins the rest: there a cut-out that is drawn in would lose it.
func slender(m mask.Plane, r float64) mask.Plane {
	const solid, long = 176, 5
	hard := m.Clone()
	hard.Threshold(solid)
	thick := hard.Shrink(r).Grow(r)
	for i, v := range thick.Pix {
		if v > 0 {
			hard.Pix[i] = 0
		}
	}
	hard.Clean(int(long * r * r))
	return hard.Grow(r + 1)
}

// loosen makes a matte softer by a number of units, in place: its edge goes over to both sides, and what is nearly clear, as single hairs are,
// shows more. Outside the matte there is nothing of the thing, so it gets no farther than its edge does: any more would be a halo.
func loosen(m mask.Plane, soft, unit float64) {
	even := m.Feather(1 + 0.75*soft*unit)
	for i, v := range m.Pix {
		level := float64(v)
		level += soft / (soft + 2) * (float64(even.Pix[i]) - level)
		if v < 255 {
			level = max(level, 255*math.Pow(float64(v)/255, 1-0.14*soft))
		}
		m.Pix[i] = byte255(level)
	}
}

// rimmed is the painted part with a soft rim outside, of another width and strength for each item.
func (s Segmentation) rimmed(src *image.NRGBA, item int) *image.NRGBA {
	if item == 1 {
		out := imaging.Clone(s.Foreground)
		compose.SoftenRim(out)
		return out
	}
	matte := s.Mask.Clone()
	r := float64(1+item%3) * edgeUnit(matte.W, matte.H)
	lift(matte, s.Mask.Grow(r).Feather(2*r), 1-float64(item%len(edges))/20)
	return segment.Foreground(src, matte)
}

// lift raises a matte, in place, to a share of another where that is more.
func lift(matte, other mask.Plane, share float64) {
	for i, v := range other.Pix {
		matte.Pix[i] = max(matte.Pix[i], uint8(share*float64(v)+0.5))
	}
}

// hardEdged tells whether a matte has hardly more between solid and clear than the steps of its outline.
func hardEdged(m mask.Plane) bool {
	between, outline := 0, 0
	for i, v := range m.Pix {
		if v > 8 && v < 247 {
			between++
		}
		if x := i % m.W; v >= mask.Level && (x > 0 && m.Pix[i-1] < mask.Level || x < m.W-1 && m.Pix[i+1] < mask.Level || i >= m.W && m.Pix[i-m.W] < mask.Level || i+m.W < len(m.Pix) && m.Pix[i+m.W] < mask.Level) {
			outline++
		}
	}
	return 2*between < 3*outline
}

// drawIn pulls a soft edge in by one pixel, in place: each pixel gets the least of itself and its four neighbours.
func drawIn(m mask.Plane) {
	was := m.Clone()
	for y := range m.H {
		for x := range m.W {
			v := was.Pix[y*m.W+x]
			if v == 0 {
				continue
			}
			if x > 0 {
				v = min(v, was.Pix[y*m.W+x-1])
			}
			if x < m.W-1 {
				v = min(v, was.Pix[y*m.W+x+1])
			}
			if y > 0 {
				v = min(v, was.Pix[(y-1)*m.W+x])
			}
			if y < m.H-1 {
				v = min(v, was.Pix[(y+1)*m.W+x])
			}
			m.Pix[y*m.W+x] = v
		}
	}
}

// flood paints all of img in one colour.
func flood(img *image.NRGBA, c color.NRGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
}
