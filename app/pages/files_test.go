package pages

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/testpics"
)

// voice is a WAV file of so many seconds: 8,000 samples of one byte a second.
func voice(seconds int) []byte {
	data := make([]byte, 8000*seconds)
	out := []byte("RIFF")
	out = binary.LittleEndian.AppendUint32(out, uint32(36+len(data)))
	out = append(out, "WAVEfmt "...)
	for _, v := range []uint32{16, 1 | 1<<16, 8000, 8000, 1 | 8<<16} {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	out = append(out, "data"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
	return append(out, data...)
}

func (b *bench) bring(slot string, files ...browser.File) {
	b.do(func(app.Context) { b.studio.takeInto(slot, files) })
}

// refused is what is said of the uploads that did not go.
func (b *bench) refused() string {
	said := []string{}
	for _, u := range b.studio.uploads {
		said = append(said, u.Problem)
	}
	b.studio.uploads = nil
	return strings.Join(said, " | ")
}

func TestSoundGoesToTheFieldForSounds(t *testing.T) {
	b := openStudio(t)
	b.answer = atelier.Asset{ID: "s1", Kind: "audio", Name: "voice.wav", Format: "wav", Seconds: 2}
	b.do(func(app.Context) { b.studio.ChooseAgent("reference-to-video") })
	b.bring("", browser.NewFile("voice.wav", voice(2)))
	if got := b.studio.form.Files["audios"]; len(got) != 1 || got[0].ID != "s1" || b.uploads != 1 {
		t.Fatalf("the field for sounds holds %+v after %d uploads: %s", got, b.uploads, b.refused())
	}
	if html := b.html(); !strings.Contains(html, "<audio") || !strings.Contains(html, "2 s, WAV") {
		t.Error("the sound cannot be heard in the form")
	}
}

func TestFileThatFitsNowhereIsNotSentAndSaysWhere(t *testing.T) {
	b := openStudio(t)
	sound := browser.NewFile("voice.wav", voice(1))
	b.bring("", sound)
	if got := b.refused(); got != "New model, new scene takes no sound. First choose an agent that does." {
		t.Errorf("an agent without sounds: %q", got)
	}
	b.do(func(app.Context) { b.studio.ChooseAgent("reference-to-video") })
	b.bring("videos", sound)
	if got := b.refused(); got != "Reference video takes videos: MP4 or MOV." {
		t.Errorf("a sound in the place of a film: %q", got)
	}
	b.bring("audios", browser.NewFile("photo.png", testpics.PNG(testpics.Photo(600, 800, 1))))
	if got := b.refused(); got != "Sounds takes sounds: MP3, WAV or M4A." {
		t.Errorf("a picture in the place of a sound: %q", got)
	}
	b.bring("", browser.NewFile("cut.wav", voice(1)[:20]))
	if got := b.refused(); got != "This WAV file is damaged or incomplete. Export it again and retry." {
		t.Errorf("a broken file: %q", got)
	}
	b.core.session.Limits.MediaBytes = 4000
	b.bring("", sound)
	if got := b.refused(); !strings.HasPrefix(got, "This file is 8 kB. The limit is 4 kB") {
		t.Errorf("a file that is too large: %q", got)
	}
	if b.uploads != 0 {
		t.Errorf("%d of them were sent", b.uploads)
	}
}

func TestFilesAreMovedReplacedAndRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to put a removed file back stands for a while
		b := openStudio(t)
		b.do(func(app.Context) {
			b.studio.ChooseAgent("image-studio")
			b.studio.setFiles("images", []atelier.Asset{{ID: "1", Name: "one"}, {ID: "2", Name: "two"}, {ID: "3", Name: "three"}})
		})
		order := func() string {
			ids := ""
			for _, a := range b.studio.form.Files["images"] {
				ids += string(a.ID)
			}
			return ids
		}
		b.do(func(app.Context) { b.studio.MoveFile("images", 2, 0) })
		if order() != "312" || b.core.said != "three, now place 1 of 3" {
			t.Errorf("the third first: %s, said %q", order(), b.core.said)
		}
		b.do(func(app.Context) { b.studio.MoveFile("images", 0, 9) })
		b.do(func(app.Context) {
			b.studio.DropFile("images", 1)
			b.studio.DropFile("images", 0)
			if n := takeBack(b.core); n != 2 || order() != "312" {
				t.Errorf("%d removed files come back: %s", n, order())
			}
			b.studio.ClearSlot("images")
			if takeBack(b.core); order() != "312" {
				t.Errorf("all files come back: %s", order())
			}
		})
		b.do(func(app.Context) { b.studio.DropFile("images", 1) })
		b.do(func(app.Context) { b.studio.place(atelier.Asset{ID: "9"}, "images", 0) })
		if order() != "92" {
			t.Errorf("one removed, the first replaced: %s", order())
		}
		for _, id := range []atelier.AssetID{"5", "6", "7"} {
			b.do(func(app.Context) { b.studio.place(atelier.Asset{ID: id}, "images", 99) })
		}
		if order() != "9257" { // the Standard engine takes four
			t.Errorf("a fifth picture where four have room: %s", order())
		}
		b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", CreatedAt: noon}})
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "a fox") })
		b.generate()
		if starts := b.starts(t); len(starts) != 1 || strings.Join(starts[0].Files["images"], "") != "9257" {
			t.Errorf("the run has %+v", starts)
		}
	})
}

