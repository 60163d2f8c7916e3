package bff_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/internal/outbound"
	"atelier/service"
)

// F12: what is secret stands in no log line, no answer, no database and no file: the key of the image service, passwords,
// cookies, the setup code, the addresses of callbacks, shared videos and review links.
func TestF12SecretsStandNowhere(t *testing.T) {
	t.Parallel()
	var logs safeBuffer
	s := newUnclaimed(t, func(c *bff.Config) { c.Logger = logs.logger() })
	var answers bytes.Buffer
	ask := func(method, path string, body any) reply {
		raw, err := json.Marshal(body)
		s.check(err)
		r := s.send(method, path, bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
		answers.Write(r.body)
		for name, values := range r.header {
			if name != "Set-Cookie" {
				answers.WriteString(name + strings.Join(values, " "))
			}
		}
		return r
	}
	code := setupCode(t, s)
	const wrong = "canary of a wrong password"
	secrets := map[string]string{"the key": testKey, "the password": goodPassword, "a wrong password": wrong, "the setup code": code, "the callback key": "0123456789abcdef0123456789abcdef"}
	ask("POST", "/api/setup", atelier.Setup{Code: "canary-of-a-code", Name: "Ada", Password: goodPassword})
	ask("POST", "/api/setup", atelier.Setup{Code: code, Name: "Ada", Password: goodPassword})
	ask("POST", "/api/session", atelier.Login{Name: "Ada", Password: wrong})
	ask("POST", "/api/session", atelier.Login{Name: wrong, Password: goodPassword}) // the two mixed up, as happens
	ask("POST", "/api/session", map[string]any{"name": "Ada", "password": wrong, "more": wrong})
	ask("POST", "/api/session", atelier.Login{Name: "Ada", Password: goodPassword})
	ask("POST", "/api/password", atelier.ChangePassword{Current: wrong, Password: goodPassword})
	ask("POST", "/api/password", atelier.ChangePassword{Current: goodPassword, Password: wrong})
	var made atelier.AccountBody
	s.check(json.Unmarshal(s.json("POST", "/api/users", atelier.CreateAccount{Name: "Ben", Role: atelier.Designer}, http.StatusCreated, nil).body, &made))
	secrets["a password made up"] = made.Password
	address, err := url.Parse(s.http.URL)
	s.check(err)
	for _, c := range s.browser.Jar.Cookies(address) {
		secrets["the cookie"] = c.Value
	}
	s.start()
	run := s.untilState(s.startRun(removal("canary", s.upload(photo(81)))).ID, atelier.StateDone)
	callback := token(run.ID)
	secrets["a callback's proof"] = callback[strings.LastIndexByte(callback, '.')+1:]
	ask("POST", "/callbacks/v1/"+callback, "x")
	share := s.bff.MediaURL("0190a0b0-0000-7000-8000-000000000000")
	secrets["a shared video's proof"] = share[strings.LastIndexByte(share, '.')+1:]
	ask("GET", share, nil)
	client := s.reviewLink(atelier.CreateReviewLink{IDs: []atelier.ResultID{run.Results[0].ID}, Title: "Canary", Days: 1})
	secrets["a review link's proof"] = client.at[strings.LastIndexByte(client.at, '.')+1:]
	for _, end := range []string{"/1/thumb", "/2", "/1/file"} { // its pages name it, where nobody has the answers but who has the link
		ask("GET", client.at+end, nil)
	}
	for _, path := range []string{"/api/session", "/api/sessions", "/api/users", "/api/agents", "/api/runs", "/api/assets", "/api/results", "/api/tasks", "/api/none", "/healthz", "/readyz"} {
		ask("GET", path, nil)
	}
	s.send("GET", "/api/runs/%00", nil, nil)
	store := s.store
	s.check(store.Close()) // and now things go wrong inside
	ask("GET", run.Results[0].File, nil)
	for _, header := range []string{"X-Forwarded-For", "User-Agent"} { // a line of its own in the log, or a colour
		s.send("GET", "/api/runs", nil, func(r *http.Request) { r.Header.Set(header, "x\ty \u2028 level=ERROR") })
	}
	log := logs.String()
	for what, secret := range secrets {
		if len(secret) < 10 {
			t.Errorf("%s is %q: too short to be looked for", what, secret)
		}
		if strings.Contains(log, secret) {
			t.Errorf("the log shows %s", what)
		}
		if strings.Contains(answers.String(), secret) {
			t.Errorf("an answer shows %s", what)
		}
	}
	if n := strings.Count(log, "\n"); n < 20 || n != strings.Count(log, `{"time"`) {
		t.Errorf("the log has %d lines and %d entries", n, strings.Count(log, `{"time"`))
	}
	if strings.Contains(log, callback) || strings.Contains(answers.String(), s.folder) {
		t.Error("an address or a path of the server stands where it should not")
	}
	if _, err := s.db.Write.ExecContext(t.Context(), "VACUUM INTO ?", filepath.Join(s.folder, "backup.db")); err != nil {
		t.Fatal(err)
	}
	looked := 0
	err = fs.WalkDir(os.DirFS(s.folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(s.folder, path))
		looked++
		for what, secret := range secrets {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", path, what)
			}
		}
		return err
	})
	if err != nil || looked < 5 {
		t.Errorf("%d files were looked through, %v", looked, err)
	}
	s.store, err = media.OpenStore(s.folder + "/files")
	s.check(err)
}

// What fails is logged, and without the proof or signature in its address.
func TestFailuresAreLoggedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	t.Run("a callback that nobody takes", func(t *testing.T) {
		t.Parallel()
		var logs safeBuffer
		s := (&studio{
			change: func(c *bff.Config) { c.PublicURL, c.Logger = closed.URL, logs.logger() },
			configure: func(c *service.Config) {
				c.Logger, c.CallbackHosts = logs.logger(), []string{strings.TrimPrefix(closed.URL, "http://")}
			},
		}).move(t)
		s.start()
		run := s.untilState(s.startRun(removal("canary", s.upload(photo(82)))).ID, atelier.StateDone)
		s.eventually("the call has failed", func() bool { return strings.Contains(logs.String(), "callback not taken") })
		if proof := token(run.ID); strings.Contains(logs.String(), proof[strings.LastIndexByte(proof, '.')+1:]) {
			t.Errorf("the log shows the proof of a callback: %s", logs.String())
		}
	})
	t.Run("a result that cannot be fetched", func(t *testing.T) {
		t.Parallel()
		const secret = "canary-of-a-signature"
		var logs safeBuffer
		s := oddStudio(t, &odd{polls: []string{`"status":"Success","result":[{"status":"Success","image":"` + closed.URL + `/a.png?signature=` + secret + `"}]`}})
		s.close()
		change := s.change
		s.change = func(c *bff.Config) {
			change(c)
			c.Logger, c.Outbound = logs.logger(), outbound.New(outbound.Policy{Hosts: []string{strings.TrimPrefix(closed.URL, "http://")}})
		}
		s.open()
		s.start()
		s.startRun(removal("canary", s.upload(photo(83))))
		s.eventually("it has failed", func() bool { return strings.Contains(logs.String(), "a result cannot be fetched") })
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the log shows a signature: %s", logs.String())
		}
	})
}
