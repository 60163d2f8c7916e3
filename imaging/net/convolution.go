package net

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// convolution multiplies the part of the picture below each window with a matrix: a channel of the result each row.
type convolution struct {
	unary
	window
	last
	bias    []float32
	weights []float32 // groups of channelGroup rows, their values side by side
	depth   int       // values below a window
}

const (
	// channelGroup and pixelGroup are how many channels and pixels are multiplied at once: eight sums fit the
	// registers.
	channelGroup, pixelGroup = 4, 2
	// tile is how many windows are laid out and multiplied while they are in the cache.
	tile = 32
)

func (s *convolution) fuse(a *activate) bool { return s.end(a, &s.out) }

func (o operands) conv() (step, error) {
	act, err := o.activationOf(3)
	if err != nil {
		return nil, err
	}
	s := &convolution{unary: unary{o.in[0], o.out}, window: o.windowOf(), last: last{act}}
	kernel := o.shape(o.in[1])
	s.kernelH, s.kernelW, s.dilationW, s.dilationH = kernel[1], kernel[2], o.options.int(4, 1), o.options.int(5, 1)
	if kernel[0] != s.outC || kernel[3] != s.inC {
		return nil, fmt.Errorf("weights of shape %v for %d channels in and %d out", kernel, s.inC, s.outC)
	}
	if err := s.fit(o.options.byte(0)); err != nil {
		return nil, err
	}
	s.depth = s.kernelH * s.kernelW * s.inC
	weights, err := o.constant(1, s.outC*s.depth)
	if err != nil {
		return nil, err
	}
	if s.bias, err = o.constant(2, s.outC); err != nil {
		return nil, err
	}
	s.weights = pack(weights, s.outC, s.depth)
	s.bias = append(append([]float32{}, s.bias...), make([]float32, channelGroup)...)
	o.net.scratch = max(o.net.scratch, tile*s.depth)
	o.net.work += s.outH * s.outW * s.outC * s.depth
	return s, nil
}

// pack puts the rows of a matrix side by side in groups of channelGroup. Missing rows of the last group are zero.
func pack(rows []float32, n, depth int) []float32 {
	groups := (n + channelGroup - 1) / channelGroup
	out := make([]float32, groups*channelGroup*depth)
	for row := range n {
		group, lane := row/channelGroup, row%channelGroup
		for k, v := range rows[row*depth : (row+1)*depth] {
			out[(group*depth+k)*channelGroup+lane] = v
		}
	}
	return out
}

func (s *convolution) run(r *Runner) {
	in, out := r.values[s.in], r.values[s.out]
	direct := s.depth == s.inC && s.strideH == 1 && s.strideW == 1
	for from := 0; from < s.outH*s.outW; from += tile {
		n := min(tile, s.outH*s.outW-from)
		laid := r.scratch[:n*s.depth]
		if direct {
			laid = in[from*s.inC : (from+n)*s.inC]
		} else {
			s.lay(laid, in, from)
		}
		result := out[from*s.outC : (from+n)*s.outC]
		s.multiply(result, laid)
		s.act.apply(result)
	}
}

// lay copies what lies below each window, beginning with window from.
func (s *convolution) lay(laid, in []float32, from int) {
	row := s.kernelW * s.inC
	for i := from; len(laid) > 0; i++ {
		y0, x0 := i/s.outW*s.strideH-s.top, i%s.outW*s.strideW-s.left
		for ky := range s.kernelH {
			to := laid[:row]
			laid = laid[row:]
			y := y0 + ky*s.dilationH
			if y < 0 || y >= s.inH {
				clear(to)
				continue
			}
			source := in[y*s.inW*s.inC:][:s.inW*s.inC]
			if s.dilationW == 1 && x0 >= 0 && x0+s.kernelW <= s.inW {
				copy(to, source[x0*s.inC:])
				continue
			}
			for kx := range s.kernelW {
				if x := x0 + kx*s.dilationW; x < 0 || x >= s.inW {
					clear(to[kx*s.inC : (kx+1)*s.inC])
				} else {
					copy(to[kx*s.inC:(kx+1)*s.inC], source[x*s.inC:(x+1)*s.inC])
				}
			}
		}
	}
}

