package pages

import (
	"math"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/components"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
)

// desk is the culling desk: a source and up to sixteen results, looked at in the same way and decided about with keys.
type desk struct {
	open   bool
	shots  []model.Shot
	one    bool // one at a time
	look   string
	active int
	view   model.Desk
	area   browser.Box
	split  float64 // percent
	said   int     // how near the pictures were when the desk was drawn, percent

	fingers map[int]browser.Point // pointers that are down
	moved   bool
	pinched bool    // with two fingers, since the first came down
	parted  float64 // how far two fingers were from each other
	pressed browser.Point

	thrown map[atelier.ResultID]thrown // what was thrown away from here, so that it can come back
}

// thrown is a shot that lay on the desk, and where.
type thrown struct {
	shot model.Shot
	at   int
}

const (
	deskGap  = 8  // between cells, CSS px, as in the style sheet
	deskFoot = 28 // the caption of a cell
)

// openDesk lays results on the desk.
func (c *core) openDesk(shots []model.Shot) {
	var pictures []model.Shot
	videos := 0
	for _, s := range shots {
		switch {
		case !s.Result.Stored:
		case model.IsVideo(s.Result):
			videos++
		default:
			pictures = append(pictures, s)
		}
	}
	if len(pictures) == 0 {
		c.toast("info", words.DeskNoPicture)
		return
	}
	if videos > 0 {
		c.toast("info", words.DeskWithout(videos))
	}
	if len(pictures) > model.DeskLimit {
		c.toast("info", words.DeskFull(model.DeskLimit))
		pictures = pictures[:model.DeskLimit]
	}
	c.layDesk(pictures, 0)
	c.enterOpened()
}

// layDesk lays pictures on the desk without a word about it in the address.
func (c *core) layDesk(pictures []model.Shot, active int) {
	for _, s := range pictures {
		c.needRun(s.Run)
	}
	c.review.desk = desk{
		open: true, shots: pictures, active: active, look: model.LookResult, view: model.Desk{X: .5, Y: .5}, split: 50, fingers: map[int]browser.Point{},
	}
	browser.OpenModal(components.DeskID)
	c.review.desk.area = browser.BoxOf(components.DeskAreaID)
	c.focusDesk()
	c.change()
}

// CompareRun implements components.LightboxPort.
func (c *core) CompareRun(id atelier.RunID) {
	c.withRun(id, func(run atelier.Run) { c.openDesk(model.Viewable(model.Runs{run}.Shots())) })
}

// CloseDesk implements components.DeskPort.
func (c *core) CloseDesk() {
	if c.review.desk.open {
		c.shutDesk()
		c.leaveOpened()
	}
}

func (c *core) shutDesk() {
	c.review.desk = desk{}
	browser.CloseModal(components.DeskID)
	c.change()
}

// listenDesk follows the pointer on the desk.
func (c *core) listenDesk() []func() {
	return []func(){
		browser.OnCancel(components.DeskID, c.CloseDesk),
		browser.OnResize(components.DeskAreaID, func(b browser.Box) {
			if d := &c.review.desk; d.open && b.W > 0 && b != d.area {
				d.area = b
				c.change()
			}
		}),
		browser.OnWheel(components.DeskAreaID, func(w browser.Wheel) {
			if !c.review.desk.open {
				return
			}
			_, at, cell := c.review.desk.under(w.At)
			c.review.desk.zoomAt(math.Exp(-w.DY/240), at, cell)
			c.moveDesk()
		}),
		browser.OnPointer(components.DeskAreaID, c.deskPointer),
	}
}

// cells are the places of the desk: the source first, where there is one and all are shown.
func (d *desk) cells() int {
	if d.one {
		return 1
	}
	return len(d.shots) + index(d.source() != nil)
}

func (d *desk) source() *atelier.Asset {
	if len(d.shots) == 0 {
		return nil
	}
	return d.shots[d.active].Run.Asset
}

func size(r atelier.Result) model.Size { return model.Size{W: float64(r.Width), H: float64(r.Height)} }

