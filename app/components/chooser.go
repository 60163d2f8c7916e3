package components

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// Chooser is the content of the dialog in which a file is chosen: one that was brought before, or a result that was made. The
// server finds them by kind and by words, page by page.
type Chooser struct {
	Media   catalog.Media
	Add     string // names the way to a file that is not here yet
	None    string // what is said while none was brought
	Results bool   // earlier results in place of files that were brought
	Query   string
	State   model.Load // of the first page
	Problem string     // why a page cannot be had, the first or the next
	Paging  bool       // the next page is on its way
	More    bool       // there are other pages
	Assets  []atelier.Asset
	Shots   []model.Shot
	Chosen  []atelier.AssetID
	Several string // says how many are chosen where that may be several, "" where one choice ends it
	Done    func() // ends a choice of several
	Titles  func(agent string) string
}

// ChooserPort hears what happens in the dialog.
type ChooserPort interface {
	AddFile()
	ChooseFile(a atelier.Asset)
	ChooseShot(shot model.Shot, last bool)
	ChooseFrom(results bool)
	SearchFiles(text string)
	MoreFiles()
	ReloadFiles()
}

// The elements of Chooser that the focus goes to.
const (
	ChooserAddID  = "asset-add"
	ChooserMoreID = "asset-more"
)

// ChoiceID is the element of what stands at a place of the dialog, the first is 0.
func ChoiceID(at int) string { return "choice-" + words.Number(at) }

// choicesWaiting is how many places are shown while nothing is there yet.
const choicesWaiting = 12

// Body is the dialog's content.
func (c Chooser) Body(port ChooserPort) []app.UI {
	bar := []app.UI{Search("asset-search", Pick(c.Results, words.FilterSearch, words.AssetsSearch), c.Query,
		func(_ app.Context, e app.Event) { port.SearchFiles(textOf(e)) })}
	if c.Media != catalog.Audio {
		bar = append(bar, Segmented(words.AssetsWhereFrom, []Choice{
			{Value: "mine", Title: words.AssetsMine}, {Value: "results", Title: words.AssetsResults},
		}, Pick(c.Results, "results", "mine"), func(value string) { port.ChooseFrom(value == "results") }))
	}
	bar = append(bar, El("span", "class", "assets__count", "role", "status", "data-testid", "asset-count").Text(c.counted()))
	return []app.UI{Box("assets__pane", Box("assets__bar", bar...), c.grid(port), c.foot(port),
		If(c.Several != "", func() app.UI {
			return Box("assets__done", El("span", "role", "status", "data-testid", "chosen-count").Text(c.Several),
				Button("", words.FurtherDone, "button--primary").Attr("data-testid", "choose-done").OnClick(func(app.Context, app.Event) { c.Done() }))
		}))}
}

// size is how many there are to choose from so far.
func (c Chooser) size() int { return max(len(c.Shots), len(c.Assets)) }

// waits says that nothing is known yet of what there is to choose from.
func (c Chooser) waits() bool {
	return c.State == model.Never || c.State == model.Loading || c.Paging && c.size() == 0
}

// counted says how many there are to choose from.
func (c Chooser) counted() string {
	switch {
	case c.State == model.Broken:
		return ""
	case c.waits():
		return words.Loading
	}
	return words.AssetsCount(c.size(), c.More)
}

