package pages

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/testpics"
)

func TestPictureThatBreaksARuleIsNotSent(t *testing.T) {
	tests := []struct {
		name string
		file browser.File
		want string
	}{
		{"too long", browser.NewFile("long.png", testpics.PNGHeader(1080, 2400, 8, 2)), "This picture is 1080 × 2400, a ratio of 2.22."},
		{"too small", browser.NewFile("small.png", testpics.PNGHeader(512, 600, 8, 2)), "more than 512 pixels on each side"},
		{"no picture", browser.NewFile("notes.txt", []byte("not a picture at all, just words")), "It takes PNG, JPEG or WebP."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := openStudio(t)
			b.do(func(app.Context) { b.studio.takeInto("", []browser.File{tt.file}) })
			if b.uploads != 0 {
				t.Error("it was sent")
			}
			if html := b.html(); !strings.Contains(html, tt.want) || !strings.Contains(html, tt.file.Name) {
				t.Errorf("the page does not say %q: %+v", tt.want, b.studio.uploads)
			}
		})
	}
}

func TestUploadedPictureComesToTheStage(t *testing.T) {
	b := openStudio(t)
	file := browser.NewFile("dress.png", testpics.PNG(testpics.Photo(600, 800, 1)))
	b.do(func(app.Context) { b.studio.takeInto("", []browser.File{file}) })
	if b.studio.asset == nil || b.studio.asset.ID != "new" || len(b.studio.uploads) != 0 {
		t.Errorf("stage %+v, uploads %+v", b.studio.asset, b.studio.uploads)
	}
	if !strings.Contains(b.html(), "dress.png") {
		t.Error("its name is not on the page")
	}
}

func TestSamplePictureComesToTheStage(t *testing.T) {
	b := openStudio(t)
	b.on("GET /web/samples/mannequin.webp", 200, testpics.JPEG(testpics.Photo(600, 800, 1)))
	mannequin := samples[2]
	if html := b.html(); !strings.Contains(html, `data-testid="sample-mannequin"`) || !strings.Contains(html, mannequin.name) {
		t.Error("it is not offered by name")
	}
	b.do(func(app.Context) {
		b.studio.takeSample(mannequin)
		b.studio.takeSample(mannequin)
	})
	if b.studio.asset == nil || b.studio.asset.Name != "Mannequin in a coat.webp" || b.uploads != 1 {
		t.Errorf("stage %+v after %d uploads", b.studio.asset, b.uploads)
	}
}

func TestSampleThatCannotBeHadSaysSo(t *testing.T) {
	b := openStudio(t)
	b.do(func(app.Context) { b.studio.takeSample(samples[0]) })
	if b.uploads != 0 || len(b.studio.uploads) != 1 || b.studio.uploads[0].Problem != "Not there." {
		t.Errorf("%+v after %d uploads", b.studio.uploads, b.uploads)
	}
}

func TestFormOfAPhoneIsLetDownOnceTheRunIsStarted(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", 202, map[string]any{"run": atelier.Run{ID: "r1", Status: atelier.Pending}})
	b.do(func(app.Context) {
		b.studio.ChooseAgent("removeBG")
		b.studio.sheet = "full"
	})
	b.generate()
	if len(b.starts(t)) != 1 || b.studio.sheet != "peek" {
		t.Errorf("%d runs, the form stands %s: %s", len(b.starts(t)), b.studio.sheet, b.studio.refusal)
	}
}

func TestPictureForASlotOfTheFormDoesNotReplaceTheSource(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(ctx app.Context) { b.studio.ChooseAgent("virtualtryon") })
	b.do(func(ctx app.Context) { b.studio.PickSlot("fashionModelImage", 0) })
	file := browser.NewFile("model.png", testpics.PNG(testpics.Photo(600, 800, 2)))
	b.do(func(app.Context) { b.studio.takeInto("", []browser.File{file}) })
	if b.studio.asset.ID != "a1" {
		t.Errorf("the stage shows %q", b.studio.asset.ID)
	}
	if got := b.studio.form.Files["fashionModelImage"]; len(got) != 1 || got[0].ID != "new" {
		t.Errorf("the slot holds %+v", got)
	}
}

func TestGenerateWithoutWhatIsNeededSaysWhatAndSendsNothing(t *testing.T) {
	b := openStudio(t)
	b.generate()
	if !strings.Contains(b.html(), "Add a picture first.") {
		t.Error("without a picture the page does not say so")
	}
	b.withPicture()
	b.generate()
	if !strings.Contains(b.html(), "Choose a scene or a model, or describe what should change.") {
		t.Error("the broken rule is not named")
	}
	if n := len(b.starts(t)); n != 0 {
		t.Errorf("%d runs were asked for", n)
	}
}

