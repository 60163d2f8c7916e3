// What is wrong with a mask, and what is offered to mend it. The browser says it as it stands here. One file for all: a translation changes it alone.

package mask

import "fmt"

// What is wrong with a mask.
const (
	saidNone        = "Paint the part to keep first."
	saidAll         = "Everything is painted. Erase the part that may change."
	saidSoft        = "The mask has soft edges. Only hard edges are sent: soft ones are cut at 50\u00a0%."
	saidUnread      = "The picture could not be read to its end. Export it again as PNG."
	saidTransparent = "The picture is fully transparent. A mask needs an opaque part to keep."
	saidFlat        = "The picture is all dark or all bright. A mask is black and white, or partly transparent."
	saidPhotograph  = "This looks like a photo, not a mask: bright parts would count as white, dark parts as black."
)

// What is offered.
const (
	fixSize = "Stretch to the picture"
	fixNone = "Keep the middle"
	fixAll  = "Redraw the middle"
	fixSoft = "Make them hard"
)

// saidSize is a mask of another size than its picture, px.
func saidSize(maskW, maskH, w, h int) string {
	return fmt.Sprintf("The mask is %d × %d, the picture is %d × %d. They must be the same size.", maskW, maskH, w, h)
}

// saidSpecks is how many islands are kept that look like slips, fixSpecks what is offered.
func saidSpecks(n int) string {
	if n == 1 {
		return "1 tiny spot is kept. Was that a slip?"
	}
	return fmt.Sprintf("%d tiny spots are kept. Were those slips?", n)
}

func fixSpecks(n int) string {
	if n == 1 {
		return "Remove it"
	}
	return "Remove them"
}

// saidHoles is how many holes would be redrawn that look like slips, fixHoles what is offered.
func saidHoles(n int) string {
	if n == 1 {
		return "1 tiny hole in the kept area would be redrawn."
	}
	return fmt.Sprintf("%d tiny holes in the kept area would be redrawn.", n)
}

func fixHoles(n int) string {
	if n == 1 {
		return "Fill it"
	}
	return "Fill them"
}
