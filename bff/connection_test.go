package bff_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/internal/killable"
	"atelier/internal/outbound"
	"atelier/service"
	"atelier/upstream"
)

// account is a whole image service on a listener, as a remote one is reached.
type account struct {
	t       testing.TB
	service *service.Service
	server  *httptest.Server
	key     string
	mu      sync.Mutex
	calls   map[string]int // by path
	// refuse answers a request instead of the service; nil = none is.
	refuse atomic.Pointer[func(w http.ResponseWriter, r *http.Request) bool]
	// hostless makes the addresses of pictures name another host.
	hostless string
}

// newAccount opens a service. It makes nothing before it is started.
func newAccount(t testing.TB, key string) *account {
	t.Helper()
	a := &account{t: t, key: key, calls: map[string]int{}}
	var err error
	a.service, err = service.Open(context.WithoutCancel(t.Context()), service.Config{Folder: filepath.Join(t.TempDir(), "service"), Logger: (&studio{t: t}).logger()})
	if err == nil {
		err = a.service.EnsureKey(context.WithoutCancel(t.Context()), key, "first", "first")
	}
	if err != nil {
		t.Fatal(err)
	}
	a.server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(func() {
		a.server.Close()
		if err := a.service.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func (a *account) serve(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.calls[r.URL.Path]++
	a.mu.Unlock()
	if refuse := a.refuse.Load(); refuse != nil && (*refuse)(w, r) {
		return
	}
	if a.hostless == "" {
		a.service.Handler().ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	a.service.Handler().ServeHTTP(answer, r)
	w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
	w.WriteHeader(answer.Code)
	_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), a.server.URL, a.hostless))
}

func (a *account) start() {
	a.t.Helper()
	if err := a.service.Start(context.WithoutCancel(a.t.Context())); err != nil {
		a.t.Fatal(err)
	}
}

// called counts the calls of paths that end so.
func (a *account) called(end string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for path, times := range a.calls {
		if strings.HasSuffix(path, end) {
			n += times
		}
	}
	return n
}

const executed, uploaded = "/task/execute", "/upload/image"

// enterable lets accounts be entered in a studio's settings, as the server does for one user.
func enterable(folder func() string) func(*bff.Config) {
	return func(c *bff.Config) {
		c.AccountFile, c.Sweep = filepath.Join(folder(), "account.json"), 50*time.Millisecond
		c.Connect = connectTo
	}
}

func connectTo(a bff.Connection) (r bff.Remote, err error) {
	r.Client, err = upstream.New(upstream.Options{BaseURL: a.Address, DownloadURL: a.Downloads, Key: a.Key, OnAnswer: bff.OnAnswer})
	policy := outbound.Policy{Hosts: a.Hosts, Origins: []string{a.Address}}
	r.Outbound = outbound.New(policy)
	return r, err
}

// newEnterable is a studio whose account can be entered in the settings.
func newEnterable(t *testing.T, also ...func(*bff.Config)) *studio {
	t.Helper()
	s := &studio{}
	s.change = func(c *bff.Config) {
		enterable(func() string { return s.folder })(c)
		for _, change := range also {
			change(c)
		}
	}
	s.move(t)
	s.start()
	return s
}

func (s *studio) connect(a *account) (c atelier.Connection) {
	s.t.Helper()
	s.json("PUT", "/api/connection", atelier.Connect{Address: a.server.URL, Key: a.key}, http.StatusOK, &c)
	return c
}

func (s *studio) session() (session atelier.Session) {
	s.t.Helper()
	s.json("GET", "/api/session", nil, http.StatusOK, &session)
	return session
}

func (s *studio) connection() (c atelier.Connection) {
	s.t.Helper()
	s.json("GET", "/api/connection", nil, http.StatusOK, &c)
	return c
}

// kept is what the file of accounts holds, "" when there is none.
func (s *studio) kept() string {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.folder, "account.json"))
	if !errors.Is(err, fs.ErrNotExist) {
		s.check(err)
	}
	return string(raw)
}

