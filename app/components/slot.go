package components

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// SlotPort hears what happens to the files of a form.
type SlotPort interface {
	// PickSlot asks for a file for a place of a file field; at is the number of files there for one more.
	PickSlot(name string, at int)
	MoveFile(name string, from, to int)
	DropFile(name string, at int)
	ClearSlot(name string)
}

// Slots are the file fields of a form. Those that are closed for the same reason say it once.
func Slots(list []model.Slot, port SlotPort) []app.UI {
	var out []app.UI
	for len(list) > 0 {
		n := closedAlike(list)
		if n > 0 {
			out = append(out, closedSlots(list[:n]))
		} else {
			out = append(out, slot(list[0], port))
		}
		list = list[max(n, 1):]
	}
	return out
}

// closedAlike is how many of the first file fields are empty and take nothing for one and the same reason.
func closedAlike(slots []model.Slot) int {
	n := 0
	for n < len(slots) && slots[n].Because != "" && slots[n].Because == slots[0].Because && len(slots[n].Assets) == 0 {
		n++
	}
	return n
}

// closedSlots says in a line why file fields take nothing; their places come when they open.
func closedSlots(slots []model.Slot) app.UI {
	heads := make([]app.UI, len(slots))
	for i, s := range slots {
		heads[i] = El("div", "class", "field__head", "data-testid", "field-"+s.File.Name, "id", "field-"+s.File.Name).Body(
			Text("span", "field__label", s.File.Title), Text("code", "wire field__wire", s.File.Name))
	}
	return closed(slots[0].Because, heads)
}

// slot is one file field other than the picture on the stage: a place for each file it takes, in order. Files can be
// dropped on it, pasted into it while it has the focus, and moved from place to place.
func slot(s model.Slot, port SlotPort) app.UI {
	name := s.File.Name
	id := "field-" + name
	missing := s.Needed && len(s.Assets) < max(s.File.Min, 1)
	head := []app.UI{
		El("span", "class", "field__label", "id", id+"-label").Body(app.Text(s.File.Title), If(missing, func() app.UI { return needed() })),
		If(!s.Ours, func() app.UI { return Text("code", "wire field__wire", name) }),
	}
	if s.File.Max > 1 && s.Because == "" && (!s.Ours || len(s.Assets) > 0) {
		head = append(head, El("span", "class", "field__count"+Pick(len(s.Assets) > s.Most, " field__count--over", ""), "aria-hidden", "true").Text(words.FieldCount(len(s.Assets), s.Most)))
	}
	if len(s.Assets) > 1 {
		head = append(head, Button("", words.FieldClear, "button--link").Attr("aria-label", words.FieldClearOf(s.File.Title)).
			OnClick(func(app.Context, app.Event) { port.ClearSlot(name) }, Scope(name)))
	}
	cells := []app.UI{}
	for i, asset := range s.Assets {
		cells = append(cells, slotCell(s, i, asset, port))
	}
	if s.Room > 0 || len(s.Assets) == 0 {
		cells = append(cells, freeCell(s, port))
	}
	// What else the roles ask for shows as places to come.
	for i := len(s.Assets) + 1; s.Room > 0 && i < min(len(s.File.Roles), s.File.Max); i++ {
		cells = append(cells, El("span", "class", "slot__cell slot__cell--later").Text(s.File.Roles[i]))
	}
	about := []string{}
	for part, text := range map[string]string{"-problem": s.Problem, "-help": s.File.Help, "-note": s.Because} {
		if text != "" {
			about = append(about, id+part)
		}
	}
	slices.Sort(about)
	slices.Reverse(about) // the problem first
	return El("div", "class", "field", "data-testid", id, "data-slot", name, "id", id, "role", "group", "aria-labelledby", id+"-label",
		"aria-describedby", strings.Join(about, " ")).Body(
		Box("field__head", head...),
		Box("slot slot--"+string(s.File.Media), cells...),
		If(s.File.Help != "", func() app.UI { return El("p", "class", "field__help", "id", id+"-help").Text(s.File.Help) }),
		If(s.Because != "", func() app.UI {
			return El("p", "class", "field__note", "id", id+"-note").Body(SmallIcon("info"), Text("span", "", s.Because))
		}),
		El("div", "aria-live", "polite").Body(If(s.Problem != "", func() app.UI {
			return El("p", "class", "field__problem", "id", id+"-problem").Body(SmallIcon("alert"), Text("span", "", s.Problem))
		})),
	)
}

// SlotID is the element of one file of a field, for the focus.
func SlotID(name string, at int) string { return "slot-" + name + "-" + words.Number(at) }

