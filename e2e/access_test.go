package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// audit looks at everything that is shown: the names of controls and pictures, roles, ids, labels, and the contrast of each
// text with what lies behind it (WCAG 2.2: 1.1.1, 1.4.3, 4.1.2). Text over a picture is left out: it has a ground of its own.
const audit = `(() => {
	const wrong = new Set();
	for (const a of document.getAnimations()) if (a.effect.getComputedTiming().duration > 1) wrong.add("moves although motion is not wanted: " + (a.animationName || a.transitionProperty) + " of " + a.effect.target?.className);
	const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !e.closest("[aria-hidden=true]") && e.getClientRects().length > 0;
	const name = e => {
		const by = (e.getAttribute("aria-labelledby") || "").split(" ").map(id => document.getElementById(id)?.textContent || "").join(" ").trim();
		const label = e.labels && [...e.labels].map(l => l.textContent).join(" ").trim();
		const inside = [...e.querySelectorAll("img[alt]")].map(i => i.alt).join(" ").trim();
		return (e.getAttribute("aria-label") || "").trim() || by || label || e.innerText?.trim() || inside || (e.title || "").trim();
	};
	const what = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className?.baseVal === undefined && e.className ? "." + String(e.className).trim().split(/\s+/).join(".") : "");
	const front = [...document.querySelectorAll("dialog[open]")].pop() || document.body;
	const all = [...front.querySelectorAll("*")].filter(shown);
	for (const e of all) {
		if (e.matches("button, a[href], input, select, textarea, summary, [role=button], [role=option], [role=img], [role=switch], video[controls]") && !name(e)) wrong.add("no name: " + what(e));
		if (e.tagName === "IMG" && !e.hasAttribute("alt") && e.getAttribute("role") !== "presentation") wrong.add("no alt: " + what(e));
		if (e.matches("[tabindex]") && e.tabIndex > 0) wrong.add("tabindex above 0: " + what(e));
		if (e.matches("button button, a button, button a")) wrong.add("a control in a control: " + what(e));
		if (e.matches("[role=listitem]") && !e.closest("[role=list], ul, ol")) wrong.add("an item of no list: " + what(e));
		if (e.matches("[role=option]") && !e.closest("[role=listbox]")) wrong.add("an option of no list: " + what(e));
		if (e.matches("[role=group], [role=radiogroup], [role=toolbar]") && !name(e)) wrong.add("a group without a name: " + what(e));
		if (e.matches("label[for]") && !e.control) wrong.add("a label of nothing: " + what(e));
		for (const a of ["aria-labelledby", "aria-describedby"]) for (const id of (e.getAttribute(a) || "").split(" ")) if (id && !document.getElementById(id)) wrong.add(a + " points nowhere, " + id + ": " + what(e));
		const controls = e.getAttribute("aria-controls"), active = e.getAttribute("aria-activedescendant");
		for (const id of [controls, active]) if (id && !document.getElementById(id)) wrong.add("points nowhere, " + id + ": " + what(e));
	}
	// Targets are 24 px in both directions, or far enough from the next one (2.5.8); words in a sentence are as high as it is.
	const targets = all.filter(e => e.matches("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=option], [role=slider]") && !e.disabled && !e.matches(".visually-hidden"))
		.map(e => ({e, r: (e.matches("[type=checkbox], [type=radio]") && e.closest("label") || e).getBoundingClientRect()}));
	const small = t => Math.min(t.r.width, t.r.height) < 23.5;
	for (const t of targets) {
		if (!small(t) || getComputedStyle(t.e).display === "inline") continue;
		const x = t.r.x + t.r.width / 2, y = t.r.y + t.r.height / 2;
		const near = targets.find(o => o !== t && !o.e.contains(t.e) && !t.e.contains(o.e) && (small(o)
			? Math.hypot(o.r.x + o.r.width / 2 - x, o.r.y + o.r.height / 2 - y) < 24
			: Math.hypot(Math.max(o.r.x - x, 0, x - o.r.right), Math.max(o.r.y - y, 0, y - o.r.bottom)) < 12));
		if (near) wrong.add("target of " + t.r.width.toFixed(0) + " × " + t.r.height.toFixed(0) + " px: " + what(t.e) + " by " + what(near.e));
	}
	// What is cut off to the side without a way to scroll there is lost.
	if (document.documentElement.scrollWidth > innerWidth + 1) wrong.add("the page is wider than the window");
	for (const t of targets) {
		let clip = t.e.closest("dialog[open]") || document.documentElement, scrolls = false;
		for (let p = t.e; p && p !== clip; p = p.parentElement) if (getComputedStyle(p).position === "fixed") clip = document.documentElement;
		const c = clip.getBoundingClientRect();
		for (let p = t.e.parentElement; p && p !== clip; p = p.parentElement) scrolls ||= /auto|scroll/.test(getComputedStyle(p).overflowX) && p.scrollWidth > p.clientWidth;
		if (!scrolls && t.r.width > 0 && (t.r.right > Math.min(c.right, innerWidth) + 1 || t.r.left < -1)) wrong.add("out of reach at the side: " + what(t.e));
	}
	if (front === document.body) {
		if (all.filter(e => e.tagName === "MAIN").length !== 1) wrong.add("not one main");
		if (!all.some(e => e.tagName === "H1")) wrong.add("no heading of the page");
	}
	const ids = all.map(e => e.id).filter(Boolean);
	ids.forEach((id, i) => { if (ids.indexOf(id) !== i) wrong.add("the same id twice: " + id); });

	const parse = c => { const m = c.match(/[\d.]+/g)?.map(Number) || [0, 0, 0, 0]; if (c.startsWith("color(")) { return [m[0] * 255, m[1] * 255, m[2] * 255, m[3] ?? 1]; } return [m[0], m[1], m[2], m[3] ?? 1]; };
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
	const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
	const ground = e => {
		const layers = [];
		for (let p = e; p; p = p.parentElement) {
			const s = getComputedStyle(p);
			if (s.backgroundImage !== "none") return null;
			const c = parse(s.backgroundColor);
			if (c[3] > 0) layers.push(c);
			if (c[3] >= 1) break;
			if (s.position === "absolute" && p.closest(".card, .poster, .asset") && p !== e.closest(".card, .poster, .asset")) return null;
		}
		return layers.reverse().reduce((b, c) => over(c, b), [255, 255, 255, 1]);
	};
	for (const e of all) {
		const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent.trim()).join("");
		if (!text || e.closest("svg, select, option, [disabled], .visually-hidden") || e.closest("button:disabled")) continue;
		const s = getComputedStyle(e);
		let fade = 1;
		for (let p = e; p; p = p.parentElement) fade *= Number(getComputedStyle(p).opacity);
		const back = ground(e);
		if (!back || fade < 1) continue;
		const a = light(over(parse(s.color), back)), b = light(back);
		const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
		const size = parseFloat(s.fontSize), bold = Number(s.fontWeight) >= 700;
		if (ratio < (size >= 24 || bold && size >= 18.66 ? 3 : 4.5) - .01) wrong.add("contrast " + ratio.toFixed(2) + " of “" + text.slice(0, 30) + "”: " + what(e));
	}
	return [...wrong].join("\n");
})()`

