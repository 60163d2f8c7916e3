package imaging

import (
	"image"
	"image/color"
	"image/draw"

	"atelier/imaging/probe"
)

// toNRGBA returns what a decoder made as NRGBA with its origin at (0, 0). It
// may share memory with img, which must not be used afterwards.
func toNRGBA(img image.Image, f probe.Format) *image.NRGBA {
	b := img.Bounds()
	if src, ok := img.(*image.NRGBA); ok && b.Min == (image.Point{}) && src.Stride == 4*b.Dx() {
		return src
	}
	if src, ok := img.(*image.RGBA); ok && b.Min == (image.Point{}) && src.Stride == 4*b.Dx() && src.Opaque() {
		return &image.NRGBA{Pix: src.Pix, Stride: src.Stride, Rect: src.Rect}
	}
	out := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	bands(b.Dy(), func(from, to int) {
		switch src := img.(type) {
		case *image.YCbCr:
			if f == probe.WebP {
				webpRows(out, src, nil, from, to)
			} else {
				opaqueRows(out, src, from, to)
			}
		case *image.NYCbCrA:
			webpRows(out, &src.YCbCr, src, from, to)
		case *image.Gray, *image.CMYK:
			opaqueRows(out, src, from, to)
		case *image.Paletted:
			palettedRows(out, src, from, to)
		case *image.NRGBA64:
			for y := from; y < to; y++ {
				narrow(out.Pix[y*out.Stride:(y+1)*out.Stride], src.Pix[y*src.Stride:])
			}
		case *image.Gray16:
			for y := from; y < to; y++ {
				greyRow(out.Pix[y*out.Stride:(y+1)*out.Stride], src.Pix[y*src.Stride:])
			}
		case *image.RGBA64:
			// Decoders use it for opaque pictures only, where both kinds are the same.
			for y := from; y < to; y++ {
				narrow(out.Pix[y*out.Stride:(y+1)*out.Stride], src.Pix[y*src.Stride:])
			}
		default:
			for y := from; y < to; y++ {
				for x := range b.Dx() {
					c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
					out.SetNRGBA(x, y, c)
				}
			}
		}
	})
	return out
}

// opaqueRows copies rows of an opaque picture with the standard library's fast
// paths, which exist for RGBA; without transparency it is the same as NRGBA.
func opaqueRows(out *image.NRGBA, src image.Image, from, to int) {
	view := &image.RGBA{Pix: out.Pix, Stride: out.Stride, Rect: out.Rect}
	at := src.Bounds().Min.Add(image.Pt(0, from))
	draw.Draw(view, image.Rect(0, from, out.Rect.Dx(), to), src, at, draw.Src)
}

func palettedRows(out *image.NRGBA, src *image.Paletted, from, to int) {
	var table [256][4]uint8
	for i, c := range src.Palette {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		table[i] = [4]uint8{n.R, n.G, n.B, n.A}
	}
	w := out.Rect.Dx()
	for y := from; y < to; y++ {
		row := src.Pix[y*src.Stride : y*src.Stride+w]
		dst := out.Pix[y*out.Stride : y*out.Stride+4*w]
		for x, i := range row {
			copy(dst[4*x:4*x+4], table[i][:])
		}
	}
}

// narrow keeps the nearest 8-bit value of each big-endian 16-bit one.
func narrow(dst, src []uint8) {
	for i := range dst {
		dst[i] = nearest(src[2*i:])
	}
}

// nearest is the 8-bit value that is nearest to a big-endian 16-bit one.
func nearest(src []uint8) uint8 {
	return uint8(((uint32(src[0])<<8|uint32(src[1]))*255 + 32767) / 65535)
}

// greyRow makes pixels of big-endian 16-bit greys.
func greyRow(dst, src []uint8) {
	for i := 0; i+4 <= len(dst); i += 4 {
		v := nearest(src[i/2:])
		dst[i], dst[i+1], dst[i+2], dst[i+3] = v, v, v, 255
	}
}
