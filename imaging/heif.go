package imaging

import (
	"context"
	"fmt"
	"image"
	"math"

	"atelier/imaging/heic"
	"atelier/imaging/probe"
)

// heifPlan is what a HEIC file needs to be decoded: the picture and, at a time, one tile of it.
func heifPlan(data []byte) (plan, error) {
	h, err := probe.ReadHEIF(data, int64(len(data)))
	if err != nil {
		return plan{}, err
	}
	tile := int64(0)
	parts := []probe.HEIFImage{h.Main}
	if h.Alpha != nil {
		parts = append(parts, *h.Alpha)
	}
	for _, m := range parts {
		stream, err := heic.ReadConfig(m.Config)
		if err != nil {
			return plan{}, err
		}
		if stream.Width != m.TileWidth || stream.Height != m.TileHeight {
			return plan{}, fmt.Errorf("tiles of %d × %d, %d × %d announced", stream.Width, stream.Height, m.TileWidth, m.TileHeight)
		}
		for _, t := range m.Tiles {
			tile = max(tile, heic.Memory(m.TileWidth, m.TileHeight, t.Bytes))
		}
	}
	turned := int64(0)
	if len(h.Turns) > 0 {
		turned = 4 * int64(h.Main.Width) * int64(h.Main.Height)
	}
	return plan{parts: [][]byte{data}, pixels: 4 * int64(h.Main.Width) * int64(h.Main.Height), extra: max(tile, turned)}, nil
}

// decodeHEIF decodes a HEIC file, upright.
func decodeHEIF(ctx context.Context, data []byte) (*image.NRGBA, error) {
	h, err := probe.ReadHEIF(data, int64(len(data)))
	if err != nil {
		return nil, err
	}
	stream, err := heic.ReadConfig(h.Main.Config)
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, h.Main.Width, h.Main.Height))
	matrix := matrixOf(h, stream)
	err = eachTile(ctx, data, h.Main, func(x, y int, t heic.Tile) { matrix.paint(out, x, y, t) })
	if err != nil {
		return nil, err
	}
	if h.Alpha != nil {
		if stream, err = heic.ReadConfig(h.Alpha.Config); err != nil {
			return nil, err
		}
		grey := newMatrix(0, 0, !stream.Described || stream.FullRange)
		err = eachTile(ctx, data, *h.Alpha, func(x, y int, t heic.Tile) { grey.paintAlpha(out, x, y, t) })
		if err != nil {
			return nil, err
		}
		if h.Premultiplied {
			divideAlpha(out)
		}
	}
	for _, t := range h.Turns {
		out = turnHEIF(out, t)
	}
	return out, nil
}

func eachTile(ctx context.Context, data []byte, m probe.HEIFImage, use func(x, y int, t heic.Tile)) error {
	for i, t := range m.Tiles {
		x, y := i%m.Columns*m.TileWidth, i/m.Columns*m.TileHeight
		err := heic.Decode(ctx, m.Config, data[t.Offset:t.Offset+t.Bytes], m.TileWidth, m.TileHeight, func(t heic.Tile) { use(x, y, t) })
		if err != nil {
			return fmt.Errorf("tile %d: %w", i, err)
		}
	}
	return nil
}

// turnHEIF takes one of the steps from the stored picture to the one that is seen.
func turnHEIF(img *image.NRGBA, t probe.Turn) *image.NRGBA {
	switch t.Kind {
	case probe.Rotate:
		return turn(img, [4]int{1, 8, 3, 6}[t.By]) // the EXIF orientations that stand for the same
	case probe.Mirror:
		return turn(img, [2]int{4, 2}[t.By])
	}
	out := image.NewNRGBA(image.Rect(0, 0, t.Width, t.Height))
	for y := range t.Height {
		copy(out.Pix[y*out.Stride:][:out.Stride], img.Pix[(y+t.Y)*img.Stride+4*t.X:])
	}
	return out
}

// matrix turns luminance and colour differences into red, green and blue (ITU-T H.273, 8.3), in units of 1/65536.
type matrix struct {
	luma                            [256]int32
	redCr, greenCb, greenCr, blueCb [256]int32
}

