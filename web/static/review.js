// The pages of a review link: what is said is kept at once, of each picture in the order it was said.
"use strict";

const words = document.currentScript.dataset;
const said = (form, text) => { form.querySelector("[data-said]").textContent = text; };

// send posts an answer; it gives what the server says then, or undefined where it was not kept, and says so.
async function send(form, path, body) {
  said(form, "…");
  try {
    const answer = await fetch(path, { method: "POST", headers: { "X-Atelier": "1", "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (answer.ok) return data;
    said(form, data.error?.message ?? words.refused);
  } catch {
    said(form, words.offline);
  }
}

async function keep(form, body) {
  const state = await send(form, form.dataset.ask, body);
  if (!state) return;
  if ("pick" in body) {
    for (const button of form.querySelectorAll("[data-pick]")) button.setAttribute("aria-pressed", String(button.dataset.pick === body.pick));
  }
  if ("comment" in body) form.kept = body.comment;
  for (const [name, n] of Object.entries(state)) {
    for (const at of document.querySelectorAll(`[data-${name}]`)) at.textContent = n;
  }
  said(form, words.kept);
}

for (const form of document.querySelectorAll("[data-ask]")) {
  const comment = form.elements.comment;
  form.kept = comment.value;
  const next = (make) => {
    form.queue = (form.queue ?? Promise.resolve()).then(() => {
      const body = make();
      if (comment.value !== form.kept) body.comment = comment.value;
      return Object.keys(body).length ? keep(form, body) : undefined;
    });
  };
  form.addEventListener("submit", (e) => e.preventDefault());
  comment.addEventListener("change", () => next(() => ({})));
  for (const button of form.querySelectorAll("[data-pick]")) {
    button.addEventListener("click", () => next(() => ({ pick: button.getAttribute("aria-pressed") === "true" ? "" : button.dataset.pick })));
  }
}

for (const form of document.querySelectorAll("[data-last]")) {
  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const state = await send(form, form.dataset.last, { name: form.elements.name.value, words: form.elements.words.value });
    if (!state) return;
    location.hash = "done";
    location.reload();
  });
}

// On the page of one picture: arrows go on, Y and N answer.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, video")) return;
  const pick = { y: "pick", n: "reject" }[e.key.toLowerCase()];
  const target = document.querySelector(pick ? `.client-one [data-pick="${pick}"]` : `[data-key="${CSS.escape(e.key)}"]`);
  if (target) {
    e.preventDefault();
    target.click();
  }
});
