package words

// Making a preset of photos.
const (
	MakingChecking      = "Checking"
	MakingRepairing     = "Repairing"
	MakingNoName        = "Give it a name."
	MakingNoPhoto       = "Add at least one photo."
	MakingNoSinglePhoto = "Add a photo."
	MakingName          = "Name"
	MakingPhoto         = "Photo"
	MakingPhotos        = "Photos"
	MakingAdd           = "Add from this computer"
	MakingChoose        = "Choose from your pictures"
	MakingBusy          = "Making…"
	MakingUsable        = "Can be used"
	MakingNoOther       = "There is no other picture yet."
)

// MakingSending says how much of a photo is sent.
func MakingSending(share float64) string { return "Sending " + Percent(share) }

// MakingNotReady says which photo is still on its way.
func MakingNotReady(name string) string { return "One moment: " + name + " is not ready." }

// MakingUnusable says which photo breaks the rule.
func MakingUnusable(name string) string {
	return name + " cannot be used as it is. Repair it or take it out."
}

// MakingTakeOut names the button that takes a photo out.
func MakingTakeOut(name string) string { return "Take out " + name }

// MakingRepair is a repair with what comes out of it.
func MakingRepair(repair, effect string) string { return repair + ": " + effect }