// Runs stay with the account they were started with, however often another one is entered meanwhile; new ones go to the new one.
func TestConnectionSwitchesWithRunsUnderWay(t *testing.T) {
	t.Parallel()
	s, first, second := newEnterable(t), newAccount(t, "key-of-the-first-account"), newAccount(t, "key-of-the-second-account")
	second.start()
	asset := s.upload(photo(301))
	stale := s.session().AccountStamp
	if c := s.connect(first); c.Kind != "remote" || c.Address != first.server.URL || c.KeyEnd != "ount" {
		t.Errorf("connected: %+v", c)
	}
	if now := s.session(); now.Upstream != "remote" || now.ServiceHost != strings.TrimPrefix(first.server.URL, "http://") {
		t.Errorf("the session tells of %q at %q", now.Upstream, now.ServiceHost)
	}
	old := removal("stale", asset)
	old.IntentKey, old.Account = intentKey("stale"), stale
	if r := s.try("/api/runs", old); r.status != http.StatusConflict {
		t.Errorf("a run for the account before = %d %s, want 409", r.status, r.body)
	}
	running := s.untilState(s.startRun(removal("first", asset)).ID, atelier.StateAccepted)
	c := s.connect(second)
	if len(c.Former) != 1 || c.Former[0].Address != first.server.URL || c.Former[0].Sent != 1 {
		t.Errorf("former accounts: %+v", c.Former)
	}
	s.untilState(s.startRun(removal("second", asset)).ID, atelier.StateDone)
	s.restart()
	if c := s.connection(); c.Address != second.server.URL || len(c.Former) != 1 {
		t.Errorf("after a restart: %+v", c)
	}
	s.untilState(s.startRun(removal("third", asset)).ID, atelier.StateDone)
	first.start()
	if done := s.untilState(running.ID, atelier.StateDone); done.ExecutionID != running.ExecutionID || !done.Results[0].Stored {
		t.Errorf("the run of the first account: %+v", done)
	}
	s.eventually("the first key is deleted", func() bool { return !strings.Contains(s.kept(), first.key) })
	// The file changes first, so that a crash in between leaves no key behind.
	s.eventually("the first account is forgotten", func() bool { return len(s.connection().Former) == 0 })
	s.json("DELETE", "/api/connection", nil, http.StatusOK, &c)
	if c.Kind != "embedded" || strings.Contains(s.kept(), second.key) {
		t.Errorf("disconnected: %+v; the file holds %s", c, s.kept())
	}
	s.untilState(s.startRun(removal("fourth", asset)).ID, atelier.StateDone)
	if a, b, own := first.called(executed), second.called(executed), s.executions(); a != 1 || b != 2 || own != 1 {
		t.Errorf("%d, %d and %d runs were sent to the three, want 1, 2 and 1", a, b, own)
	}
	if a, b := first.called(uploaded), second.called(uploaded); a != 1 || b != 1 {
		t.Errorf("the photo was uploaded %d and %d times, want once to each", a, b)
	}
}

// A change waits while the keys of former accounts are removed; only a second change beside it is refused.
func TestConnectionWaitsForTheRemovalOfKeys(t *testing.T) {
	t.Parallel()
	s, account := newEnterable(t), newAccount(t, "key-of-the-account")
	account.start()
	s.connect(account)
	release := s.bff.HoldAccounts()
	answers := make(chan int)
	for range 2 {
		go func() { answers <- s.send("DELETE", "/api/connection", nil, nil).status }()
	}
	if status := <-answers; status != http.StatusConflict {
		t.Errorf("the second change = %d, want 409", status)
	}
	release()
	if status := <-answers; status != http.StatusOK {
		t.Errorf("the first change = %d, want 200", status)
	}
}

// A run that waits was started with the account its user saw: it is sent there, and nowhere else, once.
func TestConnectionKeepsWaitingRuns(t *testing.T) {
	t.Parallel()
	s, first, second := newEnterable(t), newAccount(t, "key-of-the-first-account"), newAccount(t, "key-of-the-second-account")
	first.start()
	second.start()
	busy := func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.Method, "POST") && !strings.HasSuffix(r.URL.Path, "/info") {
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	}
	s.connect(first)
	first.refuse.Store(&busy)
	run := s.startRun(removal("waiting", s.upload(photo(302))))
	s.until(run.ID, "waiting", func(r atelier.Run) bool { return r.State == atelier.StateRecorded && r.Error != nil })
	if c := s.connect(second); len(c.Former) != 1 || c.Former[0].Waiting != 1 {
		t.Errorf("former accounts: %+v", c.Former)
	}
	first.refuse.Store(nil)
	s.untilState(run.ID, atelier.StateDone)
	if a, b := first.called(executed), second.called(executed); a != 1 || b != 0 {
		t.Errorf("it was sent %d times to its account and %d times to the other, want 1 and 0", a, b)
	}
}

