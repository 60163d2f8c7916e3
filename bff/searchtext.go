package bff

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"atelier/catalog"
	"atelier/db"
	"atelier/upstream"
)

// searchText is what a search for a run looks through: title, agent, everything the user set as it is and as it is called on screen,
// names of the files.
func (s *Server) searchText(ctx context.Context, run db.Run, files []string) (string, error) {
	agent, _ := s.agent(run.Agent, run.Version)
	words := []string{run.Title, run.Agent, agent.Title}
	for _, name := range slices.Sorted(maps.Keys(run.Values)) {
		values := plain(run.Values[name])
		words = append(words, values...)
		param, _ := agent.Param(name)
		for _, v := range values {
			title, err := s.titleOf(ctx, param, v)
			if err != nil {
				return "", err
			}
			words = append(words, title)
		}
	}
	words = slices.DeleteFunc(append(words, files...), func(w string) bool { return w == "" })
	return strings.ToLower(strings.Join(words, " ")), nil
}

// plain is a value in words: texts and numbers, also those in lists and objects. Yes and no are none.
func plain(value any) (words []string) {
	switch v := value.(type) {
	case string:
		return []string{v}
	case float64:
		return []string{strconv.FormatFloat(v, 'f', -1, 64)}
	case int:
		return []string{strconv.Itoa(v)}
	case json.Number:
		return []string{v.String()}
	case []string:
		return v
	case []any:
		for _, item := range v {
			words = append(words, plain(item)...)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			words = append(words, plain(v[k])...)
		}
	}
	return words
}

// titleOf is what a value of a param is called on screen, "" where it stands for itself.
func (s *Server) titleOf(ctx context.Context, p catalog.Param, value string) (string, error) {
	if p.Kind == catalog.Preset {
		id, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return "", nil
		}
		return s.c.DB.PresetName(ctx, s.jobs.Account(ctx).ID, p.PresetKind, id)
	}
	for _, o := range p.Options {
		if o.Value == value && !strings.EqualFold(o.Title, value) {
			return o.Title, nil
		}
	}
	return "", nil
}

// learnNames remembers what presets are called, those that are not known yet or are called otherwise now: a run that uses one is found
// by its name.
func (s *Server) learnNames(ctx context.Context, info upstream.AgentInfo) error {
	account, found := s.jobs.Account(ctx).ID, map[string]map[int64]string{}
	learn := func(kind string, id int64, name string) {
		if found[kind] == nil {
			found[kind] = map[int64]string{}
		}
		if known, ok := s.presetNames.Load(presetKey{account, kind, id}); name != "" && (!ok || known != name) {
			found[kind][id] = name
		}
	}
	for _, l := range info.Locations {
		learn("locations", l.ID, l.Name)
	}
	for _, m := range info.FashionModels {
		learn("fashionModels", m.ID, m.Name)
	}
	for _, b := range info.Backgrounds {
		learn("backgrounds", b.ID, b.Name)
	}
	for kind, names := range found {
		if len(names) == 0 {
			continue
		}
		if err := s.c.DB.SavePresetNames(ctx, s.jobs.Account(ctx).ID, kind, names); err != nil {
			return err
		}
		for id, name := range names {
			s.presetNames.Store(presetKey{account, kind, id}, name)
		}
	}
	return nil
}

// presetKey names a preset of an account of the image service.
type presetKey struct {
	account, kind string
	id            int64
}
