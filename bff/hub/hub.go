// Package hub sends a user's events to that user's browsers over websockets. Every user has one stream whose events are
// numbered; a browser that was away says where it stopped and gets what it missed, or is told to load its lists again.
//
// Of several waiting events about the same thing only the newest is sent, so a slow browser needs little memory and always
// ends with the last state. One that reads nothing at all is cut off by deadlines and comes back by itself.
package hub

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"atelier/atelier"
	"atelier/bff/words"
)

// Options of a Hub; zero values mean the defaults in brackets.
type Options struct {
	Log        *slog.Logger
	Ping       time.Duration // how often a silent browser is asked for a sign of life (25 s)
	Pong       time.Duration // how long it may take to answer (10 s)
	Write      time.Duration // how long one message may take to leave (10 s)
	Check      time.Duration // how often a socket's session is asked after (1 min)
	History    int           // events per user that can be replayed (1000)
	HistoryMax int           // bytes of their data; the newest event is kept whatever it has (4 MiB)
	PerSession int           // sockets of one session (8)
	PerUser    int           // sockets of one user (64)
	Total      int           // sockets altogether (1024)
	Pace       int           // sockets let in per second, when so many have come at once (200)
	Messages   int           // messages a browser may send per minute (100)
	Panicked   func()        // is told of every panic of a writer; nil = nobody is
}

// Hub holds the streams of all users. It is safe for concurrent use.
type Hub struct {
	o     Options
	pace  *rate.Limiter
	epoch string // of this process: history does not survive it

	mu      sync.Mutex
	streams map[atelier.UserID]*stream
	total   int
	closed  bool
	wg      sync.WaitGroup
}

type stream struct {
	rev     int64
	history []entry // oldest first
	bytes   int     // of the data of history
	clients map[*client]struct{}
	pace    *rate.Limiter // of opening sockets
}

// entry is an event with the thing it is about.
type entry struct {
	event atelier.Event
	key   string
}

// New makes a hub.
func New(o Options) *Hub {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Ping = or(o.Ping, 25*time.Second)
	o.Pong = or(o.Pong, 10*time.Second)
	o.Write = or(o.Write, 10*time.Second)
	o.Check = or(o.Check, time.Minute)
	o.History = or(o.History, 1000)
	o.HistoryMax = or(o.HistoryMax, 4<<20)
	o.PerSession = or(o.PerSession, 8)
	o.PerUser = or(o.PerUser, 64)
	o.Total = or(o.Total, 1024)
	o.Pace = or(o.Pace, 200)
	o.Messages = or(o.Messages, 100)
	return &Hub{o: o, pace: rate.NewLimiter(rate.Limit(o.Pace), o.Pace), epoch: rand.Text()[:12], streams: map[atelier.UserID]*stream{}}
}

func or[T comparable](v, standard T) T {
	var zero T
	if v == zero {
		return standard
	}
	return v
}

