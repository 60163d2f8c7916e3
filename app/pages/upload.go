package pages

import (
	"cmp"
	"context"
	"errors"
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
	"atelier/imaging/video/container"
)

// upload is one file on its way, or one that cannot go.
type upload struct {
	ID      int
	Name    string
	Sent    float64 // 0 to 1
	Problem string
}

// How many files are taken at once, and how many of them are worked on side by side: each may be held in memory whole.
const (
	maxUploads = 200
	lanes      = 4
)

// atEnd is the place after all files of a field, however many arrived meanwhile.
const atEnd = 1 << 30

func (s *Studio) onPicked(app.Context, app.Event) {
	s.take(s.slot, s.slotAt, browser.TakeFiles(pickerID))
}

func (s *Studio) onPaste(slot string, files []browser.File) {
	if s.Shown {
		s.post(func() { s.takeInto(slot, files) })
	}
}

// takeInto brings files to a file field, or to the one a dialog is open for.
func (s *Studio) takeInto(slot string, files []browser.File) {
	slot, at := s.target(slot)
	s.take(slot, at, files)
}

// target returns the file field that takes what is brought, and the place in it.
func (s *Studio) target(slot string) (string, int) {
	if slot == "" && s.dialog == assetsID {
		return s.slot, s.slotAt
	}
	return slot, len(s.form.Files[slot])
}

// take brings files in: each is looked at here first, so that one the service would refuse is not sent at all. Without a
// slot each goes where its kind belongs.
func (s *Studio) take(slot string, at int, files []browser.File) {
	if len(files) > maxUploads {
		s.core.toast("warning", words.UploadOnlyFirst(maxUploads))
		files = files[:maxUploads]
	}
	if len(files) > 0 {
		s.closeAssets()
	}
	held := len(s.form.Files[slot])
	for i, file := range files {
		id, to := s.addUpload(file.Name), at+i
		if to >= held {
			to = atEnd
		}
		s.core.do(func(ctx context.Context) func() {
			leave := s.core.lane(ctx)
			defer leave()
			return s.bring(ctx, id, file, slot, to)
		})
	}
}

// lane waits until a file may be worked on. What it gives has to be called when that is over; when the page is left there is none to
// wait for.
func (c *core) lane(ctx context.Context) (leave func()) {
	select {
	case c.lanes <- struct{}{}:
		return func() { <-c.lanes }
	case <-ctx.Done():
		return func() {}
	}
}

func (s *Studio) addUpload(name string) (id int) {
	s.uploadID++
	s.showUpload(s.uploadID, name)
	return s.uploadID
}

func (s *Studio) showUpload(id int, name string) {
	s.uploads = append(slices.Clone(s.uploads), upload{ID: id, Name: name})
}

// bring looks at one file and, when nothing is against it, sends it.
func (s *Studio) bring(ctx context.Context, id int, file browser.File, slot string, at int) func() {
	head, err := file.Head(ctx, container.SniffBytes)
	if err != nil {
		return func() { s.refuse(id, words.UploadUnreadable) }
	}
	if format := container.Sniff(head); format != "" {
		return s.bringMedia(id, file, slot, at)
	}
	facts, diagnosis, err := examine(ctx, file, probe.Studio)
	if err != nil {
		return func() { s.refuse(id, words.UploadUnreadable) }
	}
	if len(diagnosis.Problems) > 0 {
		return func() {
			switch wrong := s.misplaced(slot, catalog.Image); {
			case wrong != "":
				s.refuse(id, wrong)
			case len(diagnosis.Remedies) == 0 && s.underWay() == 1 && len(s.patients) == 0: // alone, it needs no table
				s.refuse(id, diagnosis.Problems[0].Sentence())
			default:
				s.consult(patient{id: id, file: file, diagnosis: diagnosis, slot: slot, at: at})
			}
		}
	}
	file, righted, err := putRight(ctx, file, facts, probe.Studio)
	return func() {
		if wrong := s.misplaced(slot, catalog.Image); wrong != "" || err != nil {
			s.refuse(id, cmp.Or(wrong, words.UploadNotRighted))
			return
		}
		if righted != "" {
			s.core.toast("info", words.RightedIn(file.Name, righted))
		}
		s.send(id, file, slot, at)
	}
}

