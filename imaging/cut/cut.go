// Package cut finds minimum cuts of graphs whose nodes are the pixels of a grid.
package cut

import "context"

// Grid is a minimum cut on an 8-connected pixel grid, solved with the two search trees of Boykov and Kolmogorov ("An Experimental
// Comparison of Min-Cut/Max-Flow Algorithms", 2004). The grid carries a border of one node on each side, so that every node has
// eight neighbours by arithmetic and no edge is ever tested for being outside.
type Grid struct {
	w, h   int
	stride int
	off    [8]int32  // node distance per direction; the opposite of direction d is d^1
	caps   []float32 // residual capacity of the arc leaving node i in direction d, at 8*i+d
	term   []float32 // residual terminal capacity: positive from the source, negative to the sink
	parent []int8    // direction to the parent, or one of the marks below
	tree   []int8
	stamp  []int32 // when dist was last known to be right
	dist   []int32 // distance to the terminal
	next   []int32 // list of active nodes; 0 is "not in the list", since node 0 is border

	first, last   int32
	first2, last2 int32
	orphans       []int32
	clock         int32
}

const (
	noParent int8 = -1
	terminal int8 = 8
	orphan   int8 = 9

	freeTree   int8 = 0
	sourceTree int8 = 1
	sinkTree   int8 = 2
)

// New is a grid of w × h pixels without edges and pulls.
func New(w, h int) *Grid {
	g := &Grid{}
	g.Shape(w, h)
	return g
}

// Shape makes g a grid of w × h pixels without edges and pulls; it uses its memory again where that is enough.
func (g *Grid) Shape(w, h int) {
	g.w, g.h, g.stride = w, h, w+2
	s, n := int32(g.stride), g.stride*(h+2)
	g.off = [8]int32{1, -1, s, -s, s + 1, -s - 1, s - 1, -s + 1}
	if cap(g.term) < n {
		g.caps, g.term, g.parent, g.tree = make([]float32, 8*n), make([]float32, n), make([]int8, n), make([]int8, n)
		g.stamp, g.dist, g.next = make([]int32, n), make([]int32, n), make([]int32, n)
	}
	g.caps, g.term, g.parent, g.tree = g.caps[:8*n], g.term[:n], g.parent[:n], g.tree[:n]
	g.stamp, g.dist, g.next = g.stamp[:n], g.dist[:n], g.next[:n]
	g.Reset()
}

// Reset takes all edges and pulls away.
func (g *Grid) Reset() {
	clear(g.caps)
	clear(g.term)
}

// Node is the number of the node at a pixel.
func (g *Grid) Node(x, y int) int32 { return int32((y+1)*g.stride + x + 1) }

// Directions of a node's neighbours; the opposite of direction d is d^1.
const (
	Right = iota
	Left
	Down
	Up
	DownRight
	UpLeft
	DownLeft
	UpRight
)

// Next is the node beside node i in direction d.
func (g *Grid) Next(i int32, d int) int32 { return i + g.off[d] }

// Pull adds to the price of node i not being on the source side; below 0 it is that of being there.
func (g *Grid) Pull(i int32, price float32) { g.term[i] += price }

// Split adds to the price of node i being on the source side while its neighbour in direction d is not.
func (g *Grid) Split(i int32, d int, price float32) { g.caps[8*i+int32(d)] += price }

// Connect sets the price of node i and its neighbour in direction d being on different sides.
func (g *Grid) Connect(i int32, d int, c float32) {
	g.caps[8*i+int32(d)] = c
	g.caps[8*(i+g.off[d])+int32(d^1)] = c
}

// Keeps says, after Solve, whether a node is on the source side.
func (g *Grid) Keeps(i int32) bool { return g.tree[i] == sourceTree }

// Solve finds the sides that cost least; it stops early with the context's error.
func (g *Grid) Solve(ctx context.Context) error {
	g.start()
	var current int32
	for round := 0; ; round++ {
		if round&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i := current
		if i != 0 {
			g.next[i] = 0
			if g.parent[i] == noParent {
				i = 0
			}
		}
		if i == 0 {
			if i = g.nextActive(); i == 0 {
				return nil
			}
		}
		from, d := g.grow(i)
		g.clock++
		if d < 0 {
			current = 0
			continue
		}
		g.next[i] = i // still active: it may reach the other tree again
		current = i
		g.augment(from, d)
		g.adopt()
	}
}

func (g *Grid) start() {
	g.first, g.last, g.first2, g.last2, g.clock = 0, 0, 0, 0, 0
	g.orphans = g.orphans[:0]
	for i := range g.term {
		g.next[i], g.stamp[i] = 0, 0
		switch t := g.term[i]; {
		case t > 0:
			g.tree[i], g.parent[i], g.dist[i] = sourceTree, terminal, 1
			g.activate(int32(i))
		case t < 0:
			g.tree[i], g.parent[i], g.dist[i] = sinkTree, terminal, 1
			g.activate(int32(i))
		default:
			g.tree[i], g.parent[i] = freeTree, noParent
		}
	}
}

func (g *Grid) activate(i int32) {
	if g.next[i] != 0 {
		return
	}
	if g.last2 != 0 {
		g.next[g.last2] = i
	} else {
		g.first2 = i
	}
	g.last2 = i
	g.next[i] = i
}

