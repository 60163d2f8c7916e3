package catalog

// Family E: videos out of pictures, films, sounds and words (Run API, "Family E"). The document omits the identifiers of
// agents and engines: each agent here is one real variant of the shape under a neutral name, and the operator's overlay
// gives the names of an account.
// ASSUMED [Agents and engines whose names]: which variant has which lengths and limits; the document gives the ends (2s to 30s; references 4 to 30, films 1
// to 10, sounds 3 to 10).

func familyE() []Agent {
	standard := Option{Value: "standard", Title: "Standard", Help: "The usual choice."}
	fast := Option{Value: "fast", Title: "Fast", Help: "Quick and plain."}
	pro := Option{Value: "pro", Title: "Pro", Help: "The strongest."}
	return []Agent{
		further("E", Agent{
			Name: "image-to-video", Title: "Picture to video", Summary: "Sets one picture in motion.",
			Makes: MakesVideo, Embedded: "A camera move with depth over the picture, steered by your words; who stands in it only sways, and rain, snow and petals are drawn.",
			Files: []File{onePicture("First frame", "The picture the video begins with.")},
			Params: []Param{
				motion(), modelName(standard, fast, pro),
				lengths("6s", "10s"), aspectRatio("", "16:9", "9:16", "1:1"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "frames-to-video", Title: "From frame to frame", Summary: "Moves from a first picture to a last one.",
			Makes: MakesVideo, Embedded: "What shows in both pictures moves from where it was to where it will be, the rest dissolves, and of your words only weather and titles are followed. One picture alone gets a camera move.",
			Files: []File{pictures("Frames", "First the picture the video begins with; a second one is what it ends with.", 1, 2, "First frame", "Last frame")},
			Params: []Param{
				motion(), modelName(standard, pro),
				length(2, 12), aspectRatio("", "16:9", "9:16", "1:1", "adaptive"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "text-to-video", Title: "Words to video", Summary: "Makes the video you describe, from words alone or beginning and ending with your pictures.",
			Makes: MakesVideo, Embedded: "A camera move over your pictures, or over the drawn scene or title your words give, whose water moves.",
			Files: []File{pictures("Frames", "A picture to begin with and one to end with; both may stay empty.", 0, 2, "First frame", "Last frame")},
			Params: []Param{
				motion(), modelName(standard, fast),
				length(3, 15), aspectRatio("", "auto", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "reference-to-video", Title: "References to video", Summary: "Makes a video with the people, things, moves and voices of your references.",
			Makes: MakesVideo, Embedded: "Pictures and films are shown one after the other with camera moves by your words; nothing new is made out of them.",
			Files: []File{
				pictures("Pictures", "Up to four pictures of people, things or places.", 0, 4),
				films("Films", "One film whose moves are taken.", 0, 1),
				sounds("Sounds", "Up to three voices or sounds.", 3),
			},
			Params: []Param{
				motion(), modelName(standard, pro),
				length(4, 16), aspectRatio("", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9"), generateAudio(), countOf("Videos"),
			},
		}),
		advancedVideo(standard, fast, pro),
		multimodalVideo(standard, pro),
		further("E", Agent{
			Name: "motion-transfer", Title: "Motion transfer", Summary: "Lets the figure of your picture move as the person in a film does.",
			Makes: MakesVideo, Embedded: "The figure goes, leans and bends as the person in the film does, in one piece; limbs are not told apart. Your words move the camera and bring weather. Film and picture must each show somebody before a background.",
			Files: []File{
				onePicture("Figure", "The figure that is to move."),
				films("Video with the motion", "The video whose motion is transferred.", 1, 1),
			},
			Params: []Param{textDescription("What else", "May stay empty."), modelName(standard, pro), countOf("Videos")},
		}),
	}
}

// frames are the file fields of agents that begin and end with given frames; they are params alone on the wire.
func frames() []File {
	return []File{
		{Name: "firstFrame", Title: "First frame", Media: Image, Max: 1, ParamOnly: true, Help: "The picture the video begins with, in place of references."},
		{Name: "lastFrame", Title: "Last frame", Media: Image, Max: 1, ParamOnly: true, Help: "The picture the video ends with; needs a first frame."},
	}
}

func lastNeedsFirst() Rule {
	return Rule{Kind: OnlyWhen, Fields: []string{"lastFrame"}, When: &Condition{Field: "firstFrame"}, Message: "Last frame: it needs a first frame."}
}

// adaptiveWith says that the shape follows what is given in the field.
func adaptiveWith(field, message string) Rule {
	return Rule{Kind: Forced, Fields: []string{"aspectRatio"}, Values: []string{"adaptive"}, When: &Condition{Field: field}, Message: message}
}

// advancedVideo is the reference and extension agent with every rule of its paragraph (Run API, "Family E").
func advancedVideo(models ...Option) Agent {
	return further("E", Agent{
		Name: "advanced-video", Title: "Video director", Summary: "Makes a video by references, between two frames, or as the continuation of a film.",
		Makes: MakesVideo, Embedded: "A camera move by your words over your references or the first frame, which turns into the last one where there is one; a film goes on with the motion it ends with, without the references beside it. Nothing new is invented.",
		Files: append(frames(),
			pictures("Reference pictures", "Up to 30 pictures of people, things or places.", 0, 30),
			films("Reference films", "Up to 10 MP4 or MOV films in 480p or 720p, each 2 to 30 seconds, together at most 30 seconds.", 0, 10),
			sounds("Reference sounds", "Up to 10 voices or sounds.", 10),
			File{
				Name: "extendVideo", Title: "Film to continue", Media: Video, Max: 1, ParamOnly: true,
				Help: "The film that is made longer. It counts as the first reference film.",
			},
		),
		Params: []Param{
			motion(),
			{Name: "extendDirection", Kind: Enum, Title: "Continue", Help: "Where the new part goes.", Options: []Option{
				{Value: "forward", Title: "Forward", Help: "After the end of the film."},
				{Value: "backward", Title: "Backward", Help: "Before its beginning."},
			}},
			modelName(models...),
			{
				Name: "duration", Kind: Duration, Title: "Length", Help: "How long the video is.", Min: new(4), Max: new(30), Unit: "s",
				Options: []Option{{Value: "-1", Title: "Chosen by the agent"}},
			},
			aspectRatio("", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9", "adaptive"),
			{
				Name: "resolution", Kind: Enum, Title: "Resolution", Help: "How fine the video is.", Default: "720p",
				Options: plain("480p", "720p", "1080p", "4k"),
			},
			generateAudio(), outputFormat("mp4", "mov"),
			{
				Name: "returnLastFrame", Kind: Bool, Title: "Keep the last frame", Default: false, Advanced: true,
				Help: "The last frame comes as a picture beside the video. The embedded service makes it fit to be used again: at least 513 pixels on each side, under twice as long as wide.",
			},
			countOf("Videos"),
		},
		Rules: []Rule{
			{
				Kind: ForbiddenWith, Fields: []string{"firstFrame"}, With: []string{"images", "videos", "audios", "extendVideo"},
				Message: "First frame: it cannot be used together with reference pictures, films, sounds or a film to continue.",
			},
			lastNeedsFirst(),
			{
				Kind: RequiredWhen, Fields: []string{"extendDirection"}, When: &Condition{Field: "extendVideo"},
				Message: "Continue: say whether the film goes on forward or backward.",
			},
			// ASSUMED [extendDirection without]: accepted and ignored without a film to continue; the document says only where it is required.
			{
				Kind: NoEffectWhen, Fields: []string{"extendDirection"}, When: none("extendVideo"),
				Message: "The direction has no effect here: there is no film to continue.",
			},
			adaptiveWith("firstFrame", "Shape: with a first frame it is adaptive, the shape of that frame."),
			adaptiveWith("extendVideo", "Shape: with a film to continue it is adaptive, the shape of that film."),
			{Kind: MaxItems, Fields: []string{"videos", "extendVideo"}, Max: 10, Message: "Reference films: at most 10, the film to continue counted."},
			{
				Kind: MaxItems, Fields: []string{"images", "videos", "audios", "extendVideo"}, Max: 50,
				Message: "References: at most 50 files, pictures, films and sounds together.",
			},
			// ASSUMED [Limits of reference videos]: what is said of reference films holds for the film to continue too, since it counts as the first of them.
			{
				Kind: EachFile, Fields: []string{"videos", "extendVideo"},
				Facts:   &FactLimits{Containers: []string{"mp4", "mov"}, Lines: []int{480, 720}, MinSeconds: 2, MaxSeconds: 30},
				Message: "Films: each is MP4 or MOV, 480p or 720p, and lasts 2 to 30 seconds.",
			},
			{Kind: TotalSeconds, Fields: []string{"videos", "extendVideo"}, Max: 30, Message: "Reference films: at most 30 seconds together."},
			{
				Kind: ValuesWhen, Fields: []string{"resolution"}, Values: []string{"4k"}, When: engine("pro"),
				Message: "Resolution: 4k is for the Pro engine only.",
			},
		},
	})
}

// multimodalVideo begins with a frame or goes by references.
// ASSUMED [How the multimodal agent]: a first frame is what makes a request image-to-video; without one it is in reference mode. The document names
// the two modes of this agent and not how they are told apart.
func multimodalVideo(models ...Option) Agent {
	return further("E", Agent{
		Name: "multimodal-video", Title: "Video from everything", Summary: "Makes a video out of a first frame, or out of pictures, films and sounds to go by.",
		Makes: MakesVideo, Embedded: "A camera move by your words over the first frame, or over pictures and films one after the other; nothing new is invented.",
		Files: append(frames(),
			pictures("Reference pictures", "Up to 9 pictures to go by.", 0, 9),
			films("Reference films", "Up to 3 films to go by.", 0, 3),
			sounds("Reference sounds", "Up to 5 sounds to go by.", 5),
		),
		Params: []Param{
			motion(), modelName(models...), lengths("4s", "6s", "8s", "10s"),
			aspectRatio("adaptive", "adaptive", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9"), generateAudio(), countOf("Videos"),
		},
		Rules: []Rule{
			{
				Kind: ForbiddenWith, Fields: []string{"firstFrame"}, With: []string{"images", "videos", "audios"},
				Message: "First frame: it cannot be used together with reference pictures, films or sounds.",
			},
			lastNeedsFirst(),
			adaptiveWith("firstFrame", "Shape: with a first frame it is adaptive, the shape of that frame."),
			{
				Kind: FallsBack, Fields: []string{"aspectRatio"}, Values: []string{"adaptive", "16:9"},
				When:    &Condition{Field: "firstFrame", Not: true, Also: []Condition{{Field: "images", Not: true}, {Field: "videos", Not: true}}},
				Message: "Shape: there is no picture or film to follow, so 16:9 is used.",
			},
		},
	})
}

func motion() Param {
	return required(textDescription("What happens", "Describe the motion, the camera and the mood."))
}

// length is a duration between two ends, in seconds.
func length(from, to int) Param {
	return Param{Name: "duration", Kind: Duration, Title: "Length", Help: "How long the video is.", Min: &from, Max: &to, Unit: "s"}
}

// lengths is a duration out of a set.
func lengths(values ...string) Param {
	return Param{Name: "duration", Kind: Duration, Title: "Length", Help: "How long the video is.", Options: plain(values...)}
}

// generateAudio is the text true or false, not a boolean (Run API, "Family E").
func generateAudio() Param {
	return Param{Name: "generateAudio", Kind: Enum, Title: "Sound", Help: "Whether the video gets sound.", Options: []Option{
		{Value: "true", Title: "With sound"},
		{Value: "false", Title: "Silent"},
	}}
}
