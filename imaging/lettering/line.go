package lettering

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"

	"atelier/imaging/mask"
)

// mostGlyphs bounds the shapes that are compared with one another.
const mostGlyphs = 6000

// linesOf joins shapes that stand side by side and are alike in height, stroke and colour, and keeps those rows that are
// lettering.
func linesOf(img *image.NRGBA, glyphs []glyph, planes [3]plane) []Line {
	glyphs = glyphs[:min(len(glyphs), mostGlyphs)]
	slices.SortFunc(glyphs, func(a, b glyph) int {
		return cmp.Or(a.box.Min.X-b.box.Min.X, a.box.Min.Y-b.box.Min.Y, a.box.Max.X-b.box.Max.X, a.box.Max.Y-b.box.Max.Y)
	})
	parent := make([]int, len(glyphs))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range glyphs {
		for j := i + 1; j < len(glyphs) && glyphs[j].box.Min.X <= glyphs[i].box.Max.X+2*glyphs[i].box.Dy(); j++ {
			if beside(&glyphs[i], &glyphs[j]) {
				parent[find(j)] = find(i)
			}
		}
	}
	rows := map[int][]*glyph{}
	for i := range glyphs {
		rows[find(i)] = append(rows[find(i)], &glyphs[i])
	}
	var likely [][]*glyph
	inLine := map[*glyph]bool{}
	for i := range glyphs { // in order, so that the answer is always the same
		row := rows[i]
		if row = onBase(row); isLettering(row) {
			likely = append(likely, row)
			for _, g := range row {
				inLine[g] = true
			}
		}
	}
	var out []Line
	for _, row := range likely {
		if !amid(row, glyphs, inLine) {
			out = append(out, whole(img, row, planes))
		}
	}
	out = joined(out)
	slices.SortStableFunc(out, func(a, b Line) int { return cmp.Or(a.Box.Min.Y-b.Box.Min.Y, a.Box.Min.X-b.Box.Min.X) })
	return out
}

// joined are lines of which those that lie over one another, parts of one line each, are one.
func joined(lines []Line) []Line {
	var out []Line
	for _, l := range lines {
		for i := 0; i < len(out); i++ {
			o := out[i]
			common := o.Box.Intersect(l.Box)
			if common.Empty() || 2*common.Dy() < min(o.Box.Dy(), l.Box.Dy()) {
				continue
			}
			if len(o.Letters) > len(l.Letters) {
				o, l = l, o
			}
			l.Letters = slices.Concat(l.Letters, o.Letters)
			slices.Sort(l.Letters)
			l.Letters = slices.Compact(l.Letters)
			l.Box, l.Rim = l.Box.Union(o.Box), max(l.Rim, o.Rim)
			out = slices.Delete(out, i, i+1)
			i = -1 // it may reach others now
		}
		out = append(out, l)
	}
	return out
}

// amid reports whether a row lies amid shapes like its own that are no lettering, as in cloth, leaves and water.
func amid(row []*glyph, glyphs []glyph, inLine map[*glyph]bool) bool {
	box := around(row)
	high := box.Dy()
	near := image.Rect(box.Min.X-2*high, box.Min.Y-2*high, box.Max.X+2*high, box.Max.Y+2*high)
	n := 0
	for i := range glyphs {
		g := &glyphs[i]
		m := image.Pt((g.box.Min.X+g.box.Max.X)/2, (g.box.Min.Y+g.box.Max.Y)/2)
		if inLine[g] || !m.In(near) || m.In(box) || 2*g.box.Dy() < high || g.box.Dy() > 2*high {
			continue
		}
		if slices.ContainsFunc(row, func(o *glyph) bool { return alike(g.stroke, o.stroke) && apart(g.colour, o.colour) < 70 }) {
			n++
		}
	}
	return 2*n > len(row)
}

