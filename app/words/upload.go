package words

// Cards of files on their way.
const (
	UploadChecking = "Checking"
	UploadSaving   = "Saving"
)

// Why a file is refused.
const (
	UploadUnreadable = "The file could not be read. Is it still there?"
	UploadNotRighted = "The colours or the location data of this picture could not be corrected here. Save it as an 8-bit sRGB PNG or JPEG without location data, and add that."
)

// What becomes of a dropped folder and of a picture dragged from another page.
const (
	UploadFolderEmpty  = "No photos in this folder. It needs JPEG, PNG, WebP, HEIC or TIFF files."
	UploadFolderUnread = "The folder could not be read. Is it still there?"
	UploadFromPage     = "This picture cannot be fetched from its page. Save it to your computer, then drop the file here."
	UploadPicture      = "picture" // the name of one that has none
)

// UploadFolderLarge says that a folder holds more files than are looked through.
func UploadFolderLarge(most int) string {
	return "This folder holds more than " + plural(most, "file", "files") + ". Drop a smaller one."
}

// The kinds of files, one and many.
const (
	MediaPicture      = "picture"
	MediaPictures     = "Pictures"
	MediaPictureFiles = "pictures: PNG, JPEG or WebP"
	MediaVideo        = "video"
	MediaVideos       = "Videos"
	MediaVideoFiles   = "videos: MP4 or MOV"
	MediaSound        = "sound"
	MediaSounds       = "Sounds"
	MediaSoundFiles   = "sounds: MP3, WAV or M4A"
)

// UploadOnlyFirst says that more files were brought than are taken at once.
func UploadOnlyFirst(most int) string {
	return "Only the first " + plural(most, "file", "files") + " were added."
}

// UploadDamaged is a video or sound that cannot be read; format as in "MP4".
func UploadDamaged(format string) string {
	return FaultDamaged(format) + " " + FaultDamagedFix
}

// UploadTooLarge is a file over the limit, both in bytes.
func UploadTooLarge(size, limit int64) string {
	return "This file is " + Bytes(size) + ". The limit is " + Bytes(limit) + ": export it smaller or shorter."
}

// UploadAgainst adds to what a field has against a file what the file is.
func UploadAgainst(problem, facts string) string { return problem + " This one: " + facts + "." }

// UploadFieldTakes says what a field takes; files names them in the plural.
func UploadFieldTakes(field, files string) string { return field + " takes " + files + "." }

// UploadNoRoom says that a kind of file has no free place left.
func UploadNoRoom(media string) string {
	return "No room for another " + media + ". Remove one first."
}

// UploadAgentTakesNo says that an agent has no use for a kind of file.
func UploadAgentTakesNo(agent, media string) string {
	return agent + " takes no " + media + ". First choose an agent that does."
}

// UploadHasNoPlace says that a picture came and the agent has no place for it.
func UploadHasNoPlace(name string) string {
	return name + " was added to your uploads. This agent has no slot for it."
}
