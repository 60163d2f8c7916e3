package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/atelier"
	"atelier/imaging/testpics"
)

type libraryProbe struct{ Library }

func (p *libraryProbe) OnPreRender(ctx app.Context) {
	p.core.ui = ctx
	p.start(ctx)
}

// shelf is the library on a test bench.
type shelf struct {
	*server
	*libraryProbe
	engine app.TestEngine
}

func openLibrary(t *testing.T, kind string, own atelier.PresetList) *shelf {
	t.Helper()
	s := newServer()
	s.on("GET /api/agents/aimodel/presets", 200, atelier.PresetPage{LastPage: true})
	s.on("GET /api/fashion-models", 200, own)
	s.on("GET /api/locations", 200, own)
	c := newCore(client.New(s.send, s.upload), func() time.Time { return noon })
	p := &libraryProbe{Library{Shown: true, Address: "/library?kind=" + kind, core: c}}
	b := &shelf{server: s, libraryProbe: p, engine: app.NewTestEngine()}
	if err := b.engine.Load(p); err != nil {
		t.Fatal(err)
	}
	b.engine.ConsumeAll()
	return b
}

func (b *shelf) do(f func()) {
	b.ctx.Dispatch(func(app.Context) { f() })
	b.engine.ConsumeAll()
}

func (b *shelf) html() string { return app.HTMLString(b.Render()) }

// hears has the page hear of a preset.
func (b *shelf) hears(t *testing.T, p atelier.Preset) {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	b.do(func() { b.core.take(atelier.Event{Type: atelier.EventPreset, Data: data}) })
}

func TestAPresetThatIsBeingMadeIsFollowedToItsEnd(t *testing.T) {
	jo := atelier.Preset{Kind: "fashionModels", ID: 7, Name: "Jo", Status: "prepare"}
	list := func() atelier.PresetList {
		return atelier.PresetList{Presets: []atelier.Preset{jo}, Count: 1, Limit: 1000}
	}
	b := openLibrary(t, "fashionModels", list())
	for _, step := range []struct{ status, says, not string }{
		{"prepare", "In progress", "use-preset"},
		{"failed", "Failed. Try a photo that shows the whole face from the front.", "use-preset"},
		{"complete", "use-preset", "In progress"},
	} {
		jo.Status = step.status
		b.on("GET /api/fashion-models", 200, list())
		b.hears(t, jo)
		if html := b.html(); !strings.Contains(html, step.says) || strings.Contains(html, step.not) || !strings.Contains(html, `data-status="`+step.status+`"`) || !strings.Contains(html, "Delete Jo") {
			t.Errorf("%s: it does not say %q, or says %q", step.status, step.says, step.not)
		}
		if heard := strings.HasPrefix(b.core.said, "Jo: "); heard != (step.status != "prepare") {
			t.Errorf("%s: those who listen hear %q", step.status, b.core.said)
		}
	}
}

// While another page is shown a preset is ready: the library shows it when it is come back to, and the form offers it.
func TestAPresetThatIsReadyMeanwhileIsShownEverywhere(t *testing.T) {
	jo := atelier.Preset{Kind: "fashionModels", ID: 7, Name: "Jo", Status: "prepare"}
	list := func() atelier.PresetList {
		return atelier.PresetList{Presets: []atelier.Preset{jo}, Count: 1, Limit: 1000}
	}
	b := openLibrary(t, "fashionModels", list())
	address := b.Address
	b.Shown, b.Address = false, ""
	jo.Status = "complete"
	b.on("GET /api/fashion-models", 200, list())
	b.hears(t, jo)
	b.Shown, b.Address = true, address
	b.do(func() { b.OnUpdate(b.ctx) })
	if html := b.html(); strings.Contains(html, "In progress") || !strings.Contains(html, "use-preset") || strings.Contains(html, "skeleton") {
		t.Errorf("the library shows %s", html)
	}

	s := openStudio(t)
	offered := atelier.PresetPage{LastPage: true, Presets: []atelier.Preset{{ID: 1, Name: "Ada"}}}
	s.answers["GET /api/agents/aimodel/presets"] = answering(func() atelier.PresetPage { return offered })
	s.do(func(app.Context) {
		s.studio.NeedPresets("fashionModels")
		s.studio.NeedPresets("locations")
	})
	offered.Presets = append(offered.Presets, jo)
	data, _ := json.Marshal(jo)
	asked := len(s.asked)
	s.do(func(app.Context) {
		s.core.take(atelier.Event{Type: atelier.EventPreset, Data: data})
		s.studio.settle()
	})
	if got := s.core.presetsOf("aimodel", "fashionModels").Name(7); got != "Jo" {
		t.Errorf("the form offers %q", got)
	}
	if n := len(s.asked) - asked; n != 1 {
		t.Errorf("%d lists are read anew, want the one that is outdated: %q", n, s.asked[asked:])
	}
}

