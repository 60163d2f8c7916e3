package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// The choices of the filter bar. A space stands for no choice: an option without a value would hand on its title.
var (
	views = []components.Choice{
		{Value: " ", Title: words.FilterViewResults}, {Value: model.ViewRuns, Title: words.FilterViewRuns}, {Value: model.ViewDuplicates, Title: words.FilterViewDuplicates}, {Value: model.ViewTrash, Title: words.FilterViewTrash},
	}
	statuses = []components.Choice{
		{Value: " ", Title: words.FilterAnyStatus},
		{Value: string(atelier.Success), Title: words.FilterDone},
		{Value: string(atelier.Running), Title: words.FilterRunning},
		{Value: string(atelier.Segmenting), Title: words.FilterSegmenting},
		{Value: string(atelier.Pending), Title: words.FilterQueued},
		{Value: string(atelier.StateUnconfirmed), Title: words.FilterUnconfirmed},
		{Value: string(atelier.Failed), Title: words.FilterFailed},
	}
	orders = []components.Choice{
		{Value: " ", Title: words.FilterNewest},
		{Value: string(atelier.SortOldest), Title: words.FilterOldest},
		{Value: string(atelier.SortRating), Title: words.FilterBestRated},
		{Value: string(atelier.SortFidelity), Title: words.FilterLeastChanged},
	}
	ratings = []components.Choice{
		{Value: " ", Title: words.FilterAnyRating},
		{Value: "1", Title: words.FilterStars(1)},
		{Value: "2", Title: words.FilterStars(2)},
		{Value: "3", Title: words.FilterStars(3)},
		{Value: "4", Title: words.FilterStars(4)},
		{Value: "5", Title: words.FilterStars(5)},
	}
	picks = []components.Choice{
		{Value: " ", Title: words.FilterPickedOrNot},
		{Value: atelier.PickYes, Title: words.FilterPicked},
		{Value: atelier.PickNo, Title: words.FilterRejected},
		{Value: atelier.PickNone, Title: words.FilterNotDecided},
	}
	tileSizes = []components.Choice{
		{Value: model.TileSmall, Title: words.FilterTileSmall, Help: words.FilterTileSmallTip}, {Value: model.TileMedium, Title: words.FilterTileMedium, Help: words.FilterTileMediumTip}, {Value: model.TileLarge, Title: words.FilterTileLarge, Help: words.FilterTileLargeTip},
	}
)

func (g *Gallery) renderFilter() app.UI {
	f := g.filter
	lists := f.View == model.ViewResults || f.View == model.ViewRuns
	open := g.panel && lists
	others := g.others()
	return components.El("header", "class", "bar filter").Body(
		components.If(f.Searches(), func() app.UI { return components.Search(searchID, words.FilterSearch, f.Query, g.onQuery) }),
		components.Box("filter__choices",
			components.If(others || len(g.core.shownBoards) > 0, g.renderPeople),
			components.If(!others, func() app.UI {
				return g.choice("filter-view", words.FilterView, views, f.View, func(f *model.Filter, v string) { *f = f.In(v) })
			}),
			components.If(lists, func() app.UI {
				return g.choice("filter-sort", words.FilterOrder, g.orders(), string(f.Sort), func(f *model.Filter, v string) { f.Sort, f.At = atelier.Sort(v), "" })
			}),
			components.If(lists, func() app.UI {
				return components.El("button", "type", "button", "class", "chip", "data-testid", "filter-more", "aria-expanded", components.Bool(open),
					"aria-controls", "filter-panel", "aria-pressed", components.Bool(!f.Empty())).OnClick(g.onPanel).
					Body(components.SmallIcon("filter"), components.Text("span", "filter__word", words.FilterMore))
			}),
			components.If(!f.Empty(), func() app.UI {
				return components.Button("", words.FilterShowAll, "button--link").Attr("data-testid", "filter-clear").OnClick(g.onReset)
			}),
		),
		components.El("span", "class", "filter__count", "id", countID, "aria-live", "polite", "data-testid", "gallery-count").Text(g.counted()),
		components.El("div", "class", "filter__look").Hidden(f.View == model.ViewDuplicates).Body( // copies stand in groups of one size
			components.Segmented(words.FilterTileSize, tileSizes, f.Tile, func(v string) {
				f := g.filter
				f.Tile = v
				g.set(f)
			}),
			components.IconButton("image", words.FilterWhole, "").Attr("aria-pressed", components.Bool(f.Whole)).Attr("data-testid", "filter-whole").OnClick(g.onWhole),
		),
		g.renderPanel(open),
	)
}

