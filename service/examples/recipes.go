package examples

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"atelier/catalog"
	"atelier/imaging"
	"atelier/service/presets"
	"atelier/service/render"
)

// seed is that of every example.
const seed = 20

// The names of the pictures that examples are made from.
const (
	dress   = "dress-on-wall"
	bottle  = "bottle-on-table"
	dummy   = "mannequin"
	woman   = "woman"
	spotty  = "woman with blemishes"
	lined   = "woman with the lines of age"
	glasses = "woman with glasses"
	faded   = "a picture under a filter"
	man     = "man"
	cropped = "man with short hair"
	curly   = "man with red curls"
	silver  = "man with grey hair"
	dark    = "woman with dark skin"
	bun     = "woman with a bun"
	bob     = "woman with a bob"
	room    = "room"
	field   = "field"
	sign    = "a sheet with lettering"
)

// models are the drawn people by the places they have among the presets.
var models = map[string]int{woman: 0, dark: 1, man: 2, bun: 3, cropped: 4, bob: 7, curly: 8, silver: 9}

// The locations that are drawn, by their ids.
const (
	roomID  = 1007
	fieldID = 1014
	loftID  = 1005
)

// location finds one of our places.
func location(id int64) presets.Location {
	list := presets.Locations()
	return list[max(0, slices.IndexFunc(list, func(l presets.Location) bool { return l.ID == id }))]
}

// What the pictures and films are like that examples are made from.
const (
	longest    = 832 // the long side of a picture, px
	filmLength = "2s"
)

// recipe says what the example of an agent is made from. Its zero value suits an agent that changes the photo of a person.
type recipe struct {
	pictures []string // in the order of the fields that must hold some; the last one is repeated
	words    string   // textDescription
	values   catalog.Values
	whole    bool           // the example shows all of the result: it holds lettering
	figure   bool           // likewise, beside what it was made from: somebody stands in it from head to foot
	film     *image.NRGBA   // what a film that is worked on shows
	title    string         // what is laid over it, in quotation marks
	before   []*image.NRGBA // the pictures it is made from, shown beside it
}

