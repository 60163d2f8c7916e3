package main

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// survive keeps a panic of work in the background from ending the process. It is deferred.
func survive(logger *slog.Logger, work string) {
	if p := recover(); p != nil {
		logger.Error("background work panicked", "work", work, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}
