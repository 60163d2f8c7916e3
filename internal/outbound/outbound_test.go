package outbound

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Each is an address of a place that a fetch must never reach.
var hostile = []string{
	"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.169.254",
	"172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.7",
	"203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
	"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::a00:1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
	"64:ff9b:1:7f00:0:100::", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "5f00::1",
	"fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1",
}

func TestHostileAddressesAreNotPublic(t *testing.T) {
	for _, s := range hostile {
		if public(netip.MustParseAddr(s)) {
			t.Errorf("%s counts as public", s)
		}
	}
	if public(netip.MustParseAddr("fe80::1%eth0")) {
		t.Error("an address with a zone counts as public")
	}
	for _, s := range []string{"1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101", "2002:101:101::1"} {
		if !public(netip.MustParseAddr(s)) {
			t.Errorf("%s does not count as public", s)
		}
	}
}

func TestURLsAreRefusedByTheirText(t *testing.T) {
	c := New(Policy{})
	bad := []string{
		"", "garment.jpg", "http://images.example.com/a.png", "https://images.example.com:8443/a.png", "ftp://images.example.com/a",
		"file:///etc/passwd", "https://user:pw@images.example.com/", "https://localhost/", "https://LOCALHOST./", "https://a.localhost/",
		"https://intranet/", "https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.0.1./",
		"https://ⅰmages.example.com/", "https://images。example.com/", "https://images.example.com\\@127.0.0.1/", "https://images.example.com/\r\nX: y",
		"https:images.example.com", "https:///x", "data:image/png;base64,AAAA", "https://[::1]/", "https://[fe80::1%25eth0]/",
	}
	for _, h := range hostile {
		if strings.Contains(h, ":") {
			h = "[" + h + "]"
		}
		bad = append(bad, "https://"+h+"/a.png")
	}
	for _, u := range bad {
		if err := c.Check(u); !errors.Is(err, ErrRefused) {
			t.Errorf("Check(%q) = %v, want a refusal", u, err)
		}
	}
	for _, u := range []string{"https://images.example.com/a.png", "https://images.example.com:443/a.png?x=1"} {
		if err := c.Check(u); err != nil {
			t.Errorf("Check(%q) = %v, want nil", u, err)
		}
	}
	listed := New(Policy{Hosts: []string{"cdn.example.com", "127.0.0.1:9000"}})
	for u, ok := range map[string]bool{
		"https://cdn.example.com/a": true, "http://cdn.example.com:81/a": true, "http://127.0.0.1:9000/a": true,
		"http://127.0.0.1:9001/a": false, "https://other.example.com/a": false,
	} {
		if err := listed.Check(u); (err == nil) != ok {
			t.Errorf("Check(%q) with a list = %v, want allowed: %v", u, err, ok)
		}
	}
	own := Policy{Origins: []string{"https://Images.corp:8443", "http://127.0.0.1:9000/openapi", "https://images.corp"}}
	for u, ok := range map[string]bool{
		"https://images.corp:8443/a": true, "https://images.corp/a": true, "https://IMAGES.corp:443/a": true, "http://127.0.0.1:9000/a": true, "https://cdn.example.com/a": true,
		"http://images.corp:8443/a": false, "http://images.corp/a": false, "https://images.corp:8444/a": false, "https://127.0.0.1:9000/a": false, "http://127.0.0.1:9001/a": false,
		"http://127.0.0.1/a": false, "https://me@images.corp/a": false, "https://images.corp.example.com:8443/a": false, "https://10.0.0.1/a": false,
	} {
		if err := New(own).Check(u); (err == nil) != ok {
			t.Errorf("Check(%q) beside the operator's own = %v, want allowed: %v", u, err, ok)
		}
	}
	own.Hosts = []string{"cdn.example.com"}
	if err := New(own).Check("https://images.corp/a"); !errors.Is(err, ErrRefused) {
		t.Errorf("what is not on a list is fetched: %v", err)
	}
	if err := New(Policy{AnyScheme: true}).Check("http://hooks.example.com:8080/x"); err != nil {
		t.Errorf("callbacks over http: %v", err)
	}
}

// canary counts the connections that reach loopback although nothing allowed it.
func canary(t *testing.T) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var hits atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	t.Cleanup(s.Close)
	return s, &hits
}

func TestTheAddressIsCheckedWhenItIsDialled(t *testing.T) {
	s, hits := canary(t)
	// What a name that resolves to loopback comes to: the text passes, the dial must not.
	c := New(Policy{AnyScheme: true})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.http.Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, ErrRefused) || hits.Load() != 0 {
		t.Fatalf("Do = %v with %d connections, want a refusal and none", err, hits.Load())
	}
}