// Publish sends data to the user's browsers as an event about the thing named by key: a newer event with the same type and
// key replaces an older one that has not been sent yet. Call it after the change is committed.
func (h *Hub) Publish(user atelier.UserID, typ atelier.EventType, key string, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		h.o.Log.Error("an event cannot be encoded", "type", typ, "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.publish(h.stream(user), typ, key, raw)
}

// PublishToOthers sends data to the browsers of everybody but the user, as Publish does. Who has had none open since the start of the
// studio need not be told: what they load is new.
func (h *Hub) PublishToOthers(user atelier.UserID, typ atelier.EventType, key string, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		h.o.Log.Error("an event cannot be encoded", "type", typ, "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for other, s := range h.streams {
		if other != user {
			h.publish(s, typ, key, raw)
		}
	}
}

func (h *Hub) publish(s *stream, typ atelier.EventType, key string, raw json.RawMessage) {
	s.rev++
	e := entry{atelier.Event{Epoch: h.epoch, Rev: s.rev, Type: typ, Data: raw}, string(typ) + " " + key}
	s.history = append(s.history, e)
	s.bytes += len(raw)
	old := 0
	for ; len(s.history)-old > h.o.History || s.bytes > h.o.HistoryMax && len(s.history)-old > 1; old++ {
		s.bytes -= len(s.history[old].event.Data)
	}
	s.history = slices.Delete(s.history, 0, old)
	for c := range s.clients {
		c.offer(e)
	}
}

// userShare is which part of the pace one user may take for long.
const userShare = 4

func (h *Hub) stream(user atelier.UserID) *stream {
	s := h.streams[user]
	if s == nil {
		s = &stream{clients: map[*client]struct{}{}, pace: rate.NewLimiter(rate.Limit(h.o.Pace)/userShare, h.o.PerUser)}
		h.streams[user] = s
	}
	return s
}

// join adds a client and hands it what it missed since its last event.
func (h *Hub) join(c *client, since string, hello any) error {
	raw, err := json.Marshal(hello)
	if err != nil {
		return fmt.Errorf("encode hello: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stream(c.user)
	if err := h.admit(s, c); err != nil {
		return err
	}
	s.clients[c], c.pace = struct{}{}, s.pace
	h.total++
	h.wg.Add(1)
	missed := h.missed(s, since)
	// Hello stands before what follows it: a client counts nothing as news that is not newer than its last event.
	rev := s.rev
	if len(missed) > 0 && missed[0].event.Type != atelier.EventSnapshot {
		rev = missed[0].event.Rev - 1
	}
	c.offer(entry{atelier.Event{Epoch: h.epoch, Rev: rev, Type: atelier.EventHello, Data: raw}, "hello"})
	for _, e := range missed {
		c.offer(e)
	}
	return nil
}

func (h *Hub) admit(s *stream, c *client) error {
	session := 0
	for other := range s.clients {
		if other.session == c.session {
			session++
		}
	}
	if h.closed || h.total >= h.o.Total || len(s.clients) >= h.o.PerUser || session >= h.o.PerSession {
		return atelier.Refuse(atelier.TooMany, words.EventsWindows)
	}
	return nil
}

// missed gives what a client has not seen: nothing when it is new or up to date, the events themselves when they are all
// still here, and otherwise the one event that makes it load its lists again.
func (h *Hub) missed(s *stream, since string) []entry {
	if since == "" {
		return nil
	}
	epoch, rev, ok := parseSince(since)
	if ok && epoch == h.epoch && rev <= s.rev {
		if rev == s.rev {
			return nil
		}
		if first := s.history[0].event.Rev; rev >= first-1 {
			return s.history[rev-first+1:]
		}
	}
	return []entry{snapshot(h.epoch, s.rev)}
}

// snapshot makes a client load its lists again, because events up to rev are not sent one by one.
func snapshot(epoch string, rev int64) entry {
	return entry{atelier.Event{Epoch: epoch, Rev: rev, Type: atelier.EventSnapshot, Data: json.RawMessage("{}")}, "snapshot"}
}

func (h *Hub) leave(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stream(c.user)
	if _, ok := s.clients[c]; ok {
		delete(s.clients, c)
		h.total--
		h.wg.Done()
	}
}

// EndSession closes the sockets of a session that was ended.
func (h *Hub) EndSession(session string) {
	for _, c := range h.clients() {
		if c.session == session {
			c.stop(closeUnauthorized, "signed out")
		}
	}
}

// EndUser closes the sockets of all sessions of a user but one; "" spares none.
func (h *Hub) EndUser(user atelier.UserID, keep string) {
	for _, c := range h.clients() {
		if c.user == user && (keep == "" || c.session != keep) {
			c.stop(closeUnauthorized, "signed out")
		}
	}
}

// Sessions gives the sessions that have sockets, each once.
func (h *Hub) Sessions() []string {
	seen := map[string]bool{}
	for _, c := range h.clients() {
		seen[c.session] = true
	}
	return slices.Collect(maps.Keys(seen))
}

// Count says how many sockets are open.
func (h *Hub) Count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.total
}

// Close closes all sockets and waits until their goroutines have ended.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	for _, c := range h.clients() {
		c.stop(closeGoingAway, "the studio is restarting")
	}
	h.wg.Wait()
}

func (h *Hub) clients() []*client {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []*client
	for _, s := range h.streams {
		for c := range s.clients {
			all = append(all, c)
		}
	}
	return all
}