// bringMedia looks at a video or a sound as the server will: what it is, how long, how large. The rules of its field are
// asked before a byte is sent.
func (s *Studio) bringMedia(id int, file browser.File, slot string, at int) (then func()) {
	facts, err := container.Read(file, file.Size)
	file.Type = facts.Format.MediaType()
	var places []container.Patch
	if err == nil {
		places, err = container.Unlocate(file, file.Size)
	}
	for _, p := range places {
		file = file.Patched(p.At, p.Bytes)
	}
	asset := atelier.Asset{ID: "new", Kind: string(catalog.Audio), Name: file.Name, Format: string(facts.Format), Seconds: facts.Seconds, Width: facts.Width, Height: facts.Height}
	if facts.HasVideo() {
		asset.Kind = string(catalog.Video)
	}
	return func() {
		media := model.MediaOf(asset)
		if slot == "" {
			slot, _ = s.form.SlotFor(s.source(), media)
			at = len(s.form.Files[slot])
		}
		limit := s.core.session.Limits.MediaBytes
		switch {
		case errors.Is(err, container.ErrCorrupt):
			s.refuse(id, words.UploadDamaged(strings.ToUpper(string(facts.Format))))
		case err != nil:
			s.refuse(id, words.UploadUnreadable)
		case media == catalog.Video && s.core.session.NoVideo != "":
			s.refuse(id, s.core.session.NoVideo)
		case s.misplaced(slot, media) != "":
			s.refuse(id, s.misplaced(slot, media))
		case limit > 0 && file.Size > limit:
			s.refuse(id, words.UploadTooLarge(file.Size, limit))
		case s.against(slot, at, asset) != "":
			s.refuse(id, words.UploadAgainst(s.against(slot, at, asset), words.MediaFacts(asset)))
		default:
			if len(places) > 0 {
				s.core.toast("info", words.RightedIn(file.Name, words.RightedPlace))
			}
			s.send(id, file, slot, at)
		}
	}
}

// misplaced says why a file of that kind cannot go to a file field, or nowhere at all with this agent; "" when it can.
func (s *Studio) misplaced(slot string, media catalog.Media) string {
	field, ok := s.form.File(slot)
	switch {
	case ok && field.Media != media:
		return words.UploadFieldTakes(field.Title, mediaWords[field.Media].files)
	case ok, media == catalog.Image:
		return "" // without a field a picture goes to the stage, and to the pictures for later
	case s.form.Takes(media):
		return words.UploadNoRoom(mediaWords[media].one)
	}
	return words.UploadAgentTakesNo(s.form.Agent.Title, mediaWords[media].one)
}

// mediaWords are the words for the kinds of files.
var mediaWords = map[catalog.Media]struct{ one, many, files string }{
	catalog.Image: {words.MediaPicture, words.MediaPictures, words.MediaPictureFiles},
	catalog.Video: {words.MediaVideo, words.MediaVideos, words.MediaVideoFiles},
	catalog.Audio: {words.MediaSound, words.MediaSounds, words.MediaSoundFiles},
}

// against says what the rules of a file field have against a file that is not there yet.
func (s *Studio) against(slot string, at int, asset atelier.Asset) string {
	problem := func(f model.Form) string {
		for _, shown := range f.Slots(s.source(), model.Shown{Touched: map[string]bool{slot: true}}) {
			if shown.File.Name == slot {
				return shown.Problem
			}
		}
		return ""
	}
	before := s.form.Files[slot]
	after := problem(s.form.WithFiles(slot, put(before, at, asset, len(before)+1)))
	if after == problem(s.form) {
		return "" // it is not this file's fault
	}
	return after
}

// send stores a file on the server, unless it is there already, and puts it where it was asked for.
func (s *Studio) send(id int, file browser.File, slot string, at int) {
	s.core.do(func(ctx context.Context) func() {
		leave := s.core.lane(ctx)
		defer leave()
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
			s.arrived(id, asset, slot, at)
		}
	})
}

// inspect checks a file against a rule of the service. The head is enough for nearly every file; one with long metadata is
// read whole, unless its size alone refuses it.
func inspect(ctx context.Context, file browser.File, rule probe.Rule) (probe.Facts, []probe.Problem, error) {
	head, err := file.Head(ctx, probe.HeadBytes)
	if err != nil {
		return probe.Facts{}, nil, err
	}
	facts, problems, err := rule.Inspect(head, file.Size)
	if !errors.Is(err, probe.ErrNeedMore) || file.Size > rule.MostBytes(facts.Format) {
		return facts, problems, err
	}
	if head, err = file.Head(ctx, int(file.Size)); err != nil {
		return facts, nil, err
	}
	return rule.Inspect(head, file.Size)
}

