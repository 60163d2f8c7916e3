package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/atelier"
	"atelier/imaging/testpics"
)

// dialog is a window over the page: where it is opened from, and how, where that is not by a press of that button.
type dialog struct {
	id, opener string
	open       func()
	back       string // where the focus goes when it closes, "" for the opener
}

// walked opens a dialog by keyboard and goes through it: the focus is inside, stays inside, and goes back to where it
// was.
func (b *tab) walked(d dialog) {
	b.t.Helper()
	b.waitFor(d.opener)
	b.do(chromedp.Evaluate[chromedp.Void](`(window.opener_ = document.querySelector('` + d.opener + `')).focus()`))
	if d.open != nil {
		d.open()
	} else {
		b.press(kb.Enter)
	}
	b.waitUntil(`document.querySelector("#` + d.id + `[open]")?.contains(document.activeElement)`)
	stops := `document.querySelectorAll("#` + d.id + ` :is(button, a[href], input, select, textarea, summary, [tabindex='0'])").length`
	b.waitUntil(stops + ` > 0`)
	steps := evaluate[int](b, stops)
	reached := map[string]bool{}
	for range min(steps+2, 12) {
		b.press(kb.Tab)
		at := evaluate[string](b, `(e => e === document.body ? "" : !document.querySelector("#`+d.id+`").contains(e) ? "outside" : e.getAttribute("aria-label") || e.textContent || e.id)(document.activeElement)`)
		reached[at] = true
	}
	for range 2 {
		b.press(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
		reached[evaluate[string](b, `document.activeElement === document.body || document.querySelector("#`+d.id+`").contains(document.activeElement) ? "inside" : "outside"`)] = true
	}
	if reached["outside"] {
		b.t.Errorf("%s: Tab leaves it", d.id)
	}
	b.audited("dialog-" + d.id)
	b.narrow("dialog-" + d.id)
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("#` + d.id + `[open]")`)
	if d.back != "" {
		b.do(chromedp.Evaluate[chromedp.Void](`window.opener_ = document.querySelector('` + d.back + `')`))
	}
	b.waitUntil(`document.activeElement === window.opener_`)
}

// twoTones is a mask in black and white, of which the studio asks what they mean.
func twoTones() []byte {
	m := image.NewGray(image.Rect(0, 0, 600, 800))
	for y := range 400 {
		for x := range 600 {
			m.SetGray(x, y, color.Gray{255})
		}
	}
	var data bytes.Buffer
	_ = png.Encode(&data, m)
	return data.Bytes()
}

// Every dialog there is, each opened by keyboard; one that is new is missing here until it is added.
func TestEveryDialogKeepsAndReturnsFocus(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "a street", results: 3})
	b := openTab(t, 1440, 900)
	b.answered()
	b.enter(s, "/boards")
	ada := atelier.User{ID: "local", Name: "Ada", Role: atelier.Admin}
	browsers := []atelier.SignedIn{{ID: "1", Browser: "Firefox", Current: true}}
	models := []atelier.Preset{{Kind: "fashionModels", ID: 7, Name: "Jo", Status: "complete"}}
	tasks := []atelier.Task{{ID: "t", Agent: "aimodel", Version: "v1.0"}}
	runs := []atelier.Run{{
		ID: "r", Agent: "aimodel", Version: "v1.0", State: atelier.StateUnconfirmed, Status: atelier.Pending,
	}}
	heard := []answer{
		{Match: "GET /api/session$", How: "merge", Body: map[string]any{"team": true, "user": ada}},
		{Match: "GET /api/users", Body: atelier.AccountList{Accounts: []atelier.Account{{User: ada}}}},
		{Match: "GET /api/sessions", Body: atelier.SignedInList{Sessions: browsers}},
		{Match: "GET /api/fashion-models", Body: atelier.PresetList{Presets: models, Count: 1, Limit: 1000}},
		{Match: "GET /api/tasks", Body: atelier.TaskPage{Tasks: tasks}},
		{Match: "GET /api/runs", Body: atelier.RunPage{Runs: runs}},
	}
	b.answers(heard...)
	b.open(s, "/")
	b.calm()
	seen := []string{"menu"} // Tab closes it; TestMenuWorksByMouseKeyboardAndFinger goes through it
	walk := func(list ...dialog) {
		for _, d := range list {
			b.walked(d)
			seen = append(seen, d.id)
		}
	}
	file := func(input string, name string, data []byte) func() {
		path := writeFile(t, name, data)
		return func() { b.do(chromedp.SetUploadFiles(chromedp.ID(input), []string{path})) }
	}
	keys := func(text string, modifiers ...chromedp.KeyOption) func() {
		return func() { b.press(text, modifiers...) }
	}
	walk(
		dialog{id: "keys", opener: sel("rail-help")},
		dialog{id: "settings", opener: sel("rail-settings")},
		dialog{id: "agents", opener: sel("agent-button")},
		dialog{id: "presets", opener: sel("browse-locationId")},
		dialog{id: "unconfirmed", opener: sel("decide")},
		dialog{id: "palette", opener: sel("agent-button"), open: keys("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))},
		dialog{id: "doctor", opener: sel("upload-button"), open: file("upload-input", "narrow.jpg", testpics.JPEG(testpics.Photo(600, 1400, 6)))},
		dialog{id: "assets", opener: sel("recent")},
	)
	beside := [2]float64{20, 700}
	inside := func(id string) [2]float64 { return b.box("#"+id+" .dialog__title").at(.5, .5) }
	closed := func(id string, want bool, from [2]float64) {
		t.Helper()
		b.drag(from, beside)
		if want {
			b.waitUntil(`!document.querySelector("#` + id + `[open]")`)
			return
		}
		if open := evaluate[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(!!document.querySelector("#`+id+`[open]")))))`); !open {
			t.Errorf("%s: a press at %v, let go beside it, closes it", id, from)
		}
	}
	b.click("agent-button")
	closed("agents", false, inside("agents")) // text is selected beyond the edge
	closed("agents", true, beside)
	file("upload-input", "narrow.jpg", testpics.JPEG(testpics.Photo(600, 1400, 6)))()
	b.waitFor("#doctor[open]")
	closed("doctor", false, beside)
	b.press(kb.Escape)

	b.click("recent")
	b.click("asset")
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `').naturalWidth > 0`)
	b.press("b")
	b.waitFor(sel("tool-brush"))
	b.press("t")
	b.waitFor(sel("mask-side") + ` [data-value="saved"]`)
	for _, tab := range evaluate[[]string](b, `[...document.querySelectorAll(".maskpanel__head [data-value]")].map(e => e.dataset.value)`) {
		b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="` + tab + `"]`)))
		b.waitFor(sel("mask-side") + `[data-tab="` + tab + `"]`)
		b.audited("mask-panel-" + tab)
		b.tabbed("mask panel " + tab)
	}
	b.do(chromedp.Click(chromedp.CSS(sel("mask-side") + ` [data-value="saved"]`)))
	walk(dialog{id: "mask-meaning", opener: sel("mask-import") + ":not(input)", open: file("mask-import", "mask.png", twoTones())})

	b.chooseAgent("removeBG")
	b.choose("maskType", "autoSubjectSegment")
	b.click("batch-16")
	walk(dialog{id: "confirm-generate", opener: sel("generate")})
	b.click("batch-1")
	b.answers(append(heard, answer{Match: "POST /api/runs$", How: "unclear"})...)
	walk(dialog{id: "unclear", opener: sel("generate")})

	b.click("rail-settings")
	walk(dialog{id: "team", opener: sel("open-team"), back: sel("rail-settings")})
	b.click("nav-library")
	b.click("new-preset")
	b.waitFor("#make-preset[open]")
	closed("make-preset", false, beside)
	b.press(kb.Escape)
	walk(
		dialog{id: "make-preset", opener: sel("new-preset")},
		dialog{id: "delete-preset", opener: sel("delete-preset")},
	)
	b.click("nav-tasks")
	walk(dialog{id: "delete-task", opener: sel("delete-task")})
	b.click("nav-boards")
	walk(
		dialog{id: "board", opener: sel("board-new")},
		dialog{id: "links", opener: sel("links-open")},
	)
	b.click("nav-gallery")
	b.waitTiles(3)
	walk(dialog{id: "lightbox", opener: sel("result-card")})
	b.do(chromedp.Focus(chromedp.CSS(sel("result-card"))))
	b.press(" ")
	b.waitFor(sel("chosen"))
	walk(
		dialog{id: "deliver", opener: sel("chosen-deliver")},
		dialog{id: "boards", opener: sel("chosen-board")},
		dialog{id: "ask", opener: sel("chosen-ask")},
		dialog{id: "desk", opener: sel("chosen-compare")},
	)
	b.press(kb.Escape)
	b.open(s, "/gallery?view=trash")
	walk(dialog{id: "purge", opener: sel("trash-purge")})
	all := evaluate[[]string](b, `[...document.querySelectorAll("dialog")].map(d => d.id)`)
	for _, id := range all {
		if !slices.Contains(seen, id) {
			t.Errorf("nobody walked through the dialog %s", id)
		}
	}
	if strings.Join(all, "") == "" {
		t.Error("the page has no dialogs")
	}
}
