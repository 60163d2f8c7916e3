package bff_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/service"
	"atelier/upstream"
)

// wiretap keeps what goes to the image service.
type wiretap struct {
	mu   sync.Mutex
	sent []struct{ path, body string }
}

func (w *wiretap) hear(path, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = append(w.sent, struct{ path, body string }{path, body})
}

// take gives how many files were uploaded and the params of what costs money since it was last called.
func (w *wiretap) take(t *testing.T) (uploads int, paid []map[string]any) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sent {
		switch s.path {
		case upstream.PathUploadImage, upstream.PathRunUpload:
			uploads++
		case upstream.PathTaskExecute, upstream.PathRuns:
			var body struct{ Params map[string]any }
			if err := json.Unmarshal([]byte(s.body), &body); err != nil {
				t.Fatal(err)
			}
			paid = append(paid, body.Params)
		}
	}
	w.sent = nil
	return uploads, paid
}

// switchedStudio is a studio in front of a service with switches, and a tap on the wire between them.
func switchedStudio(t *testing.T, sw service.Switches, change func(*bff.Config)) (*studio, *wiretap) {
	t.Helper()
	tap := &wiretap{}
	s := (&studio{change: change, sent: tap.hear, configure: func(c *service.Config) { c.Switches = sw }}).move(t)
	s.start()
	return s, tap
}

// cutOutOf is a cut-out on nothing with a painted mask.
func cutOutOf(key string, a atelier.Asset) atelier.StartRun {
	start := removal(key, a)
	delete(start.Values, "backgroundHex")
	return start
}

var bothSurfaces = map[string]func(*bff.Config){"tasks": nil, "runs": func(c *bff.Config) { c.Surface = "run" }}

func TestTransparentIsSentByItsID(t *testing.T) {
	t.Parallel()
	for name, change := range bothSurfaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, tap := switchedStudio(t, service.Switches{BackgroundNeeded: true}, change)
			info, err := s.upstream.AgentInfo(t.Context(), upstream.AgentInfoQuery{AgentName: "removeBG", AgentVersion: "v1.0"})
			s.check(err)
			at := slices.IndexFunc(info.Backgrounds, func(b upstream.Background) bool { return b.Name == "Transparent" })
			photo := s.upload(photo(1))
			run := s.untilState(s.startRun(cutOutOf("clear", photo)).ID, atelier.StateDone)
			if _, paid := tap.take(t); len(paid) != 1 || paid[0]["backgroundId"] != float64(info.Backgrounds[at].ID) {
				t.Errorf("sent were %v", paid)
			}
			if _, chosen := run.Values["backgroundId"]; chosen {
				t.Errorf("the run says what nobody chose: %v", run.Values)
			}
			// A background that was chosen is sent alone.
			s.untilState(s.startRun(removal("coloured", photo)).ID, atelier.StateDone)
			if _, paid := tap.take(t); len(paid) != 1 || paid[0]["backgroundId"] != nil || paid[0]["backgroundHex"] != "#FFEEDD" {
				t.Errorf("sent were %v", paid)
			}
		})
	}
}

// Where agent info lists no such preset, or cannot be had, a cut-out on nothing is asked for as the documents say.
func TestTransparentNeedsNoPreset(t *testing.T) {
	t.Parallel()
	for name, info := range map[string]string{
		"none listed": `{"success":true,"code":0,"data":{"agentVersion":"v1.0","backgrounds":[{"id":5,"name":"White"}]}}`,
		"refused":     `{"success":false,"code":40000,"msg":"no"}`, "unreadable": `{"success":tr`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tap := &wiretap{}
			o := &odd{polls: []string{`"status":"Success","result":[{"status":"Success","image":"https://odd.example/files/a.png"}]`}, info: info, heard: tap.hear}
			o.keep("a.png", photo(2))
			s := oddStudio(t, o)
			s.untilState(s.startRun(cutOutOf("clear", s.upload(photo(1)))).ID, atelier.StateDone)
			if _, paid := tap.take(t); len(paid) != 1 || paid[0]["backgroundId"] != nil {
				t.Errorf("sent were %v", paid)
			}
		})
	}
}