func TestAFullLibraryTakesNoMoreUntilOneIsDeleted(t *testing.T) {
	one := []atelier.Preset{{Kind: "locations", ID: 1, Name: "Loft", Status: "complete"}}
	b := openLibrary(t, "locations", atelier.PresetList{Presets: one, Count: 1000, Limit: 1000})
	full := func() bool {
		_, button, _ := strings.Cut(b.html(), `>New location<`)
		before, _, _ := strings.Cut(b.html(), `>New location<`)
		return button != "" && !strings.Contains(before[strings.LastIndex(before, "<button"):], `disabled="false"`)
	}
	if html := b.html(); !full() || !strings.Contains(html, "1000 of 1000 in the account, 1 of them yours. The account is full; delete one first.") {
		t.Error("a full library offers to make another one, or does not say why it cannot")
	}
	b.on("GET /api/locations", 200, atelier.PresetList{Count: 999, Limit: 1000})
	b.hears(t, atelier.Preset{Kind: "locations", ID: 1, Status: "deleted"})
	if html := b.html(); full() || !strings.Contains(html, "999 of 1000") {
		t.Error("a library with room offers no other one")
	}
}

func TestMoreOfOnesOwnThanAreSeenAtOnceCanBeSearched(t *testing.T) {
	own := func(n int) (list atelier.PresetList) {
		for i := range n {
			list.Presets = append(list.Presets, atelier.Preset{Kind: "locations", ID: int64(i + 1), Name: fmt.Sprintf("Loft %d, north", i+1), Status: "complete"})
		}
		list.Count, list.Limit = n, 1000
		return list
	}
	if strings.Contains(openLibrary(t, "locations", own(ownSearched-1)).html(), "own-search") {
		t.Error("there is a search for what is seen at a glance")
	}
	b := openLibrary(t, "locations", own(ownSearched))
	if !strings.Contains(b.html(), "own-search") {
		t.Fatal("there is no search")
	}
	shown := func(query, said string, want int) {
		t.Helper()
		b.do(func() { b.query = query })
		html := b.html()
		if n := strings.Count(html, `class="own"`); n != want || !strings.Contains(html, said) || !strings.Contains(html, "own-search") || !strings.Contains(html, "New location") {
			t.Errorf("%q shows %d, want %d, and says so with %q:\n%s", query, n, want, said, html)
		}
	}
	shown("NORTH 1", "5 found", 5) // 1, 10, 11, 12 and 13
	shown("cellar", "None found. Try a shorter word.", 0)
	shown("", "13 of 1000", ownSearched)
	b.do(func() { b.query = "cellar" })
	b.do(func() { b.Address = "/library?kind=fashionModels"; b.OnUpdate(b.ctx) })
	if b.query != "" {
		t.Error("what was looked for among locations hides fashion models")
	}
}

func TestALocationIsMadeOfOnePhotoThatIsLookedAtFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // that a second photo has no place stands for a while
		b := openLibrary(t, "locations", atelier.PresetList{Limit: 1000})
		b.answer = atelier.Asset{ID: "p1", Kind: "image", Name: "loft.png", Width: 600, Height: 800, Format: "png", Bytes: 1000, Thumb: "/t"}
		b.on("GET /api/assets/p1/faces", 200, atelier.AssetFaces{Faces: 0})
		b.on("POST /api/locations", 201, atelier.Preset{Kind: "locations", ID: 9, Name: "Loft", Status: "prepare"})
		b.do(b.beginMaking)
		b.do(func() { b.create(b.ctx, app.Event{}) })
		if b.making.problem != "Give it a name." {
			t.Errorf("without a name: %q", b.making.problem)
		}
		b.making.name = " Loft "
		file := browser.NewFile("loft.png", testpics.PNG(testpics.Photo(600, 800, 1)))
		said := ""
		b.do(func() {
			b.add([]browser.File{file, file})
			for _, toast := range b.core.toasts {
				said += toast.Message
			}
		})
		if len(b.making.photos) != 1 || b.uploads != 1 || said != "A location takes at most 1 photo." {
			t.Fatalf("%d photos after %d uploads, said %q", len(b.making.photos), b.uploads, said)
		}
		html := b.html()
		for _, want := range []string{"at most 5 MB. Checked.", "It shows a place with a person in it. No face was found in loft.png.", `data-state="doubtful"`} {
			if !strings.Contains(html, want) {
				t.Errorf("it does not say %q", want)
			}
		}
		b.do(func() { b.change(b.making, 1, func(p *photo) { n := 2; p.faces = &n }) })
		if html := b.html(); !strings.Contains(html, "A face was found; the rest is not checked.") || strings.Contains(html, "person in it. Checked") {
			t.Error("a face that was found passes for a place with a person in it")
		}
		b.do(func() { b.create(b.ctx, app.Event{}) })
		if got := b.bodies["POST /api/locations"]; len(got) != 1 || string(got[0]) != `{"name":"Loft","assets":["p1"]}` {
			t.Errorf("asked for %s", got)
		}
		if html := b.html(); b.making != nil || !strings.Contains(html, "Loft") || !strings.Contains(html, "In progress") || !strings.Contains(html, "1 of 1000") {
			t.Error("it is not listed as being made")
		}
	})
}

