package pages

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/probe"
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
	kind    model.OwnKind
	own     map[string]ownList // by kind
	query   string
	tag     int64
	marked  model.Marks // presets the designer marked
	making  *making     // the preset that is being made, nil when none is
	doomed  *atelier.Preset
	release []func()
}

// ownList is what is known of one kind of preset of the designer's.
type ownList struct {
	state   model.Load
	problem string
	presets []atelier.Preset
}

const (
	makePresetID   = "make-preset"
	deletePresetID = "delete-preset"
	presetPickerID = "preset-picker"
	marksKey       = "atelier.presets.marked"
	// libraryAgent is the agent own presets belong to (Task API, "Create my fashion model").
	libraryAgent = "aimodel"
)

// OnInit implements app.Initializer.
func (l *Library) OnInit() {
	l.own = map[string]ownList{}
	l.marked = model.ReadMarks(browser.Load(marksKey))
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
	if l.Address != "" && l.Address != l.address {
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
	l.kind = model.OwnKinds[0]
	if u, err := url.Parse(l.Address); err == nil {
		for _, k := range model.OwnKinds {
			if k.Preset == u.Query().Get("kind") {
				l.kind = k
			}
		}
	}
}

// load reads the designer's own presets of the kind on screen, and the first page of the service's.
func (l *Library) load() {
	kind := l.kind
	list := l.own[kind.Preset]
	if list.state != model.Loaded {
		list.state = model.Loading
	}
	l.own[kind.Preset] = list
	l.core.do(func(ctx context.Context) func() {
		presets, err := l.core.api.OwnPresets(ctx, client.OwnKind(kind.Path))
		return func() {
			list := l.own[kind.Preset]
			if err != nil {
				if !l.core.expired(err) {
					list.state, list.problem = model.Broken, sentence(err)
				}
			} else {
				list = ownList{state: model.Loaded, presets: presets}
			}
			l.own[kind.Preset] = list
		}
	})
	l.offered(1)
}

// offered reads the service's presets of the kind on screen page by page: the search needs all of them.
func (l *Library) offered(page int) {
	kind, key := l.kind.Preset, presetKey(libraryAgent, l.kind.Preset)
	list := l.core.presets[key]
	if page == 1 {
		switch {
		case list.Last:
			return
		case list.State == model.Loaded:
			page = list.Pages + 1
		default:
			list.State = model.Loading
			l.core.presets[key] = list
		}
	}
	l.core.do(func(ctx context.Context) func() {
		answer, err := l.core.api.Presets(ctx, libraryAgent, kind, page, presetPage)
		return func() {
			list := l.core.presets[key]
			if err != nil {
				if !l.core.expired(err) {
					list.State, list.Error = model.Broken, sentence(err)
					l.core.presets[key] = list
				}
				return
			}
			if answer.Page == 0 {
				answer.Page = page
			}
			if answer.Page > list.Pages {
				list = list.Add(answer)
				l.core.presets[key] = list
			}
			if !list.Last && l.Shown && l.kind.Preset == kind {
				l.offered(list.Pages + 1)
			}
		}
	})
}

// watch follows what becomes of the designer's presets.
func (l *Library) watch(event atelier.Event) {
	switch event.Type {
	case atelier.EventSnapshot:
		l.load()
	case atelier.EventPreset:
		var p atelier.Preset
		if json.Unmarshal(event.Data, &p) != nil {
			return
		}
		list := l.own[p.Kind]
		list.presets = slices.Clone(list.presets)
		for i := range list.presets {
			if list.presets[i].ID == p.ID {
				list.presets[i].Status = p.Status
			}
		}
		l.own[p.Kind] = list
		if l.Shown {
			l.offered(1) // the lists of presets are asked for anew after it
		}
	}
}

// use takes a preset into the form of the agent it belongs to.
func (l *Library) use(p atelier.Preset) {
	if l.core.fill != nil {
		l.core.fill(libraryAgent, l.kind.Param, float64(p.ID))
	}
	l.core.said = p.Name + " is chosen"
	l.core.ui.Navigate("/")
}

func (l *Library) mark(id int64) {
	l.marked = l.marked.Toggle(l.kind.Preset, id)
	browser.Save(marksKey, l.marked.Encode())
}

func (l *Library) askToDelete(p atelier.Preset) {
	l.doomed = &p
	browser.OpenModal(deletePresetID)
}

// CloseDialog implements components.DialogPort.
func (l *Library) CloseDialog(id string) {
	l.doomed, l.making = nil, nil
	browser.CloseModal(id)
	l.ctx.Update()
}

func (l *Library) remove(app.Context, app.Event) {
	if l.doomed == nil {
		return
	}
	p, kind := *l.doomed, l.kind
	l.CloseDialog(deletePresetID)
	l.core.do(func(ctx context.Context) func() {
		err := l.core.api.DeletePreset(ctx, client.OwnKind(kind.Path), p.ID)
		return func() {
			if err != nil && atelier.CodeOf(err) != atelier.NotFound {
				l.core.failed(err)
				return
			}
			list := l.own[kind.Preset]
			list.presets = slices.DeleteFunc(slices.Clone(list.presets), func(q atelier.Preset) bool { return q.ID == p.ID })
			l.own[kind.Preset] = list
			delete(l.core.presets, presetKey(libraryAgent, kind.Preset))
			l.offered(1)
			l.core.said = p.Name + " was deleted"
		}
	})
}

// Render implements app.Composer.
func (l *Library) Render() app.UI {
	tabs := make([]app.UI, len(model.OwnKinds))
	for i, k := range model.OwnKinds {
		tabs[i] = components.El("a", "class", "tab", "href", "/library?kind="+k.Preset, "data-testid", "library-"+k.Preset, "aria-current", components.Pick(k.Preset == l.kind.Preset, "page", "false")).Text(k.Title)
	}
	return components.El("section", "class", "page library").Hidden(!l.Shown).Attr("aria-label", "Library").Body(
		components.El("nav", "class", "topbar tabs", "aria-label", "Library").Body(tabs...),
		components.Box("library__all", l.renderOwn(), l.renderOffered()),
		components.Dialog(makePresetID, "New "+l.kind.Word, "dialog--wide", l.making != nil, l, l.renderMaking),
		components.Dialog(deletePresetID, "Delete this "+l.kind.Word+"?", "", l.doomed != nil, l, l.renderDelete),
	)
}

func (l *Library) renderOwn() app.UI {
	list := l.own[l.kind.Preset]
	full := len(list.presets) >= model.MostOwnPresets
	cells := []app.UI{components.El("button", "type", "button", "class", "own own--new", "data-testid", "new-preset", "disabled", components.Bool(full)).
		OnClick(func(app.Context, app.Event) { l.beginMaking() }, components.Scope(l.kind.Preset, full)).
		Body(components.Icon("plus"), components.Text("span", "", "New "+l.kind.Word))}
	for _, p := range list.presets {
		cells = append(cells, l.renderOwnPreset(p))
	}
	note := model.Number(len(list.presets)) + " of " + model.Number(model.MostOwnPresets)
	if full {
		note += ". The account takes no more; delete one first."
	}
	return components.El("section", "class", "library__part", "aria-busy", components.Bool(list.state == model.Loading)).Body(
		components.Box("library__head", components.Text("h2", "library__title", "Yours"), components.Text("span", "library__note", note)),
		components.If(list.state == model.Broken, func() app.UI {
			return components.El("p", "class", "field__note").Body(components.SmallIcon("alert"), components.Text("span", "", list.problem),
				components.Button("retry", "Try again", "button--link").OnClick(func(app.Context, app.Event) { l.load() }))
		}),
		components.El("div", "class", "library__grid", "data-testid", "own-presets").Body(cells...),
		components.If(list.state == model.Loaded && len(list.presets) == 0, func() app.UI {
			return components.Text("p", "library__teach", l.kind.Teach)
		}),
	)
}

func (l *Library) renderOwnPreset(p atelier.Preset) app.UI {
	tone, words := model.PresetTone(p)
	picture := app.UI(components.El("span", "class", "preset__blank").Body(components.Icon("image")))
	if p.Image != "" {
		picture = components.Void("img", "class", "own__picture", "src", p.Image, "alt", "", "loading", "lazy", "decoding", "async")
	}
	tools := []app.UI{}
	if p.Status == "complete" {
		tools = append(tools, components.Button("", "Use", "").Attr("data-testid", "use-preset").Attr("aria-label", "Use "+p.Name).
			OnClick(func(app.Context, app.Event) { l.use(p) }, components.Scope(p.Kind, p.ID)))
	}
	tools = append(tools, components.IconButton("trash", "Delete "+p.Name, "").Attr("data-testid", "delete-preset").
		OnClick(func(app.Context, app.Event) { l.askToDelete(p) }, components.Scope(p.Kind, p.ID)))
	return components.El("article", "class", "own", "data-testid", "own-preset", "data-status", p.Status).Body(
		picture,
		components.Box("own__text", components.Text("strong", "own__name", p.Name), components.Status(tone, words)),
		components.Box("own__tools", tools...),
	)
}

func (l *Library) renderOffered() app.UI {
	list := l.core.presets[presetKey(libraryAgent, l.kind.Preset)]
	var body app.UI
	switch {
	case list.State == model.Broken:
		body = components.El("p", "class", "field__note").Body(components.SmallIcon("alert"), components.Text("span", "", list.Error),
			components.Button("retry", "Try again", "button--link").OnClick(func(app.Context, app.Event) { l.offered(1) }))
	case list.State != model.Loaded:
		cells := make([]app.UI, 12)
		for i := range cells {
			cells[i] = components.Box("preset skeleton")
		}
		body = components.El("div", "class", "presets presets--all", "aria-busy", "true").Body(cells...)
	default:
		body = l.renderPresets(list)
	}
	return components.El("section", "class", "library__part").Body(
		components.Box("library__head", components.Text("h2", "library__title", "From the image service"),
			components.Search("library-search", "Search by name, tag or style", l.query, func(_ app.Context, e app.Event) {
				l.query = e.Get("target").Get("value").String()
			})),
		body,
	)
}

func (l *Library) renderPresets(list model.PresetList) app.UI {
	tags := []app.UI{}
	for _, t := range list.Tags() {
		tags = append(tags, components.El("button", "type", "button", "class", "chip", "aria-pressed", components.Bool(t.ID == l.tag)).Text(t.Name).
			OnClick(func(app.Context, app.Event) { l.tag = map[bool]int64{false: t.ID}[l.tag == t.ID] }, components.Scope(t.ID, t.ID == l.tag)))
	}
	found := l.marked.First(l.kind.Preset, list.Search(l.query, l.tag))
	cells := make([]app.UI, 0, len(found))
	for _, p := range found {
		if p.Type == "Yours" {
			continue // stands above
		}
		marked := l.marked.Has(l.kind.Preset, p.ID)
		cells = append(cells, components.Box("library__preset",
			components.PresetCell(p, false, func(app.Context, app.Event) { l.use(p) }),
			components.El("button", "type", "button", "class", "library__star", "aria-pressed", components.Bool(marked), "aria-label", "Favourite: "+p.Name, "data-testid", "mark-preset").
				OnClick(func(app.Context, app.Event) { l.mark(p.ID) }, components.Scope(p.Kind, p.ID)).Body(starIcon(marked)),
		))
	}
	if len(cells) == 0 {
		cells = append(cells, components.Text("p", "preset-browser__none", "Nothing fits. Try a shorter word or another tag."))
	}
	return components.Box("library__offered",
		components.El("div", "class", "preset-browser__tags", "role", "group", "aria-label", "Tags").Body(tags...),
		components.El("div", "class", "presets presets--all", "data-testid", "offered-presets").Body(cells...),
	)
}

func starIcon(marked bool) app.UI {
	if marked {
		return components.FilledIcon("star")
	}
	return components.Icon("star")
}

func (l *Library) renderDelete() []app.UI {
	if l.doomed == nil {
		return nil
	}
	return []app.UI{components.Box("confirm",
		components.Box("confirm__text",
			components.Text("p", "", l.doomed.Name+" is deleted at the image service. This cannot be undone."),
			components.Text("p", "", "Results made with it stay. Runs that named it cannot be repeated with it; the photos it was made of stay among your pictures."),
		),
		components.Box("confirm__foot",
			components.Button("", "Keep it", "").OnClick(func(app.Context, app.Event) { l.CloseDialog(deletePresetID) }),
			components.Button("trash", "Delete", "button--danger").Attr("data-testid", "delete-preset-really").OnClick(l.remove),
		),
	)}
}

// making is a preset on its way to being made.
type making struct {
	name     string
	photos   []photo
	problem  string // what the server said
	sending  bool
	nextID   int
	choosing bool // among the pictures that are here already
}

// photo is one picture of a preset that is being made: on its way, here, or with something against it.
type photo struct {
	id       int
	name     string
	asset    *atelier.Asset
	busy     string // what is being done with it
	problems []probe.Problem
	remedy   *model.Remedy // makes it pass
}

// ready says whether the picture may be used as it is.
func (p photo) ready() bool { return p.asset != nil && p.busy == "" && len(p.problems) == 0 }

func (l *Library) beginMaking() {
	l.making = &making{}
	browser.OpenModal(makePresetID)
	l.ctx.Defer(func(app.Context) { browser.Focus("preset-name") })
}

// change changes a photo of the preset that is being made, if it still is.
func (l *Library) change(m *making, id int, f func(*photo)) {
	if l.making != m {
		return
	}
	m.photos = slices.Clone(m.photos)
	for i := range m.photos {
		if m.photos[i].id == id {
			f(&m.photos[i])
		}
	}
}

// add brings files as photos of the preset.
func (l *Library) add(files []browser.File) {
	m := l.making
	if m == nil {
		return
	}
	for _, file := range files {
		if len(m.photos) >= l.kind.MostPhotos {
			l.core.toast("warning", "A "+l.kind.Word+" takes at most "+model.Plural(l.kind.MostPhotos, "photo", "photos")+".")
			break
		}
		m.nextID++
		id := m.nextID
		m.photos = append(m.photos, photo{id: id, name: file.Name, busy: "Checking"})
		l.core.do(func(ctx context.Context) func() { return l.bring(ctx, m, id, file) })
	}
}

// bring checks and sends one photo. What the upload would refuse is repaired first where that loses nothing but size.
func (l *Library) bring(ctx context.Context, m *making, id int, file browser.File) func() {
	refuse := func(problems ...probe.Problem) func() {
		return func() { l.change(m, id, func(p *photo) { p.busy, p.problems = "", problems }) }
	}
	facts, diagnosis, err := examine(ctx, file, probe.Upload)
	switch {
	case err != nil:
		return refuse(probe.Problem{Message: unreadable})
	case len(diagnosis.Remedies) > 0:
		if file, err = redraw(ctx, file, diagnosis.Remedies[0]); err != nil {
			return refuse(diagnosis.Problems...)
		}
	case len(diagnosis.Problems) > 0:
		return refuse(diagnosis.Problems...)
	default:
		file, _ = putRight(ctx, file, facts)
	}
	asset, err := l.core.api.Upload(ctx, file, func(sent, total int64) {
		l.core.post(func() {
			l.change(m, id, func(p *photo) { p.busy = "Sending " + model.Percent(float64(sent)/float64(max(total, 1))) })
		})
	})
	if err != nil {
		return refuse(probe.Problem{Message: sentence(err)})
	}
	return func() {
		l.core.addAsset(asset)
		l.change(m, id, func(p *photo) { l.judge(p, asset) })
	}
}

// judge holds a picture against the rule of the preset (Task API, "Create my fashion model", "Create my location").
func (l *Library) judge(p *photo, asset atelier.Asset) {
	facts := probe.Facts{Format: probe.Format(asset.Format), Width: asset.Width, Height: asset.Height, Bytes: asset.Bytes}
	d := model.Examine(l.kind.Rule, facts)
	p.asset, p.name, p.busy, p.problems, p.remedy = &asset, asset.Name, "", d.Problems, nil
	if len(d.Remedies) > 0 {
		p.remedy = &d.Remedies[0]
	}
}

// repair makes a picture that passes out of one that does not, and takes it in its place.
func (l *Library) repair(m *making, p photo) {
	l.change(m, p.id, func(p *photo) { p.busy = "Repairing" })
	l.core.do(func(ctx context.Context) func() {
		failed := func(err error) func() {
			return func() {
				l.change(m, p.id, func(p *photo) { p.busy, p.remedy = "", nil })
				l.core.toast("error", unrepaired)
				l.core.expired(err)
			}
		}
		file, err := browser.FetchFile(ctx, p.asset.File, p.asset.Name)
		if err != nil {
			return failed(err)
		}
		if file, err = redraw(ctx, file, *p.remedy); err != nil {
			return failed(err)
		}
		asset, err := l.core.api.Upload(ctx, file, func(int64, int64) {})
		if err != nil {
			return failed(err)
		}
		return func() {
			l.core.addAsset(asset)
			l.change(m, p.id, func(p *photo) { l.judge(p, asset) })
		}
	})
}

// create asks for the preset.
func (l *Library) create(app.Context, app.Event) {
	m, kind := l.making, l.kind
	if m == nil || m.sending {
		return
	}
	m.problem = l.missing()
	if m.problem != "" {
		return
	}
	ids := make([]atelier.AssetID, len(m.photos))
	for i, p := range m.photos {
		ids[i] = p.asset.ID
	}
	m.sending = true
	l.core.do(func(ctx context.Context) func() {
		p, err := l.core.api.CreatePreset(ctx, client.OwnKind(kind.Path), atelier.CreatePreset{Name: strings.TrimSpace(m.name), Assets: ids})
		return func() {
			m.sending = false
			if err != nil {
				m.problem = sentence(err)
				l.core.expired(err)
				return
			}
			list := l.own[kind.Preset]
			list.presets = append([]atelier.Preset{p}, list.presets...)
			l.own[kind.Preset] = list
			if l.making == m {
				l.CloseDialog(makePresetID)
			}
			l.core.said = p.Name + " is being made"
		}
	})
}

// missing says what is still needed, "" when nothing is.
func (l *Library) missing() string {
	m := l.making
	switch {
	case strings.TrimSpace(m.name) == "":
		return "Give it a name."
	case len(m.photos) == 0:
		return "Add " + components.Pick(l.kind.MostPhotos == 1, "a photo.", "at least one photo.")
	}
	for _, p := range m.photos {
		if p.busy != "" {
			return "One moment: " + p.name + " is not ready."
		}
		if !p.ready() {
			return p.name + " cannot be used as it is. Repair it or take it out."
		}
	}
	return ""
}

func (l *Library) renderMaking() []app.UI {
	m := l.making
	if m == nil {
		return nil
	}
	photos := make([]app.UI, 0, len(m.photos)+1)
	for _, p := range m.photos {
		photos = append(photos, l.renderPhoto(m, p))
	}
	name := components.Void("input", "id", "preset-name", "class", "input", "data-testid", "preset-name", "maxlength", "100", "autocomplete", "off", "placeholder", l.kind.Example).
		OnInput(func(_ app.Context, e app.Event) { m.name, m.problem = e.Get("target").Get("value").String(), "" })
	return []app.UI{components.Box("making",
		components.El("label", "class", "field__label", "for", "preset-name").Text("Name"), name,
		components.Box("making__head", components.Text("span", "field__label", components.Pick(l.kind.MostPhotos == 1, "Photo", "Photos")),
			components.Text("span", "field__help", model.Number(len(m.photos))+" of "+model.Number(l.kind.MostPhotos))),
		components.El("ul", "class", "making__rules").Body(l.rules()...),
		components.El("ul", "class", "making__photos").Body(photos...),
		components.If(len(m.photos) < l.kind.MostPhotos, func() app.UI {
			return components.Box("making__add",
				components.Void("input", "type", "file", "id", presetPickerID, "class", "visually-hidden", "accept", "image/*", "multiple", components.Bool(l.kind.MostPhotos > 1), "tabindex", "-1", "aria-hidden", "true").
					OnChange(func(app.Context, app.Event) { l.add(browser.TakeFiles(presetPickerID)) }),
				components.Button("upload", "Add from this computer", "").Attr("data-testid", "add-photo").OnClick(func(app.Context, app.Event) { browser.Click(presetPickerID) }),
				components.Button("image", "Choose from your pictures", "").Attr("data-testid", "choose-photo").Attr("aria-expanded", components.Bool(m.choosing)).
					OnClick(func(app.Context, app.Event) { m.choosing = !m.choosing }),
			)
		}),
		components.If(m.choosing && len(m.photos) < l.kind.MostPhotos, func() app.UI { return l.renderChoice(m) }),
		components.Box("making__foot",
			components.El("p", "class", "making__problem", "role", "alert").Text(m.problem),
			components.Button("", components.Pick(m.sending, "Making…", "Make the "+l.kind.Word), "button--primary").Attr("data-testid", "make-preset").
				Attr("disabled", components.Bool(m.sending)).OnClick(l.create),
		),
	)}
}

// rules lists what the photos must be and should be.
func (l *Library) rules() []app.UI {
	rules := make([]app.UI, len(l.kind.Advice))
	for i, text := range l.kind.Advice {
		rules[i] = components.El("li", "class", "making__rule").Body(components.SmallIcon("check"), components.Text("span", "", text))
	}
	return rules
}

func (l *Library) renderPhoto(m *making, p photo) app.UI {
	picture := app.UI(components.El("span", "class", "making__picture skeleton"))
	if p.asset != nil {
		picture = components.Void("img", "class", "making__picture", "src", components.Thumb(p.asset.Thumb, 160), "alt", "")
	}
	state := components.Status(model.Good, "Can be used")
	switch {
	case p.busy != "":
		state = components.Status(model.Busy, p.busy)
	case len(p.problems) > 0:
		state = components.Status(model.Bad, p.problems[0].Message)
	}
	return components.El("li", "class", "making__photo", "data-testid", "preset-photo", "data-ready", components.Bool(p.ready())).Body(
		picture,
		components.Box("making__text", components.Text("strong", "", p.name), state,
			components.If(p.busy == "" && len(p.problems) > 0 && p.remedy != nil, func() app.UI {
				return components.Button("", p.remedy.Title+": "+p.remedy.Effect, "button--link").Attr("data-testid", "repair-photo").
					OnClick(func(app.Context, app.Event) { l.repair(m, p) }, components.Scope(p.id))
			})),
		components.IconButton("close", "Take out "+p.name, "").OnClick(func(app.Context, app.Event) {
			m.photos = slices.DeleteFunc(slices.Clone(m.photos), func(q photo) bool { return q.id == p.id })
		}, components.Scope(p.id)),
	)
}

// renderChoice shows the pictures that are here already.
func (l *Library) renderChoice(m *making) app.UI {
	cells := []app.UI{}
	for _, a := range l.core.assets {
		taken := slices.ContainsFunc(m.photos, func(p photo) bool { return p.asset != nil && p.asset.ID == a.ID })
		if a.Kind != "image" && a.Kind != "" || taken || len(cells) == assetsShown {
			continue
		}
		cells = append(cells, components.El("button", "type", "button", "class", "asset", "data-testid", "asset", "title", a.Name).
			OnClick(func(app.Context, app.Event) {
				m.nextID++
				p := photo{id: m.nextID}
				l.judge(&p, a)
				m.photos = append(slices.Clone(m.photos), p)
			}, components.Scope(a.ID, len(m.photos))).
			Body(components.Void("img", "class", "asset__picture", "src", components.Thumb(a.Thumb, 160), "alt", a.Name, "loading", "lazy")))
	}
	if len(cells) == 0 {
		return components.Text("p", "field__help", "There is no other picture yet.")
	}
	return components.Box("making__choice", cells...)
}
