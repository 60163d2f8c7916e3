package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The studio can be installed. Its service worker leaves uploads their progress, says what is the matter when the studio is not
// there, and steps aside when it is back.
func TestAnInstalledStudioSaysThatItCannotBeReached(t *testing.T) {
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	manifest, err := chromedp.Call(b.ctx, page.GetAppManifest, page.GetAppManifestParams{})
	if err != nil || len(manifest.Errors) > 0 || manifest.URL == "" {
		t.Errorf("the manifest: %+v, %v", manifest, err)
	}
	b.waitUntil(`navigator.serviceWorker.ready.then(() => true)`)
	b.open(s, "/gallery")
	b.waitUntil(`navigator.serviceWorker.controller?.state === "activated"`)
	progress := evaluate[int](b, `new Promise(done => {
		const request = new XMLHttpRequest();
		let heard = 0;
		request.upload.onprogress = () => heard++;
		request.onloadend = () => done(heard);
		request.open("POST", "/api/assets?name=noise.jpg");
		request.setRequestHeader("X-Atelier", "1");
		request.setRequestHeader("Content-Type", "image/jpeg");
		request.send(new Uint8Array(3 << 20));
	})`)
	if progress == 0 {
		t.Error("an upload tells nothing of its progress while the service worker is there")
	}

	s.stop()
	b.do(chromedp.Reload())
	b.waitUntil(`document.querySelector("h1")?.textContent === "The studio cannot be reached"`)
	b.audited("offline")
	s.start()
	b.do(chromedp.Click(chromedp.CSS("a")))
	b.waitFor(sel("nav-studio"))
	for _, expected := range []string{"415", "503", "ERR_CONNECTION_REFUSED", "WebSocket"} { // the noise is no picture; nobody answers
		b.forgive(expected)
	}
}
