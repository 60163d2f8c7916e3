package catalog

// Family B: several pictures in, a picture out (Run API, "Family B").
// ASSUMED ["2, required" and "up to 10, required"]: "2, required" is exactly two and "up to 10, required" is at least one. The table lists images alone; the agents
// take an optional description and a count too, as all others of the catalog that make pictures.

// cutAndBlended is what the embedded service does for the agents that make one picture out of two.
const cutAndBlended = "By turns: one subject is set into the other picture, or both blend." + lightAlone +
	"\nThe first picture's subject is set into the second beside the people there, the second's into the first, and both fade into each other."

func familyB() []Agent {
	wish := func() Param { return ownWording("What it should look like", "Describe what matters to you.") }
	return []Agent{
		further("B", Agent{
			Name: "ai-clothes-changer", Title: "Change clothes", Summary: "Dresses the person of one photo in the garment of another.",
			Embedded: "The garment is fitted to the body and arms, without new folds. Your text chooses the top, the trousers or both.\nWorn or flat, it is fitted row by row; what still shows of the old clothes takes its colour.",
			Files:    []File{pictures("Person and garment", "First the person, then the garment.", 2, 2, "Person", "Garment")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-face-merge", Title: "Merge faces", Summary: "Gives the person of one photo features of the face in another.",
			Embedded: "Eyes and mouth meet half way between both faces, and the skin tones mix. Text is not used.\nThe shares differ from result to result.",
			Files:    []File{pictures("Two faces", "First the photo to keep, then the face to merge in.", 2, 2, "Photo to keep", "Face to merge in")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-image-combiner", Title: "Combine pictures", Summary: "Makes one picture from two.",
			Embedded: cutAndBlended,
			Files:    []File{pictures("Two pictures", "First the subject, then the picture it is set into.", 2, 2, "Picture 1", "Picture 2")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "image-mixer", Title: "Mix pictures", Summary: "Blends two pictures into a new one.",
			Embedded: cutAndBlended,
			Files:    []File{pictures("Two pictures", "The two pictures to mix.", 2, 2, "Picture 1", "Picture 2")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-couple-photo-maker", Title: "Couple photo", Summary: "Shows the people of two photos together in one.",
			Embedded: "Both people are cut out and placed side by side in a drawn scene from your text.",
			Files:    []File{pictures("Two people", "One photo of each person.", 2, 2, "First person", "Second person")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-collage-maker", Title: "Collage", Summary: "Arranges up to ten pictures on one sheet.",
			Exact:    true,
			Embedded: "A real collage, by turns: rows, columns, one large picture beside the rest, or scattered prints.\nFrom your text, only the background colour is used.",
			Files:    []File{pictures("Pictures", "Up to ten pictures.", 1, 10)},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-group-photo-generator", Title: "Group photo", Summary: "Shows the people of up to ten photos together in one.",
			Embedded: "All people are cut out and placed side by side in a drawn scene from your text.",
			Files:    []File{pictures("People", "Up to ten photos, one of each person.", 1, 10)},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "baby-face-generator", Title: "Baby face", Summary: "Shows how a baby of the people in the photos may look, or of two people you describe.",
			Embedded: "A drawn baby in the average of the parents' colours, with hair and eyes in those you name; features are not inherited.",
			Files:    []File{pictures("Parents", "Optional: up to two photos, one of each parent.", 0, 2, "First parent", "Second parent")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-landscape-design-free", Title: "Garden design", Summary: "Plans a garden from your yard, a style to follow, or text alone.",
			Embedded: "A path, a pond, shrubs and beds are drawn into the yard or a drawn meadow; colours follow the style picture.\nFrom your text, a path, a pond, lavender and a colour of flowers are used.",
			Files:    []File{pictures("Yard and style", "Optional: first the yard, then a picture whose style to follow.", 0, 2, "Yard", "Style to follow")},
			Params:   []Param{wish(), count()},
		}),
		further("B", Agent{
			Name: "ai-photoshoot", Title: "Photo shoot", Summary: "Sets the person of one photo into the scene of another, as in a photo shoot.",
			Embedded: "The person is cut out and set into the scene with matched light; the pose stays.\nPeople already in the scene are removed. From your text, light and weather are used.",
			Files:    []File{pictures("Person and scene", "First the person, then the scene.", 2, 2, "Person", "Scene")},
			Params: []Param{
				wish(),
				modelName(Option{Value: "qwen", Title: "Qwen"}, Option{Value: "firered", Title: "FireRed"}, Option{Value: "nano", Title: "Nano", Help: "You choose the size."}),
				aspectRatio("auto", orAuto()...),
				imageSize("1K", "1K", "2K", "4K"),
				count(),
			},
			Rules: []Rule{sizedBy("The size has no effect here: only the Nano engine uses it.", []string{"imageSize"}, "nano")},
		}),
	}
}
