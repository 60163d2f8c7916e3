package words

// What the dialog before an upload offers.
const (
	DoctorLeaveOut    = "Skip"
	DoctorLeaveAllOut = "Skip all"
	DoctorIntro       = "The image service refuses files like these. Nothing has been uploaded, and your originals stay unchanged."
	DoctorBeyond      = "It cannot be repaired here and is skipped."
	DoctorMisnamed    = "Its file name says otherwise."
	DoctorUnrepaired  = "The picture could not be repaired here. Open it in a picture editor, save it as JPEG and try again."
)

// Repairs.
const (
	RepairFit            = "Scale down"
	RepairEnlarge        = "Enlarge"
	RepairEnlargeWarning = "Enlarged pictures are soft. A larger original gives better results."
	RepairConvert        = "Convert to JPEG"
	RepairFirstFrame     = "Use the first frame"
	RepairStill          = "a still picture"
	RepairPad            = "Pad with white"
	RepairCrop           = "Crop"
)

// Repairs made without asking.
const (
	RightedPrintColours = "Its print colours (CMYK) were converted to sRGB."
	RightedDepth        = "Its 16 bits per colour were reduced to 8, the format the service works in."
	RightedColours      = "Its colours were converted to sRGB, the format the service works in."
	RightedPlace        = "Its location data was removed; other data, such as camera and time, may stay in the original."
	RightedHidden       = "Data stored along with it that may hold its location was removed."
)

// DoctorTitle names the dialog for so many files that need a repair before they can be uploaded.
func DoctorTitle(n int) string { return "Fix " + plural(n, "file", "files") + " before upload" }

// DoctorChoice names the choice of repairs for a file.
func DoctorChoice(name string) string { return "Fix for " + name }

// DoctorRepair is the label of the button that repairs and adds n pictures.
func DoctorRepair(n int) string { return "Repair and add " + plural(n, "picture", "pictures") }

// RepairCropWarning says how much of a picture a crop loses.
func RepairCropWarning(share float64) string { return "Crops " + Percent(share) + " of the picture." }

// RepairEffect is what comes out of a repair; sizes as Dimensions writes them, format as it is called where it changes.
func RepairEffect(from, to, format string) string {
	text := to
	if from != to {
		text = from + " → " + to
	}
	switch {
	case format != "":
		return text + ", saved as " + format
	case from == to:
		return text + ", saved as a smaller file"
	}
	return text
}

// RightedPages says of a file of several pages which one is used.
func RightedPages(pages int) string {
	return "Page 1 of " + number(pages) + " is used. Save another page as a file of its own to use that."
}

// RightedIn says of a file what was put right.
func RightedIn(name, what string) string { return name + ": " + what }
