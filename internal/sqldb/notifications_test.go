package sqldb_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/riverqueue/river/riverdriver"

	"atelier/internal/sqldb"
)

// A notification comes with the commit it belongs to, however long nothing happened before, and rest costs few queries.
func TestNotificationsComeWithTheirCommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db, err := sqldb.Open(t.Context(), filepath.Join(t.TempDir(), "queue.db"), schema)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		const topic = "insert"
		river := db.QueueDriver()
		listener := river.GetListener(&riverdriver.GetListenenerParams{})
		if err := errors.Join(listener.Connect(t.Context()), listener.Listen(t.Context(), topic)); err != nil {
			t.Fatal(err)
		}
		type heard struct {
			payload string
			at      time.Time
		}
		came := make(chan heard, 2)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			for {
				n, err := listener.WaitForNotification(ctx)
				if err != nil {
					ended <- err
					return
				}
				came <- heard{n.Payload, time.Now()}
			}
		}()

		before, err := sqldb.Uses(t.Context(), db.Write)
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Minute) // of the bubble's clock
		after, err := sqldb.Uses(t.Context(), db.Write)
		if err != nil {
			t.Fatal(err)
		}
		const most = 40 // two polls in each of twelve windows, and some to spare
		if after-before > most {
			t.Errorf("a minute of rest takes %d queries, want %d at most", after-before, most)
		}

		notify := func(e riverdriver.Executor, payload string) {
			t.Helper()
			params := &riverdriver.NotifyManyParams{Topic: topic, Payload: []string{payload}}
			if err := e.NotifyMany(t.Context(), params); err != nil {
				t.Error(err)
			}
		}
		begun := time.Now()
		notify(river.GetExecutor(), "alone")
		if got := <-came; got.payload != "alone" || got.at.Sub(begun) > 50*time.Millisecond {
			t.Errorf("%q came after %v", got.payload, got.at.Sub(begun))
		}

		<-time.After(time.Second)
		tx, err := db.Write.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		notify(river.UnwrapExecutor(tx), "in a transaction")
		begun = time.Now()
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if got := <-came; got.payload != "in a transaction" || got.at.Sub(begun) > 50*time.Millisecond {
			t.Errorf("%q came after %v", got.payload, got.at.Sub(begun))
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the listener ends with %v", err)
		}
	})
}
