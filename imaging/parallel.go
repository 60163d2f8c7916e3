package imaging

import (
	"runtime"
	"sync"
)

// bands calls do for consecutive ranges of rows that make up 0 ≤ y < h, at once
// on as many processors as there are, and returns when all are done.
func bands(h int, do func(from, to int)) {
	// Below this many rows per band starting it costs more than it saves.
	const least = 32
	n := min(runtime.GOMAXPROCS(0), max(h/least, 1))
	if n == 1 {
		do(0, h)
		return
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { do(h*i/n, h*(i+1)/n) })
	}
	wg.Wait()
}
