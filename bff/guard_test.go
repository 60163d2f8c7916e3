package bff_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"atelier/atelier"
	"atelier/bff"
	"atelier/bff/media"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
)

// concrete makes a path of a pattern.
func concrete(pattern string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	return method, strings.NewReplacer("{id}", "0190a0b0-0000-7000-8000-000000000000", "{name}", "aimodel", "{token}", "x.y").Replace(path)
}

func TestOnlyOpenRoutesAnswerWithoutASession(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.browser = s.newBrowser()
	open := 0
	for _, route := range s.bff.Routes() {
		method, path := concrete(route.Pattern)
		r := s.send(method, path, nil, nil)
		if route.Open {
			open++
			continue
		}
		if r.status != http.StatusUnauthorized || r.error(t).Code != atelier.Unauthorized {
			t.Errorf("%s without a session = %d %s", route.Pattern, r.status, r.body)
		}
	}
	if open != 9 {
		t.Errorf("%d routes are open, want healthz, readyz, callback, its probe, shared videos, login, link, entry and setup", open)
	}
}

func TestNothingChangesWithoutTheStudiosOwnPage(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	spoil := []struct {
		name string
		edit func(*http.Request)
	}{
		{"no header of ours", func(r *http.Request) { r.Header.Del("X-Atelier") }},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }},
		{"the same site, another port", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }},
		{"another origin", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "http://evil.example")
		}},
		{"no origin at all", func(r *http.Request) {
			r.Header.Del("Sec-Fetch-Site")
			r.Header.Set("Origin", "null")
		}},
	}
	for _, route := range s.bff.Routes() {
		method, path := concrete(route.Pattern)
		if method == http.MethodGet || strings.HasPrefix(path, "/callbacks/") {
			continue
		}
		for _, x := range spoil {
			r := s.send(method, path, strings.NewReader("{}"), func(r *http.Request) {
				r.Header.Set("Content-Type", "application/json")
				x.edit(r)
			})
			if r.status != http.StatusForbidden {
				t.Errorf("%s with %s = %d", route.Pattern, x.name, r.status)
			}
		}
	}
	// Reading from another page is refused as well: pictures are nobody else's business.
	if r := s.send("GET", "/api/runs", nil, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }); r.status != http.StatusForbidden {
		t.Errorf("reading from another page = %d", r.status)
	}
	for _, method := range []string{"OPTIONS", "HEAD"} {
		if r := s.send(method, "/api/session", nil, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }); r.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s allows another origin", method)
		}
	}
}

func TestOtherNamesOfTheHostAreNotAnswered(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	_, port, _ := strings.Cut(s.host(), ":")
	for _, host := range []string{"evil.example", "evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "localhost:" + port, s.host() + ".", "127.0.0.1.evil.example:" + port} {
		for _, path := range []string{"/", "/api/session", "/healthz", "/callbacks/v1/x.y"} {
			r := s.send("GET", path, nil, func(r *http.Request) { r.Host = host })
			if r.status != http.StatusMisdirectedRequest {
				t.Errorf("host %s%s = %d", host, path, r.status)
			}
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	asset := s.upload(photo(30))
	for _, path := range []string{"/", "/healthz", "/readyz", "/api/session", "/api/agents", "/api/none", "/api/runs/none", asset.File, asset.Thumb, "/callbacks/v1/x.y"} {
		r := s.send("GET", path, nil, nil)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
			"Cross-Origin-Opener-Policy": "same-origin", "X-Frame-Options": "DENY", "Strict-Transport-Security": "",
		} {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if csp := r.header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
			t.Errorf("%s: the policy is %q", path, csp)
		}
		if r.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no request id", path)
		}
		if strings.HasPrefix(path, "/api/") && r.header.Get("Content-Type") == "application/json" && r.header.Get("Cache-Control") == "" {
			t.Errorf("%s: no word about caching", path)
		}
	}
}

