package e2e

import "testing"

// What turns or breathes while a run is made stands still where motion is not wanted, and colours change at once.
func TestReducedMotionStopsAnimations(t *testing.T) {
	t.Parallel()
	s := newStudio(t, "ATELIER_SERVICE_SWITCHES=slow=10m")
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.generate()
	const moving = `document.getAnimations().filter(a => a.playState === "running" && a.effect.getTiming().iterations === Infinity).length`
	const slow = `[...document.querySelectorAll("button")].filter(e => parseFloat(getComputedStyle(e).transitionDuration) > 0).length`
	b.waitUntil(moving + ` > 0 && ` + slow + ` > 0`)
	b.motionless()
	b.waitUntil(moving + ` === 0 && ` + slow + ` === 0`)
}
