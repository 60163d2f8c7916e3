// How well colours of the page can be told from what lies behind them.
window.contrast = (() => {
	const parse = c => {
		const m = c.match(/[\d.]+/g)?.map(Number) || [0, 0, 0, 0];
		return c.startsWith("color(") ? [m[0] * 255, m[1] * 255, m[2] * 255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1];
	};
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
	const light = c => {
		const [r, g, b] = c.map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
		return .2126 * r + .7152 * g + .0722 * b;
	};
	const picture = ".card, .poster, .asset";
	// The layers behind an element, the nearest first, and whether a picture ends them.
	const behind = e => {
		const layers = [];
		for (let p = e; p; p = p.parentElement) {
			const s = getComputedStyle(p), c = parse(s.backgroundColor);
			// A gradient is taken as what is densest of it, where the text stands.
			const stops = s.backgroundImage.includes("gradient") && !p.matches("select") ? (s.backgroundImage.match(/rgba?\([^)]*\)/g) || []).map(parse).sort((a, b) => b[3] - a[3]) : [];
			if (stops.length && stops[0][3] > 0) layers.push(stops[0]);
			if (s.backgroundImage.includes("url(")) return {layers, picture: true};
			if (c[3] > 0) layers.push(c);
			if (c[3] >= 1) break;
			if (s.position === "absolute" && p.closest(picture)?.querySelector("img, video") && !p.matches(picture)) return {layers, picture: true};
		}
		return {layers, picture: false};
	};
	// of is the ratio of a colour to what lies behind an element, itself included; over a picture the worst there can be.
	const of = (colour, e) => {
		const b = behind(e);
		return Math.min(...(b.picture ? [[0, 0, 0, 1], [255, 255, 255, 1]] : [[255, 255, 255, 1]]).map(base => {
			const back = b.layers.slice().reverse().reduce((under, c) => over(c, under), base);
			const x = light(over(colour, back)), y = light(back);
			return (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
		}));
	};
	// faded is a colour as faint as the elements around it make it.
	const faded = (e, c) => {
		let fade = 1;
		for (let p = e; p; p = p.parentElement) fade *= Number(getComputedStyle(p).opacity);
		return [c[0], c[1], c[2], c[3] * fade];
	};
	return {parse, of, faded};
})();
true
