// Package upstreamtest is the conformance suite of the image service: what the two documents promise, checked on the wire.
// It is written by hand from the documents and knows neither the catalog nor the client, so that a mistake in those cannot
// hide. It runs against our own service in every test run, and against a real account on request:
//
//	ATELIER_CONFORMANCE_URL=https://… ATELIER_CONFORMANCE_KEY=… make conformance
//
// Cases that start executions, or would if the service were more lenient than documented, run only with Target.Paid
// (ATELIER_CONFORMANCE_PAID=1): they ask for one small picture each. Cases that need more than a few pictures or much time
// run only with Target.Costly too (ATELIER_CONFORMANCE_COSTLY=1).
package upstreamtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// Target is the service under test.
type Target struct {
	BaseURL     string
	DownloadURL string // origin of the PSD endpoints; "" = BaseURL
	Key         string
	OtherKey    string            // a key of another account; "" leaves out what needs two accounts
	SecondKey   string            // another key of Key's account; "" leaves out what needs two keys of one account
	Transport   http.RoundTripper // nil = an own one
	// VideoAgent and PersonAgent name the advanced video agent of family E and an agent of family G, whose identifiers the
	// documents omit; "" leaves out their cases.
	VideoAgent, PersonAgent string
	// Film and Sound are addresses at which the service can fetch an MP4 and an MP3; "" leaves out the cases that name one.
	Film, Sound string
	Paid        bool          // also start executions
	Costly      bool          // also start many
	Part        Part          // the cases to run, of those that the fields above allow
	Wait        time.Duration // for one execution, custom preset or PSD; 0 = 2 min
	Poll        time.Duration // between two looks; 0 = 100 ms
	// Callbacks gives an address at which the service reaches h until the test ends; nil leaves out the callback cases.
	Callbacks func(t *testing.T, h http.Handler) string
}

// Part names some of the cases.
type Part int

// The parts: Long holds the cases that are costly or keep a service on a few processors busy for seconds, Short all others.
const (
	All Part = iota
	Short
	Long
)

// scenario is one promise of the documents.
type scenario struct {
	name      string // what the service does
	from      string // document and section
	paid      bool   // may start an execution
	costly    bool   // starts many executions, or large ones
	long      bool   // starts one that takes a small service seconds
	two       bool   // needs a key of another account
	same      bool   // needs another key of the same account
	callbacks bool   // needs to be reached by the service
	video     bool   // needs the name of the advanced video agent
	person    bool   // needs the name of an agent of family G
	check     func(p *probe)
}

// scenarios gives every case of the suite.
func scenarios() []scenario {
	return slices.Concat(keyScenarios(), accountScenarios(), formScenarios(), uploadScenarios(), taskScenarios(), listScenarios(), infoScenarios(),
		refusalScenarios(), familyScenarios(), videoScenarios(), executionScenarios(), runScenarios(), resultScenarios(), psdScenarios(), presetScenarios(), callbackScenarios())
}

// runs says whether the target allows the scenario.
func (s scenario) runs(on Target) bool {
	return (!s.paid || on.Paid) && (!s.costly || on.Costly && on.Paid) && (on.Part == All || (on.Part == Long) == (s.costly || s.long)) && (!s.two || on.OtherKey != "") && (!s.same || on.SecondKey != "") &&
		(!s.callbacks || on.Callbacks != nil && on.Paid) && (!s.video || on.VideoAgent != "") && (!s.person || on.PersonAgent != "")
}

// Run checks the target against every promise it allows to check.
func Run(t *testing.T, on Target) {
	t.Helper()
	s := newSuite(on)
	defer s.client.CloseIdleConnections()
	for _, c := range scenarios() {
		if !c.runs(on) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			for _, complaint := range s.try(t.Context(), t, c) {
				t.Errorf("%s: %s", c.from, complaint)
			}
		})
	}
}

// suite is one run over a target; what cases share is made once.
type suite struct {
	on     Target
	client *http.Client
	source string // URL of an uploaded picture
	// portrait is the URL of an uploaded picture that shows a face.
	portrait string
	tasks    map[string]string // agent to id of a task that nothing was executed on
	// execution1 is an execution that cases share for questions which are refused.
	execution1 string
}

func newSuite(on Target) *suite {
	if on.DownloadURL == "" {
		on.DownloadURL = on.BaseURL
	}
	if on.Wait == 0 {
		on.Wait = 2 * time.Minute
	}
	if on.Poll == 0 {
		on.Poll = 100 * time.Millisecond
	}
	if on.Transport == nil {
		on.Transport = &http.Transport{MaxIdleConnsPerHost: 4}
	}
	return &suite{on: on, tasks: map[string]string{}, client: &http.Client{
		Transport:     on.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       3 * time.Minute,
	}}
}

// errStop ends a case that cannot go on.
var errStop = errors.New("stop")

// try runs one case and gives what it complains about.
func (s *suite) try(ctx context.Context, t *testing.T, c scenario) (complaints []string) {
	p := &probe{suite: s, ctx: ctx, t: t}
	defer func() {
		complaints = p.complaints
		if r := recover(); r != nil && r != any(errStop) {
			panic(r)
		}
	}()
	c.check(p)
	return nil
}

// probe is what a case asks and complains with.
type probe struct {
	*suite
	ctx        context.Context
	t          *testing.T
	complaints []string
}

// complain notes that the service does not do what is promised.
func (p *probe) complain(format string, args ...any) {
	p.complaints = append(p.complaints, fmt.Sprintf(format, args...))
}

// stop complains and ends the case.
func (p *probe) stop(format string, args ...any) {
	p.complain(format, args...)
	panic(errStop)
}

// want complains unless ok.
func (p *probe) want(ok bool, format string, args ...any) {
	if !ok {
		p.complain(format, args...)
	}
}

// await looks until done says so, at most as long as the target allows.
func (p *probe) await(what string, done func() bool) {
	ctx, cancel := context.WithTimeout(p.ctx, p.on.Wait)
	defer cancel()
	ticks := time.NewTicker(p.on.Poll)
	defer ticks.Stop()
	for !done() {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			p.stop("%s: not within %s", what, p.on.Wait)
		}
	}
}
