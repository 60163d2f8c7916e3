package components

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"atelier/app/model"
	"atelier/app/words"
)

// Sizes offers the usual sizes of an expansion: the shapes shops and networks ask for, and the sizes of the service.
type Sizes struct {
	app.Compo
	Width, Height any // of the canvas as the form has them
	Shapes        []Size
	Ready         bool // there is a photo to put in the middle
	List          model.PresetList
	query         string
	port          SizesPort
}

// Size is a size by name; a width of 0 is none yet.
type Size struct {
	Title         string
	Width, Height int     // px
	Ratio         float64 // of its width to its height
}

// SizesPort hears which size is taken.
type SizesPort interface {
	SetCanvas(w, h int)
	CentreCanvas()
	NeedSizes()
}

// NewSizes makes it from its fields.
func NewSizes(s Sizes, port SizesPort) *Sizes {
	return &Sizes{Width: s.Width, Height: s.Height, Shapes: s.Shapes, Ready: s.Ready, List: s.List, port: port}
}

// OnMount implements app.Mounter.
func (s *Sizes) OnMount(app.Context) { s.port.NeedSizes() }

// sizesSearched is from how many sizes on there is a search.
const sizesSearched = 9

// Render implements app.Composer.
func (s *Sizes) Render() app.UI {
	shapes := make([]app.UI, len(s.Shapes))
	for i, shape := range s.Shapes {
		shapes[i] = s.chip(shape)
	}
	return Box("field field__stack",
		Box("field__head", Text("span", "field__label", words.CanvasShapeTitle),
			Button("", words.CanvasCentre, "button--link").Attr("data-testid", "centre").Attr("disabled", Bool(!s.Ready)).
				OnClick(func(app.Context, app.Event) { s.port.CentreCanvas() })),
		El("div", "class", "field__chips field__chips--shapes", "data-testid", "shapes", "role", "group", "aria-label", words.CanvasShapes).Body(shapes...),
		Box("field__head", Text("span", "field__label", words.CanvasSizes)),
		If(len(s.List.Presets) >= sizesSearched, func() app.UI {
			return Search("size-search", words.CanvasSizesSearch, s.query, s.onQuery)
		}),
		El("div", "class", "field__chips field__chips--sizes", "data-testid", "sizes", "role", "group", "aria-label", words.CanvasSizes,
			"aria-busy", Bool(s.List.State == model.Loading)).Body(s.sizes()...),
	)
}

// sizes are those of the service that the search finds, or why there are none.
func (s *Sizes) sizes() []app.UI {
	switch {
	case s.List.State == model.Broken:
		return []app.UI{loadProblem(s.List.Error, s.onReload)}
	case s.List.State != model.Loaded:
		return chipSkeletons()
	case len(s.List.Presets) == 0:
		return []app.UI{Text("p", "field__help", words.CanvasSizesNone)}
	}
	chips := []app.UI{}
	query := strings.ToLower(strings.TrimSpace(s.query))
	for _, p := range s.List.Presets {
		size := Size{Title: p.Name, Width: p.Width, Height: p.Height, Ratio: float64(p.Width) / float64(max(p.Height, 1))}
		if strings.Contains(strings.ToLower(p.Name+" "+words.Dimensions(p.Width, p.Height)), query) {
			chips = append(chips, s.chip(size))
		}
	}
	if len(chips) == 0 {
		chips = append(chips, Text("p", "field__help", words.CanvasSizesNotFound))
	}
	return chips
}

func (s *Sizes) chip(size Size) app.UI {
	w, h := float64(size.Width), float64(size.Height)
	return El("button", "type", "button", "class", "chip", "aria-pressed", Bool(s.Width == w && s.Height == h), "title", words.Dimensions(size.Width, size.Height),
		"disabled", Bool(size.Width == 0)).
		OnClick(func(app.Context, app.Event) { s.port.SetCanvas(size.Width, size.Height) }, Scope(size.Title, size.Width, size.Height)).
		Body(El("span", "class", "chip__shape").Style("--ratio", words.Decimal(size.Ratio, 3)), app.Text(size.Title))
}

func (s *Sizes) onQuery(_ app.Context, e app.Event) { s.query = textOf(e) }
func (s *Sizes) onReload(app.Context, app.Event)    { s.port.NeedSizes() }
