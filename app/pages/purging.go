package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// purgeID is the dialog that asks before something is deleted for good: nothing else here cannot be taken back.
const purgeID = "purge"

// doomed is what is asked about.
type doomed struct {
	runs    []atelier.RunID
	results []atelier.Result
	all     bool // the whole trash
	then    func()
}

// askToPurge asks whether shots of the trash are to be deleted for good, or all that is in it where there are none.
func (c *core) askToPurge(shots []model.Shot, then func()) {
	runs, results := model.Apart(shots)
	c.review.doomed = doomed{runs: runs, results: results, all: len(shots) == 0, then: then}
	c.openReview(purgeID)
}

func (c *core) renderPurge() []app.UI {
	d := c.review.doomed
	goes := words.PurgeGoes(len(d.runs), len(d.results))
	if d.all {
		goes = words.PurgeAllGoes
	}
	return []app.UI{components.Box("confirm",
		components.Box("confirm__text", components.Text("p", "", goes), components.Text("p", "", words.PurgeStays)),
		components.Box("confirm__foot",
			components.Button("", words.PurgeNot, "").OnClick(func(app.Context, app.Event) { c.closeReview() }),
			components.Button("trash", words.TrashPurge, "button--danger").Attr("data-testid", "purge-really").OnClick(c.onPurge),
		),
	)}
}

func (c *core) onPurge(app.Context, app.Event) {
	d := c.review.doomed
	c.closeReview()
	c.do(func(ctx context.Context) func() {
		var done atelier.PurgedTrash
		purge := func(chosen atelier.PurgeTrash) error {
			part, err := c.api.PurgeTrash(ctx, chosen)
			done.Runs, done.Results = done.Runs+part.Runs, done.Results+part.Results
			return err
		}
		var err error
		if d.all {
			err = purge(atelier.PurgeTrash{All: true})
		} else if err = inParts(d.runs, func(ids []atelier.RunID) error { return purge(atelier.PurgeTrash{Runs: ids}) }); err == nil {
			err = inParts(resultIDs(d.results), func(ids []atelier.ResultID) error { return purge(atelier.PurgeTrash{Results: ids}) })
		}
		return func() {
			if done.Runs+done.Results > 0 {
				d.then()
				c.toast("info", words.Purged(done.Runs, done.Results))
			}
			c.failed(err)
		}
	})
}

// purge asks whether shots of the trash are to be deleted for good, all of it where there are none.
func (g *Gallery) purge(shots []model.Shot) {
	g.core.askToPurge(shots, func() {
		if len(shots) == 0 {
			g.load()
			return
		}
		gone := map[atelier.RunID]bool{}
		for _, s := range shots {
			gone[s.Run.ID] = true
		}
		g.drop(gone)
		g.unchoose()
	})
}