func TestRedirectsAreCheckedLikeTheFirstURL(t *testing.T) {
	inner, hits := canary(t)
	outer := httptest.NewServer(http.RedirectHandler(inner.URL, http.StatusFound))
	t.Cleanup(outer.Close)
	c := New(Policy{Hosts: []string{strings.TrimPrefix(outer.URL, "http://")}})
	resp, err := c.Get(t.Context(), outer.URL, 10)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, ErrRefused) || hits.Load() != 0 {
		t.Fatalf("Get = %v with %d connections, want a refusal and none", err, hits.Load())
	}
}

func TestR1RedirectLoopsEnd(t *testing.T) {
	var n atomic.Int32
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.Add(1)
		http.Redirect(w, r, s.URL, http.StatusFound)
	}))
	t.Cleanup(s.Close)
	resp, err := New(Policy{Hosts: []string{"127.0.0.1"}}).Get(t.Context(), s.URL, 10)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, ErrRefused) || n.Load() != 4 {
		t.Fatalf("Get = %v after %d requests, want a refusal after 4 (three redirects)", err, n.Load())
	}
}

func TestR1BodiesEndAtTheLimit(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/said" {
			w.Header().Set("Content-Length", "11")
		} else if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		_, _ = io.WriteString(w, "hello world")
	}))
	t.Cleanup(s.Close)
	c := New(Policy{Hosts: []string{"127.0.0.1"}})
	for _, tt := range []struct {
		path  string
		limit int64
		want  error
	}{{"/said", 11, nil}, {"/said", 10, ErrTooLarge}, {"/streamed", 11, nil}, {"/streamed", 10, ErrTooLarge}} {
		resp, err := c.Get(t.Context(), s.URL+tt.path, tt.limit)
		if tt.path == "/said" && tt.want != nil && resp != nil {
			t.Errorf("%s at %d bytes is begun although it says how long it is", tt.path, tt.limit)
		}
		var body []byte
		if err == nil {
			body, err = io.ReadAll(resp.Body)
			_ = resp.Body.Close()
		}
		if !errors.Is(err, tt.want) || tt.want == nil && string(body) != "hello world" {
			t.Errorf("%s at %d bytes: %q, %v, want %v", tt.path, tt.limit, body, err, tt.want)
		}
	}
}

// R1: a body that stops coming ends the exchange long before its whole time is over, and one that comes in drops does not.
func TestR1ABodyThatStopsComingIsGivenUp(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).Flush(); err == nil {
			<-r.Context().Done()
		}
	}))
	t.Cleanup(s.Close)
	resp, err := New(Policy{Hosts: []string{"127.0.0.1"}, Idle: 50 * time.Millisecond}).Get(t.Context(), s.URL, 100)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if !errors.Is(err, ErrSlow) {
		t.Errorf("a body that stops: %v, want %v", err, ErrSlow)
	}
	for maxBytes, want := range map[int64]time.Duration{64 << 20: 5 * time.Minute, Quick: 5 * time.Minute, Quick + 1: 30 * time.Minute, 1 << 30: 30 * time.Minute} {
		if got := New(Policy{}).timeout(maxBytes); got != want {
			t.Errorf("%d bytes may take %v, want %v", maxBytes, got, want)
		}
	}
}

// R1: a body that comes in drips is given up as one that stops is, however much of it may come and however long that may take; one that
// comes at the slowest pace allowed is taken, and so is one that its reader takes slowly.
func TestR1ABodyThatDripsIsGivenUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		drips      drips
		maxBytes   int64
		reader     time.Duration // what it pauses for before each read
		slow       bool
		least      time.Duration // after which it is over
		atTheMost  time.Duration
		wholeBytes int
	}{
		{name: "a byte a second", drips: drips{1, 1 << 20, time.Second}, maxBytes: Quick, slow: true, least: idle, atTheMost: idle + time.Second},
		{name: "a byte a second of a video", drips: drips{1, 1 << 20, time.Second}, maxBytes: 2 << 30, slow: true, least: idle, atTheMost: idle + time.Second},
		{name: "a byte now and then", drips: drips{1, 1 << 20, idle - time.Second}, maxBytes: Quick, slow: true, least: idle, atTheMost: idle + time.Second},
		{name: "just fast enough", drips: drips{slowest, 240, time.Second}, maxBytes: Quick, atTheMost: 241 * time.Second, wholeBytes: 240 * slowest},
		{name: "as fast and without end", drips: drips{slowest, 1 << 20, time.Second}, maxBytes: Quick, slow: true, least: timeout, atTheMost: timeout + time.Second},
		{name: "as fast and without end, a video", drips: drips{slowest, 1 << 20, time.Second}, maxBytes: 2 << 30, slow: true, least: largeTimeout, atTheMost: largeTimeout + time.Second},
		{name: "too slow by half", drips: drips{slowest / 2, 1 << 20, time.Second}, maxBytes: 2 << 30, slow: true, least: 2*idle - 2*time.Second, atTheMost: 2*idle + time.Second},
		{name: "read slowly", drips: drips{100, 10, time.Second}, maxBytes: Quick, reader: 25 * time.Second, atTheMost: timeout, wholeBytes: 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				resp, err := New(Policy{InProcess: map[string]http.RoundTripper{"far": tt.drips}}).Get(t.Context(), "http://far/", tt.maxBytes)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for err == nil {
					if tt.reader > 0 {
						<-time.After(tt.reader)
					}
					var more int
					more, err = resp.Body.Read(make([]byte, slowest))
					n += more
				}
				took := time.Since(began)
				_ = resp.Body.Close()
				if errors.Is(err, ErrSlow) != tt.slow || !tt.slow && (!errors.Is(err, io.EOF) || n != tt.wholeBytes) {
					t.Errorf("%d bytes, %v", n, err)
				}
				if took < tt.least || took > tt.atTheMost {
					t.Errorf("it was over after %v, want %v to %v", took, tt.least, tt.atTheMost)
				}
			})
		})
	}
}

