package catalog

// The six original agents (Task API, "Agent parameters (v1 surface)"; Run API, "Original agents as run agents").

// v1 is the version of every agent the documents list.
const v1 = "v1.0"

// both is the surfaces of the five agents that the task surface knows too.
func both() []Surface { return []Surface{Task, Run} }

func originals() []Agent {
	return []Agent{aimodel(), aiproduct(), aipose(), expandimage(), removeBG(), virtualtryon()}
}

func aimodel() Agent {
	return Agent{
		Name: "aimodel", Version: v1, Family: "original", Makes: MakesImage, Surfaces: both(),
		Title:    "New model, new scene",
		Summary:  "Keeps the clothing or the part you choose and redraws the rest: another model, another place.",
		Embedded: "In the photo's own pose the kept part stays exact pixel for pixel; in another the whole figure is placed and turned anew. The scene comes from the location, the face and the tone of the skin from the model; hair keeps its cut, darkens towards the model's and hardly lightens. Your words name a place, its light and a colour of the clothes. No neural model invents anything.",
		Files:    []File{originalImage("Photo", "The photo that is worked on, such as a person wearing the garment.")},
		Params: []Param{
			generatedContent(),
			maskType("autoApparelSegment", "autoUpperApparelSegment", "autoLowerApparelSegment", "autoSubjectSegment",
				"autoHumanSegment", "inverseAutoHumanSegment", "custom"),
			customMask(), customMaskURL(),
			locationID(),
			locationTagIDs(),
			{
				Name: "fashionModelId", Kind: Preset, PresetKind: "fashionModels", Title: "Model", Min: new(1),
				Help: "The person whose face and look the results take.",
			},
			{
				Name: "fashionModelTagIds", Kind: Tags, PresetKind: "fashionModels", Title: "Model tags", Advanced: true,
				Help: "Let the service choose a model that carries these tags.",
			},
			textDescription("What should change", "Describe the new picture: place, light, mood."),
			negTextDescription(),
			{Name: "pose", Kind: Enum, Title: "Pose", Default: "originalImagePose", Advanced: true, Options: []Option{
				{Value: "originalImagePose", Title: "Same as the photo", Help: "Best for photos of a model: product details stay unchanged."},
				{Value: "referenceImagePose", Title: "As in the scene", Help: "Takes the pose of the scene's reference; the product adjusts."},
				{Value: "freePose", Title: "Free", Help: "Any pose; the product adjusts."},
			}},
			resultImageFormat(), resizeToOriginalImage(), batchCount(4, 4),
		},
		Rules: append(maskRules(),
			Rule{
				Kind: AtLeastOne, Fields: []string{"locationId", "fashionModelId", "textDescription"},
				Message: "Choose a scene or a model, or describe what should change.",
			},
			Rule{
				Kind: NoEffectWhen, Fields: []string{"fashionModelId"},
				When:    &Condition{Field: "maskType", In: []string{"autoSubjectSegment"}},
				Message: "The model has no effect here: the whole person is kept and only the background is redrawn.",
			},
			Rule{
				Kind: NoEffectWhen, Fields: []string{"locationId"},
				When:    &Condition{Field: "maskType", In: []string{"autoHumanSegment"}},
				Message: "The scene has no effect here: only the face is redrawn.",
			},
		),
	}
}

func aiproduct() Agent {
	return Agent{
		Name: "aiproduct", Version: v1, Family: "original", Makes: MakesImage, Surfaces: both(),
		Title:    "New scene for a product",
		Summary:  "Keeps the product and redraws everything around it.",
		Embedded: "The product stays exact pixel for pixel; around it, with matched light and a shadow, is the preset picture, a drawn place that your words name, or a plain studio backdrop.",
		Files:    []File{originalImage("Product photo", "The photo of the product.")},
		Params: []Param{
			generatedContent(),
			maskType("autoSubjectSegment", "custom"),
			customMask(), customMaskURL(),
			locationID(),
			locationTagIDs(),
			textDescription("What should be around it", "Describe the place, the light and the mood."),
			negTextDescription(),
			resultImageFormat(), resizeToOriginalImage(), batchCount(4, 4),
		},
		Rules: append(maskRules(),
			Rule{
				Kind: AtLeastOne, Fields: []string{"locationId", "textDescription"},
				Message: "Choose a scene or describe what should be around the product.",
			},
		),
	}
}

