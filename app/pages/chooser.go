package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// AddFile implements components.ChooserPort.
func (s *Studio) AddFile() { browser.Click(pickerID) }

// ChooseFile implements components.ChooserPort.
func (s *Studio) ChooseFile(a atelier.Asset) {
	slot, at := s.slot, s.slotAt
	if slot == model.Further.Name {
		s.toggleFurther(a)
		return
	}
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
	if slot != model.Further.Name {
		s.CloseDialog(assetsID)
	}
	s.bringResult(shot, last, slot, at)
}

// renderAssets is the content of the dialog with the files that were brought before, and the results that were made.
func (s *Studio) renderAssets() []app.UI {
	media := s.wanted()
	var chosen []atelier.AssetID
	if s.slot == "" || s.slot == model.Further.Name {
		for _, a := range s.form.Photos(s.asset) {
			if a != nil {
				chosen = append(chosen, a.ID)
			}
		}
	}
	view := s.view(words.AssetsAdd(mediaWords[media].one), words.AssetsNone(mediaWords[media].one), chosen...)
	if s.slot == model.Further.Name {
		view.Several, view.Done = words.FurtherChosen(len(chosen)), func() { s.CloseDialog(assetsID) }
	}
	return view.Body(s)
}
