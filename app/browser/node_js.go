//go:build js && wasm

package browser

import (
	"slices"
	"strconv"
	"syscall/js"
)

// Rows are the rows of a wall that exist in the page. The elements of those that are scrolled out of sight are used for those
// that come into it, and only what differs is written. The zero value is empty.
type Rows struct{ pool pool }

// pool holds the elements of the rows, row k in place k modulo their number.
type pool struct {
	home   js.Value // the element they are in
	places []place
	height float64
	sheets sheets
	set    js.Value       // setAttribute, of which the page need not be told the name each time
	texts  map[string]any // short texts that the page knows already: to hand one over takes as long as to do something with it
}

type place struct {
	element     js.Value
	row         int // the one it shows, -1 for none
	blank       bool
	top, height float64
	body        []drawn
	asked       string // the sheet that is on its way
	stop        func()
}

// drawn is a node as it stands in the page.
type drawn struct {
	node    Node
	element js.Value
	body    []drawn
	picture *sheetPicture // nil for all else
}

// Draw shows the rows from the one to before the other in the element with the given id, and nothing else, in a height of CSS
// pixels. A row that is shown already is made anew only where it is stale. The element must be written to by nobody else.
func (r *Rows) Draw(id string, height float64, from, to int, stale func(k int) bool, row func(k int) Row) {
	p := &r.pool
	home := element(id)
	if !home.Truthy() {
		return
	}
	if !p.home.Equal(home) {
		p.moveTo(home)
	}
	if p.height != height {
		p.height = height
		home.Get("style").Set("height", pixels(height))
	}
	if to-from > len(p.places) {
		p.grow(to - from)
	}
	for i := range p.places {
		if at := &p.places[i]; at.row >= 0 && (at.row < from || at.row >= to) && at.next(from, to, len(p.places)) < 0 {
			at.leave()
		}
	}
	for k := from; k < to; k++ {
		if at := &p.places[k%len(p.places)]; at.row != k || stale(k) {
			p.show(at, k, row(k))
		}
	}
}

// moveTo takes the elements to another home, where they are used for what is shown there.
func (p *pool) moveTo(home js.Value) {
	if p.texts == nil {
		set := home.Get("setAttribute")
		p.set, p.texts = set.Get("call").Call("bind", set), map[string]any{}
	}
	p.home, p.height = home, -1
	for i := range p.places {
		p.places[i].leave()
	}
}

// knownTexts is how many short texts the page is made to know, and shortText how long they are at most: what tiles have in common is
// among the first of them.
const (
	knownTexts = 400
	shortText  = 24
)

// text hands a text over, once where it is short.
func (p *pool) text(s string) any {
	v, known := p.texts[s]
	switch {
	case known:
		return v
	case len(s) > shortText || len(p.texts) == knownTexts:
		return s
	}
	v = js.ValueOf(s)
	p.texts[s] = v
	return v
}

// next is the row among those from the one to before the other that a place is to show, -1 for none.
func (at *place) next(from, to, places int) int {
	for k := from; k < to; k++ {
		if k%places == at.row%places {
			return k
		}
	}
	return -1
}

// grow makes more places. The rows that are shown stay as they are: those of one screen follow each other, so that no two of them
// come to the same place.
func (p *pool) grow(n int) {
	grown := make([]place, n)
	var spare []place
	for _, at := range p.places {
		if at.row >= 0 {
			grown[at.row%n] = at
		} else {
			spare = append(spare, at)
		}
	}
	for i := range grown {
		if grown[i].element.Truthy() {
			continue
		}
		if last := len(spare) - 1; last >= 0 {
			grown[i], spare = spare[last], spare[:last]
			continue
		}
		e := js.Global().Get("document").Call("createElement", "div")
		e.Set("className", rowClass)
		grown[i] = place{element: e, row: -1, top: -1}
	}
	p.places = grown
}

// leave takes a place out of the page, with all it holds.
func (at *place) leave() {
	at.forget()
	if at.row >= 0 {
		at.element.Call("remove")
		at.row = -1
	}
}

