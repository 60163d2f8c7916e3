package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/catalog"
)

// AgentButtonID is the element of AgentButton.
const AgentButtonID = "agent-button"

// AgentButton shows the agent that is chosen and opens the list of all.
func AgentButton(a catalog.Agent, open app.EventHandler) app.UI {
	return El("button", "type", "button", "class", "agent-button", "id", AgentButtonID, "data-testid", "agent-button", "aria-haspopup", "dialog").OnClick(open).Body(
		El("span", "class", "agent-button__text").Body(
			Text("span", "agent-button__title", a.Title),
			Text("span", "agent-button__summary", a.Summary),
		),
		El("span", "class", "agent-button__side").Body(Text("code", "wire", a.Name), SmallIcon("down")),
	)
}

// AgentPicker is the content of the dialog with every agent: a search, the groups, and a row for each agent. The arrow keys
// go from row to row, letters go to the search, Enter takes the first that is found.
type AgentPicker struct {
	app.Compo
	Agents   []catalog.Agent
	Chosen   string
	Shelf    model.Shelf
	Embedded bool   // the embedded service does the work
	NoVideo  string // why videos cannot be made here, "" when they can
	query    string
	group    string // the key of the only group shown, "" for all
	how      string // the agent whose explanation is open, "" for none
	port     AgentPort
}

// AgentPort hears what happens in the list of agents.
type AgentPort interface {
	ChooseAgent(name string)
	StarAgent(name string)
}

// NewAgentPicker makes a picker from its fields.
func NewAgentPicker(p AgentPicker, port AgentPort) *AgentPicker {
	return &AgentPicker{Agents: p.Agents, Chosen: p.Chosen, Shelf: p.Shelf, Embedded: p.Embedded, NoVideo: p.NoVideo, port: port}
}

const agentSearchID = "agent-search"

// Render implements app.Composer.
func (p *AgentPicker) Render() app.UI {
	all := p.Shelf.Group(p.Agents, p.query)
	links := []app.UI{p.link("", words.AgentsAll, len(model.SearchAgents(p.Agents, p.query)))}
	groups := []app.UI{}
	for _, g := range all {
		links = append(links, p.link(g.Key, g.Title, len(g.Agents)))
		if p.group != "" && p.group != g.Key && p.query == "" {
			continue
		}
		rows := make([]app.UI, len(g.Agents))
		for i, a := range g.Agents {
			rows[i] = p.row(a)
		}
		groups = append(groups, El("section", "class", "agents__group", "aria-label", g.Title).Body(
			Text("h3", "agents__family", g.Title), Box("agents__rows", rows...)))
	}
	if len(groups) == 0 {
		groups = append(groups, Text("p", "preset-browser__none", words.AgentsNothing))
	}
	search := Search(agentSearchID, words.AgentsSearch(len(p.Agents)), p.query, p.onQuery)
	return El("div", "class", "agents").OnKeyDown(p.onKey).OnKeyUp(p.onKeyUp).Body(
		search,
		El("div", "class", "agents__nav", "role", "toolbar", "aria-orientation", "vertical", "aria-label", words.AgentsGroups).Body(links...),
		El("div", "class", "agents__list", "id", "agents-list", "tabindex", "-1", "role", "group", "aria-label", words.StudioAgents).Body(groups...),
	)
}

// link shows one group alone.
func (p *AgentPicker) link(key, title string, n int) app.UI {
	return El("button", "type", "button", "class", "agents__link", "aria-pressed", Bool(p.group == key && p.query == ""), "data-testid", "agents-"+Pick(key == "", "all", key)).
		OnClick(func(app.Context, app.Event) {
			p.group, p.query = key, ""
			browser.SetValue(agentSearchID, "")
			browser.ScrollTo("agents-list", 0)
		}, Scope(key)).
		Body(Text("span", "", title), Text("span", "agents__count", words.Count(n)))
}

