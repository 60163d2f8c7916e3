package components

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/browser"
	"atelier/app/model"
	"atelier/app/words"
	"atelier/atelier"
	"atelier/catalog"
)

// FieldPort hears what the designer does in the form.
type FieldPort interface {
	SetValue(name string, value any)
	TouchField(name string)
	BrowsePresets(name string)
	AlsoPreset(name string, p atelier.Preset)
	NeedPresets(kind string)
	LoadPresets(kind string) // all of them
}

// Field is one field of the form, drawn from its description alone.
type Field struct {
	app.Compo
	Agent   string // a field of another agent is another field, even under the same name
	Field   model.Field
	Presets model.PresetList
	port    FieldPort
}

// NewField makes a field.
func NewField(agent string, f model.Field, presets model.PresetList, port FieldPort) *Field {
	return &Field{Agent: agent, Field: f, Presets: presets, port: port}
}

// CompoID implements app.DismountEnforcer: a box that was typed in is never reused for another param.
func (f *Field) CompoID() string { return f.Agent + "/" + f.Field.Param.Name }

// OnMount implements app.Mounter.
func (f *Field) OnMount(ctx app.Context) {
	if kind := f.Field.Param.PresetKind; kind != "" {
		f.port.NeedPresets(kind)
	}
}

// OnUpdate implements app.Updater: a box that was typed in does not empty itself when its value is taken away.
func (f *Field) OnUpdate(ctx app.Context) {
	if f.Field.Value == nil && f.Field.Param.Name != "batchCount" {
		switch f.Field.Param.Kind {
		case catalog.Text, catalog.Int, catalog.Colour, catalog.Duration:
			id := f.id()
			ctx.Defer(func(app.Context) { browser.SetValue(id, "") })
		}
	}
}

// Render implements app.Composer.
func (f *Field) Render() app.UI {
	if f.Field.Closed != "" {
		return closedFields([]model.Field{f.Field})
	}
	p := f.Field.Param
	class := "field field--" + string(p.Kind)
	if f.Field.Resting {
		class += " field--resting"
	}
	head := []app.UI{f.label(), Text("code", "wire field__wire", p.Name)}
	if p.Kind == catalog.Text {
		head = append(head, f.counter())
	}
	if f.clears() {
		head = append(head, Button("", words.FieldClear, "button--link").Attr("aria-label", words.FieldClearOf(p.Title)).OnClick(f.onClear))
	}
	body := []app.UI{Box("field__head", head...), f.control()}
	if help := f.help(); help != "" {
		body = append(body, El("p", "class", "field__help", "id", f.id()+"-help").Text(help))
	}
	if f.Field.Note != "" {
		body = append(body, El("p", "class", "field__note", "id", f.id()+"-note").Body(SmallIcon("info"), Text("span", "", f.Field.Note)))
	}
	body = append(body, El("div", "aria-live", "polite").Body(If(f.Field.Problem != "", func() app.UI {
		return El("p", "class", "field__problem", "id", f.id()+"-problem").Body(SmallIcon("alert"), Text("span", "", f.Field.Problem))
	})))
	return El("div", "class", class, "data-testid", "field-"+p.Name).Body(body...)
}

// label names the field. What stands for one box is its label; a group of buttons is named by it.
func (f *Field) label() app.UI {
	tag := "label"
	if f.grouped() {
		tag = "span"
	}
	label := El(tag, "class", "field__label", "id", f.id()+"-label")
	if tag == "label" {
		label = label.Attr("for", f.id())
	}
	missing := f.Field.Needed && f.Field.Value == nil && f.Field.Default == nil
	return label.Body(app.Text(f.Field.Param.Title), If(missing, func() app.UI { return needed() }))
}

// needed stands within the name of what must be given.
func needed() app.UI { return Text("span", "field__needed", " "+words.FieldNeeded) }

// grouped says that the control is a group of buttons, not a box.
func (f *Field) grouped() bool {
	if f.Field.Forced != "" {
		return false
	}
	switch p := f.Field.Param; p.Kind {
	case catalog.Preset, catalog.Tags, catalog.Strings:
		return true
	case catalog.Enum:
		return f.aside()
	case catalog.Duration:
		return !f.ranged() && f.aside()
	}
	return false
}

// ranged says that a duration is any number of seconds between two, and not one of a few.
func (f *Field) ranged() bool { return f.Field.Param.Min != nil && f.Field.Param.Max != nil }

// cluster is a control of several buttons, with its name and what is said of it.
func (f *Field) cluster(class string, content ...app.UI) app.UI {
	return El("div", "id", f.id(), "class", class, "role", "group", "aria-labelledby", f.id()+"-label", "aria-describedby", f.described()).Body(content...)
}

