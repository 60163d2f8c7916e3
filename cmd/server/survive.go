package main

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
)

// survive keeps a panic of work in the background from ending the process, and counts it. It is deferred.
func survive(logger *slog.Logger, panics *atomic.Int64, work string) {
	if p := recover(); p != nil {
		panics.Add(1)
		logger.Error("background work panicked", "work", work, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}
