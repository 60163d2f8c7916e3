package pages

import (
	"context"
	"errors"
	"slices"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
)

// maxEntries is how many files of dropped folders are looked through for photos: several times what a day of
// photography leaves. More is a disk that was dropped by mistake.
const maxEntries = 20_000

func (s *Studio) onDrop(over bool, slot string, dropped browser.Dropped) {
	if !s.Shown {
		return
	}
	s.post(func() {
		s.dropping = over
		if len(dropped.Folders) > 0 {
			s.takeFolders(slot, dropped)
			return
		}
		s.takeInto(slot, dropped.Files)
		if len(dropped.Files) == 0 {
			s.takePicture(slot, model.DraggedPicture(dropped.Image, dropped.Links))
		}
	})
}

// takeFolders takes the photos of dropped folders, after the files that were dropped with them.
func (s *Studio) takeFolders(slot string, dropped browser.Dropped) {
	slot, at := s.target(slot)
	id := s.addUpload(dropped.Folders[0].Name)
	s.closeAssets()
	s.core.do(func(ctx context.Context) func() {
		photos, err := photosIn(ctx, dropped.Folders)
		return func() {
			s.take(slot, at, slices.Concat(dropped.Files, photos))
			switch {
			case errors.Is(err, browser.ErrManyEntries):
				s.refuse(id, words.UploadFolderLarge(maxEntries))
			case err != nil:
				s.refuse(id, words.UploadFolderUnread)
			case len(photos) == 0:
				s.refuse(id, words.UploadFolderEmpty)
			default:
				s.dropUpload(id)
			}
		}
	})
}

// photosIn opens the photos of folders in the natural order of their paths: those that are taken at once and one more,
// so that take says that there are more.
func photosIn(ctx context.Context, folders []browser.Folder) (photos []browser.File, err error) {
	var found []browser.Entry
	var paths []string
	left := maxEntries
	for _, folder := range folders {
		entries, err := folder.Entries(ctx, left)
		if err != nil {
			return nil, err
		}
		left -= len(entries)
		for _, e := range entries {
			if model.IsPhoto(e.Path) {
				found, paths = append(found, e), append(paths, e.Path)
			}
		}
	}
	for _, i := range model.NaturalOrder(paths)[:min(len(paths), maxUploads+1)] {
		file, err := found[i].Open(ctx)
		if err != nil {
			return nil, err
		}
		photos = append(photos, file)
	}
	return photos, nil
}

// takePicture fetches a picture that was dragged from another page where the page may, and otherwise says what to do.
func (s *Studio) takePicture(slot, address string) {
	if address == "" {
		return
	}
	slot, at := s.target(slot)
	name := model.PictureName(address)
	id := s.addUpload(name)
	s.closeAssets()
	s.core.do(func(ctx context.Context) func() {
		file, err := browser.FetchPicture(ctx, address, name)
		return func() {
			if err != nil {
				s.refuse(id, words.UploadFromPage)
				return
			}
			s.take(slot, at, []browser.File{file})
			s.dropUpload(id)
		}
	})
}

// closeAssets closes the dialog that stands before the cards of uploads.
func (s *Studio) closeAssets() {
	if s.dialog == assetsID {
		s.CloseDialog(assetsID)
	}
}