// clears says whether what is chosen can be taken back to nothing by a button of its own.
func (f *Field) clears() bool {
	if f.Field.Value == nil || f.Field.Needed || f.Field.Forced != "" {
		return false
	}
	switch p := f.Field.Param; p.Kind {
	case catalog.Int:
		return p.Name != "batchCount"
	case catalog.Duration, catalog.Strings, catalog.Tags:
		return true
	case catalog.Enum:
		return f.Field.Default == nil
	}
	return false
}

//go:noinline
func (f *Field) id() string { return "field-" + f.Field.Param.Name }

// help is what stands below the control: what the chosen option means, else what the field means; then how much may be given, why it
// is here, and why not everything may be chosen.
func (f *Field) help() string {
	p := f.Field.Param
	text := p.Help
	value, _ := f.value().(string)
	if f.Field.Forced != "" {
		value = f.Field.Forced
	}
	for _, o := range p.Options {
		if o.Value == value && o.Help != "" {
			text = o.Help
		}
	}
	if f.left() {
		text += " " + words.FieldLeftToAgentHelp
	}
	reasons := []string{text, f.span(), f.Field.Because}
	for _, o := range p.Options {
		reasons = append(reasons, f.Field.Barred[o.Value])
	}
	if f.Field.Forced != "" {
		reasons = reasons[:1]
	}
	text = ""
	for i, reason := range reasons {
		if reason != "" && reason != f.Field.Problem && !slices.Contains(reasons[:i], reason) {
			text += " " + reason
		}
	}
	return strings.TrimSpace(text)
}

// span says how much may be given, before it is too much.
func (f *Field) span() string {
	switch {
	case f.Field.Range == "":
		return ""
	case f.Field.Param.Kind == catalog.Text:
		return words.FieldLengthOf(f.Field.Range)
	}
	return words.FieldRange(f.Field.Range)
}

// left says that nothing is chosen, so that the agent decides, where the control itself does not say so.
func (f *Field) left() bool {
	p := f.Field.Param
	if f.value() != nil || f.Field.Needed || f.Field.Forced != "" {
		return false
	}
	return p.Kind == catalog.Enum && f.aside() || p.Kind == catalog.Duration
}

// value is what is given, or the default.
func (f *Field) value() any {
	if f.Field.Value != nil {
		return f.Field.Value
	}
	return f.Field.Default
}

func (f *Field) control() app.UI {
	p := f.Field.Param
	if f.Field.Forced != "" {
		return f.forced()
	}
	switch p.Kind {
	case catalog.Text:
		return f.text()
	case catalog.Int:
		if p.Name == "batchCount" {
			return f.batch()
		}
		return f.number()
	case catalog.Enum:
		return f.enum()
	case catalog.Duration:
		if f.ranged() {
			return f.duration()
		}
		return f.enum()
	case catalog.Bool:
		return f.boolean()
	case catalog.Colour:
		return f.colour()
	case catalog.Preset:
		return f.preset()
	case catalog.Tags:
		return f.tags()
	case catalog.Strings:
		return f.strings()
	}
	return f.line("text")
}

func (f *Field) invalid() string  { return Bool(f.Field.Problem != "") }
func (f *Field) required() string { return Bool(f.Field.Needed) }

// described names what is said below the control, the problem first.
func (f *Field) described() string {
	var ids []string
	if f.Field.Problem != "" {
		ids = append(ids, f.id()+"-problem")
	}
	if f.help() != "" {
		ids = append(ids, f.id()+"-help")
	}
	if f.Field.Note != "" {
		ids = append(ids, f.id()+"-note")
	}
	return strings.Join(ids, " ")
}

func (f *Field) text() app.UI {
	value, _ := f.Field.Value.(string)
	p := f.Field.Param
	area := El("textarea", "id", f.id(), "class", "input", "data-testid", "input-"+p.Name, "rows", "3",
		"aria-required", f.required(), "aria-invalid", f.invalid(), "aria-describedby", f.described()).
		OnInput(f.onText).OnBlur(f.onTouch)
	if value != "" {
		area = area.Attr("value", value)
	}
	return area
}

func (f *Field) counter() app.UI {
	value, _ := f.Field.Value.(string)
	n := utf8.RuneCountInString(value)
	text, class := words.Count(n), "field__count"
	if p := f.Field.Param; p.Max != nil {
		text = words.FieldCount(n, *p.Max)
		class += Pick(n > *p.Max, " field__count--over", "")
	}
	return El("span", "class", class, "aria-hidden", "true").Text(text)
}

