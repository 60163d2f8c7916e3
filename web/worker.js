// The service worker shows notices, and answers navigations only, and only when the studio cannot be reached. Everything else goes past it: an answer of
// its own would swallow upload progress, and a cache of its own would show the old client first after an update.
// {{.Version}}
const offline = `<!doctype html>
<html lang="[[html .Lang]]">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="10">
<title>[[html .OfflineTitle]]</title>
<style>
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: light-dark(#f4f4f4, #1e1e1e); color: light-dark(#1c1c1c, #eeeeee); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; padding: 24px; }
  h1 { margin: 0 0 8px; font-size: 20px; }
  a { color: inherit; }
</style>
<main>
  <h1>[[html .Offline]]</h1>
  <p>[[html .OfflineText]]</p>
  <p>[[html .OfflineAgain]] <a href="">[[html .TryNow]]</a></p>
</main>
</html>`;

self.addEventListener("install", (e) => {
  e.waitUntil(self.skipWaiting());
  // Where the browser can be told, the worker is not even started for anything else.
  if (e.addRoutes) e.waitUntil(e.addRoutes({condition: {not: {requestMode: "navigate"}}, source: "network"}).catch(() => {}));
});

self.addEventListener("activate", (e) => e.waitUntil((async () => {
  for (const k of await caches.keys()) await caches.delete(k);
  if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
})()));

// A click on a notice goes to what it is about: in the window of the studio that was used last, or in a new one.
self.addEventListener("notificationclick", (e) => {
  e.notification.close();
  const address = e.notification.data?.open || "/gallery";
  e.waitUntil((async () => {
    const windows = await clients.matchAll({type: "window", includeUncontrolled: true});
    const open = windows.find((w) => w.focused) || windows.find((w) => w.visibilityState === "visible") || windows[0];
    if (!open) return clients.openWindow(address);
    open.postMessage({open: address});
    return open.focus();
  })());
});

self.addEventListener("fetch", (e) => {
  if (e.request.mode !== "navigate") return;
  e.respondWith((async () => {
    try {
      return await e.preloadResponse || await fetch(e.request);
    } catch {
      return new Response(offline, {status: 503, headers: {
        "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
      }});
    }
  })());
});
