package video

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A program that does not answer in time is not one that is missing: it is there, and is tried again when it is needed.
func TestAProgramThatIsSlowToStartIsNotCalledMissing(t *testing.T) {
	tests := []struct {
		name, ffprobe string // what ffprobe does, "" when there is none
		want          error
		usable        bool
	}{
		{"answers", "exit 0", nil, true},
		{"does not answer in time", "exec sleep 60", ErrSlow, true},
		{"does not run", "exit 1", ErrMissing, false},
		{"is not there", "", ErrMissing, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			t.Setenv("PATH", folder)
			for name, script := range map[string]string{"ffmpeg": "exit 0", "ffprobe": tt.ffprobe} {
				if script == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			ctx := t.Context()
			if errors.Is(tt.want, ErrSlow) {
				short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
				defer cancel()
				ctx = short
			}
			got, err := Find(ctx, Limits{})
			if !errors.Is(err, tt.want) || (got != nil) != tt.usable {
				t.Errorf("Find = %v, %v, want a tool: %t, %v", got, err, tt.usable, tt.want)
			}
		})
	}
}