func (f *Field) line(kind string) app.UI {
	value, _ := f.Field.Value.(string)
	input := Void("input", "id", f.id(), "class", "input", "type", kind, "data-testid", "input-"+f.Field.Param.Name,
		"aria-required", f.required(), "aria-invalid", f.invalid(), "aria-describedby", f.described()).OnInput(f.onText).OnBlur(f.onTouch)
	if value != "" {
		input = input.Attr("value", value)
	}
	return input
}

// roomFor is how many characters the names of that many choices may have to stand side by side.
var roomFor = map[int]int{1: 42, 2: 22, 3: 13, 4: 9}

// aside says that the choices are few and their names short enough to stand side by side.
func (f *Field) aside() bool {
	longest := 0
	for _, o := range f.Field.Param.Options {
		longest = max(longest, utf8.RuneCountInString(o.Title))
	}
	return longest <= roomFor[len(f.Field.Param.Options)]
}

// enum is a row of choices when they fit, else a list to choose from.
func (f *Field) enum() app.UI {
	p := f.Field.Param
	value, _ := f.value().(string)
	if f.aside() {
		choices := make([]Choice, len(p.Options))
		for i, o := range p.Options {
			why, barred := f.Field.Barred[o.Value]
			choices[i] = Choice{Value: o.Value, Title: o.Title, Help: o.Help, Barred: barred}
			if n, timed := strings.CutSuffix(o.Value, "s"); timed && p.Kind == catalog.Duration {
				choices[i].Title = words.FieldLength(n)
			}
			if barred {
				choices[i].Help = why
			}
		}
		return El("div", "id", f.id(), "data-testid", "input-"+p.Name).Body(
			Segmented(p.Title, choices, value, f.choose).Attr("aria-labelledby", f.id()+"-label").Attr("aria-required", f.required()).
				Attr("aria-invalid", f.invalid()).Attr("aria-describedby", f.described()))
	}
	options := []app.UI{}
	if value == "" || !f.Field.Needed && f.Field.Default == nil {
		options = append(options, El("option", "value", " ", "selected", Bool(value == "")).Text(Pick(f.Field.Needed, words.FieldChoose, words.FieldLeftToAgent)))
	}
	for _, o := range p.Options {
		option := El("option", "value", o.Value, "selected", Bool(o.Value == value)).Text(o.Title)
		if _, barred := f.Field.Barred[o.Value]; barred {
			option = option.Attr("disabled", "true")
		}
		options = append(options, option)
	}
	return El("select", "id", f.id(), "class", "input", "data-testid", "input-"+p.Name, "aria-required", f.required(), "aria-invalid", f.invalid(),
		"aria-describedby", f.described()).OnChange(f.onText).Body(options...)
}

// forced shows the value that something else decides; the note below says what.
func (f *Field) forced() app.UI {
	title := f.Field.Forced
	for _, o := range f.Field.Param.Options {
		if o.Value == title {
			title = o.Title
		}
	}
	return Box("field__forced", SmallIcon("lock"),
		Void("input", "id", f.id(), "class", "input", "type", "text", "readonly", "true", "value", title, "data-testid", "input-"+f.Field.Param.Name,
			"aria-describedby", f.described()))
}

// duration is a number of seconds, typed or aimed at, and whatever may be said in place of one.
func (f *Field) duration() app.UI {
	p := f.Field.Param
	value, _ := f.value().(string)
	digits, timed := strings.CutSuffix(value, "s")
	low, high := words.Number(*p.Min), words.Number(*p.Max)
	input := Void("input", "id", f.id(), "class", "input input--number", "type", "number", "inputmode", "numeric", "step", "1", "min", low, "max", high,
		"placeholder", "–", "data-testid", "input-"+p.Name, "aria-required", f.required(), "aria-invalid", f.invalid(), "aria-describedby", f.described()).
		OnInput(f.onDuration).OnBlur(f.onTouch)
	slider := Void("input", "class", Pick(timed, "range", "range range--unset"), "type", "range", "aria-label", words.FieldInSeconds(p.Title), "min", low, "max", high,
		"value", Pick(timed, digits, low)).OnInput(f.onDuration)
	if timed {
		input = input.Attr("value", digits)
	}
	chips := make([]app.UI, len(p.Options))
	for i, o := range p.Options {
		chips[i] = El("button", "type", "button", "class", "chip", "data-value", o.Value, "aria-pressed", Bool(value == o.Value)).Text(o.Title).
			OnClick(func(app.Context, app.Event) { f.choose(Pick(value == o.Value, "", o.Value)) }, Scope(o.Value, value))
	}
	return Box("field__stack",
		Box("field__row", input, Text("span", "field__unit", words.FieldSeconds), slider),
		If(len(chips) > 0, func() app.UI {
			return El("div", "class", "field__chips", "role", "group", "aria-labelledby", f.id()+"-label").Body(chips...)
		}),
	)
}

