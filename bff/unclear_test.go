package bff_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/imaging/testpics"
)

func TestUnclearRunIsRefusedUnsent(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(testpics.JPEG(testpics.Photo(530, 560, 2)))
	start := removal("unclear", asset)
	start.IntentKey, start.Mask = intentKey("unclear"), nil
	start.Values["maskType"] = "autoSubjectSegment"
	e := s.json("POST", "/api/runs", start, http.StatusUnprocessableEntity, nil).error(t)
	if e.Code != atelier.Unclear || !strings.Contains(e.Message, "Paint a mask") {
		t.Fatalf("refused as %s: %s", e.Code, e.Message)
	}
	var page atelier.RunPage
	if s.json("GET", "/api/runs", nil, http.StatusOK, &page); len(page.Runs) != 0 {
		t.Fatalf("there are runs: %+v", page.Runs)
	}

	// The same wish, wanted all the same, goes to the service, whose own eyes end it.
	start.Unsure = true
	run := s.startRun(start)
	over := s.untilState(run.ID, atelier.StateFailed)
	if over.Error == nil || !strings.Contains(over.Error.Message, "What to keep is not clear in this photo.") {
		t.Errorf("it ended with %+v", over.Error)
	}

	// Again asks again.
	again := "/api/runs/" + string(run.ID) + "/retry"
	if e := s.json("POST", again, nil, http.StatusUnprocessableEntity, nil).error(t); e.Code != atelier.Unclear {
		t.Errorf("again is refused as %s", e.Code)
	}
	s.json("POST", again+"?unsure=true", nil, http.StatusAccepted, nil)
}

func TestClearRunsGoOn(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	unclear, plain := s.upload(testpics.JPEG(testpics.Photo(530, 560, 2))), s.upload(photo(90))
	automatic := removal("automatic", plain)
	automatic.Mask, automatic.Values["maskType"] = nil, "autoSubjectSegment"
	larger := atelier.StartRun{
		IntentKey: "larger canvas", Agent: "expandimage",
		Values: map[string]any{"targetWidth": 700, "targetHeight": 600, "batchCount": 1},
		Files:  map[string][]string{"originalImage": {string(unclear.ID)}},
	}
	for name, start := range map[string]atelier.StartRun{
		"a clear photo": automatic, "a painted mask": removal("painted", unclear), "an agent that takes no mask": larger,
	} {
		start.IntentKey = intentKey(strings.TrimSpace(start.IntentKey))
		body, err := json.Marshal(start)
		s.check(err)
		r := s.send("POST", "/api/runs", bytes.NewReader(body), func(r *http.Request) {
			r.Header.Set("Content-Type", "application/json")
		})
		if r.status != http.StatusAccepted {
			t.Errorf("%s = %d %s", name, r.status, r.body)
		}
	}
}
