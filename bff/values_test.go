package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
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
