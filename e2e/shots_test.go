package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// shots is the folder that takes screenshots; "" = none are made, since each costs as much as many steps.
var shots = os.Getenv("ATELIER_E2E_SHOTS")

// saveShot writes a screenshot into the folder of shots.
func saveShot(t testing.TB, name string, png []byte) {
	t.Helper()
	if err := os.MkdirAll(shots, 0o750); err != nil {
		t.Error(err)
		return
	}
	if err := os.WriteFile(filepath.Join(shots, name+".png"), png, 0o600); err != nil {
		t.Error(err)
	}
}
