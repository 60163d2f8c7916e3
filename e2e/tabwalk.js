// Notes every element that gets the focus: whether it can be seen, has a ring that can be told from what is around it, in both themes,
// and comes after the one before it.
(() => {
	const front = [...document.querySelectorAll("dialog[open]")].pop() || document.body;
	front.tabIndex = -1; // where the walk begins
	front.focus({preventScroll: true});
	front.removeAttribute("tabindex");
	const walk = window.tabWalk = {visited: [], wrong: [], done: false};
	const what = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + "." + e.className;
	const ring = x => { const s = getComputedStyle(x); return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 || s.boxShadow !== "none"; };
	const look = e => {
		const r = e.getBoundingClientRect();
		if (r.width === 0 || r.right <= 0 || r.bottom <= 0 || r.left >= innerWidth || r.top >= innerHeight) return "not on screen";
		const before = walk.visited[walk.visited.length - 1];
		if (before && !(before.compareDocumentPosition(e) & 4)) return "out of order";
		const theme = document.documentElement.dataset.theme;
		for (const t of ["light", "dark"]) {
			document.documentElement.dataset.theme = t;
			const s = getComputedStyle(e);
			if (!ring(e) && ![...e.parentElement.querySelectorAll("*")].some(ring) && !ring(e.parentElement) && s.borderColor === "") return "no visible focus, " + t;
			if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 2) continue;
			const around = parseFloat(s.outlineOffset) < 0 ? e : e.parentElement;
			const ratio = contrast.of(contrast.parse(s.outlineColor), around);
			const second = s.boxShadow !== "none" || getComputedStyle(e, "::after").boxShadow !== "none"; // a ring in two colours can be told from anything
			if (ratio < 2.99 && !second) return "a ring of contrast " + ratio.toFixed(2) + ", " + t;
		}
		document.documentElement.dataset.theme = theme;
		return "";
	};
	walk.listen = event => {
		const e = event.target;
		if (e !== document.activeElement) return; // on its way to the one that is chosen
		if (walk.done || walk.visited.includes(e)) { walk.done = true; return; }
		const wrong = look(e);
		if (wrong) walk.wrong.push(wrong + ": " + what(e));
		walk.visited.push(e);
	};
	document.addEventListener("focusin", walk.listen);
	return true;
})()
