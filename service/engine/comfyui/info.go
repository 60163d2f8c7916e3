package comfyui

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"atelier/service/engine"
)

// class is a kind of node as GET /object_info/{class} describes it.
type class struct {
	output bool // its result is kept and shown: the graph is run for it
	inputs map[string]input
}

type input struct {
	optional bool
	choices  []string // the only values allowed; nil where any is
}

// class asks the server for a class of nodes and remembers the answer until the next Probe. A class that the server
// does not have is nil.
func (e *Engine) class(ctx context.Context, name string) (*class, error) {
	e.mu.Lock()
	c, known := e.classes[name]
	e.mu.Unlock()
	if known {
		return c, nil
	}
	answer := map[string]struct {
		Input struct {
			Required, Optional map[string]json.RawMessage
		} `json:"input"`
		Output bool `json:"output_node"`
	}{}
	if err := e.get(ctx, "/object_info/"+url.PathEscape(name), &answer); err != nil {
		return nil, err
	}
	if info, there := answer[name]; there {
		c = &class{output: info.Output, inputs: map[string]input{}}
		for name, spec := range info.Input.Required {
			c.inputs[name] = input{choices: choices(spec)}
		}
		for name, spec := range info.Input.Optional {
			c.inputs[name] = input{optional: true, choices: choices(spec)}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.classes[name] = c
	return c, nil
}

// classesOf asks for the classes of a graph.
func (e *Engine) classesOf(ctx context.Context, g graph) (map[string]*class, error) {
	out := map[string]*class{}
	for _, n := range g {
		c, err := e.class(ctx, n.Class)
		if err != nil {
			return nil, err
		}
		out[n.Class] = c
	}
	return out, nil
}

// choices reads the list of values that an input allows: [["a","b"], {…}], or ["COMBO", {"options": ["a","b"]}] of
// newer nodes. Lists of files that grow by uploads are no limit.
func choices(spec json.RawMessage) []string {
	var parts []json.RawMessage
	if json.Unmarshal(spec, &parts) != nil || len(parts) == 0 {
		return nil
	}
	var options struct {
		Options []string `json:"options"`
		Upload  bool     `json:"image_upload"`
	}
	if len(parts) > 1 && json.Unmarshal(parts[1], &options) != nil {
		return nil
	}
	if options.Upload {
		return nil
	}
	list := []string{}
	if json.Unmarshal(parts[0], &list) == nil {
		return list
	}
	return options.Options
}

// modelNames lists, for each model mark, the parts that a fitting file name has, in lower case.
var modelNames = map[string][]string{
	"qwen-edit": {"qwen", "edit"},
	"qwen-clip": {"qwen", "vl"},
	"qwen-vae":  {"qwen", "vae"},
}

// model picks a file for a model mark: the operator's, else one whose name fits. For %checkpoint% a name with
// "inpaint" fits where a mask is given and no other one does elsewhere, if there is a choice.
func (e *Engine) model(mark string, mode engine.Mode, files []string) (string, bool) {
	if slices.Contains(files, e.client.Model()) {
		return e.client.Model(), true
	}
	if mark == "checkpoint" {
		fits := func(f string) bool {
			return strings.Contains(strings.ToLower(f), "inpaint") == (mode == engine.Inpaint)
		}
		if i := slices.IndexFunc(files, fits); i >= 0 {
			return files[i], true
		}
		if len(files) > 0 {
			return files[0], true
		}
		return "", false
	}
	for _, f := range files {
		lower := strings.ToLower(f)
		if !slices.ContainsFunc(modelNames[mark], func(part string) bool { return !strings.Contains(lower, part) }) {
			return f, true
		}
	}
	return "", false
}

// ready gives a copy of a workflow's graph with its model marks filled, the classes of its nodes, and what the server
// lacks for it, one sentence each.
func (e *Engine) ready(ctx context.Context, w *workflow) (graph, map[string]*class, []string, error) {
	classes, err := e.classesOf(ctx, w.graph)
	if err != nil {
		return nil, nil, nil, err
	}
	g := w.graph.clone()
	var problems []string
	stores := false
	lacks := func(format string, args ...any) {
		sentence := fmt.Sprintf("The %s cannot run: %s.", w.label(), fmt.Sprintf(format, args...))
		if !slices.Contains(problems, sentence) {
			problems = append(problems, sentence)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(g)) {
		n := g[id]
		c := classes[n.Class]
		if c == nil {
			lacks("the server has no node %s", n.Class)
			continue
		}
		stores = stores || c.output
		for _, name := range slices.Sorted(maps.Keys(n.Inputs)) {
			value, isString := n.Inputs[name].(string)
			allowed := c.inputs[name].choices
			if !isString || allowed == nil {
				continue
			}
			mark := strings.Trim(stringMark.FindString(value), "%")
			switch {
			case mark == "checkpoint" || strings.HasPrefix(mark, "qwen-"):
				file, found := e.model(mark, w.mode, allowed)
				if !found {
					lacks("the server has no file that fits %s of %s", name, n.Class)
					continue
				}
				n.Inputs[name] = file
			case mark == "" && !slices.Contains(allowed, value):
				lacks("the server does not offer %q as %s of %s", value, name, n.Class)
			}
		}
	}
	if len(problems) == 0 && !stores {
		lacks("it has no node that stores a picture, such as SaveImage")
	}
	return g, classes, problems, nil
}

// get reads a JSON answer of 200.
func (e *Engine) get(ctx context.Context, path string, into any) error {
	a, err := e.client.Do(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	if a.Status != http.StatusOK {
		return e.client.Failure(a, sentenceOf(a.Body))
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		return e.client.Failure(
			&engine.Answer{Status: http.StatusBadRequest, Body: a.Body},
			"the answer is not ComfyUI's",
		)
	}
	return nil
}
