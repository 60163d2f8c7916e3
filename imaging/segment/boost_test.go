package segment

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
)

// example is one pixel to learn from.
type example struct {
	x     [features]float32
	truth uint8 // of the outputs; with one output 1 is yes
}

// booster grows a forest from examples whose features are put in steps first. With one output it is a logistic
// regression, with more each output is the logit of a class.
type booster struct {
	steps   [features][]float32 // thresholds, rising
	binned  [][features]uint8
	truth   []uint8
	logits  []float32 // outputs of each example
	grad    []float32
	curv    []float32
	at      []int32 // node each example stands at
	forest  forest
	numbers [][treeNodes]uint8 // of the thresholds of each tree
}

func newBooster(all []example, outputs int) *booster {
	b := &booster{
		binned: make(
			[][features]uint8,
			len(all),
		), truth: make([]uint8, len(all)), logits: make([]float32, outputs*len(all)),
	}
	b.grad, b.curv, b.at = make([]float32, len(all)), make([]float32, len(all)), make([]int32, len(all))
	b.forest.outputs = outputs
	var columns sync.WaitGroup
	for k := range features {
		columns.Go(func() {
			column := make([]float32, len(all))
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
		})
	}
	columns.Wait()
	for i := range all {
		b.truth[i] = all[i].truth
	}
	return b
}

// chance is what the forest so far gives an example for an output.
func (b *booster) chance(i, output int) float32 {
	n := b.forest.outputs
	l := b.logits[i*n:][:n]
	if n == 1 {
		return float32(1 / (1 + math.Exp(-float64(l[0]))))
	}
	most, sum := slices.Max(l), 0.0
	for _, v := range l {
		sum += math.Exp(float64(v - most))
	}
	return float32(math.Exp(float64(l[output]-most)) / sum)
}

// is reports whether an output is the truth of an example.
func (b *booster) is(i, output int) bool {
	if b.forest.outputs == 1 {
		return b.truth[i] == 1
	}
	return int(b.truth[i]) == output
}

type sums struct{ g, h float32 }

// grow adds a tree for an output, fitted to half of the examples.
func (b *booster) grow(output int, rng *rand.Rand) {
	const rate, ridge, least = 0.25, 4, 1e-3
	half := make([]bool, len(b.truth))
	for i := range b.truth {
		p := b.chance(i, output)
		b.grad[i], b.curv[i], b.at[i] = -p, max(p*(1-p), least), 0
		if b.is(i, output) {
			b.grad[i]++
		}
		half[i] = rng.IntN(2) == 0
	}
	var t tree
	var numbers [treeNodes]uint8
	for depth := range treeDepth {
		first, count := 1<<depth-1, 1<<depth
		hist := b.histograms(half, first, count)
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
	var leaves [treeLeaves]sums
	for i, n := range b.at {
		if half[i] {
			leaves[n-treeNodes].g += b.grad[i]
			leaves[n-treeNodes].h += b.curv[i]
		}
	}
	for n, s := range leaves {
		t.leaf[n] = min(max(rate*s.g/(s.h+ridge), -1), 1)
	}
	for i, n := range b.at {
		b.logits[i*b.forest.outputs+output] += t.leaf[n-treeNodes]
	}
	b.forest.trees = append(b.forest.trees, t)
	b.numbers = append(b.numbers, numbers)
}

// histograms adds the examples up by node, feature and step, half of the features on each processor.
func (b *booster) histograms(half []bool, first, count int) [][features][treeSteps + 1]sums {
	hist := make([][features][treeSteps + 1]sums, count)
	var parts sync.WaitGroup
	for part := range 2 {
		parts.Go(func() {
			for i := range half {
				if !half[i] {
					continue
				}
				h := &hist[int(b.at[i])-first]
				for k := part * features / 2; k < (part+1)*features/2; k++ {
					s := &h[k][b.binned[i][k]]
					s.g += b.grad[i]
					s.h += b.curv[i]
				}
			}
		})
	}
	parts.Wait()
	return hist
}

// loss is the mean surprise of the examples.
func (b *booster) loss() float64 {
	sum := 0.0
	for i := range b.truth {
		p := b.chance(i, int(b.truth[i]))
		if b.forest.outputs == 1 && b.truth[i] == 0 {
			p = 1 - p
		}
		sum -= math.Log(float64(p) + 1e-9)
	}
	return sum / float64(len(b.truth))
}

// writeForest learns a forest from examples and writes it as readForest reads it.
func writeForest(tb testing.TB, name string, all []example, outputs, rounds int) {
	tb.Helper()
	const leafStep = 1.0 / 127
	rng := rand.New(rand.NewPCG(5, 6))
	b := newBooster(all, outputs)
	for range rounds {
		for c := range outputs {
			b.grow(c, rng)
		}
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
	tb.Logf("%s: %d bytes, %d examples, loss %.4f", name, len(out), len(all), b.loss())
}
