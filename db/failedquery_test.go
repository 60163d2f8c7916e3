package db_test

import (
	"context"
	"errors"
	"testing"

	"atelier/db/dbtest"
)

// A query that fails is an error, never an empty answer: callers would take the rows for gone.
func TestFailedQueryIsNoEmptyAnswer(t *testing.T) {
	d := dbtest.New(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, query := range map[string]func() error{
		"list callbacks": func() error { _, err := d.ListCallbacks(cancelled, "run"); return err },
		"list presets":   func() error { _, err := d.ListPresets(cancelled, "embedded", "location", "user"); return err },
		"count presets":  func() error { _, err := d.CountPresets(cancelled, "embedded", "location"); return err },
		"list answers":   func() error { _, err := d.ListAnswers(cancelled, "run"); return err },
		"find user":      func() error { _, err := d.User(cancelled, "user"); return err },
	} {
		if err := query(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s = %v, want the context's error", name, err)
		}
	}
}