func aipose() Agent {
	return Agent{
		Name: "aipose", Version: v1, Family: "original", Makes: MakesImage, Surfaces: both(),
		Title:    "New pose",
		Summary:  "Keeps the person and the clothing and changes the pose to what you describe.",
		Embedded: "The figure is cut out, warped at its joints as far as its outline allows, and the background is completed behind it; what was hidden is not invented. It reads words such as turn, lean, look left, raise, sit, walk or closer (to sit bends the knees, no seat is drawn), and fails with a sentence where it understands none or the photo does not allow it.",
		Files:    []File{originalImage("Photo", "The photo of the person.")},
		Params: []Param{
			required(textDescription("Pose", "Describe the pose, such as: turned to the left, one arm raised.")),
			{Name: "generateVersion", Kind: Enum, Title: "Engine", Default: "lite", Surfaces: []Surface{Run}, Options: []Option{
				{Value: "lite", Title: "Lite", Help: "The usual choice."},
				// ASSUMED [generateVersion of aipose in answers]: accounts tell a run that was asked for with pro as recommended.
				{Value: "pro", Title: "Pro", Alias: "recommended", Help: "The stronger engine. The embedded service takes longer with it: it finds edges more finely and keeps the best of four tries at the background."},
			}},
			// ASSUMED [batchCount of aipose]: on the task surface too. The agent's own table there names the description alone, while
			// Task API, "Limits" gives batchCount without an exception.
			batchCount(4, 4),
		},
		Rules: []Rule{},
	}
}

func expandimage() Agent {
	return Agent{
		Name: "expandimage", Version: v1, Family: "original", Makes: MakesImage, Surfaces: both(),
		Title:    "Larger canvas",
		Summary:  "Places the photo on a larger canvas and generates what was outside the frame; nothing is stretched.",
		Embedded: "The photo stays exact pixel for pixel; the new area is patches of the photo itself. People cropped by the frame are continued from nearby cloth or skin.",
		Files:    []File{originalImage("Photo", "The photo that gets more room.")},
		Params: []Param{
			// ASSUMED [targetWidth, targetHeight minimum]: at least 1; the documents give the maximum only.
			{
				Name: "targetWidth", Kind: Int, Title: "Width", Required: true, Min: new(1), Max: new(4096), Unit: "px",
				Help: "Width of the new canvas.",
			},
			{
				Name: "targetHeight", Kind: Int, Title: "Height", Required: true, Min: new(1), Max: new(4096), Unit: "px",
				Help: "Height of the new canvas.",
			},
			{
				Name: "fillLeft", Kind: Int, Title: "From the left", Unit: "px", Advanced: true,
				Help: "Where the photo's left edge stands on the canvas; in the middle when empty.",
			},
			{
				Name: "fillTop", Kind: Int, Title: "From the top", Unit: "px", Advanced: true,
				Help: "Where the photo's upper edge stands on the canvas; in the middle when empty.",
			},
			// The run document says "default 4 for these agents" and, of this agent's catalog variant, "default of 1".
			batchCount(4, 1),
		},
		Rules: []Rule{
			{
				Kind: Relative, Fields: []string{"fillLeft"}, Bound: &Bound{Side: "width", Target: "targetWidth", Pad: 8},
				Message: "At least 8 px of the photo's width must stay on the canvas.",
			},
			{
				Kind: Relative, Fields: []string{"fillTop"}, Bound: &Bound{Side: "height", Target: "targetHeight", Pad: 8},
				Message: "At least 8 px of the photo's height must stay on the canvas.",
			},
		},
	}
}