// A photo that is taken out of what a preset is made of comes back to its place.
func TestAPhotoThatIsTakenOutComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openLibrary(t, "fashionModels", atelier.PresetList{Limit: 1000})
		b.do(b.beginMaking)
		b.do(func() {
			m := b.making
			m.photos = []photo{{id: 1, name: "one"}, {id: 2, name: "two"}, {id: 3, name: "three", busy: "on its way"}}
			b.takeOut(m, 3)
			if n := takeBack(b.core); n != 0 || len(m.photos) != 2 {
				t.Errorf("%d offers for what was on its way, %d photos", n, len(m.photos))
			}
			b.takeOut(m, 1)
			if len(m.photos) != 1 || takeBack(b.core) != 1 || len(m.photos) != 2 || m.photos[0].name != "one" {
				t.Errorf("the photos are %+v", m.photos)
			}
		})
	})
}

// What a preset may be made of is not only among the latest files: it is searched and read to the end, results too.
func TestAPresetIsMadeOfAnythingThatIsHere(t *testing.T) {
	b := openLibrary(t, "fashionModels", atelier.PresetList{Limit: 1000})
	b.answers["GET /api/assets"] = func(r browser.Request) (int, any) {
		if strings.Contains(r.URL, "cursor=two") {
			return 200, atelier.AssetPage{Assets: []atelier.Asset{{ID: "old", Name: "old.png", Width: 600, Height: 800, Format: "png"}}}
		}
		return 200, atelier.AssetPage{Assets: []atelier.Asset{{ID: "young", Name: "young.png", Width: 600, Height: 800, Format: "png"}}, NextCursor: "two"}
	}
	b.on("GET /api/assets/old/faces", 200, atelier.AssetFaces{Faces: 1})
	b.on("GET /api/results", 200, atelier.ResultPage{})
	b.do(b.beginMaking)
	b.do(func() { b.choose(b.making) })
	b.do(b.MoreFiles)
	if html := b.html(); !slices.Contains(b.asked, "GET /api/assets?kind=image&limit=48") || !strings.Contains(html, "young.png") || !strings.Contains(html, "old.png") {
		t.Errorf("asked %q", b.asked)
	}
	b.do(func() { b.ChooseFile(b.chooser.assets[1]) })
	if p := b.making.photos; len(p) != 1 || !p[0].ready() || p[0].asset.ID != "old" || p[0].faces == nil {
		t.Errorf("the photos are %+v", p)
	}
	if html := b.html(); strings.Contains(html, `data-asset="old"`) || !strings.Contains(html, `data-asset="young"`) {
		t.Error("what was taken is offered again, or the other one is not")
	}
	b.do(func() { b.ChooseFrom(true) })
	if !slices.Contains(b.asked, "GET /api/results?fits=image&limit=48&status=Success") {
		t.Errorf("asked %q", b.asked)
	}
}

// What is marked stands first wherever a preset is chosen, is kept by the server, and is as before where that refuses it.
func TestFavouritesAreKeptByTheServerAndStandFirst(t *testing.T) {
	b := openStudio(t)
	page := atelier.PresetPage{Total: 12, LastPage: true, Page: 1}
	for i := range int64(12) {
		page.Presets = append(page.Presets, atelier.Preset{Kind: "locations", ID: i + 1, Name: "Place " + string(rune('A'+i))})
	}
	b.on("GET /api/agents/aimodel/presets", 200, page)
	b.do(func(app.Context) { b.studio.LoadPresets("locations") })
	quick := func(name string) bool { return strings.Contains(b.html(), `title="Place `+name+`"`) }
	if !quick("A") || quick("L") {
		t.Fatal("the form does not show the first eight")
	}
	last := page.Presets[11]
	b.do(func(app.Context) { b.studio.MarkPreset(last) }) // nobody answers
	if quick("L") || len(b.core.toasts) != 1 {
		t.Error("what the server did not take stays marked, or is not said")
	}
	b.on("PATCH /api/favourites", 200, atelier.FavouriteList{})
	b.do(func(app.Context) { b.studio.MarkPreset(last) })
	if got := b.bodies["PATCH /api/favourites"]; !quick("L") || string(got[1]) != `{"add":[{"kind":"locations","id":12}]}` {
		t.Errorf("marked: %s", got)
	}
	b.do(func(app.Context) { b.studio.BrowsePresets("locationId") })
	if html := b.html(); strings.Count(html, `data-testid="mark-preset"`) != 12 || !strings.Contains(html, "preset-starred") {
		t.Error("the dialog does not show what is marked")
	}
	b.do(func(app.Context) { b.studio.MarkPreset(last) })
	if got := b.bodies["PATCH /api/favourites"]; quick("L") && b.studio.dialog == "" || string(got[2]) != `{"remove":[{"kind":"locations","id":12}]}` {
		t.Errorf("not marked any more: %s", got)
	}
	b.do(func(app.Context) {
		b.core.take(atelier.Event{Type: atelier.EventFavourites, Data: []byte(`{"favourites":[{"kind":"locations","id":11}]}`)})
	})
	if !b.core.favourites.Has(page.Presets[10]) || b.core.favourites.Has(last) {
		t.Errorf("what was marked in another window: %v", b.core.favourites)
	}
}
