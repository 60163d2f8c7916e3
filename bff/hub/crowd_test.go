package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"atelier/atelier"
	"atelier/internal/killable"
)

// crowdSize is how many browsers take part where many are meant; ATELIER_TEST_ROUNDS asks for more, 1000 at most.
var crowdSize = killable.Rounds(200)

// users spreads sockets over users, so that no limit by user is met.
func user(i int) atelier.UserID { return atelier.UserID(fmt.Sprintf("user-%d", i/8)) }

// crowd serves the hub that use gives, for the user each socket names.
func crowd(t *testing.T, use func() *Hub) string {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		j := Join{User: atelier.UserID(q.Get("user")), Session: q.Get("session"), Since: q.Get("since"), Origin: "http://" + r.Host, Hello: atelier.HelloEvent{}}
		if err := use().Serve(w, r, j); err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
		}
	}))
	// Little fits into a connection, so that who does not read is soon noticed.
	s.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if tcp, ok := c.(*net.TCPConn); !ok {
			t.Error("a connection is not TCP")
		} else if err := tcp.SetWriteBuffer(4 << 10); err != nil {
			t.Error(err)
		}
		return ctx
	}
	s.Start()
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// F8: everybody's connection breaks when the server starts again; all come back and hear what matters: that they must look
// again, and then the end of their run.
func TestF8R14ACrowdComesBackAfterARestart(t *testing.T) {
	var mu sync.Mutex
	h := New(Options{})
	address := crowd(t, func() *Hub {
		mu.Lock()
		defer mu.Unlock()
		return h
	})
	sockets, since := make([]*websocket.Conn, crowdSize), make([]string, crowdSize)
	leave := func(i int) {
		if err := sockets[i].Close(); err != nil {
			t.Log(err)
		}
	}
	join := func(i int) {
		c, resp, err := websocket.DefaultDialer.DialContext(t.Context(), fmt.Sprintf("%s/?user=%s&session=%d&since=%s", address, user(i), i, since[i]),
			http.Header{"Origin": {"http" + strings.TrimPrefix(address, "ws")}})
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
		sockets[i] = c
		e := next(t, c)
		since[i] = fmt.Sprintf("%s.%d", e.Epoch, e.Rev)
	}
	opened := time.Now()
	for i := range crowdSize {
		join(i)
	}
	accepted := time.Since(opened)
	old := h
	mu.Lock()
	h = New(Options{})
	mu.Unlock()
	old.Close()
	if n := old.Count(); n != 0 {
		t.Errorf("%d sockets of the old server are open", n)
	}
	for i := range crowdSize {
		leave(i)
	}
	// What ends while nobody listens.
	for i := range crowdSize {
		if i%8 == 0 {
			h.Publish(user(i), atelier.EventRun, "run", map[string]string{"state": "done"})
		}
	}
	began := time.Now()
	for i := range crowdSize {
		join(i)
		if e := next(t, sockets[i]); e.Type != atelier.EventSnapshot {
			t.Fatalf("browser %d hears %s first, want that it must look again", i, e.Type)
		}
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("coming back took %v, want at most 15 s", took)
	}
	for i := range crowdSize {
		if i%8 == 0 {
			h.Publish(user(i), atelier.EventRun, "last", map[string]string{"state": "done"})
		}
	}
	for i := range crowdSize {
		if e := next(t, sockets[i]); e.Type != atelier.EventRun {
			t.Errorf("browser %d hears %s", i, e.Type)
		}
	}
	t.Logf("%d browsers were let in at %.0f a second and came back in %v", crowdSize, float64(crowdSize)/accepted.Seconds(), time.Since(began).Round(time.Millisecond))
	h.Close()
	for i := range crowdSize {
		leave(i)
	}
}

