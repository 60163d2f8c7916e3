package words

// What the dialog before an upload offers.
const (
	DoctorLeaveOut    = "Leave out"
	DoctorLeaveAllOut = "Leave all out"
	DoctorIntro       = "The image service would refuse these as they are. Nothing has been sent, and your own files stay untouched."
	DoctorBeyond      = "It cannot be repaired here, and is left out."
	DoctorMisnamed    = "Its name says otherwise."
	DoctorUnrepaired  = "The picture could not be repaired here. Open it in a picture editor, save it as JPEG and try again."
)

// Repairs.
const (
	RepairFit            = "Make it smaller"
	RepairEnlarge        = "Enlarge"
	RepairEnlargeWarning = "Enlarged pictures are soft. A larger original gives better results."
	RepairFirstFrame     = "Take its first frame"
	RepairStill          = "a still picture"
	RepairPad            = "Add white at the sides"
	RepairCrop           = "Cut off the ends"
)

// What was put right without a question.
const (
	RightedPrintColours = "Its print colours (CMYK) were converted to sRGB."
	RightedDepth        = "Its 16 bits per colour were reduced to 8, which is what the service works in."
	RightedColours      = "Its colours were converted to sRGB, which is what the service works in."
	RightedPlace        = "Its location data was removed; other data, such as camera and time, may stay in the original."
	RightedHidden       = "Data stored along with it that may hold its location was removed."
)

// DoctorChoice names the choice of what becomes of a file.
func DoctorChoice(name string) string { return "What to do with " + name }

// DoctorRepair is what the button says that repairs and adds so many.
func DoctorRepair(n int) string { return "Repair and add " + plural(n, "picture", "pictures") }

// RepairCropWarning says how much of a picture a crop loses.
func RepairCropWarning(share float64) string { return Percent(share) + " of the picture is cut off." }

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

// RightedIn says of a file what was put right.
func RightedIn(name, what string) string { return name + ": " + what }
