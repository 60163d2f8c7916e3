package model

import (
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

func fieldNames(fields []Field) []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Param.Name)
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
		"textDescription": "a beach", "locationId": 7.0, "batchCount": 8.0,
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

func TestAGivenValueWithoutEffectRestsWithItsReason(t *testing.T) {
	f := NewForm(find(t, "aimodel")).With("fashionModelId", 3.0).With("maskType", "autoSubjectSegment")
	for _, field := range f.Fields(photo, Shown{}) {
		if field.Param.Name != "fashionModelId" {
			continue
		}
		if !field.Resting || field.Note == "" {
			t.Errorf("fashionModelId: resting %v, note %q", field.Resting, field.Note)
		}
		if _, sent := f.Start(photo, "k", "").Values["fashionModelId"]; sent {
			t.Error("a value without effect is sent")
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

func TestRecallTakesTheValuesOfARun(t *testing.T) {
	f := NewForm(find(t, "aimodel")).With("negTextDescription", "people")
	back := f.Recall(find(t, "removeBG"), map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#102030", "batchCount": 2.0, "strange": true})
	want := catalog.Values{"maskType": "autoSubjectSegment", "backgroundHex": "#102030", "batchCount": 2.0}
	if diff := cmp.Diff(want, back.Values); diff != "" {
		t.Error(diff)
	}
}

func TestTargetIsTheCanvasAroundThePicture(t *testing.T) {
	f := NewForm(find(t, "expandimage"))
	if got := f.Target(100, 50); !got.Empty() {
		t.Errorf("without a size: %v", got)
	}
	f = f.With("targetWidth", 300.0).With("targetHeight", 150.0)
	if got := f.Target(100, 50); got.Min.X != -100 || got.Max.X != 200 || got.Min.Y != -50 || got.Max.Y != 100 {
		t.Errorf("centred: %v", got)
	}
	if got := f.With("fillLeft", 0.0).With("fillTop", 10.0).Target(100, 50); got.Min.X != 0 || got.Min.Y != -10 || got.Dx() != 300 {
		t.Errorf("placed: %v", got)
	}
}
