package e2e

import (
	_ "embed"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed contrast.js
var contrastScript string

// audit looks at everything that is shown: the names of controls and pictures, roles, ids, labels, targets, and the contrast of each
// text and each control with what lies behind it (WCAG 2.2: 1.1.1, 1.3.5, 1.4.3, 1.4.11, 2.4.2, 2.5.3, 2.5.8, 3.1.1, 3.2.6, 3.3.1, 3.3.8, 4.1.2, 4.1.3).
//
//go:embed audit.js
var audit string

//go:embed tabwalk.js
var tabWalk string

// pages are all pages, with what says that one is there.
var pages = []struct{ name, path, ready string }{
	{"studio", "/", sel("upload-button")},
	{"gallery", "/gallery", sel("result-card")},
	{"gallery-whole", "/gallery?whole=1&size=small", sel("result-card")},
	{"gallery-runs", "/gallery?view=runs", sel("result-card")},
	{"gallery-nothing", "/gallery?agent=aimodel&rating=5", sel("gallery-none")},
	{"duplicates", "/gallery?view=duplicates", ".gallery__head"},
	{"trash", "/gallery?view=trash", sel("trash-empty")},
	{"boards", "/boards", sel("boards-empty")},
	{"library", "/library", sel("offered-presets")},
	{"library-locations", "/library?kind=locations", sel("offered-presets")},
	{"library-backgrounds", "/library?kind=backgrounds", sel("offered-presets")},
	{"library-sizes", "/library?kind=dimensions", sel("offered-presets")},
	{"tasks", "/tasks", sel("tasks-empty")},
}

// audited fails for what the audit finds on the page as it is, in both themes, and for what is wrong in its accessibility tree.
func (b *tab) audited(page string) {
	b.t.Helper()
	b.auditedIn(page, "dark", "light")
}

// auditedIn is audited in some themes.
func (b *tab) auditedIn(page string, themes ...string) {
	b.t.Helper()
	b.calm()
	evaluate[bool](b, contrastScript)
	for _, theme := range themes {
		b.theme(theme)
		b.shot(page + "-" + theme)
		b.ended()
		if wrong := evaluate[string](b, audit); wrong != "" {
			b.t.Errorf("%s, %s:\n%s", page, theme, wrong)
		}
	}
	for _, wrong := range b.treeFaults() {
		b.t.Errorf("%s, accessibility tree: %s", page, wrong)
	}
}

// lying looks at the page on a phone that lies on its side (1.3.4); the page is then as large again as it was.
func (b *tab) lying(page string) {
	b.t.Helper()
	size := evaluate[[]int64](b, `[innerWidth, innerHeight]`)
	b.do(chromedp.EmulateViewport(844, 390))
	b.audited(page + "-lying")
	b.tabbed(page + ", lying")
	b.do(chromedp.EmulateViewport(size[0], size[1]))
}

// motionless says that motion is not wanted.
func (b *tab) motionless() {
	b.t.Helper()
	still := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: still}); err != nil {
		b.t.Fatal(err)
	}
}

// calm lets nothing move: colours on their way from one to another are neither.
func (b *tab) calm() {
	b.t.Helper()
	b.motionless()
	b.ended()
}

// ended waits for the end of what moves, and ends what moves for ever.
func (b *tab) ended() {
	b.t.Helper()
	evaluate[bool](b, `Promise.allSettled(document.getAnimations().map(a => a.effect.getTiming().iterations === Infinity ? a.cancel() : a.finished)).then(() => true)`)
}

// tabbed goes through everything that Tab reaches: each is on screen and not covered, has a focus that can be seen in both themes, and
// comes after the one before it in the order of the page. The focus is then where it was.
func (b *tab) tabbed(page string) {
	b.t.Helper()
	b.calm()
	evaluate[bool](b, contrastScript)
	evaluate[bool](b, tabWalk)
	around := false
	for range 30 {
		b.press(strings.Repeat(kb.Tab, 10))
		if around = evaluate[bool](b, `tabWalk.done || document.activeElement === document.body`); around {
			break
		}
	}
	if n := evaluate[int](b, `tabWalk.visited.length`); n == 0 || !around {
		b.t.Errorf("%s: Tab reaches %d elements; it comes around: %t", page, n, around)
	}
	for _, wrong := range evaluate[[]string](b, `tabWalk.end()`) {
		b.t.Errorf("%s: %s", page, wrong)
	}
}

