package upstreamtest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"sync"

	"github.com/deepteams/webp"
)

// person draws someone in a red top and blue trousers before a pale wall: enough for a service to find a subject.
func person(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	fw, fh := float64(w), float64(h)
	for y := range h {
		for x := range w {
			u, v := float64(x)/fw, float64(y)/fh
			grain := uint8((x*7919 + y*104729) % 7)
			c := color.RGBA{R: 205 + uint8(v*30) + grain, G: 210 + grain, B: 200 + uint8(u*30) + grain, A: 255}
			switch {
			case ellipse(u, v, 0.46, 0.17, 0.018, 0.012), ellipse(u, v, 0.54, 0.17, 0.018, 0.012):
				c = color.RGBA{R: 40, G: 30, B: 30, A: 255} // eyes
			case ellipse(u, v, 0.5, 0.23, 0.03, 0.008):
				c = color.RGBA{R: 150, G: 60, B: 60, A: 255} // mouth
			case ellipse(u, v, 0.5, 0.18, 0.085, 0.09):
				c = color.RGBA{R: 224, G: 172 + grain, B: 140, A: 255}
			case ellipse(u, v, 0.5, 0.15, 0.105, 0.1):
				c = color.RGBA{R: 60 + grain, G: 40, B: 30, A: 255} // hair
			case v > 0.26 && v < 0.6 && u > 0.33 && u < 0.67:
				c = color.RGBA{R: 190 + grain, G: 30, B: 45, A: 255}
			case v >= 0.6 && v < 0.96 && (u > 0.36 && u < 0.485 || u > 0.515 && u < 0.64):
				c = color.RGBA{R: 30, G: 50, B: 130 + grain, A: 255}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

// face draws somebody's head and shoulders from the front: enough for a service to find a face.
func face(w, h int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			// Lengths are of the picture's width; 0, 0 is between the eyes.
			u, v := math.Abs(float64(x)/float64(w)-0.5), (float64(y)-0.42*float64(h))/float64(w)
			grain := uint8((x*7919 + y*104729) % 7)
			c := color.RGBA{R: 196 + grain, G: 202 + grain, B: 204 + grain, A: 255}
			shade := func(r, g, b, dark float64) {
				c = color.RGBA{R: uint8(r*(1-dark)) + grain, G: uint8(g*(1-dark)) + grain, B: uint8(b*(1-dark)) + grain, A: 255}
			}
			switch {
			case ellipse(u, v, 0.085, 0, 0.016, 0.015), ellipse(u, v, 0.02, 0.125, 0.012, 0.008):
				shade(52, 36, 30, 0) // pupils and nostrils
			case ellipse(u, v, 0.085, 0, 0.036, 0.017):
				shade(226, 220, 214, 0)
			case ellipse(u, v, 0.09, -0.052, 0.05, 0.012):
				shade(70, 48, 36, 0) // brows
			case ellipse(u, v, 0, 0.195, 0.07, 0.02):
				shade(166, 84, 80, 0)
			case ellipse(u, v, 0, 0.06, 0.19, 0.25) && v > -0.14:
				// Sockets, the sides of the face and what is below nose and lip lie in shadow.
				dark := 0.35*(u/0.19)*(u/0.19) + 0.12*math.Max(0, v/0.3)
				for _, hollow := range [][4]float64{{0.085, -0.012, 0.062, 0.045}, {0, 0.142, 0.05, 0.02}, {0, 0.232, 0.06, 0.015}} {
					if ellipse(u, v, hollow[0], hollow[1], hollow[2], hollow[3]) {
						dark += 0.16
					}
				}
				shade(232, 184, 156, dark)
			case ellipse(u, v, 0, 0, 0.235, 0.29):
				shade(58, 40, 30, 0) // hair
			case u < 0.1 && v > 0 && v < 0.36:
				shade(206, 156, 128, 0.15)
			case v > 0.33+0.5*u*u:
				shade(60, 78, 120, 0)
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func ellipse(u, v, cu, cv, ru, rv float64) bool {
	du, dv := (u-cu)/ru, (v-cv)/rv
	return du*du+dv*dv < 1
}

// encoded runs an encoder over memory, which does not fail.
func encoded(write func(b *bytes.Buffer) error) []byte {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		panic("upstreamtest: encode a picture: " + err.Error())
	}
	return b.Bytes()
}

func jpegOf(img image.Image) []byte {
	return encoded(func(b *bytes.Buffer) error { return jpeg.Encode(b, img, &jpeg.Options{Quality: 90}) })
}

func pngOf(img image.Image) []byte {
	return encoded(func(b *bytes.Buffer) error {
		e := png.Encoder{CompressionLevel: png.BestSpeed}
		return e.Encode(b, img)
	})
}

func webpOf(img image.Image) []byte {
	return encoded(func(b *bytes.Buffer) error { return webp.Encode(b, img, webp.DefaultOptions()) })
}

func gifOf(img image.Image) []byte {
	return encoded(func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) })
}

// The size of the picture that cases work on, px: just above what an upload needs, so that cases are cheap.
const photoWidth, photoHeight = 520, 640

// photo draws it.
func photo() *image.RGBA { return person(photoWidth, photoHeight) }

// The files that many cases send, each made once.
var (
	personJPEG  = sync.OnceValue(func() []byte { return jpegOf(photo()) })
	faceJPEG    = sync.OnceValue(func() []byte { return jpegOf(face(photoWidth, photoHeight)) })
	personPNG   = sync.OnceValue(func() []byte { return pngOf(photo()) })
	personWebP  = sync.OnceValue(func() []byte { return webpOf(photo()) })
	tenMB       = sync.OnceValue(func() []byte { return padded(pngOf(flat(600, 700)), 10_000_000) })
	overTenMiB  = sync.OnceValue(func() []byte { return padded(pngOf(flat(600, 700)), 10<<20+1) })
	overFiveMiB = sync.OnceValue(func() []byte { return padded(pngOf(flat(600, 700)), 5<<20+1) })
	maskText    = sync.OnceValue(func() string { return base64.StdEncoding.EncodeToString(upperHalf(photoWidth, photoHeight)) })
)

// flat is a picture of one colour, cheap to make at any size.
func flat(w, h int) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.RGBA{R: 120, G: 130, B: 140, A: 255}})
	return img
}

// padded brings a PNG to exactly n bytes with a chunk that readers pass over.
func padded(file []byte, n int) []byte {
	const head = 8 + 25 // signature and IHDR
	length := n - len(file) - 12
	chunk := make([]byte, 0, length+12)
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(length))
	chunk = append(chunk, "paDd"...)
	chunk = append(chunk, make([]byte, length)...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	out := make([]byte, 0, n)
	out = append(out, file[:head]...)
	out = append(out, chunk...)
	return append(out, file[head:]...)
}

// upperHalf is a mask of w × h that protects the upper half: painted there, transparent below (Run API, "Mask and enum
// semantics").
func upperHalf(w, h int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h / 2 {
		for x := range w {
			img.SetNRGBA(x, y, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		}
	}
	return pngOf(img)
}