func TestFilesPickedTogetherStandInTheirOrderHoweverTheyArrive(t *testing.T) {
	b := openStudio(t)
	b.do(func(app.Context) {
		b.studio.ChooseAgent("ai-collage-maker")
		b.studio.order = map[atelier.AssetID]int{"first": 4, "second": 5, "third": 6}
		for _, id := range []atelier.AssetID{"third", "first", "second"} {
			b.studio.place(atelier.Asset{ID: id}, "images", 9)
		}
		b.studio.MoveFile("images", 2, 0)
		b.studio.order["fourth"] = 7
		b.studio.place(atelier.Asset{ID: "fourth"}, "images", 9)
	})
	ids := []string{}
	for _, a := range b.studio.form.Files["images"] {
		ids = append(ids, string(a.ID))
	}
	if got := strings.Join(ids, " "); got != "third first second fourth" {
		t.Errorf("%s: want the order they were picked in, then the designer's own", got)
	}
}

func TestFilesDroppedOnAFieldAllArriveInOrder(t *testing.T) {
	for range 8 { // they are uploaded side by side
		b := openStudio(t)
		b.named = true
		b.do(func(app.Context) {
			b.studio.ChooseAgent("image-studio")
			b.studio.setFiles("images", []atelier.Asset{{ID: "0", Name: "0"}})
		})
		dropped := make([]browser.File, 3)
		for i := range dropped {
			picture := testpics.Photo(600, 800, uint64(i))
			dropped[i] = browser.NewFile(string(rune('1'+i)), testpics.PNG(picture))
		}
		b.bring("images", dropped...)
		ids := ""
		for _, a := range b.studio.form.Files["images"] {
			ids += string(a.ID)
		}
		if ids != "0123" {
			t.Fatalf("the field holds %s", ids)
		}
	}
}

func TestPictureGoesAlongWhenTheAgentChanges(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) { b.studio.ChooseAgent("ai-clothes-changer") })
	if got := b.studio.form.Files["images"]; len(got) != 1 || got[0].ID != "a1" {
		t.Fatalf("the picture of the stage is not the first of two: %+v", got)
	}
	if b.studio.painter.asset != nil || !strings.Contains(b.html(), "Drop files here") {
		t.Error("the stage still shows a picture nobody works on")
	}
	b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
	if b.studio.painter.asset == nil || b.studio.painter.asset.ID != "a1" {
		t.Error("the picture did not come back to the stage")
	}

	c := openStudio(t)
	c.do(func(app.Context) { c.studio.ChooseAgent("ai-collage-maker") })
	c.do(func(app.Context) { c.studio.place(atelier.Asset{ID: "p1", Width: 600, Height: 800}, "", 0) })
	if got := c.studio.form.Files["images"]; len(got) != 1 {
		t.Fatalf("a picture without a place goes to the first free one: %+v", got)
	}
	c.do(func(app.Context) { c.studio.ChooseAgent("removeBG") })
	if c.studio.asset == nil || c.studio.asset.ID != "p1" {
		t.Errorf("the first of the pictures is not on the stage: %+v", c.studio.asset)
	}
}

