package net

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// What a file may hold at most: the largest network that the studio uses has about 150 steps and 386 million
// multiply-adds.
const (
	maxElements  = 1 << 24 // of all values that are kept at once
	maxOperators = 1 << 12
	maxWork      = 1 << 32 // multiply-adds
	maxRank      = 4
	maxOperands  = 16
)

// The operators, types and paddings of the TFLite schema (tensorflow/lite/schema/schema.fbs).
const (
	opAdd            = 0
	opAveragePool    = 1
	opConv           = 3
	opDepthwise      = 4
	opDequantize     = 6
	opLogistic       = 14
	opMaxPool        = 17
	opMul            = 18
	opRelu           = 19
	opRelu6          = 21
	opReshape        = 22
	opResizeBilinear = 23
	opCustom         = 32
	opPad            = 34
	opPrelu          = 54
	opHardSwish      = 117

	// transposeBias is a custom operator of MediaPipe: a transposed convolution with a bias.
	transposeBias = "Convolution2DTransposeBias"

	typeFloat32, typeFloat16, typeInt32 = 0, 1, 2

	identifier = "TFL3" // at byte 4 of the file
)

// reader turns a file into a Network.
type reader struct {
	*buffer
	net     *Network
	buffers []table
	codes   []table
}

// Read reads a .tflite file. It refuses operators and types that this package does not have, and sizes that do not
// fit together.
func Read(data []byte) (*Network, error) {
	if len(data) < 8 || string(data[4:8]) != identifier {
		return nil, errors.New("net: not a TFLite file")
	}
	r := &reader{buffer: &buffer{data: data}, net: &Network{}}
	model := r.table(r.indirect(0))
	r.codes, r.buffers = model.tables(1), model.tables(4)
	graphs := model.tables(2)
	if r.err != nil {
		return nil, r.err
	}
	if len(graphs) != 1 {
		return nil, fmt.Errorf("net: %d graphs, want one", len(graphs))
	}
	if err := r.graph(graphs[0]); err != nil {
		return nil, err
	}
	r.net.fuse()
	if err := r.net.place(); err != nil {
		return nil, err
	}
	return r.net, nil
}

func (r *reader) graph(g table) error {
	n := r.net
	for i, t := range g.tables(0) {
		if err := r.tensor(t); err != nil {
			return fmt.Errorf("net: tensor %d: %w", i, err)
		}
	}
	n.inputs, n.outputs = g.ints(1), g.ints(2)
	operators := g.tables(3)
	if r.err != nil {
		return r.err
	}
	for _, t := range slices.Concat(n.inputs, n.outputs) {
		if t < 0 || t >= len(n.tensors) {
			return fmt.Errorf("net: there is no tensor %d", t)
		}
	}
	if len(n.inputs) == 0 || len(n.outputs) == 0 || len(operators) > maxOperators {
		return fmt.Errorf("net: %d inputs, %d outputs, %d operators", len(n.inputs), len(n.outputs), len(operators))
	}
	computed := make([]bool, len(n.tensors))
	for _, t := range n.inputs {
		if n.tensors[t].values != nil || computed[t] {
			return fmt.Errorf("net: input %d is a constant or given twice", t)
		}
		computed[t] = true
	}
	for i, o := range operators {
		s, err := r.operator(o)
		switch {
		case r.err != nil:
			return r.err
		case err != nil:
			return fmt.Errorf("net: operator %d: %w", i, err)
		case s == nil: // a constant, converted
			continue
		}
		if t := s.writes(); computed[t] || n.tensors[t].values != nil {
			return fmt.Errorf("net: operator %d computes a tensor again", i)
		}
		computed[s.writes()] = true
		n.steps = append(n.steps, s)
		if n.work > maxWork {
			return fmt.Errorf("net: more than %d multiply-adds", maxWork)
		}
	}
	for _, t := range n.outputs {
		if !computed[t] {
			return fmt.Errorf("net: nothing computes output %d", t)
		}
	}
	return nil
}

