package catalog

// Params, files and rules that several agents share (Task API, "Shared mask and execution parameters"; Run API, "Mask and
// enum semantics"). Each call makes its own copy.

// required makes a param that is optional elsewhere a required one.
//
//go:fix inline
func required(p Param) Param {
	p.Required = true
	return p
}

// plain makes options that say themselves what they mean.
func plain(values ...string) []Option {
	options := make([]Option, len(values))
	for i, v := range values {
		options[i] = Option{Value: v, Title: v}
	}
	return options
}

func originalImage(title, help string) File {
	return File{Name: "originalImage", Title: title, Help: help, Media: Image, Min: 1, Max: 1, Source: true}
}

func generatedContent() Param {
	return Param{Name: "generatedContent", Kind: Enum, Title: "Style", Required: true, Options: []Option{
		{Value: "freeCreation", Title: "New", Help: "Not bound to the style of the photo."},
		{Value: "referToOrigin", Title: "Match the photo", Help: "Follows the style of the photo."},
	}}
}

// maskType offers the named kinds of protected region.
func maskType(values ...string) Param {
	all := map[string]Option{
		"autoApparelSegment":      {Title: "Keep the whole outfit", Help: "Face, body and background are redrawn."},
		"autoUpperApparelSegment": {Title: "Keep the top", Help: "Lower body, face and background are redrawn."},
		"autoLowerApparelSegment": {Title: "Keep the bottom", Help: "Upper body, face and background are redrawn."},
		"autoSubjectSegment":      {Title: "Keep the subject", Help: "Only the background is redrawn."},
		"autoHumanSegment":        {Title: "Redraw the face only", Help: "Everything except the face is kept."},
		"inverseAutoHumanSegment": {Title: "Keep the face", Help: "Body, clothing and background are redrawn."},
		"custom":                  {Title: "Paint it myself", Help: "What you paint is kept, the rest is redrawn."},
	}
	p := Param{Name: "maskType", Kind: Enum, Title: "What to keep", Required: true}
	for _, v := range values {
		o := all[v]
		o.Value = v
		p.Options = append(p.Options, o)
	}
	return p
}

// cutOutMaskType is maskType for removeBG, which takes the background away instead of redrawing it.
func cutOutMaskType() Param {
	p := maskType("autoSubjectSegment", "custom")
	p.Options[0].Help = "Everything else becomes transparent."
	p.Options[1].Help = "What you paint is kept; everything else becomes transparent."
	return p
}

func customMask() Param {
	return Param{
		Name: "customMask", Kind: MaskPNG, Title: "Painted mask",
		Help: "Painted is kept, transparent is redrawn. Same size as the photo.",
	}
}

func customMaskURL() Param {
	return Param{
		Name: "customMaskUrl", Kind: MaskURL, Title: "Mask by address", Advanced: true,
		Help: "A public address of a PNG mask, instead of a painted one.",
	}
}

// maskRules belong to every agent with a maskType.
func maskRules() []Rule {
	return []Rule{
		// Run API, "Mask and enum semantics": exactly one.
		{
			Kind: ExactlyOne, Fields: []string{"customMask", "customMaskUrl"}, Surfaces: []Surface{Run},
			When:    &Condition{Field: "maskType", In: []string{"custom"}},
			Message: "Paint what to keep.",
		},
		// Task API, "Shared mask and execution parameters": one is required when the other is absent.
		// ASSUMED [customMask and customMaskUrl together]: of both, customMask wins.
		{
			Kind: AtLeastOne, Fields: []string{"customMask", "customMaskUrl"}, Surfaces: []Surface{Task},
			When:    &Condition{Field: "maskType", In: []string{"custom"}},
			Message: "Paint what to keep.",
		},
		// ASSUMED [A mask sent with an automatic]: a mask sent with an automatic maskType is ignored, not refused.
		{
			Kind: NoEffectWhen, Fields: []string{"customMask", "customMaskUrl"},
			When:    &Condition{Field: "maskType", In: []string{"custom"}, Not: true},
			Message: "The mask has no effect here: what to keep is found automatically.",
		},
	}
}

func locationID() Param {
	return Param{
		Name: "locationId", Kind: Preset, PresetKind: "locations", Title: "Scene", Min: new(1),
		Help: "The place in the results.",
	}
}

// ASSUMED [Shared params the run tables]: the tag params are read on the run surface too; its tables do not list them and unknown fields are ignored there.
func locationTagIDs() Param {
	return Param{
		Name: "locationTagIds", Kind: Tags, PresetKind: "locations", Title: "Scene tags", Advanced: true,
		Help: "Let the service choose a scene with these tags.",
	}
}

func textDescription(title, help string) Param {
	return Param{Name: "textDescription", Kind: Text, Title: title, Help: help}
}

func negTextDescription() Param {
	return Param{
		Name: "negTextDescription", Kind: Text, Title: "What to avoid", Advanced: true,
		Help: "Things that should not appear.",
	}
}

// ASSUMED [Shared params the run tables]: resultImageFormat and resizeToOriginalImage are read on the run surface too; its tables do not list them and
// unknown fields are ignored there.
func resultImageFormat() Param {
	return Param{Name: "resultImageFormat", Kind: Enum, Title: "File type", Default: "png", Advanced: true, Options: []Option{
		{Value: "png", Title: "PNG"},
		{Value: "jpg", Title: "JPEG"},
	}}
}

func resizeToOriginalImage() Param {
	return Param{
		Name: "resizeToOriginalImage", Kind: Bool, Title: "Same size as the photo", Default: false, Advanced: true,
		Help: "Scales results to the size of the photo.",
	}
}

// batchCount takes the default of either surface.
// ASSUMED [batchCount default]: where the documents give two defaults, what is said of the agent itself beats what is said of all agents:
// expandimage and virtualtryon default to 1 on the run surface. A value out of range is replaced on both surfaces; only
// the task document says so.
func batchCount(task, run int) Param {
	p := Param{
		Name: "batchCount", Kind: Int, Title: "Images", Default: task, Min: new(1), Max: new(16), Lenient: true,
		Help: "Number of results of a run.",
	}
	if run != task {
		p.PerSurface = map[Surface]Override{Run: {Default: run}}
	}
	return p
}

// startAt makes forms begin with a number that is not the default.
func startAt(p Param, n int) Param {
	p.Start = n
	return p
}
