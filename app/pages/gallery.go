package pages

import (
	"net/url"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// Gallery is the history of everything made: filtered by its address, only the part on screen in the page.
type Gallery struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string // of the page while it is shown, "" otherwise
	core    *core

	ctx     app.Context
	filter  model.Filter
	address string // the one the filter was read from
	panel   bool   // all filters are shown

	list       model.Listing
	fresh      model.Listing         // arrived since, and not shown yet: nothing moves under the pointer
	stale      bool                  // events were missed, and what they changed may stand anywhere in the list
	doubts     []atelier.Run         // of which the server is about to be asked whether they belong to the list
	doubted    map[atelier.RunID]int // how many results those had that it was asked about
	duplicates []atelier.DuplicateGroup
	turning    bool // it is another's already, and stands until that comes
	months     []atelier.ResultMonth
	aged       bool // the months were read before something came or went
	ageing     bool // it may be more in a moment
	state      model.Load
	problem    string
	total      int  // of the list, 0 when that is not known
	beyond     bool // there are more than total
	down, up   part
	asked      int  // which answer is the latest asked for
	left       bool // something left the list while its beginning was read: the answer may still hold it
	monthsFor  int  // and of the months
	most       int  // how many it holds

	rows          model.Rows
	width, height float64 // of the part on screen, CSS px
	top           float64 // how far it is scrolled
	drawn         browser.Rows
	reached       string // the tile that Tab led to when the rows were drawn
	pace          model.Pace
	seen          map[int]bool // rows that are drawn with their pictures
	undrawn       bool         // the rows are to be drawn
	relaid        bool         // the rows are others since they were drawn
	developing    bool         // more of them are to be in the next frame
	slow          bool         // the browser took long for the frame in which the last pictures came
	leapt         bool         // the wall was leapt over, and not every row has its pictures since
	calm          *time.Timer  // runs out when the wall stands still
	month         string       // of the first row on screen, as it was said last
	counting      bool         // how many there are was written past the framework since the page was drawn
	live          bool         // ctx is there

	cursor string // the tile the keyboard is at
	chosen model.Selection
	former []string // what was chosen before a rectangle was begun

	typing  int
	release []func()
}

// part is one end of the list: how it goes on, and whether that is being asked for.
type part struct {
	cursor string
	more   bool
	busy   bool
}

const (
	searchID  = "gallery-search"
	countID   = "gallery-count"
	wallID    = "gallery-wall"
	rowsID    = "gallery-rows"
	marqueeID = "gallery-marquee"
	// galleryPage is how many results or runs are asked for at a time.
	galleryPage = 60
	// galleryMore is how many when the list goes on: more would keep the wall from moving while they are read.
	galleryMore = 120
	// atATime is how many of a page are taken in at a time below the others: a wall that is scrolled meanwhile waits for no more.
	atATime = 30
	// galleryMost is how many of a list by date are held at a time.
	galleryMost = 200_000
	// searchPause is how long the search waits for the next letter.
	searchPause = 250 * time.Millisecond
	// wallRests is how long the wall must not have been scrolled for it to stand still.
	wallRests = 120 * time.Millisecond
	// turnRests is how long a list stands that another is to take the place of.
	turnRests = 250 * time.Millisecond
	// wallLeap is how many heights of itself a wall is scrolled by at once for nothing of it to be the same.
	wallLeap = 3
	// wallFlies is how many heights of itself a wall that flies is to be there below the screen.
	wallFlies = 8
	// picturesAFrame is how many rows get their pictures in one frame.
	picturesAFrame = 2
	// slowFrame is how long a frame may take until fewer get them in the next.
	slowFrame = 40 * time.Millisecond
	// wallPad is the room around the wall, CSS px (7-gallery.css).
	wallPad = 16
)

// OnInit implements app.Initializer.
func (g *Gallery) OnInit() {
	g.most = galleryMost
	g.readAddress()
}

// OnMount implements app.Mounter.
func (g *Gallery) OnMount(ctx app.Context) {
	g.start(ctx)
	g.release = append(g.release,
		browser.OnResize(wallID, func(b browser.Box) {
			if b.W == 0 || b.W == g.width && b.H == g.height {
				return
			}
			g.hold(func() { g.width, g.height = b.W, b.H })
			g.ctx.Update()
		}),
		browser.OnScroll(wallID, g.onScroll),
		browser.OnMarquee(wallID, g.onMarquee),
		browser.OnPress(wallID, g.onPress),
	)
}

func (g *Gallery) start(ctx app.Context) {
	g.ctx, g.live = ctx, true
	g.core.watchers = append(g.core.watchers, g.watch)
	g.core.galleryKey, g.core.galleryGo, g.core.galleryAround = g.onKey, g.goTo, g.around
	g.core.tileMenu = g.menuOf
	g.OnUpdate(ctx)
}

// OnUpdate implements app.Updater.
func (g *Gallery) OnUpdate(app.Context) {
	if g.core.access != signedIn {
		return
	}
	if g.asked == 0 {
		g.load()
	}
	if g.Address != "" && g.Address != g.address {
		g.goTo(g.Address)
	}
	g.renewMonths()
	g.nameOwner()
}

// OnDismount implements app.Dismounter.
func (g *Gallery) OnDismount() {
	g.core.watchers, g.core.galleryKey, g.core.galleryGo, g.core.galleryAround = nil, nil, nil, nil
	if g.calm != nil {
		g.calm.Stop()
	}
	for _, release := range g.release {
		release()
	}
}

