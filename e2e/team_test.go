package e2e

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const adasPassword = "wolken fahren rad"

// answer types into a field, in place of what it holds.
func (b *tab) answer(name, text string) {
	b.t.Helper()
	b.waitFor(sel(name))
	b.waitUntil(`(() => { const field = document.querySelector('` + sel(name) + `'); field.value = ""; field.dispatchEvent(new Event("input", {bubbles: true})); return true })()`)
	b.do(chromedp.SendKeys(chromedp.CSS(sel(name)), text))
	b.waitUntil(`document.querySelector('` + sel(name) + `')?.value === ` + strconv.Quote(text))
}

// enterAs signs in by name and password on the page that is open, and waits for the studio.
func (b *tab) enterAs(name, password string) {
	b.t.Helper()
	b.answer("signin-name", name)
	b.answer("signin-password", password)
	b.click("signin-submit")
	b.waitFor(sel("upload-button"))
}

func (b *tab) openSettings() {
	b.t.Helper()
	b.click("rail-settings")
	b.waitFor(sel("account"))
}

// waitForRows waits for a list to have n rows; a first start draws its previews meanwhile, and a list that could not be had in
// time is asked for again, as a person would.
func (b *tab) waitForRows(rows, again string, n int) {
	b.t.Helper()
	b.waitUntil(`document.querySelectorAll('` + rows + `').length === ` + strconv.Itoa(n) + ` || (document.querySelector('` + sel(again) + `')?.click(), false)`)
}

// addViewer adds somebody who only looks, and gives their password.
func (b *tab) addViewer(name string) (password string) {
	b.t.Helper()
	b.openSettings()
	b.waitForRows(sel("sessions")+" li", "sessions-again", 1) // which moves what stands below
	b.click("open-team")
	b.waitForRows(sel("team-row"), "team-again", 1)
	b.answer("team-name", name)
	b.do(chromedp.SetValue(chromedp.CSS(sel("team-role")), "viewer"))
	b.waitUntil(`document.querySelector('` + sel("team-role") + `').dispatchEvent(new Event("change", {bubbles: true}))`)
	b.click("team-add")
	b.waitFor(sel("team-password"))
	password = b.text(sel("team-password"))
	b.do(chromedp.KeyEvent("\x1b"))
	return password
}

// theme sets the colours of the page, for pictures of it.
func (b *tab) theme(name string) {
	b.t.Helper()
	b.waitUntil(`(document.documentElement.dataset.theme = ` + strconv.Quote(name) + `) === ` + strconv.Quote(name))
}

