package gallery

import (
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/components"
)

// answersIn is how long presses takes, long enough for all that a press wakes to be at rest again.
const answersIn = 200 * time.Millisecond

// presses counts how often it was pressed, a moment later, as an answer comes. It lets go of most of its timers then, and all are far
// ahead: nothing but the frame that draws the number wakes the program.
type presses struct {
	app.Compo
	n    int
	kept *time.Timer
	gone []*time.Timer
}

// OnMount implements app.Mounter.
func (p *presses) OnMount(app.Context) {
	p.kept = time.AfterFunc(time.Hour/2, func() {})
	for range 12 {
		p.gone = append(p.gone, time.AfterFunc(2*time.Hour, func() {}))
	}
}

// OnDismount implements app.Dismounter.
func (p *presses) OnDismount() {
	p.kept.Stop()
	p.letGo()
}

func (p *presses) letGo() {
	for _, timer := range p.gone {
		timer.Stop()
	}
	p.gone = nil
}

// Render implements app.Composer.
func (p *presses) Render() app.UI {
	return components.Button("", "Pressed "+strconv.Itoa(p.n), "").Attr("data-testid", "presses").OnClick(func(ctx app.Context, _ app.Event) {
		ctx.PreventUpdate()
		ctx.After(answersIn, func(app.Context) {
			p.n++
			p.letGo()
		})
	})
}
