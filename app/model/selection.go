package model

import (
	"maps"
	"slices"
)

// Selection is which shots of a list are chosen, by their keys. The zero value is none.
type Selection struct {
	keys   map[string]bool
	anchor string // where a range begins
}

// Has says whether a shot is chosen.
func (s *Selection) Has(key string) bool { return s.keys[key] }

// Len is how many are chosen.
func (s *Selection) Len() int { return len(s.keys) }

// Clear chooses nothing.
func (s *Selection) Clear() { s.keys, s.anchor = nil, "" }

// Toggle chooses a shot, or no longer; a range then begins with it.
func (s *Selection) Toggle(key string) {
	if s.keys[key] {
		delete(s.keys, key)
	} else {
		s.add(key)
	}
	s.anchor = key
}

func (s *Selection) add(key string) {
	if s.keys == nil {
		s.keys = map[string]bool{}
	}
	s.keys[key] = true
}

// Anchor is where a range begins; a shot of the list that has none yet.
func (s *Selection) Anchor(fallback string) string {
	if s.anchor == "" {
		s.anchor = fallback
	}
	return s.anchor
}

// Range chooses everything between the anchor and a shot, and nothing else.
func (s *Selection) Range(l *Listing, key string) {
	from, to := l.Find(s.Anchor(key)), l.Find(key)
	if from < 0 {
		s.anchor, from = key, to
	}
	if to < 0 {
		return
	}
	s.keys = nil
	for i := min(from, to); i <= max(from, to); i++ {
		s.add(l.Key(i))
	}
}

// Set chooses exactly these beside a former choice, and says whether that is another choice.
func (s *Selection) Set(former []string, keys ...string) bool {
	before := s.keys
	s.keys = nil
	for _, k := range former {
		s.add(k)
	}
	for _, k := range keys {
		s.add(k)
	}
	return !maps.Equal(before, s.keys)
}

// All chooses the whole list.
func (s *Selection) All(l *Listing) {
	s.keys = nil
	for i := range l.Len() {
		s.add(l.Key(i))
	}
}

// Keys lists what is chosen in the order of the list; what is no longer in it is left out.
func (s *Selection) Keys(l *Listing) []string {
	var keys []string
	for _, shot := range s.Shots(l) {
		keys = append(keys, shot.Key())
	}
	return keys
}

// Shots lists the chosen shots in the order of the list.
func (s *Selection) Shots(l *Listing) []Shot {
	if len(s.keys) == 0 {
		return nil
	}
	places := make([]int, 0, len(s.keys))
	for key := range s.keys {
		if i := l.Find(key); i >= 0 {
			places = append(places, i)
		}
	}
	slices.Sort(places)
	var shots []Shot
	for _, i := range places {
		shots = append(shots, l.At(i))
	}
	return shots
}

// Keep drops from the choice what is no longer in the list.
func (s *Selection) Keep(l *Listing) {
	for k := range s.keys {
		if l.Find(k) < 0 {
			delete(s.keys, k)
		}
	}
}
