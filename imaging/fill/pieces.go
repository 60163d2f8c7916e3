package fill

import (
	"context"
	"math"
	"slices"

	"atelier/imaging/cut"
)

// pieces is a filling made of few large pieces, each copied from one shift away, with the lines between them where
// they are seen least. What repeats in a picture, as windows and steps do, repeats by few shifts, so that pieces taken from those
// go on where it would (He and Sun, "Statistics of Patch Offsets for Image Completion", 2012; the lines are found by
// the expansion moves of Boykov, Veksler and Zabih, "Fast Approximate Energy Minimization via Graph Cuts", 2001).
type pieces struct {
	*level
	now    []shift   // of hole pixels, where each is copied from
	alone  []float32 // what that costs but for lines between pieces
	copies []int32   // how many hole pixels each of the source is copied to
	whim   map[shift]float32
	random rng
	rough  []bool // what may be regrouped

	// For the shift that is tried, within the part of the canvas where it may be taken:
	part   rect
	taking []bool    // may take it
	apart  []float32 // colour difference of what the pixel shows and would show
	grid   *cut.Grid
}

// shift is a source position minus that on the canvas, in pixels of the level.
type shift struct{ dx, dy int32 }

// rect is a part of the canvas; x1 and y1 lie outside.
type rect struct{ x0, y0, x1, y1 int }

// Prices are sums of absolute colour differences, three channels of 255 steps each.
const (
	nothing   = 400     // to need what the source does not show: more than half of the most a difference can be
	forbidden = 1 << 20 // to show what must not be copied
	atEdge    = 2       // a line along given pixels counts so many times
	edgeDepth = 3       // over so many of them
	ofPlace   = 1.0 / (side * side * 400)
	ofRare    = 4
	ofShy     = 4
	ofLean    = 5
	whimsy    = 1.5 // by how much a seed may make a shift dearer for each pixel

	frequent      = 20 // shifts tried because the filling has them already
	peaks         = 28 // and because the source is like itself there
	finePeaks     = 8
	multiples     = 12 // of which so many multiples
	nudged        = 8  // of the frequent ones, a pixel to each side as well
	fewPixels     = 20 // fewer that may take a shift are not asked
	sweeps        = 2
	wellJoined    = side * side * 3 * 4 * 4 // four steps a channel of difference
	evenly        = 5                       // steps of contrast from which patches of a regular picture show something
	motley        = 15                      // and those of others
	agreeing      = 0.105                   // share of patches, counted in both directions and a pixel around, that makes a picture of 100 px regular
	agreeingFalls = 1.6                     // with the size by this power
	nearestFew    = 15                      // parts of the source's long side within which likenesses do not count
)

var fourSides = [4]struct{ dx, dy, way int }{{1, 0, cut.Right}, {0, 1, cut.Down}, {-1, 0, cut.Left}, {0, -1, cut.Up}}

// regroup makes a solved level, stage k, of large pieces, where those join better than what it has. With wide, shifts are taken from
// the likenesses of the source too, otherwise from the level itself.
func (p *problem) regroup(ctx context.Context, l *level, k int, seed uint64, wide bool) error {
	if l.first < 0 {
		return nil
	}
	s := &pieces{
		level: l, now: make([]shift, len(l.state)), alone: make([]float32, len(l.state)), whim: map[shift]float32{}, random: rng(seed),
		copies: make([]int32, len(l.use)), taking: make([]bool, len(l.state)), apart: make([]float32, len(l.state)), grid: &cut.Grid{},
	}
	s.read()
	scale, n := 1<<k, peaks
	if !wide {
		n = finePeaks
	}
	repeats, regular, err := s.alike(ctx, shift{int32(-p.left / scale), int32(-p.top / scale)}, n, seed)
	if err != nil {
		return err
	}
	if !s.judge(regular) {
		return nil
	}
	list := append(s.used(wide), repeats...)
	for range sweeps {
		s.reckon()
		var again []shift
		for _, one := range list {
			took, err := s.try(ctx, one)
			if err != nil {
				return err
			}
			if took {
				again = append(again, one)
			}
		}
		list = again
	}
	s.write()
	if err := l.price(ctx); err != nil {
		return err
	}
	if err := l.weigh(ctx, false); err != nil {
		return err
	}
	return l.vote(ctx, &sharp)
}

