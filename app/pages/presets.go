package pages

import (
	"context"
	"slices"
	"strings"

	"atelier/app/model"
)

// presetPage is how many presets are asked for at a time (Task API, "Agent info": at most 100).
const presetPage = 100

func presetKey(agent, kind string) string { return agent + "|" + kind }

// presetLoad is a kind of preset that is being read, and who wants more of it after each page.
type presetLoad struct{ wanted []func() bool }

func (l *presetLoad) goesOn() bool {
	return slices.ContainsFunc(l.wanted, func(more func() bool) bool { return more() })
}

// needPresets reads a kind of preset an agent offers, unless that was done: the first page, and those after it while more says so.
func (c *core) needPresets(agent, kind string, more func() bool) {
	if list := c.presets[presetKey(agent, kind)]; list.State != model.Loaded || !list.Last && more() {
		c.loadPresets(agent, kind, more)
	}
}

// loadPresets reads the next page of a kind of preset an agent offers, and those after it while more says so. Where the page is on
// its way already, only more is remembered.
func (c *core) loadPresets(agent, kind string, more func() bool) {
	key := presetKey(agent, kind)
	if load := c.presetLoads[key]; load != nil {
		load.wanted = append(load.wanted, more)
		return
	}
	load := &presetLoad{wanted: []func() bool{more}}
	if c.presetLoads == nil {
		c.presetLoads = map[string]*presetLoad{}
	}
	c.presetLoads[key] = load
	list := c.presets[key]
	if list.Error = ""; list.State != model.Loaded {
		list.State = model.Loading
	}
	c.presets[key] = list
	c.readPresets(agent, kind, load)
}

// outdate forgets what was read of a kind of preset, of all agents: there are others now.
func (c *core) outdate(kind string) {
	for key := range c.presets {
		if strings.HasSuffix(key, presetKey("", kind)) {
			delete(c.presets, key)
			delete(c.presetLoads, key)
		}
	}
	c.favoured++
}

func (c *core) readPresets(agent, kind string, load *presetLoad) {
	key := presetKey(agent, kind)
	page := c.presets[key].Pages + 1
	c.do(func(ctx context.Context) func() {
		answer, err := c.api.Presets(ctx, agent, kind, page, presetPage)
		return func() {
			if c.presetLoads[key] != load {
				return // the list was begun anew meanwhile
			}
			list := c.presets[key]
			if err != nil {
				delete(c.presetLoads, key)
				if !c.expired(err) {
					if list.Error = sentence(err); list.Pages == 0 {
						list.State = model.Broken // else what is here stays
					}
					c.presets[key] = list
				}
				return
			}
			answer.Page = page
			c.presets[key] = list.Add(answer)
			if !c.presets[key].Last && load.goesOn() {
				c.readPresets(agent, kind, load)
				return
			}
			delete(c.presetLoads, key)
		}
	})
}
