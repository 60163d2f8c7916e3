package comfyui_test

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"atelier/service/engine"
	"atelier/service/engine/comfyui"
	"atelier/service/engine/comfyui/comfyuitest"
	"atelier/service/engine/enginetest"
)

// sampler is the rest of a graph: nodes 1 to 3 load a model and words, 20 samples the latent picture of node 10, and
// 21 and 22 decode and store.
const sampler = `
	"1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sd15.safetensors"}},
	"2": {"class_type": "CLIPTextEncode", "inputs": {"text": "photo of %prompt%, %width%x%height%", "clip": ["1", 1]}},
	"3": {"class_type": "CLIPTextEncode", "inputs": {"text": "%negative%", "clip": ["1", 1]}},
	"20": {"class_type": "KSampler", "inputs": {"model": ["1", 0], "seed": "%seed%", "steps": "%steps%", "cfg": "%cfg%",
		"sampler_name": "euler", "scheduler": "normal", "positive": ["2", 0], "negative": ["3", 0],
		"latent_image": ["10", 0],
		"denoise": "%strength%"}},
	"21": {"class_type": "VAEDecode", "inputs": {"samples": ["20", 0], "vae": ["1", 2]}},
	"22": {"class_type": "SaveImage", "inputs": {"images": ["21", 0], "filename_prefix": "%date:yyyy%"}}`

const stringMarks = `{` + sampler + `,
	"10": {"class_type": "EmptyLatentImage",
		"inputs": {"width": "%width%", "height": "%height%", "batch_size": "%batch%"}}}`

// masked has the mask of a node of its own: class, inputs and the number of its output.
func masked(node, slot string) string {
	return `{` + strings.Replace(sampler, `["10", 0]`, `["10", 2]`, 1) + `,
	"8": {"class_type": "LoadImage", "inputs": {"image": "%image%"}},
	"9": ` + node + `,
	"10": {"class_type": "InpaintModelConditioning",
		"inputs": {"positive": ["2", 0], "negative": ["3", 0], "vae": ["1", 2],
		"pixels": ["8", 0], "mask": ["9", ` + slot + `], "noise_mask": true}}}`
}

// edited encodes two pictures, the second inverted; more are the inputs of the encoder beside the first.
func edited(more string) string {
	return `{` + strings.Replace(sampler, `"positive": ["2", 0]`, `"positive": ["12", 0]`, 1) + `,
	"8": {"class_type": "LoadImage", "inputs": {"image": "x"}, "_meta": {"title": "Garment @image"}},
	"9": {"class_type": "LoadImage", "inputs": {"image": "%ref1%"}},
	"11": {"class_type": "ImageInvert", "inputs": {"image": ["9", 0]}},
	"12": {"class_type": "TextEncodeQwenImageEditPlus",
		"inputs": {"clip": ["1", 1], "prompt": "%prompt%", "image1": ["8", 0]` + more + `}},
	"10": {"class_type": "EmptySD3LatentImage", "inputs": {"width": 192, "height": 128, "batch_size": 1}}}`
}

func plain(c color.NRGBA) []byte {
	img := image.NewNRGBA(image.Rectangle{Max: size})
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []byte{c.R, c.G, c.B, 255})
	}
	data, err := engine.EncodePNG(img)
	if err != nil {
		panic(err)
	}
	return data
}

var (
	red   = color.NRGBA{200, 0, 0, 255}
	green = color.NRGBA{0, 200, 0, 255}
	blue  = color.NRGBA{0, 0, 200, 255}
)

func editJob(workflow string, colours ...color.NRGBA) engine.Job {
	job := engine.Job{Mode: engine.Edit, Workflow: workflow, Prompt: "wear it", Size: size, Strength: 1}
	for _, c := range colours {
		job.Pictures = append(job.Pictures, plain(c))
	}
	return job
}

// shown reads the colours of the pictures that the stand-in's painter got, in its upper rows.
func shown(img image.Image, n int) []color.NRGBA {
	var out []color.NRGBA
	for i := range n {
		c, ok := color.NRGBAModel.Convert(img.At(size.X*(2*i+1)/(2*n), 3)).(color.NRGBA)
		if ok {
			out = append(out, c)
		}
	}
	return out
}

