package words

// The dialog that exports results.
const (
	DeliverAsTheyAre = "Unchanged"
	DeliverFormat    = "Format"
	DeliverQuality   = "Quality, 1 to 100"
	DeliverSize      = "Size"
	DeliverNames     = "File names"
	DeliverMakingPSD = "Making the PSD…"
	DeliverPSD       = "Layered PSD"
	DeliverPSDTip    = "Source, mask, and each result as a layer"
	DeliverNoPSD     = "A layered PSD takes pictures, not videos."
	DeliverPreparing = "Preparing…"
	DeliverDownload  = "Download"
	DeliverBegins    = "Download started."
)

// The metadata of exported files.
const (
	DeliverMetadata   = "The metadata of each file records that an algorithm made it, the agent, and the source (SHA-256)."
	DeliverMetadataAI = "The metadata of each file records that it was made with AI, the agent, and the source (SHA-256)."
)

// Mistakes in the export settings.
const (
	DeliverWrongName    = "File names accept only {title}, {agent}, {date} and {number} in braces."
	DeliverLongName     = "The name is longer than 200 characters."
	DeliverWrongQuality = "Enter a quality from 1 to 100."
)

// Notices about copied and restored results.
const (
	CopyFailed = "The picture could not be copied. Allow this page to use the clipboard, or download it."
	CopyDone   = "Picture copied."
	LockBegins = "Restoring the original pixels. The new result appears next to this one."
)

// DeliverCount says what is handed over.
func DeliverCount(n int) string {
	if n == 1 {
		return ResultCount(n) + ". A ZIP includes a list of settings and sources (CSV and JSON)."
	}
	return ResultCount(n) + ", with a list of settings and sources (CSV and JSON)."
}

// DeliverVideos says what becomes of so many videos: psd where the other results can be layers, converts where pictures get another
// format or size.
func DeliverVideos(n int, psd, converts bool) string {
	text := plural(n, "video stays unchanged", "videos stay unchanged")
	switch {
	case psd && converts:
		return text + " and out of a layered PSD."
	case psd:
		return plural(n, "video stays", "videos stay") + " out of a layered PSD."
	}
	return text + "."
}

// DeliverMost says that an archive takes no more than so many results.
func DeliverMost(n int) string {
	return "A ZIP takes at most " + number(n) + " results. Choose fewer and download the others separately."
}

// DeliverMostLayers says that a layered file takes no more than so many pictures.
func DeliverMostLayers(n int) string {
	return "A layered PSD takes at most " + number(n) + " pictures."
}

// DeliverExample says what names are made of, and which name comes out.
func DeliverExample(name string) string {
	return "Use {title}, {agent}, {date} and {number}. For example: " + name
}

// DeliverZip is what the button says for so many results.
func DeliverZip(n int) string {
	if n == 1 {
		return "Download as ZIP"
	}
	return DeliverDownload + " " + number(n) + " as ZIP"
}

// DeliverySizes are what the sizes of atelier.DeliverySizes are called, by their names.
var DeliverySizes = map[string]string{
	"web-1280":      "Web, longest side 1280",
	"web-2048":      "Web, longest side 2048",
	"square-1000":   "Square 1000 × 1000 on white (smallest with zoom)",
	"square-1600":   "Square 1600 × 1600 on white (auction sites)",
	"square-2000":   "Square 2000 × 2000 on white (large marketplaces)",
	"square-2048":   "Square 2048 × 2048 on white (own shop)",
	"portrait-4x5":  "Portrait 1080 × 1350 on white (feed)",
	"portrait-2x3":  "Portrait 1000 × 1500 on white (pin)",
	"portrait-3x4":  "Portrait 1500 × 2000 on white (fashion)",
	"story-9x16":    "Story 1080 × 1920 on white",
	"landscape-4x3": "Landscape 2000 × 1500 on white",
}
