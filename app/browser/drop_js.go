//go:build js && wasm

package browser

import (
	"context"
	"strings"
	"syscall/js"
)

// folder and entry hold a FileSystemDirectoryEntry and a FileSystemFileEntry.
type folder struct{ js.Value }

type entry struct{ js.Value }

// OnDrop calls f while something is dragged over the page that it takes, and when that is dropped or leaves; slot is
// the file field it was dropped on, "" for none. What is dragged within the page is left to the browser, and so is a
// link over a text field.
func OnDrop(f func(over bool, slot string, dropped Dropped)) (release func()) {
	depth, own := 0, false
	listen := func(event string, handle func(js.Value)) func() {
		return on(js.Global(), event, nil, func(e js.Value) {
			if !own && carries(e.Get("dataTransfer"), e.Get("target")) {
				e.Call("preventDefault")
				handle(e)
			}
		})
	}
	return joined([]func(){
		on(js.Global(), "dragstart", nil, func(js.Value) { own = true }),
		on(js.Global(), "dragend", nil, func(js.Value) { own = false }),
		// An element that left the page while it was dragged has no dragend.
		on(js.Global(), "pointerdown", nil, func(js.Value) { own = false }),
		listen("dragenter", func(js.Value) {
			if depth++; depth == 1 {
				f(true, "", Dropped{})
			}
		}),
		listen("dragover", func(js.Value) {}),
		listen("dragleave", func(js.Value) {
			if depth = max(depth-1, 0); depth == 0 {
				f(false, "", Dropped{})
			}
		}),
		listen("drop", func(e js.Value) {
			depth = 0
			f(false, slotOf(e.Get("target")), dropped(e.Get("dataTransfer")))
		}),
	})
}

// carries reports whether a drag holds files, a link, or markup that is no selected text.
func carries(data, target js.Value) bool {
	types := "\n" + data.Get("types").Call("join", "\n").String() + "\n"
	has := func(kind string) bool { return strings.Contains(types, "\n"+kind+"\n") }
	if has("Files") {
		return true
	}
	typing, _, _ := focused(target)
	return !typing && (has("text/uri-list") || has("text/html") && !has("text/plain"))
}

// dropped reads what a drop holds, which the browser gives away after the event.
func dropped(data js.Value) (d Dropped) {
	items := data.Get("items")
	for i := range items.Length() {
		item := items.Index(i)
		if item.Get("kind").String() != "file" {
			continue
		}
		if e := item.Call("webkitGetAsEntry"); e.Truthy() && e.Get("isDirectory").Bool() {
			d.Folders = append(d.Folders, Folder{e.Get("name").String(), folder{e}})
		} else if file := item.Call("getAsFile"); file.Truthy() {
			d.Files = append(d.Files, newFile(file))
		}
	}
	d.Links = data.Call("getData", "text/uri-list").String()
	markup := js.Global().Get("DOMParser").New().Call("parseFromString", data.Call("getData", "text/html"), "text/html")
	if image := markup.Call("querySelector", "img[src]"); image.Truthy() {
		d.Image = image.Call("getAttribute", "src").String()
	}
	return d
}

// Entries lists the files in the folder and in all folders below. Those in hidden folders are left out.
func (f Folder) Entries(ctx context.Context, most int) (found []Entry, err error) {
	seen := 0
	for folders := []js.Value{f.Value}; len(folders) > 0; folders = folders[1:] {
		reader := folders[0].Call("createReader")
		for {
			batch, err := called(ctx, reader, "readEntries") // a part each time, none at the end
			if err != nil {
				return nil, err
			}
			n := batch.Length()
			if seen += n; seen > most {
				return nil, ErrManyEntries
			}
			for i := range n {
				e := batch.Index(i)
				if !e.Get("isDirectory").Bool() {
					found = append(found, Entry{strings.TrimPrefix(e.Get("fullPath").String(), "/"), entry{e}})
				} else if !strings.HasPrefix(e.Get("name").String(), ".") {
					folders = append(folders, e)
				}
			}
			if n == 0 {
				break
			}
		}
	}
	return found, nil
}

// Open opens the file.
func (e Entry) Open(ctx context.Context) (File, error) {
	file, err := called(ctx, e.Value, "file")
	if err != nil {
		return File{}, err
	}
	return newFile(file), nil
}

// called waits for a method that takes a function for its result and one for its error.
func called(ctx context.Context, object js.Value, method string) (js.Value, error) {
	start := js.FuncOf(func(_ js.Value, settle []js.Value) any { return object.Call(method, settle[0], settle[1]) })
	defer start.Release()
	return await(ctx, js.Global().Get("Promise").New(start))
}
