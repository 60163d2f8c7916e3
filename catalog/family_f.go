package catalog

// Family F: a video in, a video out (Run API, "Family F").

func familyF() []Agent {
	free4k := enlarger("free-4k-video-upscaler", "Upscale to 4K", "Makes a video larger, up to 4K.")
	for i, p := range free4k.Params {
		if p.Name == "videoSize" {
			free4k.Params[i].Default = "4K"
		}
	}
	return []Agent{
		cleaner("ai-text-remover-from-video", "Remove text", "Removes text from a video."),
		cleaner("logo-remover-from-video", "Remove a logo", "Removes your own logo from a video."),
		cleaner("remove-subtitles-from-video-online-free", "Remove subtitles", "Removes the subtitles from a video."),
		cleaner("remove-text-from-video-online-free", "Remove lettering", "Removes lettering from a video."),
		cleaner("video-watermark-remover", "Remove a watermark", "Removes your own watermark from a video."),
		free4k,
		enlarger("free-online-video-quality-enhancer", "Better quality", "Makes a video clearer and larger."),
		enlarger("improve-video-quality-online-free", "Improve quality", "Makes a video clearer and larger."),
		enlarger("video-resolution-enhancer-online-free", "More resolution", "Gives a video more resolution."),
		enlarger("video-upscaler-online-free", "Upscale", "Makes a video larger."),
		enlarger("ai-video-enhancer", "Enhance", "Makes a video clearer and larger."),
		further("F", Agent{
			Name: "replace-face-in-video-online-free", Title: "Replace a face", Summary: "Gives the person in a video the face of your photo; only with that person's consent.",
			Makes: MakesVideo, Embedded: "The photo's face is laid over the face in each frame, in its light; it keeps the photo's expression.",
			Files:  []File{film(), onePicture("Face", "The photo of the face.")},
			Params: []Param{countOf("Videos")},
		}),
	}
}

func film() File { return films("Video", "The video to work on.", 1, 1) }

// cleaner is the shape of agents that take something out of a video.
// ASSUMED [Values of watermarkSelectType]: autoDetect is the one value of watermarkSelectType; the document names no other.
func cleaner(name, title, summary string) Agent {
	return further("F", Agent{
		Name: name, Title: title, Summary: summary, Makes: MakesVideo,
		Embedded: "Text and marks that stand still are found and painted over from their surroundings, frame by frame.\nThe run fails with the reason where none are found.",
		Files:    []File{film()},
		Params: []Param{{
			Name: "watermarkSelectType", Kind: Enum, Title: "What to remove", Default: "autoDetect", Advanced: true,
			Options: []Option{{Value: "autoDetect", Title: "Found automatically"}},
		}},
	})
}

// enlarger is the shape of agents that give a video more resolution.
// ASSUMED [Values of watermarkSelectType]: 2K and 4K are the values of videoSize ("such as 2K or 4K"); only the first agent has a default.
func enlarger(name, title, summary string) Agent {
	return further("F", Agent{
		Name: name, Title: title, Summary: summary, Makes: MakesVideo,
		Exact:    true,
		Embedded: "Frames are enlarged at most four times, cleaned and sharpened; no detail is invented. Long videos may be refused, with the reason.",
		Files:    []File{film()},
		Params:   []Param{{Name: "videoSize", Kind: Enum, Title: "Size", Help: "Size of the result.", Options: plain("2K", "4K")}},
	})
}
