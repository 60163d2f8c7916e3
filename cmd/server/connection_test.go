package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/internal/killable"
)

// An account that is entered in the settings outlives a restart, is in a backup where keys are and in no other, and rests while the
// environment chooses another one.
func TestF12EnteredAccountIsKept(t *testing.T) {
	t.Parallel()
	far := newAccount(t)
	data, folder := t.TempDir(), t.TempDir()
	vars := map[string]string{"ATELIER_LISTEN": killable.Address(t), "ATELIER_DATA": data, "ATELIER_LAUNCH_TOKEN": testToken, "ATELIER_LOG": "error"}
	connection := func() (c atelier.Connection) {
		t.Helper()
		if err := visit(t, vars["ATELIER_LISTEN"]).send("GET", "/api/connection", "", nil, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	_, stop := started(t, vars)
	if err := visit(t, vars["ATELIER_LISTEN"]).send("PUT", "/api/connection", "application/json", atelier.Connect{Address: far.url, Key: far.key}, nil); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{"plain": {"backup"}, "whole": {"backup", withKeys}} {
		if err := run(t.Context(), append(args, filepath.Join(folder, name)), env(vars), io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if has := bytes.Contains(raw, []byte(far.key)); err != nil || has != (name == "whole") {
			t.Errorf("the backup %q holds the key: %t, %v", name, has, err)
		}
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	_, stop = started(t, vars)
	if c := connection(); c.Address != far.url || c.Fixed {
		t.Errorf("after a restart: %+v", c)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	other := newAccount(t)
	vars["ATELIER_UPSTREAM_URL"], vars["ATELIER_API_KEY"] = other.url, other.key
	_, stop = started(t, vars)
	if c := connection(); c.Address != other.url || !c.Fixed || len(c.Former) != 0 {
		t.Errorf("with an account in the environment: %+v", c)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	vars = map[string]string{"ATELIER_DATA": filepath.Join(t.TempDir(), "restored")}
	if err := run(t.Context(), []string{"restore", filepath.Join(folder, "whole")}, env(vars), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(filepath.Join(vars["ATELIER_DATA"], accountFile)); err != nil || !strings.Contains(string(raw), far.key) {
		t.Errorf("a backup with keys brought no account back: %v", err)
	}
}
