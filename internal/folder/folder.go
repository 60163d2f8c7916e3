// Package folder makes folders and small files that a power cut does not take away again: whatever these functions have made
// is on the disk, with its name, when they return.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Make makes a folder and those above it that are missing, for this user alone. It does nothing to one that is there, but see
// that its name is on the disk: whoever made it may not have come as far as this.
func Make(path string) error {
	path = filepath.Clean(path)
	missing := []string{path}
	for above := filepath.Dir(path); above != filepath.Dir(above); above = filepath.Dir(above) {
		if _, err := os.Stat(above); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, above)
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, made := range missing {
		if err := Sync(filepath.Dir(made)); err != nil {
			return err
		}
	}
	return nil
}

// Sync flushes the names in a folder.
func Sync(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("flush a folder: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// Write gives a file these bytes, for this user alone: there is what was there before, or all of them.
func Write(path string, data []byte) (err error) {
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*") // with mode 0600
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	if err = errors.Join(err, part.Sync(), part.Close()); err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(part.Name()))
	}
	return Sync(filepath.Dir(path))
}
