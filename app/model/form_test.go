package model

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/catalog"
)

func find(t *testing.T, name string) catalog.Agent {
	t.Helper()
	a, ok := catalog.Find(name, "")
	if !ok {
		t.Fatalf("the catalog has no %s", name)
	}
	return a
}

var photo = Source{Asset: &atelier.Asset{ID: "a1", Width: 1000, Height: 1400}}

// fieldNames are the fields in which something can be chosen.
func fieldNames(fields []Field) []string {
	var names []string
	for _, f := range fields {
		if f.Closed == "" {
			names = append(names, f.Param.Name)
		}
	}
	return names
}

func TestFormStartsWithTheFirstChoiceOfWhatIsRequired(t *testing.T) {
	f := NewForm(find(t, "aimodel"))
	want := catalog.Values{"generatedContent": "freeCreation", "maskType": "autoApparelSegment"}
	if diff := cmp.Diff(want, f.Values); diff != "" {
		t.Error(diff)
	}
	if f.Batch() != 4 {
		t.Errorf("Batch() = %d, want 4: the service's default", f.Batch())
	}
}

func TestFormChangesLeaveTheOldFormAlone(t *testing.T) {
	before := NewForm(find(t, "aimodel"))
	after := before.With("textDescription", "a beach").With("maskType", "custom")
	if before.Values["textDescription"] != nil || before.Values["maskType"] == "custom" {
		t.Errorf("the old form changed: %v", before.Values)
	}
	if after.Values["textDescription"] != "a beach" {
		t.Errorf("the new form is %v", after.Values)
	}
}

func TestSwitchingAgentsKeepsWhatFits(t *testing.T) {
	f := NewForm(find(t, "aimodel")).
		With("textDescription", "a beach").With("locationId", 7.0).With("maskType", "autoUpperApparelSegment").With("batchCount", 8.0)

	product := f.Switch(find(t, "aiproduct"))
	want := catalog.Values{
		"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", // autoUpperApparelSegment is not offered here
		"textDescription": "a beach", "locationId": 7.0, // the number of results is each agent's own
	}
	if diff := cmp.Diff(want, product.Values); diff != "" {
		t.Errorf("aiproduct after aimodel: %s", diff)
	}

	back := product.Switch(find(t, "expandimage")).Switch(find(t, "aimodel"))
	if diff := cmp.Diff(f.Values, back.Values); diff != "" {
		t.Errorf("aimodel taken up again: %s", diff)
	}
}

func TestClearingAValueForgetsItForOtherAgentsToo(t *testing.T) {
	f := NewForm(find(t, "aimodel")).With("textDescription", "a beach").With("textDescription", "")
	if v, ok := f.Switch(find(t, "aiproduct")).Values["textDescription"]; ok {
		t.Errorf("the cleared description came back: %v", v)
	}
}

func TestFieldsAppearWhenTheirConditionHolds(t *testing.T) {
	tests := []struct {
		name   string
		form   Form
		shown  []string
		hidden []string
	}{
		{"the shape is offered by the better engines only", NewForm(find(t, "virtualtryon")), nil, []string{"aspectRatio", "imageSize"}},
		{"high quality has a shape", NewForm(find(t, "virtualtryon")).With("generateVersion", "servicePro"), []string{"aspectRatio"}, []string{"imageSize"}},
		{"partner has both", NewForm(find(t, "virtualtryon")).With("generateVersion", "partnerPro"), []string{"aspectRatio", "imageSize"}, nil},
		{"masks have no field", NewForm(find(t, "aimodel")).With("maskType", "custom"), []string{"maskType"}, []string{"customMask", "customMaskUrl"}},
		{"a model without effect is not offered", NewForm(find(t, "aimodel")).With("maskType", "autoSubjectSegment"), nil, []string{"fashionModelId"}},
		{"what only the run surface knows is offered too", NewForm(find(t, "aipose")), []string{"generateVersion"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			names := map[string]bool{}
			for _, n := range fieldNames(tt.form.Fields(photo, Shown{})) {
				names[n] = true
			}
			for _, n := range tt.shown {
				if !names[n] {
					t.Errorf("%s is not shown", n)
				}
			}
			for _, n := range tt.hidden {
				if names[n] {
					t.Errorf("%s is shown", n)
				}
			}
		})
	}
}

