package catalog_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"atelier/catalog"
)

// overJSON gives v as a JSON decoder on the other side sees it.
func overJSON(t interface{ Fatalf(string, ...any) }, v map[string]any) map[string]any {
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("marshal %v: %v", v, err)
	}
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatalf("unmarshal %s: %v", body, err)
	}
	return out
}

func TestEncodePutsThingsWhereTheDocumentsSay(t *testing.T) {
	tests := []struct {
		name         string
		agent        string
		surface      catalog.Surface
		in           catalog.Input
		init, params map[string]any
	}{
		{
			// Task API, "Agent parameters": initParams hold taskName and originalImage.
			"task surface", "aimodel", catalog.Task,
			catalog.Input{TaskName: "linen~AB", Files: map[string][]string{"originalImage": {photo}}, Values: catalog.Values{
				"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": "12", "locationTagIds": []any{"3"},
				"resizeToOriginalImage": "true", "pose": "", "nonsense": 1.0,
			}},
			map[string]any{"taskName": "linen~AB", "originalImage": photo},
			map[string]any{
				"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 12.0, "locationTagIds": []any{3.0},
				"resizeToOriginalImage": true, "batchCount": 4.0,
			},
		},
		{
			// Run API, "File placement in requests": both placements; the default of batchCount is the run surface's.
			"run surface", "virtualtryon", catalog.Run,
			catalog.Input{Files: map[string][]string{"originalImage": {photo}, "locationImage": {"https://a.example/sea.png"}}, Values: catalog.Values{
				"generateVersion": "serviceFlash", "descriptionType": "auto",
			}},
			map[string]any{"originalImage": photo, "locationImage": "https://a.example/sea.png"},
			map[string]any{
				"originalImage": photo, "locationImage": "https://a.example/sea.png",
				"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1.0,
			},
		},
		{
			"count out of range", "expandimage", catalog.Run,
			catalog.Input{Values: catalog.Values{"targetWidth": 900, "targetHeight": int64(800), "fillLeft": 0, "batchCount": 40}},
			map[string]any{},
			map[string]any{"targetWidth": 900.0, "targetHeight": 800.0, "fillLeft": 0.0, "batchCount": 1.0},
		},
		{
			"param of the other surface", "aipose", catalog.Task,
			catalog.Input{Values: catalog.Values{"textDescription": "sit", "generateVersion": "pro", "batchCount": 2}},
			map[string]any{},
			map[string]any{"textDescription": "sit", "batchCount": 2.0},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := catalog.Find(tt.agent, "")
			init, params := catalog.Encode(a, tt.surface, tt.in)
			if diff := cmp.Diff(tt.init, init); diff != "" {
				t.Errorf("init (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.params, params); diff != "" {
				t.Errorf("params (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeReadsFilesFromEitherPlace(t *testing.T) {
	other := "https://a.example/other.png"
	tests := []struct {
		name         string
		init, params map[string]any
		want         []string
		problems     []string
	}{
		{"input", map[string]any{"originalImage": photo}, nil, []string{photo}, nil},
		{"params", nil, map[string]any{"originalImage": photo}, []string{photo}, nil},
		{"params win", map[string]any{"originalImage": other}, map[string]any{"originalImage": photo}, []string{photo}, nil},
		{"blank params do not win", map[string]any{"originalImage": photo}, map[string]any{"originalImage": ""}, []string{photo}, nil},
		{"list of one", map[string]any{"originalImage": []any{photo}}, nil, []string{photo}, nil},
		{"nowhere", nil, nil, nil, nil},
		{"a number", map[string]any{"originalImage": 3.0}, nil, nil, []string{"originalImage"}},
		{"a list of numbers", map[string]any{"originalImage": []any{3.0}}, nil, nil, []string{"originalImage"}},
		{"an object", map[string]any{"originalImage": map[string]any{"url": photo}}, nil, nil, []string{"originalImage"}},
		{"name a number", map[string]any{"originalImage": photo, "taskName": 3.0}, nil, []string{photo}, []string{"taskName"}},
	}
	a, _ := catalog.Find("removeBG", "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, problems := catalog.Decode(a, catalog.Run, tt.init, tt.params)
			if diff := cmp.Diff(tt.want, in.Files["originalImage"]); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.problems, fields(problems)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
			if _, there := in.Values["originalImage"]; there {
				t.Error("a file is also among the values")
			}
		})
	}
}

func TestDecodeFillsDefaultsAndKeepsWhatCheckMustRefuse(t *testing.T) {
	a, _ := catalog.Find("aimodel", "")
	in, _ := catalog.Decode(a, catalog.Task, nil, map[string]any{
		"batchCount": "99", "locationId": "17", "pose": nil, "maskType": "nonsense", "generatedContent": 4.0, "resizeToOriginalImage": "TRUE", "extra": "kept",
	})
	want := catalog.Values{
		"batchCount": 4.0, "locationId": 17.0, "pose": "originalImagePose", "resultImageFormat": "png",
		"maskType": "nonsense", "generatedContent": 4.0, "resizeToOriginalImage": true, "extra": "kept",
	}
	if diff := cmp.Diff(want, in.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

// On the run surface params win over input; on the task surface the picture is the task's (Task API, "Agent parameters").
func TestTheTasksOwnPictureWinsOnTheTaskSurface(t *testing.T) {
	a, _ := catalog.Find("removeBG", "")
	for surface, want := range map[catalog.Surface]string{catalog.Task: photo, catalog.Run: photo + "?2"} {
		in, _ := catalog.Decode(a, surface, map[string]any{"originalImage": photo}, map[string]any{"originalImage": photo + "?2"})
		if diff := cmp.Diff([]string{want}, in.Files["originalImage"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", surface, diff)
		}
	}
	in, _ := catalog.Decode(a, catalog.Task, nil, map[string]any{"originalImage": photo})
	if diff := cmp.Diff([]string{photo}, in.Files["originalImage"]); diff != "" {
		t.Errorf("in params alone (-want +got):\n%s", diff)
	}
}

func TestWhatAnAgentDoesNotKnowIsNotHeeded(t *testing.T) {
	for _, tt := range []struct {
		agent        string
		surface      catalog.Surface
		values, want catalog.Values
	}{
		{
			"removeBG", catalog.Run,
			catalog.Values{"locationId": 3.0, "extra": "x", "backgroundHex": "#FFFFFF", "resultImageFormat": "jpg", "resizeToOriginalImage": true},
			catalog.Values{"backgroundHex": "#FFFFFF", "resultImageFormat": "jpg", "resizeToOriginalImage": true},
		},
		{"aipose", catalog.Task, catalog.Values{"generateVersion": "pro", "textDescription": "sits"}, catalog.Values{"textDescription": "sits"}},
		{"aipose", catalog.Run, catalog.Values{"generateVersion": "pro"}, catalog.Values{"generateVersion": "pro"}},
		{"video-watermark-remover", catalog.Run, catalog.Values{"batchCount": 1e9, "targetWidth": 1e9, "maskType": "custom"}, catalog.Values{}},
	} {
		a, _ := catalog.Find(tt.agent, "")
		given := len(tt.values)
		if diff := cmp.Diff(tt.want, catalog.Heeded(a, tt.surface, catalog.Input{Values: tt.values}).Values); diff != "" {
			t.Errorf("%s on %s (-want +got):\n%s", tt.agent, tt.surface, diff)
		}
		if len(tt.values) != given {
			t.Error("the input itself was changed")
		}
	}
}

func TestWhatHasNoEffectIsLeftOutOfTheWork(t *testing.T) {
	size := func(engine string) catalog.Values {
		return catalog.Values{"modelName": engine, "aspectRatio": "16:9", "imageSize": "1K"}
	}
	engine := func(name string) catalog.Values { return catalog.Values{"modelName": name} }
	tryOn := catalog.Values{"generateVersion": "servicePro", "imageSize": "2K"}
	for _, tt := range []struct {
		agent        string
		values, want catalog.Values
	}{
		{"ai-poster", size("nano"), size("nano")},
		{"ai-poster", size("jimeng"), engine("jimeng")},
		{"virtualtryon", tryOn, catalog.Values{"generateVersion": "servicePro"}},
		{"removeBG", catalog.Values{"maskType": "autoSubjectSegment", "customMask": "x"}, catalog.Values{"maskType": "autoSubjectSegment"}},
	} {
		a, _ := catalog.Find(tt.agent, "")
		if diff := cmp.Diff(tt.want, catalog.Effective(a, catalog.Run, catalog.Input{Values: tt.values}).Values); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.agent, diff)
		}
	}
}

func TestWireNamesOfAnOverlayGoOutAndComeBack(t *testing.T) {
	a := catalog.All()[5] // virtualtryon
	a.Params[0].Options[0].Wire = "brandFlash"
	in := valid("virtualtryon")
	init, params := catalog.Encode(a, catalog.Run, in)
	if params["generateVersion"] != "brandFlash" {
		t.Errorf("sent %v, want brandFlash", params["generateVersion"])
	}
	back, _ := catalog.Decode(a, catalog.Run, init, params)
	if back.Values["generateVersion"] != "serviceFlash" {
		t.Errorf("read %v, want serviceFlash", back.Values["generateVersion"])
	}
	if got := catalog.Check(a, catalog.Run, catalog.Input{Files: in.Files, Values: params}); len(catalog.Refusals(got)) > 0 {
		t.Errorf("the wire name is refused: %v", got)
	}
}

func TestWireNamesOfLengthsComeBackToo(t *testing.T) {
	agents := catalog.All()
	i := slices.IndexFunc(agents, func(a catalog.Agent) bool { return a.Name == "image-to-video" })
	a := agents[i]
	a.Params = slices.Clone(a.Params)
	p := slices.IndexFunc(a.Params, func(p catalog.Param) bool { return p.Name == "duration" })
	a.Params[p].Options = slices.Clone(a.Params[p].Options)
	a.Params[p].Options[0].Wire = "six"
	in := catalog.Input{Files: map[string][]string{"images": {photo}}, Values: catalog.Values{"textDescription": "rain", "duration": a.Params[p].Options[0].Value}}
	init, params := catalog.Encode(a, catalog.Run, in)
	if params["duration"] != "six" {
		t.Errorf("sent %v, want six", params["duration"])
	}
	back, _ := catalog.Decode(a, catalog.Run, init, params)
	if back.Values["duration"] != a.Params[p].Options[0].Value {
		t.Errorf("read %v, want %s", back.Values["duration"], a.Params[p].Options[0].Value)
	}
	if got := catalog.Check(a, catalog.Run, catalog.Input{Files: in.Files, Values: params}); len(catalog.Refusals(got)) > 0 {
		t.Errorf("the wire name is refused: %v", got)
	}
}

func TestProOnlyOnTheRunSurfaceMovesTheRunThere(t *testing.T) {
	a, _ := catalog.Find("aipose", "")
	tests := []struct {
		set  []any
		want catalog.Surface
	}{
		{nil, catalog.Task},
		{[]any{"generateVersion", "lite"}, catalog.Task},
		{[]any{"generateVersion", "pro"}, catalog.Run},
	}
	for _, tt := range tests {
		if got := catalog.SurfaceFor(a, catalog.Task, with(valid("aipose"), tt.set...)); got != tt.want {
			t.Errorf("SurfaceFor(%v) = %s, want %s", tt.set, got, tt.want)
		}
	}
	tryon, _ := catalog.Find("virtualtryon", "")
	if got := catalog.SurfaceFor(tryon, catalog.Task, valid("virtualtryon")); got != catalog.Run {
		t.Errorf("virtualtryon goes over %s, want run", got)
	}
}

func TestNumbersAreReadInEveryFormThatJSONAndGoGiveThem(t *testing.T) {
	a, _ := catalog.Find("expandimage", "")
	for _, v := range []any{640, int32(640), int64(640), uint32(640), uint64(640), float32(640), 640.0, "640", " 640 ", json.Number("640")} {
		in := catalog.Fill(a, catalog.Task, catalog.Input{Values: catalog.Values{"targetWidth": v}})
		if in.Values["targetWidth"] != 640.0 {
			t.Errorf("%T %v is read as %T %v", v, v, in.Values["targetWidth"], in.Values["targetWidth"])
		}
	}
	for _, v := range []any{640.5, "640.5", "0x10", "1e3", math.NaN(), math.Inf(1), float64(1 << 60), json.Number("1.5"), true, []any{640.0}, map[string]any{}} {
		in := with(valid("expandimage"), "targetWidth", v)
		if got := fields(catalog.Refusals(catalog.Check(a, catalog.Task, in))); !slices.Equal(got, []string{"targetWidth"}) {
			t.Errorf("%T %v: problems with %v, want targetWidth", v, v, got)
		}
	}
}

// inputs draws requests that Check has nothing to refuse in, and some that it has.
func inputs(a catalog.Agent) *rapid.Generator[catalog.Input] {
	return rapid.Custom(func(t *rapid.T) catalog.Input {
		in := catalog.Input{Values: catalog.Values{}, Files: map[string][]string{}}
		in.TaskName = rapid.StringN(0, 20, -1).Draw(t, "taskName")
		for _, f := range a.Files {
			for i := range rapid.IntRange(0, f.Max).Draw(t, f.Name) {
				in.Files[f.Name] = append(in.Files[f.Name], "https://a.example/"+strconv.Itoa(i))
			}
		}
		for _, p := range a.Params {
			if rapid.Bool().Draw(t, p.Name+" given") {
				in.Values[p.Name] = value(t, p)
			}
		}
		return in
	})
}

func value(t *rapid.T, p catalog.Param) any {
	switch p.Kind {
	case catalog.Int, catalog.Preset:
		n := rapid.Int64Range(-(1<<53), 1<<53).Draw(t, p.Name)
		if rapid.Bool().Draw(t, p.Name+" as text") {
			return strconv.FormatInt(n, 10)
		}
		return float64(n)
	case catalog.Enum:
		return rapid.SampledFrom(p.Options).Draw(t, p.Name).Value
	case catalog.Bool:
		return rapid.Bool().Draw(t, p.Name)
	case catalog.Tags:
		var list []any
		for _, n := range rapid.SliceOfN(rapid.Int32Range(1, 1<<30), 1, 5).Draw(t, p.Name) {
			list = append(list, float64(n))
		}
		return list
	case catalog.Strings:
		var list []any
		for _, o := range rapid.SliceOfN(rapid.SampledFrom(p.Options), 1, 4).Draw(t, p.Name) {
			list = append(list, o.Value)
		}
		return list
	}
	return "x" + rapid.String().Draw(t, p.Name)
}

func TestWhatIsEncodedDecodesToTheSameRequest(t *testing.T) {
	for _, a := range catalog.All() {
		for _, s := range a.Surfaces {
			t.Run(a.Name+"/"+string(s), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					in := inputs(a).Draw(t, "input")
					for _, p := range a.Params {
						if !p.On(s) {
							delete(in.Values, p.Name)
						}
					}
					init, params := catalog.Encode(a, s, in)
					back, problems := catalog.Decode(a, s, overJSON(t, init), overJSON(t, params))
					if len(problems) > 0 {
						t.Fatalf("problems %v", problems)
					}
					if diff := cmp.Diff(catalog.Fill(a, s, in), back); diff != "" {
						t.Fatalf("(-sent +read):\n%s", diff)
					}
				})
			})
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("aimodel", []byte(`{"taskName":"a","originalImage":"https://a/b"}`), []byte(`{"batchCount":"4","locationTagIds":[1,"2"]}`))
	f.Add("virtualtryon", []byte(`{"originalImage":["https://a/b"]}`), []byte(`{"imageSize":null,"textDescription":[]}`))
	f.Fuzz(func(t *testing.T, agent string, initJSON, paramsJSON []byte) {
		a, ok := catalog.Find(agent, "")
		if !ok {
			return
		}
		var init, params map[string]any
		if json.Unmarshal(initJSON, &init) != nil || json.Unmarshal(paramsJSON, &params) != nil {
			return
		}
		for _, s := range a.Surfaces {
			in, _ := catalog.Decode(a, s, init, params)
			first := catalog.Check(a, s, in)
			again := catalog.Check(a, s, catalog.Fill(a, s, in))
			if diff := cmp.Diff(first, again); diff != "" {
				t.Fatalf("filling twice changes the verdict:\n%s", diff)
			}
		}
	})
}

func TestOneFileTooManyIsSentForTheOtherSideToRefuse(t *testing.T) {
	a, _ := catalog.Find("aipose", "")
	in := with(valid("aipose"))
	in.Files = map[string][]string{"originalImage": {photo, photo + "?2"}}
	init, params := catalog.Encode(a, run, in)
	back, problems := catalog.Decode(a, run, init, params)
	if got := fields(catalog.Refusals(catalog.Check(a, run, back))); len(problems) > 0 || !slices.Equal(got, []string{"originalImage"}) {
		t.Errorf("two pictures for one place: %v, refused %v", problems, got)
	}
}

func TestRecommendedIsReadAsPro(t *testing.T) {
	a, _ := catalog.Find("aipose", "v1.0")
	files := map[string]any{"originalImage": "https://example.com/a.jpg"}
	in, problems := catalog.Decode(a, catalog.Run, files, map[string]any{"textDescription": "turned", "generateVersion": "recommended"})
	if problems = append(problems, catalog.Refusals(catalog.Check(a, catalog.Run, in))...); len(problems) > 0 || in.Values["generateVersion"] != "pro" {
		t.Errorf("read as %v, %v", in.Values["generateVersion"], problems)
	}
	if _, params := catalog.Encode(a, catalog.Run, catalog.Input{Values: catalog.Values{"generateVersion": "recommended"}}); params["generateVersion"] != "pro" {
		t.Errorf("sent as %v", params["generateVersion"])
	}
	if s := catalog.SurfaceFor(a, catalog.Task, catalog.Input{Values: catalog.Values{"generateVersion": "recommended"}}); s != catalog.Run {
		t.Errorf("sent over the %s surface", s)
	}
}

// The service's guard against indecent results is not in the catalog, so nobody can turn it off.
func TestSafeGenerateIsNeverSent(t *testing.T) {
	for _, a := range catalog.All() {
		for _, s := range a.Surfaces {
			init, params := catalog.Encode(a, s, catalog.Input{Values: catalog.Values{"safeGenerate": "off"}})
			if init["safeGenerate"] != nil || params["safeGenerate"] != nil {
				t.Errorf("%s sends it over the %s surface: %v, %v", a.Name, s, init, params)
			}
		}
	}
}
