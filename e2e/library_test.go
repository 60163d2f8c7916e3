package e2e

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/service/presets"
	"atelier/upstream"
)

// A fashion model is made of photos, waited for, used for a run, and deleted; a photo that is too large is repaired on the way.
func TestFashionModelIsMadeAndUsed(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	person, err := presets.FashionModels()[0].Draw(t.Context(), 640, 800)
	if err != nil {
		t.Fatal(err)
	}
	b.upload("blouse.jpg", testpics.JPEG(person))
	b.click("nav-library")
	b.waitFor(sel("own-presets"))
	b.waitUntil(`document.querySelectorAll('` + sel("offered-presets") + ` ` + sel("preset") + `').length > 3`)
	b.shot("library-empty")

	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.click("make-preset")
	b.says("#make-preset [role=alert]", "Give it a name")
	b.do(chromedp.Focus(chromedp.ID("preset-name")))
	b.press("Jo, short hair")
	big := writeFile(t, "face.png", testpics.PadTo(testpics.PNG(testpics.Photo(700, 800, 9)), 6<<20))
	b.do(chromedp.SetUploadFiles(chromedp.ID("preset-picker"), []string{big}))
	b.says(sel("preset-photo"), "at most 5 MB")
	rule := func(n int, state string) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll('` + sel("preset-rule") + `')[` + strconv.Itoa(n) + `].dataset.state === "` + state + `"`)
	}
	rule(0, "broken")
	rule(1, "passed")
	rule(2, "unknown")
	b.click("repair-photo")
	b.waitFor(sel("preset-photo") + `[data-ready="true"]`)
	rule(0, "passed")
	rule(2, "doubtful")
	b.says(sel("preset-photo"), "No face was found in face")
	b.click("choose-photo")
	b.audited("library-choosing")
	b.do(chromedp.Click(chromedp.CSS("#make-preset " + sel("asset") + `[title^="blouse.jpg"]`)))
	b.waitUntil(`document.querySelectorAll('` + sel("preset-photo") + `[data-ready="true"]').length === 2`)
	rule(3, "unknown")
	b.audited("library-making")
	b.click("make-preset")
	b.waitUntil(`!document.querySelector("#make-preset[open]")`)
	b.waitFor(sel("own-preset") + `[data-status="complete"]`)
	b.audited("library")
	b.says(".library__note", "1 of 1000")

	b.click("use-preset")
	b.waitUntil(`!document.querySelector(".studio").hidden && document.querySelector('` + sel("agent-button") + `').textContent.includes("aimodel")`)
	b.says(sel("field-fashionModelId"), "Jo, short hair")
	b.click("batch-1")
	b.generate()
	b.waitForResults(1)
	task := s.tasks()[0]
	if id, ok := task.Executions[0].Params["fashionModelId"].(float64); !ok || id <= 0 {
		t.Errorf("the run was asked for with fashionModelId %v", task.Executions[0].Params["fashionModelId"])
	}

	b.click("nav-library")
	for _, last := range []bool{false, true} {
		b.click("delete-preset")
		b.click("delete-preset-really")
		b.do(chromedp.WaitNotPresent(chromedp.CSS(sel("own-preset"))))
		if !last {
			b.takeOffer() // taken back
			b.waitFor(sel("own-preset"))
		}
	}
	b.click("library-locations")
	b.waitUntil(`location.search === "?kind=locations" && document.querySelector('` + sel("library-locations") + `[aria-current="page"]') && document.querySelectorAll('` + sel("offered-presets") + ` ` + sel("preset") + `').length > 3`)
	b.do(chromedp.Focus(chromedp.CSS(sel("mark-preset"))))
	b.press(kb.Enter)
	b.waitFor(sel("mark-preset") + `[aria-pressed="true"]`)
	marked := b.text(sel("offered-presets") + ` .presets__choice:has([aria-pressed="true"].presets__star)`)
	evaluate[bool](b, `(async () => {
		while ((await (await fetch("/api/favourites")).json()).favourites.length !== 1) await new Promise(requestAnimationFrame);
		const list = (await (await fetch("/api/agents/aimodel/presets?kind=locations&page=1&pageSize=100")).json()).presets;
		localStorage.setItem("atelier.presets.marked", JSON.stringify({locations: [list.at(-1).id]})); // as browsers kept them once
		return true })()`)
	b.do(chromedp.Reload()) // with the page the offer to take the model back goes
	b.waitUntil(`document.querySelectorAll('` + sel("mark-preset") + `[aria-pressed="true"]').length === 2 && !localStorage.getItem("atelier.presets.marked")`)
	b.audited("library-favourites")
	b.click("preset-starred")
	b.waitUntil(`document.querySelectorAll('` + sel("offered-presets") + ` ` + sel("preset") + `').length === 2`)
	b.click("nav-studio")
	b.waitUntil(`document.querySelector('` + sel("field-locationId") + ` ` + sel("preset") + `')?.textContent.includes(` + strconv.Quote(marked) + `)`)
	b.click("nav-library")
	b.click("library-dimensions")
	b.waitUntil(`[...document.querySelectorAll('` + sel("offered-presets") + ` ` + sel("preset") + `')].some(e => e.textContent.includes("×"))`)
	b.audited("library-sizes")
	b.do(chromedp.Click(chromedp.CSS(sel("offered-presets") + ` ` + sel("preset"))))
	b.waitUntil(`document.querySelector('` + sel("agent-button") + `').textContent.includes("expandimage") && Number(document.querySelector('` + sel("field-targetWidth") + ` input').value) > 0`)
	b.click("nav-library")
	b.click("library-fashionModels")
	b.waitUntil(`location.search === "?kind=fashionModels" && document.querySelectorAll('` + sel("offered-presets") + ` ` + sel("preset") + `').length > 3`)
	if n := b.count(sel("own-preset")); n != 0 {
		t.Errorf("the model that was deleted is listed again")
	}
	b.forgive("422") // what a run would cost with the model that was deleted
}

// What another program made with the same account is listed, brought into the gallery, and deleted after its consequences
// were said.
func TestForeignTasksAreImportedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.click("nav-tasks")
	b.waitFor(sel("tasks-empty"))

	c := s.service()
	photo := garmentPhoto()
	up, err := c.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "blouse.jpg", ContentType: "image/jpeg", Size: int64(len(photo)), Body: bytes.NewReader(photo)})
	if err != nil {
		t.Fatal(err)
	}
	created, err := c.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": up.Image, "taskName": "From a script"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.ExecuteTask(t.Context(), upstream.TaskExecute{TaskID: created.TaskID, Params: map[string]any{"maskType": "autoSubjectSegment", "batchCount": 2}}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Reload())
	b.says(sel("task"), "From a script")
	b.click("import")
	b.says(sel("task"), "in the gallery")
	b.waitUntil(`!document.querySelector('` + sel("import") + `')`)
	b.openGallery(2)
	b.click("nav-tasks")
	b.waitUntil(`document.querySelectorAll('` + sel("task") + ` .execution__picture').length === 2`)
	b.audited("tasks")
	b.click("delete-task")
	b.says("#delete-task", "then it is final")
	b.audited("tasks-delete")
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("#delete-task[open]")`)
	for _, action := range []string{sel("toast-action"), sel("toast") + ":has(" + sel("toast-action") + ") > .icon-button"} { // taken back, then not
		b.click("delete-task")
		b.click("delete-task-really")
		b.waitFor(sel("tasks-empty"))
		b.do(chromedp.Click(chromedp.CSS(action)))
		if action == sel("toast-action") {
			b.waitFor(sel("task"))
		}
	}
	evaluate[bool](b, `(async () => { while ((await (await fetch("/api/tasks?limit=20")).json()).tasks?.length) await new Promise(requestAnimationFrame); return true })()`)
	if left := s.tasks(); len(left) != 0 {
		t.Errorf("the service still lists %d tasks", len(left))
	}
	b.openGallery(2) // what was brought here stays
}

