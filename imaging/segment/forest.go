package segment

import (
	_ "embed"
	"encoding/binary"
	"math"
	"sync"
)

// class is what a pixel of a picture with people shows.
type class int

const (
	background class = iota
	headClass        // face, hair and what is worn on the head
	skinClass        // bare skin elsewhere
	upperClass       // worn above the waist
	lowerClass       // worn below the waist
	feetClass        // worn on the feet
	heldClass        // bags and other things carried
	classes
)

const (
	treeDepth  = 5
	treeNodes  = 1<<treeDepth - 1
	treeLeaves = 1 << treeDepth
	treeSteps  = 48 // thresholds a feature may have
)

// forest holds boosted regression trees, one for each output in turn (Friedman, "Greedy Function Approximation: A
// Gradient Boosting Machine", 2001). Every tree is complete: the children of node n are 2n+1 and 2n+2.
type forest struct {
	outputs int
	trees   []tree
}

type tree struct {
	feature [treeNodes]uint8
	above   [treeNodes]float32 // goes to the second child when the feature is larger
	leaf    [treeLeaves]float32
}

// The forests: for each feature its thresholds as little-endian float32; what one step of a leaf is worth; then for
// each tree its features and the numbers of its thresholds, node by node, and its leaves as int8. learn_test.go writes
// them; NOTICE says from what.
var (
	// subjectWeights is one output, the logit of being a part of the subject.
	//
	//go:embed subject.weights
	subjectWeights string
	// partsWeights are the classes but background, of what is a person.
	//
	//go:embed parts.weights
	partsWeights string
)

const partClasses = int(classes) - 1

// embedded is a forest of the program, read when it is first asked: programs that never ask do not carry it.
type embedded struct {
	once   sync.Once
	forest forest
}

var subjectTrees, partTrees embedded

func subjectForest() forest { return subjectTrees.read(subjectWeights, 1) }
func partsForest() forest   { return partTrees.read(partsWeights, partClasses) }

func (e *embedded) read(data string, outputs int) forest {
	e.once.Do(func() { e.forest = readForest(data, outputs) })
	return e.forest
}

func readForest(data string, outputs int) forest {
	const size = 2*treeNodes + treeLeaves
	b := []byte(data)
	number := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*at:])) }
	step := number(features * treeSteps)
	rest := b[4*(features*treeSteps+1):]
	f := forest{outputs: outputs, trees: make([]tree, len(rest)/size)}
	for n := range f.trees {
		t, from := &f.trees[n], rest[n*size:]
		for i := range treeNodes {
			t.feature[i] = from[i]
			t.above[i] = number(int(from[i])*treeSteps + int(from[treeNodes+i]))
		}
		for i := range treeLeaves {
			t.leaf[i] = float32(int8(from[2*treeNodes+i])) * step
		}
	}
	return f
}

// value is the answer of one tree.
func (t *tree) value(x *[features]float32) float32 {
	n := 0
	for range treeDepth {
		if x[t.feature[n]] > t.above[n] {
			n = 2*n + 2
		} else {
			n = 2*n + 1
		}
	}
	return t.leaf[n-treeNodes]
}

// logits asks the forest about every pixel of a canvas of w × h, output by output. Where want says so nothing is
// asked, and the logit is otherwise.
func (f forest) logits(v sights, w, h int, want func(row *[features]float32) bool, otherwise float32) [][]float32 {
	small := make([][]float32, f.outputs)
	for c := range small {
		small[c] = make([]float32, len(v.rows))
	}
	spread(len(v.rows), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			asked := want(&v.rows[i])
			for c := range small {
				small[c][i] = otherwise
				if asked {
					small[c][i] = 0
				}
			}
			if !asked {
				continue
			}
			for n := range f.trees {
				small[n%f.outputs][i] += f.trees[n].value(&v.rows[i])
			}
		}
	})
	for c := range small {
		small[c] = scaleField(small[c], v.w, v.h, w, h)
	}
	return small
}

// opinion is the logits of all classes for every pixel of a canvas, class by class; nil when the forests were not
// asked.
type opinion [classes][]float32

// against is the logit of one group of classes against all others. With among, only classes in it count.
func (o opinion) against(group func(c class) bool, among func(c class) bool) []float32 {
	out := make([]float32, len(o[0]))
	spread(len(out), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			yes, no := 1e-9, 1e-9
			for c := range classes {
				switch v := math.Exp(float64(o[c][i])); {
				case group(c):
					yes += v
				case among == nil || among(c):
					no += v
				}
			}
			out[i] = float32(math.Log(yes / no))
		}
	})
	return out
}

// opinionOf asks what each pixel shows, given the logit of its being a part of the subject.
func (s *scene) opinionOf(v sights, subject []float32) (o opinion) {
	const hardly = -4
	want := func(row *[features]float32) bool { return row[2] > hardly || row[5] > hardly }
	parts := partsForest().logits(v, s.cut.w, s.cut.h, want, 0)
	o[background] = make([]float32, len(subject))
	for c := range parts {
		o[c+1] = parts[c]
	}
	// The classes of people share the chance of the subject: their logits are shifted so that all of them together
	// have it.
	spread(len(subject), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.0
			for c := range parts {
				sum += math.Exp(float64(parts[c][i]))
			}
			shift := subject[i] - float32(math.Log(sum))
			for c := range parts {
				parts[c][i] += shift
			}
		}
	})
	return o
}