func freeCell(s model.Slot, port SlotPort) app.UI {
	at, label := len(s.Assets), role(s, len(s.Assets))
	icon := map[catalog.Media]string{catalog.Video: "film", catalog.Audio: "sound"}[s.File.Media]
	if icon == "" {
		icon = "plus"
	}
	return El("button", "type", "button", "class", "slot__cell slot__cell--free", "data-testid", "slot-"+s.File.Name, "disabled", Bool(s.Room == 0),
		"id", SlotID(s.File.Name, at), "aria-label", words.SlotFree(label)).
		OnClick(func(app.Context, app.Event) { port.PickSlot(s.File.Name, at) }, Scope(s.File.Name, at)).Body(Icon(icon), Text("span", "", label))
}

// slotCell is one file in its place.
func slotCell(s model.Slot, i int, asset atelier.Asset, port SlotPort) app.UI {
	name, n := s.File.Name, len(s.Assets)
	label, caption := words.SlotTaken(role(s, i), asset.Name), role(s, i)
	sorted := n > 1 && !s.Ours // of the studio's own field the order means nothing
	switch {
	case s.Ours:
		label, caption = words.FurtherTaken(asset.Name, i+1, n), asset.Name
	case n > 1:
		label = words.SlotTakenAt(role(s, i), asset.Name, i+1, n)
	}
	tools := []app.UI{}
	if sorted {
		tools = append(tools,
			IconButton("left", words.SlotForward(asset.Name), "←").Attr("disabled", i == 0).Attr("tabindex", "-1").
				OnClick(func(app.Context, app.Event) { port.MoveFile(name, i, i-1) }, Scope(name, i, n)),
			IconButton("right", words.SlotBack(asset.Name), "→").Attr("disabled", i == n-1).Attr("tabindex", "-1").
				OnClick(func(app.Context, app.Event) { port.MoveFile(name, i, i+1) }, Scope(name, i, n)))
	}
	tools = append(tools, IconButton("close", words.SlotRemove(asset.Name), words.KeyDelete).Attr("data-testid", "slot-remove").
		OnClick(func(app.Context, app.Event) { port.DropFile(name, i) }, Scope(name, i)))

	cell := El("div", "class", "slot__cell slot__cell--full", "data-testid", "slot-file", "data-asset", string(asset.ID))
	if sorted {
		cell = cell.Attr("data-sort", name).Attr("data-at", words.Number(i))
	}
	open := El("button", "type", "button", "class", "slot__open", "id", SlotID(name, i), "aria-label", label, "title", asset.Name).
		OnClick(func(app.Context, app.Event) { port.PickSlot(name, i) }, Scope(name, i)).
		OnKeyDown(slotKeys(name, i, n, sorted, port), Scope(name, i, n))
	if s.File.Media == catalog.Image {
		return cell.Body(
			open.Body(Void("img", "class", "slot__picture", "src", Thumb(asset.Thumb, 160), "alt", "", "draggable", "false")),
			Text("span", "slot__role", caption),
			El("div", "class", "slot__tools", "data-still", "true").Body(tools...),
		)
	}
	return cell.Body(
		El("div", "class", "slot__player", "data-still", "true").Body(Player(asset)),
		open.Body(Text("span", "slot__name", asset.Name), Text("span", "slot__facts", words.MediaFacts(asset))),
		El("div", "class", "slot__tools", "data-still", "true").Body(tools...),
	)
}

// Player plays a video or a sound that was brought.
func Player(a atelier.Asset) app.UI {
	if model.MediaOf(a) == catalog.Audio {
		return El("audio", "class", "player", "src", a.File, "controls", "true", "preload", "metadata", "aria-label", a.Name)
	}
	return El("video", "class", "player", "src", a.File, "controls", "true", "preload", "metadata", "playsinline", "true", "aria-label", a.Name)
}

// slotKeys removes the file that has the focus, and moves it where the order means something.
func slotKeys(name string, i, n int, sorted bool, port SlotPort) app.EventHandler {
	return func(_ app.Context, e app.Event) {
		var to int
		switch e.Get("key").String() {
		case "ArrowLeft", "ArrowUp":
			to = i - 1
		case "ArrowRight", "ArrowDown":
			to = i + 1
		case "Home":
			to = 0
		case "End":
			to = n - 1
		case "Delete", "Backspace":
			e.PreventDefault()
			port.DropFile(name, i)
			return
		default:
			return
		}
		if sorted {
			e.PreventDefault()
			if to != i && to >= 0 && to < n {
				port.MoveFile(name, i, to)
			}
		}
	}
}

// role is what the file in one place means.
func role(s model.Slot, i int) string {
	noun := map[catalog.Media]string{catalog.Video: words.SlotVideo, catalog.Audio: words.SlotSound}[s.File.Media]
	if noun == "" {
		noun = words.SlotPicture
	}
	switch {
	case s.Ours:
		return words.FurtherAdd
	case i < len(s.File.Roles):
		return s.File.Roles[i]
	case s.File.Max > 1:
		return words.SlotPlace(noun, i+1)
	}
	return s.File.Title
}
