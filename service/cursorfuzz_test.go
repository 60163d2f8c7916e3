package service

import (
	"testing"
)

// FuzzNoCursorIsMadeUp: only cursors of our own are read, and only with the key and the filters they were given for.
func FuzzNoCursorIsMadeUp(f *testing.F) {
	s := &Service{secret: []byte("0123456789abcdef0123456789abcdef")}
	f.Add("", int64(1), "a", int64(0))
	f.Add("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", int64(-1), "b", int64(5))
	f.Fuzz(func(t *testing.T, cursor string, at int64, id string, after int64) {
		if p, err := s.readCursor(cursor, caller{}, taskFilter{}); err == nil && s.writeCursor(p, caller{}, taskFilter{}) != cursor {
			t.Errorf("%q was believed", cursor)
		}
		given := s.writeCursor(position{at: at, id: id}, caller{}, taskFilter{after: after})
		if p, err := s.readCursor(given, caller{}, taskFilter{after: after}); err != nil || p.at != at || p.id != id {
			t.Errorf("our own cursor is read as %+v, %v", p, err)
		}
		if _, err := s.readCursor(given, caller{}, taskFilter{after: after + 1}); err == nil {
			t.Error("a cursor was taken with other filters")
		}
	})
}