func (f *Field) boolean() app.UI {
	on, _ := f.value().(bool)
	return El("label", "class", "switch").Body(
		Void("input", "id", f.id(), "class", "switch__input", "type", "checkbox", "role", "switch", "checked", Bool(on),
			"aria-labelledby", f.id()+"-label", "aria-describedby", f.described(), "data-testid", "input-"+f.Field.Param.Name).OnChange(f.onSwitch),
		Text("span", "", Pick(on, words.FieldOn, words.FieldOff)),
	)
}

func (f *Field) colour() app.UI {
	p := f.Field.Param
	value, _ := f.Field.Value.(string)
	well := value
	if !colour(well) {
		well = "#ffffff"
	}
	text := Void("input", "id", f.id(), "class", "input", "type", "text", "placeholder", words.FieldColourPattern, "maxlength", "7", "spellcheck", "false",
		"data-testid", "input-"+p.Name, "aria-required", f.required(), "aria-invalid", f.invalid(), "aria-describedby", f.described()).OnInput(f.onColour).OnBlur(f.onTouch)
	if value != "" {
		text = text.Attr("value", value)
	}
	row := []app.UI{
		Void("input", "class", "well"+Pick(colour(value), "", " well--none"), "type", "color", "aria-label", words.FieldPicker(p.Title), "value", well).OnInput(f.onColour), text,
	}
	if value != "" {
		row = append(row, IconButton("close", words.FieldNoColour, "").OnClick(f.onClear))
	}
	return Box("field__row", row...)
}

func (f *Field) strings() app.UI {
	given, _ := f.value().([]any)
	chips := make([]app.UI, len(f.Field.Param.Options))
	for i, o := range f.Field.Param.Options {
		chips[i] = f.chip(o.Title, o.Value, contains(given, o.Value))
	}
	return f.cluster("field__chips", chips...)
}

// chip puts a value into the list, or takes it out.
func (f *Field) chip(title string, value any, on bool) app.UI {
	return El("button", "type", "button", "class", "chip", "aria-pressed", Bool(on)).Text(title).
		OnClick(func(app.Context, app.Event) {
			given, _ := f.value().([]any)
			next := []any{}
			for _, v := range given {
				if v != value {
					next = append(next, v)
				}
			}
			if len(next) == len(given) {
				next = append(next, value)
			}
			f.port.SetValue(f.Field.Param.Name, next)
		}, Scope(title, value))
}

func (f *Field) name() string { return f.Field.Param.Name }

// choose takes a choice; the one that is chosen, taken again, is none where there need not be one.
func (f *Field) choose(v string) {
	if v == f.Field.Value && !f.Field.Needed && f.Field.Default == nil {
		v = ""
	}
	f.port.SetValue(f.name(), v)
}

func (f *Field) onTouch(app.Context, app.Event) { f.port.TouchField(f.name()) }
func (f *Field) onClear(app.Context, app.Event) { f.port.SetValue(f.name(), nil) }
func (f *Field) onColour(_ app.Context, e app.Event) {
	f.port.SetValue(f.name(), strings.ToUpper(textOf(e)))
}

func (f *Field) onSwitch(_ app.Context, e app.Event) {
	f.port.SetValue(f.name(), e.Get("target").Get("checked").Bool())
}
func (f *Field) onFewer(app.Context, app.Event)      { f.step(-1) }
func (f *Field) onMore(ctx app.Context, _ app.Event) { f.step(1) }

func (f *Field) onText(_ app.Context, e app.Event) {
	text := textOf(e)
	if strings.TrimSpace(text) == "" && f.Field.Param.Kind != catalog.Text {
		text = ""
	}
	f.port.SetValue(f.name(), text)
}

func (f *Field) onDuration(_ app.Context, e app.Event) {
	text := textOf(e)
	if text != "" {
		text += "s"
	}
	f.port.SetValue(f.name(), text)
}

func (f *Field) onNumber(_ app.Context, e app.Event) {
	n, err := strconv.ParseFloat(textOf(e), 64)
	if err != nil { // empty, or not a number yet
		f.port.SetValue(f.name(), nil)
		return
	}
	f.port.SetValue(f.name(), n)
}

func (f *Field) step(by float64) {
	n, _ := model.ToNumber(f.value())
	f.port.SetValue(f.name(), n+by)
}
