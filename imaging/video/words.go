// What is wrong with a video or a sound. One file for all: a translation changes it alone.

package video

import "fmt"

// What is wrong with a file.
const (
	saidDamaged   = "The file is damaged."
	saidUnknown   = "The file is not an MP4 or MOV video, nor an MP3, WAV or M4A sound."
	saidEmpty     = "The file holds neither a picture nor sound that can be read here."
	saidNoSize    = "The video has no size."
	saidNoLength  = "The video does not say how long it is."
	saidNoPicture = "The file holds no moving picture."
	saidNoFrame   = "The video holds no frame that can be read."
)

// Why the programs that work on videos gave up.
const (
	saidDisk        = "The disk is full."
	saidOutgrown    = "The video would become larger than this server allows."
	saidMemory      = "The video needs more memory than this server allows. A smaller size may help."
	saidIncomplete  = "The video file is damaged or not complete."
	saidInvalid     = "The file is damaged, or not of a kind that can be read here."
	saidNothing     = "The file holds nothing that can be read here."
	saidMissing     = "The file does not hold the picture or sound that is needed."
	saidCoding      = "The file uses a coding that cannot be read here."
	saidCodingOther = "The file uses a coding that is not read here. Save it as MP4 with H.264 and AAC."
	saidGaveUp      = "The video could not be worked on."
)

// saidBytes is a file of too many bytes, in MB.
func saidBytes(has, most int64) string {
	return fmt.Sprintf("The file has %d MB; at most %d MB are read here.", has, most)
}

// saidSeconds is a file that lasts too long.
func saidSeconds(has, most float64) string {
	return fmt.Sprintf("The file lasts %.0f seconds; at most %.0f are read here.", has, most)
}

// saidPixels is a video of too many pixels; size in px.
func saidPixels(w, h, megapixels int) string {
	return fmt.Sprintf("The video is %d × %d; at most %d megapixels are read here.", w, h, megapixels)
}
