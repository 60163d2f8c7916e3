package model

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"atelier/atelier"
	"atelier/imaging/mask"
)

func TestFitShowsTheWholePictureAndNeverEnlargesIt(t *testing.T) {
	tests := []struct {
		name           string
		picture, stage Size
		want           View
	}{
		{"large", Size{2000, 1000}, Size{1064, 864}, View{32, 182, .5, 0}},
		{"small stays as it is", Size{100, 100}, Size{1000, 500}, View{450, 200, 1, 0}},
		{"no stage yet", Size{100, 100}, Size{}, View{Scale: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fit(tt.picture, tt.stage); got != tt.want {
				t.Errorf("Fit = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestFittedPicturesStandBesideTheTools(t *testing.T) {
	stage, desk := Size{1040, 720}, Covered{Left: 56, Top: 52, Right: 332}
	for _, tt := range []struct {
		name    string
		picture Size
		covered Covered
		want    Box // that the picture has to stay in
	}{
		{"a small one in the middle", Size{200, 200}, desk, Box{420, 260, 200, 200}},
		{"a tall one", Size{500, 2000}, desk, Box{56, 52, 652, 668}},
		{"a wide one", Size{4000, 1000}, desk, Box{56, 52, 652, 668}},
		{"a wide one without a panel", Size{4000, 1000}, Covered{Left: 56, Top: 52}, Box{56, 52, 984, 668}},
		{"one as large as the room", Size{3000, 3000}, desk, Box{56, 52, 652, 668}},
		{"above the tools of a phone", Size{1000, 9000}, Covered{Top: 44, Bottom: 128}, Box{0, 44, 1040, 548}},
	} {
		for _, angle := range []float64{0, 15} {
			got := FitBeside(tt.picture, stage, angle, tt.covered).Bounds(tt.picture)
			const slack = 30 // what a small picture is larger by when it is turned
			allowed := Box{tt.want.X, tt.want.Y, tt.want.W, tt.want.H}
			if angle != 0 && tt.picture.W == 200 {
				allowed = Box{allowed.X - slack, allowed.Y - slack, allowed.W + 2*slack, allowed.H + 2*slack}
			}
			if got.X < allowed.X || got.Y < allowed.Y || got.X+got.W > allowed.X+allowed.W+.01 || got.Y+got.H > allowed.Y+allowed.H+.01 {
				t.Errorf("%s, turned by %v: it takes %+v, of %+v", tt.name, angle, got, allowed)
			}
		}
	}
}

func TestZoomKeepsThePointUnderThePointer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := View{rapid.Float64Range(-500, 500).Draw(t, "x"), rapid.Float64Range(-500, 500).Draw(t, "y"), rapid.Float64Range(.05, 8).Draw(t, "scale"), rapid.Float64Range(0, 359).Draw(t, "angle")}
		x, y := rapid.Float64Range(0, 1000).Draw(t, "px"), rapid.Float64Range(0, 1000).Draw(t, "py")
		wantX, wantY := v.ToPicture(x, y)
		gotX, gotY := v.Zoom(rapid.Float64Range(.1, 10).Draw(t, "factor"), x, y).ToPicture(x, y)
		if math.Abs(gotX-wantX) > 1e-6*(1+math.Abs(wantX)) || math.Abs(gotY-wantY) > 1e-6*(1+math.Abs(wantY)) {
			t.Fatalf("(%v, %v) moved to (%v, %v)", wantX, wantY, gotX, gotY)
		}
	})
}

func TestPictureCannotBeLost(t *testing.T) {
	v := View{-5000, 9000, 1, 0}.Hold(Size{400, 300}, Size{1000, 800})
	if v.X != 48-400 || v.Y != 800-48 {
		t.Errorf("Hold = %+v", v)
	}
}

func TestBrushStaysWithinItsLimits(t *testing.T) {
	if got := Brush(MinBrush, -3); got != MinBrush {
		t.Errorf("smallest, smaller: %d", got)
	}
	if got := Brush(MaxBrush, 2); got != MaxBrush {
		t.Errorf("largest, larger: %d", got)
	}
	if got := Brush(10, 1); got != 11 {
		t.Errorf("10, larger: %d", got)
	}
}

func TestMaskDraftComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		plane := mask.New(w, h)
		for i := range plane.Pix {
			if rapid.Bool().Draw(t, "painted") {
				plane.Pix[i] = 255
			}
		}
		got, err := UnpackMask(PackMask(plane), w, h)
		if err != nil || !got.Equal(plane) {
			t.Fatalf("%v, equal %v", err, got.Equal(plane))
		}
	})
}

