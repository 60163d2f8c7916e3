//go:build !unix

package main

import (
	"fmt"

	"atelier/internal/folder"
)

// lockFolder creates the data folder. This system has no lock that dies with its process, so nothing guards against a
// second server on the same folder.
func lockFolder(path string) (unlock func() error, err error) {
	if err := folder.Make(path); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	return func() error { return nil }, nil
}
