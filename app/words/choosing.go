package words

import "strings"

// The dialog of pictures and results to choose from.
const (
	AssetsPresets   = "Presets"
	AssetsNothing   = "No result fits here yet."
	AssetsNotFound  = "No match. Try fewer or shorter words."
	AssetsWhereFrom = "Source"
	AssetsMine      = "Uploads"
	AssetsResults   = "Results"
	AssetsSearch    = "Search by name"
	AssetsMore      = "Show more"
	AssetsUnread    = "The result could not be loaded. Try again in a moment."
	PresetGone      = "No longer in the list"
)

// Settings of an earlier run.
const (
	RecallAgentGone  = "The agent of this run is no longer available."
	RecallMaskGone   = "The painted mask of this run is no longer available. Paint it again."
	RecallMaskUnread = "The mask of this run could not be loaded; your current mask is unchanged. Try again in a moment."
)

// AssetsAdd names the place to add a file; media is one of MediaPicture, MediaVideo, MediaSound.
func AssetsAdd(media string) string { return "Add " + media + "s" }

// AssetsNone says that there are no files of a kind yet; media as for AssetsAdd.
func AssetsNone(media string) string {
	return "No " + media + "s yet. Add one here, drop it or paste it."
}

// AssetsCount says how many files or results are shown.
func AssetsCount(n int, more bool) string {
	if more {
		return "The latest " + number(n)
	}
	return number(n) + " to choose from"
}

// AssetsLastFrame names the last frame of a video an agent made.
func AssetsLastFrame(agent string) string { return "Last frame, " + agent }

// LastFrameFile names the file that a last frame becomes.
func LastFrameFile(video string) string { return "last frame of " + video + ".png" }

// AssetFacts is the tip of a file: its name and what it is.
func AssetFacts(name, facts string) string { return name + "  " + facts }

// SlotMoved says where a file of the form stands now, the first place is 1.
func SlotMoved(file string, n, of int) string { return file + ", now place " + CountOf(n, of) }

// SlotRemoved says that a file of the form is gone.
func SlotRemoved(file string) string { return file + " removed" }

// SlotsRemoved says that so many files of the form are gone.
func SlotsRemoved(n int) string { return plural(n, "file", "files") + " removed" }

// RecallFilesGone says how many files of a run are not there any more.
func RecallFilesGone(n int) string {
	return plural(n, "file", "files") + " of this run no longer available."
}

// RecallValuesLeft names the settings of a run that its agent does not take any more.
func RecallValuesLeft(titles []string) string {
	return "Not applied, because the agent no longer accepts these values: " + strings.Join(titles, ", ") + "."
}

// Recalled says whose settings the form holds again, in the place of what stood there.
func Recalled(agent string) string {
	return "Applied the settings of " + agent + ". They replace the previous ones."
}

// RecallUndone says that the form is as it was before.
func RecallUndone(agent string) string { return "Previous settings restored, with " + agent }
