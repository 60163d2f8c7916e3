package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"

	"atelier/atelier"
)

// states counts the runs by how they stand.
func (b *tab) states(s *studio) (waiting, running, cancelled int) {
	b.t.Helper()
	for _, run := range b.runs(s) {
		switch {
		case run.Cancelled:
			cancelled++
		case run.State == atelier.StateRecorded || run.State == atelier.StateSubmitting:
			waiting++
		case run.State == atelier.StateAccepted:
			running++
		}
	}
	return waiting, running, cancelled
}

// A batch of which the service has begun one run is cancelled by one press, and what had not started is put back by another; a reload
// keeps which runs belong together. Single runs are cancelled in strip, gallery and the service's list.
func TestCancelledRunsArePutBack(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_SERVICE_SWITCHES=slow=10m,concurrencyLimit=1")
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{
		writeFile(t, "first.jpg", photo(7)), writeFile(t, "second.jpg", photo(8)), writeFile(t, "third.jpg", photo(9)),
	}))
	b.takeOffer()
	b.says(sel("generate"), "3")
	b.click("generate")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 3 && document.querySelectorAll('` + sel("run") + `[data-state="accepted"]').length === 1`)
	b.shot("cancel-strip")
	b.audited("cancel-strip")
	b.reload()
	b.click("cancel-batch")
	b.told("3 runs cancelled. Undo puts back the 2 that had not started.")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `[data-state="failed"]').length === 3`)
	b.shot("cancel-done")
	if waiting, running, cancelled := b.states(s); waiting != 0 || running != 0 || cancelled != 3 {
		t.Errorf("%d wait, %d run, %d are cancelled, want 3 cancelled", waiting, running, cancelled)
	}
	b.takeOffer()
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `[data-state="recorded"]').length === 1 && document.querySelectorAll('` + sel("run") + `[data-state="accepted"]').length === 1`)

	// One that waits, alone: in the gallery.
	b.closeMessages()
	b.open(s, "/gallery?view=runs")
	b.waitUntil(`document.querySelectorAll('` + sel("cancel-run") + `').length === 2`)
	b.shot("cancel-gallery")
	b.do(chromedp.Click(chromedp.CSS(`.tile:has(.status--waiting) ` + sel("cancel-run"))))
	b.told("1 run cancelled.")
	b.waitUntil(`document.querySelectorAll('` + sel("cancel-run") + `').length === 1`)

	// One that runs: in the service's list.
	b.open(s, "/tasks")
	b.click("cancel-run")
	b.told("1 run stopped.")
	if waiting, running, cancelled := b.states(s); waiting != 0 || running != 0 || cancelled != 3 {
		t.Errorf("%d wait, %d run, %d are cancelled, want 3 cancelled", waiting, running, cancelled)
	}
}
