package imaging

import (
	"encoding/binary"
	"image"
)

// turn returns the picture as the EXIF orientation says it is to be seen. With
// orientation 1 that is img itself.
func turn(img *image.NRGBA, orientation int) *image.NRGBA {
	if orientation < 2 || orientation > 8 {
		return img
	}
	w, h := img.Rect.Dx(), img.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewNRGBA(size)
	// Pixel (x, y) of out is at start + x·right + y·down in img.
	const px = 4
	row := img.Stride
	var start, right, down int
	switch orientation {
	case 2: // mirrored
		start, right, down = (w-1)*px, -px, row
	case 3: // upside down
		start, right, down = (h-1)*row+(w-1)*px, -px, -row
	case 4: // upside down, mirrored
		start, right, down = (h-1)*row, px, -row
	case 5: // mirrored, then turned left
		start, right, down = 0, row, px
	case 6: // to be turned right
		start, right, down = (h-1)*row, -row, px
	case 7: // mirrored, then turned right
		start, right, down = (h-1)*row+(w-1)*px, -row, -px
	case 8: // to be turned left
		start, right, down = (w-1)*px, row, -px
	}
	bands(size.Dy(), func(from, to int) {
		for y := from; y < to; y++ {
			dst := out.Pix[y*out.Stride : (y+1)*out.Stride]
			at := start + y*down
			for x := 0; x < len(dst); x += px {
				binary.NativeEndian.PutUint32(dst[x:x+px], binary.NativeEndian.Uint32(img.Pix[at:at+px]))
				at += right
			}
		}
	})
	return out
}
