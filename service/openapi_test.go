package service

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
	"atelier/upstream"
)

// described is the part of an OpenAPI document that these tests look at.
type described struct {
	OpenAPI    string                           `yaml:"openapi"`
	Paths      map[string]map[string]operates   `yaml:"paths"`
	Components struct{ Schemas map[string]any } `yaml:"components"`
}

type operates struct {
	OperationID string         `yaml:"operationId"`
	Responses   map[string]any `yaml:"responses"`
}

func describe(t *testing.T, w *world) (doc described, raw string) {
	t.Helper()
	a := w.get(upstream.PathOpenAPI, "")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/yaml; charset=utf-8" {
		t.Fatalf("status %d, %v", a.status, a.header)
	}
	if err := yaml.Unmarshal(a.raw, &doc); err != nil {
		t.Fatal(err)
	}
	return doc, string(a.raw)
}

func TestTheDescriptionHoldsExactlyTheEndpointsThatAreServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	doc, _ := describe(t, w)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("openapi = %q", doc.OpenAPI)
	}
	var served, told []string
	for _, r := range w.svc.routes() {
		served = append(served, r.method+" "+r.path)
	}
	names := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			told = append(told, strings.ToUpper(method)+" "+path)
			if op.OperationID == "" || names[op.OperationID] {
				t.Errorf("%s %s: operationId %q is missing or taken", method, path, op.OperationID)
			}
			names[op.OperationID] = true
			if op.Responses["200"] == nil || op.Responses["default"] == nil {
				t.Errorf("%s %s: the answers told of are %v", method, path, op.Responses)
			}
		}
	}
	slices.Sort(served)
	slices.Sort(told)
	if diff := cmp.Diff(served, told); diff != "" {
		t.Errorf("endpoints (-served +described):\n%s", diff)
	}
}

func TestTheDescriptionSaysWhatThisServiceMakesOfEachAgent(t *testing.T) {
	t.Parallel()
	doc, _ := describe(t, newWorld(t, nil))
	said := map[string]bool{}
	for _, schema := range doc.Components.Schemas {
		if s, ok := schema.(map[string]any); ok {
			said[fmt.Sprint(s["description"])] = true
		}
	}
	for _, a := range catalog.All() {
		if !said[a.Summary+" "+a.EmbeddedText()] {
			t.Errorf("%s is not described as %q", a.Name, a.Summary+" "+a.EmbeddedText())
		}
	}
}

func TestTheDescriptionTellsOfCallbacksAndOfEveryParameter(t *testing.T) {
	t.Parallel()
	_, raw := describe(t, newWorld(t, nil))
	if n := strings.Count(raw, "{$request.body#/callbackUrl}"); n != 2 {
		t.Errorf("callbacks are described %d times, want at both ways to start work", n)
	}
	for _, words := range []string{"executionId wins", "nextCursor of the page before", "Only tasks created before it", "40005", "The seven bytes SUCCESS"} {
		if !strings.Contains(raw, words) {
			t.Errorf("the description does not say %q", words)
		}
	}
	used := map[string]bool{}
	for _, line := range strings.Split(raw, "\n") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "operationId: "); ok {
			used[id] = true
		}
	}
	for id := range abouts {
		if !used[id] {
			t.Errorf("words about %s, which is no operation", id)
		}
	}
}

func TestEveryReferenceOfTheDescriptionLeadsSomewhereAndEverySchemaIsUsed(t *testing.T) {
	t.Parallel()
	doc, raw := describe(t, newWorld(t, nil))
	used := map[string]bool{}
	for line := range strings.Lines(raw) {
		_, name, ok := strings.Cut(strings.TrimSpace(line), "#/components/schemas/")
		if !ok {
			continue
		}
		name = strings.Trim(name, `"'`)
		used[name] = true
		if _, there := doc.Components.Schemas[name]; !there {
			t.Errorf("nothing is called %q", name)
		}
	}
	for name := range doc.Components.Schemas {
		if !used[name] {
			t.Errorf("nothing refers to %s", name)
		}
	}
}

