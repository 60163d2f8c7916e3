// Package gallery shows every component in every state it can have, without a server. It is part of the client only when
// that is built with the tag components, and stands at /components.
package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/atelier"
)

// story is one component in one state.
type story struct {
	name string
	wide bool
	view func() app.UI
}

// chapter is all the states of one component.
type chapter struct {
	name    string
	stories []story
}

// Page lists the stories.
type Page struct {
	app.Compo
	theme string
}

// OnMount implements app.Mounter.
func (p *Page) OnMount(app.Context) { browser.Mark("mounted") }

// Render implements app.Composer.
func (p *Page) Render() app.UI {
	sections := []app.UI{components.El("header", "class", "stories__head").Body(
		components.Text("h1", "empty__title", "Components"),
		components.Segmented("Theme", []components.Choice{{Value: "", Title: "System"}, {Value: "light", Title: "Light"}, {Value: "dark", Title: "Dark"}}, p.theme, p.onTheme),
	)}
	for _, c := range chapters() {
		cells := []app.UI{}
		for _, s := range c.stories {
			cells = append(cells, components.El("figure", "class", "story "+components.Pick(s.wide, "story--wide", ""), "data-testid", "story").Body(
				components.Text("figcaption", "story__name", s.name), components.Box("story__view", s.view())))
		}
		sections = append(sections, components.El("section", "class", "stories__chapter").Body(
			components.Text("h2", "stories__title", c.name), components.Box("stories__cells", cells...)))
	}
	return components.El("main", "class", "stories").Body(sections...)
}

func (p *Page) onTheme(_ app.Context, value string) {
	p.theme = value
	browser.Root("theme", value)
}

// nobody listens to the components of the gallery.
type nobody struct{}

func (nobody) SetValue(app.Context, string, any)        {}
func (nobody) TouchField(app.Context, string)           {}
func (nobody) BrowsePresets(app.Context, string)        {}
func (nobody) NeedPresets(app.Context, string)          {}
func (nobody) PickSlot(app.Context, string)             {}
func (nobody) ClearSlot(app.Context, string)            {}
func (nobody) OpenShot(app.Context, string)             {}
func (nobody) RetryRun(app.Context, atelier.RunID)      {}
func (nobody) RecallRun(app.Context, atelier.RunID)     {}
func (nobody) ShowRuns(app.Context, bool)               {}
func (nobody) UseTool(app.Context, string)              {}
func (nobody) MaskAction(app.Context, string)           {}
func (nobody) ChooseAgent(app.Context, string)          {}
func (nobody) ChoosePreset(app.Context, string, int64)  {}
func (nobody) LoadAllPresets(app.Context)               {}
func (nobody) DropToast(int)                            {}
func (nobody) DoToast(int)                              {}
func (nobody) OpenKeys(app.Context)                     {}
func (nobody) OpenSettings(app.Context)                 {}
func (nobody) CloseLightbox(app.Context)                {}
func (nobody) ToggleCompare(app.Context)                {}
func (nobody) ToggleZoom(app.Context)                   {}
func (nobody) ToggleDetails(app.Context)                {}
func (nobody) Star(app.Context, atelier.ResultID, bool) {}
func (nobody) ExportPSD(app.Context, atelier.RunID)     {}
func (nobody) TrashRun(app.Context, atelier.RunID)      {}