// reference is the size that 100 % is about.
func (d *desk) reference() model.Size { return size(d.shots[d.active].Result) }

// cell is how many columns there are, and the room for one picture: as suits them all, so that none moves when another is looked at.
func (d *desk) cell() (columns int, room model.Size) {
	area := model.Size{W: d.area.W - 2*deskGap, H: d.area.H - 2*deskGap}
	shape := 0.0
	for _, shot := range d.shots {
		r := size(shot.Result)
		shape += max(r.W, 1) / max(r.H, 1) / float64(len(d.shots))
	}
	columns, rows := model.Arrange(d.cells(), area, shape, deskFoot+deskGap)
	return columns, model.Size{
		W: (area.W - float64(columns-1)*deskGap) / float64(columns),
		H: (area.H-float64(rows-1)*deskGap)/float64(rows) - deskFoot,
	}
}

// under is the place of the desk below a point of its area, and the point within its picture's room.
func (d *desk) under(p browser.Point) (place int, at browser.Point, room model.Size) {
	columns, room := d.cell()
	w, h := room.W+deskGap, room.H+deskFoot+deskGap
	column, row := int((p.X-deskGap)/w), int((p.Y-deskGap)/h)
	column, row = min(max(column, 0), columns-1), max(row, 0)
	return row*columns + column, browser.Point{X: p.X - deskGap - float64(column)*w, Y: p.Y - deskGap - float64(row)*h}, room
}

func (d *desk) zoomAt(factor float64, at browser.Point, room model.Size) {
	d.view = d.view.ZoomAt(factor, at.X, at.Y, d.reference(), room)
}

// deskPointer pans with one finger or the mouse, zooms with two fingers, draws the line of before and after, and chooses
// with a click.
func (c *core) deskPointer(p browser.Pointer) {
	d := &c.review.desk
	if !d.open {
		return
	}
	at := p.At()
	before, held := d.fingers[p.ID]
	switch p.Kind {
	case browser.PointerDown:
		d.fingers[p.ID] = at
		if len(d.fingers) == 1 {
			d.moved, d.pinched, d.pressed = false, false, at
		} else {
			d.moved, d.pinched = true, true
		}
		d.parted = d.spread()
	case browser.PointerMove:
		if !held {
			return
		}
		d.fingers[p.ID] = at
		if math.Hypot(at.X-d.pressed.X, at.Y-d.pressed.Y) > 6 {
			d.moved = true
		}
		d.drag(at, before)
		c.moveDesk()
	case browser.PointerUp, browser.PointerCancel:
		delete(d.fingers, p.ID)
		if held && p.Kind == browser.PointerUp && len(d.fingers) == 0 {
			c.post(func() { c.releaseDesk(at, p.Touch) })
		}
	}
}

// spread is how far two fingers are from each other, 0 without two.
func (d *desk) spread() float64 {
	if len(d.fingers) != 2 {
		return 0
	}
	var p []browser.Point
	for _, at := range d.fingers {
		p = append(p, at)
	}
	return math.Hypot(p[0].X-p[1].X, p[0].Y-p[1].Y)
}

func (d *desk) drag(at, before browser.Point) {
	if now := d.spread(); now > 0 && d.parted > 0 {
		_, in, room := d.under(at)
		d.zoomAt(now/d.parted, in, room)
		d.parted = now
		return
	}
	if d.look == model.LookSplit && d.view.Zoom == 0 {
		_, in, room := d.under(at)
		v := d.view.Place(d.reference(), room, d.reference())
		d.split = min(max(100*(in.X-v.X)/(v.Scale*d.reference().W), 0), 100)
		return
	}
	d.view = d.view.Pan(at.X-before.X, at.Y-before.Y, d.reference())
}

