package engine

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"atelier/imaging/mask"
)

// MaskPNG encodes a job's mask so that every protocol but the WebUI's reads it alike: white and transparent where the
// engine redraws, black and opaque where it keeps. OpenAI and ComfyUI's alpha channel read the alpha,
// stable-diffusion.cpp, vLLM-omni, LocalAI and ComfyUI's red channel the brightness.
func MaskPNG(m mask.Plane) ([]byte, error) {
	img := image.NewNRGBA(m.Rect()) // NRGBA keeps the colour of transparent pixels, RGBA does not
	for i, v := range m.Pix {
		copy(img.Pix[4*i:], []byte{v, v, v, 255 - v})
	}
	return encode(img)
}

// MaskGreyPNG encodes a job's mask for the WebUI protocol, which reads a file with any transparency by its alpha, the
// other way round: 8 bits of grey without alpha, white where the engine redraws.
func MaskGreyPNG(m mask.Plane) ([]byte, error) {
	return encode(&image.Gray{Pix: m.Pix, Stride: m.W, Rect: m.Rect()})
}

// EncodePNG encodes a picture as it is sent to an engine: without metadata.
func EncodePNG(img *image.NRGBA) ([]byte, error) { return encode(img) }

func encode(img image.Image) ([]byte, error) {
	var out bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode a picture for the engine: %w", err)
	}
	return out.Bytes(), nil
}
