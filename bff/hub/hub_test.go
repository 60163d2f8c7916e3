package hub

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"atelier/atelier"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(childListen); address != "" {
		if err := serveAlone(address); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const ana = atelier.UserID("ana")

// serve runs the hub behind a real server and gives its websocket address.
func serve(t *testing.T, h *Hub) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		j := Join{User: ana, Session: r.URL.Query().Get("session"), Since: r.URL.Query().Get("since"), Origin: "http://" + r.Host, Hello: atelier.HelloEvent{Build: "b1"}}
		j.Valid = func() bool { return j.Session != "ended" }
		if err := h.Serve(w, r, j); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}))
	t.Cleanup(func() {
		h.Close()
		s.Close()
	})
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

func dial(t *testing.T, address, query string) *websocket.Conn {
	t.Helper()
	c, resp, err := websocket.DefaultDialer.DialContext(t.Context(), address+"/?"+query, http.Header{"Origin": {"http" + strings.TrimPrefix(address, "ws")}})
	if err != nil {
		t.Fatalf("dial: %v", err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Log(err)
		}
	})
	return c
}

func next(t *testing.T, c *websocket.Conn) atelier.Event {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	_, raw, err := c.ReadMessage()
	if err != nil {
		t.Fatalf("read an event: %v", err)
	}
	var e atelier.Event
	if err := json.Unmarshal(raw, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHelloComesFirstAndEventsInOrder(t *testing.T) {
	h := New(Options{})
	c := dial(t, serve(t, h), "")
	hello := next(t, c)
	if hello.Type != atelier.EventHello || string(hello.Data) == "" || hello.Rev != 0 {
		t.Fatalf("the first event is %+v", hello)
	}
	for i := range 5 {
		h.Publish(ana, atelier.EventRun, fmt.Sprint(i), i)
	}
	h.Publish("somebody else", atelier.EventRun, "x", "x")
	for i := range 5 {
		if e := next(t, c); e.Rev != int64(i+1) || string(e.Data) != fmt.Sprint(i) || e.Epoch != hello.Epoch {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

// What many large events hold is bounded as well, whatever their number; who missed one that is forgotten loads its lists again.
func TestHistoryHoldsOnlySoMuch(t *testing.T) {
	h := New(Options{HistoryMax: 100})
	address := serve(t, h)
	publish := func(bytes int) { h.Publish(ana, atelier.EventRun, "x", strings.Repeat("x", bytes-2)) }
	publish(50)
	publish(50)
	since := func(rev int) (events []atelier.EventType) {
		t.Helper()
		missed := h.missed(h.stream(ana), fmt.Sprintf("%s.%d", h.epoch, rev))
		for _, e := range missed {
			events = append(events, e.event.Type)
		}
		return events
	}
	if diff := cmp.Diff([]atelier.EventType{atelier.EventRun, atelier.EventRun}, since(0)); diff != "" {
		t.Errorf("as much as is held (-want +got):\n%s", diff)
	}
	publish(10)
	if diff := cmp.Diff([]atelier.EventType{atelier.EventSnapshot}, since(0)); diff != "" {
		t.Errorf("what was forgotten (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]atelier.EventType{atelier.EventRun, atelier.EventRun}, since(1)); diff != "" {
		t.Errorf("what was not (-want +got):\n%s", diff)
	}
	publish(101)
	if diff := cmp.Diff([]atelier.EventType{atelier.EventRun}, since(3)); diff != "" {
		t.Errorf("one larger than all (-want +got):\n%s", diff)
	}
	c := dial(t, address, "since="+h.epoch+".2")
	if hello, all := next(t, c), next(t, c); hello.Type != atelier.EventHello || all.Type != atelier.EventSnapshot || all.Rev != 4 {
		t.Errorf("who comes back hears %+v, %+v", hello, all)
	}
}

func TestR14ABrowserThatWasAwayGetsWhatItMissed(t *testing.T) {
	h := New(Options{History: 10})
	address := serve(t, h)
	for i := range 12 {
		h.Publish(ana, atelier.EventRun, fmt.Sprint(i), i)
	}
	tests := []struct {
		name  string
		since string
		want  []string
	}{
		{"new", "", []string{"hello"}},
		{"up to date", h.epoch + ".12", []string{"hello"}},
		{"two behind", h.epoch + ".10", []string{"hello", "run 11", "run 12"}},
		{"as far as history goes", h.epoch + ".2", []string{"hello", "run 3", "run 4", "run 5", "run 6", "run 7", "run 8", "run 9", "run 10", "run 11", "run 12"}},
		{"further than history goes", h.epoch + ".1", []string{"hello", "snapshot"}},
		{"before a restart", "older.5", []string{"hello", "snapshot"}},
		{"from the future", h.epoch + ".99", []string{"hello", "snapshot"}},
		{"nonsense", "x", []string{"hello", "snapshot"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := dial(t, address, "since="+tt.since+"&session="+strings.ReplaceAll(tt.name, " ", "-"))
			var got []string
			last := int64(-1)
			for range tt.want {
				e := next(t, c)
				if e.Rev <= last && e.Type == atelier.EventRun {
					t.Errorf("event %d comes after %d", e.Rev, last)
				}
				last = e.Rev
				if name := string(e.Type); e.Type == atelier.EventRun {
					got = append(got, fmt.Sprintf("%s %d", name, e.Rev))
				} else {
					got = append(got, name)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOfWaitingEventsAboutOneThingOnlyTheNewestIsSent(t *testing.T) {
	t.Parallel()
	c := &client{wake: make(chan struct{}, 1), done: make(chan struct{})}
	for i := range 10_000 {
		c.offer(entry{atelier.Event{Rev: int64(i)}, fmt.Sprint("run ", i%3)})
	}
	var got []int64
	for _, e := range c.take() {
		got = append(got, e.event.Rev)
	}
	if diff := cmp.Diff([]int64{9997, 9998, 9999}, got); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
}

func TestABrowserFarBehindIsToldToLoadItsListsAgain(t *testing.T) {
	t.Parallel()
	c := &client{wake: make(chan struct{}, 1), done: make(chan struct{})}
	for i := range maxWaiting + 2 {
		c.offer(entry{atelier.Event{Rev: int64(i + 1), Type: atelier.EventRun}, fmt.Sprint("run ", i)})
	}
	got := c.take()
	if len(got) != 2 || got[0].event.Type != atelier.EventSnapshot || got[0].event.Rev != maxWaiting+1 || got[1].event.Rev != maxWaiting+2 {
		t.Errorf("%d events wait, the first is %+v", len(got), got[0].event)
	}
}

// R13: what waits for one browser is bounded in bytes, too; one event that is larger alone is sent all the same.
func TestR13WhatWaitsForABrowserIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	c := &client{wake: make(chan struct{}, 1), done: make(chan struct{})}
	offer := func(rev, size int, key string) {
		c.offer(entry{atelier.Event{Rev: int64(rev), Type: atelier.EventRun, Data: make([]byte, size)}, key})
	}
	for i := range 100 { // the newest about one thing is all that counts
		offer(i+1, 300<<10, "run 1")
	}
	if got := c.take(); len(got) != 1 || got[0].event.Rev != 100 {
		t.Fatalf("%d events about one thing wait", len(got))
	}
	for i := range 10 {
		offer(101+i, 300<<10, fmt.Sprint("run ", i))
		waits := 0
		for _, e := range c.waiting {
			waits += len(e.event.Data)
		}
		if waits > maxWaitingBytes || waits != c.bytes {
			t.Fatalf("after %d events %d bytes wait, %d are counted", i+1, waits, c.bytes)
		}
	}
	if got := c.take(); got[0].event.Type != atelier.EventSnapshot || got[len(got)-1].event.Rev != 110 {
		t.Errorf("%d events wait, the first is %+v", len(got), got[0].event.Type)
	}
	offer(111, 2*maxWaitingBytes, "run 1")
	if got := c.take(); len(got) != 1 || got[0].event.Rev != 111 {
		t.Errorf("of a large event %d wait", len(got))
	}
}

func TestR12AnotherOriginIsRefused(t *testing.T) {
	h := New(Options{})
	address := serve(t, h)
	for _, origin := range []string{"", "null", "http://evil.example", "https" + strings.TrimPrefix(address, "ws"), "http" + strings.TrimPrefix(address, "ws") + "0"} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		c, resp, err := websocket.DefaultDialer.DialContext(t.Context(), address, header)
		if err == nil {
			t.Errorf("origin %q was let in", origin)
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if resp != nil {
			if resp.StatusCode != http.StatusForbidden {
				t.Errorf("origin %q: status %d", origin, resp.StatusCode)
			}
			if err := resp.Body.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if h.Count() != 0 {
		t.Errorf("%d sockets are counted", h.Count())
	}
}

func TestSocketsEndWithTheirSession(t *testing.T) {
	h := New(Options{})
	address := serve(t, h)
	mine, other := dial(t, address, "session=mine"), dial(t, address, "session=other")
	next(t, mine)
	next(t, other)
	h.EndSession("mine")
	_, _, err := mine.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != closeUnauthorized {
		t.Errorf("the socket ended with %v", err)
	}
	h.Publish(ana, atelier.EventNotice, "1", 1)
	if e := next(t, other); e.Type != atelier.EventNotice {
		t.Errorf("the other session got %+v", e)
	}
}

func TestR12ASocketEndsWhenItsSessionNoLongerStands(t *testing.T) {
	h := New(Options{Check: 20 * time.Millisecond})
	address := serve(t, h)
	ended, standing := dial(t, address, "session=ended"), dial(t, address, "session=standing")
	next(t, ended)
	next(t, standing)
	_, _, err := ended.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != closeUnauthorized {
		t.Errorf("the socket ended with %v", err)
	}
	h.Publish(ana, atelier.EventNotice, "1", 1)
	if e := next(t, standing); e.Type != atelier.EventNotice {
		t.Errorf("the other socket got %+v", e)
	}
}

func TestR13SocketsAreLimited(t *testing.T) {
	h := New(Options{PerSession: 2, PerUser: 3, Total: 4})
	address := serve(t, h)
	origin := http.Header{"Origin": {"http" + strings.TrimPrefix(address, "ws")}}
	refused := func(query string) bool {
		c, resp, err := websocket.DefaultDialer.DialContext(t.Context(), address+"/?"+query, origin)
		if resp != nil {
			defer func() {
				if err := resp.Body.Close(); err != nil {
					t.Error(err)
				}
			}()
		}
		if err == nil {
			t.Cleanup(func() {
				if err := c.Close(); err != nil {
					t.Log(err)
				}
			})
		}
		return err != nil
	}
	got := []bool{refused("session=a"), refused("session=a"), refused("session=a"), refused("session=b"), refused("session=c")}
	if diff := cmp.Diff([]bool{false, false, true, false, true}, got); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	address = serve(t, New(Options{Total: 2}))
	origin = http.Header{"Origin": {"http" + strings.TrimPrefix(address, "ws")}}
	got = []bool{refused("session=a"), refused("session=b"), refused("session=c")}
	if diff := cmp.Diff([]bool{false, false, true}, got); diff != "" {
		t.Errorf("with two places altogether, refused (-want +got):\n%s", diff)
	}
}

// R13: what a browser may hold on to when nobody says otherwise.
func TestR13TheLimitsOfAHub(t *testing.T) {
	got := New(Options{}).o
	got.Log = nil
	want := Options{
		Ping: 25 * time.Second, Pong: 10 * time.Second, Write: 10 * time.Second, Check: time.Minute, History: 1000, HistoryMax: 4 << 20, PerSession: 8, PerUser: 64, Total: 1024, Pace: 200, Messages: 100,
	}
	if diff := cmp.Diff(want, got); diff != "" || readLimit != 32<<10 {
		t.Errorf("limits (-want +got):\n%s and messages of %d bytes", diff, readLimit)
	}
}

func TestR13ABrowserThatTalksTooMuchOrTooLongIsCutOff(t *testing.T) {
	tests := []struct {
		name string
		code int
		send func(c *websocket.Conn) error
	}{
		{"many messages", closeTooMany, func(c *websocket.Conn) error {
			for range 20 {
				if err := c.WriteMessage(websocket.TextMessage, []byte("{}")); err != nil {
					return nil //nolint:nilerr // the server may have closed already
				}
			}
			return nil
		}},
		{"many pings", closeTooMany, func(c *websocket.Conn) error {
			for range 20 {
				if err := c.WriteControl(websocket.PingMessage, []byte("x"), time.Now().Add(time.Second)); err != nil {
					return nil //nolint:nilerr // the server may have closed already
				}
			}
			return nil
		}},
		{"a long message in pieces", websocket.CloseMessageTooBig, func(c *websocket.Conn) error {
			w, err := c.NextWriter(websocket.TextMessage)
			if err != nil {
				return err
			}
			for range 40 {
				if _, err := w.Write(make([]byte, 1024)); err != nil {
					return nil //nolint:nilerr // the server may have closed already
				}
			}
			return nil
		}},
		{"a long message", websocket.CloseMessageTooBig, func(c *websocket.Conn) error {
			return c.WriteMessage(websocket.TextMessage, make([]byte, readLimit+1))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := New(Options{Messages: 10})
			c := dial(t, serve(t, h), "")
			next(t, c)
			if err := tt.send(c); err != nil {
				t.Fatal(err)
			}
			if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			_, _, err := c.ReadMessage()
			var closed *websocket.CloseError
			if !errors.As(err, &closed) || closed.Code != tt.code {
				t.Errorf("the socket ended with %v, want %d", err, tt.code)
			}
		})
	}
}

func TestASilentBrowserIsDroppedAndALivingOneKept(t *testing.T) {
	h := New(Options{Ping: 20 * time.Millisecond, Pong: 1500 * time.Millisecond})
	address := serve(t, h)
	silent, living := dial(t, address, "session=silent"), dial(t, address, "session=living")
	var pings atomic.Int64
	standard := living.PingHandler()
	living.SetPingHandler(func(s string) error {
		if n := pings.Add(1); n >= 20 && h.Count() == 1 {
			h.Publish(ana, atelier.EventNotice, "1", "still here")
		}
		return standard(s)
	})
	next(t, living)
	if e := next(t, living); e.Type != atelier.EventNotice {
		t.Errorf("the living browser got %+v", e)
	}
	if h.Count() != 1 {
		t.Errorf("%d sockets are open, want the living one alone", h.Count())
	}
	if _, _, err := silent.ReadMessage(); err != nil {
		t.Log(err) // what was sent before it was dropped may still be read
	}
}

func BenchmarkPublishToHundredSockets(b *testing.B) {
	h := New(Options{})
	for i := range 100 {
		c := &client{hub: h, user: ana, session: fmt.Sprint(i), wake: make(chan struct{}, 1), done: make(chan struct{})}
		h.o.PerUser = 1000
		if err := h.join(c, "", nil); err != nil {
			b.Fatal(err)
		}
	}
	run := atelier.Run{ID: "r", Results: make([]atelier.Result, 4)}
	for b.Loop() {
		h.Publish(ana, atelier.EventRun, "r", run)
	}
}
