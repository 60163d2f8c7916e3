package segment

import (
	"slices"

	"atelier/imaging/mask"
)

// piece is a connected set of pixels with the same label (4-connected).
type piece struct {
	label  uint8
	pixels []int32
	edge   bool // touches the frame
}

// pieces splits labels into connected pieces.
func pieces(labels []uint8, w, h int) []piece {
	seen := make([]bool, len(labels))
	var out []piece
	for s := range labels {
		if seen[s] {
			continue
		}
		p := piece{label: labels[s], pixels: []int32{int32(s)}}
		seen[s] = true
		for head := 0; head < len(p.pixels); head++ {
			i := int(p.pixels[head])
			x, y := i%w, i/w
			if x == 0 || y == 0 || x == w-1 || y == h-1 {
				p.edge = true
			}
			visit := func(j int) {
				if !seen[j] && labels[j] == p.label {
					seen[j] = true
					p.pixels = append(p.pixels, int32(j))
				}
			}
			if x > 0 {
				visit(i - 1)
			}
			if x < w-1 {
				visit(i + 1)
			}
			if y > 0 {
				visit(i - w)
			}
			if y < h-1 {
				visit(i + w)
			}
		}
		out = append(out, p)
	}
	return out
}

// tidy drops small islands and fills small holes. An island stays when it has at least share of the largest island's
// pixels; a hole is filled below hole pixels, or when mend says so.
func tidy(labels []uint8, w, h int, share float64, hole int, mend func(p piece) bool) {
	all := pieces(labels, w, h)
	largest := 0
	for _, p := range all {
		if p.label == 1 {
			largest = max(largest, len(p.pixels))
		}
	}
	for _, p := range all {
		switch {
		case p.label == 1 && len(p.pixels) < max(1, int(share*float64(largest))):
			paint(labels, p, 0)
		case p.label == 0 && !p.edge && (len(p.pixels) < hole || mend != nil && mend(p)):
			paint(labels, p, 1)
		}
	}
}

func paint(labels []uint8, p piece, v uint8) {
	for _, i := range p.pixels {
		labels[i] = v
	}
}

// gaps is the distance of each pixel to the nearest one with another label, in pixels, by two chamfer passes (within 8
// % of the true length), and at most limit.
func gaps(labels []uint8, w, h int, limit float32) []float32 {
	d := make([]float32, w*h)
	for i := range d {
		d[i] = limit
	}
	// relax takes the way over the pixels before one: in its row, and in the row before.
	relax := func(x, i, side, row int) {
		const diagonal, straight = 1.3507, 0.9619
		l, v := labels[i], d[i]
		by := func(j int, length float32) {
			if labels[j] == l {
				length += d[j]
			}
			if length < v {
				v = length
			}
		}
		left, right := x > 0, x < w-1
		if side < 0 && left || side > 0 && right {
			by(i+side, straight)
		}
		if row != 0 {
			by(i+row, straight)
			if left {
				by(i+row-1, diagonal)
			}
			if right {
				by(i+row+1, diagonal)
			}
		}
		d[i] = v
	}
	for y := range h {
		for x := range w {
			relax(x, y*w+x, -1, -w*min(y, 1))
		}
	}
	for y := h - 1; y >= 0; y-- {
		for x := w - 1; x >= 0; x-- {
			relax(x, y*w+x, 1, w*min(h-1-y, 1))
		}
	}
	return d
}

// dilate grows labels by r pixels; a negative r shrinks them.
func dilate(labels []uint8, w, h int, r float32) []uint8 {
	grown := uint8(1)
	if r < 0 {
		r, grown = -r, 0
	}
	out := slices.Clone(labels)
	for i, d := range gaps(labels, w, h, r+2) {
		if d <= r {
			out[i] = grown
		}
	}
	return out
}

// band marks the pixels within r of the border between the labels with 2, the others with their label.
func band(labels []uint8, w, h int, r float32) []uint8 {
	out := slices.Clone(labels)
	for i, d := range gaps(labels, w, h, r+2) {
		if d <= r {
			out[i] = 2
		}
	}
	return out
}

// resize takes labels to another size; each target pixel gets the label that covers most of it.
func resize(labels []uint8, sw, sh, w, h int) []uint8 {
	field := make([]float32, len(labels))
	for i, l := range labels {
		field[i] = float32(l)
	}
	out := make([]uint8, w*h)
	for i, v := range scaleField(field, sw, sh, w, h) {
		if v >= 0.5 {
			out[i] = 1
		}
	}
	return out
}

// plane turns labels into a hard mask.
func plane(labels []uint8, w, h int) mask.Plane {
	p := mask.New(w, h)
	for i, l := range labels {
		if l == 1 {
			p.Pix[i] = 255
		}
	}
	return p
}