func TestEveryClickIsOneRunWithAKeyOfItsOwn(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", State: atelier.StateRecorded, CreatedAt: noon, Asset: b.studio.asset}})
	b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a beach") })
	b.generate()
	b.later(time.Second)
	b.generate()
	starts := b.starts(t)
	if len(starts) != 2 || starts[0].IntentKey == starts[1].IntentKey || len(starts[0].IntentKey) < 22 {
		t.Fatalf("%+v", starts)
	}
	if got := starts[0]; got.Agent != "aimodel" || got.Values["textDescription"] != "a beach" || got.Files["originalImage"][0] != "a1" || got.Mask != nil {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(b.html(), "Waiting to be sent") {
		t.Error("the run is not in the strip")
	}
}

// A second press of the same before anybody can have looked at what became of the first is none.
func TestPressesInOneBreathAreOneRun(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a beach") })
	b.generate()
	b.later(600 * time.Millisecond)
	b.generate()
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a forest") })
	b.generate()
	starts := b.starts(t)
	if len(starts) != 3 || starts[0].IntentKey != starts[1].IntentKey {
		t.Errorf("the second press of a double click is another run: %+v", starts)
	}
	if starts[2].IntentKey == starts[1].IntentKey {
		t.Error("another wish has the same key")
	}
}

// Whoever sees a result at once may want another one at once.
func TestPressAfterResultIsAnotherRun(t *testing.T) {
	b := openStudio(t).withPicture()
	run := atelier.Run{ID: "r1", CreatedAt: noon}
	b.on("POST /api/runs", 202, atelier.RunBody{Run: run})
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a beach") })
	b.generate()
	b.do(func(app.Context) {
		run.UpdatedAt, run.Results = noon.Add(time.Second), []atelier.Result{{ID: "p1", RunID: "r1"}}
		b.core.runs = b.core.runs.Merge(run)
	})
	b.generate()
	if starts := b.starts(t); len(starts) != 2 || starts[0].IntentKey == starts[1].IntentKey {
		t.Errorf("the press after the result made no other run: %+v", starts)
	}
}

// Why something failed is said where it is pressed.
func TestAFailedResultSaysWhy(t *testing.T) {
	synctest.Test(t, failedResult) // what is said stands for a while
}

func failedResult(t *testing.T) {
	b := openStudio(t).withPicture()
	run := atelier.Run{ID: "r", Asset: b.studio.asset, State: atelier.StateDone, Results: []atelier.Result{{ID: "x", Status: atelier.Failed, Error: "The face is hidden."}}}
	none := atelier.Run{ID: "n", Asset: b.studio.asset, State: atelier.StateFailed, Error: &atelier.Error{Message: "The picture was deleted."}}
	mute := atelier.Run{ID: "m", Asset: b.studio.asset, State: atelier.StateFailed, Status: atelier.Failed}
	b.do(func(app.Context) {
		b.core.runs = b.core.runs.Merge(run, none, mute)
		for _, key := range []string{"x", "n", "m"} {
			b.studio.OpenShot(key)
		}
		if got := b.core.toasts; len(got) != 3 || got[0].Message != "The face is hidden." || got[1].Message != "The picture was deleted." || got[2].Message != "This run: Failed." {
			t.Errorf("%+v", got)
		}
	})
}

// Only a decision of the studio's server ends a wish: a fault, an answer of something in between, or no session does not.
func TestWhatIsNoDecisionLeavesTheRunWanted(t *testing.T) {
	t.Parallel()
	for body, decided := range map[string]map[int]bool{
		`{"run":{"id":"r1"}}`:                                {202: true},
		`<h1>Sign in to the network</h1>`:                    {200: false, 403: false, 404: false, 413: false, 500: false, 502: false, 504: false},
		`{"error":{"code":"refused","message":"No."}}`:       {422: true},
		`{"error":{"code":"invalid","message":"No."}}`:       {400: true},
		`{"error":{"code":"internal","message":"No."}}`:      {500: false},
		`{"error":{"code":"upstream_busy","message":"No."}}`: {503: false},
		`{"error":{"code":"disk_full","message":"No."}}`:     {507: false},
		`{"error":{"code":"unauthorized","message":"No."}}`:  {401: false},
	} {
		for status, want := range decided {
			s := newServer()
			s.on("POST /api/runs", status, []byte(body))
			_, err := client.New(s.send, s.upload).Start(t.Context(), atelier.StartRun{})
			if answered(err) != want {
				t.Errorf("%d %s: decided %v, want %v", status, body, !want, want)
			}
		}
	}
}

// What waited for an answer has one: a press of the same is another run then, and nothing asks for one any more.
func TestResentRunIsNoLongerRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a run without an answer is sent again after a rest
		b := openStudio(t).withPicture()
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "a beach") })
		b.offline = true
		b.generate()
		b.offline = false
		b.do(func(app.Context) { b.core.resent() })
		if b.studio.refusal != "" {
			t.Errorf("still says %q", b.studio.refusal)
		}
		b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
		b.generate()
		if starts := b.starts(t); len(starts) != 2 || starts[0].IntentKey == starts[1].IntentKey {
			t.Errorf("%+v", starts)
		}
	})
}

