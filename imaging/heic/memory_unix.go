//go:build unix

package heic

import "syscall"

// reserve gives n bytes of zeros that take memory only where they are written to, and that go back to the system at once.
func reserve(n int) []byte {
	buf, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return buf
}

func release(buf []byte) {
	if buf != nil {
		_ = syscall.Munmap(buf) // only what reserve gave comes here
	}
}
