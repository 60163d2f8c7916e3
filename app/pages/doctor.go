package pages

import (
	"context"
	"image"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
	"atelier/imaging/probe"
)

const doctorID = "doctor"

// patient is a picture that the service would refuse as it is, and what could be done about it.
type patient struct {
	id        int
	file      browser.File
	diagnosis model.Diagnosis
	choice    string // the key of the remedy, "" to leave the file out
	url       string // shows it
	slot      string
	at        int
}

// remedy is the one that was chosen.
func (p patient) remedy() (model.Remedy, bool) {
	for _, r := range p.diagnosis.Remedies {
		if r.Key == p.choice {
			return r, true
		}
	}
	return model.Remedy{}, false
}

// examine reads what a file is. Of a format the service does not take the browser is asked how large the picture is: what it
// can draw can be saved as another format.
func examine(ctx context.Context, file browser.File, rule probe.Rule) (probe.Facts, model.Diagnosis, error) {
	facts, problems, err := inspect(ctx, file, rule)
	if err != nil {
		return facts, model.Diagnosis{}, err
	}
	if len(problems) > 0 && model.Drawable(facts.Format) {
		if w, h, err := file.Measure(ctx); err == nil {
			facts.Width, facts.Height, facts.Bytes = w, h, file.Size
		}
	}
	d := model.Examine(rule, facts, problems...)
	if len(d.Problems) == 0 {
		d = model.Diagnose(problems) // a damaged file has no facts to examine
	}
	if model.Misnamed(file.Name, facts.Format) && len(d.Problems) > 0 {
		d.Problems[0].Message += " " + words.DoctorMisnamed
	}
	return facts, d, nil
}

// putRight does to a file that passes a rule what needs no question, and says what it did. It passes the rule afterwards too. A file it cannot be done to is not to go: it would
// come back with other colours, or tell where it was taken.
func putRight(ctx context.Context, file browser.File, facts probe.Facts, rule probe.Rule) (browser.File, string, error) {
	right := model.PutRight(facts)
	if !right.Redraw {
		content, err := file.Head(ctx, int(file.Size)) // what tells the place, or another turn, may stand anywhere
		if err != nil {
			return file, "", err
		}
		settled := probe.Settle(content)
		clean, told := probe.Unlocate(content)
		switch {
		case told != probe.NoPlace:
			facts.Located = false // the list of removed metadata already says it
			return file.With(clean), strings.TrimSpace(model.PutRight(facts).Words + " " + model.Unplaced(told)), nil
		case !facts.Located && settled:
			return file.With(clean), right.Words, nil
		case !facts.Located:
			return file, right.Words, nil
		}
	}
	size := image.Pt(facts.Width, facts.Height)
	formats := model.Affordable(rule, []probe.Format{facts.Format, probe.WebP, probe.JPEG}, size, facts.HasAlpha)
	same := model.Remedy{Picture: size, Size: size, Limit: rule.MaxBytes, Formats: formats}
	drawn, err := redraw(ctx, file, same)
	return drawn, right.Words, err
}

// redraw makes the file a remedy promises.
func redraw(ctx context.Context, file browser.File, r model.Remedy) (browser.File, error) {
	types := make([]string, len(r.Formats))
	for i, f := range r.Formats {
		types[i] = f.MediaType()
	}
	content, err := file.Head(ctx, int(file.Size))
	if err != nil {
		return file, err
	}
	if probe.Settle(content) { // or the browser could draw it turned otherwise than it was measured
		file = file.With(content)
	}
	drawn, err := file.Redraw(ctx, file.Name, browser.Redrawing{
		Width: r.Size.X, Height: r.Size.Y, PictureWidth: r.Picture.X, PictureHeight: r.Picture.Y, Types: types, Qualities: model.Quality, Limit: r.Limit,
	})
	if err != nil {
		return file, err
	}
	for _, f := range r.Formats {
		if f.MediaType() == drawn.Type {
			drawn.Name = model.Renamed(file.Name, f)
		}
	}
	return drawn, nil
}

// consult shows a file that cannot go as it is, with what can be done, in one table with the others.
func (s *Studio) consult(p patient) {
	if len(p.diagnosis.Remedies) > 0 {
		p.choice, p.url = p.diagnosis.Remedies[0].Key, p.file.ObjectURL()
	}
	s.patients = append(s.patients[:len(s.patients):len(s.patients)], p)
	s.dropUpload(p.id)
	if s.dialog != doctorID {
		s.openDialog(doctorID)
	}
	s.update()
}

// dismiss ends the consultation; what was not repaired is left out.
func (s *Studio) dismiss() {
	for _, p := range s.patients {
		browser.RevokeURL(p.url)
	}
	s.patients = nil
	s.offerTogether()
}

