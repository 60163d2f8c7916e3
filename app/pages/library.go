package pages

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// Library is where fashion models and locations are kept: the designer's own, which are made here, and those of the service.
type Library struct {
	app.Compo
	Rev     int
	Shown   bool
	Address string // of the page while it is shown, "" otherwise
	core    *core

	ctx     app.Context
	address string
	kind    model.LibraryKind
	own     map[string]ownList // by kind
	query   string             // what is looked for among the designer's own
	*finder                    // what a preset may be made of, among what is here already
	making  *making            // the preset that is being made, nil when none is
	doomed  *atelier.Preset
	leaving map[string]bool // presets that are deleted unless it is undone, by kind and id
	release []func()
}

// ownList is what is known of one kind of preset of the designer's.
type ownList struct {
	state   model.Load
	problem string
	presets []atelier.Preset
	count   int // of the whole account, as the image service counts
	limit   int
}

const (
	makePresetID   = "make-preset"
	deletePresetID = "delete-preset"
	presetPickerID = "preset-picker"
	typeOwn        = "Yours" // how the image service calls a preset that was made of photos
	ownSearched    = 13      // from how many of one's own on there is a search
)

// OnInit implements app.Initializer.
func (l *Library) OnInit() {
	l.own = map[string]ownList{}
	l.finder = newFinder(l.core, func() catalog.Media { return catalog.Image }, func() bool { return l.making != nil && l.making.choosing }, func() { l.ctx.Update() })
	l.readAddress()
}

// OnMount implements app.Mounter.
func (l *Library) OnMount(ctx app.Context) {
	l.start(ctx)
	l.release = append(l.release,
		browser.OnCancel(makePresetID, func() { l.CloseDialog(makePresetID) }),
		browser.OnCancel(deletePresetID, func() { l.CloseDialog(deletePresetID) }),
	)
}

func (l *Library) start(ctx app.Context) {
	l.ctx = ctx
	l.core.watchers = append(l.core.watchers, l.watch)
	l.load()
}

// OnUpdate implements app.Updater.
func (l *Library) OnUpdate(app.Context) {
	if l.Address != "" && (l.Address != l.address || l.kind.Made() && l.own[l.kind.Preset].state == model.Never) {
		l.readAddress()
		l.load()
	}
}

// OnDismount implements app.Dismounter.
func (l *Library) OnDismount() {
	for _, release := range l.release {
		release()
	}
}

func (l *Library) readAddress() {
	l.address = l.Address
	was := l.kind.Preset
	l.kind = model.LibraryKinds[0]
	if u, err := url.Parse(l.Address); err == nil {
		for _, k := range model.LibraryKinds {
			if k.Preset == u.Query().Get("kind") {
				l.kind = k
			}
		}
	}
	if l.kind.Preset != was {
		l.query = ""
	}
}

// load reads the designer's own presets of the kind on screen, and the first page of the service's.
func (l *Library) load() {
	l.offered()
	kind := l.kind
	if !kind.Made() {
		return
	}
	list := l.own[kind.Preset]
	if list.state != model.Loaded {
		list.state = model.Loading
	}
	l.own[kind.Preset] = list
	l.core.do(func(ctx context.Context) func() {
		got, err := l.core.api.OwnPresets(ctx, client.OwnKind(kind.Path))
		return func() {
			list := l.own[kind.Preset]
			if err != nil {
				if !l.core.expired(err) {
					list.state, list.problem = model.Broken, sentence(err)
				}
			} else {
				list = ownList{state: model.Loaded, presets: got.Presets, count: got.Count, limit: got.Limit}
			}
			l.own[kind.Preset] = list
		}
	})
}

// offered reads what is missing of the service's presets of the kind on screen: the search needs all of them.
func (l *Library) offered() {
	kind := l.kind
	if !l.core.presets[presetKey(kind.Agent, kind.Preset)].Last {
		l.core.loadPresets(kind.Agent, kind.Preset, func() bool { return l.Shown && l.kind.Preset == kind.Preset })
	}
}

// LoadPresets implements components.PresetBrowserPort.
func (l *Library) LoadPresets(string) { l.offered() }

// ChoosePreset implements components.PresetBrowserPort.
func (l *Library) ChoosePreset(_ string, p atelier.Preset) { l.use(p) }

// AlsoPreset implements components.PresetBrowserPort: the library offers none beside another.
func (l *Library) AlsoPreset(string, atelier.Preset) {}

// MarkPreset implements components.PresetBrowserPort.
func (l *Library) MarkPreset(p atelier.Preset) { l.core.mark(p) }

