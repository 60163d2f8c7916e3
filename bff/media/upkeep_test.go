package media_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/bff/media"
)

func TestOldFilesAreRemovedAndYoungOnesStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := media.OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(text string) string {
		sha, _, err := s.Put(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return sha
	}
	age := func(sha string, by time.Duration) {
		then := time.Now().Add(-by)
		if err := os.Chtimes(filepath.Join(dir, "blobs", sha[:2], sha[2:4], sha), then, then); err != nil {
			t.Fatal(err)
		}
	}
	old, young, renewed := put("old"), put("young"), put("renewed")
	limit := time.Now().Add(-24 * time.Hour)
	age(old, 24*time.Hour+time.Minute)
	age(young, 24*time.Hour-time.Minute)
	age(renewed, 48*time.Hour)
	put("renewed") // somebody brings it again, and gets a row for it in a moment
	for sha, want := range map[string]bool{old: true, young: false, renewed: false, strings.Repeat("0", 64): false} {
		if removed, err := s.Remove(sha, limit); err != nil || removed != want {
			t.Errorf("Remove(%.8s) = %v, %v; want %v", sha, removed, err, want)
		}
		if sha[0] != '0' && s.Has(sha) == want {
			t.Errorf("%.8s is there: %v", sha, !want)
		}
	}
	seen := map[string]int64{}
	if err := s.Walk(t.Context(), "", func(sha string, bytes int64, _ time.Time) error { seen[sha] = bytes; return nil }); err != nil {
		t.Fatal(err)
	}
	if len(seen) != 2 || seen[young] != 5 || seen[renewed] != 7 {
		t.Errorf("the walk saw %v", seen)
	}
}

func TestUploadsThatACrashLeftAreRemovedAfterAnHour(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "spool"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, by := range map[string]time.Duration{"old": time.Hour + time.Minute, "young": time.Hour - time.Minute} {
		file := filepath.Join(dir, "spool", name)
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-by)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	s, err := media.OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	left, err := os.ReadDir(filepath.Join(dir, "spool"))
	if err != nil || len(left) != 1 || left[0].Name() != "young" {
		t.Errorf("left are %v, %v", left, err)
	}
}