// treat repairs what was chosen and brings it.
func (s *Studio) treat(app.Context, app.Event) {
	defer s.CloseDialog(doctorID)
	for _, p := range s.patients {
		remedy, ok := p.remedy()
		if !ok {
			continue
		}
		id := p.id // in the place it was picked in
		s.showUpload(id, p.file.Name)
		s.core.do(func(ctx context.Context) func() {
			file, err := redraw(ctx, p.file, remedy)
			if err != nil {
				return func() { s.refuse(id, words.DoctorUnrepaired) }
			}
			facts, problems, err := inspect(ctx, file, probe.Upload)
			if err != nil || len(problems) > 0 || facts.Width != remedy.Size.X {
				return func() { s.refuse(id, words.DoctorUnrepaired) }
			}
			return func() { s.send(id, file, p.slot, p.at) }
		})
	}
}

func (s *Studio) renderDoctor() []app.UI {
	rows := make([]app.UI, len(s.patients))
	ready := 0
	for i, p := range s.patients {
		remedy, ok := p.remedy()
		if ok {
			ready++
		}
		problems := make([]string, len(p.diagnosis.Problems))
		for j, problem := range p.diagnosis.Problems {
			problems[j] = problem.Message
		}
		name, problem := components.Text("strong", "doctor__name", p.file.Name), components.Text("p", "doctor__problem", strings.Join(problems, "\n"))
		row := components.El("li", "class", "doctor__row", "data-testid", "patient")
		if len(p.diagnosis.Remedies) == 0 {
			rows[i] = row.Body(components.El("span", "class", "doctor__picture doctor__picture--none").Body(components.Icon("alert")),
				components.Box("doctor__text", name, problem, components.Text("p", "doctor__effect", words.DoctorBeyond)))
			continue
		}
		choices := make([]components.Choice, 0, 3)
		for _, r := range p.diagnosis.Remedies {
			choices = append(choices, components.Choice{Value: r.Key, Title: r.Title})
		}
		choices = append(choices, components.Choice{Value: "", Title: words.DoctorLeaveOut})
		rows[i] = row.Body(
			components.Void("img", "class", "doctor__picture", "src", p.url, "alt", "").
				On("error", func(app.Context, app.Event) { s.editPatient(p.id, undrawable) }, components.Scope(p.id)),
			components.Box("doctor__text", name, problem,
				components.Segmented(words.DoctorChoice(p.file.Name), choices, p.choice, func(choice string) { s.editPatient(p.id, func(p *patient) { p.choice = choice }) }),
				components.If(ok, func() app.UI {
					return components.El("p", "class", "doctor__effect").Body(
						components.Text("span", "", remedy.Effect), components.If(remedy.Warning != "", func() app.UI {
							return components.Text("span", "doctor__warning", remedy.Warning)
						}))
				}),
			),
		)
	}
	label := words.DoctorRepair(ready)
	if ready == 0 {
		label = words.DoctorLeaveAllOut
	}
	return []app.UI{components.Box("doctor",
		components.Text("p", "doctor__intro", words.DoctorIntro),
		components.El("ul", "class", "doctor__list").Body(rows...),
		components.Box("doctor__foot",
			components.Button("", words.Cancel, "").Attr("data-testid", "repair-none").OnClick(func(app.Context, app.Event) { s.CloseDialog(doctorID) }),
			components.Button("", label, "button--primary").Attr("data-testid", "repair").OnClick(s.treat),
		),
	)}
}

// undrawable takes away what was offered for a picture this browser cannot draw: it cannot be drawn anew either.
func undrawable(p *patient) { p.diagnosis.Remedies, p.choice = nil, "" }

func (s *Studio) editPatient(id int, change func(*patient)) {
	patients := slices.Clone(s.patients)
	for i := range patients {
		if patients[i].id == id {
			change(&patients[i])
		}
	}
	s.patients = patients
	s.update()
}

// arrived puts an asset that is on the server where it was asked for.
func (s *Studio) arrived(id int, asset atelier.Asset, slot string, at int) {
	s.core.addAsset(asset)
	again := slices.ContainsFunc(s.together, func(a atelier.Asset) bool { return a.ID == asset.ID }) // the same file, picked twice
	if !again || id < s.order[asset.ID] {
		s.order[asset.ID] = id
	}
	s.offerToo(asset)
	s.place(asset, slot, at)
	if on, _ := s.form.Works(); on && slot == "" && model.MediaOf(asset) == catalog.Image && !again {
		s.together = append(s.together, asset)
	}
	s.dropUpload(id)
}

// offerToo shows a file that arrives while one is being chosen among those it belongs to.
func (s *Studio) offerToo(asset atelier.Asset) {
	c := &s.chooser
	switch {
	case s.dialog != assetsID || c.results || c.query != "" || model.MediaOf(asset) != s.wanted():
	case c.state == model.Loading:
		s.ask(false, "") // the answer that is on its way may not know it yet
	case c.state == model.Loaded:
		others := slices.DeleteFunc(slices.Clone(c.assets), func(a atelier.Asset) bool { return a.ID == asset.ID })
		c.assets = append([]atelier.Asset{asset}, others...)
	}
}
