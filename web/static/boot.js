// Runs before the first paint: the remembered theme, which frame to show, the ground of loaded pictures, and the notice for a program that
// broke.
(() => {
  const remembered = (key) => {
    try {
      return localStorage.getItem(key) || "";
    } catch {
      return "";
    }
  };
  for (const name of ["theme", "stage", "strip"]) {
    const value = remembered("atelier." + name);
    if (/^[a-z]{1,8}$/.test(value)) document.documentElement.setAttribute("data-" + name, value);
  }
  const form = remembered("atelier.form");
  if (/^\d{3}$/.test(form)) document.documentElement.style.setProperty("--form", form + "px");
  document.documentElement.setAttribute("data-boot", location.pathname === "/" ? "studio" : "page");

  // Whoever worked here before is likely to be signed in: the question who is working goes out while the program is loaded.
  if (remembered("atelier.owner") && !/^#(launch|setup)=/.test(location.hash)) {
    const question = document.createElement("link");
    Object.assign(question, {rel: "preload", as: "fetch", href: "/api/session", crossOrigin: "anonymous"});
    document.head.append(question);
  }

  // A picture of the image service that is still on its way comes as a single pixel: it is asked for again, less and less often.
  const again = (image) => {
    if (image.naturalWidth > 1) return false;
    const url = new URL(image.src);
    if (!url.pathname.startsWith("/api/images/")) return false;
    const shown = image.src, tries = Number(url.searchParams.get("try")) + 1;
    url.searchParams.set("try", tries);
    if (tries < 40) setTimeout(() => { if (image.isConnected && image.src === shown) image.src = url; }, Math.min(400 * tries, 4000));
    return true;
  };

  // The blurred preview stands for a picture only until it is there: what is transparent would show it for good.
  document.addEventListener("load", ({ target }) => {
    if (!(target instanceof HTMLImageElement)) return;
    if (again(target)) return;
    target.style.backgroundImage = "";
    target.setAttribute("data-loaded", "");
    target.removeAttribute("data-missing");
  }, true);

  // A picture that need not be there gives way to what stands behind it: letters, or the first frame of a video.
  document.addEventListener("error", ({ target }) => {
    if (!(target instanceof HTMLImageElement) || !target.dataset.optional) return;
    target.setAttribute("data-missing", "");
    const video = target.parentElement.querySelector("video");
    if (video) video.preload = "metadata";
  }, true);

  // The poster of a video moves, without sound, while it is pointed at or has the focus.
  const clip = ({ target }) => target instanceof Element && target.closest("button:has(.poster)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const start = (e) => {
    const button = clip(e);
    if (!button || still.matches || e.pointerType === "touch") return;
    const video = button.querySelector("video");
    video.muted = true;
    video.play().then(() => button.setAttribute("data-playing", ""), () => {});
  };
  const stop = (e) => {
    const button = clip(e);
    if (!button || button.contains(e.relatedTarget)) return;
    const video = button.querySelector("video");
    button.removeAttribute("data-playing");
    video.pause();
    if (video.readyState > 0) video.currentTime = 0;
  };
  for (const on of ["pointerover", "focusin"]) document.addEventListener(on, start);
  for (const off of ["pointerout", "focusout"]) document.addEventListener(off, stop);

  // What is paid for is pressed once: the second click of a double click and a key that is held are no other press.
  const once = (e) => {
    if (!(e.repeat && /^(Enter| )$/.test(e.key) || e.detail > 1) || !(e.target instanceof Element) || !e.target.closest(".generate")) return;
    e.preventDefault();
    e.stopPropagation();
  };
  for (const press of ["click", "keydown"]) addEventListener(press, once, true);

  // A click on a dialog itself is one beside it, which closes it: not where the press began inside, as when text is selected, and never
  // where much was filled in.
  let pressed;
  addEventListener("pointerdown", (e) => { pressed = e.target; }, true);
  addEventListener("click", (e) => {
    if (e.target instanceof HTMLDialogElement && (e.target !== pressed || e.target.matches("#doctor, #make-preset"))) e.stopPropagation();
  }, true);

  // Shown pixel by pixel, a picture stays where it was clicked, or otherwise with its middle in the middle.
  let at;
  addEventListener("keydown", () => { at = null; }, true);
  addEventListener("click", (e) => {
    const box = e.target instanceof HTMLImageElement && e.target.matches(".lightbox__picture") && e.target.getBoundingClientRect();
    at = box && {x: e.clientX, y: e.clientY, across: (e.clientX - box.x) / box.width, down: (e.clientY - box.y) / box.height};
  }, true);
  new MutationObserver(([{target}]) => {
    if (target.dataset.zoom !== "actual") return;
    const hold = target.firstElementChild, all = hold.getBoundingClientRect(), box = hold.firstElementChild.getBoundingClientRect();
    const to = at || {x: all.x + all.width / 2, y: all.y + all.height / 2, across: .5, down: .5};
    hold.scrollBy(box.x + to.across * box.width - to.x, box.y + to.down * box.height - to.y);
  }).observe(document, {subtree: true, attributes: true, attributeFilter: ["data-zoom"]});

  let shown = false;
  window.atelierBroken = (detail) => {
    if (shown || !document.body) return;
    shown = true;
    const make = (tag, className, text) => {
      const element = document.createElement(tag);
      element.className = className;
      element.textContent = text;
      return element;
    };
    const notice = make("dialog", "broken", ""); // over whatever is open, of which nothing answers any more
    notice.setAttribute("role", "alertdialog");
    notice.setAttribute("closedby", "none");
    notice.setAttribute("aria-label", "[[js .Stopped]]");
    const card = make("div", "broken__card", "");
    const reload = make("button", "button button--primary button--large", "[[js .Reload]]");
    reload.addEventListener("click", () => location.reload());
    card.append(
      make("h1", "empty__title", "[[js .Stopped]]"),
      make("p", "", "[[js .StoppedText]]"),
      reload,
      make("p", "broken__detail", String(detail || "")),
    );
    notice.append(card);
    document.body.append(notice);
    notice.showModal();
    reload.focus();
  };

  // Of a program that does not come the reason stands where its progress stood.
  addEventListener("DOMContentLoaded", () => {
    const label = document.getElementById("app-wasm-loader-label");
    if (!label) return;
    new MutationObserver(() => {
      const why = label.textContent;
      if (/^(\d*|NaN|Infinity)$/.test(why)) return;
      label.textContent = "";
      window.atelierBroken(why);
    }).observe(label, {childList: true, characterData: true, subtree: true});
  });

  // A program that ended throws at its next event; one that ended without a word is told by its own console line.
  const ended = (reason) => /Go program has already exited|unreachable|RuntimeError/.test(String(reason && reason.message || reason));
  addEventListener("error", (e) => ended(e.error || e.message) && window.atelierBroken(e.message));
  addEventListener("unhandledrejection", (e) => ended(e.reason) && window.atelierBroken(e.reason));
})();
