package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rightClick presses the right button in the middle of an element.
func (b *tab) rightClick(selector string) {
	b.t.Helper()
	at := b.box(selector)
	b.do(chromedp.MouseClickXY(at.X+at.Width/2, at.Y+at.Height/2, chromedp.ButtonRight))
}

// The menu of a result opens by mouse and by keyboard, is gone through with the arrow keys, and gives the focus back; what is chosen is done.
// A run that is not made yet is cancelled by it, and on a phone it stands at the lower edge.
func TestMenuWorksByMouseKeyboardAndFinger(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.generate()
	b.waitForResults(1)
	card := sel("result-card")
	rightClick := func(selector string) {
		t.Helper()
		b.rightClick(selector)
		b.waitUntil(`document.activeElement.getAttribute("role") === "menuitem"`)
	}
	closed := `!document.querySelector("#menu").open && !document.querySelector("#menu").checkVisibility()`
	b.waitUntil(closed)
	rightClick(card)
	b.shot("menu-result")
	b.audited("menu-result")
	b.click("menu-favourite")
	b.waitUntil(closed + ` && document.querySelector('` + card + ` .card__star')`)

	// By keyboard: from the card and back to it.
	b.do(chromedp.Focus(chromedp.CSS(card)))
	b.press(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(`document.activeElement.id === "menu-0"`)
	b.press(kb.ArrowDown)
	b.waitUntil(`document.activeElement.id === "menu-1"`)
	b.press(kb.End)
	b.waitUntil(`document.activeElement.dataset.testid === "menu-trash"`)
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("#menu").open && document.activeElement.matches('` + card + `')`)
	b.press(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(`document.activeElement.id === "menu-0"`)
	b.press(kb.Enter)
	b.waitFor(sel("lightbox"))
	rightClick(sel("lightbox-picture"))
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("#menu").open && document.querySelector("#lightbox").open`)
	b.click("lightbox-close")

	// On the wall, of a finger that rests.
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	b.open(s, "/gallery")
	b.waitTiles(1)
	at := b.box(card)
	b.touch(input.DispatchTouchEventTypeTouchStart, finger{1, [2]float64{at.X + at.Width/2, at.Y + at.Height/2}})
	b.waitUntil(`document.querySelector("#menu").open`)
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	// Windows asks for a menu when the finger lifts. The one that is open stays.
	evaluate[bool](b, `document.getElementById("menu").dispatchEvent(
		new MouseEvent("contextmenu", {bubbles: true, cancelable: true})), true`)
	b.shot("menu-phone")
	b.waitUntil(`document.querySelector("#menu").open && Math.abs(document.querySelector("#menu").getBoundingClientRect().bottom - innerHeight) < 2`)
	b.click("menu-reject")
	b.waitUntil(`document.querySelector('` + card + `').dataset.pick === "reject"`)
}

func TestMenuCancelsRuns(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_SERVICE_SWITCHES=slow=10m,concurrencyLimit=1")
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	for _, batch := range []string{"batch-1", "batch-2"} {
		b.click(batch)
		b.generate()
	}
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `[data-state="recorded"]').length === 1`)
	b.rightClick(sel("run") + `[data-state="recorded"] .run__title`)
	b.click("menu-cancel")
	b.told("1 run cancelled.")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `[data-state="failed"]').length === 1`)
	b.rightClick(sel("run") + `[data-state="failed"] .run__title`)
	b.click("menu-restore")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `[data-state="recorded"]').length === 1`)
}

// A photo has its menu where it stands above the stage and among the photos to choose from, by mouse and by keyboard.
func TestMenuOfPhotos(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.upload("coat.jpg", photo(3))
	b.rightClick(sel("asset-button"))
	b.waitUntil(`document.querySelector("#menu").open && document.activeElement.dataset.testid === "menu-download"`)
	b.shot("menu-photo")
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("#menu").open`)
	b.click("asset-button")
	b.waitFor(sel("asset") + `[title*="blouse.jpg"]`)
	b.do(chromedp.Focus(chromedp.CSS(sel("asset") + `[title*="blouse.jpg"]`)))
	b.press(kb.F10, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(`document.activeElement.dataset.testid === "menu-open"`)
	b.press(kb.Enter)
	b.waitUntil(`(document.querySelector('` + sel("asset-button") + `')?.textContent ?? "").includes("blouse.jpg")`)
}
