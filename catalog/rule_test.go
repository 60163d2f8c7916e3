package catalog_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"atelier/catalog"
)

// films is an agent in the shape of the further agents of the run document ("Family D", "Family E"): every kind of param
// and rule that the original agents do not use.
func films() catalog.Agent {
	two, thirty, five := 2, 30, 5
	return catalog.Agent{
		Name: "films", Version: "v1.0", Title: "Films", Summary: "s", Family: "E", Makes: catalog.MakesVideo,
		Surfaces: []catalog.Surface{catalog.Run},
		Files: []catalog.File{
			{Name: "images", Title: "Pictures", Media: catalog.Image, Max: 3, List: true, Source: true},
			{Name: "videos", Title: "Films", Media: catalog.Video, Max: 2, List: true},
			{Name: "firstFrame", Title: "First frame", Media: catalog.Image, Max: 1},
		},
		Params: []catalog.Param{
			{Name: "duration", Kind: catalog.Duration, Title: "Length", Min: &two, Max: &thirty, Options: []catalog.Option{{Value: "-1", Title: "Free"}}},
			{Name: "steps", Kind: catalog.Duration, Title: "Steps", Options: []catalog.Option{{Value: "6s"}, {Value: "10s"}}},
			{Name: "tools", Kind: catalog.Strings, Title: "Tools", Max: &two, Options: []catalog.Option{{Value: "web_search", Wire: "brandSearch"}, {Value: "code"}, {Value: "draw"}}},
			{Name: "caption", Kind: catalog.Text, Title: "Caption", Min: &two, Max: &five},
			{Name: "aspectRatio", Kind: catalog.Enum, Title: "Shape", Default: "16:9", Options: []catalog.Option{{Value: "16:9"}, {Value: "1:1"}, {Value: "adaptive"}}},
			{Name: "imageSize", Kind: catalog.Enum, Title: "Size", Default: "1K", Options: []catalog.Option{{Value: "1K"}, {Value: "4K"}}},
			{Name: "returnLastFrame", Kind: catalog.Bool, Title: "Last frame", Default: false},
			{Name: "modelName", Kind: catalog.Enum, Title: "Model", Default: "plain", Options: []catalog.Option{{Value: "plain"}, {Value: "nano"}}},
		},
		Rules: []catalog.Rule{
			{Kind: catalog.ForbiddenWith, Fields: []string{"firstFrame"}, With: []string{"images", "videos"}, Message: "no"},
			{Kind: catalog.MaxItems, Fields: []string{"images", "videos"}, Max: 4, Message: "at most four"},
			{Kind: catalog.RequiredWhen, Fields: []string{"caption"}, When: &catalog.Condition{Field: "returnLastFrame", In: []string{"true"}}, Message: "needs a caption"},
			{Kind: catalog.NoEffectWhen, Fields: []string{"imageSize"}, When: &catalog.Condition{Field: "modelName", In: []string{"nano"}, Not: true}, Message: "nano only"},
			{Kind: catalog.OnlyWhen, Fields: []string{"tools"}, When: &catalog.Condition{Field: "images", Not: true}, Message: "without pictures only"},
			{Kind: catalog.AtLeastOne, Fields: []string{"images", "caption", "firstFrame"}, Message: "something", Surfaces: []catalog.Surface{catalog.Run}},
			{Kind: catalog.AtLeastOne, Fields: []string{"videos"}, Message: "never here", Surfaces: []catalog.Surface{catalog.Task}},
		},
	}
}