// releaseDesk ends a press: a click chooses, and on what is chosen already goes to 100 % there; a swipe turns the page.
func (c *core) releaseDesk(at browser.Point, touch bool) {
	d := &c.review.desk
	if !d.open {
		return
	}
	if d.moved {
		if dx := at.X - d.pressed.X; touch && !d.pinched && d.one && d.view.Zoom == 0 && math.Abs(dx) > 60 && d.look != model.LookSplit {
			c.stepDesk(index(dx < 0) - index(dx > 0))
		}
		return
	}
	place, in, room := d.under(at)
	if !d.one {
		place -= index(d.source() != nil)
	}
	switch {
	case d.one || place == d.active:
		if d.view.Zoom > 0 {
			d.view = d.view.Toggle(1)
		} else if fit := d.view.Fitted(d.reference(), room) * browser.PixelRatio(); fit < 1 {
			d.zoomAt(1/fit, in, room)
		}
	case place >= 0 && place < len(d.shots):
		d.active = place
		c.moveOpened()
		c.focusDesk()
	}
	c.rev++
}

// moveDesk shows where everything lies now, without a render.
func (c *core) moveDesk() {
	d := &c.review.desk
	if !d.open {
		return
	}
	for slot, cell := range d.pictures() {
		browser.SetStyle(components.DeskPictureID(slot), "transform", components.DeskTransform(cell.View))
	}
	browser.SetStyle(components.DeskAreaID, "--split", words.Decimal(d.split, 1)+"%")
	browser.SetValue(components.DeskSplitID, words.Decimal(d.split, 0))
	if d.percent() != d.said { // then the pictures are loaded that are sharp so near, too
		c.change()
	}
}

// percent is how near the pictures are, against their own pixels.
func (d *desk) percent() int {
	_, room := d.cell()
	return d.view.Percent(d.reference(), room, browser.PixelRatio())
}

// sharp says whether the cells show the files themselves: only then are they worth their size.
func (d *desk) sharp() bool { return d.one || d.view.Zoom > 0 }

// pictures are the cells as they are.
func (d *desk) pictures() []components.DeskCell {
	_, room := d.cell()
	var cells []components.DeskCell
	add := func(c components.DeskCell, picture model.Size) {
		c.Width, c.Height = int(picture.W), int(picture.H)
		c.View = d.view.Place(picture, room, d.reference())
		cells = append(cells, c)
	}
	if s := d.source(); s != nil && !d.one {
		add(components.DeskCell{Caption: words.CompareSource, Label: words.SourceNamed(s.Name), Thumb: components.Thumb(s.Thumb, 640), File: s.File, Sharp: d.sharp()},
			model.Size{W: float64(s.Width), H: float64(s.Height)})
	}
	from, to := 0, len(d.shots)
	if d.one {
		// The pictures before and after are there already, each in an element it keeps when it is its turn.
		from, to = max(0, d.active-1), min(len(d.shots), d.active+2)
		cells = make([]components.DeskCell, 0, 3)
		ring := make([]components.DeskCell, 3)
		for i := from; i < to; i++ {
			add(d.result(i), size(d.shots[i].Result))
			ring[i%3] = cells[len(cells)-1]
		}
		for i := range ring {
			ring[i].Hidden = !ring[i].Active
		}
		return ring
	}
	for i := from; i < to; i++ {
		add(d.result(i), size(d.shots[i].Result))
	}
	return cells
}

func (d *desk) result(i int) components.DeskCell {
	s := d.shots[i]
	r := s.Result
	c := components.DeskCell{
		Key: s.Key(), Number: i + 1, Caption: words.DeskResult(i+1, r.LockedFrom != ""), Label: words.DeskLabel(i+1, r, false), Thumb: components.Thumb(r.Thumb, 640), File: r.File,
		Sharp: d.sharp(), Active: i == d.active, Pick: r.Pick, Rating: r.Rating,
	}

	switch f := r.Fidelity; {
	case f == nil:
	case !f.Comparable:
		c.Reason = words.ApartReason(*f)
	default:
		c.Score, c.Changed = words.Percent(f.Score), f.Changed
		if f.Doubtful() {
			c.Doubt = words.FidelityVerdict(*f)
		}
		if d.look == model.LookHeat {
			c.Heat = f.Heat
		}
	}
	if a := s.Run.Asset; a != nil && (d.look == model.LookSplit || d.look == model.LookDifference) {
		if !model.SameShape(r.Width, r.Height, a.Width, a.Height) {
			c.Label = words.DeskLabel(i+1, r, true)
			c.Apart = true // one laid over the other would show differences that are none
			return c
		}
		c.Source = components.Thumb(a.Thumb, 640)
		if d.sharp() {
			c.Source = a.File
		}
	}
	return c
}

