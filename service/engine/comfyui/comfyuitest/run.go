package comfyuitest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"path"
	"slices"
	"strconv"
	"time"
)

func decode(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(into)
}

// What passes between nodes beside pictures (*image.NRGBA) and masks (*image.Gray, 255 is redrawn).
type (
	conditioning struct {
		text   string
		images []*image.NRGBA
	}
	latent struct {
		pixels *image.NRGBA
		mask   *image.Gray // nil redraws all
	}
)

// exception is an error of a node.
type exception struct{ kind, message string }

func (e *exception) Error() string { return e.message }

// errInterrupted ends work that was interrupted.
var errInterrupted = errors.New("interrupted")

// work runs the queue, one prompt at a time, lowest number first.
func (s *Server) work() {
	for {
		select {
		case <-s.closed:
			return
		case <-s.wake:
		}
		for s.next() {
		}
	}
}

func (s *Server) next() bool {
	s.mu.Lock()
	if len(s.pending) == 0 {
		s.mu.Unlock()
		return false
	}
	run := s.pending[0]
	s.pending, s.running = s.pending[1:], run
	s.mu.Unlock()
	r := &runner{s: s, run: run, results: map[string][]any{}, outputs: map[string]any{}}
	err := r.execute()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != run { // the server was restarted meanwhile
		return true
	}
	s.running = nil
	status := map[string]any{"status_str": "success", "completed": true, "messages": r.messages}
	if err != nil {
		status["status_str"], status["completed"] = "error", false
	}
	s.history[run.id] = map[string]any{
		"prompt": run.item(), "outputs": r.outputs, "status": status, "meta": map[string]any{},
	}
	s.status()
	s.send(run.client, "executing", map[string]any{"node": nil, "prompt_id": run.id})
	return true
}

type runner struct {
	s        *Server
	run      *work
	results  map[string][]any
	outputs  map[string]any
	messages []any
}

// tell sends an event to the prompt's client; those of the execution are kept in the history.
func (r *runner) tell(kind string, data map[string]any) {
	data["prompt_id"] = r.run.id
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	switch kind {
	case "execution_start", "execution_cached", "execution_success", "execution_error", "execution_interrupted":
		data["timestamp"] = time.Now().UnixMilli()
		r.messages = append(r.messages, []any{kind, data})
	}
	r.s.send(r.run.client, kind, data)
}

// key tells graphs apart as the cache does: by classes, inputs and the content of files, not by titles.
func (r *runner) key() (string, error) {
	text, err := json.Marshal(r.run.graph)
	if err != nil {
		return "", err
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(r.run.graph)) {
		if name, ok := r.run.graph[id].Inputs["image"].(string); ok {
			text = append(text, strconv.FormatUint(uint64(crc32.ChecksumIEEE(r.s.inputs[name])), 16)...)
		}
	}
	return string(text), nil
}

func (r *runner) execute() error {
	r.tell("execution_start", map[string]any{})
	key, err := r.key()
	if err != nil {
		return err
	}
	r.s.mu.Lock()
	cached := r.s.cache[key]
	r.s.mu.Unlock()
	if cached != nil {
		r.outputs = cached
		r.tell("execution_cached", map[string]any{"nodes": slices.Sorted(maps.Keys(r.run.graph))})
		r.tell("execution_success", map[string]any{})
		return nil
	}
	r.tell("execution_cached", map[string]any{"nodes": []string{}})
	for _, id := range r.run.targets {
		if _, err := r.node(id); err != nil {
			return err
		}
	}
	r.s.mu.Lock()
	if r.s.running == r.run {
		r.s.cache[key] = r.outputs
	}
	r.s.mu.Unlock()
	r.tell("execution_success", map[string]any{})
	return nil
}

// node runs a node and those that it needs.
func (r *runner) node(id string) ([]any, error) {
	if out, done := r.results[id]; done {
		return out, nil
	}
	n := r.run.graph[id]
	in := map[string]any{}
	for _, spec := range r.s.classes[n.Class].inputs {
		v, given := n.Inputs[spec.name]
		if !given {
			continue
		}
		if from, slot, ok := linked(v); ok {
			out, err := r.node(from)
			if err != nil {
				return nil, err
			}
			v = out[slot]
		}
		in[spec.name] = v
	}
	r.tell("executing", map[string]any{"node": id, "display_node": id})
	out, err := r.compute(id, n.Class, in)
	if err == nil && r.run.stopped() {
		err = errInterrupted
	}
	var failed *exception
	switch {
	case errors.Is(err, errInterrupted):
		r.tell("execution_interrupted", map[string]any{"node_id": id, "node_type": n.Class, "executed": []string{}})
		return nil, err
	case err != nil:
		if !errors.As(err, &failed) {
			failed = &exception{"RuntimeError", err.Error()}
		}
		r.tell("execution_error", map[string]any{
			"node_id": id, "node_type": n.Class, "executed": []string{},
			"exception_type": failed.kind, "exception_message": failed.message,
			"traceback":      []string{"  File \"/srv/comfyui/execution.py\", line 1, in execute\n", failed.message},
			"current_inputs": map[string]any{}, "current_outputs": []string{},
		})
		return nil, failed
	}
	r.results[id] = out
	return out, nil
}

