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
		Embedded: "The kept part stays pixel for pixel in the photo's pose; scene and face come from the location and model you choose.\nIn another pose the whole figure is placed anew. The skin tone comes from the model; hair keeps its cut, darkens towards the model's and hardly lightens. From your text, the place, its light and a colour for the clothes are used. No neural model invents anything.",
		Files:    []File{originalImage("Photo", "The photo to work on, such as a person wearing the garment.")},
		Params: []Param{
			generatedContent(),
			maskType("autoApparelSegment", "autoUpperApparelSegment", "autoLowerApparelSegment", "autoSubjectSegment",
				"autoHumanSegment", "inverseAutoHumanSegment", "custom"),
			customMask(), customMaskURL(),
			locationID(),
			locationTagIDs(),
			{
				Name: "fashionModelId", Kind: Preset, PresetKind: "fashionModels", Title: "Model", Min: new(1),
				Help: "The person whose face and look appear in the results.",
			},
			{
				Name: "fashionModelTagIds", Kind: Tags, PresetKind: "fashionModels", Title: "Model tags", Advanced: true,
				Help: "Let the service choose a model with these tags.",
			},
			textDescription("What should change", "Describe the new picture: place, light, mood."),
			negTextDescription(),
			{Name: "pose", Kind: Enum, Title: "Pose", Default: "originalImagePose", Advanced: true, Options: []Option{
				{Value: "originalImagePose", Title: "Same as the photo", Help: "Best for photos of a model: product details stay unchanged."},
				{Value: "referenceImagePose", Title: "As in the scene", Help: "Uses the pose of the scene's reference; the product adapts."},
				{Value: "freePose", Title: "Free", Help: "Any pose; the product adapts."},
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
		Embedded: "The product stays pixel for pixel, on a preset picture, a drawn place from your text, or a plain studio backdrop.\nThe light is matched and a shadow is added.",
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
		Embedded: "The figure is cut out and bent at its joints; the background is completed. Hidden parts are not invented.\nThe outline limits how far it bends. It reads words such as turn, lean, look left, raise, sit, walk or closer; “sit” bends the knees and draws no seat. The run fails with the reason where no word is understood or the photo does not allow the pose.",
		Files:    []File{originalImage("Photo", "The photo of the person.")},
		Params: []Param{
			required(textDescription("Pose", "Describe the pose, such as: turned to the left, one arm raised.")),
			{Name: "generateVersion", Kind: Enum, Title: "Engine", Default: "lite", Surfaces: []Surface{Run}, Options: []Option{
				{Value: "lite", Title: "Lite", Help: "The usual choice."},
				// ASSUMED [generateVersion of aipose in answers]: accounts tell a run that was asked for with pro as recommended.
				{Value: "pro", Title: "Pro", Alias: "recommended", Help: "The stronger engine. In the embedded service it takes longer: finer edges, and the best of four attempts at the background."},
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
		Embedded: "The photo stays pixel for pixel; the new area is made of patches of the photo.\nPeople cropped by the frame are continued from nearby cloth or skin.",
		Files:    []File{originalImage("Photo", "The photo to place on a larger canvas.")},
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
				Help: "Position of the photo's left edge on the canvas; centred when empty.",
			},
			{
				Name: "fillTop", Kind: Int, Title: "From the top", Unit: "px", Advanced: true,
				Help: "Position of the photo's top edge on the canvas; centred when empty.",
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
		Summary:  "Removes the background: transparent, one colour, or a backdrop.",
		Embedded: "A real cut-out with soft edges by classical segmentation; hair and glass are approximate.",
		Files:    []File{originalImage("Photo", "The photo to cut out.")},
		Params: []Param{
			cutOutMaskType(),
			customMask(), customMaskURL(),
			{
				Name: "backgroundId", Kind: Preset, PresetKind: "backgrounds", Title: "Backdrop", Min: new(1),
				Help: "A backdrop from the service. Transparent when neither a backdrop nor a colour is chosen.",
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
		Summary:  "Shows a garment on a person: your own model and place, or generated ones.",
		Embedded: "The garment is fitted to the body in the model photo, or to a dummy; it gets no new folds.\nIt is fitted row by row, with sleeves along the arms. A person who wears it in the photo keeps their figure and gets the model's face, skin and hair. From your text, the kind of garment, a place and its light are used.",
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
				{Value: "servicePro", Title: "High quality", Help: "Lets you choose the shape. In the embedded service it takes longer: finer edges, more of the model photo and the scene, and the best of four attempts at the completed parts."},
				{Value: "partnerPro", Title: "Partner", Help: "Requires a size and lets you choose the shape."},
			}},
			{Name: "descriptionType", Kind: Enum, Title: "Description", Required: true, Options: []Option{
				{Value: "custom", Title: "Write it myself"},
				{Value: "auto", Title: "Write it for me"},
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
				Message: "Describe what should happen, or choose “Write it for me”.",
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
				Message: "The size has no effect here: only the Partner engine uses it.",
			},
		},
	}
}
