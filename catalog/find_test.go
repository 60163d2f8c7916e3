package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestCatalogAsJSONIsStable looks at the original agents and at one that uses every further kind of field and rule;
// docs/agents.md shows the data of all.
func TestCatalogAsJSONIsStable(t *testing.T) {
	agents := slices.DeleteFunc(catalog.All(), func(a catalog.Agent) bool {
		return a.Family != "original" && !slices.Contains([]string{"image-search", "advanced-video", "multimodal-video", "portrait-motion"}, a.Name)
	})
	got, err := json.MarshalIndent(agents, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	golden := filepath.Join("testdata", "catalog.json")
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("the catalog's JSON changed; if meant, run with -update (-want +got):\n%s", cmp.Diff(string(want), string(got)))
	}
}

func TestETagFollowsTheCatalog(t *testing.T) {
	agents, tag := catalog.All(), catalog.ETagOf(catalog.All())
	if got := catalog.ETagOf(agents); got != tag {
		t.Errorf("equal agents have the tags %s and %s", got, tag)
	}
	agents[0].Title += "!"
	if got := catalog.ETagOf(agents); got == tag {
		t.Errorf("different agents have the same tag %s", got)
	}
}

func TestAllGivesCopies(t *testing.T) {
	mine := catalog.All()
	mine[0].Params[0].Options[0].Value = "mine"
	*mine[3].Params[0].Max = 9
	if diff := cmp.Diff("freeCreation", catalog.All()[0].Params[0].Options[0].Value); diff != "" {
		t.Error(diff)
	}
	a, _ := catalog.Find("expandimage", "")
	if p, _ := a.Param("targetWidth"); *p.Max != 4096 {
		t.Errorf("targetWidth is at most %d, want 4096", *p.Max)
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"aimodel", "aiproduct", "aipose", "expandimage", "removeBG", "virtualtryon"} {
		for _, version := range []string{"", "v1.0"} {
			if a, ok := catalog.Find(name, version); !ok || a.Name != name {
				t.Errorf("Find(%q, %q) = %q, %v", name, version, a.Name, ok)
			}
		}
		if _, ok := catalog.Find(name, "v2.0"); ok {
			t.Errorf("Find(%q, v2.0) found one; every agent is at v1.0", name)
		}
	}
	if _, ok := catalog.Find("removebg", ""); ok {
		t.Error("Find(removebg) found one; names are exact")
	}
}

func TestDefaultsOfBothSurfaces(t *testing.T) {
	tests := []struct {
		agent, param string
		task, run    any
	}{
		{"aimodel", "batchCount", 4, 4},
		{"aipose", "batchCount", 4, 4},
		{"removeBG", "batchCount", 4, 4},
		{"expandimage", "batchCount", 4, 1},
		{"virtualtryon", "batchCount", 1, 1},
		{"aimodel", "pose", "originalImagePose", "originalImagePose"},
		{"aimodel", "resultImageFormat", "png", "png"},
		{"aimodel", "resizeToOriginalImage", false, false},
		{"aipose", "generateVersion", "lite", "lite"},
		{"aimodel", "locationId", nil, nil},
		{"aimodel", "nonsense", nil, nil},
	}
	for _, tt := range tests {
		a, _ := catalog.Find(tt.agent, "")
		if got := a.Default(catalog.Task, tt.param); got != tt.task {
			t.Errorf("%s %s on the task surface: %v, want %v", tt.agent, tt.param, got, tt.task)
		}
		if got := a.Default(catalog.Run, tt.param); got != tt.run {
			t.Errorf("%s %s on the run surface: %v, want %v", tt.agent, tt.param, got, tt.run)
		}
	}
}

// TestEveryAgentIsWellFormed guards what the form and the service take for granted.
func TestEveryAgentIsWellFormed(t *testing.T) {
	for _, a := range catalog.All() {
		if a.Title == "" || a.Summary == "" || a.Embedded == "" || a.Makes == "" || len(a.Surfaces) == 0 {
			t.Errorf("%s lacks a title, a summary, an honest line, what it makes or its surfaces", a.Name)
		}
		if a.Files == nil || a.Params == nil || a.Rules == nil {
			t.Errorf("%s: files, params and rules must be lists, not null, in JSON", a.Name)
		}
		known := map[string]bool{}
		for _, f := range a.Files {
			if known[f.Name] || f.Title == "" || f.Max < 1 || f.Min > f.Max {
				t.Errorf("%s: file %s is there twice, untitled or has no room", a.Name, f.Name)
			}
			known[f.Name] = true
		}
		for _, p := range a.Params {
			if known[p.Name] || p.Title == "" {
				t.Errorf("%s: param %s is there twice or untitled", a.Name, p.Name)
			}
			known[p.Name] = true
			if p.Kind == catalog.Enum && len(p.Options) == 0 || len(p.Options) > 0 && !slices.Contains([]catalog.Kind{catalog.Enum, catalog.Strings, catalog.Duration}, p.Kind) {
				t.Errorf("%s: %s has %d options and is of kind %s", a.Name, p.Name, len(p.Options), p.Kind)
			}
			if (p.Kind == catalog.Preset || p.Kind == catalog.Tags) != (p.PresetKind != "") {
				t.Errorf("%s: %s has the preset kind %q and is of kind %s", a.Name, p.Name, p.PresetKind, p.Kind)
			}
			if d, ok := p.Default.(string); ok && !slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == d }) {
				t.Errorf("%s: the default of %s is not an option", a.Name, p.Name)
			}
			for _, o := range p.Options {
				if o.Title == "" {
					t.Errorf("%s: option %s of %s has no title", a.Name, o.Value, p.Name)
				}
			}
		}
		for _, r := range a.Rules {
			names := slices.Concat(r.Fields, r.With)
			if r.When != nil {
				names = append(names, r.When.Field)
				for _, also := range r.When.Also {
					names = append(names, also.Field)
				}
			}
			for _, n := range names {
				if !known[n] {
					t.Errorf("%s: rule %q names %s, which is neither file nor param", a.Name, r.Message, n)
				}
			}
			for _, v := range r.Values {
				if p, ok := a.Param(r.Fields[0]); !ok || !slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == v }) {
					t.Errorf("%s: rule %q names %s, which %s does not offer", a.Name, r.Message, v, r.Fields[0])
				}
			}
			if d, ok := a.Default(catalog.Run, r.Fields[0]).(string); ok && r.Kind == catalog.ValuesWhen && slices.Contains(r.Values, d) {
				t.Errorf("%s: rule %q keeps the default %s for other circumstances", a.Name, r.Message, d)
			}
			if r.Message == "" || len(r.Fields) == 0 {
				t.Errorf("%s: a %s rule says nothing", a.Name, r.Kind)
			}
		}
	}
}

func TestTheSourceIsThePictureThatIsWorkedOn(t *testing.T) {
	for _, a := range catalog.All() {
		f, ok := a.Source()
		if a.Family == "original" && (!ok || f.Name != "originalImage" || f.Min != 1) {
			t.Errorf("%s works on %+v, %v", a.Name, f, ok)
		}
		if ok && (f.Max != 1 || f.Media != catalog.Image) {
			t.Errorf("%s works on %+v, which is not one picture", a.Name, f)
		}
	}
	if f, ok := (catalog.Agent{}).Source(); ok {
		t.Errorf("an agent without files works on %+v", f)
	}
}
