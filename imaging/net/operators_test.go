package net

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// random returns n values between -1 and 1.
func random(rng *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = 2*rng.Float32() - 1
	}
	return out
}

// compute runs one step on a tensor.
func compute(s step, in []float32, size, scratch int) []float32 {
	r := &Runner{values: [][]float32{in, make([]float32, size)}, scratch: make([]float32, scratch)}
	s.run(r)
	return r.values[1]
}

func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i, v := range want {
		if math.Abs(float64(got[i]-v)) > 1e-4 {
			t.Errorf("%s: value %d is %g, want %g", what, i, got[i], v)
			return
		}
	}
}

// windows are convolutions of many kinds; fit decides their padding and the size of the result.
func windows() (all []window) {
	for _, k := range [][2]int{{1, 1}, {3, 3}, {5, 3}, {2, 4}} {
		for _, stride := range []int{1, 2, 3} {
			for _, dilation := range []int{1, 2} {
				for _, size := range [][2]int{{9, 7}, {8, 8}} {
					all = append(all, window{
						inH: size[0], inW: size[1], inC: 5, kernelH: k[0], kernelW: k[1],
						strideH: stride, strideW: stride,
						dilationH: dilation, dilationW: dilation,
					})
				}
			}
		}
	}
	return all
}

// sized sets the size of the result that the schema's rule gives.
func sized(w window, padding uint8) (window, bool) {
	spanH, spanW := (w.kernelH-1)*w.dilationH+1, (w.kernelW-1)*w.dilationW+1
	w.outH, w.outW = (w.inH+w.strideH-1)/w.strideH, (w.inW+w.strideW-1)/w.strideW
	if padding == paddingValid {
		w.outH, w.outW = (w.inH-spanH+w.strideH)/w.strideH, (w.inW-spanW+w.strideW)/w.strideW
	}
	return w, w.fit(padding) == nil
}

// direct computes a convolution as its definition says; a nil kernel of other channels makes it depthwise.
func direct(w window, in, kernel, bias []float32, depthwise bool) []float32 {
	out := make([]float32, 0, w.outH*w.outW*w.outC)
	for y := range w.outH {
		for x := range w.outW {
			for o := range w.outC {
				sum := bias[o]
				for ky := range w.kernelH {
					for kx := range w.kernelW {
						py, px := y*w.strideH-w.top+ky*w.dilationH, x*w.strideW-w.left+kx*w.dilationW
						if py < 0 || px < 0 || py >= w.inH || px >= w.inW {
							continue
						}
						pixel := in[(py*w.inW+px)*w.inC:][:w.inC]
						if depthwise {
							sum += pixel[o] * kernel[(ky*w.kernelW+kx)*w.inC+o]
							continue
						}
						for c, v := range pixel {
							sum += v * kernel[((o*w.kernelH+ky)*w.kernelW+kx)*w.inC+c]
						}
					}
				}
				out = append(out, sum)
			}
		}
	}
	return out
}

func TestConvolutions(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for _, w := range windows() {
		for _, padding := range []uint8{paddingSame, paddingValid} {
			w, ok := sized(w, padding)
			if !ok {
				continue
			}
			checked++
			name := fmt.Sprintf("%+v", w)
			in := random(rng, w.inH*w.inW*w.inC)
			w.outC = 7
			depth := w.kernelH * w.kernelW * w.inC
			kernel, bias := random(rng, w.outC*depth), random(rng, w.outC)
			c := &convolution{unary: unary{0, 1}, window: w, weights: pack(kernel, w.outC, depth), depth: depth}
			c.bias = append(append([]float32{}, bias...), make([]float32, channelGroup)...)
			near(t, name, compute(c, in, w.outH*w.outW*w.outC, tile*depth), direct(w, in, kernel, bias, false))
			w.outC = w.inC
			kernel, bias = random(rng, depth), random(rng, w.outC)
			d := &depthwise{unary: unary{0, 1}, window: w, weights: kernel, bias: bias}
			near(t, "depthwise "+name, compute(d, in, w.outH*w.outW*w.outC, 0), direct(w, in, kernel, bias, true))
		}
	}
	if checked < 60 {
		t.Errorf("%d convolutions were checked", checked)
	}
}