func TestUnknownAddressesAndMethodsAreToldInOurForm(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	tests := []struct {
		method, path string
		want         int
	}{
		{"GET", "/api/none", http.StatusNotFound},
		{"GET", "/api", http.StatusNotFound},
		{"POST", "/api/none", http.StatusNotFound},
		{"PUT", "/api/runs", http.StatusMethodNotAllowed},
		{"DELETE", "/api/agents", http.StatusMethodNotAllowed},
		{"GET", "/callbacks/v1/x.y", http.StatusMethodNotAllowed},
		{"TRACE", "/api/runs", http.StatusMethodNotAllowed},
		{"GET", "/api/runs/not-an-id", http.StatusNotFound},
		{"GET", "/api/runs?limit=0", http.StatusBadRequest},
		{"GET", "/api/runs?limit=201", http.StatusBadRequest},
		{"GET", "/api/runs?cursor=x", http.StatusBadRequest},
		{"GET", "/api/runs?starred=maybe", http.StatusBadRequest},
		{"GET", "/api/runs?from=yesterday", http.StatusBadRequest},
		{"GET", "/api/agents/none/presets?kind=locations", http.StatusNotFound},
		{"GET", "/api/agents/aimodel/presets?kind=none", http.StatusBadRequest},
		{"GET", "/api/agents/aimodel/presets?kind=locations&pageSize=101", http.StatusBadRequest},
		{"GET", "/api/tasks?limit=21", http.StatusBadRequest},
		{"GET", "/api/tasks?createdAfter=2026-01-02&createdBefore=2026-01-01", http.StatusBadRequest},
	}
	for _, tt := range tests {
		r := s.send(tt.method, tt.path, nil, nil)
		if r.status != tt.want {
			t.Errorf("%s %s = %d %s, want %d", tt.method, tt.path, r.status, r.body, tt.want)
			continue
		}
		if e := r.error(t); e.Message == "" || e.RequestID == "" {
			t.Errorf("%s %s: %+v", tt.method, tt.path, e)
		}
	}
}