// Another key at an address is the same account when it sees what was made there: then nothing is uploaded again, and what is under way
// goes on with the new key. Else it is another account.
func TestConnectionTellsKeysOfOneAccountFromAnother(t *testing.T) {
	t.Parallel()
	s, a := newEnterable(t), newAccount(t, "key-of-the-first-account")
	asset := s.upload(photo(303))
	s.connect(a)
	run := s.untilState(s.startRun(removal("before", asset)).ID, atelier.StateAccepted)
	again, _, err := a.service.CreateKey(t.Context(), "first", "again")
	s.check(err)
	old := a.key
	a.key = again
	if c := s.connect(a); len(c.Former) != 0 || strings.Contains(s.kept(), old) {
		t.Errorf("another key of the account: former %+v, and the file holds %s", c.Former, s.kept())
	}
	a.start()
	s.untilState(run.ID, atelier.StateDone)
	s.untilState(s.startRun(removal("after", asset)).ID, atelier.StateDone)
	if n := a.called(uploaded); n != 1 {
		t.Errorf("the photo was uploaded %d times, want once", n)
	}
	if a.key, _, err = a.service.CreateKey(t.Context(), "second", "second"); err != nil {
		t.Fatal(err)
	}
	before := s.session().AccountStamp
	s.connect(a)
	if s.session().AccountStamp == before {
		t.Error("the key of another account was taken for one of the same")
	}
	s.untilState(s.startRun(removal("another", asset)).ID, atelier.StateDone)
	if n := a.called(uploaded); n != 2 {
		t.Errorf("the photo was uploaded %d times, want once to each account", n)
	}
}

// What is wrong with an account is said beside its field, and nothing is stored.
func TestConnectionRefusesWhatDoesNotWork(t *testing.T) {
	t.Parallel()
	s, a := newEnterable(t), newAccount(t, "key-of-the-first-account")
	closed := httptest.NewServer(nil)
	closed.Close()
	elsewhere := httptest.NewServer(http.RedirectHandler(a.server.URL, http.StatusFound))
	t.Cleanup(elsewhere.Close)
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	strange := newAccount(t, a.key)
	strange.hostless = "http://10.1.2.3"
	for name, tt := range map[string]struct {
		given       atelier.Connect
		field, says string
	}{
		"no key":                {atelier.Connect{Address: a.server.URL}, "key", "Enter the API key"},
		"a wrong key":           {atelier.Connect{Address: a.server.URL, Key: "canary-of-a-wrong-key"}, "key", "does not accept this key"},
		"a key with Bearer":     {atelier.Connect{Address: a.server.URL, Key: "Bearer " + a.key}, "key", "Bearer"},
		"a key of two lines":    {atelier.Connect{Address: a.server.URL, Key: "canary-of\nlines"}, "key", "no API key"},
		"no address":            {atelier.Connect{Key: a.key}, "address", "Enter the address"},
		"no host":               {atelier.Connect{Address: "https:///x", Key: a.key}, "address", "Enter the address"},
		"a query":               {atelier.Connect{Address: "https://images.example?x=1", Key: a.key}, "address", "Enter the address"},
		"another scheme":        {atelier.Connect{Address: "ftp://images.example", Key: a.key}, "address", "Enter the address"},
		"a name and password":   {atelier.Connect{Address: "https://a:b@images.example", Key: a.key}, "address", "Leave out"},
		"in the clear":          {atelier.Connect{Address: "http://images.example", Key: a.key}, "address", "https://"},
		"nobody there":          {atelier.Connect{Address: closed.URL, Key: a.key}, "address", "No image service could be reached"},
		"moved":                 {atelier.Connect{Address: elsewhere.URL, Key: a.key}, "address", "has moved"},
		"something else":        {atelier.Connect{Address: other.URL, Key: a.key}, "address", "not an image service"},
		"downloads elsewhere":   {atelier.Connect{Address: a.server.URL, Key: a.key, Downloads: "http://images.example"}, "downloads", "https://"},
		"a host that is none":   {atelier.Connect{Address: a.server.URL, Key: a.key, Hosts: []string{"http://x"}}, "hosts", "not a host name"},
		"a host left out":       {atelier.Connect{Address: a.server.URL, Key: a.key, Hosts: []string{"files.example"}}, "hosts", "not among the allowed"},
		"a host of no business": {atelier.Connect{Address: strange.server.URL, Key: a.key}, "hosts", "10.1.2.3"},
	} {
		e := s.json("PUT", "/api/connection", tt.given, http.StatusBadRequest, nil).error(t)
		if len(e.Fields) != 1 || !strings.Contains(e.Fields[tt.field], tt.says) {
			t.Errorf("%s: %+v, want %q at %s", name, e.Fields, tt.says, tt.field)
		}
	}
	if c := s.connection(); c.Kind != "embedded" || s.kept() != "" {
		t.Errorf("%+v is used, and the file holds %q", c, s.kept())
	}
	limited := false
	for range 20 {
		limited = limited || s.send("PUT", "/api/connection", strings.NewReader(`{"address":"`+closed.URL+`","key":"x"}`), func(r *http.Request) {
			r.Header.Set("Content-Type", "application/json")
		}).status == http.StatusTooManyRequests
	}
	if !limited {
		t.Error("any number of accounts could be tried")
	}
}

