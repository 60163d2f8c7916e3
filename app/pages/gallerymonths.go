package pages

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
)

// renderMonths is the scrubber: the months of the list, at its side.
func (g *Gallery) renderMonths() app.UI {
	if len(g.months) < 2 {
		return app.Elem("nav").Hidden(true)
	}
	items := make([]app.UI, 0, len(g.months)+4)
	year := 0
	for _, m := range g.months {
		if y := m.From.In(g.core.zone).Year(); y != year {
			year = y
			items = append(items, components.Text("span", "months__year", words.Number(year)))
		}
		word := model.Month(m.From, g.core.zone)
		items = append(items, components.El("button", "type", "button", "class", "months__item", "id", monthID(word), "data-month", word, "aria-current", current(word == g.month),
			"aria-label", words.GalleryMonth(m.From.In(g.core.zone), m.Count), "title", words.ResultCount(m.Count)).
			Text(words.GalleryMonthShort(m.From.In(g.core.zone))).OnClick(func(app.Context, app.Event) { g.jump(word) }, components.Scope("month", word)))
	}
	return components.El("nav", "class", "months", "aria-label", words.GalleryMonths, "data-testid", "months").Body(items...)
}

// renderMonthChoice is the same as a list, for a small screen.
func (g *Gallery) renderMonthChoice() app.UI {
	options := make([]app.UI, len(g.months))
	for i, m := range g.months {
		word := model.Month(m.From, g.core.zone)
		options[i] = components.El("option", "value", word, "selected", components.Bool(word == g.month)).Text(words.GalleryMonth(m.From.In(g.core.zone), m.Count))
	}
	return components.El("select", "id", monthChoiceID, "class", "input filter__month", "aria-label", words.FilterMonth, "data-testid", "filter-month").
		OnChange(func(_ app.Context, e app.Event) { g.jump(picked(e)) }).Body(options...)
}

// monthChoiceID names the list of months, and monthID a month at the side of the wall.
const monthChoiceID = "filter-month"

func monthID(month string) string { return "month-" + month }

func current(is bool) string { return components.Pick(is, "date", "false") }

// showMonth marks the month of what is on screen. It is all that scrolling changes beside the wall, and not worth drawing the page.
func (g *Gallery) showMonth() {
	month := g.monthShown()
	if month == g.month {
		return
	}
	browser.SetAttribute(monthID(g.month), "aria-current", current(false))
	browser.SetAttribute(monthID(month), "aria-current", current(true))
	browser.SetValue(monthChoiceID, month)
	g.month = month
}

// monthShown is the month of the first row on screen.
func (g *Gallery) monthShown() string {
	if g.list.Len() == 0 {
		return ""
	}
	from, to := g.rows.Window(g.top-wallPad, 0)
	for k := from; k < to; k++ {
		if row := g.rows.All()[k]; row.Top+row.Height > g.top-wallPad {
			return model.Month(g.list.Made(row.From), g.core.zone)
		}
	}
	return ""
}

// jump goes to a month: to its first row where it is there already, else the list begins anew with it.
func (g *Gallery) jump(month string) {
	i := g.list.InMonth(month, g.core.zone)
	if i > 0 || i == 0 && !g.up.more {
		g.scroll(g.rows.All()[g.rows.RowOf(i)].Top)
		g.fill()
		return
	}
	f := g.filter
	f.At = month
	g.set(f)
}
