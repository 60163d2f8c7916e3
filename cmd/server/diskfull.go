package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"atelier/internal/folder"
	"atelier/internal/sqldb"
)

// The reserve is a file that takes room in the data folder, which is given to the databases when the disk is full: to open one, SQLite
// needs 32 KiB of shared memory and a log beside it (sqlite.org/walformat.html).
const (
	reserveName  = "reserve"
	reserveBytes = 1 << 20
)

// keepReserve writes the reserve, or removes it where the disk is full.
func keepReserve(data string, logger *slog.Logger) error {
	content := make([]byte, reserveBytes)
	if _, err := rand.Read(content); err != nil { // zeros take no room on some file systems
		return err
	}
	name := filepath.Join(data, reserveName)
	err := folder.Write(name, content)
	if !sqldb.IsDiskFull(err) {
		return err
	}
	logger.Error("keep the reserve: the disk is full", "error", err)
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the reserve: %w", err)
	}
	return nil
}

// roomTick is how often a start that a full disk kept from its end is tried again.
const roomTick = 10 * time.Second

// startWithRoom starts the background work of a part of the program. While the disk is full, it tries again until there is room, and the part
// serves what is stored.
func startWithRoom(ctx context.Context, part string, start func(context.Context) error, logger *slog.Logger, panics *atomic.Int64,
	undo *closers,
) error {
	err := start(ctx)
	if !sqldb.IsDiskFull(err) {
		return err
	}
	logger.Error("start background work: the disk is full; what is stored is served and nothing is taken until there is room", "part", part, "error", err)
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	undo.add(func() error {
		cancel()
		<-done
		return nil
	})
	go func() {
		defer close(done)
		defer survive(logger, panics, "start background work")
		tick := time.NewTicker(roomTick)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			switch err := start(ctx); {
			case err == nil:
				logger.Info("started background work: there is room again", "part", part)
				return
			case !sqldb.IsDiskFull(err):
				logger.Error("start background work", "part", part, "error", err)
			}
		}
	}()
	return nil
}