// Where people have accounts, only administrators change it, and only to what is on the public internet. Where the operator has chosen the
// account, nobody does.
func TestConnectionIsForAdministrators(t *testing.T) {
	t.Parallel()
	s := newTeam(t, enterable(t.TempDir))
	s.start()
	a := newAccount(t, "key-of-the-first-account")
	given := atelier.Connect{Address: a.server.URL, Key: a.key}
	if e := s.json("PUT", "/api/connection", given, http.StatusBadRequest, nil).error(t); !strings.Contains(e.Fields["address"], "https://") {
		t.Errorf("plain http on the server's own machine: %+v", e)
	}
	_, designer := s.member("Dora", atelier.Designer)
	s.as(designer, func() {
		for _, method := range []string{"GET", "DELETE"} {
			s.json(method, "/api/connection", nil, http.StatusForbidden, nil)
		}
		s.json("PUT", "/api/connection", given, http.StatusForbidden, nil)
	})

	f := newEnterable(t, func(c *bff.Config) { c.AccountFixed = true })
	if !f.connection().Fixed {
		t.Error("it is not said that the operator chooses the account")
	}
	for _, r := range []reply{f.json("PUT", "/api/connection", given, http.StatusConflict, nil), f.json("DELETE", "/api/connection", nil, http.StatusConflict, nil)} {
		if e := r.error(t); !strings.Contains(e.Message, "environment") {
			t.Errorf("it says %q", e.Message)
		}
	}
}

// Without the key of their account, runs wait, and are asked for nowhere else. Entered again, they go on.
func TestConnectionThatIsLostKeepsItsRuns(t *testing.T) {
	t.Parallel()
	s, a := newEnterable(t, func(c *bff.Config) { c.RetryMin = 10 * time.Millisecond }), newAccount(t, "key-of-the-first-account")
	s.connect(a)
	run := s.untilState(s.startRun(removal("lost", s.upload(photo(304)))).ID, atelier.StateAccepted)
	s.close()
	s.check(os.Remove(filepath.Join(s.folder, "account.json"))) // as after a restore
	s.open()
	s.start()
	if c := s.connection(); len(c.Former) != 1 || !c.Former[0].Missing || c.Former[0].Address != a.server.URL || c.Former[0].Sent != 1 {
		t.Errorf("accounts: %+v", c)
	}
	a.start()
	s.connect(a)
	s.restart() // which wakes what waits
	if done := s.untilState(run.ID, atelier.StateDone); done.ExecutionID != run.ExecutionID {
		t.Errorf("it is execution %s, was %s", done.ExecutionID, run.ExecutionID)
	}
	if n := a.called(executed); n != 1 {
		t.Errorf("it was sent %d times", n)
	}
}

