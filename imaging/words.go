// What is wrong with a file that is to be opened, where the rules of imaging/probe do not say it. One file for all: a translation changes it alone.

package imaging

import "fmt"

// What to do about a picture of too much depth.
const (
	saidDepthFix = "Save it with 8 bits per channel, or make it smaller."
)

// saidDamaged is a file of a format that cannot be read to its end.
func saidDamaged(format string) string {
	return "This " + format + " file is damaged or incomplete. Export it again and retry."
}

// saidRare is a JPEG of a kind no decoder here knows.
const saidRare = "This JPEG is stored in a way that cannot be opened here. Open it in an image editor and save it as a plain JPEG or PNG."

// saidPixels is a picture of w × h px where at most so many megapixels are opened.
func saidPixels(w, h int, megapixels int64) string {
	return fmt.Sprintf("This picture is %d × %d. At most %d megapixels can be opened.", w, h, megapixels)
}
