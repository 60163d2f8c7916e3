package model

import (
	"slices"
	"strings"

	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// PresetList is what is known of one kind of preset of one agent.
type PresetList struct {
	State   Load
	Error   string // why the first page cannot be had, or the next one
	Presets []atelier.Preset
	Total   int
	Pages   int  // pages loaded
	Last    bool // nothing is left to load
}

// Add takes in the next page.
func (l PresetList) Add(page atelier.PresetPage) PresetList {
	l.Presets = append(slices.Clone(l.Presets), page.Presets...)
	l.Pages, l.Total, l.State, l.Error = page.Page, max(page.Total, len(l.Presets)), Loaded, ""
	l.Last = page.LastPage || len(page.Presets) == 0
	return l
}

// Favour puts the presets that are marked before the others.
func (l PresetList) Favour(m Marks) PresetList {
	l.Presets = m.First(l.Presets)
	return l
}

// First gives the first n presets; the chosen one is always among them.
func (l PresetList) First(chosen int64, n int) []atelier.Preset {
	out := slices.Clone(l.Presets[:min(n, len(l.Presets))])
	if chosen == 0 || slices.ContainsFunc(out, func(p atelier.Preset) bool { return p.ID == chosen }) {
		return out
	}
	for _, p := range l.Presets {
		if p.ID == chosen && len(out) > 0 {
			out[len(out)-1] = p
		}
	}
	return out
}

// Name is the name of a preset, "" when it is not in the list.
func (l PresetList) Name(id int64) string {
	for _, p := range l.Presets {
		if p.ID == id {
			return p.Name
		}
	}
	return ""
}

// NameOf is the name of a preset, none when nothing is chosen.
func (l PresetList) NameOf(id int64, none string) string {
	if id == 0 {
		return none
	}
	switch name := l.Name(id); {
	case name != "":
		return name
	case !l.Last:
		return words.ValueNumber(words.Number(int(id))) // it may be on a page that is not here yet
	}
	return words.PresetGone
}

// Tags lists the tags the presets carry, by name.
func (l PresetList) Tags() []atelier.Tag {
	var tags []atelier.Tag
	for _, p := range l.Presets {
		for _, t := range p.Tags {
			if slices.Contains(tags, t) {
				continue
			}
			at := 0
			for at < len(tags) && tags[at].Name < t.Name {
				at++
			}
			tags = slices.Insert(tags, at, t)
		}
	}
	return tags
}

// Search gives the presets whose name, category, tag or style contains every word of the query, and that carry a tag; 0
// stands for any.
func (l PresetList) Search(query string, tag int64) []atelier.Preset {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 && tag == 0 {
		return l.Presets
	}
	var found []atelier.Preset
	for _, p := range l.Presets {
		if tag != 0 && !slices.ContainsFunc(p.Tags, func(t atelier.Tag) bool { return t.ID == tag }) {
			continue
		}
		text := strings.ToLower(p.Name + " " + p.Style + " " + strings.Join(p.Categories, " "))
		for _, t := range p.Tags {
			text += " " + strings.ToLower(t.Name)
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, p)
		}
	}
	return found
}

// PresetNames are the names of the presets among the values of an agent, as far as the lists of them are read.
func PresetNames(a catalog.Agent, values map[string]any, lists func(agent, kind string) PresetList) string {
	var names []string
	for _, p := range a.Params {
		if id, ok := values[p.Name].(float64); ok && p.Kind == catalog.Preset {
			if name := lists(a.Name, p.PresetKind).Name(int64(id)); name != "" {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, " · ")
}

// TitleWith is the title of one of several runs of a file: its name without the ending, and those of the presets. It is never longer than
// titles may be, as names of files are not longer than 150 characters.
func TitleWith(file, presets string) string {
	if presets == "" {
		return file
	}
	if runes := []rune(presets); len(runes) > 45 {
		presets = string(runes[:45])
	}
	return atelier.WithoutEnding(file) + " · " + presets
}