func TestAgentOfWordsNeedsNoPicture(t *testing.T) {
	b := openStudio(t)
	b.on("POST /api/runs", 202, atelier.RunBody{Run: atelier.Run{ID: "r1", Agent: "z-image", CreatedAt: noon}})
	b.do(func(app.Context) { b.studio.ChooseAgent("z-image") })
	b.generate()
	if !strings.Contains(b.html(), "Describe what to show.") {
		t.Error("what is missing is not named")
	}
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a lighthouse") })
	b.generate()
	if starts := b.starts(t); len(starts) != 1 || len(starts[0].Files) != 0 {
		t.Errorf("%+v", starts)
	}
	if !strings.Contains(b.html(), `data-run="r1"`) {
		t.Error("the run is not in the strip of this agent")
	}
}

func TestVideoThatCannotBeMadeHereSaysSo(t *testing.T) {
	b := openStudio(t)
	const sentence = "Videos need ffmpeg on this machine."
	b.core.session.NoVideo = sentence
	b.do(func(app.Context) { b.studio.ChooseAgent("text-to-video") })
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a slow turn") })
	b.generate()
	if html := b.html(); !strings.Contains(html, sentence) || !strings.Contains(html, "Generate 1 video") {
		t.Error("the page does not say why, and what it would make")
	}
	if n := len(b.starts(t)); n != 0 {
		t.Errorf("%d runs were asked for", n)
	}
	b.do(func(app.Context) {
		b.studio.openDialog(agentsID)
	})
	if html := b.html(); !strings.Contains(html, sentence) {
		t.Error("the list of agents does not say it")
	}
}

func TestRecallBringsFilesAndSaysWhatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the offer to take it back stands for a while
		b := openStudio(t)
		b.core.addAsset(atelier.Asset{ID: "known", Name: "person.jpg"})
		b.on("GET /api/assets/far", 200, atelier.Asset{ID: "far", Name: "garment.jpg"})
		b.do(func(app.Context) {
			b.core.tell(atelier.Run{
				ID: "r1", Agent: "ai-clothes-changer", CreatedAt: noon, Values: map[string]any{"textDescription": "in green", "batchCount": 2.0},
				Files: map[string][]string{"images": {"known", "far"}}, Asset: &atelier.Asset{ID: "known", Name: "person.jpg"},
			})
		})
		b.do(func(app.Context) { b.studio.RecallRun("r1") })
		if got := b.studio.form.Files["images"]; len(got) != 2 || got[0].ID != "known" || got[1].ID != "far" {
			t.Errorf("files %+v", got)
		}
		if v := b.studio.form.Values; v["textDescription"] != "in green" || b.studio.form.Batch() != 2 {
			t.Errorf("values %v", v)
		}
		got := b.studio.lookUp(t.Context(), atelier.Run{Files: map[string][]string{"images": {"far", "lost", "https://elsewhere.example/x.png"}}}, nil)
		if len(got.files["images"]) != 1 || got.gone != 2 {
			t.Errorf("of three files, two gone, %+v", got)
		}
	})
}

