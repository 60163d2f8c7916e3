package catalog

// Family E: videos out of pictures, films, sounds and words (Run API, "Family E"). The document omits the identifiers of
// agents and engines: each agent here is one real variant of the shape under a neutral name, and the operator's overlay
// gives the names of an account.
// ASSUMED [Agents and engines whose names]: which variant has which lengths and limits; the document gives the ends (2s to 30s; references 4 to 30, films 1
// to 10, sounds 3 to 10).

func familyE() []Agent {
	standard := Option{Value: "standard", Title: "Standard", Help: "The usual choice."}
	fast := Option{Value: "fast", Title: "Fast", Help: "Quick and simple."}
	pro := Option{Value: "pro", Title: "Pro", Help: "The strongest."}
	return []Agent{
		further("E", Agent{
			Name: "image-to-video", Title: "Picture to video", Summary: "Sets one picture in motion.",
			Makes: MakesVideo, Embedded: "A camera move with depth over the picture, steered by your text; people only sway; rain, snow and petals are drawn.",
			Files: []File{onePicture("First frame", "The picture the video starts with.")},
			Params: []Param{
				motion(), modelName(standard, fast, pro),
				lengths("6s", "10s"), aspectRatio("", "16:9", "9:16", "1:1"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "frames-to-video", Title: "From frame to frame", Summary: "Moves from a first picture to a last one.",
			Makes: MakesVideo, Embedded: "What shows in both pictures moves between its places; the rest dissolves. Your text adds only weather and titles.\nA single picture gets a camera move.",
			Files: []File{pictures("Frames", "First the picture the video starts with, then the one it ends with.", 1, 2, "First frame", "Last frame")},
			Params: []Param{
				motion(), modelName(standard, pro),
				length(2, 12), aspectRatio("", "16:9", "9:16", "1:1", "adaptive"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "text-to-video", Title: "Text to video", Summary: "Makes the video you describe, from text alone or between your pictures.",
			Makes: MakesVideo, Embedded: "A camera move over your pictures, or over a drawn scene or title from your text, in which water moves.",
			Files: []File{pictures("Frames", "Optional: a picture to start with and one to end with.", 0, 2, "First frame", "Last frame")},
			Params: []Param{
				motion(), modelName(standard, fast),
				length(3, 15), aspectRatio("", "auto", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9"), generateAudio(), countOf("Videos"),
			},
		}),
		further("E", Agent{
			Name: "reference-to-video", Title: "References to video", Summary: "Makes a video with the people, things, motion and voices of your references.",
			Makes: MakesVideo, Embedded: "Pictures and videos are shown one after another with camera moves from your text; nothing new is made from them.",
			Files: []File{
				pictures("Pictures", "Up to four pictures of people, things or places.", 0, 4),
				films("Reference video", "One video whose motion to follow.", 0, 1),
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
			Name: "motion-transfer", Title: "Motion transfer", Summary: "Makes the figure in your picture move like the person in a video.",
			Makes: MakesVideo, Embedded: "The figure moves, leans and bends like the person in the video, in one piece, without separate limbs.\nYour text moves the camera and adds weather. Video and picture must each show a person in front of a background.",
			Files: []File{
				onePicture("Figure", "The figure to move."),
				films("Video with the motion", "The video whose motion is transferred.", 1, 1),
			},
			Params: []Param{textDescription("What else", "Optional."), modelName(standard, pro), countOf("Videos")},
		}),
	}
}

// frames are the file fields of agents that begin and end with given frames; they are params alone on the wire.
func frames() []File {
	return []File{
		{Name: "firstFrame", Title: "First frame", Media: Image, Max: 1, ParamOnly: true, Help: "The picture the video starts with, instead of references."},
		{Name: "lastFrame", Title: "Last frame", Media: Image, Max: 1, ParamOnly: true, Help: "The picture the video ends with; needs a first frame."},
	}
}

func lastNeedsFirst() Rule {
	return Rule{Kind: OnlyWhen, Fields: []string{"lastFrame"}, When: &Condition{Field: "firstFrame"}, Message: "A last frame needs a first frame."}
}

// adaptiveWith says that the shape follows what is given in the field.
func adaptiveWith(field, message string) Rule {
	return Rule{Kind: Forced, Fields: []string{"aspectRatio"}, Values: []string{"adaptive"}, When: &Condition{Field: field}, Message: message}
}

// advancedVideo is the reference and extension agent with every rule of its paragraph (Run API, "Family E").
func advancedVideo(models ...Option) Agent {
	return further("E", Agent{
		Name: "advanced-video", Title: "Video director", Summary: "Makes a video from references, between two frames, or to continue a video.",
		Makes: MakesVideo, Embedded: "A camera move from your text over your references or the first frame; nothing new is invented.\nThe first frame turns into the last one where there is one. A video to continue goes on with its final motion, without the references.",
		Files: append(frames(),
			pictures("Reference pictures", "Up to 30 pictures of people, things or places.", 0, 30),
			films("Reference videos", "Up to 10 MP4 or MOV videos in 480p or 720p, each 2 to 30 seconds, together at most 30 seconds.", 0, 10),
			sounds("Reference sounds", "Up to 10 voices or sounds.", 10),
			File{
				Name: "extendVideo", Title: "Video to continue", Media: Video, Max: 1, ParamOnly: true,
				Help: "The video to make longer. It counts as the first reference video.",
			},
		),
		Params: []Param{
			motion(),
			{Name: "extendDirection", Kind: Enum, Title: "Continue", Help: "Where the new part goes.", Options: []Option{
				{Value: "forward", Title: "Forward", Help: "After the end of the video."},
				{Value: "backward", Title: "Backward", Help: "Before its beginning."},
			}},
			modelName(models...),
			{
				Name: "duration", Kind: Duration, Title: "Length", Help: "Length of the video.", Min: new(4), Max: new(30), Unit: "s",
				Options: []Option{{Value: "-1", Title: "Chosen by the agent"}},
			},
			aspectRatio("", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9", "adaptive"),
			{
				Name: "resolution", Kind: Enum, Title: "Resolution", Help: "Resolution of the video.", Default: "720p",
				Options: plain("480p", "720p", "1080p", "4k"),
			},
			generateAudio(), outputFormat("mp4", "mov"),
			{
				Name: "returnLastFrame", Kind: Bool, Title: "Keep the last frame", Default: false, Advanced: true,
				Help: "Adds the last frame as a picture. The embedded service scales it so that it can be used again: at least 513 pixels on each side, under twice as long as wide.",
			},
			countOf("Videos"),
		},
		Rules: []Rule{
			{
				Kind: ForbiddenWith, Fields: []string{"firstFrame"}, With: []string{"images", "videos", "audios", "extendVideo"},
				Message: "A first frame cannot be combined with reference pictures, videos, sounds or a video to continue.",
			},
			lastNeedsFirst(),
			{
				Kind: RequiredWhen, Fields: []string{"extendDirection"}, When: &Condition{Field: "extendVideo"},
				Message: "Choose whether the video continues forward or backward.",
			},
			// ASSUMED [extendDirection without]: accepted and ignored without a film to continue; the document says only where it is required.
			{
				Kind: NoEffectWhen, Fields: []string{"extendDirection"}, When: none("extendVideo"),
				Message: "The direction has no effect here: there is no video to continue.",
			},
			adaptiveWith("firstFrame", "With a first frame, the shape is adaptive: that of the frame."),
			adaptiveWith("extendVideo", "With a video to continue, the shape is adaptive: that of the video."),
			{Kind: MaxItems, Fields: []string{"videos", "extendVideo"}, Max: 10, Message: "At most 10 reference videos, including the video to continue."},
			{
				Kind: MaxItems, Fields: []string{"images", "videos", "audios", "extendVideo"}, Max: 50,
				Message: "At most 50 references: pictures, videos and sounds together.",
			},
			// ASSUMED [Limits of reference videos]: what is said of reference films holds for the film to continue too, since it counts as the first of them.
			{
				Kind: EachFile, Fields: []string{"videos", "extendVideo"},
				Facts:   &FactLimits{Containers: []string{"mp4", "mov"}, Lines: []int{480, 720}, MinSeconds: 2, MaxSeconds: 30},
				Message: "Each video must be MP4 or MOV, 480p or 720p, and last 2 to 30 seconds.",
			},
			{Kind: TotalSeconds, Fields: []string{"videos", "extendVideo"}, Max: 30, Message: "Reference videos can last at most 30 seconds together."},
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
		Name: "multimodal-video", Title: "Video from everything", Summary: "Makes a video from a first frame, or from reference pictures, videos and sounds.",
		Makes: MakesVideo, Embedded: "A camera move from your text over the first frame, or over pictures and videos one after another; nothing is invented.",
		Files: append(frames(),
			pictures("Reference pictures", "Up to 9 reference pictures.", 0, 9),
			films("Reference videos", "Up to 3 reference videos.", 0, 3),
			sounds("Reference sounds", "Up to 5 reference sounds.", 5),
		),
		Params: []Param{
			motion(), modelName(models...), lengths("4s", "6s", "8s", "10s"),
			aspectRatio("adaptive", "adaptive", "16:9", "9:16", "1:1", "3:4", "4:3", "21:9"), generateAudio(), countOf("Videos"),
		},
		Rules: []Rule{
			{
				Kind: ForbiddenWith, Fields: []string{"firstFrame"}, With: []string{"images", "videos", "audios"},
				Message: "A first frame cannot be combined with reference pictures, videos or sounds.",
			},
			lastNeedsFirst(),
			adaptiveWith("firstFrame", "With a first frame, the shape is adaptive: that of the frame."),
			{
				Kind: FallsBack, Fields: []string{"aspectRatio"}, Values: []string{"adaptive", "16:9"},
				When:    &Condition{Field: "firstFrame", Not: true, Also: []Condition{{Field: "images", Not: true}, {Field: "videos", Not: true}}},
				Message: "There is no picture or video to take the shape from, so 16:9 is used.",
			},
		},
	})
}

func motion() Param {
	return required(textDescription("What happens", "Describe the motion, the camera and the mood."))
}

// length is a duration between two ends, in seconds.
func length(from, to int) Param {
	return Param{Name: "duration", Kind: Duration, Title: "Length", Help: "Length of the video.", Min: &from, Max: &to, Unit: "s"}
}

// lengths is a duration out of a set.
func lengths(values ...string) Param {
	return Param{Name: "duration", Kind: Duration, Title: "Length", Help: "Length of the video.", Options: plain(values...)}
}

// generateAudio is the text true or false, not a boolean (Run API, "Family E").
func generateAudio() Param {
	return Param{Name: "generateAudio", Kind: Enum, Title: "Sound", Help: "Whether the video has sound.", Options: []Option{
		{Value: "true", Title: "With sound"},
		{Value: "false", Title: "Silent"},
	}}
}
