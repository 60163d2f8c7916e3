package engine

import (
	"fmt"
	"runtime/debug"
)

// Beside runs fn in a goroutine of its own. wait waits for its end, and gives a panic in it as an error; it is called
// once.
func Beside(fn func()) (wait func() error) {
	done := make(chan error, 1)
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic beside a request to the image engine: %v\n%s", p, debug.Stack())
			}
		}()
		fn()
	}()
	return func() error { return <-done }
}
