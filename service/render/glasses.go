package render

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"atelier/imaging"
	"atelier/imaging/analysis"
	"atelier/imaging/compose"
	"atelier/imaging/mask"
)

// removeGlasses covers the rims, bridge and temples of glasses in every face with the shade of the skin around them.
// All other pixels stay as they are, so items differ only within the covered area.
// ASSUMED [glasses-remover-from-photo]: accounts offer the agent; the documents do not say how it ends without glasses.
func removeGlasses(ctx context.Context, req Request, _ Segmentation) (*image.NRGBA, error) {
	img := worked(req.Source())
	faces, err := analysis.Faces(img)
	if err != nil {
		return nil, fmt.Errorf("find faces: %w", err)
	}
	if len(faces) == 0 {
		return nil, unseen(aFace, 0)
	}
	req.progress(0.1)
	removed := false
	for i, face := range faces {
		l := likeness{img, face, featuresOf(img, face)}
		if !l.wearsGlasses() {
			continue
		}
		gap := frameOf(l).mask(l, req.Item)
		if gap.Empty() {
			continue
		}
		if err := coverFrame(ctx, l, gap, req.vary().random); err != nil {
			return nil, err
		}
		removed = true
		req.progress(0.1 + 0.9*float64(i+1)/float64(len(faces)))
	}
	if !removed {
		return nil, unseen(glasses, 0)
	}
	return img, nil
}

// glassesFrame is the frame of a pair of glasses as traced lines, in the coordinates of the face (features.at).
type glassesFrame [][]frameStation

// frameStation is one place of a traced line: its middle, and half the width of the line there, in eye distances.
type frameStation struct {
	at, normal spot
	half       float64
	dark       bool // whether a dark line runs here
}

// The sizes of frames in eye distances, and shades as shares of the skin's lightness.
// They hold for the drawn portraits and the photographs this was tried with.
const (
	rimStations = 72   // around a lens
	leastShade  = 0.07 // how much darker than both sides a frame is at least
	mostShade   = 0.3  // more does not count, or black rims would outweigh everything
	leastRim    = 0.75 // the share of each rim that has to show
	leastBridge = 0.5
	widestHalf  = 0.13
	templeEnd   = 1.2 // how far from the middle a temple is followed
)

// frameOf traces the frame of a face that wears glasses. It returns none where a rim does not show or dark lenses hide
// both eyes.
func frameOf(l likeness) glassesFrame {
	light := lightOfFace(l)
	if light.hidden(-0.5) && light.hidden(0.5) {
		return nil
	}
	var rims [2][]frameStation
	for i, side := range []float64{-1, 1} {
		rims[i] = light.traced(light.rim(side), 0.12, true)
		if shareDark(rims[i]) < leastRim {
			return nil
		}
	}
	out := glassesFrame{light.bridge(rims[0], rims[1])}
	for i, side := range []float64{-1, 1} {
		closed := append(slices.Clone(rims[i]), rims[i][0])
		out = append(out, closed, light.temple(rims[i], side))
	}
	return out
}

// mask is the frame's place in the picture, with a margin that differs from item to item.
func (g glassesFrame) mask(l likeness, item int) mask.Plane {
	out := mask.New(l.img.Rect.Dx(), l.img.Rect.Dy())
	s := l.at.span()
	margin := [4]float64{0.035, 0.05, 0.042, 0.06}[item%4]
	wide := func(p frameStation) float64 { return 2 * ((p.half+margin)*s + 1) }
	for _, stations := range g {
		for i := 1; i < len(stations); i++ {
			p, q := stations[i-1], stations[i]
			if !p.dark || !q.dark {
				continue
			}
			band := line(wide(p), wide(q), l.at.at(p.at.x, p.at.y), l.at.at(q.at.x, q.at.y))
			band.cover(l.img, func(x, y int, share float64, _ []uint8) {
				if share > 0.2 {
					out.Set(x, y, 255)
				}
			})
		}
	}
	for i := range out.Pix {
		if out.Pix[i] != 0 && l.at.inEye(spot{float64(i%out.W) + 0.5, float64(i/out.W) + 0.5}, 0.2, 0.08) {
			out.Pix[i] = 0
		}
	}
	return out
}