func (r *runner) compute(id, class string, in map[string]any) ([]any, error) {
	switch class {
	case "CheckpointLoaderSimple":
		return []any{in["ckpt_name"], "clip", "vae"}, nil
	case "UNETLoader", "CLIPLoader", "VAELoader", "ModelSamplingAuraFlow":
		return []any{class}, nil
	case "CLIPTextEncode":
		return []any{conditioning{text: fmt.Sprint(in["text"])}}, nil
	case "TextEncodeQwenImageEditPlus":
		c := conditioning{text: fmt.Sprint(in["prompt"])}
		for _, name := range []string{"image1", "image2", "image3"} {
			if img, ok := in[name].(*image.NRGBA); ok {
				c.images = append(c.images, img)
			}
		}
		return []any{c}, nil
	case "LoadImage", "LoadImageMask":
		img, err := r.load(fmt.Sprint(in["image"]))
		if err != nil {
			return nil, err
		}
		if class == "LoadImageMask" {
			return []any{maskOf(img, fmt.Sprint(in["channel"]))}, nil
		}
		return []any{opaque(img), maskOf(img, "alpha")}, nil
	case "ImageInvert":
		img := opaque(in["image"].(*image.NRGBA))
		for i := range img.Pix {
			if i%4 < 3 {
				img.Pix[i] = 255 - img.Pix[i]
			}
		}
		return []any{img}, nil
	case "InpaintModelConditioning":
		pixels, mask := in["pixels"].(*image.NRGBA), in["mask"].(*image.Gray)
		w, h := pixels.Rect.Dx()/8*8, pixels.Rect.Dy()/8*8
		crop := image.Rect(0, 0, w, h).Add(image.Pt(pixels.Rect.Dx()%8/2, pixels.Rect.Dy()%8/2))
		l := latent{pixels: image.NewNRGBA(image.Rect(0, 0, w, h)), mask: image.NewGray(image.Rect(0, 0, w, h))}
		draw.Draw(l.pixels, l.pixels.Rect, pixels, crop.Min, draw.Src)
		draw.Draw(l.mask, l.mask.Rect, mask, crop.Min, draw.Src)
		return []any{in["positive"], in["negative"], l}, nil
	case "EmptyLatentImage", "EmptySD3LatentImage":
		w, err := strconv.Atoi(fmt.Sprint(in["width"]))
		h, err2 := strconv.Atoi(fmt.Sprint(in["height"]))
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		return []any{latent{pixels: image.NewNRGBA(image.Rect(0, 0, w/8*8, h/8*8))}}, nil
	case "KSampler":
		l, err := r.sample(id, in)
		return []any{l}, err
	case "VAEDecode":
		return []any{in["samples"].(latent).pixels}, nil
	case "SaveImage":
		return nil, r.save(id, in["images"].(*image.NRGBA), fmt.Sprint(in["filename_prefix"]))
	}
	return nil, fmt.Errorf("no node %s", class)
}

func (r *runner) load(name string) (*image.NRGBA, error) {
	r.s.mu.Lock()
	data := r.s.inputs[name]
	r.s.mu.Unlock()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, &exception{
			"PIL.UnidentifiedImageError",
			"cannot identify image file '/srv/comfyui/input/" + name + "'",
		}
	}
	out := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	if n, ok := img.(*image.NRGBA); ok { // draw.Draw would lose the colour of transparent pixels
		copy(out.Pix, n.Pix)
		return out, nil
	}
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}

