package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
)

// statuses are the filters by how a run ended.
var statuses = []components.Choice{
	{Value: " ", Title: "Any status"},
	{Value: string(atelier.Success), Title: "Done"},
	{Value: string(atelier.Running), Title: "Running"},
	{Value: string(atelier.Pending), Title: "Queued"},
	{Value: string(atelier.Failed), Title: "Failed"},
}

func (g *Gallery) renderFilter() app.UI {
	agents := []components.Choice{{Value: " ", Title: "Any agent"}}
	for _, a := range g.core.agents {
		agents = append(agents, components.Choice{Value: a.Name, Title: a.Title})
	}
	return components.El("header", "class", "bar filter").Body(
		components.Search("gallery-search", "Search descriptions and names", g.filter.Query, g.onQuery),
		components.Box("filter__choices",
			choose("filter-agent", "Agent", agents, g.filter.Agent, g.onAgent),
			choose("filter-status", "Status", statuses, string(g.filter.Status), g.onStatus),
			components.El("button", "type", "button", "class", "chip", "data-testid", "filter-starred",
				"aria-pressed", components.Bool(g.filter.Starred)).OnClick(g.onStarred).Body(components.SmallIcon("star"), components.Text("span", "", "Starred")),
			components.If(!g.filter.Empty(), func() app.UI {
				return components.Button("", "Show all", "button--link").OnClick(g.onReset)
			}),
		),
		components.El("span", "class", "filter__count", "aria-live", "polite").Text(g.counted()),
	)
}

func (g *Gallery) counted() string {
	if g.state != model.Loaded {
		return ""
	}
	text := model.Plural(len(g.shots()), "result", "results")
	if g.cursor != "" {
		text += " and more"
	}
	return text
}

func choose(id, label string, choices []components.Choice, value string, change app.EventHandler) app.UI {
	options := make([]app.UI, len(choices))
	for i, c := range choices {
		chosen := c.Value == value || c.Value == " " && value == ""
		options[i] = components.El("option", "value", c.Value, "selected", components.Bool(chosen)).Text(c.Title)
	}
	return components.El("select", "id", id, "class", "input", "aria-label", label, "data-testid", id).OnChange(change).Body(options...)
}

func picked(e app.Event) string {
	if v := e.Get("target").Get("value").String(); v != " " {
		return v
	}
	return ""
}

func (g *Gallery) onAgent(_ app.Context, e app.Event) {
	f := g.filter
	f.Agent = picked(e)
	g.set(f)
}

func (g *Gallery) onStatus(_ app.Context, e app.Event) {
	f := g.filter
	f.Status = atelier.Status(picked(e))
	g.set(f)
}

func (g *Gallery) onStarred(app.Context, app.Event) {
	f := g.filter
	f.Starred = !f.Starred
	g.set(f)
}

func (g *Gallery) onReset(app.Context, app.Event) {
	g.set(model.Filter{})
	browser.SetValue("gallery-search", "")
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
