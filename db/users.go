package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// User is an atelier.User with what only the server knows of it.
type User struct {
	atelier.User
	Login      string // the name folded for comparing; "" = there is no account, only a browser of this machine
	Password   string // Argon2id hash in PHC form
	CreatedAt  time.Time
	DisabledAt time.Time // zero = it may sign in
	SeenAt     time.Time // of the last sign-in; zero = never
	Monthly    int       // how many results they may ask for in a month; atelier.AnyNumber = as many as they like
}

// ErrAccounts is in the chain of what FirstAccount answers when there is an account already.
var ErrAccounts = errors.New("there are accounts")

// EnsureUser creates the user when it does not exist yet.
func (d *DB) EnsureUser(ctx context.Context, u atelier.User) error {
	return d.change(ctx, "create user", func(q *gen.Queries) error {
		return q.UpsertUser(ctx, gen.UpsertUserParams{ID: string(u.ID), Name: u.Name, CreatedAt: d.millis()})
	}, nil)
}

// User finds a user.
func (d *DB) User(ctx context.Context, id atelier.UserID) (User, error) {
	u, err := d.read.User(ctx, string(id))
	if err != nil {
		return User{}, missing(err, "find user", noAccount)
	}
	return userOf(u), nil
}

// FindAccount finds the account of a name, however it is capitalised.
func (d *DB) FindAccount(ctx context.Context, name string) (User, error) {
	u, err := d.read.UserByLogin(ctx, FoldName(name))
	if err != nil {
		return User{}, missing(err, "find account", noAccountNamed)
	}
	return userOf(u), nil
}

// ListAccounts gives the accounts by name, at most 1000.
func (d *DB) ListAccounts(ctx context.Context) ([]User, error) {
	rows, err := d.read.Accounts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	users := make([]User, len(rows))
	for i, r := range rows {
		users[i] = userOf(r)
	}
	return users, nil
}

// CountAccounts says how many accounts there are.
func (d *DB) CountAccounts(ctx context.Context) (int, error) {
	n, err := d.read.CountAccounts(ctx)
	if err != nil {
		return 0, fmt.Errorf("count accounts: %w", err)
	}
	return int(n), nil
}

// FirstAccount makes the administrator's account of the user with the given id, who keeps everything that is theirs, and ends
// the sessions they had. It works once: when there is any account it answers ErrAccounts.
func (d *DB) FirstAccount(ctx context.Context, id atelier.UserID, name, password string) (User, error) {
	var made gen.User
	err := d.change(ctx, "create the first account", func(q *gen.Queries) error {
		if n, err := q.CountAccounts(ctx); err != nil || n > 0 {
			return errors.Join(err, ErrAccounts)
		}
		if err := q.DeleteSessionsOf(ctx, gen.DeleteSessionsOfParams{UserID: string(id)}); err != nil {
			return err
		}
		var err error
		made, err = d.saveAccount(ctx, q, string(id), name, atelier.Admin, password)
		return err
	}, nil)
	if errors.Is(err, ErrAccounts) {
		return User{}, atelier.Wrap(atelier.Conflict, err, SetUpAlready)
	}
	return userOf(made), err
}

// CreateAccount makes an account; its name must be new.
func (d *DB) CreateAccount(ctx context.Context, name string, role atelier.Role, password string) (User, error) {
	id, err := newID()
	if err != nil {
		return User{}, err
	}
	var made gen.User
	err = d.change(ctx, "create account", func(q *gen.Queries) error {
		made, err = d.saveAccount(ctx, q, id, name, role, password)
		return err
	}, nil)
	if sqldb.IsUnique(err) {
		return User{}, &atelier.Error{Code: atelier.Conflict, Message: accountTaken, Fields: map[string]string{"name": accountTaken}}
	}
	return userOf(made), err
}

func (d *DB) saveAccount(ctx context.Context, q *gen.Queries, id, name string, role atelier.Role, password string) (gen.User, error) {
	err := q.SaveAccount(ctx, gen.SaveAccountParams{ID: id, Name: name, Login: FoldName(name), Role: string(role), Password: password, CreatedAt: d.millis()})
	if err != nil {
		return gen.User{}, err
	}
	return q.User(ctx, id)
}

