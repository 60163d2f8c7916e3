package hub

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

// FuzzWhatABrowserSendsEndsItsOwnSocketAtMost writes anything at all behind the handshake: frames that are cut, nested,
// unmasked, enormous. The socket ends, its place is free again, and nobody else notices.
func FuzzWhatABrowserSendsEndsItsOwnSocketAtMost(f *testing.F) {
	for _, frames := range [][]byte{
		{0x81, 0x81, 1, 2, 3, 4, 'a' ^ 1},
		{0x01, 0x80, 0, 0, 0, 0, 0x80, 0x80, 0, 0, 0, 0},
		{0x89, 0x80, 0, 0, 0, 0},
		{0x88, 0x82, 0, 0, 0, 0, 3, 0xe8},
		{0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
		{0xff, 0xff},
		{0x81, 0x01, 'a'},
		{0x8a, 0xfe, 0x01, 0x00, 0, 0, 0, 0},
		{0xc1, 0x80, 0, 0, 0, 0},
		{},
	} {
		f.Add(frames)
	}
	h := New(Options{Ping: time.Second, Pong: time.Second, Write: time.Second})
	ended := make(chan struct{}, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.Serve(w, r, Join{User: ana, Session: "s", Origin: "http://" + r.Host, Hello: atelier.HelloEvent{}}); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
		ended <- struct{}{}
	}))
	f.Cleanup(func() {
		h.Close()
		s.Close()
	})
	host := strings.TrimPrefix(s.URL, "http://")
	f.Fuzz(func(t *testing.T, frames []byte) {
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		hello := "GET / HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
		if _, err := conn.Write([]byte(hello)); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
			t.Fatalf("the handshake: %v, %v", resp, err)
		}
		if _, err := conn.Write(frames); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Log(err) // it may have been cut off already
		}
		if err := conn.Close(); err != nil {
			t.Log(err)
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("the socket did not end")
		}
		if n := h.Count(); n != 0 {
			t.Errorf("%d places are still taken", n)
		}
	})
}
