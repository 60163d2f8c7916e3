package bff

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/password"
	"atelier/bff/words"
	"atelier/db"
)

// entry tells who is not signed in yet how one gets in.
func (s *Server) entry(w http.ResponseWriter, r *http.Request, _ visitor) error {
	e := atelier.Entry{Team: s.c.Team}
	if s.c.Team {
		n, err := s.c.DB.CountAccounts(r.Context())
		if err != nil {
			return err
		}
		e.Setup = n == 0
	}
	return writeJSON(w, http.StatusOK, e)
}

// setUp makes the first account for who has the code that was printed where the server runs.
func (s *Server) setUp(w http.ResponseWriter, r *http.Request, _ visitor) error {
	if !s.c.Team {
		return atelier.Refuse(atelier.NotFound, words.EntryNoAccounts)
	}
	from, failed := s.network(r), false
	if !s.logins.begin(from) {
		return errTooManyAttempts
	}
	defer func() { s.logins.end(from, failed) }()
	var body atelier.Setup
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	if n, err := s.c.DB.CountAccounts(r.Context()); err != nil {
		return err
	} else if n > 0 {
		return atelier.Refuse(atelier.Conflict, db.SetUpAlready)
	}
	if !s.setup.is(body.Code) {
		failed = true
		s.log.WarnContext(r.Context(), "a setup code was refused", "ip", s.ip(r))
		return &atelier.Error{Code: atelier.Invalid, Message: words.EntryCode, Fields: map[string]string{"code": words.EntryCodeField}}
	}
	name, err := AccountName(body.Name)
	if err != nil {
		return err
	}
	if why := password.Refuse(body.Password, name); why != "" {
		return atelier.FieldError("password", why)
	}
	hash, err := s.hasher.Hash(r.Context(), body.Password)
	if err != nil {
		return err
	}
	user, err := s.c.DB.FirstAccount(r.Context(), localUser.ID, name, hash)
	if err != nil {
		return err
	}
	s.hub.EndUser(user.ID, "")
	s.log.InfoContext(r.Context(), "the first account was made", "user", user.ID, "ip", s.ip(r))
	return s.enter(w, r, user)
}

// SetupLink is the address that makes the first account, with the setup code in its fragment; ok is false when there is one
// already, or there are none at all here.
func (s *Server) SetupLink(ctx context.Context) (link string, ok bool, err error) {
	if !s.c.Team {
		return "", false, nil
	}
	n, err := s.c.DB.CountAccounts(ctx)
	return s.c.LinkBase + "/#setup=" + s.setup.code, n == 0, err
}

// admit checks name and password. What is wrong of the two is not told, neither in words nor by how long it takes.
func (s *Server) admit(r *http.Request, body atelier.Login) (db.User, error) {
	ctx, login := r.Context(), db.FoldName(body.Name)
	if login == "" || body.Password == "" || len(login) > 400 || utf8.RuneCountInString(body.Password) > atelier.PasswordMax {
		return db.User{}, atelier.Refuse(atelier.Unauthorized, words.EntryWrong)
	}
	if wait := s.guesses.begin(login); wait > 0 {
		s.log.WarnContext(ctx, "a sign-in was put off", "ip", s.ip(r))
		return db.User{}, &atelier.Error{Code: atelier.TooMany, Message: words.EntryWait(wait), Wait: wait}
	}
	user, err := s.c.DB.FindAccount(ctx, login)
	if err != nil && atelier.CodeOf(err) != atelier.NotFound {
		return db.User{}, err
	}
	ok, err := s.hasher.Matches(ctx, user.Password, body.Password)
	if err != nil {
		return db.User{}, err
	}
	if !ok || !user.DisabledAt.IsZero() {
		s.log.WarnContext(ctx, "a sign-in was refused", "user", user.ID, "ip", s.ip(r))
		return db.User{}, errWrongPassword
	}
	s.guesses.forget(login)
	return user, nil
}

// errWrongPassword is told when a password was compared and is not the one.
var errWrongPassword = atelier.Refuse(atelier.Unauthorized, words.EntryWrong)

