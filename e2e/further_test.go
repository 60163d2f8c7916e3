package e2e

import (
	"image"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/imaging/mask"
)

// Three photos are brought at once and the same is made of all of them; more are chosen among those that are here, and the mask that
// is painted on one lies where it belongs on the others.
func TestSeveralPhotosShareSettings(t *testing.T) {
	t.Parallel()
	const dx, dy = 30, -18 // how the second frame of the shoot differs from the first
	file, _ := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{
		writeFile(t, "frame 1.png", file), writeFile(t, "frame 2.png", shifted(t, file, dx, dy)), writeFile(t, "blouse.jpg", photo(7)),
	}))
	b.told("3 photos added.")
	b.shot("further-offer")
	b.waitUntil(`document.querySelector('` + sel("generate") + `').textContent === "Generate 1 image"`) // one press pays for one photo until more are asked for
	b.takeOffer()
	further := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll('` + sel("field-furtherPhotos") + " " + sel("slot-file") + `').length === ` + strconv.Itoa(n))
	}
	further(2)
	b.says(sel("generate"), "Generate 3 images from 3 photos")
	b.shot("further-three")
	b.audited("a form for three photos")
	b.click("generate")
	b.waitForResults(3)
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 3`)
	b.reload()
	further(2)

	// The first frame comes to the stage, and what is painted there goes to the second.
	b.onStage("frame 1.png")
	b.choose("maskType", "custom")
	e := b.easel(shapesW, shapesH)
	b.tool("rect")
	b.draw(hand{}, e.through([2]float64{100, 100}, [2]float64{380, 400})...)
	b.waitKept(8, 8)
	b.click("generate")
	b.says(sel("form-hint"), "Nothing was sent. The mask does not fit blouse.jpg.")
	b.shot("further-unfit")
	b.do(chromedp.Click(chromedp.CSS(sel("slot-file") + `:has([title="blouse.jpg"]) ` + sel("slot-remove"))))
	further(1)
	b.says(sel("generate"), "from 2 photos")
	b.do(chromedp.Click(chromedp.CSS(sel("toast") + " .icon-button")))
	b.click("generate")
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 4`) // of the two photos: one each without, one each with a mask
	planes := map[string]mask.Plane{}
	for _, run := range b.runs(s) {
		if run.Values["maskType"] != "custom" {
			continue
		}
		png, _, err := s.fetch(t.Context(), "/api/runs/"+string(run.ID)+"/mask", b.cookies())
		if err != nil {
			t.Fatal(err)
		}
		planes[run.Title] = decodeMask(t, png)
	}
	if len(planes) != 2 {
		t.Fatalf("%d runs with a mask, want 2", len(planes))
	}
	want := mask.New(shapesW, shapesH)
	want.FillRect(image.Rect(100+dx, 100+dy, 380+dx, 400+dy), 255)
	if got := overlap(t, planes["frame 2.png"], want); got < .95 {
		t.Errorf("the mask of the second frame agrees with the first, moved along, by %.3f", got)
	}

	// More are chosen in one go among the files that are here.
	b.click("slot-furtherPhotos")
	b.do(chromedp.Click(chromedp.CSS(sel("asset") + `[title^="blouse.jpg"]`)))
	b.says(sel("chosen-count"), "3 photos chosen")
	b.shot("further-choosing")
	b.audited("a choice of several photos")
	b.click("choose-done")
	further(2)
	b.do(chromedp.EmulateViewport(390, 844))
	b.sheet("full")
	b.do(chromedp.ScrollIntoView(chromedp.CSS(sel("field-furtherPhotos"))))
	b.shot("further-phone")
}

// The server is away while runs of several photos are asked for: nothing is lost, and they are made when it is back.
func TestJourneySendsRunsAfterOutage(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{
		writeFile(t, "one.jpg", photo(7)), writeFile(t, "two.jpg", photo(8)), writeFile(t, "three.jpg", photo(9)),
	}))
	b.told("3 photos added.")
	b.takeOffer()
	b.click("batch-1")
	b.says(sel("generate"), "Generate 3 images from 3 photos")
	s.stop()
	b.click("generate")
	b.says(sel("form-hint"), "The others start automatically when it does.")
	s.start()
	b.waitForResults(3)
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 3`)

	// Only requests are lost, or answered by something in between: nothing is pressed, and they follow all the same.
	for i, how := range []string{"silent", "fail"} {
		b.answers(answer{Match: "POST /api/runs", How: how})
		b.click("generate")
		b.says(sel("form-hint"), "The others start automatically when it does.")
		b.answers()
		b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === ` + strconv.Itoa(6+3*i))
		b.waitUntil(`document.querySelector('` + sel("form-hint") + `').textContent === ""`)
	}
	b.forgiveOutage()
}

// A request that waited for an answer for more than a day is not sent again unasked, a younger one is.
func TestOldRequestIsConfirmedBeforeSending(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.upload("dress.jpg", garmentPhoto())
	b.click("batch-1")
	// requests gives how many the browser keeps, after those were made older by so many hours.
	requests := func(hours int) int {
		return evaluate[int](b, `new Promise((done, failed) => {
			const open = indexedDB.open("atelier", 1);
			open.onerror = failed;
			open.onsuccess = () => {
				const tx = open.result.transaction("kept", "readwrite"), all = tx.objectStore("kept").openCursor();
				let n = 0;
				all.onsuccess = () => {
					const at = all.result;
					if (!at) return;
					if (at.key.startsWith("intent/")) {
						n++;
						const request = JSON.parse(new TextDecoder().decode(at.value));
						request.keptAt = new Date(Date.parse(request.keptAt) - `+strconv.Itoa(hours)+` * 3600e3).toISOString();
						at.update(new TextEncoder().encode(JSON.stringify(request)));
					}
					at.continue();
				};
				tx.oncomplete = () => { open.result.close(); done(n); };
			};
		})`)
	}
	unanswered := func() {
		b.answers(answer{Match: "POST /api/runs", How: "silent"})
		b.click("generate")
		b.waitUntil(`document.querySelector('` + sel("form-hint") + `').textContent !== ""`)
	}
	for i, choice := range []string{"old-discard", "old-send"} {
		unanswered()
		if n := requests(73); n != 1 {
			t.Fatalf("%d requests are kept, want 1", n)
		}
		b.do(chromedp.Reload())
		b.says(sel("old-runs"), "“dress.jpg”, started 3 days ago, got no answer")
		b.audited("old-runs")
		b.answers()
		b.click(choice)
		b.waitUntil(`!document.querySelector('` + sel("old-runs") + `')`)
		if choice == "old-discard" { // a slip
			b.takeOffer()
			b.says(sel("old-runs"), "“dress.jpg”, started 3 days ago, got no answer")
			b.click(choice)
			b.waitUntil(`!document.querySelector('` + sel("old-runs") + `')`)
		}
		b.waitForResults(i)
		b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === ` + strconv.Itoa(i))
		left := requests(0)
		for left > 0 && t.Context().Err() == nil { // it is forgotten beside what is shown
			left = requests(0)
		}
	}
	unanswered()
	requests(23)
	b.answers()
	b.do(chromedp.Reload())
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 2`)
	if b.count(sel("old-runs")) != 0 {
		t.Error("a request of today is asked about")
	}
}

// onStage brings a further photo to the stage, unless it is there.
func (b *tab) onStage(name string) {
	b.t.Helper()
	b.waitUntil(`document.querySelector('` + sel("asset-button") + `')?.textContent.includes("` + name + `") || ` +
		`(document.querySelector('` + sel("field-furtherPhotos") + ` [title="` + name + `"]')?.click(), false)`)
}

// Results that are chosen in the gallery become the photos of which the next is made, with the same press for all of them.
func TestChosenResultsBecomePhotosTogether(t *testing.T) {
	t.Parallel()
	s := studioWith(t, past{at: time.Now().Add(-time.Hour), agent: "aimodel", title: "Coats", prompt: "x", results: 4})
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.click("nav-gallery")
	b.waitTiles(4)
	b.tabTo("result-card")
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.press(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift))
	b.waitUntil(`document.querySelectorAll(".tile--chosen").length === 3`)
	b.click("chosen-use")
	b.waitUntil(`document.querySelectorAll('` + sel("field-furtherPhotos") + " " + sel("slot-file") + `').length === 2`)
	b.click("batch-1")
	b.says(sel("generate"), "Generate 3 images from 3 photos")
	b.click("generate")
	b.waitForResults(3)
	b.do(chromedp.Click(chromedp.CSS(`.strip [data-value="all"]`)))
	b.says(`[data-testid="run"]:last-child .run__photo`, "dress.jpg")
	b.shot("strip-all")
}

// Beside a scene another is taken, and a run is made in each. Each says in the strip and by its title which one it is.
func TestSeveralPresetsMakeSeveralRuns(t *testing.T) {
	t.Parallel()
	file, _ := shapesPicture()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("aiproduct")
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{writeFile(t, "vase.png", file)}))
	b.onStage("vase.png")
	b.choose("maskType", "autoSubjectSegment")
	b.click("batch-1")
	b.click("browse-locationId")
	b.waitFor(`#presets ` + sel("preset"))
	b.do(chromedp.Click(chromedp.CSS(`#presets ` + sel("preset"))))
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.click("browse-locationId")
	b.waitFor(sel("also-preset"))
	b.do(chromedp.Click(chromedp.CSS(`#presets ` + sel("also-preset") + `[aria-pressed="false"]`)))
	b.says(sel("presets-several"), "2 runs, one for each")
	b.press(kb.Escape)
	b.click("generate")
	b.waitForResults(2)
	told := evaluate[[]string](b, `[...document.querySelectorAll(".run__presets")].map(e => e.textContent)`)
	titles := evaluate[[]string](b, `[...document.querySelectorAll(".run__title")].map(e => e.title)`)
	if len(told) != 2 || told[0] == told[1] || len(titles) != 2 || titles[0] != "vase · "+told[0] || titles[1] != "vase · "+told[1] {
		t.Errorf("the runs say they were made with %q, and are called %q", told, titles)
	}
	b.shot("settings-strip")
	b.audited("a strip of several settings")
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("settings-strip-phone")
	b.audited("a strip of several settings on a phone")
	b.click("sheet-grip")
	b.audited("a form of several settings on a phone")
	b.click("browse-locationId")
	b.waitFor(sel("also-preset"))
	b.shot("settings-presets-phone")
}

