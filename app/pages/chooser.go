package pages

import (
	"context"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
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

// ask begins the list anew.
func (s *Studio) ask(results bool, query string) {
	s.chooser = chooser{results: results, query: query, state: model.Loading, asked: s.chooser.asked + 1}
	s.readChoices()
}

// readChoices reads the next page.
func (s *Studio) readChoices() {
	c, media := s.chooser, s.wanted()
	s.core.do(func(ctx context.Context) func() {
		page, err := s.choices(ctx, c, media)
		return func() {
			if s.chooser.asked != c.asked {
				return
			}
			s.answered(page, err)
			s.update()
		}
	})
}

func (s *Studio) choices(ctx context.Context, c chooser, media catalog.Media) (page chosenFrom, err error) {
	if !c.results {
		got, err := s.core.api.Assets(ctx, atelier.AssetFilter{Kind: string(media), Query: c.query, Cursor: c.next, Limit: choicesPerPage})
		return chosenFrom{assets: got.Assets, next: got.NextCursor}, err
	}
	got, err := s.core.api.Results(ctx, atelier.RunFilter{
		Status: atelier.Success, Fits: atelier.Fits(media), Query: c.query, Cursor: c.next, Limit: choicesPerPage,
	})
	for _, r := range got.Results {
		page.shots = append(page.shots, model.Listed(r))
	}
	page.shots, page.next = model.Viewable(page.shots), got.NextCursor
	return page, err
}

// answered takes in a page, or that it cannot be had.
func (s *Studio) answered(page chosenFrom, err error) {
	c := &s.chooser
	first := c.state == model.Loading
	c.paging, c.problem = false, ""
	if err != nil {
		if !s.core.expired(err) {
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
		s.MoreFiles() // nothing of that page is stored yet
		return
	}
	if !first && browser.FocusedID() == components.ChooserMoreID {
		s.ctx.Defer(func(app.Context) { browser.Focus(components.ChoiceID(had)) })
	}
}

// MoreFiles implements components.ChooserPort.
func (s *Studio) MoreFiles() {
	if s.chooser.paging || s.chooser.state == model.Loading || s.chooser.next == "" {
		return
	}
	s.chooser.paging = true
	s.readChoices()
}

// ReloadFiles implements components.ChooserPort.
func (s *Studio) ReloadFiles() { s.ask(s.chooser.results, s.chooser.query) }

// ChooseFrom implements components.ChooserPort: the words stay, they may be meant for the other list.
func (s *Studio) ChooseFrom(results bool) { s.ask(results, s.chooser.query) }

// SearchFiles implements components.ChooserPort: it waits for a pause in the typing before it asks.
func (s *Studio) SearchFiles(text string) {
	s.typing++
	typing := s.typing
	s.ctx.After(searchPause, func(app.Context) {
		if typing == s.typing && s.dialog == assetsID {
			s.ask(s.chooser.results, text)
		}
	})
}

// AddFile implements components.ChooserPort.
func (s *Studio) AddFile() { browser.Click(pickerID) }

// ChooseFile implements components.ChooserPort.
func (s *Studio) ChooseFile(a atelier.Asset) {
	slot, at := s.slot, s.slotAt
	s.CloseDialog(assetsID)
	delete(s.order, a.ID)
	s.place(a, slot, at)
	if slot == "" {
		browser.Focus(stageID)
	}
}

// ChooseShot implements components.ChooserPort.
func (s *Studio) ChooseShot(shot model.Shot, last bool) {
	slot, at := s.slot, s.slotAt
	s.CloseDialog(assetsID)
	s.bringResult(shot, last, slot, at)
}

// renderAssets is the content of the dialog with the files that were brought before, and the results that were made.
func (s *Studio) renderAssets() []app.UI {
	c, media := s.chooser, s.wanted()
	chosen := atelier.AssetID("")
	if s.slot == "" && s.asset != nil {
		chosen = s.asset.ID
	}
	return components.Chooser{
		Media: media, Add: words.AssetsAdd(mediaWords[media].one), None: words.AssetsNone(mediaWords[media].one),
		Results: c.results, Query: c.query, State: c.state, Problem: c.problem, Paging: c.paging, More: c.next != "",
		Assets: c.assets, Shots: c.shots, Chosen: chosen, Titles: func(agent string) string { return s.core.agent(agent).Title },
	}.Body(s)
}