// audited fails for what the audit finds on the page as it is, in both themes.
func (b *tab) audited(page string) {
	b.t.Helper()
	b.calm()
	for _, theme := range []string{"dark", "light"} {
		b.theme(theme)
		b.shot(page + "-" + theme)
		b.ended()
		if wrong := evaluate[string](b, audit); wrong != "" {
			b.t.Errorf("%s, %s:\n%s", page, theme, wrong)
		}
	}
}

// calm lets nothing move: colours on their way from one to another are neither.
func (b *tab) calm() {
	b.t.Helper()
	still := []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: still}); err != nil {
		b.t.Fatal(err)
	}
	b.ended()
}

// ended waits for the end of what moves, and ends what moves for ever.
func (b *tab) ended() {
	b.t.Helper()
	evaluate[bool](b, `Promise.allSettled(document.getAnimations().map(a => a.effect.getTiming().iterations === Infinity ? a.cancel() : a.finished)).then(() => true)`)
}

// tabbed goes through everything that Tab reaches: each has a visible focus, is on screen, and comes after the one before it
// in the order of the page.
func (b *tab) tabbed(page string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement?.blur(); window.visited = []`))
	for range 60 {
		b.press(kb.Tab)
		state := evaluate[string](b, `(() => {
			const e = document.activeElement;
			if (!e || e === document.body || window.visited.includes(e)) return "end";
			const r = e.getBoundingClientRect(), s = getComputedStyle(e), before = window.visited[window.visited.length - 1];
			window.visited.push(e);
			const what = e.tagName + "." + e.className + "#" + e.id;
			if (r.width === 0 || r.right <= 0 || r.bottom <= 0 || r.left >= innerWidth || r.top >= innerHeight) return "not on screen: " + what;
			const ring = x => getComputedStyle(x).outlineStyle !== "none" && parseFloat(getComputedStyle(x).outlineWidth) >= 1 || getComputedStyle(x).boxShadow !== "none";
			if (!ring(e) && ![...e.parentElement.querySelectorAll("*")].some(ring) && !ring(e.parentElement) && s.borderColor === "") return "no visible focus: " + what;
			if (before && !(before.compareDocumentPosition(e) & 4)) return "out of order: " + what;
			return "";
		})()`)
		if state == "end" {
			return
		}
		if state != "" {
			b.t.Errorf("%s: %s", page, state)
		}
	}
}

// Every page, in both themes, in the states that matter: names, roles, contrast, and the order of the focus.
func TestEveryPageCanBeUsedByEverybody(t *testing.T) {
	s := newStudio(t)
	now := time.Now()
	s.remember(
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "One", prompt: "a street", results: 16, changed: 2},
		past{at: now.AddDate(0, -2, 0), agent: "removeBG", title: "Two", prompt: "a beach", results: 2},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/boards")
	// What is wrong on purpose is found, each time.
	found := evaluate[string](b, `(() => {
		const bad = document.createElement("div");
		bad.innerHTML = '<button type="button"></button><p style="color:#999;background:#fff">too faint</p><img src="/web/icons/icon.svg"><div role="option">lost</div>';
		document.querySelector("main").append(bad);
		const found = `+audit+`;
		bad.remove();
		return found;
	})()`)
	for _, want := range []string{"no name: button", "contrast 2.85 of “too faint”", "no alt: img", "an option of no list"} {
		if !strings.Contains(found, want) {
			t.Errorf("the audit does not find %q:\n%s", want, found)
		}
	}
	for _, p := range []struct{ name, path, ready string }{
		{"studio", "/", sel("upload-button")},
		{"gallery", "/gallery", sel("result-card")},
		{"gallery-whole", "/gallery?whole=1&size=small", sel("result-card")},
		{"gallery-runs", "/gallery?view=runs", sel("result-card")},
		{"gallery-nothing", "/gallery?agent=aimodel&rating=5", sel("gallery-none")},
		{"duplicates", "/gallery?view=duplicates", ".gallery__head"},
		{"trash", "/gallery?view=trash", sel("trash-empty")},
		{"boards", "/boards", sel("boards-empty")},
		{"library", "/library", sel("offered-presets")},
		{"tasks", "/tasks", sel("tasks-empty")},
	} {
		b.open(s, p.path)
		b.waitFor(p.ready)
		b.audited("access-" + p.name)
		b.tabbed(p.name)
	}
	b.open(s, "/gallery")
	b.waitTiles(18)
	b.steps([]state{
		{"filters", sel("filter-from"), func() { b.click("filter-more") }},
		{"chosen", sel("chosen"), func() { b.tabTo("result-card"); b.press(" ") }},
		{"boarding", sel("boarding-name"), func() { b.press("b") }},
		{"delivery", sel("deliver-zip"), func() { b.press(kb.Escape); b.press("d") }},
		{"palette", "#palette-list", func() { b.press(kb.Escape); b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)) }},
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
	b.tabbed("board")
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
	}
}

// state is one way a page can stand, and how it comes to stand so.
type state struct {
	name, ready string
	reach       func()
}

// steps goes from state to state and looks at each.
func (b *tab) steps(states []state) {
	b.t.Helper()
	for _, p := range states {
		p.reach()
		b.waitFor(p.ready)
		b.audited("access-" + p.name)
	}
}

// returned waits until a dialog is closed and the focus is back where it was opened from.
func (b *tab) returned(opener string) {
	b.t.Helper()
	b.waitUntil(`!document.querySelector("dialog[open]") && document.activeElement?.matches('` + sel(opener) + `')`)
}
