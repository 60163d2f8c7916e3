package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// saveShot writes a screenshot into the folder that ATELIER_E2E_SHOTS names; without it nothing is kept.
func saveShot(t *testing.T, name string, png []byte) {
	t.Helper()
	dir := os.Getenv("ATELIER_E2E_SHOTS")
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Error(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		t.Error(err)
	}
}