func TestEveryKindOfParamAndRule(t *testing.T) {
	one := map[string][]string{"images": {photo}}
	tests := []struct {
		name   string
		files  map[string][]string
		values catalog.Values
		want   []string
		notes  []string
	}{
		{"the least", one, nil, nil, nil},
		{"nothing", nil, nil, []string{"images"}, nil},
		{"words instead of pictures", nil, catalog.Values{"caption": "sea"}, nil, nil},
		{"length 2s", one, catalog.Values{"duration": "2s"}, nil, nil},
		{"length 30s", one, catalog.Values{"duration": "30s"}, nil, nil},
		{"length 1s", one, catalog.Values{"duration": "1s"}, []string{"duration"}, nil},
		{"length 31s", one, catalog.Values{"duration": "31s"}, []string{"duration"}, nil},
		{"length free", one, catalog.Values{"duration": "-1"}, nil, nil},
		{"length without unit", one, catalog.Values{"duration": "5"}, []string{"duration"}, nil},
		{"length with sign", one, catalog.Values{"duration": "+5s"}, []string{"duration"}, nil},
		{"length with leading zero", one, catalog.Values{"duration": "05s"}, []string{"duration"}, nil},
		{"length in minutes", one, catalog.Values{"duration": "1m"}, []string{"duration"}, nil},
		{"length a number", one, catalog.Values{"duration": 5.0}, []string{"duration"}, nil},
		{"length out of a set", one, catalog.Values{"steps": "10s"}, nil, nil},
		{"length not in the set", one, catalog.Values{"steps": "8s"}, []string{"steps"}, nil},
		{"tools", nil, catalog.Values{"caption": "sea", "tools": []any{"web_search", "code"}}, nil, nil},
		{"tools by wire name", nil, catalog.Values{"caption": "sea", "tools": []any{"brandSearch"}}, nil, nil},
		{"too many tools", nil, catalog.Values{"caption": "sea", "tools": []string{"web_search", "code", "draw"}}, []string{"tools"}, nil},
		{"unknown tool", nil, catalog.Values{"caption": "sea", "tools": []any{"hammer"}}, []string{"tools"}, nil},
		{"tools not a list", nil, catalog.Values{"caption": "sea", "tools": "code"}, []string{"tools"}, nil},
		{"tools of numbers", nil, catalog.Values{"caption": "sea", "tools": []any{1.0}}, []string{"tools"}, nil},
		{"tools with pictures", one, catalog.Values{"tools": []any{"code"}}, []string{"tools"}, nil},
		{"caption of one character", one, catalog.Values{"caption": "x"}, []string{"caption"}, nil},
		{"caption of two", one, catalog.Values{"caption": "øø"}, nil, nil},
		{"caption of five", one, catalog.Values{"caption": "øøøøø"}, nil, nil},
		{"caption of six", one, catalog.Values{"caption": "øøøøøø"}, []string{"caption"}, nil},
		{"a condition on a boolean", one, catalog.Values{"returnLastFrame": true}, []string{"caption"}, nil},
		{"a condition on a boolean as text", one, catalog.Values{"returnLastFrame": "true"}, []string{"caption"}, nil},
		{"a condition that is met", one, catalog.Values{"returnLastFrame": true, "caption": "sea"}, nil, nil},
		{"a default says nothing", one, catalog.Values{"imageSize": "1K"}, nil, nil},
		{"a value without effect", one, catalog.Values{"imageSize": "4K"}, nil, []string{"imageSize"}},
		{"a value with effect", one, catalog.Values{"imageSize": "4K", "modelName": "nano"}, nil, nil},
		{"first frame alone", map[string][]string{"firstFrame": {photo}}, nil, nil, nil},
		{"first frame with pictures", map[string][]string{"firstFrame": {photo}, "images": {photo}}, nil, []string{"firstFrame"}, nil},
		{"first frame with films", map[string][]string{"firstFrame": {photo}, "videos": {photo}}, nil, []string{"firstFrame"}, nil},
		{"four files", map[string][]string{"images": {photo, photo, photo}, "videos": {photo}}, nil, nil, nil},
		{"five files", map[string][]string{"images": {photo, photo, photo}, "videos": {photo, photo}}, nil, []string{"images"}, nil},
		{"four pictures", map[string][]string{"images": {photo, photo, photo, photo}}, nil, []string{"images"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := catalog.Check(films(), catalog.Run, catalog.Input{Files: tt.files, Values: tt.values})
			if diff := cmp.Diff(tt.want, fields(catalog.Refusals(got))); diff != "" {
				t.Errorf("refused fields (-want +got):\n%s\n%v", diff, got)
			}
			if diff := cmp.Diff(tt.notes, notes(got)); diff != "" {
				t.Errorf("noted fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFilledDefaultsAreNeverHeldAgainstARequest(t *testing.T) {
	in := catalog.Input{Files: map[string][]string{"images": {photo}}}
	if got := catalog.Check(films(), catalog.Run, catalog.Fill(films(), catalog.Run, in)); got != nil {
		t.Errorf("Check(Fill(…)) = %v, want nothing", got)
	}
}

func TestListsOfFilesGoOutAsListsInBothPlaces(t *testing.T) {
	in := catalog.Input{Files: map[string][]string{"images": {photo}, "firstFrame": {photo}}, Values: catalog.Values{"tools": []any{"web_search", "code"}}}
	init, params := catalog.Encode(films(), catalog.Run, in)
	want := map[string]any{"images": []any{photo}, "firstFrame": photo}
	if diff := cmp.Diff(want, init); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	want["tools"] = []any{"brandSearch", "code"}
	if diff := cmp.Diff(want, params); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
}

func TestAFormKnowsWhatRestsAndWhatIsNeeded(t *testing.T) {
	tests := []struct {
		agent   string
		surface catalog.Surface
		set     []any
		field   string
		applies bool
		needed  bool
	}{
		{"aimodel", task, nil, "generatedContent", true, true},
		{"aimodel", task, nil, "originalImage", true, true},
		{"aimodel", task, nil, "customMask", false, false},
		{"aimodel", task, []any{"maskType", "custom"}, "customMask", true, false},
		{"aimodel", task, nil, "fashionModelId", true, false},
		{"aimodel", task, []any{"maskType", "autoSubjectSegment"}, "fashionModelId", false, false},
		{"aimodel", task, []any{"maskType", "autoHumanSegment"}, "locationId", false, false},
		{"aipose", task, nil, "generateVersion", false, false},
		{"aipose", run, nil, "generateVersion", true, false},
		{"removeBG", task, nil, "backgroundHex", true, false},
		{"removeBG", task, []any{"backgroundId", 3.0}, "backgroundHex", false, false},
		{"virtualtryon", run, nil, "textDescription", true, false},
		{"virtualtryon", run, []any{"descriptionType", "custom"}, "textDescription", true, true},
		{"virtualtryon", run, nil, "aspectRatio", false, false},
		{"virtualtryon", run, []any{"generateVersion", "servicePro"}, "aspectRatio", true, false},
		{"virtualtryon", run, nil, "imageSize", false, false},
		{"virtualtryon", run, []any{"generateVersion", "partnerPro"}, "imageSize", true, true},
		{"virtualtryon", run, nil, "fashionModelImage", true, false},
	}
	for _, tt := range tests {
		a, _ := catalog.Find(tt.agent, "")
		in := with(valid(tt.agent), tt.set...)
		if got := catalog.Applies(a, tt.surface, in, tt.field); got != tt.applies {
			t.Errorf("Applies(%s, %v, %s) = %v, want %v", tt.agent, tt.set, tt.field, got, tt.applies)
		}
		if got := catalog.Needed(a, tt.surface, in, tt.field); got != tt.needed {
			t.Errorf("Needed(%s, %v, %s) = %v, want %v", tt.agent, tt.set, tt.field, got, tt.needed)
		}
	}
	frames := catalog.Input{Files: map[string][]string{"images": {photo}}}
	if catalog.Applies(films(), catalog.Run, frames, "firstFrame") {
		t.Error("the first frame applies beside pictures, which forbid it")
	}
}

// TestWhatAppliesIsWhatCheckMinds ties the form's view to the verdict: a field that rests is noted or refused when given,
// and a request without a needed field is refused.
func TestWhatAppliesIsWhatCheckMinds(t *testing.T) {
	for _, a := range append(catalog.All(), films()) {
		for _, s := range a.Surfaces {
			t.Run(a.Name+"/"+string(s), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := inputs(a).Draw(t, "input")
					found := catalog.Check(a, s, in)
					for _, p := range a.Params {
						_, given := in.Values[p.Name]
						if catalog.Needed(a, s, in, p.Name) && !given && !slices.Contains(fields(catalog.Refusals(found)), p.Name) {
							t.Fatalf("%s is needed and its absence is not refused: %v", p.Name, found)
						}
						if given && in.Values[p.Name] != p.DefaultOn(s) && !catalog.Applies(a, s, in, p.Name) && !slices.Contains(fields(found), p.Name) {
							t.Fatalf("%s rests and is not minded: %v", p.Name, found)
						}
					}
				})
			})
		}
	}
}

// TestAgentsOverJSONJudgeTheSame: the browser reads the catalog as JSON, in which numbers change their Go type.
func TestAgentsOverJSONJudgeTheSame(t *testing.T) {
	body, err := json.Marshal(append(catalog.All(), films()))
	if err != nil {
		t.Fatal(err)
	}
	var read []catalog.Agent
	if err := json.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	for i, a := range append(catalog.All(), films()) {
		rapid.Check(t, func(t *rapid.T) {
			in := inputs(a).Draw(t, "input")
			for _, s := range a.Surfaces {
				if diff := cmp.Diff(catalog.Check(a, s, in), catalog.Check(read[i], s, in)); diff != "" {
					t.Fatalf("%s (-here +there):\n%s", a.Name, diff)
				}
				if diff := cmp.Diff(catalog.Fill(a, s, in), catalog.Fill(read[i], s, in)); diff != "" {
					t.Fatalf("%s filled (-here +there):\n%s", a.Name, diff)
				}
			}
		})
	}
}