// AccountName checks the name of an account and tidies its spaces.
func AccountName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if n := utf8.RuneCountInString(name); n == 0 || n > 60 || !utf8.ValidString(name) {
		return "", atelier.FieldError("name", words.NameLength)
	}
	for _, r := range name {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Cf, r) {
			return "", atelier.FieldError("name", words.NameUnseen)
		}
	}
	return name, nil
}

// setupCode is what the operator reads in the terminal at the first start: 130 random bits, kept in memory alone.
type setupCode struct{ code string }

func newSetupCode() *setupCode { return &setupCode{rand.Text()} }

// is compares in constant time, whatever the code was written like.
func (c *setupCode) is(given string) bool {
	given = strings.ToUpper(strings.NewReplacer("-", "", " ", "").Replace(given))
	return subtle.ConstantTimeCompare([]byte(hashOf(given)), []byte(hashOf(c.code))) == 1
}

// guesses slows down who tries passwords of one account: five are free, then the wait doubles from a minute to a quarter of
// an hour. It never ends in a lock. Names that nobody has are treated alike.
type guesses struct {
	now func() time.Time

	mu    sync.Mutex
	names map[string]*guessed
}

type guessed struct {
	failed int
	until  time.Time // before it nothing is tried
	used   time.Time
}

const (
	freeGuesses = 5
	longestWait = 15 * time.Minute
	guessesKept = 24 * time.Hour
)

func newGuesses(now func() time.Time) *guesses {
	return &guesses{now: now, names: map[string]*guessed{}}
}

// begin counts an attempt as failed until forget says otherwise, so that attempts at the same time count too. A wait above
// zero means that it must not be made.
func (g *guesses) begin(login string) (wait time.Duration) {
	key := hashOf(login)
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	k := g.names[key]
	if k == nil || now.Sub(k.used) > guessesKept {
		if len(g.names) >= maxLimits {
			g.evict(now)
		}
		k = &guessed{}
		g.names[key] = k
	}
	if wait := k.until.Sub(now); wait > 0 {
		return wait
	}
	k.failed++
	k.used = now
	if over := k.failed - freeGuesses; over >= 0 {
		k.until = now.Add(min(time.Minute<<min(over, 10), longestWait))
	}
	return 0
}

// evict forgets what is old, and when nothing is, the names with the fewest wrong passwords: whoever tries many names does not get one
// forgotten whose wait has grown.
func (g *guesses) evict(now time.Time) {
	maps.DeleteFunc(g.names, func(_ string, k *guessed) bool { return now.Sub(k.used) > guessesKept })
	forget(g.names, func(a, b *guessed) int { return cmp.Or(cmp.Compare(a.failed, b.failed), a.used.Compare(b.used)) })
}

// forget ends the count: the right password was given.
func (g *guesses) forget(login string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.names, hashOf(login))
}

// revocationWatch looks every second whether sessions were ended by somebody else: by another process on the same database.
type revocationWatch struct {
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// watchEvery leaves a second of the two in which a socket must be closed.
const watchEvery = time.Second

func (v *revocationWatch) start(ctx context.Context, look func(context.Context)) {
	ctx, v.cancel = context.WithCancel(ctx)
	v.ended.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				look(ctx)
			case <-ctx.Done():
				return
			}
		}
	})
}

func (v *revocationWatch) stop() {
	if v.cancel != nil {
		v.cancel()
	}
	v.ended.Wait()
}

// endRevoked closes the sockets of sessions that are gone or whose user is disabled.
func (s *Server) endRevoked(ctx context.Context) {
	defer s.survive("watching over sessions")
	open := s.hub.Sessions()
	if len(open) == 0 {
		return
	}
	hashes, err := s.c.DB.StandingSessions(ctx)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			s.log.ErrorContext(ctx, "sessions cannot be watched over", "error", err)
		}
		return
	}
	standing := make(map[string]bool, len(hashes))
	for _, hash := range hashes {
		standing[hash] = true
	}
	for _, hash := range open {
		if !standing[hash] {
			s.hub.EndSession(hash)
		}
	}
}