// watch follows what becomes of the designer's presets.
func (l *Library) watch(event atelier.Event) {
	switch event.Type {
	case atelier.EventConnection:
		l.own = map[string]ownList{}
		l.load()
	case atelier.EventSnapshot:
		l.load()
	case atelier.EventPreset:
		var p atelier.Preset
		if json.Unmarshal(event.Data, &p) != nil {
			return
		}
		if l.Shown && p.Kind == l.kind.Preset {
			l.load() // in another window one was made or deleted, or it is ready; the lists of presets are asked for anew after it
			return
		}
		list := l.own[p.Kind]
		list.state = model.Never
		l.own[p.Kind] = list
	}
}

// use takes a preset into the form of the agent it belongs to.
func (l *Library) use(p atelier.Preset) {
	if l.core.fill != nil {
		l.core.fill(l.kind.Agent, l.kind.Values(p))
	}
	l.core.said = words.LibraryChosen(p.Name)
	l.core.ui.Navigate("/")
}

func (l *Library) askToDelete(p atelier.Preset) {
	l.doomed = &p
	l.core.openPageDialog(deletePresetID, l)
}

// CloseDialog implements components.DialogPort.
func (l *Library) CloseDialog(id string) {
	if l.making != nil {
		for _, p := range l.making.photos {
			p.sent()
		}
	}
	l.doomed, l.making = nil, nil
	l.finder.end()
	l.core.closePageDialog(id)
	l.ctx.Update()
}

// leavingKey tells the presets of all kinds apart.
func leavingKey(p atelier.Preset) string { return p.Kind + "/" + words.Number(int(p.ID)) }

// remove takes a preset off the list, and away from the image service once the offer to undo is over.
func (l *Library) remove(app.Context, app.Event) {
	if l.doomed == nil {
		return
	}
	p, kind := *l.doomed, l.kind
	l.CloseDialog(deletePresetID)
	if l.leaving == nil {
		l.leaving = map[string]bool{}
	}
	l.leaving[leavingKey(p)] = true
	back := func() { delete(l.leaving, leavingKey(p)) }
	l.core.offerFor(words.LibraryDeleted(p.Name), back, func() {
		l.core.do(func(ctx context.Context) func() {
			err := l.core.api.DeletePreset(ctx, client.OwnKind(kind.Path), p.ID)
			return func() {
				back()
				if err != nil && atelier.CodeOf(err) != atelier.NotFound {
					l.core.failed(err)
					return
				}
				list := l.own[kind.Preset]
				list.presets = slices.DeleteFunc(slices.Clone(list.presets), func(q atelier.Preset) bool { return q.ID == p.ID })
				l.own[kind.Preset] = list
				l.core.outdate(kind.Preset)
				l.load()
			}
		})
	})
}

// Render implements app.Composer.
func (l *Library) Render() app.UI {
	tabs := []app.UI{}
	for _, k := range model.LibraryKinds {
		if l.offers(k) {
			tabs = append(tabs, components.El("a", "class", "tab", "href", "/library?kind="+k.Preset, "data-testid", "library-"+k.Preset,
				"aria-current", components.Pick(k.Preset == l.kind.Preset, "page", "false")).Text(k.Title))
		}
	}
	return components.El("section", "class", "page library").Hidden(!l.Shown).Attr("aria-label", words.PageLibrary).Body(
		components.El("nav", "class", "topbar tabs", "aria-label", words.PageLibrary).Body(tabs...),
		components.Box("library__all", components.If(l.kind.Made(), l.renderOwn), l.renderOffered()),
		components.Dialog(makePresetID, l.kind.Words.New, "dialog--wide", l.making != nil, l, l.core.withToasts(makePresetID, l.renderMaking)),
		components.Dialog(deletePresetID, l.kind.Words.Delete, "", l.doomed != nil, l, l.core.withToasts(deletePresetID, l.renderDelete)),
	)
}

// offers says whether the studio has the agent of a kind.
func (l *Library) offers(k model.LibraryKind) bool {
	return l.core.agentsState != model.Loaded || len(l.core.agent(k.Agent).Surfaces) > 0
}

