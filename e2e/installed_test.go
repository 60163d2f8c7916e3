package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The studio can be installed. Its service worker leaves uploads their progress, says what is the matter when the studio is not
// there, and steps aside when it is back.
func TestInstalledStudioReportsOutage(t *testing.T) {
	t.Parallel()
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

	// Nothing but a navigation is answered by it: of all else the browser notes that no worker was asked, whatever it was and wherever to.
	asked := evaluate[[]string](b, `(async () => {
		performance.clearResourceTimings();
		await (await fetch("/api/session")).text();
		await (await fetch("/api/runs/none/dismiss", {method: "POST", headers: {"X-Atelier": "1"}})).text();
		await (await fetch("/web/boot.js", {cache: "reload"})).text();
		await new Promise(done => { const i = new Image(); i.onload = i.onerror = done; i.src = "/web/icons/icon-512.png?anew"; });
		const all = performance.getEntriesByType("resource");
		return ["/api/session", "/dismiss", "boot.js", "icon-512"].flatMap(part => {
			const e = all.find(e => e.name.includes(part));
			return !e ? [part + " is not noted"] : e.workerStart > 0 && !(e.workerMatchedSourceType === "network" || e.workerFinalSourceType === "network") ? [part + " went by the worker"] : [];
		});
	})()`)
	for _, wrong := range asked {
		t.Error(wrong)
	}
	if page := evaluate[float64](b, `performance.getEntriesByType("navigation")[0].workerStart`); page == 0 {
		t.Error("a navigation goes past the worker: what is said of all else says nothing")
	}

	s.stop()
	b.do(chromedp.Reload())
	b.waitUntil(`document.querySelector("h1")?.textContent === "The studio cannot be reached"`)
	b.examined("offline")
	// It has none of the studio's themes: it is as light or dark as the system.
	dark := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: dark}); err != nil {
		t.Fatal(err)
	}
	b.shot("offline-system-dark")
	if ground := evaluate[string](b, `getComputedStyle(document.body).backgroundColor`); ground != "rgb(30, 30, 30)" {
		t.Errorf("on a dark system its ground is %s", ground)
	}
	if wrong := evaluate[string](b, audit); wrong != "" {
		t.Errorf("offline, on a dark system:\n%s", wrong)
	}
	s.start()
	b.do(chromedp.Click(chromedp.CSS("a")))
	b.waitFor(sel("nav-studio"))
	b.forgiveOutage()
	for _, expected := range []string{"404", "415", "503"} { // the noise is no picture
		b.forgive(expected)
	}
}

// The end of work is told to who looks elsewhere: by a sound and by a notice of the system where they were switched on, and by the
// title of the tab in any case.
func TestFinishedWorkNotifiesUserElsewhere(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.do(chromedp.Navigate("about:blank"))
	b.allow("notifications")
	b.signIn(s)
	b.click("rail-settings")
	for _, stay := range []string{"false", "true"} { // a tab begins with it
		b.click("notice-stay")
		b.reload()
		b.click("rail-settings")
		b.waitUntil(`document.querySelector('` + sel("notice-stay") + `')?.checked === ` + stay)
	}
	b.press(kb.Escape)
	b.upload("blouse.jpg", garmentPhoto())
	b.chooseAgent("removeBG")
	b.click("batch-1")
	b.do(chromedp.Evaluate[chromedp.Void](`window.heard = 0; window.noted = [];
		const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function(...a) { window.heard++; return start.apply(this, a); };
		ServiceWorkerRegistration.prototype.showNotification = async (title, options) => { window.noted.push(title + ": " + options.body); window.notice = options; }`))
	b.click("rail-settings")
	b.click("notice-sound")
	b.waitUntil(`window.heard > 0`) // how it sounds
	b.click("notice-system")
	b.waitUntil(`localStorage.getItem("atelier.notice.system") === "on"`)
	b.press(kb.Escape)
	// A page in the background: it draws nothing, so the studio gets no frames.
	b.do(chromedp.Evaluate[chromedp.Void](`window.heard = 0; window.elsewhere = true;
		Object.defineProperty(document, "visibilityState", {get: () => window.elsewhere ? "hidden" : "visible"});
		const frame = window.requestAnimationFrame; window.requestAnimationFrame = f => window.elsewhere && String(f).includes("_pendingEvent") ? 0 : frame(f)`))
	b.generate()
	b.waitForResults(1)
	b.waitUntil(`document.title.startsWith("(1)")`)
	b.waitUntil(`window.heard > 0`)
	b.waitUntil(`window.noted.length === 1 && window.noted[0].startsWith("Cut out: ")`)
	b.do(chromedp.Evaluate[chromedp.Void](`window.elsewhere = false; document.dispatchEvent(new Event("visibilitychange"))`))
	b.waitUntil(`!document.title.startsWith("(1)")`)

	// A click on it leads to the result, in the window that is looked at; without a window, in a new one.
	worker, _, err := s.fetch(t.Context(), "/app-worker.js", nil)
	if err != nil {
		t.Fatal(err)
	}
	went := evaluate[string](b, `(async () => {
		const heard = {}, told = [];
		const window = (name, visibilityState) => ({visibilityState, postMessage: (m) => told.push(name + " hears " + m.open), focus: () => told.push(name + " in front")});
		const click = async (windows) => {
			await (async (self, clients) => {`+string(worker)+`
			})({addEventListener: (name, f) => heard[name] = f}, {matchAll: async () => windows, openWindow: (address) => told.push("opens " + address)});
			let done;
			heard.notificationclick({notification: {close: () => {}, data: globalThis.notice.data}, waitUntil: (p) => done = p});
			await done;
		};
		await click([window("one", "hidden"), window("two", "visible")]);
		await click([]);
		// Of requests, it answers those that open a page.
		for (const mode of ["cors", "no-cors", "same-origin", "navigate"]) heard.fetch({request: {mode}, preloadResponse: new Response(""), respondWith: () => told.push("answers " + mode)});
		return told.join(", ").replaceAll(globalThis.notice.data.open, "ADDRESS");
	})()`)
	if want := "two hears ADDRESS, two in front, opens ADDRESS, answers navigate"; went != want {
		t.Errorf("the service worker did %q, want %q", went, want)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`navigator.serviceWorker.dispatchEvent(new MessageEvent("message", {data: window.notice.data}))`))
	b.waitFor(sel("lightbox-picture"))
	b.waitUntil(`window.notice.data.open === "/gallery" + location.hash && window.notice.tag.startsWith("run-")`)
	b.back()
	b.waitUntil(`!document.querySelector("dialog[open]") && !location.hash`)
}
