package pages

import (
	"context"
	"encoding/json"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// costPause is how long the form must rest before its cost is asked for.
const costPause = 700 * time.Millisecond

// estimate is what a run of the form would cost, where the image service tells.
type estimate struct {
	atelier.Estimate
	known bool
	of    string // the request it is for
}

// askCost asks what the form as it stands would cost. A form that cannot be sent costs nothing, and a service that does not
// answer leaves the place empty: the estimate is a service, not a condition. Runs of the embedded service cost nothing.
func (s *Studio) askCost() {
	if !s.core.session.Estimates || s.core.embedded() || !s.ready {
		s.estimate = estimate{}
		return
	}
	request := s.form.Start(s.source(), "", "")
	content, err := json.Marshal(request)
	if err != nil || string(content) == s.estimate.of {
		return
	}
	of := string(content)
	s.estimate = estimate{of: of}
	// A mask costs nothing of its own, and is large.
	if s.form.PaintsMask() || model.FirstRefusal(s.form.Problems(s.source())) != nil {
		return
	}
	s.core.ui.After(costPause, func(app.Context) {
		if s.estimate.of != of {
			return // the form has changed meanwhile
		}
		s.core.do(func(ctx context.Context) func() {
			e, err := s.core.api.Estimate(ctx, request)
			return func() {
				if err != nil || s.estimate.of != of {
					return
				}
				s.estimate.Estimate, s.estimate.known = e, true
				s.update()
			}
		})
	})
}

// cost says what so many runs of the form cost, where that is known, and what may still be asked for, where that is limited.
func (s *Studio) cost(runs int) string {
	cost := ""
	if s.estimate.known {
		cost = words.Cost(s.estimate.Estimate, runs)
	}
	if a := s.core.session.Allowance; a != nil {
		cost = words.WithAllowance(cost, *a)
	}
	return cost
}

// askUsual asks, once, how long runs of the agent at hand usually take.
func (s *Studio) askUsual() {
	agent := s.form.Agent.Name
	if _, asked := s.core.usual[agent]; !asked && s.ready {
		s.core.usual[agent] = nil
		s.core.loadUsual(agent)
	}
}

// loadUsual reads how long runs of an agent usually take. Without an answer the line stays empty, and the next change of the form asks again.
func (c *core) loadUsual(agent string) {
	c.do(func(ctx context.Context) func() {
		usual, err := c.api.Usual(ctx, agent)
		return func() {
			if err != nil {
				delete(c.usual, agent)
				return
			}
			c.usual[agent] = usual
		}
	})
}

// usualTime says how long a run of the form usually takes, of several each.
func (s *Studio) usualTime(runs int) string {
	list := s.core.usual[s.form.Agent.Name]
	if list == nil {
		return "\u00a0" // its line is kept for it
	}
	for _, u := range list {
		if u.Results == s.form.Batch() {
			return words.UsualTime(u, runs)
		}
	}
	return words.InspectorUsualUnknown
}
