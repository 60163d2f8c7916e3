package words

// Downloads.
const (
	DownloadName          = "The name of a download has at most 200 characters."
	DownloadTemplateWords = "File name templates accept {title}, {agent}, {date} and {number}."
	DownloadNoSize        = "There is no size with this name."
	DownloadVideo         = "Videos are exported unchanged."
	DownloadConverting    = "Many of your pictures are being converted already. Try again in a moment."
)

// Layered files.
const (
	LayeredVideo   = "A layered file takes pictures, not videos."
	LayeredFewer   = "The layered file would be larger than 8 GB. Choose fewer pictures."
	LayeredEarly   = "A layered file is available once the run has finished with a picture."
	LayeredNotHere = "The layered file is not ready yet."
)

// DownloadTemplateLong is a template of names that is too long.
func DownloadTemplateLong(most int) string {
	return "A file name template has at most " + number(most) + " characters."
}

// DownloadLarge is a selection whose values take more than so many MiB in the manifest.
func DownloadLarge(most int) string {
	return "The settings of these pictures take more than " + number(most) + " MiB together. Choose fewer pictures."
}

// LayeredOften is as many layered files within an hour as there may be.
func LayeredOften(most int) string {
	return "You have reached the limit of " + number(most) + " layered files an hour. Try again later."
}

// LayeredSide is a document too large for the format; sizes in px.
func LayeredSide(w, h, most int) string {
	return "A picture of " + size(w, h) + " is too large for a layered file: the limit is " + number(most) + " pixels a side."
}

// LayeredArea is a document of more megapixels than are made.
func LayeredArea(w, h, most int) string {
	return "A layered file of these pictures would be " + size(w, h) + ", over the limit of " + number(most) + " megapixels. Choose pictures of the same shape."
}

// LayeredFit is a file that would be too large, and how many pictures of its size fit.
func LayeredFit(w, h int, fit int64) string {
	return "The layered file would be larger than 8 GB. At " + size(w, h) + ", " + number(fit) + " pictures fit."
}

// LayerSource names the layer of a source, number 0 where it is the only one.
func LayerSource(number int) string { return numbered("Source", number) }

// LayerSourceKept names the layer that shows only the kept area of a source.
func LayerSourceKept(number int) string { return LayerSource(number) + ", kept area only" }

// LayerKept names the group of the kept areas of a source, region 0 where there is one.
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
