// Package generate is the two pure halves around an image engine: Plan turns an execution's request into an engine's
// job, and Finish turns the engine's answer into the picture that the image service returns. It opens no files and no
// connections.
//
// No engine is trusted with what must stay: masks are guidance to some, colours shift and pictures come back
// re-framed. So Finish lays the protected pixels of the original over every answer, in the original's own resolution.
package generate

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"atelier/imaging"
	"atelier/imaging/mask"
	"atelier/service/engine"
	"atelier/service/render"
)

// How is what the operator sets for one agent. The zero value leaves everything to the service.
type How struct {
	// Off has the agent made without the engine.
	Off bool
	// Workflow names a graph of the operator's; "" lets the engine's adapter choose one.
	Workflow string
	// Prompt replaces the agent's default sentence; {text} in it is the user's text. Negative is avoided too.
	Prompt, Negative string
	// Strength is above 0 up to 1; 0 leaves it to the agent.
	Strength float64
	// Steps and CFG are the sampler's steps and guidance scale; 0 leaves them to the engine.
	Steps int
	CFG   float64
	// Pixels is how many pixels the engine works on; 0 = 1024 × 1024.
	Pixels int
}

// pixels is the working size with its default.
func (h How) pixels() int {
	if h.Pixels <= 0 {
		return usualPixels
	}
	return h.Pixels
}

// Work is an engine's job and what Finish needs to know of how it was made. It holds no pictures but those of the job.
type Work struct {
	Job   engine.Job
	agent agent
	frame frame // of the zero value where pictures are free in shape
	exact bool  // the answer has to have the job's shape
}

// againStep is far from the number of an item, so that no seed is another item's.
const againStep = 1009

// Again is the work once more with another seed, for after an answer that was Shifted.
func (w Work) Again() Work {
	w.Job.Seed = seedOf(w.Job.Seed, againStep)
	return w
}

// seedOf adds to a seed and stays at 0 or above.
func seedOf(seed int64, more int) int64 {
	return int64((uint64(seed) + uint64(more)) & math.MaxInt64)
}

// Choose tells why an agent, by the name that the documents give it, is made without the engine whatever a request
// says; "" when the engine makes it. Modes are those of jobs that its requests can become.
func Choose(name string, a engine.Abilities, how How) (modes []engine.Mode, reason string) {
	entry, reason := entryOf(name, how)
	if reason != "" {
		return nil, reason
	}
	if how.Workflow != "" && !slices.Contains(a.Workflows, how.Workflow) {
		return nil, fmt.Sprintf("The engine cannot run the workflow %q.", how.Workflow)
	}
	for _, m := range entry.modes {
		if a.Does(m) {
			modes = append(modes, m)
		}
	}
	if name == "aimodel" && a.Does(engine.Edit) {
		modes = append(modes, engine.Edit) // in another pose
	}
	if len(modes) == 0 {
		return nil, cannot[entry.modes[len(entry.modes)-1]]
	}
	return modes, ""
}

// cannot says what an engine without a mode does not do.
var cannot = map[engine.Mode]string{
	engine.Inpaint: "The engine does not redraw a part of a picture.",
	engine.Edit:    "The engine does not edit pictures.",
	engine.Text:    "The engine makes no pictures from words alone.",
}

const (
	reasonOff     = "The engine file switches it off."
	reasonUnknown = "No engine is asked for this agent."
	reasonNoMask  = "The part to keep was not found in this picture."
	reasonMissing = "A picture is missing."
	reasonAll     = "Nothing of this picture is to be redrawn."
)

// entryOf is the table's entry of an agent, or why it has none.
func entryOf(name string, how How) (agent, string) {
	if how.Off {
		return agent{}, reasonOff
	}
	if entry, ok := agents[name]; ok {
		return entry, ""
	}
	if entry, ok := switchable[name]; ok && how.Prompt != "" {
		return entry, ""
	}
	if reason, ok := stays[name]; ok {
		return agent{}, reason
	}
	return agent{}, reasonUnknown
}

// forRequest is the entry as a request has it: aimodel's product may change in another pose (Task API, "aimodel v1.0").
func (a agent) forRequest(req render.Request) agent {
	if pose := text(req, "pose"); req.Agent == "aimodel" && pose != "" && pose != sameAsPhoto {
		a.modes, a.keeps, a.strength = onEdit, nothing, 0
	}
	return a
}

