package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"image"
	"net/http"
	"path"
	"strings"

	"atelier/service/engine"
)

// Dialect is a kind of server that speaks the protocol.
type Dialect string

// The dialects. Each but Other is recognised by the models it lists.
const (
	OpenAI   Dialect = "openai"               // OpenAI itself, Azure, and gateways to a gpt-image model
	SDCpp    Dialect = "stable-diffusion.cpp" // takes seed, negative words and strength inside the prompt
	SGLang   Dialect = "sglang"               // accepts a mask and never reads it
	VLLMOmni Dialect = "vllm-omni"            // reads mask_image in place of mask
	LocalAI  Dialect = "localai"              // has /images/inpainting in place of /images/edits
	Other    Dialect = "other"                // as OpenAI describes it, with nothing optional
)

// References is how many pictures an edit may have beside the first: gpt-image takes 16 (openapi.yaml, image).
const references = 15

// Sides of pictures in pixels (OpenAI's openapi.yaml, CreateImageRequest.size).
const (
	anyMultiple = 64 // suits Stable Diffusion 1, which others round to silently
	anyLeast    = 64
	anyMost     = 2048
	sdcppMost   = 4096
	// gpt-image-2 takes multiples of 16 up to 3840 × 2160. Its guide asks for 655,360 pixels at least, which two
	// sides of 816 have.
	gpt2Multiple = 16
	gpt2Least    = 816
	gpt2Most     = 3840
)

// gpt2Pixels is 3840 × 2160, and gpt2Ratio the longest side over the shortest, of gpt-image-2.
const (
	gpt2Pixels = 3840 * 2160
	gpt2Ratio  = 3
)

// gptSizes are all sizes of gpt-image-1 and its successors before 2.
var gptSizes = []image.Point{{X: 1024, Y: 1024}, {X: 1536, Y: 1024}, {X: 1024, Y: 1536}}

// localAISize is what /images/inpainting of LocalAI makes, whatever is asked for (inpainting.go, InpaintingEndpoint).
var localAISize = image.Pt(512, 512)

// family is a model of OpenAI's: what it takes beside the words.
type family struct {
	prefix      string
	anySize     bool
	fidelity    bool // input_fidelity; gpt-image-2 always keeps its inputs
	transparent bool // background
}

// families lists the models, the longest prefix first.
var families = []family{
	{prefix: "gpt-image-1-mini", transparent: true},
	{prefix: "gpt-image-1", fidelity: true, transparent: true},
	{prefix: "chatgpt-image", fidelity: true, transparent: true},
	{prefix: "gpt-image-2", anySize: true},
}

// familyOf finds a model's family by the last part of its name, since gateways put the vendor before it.
func familyOf(model string) (family, bool) {
	for _, f := range families {
		if strings.HasPrefix(path.Base(model), f.prefix) {
			return f, true
		}
	}
	return family{}, false
}

// preferred are the models that are taken when the operator names none, the best first.
var preferred = []string{"gpt-image-2", "gpt-image-1.5", "gpt-image-1"}

// listed is a model of a list. TaskType is SGLang's: T2I, I2I or TI2I.
type listed struct {
	ID       string `json:"id"`
	OwnedBy  string `json:"owned_by"`
	TaskType string `json:"task_type"`
}

// server is what a probe found.
type server struct {
	dialect   Dialect
	prefix    string // "" or /v1
	model     string // "" leaves it to the server
	known     bool   // family is that of the model
	family    family
	masks     []string // the form's fields for the mask
	abilities engine.Abilities
}

func (e *Engine) find(ctx context.Context) (*server, error) {
	s := &server{dialect: e.options.Dialect}
	models, err := e.models(ctx, s)
	if err != nil {
		return nil, err
	}
	s.model = cmp.Or(e.client.Model(), modelOf(models))
	s.family, s.known = familyOf(s.model)
	edits, inpainting := true, false
	if s.dialect == "" {
		if s.dialect = e.dialectOf(models, s); s.dialect == "" {
			if edits, inpainting, err = e.routes(ctx, s); err != nil {
				return nil, err
			}
			s.dialect = Other
			if !edits && inpainting {
				s.dialect = LocalAI
			}
		}
	}
	s.describe(models, edits)
	s.abilities.Paid = e.client.Remote() || e.options.Paid
	s.abilities.Remote = e.client.Remote()
	s.masks = []string{"mask"}
	switch {
	case e.options.MaskField != "":
		s.masks = []string{e.options.MaskField}
	case s.dialect == VLLMOmni:
		s.masks = []string{"mask_image", "mask"}
	}
	return s, nil
}

