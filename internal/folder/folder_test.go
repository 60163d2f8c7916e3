package folder_test

import (
	"os"
	"path/filepath"
	"testing"

	"atelier/internal/folder"
)

func TestFoldersAndFilesAreThisUsersAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "c")
	for range 2 {
		if err := folder.Make(path); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(path, "key")
	for _, text := range []string{"first", "second"} {
		if err := folder.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("the file holds %q, %v", got, err)
		}
	}
	for name, mode := range map[string]os.FileMode{path: 0o700, filepath.Dir(path): 0o700, name: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v; want %v", filepath.Base(name), info.Mode(), err, mode)
		}
	}
	if err := folder.Write(filepath.Join(path, "none", "key"), nil); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
	left, err := os.ReadDir(path)
	if err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}
