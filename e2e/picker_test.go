package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/catalog"
)

// The list of agents by keyboard: what happens is searched for, rows are walked with the arrows, favourites are remembered.
func TestAgentsAreFoundAndRemembered(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	chosen := func(name string) {
		t.Helper()
		b.waitUntil(`!document.querySelector("#agents[open]") && document.querySelector('` + sel("agent-button") + `').textContent.includes("` + name + `")`)
	}
	open := func() {
		t.Helper()
		b.click("agent-button")
		b.waitUntil(`document.activeElement?.id === "agent-search"`)
	}
	open()
	for _, a := range catalog.All() {
		if b.count(sel("agent-"+a.Name)+" img") == 0 {
			t.Errorf("%s has no example", a.Name)
		}
	}
	b.loaded(".agents__row img")
	b.press("cut out background")
	b.waitUntil(`document.querySelectorAll(".agents__row").length < 20`)
	b.press(kb.Enter)
	chosen("removeBG")

	open()
	b.press(kb.ArrowDown)
	b.press(kb.ArrowDown)
	b.waitUntil(`document.activeElement === document.querySelectorAll(".agents__row")[1]`)
	b.press("pencil") // goes on searching, from wherever the focus is
	b.waitUntil(`document.activeElement?.id === "agent-search" && document.querySelectorAll(".agents__row").length === 1`)
	b.do(chromedp.Focus(chromedp.CSS(sel("star-image-to-sketch"))))
	b.press(kb.Enter)
	b.waitFor(sel("star-image-to-sketch") + `[aria-pressed="true"]`)
	b.press(kb.Escape)

	b.reload()
	b.waitFor(sel("agent-button"))
	open()
	b.waitUntil(`document.querySelector(".agents__family").textContent.trim() === "Favourites"`)
	b.press(kb.ArrowDown)
	b.press(kb.Enter)
	chosen("image-to-sketch")
	b.shot("picker-remembered")
}
