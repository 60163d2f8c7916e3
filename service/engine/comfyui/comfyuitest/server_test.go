package comfyuitest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"atelier/service/engine/comfyui/comfyuitest"
)

// The facts that were tried against ComfyUI 0.3.64, each on the stand-in.

const graph = `{
	"1": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "sd15.safetensors"}},
	"2": {"class_type": "CLIPTextEncode", "inputs": {"text": "a", "clip": ["1", 1]}},
	"3": {"class_type": "EmptyLatentImage", "inputs": {"width": 64, "height": 64, "batch_size": 1}},
	"4": {"class_type": "KSampler", "inputs": {"model": ["1", 0], "seed": SEED, "steps": 2, "cfg": 1,
		"sampler_name": "euler", "scheduler": "normal", "positive": ["2", 0], "negative": ["2", 0],
		"latent_image": ["3", 0], "denoise": 1}},
	"5": {"class_type": "VAEDecode", "inputs": {"samples": ["4", 0], "vae": ["1", 2]}},
	"6": {"class_type": "SaveImage", "inputs": {"images": ["5", 0], "filename_prefix": "p"}}}`

func seeded(seed string) string { return strings.Replace(graph, "SEED", seed, 1) }

func submit(t *testing.T, s *comfyuitest.Server, id, seed string) (int, map[string]any) {
	t.Helper()
	return call(t, http.MethodPost, s.URL+"/prompt", `{"prompt":`+seeded(seed)+`,"prompt_id":"`+id+`"}`)
}

func call(t *testing.T, method, url, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if len(data) > 0 && json.Unmarshal(data, &out) != nil {
		t.Fatalf("%s answers %s", url, data)
	}
	return resp.StatusCode, out
}

func upload(t *testing.T, s *comfyuitest.Server, name, content, overwrite string) string {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("image", name)
	if err != nil {
		t.Fatal(err)
	}
	part.Write([]byte(content))
	form.WriteField("overwrite", overwrite)
	form.Close()
	resp, err := http.Post(s.URL+"/upload/image", form.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out struct{ Name string }
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Name
}

func TestUploadNames(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	for _, step := range []struct{ content, overwrite, want string }{
		{"one", "", "a.png"}, {"one", "", "a.png"}, {"two", "", "a (1).png"}, {"three", "true", "a.png"},
	} {
		if got := upload(t, s, "a.png", step.content, step.overwrite); got != step.want {
			t.Errorf("%s is stored as %s, want %s", step.content, got, step.want)
		}
	}
}

func TestSameIDIsQueuedTwice(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{Slow: make(chan struct{})})
	for _, seed := range []string{"1", "2"} {
		if status, out := submit(t, s, "any id", seed); status != http.StatusOK || out["prompt_id"] != "any id" {
			t.Errorf("%d %v", status, out)
		}
	}
	_, queue := call(t, http.MethodGet, s.URL+"/queue", "")
	if n := len(queue["queue_running"].([]any)) + len(queue["queue_pending"].([]any)); n != 2 {
		t.Errorf("%d are queued", n)
	}
}

func TestInterruptOfAnotherID(t *testing.T) {
	step := make(chan struct{})
	s := comfyuitest.New(t, comfyuitest.Dialect{Slow: step})
	submit(t, s, "ours", "1")
	step <- struct{}{}
	call(t, http.MethodPost, s.URL+"/interrupt", `{"prompt_id":"theirs"}`)
	submit(t, s, "next", "2")
	step <- struct{}{}
	step <- struct{}{} // the first step of next: ours ran to its end
	if s.Renders() != 1 {
		t.Error("ours was stopped")
	}
	old := comfyuitest.New(t, comfyuitest.Dialect{Old: true, Slow: step})
	submit(t, old, "ours", "1")
	step <- struct{}{}
	call(t, http.MethodPost, old.URL+"/interrupt", `{"prompt_id":"theirs"}`)
	submit(t, old, "next", "2")
	step <- struct{}{}
	if old.Renders() != 0 {
		t.Error("an old server reads the id")
	}
}

func TestDeletedPendingLeavesNoTrace(t *testing.T) {
	step := make(chan struct{})
	s := comfyuitest.New(t, comfyuitest.Dialect{Slow: step})
	submit(t, s, "running", "1")
	step <- struct{}{}
	submit(t, s, "pending", "2")
	call(t, http.MethodPost, s.URL+"/queue", `{"delete":["pending"]}`)
	_, history := call(t, http.MethodGet, s.URL+"/history/pending", "")
	_, queue := call(t, http.MethodGet, s.URL+"/queue", "")
	if len(history) != 0 || len(queue["queue_pending"].([]any)) != 0 {
		t.Errorf("%v, %v", history, queue)
	}
}

func TestRefusedPrompts(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	for name, c := range map[string]struct{ body, kind string }{
		"unknown node": {`{"prompt":{"1":{"class_type":"X","inputs":{}}}}`, "invalid_prompt"},
		"nothing":      {`{}`, "no_prompt"},
		"no output":    {`{"prompt":{"1":{"class_type":"LoadImage","inputs":{"image":"x"}}}}`, "prompt_no_outputs"},
		"minus one":    {`{"prompt":` + seeded("-1") + `}`, "prompt_outputs_failed_validation"},
		"65 bits":      {`{"prompt":` + seeded("18446744073709551616") + `}`, "prompt_outputs_failed_validation"},
		"wrong link": {
			`{"prompt":` + strings.Replace(seeded("1"), `["5", 0]`, `["4", 0]`, 1) + `}`,
			"prompt_outputs_failed_validation",
		},
	} {
		status, out := call(t, http.MethodPost, s.URL+"/prompt", c.body)
		failed, ok := out["error"].(map[string]any)
		if status != http.StatusBadRequest || !ok || failed["type"] != c.kind {
			t.Errorf("%s: %d %v", name, status, out)
		}
	}
	if status, out := submit(t, s, "x", "18446744073709551615"); status != http.StatusOK {
		t.Errorf("the largest seed: %v", out)
	}
}

func TestForeignOriginIsRefused(t *testing.T) {
	s := comfyuitest.New(t, comfyuitest.Dialect{})
	for origin, want := range map[string]int{"": 200, s.URL: 200, "http://evil.example": 403} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/system_stats", nil)
		if err != nil {
			t.Fatal(err)
		}
		if origin != "" {
			req.Header.Set("Origin", origin)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("the origin %q gets %d", origin, resp.StatusCode)
		}
	}
}

func TestJobsAreNewerThanHistory(t *testing.T) {
	for status, d := range map[int]comfyuitest.Dialect{http.StatusMethodNotAllowed: {}, http.StatusOK: {New: true}} {
		s := comfyuitest.New(t, d)
		if got, _ := call(t, http.MethodPost, s.URL+"/api/jobs/x/cancel", "{}"); got != status {
			t.Errorf("cancelling answers %d, want %d", got, status)
		}
		if got, _ := call(t, http.MethodGet, s.URL+"/api/jobs/x", ""); got != http.StatusNotFound {
			t.Errorf("an unknown job answers %d", got)
		}
	}
}