// F8: however many come at once, they are let in at a measured pace, and everybody is.
func TestSocketsAreLetInAtAPace(t *testing.T) {
	t.Parallel()
	const pace, late = 20, 8
	h := New(Options{Pace: pace})
	address := crowd(t, func() *Hub { return h })
	began := time.Now()
	var all sync.WaitGroup
	for i := range pace + late {
		all.Go(func() {
			c := dial(t, address, fmt.Sprintf("user=%s&session=%d", user(i), i))
			if e := next(t, c); e.Type != atelier.EventHello {
				t.Errorf("browser %d hears %s first", i, e.Type)
			}
		})
	}
	all.Wait()
	// They cannot have been quicker, however quick the machine is.
	if took, least := time.Since(began), time.Second*late/pace*9/10; took < least {
		t.Errorf("%d sockets were opened in %v, want at least %v", pace+late, took, least)
	}
	h.Close()
}

// F9: browsers that stop reading are dropped in time, and the others do not feel them. TestMain sees that no goroutine stays.
// ATELIER_TEST_ROUNDS asks for more than 25 sockets, 500 at most; a tenth of them, 5 at least, stop.
func TestF9WhoStopsReadingIsDroppedAndNobodyElseFeelsIt(t *testing.T) {
	h := New(Options{Write: 2 * time.Second})
	address := crowd(t, func() *Hub { return h })
	all := min(killable.Rounds(25), 500)
	stalled := max(5, all/10)
	reading := all - stalled
	lazy := &websocket.Dialer{NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if tcp, ok := c.(*net.TCPConn); ok {
			err = errors.Join(err, tcp.SetReadBuffer(4<<10))
		}
		return c, err
	}}
	// Each who stops is one of eight sockets of somebody.
	for i := range stalled {
		at := fmt.Sprintf("/?user=%s&session=stalled-%d", user(i*reading/stalled), i)
		c, resp, err := lazy.DialContext(t.Context(), address+at, http.Header{"Origin": {"http" + strings.TrimPrefix(address, "ws")}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(resp.Body.Close(), c.Close()); err != nil {
				t.Log(err)
			}
		})
		next(t, c) // and nothing more
	}
	var mu sync.Mutex
	var delays []time.Duration
	var wg sync.WaitGroup
	const rounds = 120
	sent := make([]time.Time, rounds)
	for i := range reading {
		c := dial(t, address, fmt.Sprintf("user=%s&session=reading-%d", user(i), i))
		next(t, c)
		wg.Go(func() {
			for {
				if err := c.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
					t.Error(err)
					return
				}
				_, raw, err := c.ReadMessage()
				now := time.Now()
				var e atelier.Event
				if err == nil {
					err = json.Unmarshal(raw, &e)
				}
				if err != nil {
					t.Errorf("a browser that reads lost its socket: %v", err)
					return
				}
				if e.Type == atelier.EventHello {
					continue
				}
				mu.Lock()
				delays = append(delays, now.Sub(sent[e.Rev-1]))
				mu.Unlock()
				if e.Rev == rounds {
					return
				}
			}
		})
	}
	began := time.Now()
	payload := strings.Repeat("x", 4<<10)
	// The browsers are in this process: more of them are told less often, so that it is the hub that is tried.
	tick := time.NewTicker(25 * time.Millisecond * time.Duration(1+reading/150))
	defer tick.Stop()
	var gone time.Duration // after which all who stalled were dropped
	for n := range rounds {
		mu.Lock()
		sent[n] = time.Now()
		mu.Unlock()
		for i := 0; i < reading; i += 8 {
			h.Publish(user(i), atelier.EventResult, fmt.Sprint(n), payload)
		}
		<-tick.C
		if gone == 0 && h.Count() == reading {
			gone = time.Since(began)
		}
	}
	for gone == 0 && time.Since(began) < 30*time.Second {
		if h.Count() == reading {
			gone = time.Since(began)
		}
		<-tick.C
	}
	wg.Wait()
	if n := h.Count(); n != reading {
		t.Errorf("%d sockets are open %v after the first stalled, want the %d that read", n, time.Since(began).Round(time.Second), reading)
	}
	slices.Sort(delays)
	p99 := delays[len(delays)*99/100]
	t.Logf("%d events of 4 KiB to %d browsers beside %d stalled, all of them gone after %v: p50 %v, p99 %v", rounds, reading, stalled, gone.Round(100*time.Millisecond), delays[len(delays)/2], p99)
	if len(delays) != reading*rounds {
		t.Errorf("%d events arrived, want every one of %d", len(delays), reading*rounds)
	}
	h.Close()
}
