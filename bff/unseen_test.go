package bff_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/testpics"
)

// hands is a clock that is moved by hand.
type hands struct{ ahead atomic.Int64 }

func (h *hands) now() time.Time       { return time.Now().Add(time.Duration(h.ahead.Load())) }
func (h *hands) move(d time.Duration) { h.ahead.Add(int64(d)) }

// oddRun starts a run of so many pictures at an odd service, under a clock moved by hand.
func oddRun(t *testing.T, o *odd, pictures int, giveUp time.Duration) (s *studio, clock *hands, run atelier.Run) {
	t.Helper()
	clock = &hands{}
	o.keep("a.png", testpics.PNG(testpics.Photo(320, 200, 9)))
	o.change = func(c *bff.Config) {
		c.Now, c.GiveUp, c.PollMax, c.Late = clock.now, giveUp, 10*time.Millisecond, 50*time.Millisecond
		c.Sweep = 100 * time.Millisecond // taken back at once, a run may still seem to be watched
	}
	s = oddStudio(t, o)
	start := removal("odd", s.upload(photo(70)))
	start.Values["batchCount"] = pictures
	return s, clock, s.startRun(start)
}

// askedAgain waits until the service has been asked for so many times more.
func (s *studio) askedAgain(o *odd, times int64) {
	s.t.Helper()
	before := o.asked.Load()
	s.eventually("it was asked often enough", func() bool { return o.asked.Load() >= before+times })
}

// often is more than the answers in a row that may say nothing.
const often = 30

// A picture is paid for: as long as the service says that it is ready and does not provide it, or does not list it, it is asked for again.
func TestAPictureThatIsReadyAndNotThereIsAskedForAgain(t *testing.T) {
	t.Parallel()
	const ok, bare = `{"status":"Success","image":"https://odd.example/files/a.png"}`, `{"status":"Success","image":""}`
	for name, tt := range map[string]struct {
		pictures, first int
		said            string
		state           atelier.State // when it never comes
		word            string        // in what is said then
	}{
		"one of two":         {2, 1, ok + "," + bare, atelier.StateDone, "does not provide it"},
		"the only one":       {1, 0, bare, atelier.StateFailed, "gives no picture"},
		"one is not listed":  {2, 1, ok, atelier.StateDone, "did not provide"},
		"all are not listed": {2, 0, "", atelier.StateFailed, "gives no picture"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, comes := range []bool{true, false} {
				o := &odd{polls: []string{`"status":"Success","result":[` + tt.said + `]`}}
				s, clock, run := oddRun(t, o, tt.pictures, 0) // patience is the product's own, half an hour
				stored := func(r atelier.Run) (n int) {
					for _, result := range r.Results {
						if result.Stored {
							n++
						}
					}
					return n
				}
				s.askedAgain(o, often)
				if now := s.until(run.ID, "in part here", func(r atelier.Run) bool { return stored(r) == tt.first }); now.State != atelier.StateAccepted || now.Error != nil {
					t.Errorf("while a picture is missing the run is %s, %+v", now.State, now.Error)
				}
				if comes {
					o.say(`"status":"Success","result":[` + ok + strings.Repeat(","+ok, tt.pictures-1) + `]`)
					if done := s.untilState(run.ID, atelier.StateDone); stored(done) != tt.pictures || done.Error != nil {
						t.Errorf("when all are there the run is %+v", done)
					}
					continue
				}
				if tt.first == 0 || strings.Contains(tt.said, bare) { // what is not even listed is not waited for as long
					clock.move(29 * time.Minute)
					s.askedAgain(o, often)
					if now := s.run(run.ID); now.State != atelier.StateAccepted {
						t.Errorf("after 29 minutes the run is %s, %+v", now.State, now.Error)
					}
				}
				clock.move(31 * time.Minute)
				over := s.untilState(run.ID, tt.state)
				said := ""
				if over.Error != nil {
					said = over.Error.Message
				}
				for _, result := range over.Results {
					said += result.Error
					if !result.Status.Terminal() && over.State == atelier.StateDone {
						t.Errorf("in a run that is done a result is %s", result.Status)
					}
				}
				if stored(over) != tt.first || !strings.Contains(said, tt.word) {
					t.Errorf("given up, %d pictures are here, and it says %q", stored(over), said)
				}
			}
		})
	}
}