// read takes the shifts of the level's matches.
func (s *pieces) read() {
	w := s.dst.w
	for i, state := range s.state {
		if state != hole {
			continue
		}
		x, y := i%w, i/w
		if j, ok := s.closest(x, y); ok {
			mx, my := s.match[j].xy()
			s.now[i] = shift{int32(mx - j%w), int32(my - j/w)}
		}
		s.count(i, 1)
	}
}

// reckon prices what there is, by how often it is copied now.
func (s *pieces) reckon() {
	for i, state := range s.state {
		if state == hole {
			s.alone[i] = s.price(i%s.dst.w, i/s.dst.w, s.now[i], s.mood(s.now[i]))
		}
	}
}

// count adds to how often it is copied what a hole pixel shows.
func (s *pieces) count(i int, n int32) {
	x, y := i%s.dst.w+int(s.now[i].dx), i/s.dst.w+int(s.now[i].dy)
	if x >= 0 && y >= 0 && x < s.src.w && y < s.src.h {
		s.copies[y*s.src.w+x] += n
	}
}

// contrast is the squared difference of a source patch from its mean.
func (s *pieces) contrast(x, y int) int32 {
	var sum, squares [3]int64
	for dy := -reach; dy <= reach; dy++ {
		i := 4 * ((y+dy)*s.src.w + x - reach)
		for n := range side {
			for k := range 3 {
				v := int64(s.src.pix[i+4*n+k])
				sum[k] += v
				squares[k] += v * v
			}
		}
	}
	var all int64
	for k := range 3 {
		all += squares[k] - sum[k]*sum[k]/(side*side)
	}
	return int32(all)
}

// judge finds what may be regrouped: hole pixels close to patches that show something and do not join well. An even backdrop or a sky
// is left alone, since large pieces of a shade would have to be lit anew. It tells whether there are enough.
func (s *pieces) judge(regular bool) bool {
	structured, away := int32(side*side*3*motley*motley), 2*side
	if regular {
		structured, away = side*side*3*evenly*evenly, 4*side
	}
	w := s.dst.w
	bad := make([]uint8, len(s.state))
	for i, t := range s.target {
		if t != 0 {
			mx, my := s.match[i].xy()
			if s.cost[i]-s.place(i, mx, my) > wellJoined && s.contrast(mx, my) > structured {
				bad[i] = 1
			}
		}
	}
	s.rough = make([]bool, len(bad))
	n := 0
	rows, seen := make([]int, len(bad)), 0
	for y := range s.dst.h {
		for x := range w {
			i := y*w + x
			if bad[i] == 1 {
				seen++
			}
			rows[i] = seen
		}
	}
	for y := range s.dst.h {
		for x := range w {
			i := y*w + x
			if s.state[i] != hole {
				continue
			}
			for d := -away; d <= away && !s.rough[i]; d += side {
				if yy := y + d; yy >= 0 && yy < s.dst.h {
					lo, hi := yy*w+max(0, x-away), yy*w+min(w-1, x+away)
					s.rough[i] = rows[hi]-rows[lo] > 0
				}
			}
			if s.rough[i] {
				n++
			}
		}
	}
	return n >= fewPixels
}

// write gives the level's targets the matches that the pieces stand for.
func (s *pieces) write() {
	w := s.dst.w
	for i, t := range s.target {
		if t == 0 {
			continue
		}
		x, y := i%w, i/w
		if j, ok := s.holeBy(x, y); ok {
			s.match[i] = s.around(x+int(s.now[j].dx), y+int(s.now[j].dy), &s.random)
		}
	}
}

// holeBy is a hole pixel at (x, y) or as close as the patch around it has one.
func (s *pieces) holeBy(x, y int) (int, bool) {
	best, found := side*side, -1
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			px, py := x+dx, y+dy
			if d := dx*dx + dy*dy; d < best && px >= 0 && py >= 0 && px < s.dst.w && py < s.dst.h && s.state[py*s.dst.w+px] == hole {
				best, found = d, py*s.dst.w+px
			}
		}
	}
	return found, found >= 0
}

