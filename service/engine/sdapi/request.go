package sdapi

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"atelier/service/engine"
)

// seedBits are the bits of a seed that every server takes: stable-diffusion.cpp cuts it to 32, signed
// (routes_sdapi.cpp).
const seedBits = 1<<31 - 1

// What fills the masked part before it is redrawn (inpainting_fill of AUTOMATIC1111).
const (
	fillFromEdges = 0
	fillOriginal  = 1
)

// newGround is the strength from which the masked part starts from the colours around it and not from the original.
const newGround = 0.9

// Values of the WebUI's own forms.
const (
	maskBlur     = 4  // pixels
	maskPadding  = 32 // pixels, of a crop that is not asked for
	justResize   = 0  // the sizes fit already
	maskAsItIs   = 0
	onePicture   = 1
	extraOfSDCpp = "<sd_cpp_extra_args>" // begins stable-diffusion.cpp's parameters in a prompt
)

// request writes a job with every field that a server has a default for, since defaults differ.
func (e *Engine) request(ctx context.Context, h engine.Handle) (path string, body []byte, err error) {
	job := h.Job
	fields := map[string]any{
		"prompt": withoutExtra(job.Prompt), "negative_prompt": job.Negative,
		"width": job.Size.X, "height": job.Size.Y, "seed": job.Seed & seedBits,
		"batch_size": onePicture, "n_iter": onePicture,
		"save_images": false, "send_images": true, "do_not_save_grid": true,
		"force_task_id": h.ID,
	}
	e.configured(fields, job)
	path = "/sdapi/v1/txt2img"
	if job.Mode != engine.Text {
		path = "/sdapi/v1/img2img"
		if err := pictures(ctx, fields, job); err != nil {
			return "", nil, err
		}
	}
	body, err = json.Marshal(fields)
	if err != nil {
		return "", nil, fmt.Errorf("write a request for the image engine: %w", err)
	}
	return path, body, nil
}

// configured adds what is sent only when the operator or the job says it: models that were distilled need other values
// than the defaults.
func (e *Engine) configured(fields map[string]any, job engine.Job) {
	set := func(name string, value any, when bool) {
		if when {
			fields[name] = value
		}
	}
	set("steps", job.Steps, job.Steps > 0)
	set("cfg_scale", job.CFG, job.CFG > 0)
	set("sampler_name", e.options.Sampler, e.options.Sampler != "")
	set("scheduler", e.options.Scheduler, e.options.Scheduler != "")
	set("alwayson_scripts", e.options.Scripts, len(e.options.Scripts) > 0)
	model := e.client.Model()
	set("override_settings", map[string]any{"sd_model_checkpoint": model}, model != "")
	set("override_settings_restore_afterwards", false, model != "")
}

// pictures adds the first picture, its mask and the references. Pictures of another shape are padded to that of the
// size: resize_mode 0 stretches them, and stable-diffusion.cpp crops them.
func pictures(ctx context.Context, fields map[string]any, job engine.Job) error {
	var files [][]byte // encoding/json writes them in base64
	for _, p := range job.Pictures {
		p, err := engine.FitShape(ctx, p, job.Size)
		if err != nil {
			return err
		}
		files = append(files, p)
	}
	fields["init_images"] = files[:1]
	fields["include_init_images"] = false
	fields["resize_mode"] = justResize
	fields["denoising_strength"] = job.Strength
	if len(files) > 1 {
		fields["extra_images"] = files[1:]
	}
	if job.Mode != engine.Inpaint {
		return nil
	}
	mask, err := engine.MaskGreyPNG(job.Mask)
	if err != nil {
		return err
	}
	fields["mask"] = mask
	fields["inpainting_mask_invert"] = maskAsItIs
	fields["inpainting_fill"] = fillOriginal
	if job.Strength >= newGround {
		fields["inpainting_fill"] = fillFromEdges
	}
	fields["inpaint_full_res"] = false
	fields["inpaint_full_res_padding"] = maskPadding
	fields["mask_blur"] = maskBlur
	fields["mask_round"] = true
	return nil
}

// withoutExtra takes the tag out of a user's words with which stable-diffusion.cpp would read parameters from them.
func withoutExtra(words string) string {
	for strings.Contains(words, extraOfSDCpp) {
		words = strings.ReplaceAll(words, extraOfSDCpp, "")
	}
	return words
}
