package bff

import (
	"context"
	"runtime"
	"sync"
)

// ahead converts the pictures of an archive before it is their turn to be sent, in their order. Of those that are not sent yet, no more
// are made than there are processors: they wait on disk, and in memory is only what has a seat of the store.
type ahead struct {
	s       *Server
	entries []zipEntry
	made    []func() error // waits for a picture; of those that were begun
	work    sync.WaitGroup
}

// reach waits for the picture whose turn it is, and begins those behind it. It is called by who sends, of one picture after the other;
// the work ends with the context, but for what is under way.
func (a *ahead) reach(ctx context.Context, turn int) error {
	for len(a.made) < min(turn+1+runtime.GOMAXPROCS(0), len(a.entries)) {
		e := a.entries[len(a.made)]
		made := sync.OnceValue(func() error { return a.s.convert(ctx, e) })
		a.made = append(a.made, made)
		a.work.Go(func() {
			defer a.s.survive("converting ahead")
			_ = made() // it is told when it is its turn
		})
	}
	return a.made[turn]()
}

// convert has a picture made as it is to be handed out, where that is not how it is stored.
func (s *Server) convert(ctx context.Context, e zipEntry) error {
	if e.Convert == nil {
		return nil
	}
	f, err := s.handOut(ctx, e)
	if err != nil {
		return err
	}
	return f.Close()
}
