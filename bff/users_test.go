package bff_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
)

const goodPassword = "wolken fahren rad"

// newTeam starts a studio where people have accounts, makes the first one, Ada's, and signs a browser in as her.
func newTeam(t *testing.T, change func(*bff.Config)) *studio {
	t.Helper()
	s := newUnclaimed(t, change)
	s.json("POST", "/api/setup", atelier.Setup{Code: setupCode(t, s), Name: "Ada", Password: goodPassword}, http.StatusOK, nil)
	return s
}

// newUnclaimed starts a studio where the first account is still to be made.
func newUnclaimed(t *testing.T, change func(*bff.Config)) *studio {
	t.Helper()
	s := &studio{unsigned: true, change: func(c *bff.Config) {
		c.Team, c.LaunchToken = true, ""
		if change != nil {
			change(c)
		}
	}}
	return s.move(t)
}

func setupCode(t *testing.T, s *studio) string {
	t.Helper()
	link, ok, err := s.bff.SetupLink(t.Context())
	if err != nil || !ok {
		t.Fatalf("SetupLink = %q, %v, %v", link, ok, err)
	}
	_, code, _ := strings.Cut(link, "/#setup=")
	return code
}

// as makes requests with another browser while f runs.
func (s *studio) as(browser *http.Client, f func()) {
	before := s.browser
	s.browser = browser
	defer func() { s.browser = before }()
	f()
}

// member adds somebody and gives a browser that is signed in as them.
func (s *studio) member(name string, role atelier.Role) (atelier.Account, *http.Client) {
	s.t.Helper()
	var made atelier.AccountBody
	s.json("POST", "/api/users", atelier.CreateAccount{Name: name, Role: role}, http.StatusCreated, &made)
	browser := s.newBrowser()
	s.as(browser, func() {
		s.json("POST", "/api/session", atelier.Login{Name: name, Password: made.Password}, http.StatusOK, nil)
	})
	return made.Account, browser
}

func (s *studio) status(method, path string, body any) int {
	s.t.Helper()
	raw, err := json.Marshal(body)
	s.check(err)
	return s.send(method, path, bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }).status
}

func (s *studio) signIn(name, password string) int {
	s.t.Helper()
	return s.status("POST", "/api/session", atelier.Login{Name: name, Password: password})
}

// endsSoon waits for a socket to be closed as signed out. The server looks for that once a second; what else looks after sockets
// does so once a minute, which is too late.
func (s *studio) endsSoon(c *websocket.Conn) {
	s.t.Helper()
	s.check(c.SetReadDeadline(time.Now().Add(10 * time.Second)))
	for {
		_, _, err := c.ReadMessage()
		if err == nil {
			continue
		}
		var closed *websocket.CloseError
		if !errors.As(err, &closed) || closed.Code != 4401 {
			s.t.Errorf("the socket ended with %v, want 4401", err)
		}
		return
	}
}