func TestLostAnswerIsRetriedUnderTheSameKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a run without an answer is sent again after a rest
		b := openStudio(t).withPicture()
		b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a beach") })
		b.offline = true
		b.generate()
		if !strings.Contains(b.html(), "does not respond") {
			t.Error("the page does not say that the server is silent")
		}
		b.offline = false
		b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
		b.generate()
		b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a forest") })
		b.generate()
		starts := b.starts(t)
		if len(starts) != 3 || starts[0].IntentKey != starts[1].IntentKey {
			t.Errorf("the second attempt is another run: %+v", starts)
		}
		if starts[2].IntentKey == starts[1].IntentKey {
			t.Error("another wish has the same key")
		}
	})
}

func TestWhatTheServerSaysStandsBesideItsField(t *testing.T) {
	b := openStudio(t).withPicture()
	b.answers["POST /api/runs"] = func(browser.Request) (int, any) {
		return 422, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Refused, Message: "Say it differently.", Fields: map[string]string{"textDescription": "This wording is not accepted."}}}
	}
	b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a beach") })
	b.generate()
	if html := b.html(); !strings.Contains(html, "Say it differently.") {
		t.Error("the sentence is not shown")
	}
	if got := b.studio.form.Fields(b.studio.source(), b.studio.shown); !hasProblem(got, "textDescription", "This wording is not accepted.") {
		t.Error("the field is not marked")
	}
	b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a calm beach") })
	if strings.Contains(b.html(), "Say it differently.") {
		t.Error("the sentence stays after the change")
	}
}

func TestPaintedMaskGoesOutAtTheSizeOfThePicture(t *testing.T) {
	b := openStudio(t).withPicture()
	b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
	b.do(func(ctx app.Context) {
		b.studio.SetValue("maskType", "custom")
		b.studio.SetValue("textDescription", "a beach")
	})
	b.generate()
	if html := b.html(); !strings.Contains(html, "Paint the part to keep first") {
		t.Error("an empty mask is not refused with a sentence")
	}
	b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
	b.generate()
	starts := b.starts(t)
	if len(starts) != 1 || starts[0].Mask == nil {
		t.Fatalf("%+v", starts)
	}
	png, err := base64.StdEncoding.DecodeString(starts[0].Mask.PNG)
	if err != nil || !bytes.HasPrefix(png, []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatalf("no PNG: %v", err)
	}
	if w, h := binary.BigEndian.Uint32(png[16:]), binary.BigEndian.Uint32(png[20:]); w != 600 || h != 800 {
		t.Errorf("the mask is %d × %d, the picture 600 × 800", w, h)
	}
	if _, sent := starts[0].Values["customMask"]; sent {
		t.Error("the mask is among the values too")
	}
	b.studio.painter.act("clear")
	b.studio.painter.act("invert")
	b.generate()
	if !strings.Contains(b.html(), "Everything is painted") || len(b.starts(t)) != 1 {
		t.Error("a mask that keeps everything is not refused")
	}
}

func TestEndedSessionLeadsToTheSignIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a run without an answer is sent again after a rest
		b := openStudio(t).withPicture()
		b.on("POST /api/runs", 401, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unauthorized, Message: "Sign in first."}})
		b.do(func(ctx app.Context) { b.studio.SetValue("textDescription", "a beach") })
		b.generate()
		if b.core.access != signedOut {
			t.Errorf("access = %v", b.core.access)
		}
	})
}

