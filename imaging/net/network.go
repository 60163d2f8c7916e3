// Package net runs small image networks in the TFLite format: those that find people, faces and joints.
//
// It reads the operators these networks have, with batches of one picture and 32-bit floats; anything else is refused
// when a file is read. The runtimes that exist need cgo (bindings of TensorFlow Lite and ONNX Runtime), or are larger
// than the studio's client for operators that these networks do not have (gomlx, gorgonia).
package net

import (
	"fmt"
	"slices"
)

// Network is a network that was read: its operators in order, with their weights. It is safe for concurrent use.
type Network struct {
	tensors []tensor
	steps   []step
	inputs  []int
	outputs []int
	slots   []int // the sizes of the buffers that tensors share
	scratch int   // the largest tile of a convolution
	work    int   // multiply-adds of a run
}

// tensor is a value of the network: a constant, or what a step computes.
type tensor struct {
	shape    []int
	elements int
	values   []float32 // of a constant
	integers []int     // of a constant that holds sizes
	slot     int       // of a value that is computed
}

// step computes one tensor.
type step interface {
	run(r *Runner)
	reads() []int
	writes() int
}

// Work returns how many multiply-adds one run takes.
func (n *Network) Work() int { return n.work }

// Outputs returns how many outputs the network has.
func (n *Network) Outputs() int { return len(n.outputs) }

// Runner runs a network in buffers of its own, which it allocates once. It is not safe for concurrent use.
type Runner struct {
	net     *Network
	values  [][]float32 // of each tensor
	scratch []float32
}

// NewRunner allocates the buffers for one run at a time.
func (n *Network) NewRunner() *Runner {
	r := &Runner{net: n, values: make([][]float32, len(n.tensors)), scratch: make([]float32, n.scratch)}
	slots := make([][]float32, len(n.slots))
	for i, size := range n.slots {
		slots[i] = make([]float32, size)
	}
	for i, t := range n.tensors {
		if t.values != nil {
			r.values[i] = t.values
		} else if t.slot >= 0 {
			r.values[i] = slots[t.slot][:t.elements]
		}
	}
	return r
}

// Input returns the buffer of an input, rows of pixels with their channels side by side. Fill all of it before each
// Run: the network computes in the same memory.
func (r *Runner) Input(i int) []float32 { return r.values[r.net.inputs[i]] }

// Run computes the outputs from the inputs.
func (r *Runner) Run() {
	for _, s := range r.net.steps {
		s.run(r)
	}
}

// Output returns an output. The next Run overwrites it.
func (r *Runner) Output(i int) []float32 { return r.values[r.net.outputs[i]] }

// fuse moves activations into the step before them when nothing else reads its result, so that a result is read while
// it is in the processor's cache.
func (n *Network) fuse() {
	readers := map[int]int{}
	for _, s := range n.steps {
		for _, t := range s.reads() {
			readers[t]++
		}
	}
	for _, t := range n.outputs {
		readers[t]++
	}
	var out []step
	for _, s := range n.steps {
		if a, ok := s.(*activate); ok && len(out) > 0 && readers[a.in] == 1 {
			if before, ok := out[len(out)-1].(activated); ok && before.writes() == a.in && before.fuse(a) {
				continue
			}
		}
		out = append(out, s)
	}
	n.steps = out
}

// activated is a step that can end with an activation.
type activated interface {
	step
	fuse(a *activate) bool
}

// place gives each computed tensor a buffer, which tensors share that are never needed at once.
func (n *Network) place() error {
	last := make([]int, len(n.tensors))
	for i := range n.tensors {
		n.tensors[i].slot = -1
		last[i] = -1
	}
	for i, s := range n.steps {
		for _, t := range s.reads() {
			last[t] = i
		}
	}
	for _, t := range n.outputs {
		last[t] = len(n.steps)
	}
	var free []int
	take := func(t int) {
		size, best := n.tensors[t].elements, -1
		for i, slot := range free {
			if best < 0 || better(n.slots[slot], n.slots[free[best]], size) {
				best = i
			}
		}
		if best < 0 {
			n.tensors[t].slot = len(n.slots)
			n.slots = append(n.slots, size)
			return
		}
		n.tensors[t].slot = free[best]
		n.slots[free[best]] = max(n.slots[free[best]], size)
		free = slices.Delete(free, best, best+1)
	}
	for _, t := range n.inputs {
		take(t)
	}
	for i, s := range n.steps {
		for _, t := range s.reads() {
			if n.tensors[t].values == nil && n.tensors[t].slot < 0 {
				return fmt.Errorf("net: operator %d reads a tensor that nothing computes", i)
			}
		}
		take(s.writes())
		reads := s.reads()
		slices.Sort(reads)
		for _, t := range slices.Compact(reads) {
			if last[t] == i && n.tensors[t].slot >= 0 {
				free = append(free, n.tensors[t].slot)
			}
		}
		if last[s.writes()] < 0 {
			free = append(free, n.tensors[s.writes()].slot)
		}
	}
	total := 0
	for _, size := range n.slots {
		total += size
	}
	if total > maxElements {
		return fmt.Errorf("net: %d values are needed at once, at most %d are taken", total, maxElements)
	}
	return nil
}

// better reports whether a buffer of size a suits better than one of size b: the smallest that is large enough, else
// the largest.
func better(a, b, size int) bool {
	if a >= size && b >= size {
		return a < b
	}
	return a > b
}
