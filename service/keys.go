package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"atelier/internal/sqldb"
	"atelier/service/gen"
	"atelier/upstream"

	"github.com/google/uuid"
)

// Key is what may be told about an API key; the key itself is shown once, when it is made.
type Key struct {
	ID        string
	Account   string // name
	Name      string
	Last4     string // its last four characters
	CreatedAt time.Time
	RevokedAt time.Time // zero while it works
}

// CreateKey makes an API key of 256 random bits for the account of that name, which is made when there is none. Only the
// key's hash is stored, so raw is shown now or never.
func (s *Service) CreateKey(ctx context.Context, account, name string) (raw string, key Key, err error) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return "", Key{}, fmt.Errorf("make a key: %w", err)
	}
	raw = base64.RawURLEncoding.EncodeToString(random)
	key, err = s.storeKey(ctx, raw, account, name)
	if err != nil {
		return "", Key{}, err
	}
	return raw, key, nil
}

// EnsureKey makes raw a key of the account; it changes nothing when it is one. A key that was revoked stays so: an error.
func (s *Service) EnsureKey(ctx context.Context, raw, account, name string) error {
	if len(raw) < 16 {
		return errors.New("the key is shorter than 16 characters")
	}
	have, err := s.read().FindKey(ctx, hashKey(raw))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		_, err = s.storeKey(ctx, raw, account, name)
		return err
	case err != nil:
		return fmt.Errorf("find the key: %w", err)
	case have.RevokedAt != 0:
		return errors.New("the key was revoked")
	}
	return nil
}

func (s *Service) storeKey(ctx context.Context, raw, account, name string) (Key, error) {
	id, err := newID()
	if err != nil {
		return Key{}, err
	}
	accountID, err := newID()
	if err != nil {
		return Key{}, err
	}
	key := Key{ID: id, Account: account, Name: name, Last4: raw[len(raw)-4:], CreatedAt: sqldb.Time(s.now())}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		q := gen.New(tx)
		if err := q.CreateAccount(ctx, gen.CreateAccountParams{ID: accountID, Name: account, CreatedAt: s.now()}); err != nil {
			return fmt.Errorf("create the account: %w", err)
		}
		owner, err := q.FindAccount(ctx, account)
		if err != nil {
			return fmt.Errorf("find the account: %w", err)
		}
		return q.CreateKey(ctx, gen.CreateKeyParams{
			ID: id, AccountID: owner.ID, Name: name, Hash: hashKey(raw),
			Last4: key.Last4, CreatedAt: sqldb.Millis(key.CreatedAt),
		})
	})
	if err != nil {
		return Key{}, fmt.Errorf("store the key: %w", err)
	}
	return key, nil
}

// ListKeys gives all keys, oldest first, revoked ones too.
func (s *Service) ListKeys(ctx context.Context) ([]Key, error) {
	rows, err := s.read().ListKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	keys := make([]Key, len(rows))
	for i, r := range rows {
		keys[i] = Key{
			ID: r.ID, Account: r.Account, Name: r.Name, Last4: r.Last4,
			CreatedAt: sqldb.Time(r.CreatedAt), RevokedAt: sqldb.Time(r.RevokedAt),
		}
	}
	return keys, nil
}

// RevokeKey ends the key with that id: the next request with it is refused. Its tasks stay with the account. An id that
// is unknown or revoked already is an error.
func (s *Service) RevokeKey(ctx context.Context, id string) error {
	n, err := s.write().RevokeKey(ctx, gen.RevokeKeyParams{ID: id, RevokedAt: s.now()})
	if err != nil {
		return fmt.Errorf("revoke the key: %w", err)
	}
	if n == 0 {
		return fmt.Errorf("there is no working key %q", id)
	}
	return nil
}

// caller is who asks and by which way they came.
type caller struct {
	account string // id
	key     string // id
	base    string // origin for links, without a slash at its end
}

// authenticate reads Authorization: the raw key, without any prefix (Task API, "Authentication").
func (s *Service) authenticate(r *http.Request) (caller, error) {
	denied := func(code int, message string) (caller, error) {
		return caller{}, &failure{status: http.StatusUnauthorized, code: code, message: message}
	}
	raw := r.Header.Get("Authorization")
	switch {
	case raw == "":
		return denied(upstream.CodeKey, "The Authorization header with the API key is missing.")
	case strings.HasPrefix(strings.ToLower(raw), "bearer "):
		return denied(upstream.CodeKey, "Send the API key alone in the Authorization header, without the word Bearer.")
	}
	key, err := s.read().FindKey(r.Context(), hashKey(raw))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return denied(upstream.CodeKey, "This API key is not known.")
	case err != nil:
		return caller{}, fmt.Errorf("find the key: %w", err)
	case key.RevokedAt != 0:
		return denied(upstream.CodeKeyExpired, "This API key was revoked.")
	}
	return caller{account: key.AccountID, key: key.ID, base: s.base(r)}, nil
}

// base is the origin that links in the answer to r begin with. A proxy that ends TLS before us passes on the name it was asked
// under and not that it was asked over https: the public address says so.
func (s *Service) base(r *http.Request) string {
	if u, err := url.Parse(s.cfg.PublicURL); err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) {
		return u.Scheme + "://" + u.Host
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// hashKey is how a key is stored. Keys have 256 random bits, so a plain hash cannot be searched.
func hashKey(raw string) string {
	sum := sha256.Sum256([]byte(raw))
	return hex.EncodeToString(sum[:])
}

// newID makes a UUIDv7: unique, and later ones sort after earlier ones.
func newID() (string, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id.String(), nil
}
