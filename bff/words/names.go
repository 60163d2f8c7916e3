package words

// The names of downloaded files, without their endings. The manifests in an archive and the columns in them are for programs
// and have the same names in every language.
const (
	NamePictures = "pictures"
	NamePreview  = "preview"
	NameChanges  = "changes"
	NameReviewed = "picture"
)

// NameMask is the mask of a run of a title.
func NameMask(title string) string { return title + " mask" }

// NameLastFrame is the last frame of a video of a name.
func NameLastFrame(name string) string { return name + " last frame" }
