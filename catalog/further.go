package catalog

import "slices"

// What the further agents share (Run API, "Catalog of further agents"). Each call makes its own copy.

// further completes an agent of the run surface alone: the documents give all of them version v1.0 there.
func further(family string, a Agent) Agent {
	a.Version, a.Family, a.Surfaces = v1, family, []Surface{Run}
	if a.Makes == "" {
		a.Makes = MakesImage
	}
	if a.Files == nil {
		a.Files = []File{}
	}
	if a.Rules == nil {
		a.Rules = []Rule{}
	}
	return a
}

// exactly makes an agent one of which the embedded service does all that its summary says.
func exactly(a Agent) Agent {
	a.Exact = true
	return a
}

// onePicture is an images field that takes exactly one picture, the one that is worked on.
func onePicture(title, help string) File {
	return File{Name: "images", Title: title, Help: help, Media: Image, Min: 1, Max: 1, List: true, Source: true}
}

// optional makes a file field that may stay empty.
func optional(f File) File {
	f.Min = 0
	return f
}

// pictures is an images field for several pictures.
func pictures(title, help string, least, most int, roles ...string) File {
	return File{Name: "images", Title: title, Help: help, Media: Image, Min: least, Max: most, List: true, Roles: roles}
}

func films(title, help string, least, most int) File {
	return File{Name: "videos", Title: title, Help: help, Media: Video, Min: least, Max: most, List: true}
}

func sounds(title, help string, most int) File {
	return File{Name: "audios", Title: title, Help: help, Media: Audio, Max: most, List: true}
}

// ownWording is an optional description where the agent has a wording of its own when none is given.
func ownWording(title, help string) Param {
	return textDescription(title, help+" When empty, the agent uses its own wording.")
}

// count is the batchCount of the further agents: 1 to 16, default 1 (Run API, "Catalog of further agents").
// ASSUMED [batchCount of the further agents]: every agent of the families A to E and G takes it, since the catalog says it of all; of family F only the one
// whose table lists it.
func count() Param { return batchCount(1, 1) }

// countOf is count where the results are no images, or not only.
func countOf(results string) Param {
	p := count()
	p.Title = results
	return p
}

// eightShapes are the shapes that every image agent of the documents offers.
func eightShapes() []string {
	return []string{"1:1", "2:3", "3:2", "3:4", "4:3", "9:16", "16:9", "21:9"}
}

// orAuto is automatic, the eight shapes, and more.
func orAuto(more ...string) []string { return slices.Concat([]string{"auto"}, eightShapes(), more) }

// shapes makes options of aspectRatio.
func shapes(values ...string) []Option {
	words := map[string]string{
		"auto":     "Chosen by the agent.",
		"adaptive": "The shape of the picture or video you add.",
		"1:1":      "Square.",
		"16:9":     "Wide, like a screen.",
		"9:16":     "Upright, like a phone.",
		"21:9":     "Very wide, like cinema.",
	}
	options := plain(values...)
	for i, o := range options {
		options[i].Help = words[o.Value]
		switch o.Value {
		case "auto":
			options[i].Title = "Automatic"
		case "adaptive":
			options[i].Title = "As given"
		}
	}
	return options
}

// aspectRatio offers the shapes; standard is the default, "" when the documents give none.
func aspectRatio(standard string, values ...string) Param {
	p := Param{Name: "aspectRatio", Kind: Enum, Title: "Shape", Help: "Width to height of the result.", Options: shapes(values...)}
	if standard != "" {
		p.Default = standard
	}
	return p
}

// imageSize offers the sizes; standard is the default, "" when the documents give none.
func imageSize(standard string, values ...string) Param {
	p := Param{Name: "imageSize", Kind: Enum, Title: "Size", Help: "Size of the result.", Options: plain(values...)}
	if standard != "" {
		p.Default = standard
	}
	return p
}

// modelName offers model variants; the first is the default.
func modelName(options ...Option) Param {
	return Param{Name: "modelName", Kind: Enum, Title: "Engine", Help: "The model that does the work.", Default: options[0].Value, Options: options}
}

func outputFormat(values ...string) Param {
	return Param{Name: "outputFormat", Kind: Enum, Title: "File type", Default: values[0], Advanced: true, Options: plain(values...)}
}

// engine is the condition that one of these engines does the work.
func engine(models ...string) *Condition { return &Condition{Field: "modelName", In: models} }

// none is the condition that a param has none of the values; without values, that it is not given.
func none(field string, values ...string) *Condition {
	return &Condition{Field: field, In: values, Not: true}
}

// sizedBy says that shape and size do something with some engines only.
func sizedBy(message string, fields []string, models ...string) Rule {
	return Rule{Kind: NoEffectWhen, Fields: fields, When: none("modelName", models...), Message: message}
}
