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
	MakingBusy          = "Creating…"
	MakingUsable        = "Ready to use"
	MakingPassed        = "Checked"
	MakingUnchecked     = "Not checked"
	MakingFaceFound     = "A face was found; the rest is not checked"
)

// MakingFaceMissing says in which photo nobody was found, who may be there all the same.
func MakingFaceMissing(name string) string { return "No face was found in " + name }

// MakingRule is a rule and how the photos stand with it, "" while there are none.
func MakingRule(rule, standing string) string {
	if standing == "" {
		return rule + "."
	}
	return rule + ". " + standing + "."
}

// MakingBroken says which photo a rule is broken by.
func MakingBroken(name string) string { return "Not met by " + name }

// MakingNoFace says that nobody was found in a photo, which is no reason to refuse it.
func MakingNoFace(name string) string {
	return "No face was found in " + name + ". You can still use it: check that a face is visible."
}

// MakingSending says how much of a photo is sent.
func MakingSending(share float64) string { return "Sending " + Percent(share) }

// MakingNotReady says which photo is still on its way.
func MakingNotReady(name string) string { return "One moment: " + name + " is not ready." }

// MakingUnusable says which photo breaks the rule.
func MakingUnusable(name string) string {
	return name + " cannot be used as it is. Repair it or remove it."
}

// MakingTakeOut names the button that takes a photo out.
func MakingTakeOut(name string) string { return "Remove " + name }

// MakingRepair is a repair with what comes out of it.
func MakingRepair(repair, effect string) string { return repair + ": " + effect }
