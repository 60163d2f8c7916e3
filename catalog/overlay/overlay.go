// Package overlay reads the operator's catalog file: agents added in the shape of others, agents changed, agents hidden, the
// names an account gives to engines and values. What it gives is a whole catalog or an error that names every problem with
// its line and column.
package overlay

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"atelier/catalog"
)

// Apply gives the agents as the file changes them. Base is the agents of the documents and stays as it is; file is how
// problems name the file, data is YAML (docs/overlay.example.yaml shows every word of it). An error lists all problems,
// one a line, and there are no agents then.
func Apply(base []catalog.Agent, file string, data []byte) ([]catalog.Agent, error) {
	r := &report{file: file}
	root := r.parse(data)
	o := overlay{report: r, base: base, hidden: map[string]bool{}}
	if len(r.problems) == 0 && root.kind != nothing {
		o.read(root)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return o.agents(), nil
}

// overlay is a file being read.
type overlay struct {
	*report
	base    []catalog.Agent
	hidden  map[string]bool
	changed map[string]catalog.Agent
	added   []catalog.Agent
}

func (o *overlay) agents() []catalog.Agent {
	var out []catalog.Agent
	for _, a := range o.base {
		if o.hidden[a.Name] {
			continue
		}
		if changed, ok := o.changed[a.Name]; ok {
			a = changed
		}
		out = append(out, a)
	}
	return append(out, o.added...)
}

func (o *overlay) read(root value) {
	if !o.is(root, mapping, "the file") {
		return
	}
	o.changed = map[string]catalog.Agent{}
	known := map[string]func(value){"hide": o.hide, "change": o.change, "add": o.add}
	for _, key := range []string{"hide", "change", "add"} { // what is hidden gives its name free
		for _, p := range root.pairs {
			if p.key == key {
				known[key](p.value)
			}
		}
	}
	for _, p := range root.pairs {
		if known[p.key] == nil {
			o.refuse(p.at, "%s is no part of a catalog file; its parts are hide, change and add", quoted(p.key))
		}
	}
	if len(o.problems) == 0 && len(o.agents()) == 0 {
		o.refuse(root.at, "every agent is hidden, so that none is left")
	}
}

func (o *overlay) find(name string) (catalog.Agent, bool) {
	i := slices.IndexFunc(o.base, func(a catalog.Agent) bool { return a.Name == name })
	if i < 0 {
		return catalog.Agent{}, false
	}
	return o.base[i], true
}

func (o *overlay) hide(v value) {
	if v.kind == nothing || !o.is(v, list, "hide") {
		return
	}
	for _, item := range v.items {
		name, ok := o.word(item, "the name of an agent to hide", maxName)
		if !ok {
			continue
		}
		if _, known := o.find(name); !known {
			o.refuse(item.at, "there is no agent %s to hide", quoted(name))
		}
		if o.hidden[name] {
			o.refuse(item.at, "%s is hidden twice", name)
		}
		o.hidden[name] = true
	}
}

func (o *overlay) change(v value) {
	if v.kind == nothing || !o.is(v, mapping, "change") {
		return
	}
	for _, p := range v.pairs {
		a, known := o.find(p.key)
		switch {
		case !known:
			o.refuse(p.at, "there is no agent %s to change; agents of your own are given under add", quoted(p.key))
		case o.hidden[p.key]:
			o.refuse(p.at, "%s is hidden, so there is nothing to change", p.key)
		case o.is(p.value, mapping, "what changes of "+p.key):
			o.changed[p.key] = o.edited(a, p.value)
		}
	}
}

func (o *overlay) add(v value) {
	if v.kind == nothing || !o.is(v, list, "add") {
		return
	}
	for _, item := range v.items {
		if o.is(item, mapping, "an agent to add") {
			o.addOne(item)
		}
	}
}

// agentName is the form of identifiers: those of the documents have it.
var agentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

const (
	maxName    = 64
	maxTitle   = 80
	maxSummary = 300
	maxHelp    = 300
	maxWord    = 100
)

func (o *overlay) addOne(v value) {
	given := map[string]value{}
	rest := value{at: v.at, kind: mapping}
	for _, p := range v.pairs {
		if p.key == "name" || p.key == "like" {
			given[p.key] = p.value
		} else {
			rest.pairs = append(rest.pairs, p)
		}
	}
	name, like := given["name"], given["like"]
	if name.kind == nothing {
		o.refuse(v.at, "an agent to add needs its name")
	}
	if like.kind == nothing {
		o.refuse(v.at, "an agent to add needs an agent it is like")
	}
	if name.kind == nothing || like.kind == nothing {
		return
	}
	for _, needed := range []string{"title", "summary"} {
		if !slices.ContainsFunc(rest.pairs, func(p pair) bool { return p.key == needed }) {
			o.refuse(v.at, "%s needs a %s", quoted(name.text), needed)
		}
	}
	shape, ok := o.shape(like)
	if !ok {
		return
	}
	if id, ok := o.word(name, "a name", maxName); ok {
		o.nameIt(&shape, id, name.at)
	}
	o.added = append(o.added, o.edited(shape, rest))
}

func (o *overlay) shape(like value) (catalog.Agent, bool) {
	name, ok := o.word(like, "like", maxName)
	if !ok {
		return catalog.Agent{}, false
	}
	shape, known := o.find(name)
	if !known {
		o.refuse(like.at, "there is no agent %s to be like; `atelier agents` lists them", quoted(name))
		return shape, false
	}
	// The task surface knows its five agents by name: what is like one of them is an agent of the run surface alone.
	shape.Surfaces = []catalog.Surface{catalog.Run}
	return shape, true
}

func (o *overlay) nameIt(a *catalog.Agent, name string, at place) {
	if !agentName.MatchString(name) {
		o.refuse(at, "the name %s is not made of letters, digits, -, _ and .", quoted(name))
	}
	o.decent(name, at)
	if _, known := o.find(name); known && !o.hidden[name] {
		o.refuse(at, "there is an agent %s already; hide it, or write under change", name)
	}
	if slices.ContainsFunc(o.added, func(other catalog.Agent) bool { return other.Name == name }) {
		o.refuse(at, "two agents are named %s", name)
	}
	a.Name, a.Like = name, a.Model()
}

// decent refuses words that say an agent undresses or sexualises people.
func (o *overlay) decent(text string, at place) {
	if part := denied(text); part != "" {
		o.refuse(at, "agents that undress or sexualise people are not offered here (%s)", quoted(part))
	}
}

// badText says what is wrong with a text that designers read, "" when nothing is.
func badText(s string, most int) string {
	switch {
	case strings.TrimSpace(s) == "":
		return "is empty"
	case utf8.RuneCountInString(s) > most:
		return fmt.Sprintf("has %d characters; at most %d are allowed", utf8.RuneCountInString(s), most)
	case s != strings.TrimSpace(s):
		return "begins or ends with blanks"
	case strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) || !utf8.ValidString(s):
		return "holds characters that cannot be shown"
	}
	return ""
}

// quoted shows what stands in the file, shortened so that a problem stays a line.
func quoted(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		s = string(runes[:60]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