// LookDesk implements components.DeskPort.
func (c *core) LookDesk(look string) {
	c.review.desk.look = look
	browser.SetStyle(components.DeskAreaID, "--split", words.Decimal(c.review.desk.split, 1)+"%")
	c.change()
}

// LayOutDesk implements components.DeskPort.
func (c *core) LayOutDesk() {
	d := &c.review.desk
	d.one = !d.one
	c.focusDesk()
	c.change()
}

// ZoomDesk implements components.DeskPort.
func (c *core) ZoomDesk() {
	c.review.desk.view = c.review.desk.view.Toggle(browser.PixelRatio())
	c.change()
}

// SplitDesk implements components.DeskPort.
func (c *core) SplitDesk(percent float64) {
	c.review.desk.split = percent
	browser.SetStyle(components.DeskAreaID, "--split", words.Decimal(percent, 1)+"%")
}

// JudgeDesk implements components.DeskPort.
func (c *core) JudgeDesk() components.VerdictPort {
	return judging{c, func() []model.Shot {
		if d := &c.review.desk; d.open {
			return d.shots[d.active : d.active+1]
		}
		return nil
	}}
}

// DeliverPicks implements components.DeskPort.
func (c *core) DeliverPicks() {
	var picks []model.Shot
	for _, s := range c.review.desk.shots {
		if s.Result.Pick == atelier.PickYes {
			picks = append(picks, s)
		}
	}
	if len(picks) > 0 {
		c.openDelivery(picks)
	}
}

// stepDesk goes to another result.
func (c *core) stepDesk(by int) {
	d := &c.review.desk
	d.active = min(max(d.active+by, 0), len(d.shots)-1)
	c.moveOpened()
	c.focusDesk()
	c.change()
}

// focusDesk gives the focus to the active cell, once it is drawn.
func (c *core) focusDesk() {
	drawn(c.ui, func() {
		if d := &c.review.desk; d.open {
			slot := d.active + index(d.source() != nil)
			if d.one {
				slot = d.active % 3
			}
			browser.Focus(components.DeskCellID(slot))
		}
	})
}

// deskPan is how far a key moves what lies enlarged on the desk, CSS px.
const deskPan = 80

// deskKey takes a shortcut of the desk.
func (c *core) deskKey(k browser.Key) bool {
	d := &c.review.desk
	if k.Up || k.Alt {
		return false
	}
	action := does(c.keymap, k, model.OnDesk)
	if d.shots[d.active].Others() && theirs(action) {
		return false
	}
	if u, ok := judgement(action, d.shots[d.active].Result); ok {
		c.judge(d.shots[d.active:d.active+1], u)
		if k.Shift && !strings.Contains(c.keymap.Key(action), "Shift") {
			c.stepDesk(1)
		}
		return true
	}
	switch action {
	case model.DoZoom:
		c.ZoomDesk()
	case model.DoSplit:
		c.LookDesk(components.Pick(d.look == model.LookSplit, model.LookResult, model.LookSplit))
	case model.DoDifference:
		c.LookDesk(components.Pick(d.look == model.LookDifference, model.LookResult, model.LookDifference))
	case model.DoHeat:
		c.LookDesk(components.Pick(d.look == model.LookHeat, model.LookResult, model.LookHeat))
	case model.DoFull:
		browser.ToggleFullScreen(components.DeskID)
	case model.DoTrash:
		if !k.Repeat {
			c.TrashDesk()
		}
	default:
		return !k.Ctrl && c.deskMove(k)
	}
	return true
}

