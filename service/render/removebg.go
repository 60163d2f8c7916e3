package render

import (
	"context"
	"image"
	"image/color"

	"atelier/imaging/compose"
)

// removeBG lays the cut-out over nothing, over backgroundHex or over the preset background (Task API,
// "removeBG v1.0"; omitting both gives a transparent result: Run API, "removeBG"). Items of one execution differ by the
// framing of the preset only; over a colour or nothing there is one right answer.
func removeBG(_ context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	out := image.NewNRGBA(seg.Foreground.Rect)
	size := out.Rect.Size()
	hex := req.text("backgroundHex")
	switch {
	case req.Background != nil:
		v := req.vary()
		out = compose.Cover(req.Background, size.X, size.Y, v.framing)
		req.progress(0.5)
		compose.ContactShadow(out, compose.Matte(seg.Foreground), compose.Shadow{
			Strength: 0.7 * v.shadow, Light: compose.Light{Angle: 120, Softness: 0.8}, Length: v.length,
		})
	case hex != "":
		c, err := hexColour(hex)
		if err != nil {
			return nil, err
		}
		flood(out, c)
	}
	compose.Over(out, seg.Foreground, image.Point{})
	return out, nil
}

// flood paints all of img in one colour.
func flood(img *image.NRGBA, c color.NRGBA) {
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
}
