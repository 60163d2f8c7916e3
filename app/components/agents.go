package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/catalog"
)

// AgentButton shows the agent that is chosen and opens the list of all.
func AgentButton(a catalog.Agent, open app.EventHandler) app.UI {
	return El("button", "type", "button", "class", "agent-button", "data-testid", "agent-button", "aria-haspopup", "dialog").OnClick(open).Body(
		El("span", "class", "agent-button__text").Body(
			Text("span", "agent-button__title", a.Title),
			Text("span", "agent-button__summary", a.Summary),
		),
		El("span", "class", "agent-button__side").Body(Text("code", "wire", a.Name), SmallIcon("down")),
	)
}

// AgentPicker is the content of the dialog with every agent.
type AgentPicker struct {
	app.Compo
	Agents []catalog.Agent
	Chosen string
	query  string
	port   AgentPort
}

// AgentPort hears which agent was chosen.
type AgentPort interface {
	ChooseAgent(name string)
}

// NewAgentPicker makes a picker.
func NewAgentPicker(agents []catalog.Agent, chosen string, port AgentPort) *AgentPicker {
	return &AgentPicker{Agents: agents, Chosen: chosen, port: port}
}

// families names the groups of the list, in their order.
var families = [][2]string{
	{"original", "Fashion and product"},
	{"A", "One photo in, pictures out"},
	{"B", "Several photos in, one picture out"},
	{"C", "Posters, logos and layouts"},
	{"D", "General pictures"},
	{"E", "Video out of pictures"},
	{"F", "Video"},
	{"G", "People, moving"},
}

// Render implements app.Composer.
func (p *AgentPicker) Render() app.UI {
	groups := []app.UI{}
	found := SearchAgents(p.Agents, p.query)
	for _, family := range append(families, [2]string{"", "More"}) {
		rows := []app.UI{}
		for _, a := range found {
			if a.Family == family[0] || family[0] == "" && !known(a.Family) {
				rows = append(rows, p.row(a))
			}
		}
		if len(rows) > 0 {
			groups = append(groups, El("section", "class", "agents__group").Body(
				Text("h3", "agents__family", family[1]), Box("agents__rows", rows...)))
		}
	}
	if len(groups) == 0 {
		groups = append(groups, Text("p", "preset-browser__none", "No agent is called that. Try what should happen: “scene”, “pose”, “cut out”."))
	}
	return Box("agents",
		Search("agent-search", "Search "+model.Plural(len(p.Agents), "agent", "agents"), p.query, p.onQuery),
		Box("agents__list", groups...),
	)
}

func known(family string) bool {
	for _, f := range families {
		if f[0] == family {
			return true
		}
	}
	return false
}

func (p *AgentPicker) row(a catalog.Agent) app.UI {
	kind := app.UI(app.Text(""))
	if a.Makes == catalog.MakesVideo {
		kind = Text("span", "tag", "Video")
	}
	return El("button", "type", "button", "class", "agents__row", "data-testid", "agent-"+a.Name, "aria-pressed", Bool(a.Name == p.Chosen)).
		OnClick(func(app.Context, app.Event) { p.port.ChooseAgent(a.Name) }, Scope(a.Name)).Body(
		El("span", "class", "agents__title").Body(Text("span", "", a.Title), Text("code", "wire", a.Name), kind),
		Text("span", "agents__summary", a.Summary),
	)
}

func (p *AgentPicker) onQuery(_ app.Context, e app.Event) { p.query = textOf(e) }

// SearchAgents gives the agents in which every word of the query occurs.
func SearchAgents(agents []catalog.Agent, query string) []catalog.Agent {
	words := strings.Fields(strings.ToLower(query))
	var found []catalog.Agent
next:
	for _, a := range agents {
		text := strings.ToLower(a.Name + " " + a.Title + " " + a.Summary)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		found = append(found, a)
	}
	return found
}
