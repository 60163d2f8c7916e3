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
	for _, field := range f.Fields {
		p := field.Param
		ui := NewField(f.Agent.Name, field, f.Presets(p.PresetKind), port)
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
		f.note(),
	}
}

// note says honestly what to expect.
func (f Form) note() app.UI {
	text := ""
	switch {
	case f.Makes == catalog.MakesVideo && f.NoVideo != "":
		text = f.NoVideo
	case f.Embedded && f.Agent.Embedded != "":
		text = words.FormEmbedded(f.Agent.Embedded)
	}
	return El("p", "class", "inspector__note").Hidden(text == "").Body(SmallIcon("info"), Text("span", "", text))
}