// drips answers with so many bytes at a time, so many times, each after a pause.
type drips struct {
	bytes, times int
	pause        time.Duration
}

// RoundTrip implements http.RoundTripper.
func (d drips) RoundTrip(r *http.Request) (*http.Response, error) {
	body, w := io.Pipe()
	go func() {
		for range d.times {
			select {
			case <-time.After(d.pause):
			case <-r.Context().Done():
				_ = w.CloseWithError(r.Context().Err())
				return
			}
			if _, err := w.Write(make([]byte, d.bytes)); err != nil {
				return
			}
		}
		_ = w.Close()
	}()
	return &http.Response{StatusCode: http.StatusOK, Body: body, ContentLength: -1}, nil
}

func TestR1NoCredentialsCookiesOrReferrerLeave(t *testing.T) {
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
	}))
	t.Cleanup(s.Close)
	c := New(Policy{Hosts: []string{"127.0.0.1"}})
	if tr, ok := c.http.Transport.(*http.Transport); !ok || tr.Proxy != nil || !tr.DisableCompression || c.http.Jar != nil {
		t.Errorf("the transport is %+v, want no proxy, no compression and no cookies", tr)
	}
	for range 2 {
		if _, _, err := c.Post(t.Context(), s.URL, "application/json", strings.NewReader("{}"), 2, 100); err != nil {
			t.Fatal(err)
		}
	}
	for _, h := range []string{"Authorization", "Cookie", "Referer", "Accept-Encoding"} {
		if v := got.Get(h); v != "" {
			t.Errorf("%s: %q was sent", h, v)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Addresses hold signatures and proofs, and errors are logged: none holds more of an address than its host.
func TestErrorsNameNoAddress(t *testing.T) {
	t.Parallel()
	const secret = "canary-of-a-signature"
	closed := httptest.NewServer(nil)
	closed.Close()
	var next string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			w.Header().Set("Location", next)
			w.WriteHeader(http.StatusFound)
		case "/no":
			w.WriteHeader(http.StatusForbidden)
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(server.Close)
	host := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
	c := New(Policy{Hosts: []string{host(closed), host(server)}})
	for name, try := range map[string]struct{ url, next string }{
		"nobody there":        {closed.URL + "/" + secret + "?signature=" + secret, ""},
		"broken off":          {server.URL + "/" + secret + "?signature=" + secret, ""},
		"refused":             {server.URL + "/no?signature=" + secret, ""},
		"led to nobody":       {server.URL + "/away", closed.URL + "/?signature=" + secret},
		"led to no address":   {server.URL + "/away", "http://[" + secret},
		"led where we do not": {server.URL + "/away", "ftp://x.example/" + secret},
		"no address":          {"http://[" + secret, ""},
		"no host of the list": {"https://x.example/" + secret, ""},
	} {
		next = try.next
		_, err := c.Get(t.Context(), try.url, 1<<10)
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err = c.Post(t.Context(), try.url, "text/plain", http.NoBody, 0, 1<<10); err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("posting, %s: %v", name, err)
		}
	}
}

func TestInProcessHostsAreNotDialled(t *testing.T) {
	c := New(Policy{InProcess: map[string]http.RoundTripper{"embedded.internal": roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, ContentLength: 2, Body: io.NopCloser(strings.NewReader("ok")), Header: http.Header{}}, nil
	})}})
	resp, err := c.Get(t.Context(), "http://embedded.internal/x", 2)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if b, err := io.ReadAll(resp.Body); err != nil || string(b) != "ok" {
		t.Fatalf("body = %q, %v", b, err)
	}
}
