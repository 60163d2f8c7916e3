package components

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
	"atelier/catalog"
)

// Form is the body of the form of an agent: its files, its fields, what is rarely needed under "More". It is drawn from the
// catalog alone.
type Form struct {
	Agent    catalog.Agent
	Makes    catalog.Makes // what it makes as the form stands
	Fields   []model.Field
	Slots    []model.Slot
	Further  *model.Slot // more photos of which the same is made, nil for agents that work on none
	Presets  func(kind string) model.PresetList
	Sizes    app.UI // the usual sizes of an expansion, nil for other agents
	MaskLine app.UI // how the painted mask stands, nil when none is painted
	Embedded bool   // the embedded service does the work
	NoVideo  string // why videos cannot be made here, "" when they can
}

// FormPort hears what the designer does in the form.
type FormPort interface {
	FieldPort
	SlotPort
}

// Body is the form's content.
func (f Form) Body(port FormPort) []app.UI {
	usual, pairs, more := []app.UI{}, []app.UI{}, []app.UI{}
	for i, field := range f.Fields {
		p := field.Param
		var ui app.UI = NewField(f.Agent.Name, field, f.Presets(p.PresetKind), port)
		if field.Closed != "" {
			if i > 0 && f.Fields[i-1].Closed == field.Closed {
				continue // it was said together with the one before
			}
			ui = closedFields(f.Fields[i:])
		}
		switch {
		case f.Sizes != nil && p.Kind == catalog.Int && p.Name != "batchCount":
			pairs = append(pairs, ui) // the numbers behind the handles of the stage
		case p.Advanced && field.Problem == "":
			more = append(more, ui)
		default:
			usual = append(usual, ui)
		}
		if p.Name == "maskType" && f.MaskLine != nil {
			usual = append(usual, f.MaskLine)
		}
	}
	if f.Sizes != nil {
		usual = append([]app.UI{f.Sizes, Box("field__pairs", pairs...)}, usual...)
	}
	return []app.UI{
		Box("inspector__fields", Slots(f.Slots, port)...),
		Box("inspector__fields", usual...),
		If(len(more) > 0, func() app.UI {
			return El("details", "class", "more", "aria-label", words.FormMore).Body(
				El("summary", "class", "more__summary", "data-testid", "more").Body(SmallIcon("right"), Text("span", "", words.FormMore)),
				Box("inspector__fields", more...),
			)
		}),
		If(f.Further != nil, func() app.UI { return Box("inspector__further", slot(*f.Further, port)) }),
		f.note(),
	}
}

// closedFields says in a line why nothing can be chosen in the first of the fields, and in those after it for the same reason.
func closedFields(fields []model.Field) app.UI {
	var heads []app.UI
	for _, f := range fields {
		if f.Closed != fields[0].Closed {
			break
		}
		heads = append(heads, El("div", "class", "field__head", "data-testid", "closed-"+f.Param.Name).Body(
			Text("span", "field__label", f.Param.Title), Text("code", "wire field__wire", f.Param.Name)))
	}
	return closed(fields[0].Closed, heads)
}

// closed is what stands in place of fields that take nothing: what they are named, and why.
func closed(why string, heads []app.UI) app.UI {
	return El("div", "class", "field field--closed").Body(append(heads,
		El("p", "class", "field__why").Body(SmallIcon("lock"), Text("span", "", why)))...)
}

// note says honestly what to expect.
func (f Form) note() app.UI {
	text, works := "", false
	switch {
	case f.Makes == catalog.MakesVideo && f.NoVideo != "":
		text = f.NoVideo
	case f.Embedded && f.Agent.Embedded != "":
		text = words.FormEmbedded(f.Agent.Exact, f.Agent.Caveat())
		works = f.Agent.HowItWorks() != ""
	}
	return El("div", "class", "inspector__note").Hidden(text == "").Body(SmallIcon("info"), Text("p", "", text),
		If(works, func() app.UI { return HowItWorks(f.Agent) }))
}
