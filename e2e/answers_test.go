package e2e

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/words"
	"atelier/atelier"
)

// answer is what the page hears in place of the server's answer.
type answer struct {
	Match string `json:"match"` // regular expression of the method and the address, as in "GET /api/tasks"
	// How is hold (no answer), silent (the connection breaks), fail (500), unclear (422), merge (its own with what Body
	// has) or empty (Body).
	How  string `json:"how"`
	Body any    `json:"body,omitempty"`
}

// answering stands before fetch.
const answering = `(() => {
	const real = window.fetch;
	const answer = (status, body) => new Response(JSON.stringify(body), {status, headers: {"Content-Type": "application/json"}});
	const said = asked => JSON.parse(sessionStorage.getItem("answers") || "[]").find(a => new RegExp(a.match).test(asked));
	const {open, send} = XMLHttpRequest.prototype; // uploads go by it
	XMLHttpRequest.prototype.open = function (method, address, ...more) { this.asked = method + " " + address; open.call(this, method, address, ...more); };
	XMLHttpRequest.prototype.send = function (body) {
		if (said(this.asked)?.how !== "hold") return send.call(this, body);
		this.upload.dispatchEvent(new ProgressEvent("progress", {lengthComputable: true, loaded: 2, total: 5}));
	};
	window.fetch = async (address, options) => {
		const a = said((options?.method || "GET") + " " + address);
		switch (a?.how) {
		case undefined: return real(address, options);
		case "silent": throw new TypeError("Failed to fetch");
		case "hold": return new Promise(() => {});
		case "fail": return answer(500, {error: {code: "internal", message: "Something went wrong in the studio.", requestId: "1"}});
		case "unclear": return answer(422, {error: {code: "unclear", message: "What to keep is not clear in this photo."}});
		case "merge": return answer(200, {...await (await real(address, options)).json(), ...a.body});
		}
		return answer(200, a.body);
	};
})()`

// answered makes every page that is loaded from now on hear what answers says.
func (b *tab) answered() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: answering}); err != nil {
		b.t.Fatal(err)
	}
}

// answers sets what is heard in place of the server's answers, by this page and those after it. The first that matches
// counts.
func (b *tab) answers(list ...answer) {
	b.t.Helper()
	data, err := json.Marshal(append([]answer{}, list...))
	if err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`sessionStorage.setItem("answers", ` + strconv.Quote(string(data)) + `)`))
}

// Every page while its lists are on their way, and when they cannot be had.
func TestWaitingAndFailingPagesAreAccessible(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	for how, shown := range map[string]string{"hold": ".skeleton", "fail": ":is(.empty, .field__note)"} {
		b.answers(answer{Match: "GET /api/(agents|runs|results|boards|tasks|assets|months|fashion-models|sessions|review-links)", How: how})
		b.open(s, "/")
		for _, page := range []struct{ name, in string }{{"studio", ".inspector"}, {"gallery", ".gallery"}, {"boards", ".boards"}, {"library", ".library"}, {"tasks", ".tasks"}} {
			b.click("nav-" + page.name)
			b.waitFor(page.in + " " + shown)
			b.examined("access-" + page.name + "-" + how)
		}
		for _, view := range []string{"runs", "duplicates", "trash"} {
			b.open(s, "/gallery?view="+view)
			b.waitFor(".gallery " + shown)
			b.audited("access-" + view + "-" + how)
		}
		b.click("rail-settings")
		b.says("#settings", map[string]string{"hold": words.Loading, "fail": words.LoadAgain}[how])
		b.examined("access-settings-" + how)
		b.press(kb.Escape)
		b.click("nav-boards")
		b.click("links-open")
		b.waitFor("#links " + shown)
		b.examined("access-links-" + how)
		b.press(kb.Escape)
	}
	// A program that broke says so over whatever is open, and nothing behind it can be reached.
	b.click("rail-help")
	b.waitFor("#keys[open]")
	b.do(chromedp.Evaluate[chromedp.Void](`atelierBroken("RuntimeError: unreachable")`))
	b.waitUntil(`document.activeElement.matches("dialog.broken button")`)
	b.press(kb.Escape)
	b.waitFor(".broken[open]")
	b.examined("access-broken")
	b.answers(answer{Match: "GET /api/session$", How: "fail"})
	b.do(chromedp.Reload())
	b.waitFor(sel("trouble"))
	b.examined("access-trouble")
}

// A refusal that stands until it is read, and the bar that says the connection is gone and comes back.
func TestInterruptionsAreAccessible(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3})
	b := openTab(t, 1440, 900)
	b.answered()
	b.enter(s, "/gallery")
	b.waitTiles(3)
	b.answers(answer{Match: "PATCH /api/results", How: "fail"})
	b.tabTo("result-card")
	b.press("p")
	b.waitFor(".toast--error")
	b.waitUntil(`!document.querySelector('` + sel("result-card") + `').dataset.pick`) // taken back
	b.audited("access-error-toast")
	b.tabbed("error toast")
	b.narrow("error-toast")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("access-error-toast-phone")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.do(chromedp.Click(chromedp.CSS(".toast--error .icon-button")))
	b.answers()
	b.do(chromedp.Focus(chromedp.CSS(sel("result-card"))))
	b.press("p")
	b.told("picked")
	b.audited("access-judged")
	b.tabbed("judged")
	b.takeOffer()
	b.waitUntil(`!document.querySelector('` + sel("result-card") + `').dataset.pick`)

	s.stop()
	b.waitFor(sel("reconnecting"))
	b.audited("access-reconnecting")
	b.tabbed("reconnecting")
	b.narrow("reconnecting")
	s.start()
	b.waitUntil(`!document.querySelector('` + sel("reconnecting") + `')`)
	b.forgiveOutage()
	b.forgive("500")
}

