package bff_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// R9 and request smuggling: what no browser sends. Each is refused, or read as exactly one request; a second one hidden in its
// body is never answered.
func TestR9RequestsThatAreNotWhatTheySeem(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	host := s.host()
	const hidden = "GET /api/agents HTTP/1.1\r\nHost: HOST\r\n\r\n"
	get := func(headers string) string { return "GET /healthz HTTP/1.1\r\n" + headers + "\r\n" }
	post := func(headers, body string) string {
		return "POST /api/session HTTP/1.1\r\nHost: HOST\r\nX-Atelier: 1\r\nContent-Type: application/json\r\n" + headers + "\r\n" + body
	}
	tests := []struct {
		name, raw string
		want      string // statuses that are right
	}{
		{"an honest one", get("Host: HOST\r\n"), "200"},
		{"no host", get(""), "400"},
		{"two hosts", get("Host: HOST\r\nHost: HOST\r\n"), "400"},
		{"two different hosts", get("Host: HOST\r\nHost: evil.example\r\n"), "400"},
		{"an empty host", get("Host:\r\n"), "421"},
		{"another host in the line", "GET http://evil.example/healthz HTTP/1.1\r\nHost: HOST\r\n\r\n", "400 421"},
		{"our host in the line, another below", "GET http://HOST/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", "200 400 421"},
		{"a host with a path", get("Host: HOST/x\r\n"), "400 421"},
		{"a host with a user", get("Host: a@HOST\r\n"), "400 421"},
		{"a space before the colon", get("Host : HOST\r\n"), "400"},
		{"a folded header", get("Host: HOST\r\n X: y\r\n"), "400 421"},
		{"a bare carriage return", get("Host: HOST\r\nX: a\rb\r\n"), "400"},
		{"a null byte", get("Host: HOST\r\nX: a\x00b\r\n"), "400"},
		{"no version", "GET /healthz\r\n\r\n", "400"},
		{"version 3.1", "GET /healthz HTTP/3.1\r\nHost: HOST\r\n\r\n", "505 400"},
		{"a preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 400 421"},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", "400 405 421"},
		{"length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"+hidden), "400 401"},
		{"chunks twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"+hidden), "400 501"},
		{"chunks in another spelling", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"+hidden), "501 400"},
		{"chunks after identity", post("Transfer-Encoding: identity, chunked\r\n", "0\r\n\r\n"+hidden), "501 400"},
		{"chunks behind a tab", post("Transfer-Encoding:\tchunked \r\nContent-Length: 3\r\n", "0\r\n\r\n"+hidden), "400 501"},
		{"two lengths", post("Content-Length: 2\r\nContent-Length: 80\r\n", "{}"+hidden), "400"},
		{"a signed length", post("Content-Length: +2\r\n", "{}"+hidden), "400"},
		{"a negative length", post("Content-Length: -1\r\n", hidden), "400"},
		{"a length in hex", post("Content-Length: 0x2\r\n", "{}"+hidden), "400"},
		{"a length beyond numbers", post("Content-Length: 99999999999999999999\r\n", "{}"), "400"},
		{"a chunk of a size beyond numbers", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\nx\r\n0\r\n\r\n"), "400"},
		{"a chunk that is no number", post("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"+hidden), "400"},
		{"a chunk longer than it says", post("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"+hidden), "400"},
	}
	for _, tt := range tests {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", host)
		s.check(err)
		s.check(c.SetDeadline(time.Now().Add(20 * time.Second)))
		_, err = io.WriteString(c, strings.ReplaceAll(tt.raw, "HOST", host))
		s.check(err)
		tcp, ok := c.(*net.TCPConn)
		if !ok {
			t.Fatal("not TCP")
		}
		s.check(tcp.CloseWrite())
		r := bufio.NewReader(c)
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		body, err := io.ReadAll(resp.Body)
		s.check(err)
		s.check(resp.Body.Close())
		rest, _ := io.ReadAll(r) // however it ends: what has come by then counts
		if status := resp.Status[:3]; !strings.Contains(tt.want, status) {
			t.Errorf("%s = %s %s, want %s", tt.name, resp.Status, body, tt.want)
		}
		if strings.Contains(string(rest), `"agents"`) || strings.Contains(string(rest), "401 Unauthorized") && strings.Contains(tt.raw, hidden) {
			t.Errorf("%s: the hidden request was answered: %.200s", tt.name, rest)
		}
		s.check(c.Close())
	}
}
