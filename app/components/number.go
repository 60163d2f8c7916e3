package components

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// number is a box for a whole number.
func (f *Field) number() app.UI {
	p := f.Field.Param
	input := Void("input", "id", f.id(), "class", "input"+" "+"input--number", "type", "number", "inputmode", "numeric", "step", "1",
		"data-testid", "input-"+p.Name, "aria-required", f.required(), "aria-invalid", f.invalid(), "aria-describedby", f.described()).
		OnInput(f.onNumber).OnBlur(f.onTouch)
	if n, ok := f.Field.Value.(float64); ok {
		input = input.Attr("value", plainNumber(n))
	}
	if d, ok := model.ToNumber(f.Field.Default); ok {
		input = input.Attr("placeholder", plainNumber(d))
	}
	row := []app.UI{input, Text("span", "field__unit", p.Unit)}
	if p.Min != nil {
		input.Attr("min", words.Number(*p.Min))
	}
	if p.Max != nil {
		input.Attr("max", words.Number(*p.Max))
	}
	return Box("field__row", row...)
}

// batch is how many results a run makes: a stepper, and the usual counts at one touch.
func (f *Field) batch() app.UI {
	p := f.Field.Param
	n, _ := model.ToNumber(f.value())
	low, high := 1, 16
	if p.Min != nil {
		low = *p.Min
	}
	if p.Max != nil {
		high = *p.Max
	}
	quick := []app.UI{}
	for _, count := range []int{1, 2, 4, 8, 16} {
		if count < low || count > high {
			continue
		}
		quick = append(quick, El("button", "type", "button", "class", "segmented__item", "role", "radio", "aria-checked", Bool(int(n) == count),
			"data-testid", "batch-"+words.Number(count), "aria-label", words.ResultCount(count)).Text(words.Number(count)).
			OnClick(func(app.Context, app.Event) { f.port.SetValue(p.Name, float64(count)) }, Scope(count)))
	}
	return Box("batch",
		Box("stepper",
			IconButton("minus", words.FieldFewer, "").Attr("disabled", int(n) <= low).OnClick(f.onFewer),
			Void("input", "id", f.id(), "class", "stepper__value", "type", "number", "inputmode", "numeric", "min", words.Number(low),
				"max", words.Number(high), "data-testid", "input-"+p.Name, "value", plainNumber(n),
				"aria-invalid", f.invalid(), "aria-describedby", f.described()).OnInput(f.onNumber).OnBlur(f.onCounted),
			IconButton("plus", words.FieldMore, "").Attr("disabled", int(n) >= high).OnClick(f.onMore),
		),
		El("div", "class", "segmented", "role", "radiogroup", "aria-label", words.FieldUsualCounts).Body(quick...),
	)
}

// onCounted shows the number that counts: of pasted text the browser keeps what may be part of one, such as an e.
func (f *Field) onCounted(ctx app.Context, e app.Event) {
	f.onTouch(ctx, e)
	n, _ := model.ToNumber(f.value())
	e.Get("target").Set("value", plainNumber(n))
}

func plainNumber(n float64) string { return words.Decimal(n, -1) }

func colour(s string) bool {
	if len(s) != 7 || s[0] != '#' {
		return false
	}
	_, err := strconv.ParseUint(s[1:], 16, 32)
	return err == nil
}

func contains(list []any, value any) bool {
	for _, v := range list {
		if v == value {
			return true
		}
	}
	return false
}
