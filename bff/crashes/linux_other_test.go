//go:build !linux

package crashes

// These ask for what only Linux can.
const (
	childFlushes = "ATELIER_TEST_CHILD_FLUSHES"
	childDisk    = "ATELIER_TEST_CHILD_DISK"
)

func countFlushes(string) error { return nil }

func serveLossy(string) error { return nil }

func allowFiles(int) error { return nil }
