package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"atelier/atelier"
	"atelier/bff"
)

func TestR19ALaunchCodeOpensOneSession(t *testing.T) {
	t.Parallel()
	var ahead atomic.Int64
	var logs, terminal safeBuffer
	s := newIdleStudio(t, func(c *bff.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		c.Logger, c.Terminal = logs.logger(), &terminal
	})
	code := s.bff.LaunchCode()
	login := func(token string) int {
		raw, err := json.Marshal(atelier.Login{Token: token})
		s.check(err)
		s.browser = s.newBrowser()
		return s.send("POST", "/api/session", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }).status
	}
	if got := []int{login("wrong"), login(""), login(code), login(code), login(fixedToken), login(fixedToken)}; !cmp.Equal(got, []int{401, 401, 200, 401, 200, 200}) {
		t.Errorf("logins = %v", got)
	}
	if link := s.bff.LaunchLink(); !strings.HasPrefix(link, s.http.URL+"/#launch=") || login(strings.TrimPrefix(link, s.http.URL+"/#launch=")) != 200 {
		t.Errorf("the link is %s", link)
	}
	late, soon := s.bff.LaunchCode(), s.bff.LaunchCode()
	ahead.Add(int64(4*time.Minute + 50*time.Second))
	inTime := login(soon)
	ahead.Add(int64(11 * time.Second))
	if tooLate := login(late); inTime != 200 || tooLate != 401 {
		t.Errorf("within five minutes = %d, afterwards = %d", inTime, tooLate)
	}
	var refused int
	for range 20 {
		if login("guess") == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("20 guesses, %d refused", refused)
	}
	statuses := []int{}
	for range 2 {
		statuses = append(statuses, s.send("POST", "/api/session/link", nil, nil).status)
	}
	if !cmp.Equal(statuses, []int{204, 429}) {
		t.Errorf("asking for links = %v", statuses)
	}
	// It stands in the terminal, whatever is logged, and in no log.
	_, printed, found := strings.Cut(terminal.String(), s.http.URL+"/#launch=")
	if code := strings.TrimSpace(printed); !found || strings.Contains(logs.String(), "#launch=") || len(code) != 26 {
		t.Errorf("the terminal shows %q, the log %s", terminal.String(), logs.String())
	} else {
		ahead.Add(int64(4 * time.Minute)) // or the guesses would still count
		if got := login(code); got != http.StatusOK {
			t.Errorf("the printed address = %d", got)
		}
	}
}

func TestR17D8SessionsEndByThemselvesAndByHand(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	ahead := time.Duration(0)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Add(ahead)
	}
	later := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		ahead += d
	}
	s := newIdleStudio(t, func(c *bff.Config) { c.Now = now })
	signedIn := func() bool { return s.send("GET", "/api/session", nil, nil).status == http.StatusOK }
	r := s.json("POST", "/api/session", atelier.Login{Token: fixedToken}, http.StatusOK, nil)
	_, port, _ := strings.Cut(s.host(), ":")
	cookie := r.header.Get("Set-Cookie")
	for _, want := range []string{"atelier_" + port + "=", "HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %s", cookie, want)
		}
	}
	value, _, _ := strings.Cut(strings.TrimPrefix(cookie, "atelier_"+port+"="), ";")
	if rows := dump(t, s, "SELECT hash FROM sessions"); strings.Contains(rows, value) || len(value) < 43 {
		t.Errorf("the cookie %q stands in the database", value)
	}
	// A cookie of our name that another program of this machine has set signs nobody out.
	tossed := s.send("GET", "/api/session", nil, func(r *http.Request) {
		r.Header.Set("Cookie", "atelier_"+port+"=x; atelier_"+port+"="+strings.Repeat("y", 43))
	})
	if tossed.status != http.StatusOK {
		t.Errorf("with cookies of others before ours = %d", tossed.status)
	}
	for range 3 {
		later(11 * time.Hour)
		if !signedIn() {
			t.Fatal("a session in use has ended")
		}
	}
	later(12*time.Hour + time.Minute)
	if signedIn() {
		t.Error("an idle session still stands")
	}
	s.login()
	for range 62 {
		later(11*time.Hour + 59*time.Minute)
		signedIn()
	}
	if signedIn() {
		t.Error("a session of 31 days still stands")
	}
	s.login()
	socket := s.listen("")
	s.event(socket)
	s.json("DELETE", "/api/session", nil, http.StatusNoContent, nil)
	s.check(socket.SetReadDeadline(time.Now().Add(time.Minute)))
	_, _, err := socket.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) {
		t.Errorf("after signing out the socket says %v", err)
	}
	if signedIn() {
		t.Error("still signed in")
	}
}

func dump(t *testing.T, s *studio, query string) string {
	t.Helper()
	rows, err := s.db.Read.QueryContext(t.Context(), query)
	s.check(err)
	defer func() { s.check(rows.Close()) }()
	var all strings.Builder
	for rows.Next() {
		var text string
		s.check(rows.Scan(&text))
		all.WriteString(text + "\n")
	}
	s.check(rows.Err())
	return all.String()
}

// R18: behind a proxy that ends TLS the cookie is for this host and TLS alone, as over TLS of its own.
func TestR18BehindAProxyTheCookieIsForTLSAlone(t *testing.T) {
	t.Parallel()
	for public, want := range map[string]bool{"https://studio.example.com": true, "http://studio.example.com": false} {
		s := (&studio{unsigned: true, change: func(c *bff.Config) {
			c.PublicURL, c.TrustedProxies = public, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
			c.Hosts = append(c.Hosts, "studio.example.com")
		}}).move(t)
		r := s.json("POST", "/api/session", atelier.Login{Token: fixedToken}, http.StatusOK, nil)
		cookie, hsts := r.header.Get("Set-Cookie"), r.header.Get("Strict-Transport-Security")
		if secure := strings.HasPrefix(cookie, "__Host-atelier=") && strings.Contains(cookie, "; Secure") && hsts != ""; secure != want {
			t.Errorf("%s: the cookie is %q, Strict-Transport-Security %q", public, cookie, hsts)
		}
	}
}
