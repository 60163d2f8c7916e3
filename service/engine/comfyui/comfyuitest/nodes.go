package comfyuitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
)

type (
	graph map[string]node
	node  struct {
		Class  string         `json:"class_type"`
		Inputs map[string]any `json:"inputs"`
	}
	class struct {
		inputs  []input
		outputs []string
		output  bool // OUTPUT_NODE
	}
	input struct {
		name, kind string
		options    []string // of a COMBO
		from, to   string   // limits of a number, as decimals
		optional   bool
		upload     bool // a file of the folder of inputs
	}
)

// Limits of nodes.py.
const (
	maxSeed = "18446744073709551615"
	maxSide = "16384"
)

// classes are the nodes that the server has: those of the built-in graphs, and some for graphs of operators.
func classes(d Dialect) map[string]class {
	files := map[string][]string{
		"CheckpointLoaderSimple": {"sd15.safetensors", "sd15-inpainting.safetensors"},
		"UNETLoader":             {"flux-dev.safetensors", "qwen_image_edit_2509.safetensors"},
		"CLIPLoader":             {"clip_l.safetensors", "qwen_2.5_vl_7b.safetensors"},
		"VAELoader":              {"ae.safetensors", "qwen_image_vae.safetensors"},
	}
	maps.Copy(files, d.Models)
	in := func(name, kind string) input { return input{name: name, kind: kind} }
	maybe := func(name, kind string) input { return input{name: name, kind: kind, optional: true} }
	number := func(name, kind, from, to string) input { return input{name: name, kind: kind, from: from, to: to} }
	combo := func(name string, options ...string) input { return input{name: name, kind: "COMBO", options: options} }
	model := func(class, name string) input { return combo(name, files[class]...) }
	image := input{name: "image", kind: "COMBO", upload: true}
	size := []input{
		number("width", "INT", "16", maxSide), number("height", "INT", "16", maxSide),
		number("batch_size", "INT", "1", "4096"),
	}
	all := map[string]class{
		"CheckpointLoaderSimple": {
			inputs:  []input{model("CheckpointLoaderSimple", "ckpt_name")},
			outputs: []string{"MODEL", "CLIP", "VAE"},
		},
		"UNETLoader": {
			inputs:  []input{model("UNETLoader", "unet_name"), combo("weight_dtype", "default", "fp8_e4m3fn")},
			outputs: []string{"MODEL"},
		},
		"CLIPLoader": {
			inputs:  []input{model("CLIPLoader", "clip_name"), combo("type", "stable_diffusion", "flux", "qwen_image")},
			outputs: []string{"CLIP"},
		},
		"VAELoader": {inputs: []input{model("VAELoader", "vae_name")}, outputs: []string{"VAE"}},
		"ModelSamplingAuraFlow": {
			inputs:  []input{in("model", "MODEL"), number("shift", "FLOAT", "0", "100")},
			outputs: []string{"MODEL"},
		},
		"CLIPTextEncode": {
			inputs:  []input{in("text", "STRING"), in("clip", "CLIP")},
			outputs: []string{"CONDITIONING"},
		},
		"TextEncodeQwenImageEditPlus": {
			inputs: []input{
				in("clip", "CLIP"), in("prompt", "STRING"), maybe("vae", "VAE"),
				maybe("image1", "IMAGE"), maybe("image2", "IMAGE"), maybe("image3", "IMAGE"),
			},
			outputs: []string{"CONDITIONING"},
		},
		"LoadImage": {inputs: []input{image}, outputs: []string{"IMAGE", "MASK"}},
		"LoadImageMask": {
			inputs:  []input{image, combo("channel", "alpha", "red", "green", "blue")},
			outputs: []string{"MASK"},
		},
		"ImageInvert": {inputs: []input{in("image", "IMAGE")}, outputs: []string{"IMAGE"}},
		"InpaintModelConditioning": {
			inputs: []input{
				in("positive", "CONDITIONING"), in("negative", "CONDITIONING"), in("vae", "VAE"),
				in("pixels", "IMAGE"), in("mask", "MASK"), in("noise_mask", "BOOLEAN"),
			},
			outputs: []string{"CONDITIONING", "CONDITIONING", "LATENT"},
		},
		"EmptyLatentImage":    {inputs: size, outputs: []string{"LATENT"}},
		"EmptySD3LatentImage": {inputs: size, outputs: []string{"LATENT"}},
		"KSampler": {
			inputs: []input{
				in("model", "MODEL"), number("seed", "INT", "0", maxSeed), number("steps", "INT", "1", "10000"),
				number("cfg", "FLOAT", "0", "100"), combo("sampler_name", "euler", "dpmpp_2m"),
				combo("scheduler", "normal", "simple"), in("positive", "CONDITIONING"),
				in("negative", "CONDITIONING"), in("latent_image", "LATENT"), number("denoise", "FLOAT", "0", "1"),
			},
			outputs: []string{"LATENT"},
		},
		"VAEDecode": {inputs: []input{in("samples", "LATENT"), in("vae", "VAE")}, outputs: []string{"IMAGE"}},
		"SaveImage": {inputs: []input{in("images", "IMAGE"), in("filename_prefix", "STRING")}, output: true},
	}
	delete(all, d.UnknownNode)
	return all
}