// The mask of a run is asked of the server. Where that has none, what is painted now for something else does not pass for it; where it
// cannot be asked, what is painted stays.
func TestRecallTakesAnotherMaskAwayOnlyWhereTheRunsOwnIsGone(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		empty  bool
		says   string
	}{
		{"there is none", 404, true, "no longer available"},
		{"the server is busy", 503, false, "could not be loaded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // the offer to take it back stands for a while
				b := openStudio(t).withPicture()
				b.do(func(app.Context) {
					b.studio.ChooseAgent("removeBG")
					b.studio.SetValue("maskType", "custom")
				})
				b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
				if b.studio.painter.empty {
					t.Fatal("nothing is painted")
				}
				b.on("GET /api/runs/r1/mask", tt.status, nil)
				run := atelier.Run{ID: "r1", Agent: "removeBG", CreatedAt: noon, Values: map[string]any{"maskType": "custom"}, Asset: b.studio.asset}
				b.do(func(app.Context) { b.core.tell(run) })
				b.do(func(app.Context) { b.studio.RecallRun("r1") })
				said := slices.ContainsFunc(b.core.toasts, func(one components.Toast) bool { return strings.Contains(one.Message, tt.says) })
				if b.studio.painter.empty != tt.empty || !said {
					t.Errorf("painted: %v, said %+v", !b.studio.painter.empty, b.core.toasts)
				}
			})
		})
	}
}

func TestRecallNamesTheSettingsThatAreLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openStudio(t)
		run := atelier.Run{
			ID: "r1", Agent: "removeBG", CreatedAt: noon, Values: map[string]any{"maskType": "autoSkySegment", "backgroundHex": "#112233"},
			Asset: &atelier.Asset{ID: "old", Width: 700, Height: 900},
		}
		b.do(func(app.Context) { b.core.tell(run) })
		b.do(func(app.Context) { b.studio.RecallRun("r1") })
		if !slices.ContainsFunc(b.core.toasts, func(one components.Toast) bool {
			return strings.HasSuffix(one.Message, "accepts these values: What to keep.")
		}) {
			t.Errorf("said %+v", b.core.toasts)
		}
	})
}

// Taking settings over replaces what was typed, brought and painted: all of it can be had again.
func TestTakingSettingsOverCanBeUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openStudio(t).withPicture()
		b.do(func(app.Context) {
			b.studio.ChooseAgent("removeBG")
			b.studio.SetValue("maskType", "custom")
			b.studio.SetValue("backgroundHex", "#112233")
		})
		b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500})
		kept, picture := b.studio.painter.kept, b.studio.asset
		other := &atelier.Asset{ID: "a2", Name: "coat.jpg", Width: 700, Height: 900}
		runs := map[string]atelier.Run{
			"the mask of the same picture": {Agent: "removeBG", Values: map[string]any{"maskType": "custom"}, Asset: picture},
			"another picture and its mask": {Agent: "removeBG", Values: map[string]any{"maskType": "custom"}, Asset: other},
			"another agent and its files": {
				Agent: "ai-clothes-changer", Values: map[string]any{"textDescription": "in green"}, Files: map[string][]string{"images": {"a2"}}, Asset: other,
			},
		}
		for name, run := range runs {
			run.ID, run.CreatedAt = "r1", noon
			var offers []offer
			b.do(func(ctx app.Context) {
				b.studio.recallRun(run, false)
				ctx.After(offerStands/2, func(app.Context) { offers = slices.Collect(maps.Values(b.core.offers)) })
			})
			s := b.studio
			if f := s.form; len(offers) != 1 || f.Agent.Name == "removeBG" && (f.Values["backgroundHex"] != nil || !s.painter.empty) {
				t.Fatalf("%s: taken over %s, %v, %d offers to take it back", name, f.Agent.Name, f.Values, len(offers))
			}
			b.do(func(app.Context) { offers[0].do() })
			if s.form.Agent.Name != "removeBG" || s.form.Values["backgroundHex"] != "#112233" || len(s.form.Files["images"]) != 0 || s.asset == nil || s.asset.ID != picture.ID {
				t.Errorf("%s: afterwards %s, %v, %+v", name, s.form.Agent.Name, s.form.Values, s.asset)
			}
			if name == "the mask of the same picture" && s.painter.kept != kept {
				t.Errorf("%s: %v of it is kept, before it was %v", name, s.painter.kept, kept)
			}
			b.core.toasts = nil
			b.drag(browser.Point{X: 100, Y: 100}, browser.Point{X: 300, Y: 500}) // the host remembers no masks
			kept = s.painter.kept
		}
	})
}

