package e2e

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/atelier"
)

// Results of unlike sizes and shapes lie on one desk: each keeps its shape, whole or near, and what is looked at near is shown pixel by
// pixel.
func TestDeskHoldsResultsOfAnyShape(t *testing.T) {
	t.Parallel()
	sizes := []image.Point{{512, 512}, {4096, 4096}, {768, 1536}, {1536, 768}, {600, 800}, {2048, 1100}, {513, 1000}, {1024, 1024}}
	s := studioWith(t,
		past{at: time.Now().Add(-time.Hour), agent: "expandimage", title: "Every size there is", prompt: "x", results: 8, sizes: sizes, changed: 2},
		past{at: time.Now().Add(-2 * time.Hour), agent: "aimodel", title: "Look", prompt: "x", results: 8},
	)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(16)
	b.shot("unlike-wall")
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.press("c")
	b.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `:not([aria-hidden=true])').length >= 16`)
	shown := func(kind string) {
		t.Helper()
		b.waitUntil(`(all => all.length >= 16 && all.every(i => i.naturalWidth > 0))([...document.querySelectorAll(".desk__picture--` + kind + `:not([hidden])")])`)
	}
	// Each has the shape it has as a file, also in the smaller copy of it.
	keepShape := func(when string) {
		t.Helper()
		for _, wrong := range evaluate[[]string](b, `[...document.querySelectorAll(".desk__picture--thumb:not([hidden]), .desk__picture--file:not([hidden])")].flatMap(i => {
			const r = i.getBoundingClientRect(), is = r.width / r.height, was = i.naturalWidth / i.naturalHeight;
			return r.width === 0 || Math.abs(is / was - 1) < .01 ? [] : [i.closest(".desk__cell").innerText + " is " + is.toFixed(2) + ", and was " + was.toFixed(2)];
		})`) {
			t.Errorf("%s: %s", when, wrong)
		}
	}
	shown("thumb")
	keepShape("whole")
	columns := func() string {
		return evaluate[string](b, `document.querySelector('`+sel("desk-area")+`').style.getPropertyValue("--columns")`)
	}
	before := columns()
	b.audited("unlike-desk")
	near := func(n int) {
		t.Helper()
		b.waitUntil(fmt.Sprintf(`(c => { const i = c?.querySelector(".desk__picture--file:not([hidden])");
			return i?.naturalWidth === %[1]d && Math.abs(i.getBoundingClientRect().width * devicePixelRatio - %[1]d) < 1 })(document.querySelector(".desk__cell--active"))`, sizes[n].X))
	}
	b.press("z")
	near(0)
	shown("file")
	keepShape("near the small one")
	b.shot("unlike-near-small")
	b.press(kb.ArrowRight)
	near(1)
	keepShape("near the large one")
	b.shot("unlike-near-large")
	b.press(kb.ArrowRight)
	near(2)
	if now := columns(); now != before {
		t.Errorf("with a tall one looked at, all lie in %s columns instead of %s", now, before)
	}
	b.press("d")
	b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "difference"`)
	b.shot("unlike-difference-near")
	b.press("z")
	b.audited("unlike-difference")
	b.press("c")
	b.waitUntil(`document.querySelector('` + sel("desk-area") + `').dataset.look === "split"`)
	b.audited("unlike-split")
	b.press("5")
	b.waitFor(".desk__cell--active .tile__stars")
	for _, wrong := range evaluate[[]string](b, `[...document.querySelectorAll(".desk__caption")].filter(e => e.scrollWidth > e.clientWidth || [...e.children].every(c => c.matches(":not(.desk__name, .desk__number)") || !c.clientWidth)).map(e => e.innerText)`) {
		t.Errorf("below a picture there is no room for %q", wrong)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.waitFor("#desk " + sel("toast"))
	if evaluate[bool](b, `document.querySelector('#desk `+sel("toast")+`').getBoundingClientRect().bottom > document.querySelector('`+sel("desk-area")+`').getBoundingClientRect().top`) {
		t.Error("what is said of a verdict lies over the pictures of a phone")
	}
	b.do(chromedp.EmulateViewport(1440, 900))
	b.press("h")
	b.shot("unlike-heat")
	b.press("h")
	for _, key := range []string{kb.Enter, kb.ArrowRight, kb.ArrowRight} {
		b.press(key)
		b.waitUntil(`(i => i?.naturalWidth > 0)(document.querySelector(".desk__cell--active .desk__picture--thumb:not([hidden])"))`)
		keepShape("alone")
	}
	b.shot("unlike-one")
	b.do(chromedp.EmulateViewport(390, 844))
	b.audited("unlike-one-phone")
	b.press(kb.Enter)
	b.audited("unlike-desk-phone")
	keepShape("on a phone")
}

// Pages stay readable with more on them than most people ever put there: names and notes as long as they may be, in one word too, a
// library that is full, and thousands in the trash.
func TestFullPagesStayReadable(t *testing.T) {
	t.Parallel()
	thrown := long(time.Now().Add(-time.Hour), 900)
	for i := range thrown {
		thrown[i].thrown = true
	}
	word, name := strings.Repeat("Herbstkollektion", 7)[:100], strings.Repeat("Autumn by the sea, second afternoon ", 3)[:100]
	s := studioWith(t, append(thrown, past{at: time.Now().Add(-30 * time.Minute), agent: "aimodel", title: strings.Repeat("Spring campaign, the second afternoon by the sea ", 4), prompt: "x", results: 3})...)
	b := openTab(t, 1440, 900)
	b.answered()
	b.enter(s, "/gallery")
	b.waitTiles(3)
	for i, called := range []string{word, name, "A"} {
		notes := strings.Repeat(strings.Repeat("n", 300*i)+" For the shop window and the poster at the station. ", 30)
		evaluate[bool](b, fmt.Sprintf(`(async () => {
			const send = (method, path, body) => fetch(path, {method, headers: {"X-Atelier": "1", "Content-Type": "application/json"}, body: JSON.stringify(body)}).then(r => r.ok ? r.json() : Promise.reject(r.status));
			const board = await send("POST", "/api/boards", {name: %q, notes: %q});
			const list = await (await fetch("/api/results")).json();
			await send("PATCH", "/api/results", {ids: list.results.slice(0, %d).map(r => r.id), addBoards: [board.id ?? board.board.id]});
			return true })()`, called, notes[:min(len(notes), 5000)], i+1))
	}
	within := func(page string) {
		t.Helper()
		for _, wrong := range evaluate[[]string](b, `[...document.querySelectorAll(".page:not([hidden]) [data-cell]")].flatMap(c => [...c.querySelectorAll("strong")].filter(e => {
			const words = document.createRange(), in_ = c.getBoundingClientRect();
			words.selectNodeContents(e);
			const r = words.getBoundingClientRect(), tool = c.querySelector("[data-delete]").getBoundingClientRect();
			return r.right > in_.right || r.right > tool.left && r.bottom > tool.top && r.top < tool.bottom;
		}).map(e => e.innerText)).slice(0, 3)`) {
			t.Errorf("%s: %q leaves its card, or lies under what stands in it", page, wrong)
		}
	}
	look := func(page string) {
		t.Helper()
		b.audited("much-" + page)
		b.whole("much-" + page)
		within(page)
		b.do(chromedp.EmulateViewport(390, 844))
		b.audited("much-" + page + "-phone")
		within(page + " on a phone")
		b.do(chromedp.EmulateViewport(1440, 900))
		b.narrow("much-" + page)
	}
	b.open(s, "/boards")
	b.waitUntil(`document.querySelectorAll('` + sel("board-card") + `').length === 3 && [...document.querySelectorAll(".board-face img")].every(i => i.naturalWidth > 0)`)
	look("boards")
	for i := range 3 {
		b.open(s, "/boards")
		b.waitUntil(`document.querySelectorAll('` + sel("board-card") + `').length === 3`)
		b.do(chromedp.Click(chromedp.CSS(`li:nth-child(` + fmt.Sprint(i+1) + `) > ` + sel("board-card") + `, :nth-child(` + fmt.Sprint(i+1) + `)` + sel("board-card"))))
		b.waitFor(sel("board-head"))
		b.waitFor(sel("result-card"))
		look(fmt.Sprintf("board-%d", i))
		b.click("board-words")
		b.waitUntil(`(e => e.scrollWidth <= e.clientWidth + 1 && e.clientHeight > 60)(document.querySelector('` + sel("board-words") + `[open] summary'))`)
		look(fmt.Sprintf("board-%d-words", i))
		b.waitUntil(`document.querySelectorAll('` + sel("result-card") + `').length > 0`)
	}
	b.open(s, "/gallery")
	b.waitTiles(3)
	b.click("filter-more")
	b.waitFor(sel("filter-agent"))
	look("filters")
	b.tabTo("result-card")
	b.press("b")
	b.waitFor(sel("boarding-item"))
	look("boarding")
	b.press(kb.Escape)

	b.open(s, "/gallery?view=trash")
	b.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length > 10`)
	b.says(sel("gallery-count"), "in the trash and more")
	look("trash")

	own := make([]atelier.Preset, 1000)
	for i := range own {
		own[i] = atelier.Preset{Kind: "fashionModels", ID: int64(i + 1), Name: []string{name[:40], word[:40], "Jo"}[i%3], Status: []string{"complete", "prepare", "failed", "complete"}[i%4]}
	}
	at := time.Now().Add(-time.Hour)
	tasks := make([]atelier.Task, 20)
	for i := range tasks {
		tasks[i] = atelier.Task{ID: fmt.Sprint("t", i), Agent: "removeBG", Version: "v1.0", Name: []string{name, word, "Cut out"}[i%3], CreatedAt: &at}
		for range i % 4 {
			tasks[i].Executions = append(tasks[i].Executions, atelier.TaskExecution{ID: "1234567890123456789", Status: []atelier.Status{atelier.Success, atelier.Failed, atelier.Running}[i%3]})
		}
	}
	b.answers(
		answer{Match: "GET /api/fashion-models", Body: atelier.PresetList{Presets: own, Count: 1000, Limit: 1000}},
		answer{Match: "GET /api/tasks", Body: atelier.TaskPage{Tasks: tasks, NextCursor: "more"}},
	)
	b.open(s, "/library")
	b.waitUntil(`document.querySelectorAll('` + sel("own-preset") + `').length > 20`)
	b.says(".library__note", "1000 of 1000")
	look("library")
	b.open(s, "/tasks")
	b.waitUntil(`document.querySelectorAll('` + sel("task") + `').length === 20`)
	look("tasks")
}
