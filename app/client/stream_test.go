package client

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"atelier/atelier"
)

// line is the server's end of one connection.
type line struct {
	url     string
	message func(string)
	opened  func()
	closed  func()
	hungUp  bool
}

// exchange hands every connection of a stream to the test.
type exchange struct {
	lines  chan *line
	events []atelier.Event
	states []Connection
	frames []func()
}

func newExchange() *exchange { return &exchange{lines: make(chan *line, 100)} }

func (x *exchange) stream() *Stream {
	return NewStream(Ports{
		URL: func(path string) string { return path },
		Dial: func(url string, message func(string), opened, closed func()) func() {
			l := &line{url: url, message: message, opened: opened, closed: closed}
			x.lines <- l
			return func() { l.hungUp = true }
		},
		Frame: func(f func()) { x.frames = append(x.frames, f) },
	}, func(batch []atelier.Event) { x.events = append(x.events, batch...) }, func(c Connection) { x.states = append(x.states, c) })
}

// draw is the browser drawing a frame.
func (x *exchange) draw() int {
	n := len(x.frames)
	for _, f := range x.frames {
		f()
	}
	x.frames = nil
	return n
}

func say(l *line, epoch string, rev int64, kind atelier.EventType) {
	b, err := json.Marshal(atelier.Event{Epoch: epoch, Rev: rev, Type: kind, Data: json.RawMessage("{}")})
	if err != nil {
		panic(err)
	}
	l.message(string(b))
}

func TestStreamResumesAfterTheLastEventItSaw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		x := newExchange()
		done := make(chan struct{})
		go func() { defer close(done); x.stream().Run(ctx) }()

		first := <-x.lines
		if first.url != "/api/events" {
			t.Errorf("first connection asks for %q", first.url)
		}
		first.opened()
		say(first, "e1", 4, atelier.EventHello)
		say(first, "e1", 5, atelier.EventRun)
		say(first, "e1", 9, atelier.EventResult) // gaps are merged events
		first.closed()

		second := <-x.lines
		if second.url != "/api/events?since=e1.9" {
			t.Errorf("second connection asks for %q", second.url)
		}
		second.opened()
		say(second, "e1", 9, atelier.EventResult) // seen before
		say(second, "e1", 10, atelier.EventRun)
		second.message("not json")
		if frames := x.draw(); frames != 1 {
			t.Errorf("%d frames were asked for, want one for all", frames)
		}
		var revs []int64
		for _, e := range x.events {
			revs = append(revs, e.Rev)
		}
		if !slices.Equal(revs, []int64{4, 5, 9, 10}) {
			t.Errorf("events %v", revs)
		}
		if !slices.Equal(x.states, []Connection{Connecting, Live, Reconnecting, Live}) {
			t.Errorf("states %v", x.states)
		}
		cancel()
		<-done
		if !second.hungUp {
			t.Error("the connection stays open after the end")
		}
	})
}

func TestStreamTellsWhenEventsAreGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		x := newExchange()
		go x.stream().Run(ctx)
		l := <-x.lines
		l.opened()
		say(l, "e1", 7, atelier.EventHello)
		say(l, "e2", 1, atelier.EventRun) // the server started anew
		x.draw()
		var kinds []atelier.EventType
		for _, e := range x.events {
			kinds = append(kinds, e.Type)
		}
		if !slices.Equal(kinds, []atelier.EventType{atelier.EventHello, atelier.EventSnapshot, atelier.EventRun}) {
			t.Errorf("events %v", kinds)
		}
		l.closed()
		if next := <-x.lines; next.url != "/api/events?since=e2.1" {
			t.Errorf("resumes with %q", next.url)
		}
	})
}

func TestStreamWaitsLongerAfterEachFailureAndAtMostTwentySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		x := newExchange()
		go x.stream().Run(ctx)
		last := time.Now()
		var pauses []time.Duration
		for range 10 {
			l := <-x.lines
			pauses = append(pauses, time.Since(last))
			last = time.Now()
			l.closed()
		}
		for i, p := range pauses[1:] {
			full := min(firstPause<<i, lastPause)
			if p < full/2 || p > full {
				t.Errorf("pause %d is %v, want %v to %v", i+1, p, full/2, full)
			}
		}
	})
}

func TestStreamComesBackAtOnceWhenItIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		x := newExchange()
		s := x.stream()
		go s.Run(ctx)
		for range 8 {
			(<-x.lines).closed()
		}
		synctest.Wait() // in its longest pause now
		before := time.Now()
		s.Wake()
		<-x.lines
		if waited := time.Since(before); waited != 0 {
			t.Errorf("it waited %v", waited)
		}
	})
}