func TestHandlesAndFieldsOfAnExpansionAreOne(t *testing.T) {
	b := openStudio(t).withPicture()
	b.do(func(app.Context) { b.studio.ChooseAgent("expandimage") })
	if p := b.studio.painter; !p.expands || p.expansion.Width != 600 {
		t.Fatalf("no handles before a size is given: %+v", p.expansion)
	}
	b.do(func(app.Context) {
		b.studio.SetValue("targetWidth", 1000.0)
		b.studio.SetValue("targetHeight", 900.0)
	})
	if e := b.studio.painter.expansion; e.Left != 200 || e.Top != 50 {
		t.Errorf("the fields do not move the canvas: %+v", e)
	}
	b.do(func(app.Context) { b.studio.key(browser.Key{Key: "ArrowRight", Shift: true}) })
	if v := b.studio.form.Values; v["fillLeft"] != 210.0 || v["fillTop"] != 50.0 {
		t.Errorf("an arrow key does not reach the fields: %v", v)
	}
	if b.core.said != "Canvas 1000 × 900, photo 210 from the left, 50 from the top" {
		t.Errorf("said %q", b.core.said)
	}
	b.do(func(app.Context) { b.studio.SetValue("fillLeft", 995.0) })
	if got := b.studio.form.Fields(b.studio.source(), b.studio.shown); !hasProblem(got, "fillLeft", "From the left must be -592 to 992 px; it is 995. At least 8 px of the photo's width must stay on the canvas.") {
		t.Errorf("out of range: %+v", got)
	}
	b.do(func(app.Context) { b.studio.SetCanvas(1200, 1200) })
	if v := b.studio.form.Values; v["fillLeft"] != nil || b.studio.painter.expansion.Left != 300 {
		t.Errorf("a usual size does not centre: %v, %+v", v, b.studio.painter.expansion)
	}
}

func TestLastFrameOfAVideoIsAPictureForTheForm(t *testing.T) {
	video := model.Shot{
		Run:    atelier.Run{ID: "r1", Agent: "image-to-video"},
		Result: atelier.Result{ID: "v1", Kind: "video", Stored: true, Status: atelier.Success, File: "/v", LastFrame: "/last", Seconds: 6},
	}
	if name := components.Filename(video); name != "image-to-video-1.mp4" {
		t.Errorf("downloaded as %q", name)
	}
	box := app.HTMLString(components.NewLightbox(components.Lightbox{Shots: []model.Shot{video}, Key: "v1", Details: true, Now: noon, Zone: noon.Location()}, newCore(nil, nil)))
	for _, want := range []string{"<video", `data-testid="use-last-frame"`, `data-testid="frame-on"`, "6.0 s"} {
		if !strings.Contains(box, want) {
			t.Errorf("the lightbox of a video has no %s", want)
		}
	}
	if strings.Contains(box, `data-testid="compare"`) {
		t.Error("a video is offered for comparison")
	}
}

func TestCostIsAskedForWhenTheFormRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the form has to rest for a while
		b := openStudio(t)
		b.core.session.Estimates = true
		b.on("POST /api/estimates", 200, atelier.Estimate{TotalPower: 8})
		b.do(func(app.Context) { b.studio.ChooseAgent("z-image") })
		if n := len(b.bodies["POST /api/estimates"]); n != 0 {
			t.Errorf("the cost of a form that cannot be sent was asked for %d times", n)
		}
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "a hare") })
		if n := len(b.bodies["POST /api/estimates"]); n != 0 {
			t.Errorf("the cost of a run of the embedded service was asked for %d times", n)
		}
		b.core.session.Upstream = "remote"
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "a fox") })
		var asked atelier.StartRun
		if bodies := b.bodies["POST /api/estimates"]; len(bodies) != 1 || json.Unmarshal(bodies[0], &asked) != nil || asked.Values["textDescription"] != "a fox" {
			t.Fatalf("asked %d times: %+v", len(b.bodies["POST /api/estimates"]), asked)
		}
		if !strings.Contains(b.html(), "About 8 credits") {
			t.Error("the cost is not shown")
		}
		b.on("POST /api/estimates", 502, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.UpstreamBad, Message: "No answer."}})
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "two foxes") })
		if html := b.html(); strings.Contains(html, "credits") || strings.Contains(html, "No answer.") || len(b.core.toasts) != 0 {
			t.Error("a cost that is not told is not passed over in silence")
		}
		b.on("POST /api/estimates", 200, atelier.Estimate{TotalPower: 8})
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "three foxes") })
		b.core.session.Upstream = "embedded"
		b.do(func(app.Context) { b.studio.SetValue("textDescription", "four foxes") })
		if strings.Contains(b.html(), "credits") {
			t.Error("the cost is shown of the account that was used before")
		}
	})
}

