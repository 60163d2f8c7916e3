package db

import (
	"context"

	"atelier/atelier"
	"atelier/db/gen"
)

// EnsureUser creates the user when it does not exist yet.
func (d *DB) EnsureUser(ctx context.Context, u atelier.User) error {
	return d.change(ctx, "create user", func(q *gen.Queries) error {
		return q.UpsertUser(ctx, gen.UpsertUserParams{ID: string(u.ID), Name: u.Name, CreatedAt: d.millis()})
	}, nil)
}

// User finds a user.
func (d *DB) User(ctx context.Context, id atelier.UserID) (atelier.User, error) {
	u, err := d.read.User(ctx, string(id))
	if err != nil {
		return atelier.User{}, missing(err, "find user", "This user no longer exists.")
	}
	return atelier.User{ID: atelier.UserID(u.ID), Name: u.Name}, nil
}