// info is what /object_info says of a class. Newer servers describe choices in another form.
func (c class) info(newer bool) map[string]any {
	required, optional := map[string]any{}, map[string]any{}
	for _, in := range c.inputs {
		var spec any
		switch {
		case in.kind == "COMBO" && newer:
			spec = []any{
				"COMBO",
				map[string]any{"options": append([]string{}, in.options...), "image_upload": in.upload},
			}
		case in.upload:
			spec = []any{[]string{"example.png"}, map[string]any{"image_upload": true}}
		case in.kind == "COMBO":
			spec = []any{append([]string{}, in.options...)}
		default:
			spec = []any{in.kind, map[string]any{}}
		}
		if in.optional {
			optional[in.name] = spec
		} else {
			required[in.name] = spec
		}
	}
	return map[string]any{
		"input": map[string]any{
			"required": required,
			"optional": optional,
		}, "output": c.outputs, "output_node": c.output,
	}
}

// linked reads an input as a link.
func linked(v any) (from string, slot int, ok bool) {
	pair, isList := v.([]any)
	if !isList || len(pair) != 2 {
		return "", 0, false
	}
	from, isString := pair[0].(string)
	n, isNumber := pair[1].(json.Number)
	i, err := n.Int64()
	return from, int(i), isString && isNumber && err == nil
}

// validate reads a prompt and checks it as execution.py's validate_prompt does: the classes of all nodes, and the
// inputs of those that an output needs. The caller holds the lock.
func (s *Server) validate(raw json.RawMessage) (g graph, targets []string, failed any, nodeErrors map[string]any) {
	nodeErrors = map[string]any{}
	if err := decode(raw, &g); err != nil {
		failed := refusal(
			"invalid_prompt",
			"Cannot execute because a node is missing the class_type property.",
			err.Error(),
		)
		return nil, nil, failed, nodeErrors
	}
	for _, id := range slices.Sorted(maps.Keys(g)) {
		c, ok := s.classes[g[id].Class]
		if !ok {
			message := "Cannot execute because node " + g[id].Class + " does not exist."
			return nil, nil, refusal("invalid_prompt", message, "Node ID '#"+id+"'"), nodeErrors
		}
		if c.output {
			targets = append(targets, id)
		}
	}
	if len(targets) == 0 {
		return nil, nil, refusal("prompt_no_outputs", "Prompt has no outputs", ""), nodeErrors
	}
	var good []string
	for _, id := range targets {
		before := len(nodeErrors)
		s.validateNode(g, id, nodeErrors, map[string]bool{})
		if len(nodeErrors) == before {
			good = append(good, id)
		}
	}
	if len(good) == 0 {
		return nil, nil, refusal("prompt_outputs_failed_validation", "Prompt outputs failed validation", ""), nodeErrors
	}
	return g, good, nil, nodeErrors
}

func (s *Server) validateNode(g graph, id string, out map[string]any, visited map[string]bool) {
	if visited[id] {
		return
	}
	visited[id] = true
	n := g[id]
	var errs []any
	fault := func(in input, kind, message, details string) {
		errs = append(errs, map[string]any{
			"type": kind, "message": message, "details": details, "extra_info": map[string]any{"input_name": in.name},
		})
	}
	for _, in := range s.classes[n.Class].inputs {
		v, given := n.Inputs[in.name]
		if !given {
			if !in.optional {
				fault(in, "required_input_missing", "Required input is missing", in.name)
			}
			continue
		}
		if from, slot, ok := linked(v); ok {
			source, there := g[from]
			outputs := s.classes[source.Class].outputs
			if !there || slot < 0 || slot >= len(outputs) {
				fault(
					in,
					"bad_linked_input",
					"Bad linked input, must be a length-2 list of [node_id, slot_index]",
					in.name,
				)
				continue
			}
			if outputs[slot] != in.kind {
				fault(
					in,
					"return_type_mismatch",
					"Return type mismatch between linked nodes",
					in.name+": "+outputs[slot],
				)
				continue
			}
			s.validateNode(g, from, out, visited)
			continue
		}
		s.validateValue(in, v, fault)
	}
	if errs != nil {
		out[id] = map[string]any{"errors": errs, "class_type": n.Class, "dependent_outputs": []string{}}
	}
}

func (s *Server) validateValue(in input, v any, fault func(in input, kind, message, details string)) {
	text := fmt.Sprint(v)
	switch in.kind {
	case "INT", "FLOAT":
		value, _, err := big.ParseFloat(text, 10, 128, big.ToNearestEven)
		if err != nil {
			fault(
				in,
				"invalid_input_type",
				"Failed to convert an input value to a "+in.kind+" value",
				in.name+", "+text,
			)
			return
		}
		if from, _, err := big.ParseFloat(in.from, 10, 128, big.ToNearestEven); err == nil && value.Cmp(from) < 0 {
			fault(in, "value_smaller_than_min", "Value "+text+" smaller than min of "+in.from, in.name)
		}
		if to, _, err := big.ParseFloat(in.to, 10, 128, big.ToNearestEven); err == nil && value.Cmp(to) > 0 {
			fault(in, "value_bigger_than_max", "Value "+text+" bigger than max of "+in.to, in.name)
		}
	case "COMBO":
		if in.upload {
			if _, there := s.inputs[text]; !there {
				fault(
					in,
					"custom_validation_failed",
					"Custom validation failed for node",
					in.name+" - Invalid image file: "+text,
				)
			}
			return
		}
		if !slices.Contains(in.options, text) {
			fault(
				in,
				"value_not_in_list",
				"Value not in list",
				fmt.Sprintf("%s: '%s' not in %v", in.name, text, in.options),
			)
		}
	case "STRING":
		if _, isList := v.([]any); isList {
			fault(in, "invalid_input_type", "Failed to convert an input value to a STRING value", in.name)
		}
	case "BOOLEAN":
	default:
		fault(in, "bad_linked_input", "Bad linked input, must be a length-2 list of [node_id, slot_index]", in.name)
	}
}