// models asks for the list below the address and, unless that ends in /v1, below /v1, and notes where it was. Azure's
// addresses of a deployment have no list.
func (e *Engine) models(ctx context.Context, s *server) ([]listed, error) {
	prefixes := []string{"", "/v1"}
	if strings.HasSuffix(e.client.URL(""), "/v1") {
		prefixes = prefixes[:1]
	}
	for _, prefix := range prefixes {
		a, err := e.ask(ctx, http.MethodGet, prefix+"/models", "", nil)
		if err != nil {
			return nil, err
		}
		var list struct {
			Data []listed `json:"data"`
		}
		switch {
		case a.Status == http.StatusOK && json.Unmarshal(a.Body, &list) == nil && list.Data != nil:
			s.prefix = prefix
			return list.Data, nil
		case missing(a), a.Status == http.StatusOK:
		default:
			return nil, e.client.Refusal(a)
		}
	}
	if e.options.AzureVersion != "" {
		return nil, nil
	}
	return nil, e.client.Fail(engine.Refused, "it lists no models")
}

func missing(a *engine.Answer) bool {
	return a.Status == http.StatusNotFound || a.Status == http.StatusMethodNotAllowed
}

// modelOf chooses a model of a list: OpenAI's best, else the only one. Several leave the choice to the server.
func modelOf(models []listed) string {
	for _, name := range preferred {
		for _, m := range models {
			if path.Base(m.ID) == name {
				return m.ID
			}
		}
	}
	if len(models) == 1 {
		return models[0].ID
	}
	return ""
}

// dialectOf recognises a server: stable-diffusion.cpp by the name of its only model (routes_openai.cpp), SGLang and
// vLLM-omni by the owner of theirs (common_api.py, ModelCard), and OpenAI by a model of its own. "" is none of them.
func (e *Engine) dialectOf(models []listed, s *server) Dialect {
	for _, m := range models {
		switch {
		case m.ID == "sd-cpp-local":
			return SDCpp
		case m.OwnedBy == "sglang":
			return SGLang
		case m.OwnedBy == "vllm":
			return VLLMOmni
		}
	}
	if s.known || e.options.AzureVersion != "" {
		return OpenAI
	}
	return ""
}

// routes sends an empty request to each address that makes pictures, which a server that has it refuses.
func (e *Engine) routes(ctx context.Context, s *server) (edits, inpainting bool, err error) {
	has := func(path string) bool {
		var a *engine.Answer
		if err == nil {
			a, err = e.ask(ctx, http.MethodPost, s.prefix+path, "application/json", []byte("{}"))
		}
		return err == nil && !missing(a)
	}
	edits, inpainting = has("/images/edits"), has("/images/inpainting")
	if !has("/images/generations") && err == nil {
		err = e.client.Fail(engine.Refused, "it makes no pictures")
	}
	return edits, inpainting, err
}

// describe fills the abilities in. Inpaint is left to servers that read a mask.
func (s *server) describe(models []listed, edits bool) {
	a := engine.Abilities{
		Protocol: "openai", Model: s.model, References: references,
		Modes:    []engine.Mode{engine.Inpaint, engine.Edit, engine.Text},
		Multiple: anyMultiple, Least: anyLeast, Most: anyMost,
	}
	switch s.dialect {
	case SDCpp:
		a.Negative, a.Seed, a.Most = true, true, sdcppMost
	case SGLang:
		a.Negative, a.Seed = true, true
		a.Modes = []engine.Mode{engine.Edit, engine.Text}
		if len(models) > 0 && models[0].TaskType == "T2I" {
			a.Modes = []engine.Mode{engine.Text}
		}
		if len(models) > 0 && models[0].TaskType == "I2I" {
			a.Modes = []engine.Mode{engine.Edit}
		}
	case VLLMOmni:
		a.Negative, a.Seed = true, true
	case LocalAI:
		a.Modes, a.References = []engine.Mode{engine.Inpaint, engine.Text}, 0
		a.Sizes = []image.Point{localAISize}
	case OpenAI, Other:
		if !edits {
			a.Modes, a.References = []engine.Mode{engine.Text}, 0
		}
	}
	if s.known && s.family.anySize {
		a.Multiple, a.Least, a.Most = gpt2Multiple, gpt2Least, gpt2Most
	} else if s.known {
		a.Sizes, a.Multiple, a.Least, a.Most = gptSizes, gpt2Multiple, gptSizes[0].X, gptSizes[1].X
	}
	s.abilities = a
}
