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
	port   VerdictPort
}

// NewVerdict makes one.
func NewVerdict(name string, v model.Verdict, port VerdictPort) *Verdict {
	return &Verdict{Name: name, Pick: v.Pick, Rating: v.Rating, port: port}
}

// Render implements app.Composer.
func (v *Verdict) Render() app.UI {
	stars := make([]app.UI, 5)
	for i := range stars {
		n := i + 1
		star := IconButton("star", words.Stars(n), words.Number(n))
		if n <= v.Rating {
			star = El("button", "type", "button", "class", "icon-button verdict__star--set", "aria-label", words.Stars(n), "title",
				words.Stars(n)+"  "+words.Number(n)).Body(FilledIcon("star"))
		}
		stars[i] = star.Attr("aria-pressed", Bool(n == v.Rating)).Attr("data-testid", v.Name+"-star-"+words.Number(n)).
			OnClick(func(app.Context, app.Event) { v.rate(n) }, Scope(v.Name, n))
	}
	return El("div", "class", "verdict", "role", "group", "aria-label", words.Verdict).Body(
		IconButton("flag", words.VerdictPick, "P").Attr("aria-pressed", Bool(v.Pick == "pick")).Attr("data-testid", v.Name+"-pick").OnClick(v.onPick),
		IconButton("close", words.VerdictReject, "X").Attr("aria-pressed", Bool(v.Pick == "reject")).Attr("data-testid", v.Name+"-reject").OnClick(v.onReject),
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
