// What of the page is cut off or has to be looked for to the side; every sentence of the answer is a fault. A word that ends in "…" says so.
(() => {
	const wrong = new Set();
	const front = [...document.querySelectorAll("dialog[open]")].pop() || document.body;
	const what = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (typeof e.className === "string" && e.className ? "." + e.className.trim().split(/\s+/).join(".") : "");
	const wide = Math.max(document.documentElement.scrollWidth, document.body.scrollWidth);
	if (wide > innerWidth + 1) wrong.add("the page is " + wide + " px wide on " + innerWidth);
	const spoken = e => { for (; e && e !== front; e = e.parentElement) if (getComputedStyle(e).clipPath === "inset(50%)") return true; }; // for those who hear it
	const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && !e.closest(".visually-hidden, [aria-hidden=true]");
	const texts = document.createTreeWalker(front, NodeFilter.SHOW_TEXT);
	for (let node; (node = texts.nextNode());) {
		const e = node.parentElement;
		if (!node.textContent.trim() || !e || e.closest("option, script, style, svg") || !shown(e) || spoken(e)) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		const r = range.getBoundingClientRect();
		if (!r.width || !r.height) continue;
		let scrolls = false, said = false, lines = false;
		for (let p = e; p && p !== document.documentElement; p = p.parentElement) {
			const s = getComputedStyle(p), c = p.getBoundingClientRect();
			if (/auto|scroll/.test(s.overflowX) || /auto|scroll/.test(s.overflowY)) scrolls = true;
			if (s.webkitLineClamp !== "none") lines = true;
			if (s.textOverflow === "ellipsis" || lines) said = true; // at its end, not above or below
			const aside = /hidden|clip/.test(s.overflowX) && (r.right > c.right + 1.5 || r.left < c.left - 1.5), across = /hidden|clip/.test(s.overflowY) && (r.bottom > c.bottom + 3 || r.top < c.top - 3);
			if ((aside && !said || across && !lines) && !scrolls) { wrong.add("cut off by " + what(p) + ": “" + node.textContent.trim().slice(0, 40) + "” of " + what(e)); break; }
			if (s.position === "fixed") break;
		}
		if (!scrolls && !said && (r.right > innerWidth + 1 || r.left < -1)) wrong.add("beyond the edge: “" + node.textContent.trim().slice(0, 40) + "” of " + what(e));
	}
	for (const e of front.querySelectorAll("button, a[href], input, select, textarea")) {
		const r = e.getBoundingClientRect();
		if (!r.width || !shown(e) || spoken(e) || r.left >= -1 && r.right <= innerWidth + 1) continue;
		let p = e.parentElement;
		while (p && p !== document.documentElement && !/auto|scroll/.test(getComputedStyle(p).overflowX + getComputedStyle(p).overflowY)) p = p.parentElement;
		if (!p || p === document.documentElement) wrong.add("beyond the edge: " + what(e));
	}
	return [...wrong];
})()
