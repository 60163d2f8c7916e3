package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// taskNameField carries the label on both surfaces.
const taskNameField = "taskName"

// Fill gives the request as the service takes it: values in their plain form (float64, string, bool, []any), absent ones
// with their default, lenient ones that are out of range replaced by it, and those the request itself decides (rules Forced
// and FallsBack) as it decides. Values that are not of their kind stay as they
// are, for Check to refuse. The input itself is not changed.
func Fill(a Agent, s Surface, in Input) Input {
	out := in
	out.Values = make(Values, len(in.Values))
	maps.Copy(out.Values, in.Values)
	out.Files = make(map[string][]string, len(in.Files))
	if in.Media != nil {
		out.Media = make(map[string][]Facts, len(in.Media))
	}
	for name := range in.Files {
		urls, facts := in.known(name)
		if len(urls) > 0 {
			out.Files[name] = urls
		}
		if len(urls) > 0 && len(in.Media[name]) > 0 {
			out.Media[name] = facts
		}
	}
	c := check{agent: a, surface: s, in: in}
	for _, p := range a.Params {
		if !p.On(s) {
			continue
		}
		standard, _ := p.canonical(p.DefaultOn(s))
		v := out.Values[p.Name]
		if settled, ok := c.settled(p, v); ok {
			out.Values[p.Name] = settled
			continue
		}
		if !given(v) {
			delete(out.Values, p.Name)
			if standard != nil {
				out.Values[p.Name] = standard
			}
			continue
		}
		v, _ = p.canonical(v)
		if p.replaces(v) && standard != nil {
			v = standard
		}
		out.Values[p.Name] = v
	}
	return out
}

// Encode gives what goes on the wire: init is the task surface's initParams or the run surface's input, params is params.
// Only what the catalog knows is sent, in plain form; batchCount and forced values always, other defaults never.
//
// Task surface (Task API, "Agent parameters"): taskName and files in initParams, values in params.
// Run surface (Run API, "File placement in requests"): taskName in input, files in input and in params, values in params.
func Encode(a Agent, s Surface, in Input) (init, params map[string]any) {
	full := Fill(a, s, in)
	init, params = map[string]any{}, map[string]any{}
	if in.TaskName != "" {
		init[taskNameField] = in.TaskName
	}
	for _, f := range a.Files {
		urls := full.Files[f.Name]
		if len(urls) == 0 {
			continue
		}
		if !f.ParamOnly {
			init[f.Name] = f.onWire(urls)
		}
		if s == Run {
			params[f.Name] = f.onWire(urls)
		}
	}
	c := check{agent: a, surface: s, in: in}
	for _, p := range a.Params {
		if !p.On(s) || (!given(in.Values[p.Name]) && p.Name != "batchCount" && !c.forced(p)) {
			continue
		}
		if v, ok := full.Values[p.Name]; ok {
			params[p.Name] = p.OnWire(v)
		}
	}
	return init, params
}

// forced says whether a rule decides the param's value in the request as it stands.
func (c *check) forced(p Param) bool {
	return slices.ContainsFunc(c.agent.Rules, func(r Rule) bool {
		return r.Kind == Forced && r.on(c.surface) && slices.Contains(r.Fields, p.Name) && (r.When == nil || c.holds(*r.When))
	})
}

func (f File) onWire(urls []string) any {
	if f.List || f.Max > 1 || len(urls) > 1 { // one too many is for the other side to refuse, not for us to lose
		return boxed(urls)
	}
	return urls[0]
}

// OnWire gives a value as it goes over the wire, where an operator's catalog may name it otherwise.
func (p Param) OnWire(v any) any {
	switch v := v.(type) {
	case string:
		return p.wireOf(v)
	case []any:
		out := slices.Clone(v)
		for i, item := range out {
			if s, ok := item.(string); ok {
				out[i] = p.wireOf(s)
			}
		}
		return out
	}
	return v
}

