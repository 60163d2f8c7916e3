package enginetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/png"
	"net/http"
	"strings"
)

// square is the side of the pattern's squares in pixels.
const square = 8

// Repaint gives what a fake engine makes: src, and a pattern of squares where redraw says so. The pattern's two
// colours are a function of the seed and the words and sum to white, so that it differs from every even surface.
func Repaint(src *image.NRGBA, redraw func(x, y int) bool, seed int64, words string) *image.NRGBA {
	c := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(words), uint64(seed)))
	out := image.NewNRGBA(src.Rect)
	copy(out.Pix, src.Pix)
	for y := range src.Rect.Dy() {
		for x := range src.Rect.Dx() {
			if !redraw(x, y) {
				continue
			}
			p := out.Pix[out.PixOffset(x, y):]
			copy(p, []byte{c[0], c[1], c[2], 255})
			if (x/square+y/square)%2 == 1 {
				copy(p, []byte{255 - c[0], 255 - c[1], 255 - c[2], 255})
			}
		}
	}
	return out
}

// Stretch scales a picture to a size without regard to its shape.
func Stretch(img *image.NRGBA, size image.Point) *image.NRGBA {
	return cut(img, img.Rect, size)
}

// Cover scales a picture to a size and cuts off what has no room, equally at both ends.
func Cover(img *image.NRGBA, size image.Point) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	in := image.Pt(min(w, max(h*size.X/size.Y, 1)), min(h, max(w*size.Y/size.X, 1)))
	at := image.Pt((w-in.X)/2, (h-in.Y)/2)
	return cut(img, image.Rectangle{Min: at, Max: at.Add(in)}, size)
}

// Reframe gives a picture as if the camera had moved 5 pixels to the right.
func Reframe(img *image.NRGBA) *image.NRGBA {
	const shift = 5
	size := img.Rect.Size()
	return cut(img, image.Rect(min(shift, size.X-1), 0, size.X, size.Y), size)
}

// Bleed changes every pixel by one value, as the way through a latent space does.
func Bleed(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for i, v := range img.Pix {
		out.Pix[i] = v
		if i%4 < 3 {
			out.Pix[i] = v ^ 1
		}
	}
	return out
}

func cut(img *image.NRGBA, in image.Rectangle, size image.Point) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := img.PixOffset(in.Min.X+x*in.Dx()/size.X, in.Min.Y+y*in.Dy()/size.Y)
			copy(out.Pix[out.PixOffset(x, y):], img.Pix[from:from+4])
		}
	}
	return out
}

// Open decodes a PNG file as a server does that takes no other; it fails for anything else.
func Open(file []byte) (*image.NRGBA, error) {
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if same, ok := img.(*image.NRGBA); ok {
		return same, nil
	}
	out := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, img.At(img.Bounds().Min.X+x, img.Bounds().Min.Y+y))
		}
	}
	return out, nil
}

// Plain is a picture of a size in one grey.
func Plain(size image.Point, grey uint8) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for i := range out.Pix {
		out.Pix[i] = grey
		if i%4 == 3 {
			out.Pix[i] = 255
		}
	}
	return out
}

// File is a picture's PNG file.
func File(img image.Image) []byte {
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// OpenBase64 is Open for a picture in base64, perhaps as a data URL.
func OpenBase64(text string) (*image.NRGBA, error) {
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		_, text, _ = strings.Cut(rest, ",")
	}
	file, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return Open(file)
}

// Reply answers a request with JSON.
func Reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		panic(http.ErrAbortHandler) // the client left
	}
}