func TestRefusedMaskGoesByItsAddress(t *testing.T) {
	t.Parallel()
	for name, change := range bothSurfaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, tap := switchedStudio(t, service.Switches{MasksByURL: true}, change)
			picture := s.upload(photo(1))
			done := s.untilState(s.startRun(removal("first", picture)).ID, atelier.StateDone)
			uploads, paid := tap.take(t)
			if uploads != 2 || len(paid) != 2 || paid[0]["customMask"] == nil || paid[1]["customMask"] != nil || paid[1]["customMaskUrl"] == nil {
				t.Errorf("%d uploads and %d requests: %v", uploads, len(paid), paid)
			}
			if done.Error != nil {
				t.Errorf("it is done and says %v", done.Error)
			}
			// From then on this account gets addresses at once, and each mask once, also after a restart.
			s.untilState(s.startRun(removal("second", picture)).ID, atelier.StateDone)
			s.restart()
			s.untilState(s.startRun(removal("third", picture)).ID, atelier.StateDone)
			if uploads, paid = tap.take(t); uploads != 0 || len(paid) != 2 || paid[0]["customMaskUrl"] == nil || paid[1]["customMaskUrl"] == nil {
				t.Errorf("later, %d uploads and %d requests: %v", uploads, len(paid), paid)
			}
			if n := s.executions(); n != 3 {
				t.Errorf("%d executions were made of 3 runs", n)
			}
		})
	}
}

// What is wrong with the mask itself is refused by its address too: the run ends with the reason, and nothing is learned of the account.
func TestRefusedMaskTeachesNothingByItself(t *testing.T) {
	t.Parallel()
	tap := &wiretap{}
	o := &odd{polls: []string{`"status":"Running"`}, heard: tap.hear, refuse: func(body string) string {
		if strings.Contains(body, "customMask") {
			return "customMask: nothing is transparent"
		}
		return ""
	}}
	s := oddStudio(t, o)
	for n, key := range []string{"one", "two"} {
		got := s.untilState(s.startRun(removal(key, s.upload(photo(1)))).ID, atelier.StateFailed)
		if got.Error == nil || !strings.Contains(got.Error.Message, "nothing is transparent") {
			t.Errorf("run %d ended with %+v", n, got.Error)
		}
		_, paid := tap.take(t)
		if len(paid) < 2 || paid[0]["customMask"] == nil {
			t.Errorf("run %d was sent as %v", n, paid)
		}
	}
}

func TestCostsAreKeptAndAddedUp(t *testing.T) {
	t.Parallel()
	s := newTeam(t, nil)
	s.start()
	ada := s.browser
	_, his := s.member("Ben", atelier.Designer)
	costs := func() (c atelier.Costs) {
		s.json("GET", "/api/costs", nil, http.StatusOK, &c)
		return c
	}
	var ben atelier.Run
	s.as(his, func() {
		picture := s.upload(photo(1))
		// Of the first run the service tells nothing: it is unknown, and no 0.
		if run := s.untilState(s.startRun(removal("untold", picture)).ID, atelier.StateDone); run.Power != nil || run.PowerLeft != nil {
			t.Errorf("nothing was told, and the run cost %v", run.Power)
		}
		if c := costs(); len(c.Months) != 1 || c.Months[0].Runs != 1 || c.Months[0].Unknown != 1 || c.Months[0].Power != nil {
			t.Errorf("with nothing told the costs are %+v", c)
		}
		s.service.SetSwitches(service.Switches{PowerTold: true})
		start := removal("told", picture)
		start.Values["batchCount"] = 2
		ben = s.untilState(s.startRun(start).ID, atelier.StateDone)
		if ben.Power == nil || *ben.Power != 2 || ben.PowerLeft == nil || *ben.PowerLeft != 997 {
			t.Errorf("the run cost %v, and %v are left", ben.Power, ben.PowerLeft)
		}
		// The month outlives the run.
		s.json("DELETE", "/api/runs/"+string(ben.ID), nil, http.StatusNoContent, nil)
		s.json("POST", "/api/trash/purge", atelier.PurgeTrash{Runs: []atelier.RunID{ben.ID}}, http.StatusOK, nil)
		c := costs()
		if len(c.Months) != 1 || c.Months[0].Runs != 2 || c.Months[0].Unknown != 1 || c.Months[0].Power == nil || *c.Months[0].Power != 2 {
			t.Errorf("his costs are %+v", c)
		}
		if c.Balance != nil {
			t.Errorf("a designer is told what the account has left: %+v", c.Balance)
		}
	})
	s.as(ada, func() {
		if c := costs(); len(c.Months) != 0 || c.Balance == nil || c.Balance.Power != 997 {
			t.Errorf("an administrator without runs is told %+v", c)
		}
		var list atelier.AccountList
		s.json("GET", "/api/users", nil, http.StatusOK, &list)
		for _, a := range list.Accounts {
			if a.Name == "Ben" && (a.Cost.Runs != 2 || a.Cost.Unknown != 1 || a.Cost.Power == nil || *a.Cost.Power != 2) {
				t.Errorf("of Ben is told %+v", a.Cost)
			}
		}
	})
}

