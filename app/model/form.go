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
	// Files are what the file fields other than the source hold, in order.
	Files map[string][]atelier.Asset
	// kept remembers every value ever given, so that an agent that is left and taken up again is as it was: what is wanted
	// (words, colours, presets) under the param's name and kind for all agents, what is chosen (an engine, a shape) for each
	// agent, too.
	kept catalog.Values
	// held remembers the files of every file field there was, also those the agent at hand has no place for.
	held map[string][]atelier.Asset
}

// NewForm makes a form for an agent with nothing given that need not be.
func NewForm(a catalog.Agent) Form {
	return Form{}.Switch(a)
}

// Switch changes the agent and keeps what still fits.
func (f Form) Switch(a catalog.Agent) Form {
	kept, held := maps.Clone(f.kept), maps.Clone(f.held)
	if kept == nil {
		kept = catalog.Values{}
	}
	if held == nil {
		held = map[string][]atelier.Asset{}
	}
	if f.Agent.Name != "" {
		kept[visited(f.Agent)] = true
	}
	next := Form{Agent: a, Values: catalog.Values{}, Files: map[string][]atelier.Asset{}, kept: kept, held: held}
	next.Surface = next.surface()
	for _, p := range a.Params {
		if v, ok := next.remembered(p); ok && (fits(p, v) || next.given(p, v)) {
			next.Values[p.Name] = v
		} else if n, ok := ToNumber(p.Start); ok {
			next.Values[p.Name] = n
		} else if p.RequiredOn(next.Surface) && p.Kind == catalog.Enum && p.DefaultOn(next.Surface) == nil && len(p.Options) > 0 {
			next.Values[p.Name] = p.Options[0].Value
		}
	}
	for _, file := range a.Files {
		if assets := ofMedia(held[file.Name], file.Media); !file.Source && len(assets) > 0 {
			next.Files[file.Name] = assets[:min(len(assets), max(file.Max, 1))]
		}
	}
	if further := held[Further.Name]; len(further) > 0 {
		next.Files[Further.Name] = further
	}
	next.dropBarred()
	next.Surface = next.surface()
	return next
}

// dropBarred takes away what was chosen for other agents and a rule of this one keeps for other circumstances.
func (f *Form) dropBarred() {
	for _, p := range f.Agent.Params {
		v, ok := f.Values[p.Name].(string)
		if !ok || p.Kind != catalog.Enum || f.kept[own(f.Agent, p)] == v {
			continue
		}
		free := catalog.Choices(f.Agent, f.Surface, f.bare(), p.Name)
		if slices.ContainsFunc(free, func(o catalog.Option) bool { return o.Value == v }) {
			continue
		}
		delete(f.Values, p.Name)
		if p.RequiredOn(f.Surface) && p.DefaultOn(f.Surface) == nil && len(free) > 0 {
			f.Values[p.Name] = free[0].Value
		}
	}
}

// given says whether a number was given for this very agent: a wrong one stays where it was typed, with its problem beside it.
func (f Form) given(p catalog.Param, v any) bool {
	n, number := v.(float64)
	return p.Kind == catalog.Int && number && f.kept[own(f.Agent, p)] == n
}

// remembered is the value that a param had before: a choice as it was made for this agent, anything else as it was given last.
func (f Form) remembered(p catalog.Param) (any, bool) {
	if p.Name == "batchCount" { // each agent has its own number of results
		v, ok := f.kept[own(f.Agent, p)]
		return v, ok
	}
	if chosen(p) {
		if v, ok := f.kept[own(f.Agent, p)]; ok || f.kept[visited(f.Agent)] == true {
			return v, ok
		}
	}
	v, ok := f.kept[memory(p)]
	return v, ok
}

// ofMedia picks the assets that a file field of that kind takes.
func ofMedia(assets []atelier.Asset, m catalog.Media) []atelier.Asset {
	return slices.DeleteFunc(slices.Clone(assets), func(a atelier.Asset) bool { return MediaOf(a) != m })
}

// MediaOf is the kind of an asset.
func MediaOf(a atelier.Asset) catalog.Media {
	if a.Kind == "" {
		return catalog.Image
	}
	return catalog.Media(a.Kind)
}

// surface is the one a run of this form goes over: the task surface wherever it can, because its runs can be listed and
// so be found again (design, "The life of a run"). The server decides in the same way.
func (f Form) surface() catalog.Surface {
	return catalog.SurfaceFor(f.Agent, catalog.Task, f.bare())
}

