package pages

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// unclearIn has the server refuse runs of the named photos that are not wanted all the same.
func (b *bench) unclearIn(ids ...string) {
	b.answers["POST /api/runs"] = func(r browser.Request) (int, any) {
		var start atelier.StartRun
		if err := json.Unmarshal(r.Body, &start); err != nil {
			return 400, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Invalid, Message: err.Error()}}
		}
		photo := start.Files["originalImage"][0]
		if slices.Contains(ids, photo) && start.Mask == nil && !start.Unsure {
			return 422, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unclear, Message: "Not clear."}}
		}
		run := atelier.Run{ID: atelier.RunID("run of " + photo), IntentKey: start.IntentKey, State: atelier.StateRecorded}
		return 202, atelier.RunBody{Run: run}
	}
}

// cutsOut chooses the agent that cuts the subject out.
func (b *bench) cutsOut() {
	b.do(func(app.Context) { b.studio.ChooseAgent("removeBG") })
	b.do(func(app.Context) { b.studio.SetValue("maskType", "autoSubjectSegment") })
}

// question is the text of the dialog about what is not clear, "" while it is closed.
func (b *bench) question() string {
	if b.core.review.dialog != unclearID {
		return ""
	}
	var all strings.Builder
	for _, part := range b.core.renderUnclear() {
		all.WriteString(app.HTMLString(part))
	}
	return html.UnescapeString(all.String())
}

// decide closes the question as its buttons do.
func (b *bench) decide(do func()) {
	b.do(func(app.Context) { b.core.closeReview(); do() })
}

func TestUnclearPressAsks(t *testing.T) {
	for upstream, anyway := range map[string]bool{"embedded": false, "remote": true} {
		b := openStudio(t).withPicture()
		b.core.session.Upstream = upstream
		b.unclearIn("a1")
		b.cutsOut()
		b.generate()
		text := b.question()
		if !strings.Contains(text, words.UnclearIn([]string{"dress.jpg"})) || !strings.Contains(text, words.UnclearPaint) {
			t.Fatalf("%s: the question is %q", upstream, text)
		}
		if strings.Contains(text, words.UnclearAnyway) != anyway {
			t.Errorf("%s: the question is %q", upstream, text)
		}
		if b.studio.sending || b.studio.refusal != "" {
			t.Errorf("%s: sending %v, refused %q", upstream, b.studio.sending, b.studio.refusal)
		}
		b.decide(func() {})
		if n := len(b.starts(t)); n != 1 || b.question() != "" {
			t.Errorf("%s: %d runs were asked for after Cancel", upstream, n)
		}
	}
}

func TestUnclearPressGoesOnAnyway(t *testing.T) {
	b := openStudio(t).withPicture()
	b.core.session.Upstream = "remote"
	b.unclearIn("a1")
	b.cutsOut()
	b.generate()
	b.decide(b.core.review.unclear.anyway)
	starts := b.starts(t)
	if len(starts) != 2 || starts[0].Unsure || !starts[1].Unsure || starts[0].IntentKey != starts[1].IntentKey {
		t.Fatalf("asked for %+v", starts)
	}
	if b.question() != "" || b.studio.sending {
		t.Error("the question stays")
	}
}

func TestUnclearPressPaints(t *testing.T) {
	b := openStudio(t).withPicture()
	b.unclearIn("a1")
	b.cutsOut()
	b.generate()
	b.decide(b.core.review.unclear.paint)
	if !b.studio.form.PaintsMask() || b.studio.asset.ID != "a1" {
		t.Errorf("painted: %v, on stage: %+v", b.studio.form.PaintsMask(), b.studio.asset)
	}
}

func TestUnclearPaintWaitsForPreview(t *testing.T) {
	b := openStudio(t).withPicture()
	b.cutsOut()
	b.do(func(app.Context) {
		b.studio.preview.state = model.Loading
		b.studio.paintSoon("a1")
	})
	if b.studio.form.PaintsMask() {
		t.Fatal("the mask desk opened before the region was found")
	}
	b.do(func(app.Context) {
		b.studio.preview.state = model.Loaded
		b.studio.paintFound()
	})
	if !b.studio.form.PaintsMask() || b.studio.painting != "" {
		t.Error("the mask desk did not open")
	}
}

func TestUnclearBatchAsksOnce(t *testing.T) {
	b := openStudio(t).withPicture().withFurther("b", "c", "d")
	b.unclearIn("b", "d")
	b.cutsOut()
	b.generate()
	text := b.question()
	asks, started := words.UnclearIn([]string{"b.jpg", "d.jpg"}), words.UnclearStarted(2, 4)
	if !strings.Contains(text, asks) || !strings.Contains(text, started) {
		t.Fatalf("the question is %q", text)
	}
	b.decide(b.core.review.unclear.paint)
	further := b.studio.form.Files[model.Further.Name]
	if b.studio.asset.ID != "b" || len(further) != 1 || further[0].ID != "d" || !b.studio.form.PaintsMask() {
		t.Errorf("on stage: %+v, beside it: %+v", b.studio.asset, further)
	}
}

func TestUnclearRetryAsks(t *testing.T) {
	b := openStudio(t).withPicture()
	b.core.session.Upstream = "remote"
	run := atelier.Run{
		ID: "r1", Agent: "removeBG", Asset: b.studio.asset, State: atelier.StateFailed, CreatedAt: noon,
		Values: map[string]any{"maskType": "autoSubjectSegment"}, Files: map[string][]string{"originalImage": {"a1"}},
	}
	b.core.runs = b.core.runs.Merge(run)
	b.answers["POST /api/runs/r1/retry"] = func(r browser.Request) (int, any) {
		if strings.HasSuffix(r.URL, "?unsure=true") {
			return 202, atelier.RunBody{Run: atelier.Run{ID: "r2", State: atelier.StateRecorded, CreatedAt: noon}}
		}
		return 422, atelier.ErrorBody{Error: &atelier.Error{Code: atelier.Unclear, Message: "Not clear."}}
	}
	b.do(func(app.Context) { b.studio.RetryRun("r1") })
	if text := b.question(); !strings.Contains(text, "dress.jpg") {
		t.Fatalf("the question is %q", text)
	}
	b.decide(b.core.review.unclear.anyway)
	if _, ok := b.core.runs.Find("r2"); !ok {
		t.Error("the run was not started")
	}
}

func TestUnclearRunOpensMaskDesk(t *testing.T) {
	b := openStudio(t).withPicture()
	run := atelier.Run{
		ID: "r1", Agent: "removeBG", Asset: b.studio.asset, State: atelier.StateFailed, CreatedAt: noon,
		Values: map[string]any{"maskType": "autoSubjectSegment"}, Files: map[string][]string{"originalImage": {"a1"}},
	}
	b.do(func(app.Context) { b.studio.recallRun(run, true) })
	if f := b.studio.form; f.Agent.Name != "removeBG" || !f.PaintsMask() {
		t.Errorf("the form is of %s, painted %v", f.Agent.Name, f.PaintsMask())
	}
}

func TestUnclearNamesAFew(t *testing.T) {
	got := words.UnclearIn([]string{"a", "b", "c", "d", "e"})
	if want := "The studio cannot tell what to keep in 5 photos: a, b, c, +2. Nothing was sent of them."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
