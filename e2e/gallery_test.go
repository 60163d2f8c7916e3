package e2e

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/words"
)

// open goes to an address of the studio, as a link within it does.
func (b *tab) open(s *studio, path string) {
	b.t.Helper()
	b.arrived()
	b.do(chromedp.Navigate("http://" + s.listen + path))
	b.waitFor(sel("nav-studio"))
}

// enter signs in at an address of the studio other than its first page.
func (b *tab) enter(s *studio, path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(strings.Replace(s.url, "/#", path+"#", 1)))
	b.waitFor(sel("nav-studio"))
	b.waitUntil(`!location.hash`)
}

func (b *tab) waitTiles(n int) {
	b.t.Helper()
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `[data-stored="true"]').length === ` + strconv.Itoa(n))
}

// A run of last month is found by the beginning of a word in its prompt, and what was searched for is in the address. The runs are made
// as runs are made, and one is set back in time afterwards: what it is found by, the studio wrote down itself.
func TestJourneyFindsOldRunByPrompt(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("image-studio")
	b.write("under a marquisette lighthouse")
	b.generate()
	b.waitForResults(1)
	b.do(chromedp.Focus(chromedp.CSS(sel("input-textDescription"))))
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.write("a quiet street")
	b.generate()
	b.waitForResults(2)
	then := time.Now().UTC().AddDate(0, -1, 0)
	b.do(chromedp.Navigate("about:blank")) // the studio goes away for a moment
	s.backdate("marquisette", then)
	b.open(s, "/gallery")
	b.waitTiles(2)
	b.waitUntil(`document.querySelector('[data-month="` + then.Format("2006-01") + `"]')`)
	b.shot("gallery-months")
	b.press("/")
	b.waitUntil(`document.activeElement?.id === "gallery-search"`)
	b.press("marqui")
	b.waitTiles(1)
	b.waitUntil(`new URLSearchParams(location.search).get("q") === "marqui"`)
	b.do(chromedp.Reload())
	b.waitTiles(1)
	b.waitUntil(`document.getElementById("gallery-search").value === "marqui"`)
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.click("details")
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').textContent.includes("marquisette lighthouse")`)
	b.shot("gallery-found-details")
	b.press(kb.Escape)

	// The palette finds it too.
	b.press("k", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.waitUntil(`document.activeElement?.id === "palette-input"`)
	b.press("marqui")
	b.waitUntil(`document.querySelectorAll('#palette-list [data-command^="run-"]').length === 1`)
	b.shot("palette-found")
	b.press(kb.Enter)
	b.waitFor(sel("lightbox-picture"))
}

// Months are jumped to; what is older follows below, what is newer is loaded above without moving what is looked at.
func TestMonthsOfLongHistoryAreJumpedTo(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := studioWith(t, long(now, 500)...) // four months and 2,000 results
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitUntil(`document.querySelectorAll('` + sel("months") + ` button').length >= 4`)
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 10`)
	month, other := now.AddDate(0, 0, -75).UTC().Format("2006-01"), now.AddDate(0, 0, -105).UTC().Format("2006-01")

	// What stands on the wall stays until the other month is there; where that takes long, bars stand for what is to come. Which months
	// there are is not asked for again.
	evaluate[bool](b, `(() => {
		window.seen = {bars: 0, months: 0};
		new MutationObserver(() => { seen.bars += !!document.querySelector(".wall__skeleton"); }).observe(document.getElementById("gallery-wall"), {childList: true, subtree: true});
		window.held = [];
		window.holding = true;
		const real = window.fetch;
		window.fetch = async (url, options) => {
			seen.months += String(url).includes("/api/results/months");
			if (holding && String(url).includes("/api/results?")) await new Promise(go => held.push(go));
			return real(url, options);
		};
		return true;
	})()`)
	b.do(chromedp.Click(chromedp.CSS(`[data-month="` + other + `"]`)))
	b.waitUntil(`held.length > 0 && document.querySelectorAll(".wall__skeleton .cell--waiting").length > 0 && document.getElementById("gallery-wall").getAttribute("aria-busy") === "false"`)
	evaluate[bool](b, `(() => { holding = false; held.forEach(go => go()); return true; })()`)
	b.waitUntil(`!document.querySelector(".wall__skeleton") && document.querySelector('[data-month="` + other + `"]').getAttribute("aria-current") === "date" && ` + wallPictures + ` > 10`)
	if evaluate[int](b, `seen.bars`) == 0 {
		t.Error("the bars were not noticed")
	}
	evaluate[bool](b, `(() => {
		seen.bars = 0;
		document.querySelector('[data-month="`+now.UTC().Format("2006-01")+`"]').click(); // and another before its answer is there
		document.querySelector('[data-month="`+month+`"]').click();
		return true;
	})()`)
	b.waitUntil(`new URLSearchParams(location.search).get("at") === "` + month + `"`)
	b.waitUntil(`document.querySelector('[data-month="` + month + `"]').getAttribute("aria-current") === "date"`)
	b.waitUntil(`document.getElementById("gallery-wall").scrollTop > 1000`) // what is newer stands above now
	b.waitUntil(`document.querySelector('[data-month="` + month + `"]').getAttribute("aria-current") === "date"`)
	if got := evaluate[[]int](b, `[seen.bars, seen.months]`); got[0] != 0 || got[1] != 0 {
		t.Errorf("while a month came that was there soon, bars stood on the wall in %d changes of it, and the months were asked for %d times", got[0], got[1])
	}
	b.shot("gallery-month")
	// Upwards it goes on into the newer months.
	b.waitUntil(`(() => { const w = document.getElementById("gallery-wall"); w.scrollTop = 0; return new Set([...document.querySelectorAll('.tile .cell__time')].map(e => e.title.split(" ").slice(1, 3).join(" "))).size >= 1 &&
		document.querySelector('[data-month="` + month + `"]').getAttribute("aria-current") === "false" })()`)
	if n := b.count(sel("wall") + " " + sel("result-card")); n > 120 {
		t.Errorf("%d tiles are in the page", n)
	}
}

// Tiles are chosen with the keyboard and by dragging, rated, put on a board, taken off again; deleted, and taken back.
func TestJourneyGalleryJudgesDeletesAndRestores(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := studioWith(t,
		past{at: now.Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 4, changed: 1},
		past{at: now.Add(-2*time.Hour - time.Minute), agent: "aimodel", title: "Two", prompt: "x", results: 4}, // ages are counted in whole minutes
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(8)
	chosen := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll(".tile--chosen").length === ` + strconv.Itoa(n))
	}
	b.tabTo("result-card")
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	chosen(3)
	b.shot("gallery-chosen")
	b.press("4")
	b.waitUntil(`document.querySelectorAll('` + sel("result-card") + `[data-rating="4"]').length === 3`)
	b.press("p")
	b.waitUntil(`document.querySelectorAll('` + sel("result-card") + `[data-pick="pick"]').length === 3`)
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	chosen(8)
	b.press(kb.Escape)
	chosen(0)

	// A rectangle over the first two tiles.
	r := b.box(".tile")
	b.drag([2]float64{r.X - 8, r.Y - 6}, [2]float64{r.X + 2*r.Width, r.Y + r.Height/2})
	chosen(2)
	b.click("chosen-board")
	b.waitFor(sel("boarding-name"))
	b.do(chromedp.SendKeys(chromedp.CSS(sel("boarding-name")), "Spring campaign"))
	b.shot("gallery-boarding")
	b.click("boarding-create")
	b.told("2 results added to “Spring campaign”")
	b.click("nav-boards")
	b.waitUntil(`document.querySelector('` + sel("board-card") + `')?.textContent.includes("2 results")`)
	b.waitUntil(`[...document.querySelectorAll(".board-face img")].every(i => i.naturalWidth > 0)`)
	b.shot("boards")
	b.click("board-card")
	b.waitTiles(2)
	b.waitFor(sel("board-head"))
	b.click("board-edit")
	b.waitUntil(`document.getElementById("board-name").value === "Spring campaign"`)
	b.do(chromedp.SendKeys(chromedp.ID("board-notes"), "For the shop window"))
	b.click("board-save")
	b.waitUntil(`document.querySelector('` + sel("board-head") + `').textContent.includes("For the shop window")`)
	b.shot("board")

	// Only what is picked, then a run into the trash and back.
	b.open(s, "/gallery?pick=pick")
	b.waitTiles(3)
	b.open(s, "/gallery?changed=1")
	b.waitTiles(1)
	b.waitUntil(`document.querySelector(".card__changed")?.textContent.includes("Kept area changed")`)
	b.open(s, "/gallery")
	b.waitTiles(8)
	// One result into the trash and back: from the wall, from the lightbox, from the desk.
	b.tabTo("result-card")
	b.press(kb.Delete)
	b.waitTiles(7)
	b.takeOffer()
	b.waitTiles(8)
	first := evaluate[string](b, `document.querySelector('`+sel("wall")+` [aria-posinset="1"] `+sel("result-card")+`').dataset.key`)
	b.do(chromedp.Click(chromedp.CSS(`[data-key="` + first + `"]`)))
	b.waitFor(sel("lightbox-picture"))
	b.press(kb.Delete)
	b.waitUntil(`document.querySelector('` + sel("lightbox") + `').dataset.result !== "` + first + `"`)
	b.waitTiles(7)
	b.takeOffer()
	b.waitTiles(8)
	b.press(kb.Escape)
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("c")
	cells := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `[data-key]:not([data-key=""])').length === ` + strconv.Itoa(n))
	}
	cells(8)
	b.press(kb.Delete)
	cells(7)
	b.shot("desk-thrown")
	b.press(kb.Delete)
	cells(6)
	for n := 7; n <= 8; n++ { // each deletion is taken back by itself
		b.takeOffer() // the last one first
		cells(n)
	}
	b.press(kb.ArrowRight) // past the one that kept its product least
	b.press(kb.Delete)
	cells(7)
	b.press(kb.Escape)
	b.waitTiles(7)

	// What kept its product least comes last.
	b.open(s, "/gallery?sort=fidelity")
	b.waitTiles(7)
	b.waitUntil(`(scores => scores.length === 7 && scores.every((n, i) => i === 0 || n <= scores[i - 1]) && scores[6] < scores[0])([...document.querySelectorAll('` + sel("wall") + ` .tile')].sort((a, b) => a.getAttribute("aria-posinset") - b.getAttribute("aria-posinset")).map(t => parseFloat(t.querySelector(".cell__time").textContent.replace("✓", ""))))`)

	// And a whole run beside it: runs have the orders that are theirs, and keep what else was asked for.
	b.open(s, "/gallery?sort=fidelity&agent=aimodel")
	b.waitTiles(7)
	b.selectOption("filter-view", "runs")
	b.waitTiles(2)
	b.waitUntil(`location.search === "?agent=aimodel&view=runs" && document.querySelectorAll('` + sel("filter-sort") + ` option').length === 2`)
	b.selectOption("filter-sort", "oldest")
	b.waitUntil(`document.querySelector('` + sel("wall") + ` [aria-posinset="1"] ` + sel("result-card") + `').getAttribute("aria-label").endsWith("2 h ago")`)
	b.open(s, "/gallery?view=runs&sort=fidelity")
	b.waitTiles(2)
	b.do(chromedp.Focus(chromedp.CSS(sel("wall") + ` [aria-posinset="2"] ` + sel("result-card"))))
	b.press(kb.Delete)
	b.waitTiles(1)
	b.open(s, "/gallery?view=trash")
	b.waitTiles(2)
	b.waitUntil(`document.querySelector(".gallery__head").textContent.includes("30 days")`)
	b.waitUntil(`document.querySelector('` + sel("wall") + ` [aria-posinset="1"]').textContent.includes("1 result of")`)
	b.shot("trash")
	b.do(chromedp.Click(chromedp.CSS(`[aria-posinset="1"] ` + sel("tile-mark"))))
	b.click("chosen-restore")
	b.waitTiles(1)
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.press("i")
	b.click("restore")
	b.waitFor(sel("trash-empty"))
	b.open(s, "/gallery")
	b.waitTiles(8)
	b.waitUntil(`document.querySelectorAll('` + sel("result-card") + `[data-rating="4"]').length === 3`)

	// What is deleted for good is asked about first, and does not come back: one, then all.
	for left := 7; left >= 6; left-- {
		b.tabTo("result-card")
		b.press(kb.Delete)
		b.waitTiles(left)
	}
	b.open(s, "/gallery?view=runs")
	b.waitTiles(2)
	b.do(chromedp.Focus(chromedp.CSS(sel("wall") + ` [aria-posinset="2"] ` + sel("result-card"))))
	b.press(kb.Delete)
	b.waitTiles(1)
	b.open(s, "/gallery?view=trash")
	b.waitTiles(2)
	b.do(chromedp.Click(chromedp.CSS(`[aria-posinset="1"] ` + sel("tile-mark"))))
	b.click("chosen-purge")
	b.says("#purge", "2 results are deleted now")
	b.shot("purge")
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.waitTiles(2)
	b.click("chosen-purge")
	b.click("purge-really")
	b.told("2 results are deleted for good")
	b.waitTiles(1)
	b.click("trash-purge")
	b.says("#purge", "Everything in the trash")
	b.click("purge-really")
	b.waitFor(sel("trash-empty"))
	b.open(s, "/gallery")
	b.waitTiles(2)
}