func TestMaskDraftOfAnotherPictureIsRefused(t *testing.T) {
	packed := PackMask(mask.New(10, 10))
	for _, data := range [][]byte{packed, nil, {10}, {11, 10}, {11, 10, 200, 1}} {
		if _, err := UnpackMask(data, 11, 10); !errors.Is(err, ErrMaskDraft) {
			t.Errorf("UnpackMask(%v) = %v", data, err)
		}
	}
}

func BenchmarkPackMask4096(b *testing.B) {
	plane := mask.New(4096, 4096)
	for y := 1000; y < 3000; y++ {
		for x := 500 + y/4; x < 2500+y/5; x++ {
			plane.Pix[y*4096+x] = 255
		}
	}
	b.SetBytes(int64(len(plane.Pix)))
	for b.Loop() {
		PackMask(plane)
	}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestRunsStayNewestFirstAndDropOldNews(t *testing.T) {
	at := func(id atelier.RunID, minute, updated int, state atelier.State) atelier.Run {
		return atelier.Run{ID: id, CreatedAt: noon.Add(time.Duration(minute) * time.Minute), UpdatedAt: noon.Add(time.Duration(updated) * time.Minute), State: state}
	}
	var l Runs
	l = l.Merge(at("b", 2, 2, atelier.StateRecorded), at("a", 1, 1, atelier.StateDone), at("c", 3, 3, atelier.StateRecorded))
	l = l.Merge(at("b", 2, 9, atelier.StateDone), at("b", 2, 5, atelier.StateAccepted))
	var ids []atelier.RunID
	for _, r := range l {
		ids = append(ids, r.ID)
	}
	if diff := cmp.Diff([]atelier.RunID{"c", "b", "a"}, ids); diff != "" {
		t.Error(diff)
	}
	if b, _ := l.Find("b"); b.State != atelier.StateDone {
		t.Errorf("older news won: %s", b.State)
	}
	if l.Active() != 1 {
		t.Errorf("Active = %d", l.Active())
	}
}

func TestAStoredResultStaysStored(t *testing.T) {
	l := Runs{{ID: "r", Results: []atelier.Result{{ID: "x", RunID: "r", Stored: true}}}}
	before := slices.Clone(l[0].Results)
	l2 := l.MergeResult(atelier.Result{ID: "x", RunID: "r", Progress: .5}).MergeResult(atelier.Result{ID: "y", RunID: "r", Index: 1})
	if !l2[0].Results[0].Stored || len(l2[0].Results) != 2 {
		t.Errorf("%+v", l2[0].Results)
	}
	known := &atelier.Fidelity{Comparable: true}
	compared := l2.MergeResult(atelier.Result{ID: "x", RunID: "r", Stored: true, Fidelity: known})
	if r := compared.MergeResult(atelier.Result{ID: "x", RunID: "r", Stored: true})[0].Results[0]; r.Fidelity == nil {
		t.Error("an answer older than the comparison takes it away")
	}
	if diff := cmp.Diff(before, l[0].Results); diff != "" {
		t.Errorf("the old list changed: %s", diff)
	}
}

func TestWordsOfARun(t *testing.T) {
	eta, past, two := 90, 0, 2
	item := func(s atelier.Status, p float64, stored bool) atelier.Result {
		return atelier.Result{Status: s, Progress: p, Stored: stored}
	}
	tests := []struct {
		run  atelier.Run
		want string
		tone Tone
	}{
		{atelier.Run{State: atelier.StateRecorded}, "Waiting to be sent", Waiting},
		{atelier.Run{State: atelier.StateAmbiguous}, "Checking whether it arrived", Unsure},
		{atelier.Run{State: atelier.StateAccepted, Status: atelier.Pending}, "Queued, no estimate yet", Waiting},
		{atelier.Run{State: atelier.StateAccepted, Status: atelier.Pending, ETA: &past}, "Queued, longer than usual", Waiting},
		{atelier.Run{State: atelier.StateRecorded, Queue: &past}, "Waiting to be sent", Waiting},
		{atelier.Run{State: atelier.StateRecorded, Queue: &two}, "Waiting to be sent, 2 ahead", Waiting},
		{atelier.Run{State: atelier.StateAccepted, Status: atelier.Segmenting}, "Finding what to keep", Busy},
		{atelier.Run{State: atelier.StateAccepted, Status: atelier.Running, ETA: &eta, Results: []atelier.Result{item(atelier.Running, .5, false), item(atelier.Pending, 0, false)}}, "Running 25 %, about 2 min left", Busy},
		{atelier.Run{State: atelier.StateAccepted, Status: atelier.Running, Results: []atelier.Result{item(atelier.Success, 1, true), item(atelier.Running, 0, false)}}, "1 of 2 ready, no estimate yet", Busy},
		{atelier.Run{State: atelier.StateAccepted, Status: "Reticulating"}, "Reticulating", Waiting},
		{atelier.Run{State: atelier.StateDone, Status: atelier.Success, Results: []atelier.Result{item(atelier.Success, 1, true), item(atelier.Failed, 0, false)}}, "1 of 2, 1 failed", Good},
		{atelier.Run{State: atelier.StateFailed, Status: atelier.Failed}, "Failed", Bad},
	}
	for _, tt := range tests {
		if got := RunWords(tt.run); got != tt.want {
			t.Errorf("RunWords(%s, %s) = %q, want %q", tt.run.State, tt.run.Status, got, tt.want)
		}
		if got := RunTone(tt.run); got != tt.tone {
			t.Errorf("RunTone(%s, %s) = %q, want %q", tt.run.State, tt.run.Status, got, tt.tone)
		}
	}
}

func TestWordsOfAnExecution(t *testing.T) {
	for status, want := range map[atelier.Status]string{
		atelier.Success: "Done", atelier.Failed: "Failed", atelier.Running: "Running", atelier.Segmenting: "Finding what to keep", atelier.Pending: "Queued", "Paused": "Paused",
	} {
		if got := ExecutionWords(status); got != want {
			t.Errorf("%s is %q, want %q", status, got, want)
		}
	}
}

func TestValuesOfARunInWords(t *testing.T) {
	got := InWords(find(t, "aimodel"), map[string]any{
		"maskType": "autoUpperApparelSegment", "locationId": 12.0, "resizeToOriginalImage": true, "batchCount": 4.0, "locationTagIds": []any{1.0, 2.0}, "fashionModelId": 3.0,
	}, func(kind string, id int64) string {
		if kind == "fashionModels" && id == 3 {
			return "Maren"
		}
		return ""
	})
	want := []Line{
		{"What to keep", "Keep the top", "maskType"},
		{"Scene", "No. 12", "locationId"},
		{"Scene tags", "1, 2", "locationTagIds"},
		{"Model", "Maren", "fashionModelId"},
		{"Same size as the photo", "Yes", "resizeToOriginalImage"},
		{"Images", "4", "batchCount"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestPresetsAreFoundByNameTagAndStyle(t *testing.T) {
	var l PresetList
	l = l.Add(atelier.PresetPage{Page: 1, Total: 3, Presets: []atelier.Preset{
		{ID: 1, Name: "Beach", Tags: []atelier.Tag{{ID: 9, Name: "Summer"}}}, {ID: 2, Name: "Loft", Style: "Cool"},
	}})
	l = l.Add(atelier.PresetPage{Page: 2, Total: 3, LastPage: true, Presets: []atelier.Preset{{ID: 3, Name: "Loft window", Tags: []atelier.Tag{{ID: 9, Name: "Summer"}, {ID: 8, Name: "City"}}}}})
	for query, want := range map[string]int{"": 3, "loft": 2, "loft summer": 1, "COOL": 1, "nothing": 0} {
		if got := len(l.Search(query, 0)); got != want {
			t.Errorf("Search(%q) finds %d, want %d", query, got, want)
		}
	}
	if found := l.Search("window", 9); len(found) != 1 || found[0].ID != 3 {
		t.Errorf("with a tag: %+v", found)
	}
	if found := l.Search("loft", 8); len(found) != 1 || len(l.Search("beach", 8)) != 0 {
		t.Errorf("with another tag: %+v", found)
	}
	if diff := cmp.Diff([]atelier.Tag{{ID: 8, Name: "City"}, {ID: 9, Name: "Summer"}}, l.Tags()); diff != "" {
		t.Error(diff)
	}
	if first := l.First(3, 2); first[1].ID != 3 {
		t.Errorf("the chosen preset is not among the first: %+v", first)
	}
	if !l.Last || l.NameOf(2, "") != "Loft" {
		t.Errorf("last %v, name %q", l.Last, l.NameOf(2, ""))
	}
}

func TestIntentKeysAreLongAndNeverTheSame(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		key := NewIntentKey()
		if len(key) < 22 || len(key) > 64 || seen[key] {
			t.Fatalf("key %q", key)
		}
		seen[key] = true
	}
}

func TestPicturesStandOnTheStageAsLargeAsTheyCan(t *testing.T) {
	wide, tall := Size{W: 1050, H: 720}, Size{W: 390, H: 430}
	for _, tt := range []struct {
		n      int
		aspect float64
		stage  Size
		want   int
	}{
		{1, .7, wide, 1},
		{2, .7, wide, 2},
		{3, .7, wide, 3},
		{4, .7, wide, 4},
		{4, 1.5, wide, 2},
		{16, 1, wide, 4},
		{2, 2, wide, 1},
		{4, .7, tall, 2},
		{2, 1.5, tall, 1},
		{4, 1, Size{}, 2},
		{0, 1, wide, 1},
	} {
		if got := Columns(tt.n, tt.aspect, tt.stage); got != tt.want {
			t.Errorf("%d pictures of %g on %v stand in %d columns, want %d", tt.n, tt.aspect, tt.stage, got, tt.want)
		}
	}
}

func TestTheStageShowsWhatAnAgentMadeLast(t *testing.T) {
	made := []atelier.Result{{ID: "r", Stored: true}}
	runs := Runs{
		{ID: "other", Agent: "ai-poster", State: atelier.StateDone, Results: made},
		{ID: "failed", Agent: "z-image", State: atelier.StateFailed},
		{ID: "emptied", Agent: "z-image", State: atelier.StateDone},
		{ID: "made", Agent: "z-image", State: atelier.StateDone, Results: made},
	}
	if got, ok := runs.Newest("z-image"); !ok || got.ID != "made" {
		t.Errorf("the newest is %q", got.ID)
	}
	making := append(Runs{{ID: "making", Agent: "z-image", State: atelier.StateRecorded}}, runs...)
	if got, ok := making.Newest("z-image"); !ok || got.ID != "making" {
		t.Errorf("with one being made the newest is %q", got.ID)
	}
	if got, ok := runs.Newest("ai-logo"); ok {
		t.Errorf("the newest of an agent without runs is %q", got.ID)
	}
}

func TestRecommendedIsShownAndRecalledAsPro(t *testing.T) {
	pose, values := find(t, "aipose"), map[string]any{"textDescription": "turned", "generateVersion": "recommended"}
	lines := InWords(pose, values, func(string, int64) string { return "" })
	if diff := cmp.Diff([]Line{{"Pose", "turned", "textDescription"}, {"Engine", "Pro", "generateVersion"}}, lines); diff != "" {
		t.Error(diff)
	}
	back, left := NewForm(find(t, "removeBG")).Recall(pose, values, nil)
	if back.Values["generateVersion"] != "pro" || len(left) > 0 {
		t.Errorf("recalled as %v, without %v", back.Values, left)
	}
	if start := back.Start(photo, "", ""); start.Values["generateVersion"] != "pro" {
		t.Errorf("sent as %v", start.Values)
	}
}