func TestTheFirstAccountIsMadeOnceByWhoReadsTheTerminal(t *testing.T) {
	t.Parallel()
	s := newUnclaimed(t, nil)
	var e atelier.Entry
	s.json("GET", "/api/entry", nil, http.StatusOK, &e)
	if !e.Team || !e.Setup {
		t.Errorf("the entry is %+v", e)
	}
	code := setupCode(t, s)
	tries := []struct {
		name  string
		setup atelier.Setup
		want  int
		field string
	}{
		{"no code", atelier.Setup{Name: "Ada", Password: goodPassword}, 400, "code"},
		{"another code", atelier.Setup{Code: strings.Repeat("A", 26), Name: "Ada", Password: goodPassword}, 400, "code"},
		{"no name", atelier.Setup{Code: code, Password: goodPassword}, 400, "name"},
		{"61 characters", atelier.Setup{Code: code, Name: strings.Repeat("ä", 61), Password: goodPassword}, 400, "name"},
		{"a hidden character", atelier.Setup{Code: code, Name: "Ad\u202ea", Password: goodPassword}, 400, "name"},
		{"a short password", atelier.Setup{Code: code, Name: "Ada", Password: "wolken fahr"}, 400, "password"},
		{"a password of many people", atelier.Setup{Code: code, Name: "Ada", Password: "SonyEricsson"}, 400, "password"},
		{"her name as password", atelier.Setup{Code: code, Name: "Ada Lovelace", Password: "adalovelace1"}, 400, "password"},
	}
	for _, tt := range tries {
		raw, err := json.Marshal(tt.setup)
		s.check(err)
		r := s.send("POST", "/api/setup", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
		if r.status != tt.want || r.error(t).Fields[tt.field] == "" {
			t.Errorf("%s = %d %s, want a word about %s", tt.name, r.status, r.body, tt.field)
		}
	}
	// What was made here before belongs to the first account.
	board, err := s.db.CreateBoard(t.Context(), "local", atelier.CreateBoard{Name: "Before"})
	s.check(err)
	var wg sync.WaitGroup
	statuses := make([]int, 6)
	for i := range statuses {
		wg.Go(func() {
			raw := fmt.Sprintf(`{"code":%q,"name":"Ada %d","password":%q}`, strings.ToLower(code[:13])+"-"+code[13:], i, goodPassword)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.http.URL+"/api/setup", strings.NewReader(raw))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Atelier", "1")
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Error(err)
				return
			}
			statuses[i] = resp.StatusCode
			_ = resp.Body.Close()
		})
	}
	wg.Wait()
	made := 0
	for _, status := range statuses {
		if status == http.StatusOK {
			made++
		} else if status != http.StatusConflict {
			t.Errorf("setting up at the same time = %v", statuses)
		}
	}
	if made != 1 {
		t.Errorf("%d first accounts were made of %v", made, statuses)
	}
	list, err := s.db.ListAccounts(t.Context())
	if err != nil || len(list) != 1 || list[0].Role != atelier.Admin {
		t.Fatalf("accounts: %+v, %v", list, err)
	}
	if got := s.signIn(strings.ToUpper(list[0].Name), goodPassword); got != http.StatusOK {
		t.Fatalf("signing in = %d", got)
	}
	var boards atelier.BoardList
	s.json("GET", "/api/boards", nil, http.StatusOK, &boards)
	if diff := cmp.Diff([]atelier.Board{board}, boards.Boards); diff != "" {
		t.Errorf("what was there before (-want +got):\n%s", diff)
	}
	var after atelier.Entry
	s.json("GET", "/api/entry", nil, http.StatusOK, &after)
	if !after.Team || after.Setup {
		t.Error("it still wants to be set up")
	}
	if _, ok, err := s.bff.SetupLink(t.Context()); ok || err != nil {
		t.Errorf("there still is a setup link, %v", err)
	}
}

func TestWithoutAccountsThereIsNothingAboutThem(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	for _, x := range []struct {
		method, path string
		body         any
	}{
		{"GET", "/api/users", nil},
		{"POST", "/api/users", atelier.CreateAccount{Name: "Ben", Role: atelier.Viewer}},
		{"PATCH", "/api/users/local", atelier.UpdateAccount{NewPassword: true}},
		{"POST", "/api/setup", atelier.Setup{Code: "x"}},
		{"POST", "/api/password", atelier.ChangePassword{Current: "x"}},
	} {
		if got := s.status(x.method, x.path, x.body); got != http.StatusNotFound {
			t.Errorf("%s %s = %d", x.method, x.path, got)
		}
	}
	if _, ok, err := s.bff.SetupLink(t.Context()); ok || err != nil {
		t.Errorf("a setup link: %v, %v", ok, err)
	}
	// A session of an account from times with accounts opens nothing now.
	ada, err := s.db.CreateAccount(t.Context(), "Ada", atelier.Admin, "x")
	s.check(err)
	if _, err := s.db.Write.ExecContext(t.Context(), "UPDATE sessions SET user_id = ?", string(ada.ID)); err != nil {
		t.Fatal(err)
	}
	if got := s.send("GET", "/api/runs", nil, nil).status; got != http.StatusUnauthorized {
		t.Errorf("with a session of an account = %d", got)
	}
}

