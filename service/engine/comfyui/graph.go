package comfyui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"atelier/service/engine"
)

// maxGraph is the most bytes of one workflow file. Exports of large graphs are some 100 kB.
const maxGraph = 4 << 20

// maxReferences is how many pictures beside the first have marks: @ref1 to @ref6.
const maxReferences = 6

// node is one node of a graph in the API format: {"class_type", "inputs", "_meta": {"title"}}.
type node struct {
	Class  string         `json:"class_type"`
	Inputs map[string]any `json:"inputs"`
	Meta   meta           `json:"_meta,omitzero"`
}

type meta struct {
	Title string `json:"title,omitempty"`
}

// graph maps ids to nodes. An input is a value or a link: ["id of another node", number of its output].
type graph map[string]node

// titleInputs lists, for each mark in a title, the inputs that it fills. Of several that a node has, all are filled:
// text encoders of some models take the words twice.
var titleInputs = map[string][]string{
	"image":    {"image"},
	"mask":     {"image", "mask"},
	"prompt":   {"text", "prompt", "text_g", "text_l", "clip_l", "t5xxl", "string", "value"},
	"negative": {"text", "prompt", "text_g", "text_l", "clip_l", "t5xxl", "string", "value"},
	"seed":     {"seed", "noise_seed", "value"},
	"size":     {"width", "height"},
	"batch":    {"batch_size", "amount", "value"},
	"strength": {"denoise", "strength", "value"},
	"steps":    {"steps", "value"},
	"cfg":      {"cfg", "guidance", "value"},
	"output":   nil,
}

func init() {
	for k := 1; k <= maxReferences; k++ {
		titleInputs[reference(k)] = []string{"image"}
	}
}

// reference is the mark of the k-th picture beside the first, counted from 1.
func reference(k int) string { return "ref" + strconv.Itoa(k) }

// stringMark finds marks in strings. Other words between percent signs are ComfyUI's own, such as %date:yyyy%.
var stringMark = regexp.MustCompile(
	`%(prompt|negative|seed|width|height|image|mask|ref[1-6]|batch|strength|steps|cfg|checkpoint|qwen-(?:edit|clip|vae))%`,
)

// titleMark finds marks in titles: words that begin with @ and a letter.
var titleMark = regexp.MustCompile(`(?:^|\s)@([A-Za-z]\w*)`)

// marks gives the marks of a node's title.
func (n node) marks() []string {
	var out []string
	for _, m := range titleMark.FindAllStringSubmatch(n.Meta.Title, -1) {
		out = append(out, m[1])
	}
	return out
}

// workflow is a graph with marks.
type workflow struct {
	name    string
	builtIn bool
	graph   graph
	mode    engine.Mode
	// pictures is how many it takes: 0 without @image, else 1 and the highest number of a reference.
	pictures int
}

// label names the workflow in sentences.
func (w *workflow) label() string {
	if w.builtIn {
		return fmt.Sprintf("built-in graph %q", w.name)
	}
	return fmt.Sprintf("workflow %q", w.name)
}

// readWorkflow reads a graph in the API format and checks its marks.
func readWorkflow(name string, data []byte) (*workflow, error) {
	fail := func(format string, args ...any) (*workflow, error) {
		return nil, fmt.Errorf("workflow %q: %w", name, fmt.Errorf(format, args...))
	}
	if len(data) > maxGraph {
		return fail("the file is larger than %d MB", maxGraph>>20)
	}
	g, err := readGraph(data)
	if err != nil {
		return fail("%w", err)
	}
	w := &workflow{name: name, graph: g}
	used := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(g)) {
		n := g[id]
		for _, mark := range n.marks() {
			inputs, known := titleInputs[mark]
			if !known {
				all := strings.Join(slices.Sorted(maps.Keys(titleInputs)), ", @")
				return fail("node %s: @%s is no mark; the marks are @%s", id, mark, all)
			}
			if inputs != nil && len(n.fillable(inputs)) == 0 {
				return fail(
					"node %s is titled @%s and has none of the inputs %s as a value",
					id,
					mark,
					strings.Join(inputs, ", "),
				)
			}
			used[mark] = true
		}
		eachString(n.Inputs, func(s string) {
			for _, m := range stringMark.FindAllStringSubmatch(s, -1) {
				used[m[1]] = true
			}
		})
	}
	w.mode = engine.Text
	switch {
	case used["mask"] && !used["image"]:
		return fail("it has @mask and no @image")
	case used["mask"]:
		w.mode = engine.Inpaint
	case used["image"]:
		w.mode = engine.Edit
	}
	if used["image"] {
		w.pictures = 1
	}
	for k := 1; k <= maxReferences; k++ {
		if used[reference(k)] {
			if !used["image"] {
				return fail("it has @%s and no @image", reference(k))
			}
			w.pictures = 1 + k
		}
	}
	return w, nil
}

