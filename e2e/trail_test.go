package e2e

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// back goes back in the history of the page.
func (b *tab) back() {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`history.back()`))
}

// slowDown lets the page's processor work so many times slower.
func (b *tab) slowDown(times float64) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times}); err != nil {
		b.t.Fatal(err)
	}
}

// arrived waits until the address says what is open: a browser that is still on its way back would break off what it is told to do next.
func (b *tab) arrived() {
	b.t.Helper()
	const there = `(!location.hash.startsWith("#desk=") || !!document.querySelector("#desk[open]")) && (!location.hash.startsWith("#result=") || !!document.querySelector("#lightbox[open]"))`
	poll := chromedp.Poll[bool](there, chromedp.WithPollingTimeout(patience-10*time.Second), chromedp.WithPollingInterval(20*time.Millisecond))
	_, err := chromedp.Run(b.ctx, poll)
	if err != nil { // a page that has just come may take the place of the one that was asked
		_, err = chromedp.Run(b.ctx, poll)
	}
	if err != nil {
		b.t.Fatalf("the address does not say what is open: %v", err)
	}
}

// What is looked at stands in the address: Back closes it and takes a filter back, a reload and the address in another tab lead to the
// same, and closing leaves no step behind that leads nowhere.
func TestAddressNamesWhatIsOpen(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := studioWith(t,
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3, changed: 1},
		past{at: now.Add(-2 * time.Hour), agent: "removeBG", title: "Two", prompt: "x", results: 2},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(5)
	steps := func() int { return evaluate[int](b, `history.length`) }
	closed := func() { t.Helper(); b.waitUntil(`!document.querySelector("dialog[open]") && !location.hash`) }
	looking := func() string {
		t.Helper()
		b.waitFor(sel("lightbox-picture"))
		id := b.attribute(sel("lightbox"), "data-result")
		b.waitUntil(`location.hash.endsWith("/` + id + `")`)
		return id
	}
	tile := func(n int) string {
		return sel("wall") + ` [aria-posinset="` + strconv.Itoa(n) + `"] ` + sel("result-card")
	}

	// A filter, and back; forward leads to it again.
	before := steps()
	b.click("filter-more")
	b.waitFor(sel("filter-agent"))
	b.selectOption("filter-agent", "removeBG")
	b.waitTiles(2)
	b.back()
	b.waitTiles(5)
	b.waitUntil(`location.search === "" && document.querySelector('` + sel("filter-agent") + `').value.trim() === ""`)
	// A slow computer draws between the change of the address and the word of it, and that takes nobody back to where they came from.
	b.slowDown(10)
	for range 6 {
		b.do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
		b.waitTiles(2)
		b.back()
		b.waitTiles(5)
	}
	b.slowDown(1)

	// A result, and its neighbour: one step. Reloaded it is there again, among the results of the gallery.
	b.do(chromedp.Click(chromedp.CSS(tile(3))))
	first := looking()
	b.press(kb.ArrowRight)
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').dataset.result !== "` + first + `"`)
	second := looking()
	if got := steps(); got != before+1 {
		t.Errorf("a result and its neighbour are %d steps, want 1", got-before)
	}
	b.do(chromedp.Reload())
	b.waitFor(sel("lightbox-picture"))
	if again := looking(); again != second {
		t.Errorf("reloaded, %s is shown instead of %s", again, second)
	}
	b.says(".lightbox__facts", "4 of 5")
	address := evaluate[string](b, `location.pathname + location.search + location.hash`)
	b.back()
	closed()
	b.waitTiles(5)

	// Closed with a key, no step is left behind: one back leads to where the gallery was come from.
	b.do(chromedp.Click(chromedp.CSS(tile(1))))
	looking()
	b.press(kb.Escape)
	closed()
	b.click("nav-library")
	b.waitFor(sel("own-presets"))
	b.back()
	b.waitTiles(5)
	closed()

	// What is open stays behind when another page is gone to, by the palette or with Back.
	b.do(chromedp.Click(chromedp.CSS(tile(1))))
	looking()
	command := func(typed string) {
		t.Helper()
		b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
		b.waitFor(sel("palette-input"))
		b.press(typed)
		b.waitUntil(`document.querySelector(".palette__item")?.textContent.includes("` + typed + `")`)
		b.press(kb.Enter)
	}
	command("Library")
	b.waitFor(sel("own-presets"))
	closed()
	b.back()
	looking()
	b.press(kb.Escape)
	closed()
	// A list is gone to again after another was chosen in between, and Back leads to that one.
	for range 2 {
		command("Trash")
		b.waitFor(sel("trash-empty"))
		b.waitUntil(`location.search === "?view=trash"`)
		b.selectOption("filter-view", " ")
		b.waitTiles(5)
	}
	command("Trash")
	b.waitFor(sel("trash-empty"))
	b.back()
	b.waitTiles(5)
	b.waitUntil(`location.search === ""`)
	b.do(chromedp.Click(chromedp.CSS(tile(1))))
	looking()
	command("Settings")
	b.waitUntil(`document.querySelector("#settings[open]") && !document.querySelector("#lightbox[open]")`)
	b.press(kb.Escape)
	closed()
	b.click("nav-studio")
	b.click("agent-button")
	b.waitFor("#agents[open]")
	b.back()
	b.waitTiles(5)
	closed()

	// The desk, over a result.
	b.do(chromedp.Click(chromedp.CSS(tile(1))))
	below := looking()
	b.click("compare-run")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 4`)
	b.press(kb.ArrowRight)
	b.waitUntil(`location.hash.startsWith("#desk=2:")`)
	b.do(chromedp.Reload())
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 4 && document.querySelector(".desk__cell--active .desk__name").textContent === "Result 2"`)
	desk := evaluate[string](b, `location.hash`)
	b.back()
	if again := looking(); again != below {
		t.Errorf("behind the desk %s is shown instead of %s", again, below)
	}
	b.back()
	closed()

	// The addresses, opened elsewhere.
	b.do(chromedp.Navigate("about:blank"))
	b.open(s, address)
	if shared := looking(); shared != second {
		t.Errorf("the address leads to %s instead of %s", shared, second)
	}
	b.press(kb.Escape)
	closed()
	b.do(chromedp.Navigate("about:blank"))
	b.open(s, "/gallery"+desk)
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 4`)
	b.press(kb.Escape)
	closed()
	if !strings.HasPrefix(desk, "#desk=2:") {
		t.Errorf("the desk's address ends in %s", desk)
	}
}

// Copies are gone through, opened, chosen and thinned out with the keyboard alone; a cover is chosen, and a result used as input.
func TestKeyboardRemovesDuplicates(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := studioWith(t,
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3},
		past{at: now.Add(-2 * time.Hour), agent: "aimodel", title: "Two", prompt: "x", results: 3}, // two of them are copies of the others
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?view=duplicates")
	b.waitTiles(4)
	groups := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll(".duplicates__group:not([hidden])").length === ` + strconv.Itoa(n))
	}
	at := func(group, n int) {
		t.Helper()
		b.waitUntil(`document.activeElement === document.querySelectorAll(".duplicates__group:not([hidden])")[` + strconv.Itoa(group) + `].querySelectorAll('` + sel("result-card") + `')[` + strconv.Itoa(n) + `]`)
	}
	groups(2)
	b.audited("duplicates-full")
	b.tabbed("duplicates-full")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("duplicates-full-phone")
	b.tabbed("duplicates-full-phone")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.tabTo("result-card")
	at(0, 0)
	b.press(kb.ArrowRight)
	at(0, 1)
	b.press(kb.ArrowDown)
	at(1, 1)
	b.press(" ")
	b.waitUntil(`document.querySelectorAll(".tile--chosen").length === 1`)
	b.press(kb.Escape)
	b.waitUntil(`document.querySelectorAll(".tile--chosen").length === 0`)
	b.press(kb.Enter)
	b.waitFor(sel("lightbox-picture"))
	b.press(kb.Escape)
	at(1, 1)
	b.tabTo("keep-one")
	b.press(kb.Enter)
	groups(1)
	b.waitFor(sel("toast-action"))
	b.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur()`))
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	groups(2) // what was taken back is a copy again
	b.open(s, "/gallery?view=duplicates")
	groups(2)

	// A cover for a board.
	b.open(s, "/gallery")
	b.waitTiles(6)
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("b")
	b.waitFor(sel("boarding-name"))
	b.do(chromedp.SendKeys(chromedp.CSS(sel("boarding-name")), "Covers"))
	b.click("boarding-create")
	b.told("6 results added to")
	b.press(kb.Escape)
	b.click("nav-boards")
	b.waitUntil(`document.querySelectorAll(".board-face img").length === 4`)
	b.click("board-card")
	b.waitTiles(6)
	b.do(chromedp.Focus(chromedp.CSS(sel("wall") + ` [aria-posinset="5"] ` + sel("result-card"))))
	b.press(" ")
	cover := b.attribute(sel("wall")+` [aria-posinset="5"] `+sel("result-card"), "data-result")
	b.click("chosen-cover")
	b.told("Board cover set")
	b.click("nav-boards")
	b.waitUntil(`(i => i.length === 1 && i[0].getAttribute("src").includes("` + cover + `"))(document.querySelectorAll(".board-face img"))`)

	// A result becomes a file of the form.
	b.click("nav-gallery")
	b.waitTiles(6)
	b.press(kb.Escape)
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + ` [aria-posinset="1"] ` + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.press("i")
	b.click("use-result")
	b.waitUntil(`location.pathname === "/" && document.querySelector('` + sel("stage-picture") + `')?.naturalWidth === 600`)
}
