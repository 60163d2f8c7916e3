package bff

import (
	"crypto/rand"
	"crypto/subtle"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// launchLife is how long a printed address works.
const launchLife = 5 * time.Minute

// launch knows the codes that open a session. A code of its own works once; a fixed token works many times.
type launch struct {
	fixed string
	now   func() time.Time

	mu    sync.Mutex
	codes map[string]time.Time // hash of a code to its end
}

func newLaunch(fixed string, now func() time.Time) *launch {
	return &launch{fixed: fixed, now: now, codes: map[string]time.Time{}}
}

// code makes a new code of 130 random bits.
func (l *launch) code() string {
	code := rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for hash, end := range l.codes {
		if !now.Before(end) {
			delete(l.codes, hash)
		}
	}
	l.codes[hashOf(code)] = now.Add(launchLife)
	return code
}

// take says whether a token opens a session, and uses it up.
func (l *launch) take(token string) bool {
	if l.fixed != "" && subtle.ConstantTimeCompare([]byte(hashOf(l.fixed)), []byte(hashOf(token))) == 1 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	// Only hashes are compared, so the time a look-up takes tells nothing about a code.
	hash := hashOf(token)
	end, ok := l.codes[hash]
	delete(l.codes, hash)
	return ok && l.now().Before(end)
}

// LaunchCode makes a code that opens one session within five minutes.
func (s *Server) LaunchCode() string { return s.launch.code() }

// LaunchLink is the address that opens the studio, with a fresh code in its fragment, which no browser sends to anybody.
func (s *Server) LaunchLink() string { return s.c.LinkBase + "/#launch=" + s.launch.code() }

// limits holds one rate limit per key for as many keys as fit; the ones that were not used for long go first.
type limits struct {
	every rate.Limit
	burst int
	now   func() time.Time

	mu   sync.Mutex
	keys map[string]*limited
}

type limited struct {
	limiter *rate.Limiter
	used    time.Time
}

const maxLimits = 10_000

func newLimits(every rate.Limit, burst int, now func() time.Time) *limits {
	return &limits{every: every, burst: burst, now: now, keys: map[string]*limited{}}
}

func (l *limits) of(key string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	k := l.keys[key]
	if k == nil {
		if len(l.keys) >= maxLimits {
			l.evict(now)
		}
		k = &limited{limiter: rate.NewLimiter(l.every, l.burst)}
		l.keys[key] = k
	}
	k.used = now
	return k.limiter
}

// evict forgets the key that was used longest ago, and all whose limit is full again.
func (l *limits) evict(now time.Time) {
	var oldest string
	for key, k := range l.keys {
		if k.limiter.TokensAt(now) >= float64(l.burst) {
			delete(l.keys, key)
			continue
		}
		if oldest == "" || k.used.Before(l.keys[oldest].used) {
			oldest = key
		}
	}
	if len(l.keys) >= maxLimits {
		delete(l.keys, oldest)
	}
}

// exhausted says whether the key has failed too often.
func (l *limits) exhausted(key string) bool { return l.of(key).TokensAt(l.now()) < 1 }

// fail counts a failure.
func (l *limits) fail(key string) { l.of(key).AllowN(l.now(), 1) }
