package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// keepMemory has the system write no image of this process's memory, which holds keys, when it dies, and lets no other process of the same
// user read it.
func keepMemory() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("turn core dumps off: %w", err)
	}
	return nil
}