// matrixOf is that of a file: its nclx counts, then what the stream says; without either it is that of sRGB's pictures (ISO/IEC 23000-22, 7.3.6.4).
func matrixOf(h probe.HEIF, stream heic.Stream) *matrix {
	code, full := 6, true
	switch {
	case h.CodePoints != nil:
		code, full = int(h.CodePoints[2]), h.CodePoints[3] != 0
	case stream.Described:
		code, full = stream.Matrix, stream.FullRange
	}
	switch code {
	case 1:
		return newMatrix(.2126, .0722, full)
	case 4:
		return newMatrix(.30, .11, full)
	case 7:
		return newMatrix(.212, .087, full)
	case 9, 10:
		return newMatrix(.2627, .0593, full)
	}
	return newMatrix(.299, .114, full)
}

// newMatrix makes the matrix of the parts that red and blue have in luminance.
func newMatrix(red, blue float64, full bool) *matrix {
	offset, luma, chroma := 0., 255., 255.
	if !full {
		offset, luma, chroma = 16, 219, 224
	}
	fixed := func(v float64) int32 { return int32(math.Round(v * (1 << 16))) }
	m := &matrix{}
	green := 1 - red - blue
	for v := range 256 {
		d := (float64(v) - 128) * 255 / chroma
		m.luma[v] = fixed((float64(v)-offset)*255/luma) + 1<<15
		m.redCr[v], m.blueCb[v] = fixed(2*(1-red)*d), fixed(2*(1-blue)*d)
		m.greenCb[v], m.greenCr[v] = fixed(-2*blue*(1-blue)/green*d), fixed(-2*red*(1-red)/green*d)
	}
	return m
}

func clip16(v int32) uint8 { return uint8(min(max(v>>16, 0), 255)) }

// paint puts a tile where it belongs; what reaches beyond the picture is cut off.
func (m *matrix) paint(out *image.NRGBA, x, y int, t heic.Tile) {
	w, h := min(t.Width, out.Rect.Dx()-x), min(t.Height, out.Rect.Dy()-y)
	bands(h, func(from, to int) {
		for row := from; row < to; row++ {
			dst := out.Pix[(y+row)*out.Stride+4*x:][:4*w]
			switch {
			case t.RGBA != nil:
				copy(dst, t.RGBA[row*t.Stride:])
				for i := 3; i < len(dst); i += 4 {
					dst[i] = 255
				}
			case t.Cb == nil:
				for i, v := range t.Y[row*t.Stride:][:w] {
					grey := clip16(m.luma[v])
					dst[4*i], dst[4*i+1], dst[4*i+2], dst[4*i+3] = grey, grey, grey, 255
				}
			default:
				luma := t.Y[row*t.Stride:][:w]
				cb, cr := t.Cb[row/t.Down*t.CWidth:][:t.CWidth], t.Cr[row/t.Down*t.CWidth:][:t.CWidth]
				for i, v := range luma {
					l, b, r := m.luma[v], cb[i/t.Across], cr[i/t.Across]
					p := dst[4*i : 4*i+4 : 4*i+4]
					p[0], p[1], p[2], p[3] = clip16(l+m.redCr[r]), clip16(l+m.greenCb[b]+m.greenCr[r]), clip16(l+m.blueCb[b]), 255
				}
			}
		}
	})
}

// paintAlpha takes a tile for the transparency of the picture.
func (m *matrix) paintAlpha(out *image.NRGBA, x, y int, t heic.Tile) {
	if t.Y == nil {
		return
	}
	w, h := min(t.Width, out.Rect.Dx()-x), min(t.Height, out.Rect.Dy()-y)
	for row := range h {
		dst := out.Pix[(y+row)*out.Stride+4*x:][:4*w]
		for i, v := range t.Y[row*t.Stride:][:w] {
			dst[4*i+3] = clip16(m.luma[v])
		}
	}
}

// divideAlpha divides the colours by the transparency they were multiplied with.
func divideAlpha(img *image.NRGBA) {
	for i := 0; i+4 <= len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		if a := int(p[3]); a > 0 && a < 255 {
			for c := range 3 {
				p[c] = uint8(min((int(p[c])*255+a/2)/a, 255))
			}
		}
	}
}
