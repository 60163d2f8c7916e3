package pages

import (
	"context"
	"encoding/json"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/atelier"
)

// marksKey is where a browser kept which presets were marked, before the studio's server did.
const marksKey = "atelier.presets.marked"

// loadFavourites reads which presets the designer marked. What this browser kept itself is taken over, once. Without an answer the
// presets stand in their own order.
func (c *core) loadFavourites() {
	kept := model.KeptMarks(browser.Load(marksKey))
	c.do(func(ctx context.Context) func() {
		read := c.api.Favourites
		if len(kept) > 0 {
			read = func(ctx context.Context) ([]atelier.Favourite, error) {
				return c.api.ChangeFavourites(ctx, atelier.ChangeFavourites{Add: kept})
			}
		}
		list, err := read(ctx)
		return func() {
			if err != nil {
				c.expired(err)
				return
			}
			browser.Save(marksKey, "")
			c.favour(model.MarksOf(list))
		}
	})
}

func (c *core) favour(marks model.Marks) {
	c.favourites = marks
	c.favoured++
}

// mark marks a preset, or takes its mark.
func (c *core) mark(p atelier.Preset) {
	f, on := atelier.FavouriteOf(p), !c.favourites.Has(p)
	change := atelier.ChangeFavourites{Remove: []atelier.Favourite{f}}
	if on {
		change = atelier.ChangeFavourites{Add: change.Remove}
	}
	c.favour(c.favourites.With(f, on))
	c.marking++
	c.do(func(ctx context.Context) func() {
		_, err := c.api.ChangeFavourites(ctx, change)
		return func() {
			c.marking--
			if err != nil {
				c.favour(c.favourites.With(f, !on))
				c.failed(err)
			}
		}
	})
	c.change()
}

// takeFavourites follows what was marked in another window. While a mark of this one is on its way the answer may not know it yet.
func (c *core) takeFavourites(data json.RawMessage) {
	var list atelier.FavouriteList
	if c.marking == 0 && json.Unmarshal(data, &list) == nil {
		c.favour(model.MarksOf(list.Favourites))
	}
}

// presetsOf are the presets of a kind as far as they are read, the marked ones first.
func (c *core) presetsOf(agent, kind string) model.PresetList {
	return c.presets[presetKey(agent, kind)].Favour(c.favourites)
}

// presetNames are those of the presets that runs were made with, as far as they are read.
func (c *core) presetNames(runs []atelier.Run) map[atelier.RunID]string {
	names := map[atelier.RunID]string{}
	for _, run := range runs {
		if told := model.PresetNames(c.agent(run.Agent), run.Values, c.presetsOf); told != "" {
			names[run.ID] = told
		}
	}
	return names
}
