package outbound

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// names answers for every name what answer says, as a name server would; lookup counts from 1 for each name.
type names struct {
	t      *testing.T
	answer func(name string, lookup int) []netip.Addr

	mu      sync.Mutex
	lookups map[string]int
}

// resolver gives a resolver that asks nobody but n.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go n.serve(server)
		return client, nil
	}}
}

// serve answers the questions of one connection, each with its length before it (RFC 1035, 4.2.2).
func (n *names) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		reply, err := n.reply(question)
		if err != nil {
			n.t.Error(err)
			return
		}
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

func (n *names) reply(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	q := m.Questions[0]
	n.mu.Lock()
	key := q.Name.String() + q.Type.String()
	n.lookups[key]++
	addresses := n.answer(strings.TrimSuffix(q.Name.String(), "."), n.lookups[key])
	n.mu.Unlock()
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, Type: q.Type}
	for _, a := range addresses {
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	return m.Pack()
}

var errStopped = errors.New("stopped by the test before it connects")

// watched is a client whose every address is looked up in n, and whose every connection is stopped just before it is made.
// passed collects the addresses that the policy would have let through.
func watched(t *testing.T, p Policy, answer func(name string, lookup int) []netip.Addr) (c *Client, passed func() []string) {
	t.Helper()
	n := &names{t: t, answer: answer, lookups: map[string]int{}}
	var mu sync.Mutex
	var addresses []string
	c = newClient(p, &net.Dialer{Resolver: n.resolver(), ControlContext: func(ctx context.Context, network, address string, raw syscall.RawConn) error {
		if err := control(ctx, network, address, raw); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		addresses = append(addresses, address)
		return errStopped
	}})
	return c, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return addresses
	}
}

// R2, F6: every hostile address as a literal, as the answer of a name server, as its second answer, and as the target of a
// redirect. Nothing is ever dialled there.
func TestF6R2D5NoVectorLeadsInside(t *testing.T) {
	t.Parallel()
	public4, public6 := netip.MustParseAddr("93.184.216.34"), netip.MustParseAddr("2606:2800:220:1::1")
	vectors := 0
	try := func(what, url string, answer []netip.Addr, hostile netip.Addr) {
		vectors++
		t.Helper()
		c, passed := watched(t, Policy{
			AnyScheme: true,
			InProcess: map[string]http.RoundTripper{"turn.example": roundTripper(func(r *http.Request) (*http.Response, error) {
				header := http.Header{"Location": {r.URL.Query().Get("to")}}
				return &http.Response{StatusCode: http.StatusFound, Header: header, Body: http.NoBody, Request: r}, nil
			})},
		}, func(string, int) []netip.Addr { return answer })
		resp, err := c.Get(t.Context(), url, 10)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s: %s was fetched", what, url)
			return
		}
		for _, address := range passed() {
			if a := netip.MustParseAddrPort(address).Addr(); a != public4 && a != public6 {
				t.Errorf("%s: %s would have connected to %s", what, url, address)
			}
		}
		if len(answer) < 2 && !errors.Is(err, ErrRefused) && !strings.Contains(err.Error(), "address family") {
			t.Errorf("%s: %s = %v, want a refusal", what, url, err)
		}
		if hostile.IsValid() && public(hostile) {
			t.Errorf("%s counts as public", hostile)
		}
	}
	for _, text := range hostile {
		a, host := netip.MustParseAddr(text), text
		if a.Is6() {
			host = "[" + text + "]"
		}
		try("a literal", "http://"+host+":8080/a.png", nil, a)
		try("an answer", "http://images.example.com/a.png", []netip.Addr{a}, a)
		try("a second answer", "http://images.example.com/a.png", []netip.Addr{public4, public6, a}, a)
		try("a first answer", "http://images.example.com/a.png", []netip.Addr{a, public4, public6}, a)
		try("a redirect", "http://turn.example/?to="+"http://"+host+"/", nil, a)
		try("a redirect to a name", "http://turn.example/?to=http://images.example.com/", []netip.Addr{a}, a)
	}
	for _, url := range []string{
		"http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/", "http://127.1/", "http://0/", "http://127.0.0.1./", "http://[::]/",
		"http://[::1%25lo]/", "http://localhost/", "http://LOCALHOST./", "http://x.localhost/", "http://127.0.0.1\\@images.example.com/", "http://images.example.com@127.0.0.1/",
		"http://127.0.0.1#@images.example.com/", "http://127.0.0.1?@images.example.com/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://xn--/\r\nHost: x", "http://\t127.0.0.1/",
		"//127.0.0.1/", "http:127.0.0.1", "http:///127.0.0.1", "file:///etc/passwd", "gopher://127.0.0.1:25/_x", "data:text/plain,x", "unix:///run/x.sock", "http://[::ffff:7f00:1]/", "http://metadata/", "javascript:alert(1)",
	} {
		try("a form", url, nil, netip.Addr{})
		if !strings.ContainsAny(url, "#\r\n\t") {
			try("a form in a redirect", "http://turn.example/?to="+strings.NewReplacer("%", "%25", "\\", "%5C").Replace(url), nil, netip.Addr{})
		}
	}
	if vectors < 120 {
		t.Errorf("%d vectors, want at least 120", vectors)
	}
	t.Logf("%d vectors", vectors)
}

// R3, F6: a name that is public when it is checked and inside when it is dialled, or both at once. What is dialled is what
// was checked.
func TestF6R3ANameThatChangesItsMindLeadsNowhere(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var connections atomic.Int32
	server := &http.Server{ConnState: func(net.Conn, http.ConnState) { connections.Add(1) }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("93.184.216.34")
	const runs = 1000
	n := 0
	for i := range runs {
		answers := [][]netip.Addr{{outside}, {inside}, {outside, inside}, {inside, outside}}
		c, passed := watched(t, Policy{AnyScheme: true}, func(_ string, lookup int) []netip.Addr {
			if i%2 == 0 {
				return answers[min(lookup-1, 1)] // first outside, then inside
			}
			return answers[2+i/2%2]
		})
		for range 2 {
			resp, err := c.Get(t.Context(), fmt.Sprintf("http://images.example.com:%s/%d", port, i), 10)
			if err == nil {
				_ = resp.Body.Close()
				t.Fatal("something was fetched")
			}
		}
		for _, address := range passed() {
			n++
			if netip.MustParseAddrPort(address).Addr() != outside {
				t.Fatalf("it would have connected to %s", address)
			}
		}
	}
	if connections.Load() != 0 || n < runs/2 {
		t.Errorf("%d connections inside, %d addresses outside, want 0 and at least %d", connections.Load(), n, runs/2)
	}
}

// FuzzURLsAreRefusedOrPublic: whatever the text of a URL, what would be dialled for it is public.
func FuzzURLsAreRefusedOrPublic(f *testing.F) {
	for _, u := range []string{"https://images.example.com/a.png", "http://127.1/", "https://[::ffff:127.0.0.1]/", "http://a@b/", "https://1.1.1.1/", "http://0x7f.1/", "https://xn--nxasmq6b/"} {
		f.Add(u)
	}
	f.Fuzz(func(t *testing.T, rawURL string) {
		u, listed, err := New(Policy{AnyScheme: true}).parse(rawURL)
		if err != nil {
			return
		}
		if listed {
			t.Fatalf("%q counts as listed", rawURL)
		}
		if a, err := netip.ParseAddr(u.Hostname()); err == nil && !public(a) {
			t.Errorf("%q leads to %s", rawURL, a)
		}
		if u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.Host, "\\\r\n\t ") {
			t.Errorf("%q is read as %+v", rawURL, u)
		}
	})
}