func TestHowLongARunUsuallyTakesStandsByTheButton(t *testing.T) {
	b := openStudio(t)
	usual := func(list ...atelier.Usual) {
		b.on("GET /api/agents/z-image/usual", 200, atelier.UsualList{Usual: append([]atelier.Usual{}, list...)})
	}
	says := func(when, want string) {
		t.Helper()
		if !strings.Contains(b.html(), want) {
			t.Errorf("%s the form does not say %q", when, want)
		}
	}
	usual()
	b.do(func(app.Context) { b.studio.ChooseAgent("z-image") })
	if html := b.html(); strings.Contains(html, words.InspectorUsualUnknown) {
		t.Error("a form that cannot be sent says how long it takes")
	}
	b.do(func(app.Context) { b.studio.SetValue("textDescription", "a fox") })
	b.do(func(app.Context) { b.studio.SetValue("batchCount", 4.0) })
	says("without a history", words.InspectorUsualUnknown)
	run := atelier.Run{ID: "r1", Agent: "z-image", State: atelier.StateAccepted}
	happens := func(r atelier.Run) {
		data, _ := json.Marshal(r)
		b.do(func(app.Context) { b.core.take(atelier.Event{Type: atelier.EventRun, Data: data}) })
	}
	happens(run)
	usual(atelier.Usual{Results: 1, Half: 12, Most: 12}, atelier.Usual{Results: 4, Half: 30, Most: 150})
	run.State = atelier.StateDone
	happens(run)
	says("once a run has ended", "About 30 s, up to 3 min")
	b.do(func(app.Context) { b.studio.SetValue("batchCount", 1.0) })
	says("of one", ">About 12 s<")
	b.do(func(app.Context) { b.studio.SetValue("batchCount", 2.0) })
	says("of two", words.InspectorUsualUnknown)
	if asked := len(b.bodies["GET /api/agents/z-image/usual"]); asked != 2 {
		t.Errorf("it was asked for %d times, want once for the agent and once for the run that ended", asked)
	}
}

func TestFileThatArrivesWhileOneIsChosenIsAmongThem(t *testing.T) {
	b := openStudio(t)
	b.on("GET /api/assets", 200, atelier.AssetPage{Assets: []atelier.Asset{{ID: "old", Kind: "image", Name: "old.png"}}})
	b.do(func(app.Context) {
		b.studio.openDialog(assetsID)
		b.studio.ask(false, "")
	})
	names := func() (names string) {
		for _, a := range b.studio.chooser.assets {
			names += a.Name + " "
		}
		return names
	}
	before := names()
	arrives := func(a atelier.Asset) { b.do(func(app.Context) { b.studio.arrived(1, a, "", 0) }) }
	arrives(atelier.Asset{ID: "new", Kind: "image", Name: "new.png"})
	arrives(atelier.Asset{ID: "old", Kind: "image", Name: "old.png"})
	arrives(atelier.Asset{ID: "film", Kind: "video", Name: "film.mp4"})
	if after := names(); before != "old.png " || after != "old.png new.png " {
		t.Errorf("to choose from are %q, then %q", before, after)
	}
}
