package browser

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
)

// Dropped is what was dropped on the page.
type Dropped struct {
	Files   []File
	Folders []Folder
	Image   string // address of the picture in the dropped markup, "" for none
	Links   string // text/uri-list
}

// Folder is a dropped folder. Its files are listed when they are asked for.
type Folder struct {
	Name string
	folder
}

// Entry is a file in a folder that is not opened yet.
type Entry struct {
	Path string // from the folder's name on, with slashes
	entry
}

// ErrManyEntries reports a folder with more files than the caller reads.
var ErrManyEntries = errors.New("browser: too many files in the folder")

var errNotFetched = errors.New("browser: the page may not fetch this picture")

// FetchPicture reads a picture of a data: address or of this server. The policy of the page (connect-src) forbids
// all others.
func FetchPicture(ctx context.Context, address, name string) (File, error) {
	if data, ok := strings.CutPrefix(address, "data:image/"); ok {
		_, data, _ = strings.Cut(data, ";base64,")
		content, err := base64.StdEncoding.DecodeString(data)
		if err != nil || len(content) == 0 {
			return File{}, errNotFetched
		}
		return NewFile(name, content), nil
	}
	path, ok := strings.CutPrefix(address, Origin()+"/")
	if !ok {
		return File{}, errNotFetched
	}
	file, err := FetchFile(ctx, "/"+strings.TrimLeft(path, "/"), name) // two slashes would name another server
	if err == nil && !strings.HasPrefix(file.Type, "image/") {
		err = errNotFetched
	}
	return file, err
}
