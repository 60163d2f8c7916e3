package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/upstream"
)

// heavy is a run whose values take so many bytes as JSON, nearly all of them in one that the agent does not know.
func heavy(t *testing.T, key string, a atelier.Asset, bytes int) atelier.StartRun {
	t.Helper()
	start := removal(intentKey(key), a)
	start.Values["story"] = ""
	raw, err := json.Marshal(start.Values)
	if err != nil {
		t.Fatal(err)
	}
	start.Values["story"] = strings.Repeat("x", bytes-len(raw))
	return start
}

// What was asked for elsewhere may be more than is taken here: it is brought in without its values, and an older row is not run again.
func TestValuesFromElsewhereAreBoundedToo(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Bool
	m := &meddler{path: upstream.PathTaskQuery, says: func(int64) string {
		if !elsewhere.Load() {
			return ""
		}
		return `{"success":true,"code":0,"data":{"taskId":12345,"agentName":"aiproduct","agentVersion":"v1.0","initParams":{"taskName":"elsewhere"},"executions":[
			{"executionId":"e1","status":"Success","params":{"textDescription":"` + strings.Repeat("x", 300<<10) + `"},"result":[]}]}}`
	}}
	s := meddled(t, m, func(c *bff.Config) { c.UpstreamKind = "remote" })
	own := s.untilState(s.startRun(removal("own", s.upload(photo(1)))).ID, atelier.StateDone)
	elsewhere.Store(true)
	var page atelier.RunPage
	s.json("POST", "/api/tasks/12345/import", nil, http.StatusCreated, &page)
	if len(page.Runs) != 1 || len(page.Runs[0].Values) != 0 {
		t.Fatalf("brought in: %d runs with %.100q", len(page.Runs), fmt.Sprint(page.Runs))
	}
	_, err := s.db.Write.ExecContext(t.Context(), "UPDATE runs SET values_json = $1 WHERE id = $2", `{"backgroundHex":"`+strings.Repeat("x", 300<<10)+`"}`, own.ID)
	s.check(err)
	e := s.json("POST", "/api/runs/"+string(own.ID)+"/retry", nil, http.StatusBadRequest, nil).error(t)
	if !strings.Contains(e.Fields["backgroundHex"], "256 KiB") {
		t.Errorf("run again: %v", e)
	}
}

func TestTheValuesOfARunAreOnlySoLarge(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, func(c *bff.Config) { c.Estimates = true })
	a := s.upload(photo(1))
	const most = 256 << 10
	for _, n := range []int{most - 1, most} {
		s.json("POST", "/api/runs", heavy(t, fmt.Sprint("heavy", n), a, n), http.StatusAccepted, nil)
	}
	tests := map[string]struct {
		start atelier.StartRun
		field string
		says  string
	}{
		"one byte more": {heavy(t, "more", a, most+1), "story", "The values of a run take at most 256 KiB together. These take 257 KiB, most of it story."},
		"far more":      {heavy(t, "far", a, 30<<20), "story", "These take 30720 KiB"},
		"what is written longer": {func() atelier.StartRun {
			start := removal(intentKey("longer"), a)
			start.Values["story"] = strings.Repeat("<", most/6)
			return start
		}(), "story", "These take 257 KiB"},
		"lists": {func() atelier.StartRun {
			start := removal(intentKey("lists"), a)
			start.Values["list"] = []any{map[string]any{"a": strings.Repeat("x", most/2)}, strings.Repeat("y", most/2)}
			return start
		}(), "list", "257 KiB"},
		"a name": {func() atelier.StartRun {
			start := removal(intentKey("name"), a)
			start.Values[strings.Repeat("n", most)] = 1
			return start
		}(), strings.Repeat("n", 60) + "…", "257 KiB"},
		"names of files": {func() atelier.StartRun {
			start := removal(intentKey("files"), a)
			start.Files[strings.Repeat("n", most)] = nil
			return start
		}(), "files", "at most 4096 characters"},
	}
	for name, tt := range tests {
		for _, path := range []string{"/api/runs", "/api/estimates"} {
			e := s.json("POST", path, tt.start, http.StatusBadRequest, nil).error(t)
			if !strings.Contains(e.Fields[tt.field], tt.says) || len(e.Message) > 200 {
				t.Errorf("%s to %s: %.200q, want %s: %s", name, path, fmt.Sprint(e.Fields), tt.field, tt.says)
			}
		}
	}
	// The mask is none of the values: it has bounds of its own.
	start := removal(intentKey("mask"), a)
	start.Mask.PNG += strings.Repeat("\n", most)
	s.json("POST", "/api/runs", start, http.StatusAccepted, nil)
}