// used are the shifts that most hole pixels have; unless wide with those beside them, since doubling is true to two pixels only.
func (s *pieces) used(wide bool) []shift {
	count := map[shift]int{}
	for i, state := range s.state {
		if state == hole {
			count[s.now[i]]++
		}
	}
	out := most(count, frequent, 0)
	if wide {
		return out
	}
	for _, o := range out[:min(len(out), nudged)] {
		for _, n := range fourSides {
			if t := (shift{o.dx + int32(n.dx), o.dy + int32(n.dy)}); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// alike are the n shifts by which most of the source is like itself, and their multiples, from where the picture lies (base): what
// repeats within the picture goes on beyond it. It tells too whether so much agrees on one of them that the picture is regular.
func (s *pieces) alike(ctx context.Context, base shift, n int, seed uint64) (list []shift, regular bool, err error) {
	w, h := s.src.w, s.src.h
	like, err := s.likenesses(ctx, max(4, max(w, h)/nearestFew), seed)
	if err != nil {
		return nil, false, err
	}
	count := map[shift]int{}
	all := 0
	for i, m := range like.match {
		if m == nowhere {
			continue
		}
		all++
		x, y := m.xy()
		d := shift{int32(x - i%w), int32(y - i/w)}
		for _, sign := range [2]int32{1, -1} {
			count[shift{sign * d.dx, sign * d.dy}] += 2
			for _, n := range fourSides {
				count[shift{sign*d.dx + int32(n.dx), sign*d.dy + int32(n.dy)}]++
			}
		}
	}
	found := most(count, n, 1)
	if len(found) > 0 {
		regular = float64(count[found[0]]) > agreeing*math.Pow(100/float64(max(w, h)), agreeingFalls)*float64(all)
	}
	wide, high := max(s.dst.w, w), max(s.dst.h, h)
	for _, o := range found {
		for k := int32(1); k <= multiples && abs(int(k*o.dx)) < wide && abs(int(k*o.dy)) < high; k++ {
			if t := (shift{base.dx + k*o.dx, base.dy + k*o.dy}); !slices.Contains(list, t) {
				list = append(list, t)
			}
		}
	}
	return list, regular, nil
}

// most are the n shifts that are counted most, none within apart pixels of another.
func most(count map[shift]int, n, apart int) (out []shift) {
	all := make([]shift, 0, len(count))
	for o := range count {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b shift) int {
		switch {
		case count[a] != count[b]:
			return count[b] - count[a]
		case a.dy != b.dy:
			return int(a.dy - b.dy)
		}
		return int(a.dx - b.dx)
	})
	for _, o := range all {
		if len(out) == n {
			break
		}
		near := func(t shift) bool { return abs(int(t.dx-o.dx)) <= apart && abs(int(t.dy-o.dy)) <= apart }
		if !slices.ContainsFunc(out, near) {
			out = append(out, o)
		}
	}
	return out
}

// shows is what a shift shows at a canvas pixel; nil outside the source.
func (s *pieces) shows(x, y int, o shift) []uint8 {
	x, y = x+int(o.dx), y+int(o.dy)
	if x < 0 || y < 0 || x >= s.src.w || y >= s.src.h {
		return nil
	}
	i := 4 * (y*s.src.w + x)
	return s.src.pix[i : i+3 : i+3]
}

// differ is the colour difference of two pixels, either of which may be none.
func differ(p, q []uint8) float32 {
	if p == nil || q == nil {
		return nothing
	}
	return float32(abs(int(p[0])-int(q[0])) + abs(int(p[1])-int(q[1])) + abs(int(p[2])-int(q[2])))
}

// line is the price of a line between hole pixel (x, y), copied from shift a, and its neighbour (nx, ny), copied from b.
func (s *pieces) line(x, y, nx, ny int, a, b shift) float32 {
	if a == b {
		return 0
	}
	return differ(s.shows(x, y, a), s.shows(x, y, b)) + differ(s.shows(nx, ny, a), s.shows(nx, ny, b))
}

// price is what a shift costs at a hole pixel but for lines between pieces: where it comes from, and how it joins given pixels.
func (s *pieces) price(x, y int, o shift, mood float32) float32 {
	sx, sy := x+int(o.dx), y+int(o.dy)
	if sx < 0 || sy < 0 || sx >= s.src.w || sy >= s.src.h || s.use[sy*s.src.w+sx] == shut {
		return forbidden
	}
	i := y*s.dst.w + x
	nx, ny := s.near[i].xy()
	place := s.across[clamp(abs(sx-nx)-int(s.depth[i]), 0, s.src.w-1)] + s.down[clamp(abs(sy-ny)-int(s.slack[i]), 0, s.src.h-1)]
	if s.rare.cost != nil {
		others := s.copies[sy*s.src.w+sx]
		if s.now[i] == o {
			others--
		}
		place += ofRare * s.rare.again(sx, sy, s.src.w, s.src.h, float64(others))
	}
	if s.lean != nil {
		place += ofLean * s.lean[sx]
	}
	if s.use[sy*s.src.w+sx] == reluctant {
		place += ofShy * shyUnit
	}
	sum := float32(place)*ofPlace + mood
	for _, n := range fourSides {
		for k := 1; k <= edgeDepth; k++ {
			nx, ny := x+k*n.dx, y+k*n.dy
			if nx < 0 || ny < 0 || nx >= s.dst.w || ny >= s.dst.h || s.state[ny*s.dst.w+nx] != known {
				break
			}
			j := 4 * (ny*s.dst.w + nx)
			sum += atEdge * differ(s.shows(nx, ny, o), s.dst.pix[j:j+3])
		}
	}
	return sum
}

// mood is how much dearer the seed makes a shift.
func (s *pieces) mood(o shift) float32 {
	if _, ok := s.whim[o]; !ok {
		s.whim[o] = whimsy * float32(s.random.unit())
	}
	return s.whim[o]
}

// try lets hole pixels take one shift, all those by which the whole costs less; it tells whether any did.
func (s *pieces) try(ctx context.Context, o shift) (bool, error) {
	w := s.dst.w
	s.part = rect{
		max(0, -int(o.dx)), max(0, s.first-reach, -int(o.dy)),
		min(w, s.src.w-int(o.dx)), min(s.dst.h, s.last+reach+1, s.src.h-int(o.dy)),
	}
	r := s.part
	if r.x1-r.x0 < side || r.y1-r.y0 < side {
		return false, nil
	}
	n := 0
	for y := r.y0; y < r.y1; y++ {
		from := (y+int(o.dy))*s.src.w + int(o.dx)
		for x := r.x0; x < r.x1; x++ {
			i := y*w + x
			s.taking[i] = s.rough[i] && s.use[from+x] != shut && s.now[i] != o
			if s.taking[i] {
				s.apart[i] = differ(s.shows(x, y, s.now[i]), s.src.pix[4*(from+x):4*(from+x)+3])
				n++
			}
		}
	}
	if n < fewPixels {
		return false, nil
	}
	mood := s.mood(o)
	s.grid.Shape(r.x1-r.x0, r.y1-r.y0)
	for y := r.y0; y < r.y1; y++ {
		for x := r.x0; x < r.x1; x++ {
			if s.taking[y*w+x] {
				s.ask(x, y, o, mood)
			}
		}
	}
	if err := s.grid.Solve(ctx); err != nil {
		return false, err
	}
	took := false
	for y := r.y0; y < r.y1; y++ {
		for x := r.x0; x < r.x1; x++ {
			if i := y*w + x; s.taking[i] && !s.grid.Keeps(s.grid.Node(x-r.x0, y-r.y0)) {
				s.count(i, -1)
				s.now[i], took = o, true
				s.count(i, 1)
				s.alone[i] = s.price(x, y, o, mood)
			}
		}
	}
	return took, nil
}

// ask states what it costs a hole pixel, and the lines to its neighbours, to take a shift or to keep its own.
func (s *pieces) ask(x, y int, o shift, mood float32) {
	r, i := s.part, y*s.dst.w+x
	node := s.grid.Node(x-r.x0, y-r.y0)
	pull := s.price(x, y, o, mood) - s.alone[i]
	for k, n := range fourSides {
		nx, ny := x+n.dx, y+n.dy
		if nx < 0 || ny < 0 || nx >= s.dst.w || ny >= s.dst.h {
			continue
		}
		j := ny*s.dst.w + nx
		if s.state[j] != hole {
			continue
		}
		if nx < r.x0 || ny < r.y0 || nx >= r.x1 || ny >= r.y1 || !s.taking[j] {
			pull += s.line(x, y, nx, ny, o, s.now[j]) - s.line(x, y, nx, ny, s.now[i], s.now[j])
			continue
		}
		if k > 1 {
			continue // told from the other side
		}
		both := s.apart[i] + s.apart[j]
		if s.now[i] == s.now[j] {
			s.grid.Connect(node, n.way, both)
			continue
		}
		keep := s.line(x, y, nx, ny, s.now[i], s.now[j])
		otherTakes := s.line(x, y, nx, ny, s.now[i], o)
		thisTakes := s.line(x, y, nx, ny, o, s.now[j])
		pull += thisTakes - keep
		s.grid.Pull(s.grid.Next(node, n.way), -thisTakes)
		s.grid.Split(node, n.way, max(0, otherTakes+thisTakes-keep))
	}
	s.grid.Pull(node, pull)
}
