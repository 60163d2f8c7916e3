package e2e

import (
	_ "embed"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed cutoff.js
var cutOff string

// spaced sets the distances that WCAG 2.2 asks a page to bear (1.4.12), and takes them away.
const (
	spaced = `(() => {
		const s = new CSSStyleSheet();
		s.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }");
		document.adoptedStyleSheets = [s];
		return true;
	})()`
	unspaced = `(document.adoptedStyleSheets = [], true)`
)

// whole fails the test where the page has to be scrolled to the side, or a word is cut off, as it is and with more space between lines,
// words and letters.
func (b *tab) whole(page string) {
	b.t.Helper()
	b.calm()
	for _, look := range []struct{ name, set string }{{"", unspaced}, {", spaced", spaced}} {
		evaluate[bool](b, look.set)
		b.shot("reflow-" + page + look.name)
		for _, wrong := range evaluate[[]string](b, cutOff) {
			b.t.Errorf("%s%s: %s", page, look.name, wrong)
		}
	}
	evaluate[bool](b, unspaced)
}

// narrow is whole on a screen of 320 px; the page is then as wide again as it was.
func (b *tab) narrow(page string) {
	b.t.Helper()
	size := evaluate[[]int64](b, `[innerWidth, innerHeight]`)
	b.do(chromedp.EmulateViewport(320, 640))
	b.whole(page)
	b.do(chromedp.EmulateViewport(size[0], size[1]))
}

// examined is audited, tabbed and narrow, and audited again on a phone.
func (b *tab) examined(page string) {
	b.t.Helper()
	b.audited(page)
	b.tabbed(page)
	b.narrow(page)
	size := evaluate[[]int64](b, `[innerWidth, innerHeight]`)
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited(page + "-phone")
	b.do(chromedp.EmulateViewport(size[0], size[1]))
}

// Everything can be read and reached on a screen of 320 px (WCAG 2.2, 1.4.10), which is also what a larger one shows at 400 %, and where
// somebody needs more space between lines, words and letters (1.4.12).
func TestPagesFitNarrowScreensAndTextSpacing(t *testing.T) {
	t.Parallel()
	s := studioWith(t,
		past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Spring campaign, the second afternoon by the sea", prompt: "a street", results: 4, changed: 1, apart: 1},
		past{at: time.Now().Add(-2 * time.Hour), agent: "removeBG", title: "Three", prompt: "nothing", failed: true},
	)
	b := openTab(t, 320, 640)
	b.enter(s, "/boards")
	// What is cut off on purpose is found.
	found := evaluate[[]string](b, `(() => {
		const bad = document.createElement("div");
		bad.innerHTML = '<p style="width:40px;overflow:hidden;white-space:nowrap">Much too long</p><p style="width:400px">Wide</p><button style="position:absolute;left:-9px;width:20px;height:20px"></button><p style="height:8px;overflow:hidden;text-overflow:ellipsis">Half of a line</p>';
		document.querySelector("main").append(bad);
		const found = `+cutOff+`;
		bad.remove();
		return found;
	})()`)
	if len(found) != 4 {
		t.Errorf("of four faults %d are found: %q", len(found), found)
	}
	for _, p := range pages {
		b.open(s, p.path)
		b.waitFor(p.ready)
		b.whole(p.name)
	}
	b.open(s, "/gallery")
	b.waitTiles(4)
	for _, p := range []struct {
		name, ready string
		reach       func()
	}{
		{"filters", sel("filter-from"), func() { b.click("filter-more") }},
		{"chosen", sel("chosen"), func() { b.click("filter-more"); b.do(chromedp.Focus(chromedp.CSS(sel("result-card")))); b.press(" ") }},
		{"boarding", sel("boarding-name"), func() { b.press("b") }},
		{"delivery", sel("deliver-zip"), func() { b.press(kb.Escape); b.press("d") }},
		{"palette", "#palette-list", func() { b.press(kb.Escape); b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)) }},
		{"keys", ".keys", func() { b.press(kb.Escape); b.press("?") }},
		{"lightbox", ".lightbox__details", func() {
			b.press(kb.Escape)
			b.press(kb.Escape)
			b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
			b.waitFor(sel("lightbox-picture"))
			b.press("i")
		}},
		{"desk", sel("desk-cell"), func() { b.press("i"); b.click("compare-run") }},
		{"board-form", "#board-name", func() { b.open(s, "/boards"); b.click("board-new") }},
		{"making", "#preset-name", func() { b.open(s, "/library"); b.click("new-preset") }},
		{"form", sel("field-locationId") + " .field__problem", func() { b.open(s, "/"); b.click("sheet-grip"); b.click("generate") }},
		{"agents", sel("agent-search"), func() { b.click("agent-button") }},
	} {
		p.reach()
		b.waitFor(p.ready)
		b.whole(p.name)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	for _, look := range []string{"whole=1", "view=runs"} {
		b.open(s, "/gallery?size=small&"+look)
		b.waitFor(".card__changed")
		b.whole("gallery-small " + look)
		apart := `[...document.querySelectorAll(".card__changed ~ .card__badge")].every(e => e.getBoundingClientRect().right <= e.parentElement.querySelector(".card__changed").getBoundingClientRect().left)`
		if !evaluate[bool](b, apart) {
			t.Errorf("%s: what is said on a picture covers how many there are", look)
		}
	}
	b.do(chromedp.EmulateViewport(844, 390))
	b.open(s, "/gallery?view=runs")
	b.waitFor(".card__changed")
	covered := `[...document.querySelectorAll(".card__changed ~ .card__badge")].some(e => { const r = e.getBoundingClientRect(), o = e.parentElement.querySelector(".card__changed").getBoundingClientRect(); return r.right > o.left && r.bottom > o.top })`
	if evaluate[bool](b, covered) {
		t.Error("on a tile of the usual size, what is said on a picture covers how many there are")
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	b.open(s, "/gallery")
	b.waitTiles(4)
	b.whole("gallery-wide")
	b.open(s, "/")
	b.waitFor(sel("upload-button"))
	b.whole("studio-wide")
}
