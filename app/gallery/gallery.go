// Package gallery shows every component in every state it can have, without a server. It is part of the client only when
// that is built with the tag components, and stands at /components.
package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
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

// Names are those of all stories, in their order on the page.
func Names() []string {
	var names []string
	for _, c := range chapters() {
		for _, s := range c.stories {
			names = append(names, s.name)
		}
	}
	return names
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

func (p *Page) onTheme(value string) {
	p.theme = value
	browser.Root("theme", value)
}

// nobody listens to the components of the gallery.
type nobody struct{}

func (nobody) SetValue(string, any)                {}
func (nobody) TouchField(string)                   {}
func (nobody) BrowsePresets(string)                {}
func (nobody) NeedPresets(string)                  {}
func (nobody) PickSlot(string, int)                {}
func (nobody) MoveFile(string, int, int)           {}
func (nobody) DropFile(string, int)                {}
func (nobody) StarAgent(string)                    {}
func (nobody) UseResult(atelier.ResultID, bool)    {}
func (nobody) ClearSlot(string)                    {}
func (nobody) OpenShot(string)                     {}
func (nobody) RetryRun(atelier.RunID)              {}
func (nobody) DecideRun(atelier.RunID)             {}
func (nobody) SendNext(atelier.RunID)              {}
func (nobody) CancelRuns([]atelier.RunID)          {}
func (nobody) RunUnconfirmedAgain()                {}
func (nobody) DismissUnconfirmed()                 {}
func (nobody) TypeExecution(string)                {}
func (nobody) AdoptUnconfirmed()                   {}
func (nobody) RecallRun(atelier.RunID)             {}
func (nobody) ShowRuns(bool)                       {}
func (nobody) FoldStrip()                          {}
func (nobody) UseTool(string)                      {}
func (nobody) MaskAction(string)                   {}
func (nobody) MaskSet(string, string)              {}
func (nobody) ChooseAgent(string)                  {}
func (nobody) ChoosePreset(string, atelier.Preset) {}
func (nobody) MarkPreset(atelier.Preset)           {}
func (nobody) AlsoPreset(string, atelier.Preset)   {}
func (nobody) LoadPresets(string)                  {}
func (nobody) SetCanvas(int, int)                  {}
func (nobody) CentreCanvas()                       {}
func (nobody) NeedSizes()                          {}
func (nobody) AddFile()                            {}
func (nobody) ChooseFile(atelier.Asset)            {}
func (nobody) ChooseShot(model.Shot, bool)         {}
func (nobody) ChooseFrom(bool)                     {}
func (nobody) SearchFiles(string)                  {}
func (nobody) MoreFiles()                          {}
func (nobody) ReloadFiles()                        {}
func (nobody) DropToast(int)                       {}
func (nobody) DoToast(int)                         {}
func (nobody) OpenKeys()                           {}
func (nobody) OpenSettings()                       {}
func (nobody) ChangeKey(string)                    {}
func (nobody) ResetKeys()                          {}
func (nobody) CloseLightbox()                      {}
func (nobody) ToggleCompare()                      {}
func (nobody) ToggleZoom()                         {}
func (nobody) ToggleDetails()                      {}
func (nobody) Star(atelier.ResultID, bool)         {}
func (nobody) ExportPSD(atelier.RunID)             {}
func (nobody) TrashRun(atelier.RunID)              {}
func (nobody) TrashShown()                         {}
func (nobody) RestoreShown()                       {}
func (nobody) TrashDesk()                          {}
