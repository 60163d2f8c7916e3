package words

// Downloads.
const (
	DownloadName          = "The name of a download has at most 200 characters."
	DownloadTemplateWords = "A template of names knows {title}, {agent}, {date} and {number}."
	DownloadNoSize        = "The studio knows no size of this name."
	DownloadVideo         = "A video is delivered as it is."
	DownloadConverting    = "Many pictures are being converted for you already. Try again in a moment."
)

// Layered files.
const (
	LayeredVideo   = "A layered file takes pictures, not videos."
	LayeredFewer   = "The layered file would be larger than 8 GB. Choose fewer pictures."
	LayeredEarly   = "A layered file can be had once the run has ended and made a picture."
	LayeredNotHere = "The layered file is not here yet."
)

// DownloadTemplateLong is a template of names that is too long.
func DownloadTemplateLong(most int) string {
	return "A template of names has at most " + number(most) + " characters."
}

// DownloadLarge is a selection whose values take more than so many MiB in the manifest.
func DownloadLarge(most int) string {
	return "What these pictures were made with takes more than " + number(most) + " MiB together. Choose fewer pictures."
}

// LayeredOften is as many layered files within an hour as there may be.
func LayeredOften(most int) string {
	return "You have had " + number(most) + " layered files made within an hour, which is as many as there may be. Ask for this one later."
}

// LayeredSide is a document too large for the format; sizes in px.
func LayeredSide(w, h, most int) string {
	return "A picture of " + size(w, h) + " is too large for a layered file: its format takes at most " + number(most) + " pixels a side."
}

// LayeredArea is a document of more megapixels than are made.
func LayeredArea(w, h, most int) string {
	return "To hold these pictures a layered file would be " + size(w, h) + ", more than " + number(most) + " megapixels. Choose pictures of one shape."
}

// LayeredFit is a file that would be too large, and how many pictures of its size fit.
func LayeredFit(w, h int, fit int64) string {
	return "The layered file would be larger than 8 GB. At " + size(w, h) + ", " + number(fit) + " pictures fit in any case."
}

// LayerSource names the layer of a source, number 0 where it is the only one.
func LayerSource(number int) string { return numbered("Source", number) }

// LayerSourceKept is the same where only what is kept is seen.
func LayerSourceKept(number int) string { return LayerSource(number) + ", only what is kept" }

// LayerKept names the group of what was kept of a source, region 0 where there is one.
func LayerKept(number, region int) string {
	name := numbered("Kept pixels", number)
	if region > 0 {
		name += numbered(", region", region)
	}
	return name
}

// numbered puts a number behind a name, none for 0.
func numbered(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + " " + number(n)
}