// place puts a file where it was asked for: a place of the form, or the stage.
func (s *Studio) place(asset atelier.Asset, slot string, at int) {
	if on, _ := s.form.Works(); slot == "" && model.MediaOf(asset) == catalog.Image && !on {
		// The agent works on no picture of the stage: it goes to the first place that is free.
		slot, _ = s.form.SlotFor(s.source(), catalog.Image)
		at = len(s.form.Files[slot])
	}
	file, ok := s.form.File(slot)
	switch {
	case file.Name == model.Further.Name:
		s.addFurther(asset)
	case ok && !file.Source:
		room := max(file.Max, 1)
		if shown, ok := s.form.Slot(s.source(), slot); ok {
			room = max(len(shown.Assets)+shown.Room, 1)
		}
		files := put(s.form.Files[slot], at, asset, room)
		if picked := s.order[asset.ID]; picked > 0 && at >= len(s.form.Files[slot]) {
			for i := len(files) - 1; i > 0 && s.order[files[i-1].ID] > picked; i-- {
				files[i-1], files[i] = files[i], files[i-1] // picked before it, arrived after it
			}
		}
		free := components.SlotID(slot, len(s.form.Files[slot]))
		s.setFiles(slot, files)
		if browser.FocusedID() == free {
			// The place it was asked for from is taken now: on to the next one, or to the file where there is none.
			next := components.SlotID(slot, len(files)-1)
			if len(files) < room {
				next = components.SlotID(slot, len(files))
			}
			drawn(s.ctx, func() { browser.Focus(next) })
		}
		drawn(s.ctx, func() { browser.Reveal(components.SlotID(slot, 0), false) }) // it may come from another page
	case model.MediaOf(asset) == catalog.Image:
		s.replace(&asset)
		if on, _ := s.form.Works(); !on {
			s.core.toast("info", words.UploadHasNoPlace(asset.Name))
		}
	}
	s.update()
}

// put puts a file in a place of a list that has room for so many: in place of what is there, or at the end. When the list is
// full the last one gives way.
func put(list []atelier.Asset, at int, asset atelier.Asset, room int) []atelier.Asset {
	list = slices.Clone(list)
	if at >= 0 && at < len(list) {
		list[at] = asset
		return list
	}
	if len(list) >= room {
		list = list[:room-1]
	}
	return append(list, asset)
}

// setFiles changes what a file field holds.
func (s *Studio) setFiles(name string, assets []atelier.Asset) {
	s.form = s.form.WithFiles(name, assets)
	s.touch(name)
	s.formChanged()
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
func (s *Studio) refuse(id int, problem string) {
	s.edit(id, func(u *upload) { u.Problem = problem })
	s.offerTogether()
}

// underWay is how many files are on their way: those that are refused are not.
func (s *Studio) underWay() (n int) {
	for _, u := range s.uploads {
		n += index(u.Problem == "")
	}
	return n
}

func (s *Studio) dropUpload(id int) {
	s.uploads = slices.DeleteFunc(slices.Clone(s.uploads), func(u upload) bool { return u.ID == id })
	s.offerTogether()
	s.update()
}

func (s *Studio) renderUploads() app.UI {
	cards := make([]app.UI, len(s.uploads))
	for i, u := range s.uploads {
		if u.Problem != "" {
			cards[i] = components.El("div", "class", "upload upload--bad", "data-testid", "upload-problem", "role", "alert").Body(
				components.SmallIcon("alert"),
				components.Box("upload__text", components.Text("strong", "", u.Name), components.Text("p", "", u.Problem)),
				components.IconButton("close", words.Dismiss, "").OnClick(func(app.Context, app.Event) { s.dropUpload(u.ID) }, components.Scope(u.ID, "bad")),
			)
			continue
		}
		state := words.UploadChecking
		if u.Sent > 0 {
			state = words.Percent(u.Sent)
		}
		if u.Sent >= 1 {
			state = words.UploadSaving
		}
		cards[i] = components.El("div", "class", "upload", "data-testid", "upload-card").Body(
			components.SmallIcon("upload"),
			components.Box("upload__text",
				components.Box("upload__line", components.Text("strong", "", u.Name), components.Text("span", "", state)),
				components.Box("progress", components.El("div", "class", "progress__bar").Style("transform", "scaleX("+share(u.Sent)+")")),
			),
		)
	}
	return components.El("div", "class", "uploads", "aria-live", "polite").Body(cards...)
}
