package pages

import (
	"context"
	"errors"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/atelier"
	"atelier/imaging/probe"
)

// upload is one file on its way, or one that cannot go.
type upload struct {
	ID      int
	Name    string
	Sent    float64 // 0 to 1
	Problem string
}

// maxUploads is how many files are taken at once.
const maxUploads = 20

func (s *Studio) onPicked(app.Context, app.Event) { s.take(browser.TakeFiles(pickerID)) }

func (s *Studio) onDrop(over bool, files []browser.File) {
	if !s.Shown {
		return
	}
	s.post(func() {
		s.dropping = over
		s.take(files)
	})
}

func (s *Studio) onPaste(files []browser.File) {
	if s.Shown {
		s.post(func() { s.take(files) })
	}
}

// take brings files in: each is looked at here first, so that one the service would refuse is not sent at all.
func (s *Studio) take(files []browser.File) {
	if len(files) > maxUploads {
		s.core.toast("warning", "Only the first "+model.Plural(maxUploads, "picture", "pictures")+" were taken.")
		files = files[:maxUploads]
	}
	slot := s.slot
	if s.dialog == assetsID && len(files) > 0 {
		s.CloseDialog(assetsID)
	}
	for _, file := range files {
		id := s.addUpload(file.Name)
		s.core.do(func(ctx context.Context) func() { return s.bring(ctx, id, file, slot) })
	}
}

func (s *Studio) addUpload(name string) (id int) {
	s.uploadID++
	s.uploads = append(slices.Clone(s.uploads), upload{ID: s.uploadID, Name: name})
	return s.uploadID
}

// bring checks and sends one file.
func (s *Studio) bring(ctx context.Context, id int, file browser.File, slot string) (then func()) {
	problems, err := inspect(ctx, file)
	if err != nil {
		return func() { s.refuse(id, "The file could not be read. Is it still there?") }
	}
	if len(problems) > 0 {
		return func() { s.refuse(id, problems[0].Message+" "+problems[0].Fix) }
	}
	asset, err := s.core.api.Upload(ctx, file, func(sent, total int64) {
		s.core.post(func() { s.progress(id, float64(sent)/float64(max(total, 1))) })
	})
	return func() {
		if err != nil {
			if !s.core.expired(err) {
				s.refuse(id, sentence(err))
			}
			return
		}
		s.dropUpload(id)
		s.core.addAsset(asset)
		s.place(asset, slot)
	}
}

// inspect checks a file against the rule of the service. The head is enough for nearly every file; one with long
// metadata is read whole, unless its size alone refuses it.
func inspect(ctx context.Context, file browser.File) ([]probe.Problem, error) {
	head, err := file.Head(ctx, probe.HeadBytes)
	if err != nil {
		return nil, err
	}
	_, problems, err := probe.Upload.Inspect(head, file.Size)
	if !errors.Is(err, probe.ErrNeedMore) || file.Size > probe.Upload.MaxBytes {
		return problems, err
	}
	if head, err = file.Head(ctx, int(file.Size)); err != nil {
		return nil, err
	}
	_, problems, err = probe.Upload.Inspect(head, file.Size)
	return problems, err
}

// place puts a picture where it was asked for: a slot of the form, or the stage.
func (s *Studio) place(asset atelier.Asset, slot string) {
	file, ok := s.form.Agent.File(slot)
	if !ok {
		s.choose(&asset)
		return
	}
	assets := append(slices.Clone(s.form.Files[slot]), asset)
	if n := max(file.Max, 1); len(assets) > n {
		assets = assets[len(assets)-n:]
	}
	s.form = s.form.WithFiles(slot, assets)
	s.formChanged()
	s.update()
}

func (s *Studio) edit(id int, change func(*upload)) {
	s.uploads = slices.Clone(s.uploads)
	for i := range s.uploads {
		if s.uploads[i].ID == id {
			change(&s.uploads[i])
		}
	}
	s.update()
}

func (s *Studio) progress(id int, sent float64) { s.edit(id, func(u *upload) { u.Sent = sent }) }
func (s *Studio) refuse(id int, problem string) { s.edit(id, func(u *upload) { u.Problem = problem }) }

func (s *Studio) dropUpload(id int) {
	s.uploads = slices.DeleteFunc(slices.Clone(s.uploads), func(u upload) bool { return u.ID == id })
	s.update()
}

func (s *Studio) renderUploads() app.UI {
	cards := make([]app.UI, len(s.uploads))
	for i, u := range s.uploads {
		if u.Problem != "" {
			cards[i] = components.El("div", "class", "upload upload--bad", "data-testid", "upload-problem", "role", "alert").Body(
				components.SmallIcon("alert"),
				components.Box("upload__text", components.Text("strong", "", u.Name), components.Text("p", "", u.Problem)),
				components.IconButton("close", "Dismiss", "").OnClick(func(app.Context, app.Event) { s.dropUpload(u.ID) }, components.Scope(u.ID, "bad")),
			)
			continue
		}
		words := "Checking"
		if u.Sent > 0 {
			words = model.Percent(u.Sent)
		}
		if u.Sent >= 1 {
			words = "Saving"
		}
		cards[i] = components.El("div", "class", "upload", "data-testid", "upload-card").Body(
			components.SmallIcon("upload"),
			components.Box("upload__text",
				components.Box("upload__line", components.Text("strong", "", u.Name), components.Text("span", "", words)),
				components.Box("progress", components.El("div", "class", "progress__bar").Style("transform", "scaleX("+share(u.Sent)+")")),
			),
		)
	}
	return components.El("div", "class", "uploads", "aria-live", "polite").Body(cards...)
}