// tensor adds a tensor, with its values when it is a constant.
func (r *reader) tensor(t table) error {
	out := tensor{shape: t.ints(0), elements: 1}
	if len(out.shape) > maxRank {
		return fmt.Errorf("%d dimensions, at most %d are taken", len(out.shape), maxRank)
	}
	for _, d := range out.shape {
		if d < 1 || d > maxElements/out.elements {
			return fmt.Errorf("shape %v", out.shape)
		}
		out.elements *= d
	}
	index := t.int(2, 0)
	if index < 0 || index >= len(r.buffers) {
		return fmt.Errorf("there is no buffer %d", index)
	}
	raw := r.buffers[index].bytes(0)
	kind := t.byte(1)
	size := map[uint8]int{typeFloat32: 4, typeFloat16: 2, typeInt32: 4}[kind]
	switch {
	case r.err != nil:
		return r.err
	case size == 0:
		return fmt.Errorf("type %d of values is not read", kind)
	case len(raw) > 0 && t.field(6) != 0:
		return errors.New("sparse values are not read")
	case len(raw) > 0 && len(raw) != size*out.elements:
		return fmt.Errorf("%d bytes of values for shape %v", len(raw), out.shape)
	case len(raw) == 0:
	case kind == typeInt32:
		for i := range out.elements {
			out.integers = append(out.integers, int(int32(binary.LittleEndian.Uint32(raw[4*i:]))))
		}
	default:
		out.values = make([]float32, out.elements)
		for i := range out.values {
			if kind == typeFloat16 {
				out.values[i] = float16(binary.LittleEndian.Uint16(raw[2*i:]))
			} else {
				out.values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
		}
	}
	r.net.tensors = append(r.net.tensors, out)
	return nil
}

// operands are the tensors of an operator and its options.
type operands struct {
	*reader
	in      []int
	out     int
	options table
}

// shape returns batch, height, width and channels of an input; missing ones in front are 1.
func (r *reader) shape(t int) (s [4]int) {
	s = [4]int{1, 1, 1, 1}
	shape := r.net.tensors[t].shape
	copy(s[4-len(shape):], shape)
	return s
}

// operator returns the step of an operator, or nil when it converts a constant.
func (r *reader) operator(t table) (step, error) {
	index := t.int(0, 0)
	if index < 0 || index >= len(r.codes) {
		return nil, fmt.Errorf("there is no operator %d", index)
	}
	in, out := t.ints(1), t.ints(2)
	if len(in) == 0 || len(in) > maxOperands || len(out) != 1 {
		return nil, fmt.Errorf("%d inputs and %d outputs", len(in), len(out))
	}
	for _, i := range append(slices.Clone(in), out[0]) {
		if i < 0 || i >= len(r.net.tensors) {
			return nil, fmt.Errorf("there is no tensor %d", i)
		}
	}
	o := operands{r, in, out[0], t.sub(4)}
	// Codes above 127 are in a field of their own, which older files leave out.
	code := max(r.codes[index].int(3, 0), int(int8(r.codes[index].byte(0))))
	wanted, known := map[int]int{opConv: 3, opDepthwise: 3, opCustom: 3, opAdd: 2, opMul: 2, opPad: 2, opPrelu: 2}[code]
	if known && len(in) != wanted {
		return nil, fmt.Errorf("%d inputs, want %d", len(in), wanted)
	}
	switch code {
	case opDequantize:
		return nil, o.dequantize()
	case opConv:
		return o.conv()
	case opDepthwise:
		return o.depthwise()
	case opAveragePool, opMaxPool:
		return o.pool(code == opMaxPool)
	case opAdd, opMul:
		return o.combine(code == opMul)
	case opPad:
		return o.pad()
	case opPrelu:
		return o.prelu()
	case opReshape:
		return o.reshape()
	case opResizeBilinear:
		return o.resize()
	case opLogistic, opRelu, opRelu6, opHardSwish:
		kind := map[int]activation{opLogistic: sigmoid, opRelu: relu, opRelu6: relu6, opHardSwish: hardSwish}[code]
		return &activate{unary{o.in[0], o.out}, kind}, o.sameSize()
	case opCustom:
		if name := string(r.codes[index].bytes(1)); name != transposeBias {
			return nil, fmt.Errorf("custom operator %q is not read", name)
		}
		return o.transpose(t.bytes(5))
	}
	return nil, fmt.Errorf("operator code %d is not read", code)
}

// dequantize hands half precision constants on as what they are here already: 32-bit floats.
func (o operands) dequantize() error {
	from, to := &o.net.tensors[o.in[0]], &o.net.tensors[o.out]
	if from.values == nil || from.elements != to.elements || to.values != nil {
		return errors.New("only constants are converted")
	}
	to.values = from.values
	return nil
}

func (o operands) sameSize() error {
	if from, to := o.net.tensors[o.in[0]].elements, o.net.tensors[o.out].elements; from != to {
		return fmt.Errorf("%d values in, %d out", from, to)
	}
	return nil
}

// constant returns the values of an input that must be a constant with so many elements.
func (o operands) constant(i, elements int) ([]float32, error) {
	t := o.net.tensors[o.in[i]]
	if t.values == nil || t.elements != elements {
		return nil, fmt.Errorf("input %d is no constant of %d values", i, elements)
	}
	return t.values, nil
}

// activationOf returns the activation that an operator ends with.
func (o operands) activationOf(field int) (activation, error) {
	switch kind := o.options.byte(field); kind {
	case 0:
		return linear, nil
	case 1:
		return relu, nil
	case 3:
		return relu6, nil
	default:
		return linear, fmt.Errorf("activation %d is not read", kind)
	}
}