// What cannot be compared with its source is listed by itself, with the reason, and stands beside the source.
func TestIncomparableResultsAreListedApart(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "removeBG", title: "Two", prompt: "x", results: 3, apart: 1})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(3)
	b.click("filter-more")
	b.click("filter-apart")
	b.waitTiles(1)
	b.waitUntil(`location.search === "?apart=1" && document.querySelector('` + sel("filter-apart") + `').getAttribute("aria-pressed") === "true"`)
	b.says(sel("wall")+" .tile", "Not comparable")
	b.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	b.waitFor(sel("lightbox-picture"))
	b.says(sel("fidelity"), "Not comparable. The result has a different shape than its source.")
	b.press("c")
	b.waitUntil(`[...document.querySelectorAll('` + sel("compare-apart") + ` img')].filter(i => i.naturalWidth > 0).length === 2`)
	b.audited("lightbox-apart")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("lightbox-apart-phone")
	b.press("c")
	b.waitFor(sel("lightbox-picture"))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]") && !location.hash`)
	b.click("filter-clear")
	b.waitTiles(3)
}

// A rectangle that is drawn to the edge and held there goes on, over what was not on screen, until the end of the list.
func TestSelectionScrollsAtTheEdge(t *testing.T) {
	t.Parallel()
	s := studioWith(t, long(time.Now().Add(-time.Hour), 30)...)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitFor(sel("result-card"))
	first := b.box(".tile")
	held := func(p *input.DispatchMouseEventParams) { p.Buttons = 1 }
	at := [2]float64{first.X - 8, first.Y - 6}
	b.do(
		chromedp.MouseEvent(chromedp.MousePressed, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1), held),
		chromedp.MouseEvent(chromedp.MouseMoved, 600, 500, chromedp.ButtonLeft, held),
		chromedp.MouseEvent(chromedp.MouseMoved, 1330, 890, chromedp.ButtonLeft, held),
	)
	b.says(sel("chosen"), words.ChosenCount(120))
	b.do(chromedp.MouseEvent(chromedp.MouseReleased, 1330, 890, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	b.waitUntil(`getComputedStyle(document.getElementById("gallery-marquee")).display === "none"`)
	top := evaluate[float64](b, `document.getElementById("gallery-wall").scrollTop`)
	b.still(".tile", 200)
	if now := evaluate[float64](b, `document.getElementById("gallery-wall").scrollTop`); now != top {
		t.Errorf("let go, the wall goes on from %.0f to %.0f", top, now)
	}
	b.says(sel("chosen"), words.ChosenCount(120))
}

// What arrives while the wall is scrolled waits behind a pill; nothing under the pointer moves.
func TestNewResultsWaitWhileWallIsScrolled(t *testing.T) {
	t.Parallel()
	s := studioWith(t, long(time.Now().Add(-time.Hour), 40)...)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	b.click("nav-gallery")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 10`)
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("gallery-wall").scrollTop = 700`))
	b.waitUntil(`document.getElementById("gallery-wall").scrollTop === 700`)
	first := evaluate[string](b, `document.elementFromPoint(300, 400).closest("[data-key]").dataset.key`)
	b.click("nav-studio")
	b.click("generate")
	b.waitForResults(1)
	b.click("nav-gallery")
	b.waitUntil(`document.querySelector('` + sel("fresh") + `:not([hidden])')?.textContent.includes("1 new")`)
	if now := evaluate[string](b, `document.elementFromPoint(300, 400).closest("[data-key]").dataset.key`); now != first {
		t.Errorf("%s stands where %s was", now, first)
	}
	b.audited("gallery-fresh")
	b.click("fresh")
	b.waitUntil(`document.getElementById("gallery-wall").scrollTop === 0 && document.querySelector('` + sel("fresh") + `').hidden`)
	b.waitUntil(`document.querySelector('` + sel("wall") + ` [aria-posinset="1"] ` + sel("result-card") + `').getAttribute("aria-label").startsWith("Cut out")`)

	// What is searched for takes in what arrives, too.
	b.open(s, "/gallery?q=removeBG")
	b.waitTiles(1)
	b.click("nav-studio")
	b.generate()
	b.click("nav-gallery")
	b.waitTiles(2)
}

// How many results there are is said as the list goes on, also where it begins anew and what was said is what is to be said again.
func TestResultCountGrowsWithTheList(t *testing.T) {
	t.Parallel()
	const results = 3000 // by far more than are counted at once: between two looks at what is said the list may go on by several pages
	s := studioWith(t, long(time.Now().Add(-time.Hour), results/4)...)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?size=small")
	count := sel("gallery-count")
	b.says(count, words.GalleryResults(1000, true))
	said := `document.querySelector('` + count + `').textContent`
	downUntil := func(there string) {
		t.Helper()
		b.waitUntil(`(w => { w.scrollTop = w.scrollHeight; return ` + there + `; })(document.getElementById("gallery-wall"))`)
	}
	downUntil(`parseInt(` + said + `) > 1000 && ` + said + `.endsWith("more")`)
	b.selectOption("filter-sort", "oldest")
	b.waitUntil(said + ` === "` + words.GalleryResults(1000, true) + `"`)
	downUntil(said + ` === "` + words.GalleryResults(results, false) + `"`)
}
