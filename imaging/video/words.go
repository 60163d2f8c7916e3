// What is wrong with a video or a sound. One file for all: a translation changes it alone.

package video

import "fmt"

// What is wrong with a file.
const (
	saidDamaged   = "The file is damaged."
	saidUnknown   = "The file is not an MP4 or MOV video, nor an MP3, WAV or M4A sound."
	saidEmpty     = "The file has no readable picture or sound."
	saidNoSize    = "The video has no size."
	saidNoLength  = "The video does not say how long it is."
	saidNoPicture = "The file has no video."
	saidNoFrame   = "The video has no readable frame."
)

// Why the programs that work on videos gave up.
const (
	saidDisk        = "The disk is full."
	saidOutgrown    = "The video would be larger than this server allows."
	saidMemory      = "The video needs more memory than this server allows. A smaller size may help."
	saidIncomplete  = "The video file is damaged or incomplete."
	saidInvalid     = "The file is damaged or of an unsupported kind."
	saidNothing     = "The file has no readable content."
	saidMissing     = "The file lacks the required picture or sound."
	saidCoding      = "The file uses an unsupported codec."
	saidCodingOther = "The file uses an unsupported codec. Save it as MP4 with H.264 and AAC."
	saidGaveUp      = "The video could not be processed."
)

// saidBytes is a file of too many bytes, in MB.
func saidBytes(has, most int64) string {
	return fmt.Sprintf("The file has %d MB; the limit is %d MB.", has, most)
}

// saidSeconds is a file that lasts too long.
func saidSeconds(has, most float64) string {
	return fmt.Sprintf("The file lasts %.0f seconds; the limit is %.0f.", has, most)
}

// saidPixels is a video of too many pixels; size in px.
func saidPixels(w, h, megapixels int) string {
	return fmt.Sprintf("The video is %d × %d; the limit is %d megapixels.", w, h, megapixels)
}
