package words

// What is wrong with an upload.
const (
	UploadInterrupted  = "The upload was interrupted. Upload the file again."
	UploadNoBoundary   = "The form has no boundary."
	UploadUnread       = "The form cannot be read."
	UploadNoFile       = "The form holds no file named image."
	UploadEmpty        = "The file is empty."
	UploadDamaged      = "This file is damaged or incomplete. Export it again and retry."
	UploadTurned       = "This photo is stored rotated and becomes too large when turned upright. Save it upright as JPEG and retry."
	UploadVideoSlow    = "The server is busy and could not read the video in time. Upload the file again."
	UploadVideoDamaged = "This file is damaged or incomplete. Export it again as MP4, MOV, MP3, WAV or M4A and retry."
)

// Missing files and previews.
const (
	FileMissing       = "The file of this picture is missing."
	FileOneMissing    = "The file of one of the pictures is missing."
	FileNoPreview     = "This file has no preview."
	FileNoFaces       = "Faces can be found in pictures only, not in videos or sounds."
	FilePreviewFailed = "The preview could not be loaded from the image service."
)

// Masks.
const (
	MaskName       = "A mask needs a name of at most 100 characters."
	MaskNone       = "This run has no painted mask."
	MaskNoKind     = "There is no automatic mask of this kind."
	MaskOfPictures = "Only pictures have a mask."
	MaskLarge      = "The mask is too large. Save it as a plain PNG."
	MaskUnread     = "The mask is not a base64 PNG."
	MaskOpaque     = "This mask has no transparency. Import it in the mask editor and choose which colour to keep."
)

// UploadMediumLarge is a video or a sound of too many bytes, in MB.
func UploadMediumLarge(has, most int64) string {
	return "This file has " + number(has) + " MB. Videos and sounds may have at most " + number(most) + " MB."
}

// FileLarge is something the image service made that is larger than is kept, in MiB.
func FileLarge(most int64) string {
	return "The file is larger than the limit of " + number(most) + " MiB."
}