// A studio for a team: the first account is made with the code from the terminal, a designer is added and works, is out
// at once when disabled, and comes back with a new password.
func TestJourneyTeamSignsInAndDisables(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_USERS=team")
	ada := openTab(t, 1440, 900)
	if !strings.Contains(s.url, "/#setup=") {
		t.Fatalf("it printed %q, want the address with the setup code", s.url)
	}
	ada.do(chromedp.Navigate(s.url))
	ada.waitFor(sel("signin-name"))
	ada.waitUntil(`!location.hash.includes("setup")`)
	ada.audited("team-setup")
	ada.tabbed("team-setup")
	ada.narrow("team-setup")
	ada.answer("signin-name", "Ada Lovelace")
	ada.answer("signin-password", "adalovelace1")
	ada.click("signin-submit")
	ada.waitFor(sel("signin-password-problem"))
	ada.audited("team-setup-refused")
	ada.tabbed("team-setup-refused")
	ada.narrow("team-setup-refused")
	ada.enterAs("Ada Lovelace", adasPassword)

	ada.openSettings()
	ada.waitForRows(sel("sessions")+" li", "sessions-again", 1)
	ada.audited("team-settings")
	ada.narrow("team-settings")
	ada.click("open-team")
	ada.waitForRows(sel("team-row"), "team-again", 1)
	ada.answer("team-name", "Ben Okri")
	ada.click("team-add")
	ada.waitFor(sel("team-password"))
	password := ada.text(sel("team-password"))
	ada.waitForRows(sel("team-row"), "team-again", 2)
	ada.audited("team-added")
	ada.narrow("team-added")

	ben := openTab(t, 390, 844)
	ben.do(chromedp.Navigate("http://" + s.listen))
	ben.waitFor(sel("signin-name"))
	ben.audited("team-signin-phone")
	ben.tabbed("team-signin-phone")
	ben.narrow("team-signin")
	ben.answer("signin-name", "ben okri")
	ben.answer("signin-password", "not his password")
	ben.click("signin-submit")
	ben.waitFor(sel("signin-problem"))
	ben.audited("team-signin-refused-phone")
	ben.tabbed("team-signin-refused-phone")
	ben.narrow("team-signin-refused")
	ben.enterAs("ben okri", password)
	ben.upload("blouse.jpg", garmentPhoto())
	ben.openSettings()
	ben.audited("team-settings-phone")
	if ben.count(sel("open-team")) != 0 {
		t.Error("a designer is offered to manage the team")
	}

	// What Ben may ask for in a month stands by his button as soon as it is set.
	row := sel("team-row") + `[data-name="Ben Okri"] `
	ada.do(chromedp.SendKeys(chromedp.CSS(row+sel("team-monthly")), "3"), chromedp.KeyEvent("\r"))
	ben.press(kb.Escape)
	ben.waitUntil(`document.querySelector('` + sel("form-hint") + `')?.textContent.includes("This makes 4 results, and 3 are left of your 3 this month.")`)
	ben.audited("team-allowance-phone")
	ben.narrow("team-allowance-form")
	ada.audited("team-allowance")

	ada.do(chromedp.Click(chromedp.CSS(row + sel("team-disable"))))
	ada.waitFor(sel("team-disable-sure"))
	cookies := ben.cookies()
	ada.click("team-disable-sure")
	ada.waitFor(row + sel("team-enable"))
	// Disabling ends the session at once; his page learns it from its socket.
	if _, _, err := s.fetch(t.Context(), "/api/runs", cookies); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a disabled designer is answered: %v", err)
	}
	ben.waitFor(sel("signin-name"))
	ben.says(sel("signin-problem"), "You are signed out.")
	ben.audited("team-session-ended-phone")
	ben.tabbed("team-session-ended-phone")
	ben.narrow("team-session-ended")
	ada.audited("team-disabled")
	ada.narrow("team-disabled")
	ben.answer("signin-name", "Ben Okri")
	ben.answer("signin-password", password)
	ben.click("signin-submit")
	ben.says(sel("signin-problem"), "wrong")
	ada.do(chromedp.Click(chromedp.CSS(row + sel("team-enable"))))
	ada.waitFor(row + sel("team-disable"))
	ben.answer("signin-password", password)
	ben.click("signin-submit")
	ben.waitUntil(`document.querySelector('` + sel("asset-button") + `')?.textContent.includes("blouse.jpg")`)
	ben.openSettings()
	ben.click("change-password")
	ben.answer("password-current", password)
	ben.answer("password-next", "vier blaue Teller")
	ben.audited("team-password-phone")
	ben.narrow("team-password")
	ben.click("password-submit")
	ben.waitUntil(`!document.querySelector('` + sel("password-submit") + `')`)

	// A new password is asked about first; then it is made, and Ben is out.
	ada.do(chromedp.Click(chromedp.CSS(row + sel("team-new-password"))))
	ada.waitFor(row + sel("team-password-sure"))
	ada.says(row, "replaces the password")
	ada.audited("team-password-asked")
	ada.narrow("team-password-asked")
	if told := ada.text(sel("team-password")); told != password {
		t.Error("a new password is made before it was asked about")
	}
	ada.do(chromedp.Click(chromedp.CSS(row + sel("team-password-sure"))))
	ada.waitUntil(`document.querySelector('` + sel("team-password") + `').textContent !== ` + strconv.Quote(password))
	ben.waitFor(sel("signin-name"))
	for _, b := range []*tab{ada, ben} {
		b.forgive("401") // asked who is working before anybody was, and after the session had ended
		b.forgive("400") // the password that was refused
		b.forgive("WebSocket")
	}
}

// What somebody left unfinished in a browser is not shown to, or sent for, who signs in there next.
func TestBrowserHandsNothingToTheNextUser(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_USERS=team")
	b := openTab(t, 1440, 900)
	b.do(chromedp.Navigate(s.url))
	b.enterAs("Ada", adasPassword)
	b.upload("blouse.jpg", garmentPhoto())
	password := b.addViewer("Vera")
	b.openSettings()
	b.click("sign-out")
	b.waitFor(sel("signin-name"))
	if n := b.count(sel("signin-problem")); n != 0 {
		t.Error("who signs out is told that they are")
	}
	b.enterAs("Vera", password)
	b.waitFor(sel("upload-button"))
	b.waitUntil(`localStorage.getItem("atelier.draft") === null || !localStorage.getItem("atelier.draft").includes("blouse")`)
	if text := b.text("body"); strings.Contains(text, "blouse.jpg") {
		t.Error("Vera sees Ada's picture")
	}
	b.waitUntil(`(document.querySelector('` + sel("form-hint") + `')?.textContent ?? "").includes("look but not change anything")`)
	if b.count(sel("choose-picture")) != 0 || b.count(sel("empty")+` a[href="/boards"]`) != 1 {
		t.Error("a viewer is asked for a picture, or not shown the way to the boards")
	}
	b.audited("team-viewer")
	b.narrow("team-viewer")
	b.forgive("401")
}