func TestPoolIgnoresPadding(t *testing.T) {
	t.Parallel()
	w, _ := sized(window{
		inH: 3, inW: 3, inC: 1, kernelH: 2, kernelW: 2, strideH: 2, strideW: 2, dilationH: 1, dilationW: 1,
	}, paddingSame)
	w.outC = 1
	in := []float32{1, 2, -3, 4, 5, -6, -7, -8, -9}
	for largest, want := range map[bool][]float32{false: {3, -4.5, -7.5, -9}, true: {5, -3, -7, -9}} {
		near(t, fmt.Sprintf("largest %t", largest), compute(&pool{unary{0, 1}, w, largest}, in, 4, 0), want)
	}
}

func TestResizeBetweenPixels(t *testing.T) {
	t.Parallel()
	in := []float32{0, 4, 8, 12} // two rows of two
	for name, each := range map[string]struct {
		scale, shift float32
		want         []float32
	}{
		"corners": {1. / 3, 0, []float32{0, 4. / 3, 8. / 3, 4}},
		"centres": {0.5, 0.5, []float32{0, 1, 3, 4}},
		"neither": {0.5, 0, []float32{0, 2, 4, 4}},
	} {
		scale := [2]float32{each.scale, each.scale}
		s := &resize{unary{0, 1}, [4]int{1, 2, 2, 1}, [4]int{1, 4, 4, 1}, scale, each.shift}
		near(t, name, compute(s, in, 16, 0)[:4], each.want)
	}
}

func TestElementwiseOperators(t *testing.T) {
	t.Parallel()
	in := []float32{-4, -1, 0, 2, 7, 1}
	values := func(s step, size int) []float32 { return compute(s, append([]float32(nil), in...), size, 0) }
	near(t, "relu", values(&activate{unary{0, 1}, relu}, 6), []float32{0, 0, 0, 2, 7, 1})
	near(t, "relu6", values(&activate{unary{0, 1}, relu6}, 6), []float32{0, 0, 0, 2, 6, 1})
	near(t, "hard swish", values(&activate{unary{0, 1}, hardSwish}, 6), []float32{0, -1. / 3, 0, 5. / 3, 7, 2. / 3})
	chances := []float32{0.017986, 0.268941, 0.5, 0.880797, 0.999089, 0.731059}
	near(t, "sigmoid", values(&activate{unary{0, 1}, sigmoid}, 6), chances)
	near(t, "prelu", values(&prelu{unary{0, 1}, []float32{0.5, 2}}, 6), []float32{-2, -2, 0, 2, 7, 1})
	channels := &pad{unary{0, 1}, [4]int{1, 1, 3, 2}, [4]int{1, 1, 3, 3}, [4]int{}}
	near(t, "pad channels", values(channels, 9), []float32{-4, -1, 0, 0, 2, 0, 7, 1, 0})
	around := &pad{unary{0, 1}, [4]int{1, 2, 3, 1}, [4]int{1, 3, 4, 1}, [4]int{0, 1, 1, 0}}
	near(t, "pad", values(around, 12), []float32{0, 0, 0, 0, 0, -4, -1, 0, 0, 2, 7, 1})
	for multiply, want := range map[bool][]float32{false: {-2, 2, 2, 5, 9, 4}, true: {-8, -3, 0, 6, 14, 3}} {
		r := &Runner{values: [][]float32{in, {2, 3}, make([]float32, 6)}}
		(&combine{a: 0, b: 1, out: 2, multiply: multiply, values: 2}).run(r)
		near(t, fmt.Sprintf("multiply %t", multiply), r.values[2], want)
	}
}

func TestTransposedConvolution(t *testing.T) {
	t.Parallel()
	s := &transposed{
		unary:   unary{0, 1},
		window:  window{inH: 1, inW: 2, inC: 2, outH: 2, outW: 4, outC: 1, kernelH: 2, kernelW: 2, strideH: 2, strideW: 2},
		weights: []float32{1, 10, 2, 20, 3, 30, 4, 40}, bias: []float32{0.5},
	}
	near(t, "2×2", compute(s, []float32{1, 2, -1, 1}, 8, 0), []float32{21.5, 42.5, 9.5, 18.5, 63.5, 84.5, 27.5, 36.5})
}

func TestHalfPrecision(t *testing.T) {
	t.Parallel()
	for bits, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504,
		0x0400: 6.103515625e-05, 0x0001: 5.9604645e-08, 0x83ff: -6.0975552e-05,
		0x7c00: float32(math.Inf(1)),
	} {
		if got := float16(bits); got != want {
			t.Errorf("%#04x is %g, want %g", bits, got, want)
		}
	}
	if got := float16(0x7e00); !math.IsNaN(float64(got)) {
		t.Errorf("not a number is %g", got)
	}
}
