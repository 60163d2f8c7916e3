package catalog_test

import (
	"encoding/json"
	"testing"

	"atelier/catalog"
)

// Task API, "Limits": batchCount is 1 to 16, anything else is the default.
func TestARunMakesWhatItsBatchSays(t *testing.T) {
	t.Parallel()
	find := func(name string) catalog.Agent {
		a, ok := catalog.Find(name, "v1.0")
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		return a
	}
	four, one, without := find("aimodel"), find("expandimage"), find("video-watermark-remover")
	for _, c := range []struct {
		agent   catalog.Agent
		surface catalog.Surface
		given   any
		want    int
	}{
		{four, catalog.Task, nil, 4},
		{four, catalog.Task, 1, 1},
		{four, catalog.Task, 16.0, 16},
		{four, catalog.Task, json.Number("3"), 3},
		{four, catalog.Task, 0, 4},
		{four, catalog.Task, 17, 4},
		{four, catalog.Task, 2.5, 4},
		{four, catalog.Task, "many", 4},
		{one, catalog.Run, nil, 1},
		{without, catalog.Run, 1e9, 1},
		{without, catalog.Run, 3, 1},
		{catalog.Agent{}, catalog.Run, 5, 5},
		{catalog.Agent{}, catalog.Run, 0, 1},
		{catalog.Agent{}, catalog.Run, nil, 1},
	} {
		if got := catalog.Results(c.agent, c.surface, catalog.Values{"batchCount": c.given}); got != c.want {
			t.Errorf("%s with %v on %s makes %d, want %d", c.agent.Name, c.given, c.surface, got, c.want)
		}
	}
}
