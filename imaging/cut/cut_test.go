package cut

import (
	"math"
	"math/rand/v2"
	"testing"
)

// edge is the price of two neighbours being on different sides: from when the first alone is on the source side, to when the other is.
type edge struct {
	x, y, way int
	from, to  float32
}

func TestTheSidesFoundCostLeast(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	step := map[int][2]int{Right: {1, 0}, Down: {0, 1}, DownRight: {1, 1}, DownLeft: {-1, 1}}
	g := New(1, 1)
	for range 60 {
		w, h := 2+random.IntN(3), 2+random.IntN(2)
		pulls := make([]float32, w*h)
		var edges []edge
		g.Shape(w, h)
		for y := range h {
			for x := range w {
				pulls[y*w+x] = 8*random.Float32() - 4
				g.Pull(g.Node(x, y), pulls[y*w+x])
				for way, d := range step {
					if nx, ny := x+d[0], y+d[1]; nx < 0 || nx >= w || ny >= h {
						continue
					}
					e := edge{x, y, way, 3 * random.Float32(), 3 * random.Float32()}
					edges = append(edges, e)
					g.Split(g.Node(x, y), way, e.from)
					g.Split(g.Next(g.Node(x, y), way), way^1, e.to)
				}
			}
		}
		price := func(keeps func(x, y int) bool) (sum float64) {
			for i, p := range pulls {
				if keeps(i%w, i/w) {
					sum += float64(max(0, -p))
				} else {
					sum += float64(max(0, p))
				}
			}
			for _, e := range edges {
				here, there := keeps(e.x, e.y), keeps(e.x+step[e.way][0], e.y+step[e.way][1])
				if here && !there {
					sum += float64(e.from)
				} else if there && !here {
					sum += float64(e.to)
				}
			}
			return sum
		}
		least := math.Inf(1)
		for sides := range 1 << (w * h) {
			least = min(least, price(func(x, y int) bool { return sides>>(y*w+x)&1 == 1 }))
		}
		if err := g.Solve(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := price(func(x, y int) bool { return g.Keeps(g.Node(x, y)) }); got > least+1e-3 {
			t.Fatalf("%d × %d: the sides found cost %.3f, the best %.3f", w, h, got, least)
		}
	}
}
