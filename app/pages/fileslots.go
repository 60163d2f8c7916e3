package pages

import (
	"context"
	"slices"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// PickSlot implements components.SlotPort: the next file goes to a place of a file field.
func (s *Studio) PickSlot(name string, at int) {
	if name == model.Further.Name && at < len(s.form.Files[name]) {
		s.workOn(at)
		return
	}
	s.slot, s.slotAt = name, at
	s.openDialog(assetsID)
}

// ClearSlot implements components.SlotPort.
func (s *Studio) ClearSlot(name string) {
	gone := s.form.Files[name]
	s.setFiles(name, nil)
	s.offerBack(name, 0, gone, words.SlotsRemoved(len(gone)))
}

// offerBack offers to take files that were removed from the form back to their place, also when another agent was chosen since.
func (s *Studio) offerBack(name string, at int, gone []atelier.Asset, said string) {
	agent := s.form.Agent.Name
	s.core.offer(said, func() {
		if s.form.Agent.Name != agent {
			s.ChooseAgent(agent)
		}
		files := slices.Clone(s.form.Files[name])
		for i, back := range gone {
			if !slices.ContainsFunc(files, func(a atelier.Asset) bool { return a.ID == back.ID }) {
				files = slices.Insert(files, min(at+i, len(files)), back)
			}
		}
		s.setFiles(name, files)
		s.update()
	})
}

// MoveFile implements components.SlotPort: takes a file to another place of its list; the focus goes along.
func (s *Studio) MoveFile(name string, from, to int) {
	assets := slices.Clone(s.form.Files[name])
	if from < 0 || to < 0 || from >= len(assets) || to >= len(assets) {
		return
	}
	moved := assets[from]
	assets = slices.Insert(slices.Delete(assets, from, from+1), to, moved)
	s.setFiles(name, assets)
	s.core.said = words.SlotMoved(moved.Name, to+1, len(assets))
	s.core.rev++
	browser.Focus(components.SlotID(name, to)) // at once: the next key may already be on its way
	s.update()
}

// DropFile implements components.SlotPort.
func (s *Studio) DropFile(name string, at int) {
	assets := slices.Clone(s.form.Files[name])
	if at < 0 || at >= len(assets) {
		return
	}
	gone := assets[at]
	s.setFiles(name, slices.Delete(assets, at, at+1))
	s.offerBack(name, at, []atelier.Asset{gone}, words.SlotRemoved(gone.Name))
	drawn(s.ctx, func() { browser.Focus(components.SlotID(name, at)) })
}

// wanted is the kind of file that is being chosen.
func (s *Studio) wanted() catalog.Media {
	if file, ok := s.form.File(s.slot); ok {
		return file.Media
	}
	return catalog.Image
}

// accepts is what the file picker offers. Without a place for it each file goes where its kind belongs.
func (s *Studio) accepts() string {
	types := map[catalog.Media]string{
		catalog.Image: "image/png,image/jpeg,image/webp,image/heic,image/heif,image/tiff,.heic,.heif,.tif,.tiff", catalog.Video: "video/mp4,video/quicktime", catalog.Audio: "audio/mpeg,audio/wav,audio/mp4,.mp3,.wav,.m4a",
	}
	if s.slot != "" {
		return types[s.wanted()]
	}
	out := types[catalog.Image]
	for _, media := range []catalog.Media{catalog.Video, catalog.Audio} {
		if s.form.Takes(media) {
			out += "," + types[media]
		}
	}
	return out
}

// useResult takes a result, or the last frame of one, where the form has a place for it.
func (s *Studio) useResult(shot model.Shot, last bool) {
	media := catalog.Image
	if model.IsVideo(shot.Result) && !last {
		media = catalog.Video
	}
	slot := ""
	if on, _ := s.form.Works(); !on || media != catalog.Image {
		slot, _ = s.form.SlotFor(s.source(), media)
	}
	s.bringResult(shot, last, slot, len(s.form.Files[slot]))
}

// useResults takes pictures where the form has a place for them, each; where it works on a photo, the same is made of all.
func (s *Studio) useResults(shots []model.Shot) {
	on, _ := s.form.Works()
	s.gather = on && len(shots) > 1
	for _, shot := range shots {
		s.useResult(shot, false)
	}
}

// bringResult makes a file of the studio out of a result; the same result twice is the same file.
func (s *Studio) bringResult(shot model.Shot, last bool, slot string, at int) {
	path, name := shot.Result.File, components.Filename(shot)
	if last {
		path, name = shot.Result.LastFrame, words.LastFrameFile(name)
	}
	id := s.addUpload(name)
	s.core.do(func(ctx context.Context) func() {
		file, err := browser.FetchFile(ctx, path, name)
		if err != nil {
			return func() { s.refuse(id, words.AssetsUnread) }
		}
		return s.bring(ctx, id, file, slot, at)
	})
}
