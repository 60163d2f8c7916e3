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

// agents are the ways of all agents that have one of their own, by name (Run API, "Catalog of further agents").
var agents = map[string]way{
	"removeBG":     {removeBG, true, maskSubject},
	"expandimage":  {expandImage, true, maskSubject},
	"aiproduct":    {product, true, maskSubject},
	"aimodel":      {model, true, maskSubject},
	"aipose":       {pose, true, maskSubject},
	"virtualtryon": {tryOn, true, maskSubject},

	"ai-aging":                     styled(asAged, maskHead, true),
	"ai-elf":                       styled(asElf, maskHead, true),
	"ai-selfie":                    styled(asSelfie, "", true),
	"ai-zombie":                    styled(asZombie, maskHead, true),
	"anime-image-converter":        styled(asAnime, "", true),
	"bald-filter":                  styled(asBald, maskHead, true),
	"bangs-filter":                 styled(withFringe, maskHead, true),
	"buzz-cut-ai":                  styled(asBuzz, maskHead, true),
	"chibi-maker":                  styled(asChibi, maskHead, true),
	"fat-ai":                       styled(withWideBody, maskHead, true),
	"gender-swap":                  styled(asOther, maskHead, true),
	"mugshot-creator":              styled(asMugshot, "", true),
	"ps2-filter":                   styled(asLowPoly, "", true),
	"skin-color-changer":           styled(withComplexion, maskHead, true),
	"ai-hair-color-changer":        styled(withHair(dyes...), maskHead, true),
	"hair-color-try-on":            styled(withHair(dyes...), maskHead, true),
	"ai-translate":                 styled(translated, "", true),
	"image-to-sketch":              styled(asSketch, "", true),
	"ai-3d-rendering":              styled(asModel, "", true),
	"2d-to-3d-image-converter":     styled(asDepth, "", true),
	"outfit-generator":             styled(withOutfit, "", true),
	"ai-hairstyle-changer":         hairstyle,
	"ai-room-planner":              {roomPlan, false, ""},
	"ai-action-figure-generators":  {actionFigure, false, ""},
	"ai-tattoo-generator":          {tattoo, false, ""},
	"ai-spray-paint":               mural(false),
	"wild-graffiti-generator":      mural(true),
	"ghibli-art-create":            styled(asFairytale, "", false),
	"ai-dog":                       animal("dog"),
	"random-animal-generator":      animal(""),
	"ai-flag-generator":            {flag, false, ""},
	"remove-filter-from-photo":     styled(asUnfiltered, "", false),
	"pregnant_ai":                  styled(withRoundBelly, maskHead, true),
	"ai-headshot-generator":        styled(asPortrait, "", true),
	"ai-blemish-remover":           styled(withoutBlemishes, maskHead, true),
	"photo-wrinkle-remover":        styled(withoutWrinkles, maskHead, true),
	"ai-ghost-mannequin-generator": styled(asGhost, maskApparel, true),
	"glasses-remover-from-photo":   {removeGlasses, true, ""},

	"ai-clothes-changer":       {clothesChanger, true, maskSubject},
	"ai-face-merge":            {faceMerge, true, maskHead},
	"baby-face-generator":      {baby, false, ""},
	"ai-image-combiner":        {mixer, true, ""},
	"image-mixer":              {mixer, true, ""},
	"ai-couple-photo-maker":    {together, true, ""},
	"ai-group-photo-generator": {together, true, ""},
	"ai-collage-maker":         {collage, true, ""},
	"ai-landscape-design-free": {garden, false, ""},
	"ai-photoshoot":            {photoshoot, true, maskSubject},

	"ai-infographic-generator": {infographic, false, ""},
	"flowchart-generator":      {flowchart, false, ""},
	"ai-logo-generator":        {logo, false, ""},
	"z-image":                  lettered(way{byWords, false, ""}),
	"ai-poster":                {poster, false, ""},
	"ai-poster-from-images":    {poster, false, ""},
	"face-forge":               {newFace, false, ""},
	"flat-lay":                 {flatLay, true, maskSubject},
}

// Hair colours for items whose description names none.
var (
	dyes   = [][3]float64{{150, 60, 40}, {206, 168, 108}, {70, 60, 120}, {190, 96, 130}, {46, 34, 28}}
	browns = [][3]float64{{92, 62, 42}, {58, 42, 34}, {140, 100, 64}, {36, 30, 30}}
)

// wayOf is the way of an agent. Those without their own, families D and G and what an operator adds by shape, are told by
// what they are given.
func (r Request) wayOf() (way, error) {
	if r.Version != "" && r.Version != "v1.0" {
		return way{}, fmt.Errorf("%w: %s %s", ErrUnknownAgent, r.Agent, r.Version)
	}
	if w, ok := agents[r.Agent]; ok {
		return w, nil
	}
	if r.text("generatedType") == "image" {
		return way{render: transformed, needs: true}, nil
	}
	return lettered(way{render: general}), nil
}

// renderAgent hands the request to the renderer of its agent.
func renderAgent(ctx context.Context, req Request, seg Segmentation) (*image.NRGBA, error) {
	way, err := req.wayOf()
	if err != nil {
		return nil, err
	}
	if way.needs && req.Source() == nil {
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
	if size := req.originalSize(); req.flag("resizeToOriginalImage") && size != (image.Point{}) && out.Rect.Size() != size {
		out = imaging.Resize(out, size.X, size.Y)
	}
	req.progress(1)
	return out, nil
}

// originalSize is the size the original was given in, zero where there is none.
func (r Request) originalSize() image.Point {
	if r.OriginalSize == (image.Point{}) && r.Original != nil {
		return r.Original.Rect.Size()
	}
	return r.OriginalSize
}
