package catalog

// Family G: person photos that are transformed, as a video or a picture (Run API, "Family G"). The document omits the
// identifiers: one agent stands for the shape under a neutral name.
// ASSUMED [Where family G's video]: results are read from the image field, as the catalog says of all of them, also when a video is made.

func familyG() []Agent {
	return []Agent{further("G", Agent{
		Name: "portrait-motion", Title: "Portrait in another style", Summary: "Turns the photo of a person into another style, as a short video or a picture.",
		Makes: MakesVideo, MakesBy: "generatedType", ResultIn: MakesImage,
		Embedded: "A style that you name spreads over the photo while the camera moves closer, or fills it; the person does not move.\nWithout a name it is a drawing style.",
		Files:    []File{onePicture("Photo", "The photo of the person.")},
		Params: []Param{
			ownWording("What happens", "Describe the motion or the style."),
			{Name: "generatedType", Kind: Enum, Title: "Result", Default: "video", Options: []Option{
				{Value: "video", Title: "Video"},
				{Value: "image", Title: "Picture"},
			}},
			countOf("Results"),
		},
	})}
}
