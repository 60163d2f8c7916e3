package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Everything a designer needs is seen and reached on a phone that lies on its side: what begins the work, the tools, the form, what is
// chosen, the desk and what hands it over.
func TestPhoneOnItsSideIsUsable(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Look", prompt: "a quiet street", results: 16, changed: 2})
	b := openTab(t, 844, 390)
	// inside says, once there are some, whether each of the elements is seen whole within the box of another, which no other element covers.
	inside := func(page, selector, box string) {
		t.Helper()
		b.waitUntil(`[...document.querySelectorAll('` + selector + `')].some(e => e.checkVisibility())`)
		for _, wrong := range evaluate[[]string](b, `[...document.querySelectorAll('`+selector+`')].filter(e => e.checkVisibility()).filter(e => {
			const r = e.getBoundingClientRect(), o = document.querySelector('`+box+`').getBoundingClientRect();
			const top = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
			return r.top < o.top - 1 || r.bottom > o.bottom + 1 || r.left < o.left - 1 || r.right > o.right + 1 || !(e.contains(top) || top?.contains(e));
		}).map(e => e.ariaLabel || e.innerText || e.dataset.testid)`) {
			t.Errorf("%s: %q is not seen whole", page, wrong)
		}
	}
	b.signIn(s)
	inside("the empty studio", ".stage__empty .button--primary", ".stage")
	inside("the empty studio", sel("generate"), "body")
	b.audited("lying-studio-empty")
	b.upload("blouse.jpg", garmentPhoto())
	inside("the strip", ".strip button, .strip a", ".strip")
	b.press("b")
	b.waitUntil(`document.querySelectorAll(".tools button").length > 9`)
	inside("the painter", ".tools button", ".stage")
	inside("the painter", ".stage__options :is(input, button)", ".stage")
	b.audited("lying-painter")
	b.click("sheet-grip")
	b.still(".inspector__body", 300)
	if seen := evaluate[float64](b, `document.querySelector(".inspector__body").clientHeight`); seen < 170 {
		t.Errorf("of the form %.0f px are seen", seen)
	}
	inside("the form", sel("generate"), ".inspector")
	b.audited("lying-form")

	b.open(s, "/gallery")
	b.waitFor(sel("result-card"))
	if high := evaluate[float64](b, `document.querySelector(".filter").getBoundingClientRect().height`); high > 56 {
		t.Errorf("what narrows the wall takes %.0f px", high)
	}
	b.tabTo("result-card")
	b.press("d")
	b.waitFor("#deliver[open]")
	b.still(sel("deliver-zip"), 300)
	inside("the delivery", "#deliver "+sel("deliver-zip"), "#deliver")
	b.audited("lying-deliver")
	b.tabbed("lying-deliver")
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.do(chromedp.Click(chromedp.CSS(sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	inside("the lightbox", ".lightbox__bar :is(button, a)", "body")
	b.audited("lying-lightbox")
	b.click("compare-run")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 17`)
	b.press("c")
	b.waitFor(sel("desk-split"))
	inside("the desk", "#desk :is(button, input)", "body")
	if evaluate[bool](b, `document.querySelector('`+sel("desk-split")+`').getBoundingClientRect().bottom > document.querySelector('`+sel("desk-area")+`').getBoundingClientRect().top`) {
		t.Error("the slider lies over the pictures")
	}
	b.audited("lying-desk")
	b.open(s, "/library")
	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.still(sel("make-preset"), 300)
	inside("what makes a model", "#make-preset "+sel("make-preset"), "#make-preset")
	b.audited("lying-making")
}
