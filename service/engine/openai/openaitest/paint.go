package openaitest

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"atelier/service/engine/enginetest"
)

// What OpenAI's openapi.yaml allows (CreateImageRequest, CreateImageEditRequest).
const (
	mostPrompt   = 32000 // characters
	mostPictures = 16
	mostMask     = 4 << 20  // bytes
	mostPicture  = 50 << 20 // bytes
)

var (
	known = []string{
		"prompt", "model", "n", "size", "quality", "background", "output_format", "output_compression",
		"moderation", "user",
		"stream",
	}
	knownEdits = append(slices.Clone(known), "input_fidelity")
	qualities  = []string{"", "low", "medium", "high", "auto"}
	gptSizes   = []string{"", "auto", "1024x1024", "1536x1024", "1024x1536"}
)

// Sides, pixels and ratio of gpt-image-2 (OpenAI's openapi.yaml and guide to image generation).
const (
	gpt2Multiple = 16
	gpt2Side     = 3840
	gpt2Least    = 655360
	gpt2Most     = 3840 * 2160
	gpt2Ratio    = 3
)

// localAISize is what LocalAI's inpainting makes.
var localAISize = image.Pt(512, 512)

type failure struct {
	status        int
	code, message string
}

func bad(code, format string, args ...any) failure {
	return failure{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

func (r *Request) pictures() []File {
	return append(slices.Clone(r.Files["image"]), r.Files["image[]"]...)
}

// check finds what a server refuses before it works.
func (d Dialect) check(r *Request) failure {
	edits := r.Files != nil
	switch {
	case d.RefusesResponseFormat && r.Fields["response_format"] != "":
		return bad("unknown_parameter", "Unknown parameter: 'response_format'.")
	case r.Fields["prompt"] == "":
		return bad("missing_required_parameter", "prompt required")
	case d.NoEdits && r.Fields["model"] == "":
		return bad("400", "Bad Request")
	case !edits:
	case d.ReadsMaskImage && (len(r.Files["image"]) == 0 || len(r.Files["image[]"]) > 0):
		return failure{http.StatusUnprocessableEntity, "missing", "Field 'image' or 'url' is required"}
	case len(r.pictures()) == 0:
		return bad("missing_required_parameter", "at least one image[] required")
	case d.NoEdits && len(r.Files["mask"]) == 0:
		return bad("400", "missing mask file")
	}
	if d.Strict {
		return d.strict(r, edits)
	}
	return failure{}
}

// strict is what OpenAI checks.
func (d Dialect) strict(r *Request, edits bool) failure {
	allowed := known
	if edits {
		allowed = knownEdits
	}
	for name := range r.Fields {
		if !slices.Contains(allowed, name) {
			return bad("unknown_parameter", "Unknown parameter: '%s'.", name)
		}
	}
	for name := range r.Files {
		if name != "image" && name != "image[]" && name != "mask" {
			return bad("unknown_parameter", "Unknown parameter: '%s'.", name)
		}
	}
	second := strings.HasPrefix(d.Model, "gpt-image-2")
	switch {
	case r.Fields["model"] != "" && r.Fields["model"] != d.Model:
		return failure{http.StatusNotFound, "model_not_found", "The model '" + r.Fields["model"] + "' does not exist"}
	case len([]rune(r.Fields["prompt"])) > mostPrompt:
		return bad(
			"string_above_max_length",
			"Invalid 'prompt': string too long. Expected a string with maximum length %d.",
			mostPrompt,
		)
	case !slices.Contains(qualities, r.Fields["quality"]):
		return bad("invalid_value", "Invalid value: '%s'.", r.Fields["quality"])
	case second && !inGPT2(r.Fields["size"]), !second && !slices.Contains(gptSizes, r.Fields["size"]):
		return bad("invalid_value", "Invalid value: '%s'.", r.Fields["size"])
	case r.Fields["input_fidelity"] != "" && (second || strings.HasSuffix(d.Model, "-mini")):
		return bad(
			"invalid_input_fidelity_model",
			"The model '%s' does not support the 'input_fidelity' parameter.",
			d.Model,
		)
	case r.Fields["background"] == "transparent" && second:
		return bad("invalid_value", "Transparent background is not supported for this model.")
	case len(r.Files["image"]) > 1:
		return bad(
			"duplicate_parameter",
			"Duplicate parameter: 'image'. You provided multiple values for this parameter.",
		)
	case len(r.pictures()) > mostPictures:
		return bad("too_many_images", "At most %d images.", mostPictures)
	}
	for _, f := range append(r.pictures(), r.Files["mask"]...) {
		if !slices.Contains([]string{"image/png", "image/jpeg", "image/webp"}, f.Type) {
			return bad("unsupported_file_mimetype", "Invalid file: unsupported mimetype ('%s').", f.Type)
		}
		if len(f.Data) >= mostPicture {
			return bad("image_too_large", "The image is too large.")
		}
	}
	for _, f := range r.Files["mask"] {
		if f := checkMask(f.Data, r.pictures()[0].Data); f.message != "" {
			return f
		}
	}
	return failure{}
}

// checkMask wants a PNG file below 4 MB with an alpha channel, of the size of the first picture.
func checkMask(file, first []byte) failure {
	const colourType, grey, colour = 25, 0, 2 // where IHDR has it, and the types without alpha
	mask, err := enginetest.Open(file)
	if err != nil || len(file) >= mostMask || file[colourType] == grey || file[colourType] == colour {
		return bad("invalid_image_file", "Invalid mask image format - mask image must be in RGBA or LA format")
	}
	if img, err := enginetest.Open(first); err != nil || img.Rect != mask.Rect {
		return bad("invalid_mask_image_size", "Invalid mask image size - it must be that of the image")
	}
	return failure{}
}

func sizeOf(text string) (image.Point, bool) {
	w, h, found := strings.Cut(text, "x")
	x, err1 := strconv.Atoi(w)
	y, err2 := strconv.Atoi(h)
	return image.Pt(x, y), found && err1 == nil && err2 == nil && x > 0 && y > 0
}

func inGPT2(text string) bool {
	s, ok := sizeOf(text)
	return text == "" || text == "auto" ||
		ok && s.X%gpt2Multiple == 0 && s.Y%gpt2Multiple == 0 && max(s.X, s.Y) <= gpt2Side &&
			s.X*s.Y >= gpt2Least && s.X*s.Y <= gpt2Most && max(s.X, s.Y) <= gpt2Ratio*min(s.X, s.Y)
}

// extra are stable-diffusion.cpp's parameters within the prompt. The first block counts, and all are taken out.
type extra struct {
	Seed     int64  `json:"seed"`
	Negative string `json:"negative_prompt"`
}

func (d Dialect) extra(prompt string) (rest string, out extra, ok bool) {
	const start, end = "<sd_cpp_extra_args>", "</sd_cpp_extra_args>"
	out.Seed = -1
	rest, ok = prompt, true
	for first := true; ; first = false {
		before, after, found := strings.Cut(rest, start)
		block, after, closed := strings.Cut(after, end)
		if !found || !closed {
			return rest, out, ok
		}
		if first {
			ok = json.Unmarshal([]byte(block), &out) == nil
		}
		rest = before + after
	}
}

// paint makes the picture. n numbers the pictures made so far, which stands for a random seed.
func (d Dialect) paint(r Request, n int64) ([]byte, failure) {
	words, seed := r.Fields["prompt"], n
	if d.ExtraArgs {
		rest, more, ok := d.extra(words)
		if !ok {
			return nil, bad("", "invalid sd_cpp_extra_args")
		}
		words = rest + more.Negative
		if cut := int64(int32(more.Seed)); cut >= 0 { // stable-diffusion.cpp cuts seeds to 32 bits
			seed = cut
		}
	}
	if d.TakesSeed && r.Fields["seed"] != "" {
		v, err := strconv.ParseInt(r.Fields["seed"], 10, 64)
		if err != nil {
			return nil, failure{http.StatusUnprocessableEntity, "int_parsing", "Input should be a valid integer"}
		}
		seed, words = v, words+r.Fields["negative_prompt"]
	}
	size, ok := sizeOf(r.Fields["size"])
	if !ok {
		size = image.Pt(1024, 1024)
	}
	if d.RoundsUp64 {
		size = image.Pt((size.X+63)/64*64, (size.Y+63)/64*64)
	}
	if d.NoEdits && r.Files != nil {
		size = localAISize
	}
	img := enginetest.Plain(size, 128)
	redraw := func(int, int) bool { return true }
	if pictures := r.pictures(); len(pictures) > 0 {
		for i, f := range pictures {
			p, err := enginetest.Open(f.Data)
			if err != nil {
				return nil, bad("invalid_image_file", "Invalid image file or mode for image %d", i+1)
			}
			if i == 0 {
				img = d.fit(p, size)
			}
		}
		name := "mask"
		if d.ReadsMaskImage {
			name = "mask_image"
		}
		if masks := r.Files[name]; len(masks) > 0 && !d.IgnoresMask {
			m, err := enginetest.Open(masks[0].Data)
			if err != nil {
				return nil, bad("invalid_image_file", "Invalid mask file")
			}
			redraw = d.redraws(d.fit(m, size))
		}
	}
	if d.Blackens && strings.Contains(words, "forbidden") {
		return enginetest.File(enginetest.Plain(size, 0)), failure{}
	}
	if d.Bleeds {
		img = enginetest.Bleed(img)
	}
	img = enginetest.Repaint(img, redraw, seed, words)
	if d.Reframes {
		img = enginetest.Reframe(img)
	}
	return enginetest.File(img), failure{}
}

func (d Dialect) fit(img *image.NRGBA, size image.Point) *image.NRGBA {
	if d.CropsToSize {
		return enginetest.Cover(img, size)
	}
	return enginetest.Stretch(img, size)
}

// redraws reads a mask: what is wholly transparent, or what is white.
func (d Dialect) redraws(m *image.NRGBA) func(x, y int) bool {
	return func(x, y int) bool {
		c := m.NRGBAAt(x, y)
		switch {
		case !d.WhiteMask:
			return c.A == 0
		case d.AlphaDropped:
			c.A = 255
		}
		return color.GrayModel.Convert(c).(color.Gray).Y >= 128
	}
}