// A service may not know a run for a while, or say nothing of it that can be read. It is given up only after a long time, and comes back
// when it is known again.
func TestARunThatIsNotKnownForAWhileIsNotGivenUp(t *testing.T) {
	t.Parallel()
	const unknown, garbled = "unknown", "garbled"
	for name, tt := range map[string]struct {
		patience time.Duration
		word     string // in what is said then
	}{unknown: {10 * time.Minute, "no longer knows"}, garbled: {12 * time.Hour, "cannot be read"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &odd{polls: []string{`"status":"Success","result":[{"status":"Success","image":"https://odd.example/files/a.png"}]`}}
			o.unknown.Store(name == unknown)
			o.garbled.Store(name == garbled)
			s, clock, run := oddRun(t, o, 1, 10*time.Minute)
			s.askedAgain(o, often)
			clock.move(tt.patience / 10)
			s.askedAgain(o, often)
			if now := s.run(run.ID); now.State != atelier.StateAccepted {
				t.Fatalf("after a tenth of the time the run is %s, %+v", now.State, now.Error)
			}
			clock.move(tt.patience)
			s.login() // nobody stays signed in for so long
			if over := s.untilState(run.ID, atelier.StateFailed); over.Error == nil || !strings.Contains(over.Error.Message, tt.word) || !strings.Contains(over.Error.Message, "returns automatically") {
				t.Errorf("given up, it says %+v", over.Error)
			}
			s.askedAgain(o, 2)
			if now := s.run(run.ID); now.State != atelier.StateFailed {
				t.Errorf("still %s, the run is %s", name, now.State)
			}
			o.unknown.Store(false)
			o.garbled.Store(false)
			if done := s.untilState(run.ID, atelier.StateDone); done.Error != nil || !done.Results[0].Stored {
				t.Errorf("known again, the run is %+v", done)
			}
		})
	}
}

// A run that has succeeded and whose picture is still on its way here is not given up because the service has forgotten the run meanwhile.
func TestARunWhosePictureIsStillFetchedIsNotGivenUp(t *testing.T) {
	t.Parallel()
	var away atomic.Bool
	away.Store(true)
	o := &odd{
		polls:  []string{`"status":"Success","result":[{"status":"Success","image":"https://odd.example/files/a.png"}]`},
		files:  map[string][]byte{"a.png": testpics.PNG(testpics.Photo(320, 200, 9))},
		change: func(c *bff.Config) { c.RetryMin = time.Millisecond },
		spoil: func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			if away.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return away.Load()
		},
	}
	s := oddStudio(t, o)
	run := s.startRun(removal("forgotten", s.upload(photo(95))))
	s.until(run.ID, "successful", func(r atelier.Run) bool { return r.Status == atelier.Success })
	s.untilNoJobs("poll")
	o.unknown.Store(true)
	_, err := s.db.Write.ExecContext(t.Context(), `UPDATE runs SET misses = 100, missed_since = 1`)
	s.check(err)
	asked := o.asked.Load()
	s.restart()
	s.eventually("it was asked for", func() bool { return o.asked.Load() > asked })
	s.untilNoJobs("poll")
	if now := s.run(run.ID); now.State != atelier.StateAccepted {
		t.Errorf("the run is %s, %+v", now.State, now.Error)
	}
	away.Store(false)
	if done := s.untilState(run.ID, atelier.StateDone); done.Error != nil || !done.Results[0].Stored {
		t.Errorf("the run is %+v, %+v", done, done.Error)
	}
}
