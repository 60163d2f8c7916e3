package model

import (
	"encoding/json"
	"slices"
	"strings"

	"atelier/app/words"
	"atelier/catalog"
)

// Shelf is which agents the designer marked and used last, by name. It is a value.
type Shelf struct {
	Starred []string `json:"starred"`
	Recent  []string `json:"recent"` // the latest first
}

// recentAgents is how many agents are remembered as used last.
const recentAgents = 6

// ReadShelf reads what Encode wrote; anything else is an empty shelf.
func ReadShelf(text string) Shelf {
	var s Shelf
	if json.Unmarshal([]byte(text), &s) != nil {
		return Shelf{}
	}
	return s
}

// Encode writes the shelf as text.
func (s Shelf) Encode() string {
	b, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(b)
}

// Star sets or takes the mark of an agent.
func (s Shelf) Star(name string) Shelf {
	if slices.Contains(s.Starred, name) {
		s.Starred = slices.DeleteFunc(slices.Clone(s.Starred), func(n string) bool { return n == name })
		return s
	}
	s.Starred = append(slices.Clone(s.Starred), name)
	return s
}

// Use remembers an agent as the one used last.
func (s Shelf) Use(name string) Shelf {
	rest := slices.DeleteFunc(slices.Clone(s.Recent), func(n string) bool { return n == name })
	s.Recent = append([]string{name}, rest[:min(len(rest), recentAgents-1)]...)
	return s
}

// AgentGroup is a titled part of the list of agents.
type AgentGroup struct {
	Key    string // starred, recent, or the family
	Title  string
	Agents []catalog.Agent
}

// families names the groups of the list, in their order.
var families = [][2]string{
	{"original", words.FamilyOriginal},
	{"A", words.FamilyA},
	{"B", words.FamilyB},
	{"C", words.FamilyC},
	{"D", words.FamilyD},
	{"E", words.FamilyE},
	{"F", words.FamilyF},
	{"G", words.FamilyG},
}

// Group puts the agents that a search finds in their groups: marked ones, those used last, then family by family. With a
// query each agent stands in its family alone, and the family with the best find is the first.
func (s Shelf) Group(agents []catalog.Agent, query string) []AgentGroup {
	found := SearchAgents(agents, query)
	var groups []AgentGroup
	add := func(key, title string, of []catalog.Agent) {
		if len(of) > 0 {
			groups = append(groups, AgentGroup{key, title, of})
		}
	}
	if strings.TrimSpace(query) == "" {
		add("starred", words.AgentsFavourites, named(found, s.Starred))
		add("recent", words.AgentsUsedLast, named(found, s.Recent))
	}
	rest, order := slices.Clone(found), families
	if strings.TrimSpace(query) != "" {
		first := func(family [2]string) int {
			if at := slices.IndexFunc(found, func(a catalog.Agent) bool { return a.Family == family[0] }); at >= 0 {
				return at
			}
			return len(found)
		}
		order = Ordered(order, first)
	}
	for _, family := range order {
		of := func(a catalog.Agent) bool { return a.Family == family[0] }
		add(family[0], family[1], slices.DeleteFunc(slices.Clone(found), func(a catalog.Agent) bool { return !of(a) }))
		rest = slices.DeleteFunc(rest, of)
	}
	add("more", words.AgentsMore, rest)
	return groups
}

func named(agents []catalog.Agent, names []string) []catalog.Agent {
	var out []catalog.Agent
	for _, name := range names {
		for _, a := range agents {
			if a.Name == name {
				out = append(out, a)
			}
		}
	}
	return out
}

// SearchAgents gives the agents in which every word of the query occurs: in what they are called, in what happens to the
// picture, in the name of their family. Those that are called so come first.
func SearchAgents(agents []catalog.Agent, query string) []catalog.Agent {
	words := strings.Fields(strings.ToLower(query))
	called := func(a catalog.Agent) (n int) {
		title, name := strings.ToLower(a.Title), strings.ToLower(a.Name)
		for _, w := range words {
			if strings.Contains(title, w) || strings.Contains(name, w) {
				n++
			}
		}
		if whole := strings.Join(words, " "); n > 0 && (strings.HasPrefix(title, whole) || strings.HasPrefix(name, whole)) {
			n++
		}
		return n
	}
	found := slices.DeleteFunc(slices.Clone(agents), func(a catalog.Agent) bool {
		text := a.Name + " " + a.Title + " " + a.Summary + " " + a.EmbeddedText() + " " + string(a.Makes)
		for _, family := range families {
			if family[0] == a.Family {
				text += " " + family[1]
			}
		}
		for _, p := range a.Params {
			text += " " + p.Title
		}
		text = strings.ToLower(text)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
	return Ordered(found, func(a catalog.Agent) int { return -called(a) })
}
