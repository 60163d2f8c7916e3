//go:build !js || !wasm

package browser

import "context"

type folder struct {
	inside []Entry
	err    error
}

type entry struct{ file File }

// NewFolder makes a folder of files whose names are paths in it, for tests.
func NewFolder(name string, err error, files ...File) Folder {
	f := Folder{Name: name, folder: folder{err: err}}
	for _, file := range files {
		f.inside = append(f.inside, Entry{name + "/" + file.Name, entry{file}})
	}
	return f
}

// Entries lists the files in the folder and in all folders below.
func (f Folder) Entries(_ context.Context, most int) ([]Entry, error) {
	if len(f.inside) > most {
		return nil, ErrManyEntries
	}
	return f.inside, f.err
}

// Open opens the file.
func (e Entry) Open(context.Context) (File, error) { return e.file, nil }

// OnDrop never calls f.
func OnDrop(func(over bool, slot string, dropped Dropped)) (release func()) { return nothing }
