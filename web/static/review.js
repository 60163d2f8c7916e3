// Answers on the pages of a review link are kept in place, one after the other, and again when the connection is back.
"use strict";

const said = (form, text) => { form.querySelector("[data-said]").textContent = text; };

const show = (form, pick) => {
  for (const button of form.querySelectorAll("[data-pick]")) {
    const is = button.dataset.pick === pick;
    button.setAttribute("aria-pressed", String(is));
    button.value = is ? "none" : button.dataset.pick;
  }
};

const counts = (state) => {
  for (const [name, n] of Object.entries(state)) {
    for (const at of document.querySelectorAll(`[data-${name}]`)) at.textContent = n;
  }
};

async function keep(form, body) {
  const pick = body.get("pick");
  try {
    const answer = await fetch(form.action, { method: "POST", headers: { "X-Atelier": "1" }, body });
    const data = await answer.json();
    if (!answer.ok) {
      said(form, data.error?.message ?? "Not kept. Press again.");
      return;
    }
    if (pick) show(form, pick);
    counts(data);
    form.dataset.kept = body.get("comment");
    said(form, "Kept");
  } catch {
    said(form, "Not kept: there is no connection. Press again in a moment.");
  }
}

// ask sends what a form says now; a form's answers arrive in the order they were given.
function ask(form, submitter) {
  const body = new URLSearchParams(new FormData(form));
  if (submitter?.name) body.set(submitter.name, submitter.value);
  said(form, "…");
  form.queue = (form.queue ?? Promise.resolve()).then(() => keep(form, body));
}

for (const form of document.querySelectorAll("[data-ask]")) {
  const comment = form.elements.comment;
  form.dataset.kept = comment.value;
  form.querySelector("[data-save]").hidden = true;
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    ask(form, e.submitter);
  });
  comment.addEventListener("change", () => {
    if (comment.value !== form.dataset.kept) ask(form);
  });
}

// On the page of one picture: arrows go on, Y and N answer.
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, video")) return;
  const one = document.querySelector(".client-one");
  const pick = { y: "pick", n: "reject" }[e.key.toLowerCase()];
  const target = pick ? one?.querySelector(`[data-pick="${pick}"]`) : document.querySelector(`[data-key="${CSS.escape(e.key)}"]`);
  if (target) {
    e.preventDefault();
    target.click();
  }
});