func (l *Library) renderOwn() app.UI {
	list := l.own[l.kind.Preset]
	full := list.state == model.Loaded && list.count >= list.limit
	cells := []app.UI{components.El("button", "type", "button", "class", "own own--new", "data-cell", "true", "data-testid", "new-preset", "disabled", components.Bool(full)).
		OnClick(func(app.Context, app.Event) { l.beginMaking() }, components.Scope(l.kind.Preset, full)).
		Body(components.Icon("plus"), components.Text("span", "", l.kind.Words.New))}
	there := slices.DeleteFunc(slices.Clone(list.presets), func(p atelier.Preset) bool { return l.leaving[leavingKey(p)] })
	searched := len(there) >= ownSearched || l.query != ""
	found := model.PresetList{Presets: there}.Search(l.query, 0)
	for _, p := range found {
		cells = append(cells, l.renderOwnPreset(p))
	}
	note := ""
	switch {
	case list.state != model.Loaded: // how many there are is not known
	case full:
		note = words.LibraryFull(len(list.presets), list.count, list.limit)
	default:
		note = words.LibraryCount(len(list.presets), list.count, list.limit)
	}
	return components.El("section", "class", "library__part", "aria-busy", components.Bool(list.state == model.Loading)).Body(
		components.Box("library__head", components.Text("h2", "library__title", words.LibraryYours), components.Text("span", "library__note", note),
			components.If(searched, func() app.UI {
				return components.Search("own-search", words.LibrarySearch, l.query, func(_ app.Context, e app.Event) { l.query = e.Get("target").Get("value").String() })
			}),
			components.El("span", "class", "library__note", "role", "status", "data-testid", "own-found").Text(components.Pick(l.query == "", "", words.LibraryFound(len(found)))),
		),
		components.If(list.state == model.Broken, func() app.UI {
			return components.El("p", "class", "field__note").Body(components.SmallIcon("alert"), components.Text("span", "", list.problem),
				components.Button("retry", words.TryAgain, "button--link").OnClick(func(app.Context, app.Event) { l.load() }))
		}),
		components.El("div", "class", "library__grid", "role", "group", "data-rows", "true", "data-testid", "own-presets", "aria-label", words.LibraryYours).Body(cells...),
		components.Text("p", "library__teach", l.kind.Words.Teach), // also where there are some: nothing moves when they come
	)
}

func (l *Library) renderOwnPreset(p atelier.Preset) app.UI {
	tone, state := model.PresetTone(p)
	picture := components.El("span", "class", "own__face").Body(components.Icon("image"), components.If(p.Image != "", func() app.UI {
		return components.Void("img", "class", "own__picture", "src", p.Image, "alt", "", "loading", "lazy", "decoding", "async", "data-optional", "true")
	}))
	tools := []app.UI{}
	if p.Status == "complete" {
		tools = append(tools, components.Button("", words.LibraryUse, "").Attr("data-testid", "use-preset").Attr("aria-label", words.LibraryUseOf(p.Name)).
			OnClick(func(app.Context, app.Event) { l.use(p) }, components.Scope(p.Kind, p.ID)))
	}
	tools = append(tools, components.IconButton("trash", words.LibraryDelete(p.Name), words.KeyDelete).Attr("data-testid", "delete-preset").Attr("data-delete", "true").
		OnClick(func(app.Context, app.Event) { l.askToDelete(p) }, components.Scope(p.Kind, p.ID)))
	return components.El("article", "class", "own", "data-cell", "true", "data-testid", "own-preset", "data-status", p.Status).Body(
		picture,
		components.Box("own__text", components.El("strong", "class", "own__name", "title", p.Name).Text(p.Name), components.Status(tone, state)),
		components.Box("own__tools", tools...),
	)
}

// renderOffered shows what the image service offers; the designer's own stand above.
func (l *Library) renderOffered() app.UI {
	list := l.core.presetsOf(l.kind.Agent, l.kind.Preset)
	if all := len(list.Presets); l.kind.Made() {
		list.Presets = slices.DeleteFunc(slices.Clone(list.Presets), func(p atelier.Preset) bool { return p.Type == typeOwn })
		list.Total -= all - len(list.Presets)
	}
	kind := catalog.Param{Name: "library-" + l.kind.Preset, Title: l.kind.Title, PresetKind: l.kind.Preset}
	return components.El("section", "class", "library__part").Body(
		components.Box("library__head", components.Text("h2", "library__title", words.LibraryOffered)),
		components.Box("library__offered",
			components.NewPresetBrowser(components.PresetBrowser{Param: kind, List: list, Marked: l.core.favourites, SearchID: "library-search"}, l)),
	)
}

func (l *Library) renderDelete() []app.UI {
	if l.doomed == nil {
		return nil
	}
	return []app.UI{components.Box("confirm",
		components.Box("confirm__text",
			components.Text("p", "", words.LibraryDeleteGoes(l.doomed.Name)),
			components.Text("p", "", words.LibraryDeleteStays),
		),
		components.Box("confirm__foot",
			components.Button("", words.KeepIt, "").OnClick(func(app.Context, app.Event) { l.CloseDialog(deletePresetID) }),
			components.Button("trash", words.Delete, "button--danger").Attr("data-testid", "delete-preset-really").OnClick(l.remove),
		),
	)}
}
