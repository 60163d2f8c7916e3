package service

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"atelier/internal/sqldb"
)

// An interruption is the death of the process while something was being worked on: an item, the segmentation of an execution or the
// fetching of its files, a layered file, a custom preset, a callback. An orderly end is none. It is no fault of the work, which a kill or a power cut may hit any number of times; but work may also be what takes
// the process down, and must not do so for ever. Nobody can tell one from the other by a single death. So what was interrupted a few
// times is worked on alone, where it draws nothing else into its fate, and only after the process has been up for a time that doubles
// with each interruption: kills, however many, then fall on work that waits, and afterwards it is done after at most twice the longest
// time between two of them. Work that is given up has ended the process each time at last, over more than two hours.
const (
	trusted     = 3  // how many interruptions make work suspect
	maxAttempts = 15 // how often work may begin without ending
	firstPause  = 2 * time.Second
)

// errGaveUp is what work fails of that was begun too often without ending.
var errGaveUp = refuse("The service was interrupted several times while working on this and has given up.")

// effort is a piece of work with what its row keeps of its beginnings.
type effort struct {
	piece   piece
	begin   func(ctx context.Context) (beginnings int64, err error) // counts one, and says how many had no end with it; nothing is left to do: sql.ErrNoRows, errGone
	forgive func(ctx context.Context) error                         // takes the beginning back
	do      func(ctx context.Context) error
	fail    func(ctx context.Context, cause error) error // ends it for good
}

// undertake does a piece of work for who has claimed it, unless it was interrupted too often.
func (s *Service) undertake(ctx context.Context, w effort) error {
	beginnings, err := w.begin(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows) || errors.Is(err, errGone):
		return nil
	case err != nil:
		return fmt.Errorf("begin a %s: %w", w.piece.kind, err)
	case beginnings > maxAttempts:
		return w.fail(ctx, errGaveUp)
	}
	s.moment(fmt.Sprintf("undertook %s %s", w.piece.kind, w.piece.id))
	err = s.guarded(func() error { return w.do(ctx) })
	switch {
	case err == nil || abandoned(ctx, err):
		return nil
	case interrupted(ctx) || sqldb.IsDiskFull(err):
		// Not the fault of the work: it is tried again later.
		return errors.Join(err, w.forgive(detached(ctx)))
	}
	return w.fail(ctx, err)
}

// apart has work that takes no place of its own sit alone once it is suspect.
func (s *Service) apart(ctx context.Context, interruptions int64) (leave func(), err error) {
	if interruptions < trusted {
		return func() {}, nil
	}
	return s.bench.sit(ctx, &seat{at: pictureAt, turn: s.line.now(), patient: true, alone: true})
}

// heldBack says whether work that was interrupted so often has to wait still, and asks for a sweep at the time when it need not.
func (s *Service) heldBack(interruptions int64) bool {
	if interruptions < trusted || interruptions >= maxAttempts {
		return false
	}
	wait := time.Until(s.opened.Add(s.pause << (interruptions - trusted)))
	if wait <= 0 {
		return false
	}
	time.AfterFunc(wait, s.sweepSoon)
	return true
}
