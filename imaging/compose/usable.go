package compose

import (
	"image"

	"atelier/imaging"
	"atelier/imaging/probe"
)

// Usable is a frame of a film as a picture that may be given to an agent: enlarged when its short side has not more than 512
// pixels, and without its ends when it is twice as long as wide or longer (Task API, "Upload image").
// ASSUMED [The last frame of a video]: the documents do not say how large a last frame is.
func Usable(frame *image.NRGBA) *image.NRGBA {
	w, h := frame.Rect.Dx(), frame.Rect.Dy()
	if short, least := min(w, h), probe.Upload.MinSide+1; short < least {
		w, h = max(least, (w*least+short/2)/short), max(least, (h*least+short/2)/short)
		frame = imaging.Resize(frame, w, h)
	}
	if most := probe.Upload.MaxRatio*min(w, h) - 1; max(w, h) > most {
		keep := image.Rect(0, 0, min(w, most), min(h, most))
		frame = Window(frame, keep.Add(image.Pt((w-keep.Dx())/2, (h-keep.Dy())/2)))
	}
	return frame
}