// opaque drops the alpha and keeps the colours under it.
func opaque(img *image.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// maskOf reads a channel as nodes.py does: alpha the other way round, colours as they are.
func maskOf(img *image.NRGBA, channel string) *image.Gray {
	out := image.NewGray(img.Rect)
	offset := map[string]int{"red": 0, "green": 1, "blue": 2, "alpha": 3}[channel]
	for i := range out.Pix {
		out.Pix[i] = img.Pix[4*i+offset]
		if channel == "alpha" {
			out.Pix[i] = 255 - out.Pix[i]
		}
	}
	return out
}

// cell is the side in pixels of the squares that the painter fills with one colour.
const cell = 16

// sample paints what is to be redrawn with colours of the seed and the words, some rows a step. The upper quarter
// shows the mean colours of the pictures that the words came with, side by side in their order.
func (r *runner) sample(id string, in map[string]any) (latent, error) {
	l, positive, negative := in["latent_image"].(latent), in["positive"].(conditioning), in["negative"].(conditioning)
	steps, err := strconv.Atoi(fmt.Sprint(in["steps"]))
	denoise, err2 := strconv.ParseFloat(fmt.Sprint(in["denoise"]), 64)
	if err := errors.Join(err, err2); err != nil {
		return latent{}, err
	}
	out := opaque(l.pixels)
	w, h := out.Rect.Dx(), out.Rect.Dy()
	colours := map[image.Point]color.NRGBA{}
	for cy := range (h + cell - 1) / cell {
		for cx := range (w + cell - 1) / cell {
			colours[image.Pt(cx, cy)] = colourOf(in["seed"], positive.text, negative.text, in["cfg"], cx, cy)
		}
	}
	shown := make([]color.NRGBA, len(positive.images))
	for i, img := range positive.images {
		shown[i] = mean(img)
	}
	for step := range steps {
		if slow := r.s.dialect.Slow; slow != nil {
			select {
			case <-slow:
			case <-r.run.interrupt:
			}
		}
		switch {
		case r.run.stopped():
			return latent{}, errInterrupted
		case r.s.dialect.OOM:
			return latent{}, &exception{"torch.OutOfMemoryError", "Allocation on device 0 would exceed allowed memory."}
		case r.s.dialect.ExecutionError:
			message := fmt.Sprintf(
				"cannot draw %s with /srv/comfyui/models/%v\nsecond line",
				positive.text,
				in["model"],
			)
			return latent{}, &exception{"RuntimeError", message}
		}
		for y := h * step / steps; y < h*(step+1)/steps; y++ {
			for x := range w {
				c := colours[image.Pt(x/cell, y/cell)]
				if n := len(shown); n > 0 && y < h/4 {
					c = shown[x*n/w]
				}
				weight := denoise
				if l.mask != nil {
					weight *= float64(l.mask.GrayAt(x, y).Y) / 255
				}
				old := out.NRGBAAt(x, y)
				mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-weight) + float64(b)*weight + 0.5) }
				out.SetNRGBA(x, y, color.NRGBA{mix(old.R, c.R), mix(old.G, c.G), mix(old.B, c.B), 255})
			}
		}
		r.progress(id, step+1, steps)
	}
	r.s.mu.Lock()
	r.s.renders++
	r.s.mu.Unlock()
	return latent{pixels: out, mask: l.mask}, nil
}

func (r *runner) progress(id string, value, total int) {
	if !r.s.dialect.Old {
		nodes := map[string]any{}
		for done := range r.results {
			nodes[done] = map[string]any{
				"value":     1,
				"max":       1,
				"state":     "finished",
				"node_id":   done,
				"prompt_id": r.run.id,
			}
		}
		nodes[id] = map[string]any{
			"value":     value,
			"max":       total,
			"state":     "running",
			"node_id":   id,
			"prompt_id": r.run.id,
		}
		r.tell("progress_state", map[string]any{"nodes": nodes})
	}
	r.tell("progress", map[string]any{"value": value, "max": total, "node": id})
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.preview(r.run.client)
	if r.s.dialect.DropsSocket {
		r.s.drop(r.run.client)
	}
}

func colourOf(parts ...any) color.NRGBA {
	v := crc32.ChecksumIEEE([]byte(fmt.Sprint(parts...)))
	return color.NRGBA{uint8(v), uint8(v >> 8), uint8(v >> 16), 255}
}

func mean(img *image.NRGBA) color.NRGBA {
	var sum [3]int
	for i := 0; i < len(img.Pix); i += 4 {
		for c := range sum {
			sum[c] += int(img.Pix[i+c])
		}
	}
	n := max(len(img.Pix)/4, 1)
	return color.NRGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}

// save stores a picture as prefix_00001_.png, counted on, with the graph in a text chunk.
func (r *runner) save(id string, img *image.NRGBA, prefix string) error {
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		return err
	}
	const header = 8 + 25 // the signature and IHDR
	data := slices.Concat(buf.Bytes()[:header], textChunk("prompt", r.run.raw), buf.Bytes()[header:])
	folder, stem := path.Split(prefix)
	folder = path.Clean(folder)
	if folder == "." {
		folder = ""
	}
	r.s.mu.Lock()
	name := ""
	for i := 1; ; i++ {
		name = fmt.Sprintf("%s_%05d_.png", stem, i)
		if _, exists := r.s.outputs[path.Join(folder, name)]; !exists {
			break
		}
	}
	r.s.outputs[path.Join(folder, name)] = data
	r.s.mu.Unlock()
	output := map[string]any{"images": []any{map[string]any{"filename": name, "subfolder": folder, "type": "output"}}}
	r.outputs[id] = output
	r.tell("executed", map[string]any{"node": id, "display_node": id, "output": output})
	return nil
}

func textChunk(key string, text []byte) []byte {
	body := slices.Concat([]byte("tEXt"), []byte(key), []byte{0}, text)
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}
