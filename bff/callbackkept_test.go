package bff_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
)

// token is the callback address of a run, as the studio makes it with the key of the tests.
func token(id atelier.RunID) string {
	mac := hmac.New(sha256.New, []byte("0123456789abcdef0123456789abcdef"))
	mac.Write([]byte("cb1|" + string(id)))
	return string(id) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:22]
}

// withOtherEnd is a signed address whose last letter is another one.
func withOtherEnd(signed string) string {
	rest, end := signed[:len(signed)-1], signed[len(signed)-1:]
	if end == "x" {
		return rest + "y"
	}
	return rest + "x"
}

// C6, C8 and C10, and what is kept of a callback.
func TestC6C8C10ACallbackIsKeptAnsweredAndBelievedNothing(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(35))
	run, other := s.startRun(removal("callback", asset)), s.startRun(removal("another", asset))
	call := func(token, body string) reply {
		return s.send("POST", "/callbacks/v1/"+token, strings.NewReader(body), func(r *http.Request) {
			r.Header = http.Header{"Content-Type": {"application/json"}}
		})
	}
	forged := `{"data":{"executions":[{"executionId":"forged","status":"Success","result":[{"status":"Success","image":"http://127.0.0.1/x"}]}]}}`
	r := call(token(run.ID), forged)
	if r.status != http.StatusOK || string(r.body) != "SUCCESS" || r.header.Get("Content-Type") != "text/plain" {
		t.Fatalf("a callback = %d %q %s", r.status, r.body, r.header.Get("Content-Type"))
	}
	call(token(run.ID), forged)
	call(token(run.ID), "not JSON \x00\xff")
	calls, err := s.db.ListCallbacks(t.Context(), run.ID)
	if err != nil || len(calls) != 2 {
		t.Errorf("%d callbacks are kept, %v", len(calls), err)
	}
	good := token(run.ID)
	for name, bad := range map[string]string{
		"no proof": string(run.ID), "a forged proof": withOtherEnd(good), "another run's": strings.Replace(good, string(run.ID), string(other.ID), 1),
		"an unknown run's": strings.Replace(good, string(run.ID), "0190a0b0-0000-7000-8000-000000000000", 1),
		"an unknown run":   token("0190a0b0-0000-7000-8000-000000000000"),
	} {
		if r := call(bad, "{}"); r.status != http.StatusNotFound {
			t.Errorf("%s = %d", name, r.status)
		}
	}
	if r := call(good, strings.Repeat("x", 1<<20+1)); r.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a callback of more than 1 MiB = %d", r.status)
	}
	s.start()
	s.untilState(other.ID, atelier.StateDone)
	done := s.untilState(run.ID, atelier.StateDone)
	if done.ExecutionID == "forged" || s.executions() != 2 {
		t.Errorf("a forged callback was believed: %+v", done)
	}
}

func TestACallbackMakesThePollFaster(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	s.change = func(c *bff.Config) {
		c.PublicURL = s.http.URL
		c.PollMin, c.PollMax = time.Hour, time.Hour
	}
	s.open()
	s.start()
	run := s.startRun(removal("called", s.upload(photo(36))))
	s.untilState(run.ID, atelier.StateDone)
}
