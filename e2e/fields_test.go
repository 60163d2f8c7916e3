package e2e

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/service/presets"
)

// typed puts a text where the cursor stands, at once.
func (b *tab) typed(text string) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text}); err != nil {
		b.t.Fatal(err)
	}
}

// loaded goes through the pictures that match, and fails for each that is not seen or has no pixels.
func (b *tab) loaded(pictures string) {
	b.t.Helper()
	b.waitFor(pictures)
	blank := evaluate[[]string](b, `(async () => {
		const blank = [];
		for (const i of document.querySelectorAll('`+pictures+`')) {
			i.scrollIntoView({block: "nearest"});
			await i.decode().catch(() => {});
			if (!i.checkVisibility() || !i.naturalWidth) blank.push(i.src);
		}
		return blank;
	})()`)
	if len(blank) > 0 {
		b.t.Errorf("these pictures are not there: %s", strings.Join(blank, ", "))
	}
}

// A text says how long it is, and when it is too long; nothing is made of it until it is short enough.
func TestTextCountsItsCharacters(t *testing.T) {
	t.Parallel()
	limited := writeFile(t, "limited.yaml", []byte("change:\n  z-image:\n    limits: { textDescription: 40 }\n"))
	s := newStudio(t, "ATELIER_CATALOG="+limited)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("z-image")
	field := sel("field-textDescription")
	counts := func(n string) {
		t.Helper()
		b.waitUntil(`document.querySelector('` + field + ` .field__count').textContent === "` + n + ` / 40"`)
	}
	counts("0")
	b.write("a lighthouse at dusk, über den Dünen, 🌊") // each sign is one, however it is kept
	counts("39")
	b.write("s")
	counts("40")
	if n := b.count(field + " .field__problem, " + field + " .field__count--over"); n != 0 {
		t.Error("a text that is as long as it may be is too long")
	}
	b.write("!")
	counts("41")
	b.says(field+" .field__problem", "41 written")
	b.waitFor(field + " .field__count--over")
	b.click("generate")
	b.says(sel("form-hint"), "41 written")
	b.audited("field-text-too-long")
	if n := b.count(sel("run")); n != 0 {
		t.Error("a run is made of a text that is too long")
	}
	b.do(chromedp.Focus(chromedp.ID("field-textDescription")))
	b.press(kb.End)
	b.press(kb.Backspace)
	counts("40")
	b.waitUntil(`!document.querySelector('` + field + ` .field__problem') && document.querySelector('` + sel("form-hint") + `').textContent === ""`)
}

