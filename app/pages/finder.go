package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
)

// chooser is what is known of the files, or of the results, that one is chosen from.
type chooser struct {
	results bool
	query   string
	state   model.Load
	problem string
	paging  bool
	next    string // cursor of the next page, "" at the end
	assets  []atelier.Asset
	shots   []model.Shot
	asked   int // which question it is: the answer to an older one comes too late
}

// choicesPerPage is how many files or results are asked for at a time.
const choicesPerPage = 48

// chosenFrom is a page of what is chosen from.
type chosenFrom struct {
	assets []atelier.Asset
	shots  []model.Shot
	next   string
}

// finder asks the server, page by page, for what a dialog offers to choose from. It is the part of a components.ChooserPort that all
// such dialogs have in common.
type finder struct {
	core    *core
	chooser chooser
	wants   func() catalog.Media
	open    func() bool // the dialog still is
	draw    func()
	typing  int // rises with every letter of the search
}

func newFinder(c *core, wants func() catalog.Media, open func() bool, draw func()) *finder {
	return &finder{core: c, wants: wants, open: open, draw: draw}
}

// end forgets the list; what is still on its way comes too late.
func (f *finder) end() { f.chooser = chooser{asked: f.chooser.asked + 1} }

// ask begins the list anew.
func (f *finder) ask(results bool, query string) {
	f.chooser = chooser{results: results, query: query, state: model.Loading, asked: f.chooser.asked + 1}
	f.readChoices()
	f.draw()
}

// readChoices reads the next page.
func (f *finder) readChoices() {
	c, media := f.chooser, f.wants()
	f.core.do(func(ctx context.Context) func() {
		page, err := f.choices(ctx, c, media)
		return func() {
			if f.chooser.asked != c.asked {
				return
			}
			f.answered(page, err)
			f.draw()
		}
	})
}

func (f *finder) choices(ctx context.Context, c chooser, media catalog.Media) (page chosenFrom, err error) {
	if !c.results {
		got, err := f.core.api.Assets(ctx, atelier.AssetFilter{Kind: string(media), Query: c.query, Cursor: c.next, Limit: choicesPerPage})
		return chosenFrom{assets: got.Assets, next: got.NextCursor}, err
	}
	got, err := f.core.api.Results(ctx, atelier.RunFilter{
		Status: atelier.Success, Fits: atelier.Fits(media), Query: c.query, Cursor: c.next, Limit: choicesPerPage,
	})
	for _, r := range got.Results {
		page.shots = append(page.shots, model.Listed(r))
	}
	page.shots, page.next = model.Viewable(page.shots), got.NextCursor
	return page, err
}

// answered takes in a page, or that it cannot be had.
func (f *finder) answered(page chosenFrom, err error) {
	c := &f.chooser
	first := c.state == model.Loading
	c.paging, c.problem = false, ""
	if err != nil {
		if !f.core.expired(err) {
			c.problem = sentence(err)
		}
		if first {
			c.state = model.Broken
		}
		return
	}
	had := len(c.assets) + len(c.shots)
	c.assets, c.shots = append(slices.Clone(c.assets), page.assets...), append(slices.Clone(c.shots), page.shots...)
	c.state, c.next = model.Loaded, page.next
	if len(page.assets)+len(page.shots) == 0 && c.next != "" {
		f.MoreFiles() // nothing of that page is stored yet
		return
	}
	if !first && browser.FocusedID() == components.ChooserMoreID {
		drawn(f.core.ui, func() { browser.Focus(components.ChoiceID(had)) })
	}
}

// MoreFiles implements components.ChooserPort.
func (f *finder) MoreFiles() {
	if f.chooser.paging || f.chooser.state == model.Loading || f.chooser.next == "" {
		return
	}
	f.chooser.paging = true
	f.readChoices()
	f.draw()
}

// ReloadFiles implements components.ChooserPort.
func (f *finder) ReloadFiles() { f.ask(f.chooser.results, f.chooser.query) }

// ChooseFrom implements components.ChooserPort: the words stay, they may be meant for the other list.
func (f *finder) ChooseFrom(results bool) { f.ask(results, f.chooser.query) }

// SearchFiles implements components.ChooserPort: it waits for a pause in the typing before it asks.
func (f *finder) SearchFiles(text string) {
	f.typing++
	typing := f.typing
	f.core.ui.After(searchPause, func(app.Context) {
		if typing == f.typing && f.open() {
			f.ask(f.chooser.results, text)
		}
	})
}

// view is the dialog as it stands; add names the way to a file that is not here yet, none is said while none was brought.
func (f *finder) view(add, none string, chosen ...atelier.AssetID) components.Chooser {
	c := f.chooser
	return components.Chooser{
		Media: f.wants(), Add: add, None: none, Results: c.results, Query: c.query, State: c.state, Problem: c.problem, Paging: c.paging, More: c.next != "",
		Assets: c.assets, Shots: c.shots, Chosen: chosen, Titles: func(agent string) string { return f.core.agent(agent).Title },
	}
}
