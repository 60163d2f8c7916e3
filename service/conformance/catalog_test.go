package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/service"
)

// TestSlowTheDescriptionJudgesEveryRequestAsTheServiceDoes sends nothing: each request made out of the catalog is held against
// the description. What is accepted has the described shape; what is refused has not,
// but for what rests on the files themselves.
func TestSlowTheDescriptionJudgesEveryRequestAsTheServiceDoes(t *testing.T) {
	t.Parallel()
	said := 0
	for agents := range slices.Chunk(catalog.All(), 6) { // a description of a few is read many times faster
		said += judge(t, agents)
	}
	if said < 500 {
		t.Errorf("only %d refusals were looked at", said)
	}
}

// judge compares a service that offers these agents alone, and gives how many refusals there were.
func judge(t *testing.T, agents []catalog.Agent) (said int) {
	t.Helper()
	_, srv := newService(t, func(cfg *service.Config) { cfg.Agents = agents })
	d := describe(t, srv.URL)
	fits := func(path string, body any) (bool, string) {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, io.NopCloser(bytes.NewReader(raw)))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "a key")
		req.Header.Set("Content-Type", "application/json")
		ok, problems := d.ValidateHttpRequestSync(req)
		if ok {
			return true, ""
		}
		return false, inWords(problems) + "\n" + string(raw)
	}
	for _, c := range catalogtest.Cases(agents) {
		if c.Facts {
			continue // it rests on what the files are
		}
		agent, ok := catalog.Find(c.Agent, c.Version)
		if !ok {
			t.Fatalf("%s: no such agent", c.Name)
		}
		init, params := catalog.Encode(agent, c.Surface, c.Input(func(field string, n int, _ catalogtest.File) string {
			return fmt.Sprintf("https://files.example/%s-%d", field, n)
		}))
		accepted := len(c.Refused) == 0
		if c.Surface == catalog.Task {
			// The params of an execution may be those of any agent: only what is accepted can be judged.
			if ok, why := fits("/openapi/v1/agent/task/execute", map[string]any{"taskId": "t", "params": params}); !ok && accepted {
				t.Errorf("%s: %s", c.Name, why)
			}
			if ok, why := fits("/openapi/v1/agent/task/create", map[string]any{"agentName": c.Agent, "agentVersion": c.Version, "initParams": init}); !ok && accepted {
				t.Errorf("%s: %s", c.Name, why)
			}
			continue
		}
		ok, why := fits("/openapi/agent/runs", map[string]any{"agent": map[string]any{"name": c.Agent, "version": c.Version}, "input": init, "params": params})
		switch {
		case accepted && !ok:
			t.Errorf("%s: %s", c.Name, why)
		case !accepted && ok:
			t.Errorf("%s: has the described shape, and %v are refused", c.Name, c.Refused)
		case !accepted:
			said++
		}
	}
	return said
}
