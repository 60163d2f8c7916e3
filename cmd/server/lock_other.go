//go:build !unix

package main

import (
	"fmt"
	"os"
)

// lockFolder creates the data folder. This system has no lock that dies with its process, so nothing guards against a
// second server on the same folder.
func lockFolder(folder string) (unlock func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	return func() error { return nil }, nil
}
