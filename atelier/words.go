package atelier

import (
	"fmt"
	"strconv"
)

// Sentences that the server and the client, or several parts of the server, say alike. One file for all: a translation changes it alone.
const (
	// NoRoom is what is said with DiskFull.
	NoRoom = "The disk of the studio is full. Nothing was changed. Whoever runs the studio has to make room on it; then try again."
	// VideosNeedFFmpeg is what people read where videos cannot be made: beside an agent, and as the end of a run.
	VideosNeedFFmpeg = "Videos need ffmpeg, which is not installed on this server: apt-get install -y ffmpeg"
)

// Refusal says why so many results cannot be asked for, and who can help.
func (a Allowance) Refusal(results int) string {
	left := "none are"
	switch n := a.Left(); n {
	case 0:
	case 1:
		left = "1 is"
	default:
		left = strconv.Itoa(n) + " are"
	}
	makes := strconv.Itoa(results) + " results"
	if results == 1 {
		makes = "1 result"
	}
	return fmt.Sprintf("This makes %s, and %s left of your %d this month. An administrator can allow more.", makes, left, a.Monthly)
}