// multiply computes result = laid × weights + bias, a pixel each row.
func (s *convolution) multiply(result, laid []float32) {
	pixels := len(result) / s.outC
	for c := 0; c < s.outC; c += channelGroup {
		w := s.weights[c*s.depth : (c+channelGroup)*s.depth]
		bias := s.bias[c : c+channelGroup]
		for p := 0; p < pixels; p += pixelGroup {
			second := min(p+1, pixels-1)
			var sums [pixelGroup][channelGroup]float32
			a := laid[p*s.depth : (p+1)*s.depth]
			b := laid[second*s.depth : (second+1)*s.depth]
			x, y := &sums[0], &sums[1]
			x[0], x[1], x[2], x[3], y[0], y[1], y[2], y[3] = products(a, b, w)
			for i, pixel := range [pixelGroup]int{p, second} {
				to := result[pixel*s.outC+c : (pixel+1)*s.outC]
				for lane := range min(channelGroup, len(to)) {
					to[lane] = sums[i][lane] + bias[lane]
				}
			}
		}
	}
}

// products returns the scalar products of two pixels with the four rows that lie side by side in w.
func products(a, b, w []float32) (a0, a1, a2, a3, b0, b1, b2, b3 float32) {
	b = b[:len(a)]
	for k, x := range a {
		y := b[k]
		row := (*[channelGroup]float32)(w[channelGroup*k:])
		a0 += x * row[0]
		a1 += x * row[1]
		a2 += x * row[2]
		a3 += x * row[3]
		b0 += y * row[0]
		b1 += y * row[1]
		b2 += y * row[2]
		b3 += y * row[3]
	}
	return a0, a1, a2, a3, b0, b1, b2, b3
}

// depthwise multiplies each channel with a kernel of its own (Howard et al., MobileNets, section 3.1).
type depthwise struct {
	unary
	window
	last
	weights []float32 // kernelH × kernelW × channels
	bias    []float32
}

func (s *depthwise) fuse(a *activate) bool { return s.end(a, &s.out) }

func (o operands) depthwise() (step, error) {
	act, err := o.activationOf(4)
	if err != nil {
		return nil, err
	}
	s := &depthwise{unary: unary{o.in[0], o.out}, window: o.windowOf(), last: last{act}}
	kernel := o.shape(o.in[1])
	s.kernelH, s.kernelW, s.dilationW, s.dilationH = kernel[1], kernel[2], o.options.int(5, 1), o.options.int(6, 1)
	if s.inC != s.outC || kernel[0] != 1 {
		return nil, errors.New("a depthwise convolution with more than one result a channel")
	}
	if err := s.fit(o.options.byte(0)); err != nil {
		return nil, err
	}
	if s.weights, err = o.constant(1, s.kernelH*s.kernelW*s.inC); err != nil {
		return nil, err
	}
	if s.bias, err = o.constant(2, s.inC); err != nil {
		return nil, err
	}
	o.net.work += s.outH * s.outW * s.kernelH * s.kernelW * s.inC
	return s, nil
}

func (s *depthwise) run(r *Runner) {
	in, out, n := r.values[s.in], r.values[s.out], s.inC
	for y := range s.outH {
		y0 := y*s.strideH - s.top
		fromY, toY := taps(y0, s.kernelH, s.dilationH, s.inH)
		row := out[y*s.outW*n : (y+1)*s.outW*n]
		for x := range s.outW {
			x0 := x*s.strideW - s.left
			fromX, toX := taps(x0, s.kernelW, s.dilationW, s.inW)
			sum := row[x*n : (x+1)*n]
			copy(sum, s.bias)
			for ky := fromY; ky < toY; ky++ {
				source := in[(y0+ky*s.dilationH)*s.inW*n:]
				weights := s.weights[ky*s.kernelW*n:]
				kx := fromX
				for ; kx+3 <= toX && s.dilationW == 1; kx += 3 {
					add3(sum, source[(x0+kx)*n:], weights[kx*n:])
				}
				for ; kx < toX; kx++ {
					add1(sum, source[(x0+kx*s.dilationW)*n:], weights[kx*n:])
				}
			}
		}
		s.act.apply(row)
	}
}