// deskMove leads over the desk with the keys that lead everywhere.
func (c *core) deskMove(k browser.Key) bool {
	d := &c.review.desk
	columns := 1
	if !d.one {
		columns, _ = d.cell()
	}
	if k.Button && (k.Key == "Enter" || k.Key == " ") || k.Range && strings.HasPrefix(k.Key, "Arrow") {
		return false
	}
	if way, ok := arrows[k.Key]; ok && k.Shift && d.view.Zoom > 0 {
		d.view = d.view.Pan(float64(-way.X*deskPan), float64(-way.Y*deskPan), d.reference())
		c.moveDesk()
		return true
	}
	switch k.Key {
	case "ArrowLeft":
		c.stepDesk(-1)
	case "ArrowRight":
		c.stepDesk(1)
	case "ArrowUp":
		c.stepDesk(-columns)
	case "ArrowDown":
		c.stepDesk(columns)
	case "Enter", " ":
		c.LayOutDesk()
	case "Escape":
		c.CloseDesk()
	default:
		return false
	}
	return true
}

// TrashDesk implements components.DeskPort: the result that is looked at is thrown away.
func (c *core) TrashDesk() {
	if d := &c.review.desk; d.open {
		c.trash([]model.Shot{{Run: d.shots[d.active].Run, Result: d.shots[d.active].Result}})
	}
}

// updateDesk brings the desk up to date with a result. One that was thrown away leaves it, and the last one closes it.
func (c *core) updateDesk(r atelier.Result) {
	d := &c.review.desk
	if !d.open {
		return
	}
	i := slices.IndexFunc(d.shots, func(s model.Shot) bool { return s.Result.ID == r.ID })
	back, was := d.thrown[r.ID]
	switch {
	case i >= 0 && r.Trashed && len(d.shots) == 1:
		c.CloseDesk()
		return
	case i >= 0 && r.Trashed:
		if d.thrown == nil {
			d.thrown = map[atelier.ResultID]thrown{}
		}
		d.thrown[r.ID] = thrown{d.shots[i], i}
		d.shots = slices.Delete(slices.Clone(d.shots), i, i+1)
		d.active -= index(i < d.active || d.active == len(d.shots))
	case i >= 0 && r.Stored:
		d.shots[i].Result = model.Later(d.shots[i].Result, r)
		return
	case was && !r.Trashed && len(d.shots) < model.DeskLimit:
		delete(d.thrown, r.ID)
		back.shot.Result = r
		d.active = min(back.at, len(d.shots))
		d.shots = slices.Insert(slices.Clone(d.shots), d.active, back.shot)
	default:
		return
	}
	c.moveOpened()
	c.focusDesk()
}

func (c *core) renderDesk() app.UI {
	d := &c.review.desk
	view := components.Desk{Look: model.LookResult}
	if d.open {
		for i := range d.shots {
			if run, ok := c.viewer.full[d.shots[i].Run.ID]; ok && !d.shots[i].Whole() {
				d.shots[i].Run = run
			}
		}
		picks := 0
		for _, s := range d.shots {
			picks += index(s.Result.Pick == atelier.PickYes)
		}
		columns, _ := d.cell()
		d.said = d.percent()
		view = components.Desk{
			Title: words.DeskPlace(c.agent(d.shots[d.active].Run.Agent).Title, d.active+1, len(d.shots)), Cells: d.pictures(), Columns: columns, One: d.one,
			Look: d.look, Percent: d.said, Verdict: model.VerdictOf(d.shots[d.active : d.active+1]), Picks: picks, Source: d.source() != nil, Others: d.shots[d.active].Others(), Toasts: c.toastsFor(components.DeskID), Keys: c.keymap,
		}
	}
	return components.El("dialog", "id", components.DeskID, "class", "lightbox desk", "aria-label", words.DeskTitle).Body(components.NewDesk(view, c))
}
