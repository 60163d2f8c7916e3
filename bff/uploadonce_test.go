package bff_test

import (
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/upstream"
)

// Two runs of a photo that is new to the image service send it once, also when both begin at the same moment.
func TestAPhotoOfTwoRunsAtOnceIsSentOnce(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	s.close()
	var uploads atomic.Int64
	second := make(chan struct{})
	s.sent = func(path, _ string) {
		if path != upstream.PathUploadImage {
			return
		}
		if uploads.Add(1) > 1 {
			close(second)
			return
		}
		timer := time.NewTimer(500 * time.Millisecond) // long enough for the other run to come as far
		defer timer.Stop()
		select {
		case <-second:
		case <-timer.C:
		}
	}
	s.open()
	asset := s.upload(photo(91))
	runs := []atelier.Run{s.startRun(removal("one", asset)), s.startRun(removal("two", asset))}
	s.start()
	for _, run := range runs {
		s.untilState(run.ID, atelier.StateDone)
	}
	if n := uploads.Load(); n != 1 {
		t.Errorf("the photo was sent %d times, want once", n)
	}
}
