package fill

import (
	"context"

	parts "atelier/imaging/parallel"
)

// parallel runs do(0) … do(n-1) on at most GOMAXPROCS goroutines and returns when all have ended. No new part is
// begun once ctx is done. The parts must not depend on one another's order, so results are the same on any machine.
func parallel(ctx context.Context, n int, do func(i int)) error { return parts.Each(ctx, n, do) }

// rng is splitmix64: small, fast and the same everywhere.
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between is a number in [lo, hi]; lo when the range is empty.
func (r *rng) between(lo, hi int) int {
	if hi <= lo {
		return lo
	}
	return lo + int(r.next()>>33)%(hi-lo+1)
}

// unit is a number in [0, 1).
func (r *rng) unit() float64 { return float64(r.next()>>11) / (1 << 53) }

// meter turns the steps of a solve into a fraction that never falls.
type meter struct {
	tell  func(float64)
	total float64
	done  float64
}

func (m *meter) add(work float64) {
	m.done += work
	if m.tell != nil && m.total > 0 {
		m.tell(min(1, m.done/m.total))
	}
}