// TestJourneyEveryPageIsAccessible looks at each page once, at the size of a desk, with the result, the desk and the sign-in page, in one
// theme or the other. TestEveryPageAndStateIsAccessible looks at all states, themes and sizes.
func TestJourneyEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	s, b := openForAudit(t)
	themes := []string{"dark", "light"}
	look := func(page string) {
		t.Helper()
		b.auditedIn("access-"+page, themes[0])
		b.tabbed(page)
		themes[0], themes[1] = themes[1], themes[0]
	}
	for _, p := range pages {
		if strings.Contains(p.name, "-") { // the same page with something else on it
			continue
		}
		b.open(s, p.path)
		b.waitFor(p.ready)
		look(p.name)
	}
	b.open(s, "/gallery")
	b.waitTiles(18)
	b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	look("lightbox")
	b.click("compare-run")
	b.waitFor(sel("desk-cell"))
	look("desk")
	b.signOut(s)
	look("signin")
	b.forgive("401")
}

// openForAudit opens a studio with runs of each kind, and checks that the audit finds what is wrong on purpose.
func openForAudit(t *testing.T) (*studio, *tab) {
	t.Helper()
	now := time.Now()
	s := studioWith(t,
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "One", prompt: "a street", results: 16, changed: 2},
		past{at: now.AddDate(0, -2, 0), agent: "removeBG", title: "Two", prompt: "a beach", results: 2},
		past{at: now.Add(-2 * time.Hour), agent: "removeBG", title: "Three", prompt: "nothing", failed: true},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/boards")
	evaluate[bool](b, contrastScript)
	found := evaluate[string](b, `(() => {
		const bad = document.createElement("div");
		bad.innerHTML = '<button type="button"></button><p style="color:#999;background:#fff">too faint</p><img src="/web/icons/icon.svg"><div role="option">lost</div><p class="field__problem">unsaid</p><input type="password" aria-label="Code"><button type="button" aria-label="Remove the picture">Delete</button><input aria-label="Width" aria-invalid="true"><form><input aria-label="Who"><input type="password" aria-label="Word"></form>';
		document.querySelector("main").append(bad);
		const found = `+audit+`;
		bad.remove();
		return found;
	})()`)
	for _, want := range []string{"no name: button", "contrast 2.85 of “too faint”", "no alt: img", "an option of no list", "said to nobody: p.field__problem", "a password to be typed: input", "“delete” is not in the name", "wrong, and nobody says why: input", "a field the browser cannot fill: input"} {
		if !strings.Contains(found, want) {
			t.Errorf("the audit does not find %q:\n%s", want, found)
		}
	}
	return s, b
}

// signOut ends the session and waits for the page that asks for another.
func (b *tab) signOut(s *studio) {
	b.t.Helper()
	if out := evaluate[float64](b, `fetch("/api/session", {method: "DELETE", headers: {"X-Atelier": "1"}}).then(r => r.status)`); out != 204 {
		b.t.Fatalf("signing out = %v", out)
	}
	b.do(chromedp.Navigate("http://" + s.listen))
	b.waitFor(sel("signin-token"))
}