// inEye reports whether a place of the picture lies within an ellipse around an eye, of radii in eye distances.
func (f features) inEye(p spot, rx, ry float64) bool {
	at := f.below(p)
	return math.Hypot((math.Abs(at.x)-0.5)/rx, at.y/ry) < 1
}

// coverFrame fills gap, in place, with the shade that its surroundings have across it and with the grain of the cheeks.
// Eyes and what is as dark as lashes and brows lend no shade.
func coverFrame(ctx context.Context, l likeness, gap mask.Plane, random *rand.Rand) error {
	const dark = 0.55 // of the skin's lightness
	s := l.at.span()
	box := gap.Bounds().Inset(-max(4, int(1.2*s))).Intersect(l.img.Rect)
	part, skin := imaging.Crop(l.img, box), skinTone(l.img, l.face)[0]
	hole, apart := mask.New(box.Dx(), box.Dy()), mask.New(box.Dx(), box.Dy())
	for y := range hole.H {
		copy(hole.Row(y), gap.Row(y + box.Min.Y)[box.Min.X:])
		for x := range hole.W {
			i := part.PixOffset(x, y)
			p := spot{float64(box.Min.X+x) + 0.5, float64(box.Min.Y+y) + 0.5}
			black := compose.Lab(part.Pix[i], part.Pix[i+1], part.Pix[i+2])[0] < dark*skin
			if l.at.inEye(p, 0.28, 0.15) || black && ovalReach(l.at.below(p)) < 1 {
				apart.Set(x, y, 255)
			}
		}
	}
	even, err := spanned(ctx, part, hole, apart)
	if err != nil {
		return err
	}
	soft := compose.Blur(part, max(1, int(s/24)))
	// Grain comes from the cheeks, at a place of each item's own. The nose has lines of its own.
	aside, down := int(0.1*s*(random.Float64()-0.5)), int(s*(0.62+0.12*random.Float64()))
	const nose = 0.32 // eye distances from the middle
	for y := range hole.H {
		for x, v := range hole.Row(y) {
			if v == 0 {
				continue
			}
			to := l.img.Pix[l.img.PixOffset(x+box.Min.X, y+box.Min.Y):][:3]
			dx, dy := x+aside, y+down
			at := l.at.below(spot{float64(box.Min.X + dx), float64(box.Min.Y + dy)})
			grain := image.Pt(dx, dy).In(part.Rect) && math.Abs(at.x) > nose && !hole.Kept(dx, dy) && !apart.Kept(dx, dy)
			for k := range to {
				c := even[y*hole.W+x][k]
				if grain {
					i := part.PixOffset(dx, dy) + k
					c += math.Max(-mostGrain, math.Min(mostGrain, float64(part.Pix[i])-float64(soft.Pix[i])))
				}
				to[k] = byte255(c)
			}
		}
	}
	return nil
}

// mostGrain bounds what is laid over an even shade, in levels: more are lines.
const mostGrain = 6.0