func TestBuiltInEditKeepsTheOrder(t *testing.T) {
	e := open(t, comfyuitest.New(t, comfyuitest.Dialect{}).URL, nil)
	for _, want := range [][]color.NRGBA{{red}, {red, green}, {red, green, blue}, {blue, red, green}} {
		if got := shown(render(t, e, editJob("", want...)), len(want)); !slices.Equal(got, want) {
			t.Errorf("sent %v, the server got %v", want, got)
		}
	}
	_, err := e.Begin(t.Context(), uuid.NewString(), editJob("", red, green, blue, red))
	want := `The built-in graph "edit" cannot run with 4 pictures: it takes 3.`
	if got := wants(t, err, engine.Refused); got.Detail != want {
		t.Error(got.Detail)
	}
}

func TestStringMarksAreFilled(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	e := open(t, s.URL, map[string][]byte{"text": []byte(stringMarks)})
	job := textJob("%seed% chair")
	job.Workflow, job.Negative, job.CFG = "text", "noise", 3.5
	if img := render(t, e, job); img.Bounds().Size() != size {
		t.Errorf("the size is %v", img.Bounds())
	}
	for _, data := range s.Outputs() {
		for _, want := range []string{
			`"photo of %seed% chair, 192x128"`, `"text":"noise"`, `"seed":5`, `"steps":20`, `"cfg":3.5`, `"denoise":1`,
			`"width":192`,
			`"filename_prefix":"%date:yyyy%"`,
		} {
			if !strings.Contains(string(data), want) {
				t.Errorf("the graph has no %s", want)
			}
		}
	}
}

func TestMaskPolarityOfEveryReader(t *testing.T) {
	workflows := map[string][]byte{
		"alpha": []byte(
			masked(`{"class_type": "LoadImageMask", "inputs": {"image": "%mask%", "channel": "alpha"}}`, "0"),
		),
		"red": []byte(
			masked(`{"class_type": "LoadImageMask", "inputs": {"image": "%mask%", "channel": "red"}}`, "0"),
		),
		"image": []byte(
			masked(`{"class_type": "LoadImage", "inputs": {"image": ""}, "_meta": {"title": "@mask"}}`, "1"),
		),
	}
	e := open(t, comfyuitest.New(t, comfyuitest.Dialect{}).URL, workflows)
	source := decode(t, enginetest.Halves(size))
	for name := range workflows {
		job := enginetest.InpaintJob(size, 1)
		job.Workflow = name
		img := render(t, e, job)
		kept := enginetest.Difference(source, img, image.Rect(0, 0, size.X/2, size.Y))
		redrawn := enginetest.Difference(source, img, image.Rect(size.X/2, 0, size.X, size.Y))
		if kept != 0 || redrawn < 20 {
			t.Errorf("%s: the kept half differs by %.2f, the redrawn one by %.2f", name, kept, redrawn)
		}
	}
}

func TestReferencesAreCutOut(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	e := open(t, s.URL, map[string][]byte{"tryon": []byte(edited(`, "image2": ["11", 0]`))})
	a, err := e.Probe(t.Context())
	if err != nil || !slices.Equal(a.Workflows, []string{"tryon"}) || len(e.Problems()) > 0 {
		t.Errorf("%+v, %q, %v", a, e.Problems(), err)
	}
	if got := shown(render(t, e, editJob("tryon", red)), 1); got[0] != red {
		t.Errorf("with one picture the server got %v", got)
	}
	inverted := color.NRGBA{255, 55, 255, 255}
	if got := shown(render(t, e, editJob("tryon", red, green)), 2); got[0] != red || got[1] != inverted {
		t.Errorf("with two pictures the server got %v", got)
	}
}

func TestWorkflowIsChosenByPictureCount(t *testing.T) {
	needy := edited(`, "image2": ["11", 0]`)
	needy = strings.Replace(needy, `"clip": ["1", 1], "prompt"`, `"clip": ["9", 0], "prompt"`, 1)
	single := strings.Replace(edited(""), `"%ref1%"`, `"%image%"`, 1)
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	e := open(t, s.URL, map[string][]byte{"tryon": []byte(needy)})
	if _, err := e.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := `The workflow "tryon" cannot run with 1 picture: it needs @ref1: node 22 cannot do without it. ` +
		`To use 1 picture, add a workflow named "tryon-1".`
	if p := e.Problems(); !slices.Equal(p, []string{want}) {
		t.Errorf("problems: %q", p)
	}
	_, err := e.Begin(t.Context(), uuid.NewString(), editJob("tryon", red))
	wants(t, err, engine.Refused)
	e = open(t, s.URL, map[string][]byte{"tryon": []byte(needy), "tryon-1": []byte(single)})
	a, err := e.Probe(t.Context())
	if err != nil || !slices.Equal(a.Workflows, []string{"tryon", "tryon-1"}) || len(e.Problems()) > 0 {
		t.Errorf("%v, %q, %v", a.Workflows, e.Problems(), err)
	}
	if got := shown(render(t, e, editJob("tryon", blue)), 1); got[0] != blue {
		t.Errorf("the server got %v", got)
	}
}