// beside reports whether two shapes, a beginning left of b, may be neighbours in a line.
func beside(a, b *glyph) bool {
	ha, hb := float64(a.box.Dy()), float64(b.box.Dy())
	low, high := math.Min(ha, hb), math.Max(ha, hb)
	gap := float64(b.box.Min.X - a.box.Max.X)
	common := float64(min(a.box.Max.Y, b.box.Max.Y) - max(a.box.Min.Y, b.box.Min.Y))
	if high > 2*low || gap > 0.9*high || gap < -0.3*low || common < 0.6*low {
		return false
	}
	return alike(a.stroke, b.stroke) && (a.bright == b.bright || a.plane != b.plane) && apart(a.colour, b.colour) < 55
}

// alike reports whether two strokes may be of one hand.
func alike(a, b float64) bool { return math.Max(a, b) < 1.6*math.Min(a, b)+0.7 }

// apart is the distance between two colours.
func apart(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// onBase are the shapes of a row whose feet stand on one straight line, which may rise or fall a little, or hang below it.
func onBase(row []*glyph) []*glyph {
	if len(row) < 3 {
		return nil
	}
	slope := slopeOf(row)
	if math.Abs(slope) > 0.3 {
		return nil
	}
	var feet, heights []float64
	for _, g := range row {
		feet = append(feet, float64(foot(g).Y)-slope*float64(foot(g).X))
		heights = append(heights, float64(g.box.Dy()))
	}
	base, high := middle(feet), middle(heights)
	var out []*glyph
	good := 0
	for i, g := range row {
		off := (feet[i] - base) / high
		if math.Abs(off) < 0.1+1.5/high {
			good++
		}
		if off > -0.8 && off < 0.5 {
			out = append(out, g)
		}
	}
	if 10*good < 6*len(row) || good < 3 {
		return nil
	}
	return out
}

// fewLetters is how many shapes are taken for lettering without being of one stroke, of one height or on one straight line.
const fewLetters = 10

// ofOneHand reports whether shapes as high as that, in pixels, vary so little in their strokes or in their heights as letters do. Of
// what is small both are measured coarsely.
func ofOneHand(strokes, heights, high float64) bool {
	if high < 12 {
		return strokes < 0.2 || heights < 0.11
	}
	return strokes < 0.14 || heights < 0.08
}

// unsteady is how many pixels the feet of a row stand off their line, two thirds of them no more than that.
func unsteady(row []*glyph) float64 {
	slope := slopeOf(row)
	feet := make([]float64, len(row))
	for i, g := range row {
		feet[i] = float64(foot(g).Y) - slope*float64(foot(g).X)
	}
	base := middle(feet)
	for i := range feet {
		feet[i] = math.Abs(feet[i] - base)
	}
	slices.Sort(feet)
	return feet[len(feet)*2/3]
}

// slopeOf is by how many pixels the feet of a row go down for each pixel to the right.
func slopeOf(row []*glyph) float64 {
	var slopes []float64
	for i, a := range row {
		for _, b := range row[i+1 : min(len(row), i+12)] {
			if dx := foot(b).X - foot(a).X; dx > 0 {
				slopes = append(slopes, float64(foot(b).Y-foot(a).Y)/float64(dx))
			}
		}
	}
	return middle(slopes)
}

func foot(g *glyph) image.Point { return image.Pt((g.box.Min.X+g.box.Max.X)/2, g.box.Max.Y) }

// isLettering tells a line of letters from other rows of like shapes: windows, fence posts, buttons, folds.
func isLettering(row []*glyph) bool {
	if len(row) < 3 {
		return false
	}
	var wides, highs, strokes, fills, firms []float64
	solid := 0
	for _, g := range row {
		wides = append(wides, float64(g.box.Dx()))
		highs = append(highs, float64(g.box.Dy()))
		strokes = append(strokes, g.stroke)
		fills = append(fills, g.fill)
		firms = append(firms, g.firm)
		if g.fill > 0.8 || float64(g.box.Dx()) < 0.3*float64(g.box.Dy()) {
			solid++
		}
	}
	high := middle(highs)
	box := around(row)
	switch {
	case 2*solid > len(row):
		return false // bars
	case float64(box.Dx()) < 1.2*high:
		return false
	case middleHalf(strokes) > 0.4*middle(strokes)+0.3:
		return false
	case vary(wides) < 0.1 && vary(fills) < 0.1:
		return false // the same thing again and again
	case middle(fills) > 0.78:
		return false
	case len(row) < fewLetters && !ofOneHand(vary(strokes), vary(highs), high) && unsteady(row) > 0.6:
		return false // toes, spots, strands of hair
	}
	switch {
	case len(row) == 3:
		return high >= 24 && middle(firms) > 70 && vary(strokes) < 0.2 && vary(highs) < 0.25
	case len(row) == 4:
		return high >= 20 && middle(firms) > 45
	case len(row) < 7 && high < 16:
		return middle(firms) > 60
	}
	return len(row) > 6 || middle(firms) > 40
}

// whole is the line of a row of letters, with what is too small or too broad for one of its own: dots, commas, letters that
// touch one another.
func whole(img *image.NRGBA, row []*glyph, planes [3]plane) Line {
	var strokes, highs, cuts, firms []float64
	votes := map[[2]int]int{}
	side := func(g *glyph) [2]int {
		if g.bright {
			return [2]int{g.plane, 1}
		}
		return [2]int{g.plane, 0}
	}
	for _, g := range row {
		strokes, highs = append(strokes, g.stroke), append(highs, float64(g.box.Dy()))
		votes[side(g)]++
	}
	best := side(row[0])
	for _, g := range row {
		if votes[side(g)] > votes[best] {
			best = side(g)
		}
	}
	for _, g := range row {
		if side(g) == best {
			cuts, firms = append(cuts, float64(g.cut)), append(firms, g.firm)
		}
	}
	var ink [3]float64
	for k := range ink {
		for _, g := range row {
			ink[k] += g.colour[k] / float64(len(row))
		}
	}
	p, firm := planes[best[0]], middle(firms)
	out := Line{Stroke: middle(strokes), High: middle(highs), Colour: color.NRGBA{uint8(ink[0]), uint8(ink[1]), uint8(ink[2]), 255}}
	taken := map[int]bool{}
	for _, g := range row {
		for _, i := range g.pixels {
			taken[int(i)] = true
		}
	}
	letters := around(row)
	pad := int(0.35*out.High) + 2
	near := image.Rect(letters.Min.X-30*pad, letters.Min.Y-pad, letters.Max.X+30*pad, letters.Max.Y+pad).Intersect(image.Rect(0, 0, p.w, p.h))
	crop := plane{w: near.Dx(), h: near.Dy(), pix: make([]uint8, near.Dx()*near.Dy())}
	for y := range crop.h {
		copy(crop.pix[y*crop.w:(y+1)*crop.w], p.pix[(y+near.Min.Y)*p.w+near.Min.X:])
	}
	l := newLabels(crop.w, crop.h)
	l.cut(crop, int(middle(cuts)))
	var more []glyph
	for _, g := range l.parts(best[1] == 1) {
		g.box = g.box.Add(near.Min)
		if float64(g.box.Dy()) > 1.6*out.High || g.box.Max.Y < letters.Min.Y || g.box.Min.Y > letters.Max.Y {
			continue
		}
		for k, i := range g.pixels {
			g.pixels[k] = int32((int(i)/crop.w+near.Min.Y)*p.w + int(i)%crop.w + near.Min.X)
		}
		if g.colour = colourOf(img, g.pixels); apart(g.colour, ink) > 60 {
			continue
		}
		if weak, rim := g.edge(p, g.shape()); g.firm >= 0.5*firm && 4*weak < 1 && 2*float64(len(g.pixels)) < (1.6*out.Stroke+1.5)*float64(rim) {
			more = append(more, g)
		}
	}
	// The nearest first, so that word after word joins the line.
	slices.SortStableFunc(more, func(a, b glyph) int { return gap(a.box, letters) - gap(b.box, letters) })
	for _, g := range more {
		if float64(gap(g.box, letters)) > 0.8*out.High+2 {
			continue
		}
		letters.Min.X, letters.Max.X = min(letters.Min.X, g.box.Min.X), max(letters.Max.X, g.box.Max.X)
		for _, i := range g.pixels {
			taken[int(i)] = true
		}
	}
	for i := range taken {
		out.Letters = append(out.Letters, i)
		at := image.Pt(i%p.w, i/p.w)
		out.Box = out.Box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	}
	slices.Sort(out.Letters)
	out.Rim = rimOf(planes[0], out)
	return out
}

// rimOf is how far around the letters of a line the picture is lighter or darker than a little farther off: their soft
// edge, outline and shadow. What is compared lies on the same side of the line and near one another, so that a picture that
// is not the same everywhere is no shadow.
func rimOf(p plane, line Line) float64 {
	most := int(0.3*line.High) + 2
	far := most + int(0.2*line.High) + 2
	box := line.Box.Inset(-far - 1).Intersect(image.Rect(0, 0, p.w, p.h))
	letters := mask.New(box.Dx(), box.Dy())
	for _, i := range line.Letters {
		letters.Set(i%p.w-box.Min.X, i/p.w-box.Min.Y, 255)
	}
	tile := int(line.High) + 1
	at := func(i int) (value, key int) {
		x, y := i%box.Dx(), i/box.Dx()
		key = 2 * (x / tile)
		if 2*y > box.Dy() {
			key++
		}
		return int(p.pix[(y+box.Min.Y)*p.w+x+box.Min.X]), key
	}
	// Rings of growing distance, and what lies beyond them.
	rings := make([]mask.Plane, 0, most+2)
	rings = append(rings, letters)
	for r := 1; r <= most; r++ {
		rings = append(rings, letters.Grow(float64(r)))
	}
	beyond := letters.Grow(float64(far))
	sums, counts := make([]int, 2*(box.Dx()/tile+1)), make([]int, 2*(box.Dx()/tile+1))
	for i, v := range beyond.Pix {
		if v != 0 && rings[most].Pix[i] == 0 {
			value, key := at(i)
			sums[key] += value
			counts[key]++
		}
	}
	shade := make([]float64, most+1)
	for r := 1; r <= most; r++ {
		sum, n := 0.0, 0
		for i, v := range rings[r].Pix {
			if v == 0 || rings[r-1].Pix[i] != 0 {
				continue
			}
			if value, key := at(i); counts[key] > 0 {
				sum += float64(value) - float64(sums[key])/float64(counts[key])
				n++
			}
		}
		shade[r] = math.Abs(sum / float64(max(1, n)))
	}
	// It ends where there is none left, or where what is left does not change any more and so is the picture's own.
	for r := 2; r < most-1; r++ {
		if shade[r] < 6 && shade[r+1] < 6 || math.Abs(shade[r]-shade[r+1]) < 1 && math.Abs(shade[r+1]-shade[r+2]) < 1 {
			return float64(r)
		}
	}
	return float64(most)
}

// gap is how many pixels lie between two boxes in a row.
func gap(a, b image.Rectangle) int { return max(0, a.Min.X-b.Max.X, b.Min.X-a.Max.X) }

func around(row []*glyph) (box image.Rectangle) {
	for _, g := range row {
		box = box.Union(g.box)
	}
	return box
}

func middle(values []float64) float64 {
	if len(values) == 0 {
		return math.Inf(1)
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// middleHalf is how far the middle half of values goes.
func middleHalf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)*3/4] - sorted[len(sorted)/4]
}

// vary is by how much values differ, as a share of their mean.
func vary(values []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += v * v
	}
	mean := sum / float64(len(values))
	return math.Sqrt(math.Max(0, squares/float64(len(values))-mean*mean)) / mean
}
