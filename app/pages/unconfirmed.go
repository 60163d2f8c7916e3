package pages

import (
	"context"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/words"
	"atelier/atelier"
)

const unconfirmedID = "unconfirmed"

// unsure is the dialog about a run nobody knows the fate of.
type unsure struct {
	run     atelier.Run
	open    bool
	id      string // typed
	problem string
	waiting bool
}

// DecideRun implements components.StripPort: it opens the dialog.
func (c *core) DecideRun(id atelier.RunID) {
	run, ok := c.runs.Find(id)
	if !ok {
		return
	}
	c.unsure = unsure{run: run, open: true}
	browser.OpenModal(unconfirmedID)
	c.change()
}

func (c *core) renderUnconfirmed() []app.UI {
	u := c.unsure
	title := u.run.Title
	if title == "" {
		title = c.agent(u.run.Agent).Title
	}
	return components.Unconfirmed(u.run, title, u.id, u.problem, u.waiting, c)
}

func (c *core) closeUnconfirmed() {
	c.unsure = unsure{}
	browser.CloseModal(unconfirmedID)
	c.change()
}

// decide asks the server for what was chosen; the dialog closes when it is done.
func (c *core) decide(ask func(ctx context.Context, id atelier.RunID) (atelier.Run, error)) {
	if c.unsure.waiting {
		return
	}
	c.unsure.waiting, c.unsure.problem = true, ""
	c.change()
	id := c.unsure.run.ID
	c.do(func(ctx context.Context) func() {
		run, err := ask(ctx, id)
		return func() {
			c.unsure.waiting = false
			if err == nil {
				c.runs = c.runs.Merge(run)
				c.closeUnconfirmed()
				return
			}
			if e, ok := err.(*atelier.Error); ok && e.Fields["executionId"] != "" { //nolint:errorlint // the client gives its own error type bare
				c.unsure.problem = e.Fields["executionId"]
				c.change()
				return
			}
			if atelier.CodeOf(err) == atelier.Unclear {
				c.closeUnconfirmed()
				c.askUnclearRun(id)
				return
			}
			c.failed(err)
		}
	})
}

// RunUnconfirmedAgain implements components.UnconfirmedPort.
func (c *core) RunUnconfirmedAgain() {
	c.decide(func(ctx context.Context, id atelier.RunID) (atelier.Run, error) { return c.api.Retry(ctx, id, false) })
}

// DismissUnconfirmed implements components.UnconfirmedPort: it can be taken back.
func (c *core) DismissUnconfirmed() {
	c.decide(func(ctx context.Context, id atelier.RunID) (atelier.Run, error) {
		run, err := c.api.Dismiss(ctx, id)
		if err == nil {
			c.post(func() { c.offer(words.UnconfirmedDismissed, func() { c.doubt(id) }) })
		}
		return run, err
	})
}

func (c *core) doubt(id atelier.RunID) {
	c.do(func(ctx context.Context) func() {
		run, err := c.api.Doubt(ctx, id)
		return func() {
			if err != nil {
				c.failed(err)
				return
			}
			c.tell(run)
		}
	})
}

// TypeExecution implements components.UnconfirmedPort.
func (c *core) TypeExecution(id string) { c.unsure.id, c.unsure.problem = id, "" }

// AdoptUnconfirmed implements components.UnconfirmedPort.
func (c *core) AdoptUnconfirmed() {
	typed := c.unsure.id
	c.decide(func(ctx context.Context, id atelier.RunID) (atelier.Run, error) { return c.api.Adopt(ctx, id, typed) })
}