// What is under way, or went wrong by itself: on the wall, in the studio, the library, the lightbox and on the way out.
func TestBusyAndFailedStatesAreAccessible(t *testing.T) {
	t.Parallel()
	at := time.Now().Add(-time.Hour)
	s := studioWith(t, past{at: at, agent: "aimodel", title: "One", prompt: "x", results: 3, changed: 1})
	b := openTab(t, 1440, 900)
	b.answered()
	b.enter(s, "/gallery")
	b.waitTiles(3)
	real := evaluate[atelier.ResultPage](b, `fetch("/api/results").then(r => r.json())`)
	wall := atelier.ResultPage{Results: real.Results, Total: 8}
	wall.Results[1].Fidelity = &atelier.Fidelity{Reason: "The pose was free."}
	for i, one := range []atelier.Result{
		{Status: atelier.Pending}, {Status: atelier.Segmenting, Progress: .1}, {Status: atelier.Running, Progress: .4}, {Status: atelier.Failed, Error: "The picture is too dark."},
	} {
		one.ID, one.RunID, one.Kind = atelier.ResultID(strconv.Itoa(i)), atelier.RunID("run"+strconv.Itoa(i)), "image"
		wall.Results = append(wall.Results, atelier.ListedResult{Result: one, Run: atelier.RunRef{ID: one.RunID, Agent: "aimodel", CreatedAt: at.Add(-time.Hour)}})
	}
	run := evaluate[map[string]atelier.Run](b, `fetch("/api/runs/`+string(wall.Results[0].RunID)+`").then(r => r.json())`)["run"]
	run.PSD = &atelier.PSD{Status: string(atelier.Running)}
	b.answers(
		answer{Match: "GET /api/results($|\\?)", Body: wall},
		answer{Match: "GET /api/runs/" + string(run.ID), Body: map[string]any{"run": run}},
		answer{Match: "GET /api/runs($|\\?)", Body: atelier.RunPage{Runs: []atelier.Run{run}}},
		answer{Match: "GET /api/fashion-models", Body: atelier.PresetList{Presets: []atelier.Preset{
			{Kind: "fashionModels", ID: 1, Name: "Jo", Status: "prepare"}, {Kind: "fashionModels", ID: 2, Name: "Al", Status: "failed"}, {Kind: "fashionModels", ID: 3, Name: "Em", Status: "complete"},
		}, Count: 3, Limit: 3}},
		answer{Match: "POST /api/assets", How: "hold"},
		answer{Match: "POST /api/zips", How: "fail"},
		answer{Match: "POST /api/psds", How: "hold"},
	)
	wide := func() { b.do(chromedp.EmulateViewport(1440, 900)) }
	narrow := func() { b.do(chromedp.EmulateViewport(390, 844)) }
	b.open(s, "/gallery")
	b.steps([]state{
		{"wall-busy", sel("retry"), func() {}},
		{"wall-busy-phone", sel("retry"), narrow},
		{"wall-busy-small", sel("retry"), func() { wide(); b.open(s, "/gallery?size=small") }},
		{"psd-busy", sel("psd-busy"), func() {
			b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
			b.waitFor(sel("lightbox-picture"))
			b.press("i")
		}},
		{"delivery-problem", sel("deliver-problem"), func() {
			b.press(kb.Escape)
			b.waitUntil(`!document.querySelector("dialog[open]")`)
			b.do(chromedp.Focus(chromedp.CSS(sel("result-card"))))
			b.press("d")
			b.click("deliver-zip")
		}},
		{"delivery-busy", `#deliver button[disabled]`, func() { b.do(chromedp.Click(chromedp.CSS("#deliver " + sel("deliver-psd")))) }},
		{"delivery-busy-phone", `#deliver button[disabled]`, narrow},
		{"presets-busy-phone", `[data-status="failed"]`, func() { b.press(kb.Escape); b.click("nav-library") }},
		{"presets-busy", `[data-status="failed"]`, wide},
		{"upload-busy", ".uploads .progress", func() { b.click("nav-studio"); b.pick(writeFile(t, "dress.jpg", garmentPhoto())) }},
		{"upload-busy-phone", ".uploads .progress", narrow},
	})
	// A run that is under way, with all that is said of it.
	wide()
	run.PSD, run.State, run.Status = nil, atelier.StateAccepted, atelier.Running
	run.Results[2].Stored, run.Results[2].Status = false, atelier.Running
	run.Values = map[string]any{"locationId": evaluate[int](b, `fetch("/api/agents/aimodel/presets?kind=locations").then(r => r.json()).then(p => p.presets[0].id)`)}
	b.answers(answer{Match: "GET /api/runs($|\\?)", Body: atelier.RunPage{Runs: []atelier.Run{run}}})
	b.open(s, "/")
	b.says(sel("run"), "2 of 3 ready")
	b.waitUntil(`document.querySelector(".run__presets")`)
	b.whole("strip-busy")
	narrow()
	b.whole("strip-busy-phone")
	wide()

	// That the palette found nothing is said when it is so, not before.
	b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	for how, said := range map[string]string{"hold": words.Loading, "fail": "Something went wrong", "": words.PaletteNothing} {
		b.answers(answer{Match: "GET /api/runs", How: how, Body: atelier.RunPage{}})
		b.answer("palette-input", "")
		b.answer("palette-input", "quartz")
		b.says(".palette__none:not([hidden])", said)
		b.examined("access-palette-runs-" + how)
	}
	b.forgive("500")
}
