// Package comfyui is the adapter of ComfyUI's protocol, which ComfyUI Desktop and Comfy Cloud speak too. A graph of
// nodes says how a picture is made; three graphs are built in, and the operator gives others.
//
// The server keeps a queue and finished results under ids that the caller chooses: begun work is found again after a
// restart of the caller, and until the server loses its history. The server also keeps the pictures sent, below
// input/atelier, and the pictures made; the protocol has no way to delete them.
//
// Sources: server.py, execution.py and nodes.py of ComfyUI 0.3.64 and of 2026. "Tried" marks what was seen at a
// running 0.3.64.
package comfyui

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/service/engine"
)

//go:embed graphs/*.json
var graphs embed.FS

// The sizes that the built-in graphs take. Sizes that are no multiple of 8 would be cropped off-centre by
// InpaintModelConditioning, EmptySD3LatentImage wants 16; what fits above 4096 is beyond every model.
const (
	multiple = 16
	least    = 64
	most     = 4096
)

// defaultPoll is how often the state of begun work is asked for, beside the events.
const defaultPoll = 2 * time.Second

// Options says more of a server than where it is.
type Options struct {
	// Workflows are graphs in ComfyUI's API format with marks, by name. Marks are words in the titles of nodes,
	// @image, @mask, @ref1 to @ref6, @prompt, @negative, @seed, @size, @batch, @strength, @steps, @cfg and @output,
	// and strings in inputs, %prompt%, %width%, %height% and so on; %checkpoint% is a checkpoint that the server has.
	//
	// A graph with @mask serves engine.Inpaint, one with @image alone engine.Edit, one with neither engine.Text. One
	// named after a mode takes the place of the built-in graph. One named name-2 is taken for name when a job has two
	// pictures.
	Workflows map[string][]byte
	// Poll is how often the state of begun work is asked for, beside the events; 0 is two seconds.
	Poll time.Duration
}

// Engine is a ComfyUI server.
type Engine struct {
	client   *engine.Client
	poll     time.Duration
	operator map[string]*workflow
	builtIn  map[engine.Mode]*workflow

	mu       sync.Mutex
	classes  map[string]*class
	problems []string
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine. It asks the server nothing; its errors are about the address and about workflows that cannot be
// read.
func New(a engine.Access, o Options) (*Engine, error) {
	client, err := engine.NewClient(a, authorize)
	if err != nil {
		return nil, fmt.Errorf("comfyui: %w", err)
	}
	e := &Engine{
		client: client, poll: cmp.Or(o.Poll, defaultPoll),
		operator: map[string]*workflow{}, builtIn: map[engine.Mode]*workflow{}, classes: map[string]*class{},
	}
	for _, name := range slices.Sorted(maps.Keys(o.Workflows)) {
		w, err := readWorkflow(name, o.Workflows[name])
		if err != nil {
			return nil, err
		}
		e.operator[name] = w
	}
	for _, mode := range modes {
		data, err := graphs.ReadFile("graphs/" + string(mode) + ".json")
		if err != nil {
			return nil, fmt.Errorf("comfyui: read a built-in graph: %w", err)
		}
		w, err := readWorkflow(string(mode), data)
		if err != nil {
			return nil, err
		}
		w.builtIn = true
		e.builtIn[mode] = w
	}
	return e, nil
}

var modes = []engine.Mode{engine.Inpaint, engine.Edit, engine.Text}

// authorize sends a key in both ways in use: proxies take it as a Bearer token, Comfy Cloud also as X-API-Key. ComfyUI
// itself has no keys.
func authorize(h http.Header, key string) {
	h.Set("Authorization", "Bearer "+key)
	h.Set("X-Api-Key", key)
}

// Probe asks the server for its version and for the nodes and models that the graphs need. What is missing is in
// Problems.
func (e *Engine) Probe(ctx context.Context) (engine.Abilities, error) {
	var stats struct {
		System *struct {
			Version string `json:"comfyui_version"`
		} `json:"system"`
	}
	if err := e.get(ctx, "/system_stats", &stats); err != nil {
		return engine.Abilities{}, err
	}
	if stats.System == nil {
		return engine.Abilities{}, e.client.Fail(engine.Refused, "the server is not ComfyUI")
	}
	e.mu.Lock()
	e.classes = map[string]*class{}
	e.mu.Unlock()
	a := engine.Abilities{
		Protocol: "comfyui", Model: e.client.Model(), Version: stats.System.Version,
		Negative: true, Seed: true, Progress: true, Resumable: true, Remote: e.client.Remote(),
		Multiple: multiple, Least: least, Most: most,
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(e.operator)) {
		w := e.operator[name]
		_, _, lacking, err := e.ready(ctx, w)
		if err != nil {
			return engine.Abilities{}, err
		}
		if len(lacking) > 0 {
			problems = append(problems, lacking...)
			continue
		}
		base := countSuffix.ReplaceAllString(name, "")
		for _, known := range []string{base, name} {
			if !slices.Contains(a.Workflows, known) {
				a.Workflows = append(a.Workflows, known)
			}
		}
		missing, err := e.missingCounts(ctx, w, base)
		if err != nil {
			return engine.Abilities{}, err
		}
		problems = append(problems, missing...)
	}
	slices.Sort(a.Workflows)
	for _, mode := range modes {
		reasons, err := e.mode(ctx, mode, &a)
		if err != nil {
			return engine.Abilities{}, err
		}
		problems = append(problems, reasons...)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.problems = problems
	return a, nil
}

// mode adds a mode to the abilities if a graph serves it, or says why none does.
func (e *Engine) mode(ctx context.Context, mode engine.Mode, a *engine.Abilities) (problems []string, err error) {
	fewest, maximum := 1, 1
	switch mode {
	case engine.Text:
		fewest, maximum = 0, 0
	case engine.Edit:
		maximum = 1 + maxReferences
	case engine.Inpaint:
	}
	for n := fewest; n <= maximum; n++ {
		chosen, reasons, err := e.pick(ctx, mode, "", n)
		if err != nil {
			return nil, err
		}
		if chosen == nil {
			if n == fewest {
				problems = reasons
			}
			continue
		}
		if !a.Does(mode) {
			a.Modes = append(a.Modes, mode)
			problems = nil
		}
		if mode == engine.Edit {
			a.References = n - 1
		}
		if a.Model == "" {
			a.Model = chosen.modelName()
		}
	}
	return problems, nil
}

// Problems gives what the last Probe found missing at the server, one sentence each: nodes and models of the
// operator's workflows, numbers of pictures that a workflow cannot take, and why a mode has no graph.
func (e *Engine) Problems() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.problems)
}

