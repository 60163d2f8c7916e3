package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/words"
)

const (
	closeGoingAway    = websocket.CloseGoingAway
	closeUnauthorized = 4401 // the session has ended: sign in again
	closeTooMany      = 4429 // the browser sends too much
	readLimit         = 32 << 10
	maxWaiting        = 1000    // events about different things that wait for one browser
	maxWaitingBytes   = 1 << 20 // of their data
)

var errTooMany = errors.New("the browser sends too much")

// client is one socket.
type client struct {
	hub     *Hub
	conn    *websocket.Conn
	user    atelier.UserID
	session string
	pace    *rate.Limiter // its user's; set when it joins

	mu      sync.Mutex
	waiting []entry // in order of their revs, at most one per key
	bytes   int     // of the data of waiting
	wake    chan struct{}
	done    chan struct{}
	ended   bool
	code    int
	reason  string
}

// buffers are shared by all sockets: an idle one holds none.
var buffers sync.Pool

// Join describes the socket that is being opened.
type Join struct {
	User    atelier.UserID
	Session string // hash of the session it belongs to
	Since   string // epoch.rev of the last event the browser has seen; "" for none
	Origin  string // the only value of the Origin header that is let in
	Hello   any    // data of the first event
	// Valid is asked again and again (Options.Check) whether the session still stands.
	Valid func() bool
}

// Serve upgrades the request and returns when the socket is closed. An error means that nothing was upgraded.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, j Join) error {
	c := &client{hub: h, user: j.User, session: j.Session, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if got := r.Header.Get("Origin"); got != j.Origin {
		return atelier.Refuse(atelier.Forbidden, words.EventsElsewhere)
	}
	if !websocket.IsWebSocketUpgrade(r) {
		return atelier.Refuse(atelier.Invalid, words.EventsNoSocket)
	}
	if err := h.join(c, j.Since, j.Hello); err != nil {
		return err
	}
	defer h.leave(c)
	// After a restart all come back at once: the studio's other work goes on meanwhile. Who waits counts as open, and what one user opens
	// and leaves again takes a share of the pace alone.
	if !c.wait(r.Context(), c.pace) || !c.wait(r.Context(), h.pace) {
		return atelier.Refuse(atelier.TooMany, words.EventsOpening)
	}
	up := websocket.Upgrader{
		ReadBufferSize: 512, WriteBufferSize: 1024, WriteBufferPool: &buffers, HandshakeTimeout: 10 * time.Second,
		CheckOrigin: func(*http.Request) bool { return true }, // compared above, scheme and port included
	}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		h.o.Log.Debug("a websocket was not opened", "error", err)
		return nil // the upgrader has answered
	}
	c.open(conn)
	written := make(chan struct{})
	go func() {
		defer close(written)
		c.write(j.Valid)
	}()
	c.read()
	<-written
	return nil
}

// wait takes the client's turn, unless its request or the client itself ends before.
func (c *client) wait(ctx context.Context, pace *rate.Limiter) bool {
	turn := pace.Reserve()
	if turn.Delay() == 0 {
		return true
	}
	timer := time.NewTimer(turn.Delay())
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-c.done:
	}
	turn.Cancel()
	return false
}

// open gives the client its connection. It may have been ended before.
func (c *client) open(conn *websocket.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
	if c.ended {
		c.cutOff()
	}
}

// offer queues an event; it never blocks. An older one about the same thing is dropped: the newest wins. Who is ended gets nothing more.
func (c *client) offer(e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	for i := range c.waiting {
		if c.waiting[i].key == e.key {
			c.bytes -= len(c.waiting[i].event.Data)
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			break
		}
	}
	if n := len(c.waiting); n >= maxWaiting || n > 0 && c.bytes+len(e.event.Data) > maxWaitingBytes {
		// It has fallen far behind: loading the lists again is less than all of this.
		clear(c.waiting)
		c.waiting, c.bytes, e = c.waiting[:0], 0, snapshot(e.event.Epoch, e.event.Rev)
	}
	c.waiting, c.bytes = append(c.waiting, e), c.bytes+len(e.event.Data)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *client) take() []entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting := c.waiting
	c.waiting, c.bytes = nil, 0
	return waiting
}

