package e2e

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/internal/sqldb"
)

// A run whose answer was lost and that cannot be found waits for its owner's decision. The row is made as such a loss leaves
// it; the image service knows the run and lists it nowhere.
func TestOwnerDecidesUnconfirmedRun(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_SURFACE=run", "ATELIER_SERVICE_SWITCHES=runsHidden")
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	b.generate()
	b.waitForResults(1)
	s.stop()

	db, err := sqldb.OpenToRead(filepath.Join(s.data, "studio.db"))
	if err != nil {
		t.Fatal(err)
	}
	var execution string
	if err := db.QueryRowContext(t.Context(), `SELECT execution_id FROM runs`).Scan(&execution); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{
		`PRAGMA query_only = 0`, `DELETE FROM results`, `DELETE FROM answers`,
		`UPDATE runs SET state = 'unconfirmed', status = 'Pending', execution_id = '', task_id = '', error_code = 'upstream', error_message = 'The image service did not answer.'`,
	} {
		if _, err := db.ExecContext(t.Context(), change); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.start()
	b.do(chromedp.Navigate(s.url))
	b.waitFor(sel("decide"))
	b.click("decide")
	b.waitFor(sel("unconfirmed-id"))
	b.audited("unconfirmed")
	b.click("unconfirmed-dismiss") // a slip
	b.waitUntil(`!document.querySelector("dialog[open]") && !document.querySelector('` + sel("decide") + `')`)
	b.shot("unconfirmed-dismissed")
	b.takeOffer()
	b.waitFor(sel("decide"))
	b.click("decide")
	b.waitFor(sel("unconfirmed-id"))
	b.click("unconfirmed-adopt")
	b.waitUntil(`document.querySelector('[data-testid="unconfirmed-note"]').textContent.includes("at most 128 characters")`)
	b.do(chromedp.SendKeys(chromedp.CSS(sel("unconfirmed-id")), "0190a0b0-0000-7000-8000-000000000000"))
	b.click("unconfirmed-adopt")
	b.waitUntil(`document.querySelector('[data-testid="unconfirmed-note"]').textContent.includes("does not know this id")`)
	b.shot("unconfirmed-wrong-id")
	evaluate[bool](b, `(e => { e.focus(); e.select(); return true })(document.querySelector('`+sel("unconfirmed-id")+`'))`)
	b.press(execution)
	b.click("unconfirmed-adopt")
	b.waitForResults(1)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.forgiveOutage()
	b.forgive("401") // the new one, before signing in
	b.forgive("400") // the ids that were refused
}
