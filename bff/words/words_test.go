package words

import (
	"testing"
	"time"
)

func TestSentencesWithNumbersReadWell(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{RequestLarge(64 << 10), "The request is larger than 64 KiB. Send less at a time."},
		{RequestLarge(3 << 20), "The request is larger than 3 MiB. Send less at a time."},
		{RequestOneOf("kind", []string{"", "pick"}), `kind must be one of ["" "pick"].`},
		{EntryWait(time.Minute), "Too many wrong passwords for this name. Try again in a minute."},
		{EntryWait(61 * time.Second), "Too many wrong passwords for this name. Try again in 2 minutes."},
		{BrowserOn("", "Linux"), "A browser on Linux"},
		{BrowserOn("Firefox", "Linux"), "Firefox on Linux"},
		{RunMarked("A title has at most 200 characters.", 0), "A title has at most 200 characters."},
		{RunMarked("No.", 1), "No. One more field needs attention."},
		{RunMarked("No.", 2), "No. 2 more fields need attention."},
		{RunFileKind("Voice", "audio", "cat.png", "image"), "Voice needs a sound; cat.png is a picture."},
		{RunMaskSize("Sleeve", 10, 20, 30, 40), `The mask "Sleeve" is 10 × 20, the picture is 30 × 40. They must be the same size.`},
		{ServiceRefused(""), "The image service refused."},
		{ServiceRefusedRun("too dark"), "The image service refused this run: too dark."},
		{ServiceRefusedLayers("Too dark!"), "The image service refused the layered file: Too dark!"},
		{StateFailed(""), "The image service could not make this."},
		{StateFailed("Too dark."), "The image service could not make this: Too dark."},
		{PresetLocations.Take(1), "A location takes 1 picture."},
		{PresetModels.Take(4), "A fashion model takes 1 to 4 pictures."},
		{LayerSource(0), "Source"},
		{LayerSourceKept(2), "Source 2, kept area only"},
		{LayerKept(0, 0), "Kept pixels"},
		{LayerKept(2, 3), "Kept pixels 2, region 3"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