// TestEveryAgentIsDescribedOnItsSurfaces compares the description with the catalog, param by param.
func TestEveryAgentIsDescribedOnItsSurfaces(t *testing.T) {
	t.Parallel()
	doc, _ := describe(t, newWorld(t, nil))
	for _, a := range catalog.All() {
		for surface, what := range map[catalog.Surface]string{catalog.Run: "Run", catalog.Task: "Params"} {
			schema, ok := doc.Components.Schemas[component(a, what)].(map[string]any)
			if ok != a.On(surface) {
				t.Errorf("%s: described on the %s surface = %v", a.Name, surface, ok)
			}
			if !ok {
				continue
			}
			params := schema
			if surface == catalog.Run {
				params = field(t, field(t, schema, "properties"), "params")
			}
			checkParams(t, a, surface, params)
		}
	}
}

func TestTheDescriptionSaysWhenARuleOfAnAgentHolds(t *testing.T) {
	t.Parallel()
	doc, _ := describe(t, newWorld(t, nil))
	for component, rules := range map[string][]string{
		"AgentAimodelParams": {
			"`customMask`, `customMaskUrl`: at least one is given when `maskType` is `custom`. ",
			"`fashionModelId`: noted, without effect when `maskType` is `autoSubjectSegment`. ",
			"`locationId`: noted, without effect when `maskType` is `autoHumanSegment`. ",
		},
		"AgentExpandimageParams":  {"`fillLeft`: from -(width of the picture)+8 to `targetWidth`-8. ", "`fillTop`: from -(height of the picture)+8 to `targetHeight`-8. "},
		"AgentRemoveBGParams":     {"`backgroundHex`: noted, without effect when `backgroundId` is given. "},
		"AgentVirtualtryonRun":    {"`imageSize`: must be given when `generateVersion` is `partnerPro`. "},
		"AgentAdvancedVideoRun":   {"`lastFrame`: may be given only when `firstFrame` is given. ", "`videos`, `extendVideo`: at most 30 s together. "},
		"AgentMultimodalVideoRun": {"`aspectRatio`: is `adaptive`, also when it is not given, when `firstFrame` is given. "},
	} {
		params := field(t, doc.Components.Schemas, component)
		if strings.HasSuffix(component, "Run") {
			params = field(t, field(t, params, "properties"), "params")
		}
		for _, rule := range rules {
			if said := fmt.Sprint(params["description"]); !strings.Contains(said, rule) {
				t.Errorf("%s does not say %q: %s", component, rule, said)
			}
		}
	}
}

func field(t *testing.T, o map[string]any, name string) map[string]any {
	t.Helper()
	f, ok := o[name].(map[string]any)
	if !ok {
		t.Fatalf("%s is %v", name, o[name])
	}
	return f
}

func checkParams(t *testing.T, a catalog.Agent, surface catalog.Surface, params map[string]any) {
	t.Helper()
	properties := field(t, params, "properties")
	var required []any
	for _, p := range a.Params {
		schema, ok := properties[p.Name].(map[string]any)
		if ok != p.On(surface) {
			t.Errorf("%s on the %s surface: %s is described = %v", a.Name, surface, p.Name, ok)
		}
		if !ok {
			continue
		}
		if p.RequiredOn(surface) {
			required = append(required, p.Name)
		}
		at := a.Name + "." + p.Name
		if want := p.DefaultOn(surface); want != nil && !sameNumber(schema["default"], want) {
			t.Errorf("%s: default %v, want %v", at, schema["default"], want)
		}
		if p.Kind == catalog.Enum {
			var want []any
			for _, o := range p.Options {
				want = append(want, o.Value)
			}
			if diff := cmp.Diff(want, schema["enum"]); diff != "" {
				t.Errorf("%s: enum (-want +got):\n%s", at, diff)
			}
		}
		if p.Kind == catalog.Int && !p.Lenient {
			for keyword, want := range map[string]*int{"minimum": p.Min, "maximum": p.Max} {
				if want != nil && !sameNumber(schema[keyword], *want) {
					t.Errorf("%s: %s %v, want %d", at, keyword, schema[keyword], *want)
				}
			}
		}
		if text, ok := schema["description"].(string); !ok || (p.Lenient && !strings.Contains(text, "1 to 16")) {
			t.Errorf("%s: description %v", at, schema["description"])
		}
	}
	if diff := cmp.Diff(required, list(params["required"])); diff != "" {
		t.Errorf("%s on the %s surface: required (-want +got):\n%s", a.Name, surface, diff)
	}
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// sameNumber compares what YAML gives for a number with a Go number, and anything else as it is.
func sameNumber(got, want any) bool {
	if n, ok := want.(int); ok {
		switch g := got.(type) {
		case uint64:
			return n >= 0 && g == uint64(n)
		case int64:
			return g == int64(n)
		}
		return false
	}
	return got == want
}
