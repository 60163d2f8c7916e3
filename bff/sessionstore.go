package bff

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/sessions"

	"atelier/atelier"
	"atelier/bff/jobs"
	"atelier/bff/words"
	"atelier/db"
)

// touchEvery is how exactly the last use of a session is kept: each note costs a write to the disk.
const touchEvery = 5 * time.Minute

// visitor is who makes a request, and by which session.
type visitor struct {
	User    atelier.User
	Session string // hash of the cookie
}

// sessionStore keeps sessions in the database behind gorilla's interface: the cookie is a random number that means nothing
// by itself, so ending a session ends it everywhere at once.
type sessionStore struct {
	db     *db.DB
	now    func() time.Time
	name   string
	secure bool
	team   bool // people have accounts
	log    *slog.Logger
}

var _ sessions.Store = (*sessionStore)(nil)

func newSessionStore(c Config) *sessionStore {
	s := &sessionStore{db: c.DB, now: c.Now, name: "__Host-atelier", secure: true, team: c.Team, log: c.Logger}
	if !c.TLS {
		// Cookies are shared between the ports of a host, so the port is in the name.
		s.secure, s.name = false, "atelier"
		if _, port, err := net.SplitHostPort(c.Hosts[0]); err == nil {
			s.name = "atelier_" + port
		}
	}
	return s
}

// Get gives the request's session, a new one when it has none that stands.
func (s *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

const (
	keyUser = "user"
	keySeen = "seen"
	keyIP   = "ip"
)

// New reads the session the request's cookie names.
func (s *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.IsNew = true
	session.Options = &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(jobs.SessionAbsolute / time.Second)}
	cookies := r.CookiesNamed(name)
	for _, cookie := range cookies[:min(len(cookies), maxCookies)] {
		row, err := s.db.FindSession(r.Context(), hashOf(cookie.Value))
		if atelier.CodeOf(err) == atelier.NotFound {
			continue
		}
		if err != nil {
			return session, err
		}
		if !s.stands(row) {
			continue
		}
		session.IsNew, session.ID = false, row.Hash
		session.Values[keyUser], session.Values[keySeen] = row.UserID, row.SeenAt
		break
	}
	return session, nil
}

// maxCookies is how many cookies of our name are looked at: what else is served on this machine can set some that stand before ours,
// and must not sign anybody out by it.
const maxCookies = 4

func (s *sessionStore) stands(row db.Session) bool {
	now := s.now()
	return now.Sub(row.SeenAt) < jobs.SessionIdle && now.Sub(row.CreatedAt) < jobs.SessionAbsolute
}

// Save stores a new session under a new number and sets its cookie, or ends one whose MaxAge is negative.
func (s *sessionStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		if session.ID != "" {
			if err := s.db.DeleteSession(r.Context(), session.ID); err != nil {
				return err // who keeps the cookie can try again; without it the session would stand, and nobody could end it
			}
		}
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		return nil
	}
	var number [32]byte
	if _, err := rand.Read(number[:]); err != nil {
		return err
	}
	cookie := base64.RawURLEncoding.EncodeToString(number[:])
	user, _ := session.Values[keyUser].(atelier.UserID)
	ip, _ := session.Values[keyIP].(string)
	now := s.now()
	agent := r.UserAgent()
	row := db.Session{Hash: hashOf(cookie), UserID: user, CreatedAt: now, SeenAt: now, Agent: strings.ToValidUTF8(agent[:min(len(agent), 200)], ""), IP: ip}
	if err := s.db.CreateSession(r.Context(), row); err != nil {
		return err
	}
	session.ID, session.IsNew = row.Hash, false
	http.SetCookie(w, sessions.NewCookie(session.Name(), cookie, session.Options))
	return nil
}

// visitor tells who makes the request; nobody is Unauthorized.
func (s *sessionStore) visitor(r *http.Request) (visitor, error) {
	session, err := s.Get(r, s.name)
	if err != nil {
		return visitor{}, err
	}
	if session.IsNew {
		return visitor{}, s.signedOut()
	}
	id, _ := session.Values[keyUser].(atelier.UserID)
	user, err := s.user(r.Context(), id)
	if err != nil {
		return visitor{}, err
	}
	if seen, ok := session.Values[keySeen].(time.Time); ok && s.now().Sub(seen) > touchEvery {
		if err := s.db.TouchSession(r.Context(), session.ID, s.now()); err != nil {
			s.log.ErrorContext(r.Context(), "a session cannot be kept alive", "error", err)
		}
	}
	return visitor{User: user, Session: session.ID}, nil
}

func (s *sessionStore) signedOut() error {
	if s.team {
		return atelier.Refuse(atelier.Unauthorized, words.EntryOut)
	}
	return atelier.Refuse(atelier.Unauthorized, words.EntryOutAlone)
}

// user finds who a session belongs to, as they are now. Where people have accounts only they work, and only while they are
// not disabled; elsewhere only the one user of this machine does.
func (s *sessionStore) user(ctx context.Context, id atelier.UserID) (atelier.User, error) {
	u, err := s.db.User(ctx, id)
	if err != nil {
		return atelier.User{}, err
	}
	if !s.team {
		if id != localUser.ID {
			return atelier.User{}, s.signedOut()
		}
		return localUser, nil
	}
	if u.Login == "" || !u.DisabledAt.IsZero() {
		return atelier.User{}, s.signedOut()
	}
	return u.User, nil
}

// hashOf is what of a cookie is kept.
func hashOf(cookie string) string {
	sum := sha256.Sum256([]byte(cookie))
	return hex.EncodeToString(sum[:])
}