// NeedsRegion reports whether the plan of a request depends on its segmentation. Without, render.Segment need not be
// asked and cannot refuse the picture.
func NeedsRegion(req render.Request) bool {
	a := agents[req.Agent].forRequest(req)
	return a.keeps != nothing || req.Agent == "aimodel" ||
		req.Agent == "virtualtryon" && len(req.Files["locationImage"]) > 0
}

// Plan makes an engine's job of one item of a request. A reason that is not empty says, in a sentence, why the item
// is to be made without the engine. Pictures that the engine starts from may be rendered first, which takes as long
// as an item.
func Plan(
	ctx context.Context,
	req render.Request,
	seg render.Segmentation,
	a engine.Abilities,
	how How,
) (w Work, reason string, err error) {
	if _, reason := Choose(req.Agent, a, how); reason != "" {
		return Work{}, reason, nil
	}
	entry, _ := entryOf(req.Agent, how)
	entry = entry.forRequest(req)
	mode, reason := modeOf(entry, req, seg, a)
	if reason != "" {
		return Work{}, reason, nil
	}
	p := plan{req: req, seg: seg, agent: entry, mode: mode, engine: a, how: how}
	if err := p.gather(ctx); err != nil {
		return Work{}, "", err
	}
	if n := len(p.pictures) - 1; n > a.References && mode == engine.Edit {
		return Work{}, fmt.Sprintf("The engine takes %d of the %d pictures.", a.References+1, n+1), nil
	}
	return p.work()
}

// modeOf is the best mode in which the engine can make a request, or why there is none.
func modeOf(entry agent, req render.Request, seg render.Segmentation, a engine.Abilities) (engine.Mode, string) {
	given, reason := len(req.Pictures()) > 0, ""
	for _, m := range entry.modes {
		switch {
		case given == (m == engine.Text):
		case !a.Does(m):
			reason = cannot[m]
		case m == engine.Inpaint && entry.keeps != theOriginal && (len(seg.Mask.Pix) == 0 || seg.Mask.Empty()):
			reason = reasonNoMask
		case m == engine.Inpaint && entry.keeps == protected && seg.Mask.Full():
			reason = reasonAll
		default:
			return m, ""
		}
	}
	if reason == "" {
		reason = reasonMissing
	}
	return "", reason
}

// plan is a job in the making.
type plan struct {
	req      render.Request
	seg      render.Segmentation
	agent    agent
	mode     engine.Mode
	engine   engine.Abilities
	how      How
	pictures []*image.NRGBA // in the order in which they are sent
	at       sent
	staged   bool // the first picture is rendered by the service already
}

// gather collects the pictures of a job in the order in which its words number them.
func (p *plan) gather(ctx context.Context) error {
	req := p.req
	p.pictures = req.Pictures()
	switch req.Agent {
	case "aimodel", "aiproduct", "virtualtryon":
		p.pictures, p.at.garment = p.pictures[:1], 1
		model, location := req.FashionModel, req.Location
		if req.Agent == "virtualtryon" {
			model, location = first(req.Files["fashionModelImage"]), first(req.Files["locationImage"])
		}
		// Presets are named by words: their pictures are drawings.
		if model != nil && req.Who == nil && p.takes(req.Agent == "virtualtryon") {
			p.pictures = append(p.pictures, model)
			p.at.model = len(p.pictures)
		}
		if location == nil || req.Place != nil {
			break
		}
		if p.seg.Scene != nil && text(req, "pose") != asInScene {
			location = p.seg.Scene // without the person who stood in it
		}
		if p.takes(req.Agent == "virtualtryon") {
			p.pictures = append(p.pictures, location)
			p.at.place = len(p.pictures)
		} else {
			p.staged = true // or the engine would not see the place
		}
	case "expandimage":
		p.staged = true
	}
	if req.Agent == "aiproduct" && p.mode == engine.Edit {
		p.staged = true // so that size and place of the product are given
	}
	if !p.staged || p.agent.keeps == nothing {
		return nil
	}
	req.Progress = nil
	req.Values = without(req.Values, "resizeToOriginalImage")
	stage, err := render.Render(ctx, req, p.seg)
	if err != nil {
		return fmt.Errorf("prepare what the engine starts from: %w", err)
	}
	p.pictures[0] = stage
	return nil
}

// takes reports whether one more picture may be sent; needed ones are counted later.
func (p *plan) takes(needed bool) bool { return needed || len(p.pictures) <= p.engine.References }

