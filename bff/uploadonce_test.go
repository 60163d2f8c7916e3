package bff_test

import (
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/upstream"
)

// Two runs of a photo that is new to the image service send it once, also when both begin at the same moment.
func TestAPhotoOfTwoRunsAtOnceIsSentOnce(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	var uploads atomic.Int64
	second := make(chan struct{})
	s.sent = func(path, _ string) {
		if path != upstream.PathUploadImage {
			return
		}
		if uploads.Add(1) > 1 {
			close(second)
			return
		}
		timer := time.NewTimer(500 * time.Millisecond) // long enough for the other run to come as far
		defer timer.Stop()
		select {
		case <-second:
		case <-timer.C:
		}
	}
	s.open()
	asset := s.upload(photo(91))
	runs := []atelier.Run{s.startRun(removal("one", asset)), s.startRun(removal("two", asset))}
	s.start()
	for _, run := range runs {
		s.untilState(run.ID, atelier.StateDone)
	}
	if n := uploads.Load(); n != 1 {
		t.Errorf("the photo was sent %d times, want once", n)
	}
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
