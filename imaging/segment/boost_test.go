package segment

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// booster grows a forest from examples whose features are put in steps first.
type booster struct {
	steps   [features][]float32 // thresholds, rising
	binned  [][features]uint8
	truth   []class
	logits  [][classes]float32
	grad    []float32
	curv    []float32
	at      []int32 // node each example stands at
	forest  forest
	numbers [][treeNodes]uint8 // of the thresholds of each tree
}

func newBooster(all []example) *booster {
	b := &booster{binned: make([][features]uint8, len(all)), truth: make([]class, len(all)), logits: make([][classes]float32, len(all))}
	b.grad, b.curv, b.at = make([]float32, len(all)), make([]float32, len(all)), make([]int32, len(all))
	column := make([]float32, len(all))
	for k := range features {
		for i := range all {
			column[i] = all[i].x[k]
		}
		sorted := slices.Clone(column)
		slices.Sort(sorted)
		for n := range treeSteps {
			b.steps[k] = append(b.steps[k], sorted[(n+1)*len(sorted)/(treeSteps+1)])
		}
		for i, v := range column {
			n, _ := slices.BinarySearch(b.steps[k], v)
			b.binned[i][k] = uint8(n) // v is above the thresholds before n
		}
	}
	for i := range all {
		b.truth[i] = all[i].truth
	}
	return b
}

// grow adds a tree for a class, fitted to half of the examples.
func (b *booster) grow(c class, rng *rand.Rand) {
	const rate, ridge, least = 0.25, 4, 1e-3
	for i := range b.truth {
		l := &b.logits[i]
		most, sum := slices.Max(l[:]), 0.0
		for _, v := range l {
			sum += math.Exp(float64(v - most))
		}
		p := float32(math.Exp(float64(l[c]-most)) / sum)
		b.grad[i], b.curv[i] = -p, max(p*(1-p), least)
		if b.truth[i] == c {
			b.grad[i]++
		}
		b.at[i] = 0
	}
	half := make([]bool, len(b.truth))
	for i := range half {
		half[i] = rng.IntN(2) == 0
	}
	var t tree
	var numbers [treeNodes]uint8
	for depth := range treeDepth {
		first, count := 1<<depth-1, 1<<depth
		type sums struct{ g, h float32 }
		hist := make([][features][treeSteps + 1]sums, count)
		for i := range b.truth {
			if !half[i] {
				continue
			}
			h := &hist[int(b.at[i])-first]
			for k, n := range b.binned[i] {
				h[k][n].g += b.grad[i]
				h[k][n].h += b.curv[i]
			}
		}
		for n := range count {
			best := float32(-1)
			for k := range features {
				var all, left sums
				for _, s := range hist[n][k] {
					all.g, all.h = all.g+s.g, all.h+s.h
				}
				for step := range treeSteps {
					left.g, left.h = left.g+hist[n][k][step].g, left.h+hist[n][k][step].h
					g, h := all.g-left.g, all.h-left.h
					if gain := left.g*left.g/(left.h+ridge) + g*g/(h+ridge); gain > best {
						best = gain
						t.feature[first+n], numbers[first+n] = uint8(k), uint8(step)
						t.above[first+n] = b.steps[k][step]
					}
				}
			}
		}
		for i, n := range b.at {
			next := 2*n + 1
			if b.binned[i][t.feature[n]] > numbers[n] {
				next++
			}
			b.at[i] = next
		}
	}
	var g, h [treeLeaves]float32
	for i, n := range b.at {
		if half[i] {
			g[n-treeNodes] += b.grad[i]
			h[n-treeNodes] += b.curv[i]
		}
	}
	for n := range t.leaf {
		t.leaf[n] = min(max(rate*g[n]/(h[n]+ridge), -1), 1)
	}
	for i, n := range b.at {
		b.logits[i][c] += t.leaf[n-treeNodes]
	}
	b.forest.trees = append(b.forest.trees, t)
	b.numbers = append(b.numbers, numbers)
}

// loss is the mean surprise of the examples.
func (b *booster) loss() float64 {
	sum := 0.0
	for i, c := range b.truth {
		all := 0.0
		for _, v := range b.logits[i] {
			all += math.Exp(float64(v))
		}
		sum += math.Log(all) - float64(b.logits[i][c])
	}
	return sum / float64(len(b.truth))
}

// writeForest learns a forest from examples and writes it as readForest reads it.
func writeForest(tb testing.TB, name string, all []example, rounds int) {
	tb.Helper()
	const leafStep = 1.0 / 127
	rng := rand.New(rand.NewPCG(5, 6))
	b := newBooster(all)
	for n := range rounds {
		for c := range classes {
			b.grow(c, rng)
		}
		tb.Logf("round %d: loss %.4f", n, b.loss())
	}
	var out []byte
	for k := range features {
		for _, v := range b.steps[k] {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	out = binary.LittleEndian.AppendUint32(out, math.Float32bits(leafStep))
	for n, t := range b.forest.trees {
		out = append(out, t.feature[:]...)
		out = append(out, b.numbers[n][:]...)
		for _, v := range t.leaf {
			out = append(out, byte(int8(math.Round(float64(v)/leafStep))))
		}
	}
	if err := os.WriteFile(name, out, 0o644); err != nil {
		tb.Fatal(err)
	}
	tb.Logf("%s: %d bytes, %d examples", name, len(out), len(all))
}
