package db_test

import (
	"fmt"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// Nobody has sessions without end: a new one stands, and the one that was not used for longest ends for it.
func TestAUserHasSoManySessions(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	if err := d.EnsureUser(t.Context(), atelier.User{ID: "other", Name: "Other"}); err != nil {
		t.Fatal(err)
	}
	at := time.UnixMilli(1_700_000_000_000)
	open := func(user atelier.UserID, hash string, seen time.Time) {
		t.Helper()
		if err := d.CreateSession(t.Context(), db.Session{Hash: hash, UserID: user, CreatedAt: at, SeenAt: seen}); err != nil {
			t.Fatal(err)
		}
	}
	open("other", "others", at)
	for i := range db.MaxSessions {
		open(dbtest.User.ID, fmt.Sprintf("%03d", i), at.Add(time.Duration(i)*time.Second))
	}
	if err := d.TouchSession(t.Context(), "000", at.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	open(dbtest.User.ID, "new", at) // the clock was set back: it stands all the same
	for hash, stands := range map[string]bool{"000": true, "001": false, "002": true, "099": true, "new": true, "others": true} {
		if _, err := d.FindSession(t.Context(), hash); (err == nil) != stands {
			t.Errorf("session %s: %v, stands: %t", hash, err, stands)
		}
	}
	if list, err := d.ListSessions(t.Context(), dbtest.User.ID); err != nil || len(list) != db.MaxSessions {
		t.Errorf("%d sessions, %v", len(list), err)
	}
}
