package bff_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
)

func TestABrowserThatComesBackGetsWhatItMissed(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	first := s.listen("")
	hello := s.event(first)
	board := func(n uint64) { s.upload(photo(n)) }
	board(40)
	e := s.event(first)
	board(41)
	board(42)
	again := s.listen(fmt.Sprintf("%s.%d", e.Epoch, e.Rev))
	var got []int64
	for range 3 {
		got = append(got, s.event(again).Rev)
	}
	if diff := cmp.Diff([]int64{e.Rev, e.Rev + 1, e.Rev + 2}, got); diff != "" {
		t.Errorf("hello and what was missed (-want +got):\n%s", diff)
	}
	s.restart()
	anew := s.listen(fmt.Sprintf("%s.%d", e.Epoch, e.Rev))
	if h, snap := s.event(anew), s.event(anew); h.Type != atelier.EventHello || snap.Type != atelier.EventSnapshot || h.Epoch == hello.Epoch {
		t.Errorf("after a restart: %+v, %+v", h, snap)
	}
}
