package render

import (
	"context"
	"image"
	"image/color"
)

// removeBG lays the cut-out over nothing, over backgroundHex or over the preset background (Task API, "removeBG v1.0").
func removeBG(_ context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	var back color.NRGBA
	if s := req.text("backgroundHex"); s != "" {
		var err error
		if back, err = hexColour(s); err != nil {
			return nil, err
		}
	}
	out := image.NewNRGBA(req.Original.Bounds())
	for y := range seg.Mask.H {
		for x := range seg.Mask.W {
			if seg.Mask.Kept(x, y) {
				c := req.Original.NRGBAAt(x, y)
				c.A = 255
				out.SetNRGBA(x, y, c)
			} else {
				out.SetNRGBA(x, y, back)
			}
		}
	}
	return out, nil
}
