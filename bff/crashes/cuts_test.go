package crashes

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/internal/killable"
	"atelier/upstream"
)

// cutWire is a network before a ledger. It cuts one answer to each run, at a place of the answer that belongs to that run.
type cutWire struct {
	net.Listener
	far  *ledger
	kind string // of the requests whose answers are cut
	runs int    // whose answers are cut, spread over the places
	mu   sync.Mutex
	done map[string]bool // runs whose answer was cut
	at   map[int]bool    // places at which answers were cut
}

// kindOf names what a request asks for.
func kindOf(r *http.Request) string {
	switch {
	case strings.HasPrefix(r.URL.Path, upstream.PathRuns+"/"):
		return "poll"
	case strings.HasPrefix(r.URL.Path, "/files/"):
		return "file"
	}
	return r.URL.Path
}

// serve answers the one request of a connection.
func (c *cutWire) serve(conn net.Conn) error {
	defer conn.Close()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w := httptest.NewRecorder()
	c.far.ServeHTTP(w, r)
	resp := w.Result()
	resp.ContentLength, resp.Close = int64(w.Body.Len()), true
	var answer bytes.Buffer
	if err := resp.Write(&answer); err != nil {
		return err
	}
	end, way := answer.Len(), 0
	if run := c.far.about(r.URL.Path, body); kindOf(r) == c.kind {
		c.mu.Lock()
		if n, ok := number(run); ok && cuts(n) && !c.done[run] {
			places := placesOf(answer.Bytes())
			c.done[run] = true
			n -= n / 3
			end, way = places[n*len(places)/c.runs], n%3
			if c.kind == "file" {
				way = n % 2 // a download is waited for longer than a test can
			}
			c.at[end] = true
		}
		c.mu.Unlock()
	}
	if _, err := conn.Write(answer.Bytes()[:end]); err != nil || end == answer.Len() {
		return err
	}
	switch tcp, ok := conn.(*net.TCPConn); {
	case way == 1 && ok:
		return tcp.SetLinger(0) // closing it is a reset
	case way == 2:
		_, _ = conn.Read(make([]byte, 1)) // nothing more comes, until the other side has had enough
	}
	return nil
}

// cuts says whether an answer to the run with a number is cut. Every third one goes well, or the service would be taken for
// broken and left alone for a while.
func cuts(n int) bool { return n%3 != 2 }

// number is that of the run with a name.
func number(name string) (int, bool) {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, "r"), "~")
	n, err := strconv.Atoi(digits)
	return n, err == nil && strings.HasPrefix(name, "r")
}

// placesOf are the places where an answer may be cut: before and after each line of its head and each sign of its JSON, and
// next to its ends.
func placesOf(answer []byte) (places []int) {
	head := bytes.Index(answer, []byte("\r\n\r\n")) + 4
	for i := range answer {
		sign := i >= head && bytes.IndexByte([]byte(`{}[]":,`), answer[i]) >= 0
		before := i > 0 && (i-1 < head && answer[i-1] == '\n' || i > head && bytes.IndexByte([]byte(`{}[]":,`), answer[i-1]) >= 0)
		if i < 2 || i == 9 || answer[i] == '\r' || answer[i] == '\n' && i < head || sign || before || i >= len(answer)-2 {
			places = append(places, i)
		}
	}
	return places
}

// TestSlowCutAnswers plays fault K3: the connection is cut in the middle of an answer, cleanly, by a reset or by silence, at each place
// where another line or another sign of the JSON would have come. No run is lost or made twice, and over the run surface nothing is sent a
// second time. ATELIER_TEST_ROUNDS chooses more runs for each kind of answer.
func TestSlowCutAnswers(t *testing.T) {
	t.Parallel()
	cutAnswers(t, killable.Rounds)
}

// TestK3CutAnswers is the short form of TestSlowCutAnswers: three runs for each kind of answer, but all where runs are hidden, because only
// some of their answers are cut behind the id.
func TestK3CutAnswers(t *testing.T) {
	t.Parallel()
	cutAnswers(t, func(int) int { return 3 })
}

// cutAnswers plays fault K3. rounds gets the ordinary number of cut answers of a case and returns how many to cut.
func cutAnswers(t *testing.T, rounds func(ordinary int) int) {
	t.Helper()
	tests := []struct {
		sc   scenario
		kind string
		cut  int // runs of whose answers one is cut
	}{
		{scenarios[0], upstream.PathTaskCreate, 20},
		{scenarios[0], upstream.PathTaskExecute, 20},
		{scenarios[0], upstream.PathTaskQuery, 8},
		{scenarios[0], "file", 4},
		{scenarios[2], upstream.PathRuns, 20},
		{scenarios[2], "poll", 8},
		{scenarios[4], upstream.PathRuns, 20},
	}
	for _, tt := range tests {
		t.Run(tt.sc.name+", "+tt.kind, func(t *testing.T) {
			t.Parallel()
			ctx := context.WithoutCancel(t.Context())
			b, folder := beginIn(t)
			far := newLedger()
			far.hidden = tt.sc.hidden
			l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			cut := rounds(tt.cut)
			if tt.sc.hidden {
				cut = max(cut, tt.cut)
			}
			wire := &cutWire{Listener: l, far: far, kind: tt.kind, runs: cut, done: map[string]bool{}, at: map[int]bool{}}
			over, end := context.WithCancel(ctx)
			defer end()
			var serving sync.WaitGroup
			serving.Go(func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return // the test is over
					}
					serving.Go(func() {
						// A connection that was opened for a request which another one took asks for nothing, and stays.
						defer context.AfterFunc(over, func() { conn.Close() })()
						_ = wire.serve(conn) // whoever asked may be gone
					})
				}
			})
			sc := tt.sc
			sc.patience = 3 * time.Second // whoever is not cut has answered by then on any machine
			s, err := open(ctx, folder, sc, to(l.Addr().String()), nil, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			runs := wire.runs * 3 / 2
			acknowledged := map[string]atelier.RunID{}
			for i := range runs {
				run, err := s.start(ctx, b.cookie, key(i), b.asset)
				if err != nil {
					t.Fatal(err)
				}
				acknowledged[key(i)] = run.ID
			}
			if err := s.settled(ctx); err != nil {
				t.Error(err)
			}
			problems, unconfirmed := audit(ctx, s, b.cookie, sc, far.book(), acknowledged, runs)
			for _, p := range problems {
				t.Error(p)
			}
			if len(wire.done) != wire.runs {
				t.Errorf("%d answers were cut, want %d", len(wire.done), wire.runs)
			}
			// Of those that cannot be found, the ones whose id had come before the cut are done all the same; audit sees to which.
			if tt.sc.hidden && (unconfirmed == 0 || unconfirmed >= wire.runs) {
				t.Errorf("%d of %d runs that cannot be found are unconfirmed", unconfirmed, wire.runs)
			}
			t.Logf("%d answers cut at %d places", wire.runs, len(wire.at))
			if err := errors.Join(s.close(), l.Close()); err != nil {
				t.Error(err)
			}
			end()
			serving.Wait()
		})
	}
}
