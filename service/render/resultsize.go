package render

import "image"

// usualSizes are those of agents that draw a picture of their own, before aspectRatio and imageSize, in pixels.
var usualSizes = map[string]image.Point{
	"ai-action-figure-generators":  {X: 1024, Y: 1365},
	"ai-couple-photo-maker":        {X: 1536, Y: 1152},
	"ai-flag-generator":            {X: 1280, Y: 960},
	"ai-ghost-mannequin-generator": {X: 1024, Y: 1024},
	"ai-group-photo-generator":     {X: 1536, Y: 1152},
	"ai-poster":                    {X: 1024, Y: 1024},
	"ai-poster-from-images":        {X: 1024, Y: 1024},
	"baby-face-generator":          {X: 1024, Y: 1024},
	"chibi-maker":                  {X: chibiWide, Y: chibiHigh},
	"face-forge":                   {X: 1024, Y: 1280},
	"flat-lay":                     {X: 1024, Y: 1024},
}

// drawnSizes are those of pictures that agents draw by words alone where they are not square, in pixels.
var drawnSizes = map[string]image.Point{
	"ai-hairstyle-changer":     {X: 819, Y: 1024},
	"ai-landscape-design-free": {X: 1280, Y: 960},
	"ai-room-planner":          {X: 1280, Y: 960},
	"ai-spray-paint":           {X: 1280, Y: 960},
	"ai-tattoo-generator":      {X: 1024, Y: 1280},
	"wild-graffiti-generator":  {X: 1280, Y: 960},
}

// portraits are the agents whose pictures are as high as their photo is long, within least and most pixels, and of the
// shape wide to high.
var portraits = map[string]struct{ least, most, wide, high int }{
	"ai-headshot-generator": {1, 1536, 4, 5},
	"ai-selfie":             {640, 1536, 3, 4},
	"mugshot-creator":       {640, 1536, 4, 5},
}

// ResultSize is the size in pixels of the picture that Render makes of a request, known before it is made. Layouts
// whose length follows their text (infographics, flow charts) and pictures turned by a quarter are not among those it
// knows.
func ResultSize(req Request) image.Point {
	size := req.madeSize()
	if original := req.originalSize(); req.flag("resizeToOriginalImage") && original != (image.Point{}) {
		return original
	}
	return size
}

// madeSize is ResultSize before resizeToOriginalImage.
func (r Request) madeSize() image.Point {
	list := r.Pictures()
	if r.Agent == "expandimage" {
		w, _ := r.number("targetWidth")
		h, _ := r.number("targetHeight")
		return image.Pt(w, h)
	}
	if usual, ok := usualSizes[r.Agent]; ok {
		switch poster := r.Agent == "ai-poster" || r.Agent == "ai-poster-from-images"; {
		case poster && r.text("aspectRatio") == "" && r.text("imageSize") == "":
			return image.Pt(1024, 1448)
		// 1:1 is the default of this agent's aspectRatio; "auto" keeps the picture's shape (Run API, "Family A").
		case r.Agent == "ai-ghost-mannequin-generator" && r.text("aspectRatio") == "auto" && len(list) > 0:
			usual = list[0].Rect.Size()
		}
		return r.canvas(usual)
	}
	if len(list) == 0 {
		if drawn, ok := drawnSizes[r.Agent]; ok {
			return r.canvas(drawn)
		}
		return r.canvas(image.Pt(1024, 1024))
	}
	size, last := list[0].Rect.Size(), list[len(list)-1].Rect.Size()
	if p, ok := portraits[r.Agent]; ok {
		long := max(p.least, min(p.most, max(size.X, size.Y)))
		return image.Pt(long*p.wide/p.high, long)
	}
	switch r.Agent {
	case "aimodel", "aiproduct", "aipose", "removeBG":
		return size
	case "ai-image-combiner", "image-mixer":
		if r.Item%3 != 0 {
			last = size // the first picture is the place by turns
		}
		return r.canvas(last)
	case "ai-photoshoot":
		return r.canvas(last)
	}
	return r.canvas(size)
}

// Placed is where expandimage puts its original on the new canvas, in pixels of the canvas: it may reach beyond it
// (Task API, "expandimage v1.0").
func (r Request) Placed() image.Rectangle {
	size, canvas := r.Source().Rect.Size(), r.madeSize()
	left, ok := r.number("fillLeft")
	if !ok {
		left = (canvas.X - size.X) / 2
	}
	top, ok := r.number("fillTop")
	if !ok {
		top = (canvas.Y - size.Y) / 2
	}
	return image.Rectangle{Max: size}.Add(image.Pt(left, top))
}
