package model

import (
	"maps"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/catalog"
)

// Form is what the designer has filled in for an agent. It is a value: the methods that change something answer with a
// changed copy, so that what was rendered from the old one stays as it was.
type Form struct {
	Agent   catalog.Agent
	Surface catalog.Surface
	Values  catalog.Values
	// Files are the pictures in the file fields other than the source.
	Files map[string][]atelier.Asset
	// kept remembers every value ever given, under the param's name and kind, so that an agent that is left and taken up
	// again is as it was.
	kept catalog.Values
}

// NewForm makes a form for an agent with nothing given that need not be.
func NewForm(a catalog.Agent) Form {
	return Form{}.Switch(a)
}

// Switch changes the agent and keeps what still fits.
func (f Form) Switch(a catalog.Agent) Form {
	kept := maps.Clone(f.kept)
	if kept == nil {
		kept = catalog.Values{}
	}
	next := Form{Agent: a, Values: catalog.Values{}, Files: map[string][]atelier.Asset{}, kept: kept}
	next.Surface = next.surface()
	for _, p := range a.Params {
		if v, ok := kept[memory(p)]; ok && fits(p, v) {
			next.Values[p.Name] = v
		} else if p.RequiredOn(next.Surface) && p.Kind == catalog.Enum && p.DefaultOn(next.Surface) == nil && len(p.Options) > 0 {
			next.Values[p.Name] = p.Options[0].Value
		}
	}
	for _, file := range a.Files {
		if assets := f.Files[file.Name]; !file.Source && len(assets) > 0 {
			next.Files[file.Name] = assets[:min(len(assets), max(file.Max, 1))]
		}
	}
	next.Surface = next.surface()
	return next
}

// surface is the one a run of this form goes over: the task surface wherever it can, because its runs can be listed and
// so be found again (design, "The life of a run"). The server decides in the same way.
func (f Form) surface() catalog.Surface {
	return catalog.SurfaceFor(f.Agent, catalog.Task, f.bare())
}

func memory(p catalog.Param) string {
	return p.Name + " " + string(p.Kind) + " " + p.PresetKind
}

// fits says whether a value given for another agent can be one of this param.
func fits(p catalog.Param, v any) bool {
	switch p.Kind {
	case catalog.Enum:
		s, ok := v.(string)
		return ok && offers(p, s)
	case catalog.Text, catalog.Colour, catalog.MaskURL, catalog.Duration:
		_, ok := v.(string)
		return ok
	case catalog.Bool:
		_, ok := v.(bool)
		return ok
	case catalog.Int:
		n, ok := v.(float64)
		return ok && (p.Min == nil || n >= float64(*p.Min)) && (p.Max == nil || n <= float64(*p.Max))
	case catalog.Preset:
		_, ok := v.(float64)
		return ok
	case catalog.Tags, catalog.Strings:
		_, ok := v.([]any)
		return ok
	}
	return false
}

func offers(p catalog.Param, value string) bool {
	return slices.ContainsFunc(p.Options, func(o catalog.Option) bool { return o.Value == value })
}

// With sets one value; nil, "" and an empty list take it away.
func (f Form) With(name string, value any) Form {
	f.Values, f.kept = maps.Clone(f.Values), maps.Clone(f.kept)
	p, ok := f.Agent.Param(name)
	if !ok {
		return f
	}
	if empty(value) {
		delete(f.Values, name)
		delete(f.kept, memory(p))
		f.Surface = f.surface()
		return f
	}
	f.Values[name] = value
	f.kept[memory(p)] = value
	f.Surface = f.surface()
	return f
}

// WithFiles sets the pictures of a file field.
func (f Form) WithFiles(name string, assets []atelier.Asset) Form {
	f.Files = maps.Clone(f.Files)
	f.Files[name] = assets
	return f
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	}
	return false
}

// Value is what is given for a param, or the default the service would take.
func (f Form) Value(name string) any {
	if v, ok := f.Values[name]; ok {
		return v
	}
	return f.Agent.Default(f.Surface, name)
}

// Batch is how many results a run makes.
func (f Form) Batch() int {
	n, ok := ToNumber(f.Value("batchCount"))
	if !ok || n < 1 {
		return 1
	}
	return int(n)
}

// ToNumber reads a number out of a form's value.
func ToNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