// F12: a key that was entered in the settings stands in its file alone.
func TestF12EnteredKeysStandNowhereElse(t *testing.T) {
	t.Parallel()
	var logs safeBuffer
	s := newEnterable(t, func(c *bff.Config) { c.Logger = logs.logger() })
	a := newAccount(t, "canary-of-the-right-key-0123456789")
	a.start()
	secrets := []string{a.key, "canary-of-a-wrong-key-0123456789", "canary-of-a-key-elsewhere-0123456789", "canary-of-a-key-in-no-field-0123456789"}
	closed := httptest.NewServer(nil)
	closed.Close()
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"success":false,"code":40000,"msg":"your key is `+r.Header.Get("Authorization")+`"}`)
	}))
	t.Cleanup(echo.Close)
	socket := s.listen("")
	var seen bytes.Buffer
	ask := func(method, path string, in any) {
		var body io.Reader
		if in != nil {
			raw, err := json.Marshal(in)
			s.check(err)
			body = bytes.NewReader(raw)
		}
		r := s.send(method, path, body, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
		seen.Write(r.body)
		for name, values := range r.header {
			seen.WriteString(name + strings.Join(values, " "))
		}
	}
	ask("PUT", "/api/connection", atelier.Connect{Address: a.server.URL, Key: secrets[1]})
	ask("PUT", "/api/connection", atelier.Connect{Address: closed.URL, Key: secrets[2]})
	ask("PUT", "/api/connection", atelier.Connect{Address: echo.URL, Key: secrets[2]})
	ask("PUT", "/api/connection", map[string]any{"address": a.server.URL, "key": secrets[3], "more": secrets[3]})
	ask("PUT", "/api/connection", map[string]any{"address": a.server.URL, "key": []string{secrets[3]}})
	ask("PUT", "/api/connection", atelier.Connect{Address: a.server.URL, Key: a.key})
	for s.event(socket).Type != atelier.EventConnection {
		continue
	}
	run := s.untilState(s.startRun(removal("canary", s.upload(photo(305)))).ID, atelier.StateDone)
	for _, path := range []string{"/api/connection", "/api/session", "/api/runs", "/api/runs/" + string(run.ID), "/api/tasks", "/readyz", "/api/agents/aimodel/presets?kind=locations"} {
		ask("GET", path, nil)
	}
	s.check(socket.SetReadDeadline(time.Now().Add(500 * time.Millisecond)))
	for { // what the socket still has
		_, raw, err := socket.ReadMessage()
		if err != nil {
			break
		}
		seen.Write(raw)
	}
	info, err := os.Stat(filepath.Join(s.folder, "account.json"))
	s.check(err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the key: %v", info.Mode())
	}
	if _, err := s.db.Write.ExecContext(t.Context(), "VACUUM INTO ?", filepath.Join(s.folder, "backup.db")); err != nil {
		t.Fatal(err)
	}
	ask("DELETE", "/api/connection", nil)
	if log := logs.String(); len(log) < 1000 || seen.Len() < 1000 {
		t.Errorf("%d bytes of log and %d of answers are too few to tell", len(log), seen.Len())
	}
	for _, secret := range secrets {
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the log shows %s", secret)
		}
		if strings.Contains(seen.String(), secret) {
			t.Errorf("an answer or event shows %s", secret)
		}
		s.check(fs.WalkDir(os.DirFS(s.folder), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(s.folder, path))
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s after it was disconnected", path, secret)
			}
			return err
		}))
	}
}

// A death between the try and the storing leaves the account as it was; one after the answer leaves the new one.
func TestSlowConnectionOutlivesKill(t *testing.T) {
	t.Parallel()
	base, next := newAccount(t, testKey), newAccount(t, "key-of-the-next-account")
	folder, listen := t.TempDir(), killable.Address(t)
	v := &victim{t: t, address: listen, Process: killable.New(t, childFolder+"="+folder, childUpstream+"="+strings.TrimPrefix(base.server.URL, "http://"), childListen+"="+listen)}
	begin := func() {
		t.Helper()
		if !v.Start() {
			t.Fatal("the studio does not start")
		}
		v.browser = (&studio{t: t}).newBrowser()
		login, err := json.Marshal(atelier.Login{Token: fixedToken})
		if err != nil || !v.ask("POST", "/api/session", login, "application/json", new(any)) {
			t.Fatal("signing in failed", err)
		}
	}
	is := func(want string) {
		t.Helper()
		var c atelier.Connection
		if !v.ask("GET", "/api/connection", nil, "", &c) || c.Address != want {
			t.Errorf("the account is at %q, want %q", c.Address, want)
		}
	}
	begin()
	given, err := json.Marshal(atelier.Connect{Address: next.server.URL, Key: next.key})
	if err != nil {
		t.Fatal(err)
	}
	kill := func(http.ResponseWriter, *http.Request) bool {
		v.Kill() // it has asked, and will hear no answer
		return true
	}
	next.refuse.Store(&kill)
	if v.ask("PUT", "/api/connection", given, "application/json", new(any)) {
		t.Error("it was answered by the dead")
	}
	next.refuse.Store(nil)
	if _, err := os.Stat(filepath.Join(folder, "account.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is there: %v", err)
	}
	begin()
	is("http://" + strings.TrimPrefix(base.server.URL, "http://"))
	if !v.ask("PUT", "/api/connection", given, "application/json", new(any)) {
		t.Fatal("it was not answered")
	}
	v.Kill()
	begin()
	is(next.server.URL)
}