func TestABodyThatIsNotWhatARouteTakesIsRefused(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	tests := []struct {
		name, kind, body string
		want             int
	}{
		{"an unknown field", "application/json", `{"name":"x","admin":true}`, http.StatusBadRequest},
		{"two values", "application/json", `{"name":"x"}{"name":"y"}`, http.StatusBadRequest},
		{"cut short", "application/json", `{"name":`, http.StatusBadRequest},
		{"another type", "application/json", `{"name":7}`, http.StatusBadRequest},
		{"a form", "application/x-www-form-urlencoded", `name=x`, http.StatusUnsupportedMediaType},
		{"text", "text/plain", `{"name":"x"}`, http.StatusUnsupportedMediaType},
		{"too much", "application/json", `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, http.StatusRequestEntityTooLarge},
		{"no name", "application/json", `{"name":"  "}`, http.StatusBadRequest},
		{"a name", "application/json", `{"name":"Spring"}`, http.StatusCreated},
		{"the same name", "application/json", `{"name":"Spring"}`, http.StatusConflict},
	}
	for _, tt := range tests {
		r := s.send("POST", "/api/boards", strings.NewReader(tt.body), func(r *http.Request) { r.Header.Set("Content-Type", tt.kind) })
		if r.status != tt.want {
			t.Errorf("%s = %d %s, want %d", tt.name, r.status, r.body, tt.want)
		}
	}
}

func TestUploadsAreRefusedAtTheLimits(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	data := photo(31)
	limit := int(probe.Upload.MaxBytes)
	tests := []struct {
		name string
		data []byte
		want int
	}{
		{"at the limit", testpics.PadTo(data, limit), http.StatusCreated},
		{"above the limit", testpics.PadTo(data, limit+1), http.StatusRequestEntityTooLarge},
		{"far above the limit", testpics.PadTo(data, limit+3<<20), http.StatusRequestEntityTooLarge},
		{"another type", []byte("%PDF-1.4 …"), http.StatusUnsupportedMediaType},
		{"too small", testpics.PNG(testpics.Photo(300, 300, 1)), http.StatusBadRequest},
		{"empty", nil, http.StatusBadRequest},
	}
	for _, tt := range tests {
		for _, announced := range []bool{true, false} {
			var body io.Reader = bytes.NewReader(tt.data)
			if !announced {
				body = io.MultiReader(body) // hides the length: sent in chunks
			}
			r := s.send("POST", "/api/assets?name=x.jpg", body, func(r *http.Request) { r.Header.Set("Content-Type", "application/octet-stream") })
			if r.status != tt.want {
				t.Errorf("%s (announced %v) = %d %s, want %d", tt.name, announced, r.status, r.body, tt.want)
				continue
			}
			if tt.want >= 400 {
				if e := r.error(t); e.Fields["image"] == "" {
					t.Errorf("%s: %+v names no field", tt.name, e)
				}
			}
		}
	}
}

func TestAFormWithAPictureIsTakenToo(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	form := func(field, name string, data []byte) string {
		return "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\nContent-Disposition: form-data; name=\"" + field +
			"\"; filename=\"" + name + "\"\r\nContent-Type: image/jpeg\r\n\r\n" + string(data) + "\r\n--b--\r\n"
	}
	data := photo(32)
	send := func(body, kind string) reply {
		return s.send("POST", "/api/assets", strings.NewReader(body), func(r *http.Request) { r.Header.Set("Content-Type", kind) })
	}
	var a atelier.Asset
	r := send(form("image", `../../a\b:c.jpg`, data), "multipart/form-data; boundary=b")
	if r.status != http.StatusCreated {
		t.Fatalf("a form = %d %s", r.status, r.body)
	}
	s.check(json.Unmarshal(r.body, &a))
	if a.Bytes != int64(len(data)) || strings.ContainsAny(a.Name, `/\:`) {
		t.Errorf("the asset is %+v", a)
	}
	for name, body := range map[string]string{"another field": form("picture", "a.jpg", data), "an end too early": form("image", "a.jpg", data)[:300], "nothing": ""} {
		if r := send(body, "multipart/form-data; boundary=b"); r.status != http.StatusBadRequest {
			t.Errorf("%s = %d", name, r.status)
		}
	}
	if r := send(form("image", "a.jpg", data), "multipart/form-data"); r.status != http.StatusBadRequest {
		t.Errorf("no boundary = %d", r.status)
	}
}

func TestFilesAreShownAndNeverRun(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	data := photo(33)
	r := s.send("POST", "/api/assets?name=r%C3%B6ntgen%22%0d%0aX%3A1%E2%80%AE.svg", bytes.NewReader(data), func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	var a atelier.Asset
	s.check(json.Unmarshal(r.body, &a))
	file := s.send("GET", a.File, nil, nil)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff",
		"Cache-Control": "private, max-age=31536000, immutable", "ETag": `"` + a.SHA256 + `"`,
		"Content-Disposition": `inline; filename="r_ntgen-X-1.jpg"; filename*=UTF-8''r%C3%B6ntgen-X-1.jpg`,
	} {
		if got := file.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !bytes.Equal(file.body, data) {
		t.Error("the bytes differ")
	}
	part := s.send("GET", a.File, nil, func(r *http.Request) { r.Header.Set("Range", "bytes=10-19") })
	if part.status != http.StatusPartialContent || !bytes.Equal(part.body, data[10:20]) {
		t.Errorf("a part = %d, %d bytes", part.status, len(part.body))
	}
	for _, path := range []string{a.File, a.Thumb + "?w=320"} {
		tag := s.send("GET", path, nil, nil).header.Get("ETag")
		if again := s.send("GET", path, nil, func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); again.status != http.StatusNotModified {
			t.Errorf("%s again = %d", path, again.status)
		}
	}
	if r := s.send("GET", a.File+"?download=1", nil, nil); !strings.HasPrefix(r.header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("a download is %s", r.header.Get("Content-Disposition"))
	}
	for _, query := range []string{"?w=x", "?w=0", "?w=99999"} {
		if r := s.send("GET", a.Thumb+query, nil, nil); r.status != http.StatusBadRequest {
			t.Errorf("thumb%s = %d", query, r.status)
		}
	}
	agents := s.send("GET", "/api/agents", nil, nil)
	if again := s.send("GET", "/api/agents", nil, func(r *http.Request) { r.Header.Set("If-None-Match", agents.header.Get("ETag")) }); again.status != http.StatusNotModified {
		t.Errorf("the catalog again = %d", again.status)
	}
}

func TestMasksAreNamedReusedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(34))
	var m atelier.Mask
	s.json("POST", "/api/masks", atelier.CreateMask{AssetID: asset.ID, Name: "dress", PNG: halfMask(530, 560)}, http.StatusCreated, &m)
	if m.Kept < .49 || m.Kept > .51 {
		t.Errorf("the mask keeps %v", m.Kept)
	}
	var list atelier.MaskList
	s.json("GET", "/api/masks?assetId="+string(asset.ID), nil, http.StatusOK, &list)
	if diff := cmp.Diff([]atelier.Mask{m}, list.Masks); diff != "" {
		t.Errorf("masks (-want +got):\n%s", diff)
	}
	if file := s.send("GET", m.File, nil, nil); probe.Sniff(file.body) != probe.PNG {
		t.Errorf("the file is %d bytes", len(file.body))
	}
	var renamed atelier.Mask
	s.json("PATCH", "/api/masks/"+string(m.ID), atelier.RenameMask{Name: " sleeves "}, http.StatusOK, &renamed)
	s.json("PATCH", "/api/masks/"+string(m.ID), atelier.RenameMask{Name: " "}, http.StatusBadRequest, nil)
	if renamed.Name != "sleeves" || renamed.ID != m.ID {
		t.Errorf("renamed: %+v", renamed)
	}
	start := removal("named mask", asset)
	start.Mask = &atelier.MaskInput{MaskID: m.ID}
	run := s.startRun(start)
	// The run has its own copy.
	s.json("DELETE", "/api/masks/"+string(m.ID), nil, http.StatusNoContent, nil)
	s.untilState(run.ID, atelier.StateDone)
	s.json("GET", "/api/masks", nil, http.StatusOK, &list)
	if len(list.Masks) != 0 {
		t.Errorf("still there: %+v", list.Masks)
	}
}

func TestALaunchCodeOpensOneSession(t *testing.T) {
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

func TestSessionsEndByThemselvesAndByHand(t *testing.T) {
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

func TestABrowserThatComesBackGetsWhatItMissed(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	first := s.listen("")
	hello := s.event(first)
	board := func(n uint64) { s.upload(photo(n)) }
	board(40)
	e := s.event(first)
	board(41)
	board(42)
	again := s.listen(fmt.Sprintf("%s.%d", e.Epoch, e.Rev))
	var got []int64
	for range 3 {
		got = append(got, s.event(again).Rev)
	}
	if diff := cmp.Diff([]int64{e.Rev, e.Rev + 1, e.Rev + 2}, got); diff != "" {
		t.Errorf("hello and what was missed (-want +got):\n%s", diff)
	}
	s.restart()
	anew := s.listen(fmt.Sprintf("%s.%d", e.Epoch, e.Rev))
	if h, snap := s.event(anew), s.event(anew); h.Type != atelier.EventHello || snap.Type != atelier.EventSnapshot || h.Epoch == hello.Epoch {
		t.Errorf("after a restart: %+v, %+v", h, snap)
	}
}

// token is the callback address of a run, as the studio makes it with the key of the tests.
func token(id atelier.RunID) string {
	mac := hmac.New(sha256.New, []byte("0123456789abcdef0123456789abcdef"))
	mac.Write([]byte("cb1|" + string(id)))
	return string(id) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))[:22]
}

// C6, C8 and C10, and what is kept of a callback.
func TestACallbackIsKeptAnsweredAndBelievedNothing(t *testing.T) {
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
		"no proof": string(run.ID), "a forged proof": good[:len(good)-1] + "x", "another run's": strings.Replace(good, string(run.ID), string(other.ID), 1),
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

func TestPanicsAndSecretsStayInside(t *testing.T) {
	t.Parallel()
	var logs safeBuffer
	s := newIdleStudio(t, func(c *bff.Config) { c.Logger = logs.logger() })
	s.close()
	s.open()
	registry := prometheus.NewPedanticRegistry()
	s.check(registry.Register(s.bff.Collector()))
	if n, _ := measured(t, registry, "atelier_panics_total"); n != 0 {
		t.Errorf("%v panics before any", n)
	}
	store := s.store
	s.check(store.Close()) // whatever touches files fails now
	r := s.send("POST", "/api/assets", bytes.NewReader(photo(37)), func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	e := r.error(t)
	if r.status != http.StatusInternalServerError || strings.Contains(string(r.body), s.folder) || e.RequestID == "" || !strings.Contains(logs.String(), e.RequestID) {
		t.Errorf("a broken store = %d %s", r.status, r.body)
	}
	var err error
	s.store, err = media.OpenStore(s.folder + "/files")
	s.check(err)
	// A handler that panics ends nothing but its own request.
	pages := s.front.handler
	s.front.handler = s.bff.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("canary of a panic") }))
	r = s.send("GET", "/gallery", nil, nil)
	if e := r.error(t); r.status != http.StatusInternalServerError || strings.Contains(string(r.body), "canary") || !strings.Contains(logs.String(), "canary of a panic") || !strings.Contains(logs.String(), e.RequestID) {
		t.Errorf("a panic = %d %s", r.status, r.body)
	}
	if n, _ := measured(t, registry, "atelier_panics_total"); n != 1 {
		t.Errorf("%v panics are counted, want 1", n)
	}
	s.front.handler = pages
	if got := s.send("GET", "/healthz", nil, nil).status; got != http.StatusOK {
		t.Errorf("after a panic the studio answers %d", got)
	}
	s.send("POST", "/callbacks/v1/secret-part-of-an-address.x", nil, nil)
	for _, secret := range []string{testKey, fixedToken, "secret-part-of-an-address"} {
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}
