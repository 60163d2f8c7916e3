package e2e

import (
	"strings"
	"testing"
)

func TestFirstStepsAreShownOnce(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.waitFor(sel("steps"))
	if n := b.count(sel("steps") + " li"); n != 4 {
		t.Errorf("%d steps are shown", n)
	}
	if line := b.text(sel("embedded-service")); !strings.Contains(line, "no neural models") {
		t.Errorf("whose work the pictures are is told as %q", line)
	}
	b.audited("the studio at first")
	b.click("steps-read")
	b.waitUntil(`!document.querySelector('[data-testid="steps"]')`)
	b.reload()
	b.waitFor(sel("empty"))
	if b.count(sel("steps")) != 0 {
		t.Error("the first steps come back")
	}
	b.click("connect-account")
	b.waitFor("#settings[open]")
}