// A press that makes much asks first, with the number, by keyboard too; another photo on the stage ends the batch, which can be taken back.
func TestLargePressAsksFirst(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.chooseAgent("removeBG")
	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{
		writeFile(t, "one.jpg", photo(7)), writeFile(t, "two.jpg", photo(8)), writeFile(t, "three.jpg", photo(9)),
	}))
	b.told("3 photos added.")
	b.takeOffer()
	b.waitFor(sel("batch"))
	b.says(sel("batch"), "3 photos")
	b.shot("batch")
	b.audited("a batch on the stage")
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("batch-phone")
	b.do(chromedp.EmulateViewport(1440, 900))
	b.click("batch-4")
	b.do(chromedp.Focus(chromedp.CSS(sel("generate"))), chromedp.KeyEvent(kb.Enter))
	b.waitFor(sel("confirm-runs"))
	b.says(sel("confirm-runs"), "This starts 3 runs that make 12 images in all.")
	b.shot("confirm")
	b.audited("the question before a large press")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.waitUntil(`!document.querySelector('` + sel("confirm-runs") + `')`)
	if n := len(b.runs(s)); n != 0 {
		t.Fatalf("%d runs were started though the question was closed", n)
	}

	b.do(chromedp.SetUploadFiles(chromedp.ID("upload-input"), []string{writeFile(t, "four.jpg", photo(10))}))
	b.told("The new photo replaces the 3 photos you were working on.")
	b.says(sel("generate"), "Generate 4 images")
	b.waitUntil(`!document.querySelector('` + sel("batch") + `')`)
	b.takeOffer()
	b.waitFor(sel("batch"))
	b.click("batch-only")
	b.waitUntil(`!document.querySelector('` + sel("batch") + `')`)
	b.takeOffer()
	b.waitFor(sel("batch"))
	b.do(chromedp.Focus(chromedp.CSS(sel("generate"))), chromedp.KeyEvent(kb.Enter))
	b.waitUntil(`document.activeElement?.id === "confirm-really"`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.waitUntil(`document.querySelectorAll('` + sel("run") + `').length === 3`)
}
