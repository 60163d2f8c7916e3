package pages

import (
	"context"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/client"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/imaging/probe"
)

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
	problems []model.Fault
	remedies []model.Remedy // each makes it pass
	file     browser.File   // what was brought, until it is sent
	url      string         // shows it
	said     string         // what was done to it without a question
	faces    *int           // in it; nil = not known
}

// sent takes the file away that was brought: it is on the server.
func (p *photo) sent() {
	if p.url != "" {
		browser.RevokeURL(p.url)
	}
	p.file, p.url = browser.File{}, ""
}

// ready says whether the picture may be used as it is.
func (p photo) ready() bool { return p.asset != nil && p.busy == "" && len(p.problems) == 0 }

func (l *Library) beginMaking() {
	l.making = &making{}
	l.core.openPageDialog(makePresetID, l)
	drawn(l.ctx, func() { browser.Focus("preset-name") })
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
			l.core.toast("warning", l.kind.Words.TooMany(l.kind.MostPhotos))
			break
		}
		m.nextID++
		id := m.nextID
		m.photos = append(m.photos, photo{id: id, name: file.Name, busy: words.MakingChecking})
		l.core.do(func(ctx context.Context) func() { return l.bring(ctx, m, id, file) })
	}
}

// bring checks one photo and sends it. What the upload or the preset would refuse is kept here until it is repaired or taken out.
func (l *Library) bring(ctx context.Context, m *making, id int, file browser.File) func() {
	refuse := func(problems ...model.Fault) func() {
		return func() { l.change(m, id, func(p *photo) { p.busy, p.problems = "", problems }) }
	}
	facts, diagnosis, err := examine(ctx, file, l.kind.Intake())
	if err == nil && (facts.Orientation != 1 || facts.Format.Converted()) {
		facts, diagnosis, err = examine(ctx, file, probe.Studio) // turning re-encodes the file, small enough for the preset
	}
	said := ""
	switch {
	case err != nil:
		return refuse(model.Fault{Message: words.UploadUnreadable})
	case len(diagnosis.Problems) > 0:
		return func() {
			l.change(m, id, func(p *photo) {
				p.busy, p.problems, p.remedies, p.file, p.url = "", diagnosis.Problems, diagnosis.Remedies, file, file.ObjectURL()
			})
		}
	default:
		if file, said, err = putRight(ctx, file, facts, l.kind.Intake()); err != nil {
			return refuse(model.Fault{Message: words.UploadNotRighted})
		}
	}
	asset, err := l.send(ctx, m, id, file)
	if err != nil {
		return refuse(model.Fault{Message: sentence(err)})
	}
	return func() {
		l.change(m, id, func(p *photo) { p.said = said })
		l.arrived(m, id, asset)
	}
}

func (l *Library) send(ctx context.Context, m *making, id int, file browser.File) (atelier.Asset, error) {
	return l.core.api.Upload(ctx, file, func(sent, total int64) {
		l.core.post(func() {
			l.change(m, id, func(p *photo) { p.busy = words.MakingSending(float64(sent) / float64(max(total, 1))) })
		})
	})
}

// arrived takes a picture that is on the server as a photo of the preset.
func (l *Library) arrived(m *making, id int, asset atelier.Asset) {
	l.core.addAsset(asset)
	l.change(m, id, func(p *photo) { l.judge(p, asset) })
	l.look(m, id, asset)
}

// judge holds a picture against the rule of the preset (Task API, "Create my fashion model", "Create my location").
func (l *Library) judge(p *photo, asset atelier.Asset) {
	d := l.kind.Judge(asset)
	p.sent()
	p.asset, p.name, p.busy, p.problems, p.remedies = &asset, asset.Name, "", d.Problems, d.Remedies
}

// look asks who is seen in a photo, where that matters. Not knowing keeps nobody from going on.
func (l *Library) look(m *making, id int, asset atelier.Asset) {
	if !slices.Contains(l.kind.Checks, model.CheckFace) {
		return
	}
	l.core.do(func(ctx context.Context) func() {
		n, err := l.core.api.Faces(ctx, asset.ID)
		return func() {
			if err != nil {
				l.core.expired(err)
				return
			}
			l.change(m, id, func(p *photo) { p.faces = &n })
		}
	})
}

// repair makes a picture that passes out of one that does not, and takes it in its place.
func (l *Library) repair(m *making, p photo, remedy model.Remedy) {
	l.change(m, p.id, func(p *photo) { p.busy = words.MakingRepairing })
	l.core.do(func(ctx context.Context) func() {
		failed := func(err error) func() {
			return func() {
				l.change(m, p.id, func(p *photo) { p.busy, p.remedies = "", nil })
				l.core.toast("error", words.DoctorUnrepaired)
				l.core.expired(err)
			}
		}
		file, err := p.file, error(nil)
		if p.asset != nil {
			file, err = browser.FetchFile(ctx, p.asset.File, p.asset.Name)
		}
		if err != nil {
			return failed(err)
		}
		if file, err = redraw(ctx, file, remedy); err != nil {
			return failed(err)
		}
		asset, err := l.send(ctx, m, p.id, file)
		if err != nil {
			return failed(err)
		}
		return func() { l.arrived(m, p.id, asset) }
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
			if !slices.ContainsFunc(list.presets, func(q atelier.Preset) bool { return q.ID == p.ID }) {
				list.presets = append([]atelier.Preset{p}, list.presets...)
				list.count++
			}
			l.own[kind.Preset] = list
			if l.making == m {
				l.CloseDialog(makePresetID)
			}
			l.core.said = words.LibraryBeingMade(p.Name)
		}
	})
}