// recipes are those of agents that need more than a person.
var recipes = map[string]recipe{
	"aimodel":      {pictures: []string{bob}, values: catalog.Values{"maskType": "autoApparelSegment"}},
	"aiproduct":    {pictures: []string{bottle}},
	"expandimage":  {pictures: []string{bottle}, values: catalog.Values{"targetWidth": 1200.0, "targetHeight": 1200.0}},
	"removeBG":     {pictures: []string{dress}, values: catalog.Values{"backgroundHex": "#F2E3D5"}},
	"aipose":       {words: "lean to the left and tilt the head", values: catalog.Values{"pose": "lean to the left"}},
	"virtualtryon": {pictures: []string{dress, dummy}, figure: true},

	"ai-translate":                 {pictures: []string{sign}, words: "Pain\nEau : trois tasses\nFarine : cinq tasses\nSel : deux cuillères\nLevure : une cuillère", figure: true},
	"2d-to-3d-image-converter":     {pictures: []string{bottle}},
	"ai-3d-rendering":              {pictures: []string{bottle}},
	"ai-room-planner":              {pictures: []string{room}, words: "boho with a green armchair and plants"},
	"ai-dog":                       {pictures: []string{}, words: "a golden dog on a meadow"},
	"random-animal-generator":      {pictures: []string{}, words: "a red fox in the snow"},
	"ai-flag-generator":            {pictures: []string{}, words: "a blue flag with a golden star"},
	"ai-tattoo-generator":          {words: "a rose"},
	"ai-spray-paint":               {pictures: []string{dark}, words: "bold colours"},
	"wild-graffiti-generator":      {words: "bold letters"},
	"ai-action-figure-generators":  {whole: true, words: "Maren"},
	"ai-ghost-mannequin-generator": {pictures: []string{dummy}},
	"ai-hairstyle-changer":         {words: "short copper hair"},
	"ai-aging":                     {pictures: []string{bob}},
	"ai-elf":                       {pictures: []string{bun}},
	"ai-hair-color-changer":        {pictures: []string{bob}, words: "copper red"},
	"hair-color-try-on":            {words: "dark blue"},
	"anime-image-converter":        {pictures: []string{curly}},
	"bald-filter":                  {pictures: []string{curly}},
	"buzz-cut-ai":                  {pictures: []string{curly}},
	"bangs-filter":                 {pictures: []string{bun}},
	"chibi-maker":                  {pictures: []string{bob}, figure: true},
	"fat-ai":                       {pictures: []string{dummy}, figure: true},
	"pregnant_ai":                  {pictures: []string{dummy}, figure: true},
	"image-to-sketch":              {pictures: []string{dark}},
	"mugshot-creator":              {pictures: []string{curly}},
	"ps2-filter":                   {pictures: []string{cropped}},
	"ai-headshot-generator":        {pictures: []string{dark}},
	"outfit-generator":             {words: "a checked shirt"},
	"ghibli-art-create":            {words: "a quiet afternoon"},
	"remove-filter-from-photo":     {pictures: []string{faded}},
	"ai-blemish-remover":           {pictures: []string{spotty}},
	"photo-wrinkle-remover":        {pictures: []string{lined}},
	"glasses-remover-from-photo":   {pictures: []string{glasses}},
	"skin-color-changer":           {pictures: []string{bun}, words: "deep"},
	"ai-selfie":                    {words: "on a beach"},

	"ai-clothes-changer":       {pictures: []string{dummy, dress}, figure: true},
	"ai-face-merge":            {pictures: []string{woman, bun}},
	"ai-image-combiner":        {pictures: []string{woman, room}},
	"image-mixer":              {pictures: []string{woman, field}},
	"ai-couple-photo-maker":    {pictures: []string{dark, curly}, figure: true},
	"ai-group-photo-generator": {pictures: []string{woman, man, dark}, figure: true},
	"ai-collage-maker":         {whole: true, pictures: []string{dress, bottle, woman, field}},
	"baby-face-generator":      {pictures: []string{woman, man}},
	"ai-landscape-design-free": {pictures: []string{field}, words: "lavender and a path of stones"},
	"ai-photoshoot":            {pictures: []string{woman, field}},

	"ai-infographic-generator": {whole: true, words: "Five steps to a good photo\nLight: stand by a window. Ground: one plain colour. Distance: two steps back. Focus: on the cloth. Count: take five."},
	"flowchart-generator":      {whole: true, words: "Choose a garment -> Take its photo -> Is the light good? -> Cut it out -> Show it on a model"},
	"ai-logo-generator":        {words: "Atelier Nord"},
	"z-image":                  {words: "a lighthouse and a sailing boat by the sea at sunset"},
	"ai-poster":                {whole: true, pictures: []string{dress}, words: "Summer linen. New in the shop from Monday."},
	"ai-poster-from-images":    {whole: true, pictures: []string{dress}, words: "Summer linen. New in the shop from Monday."},
	"flat-lay":                 {pictures: []string{bottle}, words: "on pale marble with leaves"},
	"face-forge":               {pictures: []string{}, words: "a young woman with red hair"},

	"image-studio":  {pictures: []string{field}, words: "a painting in warm colours"},
	"image-search":  {pictures: []string{bottle}, words: "the bottle on a beach"},
	"image-light":   {pictures: []string{bottle}, words: "the bottle on a wooden table in the evening"},
	"image-quality": {pictures: []string{dress}, words: "make the dress red"},
	"image-edit":    {pictures: []string{dress}, words: "make the dress blue"},

	"frames-to-video":    {pictures: []string{field}, words: "the camera moves in"},
	"image-to-video":     {pictures: []string{dress}, words: "the camera moves in"},
	"text-to-video":      {pictures: []string{}, words: "a sailing boat on a calm sea at sunset"},
	"reference-to-video": {pictures: []string{field}, words: "the camera moves along"},
	"advanced-video":     {pictures: []string{woman}, words: "the camera circles"},
	"multimodal-video":   {pictures: []string{bottle}, words: "the camera moves in"},
	"portrait-motion":    {words: "a painting"},
}

// request gathers what the example of an agent is made from: its recipe, and of its presets the first.
func request(ctx context.Context, a catalog.Agent, shelf shelf) (render.Request, recipe, error) {
	r, known := recipes[a.Model()]
	if !known || r.pictures == nil {
		r.pictures = []string{woman}
	}
	req := render.Request{Agent: a.Model(), Version: a.Version, Files: map[string][]*image.NRGBA{}, Seed: seed, Count: 1}
	film := man
	if _, removes := a.Param("watermarkSelectType"); removes {
		film, r.title = field, " “Summer linen”"
	}
	var err error
	if r.film, err = shelf.picture(ctx, film); err != nil {
		return req, r, err
	}
	in := catalog.Input{Values: catalog.Values{}, Files: map[string][]string{}, Draft: true}
	maps.Copy(in.Values, r.values)
	for _, p := range a.Params {
		if v := r.value(p); v != nil && in.Values[p.Name] == nil {
			in.Values[p.Name] = v
		}
	}
	if err := fill(ctx, &req, &in, a, r.pictures, shelf); err != nil {
		return req, r, err
	}
	r.before = brought(a, req)
	if a.Family == "F" {
		r.before = append([]*image.NRGBA{r.film}, r.before...)
	}
	surface := a.Surfaces[0]
	for _, p := range catalog.Refusals(catalog.Check(a, surface, in)) {
		delete(in.Values, p.Field)
	}
	req.Values = catalog.Fill(a, surface, in).Values
	req.Values["resolution"] = cmp.Or(req.Values["resolution"], any("480p"))
	err = addPresets(ctx, &req, shelf.side)
	return req, r, err
}