func TestLaunchCodesOpenNoStudioWithAccounts(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	s.browser = s.newBrowser()
	if got := s.status("POST", "/api/session", atelier.Login{Token: s.bff.LaunchCode()}); got != http.StatusUnauthorized {
		t.Errorf("a launch code = %d", got)
	}
	if got := s.send("POST", "/api/session/link", nil, nil).status; got != http.StatusNotFound {
		t.Errorf("asking for one = %d", got)
	}
	if _, err := bff.New(bff.Config{Team: true, LaunchToken: fixedToken}); err == nil || !strings.Contains(err.Error(), "launch token") {
		t.Errorf("a fixed one: %v", err)
	}
}

func TestWhoIsNotTheirsToSeeIsToldNothing(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	ben, browser := s.member("Ben Okri", atelier.Designer)
	s.json("PATCH", "/api/users/"+string(ben.ID), atelier.UpdateAccount{Disabled: ptr(true)}, http.StatusOK, nil)
	s.browser = browser
	want := ""
	for _, login := range []atelier.Login{{Name: "Ada", Password: "wrong wrong wrong"}, {Name: "Nobody", Password: "wrong wrong wrong"}, {Name: "Ben Okri", Password: "wrong wrong wrong"}, {Name: "Ada"}, {}, {Password: goodPassword}, {Name: "Ada", Password: strings.Repeat("x", 129)}} {
		raw, err := json.Marshal(login)
		s.check(err)
		r := s.send("POST", "/api/session", bytes.NewReader(raw), func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })
		if want == "" {
			want = r.error(t).Message
		}
		if r.status != http.StatusUnauthorized || r.error(t).Message != want {
			t.Errorf("%+v = %d %s", login, r.status, r.body)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestRolesSayWhoMaySpendAndWhoManages(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	_, viewer := s.member("Vera", atelier.Viewer)
	_, designer := s.member("Ben", atelier.Designer)
	asks := func() []int {
		return []int{
			s.send("GET", "/api/runs", nil, nil).status,
			s.status("POST", "/api/boards", atelier.CreateBoard{Name: "Spring"}),
			s.send("GET", "/api/users", nil, nil).status,
		}
	}
	if got := asks(); !cmp.Equal(got, []int{200, 201, 200}) {
		t.Errorf("an administrator: %v", got)
	}
	s.as(designer, func() {
		if got := asks(); !cmp.Equal(got, []int{200, 201, 403}) {
			t.Errorf("a designer: %v", got)
		}
	})
	s.as(viewer, func() {
		if got := asks(); !cmp.Equal(got, []int{200, 403, 403}) {
			t.Errorf("a viewer: %v", got)
		}
	})
	for _, bad := range []atelier.CreateAccount{{Name: "X", Role: "root"}, {Name: "X"}, {Name: "", Role: atelier.Viewer}, {Name: "X", Role: atelier.Viewer, Password: "short"}, {Name: "X", Role: atelier.Viewer, Password: "sonyericsson"}} {
		if got := s.status("POST", "/api/users", bad); got != http.StatusBadRequest {
			t.Errorf("%+v = %d", bad, got)
		}
	}
	if got := s.status("POST", "/api/users", atelier.CreateAccount{Name: " vera ", Role: atelier.Viewer}); got != http.StatusConflict {
		t.Errorf("the same name = %d", got)
	}
	// Somebody always can manage the accounts.
	var session atelier.Session
	s.json("GET", "/api/session", nil, http.StatusOK, &session)
	for _, change := range []atelier.UpdateAccount{{Disabled: ptr(true)}, {Role: ptr(atelier.Designer)}} {
		if got := s.status("PATCH", "/api/users/"+string(session.User.ID), change); got != http.StatusConflict {
			t.Errorf("the last administrator %+v = %d", change, got)
		}
	}
	if got := s.status("PATCH", "/api/users/0190a0b0-0000-7000-8000-000000000000", atelier.UpdateAccount{Disabled: ptr(true)}); got != http.StatusNotFound {
		t.Errorf("nobody = %d", got)
	}
	if got := s.status("PATCH", "/api/users/"+string(session.User.ID), atelier.UpdateAccount{NewPassword: true}); got != http.StatusBadRequest {
		t.Errorf("one's own password without the old one = %d", got)
	}
}

// What ends a session ends its windows too, within two seconds, whoever does it.
func TestR12RevokedSessionsAndTheirSocketsEndWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	if bff.WatchEvery > time.Second {
		t.Errorf("sessions are looked after every %v: two seconds cannot be promised", bff.WatchEvery)
	}
	s := newTeam(t, nil)
	s.start()
	beside, err := db.Open(t.Context(), s.folder+"/studio.db")
	s.check(err)
	t.Cleanup(func() { s.check(beside.Close()) })
	ways := []struct {
		name string
		end  func(a atelier.Account, browser *http.Client)
	}{
		{"signing out", func(_ atelier.Account, b *http.Client) {
			s.as(b, func() { s.json("DELETE", "/api/session", nil, http.StatusNoContent, nil) })
		}},
		{"disabling", func(a atelier.Account, _ *http.Client) {
			s.json("PATCH", "/api/users/"+string(a.ID), atelier.UpdateAccount{Disabled: ptr(true)}, http.StatusOK, nil)
		}},
		{"another role", func(a atelier.Account, _ *http.Client) {
			s.json("PATCH", "/api/users/"+string(a.ID), atelier.UpdateAccount{Role: ptr(atelier.Viewer)}, http.StatusOK, nil)
		}},
		{"a new password", func(a atelier.Account, _ *http.Client) {
			s.json("PATCH", "/api/users/"+string(a.ID), atelier.UpdateAccount{NewPassword: true}, http.StatusOK, nil)
		}},
		{"ended elsewhere", func(a atelier.Account, b *http.Client) {
			s.as(b, func() {
				var list atelier.SignedInList
				s.json("GET", "/api/sessions", nil, http.StatusOK, &list)
				if len(list.Sessions) != 1 || !list.Sessions[0].Current {
					t.Errorf("sessions: %+v", list)
				}
				s.json("DELETE", "/api/sessions/"+list.Sessions[0].ID, nil, http.StatusNoContent, nil)
			})
		}},
		{"disabling from another process", func(a atelier.Account, _ *http.Client) {
			_, err := beside.UpdateAccount(t.Context(), a.ID, db.AccountChange{Disabled: ptr(true)})
			s.check(err)
		}},
	}
	for i, way := range ways {
		a, browser := s.member(fmt.Sprintf("Member %d", i), atelier.Designer)
		var socket *websocket.Conn
		s.as(browser, func() {
			socket = s.listen("")
			s.event(socket)
		})
		way.end(a, browser)
		s.endsSoon(socket)
		s.as(browser, func() {
			if got := s.send("GET", "/api/runs", nil, nil).status; got != http.StatusUnauthorized {
				t.Errorf("after %s the session still answers %d", way.name, got)
			}
		})
	}
	// A browser knows of the end before the server has cleared up behind it.
	s.eventually("no socket is held any more", func() bool { return s.bff.Sockets() == 0 })
	if got := s.send("GET", "/api/runs", nil, nil).status; got != http.StatusOK {
		t.Errorf("the administrator's own session = %d", got)
	}
}

func TestAPasswordIsChangedByWhoKnowsIt(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	here, elsewhere := s.browser, s.newBrowser()
	s.as(elsewhere, func() {
		if got := s.signIn("Ada", goodPassword); got != http.StatusOK {
			t.Fatalf("a second browser = %d", got)
		}
	})
	const next = "vier blaue Teller im Garten"
	for _, bad := range []atelier.ChangePassword{{Current: "not this one at all", Password: next}, {Current: goodPassword, Password: "short"}, {Current: goodPassword, Password: "Professional2026!"}, {Password: next}} {
		if got := s.status("POST", "/api/password", bad); got != http.StatusBadRequest {
			t.Errorf("%+v = %d", bad, got)
		}
	}
	if got := s.status("POST", "/api/password", atelier.ChangePassword{Current: goodPassword, Password: next}); got != http.StatusNoContent {
		t.Fatalf("changing it = %d", got)
	}
	s.as(here, func() {
		if got := s.send("GET", "/api/session", nil, nil).status; got != http.StatusOK {
			t.Errorf("the browser that changed it = %d", got)
		}
	})
	s.as(elsewhere, func() {
		if got := s.send("GET", "/api/session", nil, nil).status; got != http.StatusUnauthorized {
			t.Errorf("the other browser = %d", got)
		}
	})
	s.browser = s.newBrowser()
	if got := []int{s.signIn("Ada", goodPassword), s.signIn("Ada", next)}; !cmp.Equal(got, []int{401, 200}) {
		t.Errorf("old and new password = %v", got)
	}
	// Who guesses at it in a window that was left open waits as long as anybody, and is told how long.
	r := s.try("/api/password", atelier.ChangePassword{Current: "not this one at all", Password: goodPassword})
	for range 5 {
		r = s.try("/api/password", atelier.ChangePassword{Current: "not this one at all", Password: goodPassword})
	}
	if after, err := strconv.Atoi(r.header.Get("Retry-After")); r.status != http.StatusTooManyRequests || err != nil || after < 30 {
		t.Errorf("the sixth guess = %d, to be tried again after %q s", r.status, r.header.Get("Retry-After"))
	}
}

func TestSessionsAreListedAndEndedByTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	_, ben := s.member("Ben", atelier.Designer)
	agents := []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
		strings.Repeat("ä", 150),
	}
	for _, agent := range agents {
		s.as(s.newBrowser(), func() {
			raw := fmt.Sprintf(`{"name":"Ada","password":%q}`, goodPassword)
			r := s.send("POST", "/api/session", strings.NewReader(raw), func(r *http.Request) {
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("User-Agent", agent)
			})
			if r.status != http.StatusOK {
				t.Fatalf("signing in = %d %s", r.status, r.body)
			}
		})
	}
	var list atelier.SignedInList
	s.json("GET", "/api/sessions", nil, http.StatusOK, &list)
	names := map[string]int{}
	for _, x := range list.Sessions {
		names[x.Browser]++
		if x.IP != "127.0.0.1" || x.CreatedAt.IsZero() {
			t.Errorf("%+v", x)
		}
	}
	if diff := cmp.Diff(map[string]int{"Edge on Windows": 1, "Safari on iPhone": 1, "Unknown browser": 2}, names); diff != "" {
		t.Errorf("browsers (-want +got):\n%s", diff)
	}
	s.as(ben, func() {
		if got := s.send("DELETE", "/api/sessions/"+list.Sessions[0].ID, nil, nil).status; got != http.StatusNotFound {
			t.Errorf("ending another's session = %d", got)
		}
	})
	s.json("DELETE", "/api/sessions", nil, http.StatusNoContent, nil)
	s.json("GET", "/api/sessions", nil, http.StatusOK, &list)
	if len(list.Sessions) != 1 || !list.Sessions[0].Current {
		t.Errorf("after ending the others: %+v", list)
	}
	s.as(ben, func() {
		if got := s.send("GET", "/api/session", nil, nil).status; got != http.StatusOK {
			t.Errorf("another's session = %d", got)
		}
	})
}

