package pages

import (
	"context"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

const (
	paletteID    = "palette"
	paletteInput = "palette-input"
)

// palette is the list of everything that can be gone to or done, found by typing.
type palette struct {
	typed   string
	at      int // the command that Enter takes
	found   []atelier.Run
	asked   int
	busy    bool              // the runs are being searched
	problem string            // why they could not be
	follow  map[string]func() // what the commands do
}

func (c *core) togglePalette() {
	if c.review.dialog == paletteID {
		c.closeReview()
		return
	}
	c.review.palette = palette{}
	c.openReview(paletteID)
	drawn(c.ui, func() {
		browser.SetValue(paletteInput, "")
		browser.Focus(paletteInput)
	})
}

// commands lists what the palette offers now: pages and actions, agents, runs.
func (c *core) commands() []model.Command {
	p := &c.review.palette
	p.follow = map[string]func(){}
	var list []model.Command
	add := func(cmd model.Command, do func()) {
		list = append(list, cmd)
		p.follow[cmd.ID] = do
	}
	goTo := func(id, icon, title, hint, address string) {
		add(model.Command{ID: id, Icon: icon, Title: title, Hint: hint, Words: words.PaletteFindPages}, func() {
			c.shutAll()
			c.ui.Navigate(address)
		})
	}
	goTo("studio", "studio", words.PageStudio, "", "/")
	goTo("gallery", "gallery", words.PageGallery, c.keymap.Tip(model.DoGallery), model.GalleryAsLeft)
	goTo("boards", "board", words.PageBoards, "", "/boards")
	goTo("library", "library", words.PageLibrary, "", "/library")
	goTo("tasks", "tasks", words.PageTasks, "", "/tasks")
	goTo("runs", "layers", words.PaletteRuns, words.PageGallery, model.Filter{View: model.ViewRuns}.Address())
	goTo("picked", "flag", words.PalettePicked, words.PageGallery, model.Filter{Pick: atelier.PickYes}.Address())
	goTo("changed", "alert", words.PaletteChanged, words.PageGallery, model.Filter{Changed: true}.Address())
	goTo("duplicates", "copy", words.PaletteDuplicates, words.PageGallery, model.Filter{View: model.ViewDuplicates}.Address())
	goTo("trash", "trash", words.PaletteTrash, words.PageGallery, model.Filter{View: model.ViewTrash}.Address())
	for _, action := range c.actions {
		if action.ID != newBoard && action.ID != reviewLinks || c.designs() {
			add(action.Command, action.do)
		}
	}
	for _, b := range c.boards {
		if !c.leaving[b.ID] {
			goTo("board-"+string(b.ID), "board", b.Name, words.PaletteBoard, model.Filter{Board: b.ID}.Address())
		}
	}
	for _, b := range c.shownBoards {
		goTo("board-"+string(b.ID), "board", b.Name, words.ShownBy(b.Owner.Name), model.Filter{User: b.Owner.ID, Board: b.ID}.Address())
	}
	for _, a := range c.agents {
		add(model.Command{ID: "agent-" + a.Name, Icon: "mark", Title: a.Title, Hint: words.PaletteAgent, Words: a.Name + " " + a.Summary}, func() {
			if c.chooseAgent != nil {
				c.chooseAgent(a.Name)
			}
			c.shutAll()
			c.ui.Navigate("/")
		})
	}
	for _, run := range append(p.found, c.runs[:min(len(c.runs), 20)]...) {
		id := "run-" + string(run.ID)
		if p.follow[id] != nil {
			continue
		}
		title := run.Title
		if title == "" {
			title = c.agent(run.Agent).Title
		}
		text, _ := run.Values["textDescription"].(string)
		add(model.Command{ID: id, Icon: "clock", Title: title, Hint: words.Ago(c.minute(), run.CreatedAt), Words: run.Agent + " " + text + " " + p.matched(run)}, func() {
			c.showRun(run)
		})
	}
	return list
}

// matched lets a run that the server found stay in the list, whatever it was found by.
func (p *palette) matched(run atelier.Run) string {
	for _, r := range p.found {
		if r.ID == run.ID {
			return p.typed
		}
	}
	return ""
}

// putAway closes the desk and the lightbox: something else takes the keys.
func (c *core) putAway() {
	c.CloseDesk()
	c.CloseLightbox()
}

// action is something the palette can do that is not a page.
type action struct {
	model.Command
	do func()
}

func (c *core) onPaletteType(_ app.Context, e app.Event) {
	p := &c.review.palette
	p.typed, p.at = e.Get("target").Get("value").String(), 0
	p.asked++
	asked := p.asked
	c.rev++
	query := strings.TrimSpace(p.typed)
	p.busy, p.problem = len(query) >= 3, ""
	if !p.busy {
		p.found = nil
		return
	}
	c.ui.After(250*time.Millisecond, func(app.Context) {
		if asked != c.review.palette.asked {
			return
		}
		c.do(func(ctx context.Context) func() {
			page, err := c.api.Runs(ctx, atelier.RunFilter{Query: query, Limit: 8})
			return func() {
				p := &c.review.palette
				switch {
				case asked != p.asked:
				case err != nil: // without it the palette has the recent runs
					p.busy, p.problem = false, sentence(err)
				default:
					p.busy, p.found = false, page.Runs
				}
			}
		})
	})
}

func (c *core) paletteKey(k browser.Key) bool {
	if k.Up || k.Ctrl || k.Alt {
		return false
	}
	p := &c.review.palette
	shown := model.Match(c.commands(), p.typed)
	switch k.Key {
	case "Escape":
		c.closeReview()
	case "ArrowDown", "ArrowUp":
		p.at = max(min(p.at+index(k.Key == "ArrowDown")-index(k.Key == "ArrowUp"), len(shown)-1), 0)
		drawn(c.ui, func() { browser.Reveal(paletteItem(p.at), false) })
	case "Enter":
		if p.at < len(shown) {
			c.runCommand(shown[p.at].ID)
		}
	default:
		return false
	}
	c.change()
	return true
}

func (c *core) runCommand(id string) {
	do := c.review.palette.follow[id]
	c.closeReview()
	if do != nil {
		c.post(do)
	}
}

// paletteItem is the id of the n-th command in the list.
func paletteItem(n int) string { return "palette-" + words.Number(n) }

func (c *core) renderPalette() app.UI {
	dialog := components.El("dialog", "id", paletteID, "class", "dialog palette", "aria-label", words.PaletteTitle).OnClick(func(_ app.Context, e app.Event) {
		if target := e.Get("target"); target.Truthy() && target.Get("id").Truthy() && target.Get("id").String() == paletteID {
			c.closeReview()
		}
	})
	if c.review.dialog != paletteID {
		return dialog.Body()
	}
	p := &c.review.palette
	shown := model.Match(c.commands(), p.typed)
	items := make([]app.UI, len(shown))
	active := ""
	for i, cmd := range shown {
		if i == p.at {
			active = paletteItem(i)
		}
		items[i] = components.El("div", "class", "palette__item", "role", "option", "id", paletteItem(i), "aria-selected", components.Bool(i == p.at), "data-command", cmd.ID).
			OnClick(func(app.Context, app.Event) { c.runCommand(cmd.ID) }, components.Scope(cmd.ID)).
			Body(components.Icon(cmd.Icon), components.Text("span", "palette__title", cmd.Title), components.Text("span", "palette__hint", cmd.Hint))
	}
	note := components.Pick(p.busy, words.Loading, words.PaletteNothing)
	if p.problem != "" {
		note = p.problem
	}
	return dialog.Body(components.Box("palette__box",
		components.Box("search", components.Icon("search"),
			components.Void("input", "id", paletteInput, "class", "input palette__input", "placeholder", words.PalettePlaceholder, "aria-label", words.PaletteLabel, "role", "combobox",
				"aria-expanded", "true", "aria-controls", "palette-list", "aria-activedescendant", active, "autocomplete", "off", "spellcheck", "false", "data-testid", "palette-input").OnInput(c.onPaletteType)),
		components.El("div", "class", "palette__list", "id", "palette-list", "role", "listbox", "aria-label", words.PaletteTitle).Body(items...),
		components.El("p", "class", "palette__none", "role", "status").Hidden(len(shown) > 0 && p.problem == "").Text(note),
	))
}