// brought are the pictures of a request in the order of the agent's fields.
func brought(a catalog.Agent, req render.Request) (out []*image.NRGBA) {
	for _, f := range a.Files {
		out = append(out, req.Files[f.Name]...)
	}
	return out
}

// value is what a recipe gives for a param; nil leaves it out.
func (r recipe) value(p catalog.Param) any {
	switch {
	case p.Name == "textDescription":
		if r.words == "" && p.Required {
			return "a calm scene in soft light"
		}
		if r.words != "" {
			return r.words
		}
	case p.Name == "batchCount":
		return 1.0
	case p.Name == "resolution":
		return "480p"
	case p.Name == "videoSize":
		return p.Options[0].Value
	case p.Kind == catalog.Duration && p.Min != nil:
		return fmt.Sprintf("%ds", *p.Min)
	case (p.Kind == catalog.Duration || p.Kind == catalog.Enum && p.Required) && len(p.Options) > 0:
		return p.Options[0].Value
	}
	return nil
}

// fill puts the pictures of a recipe into the fields of an agent: one into each that takes one, the rest into the first
// that takes many.
func fill(ctx context.Context, req *render.Request, in *catalog.Input, a catalog.Agent, names []string, s shelf) error {
	source, _ := a.Source()
	for _, f := range a.Files {
		if f.Media != catalog.Image || f.ParamOnly {
			if f.Media == catalog.Video && f.Min > 0 {
				in.Files[f.Name] = []string{"film"}
			}
			continue
		}
		if len(names) == 0 {
			if f.Min == 0 {
				continue
			}
			names = []string{woman}
		}
		n := min(f.Max, len(names))
		for i := range max(n, f.Min) {
			img, err := s.picture(ctx, names[min(i, len(names)-1)])
			if err != nil {
				return err
			}
			req.Files[f.Name] = append(req.Files[f.Name], img)
			in.Files[f.Name] = append(in.Files[f.Name], "picture")
		}
		names = names[n:]
		if f.Name == source.Name && len(req.Files[f.Name]) > 0 {
			req.Original = req.Files[f.Name][0]
			in.SourceWidth, in.SourceHeight = req.Original.Rect.Dx(), req.Original.Rect.Dy()
		}
	}
	return nil
}

// addPresets gives the agents that take a place one of ours.
func addPresets(ctx context.Context, req *render.Request, side int) (err error) {
	switch req.Agent {
	case "aimodel", "aiproduct":
		at := location(loftID)
		req.Place = &at
		req.Location, err = at.Draw(ctx, req.Original.Rect.Dx(), req.Original.Rect.Dy())
	}
	if req.Agent == "aimodel" && err == nil {
		req.Who = &presets.FashionModels()[models[bun]]
		req.FashionModel, err = req.Who.Draw(ctx, side*4/5, side)
	}
	return err
}

// shelf holds the pictures that are drawn already, by their names. Their long side is side px; films are as long as length says.
type shelf struct {
	side   int
	length string
	drawn  map[string]*image.NRGBA
}

func newShelf(side int, length string) shelf { return shelf{side, length, map[string]*image.NRGBA{}} }

