// Package detect finds out which protocol an image engine speaks.
package detect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"atelier/service/engine"
	"atelier/service/engine/comfyui"
	"atelier/service/engine/openai"
	"atelier/service/engine/sdapi"
	"atelier/service/engine/sdcpp"
)

// Options are the adapters' own, and which of them may be taken.
type Options struct {
	// Protocol is comfyui, sdcpp, sdapi or openai; "" finds it by probing.
	Protocol string
	ComfyUI  comfyui.Options
	OpenAI   openai.Options
	SDAPI    sdapi.Options
	SDCpp    sdcpp.Options
}

// candidate is an adapter that may fit.
type candidate struct {
	protocol string
	engine   engine.Engine
}

// Engine is a server whose protocol is found when it is probed. It implements engine.Engine; before a probe has
// succeeded its other methods fail.
type Engine struct {
	candidates []candidate // in the order in which they are tried

	mu    sync.Mutex
	found engine.Engine
}

// New makes an engine without a request to it. It fails for an address that is no http or https URL, an unknown
// protocol, and options that an adapter refuses.
func New(a engine.Access, o Options) (*Engine, error) {
	comfy, err := comfyui.New(a, o.ComfyUI)
	if err != nil {
		return nil, err
	}
	cpp, err := sdcpp.New(a, o.SDCpp)
	if err != nil {
		return nil, err
	}
	web, err := sdapi.New(a, o.SDAPI)
	if err != nil {
		return nil, err
	}
	open, err := openai.New(a, o.OpenAI)
	if err != nil {
		return nil, err
	}
	// stable-diffusion.cpp speaks three of them: the one that says most of a job comes first.
	all := []candidate{{"comfyui", comfy}, {"sdcpp", cpp}, {"sdapi", web}, {"openai", open}}
	if o.Protocol == "" {
		return &Engine{candidates: all}, nil
	}
	for _, c := range all {
		if c.protocol == o.Protocol {
			return &Engine{candidates: []candidate{c}}, nil
		}
	}
	return nil, fmt.Errorf("%q is none of the protocols %s", o.Protocol, strings.Join(Protocols(), ", "))
}

// Protocols are the names of the protocols, in the order in which they are tried.
func Protocols() []string { return []string{"comfyui", "sdcpp", "sdapi", "openai"} }

// Probe asks the server in one protocol after the other until it answers in one. When it speaks none, the error is
// that of the server's closest answer: a refused key before a refused request. A server that does not answer is asked
// once.
func (e *Engine) Probe(ctx context.Context) (engine.Abilities, error) {
	var failures []error
	for _, c := range e.candidates {
		a, err := c.engine.Probe(ctx)
		if err == nil {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.found = c.engine
			return a, nil
		}
		failure, ok := errors.AsType[*engine.Error](err)
		if !ok || failure.Reason == engine.Unreachable {
			return engine.Abilities{}, err
		}
		failures = append(failures, err)
	}
	refused := slices.IndexFunc(failures, func(err error) bool {
		reason := engine.ReasonOf(err)
		return reason == engine.Unauthorized || reason == engine.Unpaid || reason == engine.Busy
	})
	if refused >= 0 {
		return engine.Abilities{}, failures[refused]
	}
	if len(failures) == 1 {
		return engine.Abilities{}, failures[0]
	}
	failure, _ := errors.AsType[*engine.Error](failures[0])
	return engine.Abilities{}, &engine.Error{
		Reason: engine.Refused, Host: failure.Host,
		Detail: "the server speaks none of the protocols " + strings.Join(Protocols(), ", "),
	}
}

// Problems are what the operator's workflows miss at the server, one sentence each.
func (e *Engine) Problems() []string {
	if c, ok := e.candidates[0].engine.(*comfyui.Engine); ok {
		return c.Problems()
	}
	return nil
}

var errNotProbed = errors.New("the image engine's protocol is not known yet")

func (e *Engine) adapter() (engine.Engine, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.found == nil {
		return nil, errNotProbed
	}
	return e.found, nil
}

// Begin is part of engine.Engine.
func (e *Engine) Begin(ctx context.Context, id string, job engine.Job) (engine.Handle, error) {
	adapter, err := e.adapter()
	if err != nil {
		return engine.Handle{}, err
	}
	return adapter.Begin(ctx, id, job)
}

// Watch is part of engine.Engine.
func (e *Engine) Watch(ctx context.Context, h engine.Handle, progress func(float64)) ([]byte, error) {
	adapter, err := e.adapter()
	if err != nil {
		return nil, err
	}
	return adapter.Watch(ctx, h, progress)
}

// Cancel is part of engine.Engine.
func (e *Engine) Cancel(ctx context.Context, h engine.Handle) error {
	adapter, err := e.adapter()
	if err != nil {
		return err
	}
	return adapter.Cancel(ctx, h)
}
