package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// place is where a piece of work is done.
type place int

// Pictures and videos share as many places as there are workers; videos, which take minutes, have at most half of them, so that
// pictures always go on. On a single core one video goes on beside the pictures. Answers to requests take memory alone.
const (
	noPlace place = iota
	pictureAt
	filmAt
)

// seat is what a piece of work takes of what all of it shares, for as long as it lasts.
type seat struct {
	at        place
	turn      int64  // the lowest goes first, of equals who came first
	memory    int64  // bytes at the most, what stays prepared of its execution included
	execution string // "" where nothing stays prepared
	patient   bool   // waits for videos too, and is not told errAfterFilm
	alone     bool   // no picture and no video is worked on beside it
	ready     chan struct{}
}

// beforeAll is the turn of what a caller waits for with an open request.
const beforeAll = -1

// errAfterFilm means that a picture has no memory until a video ends. Who is told so gives its worker back to smaller ones.
var errAfterFilm = errors.New("there is no memory until a video is done")

// sit waits for a place and memory; leave gives them back. More memory than there is counts as all there is. Whoever sits must
// not ask for a second seat: two of them could wait for each other for ever.
func (b *bench) sit(ctx context.Context, s *seat) (leave func(), err error) {
	s.memory, s.ready = min(s.memory, b.total), make(chan struct{})
	b.mu.Lock()
	if !s.patient && s.at != filmAt && b.lacksForFilms(s) {
		b.mu.Unlock()
		return nil, errAfterFilm
	}
	at := slices.IndexFunc(b.waiting, func(w *seat) bool { return w.turn > s.turn })
	if at < 0 {
		at = len(b.waiting)
	}
	b.waiting = slices.Insert(b.waiting, at, s)
	b.admit()
	b.mu.Unlock()
	select {
	case <-s.ready:
		return func() { b.rise(s) }, nil
	case <-ctx.Done():
		b.rise(s)
		return nil, fmt.Errorf("wait for a place: %w", ctx.Err())
	}
}

// sitAtOnce is sit for who does not wait: ok is false when there is no room at the moment.
func (b *bench) sitAtOnce(s *seat) (leave func(), ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.memory = min(s.memory, b.total)
	if !b.fits(s) {
		return nil, false
	}
	b.seated = append(b.seated, s)
	b.makeRoom()
	return func() { b.rise(s) }, true
}

// rise ends a seat, or the wait for one. Once more, it does nothing.
func (b *bench) rise(s *seat) {
	b.mu.Lock()
	defer b.mu.Unlock()
	is := func(other *seat) bool { return other == s }
	b.seated, b.waiting = slices.DeleteFunc(b.seated, is), slices.DeleteFunc(b.waiting, is)
	b.makeRoom() // what the work has left prepared counts by itself from now on
	b.admit()
}

// admit seats who waits, in order. Only who waits for a video to end is passed by: nobody else could be seated for want of what
// it needs, and a smaller one that always came first would keep a large one waiting for ever. b.mu is held.
func (b *bench) admit() {
	for i := 0; i < len(b.waiting); {
		s := b.waiting[i]
		switch {
		case b.fits(s):
			b.waiting = slices.Delete(b.waiting, i, i+1)
			b.seated = append(b.seated, s)
			b.makeRoom()
			close(s.ready)
		case b.lacksForFilms(s):
			i++
		default:
			return
		}
	}
}

// taken counts the places and the memory of some seats; b.mu is held.
func (b *bench) taken(of func(*seat) bool) (pictures, films int, memory int64) {
	for _, s := range b.seated {
		if !of(s) {
			continue
		}
		memory += s.memory
		switch s.at {
		case pictureAt:
			pictures++
		case filmAt:
			films++
		}
	}
	return pictures, films, memory
}

// mostFilms is how many videos are made at once.
func (b *bench) mostFilms() int { return max(1, b.workers/2) }

// fits says whether a seat can be taken now. What stays prepared for nobody makes room. b.mu is held.
func (b *bench) fits(s *seat) bool {
	pictures, films, memory := b.taken(func(*seat) bool { return true })
	places := max(2, b.workers)
	switch {
	case s.alone && pictures+films > 0, s.at != noPlace && b.heldAlone(),
		s.at == pictureAt && (pictures >= b.workers || pictures+films >= places),
		s.at == filmAt && (films >= b.mostFilms() || pictures+films >= places):
		return false
	}
	return memory+s.memory <= b.total
}

// lacksForFilms says whether a seat cannot be taken before a video ends, whatever else ends; b.mu is held.
func (b *bench) lacksForFilms(s *seat) bool {
	_, films, memory := b.taken(func(other *seat) bool { return other.at == filmAt })
	return memory+s.memory > b.total || s.at == filmAt && films >= b.mostFilms() || s.alone && films > 0 ||
		s.at != noPlace && films > 0 && b.heldAlone()
}

// heldAlone says whether who works wants no other work beside it; b.mu is held.
func (b *bench) heldAlone() bool {
	return slices.ContainsFunc(b.seated, func(s *seat) bool { return s.alone })
}

// makeRoom lets go of the oldest of what stays prepared for nobody until all that is in memory fits; b.mu is held.
func (b *bench) makeRoom() {
	_, _, memory := b.taken(func(*seat) bool { return true })
	idle := func(id string) bool {
		return !slices.ContainsFunc(b.seated, func(s *seat) bool { return s.execution == id })
	}
	for id, p := range b.entries {
		if idle(id) {
			memory += p.bytes
		}
	}
	for _, id := range slices.Clone(b.order) {
		if memory <= b.total {
			return
		}
		if idle(id) {
			memory -= b.entries[id].bytes
			b.remove(id)
		}
	}
}
