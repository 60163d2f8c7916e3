package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
)

// The first account of a studio is its administrator's, who has what was done there without accounts, whether it is made by the setup link
// or at the terminal.
func TestTheFirstAccountMadeAtTheTerminalHasEverythingThatWasThere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	studio, err := db.Open(t.Context(), filepath.Join(folder, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := studio.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := studio.EnsureUser(t.Context(), atelier.User{ID: bff.FirstUser, Name: "Designer"}); err != nil {
		t.Fatal(err)
	}
	users := func(args ...string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), append([]string{"users"}, args...), env(map[string]string{"ATELIER_DATA": folder}), &out, io.Discard)
		return out.String(), err
	}
	if _, err := users("create", "Eve", "designer"); err == nil || !strings.Contains(err.Error(), "administrator") {
		t.Errorf("a designer as the first one: %v", err)
	}
	for _, who := range []struct {
		name string
		role atelier.Role
		user bool // it is the user who was there
	}{{"Ada", atelier.Admin, true}, {"Ben", atelier.Designer, false}} {
		said, err := users("create", who.name)
		if err != nil || !strings.Contains(said, "password: ") {
			t.Fatalf("%s: %q, %v", who.name, said, err)
		}
		made, err := studio.FindAccount(t.Context(), who.name)
		if err != nil || made.Role != who.role || (made.ID == bff.FirstUser) != who.user {
			t.Errorf("%s is %+v, %v", who.name, made, err)
		}
	}
}
