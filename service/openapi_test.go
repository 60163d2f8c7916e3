package service

import (
	"net/http"
	"strings"
	"testing"

	"atelier/catalog"
	"atelier/upstream"

	"github.com/goccy/go-yaml"
)

func TestTheDescriptionHoldsEveryEndpointAndEveryReferenceLeadsSomewhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	a := w.get(upstream.PathOpenAPI, "")
	if a.status != http.StatusOK {
		t.Fatalf("status %d", a.status)
	}
	var doc struct {
		OpenAPI    string                    `yaml:"openapi"`
		Paths      map[string]map[string]any `yaml:"paths"`
		Components struct {
			Schemas map[string]any `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(a.raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("openapi = %q", doc.OpenAPI)
	}
	for _, path := range []string{
		upstream.PathTaskCreate, upstream.PathTaskExecute, upstream.PathTaskQuery, upstream.PathTaskList,
		upstream.PathTaskDelete, upstream.PathAgentInfo, upstream.PathUploadImage, upstream.PathPSDCreate, upstream.PathPSDQuery,
		upstream.PathFashionModelCreate, upstream.PathFashionModelQuery, upstream.PathFashionModelDelete, upstream.PathLocationCreate,
		upstream.PathLocationQuery, upstream.PathLocationDelete, upstream.PathRunUpload, upstream.PathRuns,
		upstream.PathRuns + "/{executionId}", upstream.PathEstimates,
	} {
		if len(doc.Paths[path]) != 1 {
			t.Errorf("%s is described %d times", path, len(doc.Paths[path]))
		}
	}
	for _, line := range strings.Split(string(a.raw), "\n") {
		_, name, ok := strings.Cut(line, "#/components/schemas/")
		if _, there := doc.Components.Schemas[strings.Trim(name, `"'`)]; ok && !there {
			t.Errorf("nothing is called %q", name)
		}
	}
	for _, agent := range catalog.All() {
		if _, ok := doc.Components.Schemas[title(agent.Name)+"Run"]; ok != agent.On(catalog.Run) {
			t.Errorf("%s: described for runs = %v", agent.Name, ok)
		}
	}
}
