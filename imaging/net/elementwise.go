package net

import (
	"errors"
	"fmt"
	"slices"
)

// combine adds or multiplies two tensors. The second may have one value a channel, or one in all.
type combine struct {
	a, b, out int
	last
	multiply bool
	values   int // of the second tensor that repeat
}

func (s *combine) reads() []int          { return []int{s.a, s.b} }
func (s *combine) writes() int           { return s.out }
func (s *combine) fuse(a *activate) bool { return s.end(a, &s.out) }

func (o operands) combine(multiply bool) (step, error) {
	act, err := o.activationOf(0)
	if err != nil {
		return nil, err
	}
	s := &combine{a: o.in[0], b: o.in[1], out: o.out, last: last{act}, multiply: multiply}
	if o.net.tensors[s.a].elements < o.net.tensors[s.b].elements {
		s.a, s.b = s.b, s.a
	}
	large, small, out := o.shape(s.a), o.shape(s.b), o.shape(s.out)
	if large != out {
		return nil, fmt.Errorf("shapes %v and %v for a result of %v", large, small, out)
	}
	switch small {
	case large, [4]int{1, 1, 1, large[3]}, [4]int{1, 1, 1, 1}:
		s.values = o.net.tensors[s.b].elements
	default:
		return nil, fmt.Errorf("shapes %v and %v do not go together", large, small)
	}
	return s, nil
}

func (s *combine) run(r *Runner) {
	a, b, out := r.values[s.a], r.values[s.b], r.values[s.out]
	for n := s.values; len(out) >= n; a, out = a[n:], out[n:] {
		from, to := a[:n], out[:n]
		b = b[:n]
		if s.multiply {
			for i, v := range b {
				to[i] = from[i] * v
			}
		} else {
			for i, v := range b {
				to[i] = from[i] + v
			}
		}
	}
	s.act.apply(r.values[s.out])
}

// pad puts zeros around a picture, and channels of zeros before and behind its own.
type pad struct {
	unary
	from, to [4]int // sizes
	before   [4]int
}

func (o operands) pad() (step, error) {
	s := &pad{unary: unary{o.in[0], o.out}, from: o.shape(o.in[0]), to: o.shape(o.out)}
	rank := len(o.net.tensors[o.in[0]].shape)
	amounts := o.net.tensors[o.in[1]].integers
	if len(amounts) != 2*rank {
		return nil, errors.New("the amounts of padding are no constant")
	}
	for i := range 4 {
		var before, after int
		if k := i - (4 - rank); k >= 0 {
			before, after = amounts[2*k], amounts[2*k+1]
		}
		if before < 0 || after < 0 || before > maxElements || after > maxElements || s.from[i]+before+after != s.to[i] {
			return nil, fmt.Errorf("padding %v from %v to %v", amounts, s.from, s.to)
		}
		s.before[i] = before
	}
	if s.to[0] != s.from[0] || s.to[0] != 1 {
		return nil, errors.New("a batch of more than one picture")
	}
	return s, nil
}

func (s *pad) run(r *Runner) {
	in, out := r.values[s.in], r.values[s.out]
	clear(out)
	channels, width := s.from[3], s.from[2]
	for y := range s.from[1] {
		for x := range width {
			at := (((y+s.before[1])*s.to[2]+x+s.before[2])*s.to[3] + s.before[3])
			copy(out[at:at+channels], in[(y*width+x)*channels:])
		}
	}
}

// reshape hands values on in another shape.
type reshape struct{ unary }

func (o operands) reshape() (step, error) {
	return &reshape{unary{o.in[0], o.out}}, o.sameSize()
}

func (s *reshape) run(r *Runner) { copy(r.values[s.out], r.values[s.in]) }

// pool takes the mean or the largest value below each window. Padding does not count.
type pool struct {
	unary
	window
	largest bool
}

