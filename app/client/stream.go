package client

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"strconv"
	"sync"
	"time"

	"atelier/atelier"
)

// Connection is how the stream of events is doing.
type Connection int

// The states of the stream.
const (
	Connecting   Connection = iota // not yet, for the first time
	Live                           // every event arrives
	Reconnecting                   // it broke; nothing is lost, the server replays what was missed
)

// Dialer opens a websocket; browser.Dial in the studio.
type Dialer func(url string, message func(string), opened, closed func()) (hangUp func())

// Ports are what a Stream needs of the page.
type Ports struct {
	URL   func(path string) string // absolute websocket address of a path
	Dial  Dialer
	Frame func(func()) // calls back before the next drawing
}

// The pause before a new attempt grows from the first to the last of these, with jitter (design, "Events").
const (
	firstPause = 500 * time.Millisecond
	lastPause  = 20 * time.Second
)

// Stream keeps one connection to the server's events alive. Events arrive in order and, however fast they come, in one
// batch per frame.
type Stream struct {
	ports  Ports
	events func([]atelier.Event)
	state  func(Connection)
	wake   chan struct{}

	mu      sync.Mutex
	epoch   string
	rev     int64
	batch   []atelier.Event
	framing bool
}

// NewStream makes a stream that hands batches to events and its condition to state. Both are called from the stream's
// own goroutine or the page's, never at the same time as themselves.
func NewStream(ports Ports, events func([]atelier.Event), state func(Connection)) *Stream {
	return &Stream{ports: ports, events: events, state: state, wake: make(chan struct{}, 1)}
}

// Wake ends a pause between attempts: the connection came back, or the user looked at the page again.
func (s *Stream) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run connects, and connects again, until ctx ends.
func (s *Stream) Run(ctx context.Context) {
	pause := firstPause
	s.state(Connecting)
	for {
		began := time.Now()
		if opened := s.connect(ctx); opened && time.Since(began) > lastPause {
			pause = firstPause
		}
		if ctx.Err() != nil {
			return
		}
		s.state(Reconnecting)
		// Half of the pause is fixed and half is chance, so that many pages do not come back at once.
		timer := time.NewTimer(pause/2 + rand.N(pause/2+1))
		select {
		case <-timer.C:
			pause = min(pause*2, lastPause)
		case <-s.wake:
			pause = firstPause
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
	}
}

// connect holds one connection until it closes and reports whether it ever opened.
func (s *Stream) connect(ctx context.Context) (opened bool) {
	over := make(chan struct{})
	var mu sync.Mutex
	hangUp := s.ports.Dial(s.ports.URL("/api/events"+s.since()), s.receive, func() {
		mu.Lock()
		opened = true
		mu.Unlock()
		s.state(Live)
	}, func() { close(over) })
	select {
	case <-over:
	case <-ctx.Done():
		hangUp()
	}
	mu.Lock()
	defer mu.Unlock()
	return opened
}

// since asks the server to replay everything after the last event seen.
func (s *Stream) since() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch == "" {
		return ""
	}
	return "?since=" + url.QueryEscape(s.epoch+"."+strconv.FormatInt(s.rev, 10))
}

// receive takes one message, drops what was seen before, and hands the batch over before the next frame.
func (s *Stream) receive(text string) {
	var event atelier.Event
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		return // not ours; the next real event tells by its number whether something is missing
	}
	s.mu.Lock()
	if !s.admit(event) {
		s.mu.Unlock()
		return
	}
	s.batch = append(s.batch, event)
	ask := !s.framing
	s.framing = true
	s.mu.Unlock()
	if ask {
		s.ports.Frame(s.deliver)
	}
}

// admit keeps the place in the history and reports whether the event is new. A new epoch means that
// events are gone: the client is told to load its lists again. A gap means nothing, the server merges events of one run.
func (s *Stream) admit(event atelier.Event) bool {
	known := s.epoch != ""
	switch {
	case event.Epoch != s.epoch:
		s.epoch, s.rev = event.Epoch, event.Rev
		if known && event.Type != atelier.EventSnapshot {
			s.batch = append(s.batch, atelier.Event{Epoch: event.Epoch, Rev: event.Rev, Type: atelier.EventSnapshot})
		}
		return true
	case event.Type == atelier.EventHello, event.Type == atelier.EventSnapshot:
		s.rev = max(s.rev, event.Rev)
		return true
	case event.Rev <= s.rev:
		return false
	}
	s.rev = event.Rev
	return true
}

func (s *Stream) deliver() {
	s.mu.Lock()
	batch := s.batch
	s.batch, s.framing = nil, false
	s.mu.Unlock()
	if len(batch) > 0 {
		s.events(batch)
	}
}