func (c Chooser) grid(port ChooserPort) app.UI {
	cells := []app.UI{}
	if !c.Results {
		cells = append(cells, El("button", "type", "button", "class", "asset asset--add", "id", ChooserAddID, "data-testid", "asset-add").
			OnClick(func(app.Context, app.Event) { port.AddFile() }).Body(Icon("plus"), Text("span", "", c.Add)))
	}
	switch {
	case c.State == model.Broken:
		cells = append(cells, El("div", "class", "assets__none", "role", "alert").Body(
			Text("p", "", c.Problem), Button("retry", words.TryAgain, "").OnClick(func(app.Context, app.Event) { port.ReloadFiles() })))
	case c.waits():
		for range choicesWaiting {
			cells = append(cells, Box("asset skeleton"))
		}
	case c.size() == 0 && !c.More:
		cells = append(cells, Text("p", "assets__none", c.nothing()))
	case c.Results:
		for i, shot := range c.Shots {
			cells = append(cells, c.shot(i, shot, port))
		}
	default:
		for i, a := range c.Assets {
			cells = append(cells, c.asset(i, a, port))
		}
	}
	return El("div", "class", "assets", "role", "group", "data-rows", "true", "aria-label", Pick(c.Results, words.AssetsResults, words.AssetsMine),
		"aria-busy", Bool(c.State == model.Loading || c.Paging)).Body(cells...)
}

// nothing says that there is nothing to choose from, and what to do.
func (c Chooser) nothing() string {
	switch {
	case c.Query != "":
		return words.AssetsNotFound
	case c.Results:
		return words.AssetsNothing
	}
	return c.None
}

// foot is the way to the next page.
func (c Chooser) foot(port ChooserPort) app.UI {
	if c.State != model.Loaded || !c.More {
		return Box("pager")
	}
	label := words.AssetsMore
	switch {
	case c.Paging:
		label = words.Loading
	case c.Problem != "":
		label = words.TryAgain
	}
	return Box("pager",
		If(c.Problem != "", func() app.UI {
			return El("p", "class", "assets__problem", "role", "alert").Body(SmallIcon("alert"), Text("span", "", c.Problem))
		}),
		Button("", label, "").Attr("id", ChooserMoreID).Attr("data-testid", "asset-more").Attr("aria-disabled", Bool(c.Paging)).
			OnClick(func(app.Context, app.Event) { port.MoreFiles() }))
}

func (c Chooser) asset(at int, a atelier.Asset, port ChooserPort) app.UI {
	picture := app.UI(Void("img", "class", "asset__picture", "src", Thumb(a.Thumb, 320), "alt", "", "loading", "lazy", "draggable", "false"))
	switch model.MediaOf(a) {
	case catalog.Video:
		picture = Poster(atelier.Result{File: a.File, Thumb: a.Thumb}, 320, "asset__picture")
	case catalog.Audio:
		picture = El("span", "class", "asset__sound").Body(Icon("sound"), Text("span", "", words.MediaFacts(a)))
	}
	return El("button", "type", "button", "class", "asset", "id", ChoiceID(at), "data-testid", "asset", "data-asset", string(a.ID), "data-menu", "asset:"+string(a.ID),
		"aria-pressed", Bool(slices.Contains(c.Chosen, a.ID)), "title", words.AssetFacts(a.Name, words.MediaFacts(a))).
		OnClick(func(app.Context, app.Event) { port.ChooseFile(a) }, Scope(a.ID)).
		Body(picture, Text("span", "asset__name", a.Name))
}

// shot is a result; of a video, for a place that takes pictures, its last frame.
func (c Chooser) shot(at int, shot model.Shot, port ChooserPort) app.UI {
	r := shot.Result
	last := model.IsVideo(r) && c.Media == catalog.Image
	title, address := c.Titles(shot.Run.Agent), r.Thumb
	if last {
		title, address = words.AssetsLastFrame(title), r.LastFrame
	}
	picture := app.UI(Void("img", "class", "asset__picture", "src", Thumb(address, 320), "alt", "", "loading", "lazy", "draggable", "false"))
	if model.IsVideo(r) && !last {
		picture = Poster(r, 320, "asset__picture")
	}
	return El("button", "type", "button", "class", "asset", "id", ChoiceID(at), "data-testid", "asset-result", "data-result", string(r.ID),
		"data-last", Bool(last), "title", words.AssetFacts(title, shot.Run.Title)).
		OnClick(func(app.Context, app.Event) { port.ChooseShot(shot, last) }, Scope(r.ID, last)).
		Body(picture, Text("span", "asset__name", title))
}
