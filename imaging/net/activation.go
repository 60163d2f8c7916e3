package net

import "math"

// activation is the function that an operator ends with.
type activation uint8

const (
	linear activation = iota
	relu
	relu6
	hardSwish
	sigmoid
)

// apply replaces values by the function's.
func (a activation) apply(values []float32) {
	switch a {
	case relu:
		for i, v := range values {
			values[i] = max(v, 0)
		}
	case relu6:
		for i, v := range values {
			values[i] = min(max(v, 0), 6)
		}
	case hardSwish: // Howard et al., Searching for MobileNetV3, section 5.2
		for i, v := range values {
			values[i] = v * min(max(v+3, 0), 6) * (1. / 6)
		}
	case sigmoid:
		for i, v := range values {
			values[i] = float32(1 / (1 + math.Exp(-float64(v))))
		}
	}
}

// unary is a step with one input.
type unary struct{ in, out int }

func (u unary) reads() []int { return []int{u.in} }
func (u unary) writes() int  { return u.out }

// activate is an activation on its own.
type activate struct {
	unary
	kind activation
}

func (s *activate) run(r *Runner) {
	out := r.values[s.out]
	copy(out, r.values[s.in])
	s.kind.apply(out)
}

// last is the activation of a step that others can be fused into.
type last struct{ act activation }

func (l *last) end(a *activate, out *int) bool {
	if l.act != linear {
		return false
	}
	l.act, *out = a.kind, a.out
	return true
}

// prelu multiplies negative values by a slope of their channel (He et al., Delving Deep into Rectifiers).
type prelu struct {
	unary
	slopes []float32
}

func (o operands) prelu() (step, error) {
	slopes, err := o.constant(1, o.shape(o.in[0])[3])
	if err != nil {
		return nil, err
	}
	return &prelu{unary{o.in[0], o.out}, slopes}, o.sameSize()
}

func (s *prelu) run(r *Runner) {
	in, out, n := r.values[s.in], r.values[s.out], len(s.slopes)
	for ; len(in) >= n; in, out = in[n:], out[n:] {
		from, to := in[:n], out[:n]
		for c, slope := range s.slopes {
			v := from[c]
			to[c] = max(v, 0) + slope*min(v, 0)
		}
	}
}