func (g *Grid) nextActive() int32 {
	for {
		i := g.first
		if i == 0 {
			g.first, g.last = g.first2, g.last2
			g.first2, g.last2 = 0, 0
			if i = g.first; i == 0 {
				return 0
			}
		}
		if g.next[i] == i {
			g.first, g.last = 0, 0
		} else {
			g.first = g.next[i]
		}
		g.next[i] = 0
		if g.parent[i] != noParent {
			return i
		}
	}
}

// grow extends the tree of i by its free neighbours and returns an arc from the source's tree into the sink's tree, or -1.
func (g *Grid) grow(i int32) (from int32, d int32) {
	mine := g.tree[i]
	for d := range int32(8) {
		j := i + g.off[d]
		var c float32
		if mine == sourceTree {
			c = g.caps[8*i+d]
		} else {
			c = g.caps[8*j+d^1]
		}
		if c <= 0 {
			continue
		}
		switch {
		case g.parent[j] == noParent:
			g.tree[j], g.parent[j] = mine, int8(d^1)
			g.stamp[j], g.dist[j] = g.stamp[i], g.dist[i]+1
			g.activate(j)
		case g.tree[j] != mine:
			if mine == sourceTree {
				return i, d
			}
			return j, d ^ 1
		case g.stamp[j] <= g.stamp[i] && g.dist[j] > g.dist[i]:
			g.parent[j] = int8(d ^ 1)
			g.stamp[j], g.dist[j] = g.stamp[i], g.dist[i]+1
		}
	}
	return 0, -1
}

// augment pushes the bottleneck along source → from → (d) → sink.
func (g *Grid) augment(from, d int32) {
	to := from + g.off[d]
	flow := g.caps[8*from+d]
	i := from
	for g.parent[i] != terminal {
		p := int32(g.parent[i])
		j := i + g.off[p]
		flow = min(flow, g.caps[8*j+p^1])
		i = j
	}
	flow = min(flow, g.term[i])
	i = to
	for g.parent[i] != terminal {
		p := int32(g.parent[i])
		flow = min(flow, g.caps[8*i+p])
		i += g.off[p]
	}
	flow = min(flow, -g.term[i])

	g.caps[8*from+d] -= flow
	g.caps[8*to+d^1] += flow
	i = from
	for g.parent[i] != terminal {
		p := int32(g.parent[i])
		j := i + g.off[p]
		g.caps[8*i+p] += flow
		g.caps[8*j+p^1] -= flow
		if g.caps[8*j+p^1] <= 0 {
			g.disown(i)
		}
		i = j
	}
	if g.term[i] -= flow; g.term[i] <= 0 {
		g.disown(i)
	}
	i = to
	for g.parent[i] != terminal {
		p := int32(g.parent[i])
		j := i + g.off[p]
		g.caps[8*j+p^1] += flow
		g.caps[8*i+p] -= flow
		if g.caps[8*i+p] <= 0 {
			g.disown(i)
		}
		i = j
	}
	if g.term[i] += flow; g.term[i] >= 0 {
		g.disown(i)
	}
}

func (g *Grid) disown(i int32) {
	g.parent[i] = orphan
	g.orphans = append(g.orphans, i)
}

// adopt finds every orphan a new parent with a path to its terminal, or sets it free.
func (g *Grid) adopt() {
	for head := 0; head < len(g.orphans); head++ {
		i := g.orphans[head]
		mine := g.tree[i]
		best, bestDist := noParent, int32(1<<30)
		for d := range int32(8) {
			j := i + g.off[d]
			if g.tree[j] != mine || g.parent[j] == noParent || g.toward(mine, i, j, d) <= 0 {
				continue
			}
			if n := g.trace(j); n < bestDist {
				best, bestDist = int8(d), n
			}
		}
		g.parent[i] = best
		if best != noParent {
			g.stamp[i], g.dist[i] = g.clock, bestDist+1
			continue
		}
		g.tree[i] = freeTree
		for d := range int32(8) {
			j := i + g.off[d]
			if g.tree[j] != mine || g.parent[j] == noParent {
				continue
			}
			if g.toward(mine, i, j, d) > 0 {
				g.activate(j)
			}
			if p := g.parent[j]; p != terminal && p != orphan && j+g.off[p] == i {
				g.disown(j)
			}
		}
	}
	g.orphans = g.orphans[:0]
}

// toward is the residual capacity that would carry flow through j to i (source tree) or from i through j (sink tree).
func (g *Grid) toward(tree int8, i, j, d int32) float32 {
	if tree == sourceTree {
		return g.caps[8*j+d^1]
	}
	return g.caps[8*i+d]
}

// trace walks from j to its terminal and returns the distance, or a huge number when the path ends in an orphan.
func (g *Grid) trace(j int32) int32 {
	const lost = 1 << 30
	n, k := int32(0), j
	for {
		if g.stamp[k] == g.clock {
			n += g.dist[k]
			break
		}
		p := g.parent[k]
		n++
		if p == terminal {
			g.stamp[k], g.dist[k] = g.clock, 1
			break
		}
		if p == orphan || p == noParent {
			return lost
		}
		k += g.off[p]
	}
	total := n
	for k = j; g.stamp[k] != g.clock; k += g.off[g.parent[k]] {
		g.stamp[k], g.dist[k] = g.clock, n
		n--
	}
	return total
}