// spanned returns the colours of img with those in hole spanned smoothly between its edges: each is the mean of its
// neighbours (Laplace's equation, solved by successive over-relaxation). Pixels apart are no edge.
func spanned(ctx context.Context, img *image.NRGBA, hole, apart mask.Plane) ([][3]float64, error) {
	const rounds, over = 400, 1.9
	out := make([][3]float64, hole.W*hole.H)
	var mean [3]float64
	n := 0.0
	near := hole.Grow(3)
	for i := range out {
		for k := range 3 {
			out[i][k] = float64(img.Pix[4*i+k])
		}
		if near.Pix[i] != 0 && hole.Pix[i] == 0 && apart.Pix[i] == 0 {
			n++
			for k := range 3 {
				mean[k] += out[i][k]
			}
		}
	}
	var inside []int
	for i, v := range hole.Pix {
		if v == 0 {
			continue
		}
		inside = append(inside, i)
		for k := range 3 {
			out[i][k] = mean[k] / math.Max(1, n)
		}
	}
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		moved := 0.0
		for _, i := range inside {
			var sum [3]float64
			count := 0.0
			for _, step := range [4]int{-1, 1, -hole.W, hole.W} {
				j := i + step
				if j < 0 || j >= len(out) || hole.Pix[j] == 0 && apart.Pix[j] != 0 || step*step == 1 && j/hole.W != i/hole.W {
					continue
				}
				count++
				for k := range 3 {
					sum[k] += out[j][k]
				}
			}
			if count == 0 {
				continue
			}
			for k := range 3 {
				d := over * (sum[k]/count - out[i][k])
				out[i][k] += d
				moved = math.Max(moved, math.Abs(d))
			}
		}
		if moved < 0.05 {
			break
		}
	}
	return out, nil
}

// faceLight is the lightness around the eyes of a face on a grid along the face's own directions.
type faceLight struct {
	w, h int
	pix  []float64
	skin float64 // lightness of the skin
}

// The grid of faceLight: its density, and its first place in eye distances.
const (
	lightCells = 64.0 // per eye distance
	lightLeft  = -1.75
	lightTop   = -1.0
)

// lightOfFace samples the lightness of a face.
func lightOfFace(l likeness) faceLight {
	g := faceLight{w: int(-2 * lightLeft * lightCells), h: int(-2 * lightTop * lightCells)}
	g.skin = skinTone(l.img, l.face)[0]
	g.pix = make([]float64, g.w*g.h)
	s := l.at.span()
	middle := l.at.at(0, 0)
	far := int(2.2*s) + 4
	box := image.Rect(int(middle.x)-far, int(middle.y)-far, int(middle.x)+far, int(middle.y)+far).Intersect(l.img.Rect)
	part := imaging.Crop(l.img, box)
	k := math.Min(1, lightCells/math.Max(1, s)) // fine detail of large faces is averaged
	if k < 1 {
		part = imaging.Resize(part, max(1, int(k*float64(box.Dx()))), max(1, int(k*float64(box.Dy()))))
	}
	kx, ky := float64(part.Rect.Dx())/float64(box.Dx()), float64(part.Rect.Dy())/float64(box.Dy())
	for i := range g.pix {
		p := l.at.at(lightLeft+float64(i%g.w)/lightCells, lightTop+float64(i/g.w)/lightCells)
		c, ok := sampled(part, kx*(p.x-float64(box.Min.X))-0.5, ky*(p.y-float64(box.Min.Y))-0.5)
		g.pix[i] = g.skin
		if ok {
			g.pix[i] = compose.Lab(byte255(c[0]), byte255(c[1]), byte255(c[2]))[0]
		}
	}
	return g
}

// at is the lightness at a place of the face.
func (g faceLight) at(p spot) float64 {
	x := math.Max(0, math.Min(float64(g.w)-1.001, (p.x-lightLeft)*lightCells))
	y := math.Max(0, math.Min(float64(g.h)-1.001, (p.y-lightTop)*lightCells))
	i := int(y)*g.w + int(x)
	u, v := x-math.Floor(x), y-math.Floor(y)
	return (g.pix[i]*(1-u)+g.pix[i+1]*u)*(1-v) + (g.pix[i+g.w]*(1-u)+g.pix[i+g.w+1]*u)*v
}

// hidden reports whether a dark lens lies near the eye at a place across the face. The place is about right only:
// behind such a lens no eye is found.
func (g faceLight) hidden(across float64) bool {
	const dark, most = 0.62, 0.9
	for dy := -0.1; dy < 0.25; dy += 0.1 {
		for dx := -0.1; dx < 0.15; dx += 0.1 {
			n, all := 0.0, 0.0
			for y := -0.17; y <= 0.17; y += 0.02 {
				for x := -0.3; x <= 0.3; x += 0.02 {
					if math.Hypot(x/0.3, y/0.17) < 1 {
						all++
						if g.at(spot{across + dx + x, dy + y}) < dark*g.skin {
							n++
						}
					}
				}
			}
			if n > most*all {
				return true
			}
		}
	}
	return false
}

