package segment

import "math"

// outline is how people stand below their face, in face diameters: at a height below the face's centre, half of the people reach
// half across, their reach varies by soft, and peak is how often the axis itself is covered (legs part, people lean).
// Measured on photographs of standing people seen from the front.
var outline = []struct{ height, half, soft, peak float64 }{
	{-1.10, 0.05, 0.10, 0.06},
	{-0.80, 0.25, 0.10, 0.55},
	{-0.55, 0.46, 0.09, 0.94},
	{-0.25, 0.53, 0.10, 0.98},
	{0.00, 0.54, 0.10, 0.98},
	{0.25, 0.50, 0.12, 0.97},
	{0.50, 0.42, 0.17, 0.95},
	{0.75, 0.68, 0.18, 0.93},
	{1.00, 0.96, 0.15, 0.96},
	{1.50, 1.15, 0.16, 0.97},
	{2.00, 1.19, 0.17, 0.97},
	{3.00, 1.20, 0.20, 0.96},
	{4.00, 1.13, 0.25, 0.95},
	{5.00, 0.98, 0.27, 0.92},
	{6.00, 0.92, 0.30, 0.75},
	{7.00, 0.78, 0.28, 0.66},
	{8.00, 0.72, 0.30, 0.55},
	{8.75, 0.65, 0.30, 0.45},
	{9.50, 0.55, 0.30, 0.10},
	{10.0, 0.50, 0.30, 0.02},
}

// bodyAt is the share of people who cover a point: across and down in face diameters from the face's centre.
func bodyAt(across, down float64) float64 {
	const rest = 0.02
	first, last := outline[0], outline[len(outline)-1]
	if down <= first.height || down >= last.height {
		return rest
	}
	k := 1
	for outline[k].height < down {
		k++
	}
	a, b := outline[k-1], outline[k]
	t := (down - a.height) / (b.height - a.height)
	half, soft, peak := a.half+t*(b.half-a.half), a.soft+t*(b.soft-a.soft), a.peak+t*(b.peak-a.peak)
	return max(rest, peak/(1+math.Exp((math.Abs(across)-half)/soft*1.2)))
}

// body is the chance that the person with this face covers a point, across and down from it in its diameters. near tells that the
// picture shows little more than head and shoulders: those who are that near lean, turn and raise their arms.
func (f face) body(across, down float64, near bool) float64 {
	const wideHead, wideTrunk, neck = 1.15, 1.25, 0.5
	if f.wide > 0 {
		across /= f.wide
	}
	switch {
	case !f.guessed && near && down < neck:
		return bodyAt(across/wideHead, down)
	case !f.guessed && near:
		return bodyAt(across/wideTrunk, down)
	case !f.guessed:
		return bodyAt(across, down)
	}
	// Size and place of the face may be off.
	sum := 0.0
	for _, k := range [...]float64{0.88, 1, 1.14} {
		for _, shift := range [...]float64{-0.5, 0, 0.5} {
			sum += bodyAt(across*k+shift/2, (down-4)*k+4+shift) / 9
		}
	}
	return sum
}

// bodies is the chance of each pixel of a w×h canvas to belong to one of the people whose faces are given.
func bodies(w, h int, faces []face) []float64 {
	const large = 0.15 // of the height, for a face whose body is mostly below the frame
	out := make([]float64, w*h)
	spread(h, func(lo, hi int) {
		for y := lo; y < hi; y++ {
			for x := range w {
				p := 0.02
				for _, f := range faces {
					across, down := f.place(float64(x)+0.5, float64(y)+0.5)
					p = max(p, f.body(across, down, f.unit() > large*float64(h)))
				}
				out[y*w+x] = p
			}
		}
	})
	return out
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// centred is the chance of each pixel to belong to a subject nothing else is known about: photographs put it in the middle.
func centred(w, h int) []float64 {
	out := make([]float64, w*h)
	for i := range out {
		x, y := (float64(i%w)+0.5)/float64(w), (float64(i/w)+0.5)/float64(h)
		dx, dy := (x-0.5)/0.36, (y-0.52)/0.42
		out[i] = 1 / (1 + math.Exp(2.2*(dx*dx+dy*dy)-2))
	}
	return out
}

// closeTrunks marks what of a trunk a cut left out: gaps in a row of the trunks below the given faces that have the subject on both
// sides, such as a white shirt before a white wall within an open coat. It gives the pixels marked.
func closeTrunks(labels []uint8, w, h int, people []face) (marked []int) {
	const (
		from, to = 0.8, 3.2 // below the face's centre, in its diameters
		across   = 0.75     // to each side: gaps at the arms begin farther out
		widest   = 1.2
	)
	for _, f := range people {
		if f.guessed {
			continue
		}
		top := f.y + from*f.size
		rows := [2]int{max(0, int(top)), min(h, int(top+(to-from)*f.unit()))}
		middle := f.trunkAxis(labels, w, rows)
		left, right := max(0, int(middle-across*f.unit())), min(w, int(middle+across*f.unit())+1)
		for y := rows[0]; y < rows[1]; y++ {
			gap := -1 // where one begins, after a pixel of the subject
			for x := left; x < right; x++ {
				i := y*w + x
				switch {
				case labels[i] == 0:
				case gap >= 0 && x-gap > 0 && float64(x-gap) < widest*f.unit():
					for k := gap; k < x; k++ {
						labels[y*w+k] = 1
						marked = append(marked, y*w+k)
					}
					gap = x + 1
				default:
					gap = x + 1
				}
			}
		}
	}
	return marked
}

// trunkAxis is where the middle of somebody's trunk is, as far as a cut has it in some rows: heads lean and turn.
func (f face) trunkAxis(labels []uint8, w int, rows [2]int) float64 {
	const reach = 1.5 // to each side of the face, in its diameters
	sum, n := 0.0, 0.0
	for y := rows[0]; y < rows[1]; y++ {
		for x := max(0, int(f.x-reach*f.unit())); x < min(w, int(f.x+reach*f.unit())); x++ {
			l := float64(labels[y*w+x])
			sum += l * (float64(x) + 0.5)
			n += l
		}
	}
	if n == 0 {
		return f.x
	}
	return sum / n
}

// inside tells whether a point lies in the face itself: between brows and chin, without hair, ears or what is beside them.
func (f face) inside(x, y float64) bool {
	const across, down = 0.36, 0.44 // of its diameter, to each side
	return math.Hypot((x-f.x)/(across*f.size), (y-f.y)/(down*f.size)) < 1
}

// closeFaces marks what of a face and the crown above it a cut left out, such as a forehead before a white wall, and gives the pixels
// marked. A cut that leaves out most of a face takes it for none.
func closeFaces(labels []uint8, w, h int, people []face) (marked []int) {
	const (
		least = 0.4  // of the face that the cut has
		crown = 0.14 // of its diameter: nearly every head reaches that much higher
	)
	for _, f := range people {
		if f.guessed || !f.certain() {
			continue
		}
		var out []int
		n := 0
		for y := max(0, int(f.y-f.size)); y < min(h, int(f.y+f.size)); y++ {
			for x := max(0, int(f.x-f.size)); x < min(w, int(f.x+f.size)); x++ {
				if at := float64(y) + 0.5; !f.inside(float64(x)+0.5, min(max(at, f.y), at+crown*f.size)) {
					continue
				}
				n++
				if labels[y*w+x] == 0 {
					out = append(out, y*w+x)
				}
			}
		}
		if float64(n-len(out)) < least*float64(n) {
			continue
		}
		for _, i := range out {
			labels[i] = 1
		}
		marked = append(marked, out...)
	}
	return marked
}
