package upstreamtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// judge runs every case against a handler and gives the names of those that pass.
func judge(t *testing.T, h http.Handler) (passed map[string]bool, all int) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	s := newSuite(Target{
		BaseURL: server.URL, Key: "a key of the suite", OtherKey: "another key", SecondKey: "a second key", Paid: true, Costly: true, Wait: 20 * time.Millisecond, Poll: 5 * time.Millisecond,
		Callbacks: func(*testing.T, http.Handler) string { return "https://receiver.example" },
	})
	defer s.client.CloseIdleConnections()
	passed = map[string]bool{}
	for _, c := range scenarios() {
		if len(s.try(t.Context(), t, c)) == 0 {
			passed[c.name] = true
		}
	}
	return passed, len(scenarios())
}

func answering(status int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			return
		}
	})
}

func TestNoCasePassesAServiceThatSaysNothing(t *testing.T) {
	for _, body := range []string{`{}`, `<html>`, `{"success":"maybe"}`} {
		passed, all := judge(t, answering(200, body))
		if len(passed) > 0 || all < 60 {
			t.Errorf("%d of %d cases pass a service that answers %q: %v", len(passed), all, body, passed)
		}
	}
}

func TestCasesThatWantSuccessFailAServiceThatRefusesEverything(t *testing.T) {
	refusal := `{"success":false,"code":40000,"msg":"no","error":{"code":"40000","message":"no","retryable":false}}`
	passed, all := judge(t, answering(400, refusal))
	if len(passed) == 0 || len(passed) == all {
		t.Fatalf("%d of %d cases pass", len(passed), all)
	}
	for name := range passed {
		for _, word := range []string{"is taken", "reaches", "is allowed", "offers", "is listed", "transparent", "calls back", "becomes a layered"} {
			if strings.Contains(name, word) {
				t.Errorf("%q passes a service that refuses everything", name)
			}
		}
	}
}

func TestCasesThatWantARefusalFailAServiceThatTakesEverything(t *testing.T) {
	success := `{"success":true,"code":0,"msg":"ok","meta":{"executionId":"e"},"data":{"taskId":"t","executionId":"e","image":"https://a/b.png","tasks":[],"executions":[]}}`
	passed, _ := judge(t, answering(200, success))
	for name := range passed {
		for _, word := range []string{"refuse", "needs", "knows its keys", "raw key", "unknown", "is gone", "is not answered"} {
			if strings.Contains(name, word) {
				t.Errorf("%q passes a service that takes everything", name)
			}
		}
	}
}

func TestNamesOfCasesAreUniqueAndNameTheirDocument(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range scenarios() {
		if seen[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		seen[c.name] = true
		if !strings.Contains(c.from, "API, ") {
			t.Errorf("%q comes from %q, which is no document and section", c.name, c.from)
		}
	}
}

func TestFreeTargetsAreNeverAskedToPay(t *testing.T) {
	for _, c := range scenarios() {
		if (c.paid || c.costly || c.callbacks) && c.runs(Target{Costly: true, Callbacks: func(*testing.T, http.Handler) string { return "" }}) {
			t.Errorf("%q runs without leave to pay", c.name)
		}
		if c.costly && c.runs(Target{Paid: true}) {
			t.Errorf("%q runs without leave to pay much", c.name)
		}
		if (c.two || c.same) && c.runs(Target{Paid: true, Costly: true}) {
			t.Errorf("%q runs without a second key", c.name)
		}
	}
}

func TestPicturesAreWhatTheyAreCalled(t *testing.T) {
	if n := len(padded(pngOf(flat(600, 700)), 100_000)); n != 100_000 {
		t.Errorf("padded to %d bytes, want 100000", n)
	}
	for name, file := range map[string][]byte{
		"png": padded(pngOf(flat(600, 700)), 100_000), "jpeg": jpegOf(person(60, 80)), "webp": webpOf(person(60, 80)), "gif": gifOf(flat(60, 80)), "mask": upperHalf(60, 80),
	} {
		p := &probe{suite: newSuite(Target{}), ctx: t.Context(), t: t}
		server := httptest.NewServer(answering(200, string(file)))
		func() {
			defer server.Close()
			defer func() {
				if r := recover(); r != nil && r != any(errStop) {
					panic(r)
				}
			}()
			p.picture(server.URL)
		}()
		if len(p.complaints) > 0 {
			t.Errorf("%s: %v", name, p.complaints)
		}
	}
}