// Decode reads a request off the wire, filled as by Fill. Its problems are those of form alone (a file that is not an
// address or a list of them); the caller adds Check's. Files are read from either place.
// ASSUMED [File placement]: where both name a file, params win over input on the run surface (Run API, "File placement in requests": not
// shown), and initParams over params on the task surface, where files are the task's.
func Decode(a Agent, s Surface, init, params map[string]any) (Input, []Problem) {
	var problems []Problem
	in := Input{Values: Values{}, Files: map[string][]string{}}
	switch v := init[taskNameField].(type) {
	case nil:
	case string:
		in.TaskName = v
	default:
		problems = append(problems, Problem{Field: taskNameField, Message: fmt.Sprintf(saidNoText, calledName), Wire: fmt.Sprintf(saidNoText, taskNameField)})
	}
	maps.Copy(in.Values, params)
	for _, f := range a.Files {
		if _, isParam := a.Param(f.Name); !isParam {
			delete(in.Values, f.Name)
		}
		v, or := params[f.Name], init[f.Name]
		if s == Task {
			v, or = or, v
		}
		if !given(v) {
			v = or
		}
		urls, ok := addresses(v)
		if !ok {
			problems = append(problems, Problem{Field: f.Name, Message: fmt.Sprintf(saidNoAddresses, f.Title), Wire: fmt.Sprintf(saidNoAddresses, f.Name)})
			continue
		}
		if len(urls) > 0 {
			in.Files[f.Name] = urls
		}
	}
	return Fill(a, s, in), problems
}

// Heeded gives the request without the values that the agent does not know on that surface: they have no effect there, whatever they say.
// ASSUMED [Shared params an agent's table]: resultImageFormat and resizeToOriginalImage are heeded by every agent.
func Heeded(a Agent, s Surface, in Input) Input {
	return in.without(func(name string) bool {
		if p, ok := a.Param(name); ok {
			return !p.On(s)
		}
		return name != resultImageFormat().Name && name != resizeToOriginalImage().Name
	})
}

// Effective gives the request without the values that a rule leaves without effect in it. It is for the work: Check judges what was asked for.
func Effective(a Agent, s Surface, in Input) Input {
	c := check{agent: a, surface: s, in: in}
	return in.without(func(name string) bool {
		return slices.ContainsFunc(a.Rules, func(r Rule) bool {
			return r.Kind == NoEffectWhen && r.on(s) && slices.Contains(r.Fields, name) && (r.When == nil || c.holds(*r.When))
		})
	})
}

// without gives the request without some of its values.
func (in Input) without(which func(name string) bool) Input {
	in.Values = maps.Clone(in.Values)
	maps.DeleteFunc(in.Values, func(name string, _ any) bool { return which(name) })
	return in
}

// WithoutBackground says whether a request chooses neither of an agent's backgrounds, a preset and a colour, and names the param of the preset.
func WithoutBackground(a Agent, in Input) (preset string, ok bool) {
	for _, p := range a.Params {
		switch {
		case p.Kind == Preset && p.PresetKind == "backgrounds":
			preset = p.Name
		case p.Kind != Colour:
			continue
		}
		if given(in.Values[p.Name]) {
			return "", false
		}
	}
	return preset, preset != ""
}

// addresses reads one text or a list of texts.
// ASSUMED [An address where a list of them]: clients write one file in either form.
func addresses(v any) ([]string, bool) {
	if !given(v) {
		return nil, true
	}
	if s, ok := v.(string); ok {
		return []string{s}, true
	}
	list, ok := items(v)
	if !ok {
		return nil, false
	}
	out := make([]string, len(list))
	for i, item := range list {
		if out[i], ok = item.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

// inWords gives a value as conditions name it.
func inWords(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// SurfaceFor chooses the surface of a request: the preferred one, unless the agent is not there or a value that says
// something is known on the other alone.
func SurfaceFor(a Agent, prefer Surface, in Input) Surface {
	if !a.On(prefer) && len(a.Surfaces) > 0 {
		return a.Surfaces[0]
	}
	for _, p := range a.Params {
		if p.On(prefer) || len(p.Surfaces) == 0 {
			continue
		}
		other := check{agent: a, surface: p.Surfaces[0], in: in}
		if a.On(other.surface) && len(other.chosenOf([]string{p.Name})) > 0 {
			return other.surface
		}
	}
	return prefer
}