// shade is how much darker a place is than both sides along a normal, as a share of the skin's lightness, at the
// distance at which it is most.
func (g faceLight) shade(p, normal spot) float64 {
	here, most := g.at(p), 0.0
	for _, d := range [3]float64{0.06, 0.1, 0.16} {
		a, b := g.at(spot{p.x - d*normal.x, p.y - d*normal.y}), g.at(spot{p.x + d*normal.x, p.y + d*normal.y})
		most = math.Max(most, math.Min(a, b)-here)
	}
	return math.Min(mostShade, most/math.Max(1, g.skin))
}

// rim finds the rounded outline around the eye on a side, -1 or 1, along which the face is darkest.
func (g faceLight) rim(side float64) []frameStation {
	var best []frameStation
	most := math.Inf(-1)
	for cx := 0.38; cx < 0.65; cx += 0.04 {
		for cy := -0.08; cy < 0.26; cy += 0.04 {
			for rx := 0.3; rx < 0.6; rx += 0.04 {
				for ry := 0.2; ry < 0.47; ry += 0.04 {
					for _, power := range [2]float64{2, 3.4} {
						lens := lensOutline(spot{side * cx, cy}, rx, ry, power, rimStations/3)
						sum := 0.0
						for _, p := range lens {
							sum += g.shade(p.at, p.normal)
						}
						if sum > most {
							most = sum
							best = lensOutline(spot{side * cx, cy}, rx, ry, power, rimStations)
						}
					}
				}
			}
		}
	}
	return best
}

// lensOutline is an ellipse of n stations, from its lowest place; a power above 2 makes it more like a box.
func lensOutline(c spot, rx, ry, power float64, n int) []frameStation {
	out := make([]frameStation, n)
	for i := range out {
		sin, cos := math.Sincos(math.Pi/2 + 2*math.Pi*float64(i)/float64(n))
		k := math.Pow(math.Pow(math.Abs(cos), power)+math.Pow(math.Abs(sin), power), -1/power)
		nx, ny := cos/rx, sin/ry
		long := math.Hypot(nx, ny)
		out[i] = frameStation{at: spot{c.x + k*rx*cos, c.y + k*ry*sin}, normal: spot{nx / long, ny / long}}
	}
	return out
}

// bridge traces the frame between the rims across the nose.
func (g faceLight) bridge(left, right []frameStation) []frameStation {
	from, to := math.Inf(-1), math.Inf(1)
	for _, p := range left {
		from = math.Max(from, p.at.x)
	}
	for _, p := range right {
		to = math.Min(to, p.at.x)
	}
	var way []frameStation
	for x := from - 0.02; x < to+0.05; x += 0.03 {
		way = append(way, frameStation{at: spot{x, -0.05}, normal: spot{0, 1}})
	}
	if way = g.traced(way, 0.3, false); shareDark(way) < leastBridge {
		return nil
	}
	return way
}

// temple traces the frame from the outermost place of a rim towards the ear, as far as it shows on skin.
func (g faceLight) temple(rim []frameStation, side float64) []frameStation {
	start := slices.MaxFunc(rim, func(a, b frameStation) int { return cmp.Compare(side*a.at.x, side*b.at.x) }).at
	var way []frameStation
	for x := math.Abs(start.x) + 0.02; x < templeEnd; x += 0.03 {
		way = append(way, frameStation{at: spot{side * x, start.y - 0.05}, normal: spot{0, 1}})
	}
	way = g.traced(way, 0.2, false)
	const (
		corner    = 4   // stations at most that the corner of the rim hides
		leastSkin = 0.6 // of the skin's lightness, above or below
	)
	first := slices.IndexFunc(way, func(p frameStation) bool { return p.dark })
	if first < 0 || first > corner {
		return nil
	}
	for i, p := range way[first:] {
		beside := math.Max(g.at(spot{p.at.x, p.at.y - 0.16}), g.at(spot{p.at.x, p.at.y + 0.16}))
		if !p.dark || beside < leastSkin*g.skin {
			return way[first : first+i]
		}
	}
	return way[first:]
}