// A field that depends on others says on what while it can be used, and why it cannot while it cannot.
func TestFieldsThatComeAndGoSayWhy(t *testing.T) {
	fields := 0
	for _, a := range catalog.All() {
		for _, r := range a.Rules {
			if r.Kind != catalog.OnlyWhen && r.Kind != catalog.NoEffectWhen {
				continue
			}
			forms := []Form{NewForm(a)}
			if p, ok := a.Param(r.When.Field); ok {
				if len(p.Options) == 0 {
					forms = append(forms, forms[0].With(p.Name, 1.0))
				}
				for _, o := range p.Options {
					forms = append(forms, forms[0].With(p.Name, o.Value))
				}
			} else {
				forms = append(forms, forms[0].WithFiles(r.When.Field, []atelier.Asset{{ID: "f", Kind: "video"}}))
			}
			for _, name := range r.Fields {
				if p, ok := a.Param(name); !ok || p.Kind == catalog.MaskPNG || p.Kind == catalog.MaskURL {
					continue
				}
				fields++
				open, closed := 0, 0
				for _, f := range forms {
					for _, field := range f.Fields(photo, Shown{}) {
						switch depends := r.Kind == catalog.OnlyWhen || r.When.Not; {
						case field.Param.Name != name:
						case field.Closed == r.Message:
							closed++
						case field.Closed == "" && (field.Because != "" || !depends):
							open++
						default:
							t.Errorf("%s: %s is closed for %q, here for %q", a.Name, name, field.Closed, field.Because)
						}
					}
				}
				if open == 0 || closed == 0 || open+closed != len(forms) {
					t.Errorf("%s: of %d forms %s is open in %d, and closed with its reason in %d", a.Name, len(forms), name, open, closed)
				}
			}
		}
	}
	if fields < 10 {
		t.Errorf("%d fields depend on others, want 10 at least", fields)
	}
	for agent, want := range map[string]string{"ai-poster": "Only with Engine: Nano or Nano 2.", "advanced-video": "Only with: Video to continue."} {
		f := NewForm(find(t, agent)).With("modelName", "nano").WithFiles("extendVideo", []atelier.Asset{{ID: "f", Kind: "video"}})
		if !slices.ContainsFunc(f.Fields(photo, Shown{}), func(f Field) bool { return f.Because == want }) {
			t.Errorf("%s: no field is here for %q", agent, want)
		}
	}
}

func TestAGivenValueWithoutEffectRestsWithItsReason(t *testing.T) {
	f := NewForm(find(t, "aimodel")).With("fashionModelId", 3.0).With("maskType", "autoSubjectSegment")
	for _, field := range f.Fields(photo, Shown{}) {
		if field.Param.Name != "fashionModelId" {
			continue
		}
		if !field.Resting || field.Note == "" {
			t.Errorf("fashionModelId: resting %v, note %q", field.Resting, field.Note)
		}
		if _, sent := f.With("textDescription", "a beach").Start(photo, "k", "").Values["fashionModelId"]; sent {
			t.Error("a value without effect is sent")
		}
		if _, sent := f.Start(photo, "k", "").Values["fashionModelId"]; !sent {
			t.Error("the one value that had to be there is not sent, since it has no effect")
		}
		return
	}
	t.Error("fashionModelId is not shown")
}

func TestChoosingWhatOneSurfaceKnowsMovesTheRunThere(t *testing.T) {
	f := NewForm(find(t, "aipose"))
	if f.Surface != catalog.Task {
		t.Fatalf("aipose starts on %s", f.Surface)
	}
	f = f.With("generateVersion", "pro")
	if f.Surface != catalog.Run || f.Start(photo, "k", "").Values["generateVersion"] != "pro" {
		t.Errorf("pro: surface %s, values %v", f.Surface, f.Start(photo, "k", "").Values)
	}
	if f = f.With("generateVersion", nil); f.Surface != catalog.Task {
		t.Errorf("without an engine: surface %s", f.Surface)
	}
}