// countSuffix ends the name of a workflow for a number of pictures.
var countSuffix = regexp.MustCompile(`-[1-7]$`)

// missingCounts says for which numbers of pictures the workflow named base cannot be used.
func (e *Engine) missingCounts(ctx context.Context, w *workflow, base string) ([]string, error) {
	if w.name != base {
		return nil, nil
	}
	var out []string
	for n := 1; n < w.pictures; n++ {
		chosen, reasons, err := e.pick(ctx, w.mode, base, n)
		if err != nil {
			return nil, err
		}
		if chosen == nil {
			out = append(out, fmt.Sprintf("%s To use %s, add a workflow named \"%s-%d\".",
				strings.Join(reasons, " "), counted(n), base, n))
		}
	}
	return out, nil
}

func counted(n int) string {
	if n == 1 {
		return "1 picture"
	}
	return fmt.Sprintf("%d pictures", n)
}

// pick chooses a graph for a mode and a number of pictures and prepares it for filling. name is a workflow of the
// operator's or "". reasons say why there is none when the graph is nil.
func (e *Engine) pick(
	ctx context.Context, mode engine.Mode, name string, pictures int,
) (g graph, reasons []string, err error) {
	candidates := e.candidates(mode, name, pictures)
	if len(candidates) == 0 {
		return nil, []string{fmt.Sprintf("There is no workflow %q.", name)}, nil
	}
	for _, w := range candidates {
		switch {
		case w.mode != mode:
			reasons = append(reasons, fmt.Sprintf("The %s is for the mode %s, not %s.", w.label(), w.mode, mode))
			continue
		case pictures > w.pictures:
			reasons = append(reasons,
				fmt.Sprintf("The %s cannot run with %s: it takes %d.", w.label(), counted(pictures), w.pictures))
			continue
		}
		g, classes, lacking, err := e.ready(ctx, w)
		if err != nil {
			return nil, nil, err
		}
		if len(lacking) > 0 {
			reasons = append(reasons, lacking...)
			continue
		}
		if err := g.cutReferences(pictures, classes); err != nil {
			reasons = append(reasons, fmt.Sprintf("The %s cannot run with %s: %s.", w.label(), counted(pictures), err))
			continue
		}
		return g, nil, nil
	}
	return nil, reasons, nil
}

// candidates lists the workflows that may serve, the best first.
func (e *Engine) candidates(mode engine.Mode, name string, pictures int) []*workflow {
	var out []*workflow
	add := func(w *workflow) {
		if w != nil && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	base := cmp.Or(name, string(mode))
	add(e.operator[fmt.Sprintf("%s-%d", base, pictures)])
	add(e.operator[base])
	if name != "" {
		return out
	}
	add(e.builtIn[mode])
	for _, other := range slices.Sorted(maps.Keys(e.operator)) {
		if w := e.operator[other]; w.mode == mode {
			add(w)
		}
	}
	return out
}

// modelName is the file that the graph's model comes from, "" when its nodes are not the usual ones.
func (g graph) modelName() string {
	for _, id := range slices.Sorted(maps.Keys(g)) {
		for _, name := range []string{"ckpt_name", "unet_name"} {
			if file, ok := g[id].Inputs[name].(string); ok {
				return file
			}
		}
	}
	return ""
}
