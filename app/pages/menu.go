package pages

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// What stands before the key of a thing that has a menu: a result or run in the strip, on the wall, in the lightbox; a run; a photo.
const (
	menuCard  = "card:"
	menuRun   = "run:"
	menuTile  = "tile:"
	menuSeen  = "seen:"
	menuAsset = "asset:"
	menuStage = "stage:" // the photo that is on the stage
)

// menu is the context menu: whose it is, and what can be done.
type menu struct {
	open  bool
	title string
	x, y  string // where it is asked for, as CSS lengths
	items []components.MenuItem
	do    []func()
}

// add adds an action.
func (m *menu) add(name, icon, title string, do func()) {
	m.items, m.do = append(m.items, components.MenuItem{Name: name, Icon: icon, Title: title}), append(m.do, do)
}

// part has what is added next stand apart from what was.
func (m *menu) part(add func()) {
	n := len(m.items)
	if add(); len(m.items) > n {
		m.items[n].Apart = n > 0
	}
}

// askMenu opens the menu of what is asked for.
func (c *core) askMenu(ask browser.MenuAsk) {
	if c.menu.open || c.access != signedIn {
		c.CloseMenu()
		return
	}
	kind, key, _ := strings.Cut(ask.Of, ":")
	px := func(n float64) string { return words.Decimal(n, 0) + "px" }
	m := menu{open: true, x: px(ask.X), y: px(ask.Y)}
	switch kind + ":" {
	case menuTile:
		if c.tileMenu != nil {
			shots, open := c.tileMenu(key)
			c.shotsMenu(&m, shots, open)
		}
	case menuCard:
		shots := c.runs.Shots()
		c.shotsMenu(&m, shotAt(shots, key), func() { c.openCard(key) })
	case menuRun:
		if run, ok := c.runs.Find(atelier.RunID(key)); ok {
			c.shotsMenu(&m, []model.Shot{model.Cover(run)}, func() { c.openCard(string(model.Cover(run).Result.ID)) })
		}
	case menuSeen:
		c.shotsMenu(&m, shotAt(c.viewer.shots(), key), nil)
	case menuAsset:
		c.assetMenu(&m, atelier.AssetID(key), false)
	case menuStage:
		c.assetMenu(&m, atelier.AssetID(key), true)
	}
	if len(m.items) == 0 {
		return
	}
	c.menu = m
	drawn(c.ui, func() {
		browser.OpenModal(components.MenuID)
		browser.Focus(components.MenuItemID(0))
	})
	c.change()
}

// shotAt is the shot with a key, alone, or nothing.
func shotAt(shots []model.Shot, key string) []model.Shot {
	if i := slices.IndexFunc(shots, func(s model.Shot) bool { return s.Key() == key }); i >= 0 {
		return shots[i : i+1]
	}
	return nil
}

// shotsMenu offers what can be done with results and runs.
func (c *core) shotsMenu(m *menu, shots []model.Shot, open func()) {
	if len(shots) == 0 {
		return
	}
	one, all := shots[0], results(shots)
	m.title = c.agent(one.Run.Agent).Title
	if len(shots) > 1 {
		m.title = words.MenuSeveral(len(shots))
	}
	if len(shots) == 1 && one.Trashed() {
		return
	}
	mine := c.designs() && !one.Others()
	if len(all) > 0 && len(shots) == 1 {
		if open != nil {
			m.add("open", "full", words.MenuOpen, open)
		}
		if r := all[0].Result; !one.Stack {
			m.add("download", "download", words.LightboxDownload, func() { browser.Download(r.File + "?download=1") })
			if c.designs() && c.use != nil {
				m.add("use", components.Pick(model.IsVideo(r), "film", "image"), words.ResultUse, func() {
					c.shutLightbox()
					c.use(all[0], false)
					c.ui.Navigate("/")
				})
			}
		}
	}
	if len(all) > 0 {
		m.add("deliver", "download", words.ResultDeliver, func() { c.openDelivery(all) })
	}
	if !mine {
		return
	}
	if len(all) > 0 {
		m.part(func() { c.verdictMenu(m, all) })
	}
	m.part(func() { c.runMenu(m, shots) })
	m.part(func() {
		m.add("trash", "trash", components.Pick(one.Result.ID != "" && !one.Stack, words.ResultTrash, words.RunTrash), func() {
			if c.viewer.open {
				c.TrashShown()
				return
			}
			c.trash(shots)
		})
	})
}

