package net

import (
	"fmt"
	"sync"
)

// shared is a network of the program, read when it is first used, with runners that wait to be used again. Its zero
// value is ready.
type shared struct {
	once    sync.Once
	net     *Network
	runners sync.Pool
}

// runner returns a runner for the network in data, which is always the same. Give it back with put.
func (s *shared) runner(data string) *Runner {
	s.once.Do(func() {
		n, err := Read([]byte(data))
		if err != nil {
			panic(fmt.Sprintf("the embedded network is damaged: %v", err)) // a test reads each of them
		}
		s.net = n
	})
	if r, ok := s.runners.Get().(*Runner); ok {
		return r
	}
	return s.net.NewRunner()
}

func (s *shared) put(r *Runner) { s.runners.Put(r) }
