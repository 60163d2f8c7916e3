package db_test

import (
	"testing"

	"atelier/atelier"
	"atelier/db"
	"atelier/db/dbtest"
)

// What nobody can be told for is the oldest account's: a user nobody can sign in as would keep it for ever.
func TestTheOldestUserIsOneWhoCanSignIn(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	oldest := func(want atelier.UserID) {
		t.Helper()
		if got, err := d.OldestUser(t.Context()); err != nil || got != want {
			t.Errorf("the oldest user is %q, %v, want %q", got, err, want)
		}
	}
	oldest(dbtest.User.ID)
	var accounts []db.User
	for _, name := range []string{"Ada", "Ben"} {
		u, err := d.CreateAccount(t.Context(), name, atelier.Designer, "hash")
		if err != nil {
			t.Fatal(err)
		}
		accounts = append(accounts, u)
	}
	oldest(accounts[0].ID)
}