// A run that was brought in, or made in an earlier version, may say recommended: it is pro wherever it is read and sent again.
func TestSlowRecommendedIsRunAgainAsPro(t *testing.T) {
	t.Parallel()
	s, tap := switchedStudio(t, service.Switches{ProRecommended: true}, nil)
	source, err := s.upstream.UploadImage(t.Context(), upstream.RunSurface, upstream.Upload{
		Name: "a.jpg", ContentType: "image/jpeg", Size: int64(len(photo(1))), Body: strings.NewReader(string(photo(1))),
	})
	s.check(err)
	started, err := s.upstream.StartRun(t.Context(), upstream.RunStart{
		Agent: upstream.RunAgent{Name: "aipose", Version: "v1.0"}, Input: map[string]any{"originalImage": source.Image, "taskName": "elsewhere"},
		Params: map[string]any{"textDescription": "turned to the left", "generateVersion": "pro", "batchCount": 1},
	}, "")
	s.check(err)
	var page atelier.RunPage
	s.json("POST", "/api/tasks/"+started.TaskID+"/import", nil, http.StatusCreated, &page)
	if len(page.Runs) != 1 || page.Runs[0].Values["generateVersion"] != "pro" {
		t.Fatalf("brought in as %+v", page.Runs)
	}
	old := page.Runs[0]
	s.until(old.ID, "ended", func(r atelier.Run) bool { return r.State.Final() })
	tap.take(t)
	var again atelier.RunBody
	s.json("POST", "/api/runs/"+string(old.ID)+"/retry", nil, http.StatusAccepted, &again)
	s.until(again.Run.ID, "accepted", func(r atelier.Run) bool { return r.ExecutionID != "" })
	if _, paid := tap.take(t); len(paid) != 1 || paid[0]["generateVersion"] != "pro" {
		t.Errorf("repeated as %v", paid)
	}
}

// Everything that accounts were seen to do, at once.
func TestStudioWorksWithAStrictAccount(t *testing.T) {
	t.Parallel()
	for name, change := range bothSurfaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sw := service.Switches{
				BackgroundNeeded: true, MasksByURL: true, ProRecommended: true, PowerTold: true,
				CodeAsString: true, MessageField: true, ResultsField: true, BooleanData: true, ErrorsAs200: true, OldestFirst: true, HandleInMeta: true,
			}
			s, tap := switchedStudio(t, sw, change)
			picture := s.upload(photo(1))
			for n, key := range []string{"first", "second"} {
				run := s.untilState(s.startRun(cutOutOf(key, picture)).ID, atelier.StateDone)
				if run.Power == nil || *run.Power != 1 || len(run.Results) != 1 || !run.Results[0].Stored {
					t.Errorf("run %d: %+v", n, run)
				}
				if _, paid := tap.take(t); len(paid) != 2-n || paid[len(paid)-1]["backgroundId"] == nil || paid[len(paid)-1]["customMaskUrl"] == nil {
					t.Errorf("run %d was sent as %v", n, paid)
				}
			}
			if n := s.executions(); n != 2 {
				t.Errorf("%d executions were made of 2 runs", n)
			}
		})
	}
}
