package catalog

// Family D: general pictures with a choice of engines (Run API, "Family D"). The document omits the identifiers of agents
// and engines: each agent here is one real variant of the shape under a neutral name, and the operator's overlay gives
// the names of an account.
// ASSUMED [Agents and engines whose names]: which variant of the shape has which of its limits. The document says that limits differ by agent and engine
// and gives the ends: 1 to 16 pictures, the shapes and qualities that only some engines take.

// What the embedded service does for every agent that makes pictures out of words: of one picture, of several too, and with words
// that say nothing to it.
const (
	drawnOfOne    = "Words alone give a drawn scene; one picture is cut out, turned, restyled or graded as your words say"
	drawnByWords  = drawnOfOne + "; several are set together, but where your words say what to do to a picture it is done to the first alone." + notUnderstood
	notUnderstood = " Words in quotes are written on it; those that are not understood change the tones only."
)

func familyD() []Agent {
	standard := Option{Value: "standard", Title: "Standard", Help: "The usual choice."}
	fast := Option{Value: "fast", Title: "Fast", Help: "Quick and plain; one picture at most."}
	pro := Option{Value: "pro", Title: "Pro", Help: "The strongest; more pictures and shapes."}
	search := Option{Value: "search", Title: "Search", Help: "May look things up; very long shapes too."}
	lite := Option{Value: "lite", Title: "Lite", Help: "Light and quick, and the only one with 3K."}
	newer := Option{Value: "newer", Title: "Newer", Help: "The newest one, with the two highest qualities."}
	wish := func() Param {
		return required(textDescription("What to show", "Describe the picture, or what should change."))
	}
	return []Agent{
		further("D", Agent{
			Name: "image-studio", Title: "Picture studio", Summary: "Makes or edits a picture by your words, with up to sixteen pictures to go by.",
			Embedded: drawnByWords,
			Files:    []File{pictures("Pictures", "Pictures to edit or to go by; may stay empty.", 0, 16)},
			Params: []Param{
				wish(), modelName(standard, fast, pro),
				aspectRatio("", orAuto("4:5", "5:4")...),
				imageSize("", "1K", "2K", "4K"), outputFormat("jpeg", "png"), count(),
			},
			Rules: []Rule{
				{Kind: MaxItems, Fields: []string{"images"}, When: engine("standard"), Max: 4, Message: "Pictures: at most 4 with the Standard engine."},
				{Kind: MaxItems, Fields: []string{"images"}, When: engine("fast"), Max: 1, Message: "Pictures: at most 1 with the Fast engine."},
				{
					Kind: ValuesWhen, Fields: []string{"aspectRatio"}, Values: []string{"4:5", "5:4"}, When: engine("pro"),
					Message: "Shape: 4:5 and 5:4 are for the Pro engine only.",
				},
			},
		}),
		further("D", Agent{
			Name: "image-search", Title: "Picture with search", Summary: "Makes or edits a picture by your words and may look facts up on the web first.",
			Embedded: drawnByWords + " Nothing is looked up.",
			Files:    []File{pictures("Pictures", "Pictures to edit or to go by; may stay empty.", 0, 14)},
			Params: []Param{
				wish(), modelName(standard, search),
				aspectRatio("", orAuto("4:5", "5:4", "1:4", "4:1", "1:8", "8:1")...),
				imageSize("", "1K", "2K", "4K"),
				{Name: "tools", Kind: Strings, Title: "Tools", Help: "What the engine may use.", Advanced: true, Options: []Option{
					{Value: "web_search", Title: "Web search", Help: "Facts may be looked up before the picture is made; the embedded service looks nothing up."},
				}},
				count(),
			},
			Rules: []Rule{
				{
					Kind: ValuesWhen, Fields: []string{"aspectRatio"}, Values: []string{"1:4", "4:1", "1:8", "8:1"}, When: engine("search"),
					Message: "Shape: 1:4, 4:1, 1:8 and 8:1 are for the Search engine only.",
				},
				{Kind: OnlyWhen, Fields: []string{"tools"}, When: engine("search"), Message: "Tools can be used with the Search engine only."},
			},
		}),
		further("D", Agent{
			Name: "image-light", Title: "Picture in four sizes", Summary: "Makes or edits a picture by your words, in up to four sizes.",
			Embedded: drawnByWords,
			Files:    []File{pictures("Pictures", "Pictures to edit or to go by; may stay empty.", 0, 10)},
			Params: []Param{
				wish(), modelName(standard, lite),
				aspectRatio("", eightShapes()...), imageSize("", "1K", "2K", "3K", "4K"), outputFormat("jpeg", "png"), count(),
			},
			Rules: []Rule{{
				Kind: ValuesWhen, Fields: []string{"imageSize"}, Values: []string{"3K"}, When: engine("lite"),
				Message: "Size: 3K is for the Lite engine only.",
			}},
		}),
		further("D", Agent{
			Name: "image-quality", Title: "Picture with a choice of quality", Summary: "Makes or edits a picture by your words, as carefully as you choose.",
			Embedded: drawnByWords + " More quality is drawn finer or sharpened more.",
			Files:    []File{pictures("Pictures", "Pictures to edit or to go by; may stay empty.", 0, 16)},
			Params: []Param{
				wish(), modelName(standard, newer), aspectRatio("", "auto", "1:1", "2:3", "3:2"),
				{
					Name: "quality", Kind: Enum, Title: "Quality", Help: "More care takes longer and costs more.", Default: "low",
					Options: []Option{
						{Value: "low", Title: "Low"},
						{Value: "medium", Title: "Medium"},
						{Value: "high", Title: "High"},
						{Value: "xhigh", Title: "Very high", Help: "Newer engines only."},
						{Value: "max", Title: "Highest", Help: "Newer engines only."},
					},
				},
				outputFormat("jpeg", "png"), count(),
			},
			Rules: []Rule{{
				Kind: ValuesWhen, Fields: []string{"quality"}, Values: []string{"xhigh", "max"}, When: engine("newer"),
				Message: "Quality: very high and highest are for the Newer engine only.",
			}},
		}),
		further("D", Agent{
			Name: "image-edit", Title: "Edit a picture", Summary: "Edits one picture, by your words or on its own.",
			Embedded: drawnOfOne + "." + notUnderstood,
			Files:    []File{optional(onePicture("Picture", "The picture to edit. It may stay empty when you describe one."))},
			Params: []Param{
				textDescription("What should change", "May stay empty when there is a picture."),
				modelName(standard, pro), aspectRatio("", orAuto()...), imageSize("", "1K", "2K", "4K"), count(),
			},
			// ASSUMED [Edits by picture alone]: with neither there is nothing to do; the document says that edits by picture alone work.
			Rules: []Rule{{Kind: AtLeastOne, Fields: []string{"images", "textDescription"}, Message: "Give a picture, or describe one."}},
		}),
	}
}