// add3 adds to each channel the products of three neighbouring pixels with their weights.
func add3(sum, in, weights []float32) {
	n := len(sum)
	a, b, c := in[:n], in[n:2*n], in[2*n:3*n]
	wa, wb, wc := weights[:n], weights[n:2*n], weights[2*n:3*n]
	for i := range sum {
		sum[i] += a[i]*wa[i] + b[i]*wb[i] + c[i]*wc[i]
	}
}

// add1 adds to each channel the product of a pixel with its weight.
func add1(sum, in, weights []float32) {
	in, weights = in[:len(sum)], weights[:len(sum)]
	for i := range sum {
		sum[i] += in[i] * weights[i]
	}
}

// transposed is a transposed convolution with a bias: each pixel adds its value times the kernel to the result.
type transposed struct {
	unary
	window
	last
	weights []float32 // outC × kernelH × kernelW × inC
	bias    []float32
}

func (s *transposed) fuse(a *activate) bool { return s.end(a, &s.out) }

// transpose reads the custom operator, whose options are three 32-bit numbers: padding (1 is "same"), and the strides
// (mediapipe/util/tflite/operations/transpose_conv_bias.cc).
func (o operands) transpose(options []byte) (step, error) {
	const same = 1
	if len(options) < 12 || binary.LittleEndian.Uint32(options) != same {
		return nil, errors.New("options of a transposed convolution that are not read")
	}
	s := &transposed{unary: unary{o.in[0], o.out}, window: o.windowOf()}
	kernel := o.shape(o.in[1])
	s.kernelH, s.kernelW = kernel[1], kernel[2]
	s.strideW, s.strideH = int(binary.LittleEndian.Uint32(options[4:])), int(binary.LittleEndian.Uint32(options[8:]))
	if kernel[0] != s.outC || kernel[3] != s.inC {
		return nil, fmt.Errorf("weights of shape %v for %d channels in and %d out", kernel, s.inC, s.outC)
	}
	// It is the reverse of a convolution from the result to the input.
	reverse := s.window
	reverse.inH, reverse.inW, reverse.outH, reverse.outW = s.outH, s.outW, s.inH, s.inW
	if err := reverse.fit(paddingSame); err != nil {
		return nil, err
	}
	s.top, s.left = reverse.top, reverse.left
	var err error
	if s.weights, err = o.constant(1, s.outC*s.kernelH*s.kernelW*s.inC); err != nil {
		return nil, err
	}
	if s.bias, err = o.constant(2, s.outC); err != nil {
		return nil, err
	}
	o.net.work += s.inH * s.inW * len(s.weights)
	return s, nil
}

func (s *transposed) run(r *Runner) {
	in, out := r.values[s.in], r.values[s.out]
	for i := range s.outH * s.outW {
		copy(out[i*s.outC:(i+1)*s.outC], s.bias)
	}
	for y := range s.inH {
		for x := range s.inW {
			pixel := in[(y*s.inW+x)*s.inC:][:s.inC]
			for ky := range s.kernelH {
				toY := y*s.strideH - s.top + ky
				if toY < 0 || toY >= s.outH {
					continue
				}
				for kx := range s.kernelW {
					toX := x*s.strideW - s.left + kx
					if toX < 0 || toX >= s.outW {
						continue
					}
					for c := range s.outC {
						weights := s.weights[((c*s.kernelH+ky)*s.kernelW+kx)*s.inC:][:s.inC]
						var sum float32
						for k, v := range pixel {
							sum += v * weights[k]
						}
						out[(toY*s.outW+toX)*s.outC+c] += sum
					}
				}
			}
		}
	}
	s.act.apply(out)
}
