package segment

import "atelier/imaging/mask"

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

// tidy drops small islands and fills small holes. An island stays when it has at least share of the largest island's pixels; a hole
// is filled below hole pixels, or when mend says so.
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

// distances is the distance of each pixel to the nearest pixel for which in is true, in pixels, by two chamfer passes (within 8 % of
// the true length), and at most limit.
func distances(w, h int, limit float32, in func(i int) bool) []float32 {
	const diagonal = 1.3507
	const straight = 0.9619
	d := make([]float32, w*h)
	for i := range d {
		if !in(i) {
			d[i] = limit
		}
	}
	for y := range h {
		for x := range w {
			i := y*w + x
			v := d[i]
			if x > 0 {
				v = min(v, d[i-1]+straight)
			}
			if y > 0 {
				v = min(v, d[i-w]+straight)
				if x > 0 {
					v = min(v, d[i-w-1]+diagonal)
				}
				if x < w-1 {
					v = min(v, d[i-w+1]+diagonal)
				}
			}
			d[i] = v
		}
	}
	for y := h - 1; y >= 0; y-- {
		for x := w - 1; x >= 0; x-- {
			i := y*w + x
			v := d[i]
			if x < w-1 {
				v = min(v, d[i+1]+straight)
			}
			if y < h-1 {
				v = min(v, d[i+w]+straight)
				if x < w-1 {
					v = min(v, d[i+w+1]+diagonal)
				}
				if x > 0 {
					v = min(v, d[i+w-1]+diagonal)
				}
			}
			d[i] = v
		}
	}
	return d
}

// dilate grows labels by r pixels; a negative r shrinks them.
func dilate(labels []uint8, w, h int, r float32) []uint8 {
	grow := r >= 0
	if !grow {
		r = -r
	}
	d := distances(w, h, r+2, func(i int) bool { return (labels[i] == 1) == grow })
	out := make([]uint8, len(labels))
	for i := range out {
		if (d[i] <= r) == grow {
			out[i] = 1
		}
	}
	return out
}

// band marks the pixels within r of the border between the labels with 2, the others with their label.
func band(labels []uint8, w, h int, r float32) []uint8 {
	inside := distances(w, h, r+2, func(i int) bool { return labels[i] == 1 })
	outside := distances(w, h, r+2, func(i int) bool { return labels[i] == 0 })
	out := make([]uint8, len(labels))
	for i, l := range labels {
		out[i] = l
		if inside[i] <= r && outside[i] <= r {
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
