package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// Rail leads from page to page. It shows only pages that exist.
type Rail struct {
	app.Compo
	Page   string // studio, gallery, boards, library, tasks
	Active int    // runs that are not finished
	Keys   model.Keymap
	port   RailPort
}

// RailPort hears what is asked of the rail.
type RailPort interface {
	OpenKeys()
	OpenSettings()
}

// NewRail makes a rail.
func NewRail(page string, active int, keys model.Keymap, port RailPort) *Rail {
	return &Rail{Page: page, Active: active, Keys: keys, port: port}
}

// Render implements app.Composer.
func (r *Rail) Render() app.UI {
	return El("nav", "class", "rail", "aria-label", words.RailPages).Body(
		El("div", "class", "rail__mark", "aria-hidden", "true").Body(Icon("mark")),
		r.page("studio", "/", words.PageStudio),
		r.page("gallery", model.GalleryAsLeft, words.PageGallery),
		r.page("boards", "/boards", words.PageBoards),
		r.page("library", "/library", words.PageLibrary),
		r.page("tasks", "/tasks", words.PageTasks),
		Box("rail__foot",
			Keyed(r.action("help", words.RailKeys, r.onKeys), words.RailKeys, r.Keys, model.DoKeys),
			r.action("settings", words.RailSettings, r.onSettings),
		),
	)
}

func (r *Rail) page(name, href, label string) app.UI {
	link := El("a", "class", "rail__item", "href", href, "data-testid", "nav-"+name, "title", label)
	if name == "gallery" {
		link = Keyed(link, label, r.Keys, model.DoGallery)
	}
	if name == r.Page {
		link = link.Attr("aria-current", "page")
	}
	text := label
	if name == "studio" && r.Active > 0 {
		link = link.Attr("aria-label", words.RailRunning(label, r.Active))
	}
	return link.Body(Icon(name), Text("span", "", text))
}

func (r *Rail) action(icon, label string, f app.EventHandler) app.HTMLElem {
	return El("button", "type", "button", "class", "rail__item"+Pick(icon == "help", " rail__item--keys", ""), "data-testid", "rail-"+icon, "title", label).
		OnClick(f).Body(Icon(icon), Text("span", "", label))
}

func (r *Rail) onKeys(app.Context, app.Event)     { r.port.OpenKeys() }
func (r *Rail) onSettings(app.Context, app.Event) { r.port.OpenSettings() }

func join(label, key string) string {
	if key == "" {
		return label
	}
	return label + "  " + key
}