func TestFieldsSayHowMuchMayBeGivenBeforeItIsTooMuch(t *testing.T) {
	poster := find(t, "ai-poster")
	poster.Params = slices.Clone(poster.Params)
	poster.Params[slices.IndexFunc(poster.Params, func(p catalog.Param) bool { return p.Kind == catalog.Text })].Max = new(300)
	canvas := NewForm(find(t, "expandimage"))
	tests := []struct {
		form        Form
		param, want string
	}{
		{canvas, "targetWidth", "1 to 4096 px"},
		{canvas, "fillLeft", "at least -992 px"},
		{canvas.With("targetWidth", 1200.0), "fillLeft", "-992 to 1192 px"},
		{canvas.With("targetHeight", 1500.0), "fillTop", "-1392 to 1492 px"},
		{canvas, "batchCount", "1 to 16"},
		{NewForm(find(t, "frames-to-video")), "duration", "2 to 12 s"},
		{NewForm(find(t, "image-to-video")), "duration", ""}, // one of two
		{NewForm(poster), "textDescription", "at most 300"},
		{NewForm(find(t, "aimodel")), "locationId", ""}, // an id is no number to choose
	}
	for _, tt := range tests {
		i := slices.IndexFunc(tt.form.Fields(photo, Shown{}), func(f Field) bool { return f.Param.Name == tt.param })
		if got := tt.form.Fields(photo, Shown{})[i].Range; got != tt.want {
			t.Errorf("%s of %s takes %q, want %q", tt.param, tt.form.Agent.Name, got, tt.want)
		}
	}
}

func TestProblemsWaitUntilTheyAreDue(t *testing.T) {
	f := NewForm(find(t, "expandimage"))
	problem := func(shown Shown, name string) string {
		for _, field := range f.Fields(photo, shown) {
			if field.Param.Name == name {
				return field.Problem
			}
		}
		return ""
	}
	if p := problem(Shown{}, "targetWidth"); p != "" {
		t.Errorf("an untouched field is scolded: %q", p)
	}
	if p := problem(Shown{All: true}, "targetWidth"); p == "" {
		t.Error("after the attempt the missing width is not named")
	}
	f = f.With("targetWidth", 9000.0)
	if p := problem(Shown{Touched: map[string]bool{"targetWidth": true}}, "targetWidth"); p == "" {
		t.Error("a width that is too large is not named while typing")
	}
	f = f.With("targetWidth", 2000.0)
	if p := problem(Shown{Server: map[string]string{"targetWidth": "Not today."}}, "targetWidth"); p != "Not today." {
		t.Errorf("what the server says is shown as %q", p)
	}
}

func TestAPaintedMaskCountsOnlyWhereItIsAskedFor(t *testing.T) {
	painted := photo
	painted.Mask = true
	auto := NewForm(find(t, "removeBG"))
	if auto.PaintsMask() {
		t.Error("an automatic mask is painted")
	}
	custom := auto.With("maskType", "custom")
	if !custom.PaintsMask() {
		t.Fatal("maskType custom does not turn the painter on")
	}
	if p := FirstRefusal(custom.Problems(photo)); p == nil || p.Field != "customMask" {
		t.Errorf("nothing painted: %+v", p)
	}
	if p := FirstRefusal(custom.Problems(painted)); p != nil {
		t.Errorf("painted: %+v", p)
	}
	if _, sent := custom.Start(painted, "k", "").Values["customMask"]; sent {
		t.Error("the stand-in for the mask is sent as a value")
	}
}

