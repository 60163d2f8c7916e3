//go:build !js || !wasm

package pages

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/words"
	"atelier/imaging/testpics"
)

// drop drags something over the page and drops it.
func (b *bench) drop(slot string, dropped browser.Dropped) {
	b.do(func(app.Context) { b.studio.onDrop(true, "", browser.Dropped{}) })
	b.do(func(app.Context) { b.studio.onDrop(false, slot, dropped) })
}

// photos are files with the same picture in them.
func photos(names ...string) []browser.File {
	content := testpics.PNG(testpics.Photo(600, 800, 1))
	out := make([]browser.File, len(names))
	for i, name := range names {
		out[i] = browser.NewFile(name, content)
	}
	return out
}

func TestDroppedFolderGivesItsPhotos(t *testing.T) {
	b := openStudio(t)
	inside := photos("10.jpg", "2.JPG", "notes.txt", "Thumbs.db", ".hidden.jpg", "back/1.heic")
	folders := []browser.Folder{browser.NewFolder("look", nil, inside...)}
	found, err := photosIn(t.Context(), folders)
	names := []string{}
	for _, f := range found {
		names = append(names, f.Name)
	}
	if want := []string{"2.JPG", "10.jpg", "back/1.heic"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("photos %q, %v; want %q", names, err, want)
	}
	for i := range inside { // equal files are sent once
		inside[i] = browser.NewFile(inside[i].Name, testpics.PNG(testpics.Photo(600, 800, uint64(i))))
	}
	folders = []browser.Folder{browser.NewFolder("look", nil, inside...)}
	loose := browser.NewFile("loose.jpg", testpics.PNG(testpics.Photo(600, 800, 9)))
	b.drop("", browser.Dropped{Files: []browser.File{loose}, Folders: folders})
	if said := b.refused(); b.uploads != 4 || said != "" {
		t.Errorf("%d of 4 photos were uploaded; said %q", b.uploads, said)
	}
}

func TestDroppedFolderWithoutPhotosSaysSo(t *testing.T) {
	for name, tt := range map[string]struct {
		folder browser.Folder
		says   string
	}{
		"no photo":    {browser.NewFolder("notes", nil, photos("notes.txt", ".a.jpg")...), words.UploadFolderEmpty},
		"empty":       {browser.NewFolder("notes", nil), words.UploadFolderEmpty},
		"unreadable":  {browser.NewFolder("gone", errors.New("NotFoundError")), words.UploadFolderUnread},
		"a full disk": {browser.NewFolder("disk", nil, make([]browser.File, maxEntries+1)...), words.UploadFolderLarge(maxEntries)},
	} {
		t.Run(name, func(t *testing.T) {
			b := openStudio(t)
			b.do(func(app.Context) { b.studio.openDialog(assetsID) })
			b.drop("", browser.Dropped{Folders: []browser.Folder{tt.folder}})
			if b.studio.dialog == assetsID {
				t.Error("a dialog hides what is said")
			}
			if said := b.refused(); !strings.Contains(said, tt.says) || b.uploads != 0 {
				t.Errorf("said %q after %d uploads", said, b.uploads)
			}
		})
	}
}

func TestDroppedFoldersShareOneLimit(t *testing.T) {
	names := make([]string, maxUploads)
	for i := range names {
		names[i] = fmt.Sprintf("%d.jpg", i)
	}
	folders := []browser.Folder{
		browser.NewFolder("one", nil, photos(names[:150]...)...), browser.NewFolder("two", nil, photos(names[:100]...)...),
	}
	found, err := photosIn(t.Context(), folders)
	if err != nil || len(found) != maxUploads+1 || found[149].Name != "149.jpg" || found[150].Name != "0.jpg" {
		t.Errorf("%d photos, %v", len(found), err)
	}
}

func TestPictureOfAnotherPageIsTakenOrExplained(t *testing.T) {
	b := openStudio(t)
	photo := base64.StdEncoding.EncodeToString(testpics.PNG(testpics.Photo(600, 800, 1)))
	b.drop("", browser.Dropped{Image: "data:image/png;base64," + photo, Links: "https://shop.example/product"})
	if said := b.refused(); b.uploads != 1 || said != "" {
		t.Errorf("%d uploads of a picture in its address; said %q", b.uploads, said)
	}
	for name, dropped := range map[string]browser.Dropped{
		"elsewhere":      {Image: "https://shop.example/a.jpg", Links: "https://shop.example/product"},
		"a link to one":  {Links: "https://shop.example/a.jpg\r\n"},
		"of a page only": {Image: "blob:https://shop.example/1-2"},
		"no base64":      {Image: "data:image/svg+xml,<svg/>"},
	} {
		b.drop("", dropped)
		if said := b.refused(); said != words.UploadFromPage {
			t.Errorf("%s: said %q", name, said)
		}
	}
	b.drop("", browser.Dropped{Files: photos("a.png"), Image: "https://shop.example/a.png"})
	b.drop("", browser.Dropped{Links: "https://shop.example/product"})
	b.drop("", browser.Dropped{})
	if said := b.refused(); said != "" || b.uploads != 2 || b.studio.dropping {
		t.Errorf("a file beside its address, a link and nothing: %d uploads, said %q", b.uploads, said)
	}
}
