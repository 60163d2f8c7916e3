package bff_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
	"atelier/upstream"
)

// Every value of every param of the agents with a choice of engines, each quality and size with an engine that has it, and as many
// pictures to go by as there may be, in their order: all of it is kept with the run and goes to the image service as it was given.
func TestEveryValueOfAnEngineIsKeptAndSent(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var bodies []string
	s := (&studio{asleep: true, sent: func(path, body string) {
		if path == upstream.PathRuns {
			mu.Lock()
			defer mu.Unlock()
			bodies = append(bodies, body)
		}
	}}).move(t)
	s.start()
	assets := make([]string, 16)
	for i := range assets {
		assets[i] = string(s.upload(photo(uint64(100 + i))).ID)
	}
	addresses := map[string]string{} // of the assets, at the service
	seen := map[string]bool{}
	most := 0
	for n, c := range catalogtest.Cases(catalog.All()) {
		agent, _ := catalog.Find(c.Agent, c.Version)
		if agent.Family != "D" || len(c.Refused) > 0 || c.TaskName != "" || strings.HasPrefix(c.Name, c.Agent+"/run/batchCount") {
			continue
		}
		start := atelier.StartRun{IntentKey: fmt.Sprintf("wire-%d", n), Agent: c.Agent, Version: c.Version, Values: maps.Clone(c.Values), Files: map[string][]string{}}
		for i := range c.Files["images"] {
			start.Files["images"] = append(start.Files["images"], assets[(i+n)%len(assets)])
		}
		kept := s.untilState(s.startRun(start).ID, atelier.StateAccepted)
		if diff := cmp.Diff(c.Values, catalog.Values(kept.Values)); diff != "" {
			t.Errorf("%s is kept otherwise (-given +kept):\n%s", c.Name, diff)
		}
		if diff := cmp.Diff(start.Files["images"], kept.Files["images"]); diff != "" {
			t.Errorf("%s is kept with other pictures (-given +kept):\n%s", c.Name, diff)
		}
		var sent struct {
			Agent  struct{ Name string }
			Input  struct{ Images []string }
			Params map[string]any
		}
		mu.Lock()
		body := bodies[len(bodies)-1]
		mu.Unlock()
		s.check(json.Unmarshal([]byte(body), &sent))
		var images []string
		list, _ := sent.Params["images"].([]any)
		for _, u := range list {
			images = append(images, fmt.Sprint(u))
		}
		delete(sent.Params, "images")
		want := map[string]any{"batchCount": 1.0} // always sent (design, "The life of a run")
		maps.Copy(want, c.Values)
		if diff := cmp.Diff(want, sent.Params); diff != "" || sent.Agent.Name != c.Agent {
			t.Errorf("%s is sent to %s otherwise (-given +sent):\n%s", c.Name, sent.Agent.Name, diff)
		}
		if diff := cmp.Diff(images, sent.Input.Images); diff != "" || len(images) != len(start.Files["images"]) {
			t.Errorf("%s is sent with %d pictures, want %d (-params +input):\n%s", c.Name, len(images), len(start.Files["images"]), diff)
			continue
		}
		for i, id := range start.Files["images"] {
			if addresses[id] == "" {
				addresses[id] = images[i]
			}
			if addresses[id] != images[i] {
				t.Errorf("%s: picture %d is sent as %s, before as %s", c.Name, i, images[i], addresses[id])
			}
		}
		most = max(most, len(images))
		for name, v := range c.Values {
			seen[fmt.Sprintf("%s %v", name, v)] = true
		}
	}
	for _, value := range []string{
		"quality low", "quality medium", "quality high", "quality xhigh", "quality max", "imageSize 1K", "imageSize 2K", "imageSize 3K", "imageSize 4K",
		"outputFormat jpeg", "outputFormat png", "tools [web_search]", "aspectRatio 8:1", "aspectRatio 5:4", "aspectRatio auto",
	} {
		if !seen[value] {
			t.Errorf("%s was never sent", value)
		}
	}
	different := map[string]bool{}
	for _, address := range addresses {
		different[address] = true
	}
	if most != 16 || len(different) != 16 {
		t.Errorf("at most %d pictures were sent, %d different ones, want 16", most, len(different))
	}
	tell(t, "requests with a choice of engines kept and sent as given: %d", len(bodies))
}
