package catalog

// Family D: general pictures with a choice of engines (Run API, "Family D"). The document omits the identifiers of agents
// and engines: each agent here is one real variant of the shape under a neutral name, and the operator's overlay gives
// the names of an account.
// ASSUMED [Agents and engines whose names]: which variant of the shape has which of its limits. The document says that limits differ by agent and engine
// and gives the ends: 1 to 16 pictures, the shapes and qualities that only some engines take.

// What the embedded service does for every agent that makes pictures out of words: of one picture, of several too, and with words
// that say nothing to it.
const (
	drawnOfOne    = "Text alone gives a drawn scene; one picture is cut out, turned, restyled or graded as your text says.\n"
	drawnByWords  = drawnOfOne + "Several pictures are set together; where your text says what to do to a picture, only the first is changed. " + notUnderstood
	notUnderstood = "Words in quotes are written on it; words that are not understood change only the tones."
)

func familyD() []Agent {
	standard := Option{Value: "standard", Title: "Standard", Help: "The usual choice."}
	fast := Option{Value: "fast", Title: "Fast", Help: "Quick and simple; at most one picture."}
	pro := Option{Value: "pro", Title: "Pro", Help: "The strongest; more pictures and shapes."}
	search := Option{Value: "search", Title: "Search", Help: "May search the web; very long shapes too."}
	lite := Option{Value: "lite", Title: "Lite", Help: "Light and quick; the only one with 3K."}
	newer := Option{Value: "newer", Title: "Newer", Help: "The newest, with the two highest qualities."}
	wish := func() Param {
		return required(textDescription("What to show", "Describe the picture, or what should change."))
	}
	return []Agent{
		further("D", Agent{
			Name: "image-studio", Title: "Picture studio", Summary: "Makes or edits a picture from your text, with up to sixteen reference pictures.",
			Embedded: drawnByWords,
			Files:    []File{pictures("Pictures", "Optional: pictures to edit or to use as references.", 0, 16)},
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
			Name: "image-search", Title: "Picture with search", Summary: "Makes or edits a picture from your text and may search the web for facts first.",
			Embedded: drawnByWords + " It does not search the web.",
			Files:    []File{pictures("Pictures", "Optional: pictures to edit or to use as references.", 0, 14)},
			Params: []Param{
				wish(), modelName(standard, search),
				aspectRatio("", orAuto("4:5", "5:4", "1:4", "4:1", "1:8", "8:1")...),
				imageSize("", "1K", "2K", "4K"),
				{Name: "tools", Kind: Strings, Title: "Tools", Help: "What the engine may use.", Advanced: true, Options: []Option{
					{Value: "web_search", Title: "Web search", Help: "The engine may look up facts first; the embedded service does not."},
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
			Name: "image-light", Title: "Picture in four sizes", Summary: "Makes or edits a picture from your text, in up to four sizes.",
			Embedded: drawnByWords,
			Files:    []File{pictures("Pictures", "Optional: pictures to edit or to use as references.", 0, 10)},
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
			Name: "image-quality", Title: "Picture with a choice of quality", Summary: "Makes or edits a picture from your text, in the quality you choose.",
			Embedded: drawnByWords + " Higher quality is drawn finer or sharpened more.",
			Files:    []File{pictures("Pictures", "Optional: pictures to edit or to use as references.", 0, 16)},
			Params: []Param{
				wish(), modelName(standard, newer), aspectRatio("", "auto", "1:1", "2:3", "3:2"),
				{
					Name: "quality", Kind: Enum, Title: "Quality", Help: "Higher quality takes longer and costs more.", Default: "low",
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
			Name: "image-edit", Title: "Edit a picture", Summary: "Edits one picture, with or without text.",
			Embedded: drawnOfOne + notUnderstood,
			Files:    []File{optional(onePicture("Picture", "The picture to edit. Optional when you describe one."))},
			Params: []Param{
				textDescription("What should change", "Optional when there is a picture."),
				modelName(standard, pro), aspectRatio("", orAuto()...), imageSize("", "1K", "2K", "4K"), count(),
			},
			// ASSUMED [Edits by picture alone]: with neither there is nothing to do; the document says that edits by picture alone work.
			Rules: []Rule{{Kind: AtLeastOne, Fields: []string{"images", "textDescription"}, Message: "Add a picture or describe one."}},
		}),
	}
}