func (o operands) pool(largest bool) (step, error) {
	s := &pool{unary{o.in[0], o.out}, o.windowOf(), largest}
	s.kernelW, s.kernelH = o.options.int(3, 0), o.options.int(4, 0)
	if act, err := o.activationOf(5); err != nil || act != linear || s.inC != s.outC {
		return nil, errors.New("a pool with an activation, or with other channels than its input")
	}
	if err := s.fit(o.options.byte(0)); err != nil {
		return nil, err
	}
	if s.kernelH*s.kernelW > maxElements {
		return nil, fmt.Errorf("a window of %d×%d", s.kernelW, s.kernelH)
	}
	o.net.work += s.outH * s.outW * min(s.kernelH, s.inH) * min(s.kernelW, s.inW) * s.inC
	return s, nil
}

func (s *pool) run(r *Runner) {
	in, out, n := r.values[s.in], r.values[s.out], s.inC
	for y := range s.outH {
		y0 := y*s.strideH - s.top
		fromY, toY := taps(y0, s.kernelH, 1, s.inH)
		for x := range s.outW {
			x0 := x*s.strideW - s.left
			fromX, toX := taps(x0, s.kernelW, 1, s.inW)
			to := out[(y*s.outW+x)*n:][:n]
			first := true
			for ky := fromY; ky < toY; ky++ {
				for kx := fromX; kx < toX; kx++ {
					pixel := in[((y0+ky)*s.inW+x0+kx)*n:][:n]
					switch {
					case first:
						copy(to, pixel)
						first = false
					case s.largest:
						for c, v := range pixel {
							to[c] = max(to[c], v)
						}
					default:
						for c, v := range pixel {
							to[c] += v
						}
					}
				}
			}
			if count := (toY - fromY) * (toX - fromX); !s.largest && count > 1 {
				for c := range to {
					to[c] /= float32(count)
				}
			}
		}
	}
}

// resize scales a picture by interpolating between the four nearest pixels.
type resize struct {
	unary
	from, to [4]int
	// The position of result i is (i + shift) × scale − shift.
	scale [2]float32
	shift float32
}

func (o operands) resize() (step, error) {
	s := &resize{unary: unary{o.in[0], o.out}, from: o.shape(o.in[0]), to: o.shape(o.out)}
	if s.from[0] != 1 || s.to[0] != 1 || s.from[3] != s.to[3] || len(o.in) != 2 {
		return nil, fmt.Errorf("scaling %v to %v", s.from, s.to)
	}
	if size := o.net.tensors[o.in[1]].integers; !slices.Equal(size, s.to[1:3]) {
		return nil, fmt.Errorf("scaling to %v, the result has %v", size, s.to)
	}
	aligned, centres := o.options.byte(2) != 0, o.options.byte(3) != 0
	for i := range s.scale {
		from, to := s.from[1+i], s.to[1+i]
		s.scale[i] = float32(from) / float32(to)
		if aligned && to > 1 {
			s.scale[i] = float32(from-1) / float32(to-1)
		}
	}
	if centres {
		s.shift = 0.5
	}
	return s, nil
}

// between returns the two pixels that a position lies between, and how near it is to the second.
func (s *resize) between(i, axis int) (a, b int, near float32) {
	at := (float32(i)+s.shift)*s.scale[axis] - s.shift
	low := max(int(at), 0)
	near = max(at-float32(low), 0)
	size := s.from[1+axis]
	return min(low, size-1), min(low+1, size-1), near
}

func (s *resize) run(r *Runner) {
	in, out, n := r.values[s.in], r.values[s.out], s.from[3]
	row := s.from[2] * n
	for y := range s.to[1] {
		y0, y1, down := s.between(y, 0)
		above, below := in[y0*row:][:row], in[y1*row:][:row]
		for x := range s.to[2] {
			x0, x1, across := s.between(x, 1)
			to := out[(y*s.to[2]+x)*n:][:n]
			a, b := above[x0*n:][:n], above[x1*n:][:n]
			c, d := below[x0*n:][:n], below[x1*n:][:n]
			for i := range to {
				top, bottom := a[i]+(b[i]-a[i])*across, c[i]+(d[i]-c[i])*across
				to[i] = top + (bottom-top)*down
			}
		}
	}
}
