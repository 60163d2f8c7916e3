package smartselect

import (
	"image"
	"math"
)

// solver decides the open pixels of one level so that what speaks for and against keeping them, and the edges between kept and dropped,
// cost least. It solves the cut's convex form with the primal-dual steps of Chambolle and Pock ("A First-Order Primal-Dual Algorithm
// for Convex Problems", 2011): unlike a flow it begins with the answer before, and the nodes need not be a rectangle.
type solver struct {
	l     *level
	at    []int32 // pixel of each node
	fixed []bool  // the node only tells its neighbours what it is

	right, down, left, up []int32 // neighbours; a node's own number when there is none to the right or below, len(at) on the other sides
	edge                  []float32
	score                 []float32 // positive speaks for keeping
	u, ahead              []float32 // how much each is kept, 0 to 1, and extrapolated
	px, py                []float32 // the dual: flow to the right and downwards
}

// newSolver takes the pixels of area for which open says so as nodes, and those beside them as fixed ones.
func newSolver(l *level, area image.Rectangle, open func(x, y int) bool) *solver {
	s := &solver{l: l}
	node := func(i int32, fixed bool) {
		if l.slots[i] < 0 {
			l.slots[i] = int32(len(s.at))
			s.at = append(s.at, i)
			s.fixed = append(s.fixed, fixed)
		}
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if open(x, y) {
				node(int32(y*l.w+x), false)
			}
		}
	}
	w := int32(l.w)
	for n := range s.at {
		i := s.at[n]
		x := i % w
		if x > 0 {
			node(i-1, true)
		}
		if x+1 < w {
			node(i+1, true)
		}
		if i >= w {
			node(i-w, true)
		}
		if i+w < int32(len(l.slots)) {
			node(i+w, true)
		}
	}
	s.link()
	return s
}

// link finds every node's neighbours and frees the level's slots.
func (s *solver) link() {
	l, n := s.l, len(s.at)
	s.right, s.down, s.left, s.up = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	floats := make([]float32, 6*n+2)
	take := func(n int) []float32 {
		out := floats[:n:n]
		floats = floats[n:]
		return out
	}
	s.edge, s.score, s.u, s.ahead = take(n), take(n), take(n), take(n)
	s.px, s.py = take(n+1), take(n+1)
	w := int32(l.w)
	for k, i := range s.at {
		s.right[k], s.down[k], s.left[k], s.up[k] = int32(k), int32(k), int32(n), int32(n)
		x := i % w
		d := 0
		p := l.pix[4*i:]
		if x+1 < w {
			d = difference(p, l.pix[4*i+4:])
			if j := l.slots[i+1]; j >= 0 {
				s.right[k] = j
			}
		}
		if i+w < int32(len(l.slots)) {
			d = max(d, difference(p, l.pix[4*(i+w):]))
			if j := l.slots[i+w]; j >= 0 {
				s.down[k] = j
			}
		}
		if x > 0 {
			if j := l.slots[i-1]; j >= 0 {
				s.left[k] = j
			}
		}
		if i >= w {
			if j := l.slots[i-w]; j >= 0 {
				s.up[k] = j
			}
		}
		s.edge[k] = l.weights[d]
	}
	for _, i := range s.at {
		l.slots[i] = -1
	}
}

// begin sets where the solution starts and what speaks for each open node.
func (s *solver) begin(score func(i int32) float32) {
	for k, i := range s.at {
		s.u[k] = float32(s.l.keep[i])
		s.ahead[k] = s.u[k]
		if !s.fixed[k] {
			s.score[k] = score(i)
		}
	}
}

// solve makes so many steps. smoothness is what an edge costs against the scores.
func (s *solver) solve(steps int, smoothness float64) {
	const sigma, tau = 0.5, 0.25 // their product must not exceed ⅛
	n := len(s.at)
	pull := float32(tau / smoothness)
	for range steps {
		right, down, edge, ahead := s.right[:n], s.down[:n], s.edge[:n], s.ahead[:n]
		px, py := s.px[:n], s.py[:n]
		for k := range right {
			a := ahead[k]
			x := px[k] + sigma*(ahead[right[k]]-a)
			y := py[k] + sigma*(ahead[down[k]]-a)
			if e, long := edge[k], x*x+y*y; long > e*e {
				f := e / float32(math.Sqrt(float64(long)))
				x, y = x*f, y*f
			}
			px[k], py[k] = x, y
		}
		left, up, u, score, fixed := s.left[:n], s.up[:n], s.u[:n], s.score[:n], s.fixed[:n]
		for k := range left {
			if fixed[k] {
				continue
			}
			before := u[k]
			v := before + tau*(px[k]-s.px[left[k]]+py[k]-s.py[up[k]]) + pull*score[k]
			// Not min and max: for a worker they are calls.
			if v < 0 {
				v = 0
			} else if v > 1 {
				v = 1
			}
			u[k], ahead[k] = v, 2*v-before
		}
	}
}

// finish writes the answer into the level.
func (s *solver) finish() {
	for k, i := range s.at {
		if s.fixed[k] {
			continue
		}
		s.l.keep[i] = 0
		if s.u[k] >= 0.5 {
			s.l.keep[i] = 1
		}
	}
}
