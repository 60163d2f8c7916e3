package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reviewed are the answers a client's page shows, picture by picture: "yes", "no" or "".
const reviewed = `[...document.querySelectorAll("[data-ask]")].map(f => f.querySelector('[aria-pressed="true"]')?.innerText.trim().split(" ")[0].split("\n")[0] ?? "").join()`

// A client without an account is asked: the designer makes a link for three results, the client opens it on a phone, says yes and no
// by hand and by key, comments, loses the connection and goes on, and is done; the designer hears it, reads the answers and picks
// what was said yes to. Then the link is ended, and the client's page is gone.
func TestJourneyClientReviewsByLink(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Coats", prompt: "secret prompt", results: 4})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(4)
	b.click("nav-boards")
	b.click("links-open")
	b.waitFor(sel("links-empty"))
	b.audited("links-empty")
	b.narrow("links-empty")
	b.press(kb.Escape)
	b.click("nav-gallery")
	b.waitTiles(4)
	b.tabTo("result-card")
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(`document.querySelectorAll(".tile--chosen").length === 3`)
	b.click("chosen-ask")
	b.waitUntil(`document.querySelector('` + sel("ask-title") + `')?.value === "Coats" && document.activeElement.id === "ask-title"`)
	b.do(chromedp.SetValue(chromedp.CSS(sel("ask-note")), "Which two for the shop?"))
	b.audited("ask")
	b.click("ask-make")
	b.waitUntil(`document.activeElement.id === "ask-copy"`)
	b.says(sel("ask-local"), "on this computer only")
	b.audited("ask-made")
	b.narrow("ask-made")
	address := evaluate[string](b, `document.querySelector('`+sel("ask-url")+`').value`)
	if !strings.HasPrefix(address, "http://"+s.listen+"/review/") {
		t.Fatalf("the link is %q", address)
	}
	b.click("link-copy")
	b.told("Link copied")
	b.press(kb.Escape)

	c := openTab(t, 390, 844) // a phone, without a session
	c.do(chromedp.Navigate(address))
	c.waitUntil(`document.querySelectorAll(".client-card img").length === 3`)
	if text := c.pageText(); !strings.Contains(text, "Which two for the shop?") || strings.Contains(text, "secret prompt") || strings.Contains(text, "aimodel") {
		t.Errorf("the client's page says %s", text)
	}
	c.audited("client-sheet-phone")
	c.do(chromedp.Click(chromedp.CSS("#p1 .client-yes")))
	c.says("#p1 [data-said]", "Saved")
	c.says("[data-count]", "1 yes · 0 no · 2 to go")
	c.do(chromedp.Click(chromedp.CSS("#p2 textarea")), chromedp.SendKeys(chromedp.CSS("#p2 textarea"), "The collar is wrong"))
	c.do(chromedp.Click(chromedp.CSS("#p2 .client-no")))
	c.waitUntil(reviewed + ` === "Yes,No,"`)
	c.do(chromedp.Click(chromedp.CSS("#p3 .client-picture")))
	c.waitFor(".client-one img")
	c.audited("client-picture-phone")
	c.tabbed("client-picture-phone")
	c.narrow("client-picture")
	c.press("y")
	c.says("[data-count]", "2 yes · 1 no · 0 to go")
	c.press("y") // taken back
	c.says("[data-count]", "1 yes · 1 no · 1 to go")
	c.press(kb.ArrowLeft)
	c.waitFor(`.client-one form[aria-label="Picture 2"]`)
	c.waitUntil(`document.title.startsWith("Picture 2") && document.querySelector("textarea").value === "The collar is wrong"`)
	c.press(kb.Escape)
	c.waitFor(".client-sheet")
	c.waitUntil(reviewed + ` === "Yes,No,"`)

	c.do(chromedp.Evaluate[chromedp.Void](`window.fetch = () => Promise.reject(new TypeError("offline"))`))
	c.do(chromedp.Click(chromedp.CSS("#p3 .client-yes")))
	c.says("#p3 [data-said]", "Not saved: no connection")
	c.audited("client-not-kept-phone")
	c.tabbed("client-not-kept-phone")
	c.narrow("client-not-kept")
	if got := evaluate[string](c, reviewed); got != "Yes,No," {
		t.Errorf("what was not kept is shown as %q", got)
	}
	c.do(chromedp.Navigate(address))
	c.waitUntil(reviewed + ` === "Yes,No,"`)
	c.do(chromedp.SendKeys(chromedp.CSS(".client-last input"), "Ada"), chromedp.SendKeys(chromedp.CSS(".client-last textarea"), "Coat one it is"),
		chromedp.Click(chromedp.CSS(".client-last button")))
	c.waitFor(".client-done[data-done]")
	c.says("#done-title", "Thank you")
	c.audited("client-done-phone")
	c.tabbed("client-done-phone")
	c.narrow("client-done")
	// Who comes back need not say again who they are, nor what they said (WCAG 2.2, 3.3.7).
	c.do(chromedp.Navigate(address))
	c.waitUntil(`(f => f && f.name.value === "Ada" && f.words.value === "Coat one it is")(document.querySelector(".client-last")?.elements)`)

	b.told("Ada finished reviewing “Coats”.")
	b.takeOffer()
	b.waitUntil(`document.querySelectorAll('` + sel("answer") + `').length === 3`)
	b.says(sel("links-said"), "Ada: “Coat one it is”")
	got := evaluate[string](b, `[...document.querySelectorAll('`+sel("answer")+`')].map(a => (a.dataset.pick ?? "") + ":" + a.querySelector("p").textContent).join()`)
	if want := "pick:,reject:The collar is wrong,:"; got != want {
		t.Errorf("the answers are %q, want %q", got, want)
	}
	b.audited("answers")
	b.tabbed("answers")
	b.narrow("answers")
	b.click("link-pick")
	b.press(kb.Escape)
	b.do(chromedp.Navigate("http://" + s.listen + "/gallery?pick=pick"))
	b.waitTiles(1)

	b.click("nav-boards")
	b.click("links-open")
	b.says(sel("link-row"), "3 results · 1 yes · 1 no · 1 comment")
	b.audited("links")
	b.tabbed("links")
	b.narrow("links")
	b.click("link-row")
	b.click("link-end")
	b.waitFor(sel("link-longer"))
	b.takeOffer() // it works as long as it would have
	b.waitFor(sel("link-end"))
	b.waitUntil(`!document.querySelector('` + sel("toast-action") + `')`)
	b.click("link-end")
	b.waitFor(sel("link-longer"))
	c.do(chromedp.Navigate(address))
	c.says("main", "This link has ended")
	c.audited("client-nothing-phone")
	c.narrow("client-nothing")
	c.forgive("404")
	b.click("link-delete")
	b.waitFor(sel("links-empty"))
	b.press("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)) // the latest: its end could be taken back too
	b.waitFor(sel("link-row"))
	if n := b.count(sel("link-row")); n != 1 {
		t.Errorf("%d links after the undo", n)
	}
}

// With results and sheets of every shape the client's pages stay readable at the sizes people have.
func TestReviewPagesFitABigScreen(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Coats", prompt: "x", results: 9})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery")
	b.waitTiles(9)
	b.tabTo("result-card")
	b.press("a", chromedp.KeyModifiers(chromedp.ModifierCtrl))
	b.click("chosen-ask")
	b.waitFor(sel("ask-title"))
	b.answer("ask-title", strings.Repeat("A long title of a link ", 4))
	b.click("ask-downloads")
	b.click("ask-make")
	b.waitFor(sel("ask-url"))
	address := evaluate[string](b, `document.querySelector('`+sel("ask-url")+`').value`)
	c := openTab(t, 1440, 900)
	c.do(chromedp.Navigate(address))
	c.waitUntil(`document.querySelectorAll(".client-card").length === 9`)
	c.audited("client-sheet")
	c.tabbed("client-sheet")
	c.narrow("client-sheet")
	c.do(chromedp.Navigate(address + "/5"))
	c.waitFor(`.client-one a[href$="?download"]`)
	c.audited("client-picture")
	c.tabbed("client-picture")
	c.narrow("client-picture")
	if over := evaluate[bool](c, `document.documentElement.scrollHeight > innerHeight`); over {
		t.Error("the picture's page scrolls")
	}
}