// AccountChange is what becomes different about an account; nil leaves a thing as it is.
type AccountChange struct {
	Role     *atelier.Role
	Disabled *bool
	Password *string // hash in PHC form
	Keep     string  // hash of the one session that goes on; "" = all of them end
}

// ErrLastAdmin is in the chain of what UpdateAccount answers when nobody could manage the accounts afterwards.
var ErrLastAdmin = errors.New("the last administrator")

// UpdateAccount changes an account. Its sessions end in the same transaction when anything is different afterwards.
func (d *DB) UpdateAccount(ctx context.Context, id atelier.UserID, c AccountChange) (User, error) {
	var after gen.User
	err := d.change(ctx, "change account", func(q *gen.Queries) error {
		before, err := q.User(ctx, string(id))
		if err == nil && before.Login == "" {
			err = sql.ErrNoRows
		}
		if err != nil {
			return missing(err, "find account", noAccount)
		}
		after = before
		if c.Role != nil {
			after.Role = string(*c.Role)
		}
		if c.Password != nil {
			after.Password = *c.Password
		}
		if c.Disabled != nil && *c.Disabled != (before.DisabledAt > 0) {
			after.DisabledAt = 0
			if *c.Disabled {
				after.DisabledAt = d.millis()
			}
		}
		if after == before {
			return nil
		}
		if err := q.SetAccount(ctx, gen.SetAccountParams{ID: after.ID, Role: after.Role, Password: after.Password, DisabledAt: after.DisabledAt}); err != nil {
			return err
		}
		if n, err := q.CountAdmins(ctx); err != nil || n == 0 {
			return errors.Join(err, ErrLastAdmin)
		}
		return q.DeleteSessionsOf(ctx, gen.DeleteSessionsOfParams{UserID: after.ID, Hash: c.Keep})
	}, nil)
	if errors.Is(err, ErrLastAdmin) {
		return User{}, atelier.Wrap(atelier.Conflict, err, adminOnly)
	}
	return userOf(after), err
}

// SeeUser notes a sign-in.
func (d *DB) SeeUser(ctx context.Context, id atelier.UserID, at time.Time) error {
	return d.change(ctx, "note a sign-in", func(q *gen.Queries) error {
		return q.SeeUser(ctx, gen.SeeUserParams{ID: string(id), SeenAt: sqldb.Millis(at)})
	}, nil)
}

// TaskOwner tells whose run a task of the image service belongs to, or belonged to before it was deleted for good, by its id or by the
// tag that is its name; "" = nobody's here.
func (d *DB) TaskOwner(ctx context.Context, task, tag string) (atelier.UserID, error) {
	for _, find := range []func() (string, error){
		func() (string, error) { return d.read.TaskOwner(ctx, task) },
		func() (string, error) {
			run, err := d.read.RunByTag(ctx, tag)
			return run.UserID, err
		},
		func() (string, error) { return d.read.PurgedOwner(ctx, task) },
		func() (string, error) { return d.read.PurgedOwnerByTag(ctx, tag) },
	} {
		owner, err := find()
		if err == nil {
			return atelier.UserID(owner), nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return "", fmt.Errorf("find the owner of a task: %w", err)
		}
	}
	return "", nil
}

// FoldName gives the form in which names are compared: how they are capitalised and spaced makes no difference.
func FoldName(name string) string { return strings.Join(strings.Fields(strings.ToLower(name)), " ") }

func userOf(u gen.User) User {
	return User{
		User: atelier.User{ID: atelier.UserID(u.ID), Name: u.Name, Role: atelier.Role(u.Role)}, Login: u.Login, Password: u.Password,
		CreatedAt: sqldb.Time(u.CreatedAt), DisabledAt: sqldb.Time(u.DisabledAt), SeenAt: sqldb.Time(u.SeenAt), Monthly: int(u.Monthly),
	}
}
