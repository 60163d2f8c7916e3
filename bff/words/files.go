package words

// What is wrong with an upload.
const (
	UploadInterrupted  = "The upload was interrupted. Send the file again."
	UploadNoBoundary   = "The form has no boundary."
	UploadUnread       = "The form cannot be read."
	UploadNoFile       = "The form holds no file named image."
	UploadEmpty        = "The file is empty."
	UploadDamaged      = "This file is damaged or incomplete. Export it again and retry."
	UploadTurned       = "This photo is stored turned, and turning it makes it too large. Save it upright as JPEG and retry."
	UploadVideoSlow    = "This server is very busy: looking into the video took too long. Send the file again."
	UploadVideoDamaged = "This file is damaged or incomplete. Export it again as MP4, MOV, MP3, WAV or M4A and retry."
)

// Files that are not there, or have not what is asked of them.
const (
	FileMissing       = "The file of this picture is missing."
	FileOneMissing    = "The file of one of the pictures is missing."
	FileNoPreview     = "This file has no preview."
	FileNoFaces       = "Faces are looked for in pictures, not in videos or sounds."
	FilePreviewFailed = "The preview cannot be fetched from the image service."
)

// Masks.
const (
	MaskName       = "A mask needs a name of at most 100 characters."
	MaskNone       = "This run was made without a mask of its own."
	MaskNoKind     = "There is no automatic mask of this kind."
	MaskOfPictures = "Only pictures have a mask."
	MaskLarge      = "The mask is too large. Save it as a plain PNG."
	MaskUnread     = "The mask is not a base64 PNG."
	MaskOpaque     = "This mask has no transparency, so it does not tell which colour keeps. Import it in the mask editor and choose."
)

// UploadMediumLarge is a video or a sound of too many bytes, in MB.
func UploadMediumLarge(has, most int64) string {
	return "This file has " + number(has) + " MB. Videos and sounds may have at most " + number(most) + " MB."
}

// FileLarge is something the image service made that is larger than is kept, in MiB.
func FileLarge(most int64) string {
	return "The file is larger than the studio takes (" + number(most) + " MiB)."
}
