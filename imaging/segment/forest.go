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

// forest holds boosted regression trees, one for each class in turn (Friedman, "Greedy Function Approximation: A Gradient Boosting
// Machine", 2001). Every tree is complete: the children of node n are 2n+1 and 2n+2.
type forest struct {
	trees []tree
}

type tree struct {
	feature [treeNodes]uint8
	above   [treeNodes]float32 // goes to the second child when the feature is larger
	leaf    [treeLeaves]float32
}

// peopleWeights is the forest for pictures with people: for each feature its thresholds as little-endian float32; what one step of a
// leaf is worth; then for each tree its features and the numbers of its thresholds, node by node, and its leaves as int8.
// learn_test.go writes it; NOTICE says from what.
//
//go:embed people.weights
var peopleWeights []byte

var peopleForest = sync.OnceValue(func() forest { return readForest(peopleWeights) })

func readForest(b []byte) forest {
	number := func(at int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*at:])) }
	step := number(features * treeSteps)
	b2 := b[4*(features*treeSteps+1):]
	f := forest{trees: make([]tree, len(b2)/(2*treeNodes+treeLeaves))}
	for n := range f.trees {
		t, from := &f.trees[n], b2[n*(2*treeNodes+treeLeaves):]
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

// scores adds the trees up; they are logits of the classes.
func (f forest) scores(x *[features]float32) [classes]float32 {
	var out [classes]float32
	for n := range f.trees {
		out[n%int(classes)] += f.trees[n].value(x)
	}
	return out
}
