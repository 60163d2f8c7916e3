package pages

import (
	"context"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// core is what every page shares: the session, the catalog, the runs as they are now, and what stands above the pages.
// It is used on the page's one thread alone; work that waits goes through do.
type core struct {
	api *client.API
	now func() time.Time

	ui   app.Context // of the root component, which lives as long as the page
	rev  int         // rises with every change, so that the pages notice
	stop context.CancelFunc
	ctx  context.Context // the life of the session: everything started for it ends with it

	access  access
	session atelier.Session
	zone    *time.Location
	keymap  model.Keymap

	agentsState model.Load
	agents      []catalog.Agent
	runsState   model.Load
	runs        model.Runs
	assetsState model.Load
	assets      []atelier.Asset
	lanes       chan struct{} // one for each file that is worked on; see lane
	presets     map[string]model.PresetList
	presetLoads map[string]*presetLoad     // the kinds that are being read
	usual       map[string][]atelier.Usual // how long runs take, of each agent that was asked about; nil until it is known
	favourites  model.Marks
	favoured    int // rises when others are marked, or presets are to be read anew
	marking     int // marks on their way

	stream     *client.Stream
	connection client.Connection
	outdated   bool // the server has a newer client
	toasts     []components.Toast
	toastID    int
	judged     int           // the toast about the last verdict on one result
	offers     map[int]offer // by the id of their toast
	said       string        // for those who listen instead of looking

	viewer viewer
	menu   menu
	// tileMenu gives the results that the menu of a tile of the gallery is about, and what opens it; openCard opens a card of the strip,
	// openAsset brings a photo to the stage.
	tileMenu  func(key string) (shots []model.Shot, open func())
	openCard  func(key string)
	openAsset func(a atelier.Asset)
	unsure    unsure
	watchers  []func(atelier.Event) // pages with lists of their own
	resends   int                   // rises with every plan to ask again for what was not answered
	resent    func()                // all of it was decided
	old       []model.Intent        // requests that wait for so long that the designer is asked about them
	recall    func(run atelier.Run, paint bool)
	fill      func(agent string, values map[string]any) // values into the form of an agent
	use       func(shot model.Shot, last bool)          // a result, or its last frame, as a file of the form
	useAll    func(shots []model.Shot)                  // pictures as the files of the form, or the photos it works on
	// studioKey takes shortcuts of the studio page.
	studioKey         func(browser.Key) bool
	closeStudioDialog func() bool
	connecting        bool   // the settings are to open with the form of the account
	pageDialog        string // the dialog of a page that is open, "" for none
	pagePort          components.DialogPort
	keys              bool   // the ? sheet is open
	rebinding         string // the action whose new key is to be pressed, "" for none
	rebound           int    // the toast about the last one
	settings, team    bool
	costs             atelier.Costs // as of when the settings were opened
	entry             atelier.Entry // how one gets in, while nobody is signed in
	entryState        model.Load
	entryProblem      string
	parting           bool   // whoever is signed in asked to be signed out
	shutOut           string // why somebody who was signed in no longer is, "" where they wished it

	galleryKey    func(browser.Key) bool // takes shortcuts of the gallery page
	galleryGo     func(address string)   // the browser went to another address of the gallery
	galleryAround func(key string) (shots []model.Shot, before, total int)
	review        review
	trail         trail
	boards        []atelier.Board
	shownBoards   []atelier.Board // which others show
	boardsState   model.Load
	boardsProblem string
	leaving       map[atelier.BoardID]bool // boards that are deleted unless it is undone
	editing       atelier.BoardID          // the board of the open form, "" for a new one
	chooseAgent   func(name string)        // in the studio
	actions       []action                 // of the palette
}

// access is whether somebody is signed in.
type access int

const (
	asking      access = iota
	unreachable        // the server could not be asked
	signedOut
	signedIn
)

func newCore(api *client.API, now func() time.Time) *core {
	return &core{api: api, now: now, zone: browser.Zone(), keymap: model.NewKeymap(model.ReadMaskDesk(browser.Load(deskKey)).Keys, browser.Mac()), presets: map[string]model.PresetList{}, usual: map[string][]atelier.Usual{}, lanes: make(chan struct{}, lanes)}
}

// do runs work away from the page's thread and then, on it, what work answers with.
func (c *core) do(work func(ctx context.Context) (then func())) {
	ctx := c.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	c.ui.Async(func() {
		defer browser.Guard()
		then := work(ctx)
		c.post(func() {
			if ctx.Err() != nil {
				return // the session this belongs to is over
			}
			if then != nil {
				then()
			}
			c.rev++
		})
	})
}

// change tells the pages that something of the core is different now.
func (c *core) change() {
	c.post(func() { c.rev++ })
}

// post runs f on the page's thread and draws again what it changed.
func (c *core) post(f func()) {
	c.ui.Dispatch(func(app.Context) { f() })
}

// drawn runs f once everything that was changed before it is drawn. Context.Defer alone may come a frame too soon: a change
// that is posted waits its turn, and the frame need not wait for it.
func drawn(ctx app.Context, f func()) {
	ctx.Dispatch(func(ctx app.Context) {
		ctx.Defer(func(app.Context) { f() })
	})
}

// enter starts everything a session needs.
func (c *core) enter(s atelier.Session) {
	c.leave()
	if c.handOver(s.User.ID) {
		return
	}
	c.session, c.access, c.shutOut, c.parting = s, signedIn, "", false
	ctx, cancel := context.WithCancel(context.Background())
	c.ctx, c.stop = ctx, cancel
	c.loadAgents()
	c.loadRuns()
	c.loadAssets()
	c.loadBoards()
	c.loadFavourites()
	c.resend(resendRests)
	c.listen(ctx)
	c.follow(browser.Fragment())
}

// leave ends the session's work; what is on screen stays.
func (c *core) leave() {
	if c.stop != nil {
		c.stop()
		c.stop, c.ctx = nil, nil
	}
}

// signOut ends the session's work and shows the door.
func (c *core) signOut() {
	c.leave()
	c.access, c.keys, c.settings, c.team = signedOut, false, false, false
	c.costs = atelier.Costs{}
	c.toasts = slices.DeleteFunc(slices.Clone(c.toasts), func(t components.Toast) bool { return t.Action != "" })
	c.offers, c.leaving = nil, nil
	c.rev++
	c.entryState = model.Loading
	c.askEntry()
}

// askEntry asks how one gets in, until the server says it: the door shows no form that may be the wrong one.
func (c *core) askEntry() {
	c.do(func(ctx context.Context) func() {
		entry, err := c.api.Entry(ctx)
		return func() {
			if err == nil {
				c.entry, c.entryState = entry, model.Loaded
				return
			}
			if c.entryState == model.Loaded {
				return // it was asked twice
			}
			c.entryState, c.entryProblem = model.Broken, sentence(err)
			c.ui.After(askAgain, func(app.Context) {
				if c.access == signedOut && c.entryState == model.Broken {
					c.askEntry()
				}
			})
		}
	})
}

// ownerKey is where the browser remembers whose unfinished work it holds.
const ownerKey = "atelier.owner"

// handOver throws away what another user left unfinished in this browser, before it is shown or sent in the name of who has
// signed in now; it says whether the page has to be loaded anew for it.
func (c *core) handOver(user atelier.UserID) bool {
	before := browser.Load(ownerKey)
	browser.Save(ownerKey, string(user))
	if before == "" || before == string(user) {
		return false
	}
	for _, key := range []string{draftKey, shelfKey, leftKey, marksKey} {
		browser.Save(key, "")
	}
	c.do(func(ctx context.Context) func() {
		keys, err := browser.KeptKeys(ctx)
		if err != nil {
			return browser.Reload // without storage there is nothing to forget
		}
		for _, key := range keys {
			_ = browser.Forget(ctx, key)
		}
		return browser.Reload
	})
	return true
}

// failed shows an error; one that says nobody is signed in leads to the sign-in page.
func (c *core) failed(err error) {
	if err == nil || c.expired(err) {
		return
	}
	c.toast("error", sentence(err))
}

// expired handles the end of the session.
func (c *core) expired(err error) bool {
	if atelier.CodeOf(err) != atelier.Unauthorized {
		return false
	}
	if c.access == signedIn && !c.parting { // what is under way may hear of it before the answer to their wish comes
		c.shutOut = sentence(err)
	}
	if c.access != signedOut {
		c.signOut()
	}
	return true
}

// sentence is what a designer reads of an error.
func sentence(err error) string {
	if e := asError(err); e != nil {
		return e.Message
	}
	return words.SomethingWrong
}

func (c *core) loadAgents() {
	c.agentsState = model.Loading
	c.do(func(ctx context.Context) func() {
		agents, err := c.api.Agents(ctx)
		return func() {
			if err != nil {
				c.agentsState = model.Broken
				c.expired(err)
				return
			}
			c.agents, c.agentsState = agents, model.Loaded
		}
	})
}

// recentRuns is how many runs are loaded for the strip.
const recentRuns = 50

func (c *core) loadRuns() {
	if c.runsState != model.Loaded {
		c.runsState = model.Loading
	}
	c.do(func(ctx context.Context) func() {
		page, err := c.api.Runs(ctx, atelier.RunFilter{Limit: recentRuns})
		return func() {
			if err != nil {
				if c.runsState == model.Loading {
					c.runsState = model.Broken
				}
				c.expired(err)
				return
			}
			c.runs, c.runsState = c.runs.Merge(page.Runs...), model.Loaded
		}
	})
}

// loadAssets reads the latest files; those before them are looked up when they are wanted.
func (c *core) loadAssets() {
	c.do(func(ctx context.Context) func() {
		page, err := c.api.Assets(ctx, atelier.AssetFilter{})
		return func() {
			if err != nil {
				c.expired(err)
				return
			}
			c.assetsState = model.Loaded
			for i := len(page.Assets) - 1; i >= 0; i-- {
				c.addAsset(page.Assets[i])
			}
		}
	})
}

// addAsset puts a picture at the front of the list, once.
func (c *core) addAsset(a atelier.Asset) {
	c.assets = append([]atelier.Asset{a}, slices.DeleteFunc(slices.Clone(c.assets), func(b atelier.Asset) bool { return b.ID == a.ID })...)
}

func (c *core) asset(id atelier.AssetID) *atelier.Asset {
	for _, a := range c.assets {
		if a.ID == id {
			return &a
		}
	}
	return nil
}

func (c *core) agent(name string) catalog.Agent {
	for _, a := range c.agents {
		if a.Name == name {
			return a
		}
	}
	return catalog.Agent{Name: name, Title: name}
}

// titles maps the names of the agents to their titles.
func (c *core) titles() map[string]string {
	titles := make(map[string]string, len(c.agents))
	for _, a := range c.agents {
		titles[a.Name] = a.Title
	}
	return titles
}

// embedded says whether the service of this studio does the work.
func (c *core) embedded() bool { return c.session.Upstream == "embedded" }

// minute is the time to the minute: what is shown as "2 min ago" changes no more often.
func (c *core) minute() time.Time { return c.now().Truncate(time.Minute) }

// RetryRun implements components.ShotPort.
func (c *core) RetryRun(id atelier.RunID) { c.retry(id, false) }

// CancelRuns implements components.StripPort: what was not sent yet can be put back in line.
func (c *core) CancelRuns(ids []atelier.RunID) {
	if len(ids) == 0 {
		return
	}
	c.do(func(ctx context.Context) func() {
		done, err := c.api.CancelRuns(ctx, ids)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			if kept := len(done.Kept); kept > 0 {
				c.toast("warning", components.Pick(len(ids) == 1, done.Reason, words.RunsNotCancelled(kept, len(ids), done.Reason)))
			}
			unsent, all := done.IDs, len(done.IDs)+len(done.Stopped)
			switch {
			case len(unsent) > 0:
				c.offer(words.RunsCancelled(all, len(unsent)), func() { c.uncancel(unsent) })
			case all > 0:
				c.toast("info", words.RunsStopped(all))
			}
		}
	})
}

// uncancel puts runs back in line that were cancelled before they were sent.
func (c *core) uncancel(ids []atelier.RunID) {
	c.do(func(ctx context.Context) func() {
		done, err := c.api.UncancelRuns(ctx, ids)
		return func() {
			c.failed(err)
			if err == nil && done.Reason != "" {
				c.toast("warning", done.Reason)
			}
		}
	})
}

// SendNext implements components.StripPort.
func (c *core) SendNext(id atelier.RunID) {
	c.place(id, true, func() {
		c.offer(words.RunIsNext, func() { c.place(id, false, func() {}) })
	})
}

// place has a waiting run sent next, or in its turn again; placed follows when that is so.
func (c *core) place(id atelier.RunID, next bool, placed func()) {
	c.do(func(ctx context.Context) func() {
		err := c.api.SendNext(ctx, id, next)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			placed()
		}
	})
}
