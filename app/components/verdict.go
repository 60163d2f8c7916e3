package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// VerdictPort hears what is thought of results.
type VerdictPort interface {
	Pick(pick string) // pick, reject, or "" for neither
	Rate(stars int)
}

// Verdict is what is thought of one or many results: picked or rejected, and how many stars. What they do not agree in is
// not shown as set.
type Verdict struct {
	app.Compo
	Name   string // tells it apart from others on the page
	Pick   string
	Rating int
	Keys   model.Keymap
	port   VerdictPort
}

// NewVerdict makes one.
func NewVerdict(name string, v model.Verdict, keys model.Keymap, port VerdictPort) *Verdict {
	return &Verdict{Name: name, Pick: v.Pick, Rating: v.Rating, Keys: keys, port: port}
}

// Render implements app.Composer.
func (v *Verdict) Render() app.UI {
	stars := make([]app.UI, 5)
	for i := range stars {
		n := i + 1
		star := IconButton("star", words.Stars(n), "")
		if n <= v.Rating {
			star = star.Class("verdict__star--set").Body(FilledIcon("star"))
		}
		stars[i] = Keyed(star, words.Stars(n), v.Keys, model.DoStars+words.Number(n)).Attr("aria-pressed", Bool(n == v.Rating)).Attr("data-testid", v.Name+"-star-"+words.Number(n)).
			OnClick(func(app.Context, app.Event) { v.rate(n) }, Scope(v.Name, n))
	}
	return El("div", "class", "verdict", "role", "group", "aria-label", words.Verdict).Body(
		KeyButton("flag", words.VerdictPick, v.Keys, model.DoPick).Attr("aria-pressed", Bool(v.Pick == "pick")).Attr("data-testid", v.Name+"-pick").OnClick(v.onPick),
		KeyButton("close", words.VerdictReject, v.Keys, model.DoReject).Attr("aria-pressed", Bool(v.Pick == "reject")).Attr("data-testid", v.Name+"-reject").OnClick(v.onReject),
		Box("verdict__stars", stars...),
	)
}

func (v *Verdict) onPick(app.Context, app.Event) { v.port.Pick(Pick(v.Pick == "pick", "", "pick")) }
func (v *Verdict) onReject(app.Context, app.Event) {
	v.port.Pick(Pick(v.Pick == "reject", "", "reject"))
}

// rate sets the stars; the same number again takes them away.
func (v *Verdict) rate(n int) {
	if n == v.Rating {
		n = 0
	}
	v.port.Rate(n)
}
