// Package modeltest fills the requests of catalogtest into the studio's form and reads from it what the designer is told. It
// should only be imported by test files.
package modeltest

import (
	"fmt"
	"slices"

	"atelier/app/model"
	"atelier/atelier"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

// Fill fills a request into the form of its agent as hands would, and puts its picture and its mask on the stage. Where hands
// have no way to make such a request there is a reason, and neither form nor source.
func Fill(c catalogtest.Case, a catalog.Agent) (f model.Form, s model.Source, reason string) {
	if c.TaskName != "" {
		return f, s, "the studio labels runs by itself"
	}
	form := model.NewForm(a)
	form.Values = catalog.Values{}
	for name, v := range c.Values {
		switch p, _ := a.Param(name); {
		case p.Kind == catalog.MaskURL:
			return f, s, "masks are painted, never given by address"
		case p.Kind == catalog.MaskPNG && v != catalogtest.Mask:
			return f, s, "a painted mask is never broken"
		case p.Kind == catalog.MaskPNG:
			s.Mask, s.Kept = true, .5
		default:
			form = form.With(name, v)
		}
	}
	for name, files := range c.Files {
		assets := make([]atelier.Asset, len(files))
		for i, file := range files {
			assets[i] = atelier.Asset{
				ID: atelier.AssetID(fmt.Sprint(name, i)), Kind: string(file.Media), Format: file.Facts.Container,
				Seconds: file.Facts.Seconds, Width: file.Facts.Width, Height: file.Facts.Height,
			}
		}
		if file, _ := a.File(name); !file.Source {
			form = form.WithFiles(name, assets)
			continue
		}
		if len(assets) > 1 {
			return f, model.Source{}, "the stage holds one picture"
		}
		if len(assets) == 1 {
			s.Asset = &assets[0]
			s.Asset.Width, s.Asset.Height = catalogtest.SourceWidth, catalogtest.SourceHeight
		}
	}
	if form.Surface != c.Surface {
		return f, model.Source{}, "the form is drawn for the other surface"
	}
	return form, s, ""
}

// Refused gives the fields beside which the form, when it is to be sent, says why it is not, or why it goes without what was
// given: sorted, each once. What is wrong with the picture and the mask on the stage is said at the button.
func Refused(f model.Form, s model.Source) []string {
	var refused []string
	for _, p := range catalog.Refusals(f.Problems(s)) {
		if OnStage(f.Agent, p.Field) {
			refused = append(refused, p.Field)
		}
	}
	tried := model.Shown{All: true}
	for _, slot := range f.Slots(s, tried) {
		if slot.Problem != "" {
			refused = append(refused, slot.File.Name)
		}
	}
	sent := f.Start(s, "", "").Values
	for _, field := range f.Fields(s, tried) {
		name := field.Param.Name
		given, without := f.Values[name], field.Closed != "" || field.Forced != "" && field.Note != ""
		switch {
		case field.Problem != "":
			refused = append(refused, name)
		case without && given != nil && given != field.Forced && sent[name] == nil:
			refused = append(refused, name)
		}
	}
	slices.Sort(refused)
	return slices.Compact(refused)
}

// OnStage says whether a field has its place on the stage and none in the form.
func OnStage(a catalog.Agent, field string) bool {
	if file, ok := a.File(field); ok {
		return file.Source
	}
	p, ok := a.Param(field)
	return ok && p.Kind == catalog.MaskPNG
}