func TestStartHoldsTheSourceTheFilesAndTheBatch(t *testing.T) {
	f := NewForm(find(t, "virtualtryon")).With("descriptionType", "auto").
		WithFiles("fashionModelImage", []atelier.Asset{{ID: "m1"}})
	got := f.Start(photo, "key", "A dress")
	want := atelier.StartRun{
		IntentKey: "key", Agent: "virtualtryon", Version: "v1.0", Title: "A dress",
		Values: map[string]any{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1.0},
		Files:  map[string][]string{"originalImage": {"a1"}, "fashionModelImage": {"m1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if p := FirstRefusal(f.Problems(photo)); p != nil {
		t.Errorf("the form is refused: %+v", p)
	}
	// The button says how many there will be: what is out of range is replaced.
	for agent, counts := range map[string]map[float64]int{"aimodel": {1: 1, 16: 16, 17: 4, 0: 4, 2.5: 4}, "z-image": {40: 1, 3: 3}, "video-upscaler-online-free": {3: 1}} {
		for given, want := range counts {
			if got := NewForm(find(t, agent)).With("batchCount", given).Batch(); got != want {
				t.Errorf("%s, %v wanted: %d are made, want %d", agent, given, got, want)
			}
		}
	}
}

func TestDraftBringsTheFormBack(t *testing.T) {
	f := NewForm(find(t, "aiproduct")).With("textDescription", "a shelf").With("batchCount", 2.0)
	draft := ReadDraft(f.Draft("a1").Encode())
	if draft.Asset != "a1" {
		t.Errorf("asset = %q", draft.Asset)
	}
	back := draft.Form(catalog.All())
	if back.Agent.Name != "aiproduct" {
		t.Fatalf("agent = %q", back.Agent.Name)
	}
	if diff := cmp.Diff(f.Values, back.Values); diff != "" {
		t.Error(diff)
	}
	if first := ReadDraft("not json").Form(catalog.All()); first.Agent.Name != catalog.All()[0].Name {
		t.Errorf("without a draft the form is for %q", first.Agent.Name)
	}
}

func TestRecallTakesTheValuesOfARunAndNamesWhatItCannotTake(t *testing.T) {
	a := find(t, "removeBG")
	a.Params = slices.Clone(a.Params)
	a.Params[0].Options = slices.Clone(a.Params[0].Options)
	a.Params[0].Options[0].Wire = "subjectOfTheService"
	f := NewForm(find(t, "aimodel")).With("negTextDescription", "people")
	tests := []struct {
		name   string
		values map[string]any
		want   catalog.Values
		left   []string
	}{
		{"a run of ours", map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#102030", "batchCount": 2.0}, catalog.Values{"maskType": "autoSubjectSegment", "backgroundHex": "#102030", "batchCount": 2.0}, nil},
		{"numbers as text, an option in the words of the service", map[string]any{"maskType": "subjectOfTheService", "batchCount": "2", "backgroundId": "7"}, catalog.Values{"maskType": "autoSubjectSegment", "batchCount": 2.0, "backgroundId": 7.0}, nil},
		{"an option and a param that are gone", map[string]any{"maskType": "autoSkySegment", "strange": true, "batchCount": 3.0}, catalog.Values{"batchCount": 3.0}, []string{"What to keep", "strange"}},
		{"nothing is no loss", map[string]any{"backgroundHex": "", "strange": nil, "customMaskUrl": "https://a.example/m.png"}, catalog.Values{}, nil},
	}
	for _, tt := range tests {
		back, left := f.Recall(a, tt.values, nil)
		if diff := cmp.Diff(tt.want, back.Values); diff != "" {
			t.Errorf("%s: values (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.left, left); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", tt.name, diff)
		}
	}
}

// What stood in the form before a run was taken up again is gone, after a reload as well.
func TestARecalledFormIsTheSameAfterAReload(t *testing.T) {
	a := find(t, "image-studio")
	picture := atelier.Asset{ID: "p", Width: 800, Height: 800}
	f := NewForm(a).With("textDescription", "a shelf").With("aspectRatio", "16:9").WithFiles(a.Files[0].Name, []atelier.Asset{picture})
	back, left := f.Recall(a, map[string]any{"textDescription": "a table"}, nil)
	if len(left) > 0 {
		t.Errorf("left out: %v", left)
	}
	again := ReadDraft(back.Draft("").Encode()).Form(catalog.All())
	if diff := cmp.Diff(catalog.Values{"textDescription": "a table"}, again.Values); diff != "" {
		t.Errorf("values after a reload (-want +got):\n%s", diff)
	}
	if n := len(again.Files[a.Files[0].Name]); n > 0 {
		t.Errorf("%d files came back that the run did not have", n)
	}
}

// Files that the agent has no place for any more are named, not lost without a word.
func TestRecallNamesTheFilesItHasNoPlaceFor(t *testing.T) {
	a := find(t, "image-studio")
	field := a.Files[0]
	many := slices.Repeat([]atelier.Asset{{ID: "p", Width: 800, Height: 800}}, field.Max+1)
	f, left := NewForm(a).Recall(a, map[string]any{"textDescription": "a table"}, map[string][]atelier.Asset{field.Name: many, "formerly": many[:1]})
	if diff := cmp.Diff([]string{field.Title, "formerly"}, left); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if got := f.Files[field.Name]; len(got) != field.Max {
		t.Errorf("the form holds %d pictures, want %d", len(got), field.Max)
	}
}

func TestForcedValueIsShownWithItsReasonAndNotSent(t *testing.T) {
	f := NewForm(find(t, "advanced-video")).With("aspectRatio", "9:16").With("textDescription", "a slow turn")
	if _, _, forced := f.Forced("aspectRatio"); forced {
		t.Fatal("the shape is forced without a first frame")
	}
	f = f.WithFiles("firstFrame", []atelier.Asset{{ID: "f1", Kind: "image"}})
	for _, field := range f.Fields(Source{}, Shown{}) {
		if field.Param.Name == "aspectRatio" && (field.Forced != "adaptive" || field.Note != "With a first frame, the shape is adaptive: that of the frame.") {
			t.Errorf("forced %q because %q", field.Forced, field.Note)
		}
	}
	if v, sent := f.Start(Source{}, "k", "").Values["aspectRatio"]; sent {
		t.Errorf("the shape %v is sent against the rule", v)
	}
	if p := FirstRefusal(f.Problems(Source{})); p != nil {
		t.Errorf("the form is refused: %+v", p)
	}
	f = f.WithFiles("firstFrame", nil)
	if v := f.Start(Source{}, "k", "").Values["aspectRatio"]; v != "9:16" {
		t.Errorf("without the frame the shape is %v, want the one chosen before", v)
	}
}

// What is shown as chosen before anything is, and counts as something else, says so from the start.
func TestAnUntouchedFormSaysWhatItsDefaultComesTo(t *testing.T) {
	f := NewForm(find(t, "multimodal-video"))
	shape := func() Field {
		t.Helper()
		fields := f.Fields(Source{}, Shown{})
		return fields[slices.IndexFunc(fields, func(field Field) bool { return field.Param.Name == "aspectRatio" })]
	}
	if got := shape(); got.Value != nil || got.Default != "adaptive" || !strings.Contains(got.Note, "16:9 is used") {
		t.Errorf("untouched, the shape is %v, %v by default, with the note %q", got.Value, got.Default, got.Note)
	}
	f = f.WithFiles("images", []atelier.Asset{{ID: "a", Width: 600, Height: 800}})
	if got := shape(); got.Note != "" {
		t.Errorf("with a picture to follow, the note is %q", got.Note)
	}
	f = f.WithFiles("images", nil).With("aspectRatio", "1:1")
	if got := shape(); got.Note != "" {
		t.Errorf("square, the note is %q", got.Note)
	}
}

func TestOptionsForOtherCircumstancesAreBarredWithTheReason(t *testing.T) {
	barred := func(f Form, param string) map[string]string {
		for _, field := range f.Fields(Source{}, Shown{}) {
			if field.Param.Name == param {
				return field.Barred
			}
		}
		return nil
	}
	f := NewForm(find(t, "image-studio"))
	want := map[string]string{"4:5": "Shape: 4:5 and 5:4 are for the Pro engine only.", "5:4": "Shape: 4:5 and 5:4 are for the Pro engine only."}
	if diff := cmp.Diff(want, barred(f, "aspectRatio")); diff != "" {
		t.Error(diff)
	}
	if got := barred(f.With("modelName", "pro"), "aspectRatio"); len(got) > 0 {
		t.Errorf("with the Pro engine %v", got)
	}
}

func TestFileFieldsOpenAndCloseWithWhatIsGiven(t *testing.T) {
	slot := func(f Form, name string) Slot {
		s, ok := f.Slot(Source{}, name)
		if !ok {
			t.Fatalf("no file field %s", name)
		}
		return s
	}
	f := NewForm(find(t, "advanced-video"))
	if s := slot(f, "lastFrame"); s.Room != 0 || s.Because != "A last frame needs a first frame." {
		t.Errorf("last frame without a first: %+v", s)
	}
	first := f.WithFiles("firstFrame", []atelier.Asset{{ID: "f1"}})
	if s := slot(first, "lastFrame"); s.Room != 1 || s.Because != "" {
		t.Errorf("last frame after a first: %+v", s)
	}
	if s := slot(first, "images"); s.Room != 0 || s.Because == "" {
		t.Errorf("references beside a first frame: %+v", s)
	}
	if s := slot(first, "firstFrame"); s.Because != "" {
		t.Errorf("the first frame excludes itself: %+v", s)
	}
	films := f.WithFiles("videos", make([]atelier.Asset, 10))
	if s := slot(films, "extendVideo"); s.Room != 1 { // the assets have no id yet, so the catalog counts none of them
		t.Errorf("%+v", s)
	}
	for i := range films.Files["videos"] {
		films.Files["videos"][i].ID = "v"
	}
	if s := slot(films, "extendVideo"); s.Room != 0 {
		t.Errorf("a film to continue beside ten reference films: %+v", s)
	}
}

func TestFilmIsCheckedByWhatItsHeaderSays(t *testing.T) {
	f := NewForm(find(t, "advanced-video")).With("textDescription", "go on")
	problem := func(a atelier.Asset) string {
		a.Kind = "video"
		for _, s := range f.WithFiles("videos", []atelier.Asset{a}).Slots(Source{}, Shown{Touched: map[string]bool{"videos": true}}) {
			if s.File.Name == "videos" {
				return s.Problem
			}
		}
		return ""
	}
	const want = "Each video must be MP4 or MOV, 480p or 720p, and last 2 to 30 seconds."
	if p := problem(atelier.Asset{ID: "v", Format: "mp4", Width: 1280, Height: 720, Seconds: 6}); p != "" {
		t.Errorf("a film of 720p and 6 s: %q", p)
	}
	for name, a := range map[string]atelier.Asset{
		"too short":   {ID: "v", Format: "mp4", Width: 1280, Height: 720, Seconds: 1},
		"too fine":    {ID: "v", Format: "mp4", Width: 1920, Height: 1080, Seconds: 6},
		"another box": {ID: "v", Format: "webm", Width: 1280, Height: 720, Seconds: 6},
	} {
		if p := problem(a); p != want {
			t.Errorf("%s: %q", name, p)
		}
	}
}

func TestFilesAndChoicesComeBackWithTheirAgent(t *testing.T) {
	four := []atelier.Asset{{ID: "1"}, {ID: "2"}, {ID: "3"}, {ID: "4"}}
	f := NewForm(find(t, "image-studio")).With("modelName", "pro").With("textDescription", "a fox").WithFiles("images", four)
	pair := f.Switch(find(t, "ai-image-combiner"))
	if got := pair.Files["images"]; len(got) != 2 || pair.Values["textDescription"] != "a fox" {
		t.Errorf("two of the pictures and the words go along: %v, %v", got, pair.Values)
	}
	video := pair.Switch(find(t, "text-to-video")).With("modelName", "fast").With("batchCount", 3.0)
	back := ReadDraft(video.Draft("").Encode()).Form(catalog.All()).Switch(find(t, "image-studio"))
	if len(back.Files["images"]) != 4 || back.Values["modelName"] != "pro" {
		t.Errorf("after a reload: %v, %v", back.Files["images"], back.Values)
	}
	if back.Batch() != 1 {
		t.Errorf("three videos became %d pictures", back.Batch())
	}
}

func TestRecallBringsTheFilesInTheirOrder(t *testing.T) {
	f := NewForm(find(t, "ai-clothes-changer")).WithFiles("images", []atelier.Asset{{ID: "x"}})
	back, _ := f.Recall(find(t, "ai-clothes-changer"), nil, map[string][]atelier.Asset{"images": {{ID: "person"}, {ID: "garment"}}})
	if got := back.Files["images"]; len(got) != 2 || got[0].ID != "person" || got[1].ID != "garment" {
		t.Errorf("%+v", got)
	}
}

// Whatever is chosen for one agent, the next one begins with nothing of it that it would refuse.
func TestNoChoiceIsCarriedToAnAgentThatRefusesIt(t *testing.T) {
	tried := 0
	type choice struct{ name, value string }
	seen := map[choice]bool{}
	for _, a := range catalog.All() {
		for _, p := range a.Params {
			var values []string
			for _, o := range p.Options {
				values = append(values, o.Value)
			}
			if p.Kind == catalog.Duration && p.Min != nil && p.Max != nil {
				values = append(values, strconv.Itoa(*p.Min)+"s", strconv.Itoa(*p.Max)+"s")
			}
			for _, v := range values {
				if p.Kind != catalog.Enum && p.Kind != catalog.Duration || seen[choice{p.Name, v}] {
					continue
				}
				seen[choice{p.Name, v}] = true
				given := NewForm(a).With(p.Name, v)
				for _, b := range catalog.All() {
					if _, takes := b.Param(p.Name); !takes || b.Name == a.Name {
						continue
					}
					tried++
					for _, problem := range given.Switch(b).Problems(photo) {
						if problem.Field == p.Name && !problem.Note {
							t.Errorf("%s with %s %s, then %s: %s", a.Name, p.Name, v, b.Name, problem.Message)
						}
					}
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d changes were tried, want at least 500", tried)
	}
}

// A number that is out of range stays where it was typed, also after a reload; another agent is not given it.
func TestAWrongNumberStaysWhereItWasTyped(t *testing.T) {
	f := NewForm(find(t, "expandimage")).With("targetWidth", 9000.0)
	back := ReadDraft(f.Draft("a1").Encode()).Form(catalog.All())
	if back.Value("targetWidth") != 9000.0 {
		t.Errorf("after a reload the width is %v", back.Value("targetWidth"))
	}
	many := NewForm(find(t, "aimodel")).With("batchCount", 99.0)
	if v, ok := many.Switch(find(t, "aiproduct")).Values["batchCount"]; ok {
		t.Errorf("aiproduct begins with %v results", v)
	}
	if v := many.Switch(find(t, "aiproduct")).Switch(find(t, "aimodel")).Values["batchCount"]; v != 99.0 {
		t.Errorf("taken up again, aimodel has %v results", v)
	}
}

func TestCountBelongsToItsAgent(t *testing.T) {
	model := NewForm(find(t, "aimodel")).With("batchCount", 16.0)
	cut := model.Switch(find(t, "removeBG"))
	if n := cut.Batch(); n != 1 {
		t.Errorf("a cut-out begins with %d images", n)
	}
	cut = cut.With("batchCount", 3.0)
	back := ReadDraft(cut.Draft("").Encode()).Form(catalog.All())
	if n := back.Batch(); n != 3 {
		t.Errorf("after a reload the cut-out has %d images", n)
	}
	if n := back.Switch(find(t, "aimodel")).Batch(); n != 16 {
		t.Errorf("taken up again, the first agent has %d images", n)
	}
	if n := back.Switch(find(t, "aiproduct")).Batch(); n != 4 {
		t.Errorf("an agent that is new begins with %d images", n)
	}
}