func first(list []*image.NRGBA) *image.NRGBA {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// without copies values and leaves one out.
func without(values map[string]any, name string) map[string]any {
	out := make(map[string]any, len(values))
	for k, v := range values {
		if k != name {
			out[k] = v
		}
	}
	return out
}

// growth is how far what an engine redraws goes into what is kept, as a share of the picture's shorter side: engines
// need room at the edge, and Finish cuts it back.
const growth = 0.03

// latentCell is the side in pixels of what latent models know as one: the edge of an enlarged picture is straight,
// and so needs no more room.
const latentCell = 8

// work fills in the job.
func (p *plan) work() (Work, string, error) {
	req, how := p.req, p.how
	w := Work{agent: p.agent, Job: engine.Job{
		Mode: p.mode, Prompt: prompt(req, p.agent, how, p.at, p.mode), Negative: negative(req, how),
		Seed: seedOf(req.Seed, req.Item), Strength: p.strength(), Steps: how.Steps, CFG: how.CFG,
		Quality: quality(req), Transparent: p.agent.keeps == nothing && transparent(req), Workflow: how.Workflow,
	}}
	if w.Job.Negative != "" && !p.engine.Negative {
		w.Job.Prompt = sentences([]string{w.Job.Prompt, "Without: " + w.Job.Negative})
		w.Job.Negative = ""
	}
	want := render.ResultSize(req)
	if want.X < 1 || want.Y < 1 {
		return Work{}, "", fmt.Errorf("%w: the result has no size", render.ErrInvalid)
	}
	w.exact = p.mode == engine.Inpaint || p.agent.keeps == protected
	canvas := want
	if p.agent.keeps != nothing {
		canvas = p.pictures[0].Rect.Size()
	}
	pixels := how.pixels()
	if w.exact || p.mode == engine.Edit && apart(p.pictures[0].Rect.Size(), canvas) < engine.Tolerance {
		w.frame = frameOf(canvas, p.engine, pixels)
		w.Job.Size = w.frame.size
	} else {
		w.Job.Size = sizeOf(want, p.engine, pixels)
	}
	for i, img := range p.pictures {
		if i == 0 && w.frame != (frame{}) {
			img = w.frame.picture(img)
		} else {
			img = imaging.Flatten(imaging.FitPixels(img, int64(pixels)), 255, 255, 255)
		}
		data, err := engine.EncodePNG(img)
		if err != nil {
			return Work{}, "", fmt.Errorf("plan %s: %w", req.Agent, err)
		}
		w.Job.Pictures = append(w.Job.Pictures, data)
	}
	if p.mode != engine.Inpaint {
		return w, "", nil
	}
	grow := growth
	switch {
	case p.agent.keeps == protected && p.seg.Exact:
		grow = 0
	case p.agent.keeps == theOriginal:
		grow = latentCell / float64(min(w.frame.scaled.X, w.frame.scaled.Y))
	}
	w.Job.Mask = w.frame.redraw(keepOf(p.agent, req, p.seg), grow)
	if w.Job.Mask.Empty() {
		return Work{}, reasonAll, nil
	}
	return w, "", nil
}

// strength is how far the redrawn part may leave the original.
func (p *plan) strength() float64 {
	switch {
	case p.how.Strength > 0:
		return min(p.how.Strength, 1)
	case p.mode == engine.Text:
		return 1
	case p.agent.strength > 0:
		return p.agent.strength
	case text(p.req, "generatedContent") == refersToOrigin || p.staged:
		return strengthRefers
	case text(p.req, "generatedContent") != "":
		return strengthFree
	}
	return strengthUsual
}

// keepOf is the part of the canvas that stays, hard, of the canvas's size.
func keepOf(a agent, req render.Request, seg render.Segmentation) mask.Plane {
	switch a.keeps {
	case protected:
		return seg.Mask
	case allButHead:
		keep := headOf(a, seg)
		keep.Invert()
		return keep
	case theOriginal:
		size := render.ResultSize(req)
		keep := mask.New(size.X, size.Y)
		keep.FillRect(req.Placed(), 255)
		return keep
	case nothing:
	}
	return mask.Plane{}
}

// headOf is what is redrawn of a head, in a plane of its own.
func headOf(a agent, seg render.Segmentation) mask.Plane {
	head := seg.Mask.Clone()
	head.Threshold(mask.Level)
	b := head.Bounds()
	return head.Grow(a.reach * float64(max(b.Dx(), b.Dy())))
}
