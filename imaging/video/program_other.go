//go:build !unix

package video

import (
	"io"
	"os/exec"
)

var errBrokenPipe = io.ErrClosedPipe

// ownGroup has nothing to add where there are no process groups: the program itself is killed.
func ownGroup(*exec.Cmd) {}

func lowerPriority(int) {}
