package pages

import (
	"context"
	"encoding/json"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/model"
	"atelier/atelier"
)

// listen keeps the stream of events alive until ctx ends.
func (c *core) listen(ctx context.Context) {
	ports := client.Ports{URL: browser.SocketURL, Dial: browser.Dial, Frame: browser.Frame}
	c.stream = client.NewStream(ports, func(batch []atelier.Event) {
		c.post(func() {
			for _, event := range batch {
				c.take(event)
			}
			c.rev++
		})
	}, func(state client.Connection) {
		c.post(func() {
			if state == client.Live && c.connection == client.Reconnecting {
				c.resend(resendRests)
			}
			if state == client.Reconnecting {
				c.confirm() // it may have been closed because the session has ended
			}
			c.connection = state
			c.rev++
		})
	})
	stream := c.stream
	go func() {
		defer browser.Guard()
		stream.Run(ctx)
	}()
}

// confirm asks whether the session still stands: without one it shows the door, and with somebody else's it starts anew.
func (c *core) confirm() {
	c.do(func(ctx context.Context) func() {
		session, err := c.api.Session(ctx)
		return func() {
			switch {
			case c.expired(err) || err != nil:
			case session.User.ID != c.session.User.ID:
				browser.Reload()
			default:
				c.session.Allowance = session.Allowance
			}
		}
	})
}

// take brings the core up to date with one event.
func (c *core) take(event atelier.Event) {
	switch event.Type {
	case atelier.EventHello:
		var hello atelier.HelloEvent
		if json.Unmarshal(event.Data, &hello) == nil && hello.Build != "" {
			running := app.Getenv("GOAPP_VERSION")
			c.outdated = running != "" && running != hello.Build
		}
	case atelier.EventSnapshot:
		c.loadRuns()
		c.loadAssets()
		c.loadBoards()
		c.loadFavourites()
	case atelier.EventRun, atelier.EventPSD:
		var run atelier.Run
		if json.Unmarshal(event.Data, &run) == nil {
			c.announce(run)
			if run.State == atelier.StateFailed && c.session.Allowance != nil {
				c.confirm() // it may be given back
			}
			if run.Trashed {
				c.runs = c.runs.Without(run.ID)
			} else {
				c.runs = c.runs.Merge(run)
			}
			if _, kept := c.viewer.full[run.ID]; kept && (model.Shot{Run: run}).Whole() {
				c.keepRun(run)
			}
		}
	case atelier.EventResult:
		var result atelier.Result
		if json.Unmarshal(event.Data, &result) == nil {
			c.runs = c.runs.MergeResult(result)
			c.updateDesk(result)
			if run, kept := c.viewer.full[result.RunID]; kept {
				c.keepRun((model.Runs{run}).MergeResult(result)[0])
			}
		}
	case atelier.EventAsset:
		var asset atelier.Asset
		if json.Unmarshal(event.Data, &asset) == nil {
			c.addAsset(asset)
		}
	case atelier.EventNotice:
		var notice atelier.Notice
		if json.Unmarshal(event.Data, &notice) == nil {
			c.toast(notice.Level, notice.Message)
		}
	case atelier.EventConnection:
		c.switched()
	case atelier.EventShown:
		c.loadBoards()
	case atelier.EventFavourites:
		c.takeFavourites(event.Data)
	case atelier.EventAllowance:
		var a *atelier.Allowance
		if json.Unmarshal(event.Data, &a) == nil {
			c.session.Allowance = a
		}
	case atelier.EventReview:
		c.heardReview(event.Data)
	case atelier.EventPreset:
		var p atelier.Preset
		if json.Unmarshal(event.Data, &p) == nil {
			c.outdate(p.Kind)
			c.made(p)
		}
	}
	for _, watch := range c.watchers {
		watch(event)
	}
}

// announce says in words when a run ends, for those who do not see the strip.
func (c *core) announce(run atelier.Run) {
	before, known := c.runs.Find(run.ID)
	if !run.State.Final() || known && before.State.Final() {
		return
	}
	if known {
		c.ended(run)
	}
	if _, asked := c.usual[run.Agent]; asked && run.State == atelier.StateDone {
		c.loadUsual(run.Agent) // it counts too
	}
	c.said = c.agent(run.Agent).Title + ": " + model.RunWords(run)
}
