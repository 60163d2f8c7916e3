package pages

import (
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// onPress does what a press on a part of a tile is for.
func (g *Gallery) onPress(p browser.Press) {
	g.ctx.Dispatch(func(app.Context) {
		switch p.Act {
		case components.TileOpen:
			g.pressTile(p.Of, p.Shift, p.Ctrl)
		case components.TileChoose:
			g.pressTile(p.Of, p.Shift, true)
		case components.TileRetry:
			g.core.RetryRun(atelier.RunID(p.Of))
		case components.TileCancel:
			g.core.CancelRuns([]atelier.RunID{atelier.RunID(p.Of)})
		}
	})
}

// pressTile opens a tile, or chooses it where a key is held or others are chosen.
func (g *Gallery) pressTile(key string, shift, ctrl bool) {
	g.cursor = key
	switch {
	case shift:
		g.chosen.Range(&g.list, key)
	case ctrl || g.chosen.Len() > 0:
		g.chosen.Toggle(key)
	default:
		g.open(key)
	}
	g.core.change()
}

// onMarquee chooses what a rectangle touches.
func (g *Gallery) onMarquee(m browser.Marquee) {
	if g.state != model.Loaded || g.filter.View == model.ViewDuplicates {
		return
	}
	box := model.Place{
		X: min(m.From.X, m.To.X) - wallPad, Y: min(m.From.Y, m.To.Y) - wallPad,
		W: math.Abs(m.To.X - m.From.X), H: math.Abs(m.To.Y - m.From.Y),
	}
	if m.Start {
		g.former = nil
		if m.Add {
			g.former = g.chosen.Keys(&g.list)
		}
	}
	px := func(n float64) string { return words.Decimal(n, 0) + "px" }
	browser.SetStyle(marqueeID, "display", components.Pick(m.Done, "none", "block"))
	browser.SetStyle(marqueeID, "transform", "translate("+px(box.X)+","+px(box.Y)+")")
	browser.SetStyle(marqueeID, "width", px(box.W))
	browser.SetStyle(marqueeID, "height", px(box.H))
	hit := g.rows.Hit(box, g.shape)
	keys := make([]string, len(hit))
	for i, at := range hit {
		keys[i] = g.list.Key(at)
	}
	if g.chosen.Set(g.former, keys...) || m.Done {
		g.ctx.Dispatch(func(app.Context) {})
	}
}

// onKey takes a shortcut of the gallery.
func (g *Gallery) onKey(k browser.Key) bool {
	focused := browser.FocusedID()
	tile := strings.HasPrefix(focused, components.TileID(""))
	action := does(g.core.keymap, k, model.OnWall)
	if action == model.DoAll && g.state == model.Loaded {
		g.chooseAll()
		g.core.change()
		return true
	}
	if action == model.DoSearch && g.filter.Searches() {
		browser.Focus(searchID)
		return true
	}
	if action == model.DoTrash && k.Repeat { // held, it would go on with those that move up
		return true
	}
	if k.Ctrl || k.Alt {
		return g.act(action)
	}
	free := tile || focused == "" || focused == wallID
	switch k.Key {
	case "ArrowLeft":
		return free && g.move(-1, 0, k.Shift)
	case "ArrowRight":
		return free && g.move(1, 0, k.Shift)
	case "ArrowUp":
		return free && g.move(0, -1, k.Shift)
	case "ArrowDown":
		return free && g.move(0, 1, k.Shift)
	case "Home", "End":
		by := g.list.Len()
		if k.Key == "Home" {
			by = -by
		}
		return free && g.move(by, 0, k.Shift)
	case " ":
		if !tile {
			return false
		}
		g.chosen.Toggle(strings.TrimPrefix(focused, components.TileID("")))
		g.core.change()
		return true
	case "Enter":
		if !tile {
			return false
		}
		g.open(strings.TrimPrefix(focused, components.TileID("")))
		return true
	case "Escape":
		if g.chosen.Len() == 0 {
			return false
		}
		g.unchoose()
		g.core.change()
		return true
	}
	return g.act(action)
}

// act does something with what is chosen, or with the tile that has the focus.
func (g *Gallery) act(action string) bool {
	shots := g.targets()
	if len(shots) == 0 || g.filter.View == model.ViewTrash || g.others() && theirs(action) {
		return false
	}
	if u, ok := judgement(action, shots[0].Result); ok {
		g.core.judge(results(shots), u)
		return true
	}
	switch action {
	case model.DoCompare:
		g.core.openDesk(results(shots))
	case model.DoDeliver:
		g.core.openDelivery(results(shots))
	case model.DoBoard:
		g.core.openBoards(results(shots))
	case model.DoTrash:
		g.core.trash(shots)
		g.unchoose()
	default:
		return false
	}
	return true
}

// targets are the chosen shots, or the one with the focus.
func (g *Gallery) targets() []model.Shot {
	if shots := g.chosen.Shots(&g.list); len(shots) > 0 {
		return shots
	}
	if key, ok := strings.CutPrefix(browser.FocusedID(), components.TileID("")); ok {
		if i := g.list.Find(key); i >= 0 {
			return g.list.Part(i, i+1)
		}
	}
	return nil
}

// results lists what is here of shots; a run stands for all its results.
func results(shots []model.Shot) []model.Shot {
	var out []model.Shot
	for _, s := range shots {
		if s.Stack {
			out = append(out, model.Viewable(model.Runs{s.Run}.Shots())...)
		} else if s.Result.Stored {
			out = append(out, s)
		}
	}
	return out
}

// move leads the keyboard to another tile, and chooses everything on the way where Shift is held.
func (g *Gallery) move(columns, down int, choose bool) bool {
	if g.state != model.Loaded || g.list.Len() == 0 {
		return false
	}
	if g.filter.View == model.ViewDuplicates {
		return g.moveCopy(columns, down, choose)
	}
	from, to := g.window()
	at := g.list.Find(g.reachable(from, to))
	if at < 0 {
		return false
	}
	// The focus follows a frame later: of keys that come faster, each still goes one step.
	if strings.HasPrefix(browser.FocusedID(), components.TileID("")) {
		next := g.rows.Step(at, columns, down, g.shape)
		if choose {
			g.chosen.Anchor(g.list.Key(at))
		}
		at = next
	}
	g.cursor = g.list.Key(at)
	if choose {
		g.chosen.Range(&g.list, g.cursor)
	}
	if columns > 1 && g.down.more { // End
		g.core.toast("info", words.GalleryLastLoaded(g.list.Len(), g.all()))
	}
	g.reveal(at)
	g.ctx.Dispatch(func(ctx app.Context) {
		g.fill()
		ctx.Defer(func(app.Context) { browser.Focus(components.TileID(g.cursor)) })
	})
	return true
}

// reveal scrolls the wall so that a tile is on screen.
func (g *Gallery) reveal(i int) {
	row := g.rows.All()[g.rows.RowOf(i)]
	bottom := row.Top + row.Height + g.rows.Foot + 2*wallPad
	switch {
	case row.Top < g.top:
		g.scroll(row.Top)
	case bottom > g.top+g.height:
		g.scroll(bottom - g.height)
	}
}

// chosenIDs begins the ids of what stands in the bar.
const chosenIDs = "chosen-"

// unchoose takes the choice back.
func (g *Gallery) unchoose() {
	g.choose(g.chosen.Clear)
}

// choose changes what is chosen. Where nothing is afterwards, the bar goes, and a focus in the bar to the tile that Tab leads to, or to
// what is listed where nothing is left.
func (g *Gallery) choose(change func()) {
	there := g.chosen.Len()
	change()
	if there == 0 || g.chosen.Len() > 0 || !strings.HasPrefix(browser.FocusedID(), chosenIDs) {
		return
	}
	drawn(g.ctx, func() {
		key := g.reachable(g.window())
		if g.filter.View == model.ViewDuplicates {
			key = g.reachableCopy()
		}
		browser.Focus(components.Pick(key == "", "filter-view", components.TileID(key)))
	})
}

// renderChosen is the bar of what can be done with the chosen results.
func (g *Gallery) renderChosen(shots []model.Shot) app.UI {
	bar := components.El("div", "class", "chosen", "role", "toolbar", "aria-label", words.ChosenBar, "data-testid", "chosen").Hidden(len(shots) == 0)
	if len(shots) == 0 {
		return bar
	}
	// The handlers look for what is chosen when they are pressed: the framework keeps the first ones.
	chosen := func() []model.Shot { return g.chosen.Shots(&g.list) }
	all := func() []model.Shot { return results(chosen()) }
	do := func(icon, label, action, id string, f func()) app.UI {
		button := components.Button(icon, label, "button--quiet").Attr("title", label)
		if action != "" {
			button = components.Keyed(button, label, g.core.keymap, action)
		}
		return button.Attr("id", chosenIDs+id).Attr("data-testid", "chosen-"+id).
			OnClick(func(app.Context, app.Event) { f() }, components.Scope("chosen", id))
	}
	said := words.ChosenCount(len(shots))
	if g.down.more && len(shots) == g.list.Len() {
		said = words.ChosenLoaded(len(shots), g.all())
	}
	count := components.El("span", "class", "chosen__count", "aria-live", "polite", "data-testid", "chosen-count").Text(said)
	clear := components.IconButton("close", words.ChosenNothing, words.KeyEscape).Attr("data-testid", "chosen-clear").Attr("id", chosenIDs+"clear").OnClick(func(app.Context, app.Event) {
		g.unchoose()
		g.core.change()
	})
	if g.filter.View == model.ViewTrash {
		return bar.Body(count, do("restore", words.ChosenRestore, "", "restore", func() { g.restore(chosen()) }),
			do("trash", words.TrashPurge, "", "purge", func() { g.purge(chosen()) }), clear)
	}
	if g.others() {
		return bar.Body(count, components.Box("chosen__tools",
			do("compare", words.ChosenCompare, model.DoCompare, "compare", func() { g.core.openDesk(all()) }),
			do("download", words.ChosenDeliver, model.DoDeliver, "deliver", func() { g.core.openDelivery(all()) }),
		), clear)
	}
	return bar.Body(count,
		components.NewVerdict("chosen", model.VerdictOf(all()), g.core.keymap, judging{g.core, all}),
		components.Box("chosen__tools",
			do("compare", words.ChosenCompare, model.DoCompare, "compare", func() { g.core.openDesk(all()) }),
			do("board", words.ChosenBoard, model.DoBoard, "board", func() { g.core.openBoards(all()) }),
			do("download", words.ChosenDeliver, model.DoDeliver, "deliver", func() { g.core.openDelivery(all()) }),
			do("studio", words.ResultUse, "", "use", func() { g.core.useChosen(all()) }),
			do("link", words.ReviewAsk, "", "ask", func() { g.core.openAsking(all()) }),
			components.If(g.filter.Board != "", func() app.UI {
				return do("minus", words.ChosenUnboard, "", "unboard", func() { g.unboard(all()) })
			}),
			components.If(g.filter.Board != "" && len(shots) == 1, func() app.UI {
				return do("image", words.ChosenCover, "", "cover", func() { g.core.setCover(g.filter.Board, all()) })
			}),
			do("trash", words.Delete, model.DoTrash, "trash", func() {
				g.core.trash(chosen())
				g.unchoose()
			}),
		), clear)
}

// restore takes what is chosen out of the trash.
func (g *Gallery) restore(shots []model.Shot) {
	runs, results := model.Apart(shots)
	g.core.restore(runs, results, func() {
		gone := map[atelier.RunID]bool{}
		for _, s := range shots {
			gone[s.Run.ID] = true
		}
		g.drop(gone)
		g.unchoose()
		said := words.RunsRestored(len(runs))
		if len(runs) == 0 {
			said = words.ResultsRestored(len(results))
		}
		g.core.toast("info", said)
	})
}

// unboard takes results off the board that is shown.
func (g *Gallery) unboard(shots []model.Shot) {
	board := g.filter.Board
	g.core.onBoard(shots, nil, []atelier.BoardID{board}, func() {
		keys := make([]string, len(shots))
		for i, s := range shots {
			keys[i] = s.Key()
		}
		g.hold(func() { g.list.Remove(keys...) })
		g.total = max(0, g.total-len(shots))
		g.core.offer(words.BoardTakenOff(len(shots)), func() {
			g.core.onBoard(shots, []atelier.BoardID{board}, nil, func() { g.load() })
		})
	})
}
