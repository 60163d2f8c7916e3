// Notes every element that gets the focus: whether it can be seen and is not covered, looks otherwise than without the focus and has a
// ring that can be told from what is around it, in both themes, and comes after the one before it.
(() => {
	const before = document.activeElement;
	const front = [...document.querySelectorAll("dialog[open]")].pop() || document.body;
	const had = front.getAttribute("tabindex");
	front.tabIndex = -1; // where the walk begins
	front.focus({preventScroll: true});
	had === null ? front.removeAttribute("tabindex") : front.setAttribute("tabindex", had);
	const what = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + e.className + " “" + (e.getAttribute("aria-label") || e.textContent.trim()).slice(0, 30) + "”";
	const themes = (of) => { // in both
		const theme = document.documentElement.dataset.theme;
		const got = ["light", "dark"].map(t => { document.documentElement.dataset.theme = t; return of(t); });
		theme === undefined ? delete document.documentElement.dataset.theme : document.documentElement.dataset.theme = theme;
		return got;
	};
	// What of an element, of what is in it and of what it stands in could show that it has the focus.
	const marks = s => [s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor, s.boxShadow, s.borderColor, s.backgroundColor, s.textDecorationLine, s.opacity].join();
	const looks = e => [e, e.parentElement, ...e.querySelectorAll("*"), ...(e.matches("input") ? e.parentElement.querySelectorAll("*") : [])]
		.flatMap(x => [x, "::before", "::after"].map(p => marks(p === x ? getComputedStyle(x) : getComputedStyle(x, p)))).join("|");
	const look = e => {
		const r = (e.matches(".visually-hidden, [type=checkbox], [type=radio]") && e.closest("label") || e).getBoundingClientRect();
		if (r.width === 0 || r.right <= 0 || r.bottom <= 0 || r.left >= innerWidth || r.top >= innerHeight) return "not on screen";
		const last = walk.visited[walk.visited.length - 1];
		if (last && !(last.compareDocumentPosition(e) & 4)) return "out of order";
		const points = [.1, .5, .9].flatMap(x => [.1, .5, .9].map(y => [r.left + x * r.width, r.top + y * r.height])).filter(([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight);
		if (!points.length) return "hardly on screen, at " + [r.left, r.top, r.right, r.bottom].map(Math.round);
		const own = x => x && (e.contains(x) || x.contains(e) || x.closest("label")?.contains(e));
		if (!points.some(([x, y]) => own(document.elementFromPoint(x, y)))) return "covered by " + what(document.elementFromPoint(...points[Math.floor(points.length / 2)]));
		return themes(t => {
			const s = getComputedStyle(e);
			if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2) return "";
			const around = parseFloat(s.outlineOffset) < 0 ? e : e.parentElement;
			const ratio = contrast.of(contrast.parse(s.outlineColor), around);
			const second = s.boxShadow !== "none" || getComputedStyle(e, "::after").boxShadow !== "none"; // a ring in two colours can be told from anything
			return ratio < 2.99 && !second ? "a ring of contrast " + ratio.toFixed(2) + ", " + t : "";
		}).find(wrong => wrong) || "";
	};
	// left looks at the one that had the focus, now that it has not.
	const left = () => {
		const e = walk.visited[walk.visited.length - 1];
		if (e?.isConnected && e !== document.activeElement && walk.look && looks(e) === walk.look) walk.wrong.push("no visible focus: " + what(e));
		walk.look = "";
	};
	const walk = window.tabWalk = {visited: [], wrong: [], done: false, look: ""};
	const listen = event => {
		const e = event.target;
		if (e !== document.activeElement) return; // on its way to the one that is chosen
		left();
		if (walk.done || walk.visited.includes(e)) { walk.done = true; return; }
		const wrong = look(e);
		if (wrong) walk.wrong.push(wrong + ": " + what(e));
		walk.visited.push(e);
		walk.look = looks(e);
	};
	document.addEventListener("focusin", listen);
	// end goes back to where the focus was, and gives what is wrong.
	walk.end = () => {
		document.removeEventListener("focusin", listen);
		document.activeElement.blur();
		left();
		if (before.isConnected && before !== document.body) before.focus({preventScroll: true});
		return walk.wrong;
	};
	return true;
})()
