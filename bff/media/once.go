package media

import (
	"context"
	"fmt"
)

// making is a file that is being made for all who ask for it.
type making struct {
	over  chan struct{} // closed when whoever makes it has stopped
	ended bool          // the work came to its end, with err
	err   error
}

// once does the work that name stands for in a seat of opening, once for all who ask at the same time. Who leaves before the work has
// begun gives up its place, and the next of those who ask takes one; work that has begun goes on for the others.
func (s *Store) once(ctx context.Context, name string, work func(context.Context) error) error {
	for {
		s.makingMu.Lock()
		m := s.making[name]
		if m == nil {
			m = &making{over: make(chan struct{})}
			s.making[name] = m
			s.makingMu.Unlock()
			return s.make(ctx, name, m, work)
		}
		s.makingMu.Unlock()
		select {
		case <-m.over:
			if m.ended {
				return m.err
			}
		case <-ctx.Done():
			return fmt.Errorf("wait for a picture: %w", ctx.Err())
		}
	}
}

func (s *Store) make(ctx context.Context, name string, m *making, work func(context.Context) error) error {
	defer func() {
		s.makingMu.Lock()
		defer s.makingMu.Unlock()
		delete(s.making, name)
		close(m.over)
	}()
	done, err := s.opening(ctx)
	if err != nil {
		return err
	}
	defer done()
	m.err = work(context.WithoutCancel(ctx))
	m.ended = true
	return m.err
}