// The keys of the gallery go through what is in the library and through the tasks too.
func TestPresetsAndTasksTakeGalleryKeys(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	c := s.service()
	photo := garmentPhoto()
	up, err := c.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "blouse.jpg", ContentType: "image/jpeg", Size: int64(len(photo)), Body: bytes.NewReader(photo)})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"c", "b", "a"} {
		created, err := c.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": up.Image, "taskName": name}})
		if err != nil {
			t.Fatal(err)
		}
		if name == "b" {
			if _, err := c.ExecuteTask(t.Context(), upstream.TaskExecute{TaskID: created.TaskID, Params: map[string]any{"maskType": "autoSubjectSegment"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	b := openTab(t, 1000, 900)
	b.answered()
	b.signIn(s)
	own := []atelier.Preset{}
	for i := range 12 {
		own = append(own, atelier.Preset{Kind: "fashionModels", ID: int64(i + 1), Name: "Jo " + strconv.Itoa(i), Status: "complete"})
	}
	own[1].Status = "prepare"
	b.answers(answer{Match: "GET /api/fashion-models", Body: atelier.PresetList{Presets: own, Count: 12, Limit: 1000}})

	for _, list := range []struct{ page, items string }{
		{"library", ".library__grid > [data-cell]"},
		{"library", sel("offered-presets") + " > [data-cell]"},
		{"tasks", sel("task")},
	} {
		b.open(s, "/"+list.page)
		b.waitUntil(`document.querySelectorAll('` + list.items + `').length > 2 && !document.querySelector(".skeleton")?.checkVisibility()`)
		all := `[...document.querySelectorAll('` + list.items + `')]`
		n, down := evaluate[int](b, all+`.length`), evaluate[int](b, all+`.findIndex((e, i, all) => e.offsetTop > all[0].offsetTop)`)
		where := func(step string, want int) {
			t.Helper()
			if got := evaluate[int](b, all+`.findIndex(e => e.contains(document.activeElement))`); got != want {
				t.Errorf("%s: %s leads to %d of %d, want %d", list.items, step, got, n, want)
			}
		}
		// Tab leads into the list, and from a place through what is in it and out.
		evaluate[bool](b, `(document.querySelector(".page:not([hidden]) .topbar :is(a, input)").focus(), true)`)
		for range 40 {
			b.press(kb.Tab)
			if evaluate[bool](b, all+`.some(e => e.contains(document.activeElement))`) {
				break
			}
		}
		where("Tab", 0)
		for _, step := range []struct {
			key  string
			want int
		}{
			{kb.ArrowRight, 1}, {kb.ArrowRight, 2}, {kb.ArrowLeft, 1}, {kb.Home, 0}, {kb.ArrowDown, down}, {kb.ArrowUp, 0}, {kb.End, n - 1},
		} {
			b.press(step.key)
			where(strconv.Quote(step.key), step.want)
		}
		b.press(kb.Home)
		for range 6 {
			b.press(kb.Tab)
		}
		where("Tab six times", -1)
	}
	// Delete asks for what has the focus.
	b.do(chromedp.Focus(chromedp.CSS(sel("delete-task"))))
	b.press(kb.ArrowDown)
	b.press(kb.Delete)
	b.says("#delete-task", "1 ")
	b.press(kb.Escape)
	b.waitUntil(`!document.querySelector("dialog[open]")`)
	b.open(s, "/library")
	b.waitFor(sel("delete-preset"))
	b.do(chromedp.Focus(chromedp.CSS(sel("use-preset"))))
	b.press(kb.ArrowRight)
	b.press(kb.Delete)
	b.says("#delete-preset", "Jo 1")
}

// A location is made of one photo: a second one is not taken, and of a fashion model a fifth is not; one that cannot be made says so on
// the open page.
func TestLocationIsMadeAndFifthPhotoRefused(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.open(s, "/library?kind=locations")
	b.waitFor(sel("own-presets"))
	photos := make([]string, 5)
	for i := range photos {
		photos[i] = writeFile(t, "photo "+strconv.Itoa(i+1)+".jpg", testpics.JPEG(testpics.Photo(700, 900+10*i, uint64(40+i))))
	}
	ready := func(n int) {
		t.Helper()
		b.waitUntil(`document.querySelectorAll('` + sel("preset-photo") + `[data-ready="true"]').length === ` + strconv.Itoa(n) + ` && document.querySelectorAll('` + sel("preset-photo") + `').length === ` + strconv.Itoa(n))
	}
	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.press("Atelier, north window")
	b.do(chromedp.SetUploadFiles(chromedp.ID("preset-picker"), photos[:1]))
	ready(1)
	if n := b.count(sel("add-photo")); n != 0 {
		t.Error("a location with its photo asks for another one")
	}
	b.waitUntil(`[...document.querySelectorAll('` + sel("preset-rule") + `')].every(e => e.dataset.state !== "broken")`)
	b.audited("library-making-location")
	b.click("make-preset")
	b.waitUntil(`!document.querySelector("#make-preset[open]")`)
	b.waitFor(sel("own-preset") + `[data-status="complete"]`)
	b.click("use-preset")
	b.says(sel("field-locationId"), "Atelier, north window")

	b.click("nav-library")
	b.click("library-fashionModels")
	b.waitUntil(`location.search === "?kind=fashionModels"`)
	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.press("Nobody")
	b.do(chromedp.SetUploadFiles(chromedp.ID("preset-picker"), photos))
	b.says("#make-preset "+sel("toast"), "at most 4 photos")
	ready(4)
	b.audited("library-fifth-photo")
	// There is no face in any of them: the image service refuses them, which the open page hears.
	b.click("make-preset")
	b.waitUntil(`!document.querySelector("#make-preset[open]")`)
	b.waitFor(sel("own-preset") + `[data-status="failed"]`)
	b.says(sel("own-preset"), model.OwnKinds[0].Words.Failed)
	if n := b.count(sel("use-preset")); n != 0 {
		t.Error("what could not be made is offered for use")
	}
	b.audited("library-failed")
}

// What can be done about a photo is offered in its card, one offer apart from the other, on a phone too.
func TestPhotoRepairsFitTheirCard(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 390, 844)
	b.signIn(s)
	b.open(s, "/library")
	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.do(chromedp.SetUploadFiles(chromedp.ID("preset-picker"), []string{writeFile(t, "a photo as narrow as it came from the agency last Thursday.jpg", testpics.JPEG(testpics.Photo(300, 700, 8)))}))
	b.waitUntil(`document.querySelectorAll('` + sel("repair-photo") + `').length > 1`)
	for _, width := range []int64{390, 1440} {
		b.do(chromedp.EmulateViewport(width, 844))
		b.whole("library-repairs")
		apart := `(all => all.every((r, i) => r.right <= document.querySelector('` + sel("preset-photo") + `').getBoundingClientRect().right && all.slice(i + 1).every(o => o.left - r.right >= 8 || o.top >= r.bottom)))([...document.querySelectorAll('` + sel("repair-photo") + `')].map(e => e.getBoundingClientRect()))`
		if !evaluate[bool](b, apart) {
			t.Errorf("at %d px the offers run into one another, or out of their card", width)
		}
	}
}

// Every rule a photo can break is named with the photo that breaks it, with what can be done about it where something can; nothing is sent
// before all are met, and what breaks them is repaired or taken out one after the other.
func TestPresetRuleNamesThePhotoThatBreaksIt(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.open(s, "/library")
	b.click("new-preset")
	b.waitUntil(`document.activeElement?.id === "preset-name"`)
	b.press("Jo")
	photos := []struct {
		name, says string
		data       []byte
		repairs    int
	}{
		{"small.jpg", "400 × 600", testpics.JPEG(testpics.Photo(400, 600, 8)), 1},
		{"long.jpg", "ratio", testpics.JPEG(testpics.Photo(600, 1400, 9)), 2},
		{"phone.jpg", "This HEIC file is of a kind", append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), make([]byte, 4000)...), 0},
		{"cut.jpg", "damaged", testpics.JPEG(testpics.Photo(700, 900, 10))[:9000], 0},
	}
	paths := make([]string, len(photos))
	for i, p := range photos {
		paths[i] = writeFile(t, p.name, p.data)
	}
	b.do(chromedp.SetUploadFiles(chromedp.ID("preset-picker"), paths))
	card := func(name string) string {
		return `[...document.querySelectorAll('` + sel("preset-photo") + `')].find(e => e.textContent.includes("` + name + `"))`
	}
	for _, p := range photos {
		b.waitUntil(`(e => e.textContent.includes("` + p.says + `") && e.querySelectorAll('` + sel("repair-photo") + `').length === ` + strconv.Itoa(p.repairs) + `)(` + card(p.name) + `)`)
	}
	for _, name := range []string{"phone.jpg", "cut.jpg"} {
		if evaluate[bool](b, card(name)+`.querySelector("img, .skeleton") !== null`) {
			t.Errorf("%s has a picture, which nobody can see", name)
		}
	}
	b.audited("library-rules")
	said := func() string {
		return evaluate[string](b, `[...document.querySelectorAll('`+sel("preset-rule")+`')].slice(0, 2).map(e => e.dataset.state + " " + e.innerText.split("Not met by ")[1]).join()`)
	}
	if got := said(); got != "broken phone.jpg.,broken small.jpg." {
		t.Errorf("the rules are %q", got)
	}
	b.click("make-preset")
	b.says("#make-preset [role=alert]", "small.jpg cannot be used as it is. Repair it or remove it.")
	for _, name := range []string{"phone.jpg", "cut.jpg"} {
		b.do(chromedp.Evaluate[chromedp.Void](card(name) + `.querySelector(".icon-button").click()`))
		b.waitUntil(`!` + card(name))
	}
	for _, name := range []string{"small.jpg", "long.jpg"} {
		b.do(chromedp.Evaluate[chromedp.Void](card(name) + `.querySelector('` + sel("repair-photo") + `').click()`))
		b.waitUntil(card(name) + `.dataset.ready === "true"`)
	}
	b.waitUntil(`[...document.querySelectorAll('` + sel("preset-rule") + `')].slice(0, 2).every(e => e.dataset.state === "passed")`)
	b.click("make-preset")
	b.waitUntil(`!document.querySelector("#make-preset[open]")`)
	b.waitFor(sel("own-preset") + `[data-status="failed"]`) // there is no face in either
	b.forgive("cut.jpg")
}

// More tasks than one page holds are read on by a button, and chosen by the days they were made on.
func TestTasksArePagedAndFilteredByDay(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	c := s.service()
	photo := garmentPhoto()
	up, err := c.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "blouse.jpg", ContentType: "image/jpeg", Size: int64(len(photo)), Body: bytes.NewReader(photo)})
	if err != nil {
		t.Fatal(err)
	}
	const tasks = 23 // a page has 20
	for n := range tasks {
		if _, err := c.CreateTask(t.Context(), upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": up.Image, "taskName": "Task " + strconv.Itoa(n)}}); err != nil {
			t.Fatal(err)
		}
	}
	b := openTab(t, 1440, 900)
	b.signIn(s)
	b.open(s, "/tasks")
	listed := func(n int) {
		t.Helper()
		b.waitUntil(`(all => all.length === ` + strconv.Itoa(n) + ` && new Set(all).size === all.length)([...document.querySelectorAll('` + sel("task") + `')].map(e => e.dataset.task))`)
	}
	listed(20)
	b.audited("tasks-more")
	b.tabbed("tasks-more")
	b.click("tasks-more")
	listed(tasks)
	if n := b.count(sel("tasks-more")); n != 0 {
		t.Error("at the end there is still more")
	}
	day := func(of string, days int) {
		t.Helper()
		b.do(chromedp.Evaluate[chromedp.Void](`(e => { const d = new Date(); d.setDate(d.getDate() + ` + strconv.Itoa(days) + `);
			e.value = [d.getFullYear(), String(d.getMonth() + 1).padStart(2, "0"), String(d.getDate()).padStart(2, "0")].join("-");
			e.dispatchEvent(new Event("change", {bubbles: true})) })(document.querySelector('` + sel("tasks-"+of) + `'))`))
	}
	day("from", 1)
	listed(0)
	day("from", -1)
	listed(20)
	day("to", -1)
	listed(0)
	day("to", 1)
	listed(20)
	b.waitUntil(`new URLSearchParams(location.search).get("from") < new URLSearchParams(location.search).get("to")`)
	b.click("tasks-more") // the rest of what was chosen
	listed(tasks)
	b.shot("tasks-days")
}

