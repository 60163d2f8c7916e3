// What the tests of a long wall run in the page: the same scroll through our wall, and through a plain one of the same pictures that
// knows all of them before it begins and does nothing but show them.
window.wallTrace = (() => {
	// watch begins to measure what the page does, and told says it: the times between frames in ms (which come in multiples of 16.67: what is
	// over 50 ms is so by half a millisecond at least), the longest task, the most elements there were at once, how many thumbnails and other
	// things were asked for, and when the frames over 50 ms came and what they were spent on.
	let seen = null;
	const watch = () => {
		performance.setResourceTimingBufferSize(50000);
		performance.clearResourceTimings();
		const now = seen = {gaps: [], last: 0, elements: 0, longest: 0, slow: [], on: true};
		now.watcher = new PerformanceObserver(list => {
			for (const e of list.getEntries()) {
				if (e.entryType === "longtask") now.longest = Math.max(now.longest, e.duration);
				else if (e.duration > 50.5) now.slow.push(`${Math.round(e.duration)} ms, of them ${Math.round(e.startTime + e.duration - (e.styleAndLayoutStart || e.startTime + e.duration))} layout; ` +
					e.scripts.map(s => `${s.invoker} ${Math.round(s.duration)} (layout ${Math.round(s.forcedStyleAndLayoutDuration)})`).join(", "));
			}
		});
		now.watcher.observe({type: "longtask"});
		now.watcher.observe({type: "long-animation-frame"});
		const frame = at => {
			if (!now.on) return;
			if (now.last) now.gaps.push(at - now.last);
			else now.first = at;
			if (now.last && at - now.last > 50.5) now.slow.push(`${Math.round(at - now.last)} ms from frame to frame, ${((at - now.first) / 1000).toFixed(1)} s after the first`);
			now.last = at;
			now.elements = Math.max(now.elements, document.getElementsByTagName("*").length);
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
		return true;
	};
	const told = () => {
		seen.on = false;
		seen.watcher.disconnect();
		const gaps = seen.gaps.sort((a, b) => a - b), all = performance.getEntriesByType("resource");
		const at = share => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))];
		// The pictures of a row come with one request that names them.
		const pictures = all.map(e => e.name.includes("/thumb?") ? 1 : e.name.includes("/thumbs?") ? new URL(e.name).searchParams.get("of").split(",").length : 0);
		return {p50: at(.5), p95: at(.95), p99: at(.99), max: at(1), frames: gaps.length, over: gaps.filter(g => g > 50.5).length, elements: seen.elements, longest: seen.longest,
			height: ours()?.scrollHeight ?? plain.scrollHeight, images: pictures.reduce((a, b) => a + b, 0), requests: all.filter(e => !e.name.includes("/thumb?")).length, slow: seen.slow};
	};
	// rested waits until the wall, ours or the plain one, stands still and has its pictures: twelve frames in which nothing was scrolled or
	// asked for.
	const rested = () => new Promise(done => {
		let calm = 0, before = "";
		const frame = () => {
			const wall = plain ?? ours(), pictures = [...wall.querySelectorAll("img")].every(i => i.src && i.complete);
			const now = wall.scrollTop + " " + performance.getEntriesByType("resource").length;
			calm = pictures && now === before ? calm + 1 : 0;
			before = now;
			return calm < 12 ? requestAnimationFrame(frame) : done(true);
		};
		requestAnimationFrame(frame);
	});
	// scroll goes through a wall at rest to its end, a stride in CSS px in each sixtieth of a second: a hand is no slower where frames are.
	const scroll = (wall, stride, ended) => rested().then(() => new Promise(done => {
		let still = 0, before = -1, last = 0;
		watch();
		const frame = at => {
			wall.scrollTop += stride * Math.max(1, last && (at - last) * 60 / 1000);
			last = at;
			still = wall.scrollTop === before ? still + 1 : 0;
			before = wall.scrollTop;
			if (!still || !ended()) return requestAnimationFrame(frame);
			done(told());
		};
		requestAnimationFrame(frame);
	}));
	const ours = () => document.getElementById("gallery-wall");
	const last = n => () => [...ours().querySelectorAll("[aria-posinset]")].some(e => e.getAttribute("aria-posinset") === String(n));

	let plain = null;
	// open lays all results in squares, like the small tiles of the studio, and shows those on screen with elements that are used again.
	const open = async () => {
		const list = [];
		for (let cursor = ""; ;) {
			const page = await (await fetch("/api/results?limit=200&cursor=" + cursor)).json();
			list.push(...page.results);
			if (!(cursor = page.nextCursor)) break;
		}
		const box = ours().getBoundingClientRect();
		document.body.replaceChildren();
		plain = document.createElement("div");
		plain.style.cssText = `position:fixed;left:${box.left}px;top:${box.top}px;width:${box.width}px;height:${box.height}px;overflow:hidden auto`;
		const all = document.createElement("div");
		plain.append(all);
		document.body.append(plain);
		const side = 112, gap = 12, foot = 26, step = side + foot + gap;
		const columns = Math.floor((plain.clientWidth - 32 + gap) / (side + gap));
		all.style.cssText = `position:relative;height:${Math.ceil(list.length / columns) * step}px`;
		const rows = [];
		const draw = () => {
			const from = Math.max(0, Math.floor(plain.scrollTop / step) - 1), to = Math.min(Math.ceil(list.length / columns), Math.ceil((plain.scrollTop + plain.clientHeight) / step) + 1);
			const slots = Math.ceil(plain.clientHeight / step) + 4;
			while (rows.length < slots) {
				const e = document.createElement("div");
				e.style.cssText = `position:absolute;left:16px;top:0;height:${side + foot}px;contain:layout style size`;
				all.append(e);
				rows.push({e, k: -1});
			}
			for (let k = from; k < to; k++) {
				const row = rows[k % slots];
				if (row.k === k) continue;
				row.k = k;
				row.e.style.transform = `translateY(${k * step}px)`;
				row.e.replaceChildren(...list.slice(k * columns, (k + 1) * columns).map((r, i) => {
					const tile = document.createElement("div"), button = document.createElement("button"), image = new Image(), text = document.createElement("span");
					tile.style.cssText = `position:absolute;left:${i * (side + gap)}px;width:${side}px`;
					button.style.cssText = `display:block;width:${side}px;height:${side}px;padding:0;border:0;overflow:hidden;border-radius:6px`;
					image.decoding = "async";
					image.src = r.thumb + "?w=160";
					image.style.cssText = `width:100%;height:100%;object-fit:cover;background:url(${r.preview ?? ""}) center/cover`;
					text.textContent = r.run.title;
					button.append(image);
					tile.append(button, text);
					return tile;
				}));
			}
		};
		plain.addEventListener("scroll", draw, {passive: true});
		draw();
		return list.length;
	};
	return {
		ours: (stride, results) => scroll(ours(), stride, last(results)),
		back: () => { ours().scrollTop = 0; return true; },
		watch, told, rested,
		// leap has a wall, ours or the plain one, at places all over it, one in every few frames, as a hand does that drags the bar at its side.
		leap: (times, rest) => new Promise(done => {
			watch();
			const wall = plain ?? ours();
			let n = 0;
			const frame = () => {
				if (n++ % rest === 0) wall.scrollTop = (wall.scrollHeight - wall.clientHeight) * (n / rest * .618034 % 1);
				if (n < times * rest) return requestAnimationFrame(frame);
				done(told());
			};
			requestAnimationFrame(frame);
		}),
		open,
		plain: stride => { plain.scrollTop = 0; return scroll(plain, stride, () => true); },
		memory: () => window.wasmMemory.buffer.byteLength,
	};
})();
true;