func removeBG() Agent {
	return Agent{
		Name: "removeBG", Version: v1, Family: "original", Makes: MakesImage, Surfaces: both(),
		Title:    "Cut out",
		Summary:  "Removes the background: transparent, one colour, or a backdrop of your choice.",
		Embedded: "A real cut-out with soft edges by classical segmentation; hair and glass are approximate.",
		Files:    []File{originalImage("Photo", "The photo whose background goes.")},
		Params: []Param{
			cutOutMaskType(),
			customMask(), customMaskURL(),
			{
				Name: "backgroundId", Kind: Preset, PresetKind: "backgrounds", Title: "Backdrop", Min: new(1),
				Help: "A backdrop the service offers. Transparent when neither a backdrop nor a colour is chosen.",
			},
			{
				Name: "backgroundHex", Kind: Colour, Title: "Background colour",
				Help: "Such as #F2F2F2.",
			},
			startAt(batchCount(4, 4), 1), // the cut-outs of one photo are alike
		},
		// ASSUMED [removeBG with neither]: neither backdrop nor colour gives a transparent result on both surfaces. The run document's catalog
		// variant says so; the task document only "expects" one of the two, and one older table requires one.
		Rules: append(maskRules(),
			// ASSUMED [removeBG with both]: the backdrop wins when both are given; the documents say "one of".
			Rule{
				Kind: NoEffectWhen, Fields: []string{"backgroundHex"}, When: &Condition{Field: "backgroundId"},
				Message: "The colour has no effect here: a backdrop is chosen.",
			},
		),
	}
}

func virtualtryon() Agent {
	return Agent{
		Name: "virtualtryon", Version: v1, Family: "original", Makes: MakesImage, Surfaces: []Surface{Run},
		Keeps:    "autoSubjectSegment",
		Title:    "Try on",
		Summary:  "Shows a garment on a person: your own model, your own place, or ones the service makes up.",
		Embedded: "The garment is fitted row by row to the body of the model picture, or to a dummy without one, sleeves along its arms; folds are not new. Who wears it in the photo keeps their figure and takes over face, skin and hair of the model. Your words name the kind of garment, a place and its light.",
		Files: []File{
			originalImage("Garment", "The garment to keep. In the description it is 'Figure 1'."),
			{
				Name: "fashionModelImage", Title: "Model photo", Media: Image, Max: 1,
				Help: "The person in the results resembles this one. In the description it is 'Figure 2'.",
			},
			{
				Name: "locationImage", Title: "Scene photo", Media: Image, Max: 1,
				Help: "Used as the background. In the description it is 'Figure 3'.",
			},
		},
		Params: []Param{
			{Name: "generateVersion", Kind: Enum, Title: "Engine", Required: true, Options: []Option{
				{Value: "serviceFlash", Title: "Fast"},
				{Value: "servicePro", Title: "High quality", Help: "You may choose the shape. The embedded service takes longer with it: it finds edges more finely, uses more of the model photo and the scene, and keeps the best of four tries at what it completes."},
				{Value: "partnerPro", Title: "Partner", Help: "You choose the size and may choose the shape."},
			}},
			{Name: "descriptionType", Kind: Enum, Title: "Description", Required: true, Options: []Option{
				{Value: "custom", Title: "I write it"},
				{Value: "auto", Title: "Written for me"},
			}},
			textDescription("What should happen", "'Figure 1' is the garment, 'Figure 2' the model, 'Figure 3' the scene."),
			{
				Name: "aspectRatio", Kind: Enum, Title: "Shape",
				Options: plain("1:1", "2:3", "3:2", "3:4", "4:3", "9:16", "16:9", "21:9"),
			},
			{Name: "imageSize", Kind: Enum, Title: "Size", Options: plain("1K", "2K", "4K")},
			batchCount(1, 1),
		},
		Rules: []Rule{
			{
				Kind: RequiredWhen, Fields: []string{"textDescription"},
				When:    &Condition{Field: "descriptionType", In: []string{"custom"}},
				Message: "Write what should happen, or let the description be written for you.",
			},
			{
				Kind: OnlyWhen, Fields: []string{"aspectRatio"},
				When:    &Condition{Field: "generateVersion", In: []string{"servicePro", "partnerPro"}},
				Message: "The shape can be chosen only with the High quality and Partner engines.",
			},
			{
				Kind: RequiredWhen, Fields: []string{"imageSize"},
				When:    &Condition{Field: "generateVersion", In: []string{"partnerPro"}},
				Message: "Choose the size: the Partner engine needs 1K, 2K or 4K.",
			},
			// ASSUMED [imageSize without partnerPro]: accepted and ignored by the other engines; the document says only where it is required.
			{
				Kind: NoEffectWhen, Fields: []string{"imageSize"},
				When:    &Condition{Field: "generateVersion", In: []string{"partnerPro"}, Not: true},
				Message: "The size has no effect here: only the Partner engine reads it.",
			},
		},
	}
}
