package model

import (
	"slices"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// MostPhotos is of how many photos a form is run at once, the one on the stage among them.
const MostPhotos = 100

// A press asks once more before it makes more results, or starts more runs, than these.
const (
	UnaskedResults = 8
	UnaskedRuns    = 4
)

// Further is the file field for more photos of which the same is made, a run of each. It is the studio's own: neither the catalog nor
// the image service knows it.
var Further = catalog.File{Name: "furtherPhotos", Title: words.FurtherTitle, Help: words.FurtherHelp, Media: catalog.Image, Max: MostPhotos - 1}

// File is the file field of that name, Further included where the agent works on a photo.
func (f Form) File(name string) (catalog.File, bool) {
	if on, _ := f.Works(); on && name == Further.Name {
		return Further, true
	}
	return f.Agent.File(name)
}

// Photos are those a run is made of: the one on the stage, nil where the agent works on none or has none, then the further ones.
func (f Form) Photos(stage *atelier.Asset) []*atelier.Asset {
	photos := []*atelier.Asset{stage}
	if on, _ := f.Works(); !on || stage == nil {
		return photos
	}
	for _, a := range f.Files[Further.Name] {
		photos = append(photos, &a)
	}
	return photos
}

// Of is the form as it is run of a further photo. One of another size than the one on the stage stands in the middle of the canvas of an
// expansion: where it was put by hand holds for the size it was put at.
func (f Form) Of(photo, stage *atelier.Asset) Form {
	if photo == nil || stage == nil || photo.Width == stage.Width && photo.Height == stage.Height {
		return f
	}
	if _, expands := f.Expansion(stage.Width, stage.Height); expands {
		return f.With("fillLeft", nil).With("fillTop", nil)
	}
	return f
}

// FurtherSlot is the field of the further photos as it stands; ok is false where the agent works on no photo.
func (f Form) FurtherSlot(s Source) (slot Slot, ok bool) {
	if on, _ := f.Works(); !on {
		return Slot{}, false
	}
	slot = Slot{File: Further, Assets: f.Files[Further.Name], Most: Further.Max, Ours: true}
	slot.Room = max(0, slot.Most-len(slot.Assets))
	if s.Asset != nil {
		slot.Problem = f.againstFurther(s)
	}
	return slot, true
}

// againstFurther says what keeps the first of the further photos that cannot be run from being so, when that is not what keeps the one
// on the stage from it.
func (f Form) againstFurther(s Source) string {
	said := ""
	if p := FirstRefusal(f.Problems(s)); p != nil {
		said = p.Message
	}
	for _, photo := range f.Files[Further.Name] {
		of := s
		of.Asset = &photo
		if p := FirstRefusal(f.Of(&photo, s.Asset).Problems(of)); p != nil && p.Message != said {
			return words.FurtherAgainst(photo.Name, p.Message)
		}
		if f.cuts(photo) && !f.cuts(*s.Asset) {
			return words.FurtherCut(photo.Name, photo.Width, photo.Height)
		}
	}
	return ""
}

// cuts says whether a picture is larger than the canvas it is to stand on.
func (f Form) cuts(a atelier.Asset) bool {
	e, ok := f.Expansion(a.Width, a.Height)
	return ok && (a.Width > e.Width || a.Height > e.Height)
}

// WithFurther adds a photo to the further ones, or takes out one that is among them. The one on the stage is not added, nor is what there
// is no room for.
func (f Form) WithFurther(a atelier.Asset, stage *atelier.Asset) Form {
	list := slices.Clone(f.Files[Further.Name])
	at := slices.IndexFunc(list, func(b atelier.Asset) bool { return b.ID == a.ID })
	switch {
	case at >= 0:
		return f.WithFiles(Further.Name, slices.Delete(list, at, at+1))
	case stage != nil && stage.ID == a.ID || len(list) >= Further.Max:
		return f
	}
	return f.WithFiles(Further.Name, append(list, a))
}
