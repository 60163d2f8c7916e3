package catalog

// Family G: person photos that are transformed, as a video or a picture (Run API, "Family G"). The document omits the
// identifiers: one agent stands for the shape under a neutral name.
// ASSUMED [Where family G's video]: results are read from the image field, as the catalog says of all of them, also when a video is made.

func familyG() []Agent {
	return []Agent{further("G", Agent{
		Name: "portrait-motion", Title: "Portrait in another look", Summary: "Turns the photo of a person into another look, as a short video or as a picture.",
		Makes: MakesVideo, MakesBy: "generatedType", ResultIn: MakesImage,
		Embedded: "A look that your words name, or a drawing style, spreads over the photo while the camera comes nearer, or is all of the picture; the person does not move.",
		Files:    []File{onePicture("Photo", "The photo of the person.")},
		Params: []Param{
			ownWording("What happens", "Describe the motion or the look."),
			{Name: "generatedType", Kind: Enum, Title: "Result", Default: "video", Options: []Option{
				{Value: "video", Title: "Video"},
				{Value: "image", Title: "Picture"},
			}},
			countOf("Results"),
		},
	})}
}
