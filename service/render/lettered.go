package render

import (
	"context"
	"image"
	"image/color"
	"maps"
	"strings"

	"atelier/imaging"
	"atelier/imaging/compose"
)

// lettered is the way of agents that write what a description has in quotation marks over the picture they make of the rest.
func lettered(w way) way {
	draw := w.render
	w.render = func(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
		title := quoted(req.text("textDescription"))
		if title == "" {
			return draw(ctx, req, seg)
		}
		text, err := legible(title)
		if err != nil {
			return nil, err
		}
		req.Values = maps.Clone(req.Values)
		req.Values["textDescription"] = strings.Replace(req.text("textDescription"), title, "", 1)
		out, err := draw(ctx, req, seg)
		if err != nil {
			return nil, err
		}
		return out, captioned(out, text)
	}
	return w
}

// captioned writes a text in the lower third of a picture, in place, pale on a soft shade. A text that does not fit is an error.
func captioned(img *image.NRGBA, text string) error {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	hand, lines, err := wholly(text, float64(min(w, h))/9, true, w*86/100, h*3/10)
	if err != nil {
		return err
	}
	ink := image.NewNRGBA(img.Rect)
	hand.centred(ink, lines, w/2, h*4/5-hand.high*len(lines)/2+int(hand.size), color.NRGBA{250, 248, 244, 255})
	shade := compose.Matte(ink).Feather(hand.size / 5)
	dark := imaging.Clone(ink)
	for i, v := range shade.Pix {
		copy(dark.Pix[4*i:], []uint8{18, 18, 22, uint8(min(200, int(v)*3/2))})
	}
	compose.Over(img, dark, image.Point{})
	compose.Over(img, ink, image.Point{})
	return nil
}