// Every page, in both themes, in the states that matter: names, roles, contrast, and the order of the focus.
func TestEveryPageAndStateIsAccessible(t *testing.T) {
	t.Parallel()
	s, b := openForAudit(t)
	for _, p := range pages {
		b.open(s, p.path)
		b.waitFor(p.ready)
		b.audited("access-" + p.name)
		b.tabbed(p.name)
		if !strings.Contains(p.name, "-") { // the others are the same page with something else on it
			b.lying(p.name)
		}
	}
	b.open(s, "/gallery")
	b.waitTiles(18)
	b.steps([]state{
		{"filters", sel("filter-from"), func() { b.click("filter-more") }},
		{"chosen", sel("chosen"), func() { b.tabTo("result-card"); b.press(" ") }},
		{"boarding", sel("boarding-name"), func() { b.press("b") }},
		{"delivery", sel("deliver-zip"), func() { b.press(kb.Escape); b.press("d") }},
		{"palette", "#palette-list", func() { b.press(kb.Escape); b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)) }},
		{"palette-nothing", ".palette__none:not([hidden])", func() { b.press("zzzz") }},
		{"keys", ".keys", func() { b.press(kb.Escape); b.press("?") }},
		{"settings", ".settings", func() { b.press(kb.Escape); b.click("rail-settings") }},
		{"lightbox", sel("lightbox-picture"), func() {
			b.press(kb.Escape)
			b.returned("rail-settings")
			b.press(kb.Escape)
			b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
		}},
		{"details", ".lightbox__details", func() { b.press("i") }},
		{"heat", sel("heat"), func() { b.press("h") }},
		{"desk", sel("desk-cell"), func() { b.click("compare-run") }},
		{"desk-one", ".desk__area--one", func() { b.press(kb.Enter) }},
	})
	b.press(kb.Escape)
	b.press(kb.Escape)
	b.open(s, "/gallery")
	b.waitTiles(18)
	b.steps([]state{
		{"trash-full", sel("result-card"), func() {
			b.tabTo("result-card")
			b.press(kb.Delete)
			b.waitTiles(17)
			b.open(s, "/gallery?view=trash")
		}},
		{"boards-full", sel("board-card"), func() {
			b.open(s, "/gallery")
			b.waitTiles(17)
			b.tabTo("result-card")
			b.press("b")
			b.do(chromedp.SendKeys(chromedp.CSS(sel("boarding-name")), "Spring"))
			b.click("boarding-create")
			b.waitFor(sel("toast"))
			b.click("nav-boards")
		}},
		{"board", sel("board-head"), func() { b.click("board-card"); b.waitTiles(1) }},
	})
	b.open(s, "/gallery")
	b.waitTiles(17)
	b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.click("compare-run")
	b.do(chromedp.EmulateViewport(390, 844))
	b.steps([]state{
		{"desk-phone", sel("desk-cell"), func() {}},
		{"lightbox-phone", ".lightbox__details", func() { b.press(kb.Escape); b.press("i") }},
		{"gallery-phone", sel("result-card"), func() { b.press("i"); b.press(kb.Escape) }},
		{"boards-phone", sel("board-card"), func() { b.click("nav-boards") }},
		{"board-form", "#board-name", func() { b.click("board-new") }},
		{"library-phone", sel("offered-presets"), func() { b.press(kb.Escape); b.click("nav-library") }},
		{"tasks-phone", sel("tasks-empty"), func() { b.click("nav-tasks") }},
		{"palette-phone", "#palette-list", func() { b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)) }},
		{"studio-phone", sel("upload-button"), func() { b.press(kb.Escape); b.click("nav-studio") }},
		{"form-phone", sel("field-locationId") + " .field__problem", func() { b.click("sheet-grip"); b.click("generate") }},
	})
	b.do(chromedp.EmulateViewport(1440, 900))
	b.steps([]state{
		{"agents", sel("agent-search"), func() { b.click("agent-button") }},
		{"assets", sel("asset"), func() { b.press(kb.Escape); b.returned("agent-button"); b.click("recent") }},
		{"expansion", sel("canvas-size"), func() { b.do(chromedp.Click(chromedp.CSS(sel("asset")))); b.chooseAgent("expandimage") }},
		{"form-original", sel("field-targetWidth") + " .field__problem", func() { b.click("generate") }},
	})
	// A form of each family, after an attempt to generate with nothing given.
	for _, p := range []struct{ agent, field string }{
		{"ai-headshot-generator", "textDescription"},
		{"ai-clothes-changer", "images"},
		{"flowchart-generator", "textDescription"},
		{"image-search", "textDescription"},
		{"advanced-video", "textDescription"},
		{"replace-face-in-video-online-free", "videos"},
	} {
		b.chooseAgent(p.agent)
		b.click("generate")
		b.waitFor(sel("field-"+p.field) + " .field__problem")
		b.audited("access-form-" + p.agent)
		b.tabbed("form-" + p.agent)
	}
	b.pick(writeFile(t, "notes.png", []byte("not a picture")))
	b.waitFor(sel("upload-problem"))
	b.audited("access-upload-problem")
	b.tabbed("upload-problem")
	b.signOut(s)
	b.examined("access-signin")
	b.forgive("401")
}

// state is one way a page can stand, and how it comes to stand so.
type state struct {
	name, ready string
	reach       func()
}

// steps goes from state to state, looks at each, and goes through it with Tab.
func (b *tab) steps(states []state) {
	b.t.Helper()
	for _, p := range states {
		p.reach()
		b.waitFor(p.ready)
		b.audited("access-" + p.name)
		b.tabbed(p.name)
	}
}

// returned waits until a dialog is closed and the focus is back where it was opened from.
func (b *tab) returned(opener string) {
	b.t.Helper()
	b.waitUntil(`!document.querySelector("dialog[open]") && document.activeElement?.matches('` + sel(opener) + `')`)
}