// R17: who signs in gets a new number, whatever number the browser came with, and the one it had stands no longer.
func TestR17SigningInGivesANewNumber(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.browser = &http.Client{} // keeps no cookies: each is given by hand
	name := "atelier_" + s.host()[strings.LastIndexByte(s.host(), ':')+1:] + "="
	with := func(cookie string) func(*http.Request) {
		return func(r *http.Request) {
			r.Header.Set("Cookie", cookie)
			r.Header.Set("Content-Type", "application/json")
		}
	}
	before := name + strings.Repeat("A", 43) // made up by somebody who would like to know it
	for range 3 {
		r := s.send("POST", "/api/session", strings.NewReader(`{"token":"`+fixedToken+`"}`), with(before))
		after, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
		if r.status != http.StatusOK || !strings.HasPrefix(after, name) || after == before {
			t.Fatalf("signing in with %q = %d and %q", before, r.status, after)
		}
		if got := s.send("GET", "/api/session", nil, with(before)).status; got != http.StatusUnauthorized {
			t.Errorf("the number from before opens the studio: %d", got)
		}
		if got := s.send("GET", "/api/session", nil, with(after)).status; got != http.StatusOK {
			t.Errorf("the new number = %d", got)
		}
		before = after
	}
	// Signing out ends the number itself, not only the browser's memory of it.
	if got := s.send("DELETE", "/api/session", nil, with(before)).status; got != http.StatusNoContent {
		t.Errorf("signing out = %d", got)
	}
	if got := s.send("GET", "/api/session", nil, with(before)).status; got != http.StatusUnauthorized {
		t.Errorf("after signing out the number = %d", got)
	}
}
