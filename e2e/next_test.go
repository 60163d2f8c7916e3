package e2e

import "testing"

// Of the runs that wait for the image service one can be sent before the others, and what was pressed can be taken back.
func TestWaitingRunIsSentBeforeOthers(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_SERVICE_SWITCHES=slow=10m,concurrencyLimit=1")
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	runs := `[...document.querySelectorAll('` + sel("run") + `')]`
	for _, batch := range []string{"batch-1", "batch-2", "batch-4"} { // the same wish again at once is the same run
		b.click(batch)
		b.generate()
	}
	// The newest stands first, and is the last in line.
	line := func(newest, older string) {
		t.Helper()
		b.waitUntil(runs + `.slice(0, 2).map(r => r.querySelector(".status").textContent.trim()).join("|") === "` + newest + "|" + older + `"`)
	}
	const first, second = "Waiting to be sent", "Waiting to be sent, 1 ahead"
	line(second, first)
	b.waitUntil(`document.querySelectorAll('` + sel("send-next") + `').length === 1`)
	b.audited("send-next")
	b.click("send-next")
	b.told("This run is sent next.")
	line(first, second)
	b.takeOffer()
	line(second, first)
	b.waitUntil(`!document.querySelector('` + sel("toast") + `')`)
}
