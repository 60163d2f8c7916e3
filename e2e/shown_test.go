package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// comeInAt opens an address of the studio and signs in at its door.
func (b *tab) comeInAt(s *studio, path, name, password string) {
	b.t.Helper()
	b.do(chromedp.Navigate("http://" + s.listen + path))
	b.answer("signin-name", name)
	b.answer("signin-password", password)
	b.click("signin-submit")
	b.waitFor(sel("nav-studio"))
}

// A board is shown to the team: who only looks opens its address, looks through it on a phone, finds it again by person, opens the
// address of a result, downloads; and it is gone from their open page once it is shown no longer.
func TestBoardIsSharedWithTheTeamAndRevoked(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_USERS=team")
	s.remember(past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 3, changed: 1})
	ada := openTab(t, 1440, 900)
	ada.do(chromedp.Navigate(s.url))
	ada.enterAs("Ada Lovelace", adasPassword)
	password := ada.addViewer("Vera")

	vera := openTab(t, 390, 844) // a phone
	vera.comeInAt(s, "/gallery", "Vera", password)
	vera.says(sel("gallery-empty"), "Share with the team")
	vera.audited("shown-nothing-phone")

	ada.click("nav-gallery")
	ada.waitTiles(3)
	ada.tabTo("result-card")
	ada.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	ada.waitUntil(`document.querySelectorAll(".tile--chosen").length === 2`)
	ada.press("b")
	ada.waitFor(sel("boarding-name"))
	ada.do(chromedp.SendKeys(chromedp.CSS(sel("boarding-name")), "Spring campaign"))
	ada.click("boarding-create")
	ada.told("2 results added to")
	ada.click("nav-boards")
	ada.click("board-card")
	ada.waitFor(sel("board-head"))
	ada.click("board-edit")
	ada.waitFor(sel("board-shared"))
	ada.click("board-shared")
	ada.told("is shared with the team")
	ada.takeOffer()
	ada.told("private again")
	ada.takeOffer()
	ada.waitUntil(`document.getElementById("board-shared").checked`)
	ada.closeMessages()
	ada.audited("board-showing")
	ada.press(kb.Escape)
	ada.waitFor(sel("board-shown"))
	ada.shot("board-shown")
	address := evaluate[string](ada, `location.pathname + location.search`)

	// The open page of who only looks has heard of it, and the person can be chosen.
	vera.waitFor(sel("filter-user"))
	vera.audited("shown-choose-phone")
	choose := `document.querySelector('` + sel("filter-user") + `')`
	vera.waitUntil(`(f => { f.value = [...f.options].find(o => o.textContent === "Ada Lovelace").value; return f.dispatchEvent(new Event("change", {bubbles: true})) })(` + choose + `)`)
	vera.waitTiles(2)
	vera.says(sel("shown-head"), "Ada Lovelace")
	vera.shot("shown-person-phone")
	vera.open(s, "/boards")
	vera.says(sel("shown-board"), "Spring campaign")
	vera.audited("shown-boards-phone")

	// The address of the board leads there, through the door as well.
	if out := evaluate[float64](vera, `fetch("/api/session", {method: "DELETE", headers: {"X-Atelier": "1"}}).then(r => r.status)`); out != 204 {
		t.Fatalf("signing out = %v", out)
	}
	vera.do(chromedp.EmulateViewport(1440, 900))
	vera.comeInAt(s, address, "Vera", password)
	vera.waitTiles(2)
	vera.says(sel("shown-head"), "Spring campaign")
	vera.audited("shown-board")
	vera.click("filter-more")
	vera.waitFor(sel("filter-status"))
	if n := vera.count(sel("filter-rating")) + vera.count(sel("filter-pick")) + vera.count(sel("filter-starred")) + vera.count(sel("gallery-search")); n != 0 {
		t.Errorf("%d filters ask what the owner thinks", n)
	}
	vera.selectOption("filter-status", "Failed")
	vera.waitFor(sel("gallery-none"))
	vera.says(sel("shown-head"), "Spring campaign")
	vera.selectOption("filter-status", "Success")
	vera.waitTiles(2)
	vera.audited("shown-filters")
	vera.click("filter-clear")
	vera.waitUntil(`!new URL(location).searchParams.has("status")`)
	vera.waitTiles(2)
	vera.do(chromedp.Click(chromedp.CSS(sel("wall") + " " + sel("result-card"))))
	vera.waitFor(sel("lightbox-picture"))
	vera.press("i")
	vera.waitFor(sel("copy-link"))
	vera.audited("shown-lightbox")
	result := vera.attribute(sel("lightbox"), "data-result")
	file := vera.attribute(sel("download"), "href")
	if data, header, err := s.fetch(t.Context(), file, vera.cookies()); err != nil || len(data) == 0 || !strings.HasPrefix(header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the download is %d bytes, %v: %v", len(data), header, err)
	}
	vera.press("c")
	vera.waitUntil(`[...document.querySelectorAll('` + sel("compare-view") + ` img')].filter(i => i.naturalWidth > 0).length === 2`)
	vera.press("c")
	vera.click("compare-run")
	vera.waitUntil(`document.querySelectorAll('` + sel("desk-cell") + `').length === 3`) // the source and what is shown
	vera.waitUntil(`[...document.querySelectorAll(".desk__picture--thumb:not([hidden])")].filter(i => i.naturalWidth > 0).length === 3`)
	vera.audited("shown-desk")
	vera.press(kb.Escape)
	run := evaluate[string](vera, `fetch("/api/results`+address[strings.Index(address, "?"):]+`").then(r => r.json()).then(p => p.results[0].runId)`)

	// The address of a result opens it.
	vera.do(chromedp.EmulateViewport(390, 844), chromedp.Navigate("about:blank"))
	vera.open(s, "/gallery#result="+run+"/"+result)
	vera.waitFor(sel("lightbox-picture"))
	vera.shot("shown-lightbox-phone")
	vera.open(s, address)
	vera.waitTiles(2)

	ada.click("board-edit")
	ada.click("board-shared")
	ada.told("private again")
	vera.waitUntil(`document.querySelectorAll('` + sel("wall") + ` ` + sel("result-card") + `').length === 0 && !document.querySelector('` + sel("lightbox") + `')`)
	vera.says(sel("gallery-none"), "Nothing is shared here")
	vera.shot("shown-no-longer")
	if _, _, err := s.fetch(t.Context(), file, vera.cookies()); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("the file is still there: %v", err)
	}
	for _, b := range []*tab{ada, vera} {
		b.forgive("401")
		b.forgive("404") // what is shown no longer
	}
}
