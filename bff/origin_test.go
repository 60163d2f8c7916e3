package bff_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
)

// R12: over TLS the page that opens a socket came over TLS too: the same name in the clear is another origin.
func TestR12TheOriginOfASocketHasTheStudiosScheme(t *testing.T) {
	t.Parallel()
	for secure, scheme := range map[bool]string{false: "http", true: "https"} {
		s := (&studio{unsigned: true, change: func(c *bff.Config) { c.TLS = secure }}).move(t)
		cookie, _, _ := strings.Cut(s.json("POST", "/api/session", atelier.Login{Token: fixedToken}, http.StatusOK, nil).header.Get("Set-Cookie"), ";")
		for _, origin := range []string{"http://" + s.host(), "https://" + s.host(), scheme + "://evil.example", "null", ""} {
			want := http.StatusForbidden
			if origin == scheme+"://"+s.host() {
				want = http.StatusSwitchingProtocols
			}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.http.URL+"/api/events", nil)
			s.check(err)
			for name, value := range map[string]string{
				"Cookie": cookie, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
			} {
				r.Header.Set(name, value)
			}
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
			resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
			s.check(err)
			if resp.StatusCode != want {
				body, _ := io.ReadAll(resp.Body)
				t.Errorf("TLS %v: a socket from %q = %d %s, want %d", secure, origin, resp.StatusCode, body, want)
			}
			s.check(resp.Body.Close())
		}
	}
}
