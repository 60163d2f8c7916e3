// Package dbtest gives tests a real, empty database.
package dbtest

import (
	"path/filepath"
	"testing"

	"atelier/atelier"
	"atelier/db"
)

// User is who a new test database belongs to.
var User = atelier.User{ID: "local", Name: "Designer"}

// New opens a database in a folder of the test, with User in it, and closes it when the test ends.
func New(t testing.TB) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "studio.db"))
	if err != nil {
		t.Fatalf("open a test database: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the test database: %v", err)
		}
	})
	if err := d.EnsureUser(t.Context(), User); err != nil {
		t.Fatalf("create the test user: %v", err)
	}
	return d
}