func TestRunsShowTheirProgressAsEventsArrive(t *testing.T) {
	b := openStudio(t).withPicture()
	run := atelier.Run{
		ID: "r1", Agent: "aimodel", CreatedAt: noon, UpdatedAt: noon, Asset: b.studio.asset, State: atelier.StateAccepted, Status: atelier.Running,
		Results: []atelier.Result{{ID: "x1", RunID: "r1", Kind: "image", Status: atelier.Running, Progress: .4}, {ID: "x2", RunID: "r1", Index: 1, Status: atelier.Pending}},
	}
	b.do(func(app.Context) { b.core.tell(run) })
	if html := b.html(); !strings.Contains(html, "Running 20 %") || !strings.Contains(html, "40 %") {
		t.Error("the progress is not shown")
	}
	done := run
	done.State, done.Status, done.UpdatedAt = atelier.StateDone, atelier.Success, noon.Add(1)
	done.Results = []atelier.Result{{ID: "x1", RunID: "r1", Status: atelier.Success, Stored: true, Thumb: "/t"}, {ID: "x2", RunID: "r1", Index: 1, Status: atelier.Failed, Error: "no light"}}
	b.do(func(app.Context) { b.core.tell(done) })
	if html := b.html(); !strings.Contains(html, "1 of 2, 1 failed") {
		t.Error("the end is not shown")
	}
	if b.core.said != "New model, new scene: 1 of 2, 1 failed" {
		t.Errorf("said %q", b.core.said)
	}
	b.do(func(app.Context) { b.core.tell(run) })
	if r, _ := b.core.runs.Find("r1"); r.State != atelier.StateDone {
		t.Error("an event that came late undid the end")
	}
}

func TestRecallBringsBackAgentValuesAndPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to take it back stands for a while
		b := openStudio(t)
		run := atelier.Run{
			ID: "r1", Agent: "removeBG", CreatedAt: noon, Values: map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#112233"},
			Asset: &atelier.Asset{ID: "old", Width: 700, Height: 900},
		}
		b.do(func(app.Context) { b.core.tell(run) })
		b.do(func(ctx app.Context) { b.studio.RecallRun("r1") })
		if b.studio.form.Agent.Name != "removeBG" || b.studio.form.Values["backgroundHex"] != "#112233" || b.studio.asset.ID != "old" {
			t.Errorf("agent %q, values %v, picture %+v", b.studio.form.Agent.Name, b.studio.form.Values, b.studio.asset)
		}
	})
}

// The picture of the draft may have been brought long ago: it is not among the latest files then.
func TestPictureOfTheDraftIsSoughtWhereItIs(t *testing.T) {
	b := openStudio(t)
	asked := func() (n int) {
		for _, what := range b.asked {
			if strings.HasPrefix(what, "GET /api/assets/") {
				n++
			}
		}
		return n
	}
	b.on("GET /api/assets/long-ago", 503, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.UpstreamBusy, Message: "Busy."}})
	for range 2 {
		b.do(func(app.Context) { b.studio.draft.Asset = "long-ago"; b.studio.settle() })
	}
	if b.studio.asset != nil || b.studio.draft.Asset != "long-ago" || asked() != 1 {
		t.Fatalf("without an answer: %+v, still sought %q, asked %d times", b.studio.asset, b.studio.draft.Asset, asked())
	}
	b.on("GET /api/assets/long-ago", 200, atelier.Asset{ID: "long-ago", Name: "dress.jpg", Width: 600, Height: 800})
	b.studio.sought = false // the page was loaded again
	b.do(func(app.Context) { b.studio.settle() })
	if a := b.studio.asset; a == nil || a.ID != "long-ago" || b.studio.draft.Asset != "" {
		t.Errorf("on the stage is %+v", a)
	}
	b.do(func(app.Context) { b.studio.choose(nil) })
	b.do(func(app.Context) { b.studio.settle() })
	if b.studio.asset != nil {
		t.Error("what was taken off the stage comes back")
	}
}

func TestStarIsTakenBackWhenTheServerRefusesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the page shows a refusal for a few seconds
		b := openStudio(t)
		b.do(func(app.Context) {
			b.core.tell(atelier.Run{ID: "r1", CreatedAt: noon, Results: []atelier.Result{{ID: "x1", RunID: "r1", Stored: true}}})
		})
		b.do(func(ctx app.Context) { b.core.Star("x1", true) })
		if r, _ := b.core.runs.Find("r1"); r.Results[0].Starred {
			t.Error("the star stays although the server does not know the result")
		}
		b.on("PATCH /api/results", 200, atelier.ResultList{})
		b.do(func(ctx app.Context) { b.core.Star("x1", true) })
		if r, _ := b.core.runs.Find("r1"); !r.Results[0].Starred {
			t.Error("the star is not set")
		}
	})
}

func hasProblem(fields []model.Field, name, problem string) bool {
	for _, f := range fields {
		if f.Param.Name == name {
			return f.Problem == problem
		}
	}
	return false
}

func TestAStudioWithoutAgentsShowsNothingToWaitFor(t *testing.T) {
	b := openStudio(t)
	b.on("GET /api/agents", 500, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Internal, Message: "Broken."}})
	b.studio.ready = false
	b.do(func(app.Context) { b.core.loadAgents() })
	if html := app.HTMLString(b.studio.renderInspector()); strings.Contains(html, "skeleton") || !strings.Contains(html, "Try again") {
		t.Errorf("the form that cannot be shown is %s", html)
	}
}
