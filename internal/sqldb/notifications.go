package sqldb

import (
	"context"
	"database/sql"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

const (
	// afterCommit is how long the listener polls after a commit.
	afterCommit = 60 * time.Millisecond
	// withoutCommit is the longest pause between two polls while nothing is committed.
	withoutCommit = 5 * time.Second
)

// QueueDriver returns River's driver for SQLite with a listener that polls for notifications after commits. River's own
// listener polls every 50 ms, about 0.8 s of processor time per minute in an idle program. Only one client may use the
// driver of a database: each commit wakes one listener.
func (d *DB) QueueDriver() riverdriver.Driver[*sql.Tx] {
	return queueDriver{riversqlite.New(d.Write), d.committed}
}

type queueDriver struct {
	*riversqlite.Driver
	committed <-chan struct{}
}

// GetListener is part of riverdriver.Driver.
func (d queueDriver) GetListener(params *riverdriver.GetListenenerParams) riverdriver.Listener {
	return &listener{d.Driver.GetListener(params), d.committed}
}

type listener struct {
	riverdriver.Listener
	committed <-chan struct{}
}

// WaitForNotification gives the next notification.
func (l *listener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	for {
		reading, done := context.WithTimeout(ctx, afterCommit)
		n, err := l.Listener.WaitForNotification(reading)
		over := reading.Err() != nil
		done()
		switch {
		case err == nil:
			return n, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !over:
			return nil, err
		}
		pause := time.NewTimer(withoutCommit)
		select {
		case <-l.committed:
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}