// verdictMenu offers what may be thought of results.
func (c *core) verdictMenu(m *menu, all []model.Shot) {
	first := all[0].Result
	starred := !first.Starred
	m.add("favourite", "heart", components.Pick(starred, words.LightboxStar, words.MenuUnstar), func() { c.judge(all, atelier.UpdateResults{Starred: &starred}) })
	for _, v := range []struct{ pick, icon, title string }{{atelier.PickYes, "flag", words.MenuPick}, {atelier.PickNo, "close", words.MenuReject}} {
		pick, title := v.pick, v.title
		if first.Pick == pick {
			pick, title = "", words.MenuNoVerdict
		}
		m.add(v.pick, v.icon, title, func() { c.judge(all, atelier.UpdateResults{Pick: &pick}) })
	}
	m.add("board", "board", words.ResultBoard, func() { c.openBoards(all) })
}

// runMenu offers what can be done with runs: to end those that are not made, and to make others like them.
func (c *core) runMenu(m *menu, shots []model.Shot) {
	var runs model.Runs
	for _, s := range shots {
		run := s.Run
		if newest, ok := c.runs.Find(run.ID); ok {
			run = newest
		}
		if _, there := runs.Find(run.ID); !there {
			runs = append(runs, run)
		}
	}
	run := runs[0]
	open := runs.Cancellable(c.embedded())
	switch {
	case len(open) > 0:
		m.add("cancel", "close", components.Pick(len(runs) > 1, words.RunsCancel(len(open)), words.RunCancelThis), func() { c.CancelRuns(open) })
		if all := c.runs.Batch(run).Cancellable(c.embedded()); len(runs) == 1 && len(all) > 1 {
			m.add("cancel-all", "close", words.RunsCancel(len(all)), func() { c.CancelRuns(all) })
		}
	case len(runs) == 1 && run.State == atelier.StateAccepted && !run.Status.Terminal():
		m.add("cancel", "close", words.RunCancelThis, func() {})
		m.items[len(m.items)-1].Off = words.RunNotBack
	}
	if len(runs) > 1 {
		return
	}
	if run.Cancelled && run.ExecutionID == "" {
		m.add("restore", "undo", words.RunUncancel, func() { c.uncancel([]atelier.RunID{run.ID}) })
	}
	if tone := model.RunTone(run); tone == model.Bad || tone == model.Off {
		m.add("retry", "retry", words.Retry, func() { c.RetryRun(run.ID) })
	}
	m.add("recall", "recall", words.ResultRecall, func() { c.RecallRun(run.ID) })
}

// assetMenu offers what can be done with a photo, which may be on the stage.
func (c *core) assetMenu(m *menu, id atelier.AssetID, onStage bool) {
	i := slices.IndexFunc(c.assets, func(a atelier.Asset) bool { return a.ID == id })
	if i < 0 {
		return
	}
	a := c.assets[i]
	m.title = a.Name
	if c.openAsset != nil && c.designs() && !onStage {
		m.add("open", "image", words.MenuOpenPhoto, func() { c.openAsset(a) })
	}
	m.add("download", "download", words.LightboxDownload, func() { browser.Download(a.File + "?download=1") })
}

func (c *core) renderMenu() app.UI {
	if !c.menu.open {
		return components.Menu(words.MenuTitle, nil, "0px", "0px", c)
	}
	return components.Menu(c.menu.title, c.menu.items, c.menu.x, c.menu.y, c)
}

// CloseMenu implements components.MenuPort.
func (c *core) CloseMenu() {
	if !c.menu.open {
		return
	}
	c.menu.open = false
	browser.CloseModal(components.MenuID)
	c.change()
}

// ChooseItem implements components.MenuPort.
func (c *core) ChooseItem(at int) {
	if at >= len(c.menu.items) || c.menu.items[at].Off != "" {
		return
	}
	do := c.menu.do[at]
	c.CloseMenu()
	do()
	c.change()
}

// menuKey takes a key while the menu is open: arrows go from item to item, Escape and Tab close it.
func (c *core) menuKey(k browser.Key) bool {
	if k.Up {
		return false
	}
	n := len(c.menu.items)
	switch k.Key {
	case "ArrowDown":
		if !browser.MoveFocus(components.MenuItems, 1) {
			browser.Focus(components.MenuItemID(0))
		}
	case "ArrowUp":
		if !browser.MoveFocus(components.MenuItems, -1) {
			browser.Focus(components.MenuItemID(n - 1))
		}
	case "Home":
		browser.Focus(components.MenuItemID(0))
	case "End":
		browser.Focus(components.MenuItemID(n - 1))
	case "Escape", "Tab":
		c.CloseMenu()
	case "Enter", " ":
		return false // the item takes it
	}
	return true
}
