package bff

import (
	"crypto/rand"
	"crypto/subtle"
	"maps"
	"slices"
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

// limits lets each key fail so often; what is under way counts as failed until it is known, so that attempts at the same time
// get nobody further. It holds as many keys as fit; the ones that were not used for long go first.
type limits struct {
	every rate.Limit
	burst int
	now   func() time.Time

	mu   sync.Mutex
	keys map[string]*limited
}

type limited struct {
	limiter *rate.Limiter
	open    int // attempts under way
	used    time.Time
}

const maxLimits = 10_000

func newLimits(every rate.Limit, burst int, now func() time.Time) *limits {
	return &limits{every: every, burst: burst, now: now, keys: map[string]*limited{}}
}

// of finds a key's limit; the lock is held.
func (l *limits) of(key string, now time.Time) *limited {
	k := l.keys[key]
	if k == nil {
		if len(l.keys) >= maxLimits {
			l.evict(now)
		}
		k = &limited{limiter: rate.NewLimiter(l.every, l.burst)}
		l.keys[key] = k
	}
	k.used = now
	return k
}

// evict forgets the keys whose limit is full again, and of the others the tenth that was not used for longest: looking through all of
// them for each new one would cost more than what is limited.
func (l *limits) evict(now time.Time) {
	maps.DeleteFunc(l.keys, func(_ string, k *limited) bool { return k.open == 0 && k.limiter.TokensAt(now) >= float64(l.burst) })
	forget(l.keys, func(a, b *limited) int { return a.used.Compare(b.used) })
}

// forget makes room where there is none: the first tenth of what is kept goes, in the order of less.
func forget[V any](kept map[string]V, less func(a, b V) int) {
	if len(kept) < maxLimits {
		return
	}
	keys := slices.SortedFunc(maps.Keys(kept), func(a, b string) int { return less(kept[a], kept[b]) })
	for _, key := range keys[:maxLimits/10] {
		delete(kept, key)
	}
}

// begin says whether the key may try once more. If so, end must follow.
func (l *limits) begin(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	k := l.of(key, now)
	if k.limiter.TokensAt(now)-float64(k.open) < 1 {
		return false
	}
	k.open++
	return true
}

// end says how an attempt ended. Only failures count.
func (l *limits) end(key string, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	k := l.of(key, now)
	k.open = max(k.open-1, 0)
	if failed {
		k.limiter.AllowN(now, 1)
	}
}
