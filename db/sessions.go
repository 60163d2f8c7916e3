package db

import (
	"context"
	"fmt"
	"time"

	"atelier/atelier"
	"atelier/db/gen"
	"atelier/internal/sqldb"
)

// Session is one signed-in browser. Hash is the SHA-256 of its cookie in hex; the cookie itself is stored nowhere.
type Session struct {
	Hash      string
	UserID    atelier.UserID
	CreatedAt time.Time
	SeenAt    time.Time
	Agent     string // the browser's User-Agent, for the list of sessions
	IP        string // where it was opened from
}

// MaxSessions is how many sessions a user has; one more ends the one that was not used for longest.
const MaxSessions = 100

// CreateSession stores a new session.
func (d *DB) CreateSession(ctx context.Context, s Session) error {
	return d.change(ctx, "create session", func(q *gen.Queries) error {
		err := q.InsertSession(ctx, gen.InsertSessionParams{
			Hash: s.Hash, UserID: string(s.UserID), CreatedAt: sqldb.Millis(s.CreatedAt), SeenAt: sqldb.Millis(s.SeenAt), Agent: s.Agent,
			Ip: s.IP,
		})
		if err != nil {
			return err
		}
		return q.DeleteOldSessionsOf(ctx, gen.DeleteOldSessionsOfParams{UserID: string(s.UserID), Hash: s.Hash, Offset: MaxSessions - 1})
	}, nil)
}

// FindSession finds a session by the hash of its cookie; it does not look at its age.
func (d *DB) FindSession(ctx context.Context, hash string) (Session, error) {
	s, err := d.read.Session(ctx, hash)
	if err != nil {
		return Session{}, missing(err, "find session", noSession)
	}
	return sessionOf(s), nil
}

// ListSessions gives the user's sessions, the one used last first.
func (d *DB) ListSessions(ctx context.Context, user atelier.UserID) ([]Session, error) {
	rows, err := d.read.SessionsOf(ctx, string(user))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = sessionOf(r)
	}
	return list, nil
}

// StandingSessions gives the hashes of all sessions whose user may still work; it does not look at their age.
func (d *DB) StandingSessions(ctx context.Context) ([]string, error) {
	hashes, err := d.read.StandingSessions(ctx)
	if err != nil {
		return nil, fmt.Errorf("list standing sessions: %w", err)
	}
	return hashes, nil
}

// TouchSession records that a session was used.
func (d *DB) TouchSession(ctx context.Context, hash string, seen time.Time) error {
	return d.change(ctx, "touch session", func(q *gen.Queries) error {
		return q.TouchSession(ctx, gen.TouchSessionParams{Hash: hash, SeenAt: sqldb.Millis(seen)})
	}, nil)
}

// DeleteSession ends a session. Ending one that is gone is no error.
func (d *DB) DeleteSession(ctx context.Context, hash string) error {
	return d.change(ctx, "delete session", func(q *gen.Queries) error { return q.DeleteSession(ctx, hash) }, nil)
}

// DeleteSessionsOf ends all sessions of a user but the one to keep; "" keeps none.
func (d *DB) DeleteSessionsOf(ctx context.Context, user atelier.UserID, keep string) error {
	return d.change(ctx, "delete the sessions of a user", func(q *gen.Queries) error {
		return q.DeleteSessionsOf(ctx, gen.DeleteSessionsOfParams{UserID: string(user), Hash: keep})
	}, nil)
}

// DeleteStaleSessions ends all that were last used before idle or made before absolute.
func (d *DB) DeleteStaleSessions(ctx context.Context, idle, absolute time.Time) error {
	return d.change(ctx, "delete stale sessions", func(q *gen.Queries) error {
		_, err := q.DeleteStaleSessions(ctx, gen.DeleteStaleSessionsParams{SeenAt: sqldb.Millis(idle), CreatedAt: sqldb.Millis(absolute)})
		return err
	}, nil)
}

func sessionOf(s gen.Session) Session {
	return Session{
		Hash: s.Hash, UserID: atelier.UserID(s.UserID), CreatedAt: sqldb.Time(s.CreatedAt), SeenAt: sqldb.Time(s.SeenAt), Agent: s.Agent, IP: s.Ip,
	}
}