// missing says what is still needed, "" when nothing is.
func (l *Library) missing() string {
	m := l.making
	switch {
	case strings.TrimSpace(m.name) == "":
		return words.MakingNoName
	case len(m.photos) == 0:
		return components.Pick(l.kind.MostPhotos == 1, words.MakingNoSinglePhoto, words.MakingNoPhoto)
	}
	for _, p := range m.photos {
		if p.busy != "" {
			return words.MakingNotReady(p.name)
		}
		if !p.ready() {
			return words.MakingUnusable(p.name)
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
	name := components.Void("input", "id", "preset-name", "class", "input", "data-testid", "preset-name", "maxlength", "100", "autocomplete", "off", "placeholder", l.kind.Words.Example).
		OnInput(func(_ app.Context, e app.Event) { m.name, m.problem = e.Get("target").Get("value").String(), "" })
	return []app.UI{components.Box("making",
		components.El("label", "class", "field__label", "for", "preset-name").Text(words.MakingName), name,
		components.Box("making__head", components.Text("span", "field__label", components.Pick(l.kind.MostPhotos == 1, words.MakingPhoto, words.MakingPhotos)),
			components.Text("span", "field__help", words.CountOf(len(m.photos), l.kind.MostPhotos))),
		components.El("ul", "class", "making__rules").Body(l.rules()...),
		components.El("ul", "class", "making__photos").Body(photos...),
		components.If(len(m.photos) < l.kind.MostPhotos, func() app.UI {
			return components.Box("making__add",
				components.Void("input", "type", "file", "id", presetPickerID, "class", "visually-hidden", "accept", "image/*", "multiple", components.Bool(l.kind.MostPhotos > 1), "tabindex", "-1", "aria-hidden", "true").
					OnChange(func(app.Context, app.Event) { l.add(browser.TakeFiles(presetPickerID)) }),
				components.Button("upload", words.MakingAdd, "").Attr("data-testid", "add-photo").OnClick(func(app.Context, app.Event) { browser.Click(presetPickerID) }),
				components.Button("image", words.MakingChoose, "").Attr("data-testid", "choose-photo").Attr("aria-expanded", components.Bool(m.choosing)).
					OnClick(func(app.Context, app.Event) { l.choose(m) }),
			)
		}),
		components.If(m.choosing && len(m.photos) < l.kind.MostPhotos, func() app.UI { return l.renderChoice(m) }),
		components.Box("making__foot",
			components.El("p", "class", "making__problem", "role", "alert").Text(m.problem),
			components.Button("", components.Pick(m.sending, words.MakingBusy, l.kind.Words.Make), "button--primary").Attr("data-testid", "make-preset").
				Attr("disabled", components.Bool(m.sending)).OnClick(l.create),
		),
	)}
}

// rules lists what the photos must be and should be, and how each stands with the photos that are here.
func (l *Library) rules() []app.UI {
	rules := make([]app.UI, len(l.kind.Words.Advice))
	for i, text := range l.kind.Words.Advice {
		check := l.kind.Checks[i]
		state, by := l.making.standing(check)
		icon, said := "info", words.MakingUnchecked
		switch {
		case len(l.making.photos) == 0: // there is nothing to check yet
			said = ""
		case state == "passed" && check == model.CheckFace: // which is not all the rule asks for
			said = words.MakingFaceFound
		case state == "passed":
			icon, said = "check", words.MakingPassed
		case state == "doubtful":
			icon, said = "unsure", words.MakingFaceMissing(by)
		case state == "broken":
			icon, said = "alert", words.MakingBroken(by)
		}
		rules[i] = components.El("li", "class", "making__rule making__rule--"+state, "data-testid", "preset-rule", "data-state", state).Body(
			components.SmallIcon(icon), components.Text("span", "", words.MakingRule(text, said)))
	}
	return rules
}

// standing is how the photos stand with what they are looked at for: passed by all, broken by one, doubtful in one where nobody was
// found, or unknown, which it is while there are none.
func (m *making) standing(check model.Check) (state, by string) {
	state = "passed"
	if len(m.photos) == 0 || check == model.Unchecked {
		state = "unknown"
	}
	for _, p := range m.photos {
		switch {
		case slices.ContainsFunc(p.problems, check.Concerns):
			return "broken", p.name
		case check == model.CheckFace && p.faces != nil && *p.faces == 0:
			return "doubtful", p.name
		case p.asset == nil && len(p.problems) == 0, check == model.CheckFace && p.faces == nil:
			state = "unknown"
		}
	}
	return state, ""
}

func (l *Library) renderPhoto(m *making, p photo) app.UI {
	picture := app.UI(components.El("span", "class", "making__picture skeleton"))
	switch {
	case p.asset != nil:
		picture = components.Void("img", "class", "making__picture", "src", components.Thumb(p.asset.Thumb, 160), "alt", "")
	case len(p.problems) > 0 && len(p.remedies) == 0: // nothing can be made of it, and what is shown of it would be nothing
		picture = components.El("span", "class", "making__picture making__picture--none").Body(components.Icon("alert"))
	case p.url != "":
		picture = components.Void("img", "class", "making__picture", "src", p.url, "alt", "").
			On("error", func(app.Context, app.Event) { l.change(m, p.id, func(p *photo) { p.remedies = nil }) }, components.Scope(p.id))
	}
	state := components.Status(model.Good, words.MakingUsable)
	switch {
	case p.busy != "":
		state = components.Status(model.Busy, p.busy)
	case len(p.problems) > 0:
		state = components.Status(model.Bad, p.problems[0].Message)
	case p.faces != nil && *p.faces == 0 && slices.Contains(l.kind.Checks, model.CheckFace):
		state = components.Status(model.Waiting, words.MakingNoFace(p.name))
	}
	fixes := []app.UI{}
	for _, remedy := range p.remedies {
		if p.busy == "" {
			fixes = append(fixes, components.Button("", words.MakingRepair(remedy.Title, remedy.Effect), "button--link").Attr("data-testid", "repair-photo").Attr("title", remedy.Warning).
				OnClick(func(app.Context, app.Event) { l.repair(m, p, remedy) }, components.Scope(p.id, remedy.Key, p.asset != nil)))
		}
	}
	return components.El("li", "class", "making__photo", "data-testid", "preset-photo", "data-ready", components.Bool(p.ready())).Body(
		picture,
		components.Box("making__text", components.Text("strong", "", p.name), state,
			components.If(p.said != "", func() app.UI { return components.Text("p", "field__help", p.said) }),
			components.Box("making__fixes", fixes...)),
		components.IconButton("close", words.MakingTakeOut(p.name), "").OnClick(func(app.Context, app.Event) {
			l.takeOut(m, p.id)
		}, components.Scope(p.id)),
	)
}

// takeOut takes a photo out of what a preset is made of, and offers it back.
func (l *Library) takeOut(m *making, id int) {
	at := slices.IndexFunc(m.photos, func(p photo) bool { return p.id == id })
	if at < 0 {
		return
	}
	gone := m.photos[at]
	m.photos = slices.Delete(slices.Clone(m.photos), at, at+1)
	if gone.busy != "" {
		return // what is on its way comes to nothing
	}
	l.core.offerFor(words.SlotRemoved(gone.name), func() {
		if l.making == m && len(m.photos) < l.kind.MostPhotos {
			m.photos = slices.Insert(slices.Clone(m.photos), min(at, len(m.photos)), gone)
		}
	}, gone.sent)
}

// AddFile implements components.ChooserPort.
func (l *Library) AddFile() { browser.Click(presetPickerID) }

// ChooseFile implements components.ChooserPort: a picture that is here already becomes a photo of the preset.
func (l *Library) ChooseFile(a atelier.Asset) {
	m := l.making
	if m == nil || len(m.photos) >= l.kind.MostPhotos {
		return
	}
	m.nextID++
	p := photo{id: m.nextID}
	l.judge(&p, a)
	m.photos = append(slices.Clone(m.photos), p)
	l.look(m, p.id, a)
}

// ChooseShot implements components.ChooserPort: a result, or the last frame of one, becomes a photo of the preset.
func (l *Library) ChooseShot(shot model.Shot, last bool) {
	m := l.making
	if m == nil || len(m.photos) >= l.kind.MostPhotos {
		return
	}
	path, name := shot.Result.File, components.Filename(shot)
	if last {
		path, name = shot.Result.LastFrame, words.LastFrameFile(name)
	}
	m.nextID++
	id := m.nextID
	m.photos = append(slices.Clone(m.photos), photo{id: id, name: name, busy: words.MakingChecking})
	l.core.do(func(ctx context.Context) func() {
		file, err := browser.FetchFile(ctx, path, name)
		if err != nil {
			return func() {
				l.change(m, id, func(p *photo) { p.busy, p.problems = "", []model.Fault{{Message: words.AssetsUnread}} })
			}
		}
		return l.bring(ctx, m, id, file)
	})
}

// choose opens what is here already to choose from, or closes it.
func (l *Library) choose(m *making) {
	if m.choosing = !m.choosing; m.choosing {
		l.ask(false, "")
		return
	}
	l.finder.end()
}

// renderChoice shows the pictures and results that are here already, but for those that were taken.
func (l *Library) renderChoice(m *making) app.UI {
	view := l.view(words.MakingAdd, words.AssetsNone(words.MediaPicture))
	view.Assets = slices.DeleteFunc(slices.Clone(view.Assets), func(a atelier.Asset) bool {
		return slices.ContainsFunc(m.photos, func(p photo) bool { return p.asset != nil && p.asset.ID == a.ID })
	})
	return components.Box("making__choice", view.Body(l)...)
}
