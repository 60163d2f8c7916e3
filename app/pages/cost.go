package pages

import (
	"context"
	"encoding/json"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
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
// answer leaves the place empty: the estimate is a service, not a condition.
func (s *Studio) askCost() {
	if !s.core.session.Estimates || !s.ready {
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
