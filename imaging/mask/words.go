// What is wrong with a mask, and what is offered to mend it. The browser says it as it stands here. One file for all: a translation changes it alone.

package mask

import "fmt"

// What is wrong with a mask.
const (
	saidNone        = "Nothing is painted, so nothing would be kept. Paint what must stay as it is."
	saidAll         = "Everything is painted, so nothing would be redrawn. Erase the part that may change."
	saidSoft        = "The mask has soft edges. It is sent with firm ones: half-kept pixels become kept or redrawn."
	saidUnread      = "The picture could not be read to its end. Export it again as PNG."
	saidTransparent = "The picture is transparent everywhere, so it does not say what to keep."
	saidFlat        = "The picture is all dark or all bright, so it does not say what to keep. A mask is black and white, or partly transparent."
	saidPhotograph  = "This looks like a photograph, not like a mask: bright parts would count as white, dark ones as black."
)

// What is offered.
const (
	fixSize = "Stretch it to the picture"
	fixNone = "Keep the middle"
	fixAll  = "Redraw the middle"
	fixSoft = "Make them firm"
)

// saidSize is a mask of another size than its picture, px.
func saidSize(maskW, maskH, w, h int) string {
	return fmt.Sprintf("The mask is %d × %d, the picture is %d × %d. They must be the same size.", maskW, maskH, w, h)
}

// saidSpecks is how many islands are kept that look like slips, fixSpecks what is offered.
func saidSpecks(n int) string {
	if n == 1 {
		return "1 tiny spot is kept, perhaps by a slip."
	}
	return fmt.Sprintf("%d tiny spots are kept, perhaps by a slip.", n)
}

func fixSpecks(n int) string {
	if n == 1 {
		return "Drop it"
	}
	return "Drop them"
}

// saidHoles is how many holes would be redrawn that look like slips, fixHoles what is offered.
func saidHoles(n int) string {
	if n == 1 {
		return "1 tiny hole would be redrawn within what is kept."
	}
	return fmt.Sprintf("%d tiny holes would be redrawn within what is kept.", n)
}

func fixHoles(n int) string {
	if n == 1 {
		return "Fill it"
	}
	return "Fill them"
}