// traced moves stations along their normals, by at most reach, to the smooth line that is darkest, and measures its
// width.
func (g faceLight) traced(way []frameStation, reach float64, closed bool) []frameStation {
	const step, bend = 0.02, 0.02 // of a move, and the price of moving one step from station to station
	n, m := len(way), int(reach/step)
	if n == 0 {
		return way
	}
	rounds := 1
	if closed {
		rounds = 3 // the middle one begins as it ends
	}
	places := 2*m + 1
	best := make([]float64, places)
	from := make([][]int, rounds*n)
	moved := func(i, j int) spot {
		d := float64(j-m) * step
		return spot{way[i].at.x + d*way[i].normal.x, way[i].at.y + d*way[i].normal.y}
	}
	for i := range from {
		next := make([]float64, places)
		from[i] = make([]int, places)
		for j := range places {
			most := math.Inf(-1)
			for k := max(0, j-2); k <= min(places-1, j+2); k++ {
				if v := best[k] - bend*math.Abs(float64(j-k)); v > most {
					most, from[i][j] = v, k
				}
			}
			next[j] = most + g.shade(moved(i%n, j), way[i%n].normal)
		}
		best = next
	}
	j := 0
	for k, v := range best {
		if v > best[j] {
			j = k
		}
	}
	out := slices.Clone(way)
	for i := len(from) - 1; i >= 0; i-- {
		if i/n == rounds/2 {
			out[i%n].at = moved(i%n, j)
		}
		j = from[i][j]
	}
	g.measure(out)
	return out
}

// measure finds where along a traced line the frame shows, its middle and its width.
func (g faceLight) measure(way []frameStation) {
	var halves []float64
	lows, highs := make([]float64, len(way)), make([]float64, len(way))
	for i := range way {
		p := &way[i]
		shade := g.shade(p.at, p.normal)
		p.dark = shade > leastShade
		edge := g.at(p.at) + shade*g.skin/2
		wide := func(sign float64) float64 {
			d := 0.0
			for d < widestHalf && g.at(spot{p.at.x + sign*d*p.normal.x, p.at.y + sign*d*p.normal.y}) < edge {
				d += 0.005
			}
			return d
		}
		lows[i], highs[i] = wide(-1), wide(1)
		if p.dark {
			halves = append(halves, (lows[i]+highs[i])/2)
		}
	}
	if len(halves) == 0 {
		return
	}
	slices.Sort(halves)
	// Where a brow or a shadow joins the frame, the frame is as wide as elsewhere.
	most := 1.5*halves[len(halves)/2] + 0.01
	for i := range way {
		p := &way[i]
		low, high := math.Min(lows[i], most), math.Min(highs[i], most)
		p.at = spot{p.at.x + (high-low)/2*p.normal.x, p.at.y + (high-low)/2*p.normal.y}
		p.half = (low + high) / 2
	}
	joinDark(way)
}

// joinDark closes short gaps in a traced line, as reflections make them, and drops short pieces.
func joinDark(way []frameStation) {
	const gap, piece = 4, 3
	runs := func(dark bool, longest int) {
		for i := 0; i < len(way); {
			j := i
			for j < len(way) && way[j].dark == dark {
				j++
			}
			if j > i && j-i <= longest && i > 0 && j < len(way) {
				for k := i; k < j; k++ {
					way[k].dark = !dark
				}
			}
			i = max(j, i+1)
		}
	}
	runs(false, gap)
	runs(true, piece)
}

// shareDark is the share of stations at which a dark line runs.
func shareDark(way []frameStation) float64 {
	n := 0.0
	for _, p := range way {
		if p.dark {
			n++
		}
	}
	return n / math.Max(1, float64(len(way)))
}
