package gallery

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

func tiles() []story {
	tile := func(name string, change func(*model.Shot, *model.Tile)) story {
		return story{name, false, func() app.UI {
			s := model.Shot{Run: aRun("t", atelier.StateDone, atelier.Success), Result: result("1", atelier.Success, 1)}
			change(&s, &model.Tile{})
			t := model.TileOf(s, "New model", now, time.UTC)
			change(&s, &t)
			t.Place, t.Total = model.Place{W: 180, H: 180}, 12
			return components.El("div", "class", "story__tile", "role", "list").Body(components.Drawn(components.Tile(t, 320)))
		}}
	}
	fidelity := func(f atelier.Fidelity) func(*model.Shot, *model.Tile) {
		return func(s *model.Shot, _ *model.Tile) { s.Result.Fidelity = &f }
	}
	doubt := &atelier.FidelityEdge{Doubt: .08, Band: .1, Parts: []atelier.EdgePart{{Missed: true, Share: .08, Place: atelier.PlaceLeft, Changed: 1}}}
	return []story{
		tile("plain", func(*model.Shot, *model.Tile) {}),
		tile("chosen", func(_ *model.Shot, t *model.Tile) { t.Chosen = true }),
		tile("picked, four stars, favourite", func(s *model.Shot, _ *model.Tile) {
			s.Result.Pick, s.Result.Rating, s.Result.Starred = atelier.PickYes, 4, true
		}),
		tile("rejected", func(s *model.Shot, _ *model.Tile) { s.Result.Pick = atelier.PickNo }),
		tile("kept area changed", fidelity(atelier.Fidelity{Comparable: true, Changed: true, Score: .62})),
		tile("not comparable", fidelity(atelier.Fidelity{Reason: "The pose is free."})),
		tile("edge in doubt", fidelity(atelier.Fidelity{Comparable: true, Score: .99, Edge: doubt})),
		tile("kept area unchanged", fidelity(atelier.Fidelity{Comparable: true, Score: .99})),
		tile("running", func(s *model.Shot, _ *model.Tile) { s.Result = result("2", atelier.Running, .4) }),
		tile("failed", func(s *model.Shot, _ *model.Tile) { s.Result = result("3", atelier.Failed, 0) }),
		tile("a run", func(s *model.Shot, _ *model.Tile) {
			s.Run.Results = []atelier.Result{result("1", atelier.Success, 1), result("2", atelier.Success, 1)}
			*s = model.Cover(s.Run)
		}),
	}
}

func verdicts() []story {
	verdict := func(name string, v model.Verdict) story {
		return story{name, false, func() app.UI { return components.NewVerdict(name, v, model.Keymap{}, port) }}
	}
	return []story{verdict("none", model.Verdict{}), verdict("picked, three stars", model.Verdict{Pick: atelier.PickYes, Rating: 3}), verdict("rejected", model.Verdict{Pick: atelier.PickNo})}
}

func desks() []story {
	desk := func(name string, look string, one bool, cells int) story {
		return story{name, true, func() app.UI {
			d := components.Desk{Title: "New model, 1 of 4", Columns: 5, Look: look, One: one, Percent: 40, Picks: 1, Source: true, Verdict: model.Verdict{Pick: atelier.PickYes, Rating: 4}}
			for i := range cells {
				c := components.DeskCell{Key: words.Number(i), Caption: "Result " + words.Number(i), Number: i, Thumb: sample, Width: 60, Height: 80, View: model.View{Scale: 2}, Active: i == 1}
				switch {
				case i == 0 && !one:
					c.Key, c.Caption, c.Number, c.Label = "", "Source", 0, "Source"
				case i == 1:
					c.Pick, c.Rating, c.Score = atelier.PickYes, 4, "99 %"
				case i == 2:
					c.Pick = atelier.PickNo
				case i == 3:
					c.Score, c.Changed = "61 %", true
				case i == 1:
					c.Score, c.Doubt = "99 %", words.EdgeInDoubt
				case i == 4:
					c.Reason, c.Apart = "The pose is free.", look == model.LookSplit
				}
				if !c.Apart && (look == model.LookSplit || look == model.LookDifference) {
					c.Source = sample
				}
				if r := (atelier.Result{Pick: c.Pick, Rating: c.Rating}); c.Key != "" {
					if c.Reason != "" {
						r.Fidelity = &atelier.Fidelity{}
					}
					c.Label = words.DeskLabel(i, r, c.Apart)
				}
				c.Hidden = one && !c.Active
				d.Cells = append(d.Cells, c)
			}
			return components.Box("story__lightbox", components.NewDesk(d, port))
		}}
	}
	return []story{
		desk("closed", model.LookResult, false, 0), desk("side by side", model.LookResult, false, 5), desk("before and after", model.LookSplit, false, 5),
		desk("difference", model.LookDifference, false, 5), desk("one at a time", model.LookResult, true, 3),
	}
}
