package pages

import (
	"context"

	"atelier/app/model"
)

// presetPage is how many presets are asked for at a time (Task API, "Agent info": at most 100).
const presetPage = 100

func presetKey(agent, kind string) string { return agent + "|" + kind }

// needPresets reads a kind of preset an agent offers, unless that was done.
func (c *core) needPresets(agent, kind string, more func() bool) {
	if list := c.presets[presetKey(agent, kind)]; list.State == model.Never || list.State == model.Broken {
		c.loadPresets(agent, kind, more)
	}
}

// loadPresets reads the next page of a kind of preset an agent offers, and those after it while more says so.
func (c *core) loadPresets(agent, kind string, more func() bool) {
	key := presetKey(agent, kind)
	list := c.presets[key]
	if list.State != model.Loaded {
		list.State = model.Loading
		c.presets[key] = list
	}
	page := list.Pages + 1
	c.do(func(ctx context.Context) func() {
		answer, err := c.api.Presets(ctx, agent, kind, page, presetPage)
		return func() {
			list := c.presets[key]
			if err != nil {
				if !c.expired(err) {
					list.State, list.Error = model.Broken, sentence(err)
					c.presets[key] = list
				}
				return
			}
			if page != list.Pages+1 {
				return // asked for twice, or the list was begun anew meanwhile
			}
			answer.Page = page
			c.presets[key] = list.Add(answer)
			if !c.presets[key].Last && more() {
				c.loadPresets(agent, kind, more)
			}
		}
	})
}