// stop ends the socket with a reason the browser can read. What waits is not sent any more, and a browser that does not read is cut off in
// the middle of an event.
func (c *client) stop(code int, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended, c.code, c.reason = true, code, reason
	c.waiting, c.bytes = nil, 0
	close(c.done)
	if c.conn != nil {
		c.cutOff()
	}
}

// farewell is how long a socket that is ended may take to say so: with the second that a watch over sessions may take, less than two.
const farewell = 800 * time.Millisecond

// cutOff closes the connection soon, whatever is being written to it. The lock is held.
func (c *client) cutOff() {
	conn := c.conn.NetConn()
	time.AfterFunc(farewell, func() {
		defer c.survive("a websocket that is cut off")
		if err := conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			c.hub.o.Log.Debug("cut off a websocket", "error", err)
		}
	})
}

// survive keeps a panic of work beside requests from ending the process. It is deferred.
func (c *client) survive(work string) {
	if p := recover(); p != nil {
		if c.hub.o.Panicked != nil {
			c.hub.o.Panicked()
		}
		c.hub.o.Log.Error(work+" panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	}
}

// write sends events and pings until the socket ends, and then closes the connection, which also ends read.
func (c *client) write(valid func() bool) {
	defer func() {
		if err := c.conn.Close(); err != nil {
			c.hub.o.Log.Debug("close a websocket", "error", err)
		}
	}()
	defer c.survive("a websocket writer")
	ping := time.NewTicker(c.hub.o.Ping)
	defer ping.Stop()
	check := time.NewTicker(c.hub.o.Check)
	defer check.Stop()
	for {
		var err error
		select {
		case <-c.wake:
			err = c.flush()
		case <-ping.C:
			err = c.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(c.hub.o.Write))
		case <-check.C:
			if valid != nil && !valid() {
				c.stop(closeUnauthorized, "signed out")
			}
		case <-c.done:
			c.mu.Lock()
			bye := websocket.FormatCloseMessage(c.code, c.reason)
			c.mu.Unlock()
			if err := c.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(farewell)); err != nil {
				c.hub.o.Log.Debug("say goodbye to a websocket", "error", err)
			}
			return
		}
		if err != nil {
			c.stop(closeGoingAway, "")
			return
		}
	}
}

func (c *client) flush() error {
	for _, e := range c.take() {
		select {
		case <-c.done:
			return nil
		default:
		}
		raw, err := json.Marshal(e.event)
		if err != nil {
			return fmt.Errorf("encode an event: %w", err)
		}
		if err := c.conn.SetWriteDeadline(time.Now().Add(c.hub.o.Write)); err != nil {
			return err
		}
		if err := c.conn.WriteMessage(websocket.TextMessage, raw); err != nil {
			return err
		}
	}
	return nil
}

// read takes signs of life until the socket ends. Browsers have nothing to say; what they send is counted and dropped.
func (c *client) read() {
	defer c.stop(closeGoingAway, "")
	c.conn.SetReadLimit(readLimit)
	alive := func() error { return c.conn.SetReadDeadline(time.Now().Add(c.hub.o.Ping + c.hub.o.Pong)) }
	c.conn.SetPongHandler(func(string) error { return alive() })
	if alive() != nil {
		return
	}
	since, n := time.Now(), 0
	tooMany := func() bool {
		if time.Since(since) > time.Minute {
			since, n = time.Now(), 0
		}
		if n++; n > c.hub.o.Messages {
			c.stop(closeTooMany, "too many messages")
			return true
		}
		return false
	}
	answer := c.conn.PingHandler()
	c.conn.SetPingHandler(func(data string) error {
		if tooMany() { // pings are answered, so they cost as much as messages
			return errTooMany
		}
		return errors.Join(alive(), answer(data))
	})
	for {
		_, message, err := c.conn.NextReader()
		if err == nil {
			_, err = io.Copy(io.Discard, message) // to the end, or a message in pieces would get past the limit
		}
		if err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) {
				c.hub.o.Log.Debug("a websocket ended", "error", err)
			}
			return
		}
		if tooMany() || alive() != nil {
			return
		}
	}
}

// parseSince reads epoch.rev.
func parseSince(s string) (epoch string, rev int64, ok bool) {
	epoch, n, found := strings.Cut(s, ".")
	rev, err := strconv.ParseInt(n, 10, 64)
	return epoch, rev, found && err == nil && rev >= 0
}