// memory is where a value is remembered for all agents.
func memory(p catalog.Param) string {
	return p.Name + " " + string(p.Kind) + " " + p.PresetKind
}

// own is where a choice is remembered for one agent, visited where it stands that the agent was used.
func own(a catalog.Agent, p catalog.Param) string { return a.Name + "/" + p.Name }
func visited(a catalog.Agent) string              { return a.Name + "/" }

// chosen says whether a param is a setting of its agent rather than something wanted of any.
func chosen(p catalog.Param) bool {
	switch p.Kind {
	case catalog.Enum, catalog.Duration, catalog.Bool, catalog.Strings:
		return true
	}
	return false
}

// fits says whether a value given for another agent can be one of this param.
func fits(p catalog.Param, v any) bool {
	switch p.Kind {
	case catalog.Enum:
		s, ok := v.(string)
		return ok && offers(p, s)
	case catalog.Duration:
		s, ok := v.(string)
		return ok && p.Lasts(s)
	case catalog.Text, catalog.Colour, catalog.MaskURL:
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

// WithoutPresets takes away every preset that was chosen, for any agent: their numbers mean something else in another account.
func (f Form) WithoutPresets(agents []catalog.Agent) Form {
	f.Values, f.kept = maps.Clone(f.Values), maps.Clone(f.kept)
	for _, a := range agents {
		for _, p := range a.Params {
			if p.Kind != catalog.Preset {
				continue
			}
			delete(f.kept, memory(p))
			delete(f.kept, own(a, p))
			delete(f.kept, also(p))
			if a.Name == f.Agent.Name {
				delete(f.Values, p.Name)
			}
		}
	}
	f.Surface = f.surface()
	return f
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
		delete(f.kept, own(f.Agent, p))
		delete(f.kept, also(p))
		f.Surface = f.surface()
		return f
	}
	f.Values[name] = value
	f.kept[memory(p)] = value
	if chosen(p) || p.Kind == catalog.Int {
		f.kept[own(f.Agent, p)] = value
	}
	f.Surface = f.surface()
	return f
}

// WithFiles sets what a file field holds.
func (f Form) WithFiles(name string, assets []atelier.Asset) Form {
	f.Files, f.held = maps.Clone(f.Files), maps.Clone(f.held)
	f.Files[name], f.held[name] = assets, assets
	f.Surface = f.surface()
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

// Batch is how many results a run makes: what is out of range is replaced by the default, as the services do.
func (f Form) Batch() int { return catalog.Results(f.Agent, f.Surface, f.Values) }

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

// Keep is what a run keeps of its source as the form stands.
func (f Form) Keep() catalog.Keep { return catalog.KeepOf(f.Agent, f.Values) }

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

// bare is the form without its source and its mask.
func (f Form) bare() catalog.Input {
	in := catalog.Input{Values: f.Values, Files: map[string][]string{}, Media: map[string][]catalog.Facts{}, Draft: true}
	for name, assets := range f.Files {
		if name == Further.Name {
			continue
		}
		for _, asset := range assets {
			in.Files[name] = append(in.Files[name], string(asset.ID))
			in.Media[name] = append(in.Media[name], FactsOf(asset))
		}
	}
	return in
}

// FactsOf is what the catalog wants to know of a file.
func FactsOf(a atelier.Asset) catalog.Facts {
	return catalog.Facts{Seconds: a.Seconds, Width: a.Width, Height: a.Height, Container: a.Format}
}

// Source is what the run works on: the picture on the stage, and how much of it the painted mask keeps.
type Source struct {
	Asset *atelier.Asset
	Kept  float64 // 0 to 1
	Mask  bool    // something is painted that may be sent
}

// Input is the form in the catalog's terms, with everything that is given and shown. A value that the request decides by
// itself is left to it.
func (f Form) Input(s Source) catalog.Input {
	in := f.bare()
	in.Values = catalog.Values{}
	for name, v := range f.Values {
		if p, ok := f.Agent.Param(name); ok && p.On(f.Surface) && f.shown(name) {
			if _, _, forced := f.Forced(name); !forced {
				in.Values[name] = v
			}
		}
	}
	if file, ok := f.Agent.Source(); ok && s.Asset != nil {
		in.Files[file.Name] = []string{string(s.Asset.ID)}
		in.Media[file.Name] = []catalog.Facts{FactsOf(*s.Asset)}
		in.SourceWidth, in.SourceHeight = s.Asset.Width, s.Asset.Height
	}
	if s.Mask && f.PaintsMask() {
		in.Values["customMask"] = "painted"
	}
	return in
}

// Makes is what a run of this form makes.
func (f Form) Makes() catalog.Makes { return f.Agent.MakesIn(f.Surface, f.bare()) }

// Works says whether the agent works on a picture of the stage, and whether it cannot do without one.
func (f Form) Works() (on, needed bool) {
	file, ok := f.Agent.Source()
	return ok, ok && file.Min > 0
}

// Forced is the value that the form as it stands decides for a param, with the sentence that says why.
func (f Form) Forced(name string) (value, because string, ok bool) {
	r, ok := f.speaks(name, catalog.Forced)
	if !ok {
		return "", "", false
	}
	return r.Values[0], r.Message, true
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

// speaks gives the rule of a kind that holds for a field as the form stands. Each rule is asked about alone, of an agent
// that has no other: so the catalog stays the one that knows when a rule holds.
func (f Form) speaks(field string, kind catalog.RuleKind) (catalog.Rule, bool) {
	alone, in := f.Agent, f.bare()
	for _, r := range f.Agent.Rules {
		if r.Kind != kind || !slices.Contains(r.Fields, field) || len(r.Surfaces) > 0 && !slices.Contains(r.Surfaces, f.Surface) {
			continue
		}
		alone.Rules = []catalog.Rule{r}
		holds := !catalog.Applies(alone, f.Surface, in, field)
		if kind == catalog.Forced {
			choices := catalog.Choices(alone, f.Surface, in, field)
			holds = len(choices) == 1 && choices[0].Value == r.Values[0]
		}
		if holds {
			return r, true
		}
	}
	return catalog.Rule{}, false
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

// Start is the request for a run of this form. Values that would do nothing are left out, unless one of them has to be there
// all the same (a scene where only the face is redrawn); the mask is the caller's.
func (f Form) Start(s Source, key, title string) atelier.StartRun {
	in := f.Input(s)
	lean := in
	lean.Values = maps.Clone(in.Values)
	maps.DeleteFunc(lean.Values, func(name string, _ any) bool { return !catalog.Applies(f.Agent, f.Surface, in, name) })
	if FirstRefusal(catalog.Check(f.Agent, f.Surface, lean)) == nil {
		in = lean
	}
	values := map[string]any{}
	for name, v := range in.Values {
		if p, ok := f.Agent.Param(name); ok && p.Kind != catalog.MaskPNG {
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

// Recall fills the form from a run that was made before: its values and files are in it, and no others. Values and files that the
// agent does not take any more are left out; left names them.
func (f Form) Recall(a catalog.Agent, values map[string]any, files map[string][]atelier.Asset) (next Form, left []string) {
	next = f.Switch(a)
	next.Values, next.Files = catalog.Values{}, map[string][]atelier.Asset{}
	next = next.WithFiles(Further.Name, nil)
	for _, file := range a.Files {
		if !file.Source {
			next = next.WithFiles(file.Name, nil) // nor may they come back with the draft
		}
		assets := ofMedia(files[file.Name], file.Media)
		assets = assets[:min(len(assets), max(file.Max, 1))]
		if len(assets) < len(files[file.Name]) {
			left = append(left, file.Title)
		}
		if !file.Source && len(assets) > 0 {
			next = next.WithFiles(file.Name, assets)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := a.File(name); !ok && len(files[name]) > 0 {
			left = append(left, name)
		}
	}
	// Runs that other clients made may carry numbers as text, and options in the words of the service.
	plain := catalog.Fill(a, next.Surface, catalog.Input{Values: values}).Values
	for _, p := range a.Params {
		if v, ok := values[p.Name]; ok && !p.On(next.Surface) {
			plain[p.Name] = p.Plain(v)
		}
	}
	for _, p := range a.Params {
		next = next.With(p.Name, nil)
		v, ok := values[p.Name]
		switch {
		case !ok || empty(v) || p.Kind == catalog.MaskPNG || p.Kind == catalog.MaskURL:
		case fits(p, v):
			next = next.With(p.Name, v)
		case fits(p, plain[p.Name]):
			next = next.With(p.Name, plain[p.Name])
		default:
			left = append(left, p.Title)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := a.Param(name); !ok && !empty(values[name]) {
			left = append(left, name)
		}
	}
	return next, left
}
