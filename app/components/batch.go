package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// BatchPort changes which photos are worked on.
type BatchPort interface {
	PickSlot(name string, at int)
	OnlyStage()
}

// batchShown is how many photos of a batch are shown; a photo more would not fit the screen of a phone.
const batchShown = 5

// Batch lists the photos that the next run is made of, at least two, the one on the stage first.
func Batch(photos []*atelier.Asset, port BatchPort) app.UI {
	n := len(photos)
	thumbs := []app.UI{}
	for i, photo := range photos[:min(n, batchShown)] {
		image := Void("img", "class", "batch__thumb", "src", Thumb(photo.Thumb, 80), "alt", "")
		if i == 0 {
			thumbs = append(thumbs, El("span", "class", "batch__photo", "aria-current", "true", "title", photo.Name).Body(image))
			continue
		}
		thumbs = append(thumbs, El("button", "type", "button", "class", "batch__photo", "aria-label", words.BatchWorkOn(photo.Name),
			"title", photo.Name).OnClick(func(app.Context, app.Event) { port.PickSlot(model.Further.Name, i-1) }, Scope(i, photo.ID)).Body(image))
	}
	if n > batchShown {
		thumbs = append(thumbs, Text("span", "batch__more", words.BatchMore(n-batchShown)))
	}
	return El("div", "class", "stage__batch", "role", "group", "aria-label", words.BatchPhotos(n), "data-testid", "batch").Body(
		Text("span", "batch__count", words.BatchPhotos(n)),
		Box("batch__photos", thumbs...),
		IconButton("close", words.BatchOnly, "").Attr("data-testid", "batch-only").
			OnClick(func(app.Context, app.Event) { port.OnlyStage() }),
	)
}
