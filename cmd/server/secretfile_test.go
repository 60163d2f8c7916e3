package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A key that a crash has left empty would let everybody forge what it is to prove.
func TestAnEmptyKeyIsMadeAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "callback.key")
	first, err := secretFile(path)
	if err != nil || len(first) < 32 {
		t.Fatalf("%q, %v", first, err)
	}
	if again, err := secretFile(path); err != nil || again != first {
		t.Errorf("%q, %v; want the one that is there", again, err)
	}
	if err := os.WriteFile(path, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := secretFile(path)
	if err != nil || len(second) < 32 || second == first {
		t.Errorf("after an empty one: %q, %v", second, err)
	}
}
