package render

import (
	"image"
	"math"
	"slices"

	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// figure is where a body lies in a picture: rows of shoulders, hips and feet, its middle in each row, and how far trunk and
// arms reach to either side there.
type figure struct {
	unit                float64 // height of the face, or what stands for it
	shoulder, hip, foot float64
	axis                []float64
	trunk, outer        [2][]float64
	joined              [2][]float64 // how far what hangs together with the trunk reaches, arms included
	// legs says that two stand apart, be it only at the feet. Their middle is then that of the gap between them, inner how far it
	// reaches to either side, and hem the row to which each is found.
	legs  bool
	inner [2][]float64
	hem   [2]float64
}

// level is how far down a row lies: 0 at the shoulders, 1 at the hips, 2 at the feet.
func (f figure) level(y float64) float64 {
	if y < f.hip {
		return (y - f.shoulder) / math.Max(1, f.hip-f.shoulder)
	}
	return 1 + (y-f.hip)/math.Max(1, f.foot-f.hip)
}

// row is where a level lies.
func (f figure) row(level float64) float64 {
	if level < 1 {
		return f.shoulder + level*(f.hip-f.shoulder)
	}
	return f.hip + (level-1)*(f.foot-f.hip)
}

// axisAt is the middle in a row.
func (f figure) axisAt(y float64) float64 { return at(f.axis, y) }

// trunkHalf is how far a body's trunk reaches from its middle at a level, at most, in face heights.
func trunkHalf(level float64) float64 {
	switch {
	case level < 0.35:
		return 1.12 - 0.34*smooth(level/0.35)
	case level < 1:
		return 0.78 + 0.1*smooth((level-0.6)/0.4)
	}
	return 0.88 + 0.62*math.Min(1, level-1)
}

// figureOf is the body of a person by their outline and face.
func figureOf(matte mask.Plane, face image.Rectangle) figure {
	return skeletonOf(matte, face, nil).figure(matte)
}

// figure is the body around a skeleton.
func (s skeleton) figure(matte mask.Plane) figure {
	f := figure{unit: math.Max(2, s.head), shoulder: s.bones[boneTorso].to.y, hip: s.bones[boneHips].from.y, foot: s.bones[boneLeftShank].to.y}
	if !s.legs {
		f.foot = f.hip + 3.9*f.unit
	}
	top, low := s.bones[boneTorso].to.x, s.bones[boneHips].from.x
	feet := (s.bones[boneLeftShank].to.x + s.bones[boneRightShank].to.x) / 2
	f.axis = make([]float64, matte.H)
	for y := range f.axis {
		switch l := f.level(float64(y)); {
		case l < 0:
			f.axis[y] = top
		case l < 1:
			f.axis[y] = top + l*(low-top)
		case s.legs:
			f.axis[y] = low + math.Min(1, l-1)*(feet-low)
		default:
			f.axis[y] = low
		}
	}
	f.remeasure(matte)
	return f
}

// remeasure finds how far trunk and arms of a person reach in a plane, which may show only what they wear.
func (f *figure) remeasure(m mask.Plane) {
	f.part(m)
	f.measure(m, 1.9*f.unit, func(level float64) float64 { return f.unit * trunkHalf(level) })
	f.findHems(m)
}

// measure finds how far trunk and arms reach in each row: the trunk up to the first gap and no farther than limit, arms no
// farther than reach.
func (f *figure) measure(m mask.Plane, reach float64, limit func(level float64) float64) {
	for side, sign := range [2]float64{-1, 1} {
		f.trunk[side], f.outer[side], f.joined[side] = make([]float64, m.H), make([]float64, m.H), make([]float64, m.H)
		for y := range m.H {
			level := f.level(float64(y))
			row, most := m.Row(y), limit(level)
			gaps := level > 0.25 && level < 1.05 // between arms and body; between legs there may be one
			trunk, outer, joined, left := 0.0, 0.0, 0.0, false
			for step := 0.0; step < reach; step++ {
				x := int(f.axis[y] + sign*step)
				if x < 0 || x >= m.W {
					break
				}
				if row[x] < mask.Level {
					left = left || gaps && trunk > 0.3*most
					continue
				}
				outer = step + 1
				if joined == 0 || joined == step {
					joined = outer
				}
				if !left && step <= most {
					trunk = step + 1
				}
			}
			f.trunk[side][y], f.outer[side][y], f.joined[side][y] = trunk, outer, joined
		}
		r := max(1, int(f.unit/9))
		f.trunk[side], f.outer[side], f.joined[side] = levelled(f.trunk[side], r), levelled(f.outer[side], r), levelled(f.joined[side], r)
	}
}

// part finds the gap between two legs and leads the middle through it.
func (f *figure) part(m mask.Plane) {
	f.inner = [2][]float64{make([]float64, m.H), make([]float64, m.H)}
	middle, found := make([]float64, m.H), 0
	for y := range m.H {
		middle[y] = math.NaN()
		if level := f.level(float64(y)); level > 1.08 && level < 2 {
			if from, to, ok := gapIn(m.Row(y), f.axis[y], f.unit); ok {
				middle[y], found = float64(from+to)/2, found+1
			}
		}
	}
	f.legs = float64(found) >= math.Max(4, 0.1*f.unit)
	if !f.legs {
		return
	}
	axis := slices.Clone(f.axis)
	last, at := int(f.hip), f.axis[min(m.H-1, max(0, int(f.hip)))]
	for y := max(0, last); y < m.H; y++ {
		next := middle[y]
		if math.IsNaN(next) {
			axis[y] = at
			continue
		}
		for row := max(0, last+1); row <= y; row++ {
			axis[row] = at + (next-at)*float64(row-last)/float64(y-last)
		}
		last, at = y, next
	}
	f.axis = levelled(axis, max(1, int(f.unit/6)))
	for y := range m.H {
		if math.IsNaN(middle[y]) {
			continue
		}
		row := m.Row(y)
		for side, sign := range [2]float64{-1, 1} {
			for step := 0.0; step < 0.7*f.unit; step++ {
				if x := int(f.axis[y] + sign*(step+0.5)); x < 0 || x >= m.W || row[x] >= mask.Level {
					break
				}
				f.inner[side][y] = step + 1
			}
		}
	}
	for side := range f.inner {
		f.inner[side] = median(f.inner[side], max(1, int(f.unit/8)))
	}
}

// gapIn is the widest clear part of a row between two legs, to not included, near the middle of a body.
func gapIn(row []uint8, axis, unit float64) (from, to int, ok bool) {
	low, high := max(0, int(axis-1.6*unit)), min(len(row), int(axis+1.6*unit))
	const clear, leg = 0.04, 0.12 // of unit
	start, was := -1, 0           // of the clear part, and how wide the leg before it is
	for x := low; x < high; {
		end, covered := x, row[x] >= mask.Level
		for end < high && (row[end] >= mask.Level) == covered {
			end++
		}
		switch {
		case !covered:
			if float64(was) >= leg*unit && float64(end-x) >= clear*unit {
				start = x
			}
		case start >= 0 && float64(end-x) >= leg*unit && math.Abs(float64(start+x)/2-axis) < 0.7*unit && x-start > to-from:
			from, to, ok = start, x, true
			fallthrough
		default:
			start, was = -1, end-x
		}
		x = end
	}
	return from, to, ok
}

// findHems finds how far down each leg reaches.
func (f *figure) findHems(m mask.Plane) {
	for side := range f.hem {
		f.hem[side] = f.hip
		for y := max(0, int(f.hip)); y < m.H; y++ {
			if f.trunk[side][y]-f.inner[side][y] > 0.12*f.unit {
				f.hem[side] = float64(y)
			}
		}
	}
}

// fromLeg is the row of a leg that a row of the figure stands for: both reach as far down as the longer.
func (f figure) fromLeg(side int, y float64) float64 {
	longest := math.Max(f.hem[0], f.hem[1]) - f.hip
	own := f.hem[side] - f.hip
	if y <= f.hip || own < 0.55*longest {
		return y
	}
	return f.hip + (y-f.hip)*own/math.Max(1, longest)
}

// clearGround takes the ground out of a cut-out that was taken for cloth between two legs, and measures the legs anew: it has
// the colours beside them instead of theirs. Where cloth has a pattern nothing is taken.
func (f *figure) clearGround(photo, cut *image.NRGBA) {
	lab := func(img *image.NRGBA, x, y int) [3]float64 {
		p := img.Pix[img.PixOffset(x, y):]
		return compose.Lab(p[0], p[1], p[2])
	}
	mean := func(y int, from, to float64, cloth bool) (sum [3]float64, n float64) {
		for x := max(0, int(min(from, to))); x < min(cut.Rect.Dx(), int(max(from, to))); x++ {
			if a := cut.Pix[cut.PixOffset(x, y)+3]; cloth && a >= mask.Level || !cloth && a < 16 {
				n++
				for c, v := range lab(photo, x, y) {
					sum[c] += v
				}
			}
		}
		for c := range sum {
			sum[c] /= math.Max(1, n)
		}
		return sum, n
	}
	far := func(a, b [3]float64) float64 {
		return math.Hypot(0.6*(a[0]-b[0]), math.Hypot(a[1]-b[1], a[2]-b[2]))
	}
	const unlike, plain = 12, 0.12 // of colours, and what share of plain cloth may have others
	for y := max(0, int(f.row(1.2))); y < len(f.axis); y++ {
		for side, sign := range [2]float64{-1, 1} {
			edge := f.trunk[side][y]
			reach := func(share float64) float64 { return f.axis[y] + sign*share*edge }
			tone, n := mean(y, reach(0.5), reach(0.9), true)
			ground, m := mean(y, reach(1), f.axis[y]+sign*(edge+0.5*f.unit), false)
			if n == 0 || m == 0 || far(tone, ground) < unlike {
				continue
			}
			odd := 0.0
			for x := int(min(reach(0.5), reach(0.9))); x < int(max(reach(0.5), reach(0.9))); x++ {
				if x >= 0 && x < cut.Rect.Dx() && far(lab(photo, x, y), tone) > unlike {
					odd++
				}
			}
			if odd > plain*n {
				continue
			}
			for step := 0.0; step < 0.5*edge; step++ {
				x := int(f.axis[y] + sign*(step+0.5))
				if x < 0 || x >= cut.Rect.Dx() {
					break
				}
				if c := lab(photo, x, y); far(c, tone) > unlike && far(c, ground) < far(c, tone) {
					cut.Pix[cut.PixOffset(x, y)+3] = 0
				}
			}
		}
	}
	f.remeasure(compose.Matte(cut))
}

// without is a matte of clothes without what hangs far out at the sides below the hips, as bags do, and without specks.
func (f figure) without(matte mask.Plane) mask.Plane {
	out := matte.Clone()
	for y := range out.H {
		level := f.level(float64(y))
		if level < 0.9 {
			continue
		}
		most := f.unit * (0.86 + 0.3*math.Min(1, level-0.9))
		row := out.Row(y)
		for x := range row {
			d := math.Abs(float64(x) - f.axis[y])
			row[x] = byte255(float64(row[x]) * (1 - smooth((d-most)/(0.1*f.unit))))
		}
	}
	if end := f.bareBelow(out); end < out.H {
		out.FillRect(image.Rect(0, end, out.W, out.H), 0)
	}
	hard := out.Clone()
	hard.Threshold(mask.Level)
	hard.Clean(int(f.unit * f.unit / 3))
	near := hard.Grow(math.Max(1, f.unit/30))
	for i, v := range near.Pix {
		out.Pix[i] = min(out.Pix[i], v)
	}
	return out
}

// bareBelow is the row from which legs are bare for a good way: what is found below is shoes and shadows.
func (f figure) bareBelow(worn mask.Plane) int {
	bare := 0.0
	for y := max(0, int(f.row(1.05))); y < worn.H; y++ {
		if bodyWidth(worn, float64(y), f.axis[y], 0.55*f.unit) < 0.3*f.unit {
			if bare++; bare > 0.2*f.unit {
				return y - int(bare)
			}
			continue
		}
		bare = 0
	}
	return worn.H
}

// hanger is the body that a flat garment would fit: its trunk is as wide as the garment below its sleeves.
func hanger(matte mask.Plane, kind int) figure {
	w, h := float64(matte.W), float64(matte.H)
	// Between sleeves and skirt a garment is as wide as the chest it is made for.
	from, to := 0.4, 0.65
	if kind == wholeGarment {
		from, to = 0.24, 0.36
	}
	var widths []float64
	for y := int(from * h); y < int(to*h)+1; y++ {
		if n := runAround(matte, y, int(w/2)); n > 0.15*w {
			widths = append(widths, n)
		}
	}
	half := w / 2
	if len(widths) > 0 {
		slices.Sort(widths)
		half = widths[len(widths)/2] / 2
	}
	f := figure{unit: half / 0.84, axis: make([]float64, matte.H)}
	middle := middleOf(matte, 0, matte.H, w/2, w/2)
	for y := range f.axis {
		f.axis[y] = middle
	}
	switch kind {
	case lowerGarment:
		f.hip = 0.24 * h
		f.foot = 0.99 * h
		f.shoulder = f.hip - hipsBelow*f.unit
		f.part(matte)
		f.measure(matte, w, func(float64) float64 { return w })
		f.findHems(matte)
		return f
	case wholeGarment:
		f.shoulder = math.Min(0.12*h, 0.28*f.unit)
		f.hip = f.shoulder + math.Min(2.3*f.unit, 0.55*h)
	default:
		f.shoulder = math.Min(0.2*h, 0.28*f.unit)
		f.hip = f.shoulder + math.Max(1.7*f.unit, math.Min(2.5*f.unit, 0.88*h))
	}
	f.foot = f.hip + 3.9*f.unit
	f.measure(matte, w, func(level float64) float64 {
		switch {
		case level > 0.62:
			return w // a skirt is as wide as it is
		case level < 0.1:
			return 1.3 * half
		}
		return half * (1.06 + 0.4*smooth((level-0.45)/0.17))
	})
	return f
}

// runAround is how long the covered run of a row is that holds x; 0 when x is clear.
func runAround(m mask.Plane, y, x int) float64 {
	if y < 0 || y >= m.H || x < 0 || x >= m.W || m.Row(y)[x] < mask.Level {
		return 0
	}
	row := m.Row(y)
	a, b := x, x
	for a > 0 && row[a-1] >= mask.Level {
		a--
	}
	for b+1 < m.W && row[b+1] >= mask.Level {
		b++
	}
	return float64(b - a + 1)
}

// scaled is the figure in a picture that is k times as large and rows high.
func (f figure) scaled(k float64, rows int) figure {
	out := figure{unit: k * f.unit, shoulder: k * f.shoulder, hip: k * f.hip, foot: k * f.foot, legs: f.legs, hem: [2]float64{k * f.hem[0], k * f.hem[1]}}
	take := func(v []float64) []float64 {
		list := make([]float64, rows)
		for y := range list {
			list[y] = k * at(v, (float64(y)+0.5)/k-0.5)
		}
		return list
	}
	out.axis = take(f.axis)
	for side := range f.trunk {
		out.trunk[side], out.outer[side], out.joined[side] = take(f.trunk[side]), take(f.outer[side]), take(f.joined[side])
		if f.legs {
			out.inner[side] = take(f.inner[side])
		}
	}
	return out
}

// at is a value between two rows; the ends go on.
func at(v []float64, y float64) float64 {
	y = math.Max(0, math.Min(float64(len(v)-1), y))
	i := min(int(y), len(v)-2)
	if i < 0 {
		return v[0]
	}
	t := y - float64(i)
	return v[i]*(1-t) + v[i+1]*t
}

// levelled is a row of numbers, each the mean of those up to r away.
func levelled(v []float64, r int) []float64 {
	sums := make([]float64, len(v)+1)
	for i, x := range v {
		sums[i+1] = sums[i] + x
	}
	out := make([]float64, len(v))
	for i := range v {
		a, b := max(0, i-r), min(len(v), i+r+1)
		out[i] = (sums[b] - sums[a]) / float64(b-a)
	}
	return out
}

// median is a row of numbers, each the middle one of those up to r away.
func median(v []float64, r int) []float64 {
	out := make([]float64, len(v))
	var near []float64
	for i := range v {
		near = append(near[:0], v[max(0, i-r):min(len(v), i+r+1)]...)
		slices.Sort(near)
		out[i] = near[len(near)/2]
	}
	return out
}