func (p *pool) show(at *place, k int, row Row) {
	if at.row < 0 {
		p.home.Call("append", at.element)
	}
	style := at.element.Get("style")
	if at.row != k {
		// The order in which rows are read is said apart: they stand in the page in that of their places.
		style.Call("setProperty", "reading-order", strconv.Itoa(k))
	}
	if at.top != row.Top {
		at.top = row.Top
		style.Set("transform", "translateY("+pixels(row.Top)+")")
	}
	if at.height != row.Height {
		at.height = row.Height
		style.Set("height", pixels(row.Height))
	}
	at.row = k
	if at.blank != row.Blank {
		at.blank = row.Blank
		class := rowClass
		if row.Blank {
			class += " " + rowClass + "--blank"
		}
		at.element.Set("className", class)
	}
	if !row.Blank { // what stands in a bar is not seen, and used again for what comes there
		at.body = p.write(at.element, at.body, row.Body)
	}
	p.ask(at, row.Sheet)
}

const rowClass = "wall__row"

func pixels(n float64) string { return strconv.FormatFloat(n, 'f', 1, 64) + "px" }

// write makes the children of an element what the nodes say.
func (p *pool) write(parent js.Value, have []drawn, want []Node) []drawn {
	for i, n := range want {
		switch {
		case i >= len(have):
			d := p.build(n)
			parent.Call("append", d.element)
			have = append(have, d)
		case !have[i].like(n):
			d := p.build(n)
			if have[i].node.Tag == "img" {
				have[i].element.Call("removeAttribute", "src") // what nobody will see is not waited for
			}
			have[i].element.Call("replaceWith", d.element)
			have[i] = d
		default:
			p.become(&have[i], n)
		}
	}
	for _, d := range have[len(want):] {
		d.element.Call("remove")
	}
	return slices.Delete(have, len(want), len(have))
}

// like says whether an element can be made to show another node.
func (d *drawn) like(n Node) bool {
	if d.node.Tag != n.Tag || d.node.Fresh != n.Fresh && (d.picture == nil || n.Sheet == "") || len(d.node.Attr) != len(n.Attr) || (len(d.node.Body) > 0) != (len(n.Body) > 0) && d.node.Text+n.Text != "" {
		return false
	}
	for i := 0; i < len(n.Attr); i += 2 {
		if d.node.Attr[i] != n.Attr[i] {
			return false
		}
	}
	return true
}

// become makes an element show another node, which is like its own.
func (p *pool) become(d *drawn, n Node) {
	for i := 1; i < len(n.Attr); i += 2 {
		if n.Attr[i] != d.node.Attr[i] && !n.inSheet(n.Attr[i-1]) {
			p.setAttribute(d.element, n.Attr[i-1], n.Attr[i])
		}
	}
	if n.Fresh != d.node.Fresh {
		p.await(d, n)
	}
	if d.node.Text != n.Text {
		d.element.Set("textContent", n.Text)
	}
	d.body = p.write(d.element, d.body, n.Body)
	d.node = n
}

func (p *pool) build(n Node) drawn {
	document := js.Global().Get("document")
	d := drawn{node: n}
	if n.Tag == "svg" || n.Tag == "path" {
		d.element = document.Call("createElementNS", "http://www.w3.org/2000/svg", n.Tag)
	} else {
		d.element = document.Call("createElement", p.text(n.Tag))
	}
	for i := 1; i < len(n.Attr); i += 2 {
		name, value := n.Attr[i-1], n.Attr[i]
		if (value != "" || name == "alt") && !n.inSheet(name) {
			p.setAttribute(d.element, name, value)
		}
	}
	if n.Text != "" {
		d.element.Set("textContent", n.Text)
	}
	if n.Sheet != "" {
		p.await(&d, n)
	}
	d.body = p.write(d.element, nil, n.Body)
	return d
}

func (p *pool) setAttribute(e js.Value, name, value string) {
	switch {
	case value == "" && name != "alt":
		e.Call("removeAttribute", p.text(name))
	case name == "muted":
		e.Set("muted", true) // the attribute alone only says what is so at first
	default:
		p.set.Invoke(e, p.text(name), p.text(value))
	}
}

// OnPress calls f for every click within an element on something that is for something.
func OnPress(id string, f func(Press)) (release func()) {
	e := element(id)
	if !e.Truthy() {
		return func() {}
	}
	return on(e, "click", nil, func(event js.Value) {
		control := event.Get("target").Call("closest", "[data-act]")
		if !control.Truthy() {
			return
		}
		p := Press{
			Act: control.Call("getAttribute", "data-act").String(), Shift: event.Get("shiftKey").Truthy(),
			Ctrl: event.Get("ctrlKey").Truthy() || event.Get("metaKey").Truthy(),
		}
		if of := control.Call("closest", "[data-of]"); of.Truthy() {
			p.Of = of.Call("getAttribute", "data-of").String()
		}
		f(p)
	})
}
