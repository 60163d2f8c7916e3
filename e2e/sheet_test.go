package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"atelier/app/words"
)

// askedFor is what the wall asked for since the page began or it was asked last: pictures that came by rows and alone, the rows, and the
// pictures that had been asked for before.
type askedFor struct{ Together, Alone, Rows, Twice int }

const askedForPictures = `(() => {
	window.named ??= new Set();
	const before = new Set(named);
	const out = {together: 0, alone: 0, rows: 0, twice: 0};
	for (const {name} of performance.getEntriesByType("resource")) {
		const url = new URL(name);
		if (/^\/api\/results\/[^/]+\/thumb$/.test(url.pathname)) out.alone++;
		if (url.pathname !== "/api/results/thumbs") continue;
		out.rows++;
		for (const id of url.searchParams.get("of").split(",")) {
			const key = id + url.searchParams.get("w");
			out.together++;
			if (before.has(key)) out.twice++;
			named.add(key);
		}
	}
	performance.clearResourceTimings();
	return out;
})()`

const wallPictures = `[...document.querySelectorAll(".wall__row img")].filter(i => i.naturalWidth > 1).length`

// The pictures of a row come with one request, those that the page has already are shown without any, and where such a request fails each
// picture is asked for alone.
func TestWallLoadsPicturesByRow(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "One", prompt: "x", results: 20})
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?size=small")
	b.waitUntil(wallPictures + ` === 20`)
	rows := evaluate[int](b, `document.querySelectorAll(".wall__row").length`)
	if diff := cmp.Diff(askedFor{Together: 20, Rows: rows}, evaluate[askedFor](b, askedForPictures)); diff != "" || rows >= 20 {
		t.Errorf("20 pictures in %d rows (-want +got):\n%s", rows, diff)
	}

	// Two more at the top move all the others on, into other elements.
	b.runOfText("0123456789abcdef-one", "a red boat")
	b.waitUntil(wallPictures + ` === 22`)
	if got := evaluate[askedFor](b, askedForPictures); got.Together < 2 || got.Twice != 0 || got.Alone != 0 {
		t.Errorf("for two new results, %+v", got)
	}

	evaluate[bool](b, `(real => { window.fetch = (url, options) => String(url).includes("/thumbs?") ? Promise.reject(new TypeError("no way there")) : real(url, options); return true; })(window.fetch)`)
	b.do(chromedp.Click(chromedp.CSS(`[title="` + words.FilterTileLargeTip + `"]`)))
	b.waitUntil(`document.querySelector(".wall__row img")?.clientWidth > 200`)
	b.waitUntil(wallPictures + ` === document.querySelectorAll(".wall__row img").length`)
	alone := evaluate[int](b, `[...document.querySelectorAll(".wall__row img")].filter(i => new URL(i.src).pathname.endsWith("/thumb")).length`)
	if there := evaluate[int](b, wallPictures); alone != there || there == 0 {
		t.Errorf("without sheets, %d of %d pictures were asked for alone", alone, there)
	}
}

// Elements of the wall are used again for what comes into sight: wherever it comes to rest, and however it got there, each tile shows the
// picture of its own result.
func TestTilesShowTheirOwnPictures(t *testing.T) {
	t.Parallel()
	s := studioWith(t, long(time.Now(), 300)...)
	b := openTab(t, 1440, 900)
	b.enter(s, "/gallery?size=small")
	b.waitUntil(wallPictures + ` > 40`)
	evaluate[bool](b, wallTrace)
	for _, steps := range []string{"[900, 900, 900]", "[40, 300, 40, 700]", "[-1200, 500, -500]", "[5000, -4700, 100]"} {
		type shown struct{ Tiles, Wrong int }
		got := evaluate[shown](b, `(async () => {
			const wall = document.getElementById("gallery-wall"), frame = () => new Promise(requestAnimationFrame);
			for (const by of `+steps+`) {
				wall.scrollTop += by;
				await frame();
				await frame();
			}
			await wallTrace.rested();
			const out = {tiles: 0, wrong: 0};
			for (const card of document.querySelectorAll(".wall__row [data-result]")) {
				const own = new Uint8Array(await (await fetch("/api/results/" + card.dataset.result + "/thumb?w=160")).arrayBuffer());
				out.tiles++;
				out.wrong += card.querySelector("img").src.split(",")[1] !== btoa(String.fromCharCode(...own));
			}
			return out;
		})()`)
		if got.Wrong > 0 || got.Tiles < 60 {
			t.Errorf("after %s, %d of %d tiles show another's picture, or none", steps, got.Wrong, got.Tiles)
		}
	}
}
