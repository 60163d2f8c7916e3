package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the element known by name has the focus, and an arrow key among the buttons of a toolbar or the choices
// of a row that holds it. It gives how many keys that took.
func (b *tab) tabTo(name string) int {
	b.t.Helper()
	for n := range 120 {
		switch evaluate[string](b, `(e => e?.matches('`+sel(name)+`') ? "there" : e?.closest("[role=toolbar],[role=radiogroup],[data-rows]")?.querySelector('`+sel(name)+`') ? "among" : "")(document.activeElement)`) {
		case "there":
			return n
		case "among":
			b.press(kb.ArrowRight)
		default:
			b.press(kb.Tab)
		}
	}
	b.t.Fatalf("%s cannot be reached with the Tab key", name)
	return 0
}

// press strikes keys, each as a keyboard does: what the page takes for itself types nothing, and presses nothing that gets the focus by it.
func (b *tab) press(keys string, modifiers ...chromedp.KeyOption) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, append(modifiers, func(p *input.DispatchKeyEventParams) {
		if p.Type == input.DispatchKeyEventTypeKeyDown {
			p.Type = input.DispatchKeyEventTypeRawKeyDown
		}
	})...))
}

func TestJourneyCutsOutByKeyboard(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.waitFor(sel("sample-dress-on-wall"))

	// The first key leads past the names of the pages to the form, before which the samples stand.
	keys := b.tabTo("skip")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-button") + `')`)
	for keys < 10 && !evaluate[bool](b, `document.activeElement.matches('`+sel("sample-dress-on-wall")+`')`) {
		b.press(kb.Tab, chromedp.KeyModifiers(chromedp.ModifierShift))
		keys++
	}
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("stage-picture") + `')?.naturalWidth > 0`)

	keys += b.tabTo("agent-button")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-search") + `')`)
	b.press("removeBG")
	keys += b.tabTo("agent-removeBG")
	b.press(kb.Enter)
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes("removeBG")`)

	keys += b.tabTo("batch-1")
	b.press(kb.Enter)
	b.press(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitForResults(1)

	// Enter held on the button, and a double click on it, are one press.
	b.do(chromedp.Focus(chromedp.CSS(sel("generate"))))
	b.press(kb.Enter)
	b.waitForResults(2)
	for range 3 {
		_, err := chromedp.Call(b.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13, AutoRepeat: new(true)})
		if err != nil {
			t.Fatal(err)
		}
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('` + sel("generate") + `').dispatchEvent(new MouseEvent("click", {bubbles: true, detail: 2}))`))

	keys += b.tabTo("result-card")
	if keys > 30 { // beside those that press what was reached
		t.Errorf("%d keys lead from the start of the page through the form to the result, want at most 30", keys)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))

	b.press("g")
	b.waitFor(sel("wall"))
	b.waitUntil(`document.querySelector('` + sel("wall") + ` ` + sel("result-card") + `')?.dataset.stored === "true"`)
	b.tabTo("result-card")
	b.press(kb.Enter)
	b.waitFor(sel("lightbox-picture"))
	b.says(".lightbox__facts", "1 of 2")
	b.press("c")
	b.waitFor(sel("compare-view"))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.waitUntil(`document.activeElement?.matches('` + sel("result-card") + `')`) // where it came from
}

// The way past the pages' names leads to the page where it has no form, and while the studio has none yet; the next key goes on in it.
func TestSkipLinkLeadsIntoThePage(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	b.waitFor(sel("agent-button"))
	agents := answer{Match: "GET /api/agents$", How: "hold"}
	for page, heard := range map[string][]answer{"/": {agents}, "/gallery": nil, "/tasks": nil} {
		b.answers(heard...)
		b.open(s, page)
		b.waitFor(".page:not([hidden])")
		b.tabTo("skip")
		b.press(kb.Enter)
		b.waitUntil(`document.activeElement?.matches("main")`)
		b.press(kb.Tab)
		b.waitUntil(`document.activeElement?.matches("main *")`)
	}
}

// Two pictures with roles, chosen among those that are here, put in order, and sent, all without the pointer.
func TestKeyboardFillsAndSendsPictureForm(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("person.jpg", portrait(t)) // they were brought some other time
	b.upload("garment.jpg", photo(31))
	b.reload()
	b.waitFor(sel("agent-button"))

	b.tabTo("skip")
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-button") + `')`)
	b.press(kb.Enter)
	b.waitUntil(`document.activeElement?.matches('` + sel("agent-search") + `')`)
	b.press("ai-clothes-changer")
	b.press(kb.Enter)
	b.waitUntil(`!document.querySelector("dialog[open]") && document.activeElement?.matches('` + sel("agent-button") + `') && document.activeElement.textContent.includes("ai-clothes-changer")`)

	b.inOrder("images", "garment.jpg") // what was on the stage
	b.tabTo("slot-images")
	b.waitUntil(`document.activeElement.id === "slot-images-1" && document.activeElement.getAttribute("aria-label") === "Add: Garment"`)
	b.press(kb.Enter)
	b.waitFor(sel("asset"))
	b.tabTo("asset")
	b.waitUntil(`document.activeElement.title.startsWith("garment.jpg")`)
	b.press(kb.ArrowRight)
	b.waitUntil(`document.activeElement.title.startsWith("person.jpg")`)
	b.press(kb.Enter)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.inOrder("images", "garment.jpg person.jpg")

	// The wrong way round: the person belongs into the first place.
	b.waitUntil(`document.activeElement?.id === "slot-images-1"`)
	b.press(kb.ArrowLeft)
	b.inOrder("images", "person.jpg garment.jpg")
	b.says(sel("live"), "person.jpg, now place 1 of 2")
	b.waitUntil(`document.activeElement?.id === "slot-images-0" && document.activeElement.getAttribute("aria-label").startsWith("Person: person.jpg")`)
	b.tabTo("generate")
	b.press(kb.Enter)
	b.waitForResults(1)
	b.shot("slots-by-keyboard")

	run := b.runs(s)[0]
	var names []string
	for _, id := range run.Files["images"] {
		names = append(names, evaluate[string](b, `fetch("/api/assets/`+id+`").then(r => r.json()).then(a => (a.asset ?? a).name)`))
	}
	if !slices.Equal(names, []string{"person.jpg", "garment.jpg"}) {
		t.Errorf("the run is made of %v", names)
	}
	status, err := s.service().Run(t.Context(), run.ExecutionID)
	if err != nil || len(status.Executions) != 1 {
		t.Fatalf("%+v, %v", status, err)
	}
	if sent, _ := status.Executions[0].Params["images"].([]any); len(sent) != 2 || sent[0] == sent[1] {
		t.Errorf("the service was sent %v", sent)
	}
}
