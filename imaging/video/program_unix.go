//go:build unix

package video

import (
	"os/exec"
	"syscall"
)

var errBrokenPipe error = syscall.EPIPE

// ownGroup puts the program into a process group of its own and kills that group as a whole when its context ends.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// lowerPriority lets everything else on the machine go first. A system that refuses goes on without.
func lowerPriority(pid int) { _ = syscall.Setpriority(syscall.PRIO_PGRP, pid, 10) }
