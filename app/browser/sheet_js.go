//go:build js && wasm

package browser

import (
	"context"
	"errors"
	"strings"
	"syscall/js"
)

// atHand is how many bytes of pictures are kept to be shown again at once, as when a row that is laid anew takes over those of another.
const atHand = 16 << 20

// sheets are the pictures that came together, by the address each would have been asked for alone.
type sheets struct {
	known map[string]known
	order []string // the one that came first is let go of first
	bytes int
}

type known struct {
	address js.Value // data:
	bytes   int
}

func (s *sheets) keep(src string, address js.Value) {
	if _, twice := s.known[src]; twice {
		return
	}
	if s.known == nil {
		s.known = map[string]known{}
	}
	n := boxed(address).Length()
	s.known[src], s.order = known{address, n}, append(s.order, src)
	for s.bytes += n; s.bytes > atHand; s.order = s.order[1:] {
		s.bytes -= s.known[s.order[0]].bytes
		delete(s.known, s.order[0])
	}
}

// sheetPicture is a picture that comes with the sheet of its row.
type sheetPicture struct {
	name  string // in the sheet
	src   string // its own address
	img   js.Value
	shown bool
}

func (p *pool) showPicture(s *sheetPicture, address js.Value) {
	s.shown = true
	p.set.Invoke(s.img, p.text("src"), address)
}

// inSheet says whether an attribute of a node is its picture, which comes with those beside it.
func (n Node) inSheet(name string) bool { return n.Sheet != "" && name == "src" }

// await makes an element wait for another picture of a sheet. What it showed before goes at once.
func (p *pool) await(d *drawn, n Node) {
	if d.picture != nil && d.picture.shown {
		d.element.Call("removeAttribute", p.text("src"))
	}
	d.picture = &sheetPicture{name: n.Sheet, src: n.Fresh, img: d.element}
}

// awaited collects the pictures that are not there yet, and shows those that came before.
func (p *pool) awaited(of []drawn, list []*sheetPicture) []*sheetPicture {
	for _, d := range of {
		list = p.awaited(d.body, list)
		s := d.picture
		if s == nil || s.shown {
			continue
		}
		if k, is := p.sheets.known[s.src]; is {
			p.showPicture(s, k.address)
		} else {
			list = append(list, s)
		}
	}
	return list
}

// ask gets what a row waits for with one request. What was asked for and is not wanted any more is stopped.
func (p *pool) ask(at *place, sheet string) {
	var list []*sheetPicture
	if sheet != "" {
		list = p.awaited(at.body, nil)
	}
	if len(list) == 0 {
		at.forget()
		return
	}
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.name
	}
	sheet += strings.Join(names, ",")
	if sheet == at.asked {
		return
	}
	at.forget()
	ctx, stop := context.WithCancel(context.Background())
	at.asked, at.stop = sheet, stop
	go func() {
		defer Guard()
		defer stop()
		lines, err := fetchLines(ctx, sheet)
		if ctx.Err() != nil {
			return
		}
		for i, s := range list {
			address := js.ValueOf(s.src) // what the sheet has not is asked for alone: the page deals with pictures that are not there
			if err == nil && lines.Index(i).Truthy() {
				address = lines.Index(i)
				p.sheets.keep(s.src, address)
			}
			p.showPicture(s, address)
		}
	}()
}

// forget stops what a place has asked for.
func (at *place) forget() {
	if at.stop != nil {
		at.stop()
		at.asked, at.stop = "", nil
	}
}

// fetchLines gets a text as an array of its lines, which stays in the page.
func fetchLines(ctx context.Context, url string) (js.Value, error) {
	abort := js.Global().Get("AbortController").New()
	stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
	defer stop()
	answer, err := await(ctx, js.Global().Call("fetch", url, map[string]any{"signal": abort.Get("signal"), "credentials": "same-origin"}))
	if err != nil {
		return js.Undefined(), lost(ctx, err)
	}
	if !answer.Get("ok").Truthy() {
		return js.Undefined(), errors.New("answered with " + answer.Get("statusText").String())
	}
	text, err := await(ctx, answer.Call("text"))
	if err != nil {
		return js.Undefined(), lost(ctx, err)
	}
	return boxed(text).Call("split", "\n"), nil
}

// boxed makes an object of a text, which alone has methods here.
func boxed(text js.Value) js.Value { return js.Global().Call("Object", text) }
