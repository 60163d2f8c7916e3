package testpics

import "os"

// asking is a test or a benchmark.
type asking interface {
	Helper()
	Skip(args ...any)
}

// Photographs is the folder of photographs with their truth that ATELIER_PHOTOS names. Without one, the test or benchmark that asks is skipped.
func Photographs(t asking) string {
	t.Helper()
	folder := os.Getenv("ATELIER_PHOTOS")
	if folder == "" {
		t.Skip("ATELIER_PHOTOS names no folder of photographs with their truth")
	}
	return folder
}
