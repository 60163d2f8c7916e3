package model

import (
	"fmt"
	"slices"
	"testing"

	"atelier/atelier"
	"atelier/catalog"
	"atelier/catalog/catalogtest"
)

// caseForm fills a request into the form as hands would. Where the form has no place for it there is a reason.
func caseForm(c catalogtest.Case, a catalog.Agent) (f Form, s Source, reason string) {
	if c.TaskName != "" {
		return f, s, "the studio labels runs by itself"
	}
	f = NewForm(a)
	f.Values = catalog.Values{}
	for name, v := range c.Values {
		switch p, _ := a.Param(name); {
		case p.Kind == catalog.MaskURL:
			return f, s, "masks are painted, never given by address"
		case p.Kind == catalog.MaskPNG && v != catalogtest.Mask:
			return f, s, "a painted mask is never broken"
		case p.Kind == catalog.MaskPNG:
			s.Mask, s.Kept = true, .5
		default:
			f = f.With(name, v)
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
			f = f.WithFiles(name, assets)
			continue
		}
		if len(assets) > 1 {
			return f, s, "the stage holds one picture"
		}
		if len(assets) == 1 {
			s.Asset = &assets[0]
			s.Asset.Width, s.Asset.Height = catalogtest.SourceWidth, catalogtest.SourceHeight
		}
	}
	if f.Surface != c.Surface {
		return f, s, "the form is drawn for the other surface"
	}
	return f, s, ""
}

// beside says where a form shows what is wrong with a field: at the field, or, of what is on the stage, at the button.
func beside(f Form, s Source, field string) bool {
	if file, ok := f.Agent.File(field); ok && file.Source {
		return true
	}
	if p, ok := f.Agent.Param(field); ok && p.Kind == catalog.MaskPNG {
		return true
	}
	tried := Shown{All: true}
	return slices.ContainsFunc(f.Fields(s, tried), func(one Field) bool { return one.Param.Name == field && one.Problem != "" }) ||
		slices.ContainsFunc(f.Slots(s, tried), func(one Slot) bool { return one.File.Name == field && one.Problem != "" })
}

// Every request that can be made out of the catalog, filled into the form. What is refused is said beside the field it is
// refused for, or left out by the form, so that what it sends is accepted.
func TestTheFormSaysWhatIsRefusedOrDoesNotSendIt(t *testing.T) {
	said, leftOut, accepted := 0, 0, 0
	spared := map[string]int{}
	for _, c := range catalogtest.Cases(catalog.All()) {
		a, _ := catalog.Find(c.Agent, c.Version)
		f, s, reason := caseForm(c, a)
		if reason != "" {
			spared[reason]++
			continue
		}
		problems := catalog.Refusals(f.Problems(s))
		if len(problems) > 0 {
			said++
			if !slices.ContainsFunc(problems, func(p catalog.Problem) bool { return slices.Contains(c.Refused, p.Field) }) {
				t.Errorf("%s: the form refuses %v, want %v", c.Name, problems, c.Refused)
			}
			for _, p := range problems {
				if !beside(f, s, p.Field) {
					t.Errorf("%s: what is wrong with %s is not said beside it", c.Name, p.Field)
				}
			}
			continue
		}
		start := f.Start(s, "", "")
		in := catalog.Input{Values: start.Values, Files: start.Files, Media: f.Input(s).Media, Draft: true}
		if s.Asset != nil {
			in.SourceWidth, in.SourceHeight = s.Asset.Width, s.Asset.Height
		}
		if s.Mask && f.PaintsMask() {
			in.Values["customMask"] = catalogtest.Mask
		}
		if refused := catalog.Refusals(catalog.Check(a, f.Surface, in)); len(refused) > 0 {
			t.Errorf("%s: the form sends what is refused: %v", c.Name, refused)
		}
		if len(c.Refused) > 0 {
			leftOut++
		} else {
			accepted++
		}
	}
	t.Logf("counted: cases filled into the form: %d refused beside the field, %d sent without what was wrong, %d accepted", said, leftOut, accepted)
	for reason, n := range spared {
		t.Logf("counted: cases spared the form: %s: %d", reason, n)
	}
	if said < 600 || accepted < 600 {
		t.Error("want 600 of both at least")
	}
}