// PaintsMask says whether the run takes a painted mask as the form stands, and which param carries it.
func (f Form) PaintsMask() bool {
	for _, p := range f.Agent.Params {
		if p.Kind == catalog.MaskPNG && p.On(f.Surface) {
			return catalog.Applies(f.Agent, f.Surface, f.bare(), p.Name) && f.custom(p.Name)
		}
	}
	return false
}

// custom says whether some rule asks for the mask when the form stands as it does: maskType=custom.
func (f Form) custom(mask string) bool {
	for _, r := range f.Agent.Rules {
		if r.When != nil && slices.Contains(r.Fields, mask) && (r.Kind == catalog.ExactlyOne || r.Kind == catalog.RequiredWhen) {
			v, _ := f.Value(r.When.Field).(string)
			return slices.Contains(r.When.In, v) != r.When.Not && empty(f.Values["customMaskUrl"])
		}
	}
	return true
}

// bare is the form's values alone.
func (f Form) bare() catalog.Input { return catalog.Input{Values: f.Values, Draft: true} }

// Source is what the run works on: the picture on the stage, and how much of it the painted mask keeps.
type Source struct {
	Asset *atelier.Asset
	Kept  float64 // 0 to 1
	Mask  bool    // something is painted that may be sent
}

// Input is the form in the catalog's terms, with everything that is given and shown.
func (f Form) Input(s Source) catalog.Input {
	in := catalog.Input{Values: catalog.Values{}, Files: map[string][]string{}, Draft: true}
	for name, v := range f.Values {
		if p, ok := f.Agent.Param(name); ok && p.On(f.Surface) && f.shown(name) {
			in.Values[name] = v
		}
	}
	for name, assets := range f.Files {
		for _, asset := range assets {
			in.Files[name] = append(in.Files[name], string(asset.ID))
		}
	}
	if file, ok := f.Agent.Source(); ok && s.Asset != nil {
		in.Files[file.Name] = []string{string(s.Asset.ID)}
		in.SourceWidth, in.SourceHeight = s.Asset.Width, s.Asset.Height
	}
	if s.Mask && f.PaintsMask() {
		in.Values["customMask"] = "painted"
	}
	return in
}

// shown says whether a param's field is on screen: not when a rule allows it only in other circumstances.
func (f Form) shown(name string) bool {
	if p, ok := f.Agent.Param(name); ok && !p.On(f.Surface) {
		// Known on the other surface: giving it moves the run there.
		return slices.ContainsFunc(f.Agent.Surfaces, p.On)
	}
	if catalog.Applies(f.Agent, f.Surface, f.bare(), name) {
		return true
	}
	// What was given and now has no effect stays visible, resting, with the reason. What is not allowed goes.
	_, resting := f.rule(name, catalog.NoEffectWhen)
	_, only := f.rule(name, catalog.OnlyWhen)
	return resting && !only && !empty(f.Values[name])
}

func (f Form) rule(field string, kind catalog.RuleKind) (catalog.Rule, bool) {
	for _, r := range f.Agent.Rules {
		if r.Kind == kind && slices.Contains(r.Fields, field) && (len(r.Surfaces) == 0 || slices.Contains(r.Surfaces, f.Surface)) {
			return r, true
		}
	}
	return catalog.Rule{}, false
}

// Problems is everything the catalog says about the form as it stands.
func (f Form) Problems(s Source) []catalog.Problem {
	return catalog.Check(f.Agent, f.Surface, f.Input(s))
}

// Start is the request for a run of this form. Values that would do nothing are left out; the mask is the caller's.
func (f Form) Start(s Source, key, title string) atelier.StartRun {
	in := f.Input(s)
	values := map[string]any{}
	for name, v := range in.Values {
		if p, ok := f.Agent.Param(name); ok && p.Kind != catalog.MaskPNG && catalog.Applies(f.Agent, f.Surface, in, name) {
			if text, ok := v.(string); ok {
				v = strings.TrimSpace(text)
			}
			values[name] = v
		}
	}
	if _, ok := f.Agent.Param("batchCount"); ok {
		values["batchCount"] = float64(f.Batch())
	}
	return atelier.StartRun{
		IntentKey: key, Agent: f.Agent.Name, Version: f.Agent.Version, Values: values, Files: in.Files, Title: title,
	}
}

// Recall fills the form from a run that was made before.
func (f Form) Recall(a catalog.Agent, values map[string]any) Form {
	next := f.Switch(a)
	next.Values = catalog.Values{}
	for _, p := range a.Params {
		if v, ok := values[p.Name]; ok && fits(p, v) {
			next = next.With(p.Name, v)
		}
	}
	return next
}
