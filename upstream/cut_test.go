package upstream_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"atelier/upstream"
)

// cutter answers every request with the same bytes and then ends the connection.
type cutter struct {
	net.Listener
	says  atomic.Pointer[string]
	rough atomic.Bool // the end is a reset
	asked atomic.Int64
}

func newCutter(t *testing.T) *cutter {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{Listener: l}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			if err := c.serve(conn); err != nil {
				t.Error(err)
			}
		}
	}()
	return c
}

func (c *cutter) serve(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(5 * time.Minute)); err != nil {
		return err
	}
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	c.asked.Add(1)
	_, err = io.WriteString(conn, *c.says.Load())
	if tcp, ok := conn.(*net.TCPConn); ok && c.rough.Load() {
		err = errors.Join(err, tcp.SetLinger(0))
	}
	return errors.Join(err, conn.Close())
}

// K3: the wire is cut after every byte of an answer. A call that starts something is then ambiguous, whatever had come until
// then, any other is broken, and nothing is ever asked twice. What the studio makes of it is tested in bff/crashes.
func TestAnAnswerThatBreaksOffAnywhereIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, op := range operations() {
		if !slices.Contains([]string{upstream.PathTaskCreate, upstream.PathTaskExecute, upstream.PathTaskQuery, upstream.PathRuns, upstream.PathRunUpload}, op.path) {
			continue
		}
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			c := newCutter(t)
			head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Sun, 22 Nov 2026 02:00:00 GMT\r\n"
			for _, way := range []struct {
				name, answer string
				rough        bool
			}{
				{"of a known length", head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(op.good), op.good), false},
				{"of a known length, reset", head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(op.good), op.good), true},
				{"as long as it lasts", head + "Connection: close\r\n\r\n" + op.good, false},
			} {
				c.rough.Store(way.rough)
				for k := range len(way.answer) + 1 {
					part := way.answer[:k]
					c.says.Store(&part)
					c.asked.Store(0)
					client, err := upstream.New(upstream.Options{BaseURL: "http://" + c.Addr().String(), Key: canary})
					if err != nil {
						t.Fatal(err)
					}
					err = op.call(t.Context(), client)
					client.CloseIdle()
					want := upstream.Broken
					if op.starts {
						want = upstream.Ambiguous
					}
					whole := k == len(way.answer)
					if kind := upstream.KindOf(err); kind != want && !whole || whole && err != nil && !way.rough {
						t.Errorf("%s, cut after %q: %v", way.name, part, err)
					}
					if n := c.asked.Load(); n != 1 {
						t.Errorf("%s, cut after %q: asked %d times", way.name, part, n)
					}
				}
			}
		})
	}
}
