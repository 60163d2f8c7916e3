package catalog

// Family C: posters, logos and layouts out of words, some with pictures (Run API, "Family C").
// ASSUMED [Values of aspectRatio and imageSize]: where the table names aspectRatio and imageSize without their values, they are those of the catalog's other
// agents: auto and the eight shapes, 1K, 2K and 4K.

func familyC() []Agent {
	jimeng := Option{Value: "jimeng", Title: "Jimeng"}
	nano := Option{Value: "nano", Title: "Nano", Help: "You choose the shape and the size."}
	nano2 := Option{Value: "nano2", Title: "Nano 2", Help: "You choose the shape and the size."}
	return []Agent{
		exactly(worded("ai-infographic-generator", "Infographic", "Turns what you describe into an infographic.",
			"A real layout: your numbers as bars, rings and large figures, the rest as numbered points.", "The facts, one sentence each.")),
		exactly(worded("flowchart-generator", "Flow chart", "Draws the steps you describe as a flow chart.",
			"A real layout: the steps of your description as boxes, its decisions as diamonds, with arrows.", "The steps in their order, one sentence each.")),
		worded("ai-logo-generator", "Logo", "Designs a logo for the name you give.",
			"A drawn symbol that you name, or initials, with the name, in four arrangements.", "The name, and what the brand stands for."),
		further("C", Agent{
			Name: "z-image", Title: "Picture from text", Summary: "Makes the picture you describe.",
			Embedded: "A drawn scene with the place and time of day you name, and up to five of some forty things and animals.\nIt can also be a drawn portrait. Words in quotes are written on it.",
			Params:   []Param{required(textDescription("What to show", "Describe the picture.")), aspectRatio("1:1", eightShapes()...), count()},
		}),
		further("C", Agent{
			Name: "ai-poster", Title: "Poster", Summary: "Designs a poster from your text and up to six pictures.",
			Embedded: "A real layout: your text as headline and body over your pictures or a drawn scene.",
			Exact:    true,
			Files:    []File{pictures("Pictures", "Optional: up to six pictures for the poster.", 0, 6)},
			Params: []Param{
				required(textDescription("What the poster says", "Headline first, then the text.")),
				modelName(jimeng, nano, nano2),
				aspectRatio("1:1", orAuto()...), imageSize("1K", "1K", "2K", "4K"), count(),
			},
			Rules: []Rule{sizedBy("Shape and size have no effect here: only the Nano engines use them.", []string{"aspectRatio", "imageSize"}, "nano", "nano2")},
		}),
		further("C", Agent{
			Name: "ai-poster-from-images", Title: "Poster from pictures", Summary: "Designs a poster around up to five pictures.",
			Embedded: "A real layout: your text as headline and body over your pictures or a drawn scene.",
			Exact:    true,
			Files:    []File{pictures("Pictures", "Optional: up to five pictures for the poster.", 0, 5)},
			Params: []Param{
				ownWording("What the poster says", "Headline first, then the text."),
				aspectRatio("1:1", orAuto()...), imageSize("1K", "1K", "2K", "4K"), count(),
			},
		}),
		further("C", Agent{
			Name: "flat-lay", Title: "Flat lay", Summary: "Shows a product from above on a surface you describe.",
			Embedded: "The product, or the clothes in the photo, is cut out and laid on a drawn surface with drawn props, from your text.",
			Files:    []File{onePicture("Product", "The photo of the product.")},
			Params: []Param{
				required(textDescription("What lies around it", "Describe the surface and the mood.")),
				modelName(nano2, nano), imageSize("1K", "1K", "2K", "4K"), aspectRatio("1:1", orAuto()...), count(),
			},
		}),
		further("C", Agent{
			Name: "face-forge", Title: "New face", Summary: "Creates a person's face from text and up to three pictures.",
			Embedded: "Faces in the pictures are merged; text alone gives a drawn portrait in the colours you name.",
			Files:    []File{pictures("Pictures", "Optional: up to three pictures for the face to resemble.", 0, 3)},
			Params: []Param{
				ownWording("What the face looks like", "Age, hair, expression, light."),
				modelName(jimeng, nano), imageSize("", "1K", "2K", "4K"), aspectRatio("", orAuto()...), count(),
			},
			Rules: []Rule{sizedBy("Shape and size have no effect here: only the Nano engine uses them.", []string{"imageSize", "aspectRatio"}, "nano")},
		}),
	}
}

// worded is the shape of agents that take words and no file.
func worded(name, title, summary, embedded, help string) Agent {
	return further("C", Agent{
		Name: name, Title: title, Summary: summary, Embedded: embedded,
		Params: []Param{required(textDescription("What it says", help)), count()},
	})
}
