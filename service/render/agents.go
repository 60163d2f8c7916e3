package render

import (
	"context"
	"fmt"
	"image"

	"atelier/imaging"
)

// way is how one agent is rendered.
type way struct {
	render func(context.Context, Request, Segmentation) (*image.NRGBA, error)
	needs  bool   // whether a source picture is required
	mask   string // the mask type when the request names none; "" when nothing is protected
}

// agents are the ways of all agents that have one of their own, by name.
var agents = map[string]way{
	"removeBG":     {removeBG, true, maskSubject},
	"expandimage":  {expandImage, true, maskSubject},
	"aiproduct":    {product, true, maskSubject},
	"aimodel":      {model, true, maskSubject},
	"aipose":       {pose, true, maskSubject},
	"virtualtryon": {tryOn, true, maskSubject},
}

// renderAgent hands the request to the renderer of its agent.
func renderAgent(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	way, ok := agents[req.Agent]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknownAgent, req.Agent)
	}
	if way.needs && req.source() == nil {
		return nil, ErrMissingInput
	}
	req.progress(0)
	out, err := way.render(ctx, req, seg)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req.flag("resizeToOriginalImage") && req.Original != nil && out.Rect.Size() != req.Original.Rect.Size() {
		out = imaging.Resize(out, req.Original.Rect.Dx(), req.Original.Rect.Dy())
	}
	req.progress(1)
	return out, nil
}
