// What the page shows, looked at as WCAG 2.2 asks for it; every sentence of the answer is a fault.
(() => {
	const wrong = new Set();
	for (const a of document.getAnimations()) if (a.effect.getComputedTiming().duration > 1) wrong.add("moves although motion is not wanted: " + (a.animationName || a.transitionProperty) + " of " + a.effect.target?.className);
	const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !e.closest("[aria-hidden=true]") && e.getClientRects().length > 0;
	const name = e => {
		const by = (e.getAttribute("aria-labelledby") || "").split(" ").map(id => document.getElementById(id)?.textContent || "").join(" ").trim();
		const label = e.labels && [...e.labels].map(l => l.textContent).join(" ").trim();
		const inside = [...e.querySelectorAll("img[alt]")].map(i => i.alt).join(" ").trim();
		return (e.getAttribute("aria-label") || "").trim() || by || label || e.innerText?.trim() || inside || (e.title || "").trim();
	};
	const what = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className?.baseVal === undefined && e.className ? "." + String(e.className).trim().split(/\s+/).join(".") : "");
	const front = [...document.querySelectorAll("dialog[open]")].pop() || document.body;
	const all = [...front.querySelectorAll("*")].filter(shown);
	for (const e of all) {
		if (e.matches("button, a[href], input, select, textarea, summary, [role=button], [role=option], [role=img], [role=switch], video[controls]") && !name(e)) wrong.add("no name: " + what(e));
		if (e.tagName === "IMG" && !e.hasAttribute("alt") && e.getAttribute("role") !== "presentation") wrong.add("no alt: " + what(e));
		if (e.matches("[tabindex]") && e.tabIndex > 0) wrong.add("tabindex above 0: " + what(e));
		if (e.matches("button button, a button, button a")) wrong.add("a control in a control: " + what(e));
		if (e.matches("[role=listitem]") && !e.closest("[role=list], ul, ol")) wrong.add("an item of no list: " + what(e));
		if (e.matches("[role=option]") && !e.closest("[role=listbox]")) wrong.add("an option of no list: " + what(e));
		if (e.matches("[role=group], [role=radiogroup], [role=toolbar]") && !name(e)) wrong.add("a group without a name: " + what(e));
		if (e.matches("label[for]") && !e.control) wrong.add("a label of nothing: " + what(e));
		for (const a of ["aria-labelledby", "aria-describedby"]) for (const id of (e.getAttribute(a) || "").split(" ")) if (id && !document.getElementById(id)) wrong.add(a + " points nowhere, " + id + ": " + what(e));
		const controls = e.getAttribute("aria-controls"), active = e.getAttribute("aria-activedescendant");
		for (const id of [controls, active]) if (id && !document.getElementById(id)) wrong.add("points nowhere, " + id + ": " + what(e));
	}
	// Targets are 24 px in both directions, or far enough from the next one (2.5.8); words in a sentence are as high as it is.
	const targets = all.filter(e => e.matches("button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=option], [role=slider]") && !e.disabled && !e.matches(".visually-hidden"))
		.map(e => ({e, r: (e.matches("[type=checkbox], [type=radio]") && e.closest("label") || e).getBoundingClientRect()}));
	const small = t => Math.min(t.r.width, t.r.height) < 23.5;
	// What is scrolled out of a list is not beside what stands below the list.
	const hidden = (o, t) => {
		for (let p = o.e.parentElement; p && !p.contains(t.e); p = p.parentElement) {
			const r = p.getBoundingClientRect();
			if (getComputedStyle(p).overflowY !== "visible" && (o.r.top >= r.bottom || o.r.bottom <= r.top || o.r.left >= r.right || o.r.right <= r.left)) return true;
		}
		return false;
	};
	for (const t of targets) {
		if (!small(t) || getComputedStyle(t.e).display === "inline") continue;
		const x = t.r.x + t.r.width / 2, y = t.r.y + t.r.height / 2;
		const near = targets.find(o => o !== t && !o.e.contains(t.e) && !t.e.contains(o.e) && (small(o)
			? Math.hypot(o.r.x + o.r.width / 2 - x, o.r.y + o.r.height / 2 - y) < 24
			: Math.hypot(Math.max(o.r.x - x, 0, x - o.r.right), Math.max(o.r.y - y, 0, y - o.r.bottom)) < 12) && !hidden(o, t));
		if (near) wrong.add("target of " + t.r.width.toFixed(0) + " × " + t.r.height.toFixed(0) + " px: " + what(t.e) + " by " + what(near.e));
	}
	// What appears without being asked for is said (4.1.3); a password may be pasted and is known to who fills it in (3.3.8); help stands in the same
	// place on every page (3.2.6).
	for (const e of all) {
		if (e.matches(".toast, .notice, .upload, .field__problem, .filter__count, .chosen__count, .palette__none") && !e.closest("[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]")) wrong.add("said to nobody: " + what(e));
		if (e.matches("input[type=password]") && (!/^(current-password|new-password|one-time-code)$/.test(e.autocomplete) || !e.dispatchEvent(new ClipboardEvent("paste", {cancelable: true})))) wrong.add("a password to be typed: " + what(e));
	}
	// The page says its language (3.1.1) and what it is (2.4.2). What stands written on a control is in its name, as who speaks to it says it (2.5.3).
	if (!document.documentElement.lang) wrong.add("no language");
	if (!/\S/.test(document.title.split("·")[0])) wrong.add("a title that does not say which page this is: " + document.title);
	const spoken = text => text.toLowerCase().normalize("NFKC").replace(/[^\p{L}\p{N}%]+/gu, " ").trim();
	const written = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !e.matches("[aria-hidden=true], .visually-hidden, svg")
		? [...e.childNodes].flatMap(n => n.nodeType === 3 ? [spoken(n.textContent)] : n.nodeType === 1 ? written(n) : []) : [];
	for (const e of all) {
		if (!e.matches("button[aria-label], a[aria-label], summary[aria-label], [role=button][aria-label], [role=option][aria-label], [role=radio][aria-label]")) continue;
		const text = written(e).find(t => /\p{L}{3}/u.test(t)); // figures and sizes behind it are no label
		const said = spoken(e.getAttribute("aria-label")).split(" ");
		if (text?.split(" ").some(word => word && !said.some(s => s.startsWith(word)))) wrong.add("“" + text.slice(0, 60) + "” is not in the name “" + e.getAttribute("aria-label").slice(0, 80) + "”: " + what(e));
	}
	// A field that holds what is wrong says so and points to the sentence (3.3.1); who signs in need not type what the browser knows (1.3.5).
	for (const e of all) {
		if (e.matches("[aria-invalid=true]") && !(e.getAttribute("aria-describedby") || "").split(" ").some(id => document.getElementById(id)?.checkVisibility())) wrong.add("wrong, and nobody says why: " + what(e));
		if (e.matches("form:has(input[type=password]) input:is([type=text], [type=email], :not([type]))") && !/^(username|name|one-time-code)$/.test(e.autocomplete)) wrong.add("a field the browser cannot fill: " + what(e));
	}
	if (document.querySelector(".rail") && innerWidth >= 700 && document.querySelector(".rail__foot, .rail")?.querySelectorAll("[data-testid=rail-help] ~ [data-testid=rail-settings]").length !== 1) wrong.add("no help where it always is");
	// What is cut off to the side without a way to scroll there is lost.
	if (document.documentElement.scrollWidth > innerWidth + 1) wrong.add("the page is wider than the window");
	for (const t of targets) {
		let clip = t.e.closest("dialog[open]") || document.documentElement, scrolls = false;
		for (let p = t.e; p && p !== clip; p = p.parentElement) if (getComputedStyle(p).position === "fixed") clip = document.documentElement;
		const c = clip.getBoundingClientRect();
		for (let p = t.e.parentElement; p && p !== clip; p = p.parentElement) scrolls ||= /auto|scroll/.test(getComputedStyle(p).overflowX) && p.scrollWidth > p.clientWidth;
		if (!scrolls && t.r.width > 0 && (t.r.right > Math.min(c.right, innerWidth) + 1 || t.r.left < -1)) wrong.add("out of reach at the side: " + what(t.e));
	}
	if (front === document.body) {
		if (all.filter(e => e.tagName === "MAIN").length !== 1) wrong.add("not one main");
		if (!all.some(e => e.tagName === "H1")) wrong.add("no heading of the page");
	}
	const ids = all.map(e => e.id).filter(Boolean);
	ids.forEach((id, i) => { if (ids.indexOf(id) !== i) wrong.add("the same id twice: " + id); });

	// Contrast: of texts 4.5, or 3 where they are large (1.4.3); of what shows where a control is, its border, its ground or its icon, 3 (1.4.11).
	// Over a picture the worst it can be counts. What is faded is taken as faint as it is.
	for (const e of all) {
		const s = getComputedStyle(e);
		const off = e.closest("[disabled], [aria-disabled=true]");
		const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.textContent.trim()).join("");
		const box = e.matches("input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=color]), select, textarea");
		const text = box ? e.value || e.placeholder || "" : own;
		if (text && !off && !e.closest("svg, option, .visually-hidden")) {
			const color = box && !e.value ? getComputedStyle(e, "::placeholder").color : s.color;
			const ratio = contrast.of(contrast.faded(e, contrast.parse(color)), e, box);
			const size = parseFloat(s.fontSize), bold = Number(s.fontWeight) >= 700;
			if (ratio < (size >= 24 || bold && size >= 18.66 ? 3 : 4.5) - .01) wrong.add("contrast " + ratio.toFixed(2) + " of “" + text.slice(0, 30) + "”: " + what(e));
		}
		if (off || e.matches(".visually-hidden")) continue;
		if (box || e.matches("input[type=checkbox], input[type=radio]")) {
			const edged = x => { // by its border, or by its ground
				const s = getComputedStyle(x);
				const edges = ["Top", "Right", "Bottom", "Left"].filter(side => parseFloat(s["border" + side + "Width"]) >= 1).map(side => s["border" + side + "Color"]);
				return Math.max(1, ...[...edges, s.backgroundColor].map(c => contrast.of(contrast.faded(x, contrast.parse(c)), x.parentElement)));
			};
			const ratio = Math.max(edged(e), edged(e.parentElement)); // several may stand in one frame
			if (ratio < 2.99) wrong.add("contrast " + ratio.toFixed(2) + " of the edge of " + what(e));
		}
		if (e.matches("svg.icon")) {
			const control = e.closest("button, a[href], [role=button]");
			if (!control || control.innerText?.trim()) continue;
			const ratio = contrast.of(contrast.faded(e, contrast.parse(s.stroke === "none" ? s.fill : s.stroke)), e);
			if (ratio < 2.99) wrong.add("contrast " + ratio.toFixed(2) + " of the icon of “" + name(control) + "”: " + what(control));
		}
	}
	return [...wrong].join("\n");
})()