// A colour is typed or picked, and either shows what the other has; a backdrop and a person are found among the pictures of all;
// the usual sizes of a canvas show their shape. What is chosen is what the service is asked for.
func TestColoursPresetsAndSizesAreChosen(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	const well = `document.querySelector('[data-testid="field-backgroundHex"] .well')`
	hex := sel("input-backgroundHex")
	b.do(chromedp.Focus(chromedp.CSS(hex)))
	b.typed("#33669")
	b.press(kb.Tab)
	b.says(sel("field-backgroundHex")+" .field__problem", "is not of the form #RRGGBB")
	b.waitUntil(well + `.classList.contains("well--none")`)
	b.do(chromedp.Focus(chromedp.CSS(hex)))
	b.press(kb.End)
	b.typed("b")
	b.waitUntil(well + `.value === "#33669b" && !` + well + `.classList.contains("well--none") && !document.querySelector('` + sel("field-backgroundHex") + ` .field__problem')`)
	// The browser's own palette is no part of the page: this is what it says when a colour is taken.
	b.waitUntil(`(w => { w.value = "#aa0044"; return w.dispatchEvent(new Event("input", {bubbles: true})) })(` + well + `)`)
	b.waitUntil(value("backgroundHex") + ` === "#AA0044"`)
	b.audited("field-colour")
	b.generate()
	b.waitForResults(1)

	b.click("browse-backgroundId")
	dialog := "#presets " + sel("preset")
	pictured := func(n int) {
		t.Helper()
		if got := b.count(dialog + " img"); got != n {
			t.Errorf("%d of %d presets have a picture", got, n)
		}
		b.loaded(dialog + " img")
	}
	b.says(sel("preset-count"), strconv.Itoa(len(presets.Backgrounds()))+" presets")
	pictured(len(presets.Backgrounds()))
	b.audited("presets-backgrounds")
	b.do(chromedp.Focus(chromedp.ID("preset-search")))
	b.typed("marble")
	b.says(sel("preset-count"), "1 preset")
	b.do(chromedp.Click(chromedp.CSS(dialog)))
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.says(sel("field-backgroundId")+" .presets__name", "White marble")
	b.waitFor(sel("field-backgroundHex") + ".field--resting")
	b.says(sel("field-backgroundHex"), "The colour has no effect here: a backdrop is chosen.")
	b.generate()
	b.waitForResults(2)

	b.chooseAgent("aimodel")
	b.loaded(sel("field-locationId") + " img")
	b.click("browse-fashionModelId")
	people := presets.FashionModels()
	b.says(sel("preset-count"), strconv.Itoa(len(people))+" presets")
	pictured(len(people))
	tag := people[0].Tags[0]
	tagged := 0
	for _, p := range people {
		for _, one := range p.Tags {
			if one == tag {
				tagged++
			}
		}
	}
	b.waitUntil(`(chip => chip && (chip.click(), true))([...document.querySelectorAll('#presets ` + sel("preset-tag") + `')].find(c => c.textContent === ` + strconv.Quote(tag.Name) + `))`)
	b.says(sel("preset-count"), strconv.Itoa(tagged)+" preset")
	b.waitUntil(`document.querySelectorAll('` + dialog + `').length === ` + strconv.Itoa(tagged))
	b.do(chromedp.Focus(chromedp.ID("preset-search")))
	b.typed(people[0].Name)
	b.says(sel("preset-count"), "1 preset")
	b.do(chromedp.Click(chromedp.CSS(dialog)))
	b.says(sel("field-fashionModelId")+" .presets__name", people[0].Name)
	b.generate()
	b.waitForResults(3)

	b.chooseAgent("expandimage")
	b.waitFor(sel("canvas-size"))
	type drawn struct {
		Title, Name   string
		Width, Height float64
	}
	b.audited("field-sizes")
	outlines := evaluate[[]drawn](b, `[...document.querySelectorAll('`+sel("sizes")+` .chip, `+sel("shapes")+` .chip')].map(c => (r => ({Title: c.title, Name: c.textContent, Width: r.width, Height: r.height}))(c.querySelector(".chip__shape").getBoundingClientRect()))`)
	if len(outlines) < len(presets.Dimensions())+5 {
		t.Errorf("%d sizes and shapes are offered", len(outlines))
	}
	for _, o := range outlines {
		w, h, _ := strings.Cut(strings.ReplaceAll(o.Title, " ", ""), "×")
		wide, errWide := strconv.ParseFloat(w, 64)
		high, errHigh := strconv.ParseFloat(h, 64)
		if errWide != nil || errHigh != nil || math.Abs(math.Log(o.Width/o.Height*high/wide)) > .08 || max(o.Width, o.Height) < 10 {
			t.Errorf("%s, %s is drawn as %.1f × %.1f", o.Name, o.Title, o.Width, o.Height)
		}
	}
	b.do(chromedp.Focus(chromedp.ID("size-search")))
	b.typed("3508")
	b.waitUntil(`document.querySelectorAll('` + sel("sizes") + ` .chip').length === 1`)
	b.do(chromedp.Click(chromedp.CSS(sel("sizes") + " .chip")))
	b.waitUntil(value("targetWidth") + ` === "2480" && ` + value("targetHeight") + ` === "3508"`)
	b.waitFor(sel("sizes") + ` .chip[aria-pressed="true"]`)
	b.do(chromedp.Focus(chromedp.ID("size-search")))
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.typed("no such size")
	b.says(sel("sizes"), "No size matches.")

	asked := map[string]map[string]any{} // by what only one of the runs was given
	for _, task := range s.tasks() {
		for _, e := range task.Executions {
			for param := range e.Params {
				asked[param] = e.Params
			}
		}
	}
	if got := asked["backgroundHex"]["backgroundHex"]; got != "#AA0044" {
		t.Errorf("the service was asked for the colour %v", got)
	}
	if p := asked["backgroundId"]; p["backgroundId"] != 3005.0 || p["backgroundHex"] != nil {
		t.Errorf("the service was asked for the backdrop with %v", p)
	}
	if got := asked["fashionModelId"]["fashionModelId"]; got != float64(people[0].ID) {
		t.Errorf("the service was asked for the person %v, want %d", got, people[0].ID)
	}
}
