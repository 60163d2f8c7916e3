package service

import "time"

// An interruption is the death of the process while an item, or the segmentation of an execution, was being worked on; an orderly
// end is none. It is no fault of the work, which a kill or a power cut may hit any number of times; but work may also be what takes
// the process down, and must not do so for ever. Nobody can tell one from the other by a single death. So what was interrupted a few
// times is worked on alone, where it draws nothing else into its fate, and only after the process has been up for a time that doubles
// with each interruption: kills, however many, then fall on work that waits, and afterwards it is done after at most twice the longest
// time between two of them. Work that is given up has ended the process each time at last, over more than two hours.
const (
	trusted     = 3  // how many interruptions make work suspect
	maxAttempts = 15 // how often work may begin without ending
	firstPause  = 2 * time.Second
)

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