// readGraph reads a graph and checks its form. Numbers stay as they are written: seeds have 64 bits.
func readGraph(data []byte) (graph, error) {
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	if _, editor := whole["nodes"]; editor {
		return nil, errors.New(`it is in the editor's own format; export it with "Save (API format)"`)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var g graph
	if err := dec.Decode(&g); err != nil {
		return nil, fmt.Errorf("it is not in the API format: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows the graph")
	}
	if len(g) == 0 {
		return nil, errors.New("it has no nodes")
	}
	for id, n := range g {
		if n.Class == "" {
			return nil, fmt.Errorf("node %s has no class_type", id)
		}
		for name, v := range n.Inputs {
			if from, ok := link(v); ok {
				if _, exists := g[from]; !exists {
					return nil, fmt.Errorf("input %s of node %s comes from node %s, which is not there", name, id, from)
				}
			}
		}
	}
	return g, nil
}

// link reads an input's value as a link and gives the id of the node it comes from.
func link(v any) (from string, ok bool) {
	pair, isList := v.([]any)
	if !isList || len(pair) != 2 {
		return "", false
	}
	from, isString := pair[0].(string)
	_, isNumber := pair[1].(json.Number)
	return from, isString && isNumber
}

// fillable gives those of the inputs that the node has as plain values.
func (n node) fillable(inputs []string) []string {
	var out []string
	for _, name := range inputs {
		switch n.Inputs[name].(type) {
		case string, json.Number, bool:
			out = append(out, name)
		}
	}
	return out
}

// eachString calls f with every string in a value, links left out.
func eachString(v any, f func(string)) {
	switch v := v.(type) {
	case string:
		f(v)
	case []any:
		if _, ok := link(v); ok {
			return
		}
		for _, e := range v {
			eachString(e, f)
		}
	case map[string]any:
		for _, e := range v {
			eachString(e, f)
		}
	}
}

// replace gives a copy of a value with f applied to every string, links left out.
func replace(v any, f func(string) any) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		if _, ok := link(v); ok {
			return v
		}
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = replace(e, f)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = replace(e, f)
		}
		return out
	}
	return v
}

// uses reports whether a node bears a mark, in its title or in a string.
func (n node) uses(mark string) bool {
	if slices.Contains(n.marks(), mark) {
		return true
	}
	found := false
	eachString(n.Inputs, func(s string) { found = found || strings.Contains(s, "%"+mark+"%") })
	return found
}

// clone copies the graph as far as cut and choosing models change it.
func (g graph) clone() graph {
	out := make(graph, len(g))
	for id, n := range g {
		n.Inputs = maps.Clone(n.Inputs)
		out[id] = n
	}
	return out
}

// cut takes a node out, and what cannot run without it: an optional input loses its link, and a node with a required
// one goes too. The error names the output that would go.
func (g graph) cut(id string, classes map[string]*class) error {
	if c := classes[g[id].Class]; c != nil && c.output {
		return fmt.Errorf("node %s cannot do without it", id)
	}
	delete(g, id)
	for _, user := range slices.Sorted(maps.Keys(g)) {
		n, there := g[user]
		if !there {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(n.Inputs)) {
			if from, ok := link(n.Inputs[name]); !ok || from != id {
				continue
			}
			if c := classes[n.Class]; c != nil && c.inputs[name].optional {
				delete(n.Inputs, name)
				continue
			}
			if err := g.cut(user, classes); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// cutReferences takes out the references that a job with so many pictures does not give.
func (g graph) cutReferences(pictures int, classes map[string]*class) error {
	for k := max(pictures, 1); k <= maxReferences; k++ {
		for _, id := range slices.Sorted(maps.Keys(g)) {
			n, there := g[id]
			if !there || !n.uses(reference(k)) {
				continue
			}
			if err := g.cut(id, classes); err != nil {
				return fmt.Errorf("it needs @%s: %w", reference(k), err)
			}
		}
	}
	return nil
}

// values are what the marks stand for. A mark in a title that has no value leaves the graph's own.
type values map[string]any

// valuesOf reads a job. files are the names of its pictures at the server, and mask that of its mask.
func valuesOf(job engine.Job, files []string, mask string) values {
	v := values{
		"prompt": job.Prompt, "negative": job.Negative, "seed": job.Seed, "width": job.Size.X, "height": job.Size.Y,
		"strength": job.Strength, "batch": 1, "mask": mask,
	}
	if job.Steps > 0 {
		v["steps"] = job.Steps
	}
	if job.CFG > 0 {
		v["cfg"] = job.CFG
	}
	for i, name := range files {
		if i == 0 {
			v["image"] = name
		} else {
			v[reference(i)] = name
		}
	}
	return v
}

// Steps and guidance that a string mark stands for when the job gives none: a string has no value of the graph's to
// keep. They are the values of ComfyUI's KSampler and of its default workflow.
const (
	defaultSteps = 20
	defaultCFG   = 8.0
)

// fill puts values where the marks are and gives a new graph. A string that is one mark and nothing else becomes the
// value, a number where it is one; marks within longer strings become text. Values are not searched for marks.
func (g graph) fill(v values) graph {
	get := func(mark string) (any, bool) {
		if value, ok := v[mark]; ok {
			return value, true
		}
		switch mark {
		case "steps":
			return defaultSteps, true
		case "cfg":
			return defaultCFG, true
		}
		return nil, false
	}
	out := make(graph, len(g))
	for id, n := range g {
		inputs, ok := replace(n.Inputs, func(s string) any {
			if m := stringMark.FindStringSubmatch(s); m != nil && m[0] == s {
				if value, ok := get(m[1]); ok {
					return value
				}
			}
			return stringMark.ReplaceAllStringFunc(s, func(m string) string {
				if value, ok := get(strings.Trim(m, "%")); ok {
					return fmt.Sprint(value)
				}
				return m
			})
		}).(map[string]any)
		if !ok {
			inputs = map[string]any{}
		}
		for _, mark := range n.marks() {
			for _, name := range n.fillable(titleInputs[mark]) {
				source := mark
				if mark == "size" {
					source = name
				}
				if value, ok := v[source]; ok {
					inputs[name] = value
				}
			}
		}
		n.Inputs = inputs
		out[id] = n
	}
	return out
}

// output gives the id of the node titled @output, "" without one.
func (g graph) output() string {
	for _, id := range slices.Sorted(maps.Keys(g)) {
		if slices.Contains(g[id].marks(), "output") {
			return id
		}
	}
	return ""
}
