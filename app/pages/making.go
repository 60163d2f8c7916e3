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
	problems []probe.Problem
	remedy   *model.Remedy // makes it pass
}

// ready says whether the picture may be used as it is.
func (p photo) ready() bool { return p.asset != nil && p.busy == "" && len(p.problems) == 0 }

func (l *Library) beginMaking() {
	l.making = &making{}
	l.core.openPageDialog(makePresetID)
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
			l.core.toast("warning", l.kind.Words.TooMany(l.kind.MostPhotos))
			break
		}
		m.nextID++
		id := m.nextID
		m.photos = append(m.photos, photo{id: id, name: file.Name, busy: words.MakingChecking})
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
		return refuse(probe.Problem{Message: words.UploadUnreadable})
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
			l.change(m, id, func(p *photo) { p.busy = words.MakingSending(float64(sent) / float64(max(total, 1))) })
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
	l.change(m, p.id, func(p *photo) { p.busy = words.MakingRepairing })
	l.core.do(func(ctx context.Context) func() {
		failed := func(err error) func() {
			return func() {
				l.change(m, p.id, func(p *photo) { p.busy, p.remedy = "", nil })
				l.core.toast("error", words.DoctorUnrepaired)
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
					OnClick(func(app.Context, app.Event) { m.choosing = !m.choosing }),
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

// rules lists what the photos must be and should be.
func (l *Library) rules() []app.UI {
	rules := make([]app.UI, len(l.kind.Words.Advice))
	for i, text := range l.kind.Words.Advice {
		rules[i] = components.El("li", "class", "making__rule").Body(components.SmallIcon("check"), components.Text("span", "", text))
	}
	return rules
}

func (l *Library) renderPhoto(m *making, p photo) app.UI {
	picture := app.UI(components.El("span", "class", "making__picture skeleton"))
	if p.asset != nil {
		picture = components.Void("img", "class", "making__picture", "src", components.Thumb(p.asset.Thumb, 160), "alt", "")
	}
	state := components.Status(model.Good, words.MakingUsable)
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
				return components.Button("", words.MakingRepair(p.remedy.Title, p.remedy.Effect), "button--link").Attr("data-testid", "repair-photo").
					OnClick(func(app.Context, app.Event) { l.repair(m, p) }, components.Scope(p.id))
			})),
		components.IconButton("close", words.MakingTakeOut(p.name), "").OnClick(func(app.Context, app.Event) {
			m.photos = slices.DeleteFunc(slices.Clone(m.photos), func(q photo) bool { return q.id == p.id })
		}, components.Scope(p.id)),
	)
}

// choicesShown is how many pictures are offered at most.
const choicesShown = 96

// renderChoice shows the pictures that are here already.
func (l *Library) renderChoice(m *making) app.UI {
	cells := []app.UI{}
	for _, a := range l.core.assets {
		taken := slices.ContainsFunc(m.photos, func(p photo) bool { return p.asset != nil && p.asset.ID == a.ID })
		if a.Kind != "image" && a.Kind != "" || taken || len(cells) == choicesShown {
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
		return components.Text("p", "field__help", words.MakingNoOther)
	}
	return components.Box("making__choice", cells...)
}
