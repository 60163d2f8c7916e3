package service

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/upstream"
)

// TestTheServiceOffersTheAgentsItIsGiven: an operator's agents are served by their own names, with the wire names of their
// engines, and what is not among them is unknown.
func TestTheServiceOffersTheAgentsItIsGiven(t *testing.T) {
	t.Parallel()
	house, _ := catalog.Find("z-image", "")
	house.Name, house.Params = "house-pictures", slices.Clone(house.Params)
	house.Params = append(house.Params, catalog.Param{
		Name: "modelName", Kind: catalog.Enum, Title: "Engine", Default: "usual",
		Options: []catalog.Option{{Value: "usual", Title: "Usual", Wire: "house/usual-2"}},
	})
	w := newWorld(t, func(c *Config) { c.Agents = []catalog.Agent{house} })

	order := func(name string) upstream.RunStart {
		return upstream.RunStart{
			Agent: upstream.RunAgent{Name: name, Version: "v1.0"}, Input: map[string]any{},
			Params: map[string]any{"textDescription": "A beach in the evening", "modelName": "house/usual-2"},
		}
	}
	a := w.post(upstream.PathRuns, w.key, order("house-pictures"))
	if !a.Success {
		t.Fatalf("the operator's agent is refused: %s", a.said())
	}
	status := must[upstream.RunStatus](t, w.get(upstream.PathRuns+"/"+a.Meta.ExecutionID, w.key))
	if status.AgentName != "house-pictures" || status.Executions[0].Params["modelName"] != "house/usual-2" {
		t.Errorf("the run is told as %+v", status)
	}
	if a := w.post(upstream.PathRuns, w.key, order("aimodel")); a.status != http.StatusBadRequest || !strings.Contains(a.said(), `there is no agent "aimodel"`) {
		t.Errorf("an agent that is not offered: %d %s", a.status, a.said())
	}
	if _, raw := describe(t, w); !strings.Contains(raw, "house/usual-2") || strings.Contains(raw, "AgentAimodel") {
		t.Error("the description does not tell of exactly the agents that are offered")
	}
}