// renderPanel holds the filters that are not needed every time.
func (g *Gallery) renderPanel(open bool) app.UI {
	panel := components.El("div", "class", "filter__panel", "id", "filter-panel", "data-testid", "filter-panel").Hidden(!open)
	if !open {
		return panel
	}
	months := components.If(len(g.months) > 1, g.renderMonthChoice)
	f := g.filter
	agents := []components.Choice{{Value: " ", Title: words.FilterAnyAgent}}
	for _, a := range g.core.agents {
		agents = append(agents, components.Choice{Value: a.Name, Title: a.Title})
	}
	boards := []components.Choice{{Value: " ", Title: words.FilterAnyBoard}}
	for _, b := range g.boards() {
		boards = append(boards, components.Choice{Value: string(b.ID), Title: b.Name})
	}
	others := g.others() // what they think of their results is theirs
	rating := ""
	if f.Rating > 0 {
		rating = words.Number(f.Rating)
	}
	return panel.Body(months,
		g.choice("filter-agent", words.FilterAgent, agents, f.Agent, func(f *model.Filter, v string) { f.Agent = v }),
		g.choice("filter-status", words.FilterStatus, statuses, string(f.Status), func(f *model.Filter, v string) {
			if f.Status = atelier.Status(v); v == string(atelier.StateUnconfirmed) && !others {
				*f = f.In(model.ViewRuns) // they have no results
			}
		}),
		components.If(!others, func() app.UI {
			return g.choice("filter-rating", words.FilterRating, ratings, rating, func(f *model.Filter, v string) {
				f.Rating = 0
				if v != "" {
					f.Rating = int(v[0] - '0')
				}
			})
		}),
		components.If(!others, func() app.UI {
			return g.choice("filter-pick", words.FilterPick, picks, f.Pick, func(f *model.Filter, v string) { f.Pick = v })
		}),
		g.choice("filter-board", words.FilterBoard, boards, string(f.Board), func(f *model.Filter, v string) { f.Board = atelier.BoardID(v) }),
		g.date("filter-from", words.From, f.From, func(f *model.Filter, v string) { f.From = v }),
		g.date("filter-to", words.To, f.To, func(f *model.Filter, v string) { f.To = v }),
		components.If(!others, func() app.UI {
			return g.mark("filter-starred", "heart", words.FilterStarred, f.Starred, func(f *model.Filter) { f.Starred = !f.Starred })
		}),
		g.mark("filter-changed", "alert", words.ProductChanged, f.Changed, func(f *model.Filter) { f.Changed = !f.Changed }),
		g.mark("filter-apart", "info", words.NoComparison, f.Apart, func(f *model.Filter) { f.Apart = !f.Apart }),
	)
}

func (g *Gallery) counted() string {
	switch {
	case g.state != model.Loaded && !g.turning:
		return ""
	case g.filter.View == model.ViewDuplicates:
		return words.GalleryGroups(g.groups(), g.down.more)
	case g.filter.View == model.ViewTrash:
		return words.TrashCount(g.list.Len(), g.down.more)
	case g.filter.View == model.ViewRuns:
		return words.GalleryRuns(g.list.Len(), g.down.more)
	}
	return words.GalleryResults(max(g.list.Len(), g.total), g.uncounted())
}

// choice is a list of which one is chosen; change puts it into the filter.
func (g *Gallery) choice(id, label string, choices []components.Choice, value string, change func(*model.Filter, string)) app.UI {
	options := make([]app.UI, len(choices))
	for i, c := range choices {
		chosen := c.Value == value || c.Value == " " && value == ""
		options[i] = components.El("option", "value", c.Value, "selected", components.Bool(chosen)).Text(c.Title)
	}
	return components.El("select", "id", id, "class", "input", "aria-label", label, "data-testid", id).OnChange(func(_ app.Context, e app.Event) {
		f := g.filter
		change(&f, picked(e))
		g.set(f)
	}, components.Scope(id)).Body(options...)
}

func picked(e app.Event) string {
	if v := e.Get("target").Get("value").String(); v != " " {
		return v
	}
	return ""
}

func (g *Gallery) date(id, label, value string, change func(*model.Filter, string)) app.UI {
	return components.El("label", "class", "filter__date").Body(
		components.Text("span", "", label),
		components.Void("input", "type", "date", "id", id, "class", "input", "data-testid", id, "value", value).OnChange(func(_ app.Context, e app.Event) {
			f := g.filter
			change(&f, picked(e))
			f.At = ""
			g.set(f)
		}, components.Scope(id)))
}

func (g *Gallery) mark(id, icon, label string, set bool, change func(*model.Filter)) app.UI {
	return components.El("button", "type", "button", "class", "chip", "data-testid", id, "aria-pressed", components.Bool(set)).OnClick(func(app.Context, app.Event) {
		f := g.filter
		change(&f)
		g.set(f)
	}, components.Scope(id)).Body(components.SmallIcon(icon), components.Text("span", "", label))
}

func (g *Gallery) onPanel(app.Context, app.Event) { g.panel = !g.panel }

func (g *Gallery) onWhole(app.Context, app.Event) {
	f := g.filter
	f.Whole = !f.Whole
	g.set(f)
}

func (g *Gallery) onReset(app.Context, app.Event) {
	g.set(g.filter.Cleared())
	g.showFilter()
}

// onQuery waits for a pause in the typing before it asks.
func (g *Gallery) onQuery(ctx app.Context, e app.Event) {
	text := e.Get("target").Get("value").String()
	g.typing++
	typing := g.typing
	g.ctx.After(searchPause, func(app.Context) {
		if typing == g.typing {
			f := g.filter
			f.Query = text
			g.set(f)
		}
	})
}