// goTo shows what an address says, whatever was shown before.
func (g *Gallery) goTo(address string) {
	before := g.filter
	g.Address = address
	g.readAddress()
	if address == model.GalleryAsLeft {
		g.filter = before.Left()
		browser.ReplaceURL(g.filter.Address())
	}
	g.follow(before)
	g.showFilter()
}

// showFilter writes the filter into fields that somebody chose or typed something else in: what is drawn does not change those.
func (g *Gallery) showFilter() {
	f := g.filter
	g.ctx.Defer(func(app.Context) {
		for id, value := range map[string]string{searchID: f.Query, "filter-from": f.From, "filter-to": f.To} {
			browser.SetValue(id, value)
		}
		rating := ""
		if f.Rating > 0 {
			rating = words.Number(f.Rating)
		}
		for id, value := range map[string]string{
			"filter-view": f.View, "filter-sort": string(f.Sort), "filter-user": string(f.User), "filter-agent": f.Agent, "filter-status": string(f.Status), "filter-rating": rating,
			"filter-pick": f.Pick, "filter-board": string(f.Board),
		} {
			browser.SetValue(id, components.Pick(value == "", " ", value))
		}
	})
}

func (g *Gallery) readAddress() {
	g.address = g.Address
	if u, err := url.Parse(g.Address); err == nil {
		g.filter = model.ReadFilter(u.Query())
	}
}

// set changes what is shown, and the address with it: Back leads to what was shown before.
func (g *Gallery) set(f model.Filter) {
	if f == g.filter {
		return
	}
	before := g.filter
	g.filter = f
	g.core.step(func() {
		if f.Refines(before) {
			browser.ReplaceURL(f.Address())
		} else {
			browser.PushURL(f.Address(), false)
		}
	})
	g.follow(before)
}

// follow shows what the filter asks for, which was another before.
func (g *Gallery) follow(before model.Filter) {
	switch {
	case g.filter.Question() != before.Question():
		before.At = g.filter.At
		if g.filter.Question() == before.Question() && g.months != nil && !g.aged {
			g.turn()
		} else {
			g.load()
		}
	case g.filter != before:
		g.hold(func() {})
	}
}

// open shows a result as large as the window; of a run, all its results.
func (g *Gallery) open(key string) {
	i := g.list.Find(key)
	if i < 0 {
		return
	}
	shot := g.list.At(i)
	switch {
	case !shot.Result.Stored:
		g.core.sayWhy(shot)
	case shot.Stack:
		results := model.Runs{shot.Run}.Shots()
		g.core.view(string(shot.Result.ID), func() []model.Shot {
			if i := g.list.Find(key); i >= 0 {
				results = model.Runs{g.list.At(i).Run}.Shots()
			}
			return results
		})
	default:
		g.core.viewIn(key, g.around)
	}
}

// menuOf gives what the menu of a tile is about: all that is chosen when the tile is, else the tile alone.
func (g *Gallery) menuOf(key string) (shots []model.Shot, open func()) {
	if g.chosen.Has(key) && g.chosen.Len() > 1 {
		return g.chosen.Shots(&g.list), nil
	}
	i := g.list.Find(key)
	if i < 0 {
		return nil, nil
	}
	return g.list.Part(i, i+1), func() { g.open(key) }
}

// aroundEach is how many neighbours of a result are handed to the lightbox on either side.
const aroundEach = 16

// around gives the neighbours of a result that can be looked at, and how many stand before them.
func (g *Gallery) around(key string) (shots []model.Shot, before, total int) {
	i := g.list.Find(key)
	if i < 0 || !g.Shown {
		return nil, 0, 0
	}
	from, to := max(0, i-aroundEach), min(g.list.Len(), i+aroundEach+1)
	if to == g.list.Len() {
		g.goOn()
	}
	total = g.list.Len()
	if !g.beyond {
		total = max(total, g.total)
	}
	return model.Viewable(g.list.Part(from, to)), from, total
}

// sayWhy says why there is nothing to look at, and nothing when it is only not there yet.
func (c *core) sayWhy(s model.Shot) {
	switch {
	case s.Run.Error != nil:
		c.toast("warning", s.Run.Error.Message)
	case s.Result.Error != "":
		c.toast("warning", s.Result.Error)
	case model.RunTone(s.Run) == model.Bad:
		c.toast("warning", words.PaletteRun(model.RunWords(s.Run)))
	}
}

// Render implements app.Composer.
func (g *Gallery) Render() app.UI {
	g.month = g.monthShown()
	if g.live {
		g.undrawn = true
		g.ctx.Defer(func(app.Context) {
			g.draw()        // once the element of the rows is there
			if g.counting { // the framework knows only what it wrote itself
				g.counting = false
				browser.SetText(countID, g.counted())
			}
		})
	}
	chosen := g.chosen.Shots(&g.list)
	return components.El("section", "class", "page gallery", "data-chosen", components.Pick(len(chosen) > 0, components.Pick(g.filter.Board == "", "list", "board"), "")).Hidden(!g.Shown).Attr("aria-label", words.PageGallery).Body(
		g.renderFilter(),
		g.renderHead(),
		components.Box("gallery__body",
			components.El("div", "class", "wall", "id", wallID, "data-testid", "wall", "tabindex", "-1", "role", "group", "aria-label", words.PageGallery, "aria-busy", components.Bool(g.turning)).Body(g.renderWall()),
			g.renderMonths(),
			g.renderPill(),
			g.renderChosen(chosen),
		),
	)
}
