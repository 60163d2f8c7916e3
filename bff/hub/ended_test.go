package hub

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"atelier/atelier"
)

// pipes is a network into which nothing fits: whoever writes waits until it is read.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
	close   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.close.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	p.dialled <- far
	return near, nil
}

// narrow serves the hub over pipes and opens a socket of Ana's, which has read its greeting.
func narrow(t *testing.T, h *Hub) *websocket.Conn {
	t.Helper()
	p := &pipes{dialled: make(chan net.Conn), closed: make(chan struct{})}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.Serve(w, r, Join{User: ana, Session: "hers", Origin: "http://hub.example", Hello: atelier.HelloEvent{}}); err != nil {
			t.Error(err)
		}
	}))
	if err := s.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	s.Listener = p
	s.Start()
	d := websocket.Dialer{NetDialContext: p.dial}
	c, resp, err := d.DialContext(t.Context(), "ws://hub.example/", http.Header{"Origin": {"http://hub.example"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close() // the hub may have closed it
		h.Close()
		s.Close()
	})
	next(t, c)
	return c
}

// patient is a hub that gives its browsers all the time there is to read.
func patient() *Hub { return New(Options{Write: time.Hour, Ping: time.Hour, Check: time.Hour}) }

// within fails the test when what was begun has not ended after a time that nothing takes.
func within(t *testing.T, what string, ended <-chan struct{}) {
	t.Helper()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("%s never ends", what)
	}
}

// A socket is ended with its session, whether its browser reads or not: what is being written to it is broken off.
func TestASocketThatIsNotReadEndsWithItsSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(h *Hub){
		"the session ends": func(h *Hub) { h.EndSession("hers") }, "the user's sessions end": func(h *Hub) { h.EndUser(ana, "") }, "the hub closes": (*Hub).Close,
	} {
		h := patient()
		narrow(t, h)
		for i := range 10 {
			h.Publish(ana, atelier.EventRun, fmt.Sprint(i), i)
		}
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			end(h)
			h.wg.Wait()
		}()
		within(t, name, gone)
	}
}

// What is published after a session has ended, and what still waited then, does not go to its sockets, however slowly they read.
func TestNothingGoesToASessionThatHasEnded(t *testing.T) {
	t.Parallel()
	h := patient()
	c := narrow(t, h)
	for i := range 20 {
		h.Publish(ana, atelier.EventRun, fmt.Sprint(i), i)
	}
	h.EndSession("hers")
	h.Publish(ana, atelier.EventRun, "late", "late")
	for heard := 0; ; heard++ {
		_, raw, err := c.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) && closed.Code != closeUnauthorized {
				t.Errorf("the socket ended with %v", err)
			}
			return
		}
		if heard > 0 { // the first one was being written
			t.Fatalf("%s came after the end", raw)
		}
	}
}

// A socket may be ended between being let in and being opened: then even its greeting stays here.
func TestASocketThatEndsBeforeItIsOpenSaysNothing(t *testing.T) {
	t.Parallel()
	c := &client{hub: patient(), wake: make(chan struct{}, 1), done: make(chan struct{})}
	c.offer(entry{atelier.Event{Rev: 1}, "hello"})
	c.stop(closeUnauthorized, "signed out")
	c.offer(entry{atelier.Event{Rev: 2}, "run 1"})
	if waiting := c.take(); len(waiting) != 0 {
		t.Errorf("%d events wait for a socket that has ended", len(waiting))
	}
}