func (p *AgentPicker) row(a catalog.Agent) app.UI {
	tags := []app.UI{Text("span", "", a.Title), Text("code", "wire", a.Name)}
	does := app.UI(app.Text(""))
	switch video := a.Makes == catalog.MakesVideo; {
	case video && p.NoVideo != "" && a.MakesBy != "":
		does = El("span", "class", "agents__does agents__does--not").Body(SmallIcon("alert"), Text("span", "", words.AgentsPicturesOnly(p.NoVideo)))
	case video && p.NoVideo != "":
		does = El("span", "class", "agents__does agents__does--not").Body(SmallIcon("alert"), Text("span", "", p.NoVideo))
	case p.Embedded && a.Embedded != "":
		does = El("span", "class", "agents__does").Body(SmallIcon("info"), Text("span", "", words.Does(a.Exact, a.Caveat())))
	}
	if a.Makes == catalog.MakesVideo {
		tags = append(tags, El("span", "class", "tag").Body(SmallIcon("film"), Text("span", "", words.AgentsVideo)))
	}
	starred := false
	for _, name := range p.Shelf.Starred {
		starred = starred || name == a.Name
	}
	star := IconButton("heart", words.Favourite(a.Title), "")
	if starred {
		star = star.Body(FilledIcon("heart"))
	}
	return El("div", "class", "agents__item", "data-chosen", Bool(a.Name == p.Chosen)).Body(
		El("button", "type", "button", "class", "agents__row", "data-testid", "agent-"+a.Name, "aria-current", Bool(a.Name == p.Chosen)).
			OnClick(func(app.Context, app.Event) { p.port.ChooseAgent(a.Name) }, Scope(a.Name)).Body(
			Example(a),
			El("span", "class", "agents__text").Body(
				El("span", "class", "agents__title").Body(tags...),
				Text("span", "agents__summary", a.Summary),
				does,
			),
		),
		If(p.Embedded && a.HowItWorks() != "" && (p.NoVideo == "" || a.Makes != catalog.MakesVideo),
			func() app.UI { return p.explanation(a) }),
		star.Class("agents__star").Attr("aria-pressed", Bool(starred)).Attr("data-testid", "star-"+a.Name).
			OnClick(func(app.Context, app.Event) { p.port.StarAgent(a.Name) }, Scope(a.Name, starred)),
	)
}

// explanation is HowItWorks for an agent in the list. It stays with its agent when a search moves the rows.
func (p *AgentPicker) explanation(a catalog.Agent) app.UI {
	toggle := func(_ app.Context, e app.Event) {
		e.PreventDefault() // the browser would open the row, whatever agent it shows by then
		p.how = Pick(p.how == a.Name, "", a.Name)
	}
	return howItWorks(a, howSummary(a).OnClick(toggle, Scope(a.Name))).Attr("open", p.how == a.Name)
}

// HowItWorks discloses what the embedded service does for an agent, beyond the caveat.
func HowItWorks(a catalog.Agent) app.UI { return howItWorks(a, howSummary(a)) }

func howItWorks(a catalog.Agent, summary app.UI) app.HTMLElem {
	return El("details", "class", "how", "data-testid", "how-"+a.Name, "aria-label", words.AgentHowLabel(a.Title)).Body(
		summary, Text("p", "how__text", a.HowItWorks()))
}

func howSummary(a catalog.Agent) app.HTMLElem {
	return El("summary", "class", "how__summary", "aria-label", words.AgentHowLabel(a.Title)).
		Body(SmallIcon("right"), Text("span", "", words.AgentHow))
}

// Example is a picture of what an agent makes of a sample. The server has a drawing for agents of the operator.
func Example(a catalog.Agent) app.UI {
	return El("span", "class", "example", "aria-hidden", "true").Body(
		Void("img", "class", "example__picture", "src", "/web/examples/"+a.Name+".webp", "alt", "", "width", "56", "height", "56", "loading", "lazy",
			"decoding", "async", "draggable", "false", "data-optional", "true"),
	)
}

func (p *AgentPicker) onQuery(_ app.Context, e app.Event) { p.query = textOf(e) }

func (p *AgentPicker) onKey(ctx app.Context, e app.Event) {
	const rows = "#" + agentSearchID + ",.agents__row"
	key := e.Get("key").String()
	switch key {
	case "ArrowDown", "ArrowUp":
		if browser.MoveFocus(rows, map[string]int{"ArrowDown": 1, "ArrowUp": -1}[key]) {
			e.PreventDefault()
		}
		ctx.PreventUpdate()
	default:
		// A letter typed anywhere goes on searching.
		if len(key) == 1 && key != " " && !e.Get("ctrlKey").Truthy() && !e.Get("metaKey").Truthy() && !e.Get("altKey").Truthy() {
			browser.Focus(agentSearchID)
		}
		ctx.PreventUpdate()
	}
}

// onKeyUp takes the first agent that is found. When the key goes down would be too early: the list closes, the focus goes
// back to the button that opened it, and the rest of the same key press would open it again.
func (p *AgentPicker) onKeyUp(ctx app.Context, e app.Event) {
	target := e.Get("target").Get("id")
	if p.query == "" || e.Get("key").String() != "Enter" || !target.Truthy() || target.String() != agentSearchID {
		ctx.PreventUpdate()
		return
	}
	if found := p.Shelf.Group(p.Agents, p.query); len(found) > 0 {
		p.port.ChooseAgent(found[0].Agents[0].Name)
	}
}