// Among many of one's own the one that is meant is found by its name; what is found can be used and deleted as ever.
func TestOwnPresetsAreFoundByName(t *testing.T) {
	t.Parallel()
	s := newStudio(t)
	b := openTab(t, 1440, 900)
	b.answered()
	b.signIn(s)
	own := []atelier.Preset{}
	for i := range 40 {
		own = append(own, atelier.Preset{Kind: "fashionModels", ID: int64(i + 1), Name: "Jo " + strconv.Itoa(i+1) + ", short hair", Status: "complete"})
	}
	b.answers(answer{Match: "GET /api/fashion-models", Body: atelier.PresetList{Presets: own, Count: 40, Limit: 1000}})
	b.open(s, "/library")
	b.waitUntil(`document.querySelectorAll('` + sel("own-preset") + `').length === 40`)
	b.do(chromedp.Focus(chromedp.ID("own-search")))
	b.press("hair jo 17")
	b.says(sel("own-found"), "1 found")
	b.waitUntil(`[...document.querySelectorAll('` + sel("own-preset") + ` strong')].map(e => e.textContent).join() === "Jo 17, short hair"`)
	b.audited("library-searched")
	b.shot("library-searched")
	b.do(chromedp.EmulateViewport(390, 844))
	b.shot("library-searched-narrow")
	b.press("x")
	b.says(sel("own-found"), "None found")
	b.click("library-locations")
	b.click("library-fashionModels")
	b.waitUntil(`document.querySelectorAll('` + sel("own-preset") + `').length === 40 && document.getElementById("own-search").value === ""`)
}
