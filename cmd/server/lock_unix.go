//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"atelier/internal/folder"
)

// lockFolder makes sure that one process owns the data folder: two would do the same paid work twice. The kernel drops
// the lock when the process ends, however it ends.
func lockFolder(path string) (unlock func() error, err error) {
	if err := folder.Make(path); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(path, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("the data folder %s is in use by another atelier", path), f.Close())
	}
	return f.Close, nil
}