// picture draws a sample, a person or a place.
func (s shelf) picture(ctx context.Context, name string) (img *image.NRGBA, err error) {
	if img := s.drawn[name]; img != nil {
		return img, nil
	}
	model, person := models[name]
	switch {
	case person:
		img, err = presets.FashionModels()[model].Draw(ctx, s.side*4/5, s.side)
	case name == sign:
		img, err = drawn(ctx, render.Request{
			Agent: "ai-infographic-generator", Version: "v1.0", Seed: seed, Count: 1,
			Values: map[string]any{"textDescription": "Bread\nWater: three cups of it. Flour: five cups of it. Salt: two spoons. Yeast: one spoon."},
		})
	case name == spotty:
		if img, err = s.picture(ctx, woman); err == nil {
			img = spotted(img)
		}
	case name == glasses:
		if img, err = s.picture(ctx, woman); err == nil {
			img = WithGlasses(img)
		}
	case name == lined:
		if img, err = s.picture(ctx, woman); err == nil {
			img, err = drawn(ctx, render.Request{Agent: "ai-aging", Version: "v1.0", Original: img, Values: map[string]any{}, Seed: seed, Count: 1})
		}
	case name == faded:
		if img, err = s.picture(ctx, field); err == nil {
			img = filtered(img)
		}
	case name == room:
		img, err = location(roomID).Draw(ctx, s.side, s.side*4/5)
	case name == field:
		img, err = location(fieldID).Draw(ctx, s.side, s.side*4/5)
	default:
		for _, sample := range presets.Samples() {
			if sample.Slug == name {
				img, err = sample.Draw(ctx)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if img == nil {
		return nil, fmt.Errorf("there is no picture %q", name)
	}
	s.drawn[name] = imaging.Fit(img, s.side, s.side)
	return s.drawn[name], nil
}

// spotted is a portrait with red spots on its cheeks and forehead.
func spotted(portrait *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(portrait)
	w, h := float64(out.Rect.Dx()), float64(out.Rect.Dy())
	random := rand.New(rand.NewPCG(seed, 1))
	for range 46 {
		// About where the presets draw the face.
		a, far := 2*math.Pi*random.Float64(), math.Sqrt(random.Float64())
		cx, cy := w*(0.5+0.15*far*math.Cos(a)), h*(0.42+0.17*far*math.Sin(a))
		if brows, lips := math.Abs(cy-0.4*h) < 0.05*h, cy > 0.54*h && math.Abs(cx-w/2) < 0.08*w; brows || lips {
			continue
		}
		r := w * (0.0035 + 0.006*random.Float64())
		for y := int(cy - 2*r); y <= int(cy+2*r); y++ {
			for x := int(cx - 2*r); x <= int(cx+2*r); x++ {
				if !image.Pt(x, y).In(out.Rect) {
					continue
				}
				share := 0.62 * math.Max(0, 1-math.Hypot(float64(x)-cx, float64(y)-cy)/(1.7*r))
				p := out.Pix[out.PixOffset(x, y):]
				for k, c := range [3]float64{168, 58, 50} {
					p[k] = uint8(float64(p[k]) + share*(c-float64(p[k])))
				}
			}
		}
	}
	return out
}

// WithGlasses draws glasses with dark round rims on a preset portrait whose sides are as 4 to 5.
func WithGlasses(portrait *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(portrait)
	w, h := float64(out.Rect.Dx()), float64(out.Rect.Dy())
	cx, cy, s := 0.4995*w, 0.405*h, 0.145*w // where the presets draw the eyes, and how far apart
	const (
		aside, below  = 0.53, 0.05 // the middle of a lens, in eye distances
		wide, high    = 0.4, 0.33
		stroke, hinge = 0.05, -0.06
	)
	between := func(v, from, to float64) float64 { return math.Max(from, math.Min(to, v)) }
	for i := 0; i < len(out.Pix); i += 4 {
		x := math.Abs(float64(i/4%out.Rect.Dx())+0.5-cx) / s
		y := (float64(i/4/out.Rect.Dx()) + 0.5 - cy) / s
		rim := math.Abs(math.Hypot((x-aside)/wide, (y-below)/high)-1) * (wide + high) / 2
		bridge := math.Hypot(x-between(x, 0, aside-wide+0.02), y+0.04-0.4*x*x)
		temple := math.Hypot(x-between(x, aside+wide-0.02, 1.05), y-hinge)
		cover := between((stroke/2-math.Min(rim, math.Min(bridge, temple)))*s+0.5, 0, 1)
		for k, c := range [3]float64{34, 30, 32} {
			out.Pix[i+k] = uint8(float64(out.Pix[i+k]) + 0.94*cover*(c-float64(out.Pix[i+k])))
		}
	}
	return out
}

// filtered is a picture under a faded, greenish filter.
func filtered(img *image.NRGBA) *image.NRGBA {
	out := imaging.Clone(img)
	for i := 0; i < len(out.Pix); i += 4 {
		for k, c := range [3]float64{0.42, 0.5, 0.36} {
			out.Pix[i+k] = uint8(70 + c*float64(out.Pix[i+k]))
		}
	}
	return out
}