func TestWorkflowOfAnotherModeIsRefused(t *testing.T) {
	e := open(t, comfyuitest.New(t, comfyuitest.Dialect{}).URL, map[string][]byte{"poster": []byte(stringMarks)})
	for workflow, want := range map[string]string{
		"poster": `The workflow "poster" is for the mode text, not edit.`, "none": `There is no workflow "none".`,
	} {
		_, err := e.Begin(t.Context(), uuid.NewString(), editJob(workflow, red))
		if got := wants(t, err, engine.Refused); got.Detail != want {
			t.Errorf("%s: %s", workflow, got.Detail)
		}
	}
}

func TestProblemsNameNodesAndFiles(t *testing.T) {
	change := strings.NewReplacer("sd15.safetensors", "mine.safetensors", "VAEDecode", "VAEDecodeTurbo")
	broken := change.Replace(stringMarks)
	for name, d := range map[string]comfyuitest.Dialect{"lists": {}, "COMBO": {New: true}} {
		t.Run(name, func(t *testing.T) {
			e := open(t, comfyuitest.New(t, d).URL, map[string][]byte{"poster": []byte(broken)})
			a, err := e.Probe(t.Context())
			if err != nil || len(a.Workflows) != 0 || !a.Does(engine.Text) {
				t.Errorf("%+v, %v", a, err)
			}
			want := []string{
				`The workflow "poster" cannot run: ` +
					`the server does not offer "mine.safetensors" as ckpt_name of CheckpointLoaderSimple.`,
				`The workflow "poster" cannot run: the server has no node VAEDecodeTurbo.`,
			}
			if p := e.Problems(); !slices.Equal(p, want) {
				t.Errorf("problems: %q", p)
			}
		})
	}
}

func TestOutputMarkChoosesThePicture(t *testing.T) {
	second := `{` + sampler + `,
	"10": {"class_type": "EmptyLatentImage", "inputs": {"width": 192, "height": 128, "batch_size": 1}},
	"23": {"class_type": "ImageInvert", "inputs": {"image": ["21", 0]}},
	"24": {"class_type": "SaveImage", "inputs": {"images": ["23", 0], "filename_prefix": "x"},
		"_meta": {"title": "TITLE"}}}`
	e := open(t, comfyuitest.New(t, comfyuitest.Dialect{}).URL, map[string][]byte{
		"first": []byte(second), "marked": []byte(strings.Replace(second, "TITLE", "@output", 1)),
	})
	job := textJob("a chair")
	job.Workflow = "first"
	plain := render(t, e, job)
	job.Workflow = "marked"
	inverted := render(t, e, job)
	ar, ag, ab, _ := plain.At(5, 5).RGBA()
	br, bg, bb, _ := inverted.At(5, 5).RGBA()
	if ar+br != 0xffff || ag+bg != 0xffff || ab+bb != 0xffff {
		t.Errorf("the pictures have %v and %v", plain.At(5, 5), inverted.At(5, 5))
	}
}

func TestUnreadableWorkflowsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                        "no JSON object",
		`[]`:                      "no JSON object",
		`{}`:                      "no nodes",
		`{"nodes":[],"links":[]}`: "Save (API format)",
		`{"1":{"inputs":{}}}`:     "class_type",
		`{"1":7}`:                 "API format",
		stringMarks + `{}`:        "no JSON object",
		`{"1":{"class_type":"A","inputs":{"x":["2",0]}}}`:                             "comes from node 2",
		`{"1":{"class_type":"A","inputs":{"text":"x"},"_meta":{"title":"@promt"}}}`:   "@promt is no mark",
		`{"1":{"class_type":"A","inputs":{"words":"x"},"_meta":{"title":"@prompt"}}}`: "none of the inputs text",
		`{"1":{"class_type":"A","inputs":{"image":"%mask%"}}}`:                        "@mask and no @image",
		`{"1":{"class_type":"A","inputs":{"image":"%ref2%"}}}`:                        "@ref2 and no @image",
		strings.Repeat(" ", 5<<20):                                                    "larger than 4 MB",
	} {
		o := comfyui.Options{Workflows: map[string][]byte{"mine": []byte(text)}}
		_, err := comfyui.New(engine.Access{URL: "http://localhost"}, o)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"mine"`) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}
