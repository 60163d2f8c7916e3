package render

import (
	"context"
	"fmt"
	"image"
)

// renderAgent hands the request to the renderer of its agent.
func renderAgent(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	switch req.Agent {
	case "removeBG":
		return removeBG(ctx, req, seg)
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknownAgent, req.Agent)
}
