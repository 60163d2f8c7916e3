package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/service"

	"golang.org/x/image/draw"
)

// The wire as the two documents show it, typed off them by hand. Nothing of ours is used but to start the server.
type (
	taskReply[T any] struct {
		Success bool   `json:"success"`
		Code    any    `json:"code"`
		Msg     string `json:"msg"`
		Message string `json:"message"`
		Data    T      `json:"data"`
	}
	runReply[T any] struct {
		Success bool `json:"success"`
		Data    T    `json:"data"`
		Meta    struct {
			ExecutionID string `json:"executionId"`
		} `json:"meta"`
		Error struct {
			Code      string `json:"code"`
			Message   string `json:"message"`
			Retryable bool   `json:"retryable"`
		} `json:"error"`
	}
	wireTask struct {
		TaskID       string          `json:"taskId"`
		CreatedAt    string          `json:"createdAt"`
		AgentName    string          `json:"agentName"`
		AgentVersion string          `json:"agentVersion"`
		InitParams   map[string]any  `json:"initParams"`
		Executions   []wireExecution `json:"executions"`
	}
	wireExecution struct {
		ExecutionID   string         `json:"executionId"`
		ExecutionTime string         `json:"executionTime"`
		Status        string         `json:"status"`
		Params        map[string]any `json:"params"`
		Result        []struct {
			Status   string `json:"status"`
			Image    string `json:"image"`
			Progress string `json:"progress"`
			Error    string `json:"error"`
		} `json:"result"`
	}
	wireList struct {
		Tasks      []wireTask `json:"tasks"`
		HasMore    bool       `json:"hasMore"`
		NextCursor string     `json:"nextCursor"`
	}
	wirePreset struct {
		ID     int64  `json:"id"`
		Image  string `json:"image"`
		Name   string `json:"name"`
		Type   string `json:"type"`
		Status string `json:"status"`
	}
	wireInfo struct {
		AgentVersion  string       `json:"agentVersion"`
		Locations     []wirePreset `json:"locations"`
		FashionModels []wirePreset `json:"fashionModels"`
		Backgrounds   []wirePreset `json:"backgrounds"`
		Dimensions    []struct {
			Name          string
			Width, Height int
		} `json:"dimensions"`
	}
	wirePSD struct {
		ExecutionID string `json:"executionId"`
		Status      string `json:"status"`
		Result      struct {
			FileURL string `json:"fileUrl"`
		} `json:"result"`
	}
	params = map[string]any
)

// stranger is a client written by somebody who has the documents and a key, and nothing else.
type stranger struct {
	t         *testing.T
	base, key string
}

// send makes one request with the raw key and gives the body of the answer.
func (s stranger) send(method, address, contentType string, body io.Reader) []byte {
	s.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = s.base + address
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, address, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if strings.HasPrefix(req.URL.Path, "/openapi/v1/") || strings.HasPrefix(req.URL.Path, "/openapi/agent/") {
		req.Header.Set("Authorization", s.key)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := (&http.Client{Timeout: patience}).Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return raw
}

func (s stranger) read(raw []byte, into any) {
	s.t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		s.t.Fatalf("%v in %.300s", err, raw)
	}
}

func (s stranger) post(path string, body any) []byte {
	s.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.send(http.MethodPost, path, "application/json", bytes.NewReader(raw))
}

// taskData reads a success of the task surface.
func taskData[T any](s stranger, raw []byte) T {
	s.t.Helper()
	var r taskReply[T]
	s.read(raw, &r)
	if code := fmt.Sprint(r.Code); !r.Success || code != "0" || r.Msg+r.Message == "" {
		s.t.Fatalf("no success: %.300s", raw)
	}
	return r.Data
}

// refusal reads a refusal of the task surface.
func (s stranger) refusal(raw []byte) string {
	s.t.Helper()
	var r taskReply[json.RawMessage]
	s.read(raw, &r)
	if r.Success || fmt.Sprint(r.Code) == "0" || r.Msg+r.Message == "" {
		s.t.Errorf("no refusal: %.300s", raw)
	}
	return r.Msg + r.Message
}

func (s stranger) upload(path, file string) string {
	s.t.Helper()
	f, err := os.Open(file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	part, err := m.CreateFormFile("image", filepath.Base(file))
	if err == nil {
		_, err = io.Copy(part, f)
	}
	if err := errors.Join(err, m.Close()); err != nil {
		s.t.Fatal(err)
	}
	raw := s.send(http.MethodPost, path, m.FormDataContentType(), &form)
	var r struct {
		Success bool
		Data    struct{ Image string }
	}
	s.read(raw, &r)
	if !r.Success || r.Data.Image == "" {
		s.t.Fatalf("upload: %.300s", raw)
	}
	return r.Data.Image
}

func (s stranger) info(query string) wireInfo {
	s.t.Helper()
	return taskData[wireInfo](s, s.send(http.MethodGet, "/openapi/v1/agent/info?agentVersion=v1.0&"+query, "", http.NoBody))
}

// until asks until done says so.
func until[T any](s stranger, what string, ask func() T, done func(T) bool) T {
	s.t.Helper()
	var v T
	await(s.t, what, func() bool { v = ask(); return done(v) })
	return v
}

func (s stranger) ended(x wireExecution) bool { return x.Status == "Success" || x.Status == "Failed" }

// pictures checks an ended execution and fetches its results.
func (s stranger) pictures(x wireExecution, want int) []image.Image {
	s.t.Helper()
	if _, err := time.Parse("2006-01-02 15:04:05", x.ExecutionTime); err != nil || x.Status != "Success" || len(x.Result) != want {
		s.t.Fatalf("execution %+v, want a Success with %d results", x, want)
	}
	var out []image.Image
	for _, r := range x.Result {
		img, _, err := image.Decode(bytes.NewReader(s.send(http.MethodGet, r.Image, "", http.NoBody)))
		if err != nil || r.Status != "Success" {
			s.t.Fatalf("result %+v: %v", r, err)
		}
		out = append(out, img)
	}
	return out
}

// The service seen from outside, over a socket and file by file, by a stranger with the documents and a key.
func TestSlowStrangerCanDoEverything(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t)
	told := hooks.record("SUCCESS")
	svc, srv := newService(t, func(cfg *service.Config) { cfg.CallbackHosts = []string{hooks.host()} })
	s := stranger{t: t, base: srv.URL, key: newKey(t, svc, "a shop far away")}

	// What there is to choose from; the pictures of two presets become files of the stranger's own.
	offered := s.info("agentName=aimodel")
	if len(offered.Locations) == 0 || len(offered.FashionModels) == 0 {
		t.Fatalf("aimodel offers %+v", offered)
	}
	person, place := filepath.Join(t.TempDir(), "person.jpg"), filepath.Join(t.TempDir(), "place.jpg")
	for file, at := range map[string]string{person: offered.FashionModels[0].Image, place: offered.Locations[0].Image} {
		if err := os.WriteFile(file, smaller(t, s.send(http.MethodGet, at, "", http.NoBody)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, again := s.upload("/openapi/v1/asset/upload/image", person), s.upload("/openapi/agent/assets/images", person)
	scene := s.upload("/openapi/v1/asset/upload/image", place)
	size := sizeOf(t, person)
	mask := upperHalf(t, size)
	background := s.info("agentName=removeBG").Backgrounds[0].ID
	target := s.info("agentName=expandimage").Dimensions[0]
	if target.Width < 1 || target.Height < 1 {
		t.Errorf("dimension %+v", target)
	}

	type order struct {
		agent  string
		params params
		check  func(t *testing.T, img image.Image)
	}
	orders := []order{
		{"aimodel", params{
			"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "pose": "originalImagePose",
			"locationId": offered.Locations[0].ID, "fashionModelId": offered.FashionModels[1].ID, "batchCount": 1,
		}, nil},
		{"aiproduct", params{
			"generatedContent": "referToOrigin", "maskType": "custom", "customMask": mask, "textDescription": "a white studio",
			"resizeToOriginalImage": true, "resultImageFormat": "jpg", "batchCount": 1,
		}, func(t *testing.T, img image.Image) {
			if img.Bounds().Size() != size {
				t.Errorf("the result is %v, the photo %v", img.Bounds().Size(), size)
			}
		}},
		{"aipose", params{"textDescription": "turned to the left", "batchCount": 1}, nil},
		{"expandimage", params{"targetWidth": size.X + 40, "targetHeight": size.Y + 20, "fillLeft": 10, "fillTop": 0, "batchCount": 1}, func(t *testing.T, img image.Image) {
			if want := size.Add(image.Pt(40, 20)); img.Bounds().Size() != want {
				t.Errorf("the result is %v, want %v", img.Bounds().Size(), want)
			}
		}},
		{"removeBG", params{"maskType": "autoSubjectSegment", "backgroundId": background, "batchCount": 2}, nil},
	}

	tasks, layered := map[string]string{}, "" // by agent, and the execution that becomes a layered file
	var executions []string
	for _, o := range orders {
		t.Run(o.agent+" as a task", func(t *testing.T) {
			s := stranger{t: t, base: s.base, key: s.key}
			task := taskData[struct{ TaskID string }](s, s.post("/openapi/v1/agent/task/create", params{
				"agentName": o.agent, "agentVersion": "v1.0", "initParams": params{"taskName": "far away", "originalImage": source},
			})).TaskID
			id := taskData[struct{ ExecutionID string }](s, s.post("/openapi/v1/agent/task/execute", params{
				"taskId": task, "params": o.params, "callbackUrl": hooks.server.URL + "/done",
			})).ExecutionID
			tasks[o.agent], executions = task, append(executions, id)
			if o.agent == "removeBG" {
				layered = id
			}
			x := until(s, o.agent, func() wireExecution {
				got := taskData[wireTask](s, s.post("/openapi/v1/agent/task/query", params{"executionId": id}))
				if got.AgentName != o.agent || got.InitParams["originalImage"] != source || len(got.Executions) != 1 || got.Executions[0].ExecutionID != id {
					t.Fatalf("query: %+v", got)
				}
				return got.Executions[0]
			}, s.ended)
			for _, img := range s.pictures(x, o.params["batchCount"].(int)) {
				if o.check != nil {
					o.check(t, img)
				}
			}
		})
	}
	orders = append(orders, order{"virtualtryon", params{
		"generateVersion": "partnerPro", "descriptionType": "custom", "textDescription": "the person of Figure 2 wears Figure 1 at Figure 3",
		"aspectRatio": "3:4", "imageSize": "1K", "batchCount": 1,
	}, func(t *testing.T, img image.Image) {
		if b := img.Bounds(); b.Dx()*4 < b.Dy()*3-8 || b.Dx()*4 > b.Dy()*3+8 {
			t.Errorf("%v for the shape 3:4", b)
		}
	}})
	for _, o := range orders {
		t.Run(o.agent+" as a run", func(t *testing.T) {
			s := stranger{t: t, base: s.base, key: s.key}
			if o.agent == "aimodel" || o.agent == "removeBG" { // this time along a mask that the stranger drew
				o.params = maps.Clone(o.params)
				o.params["maskType"], o.params["customMask"] = "custom", mask
			}
			input := params{"taskName": "far away", "originalImage": again}
			if o.agent == "virtualtryon" {
				input["fashionModelImage"], input["locationImage"] = source, scene
			}
			var started runReply[json.RawMessage]
			s.read(s.post("/openapi/agent/runs", params{
				"agent": params{"name": o.agent, "version": "v1.0"}, "input": input, "params": o.params, "callbackUrl": hooks.server.URL + "/done",
			}), &started)
			id := started.Meta.ExecutionID
			if !started.Success || id == "" {
				t.Fatalf("start: %+v", started)
			}
			executions = append(executions, id)
			x := until(s, o.agent, func() wireExecution {
				var got runReply[wireTask]
				s.read(s.send(http.MethodGet, "/openapi/agent/runs/"+url.PathEscape(id), "", http.NoBody), &got)
				if !got.Success || got.Data.AgentName != o.agent || got.Data.InitParams["originalImage"] != again || len(got.Data.Executions) != 1 {
					t.Fatalf("poll: %+v", got)
				}
				return got.Data.Executions[0]
			}, s.ended)
			for _, img := range s.pictures(x, o.params["batchCount"].(int)) {
				if o.check != nil {
					o.check(t, img)
				}
			}
		})
	}
	if t.Failed() {
		return // what follows works with what was made
	}

	t.Run("the list, page by page", func(t *testing.T) {
		s := stranger{t: t, base: s.base, key: s.key}
		found := map[string]int{}
		last := time.Now().Add(time.Hour)
		for cursor, pages := "", 0; ; pages++ {
			page := taskData[wireList](s, s.send(http.MethodGet, "/openapi/v1/agent/task/list?limit=2"+cursor, "", http.NoBody))
			if len(page.Tasks) > 2 || page.HasMore != (page.NextCursor != "") || pages > 20 {
				t.Fatalf("page %d: %+v", pages, page)
			}
			for _, task := range page.Tasks {
				found[task.TaskID]++
				at, err := time.Parse(time.RFC3339Nano, task.CreatedAt)
				if err != nil || at.After(last) {
					t.Errorf("task %s of %s after one of %s: %v", task.TaskID, task.CreatedAt, last, err)
				}
				last = at
			}
			if !page.HasMore {
				break
			}
			cursor = "&cursor=" + url.QueryEscape(page.NextCursor)
		}
		for _, id := range tasks {
			if found[id] != 1 {
				t.Errorf("task %s is listed %d times", id, found[id])
			}
		}
	})

	t.Run("every end was called back", func(t *testing.T) {
		for _, id := range executions {
			await(t, "the callback of "+id, func() bool {
				for _, body := range told.about(id) {
					var r struct{ Data wireTask }
					if err := json.Unmarshal(body, &r); err != nil || len(r.Data.Executions) != 1 {
						t.Fatalf("callback %.300s: %v", body, err)
					}
					if x := r.Data.Executions[0]; x.ExecutionID == id && x.Status == "Success" && x.Result[0].Image != "" {
						return true
					}
				}
				return false
			})
		}
	})

	t.Run("a layered file", func(t *testing.T) {
		s := stranger{t: t, base: s.base, key: s.key}
		id := layered // with two results
		query := func() wirePSD {
			return taskData[wirePSD](s, s.post("/openapi/v1/asset/download/psd/query", params{"executionId": id}))
		}
		if job := query(); job.Status != "NotStart" || job.Result.FileURL != "" {
			t.Errorf("before: %+v", job)
		}
		if !taskData[bool](s, s.post("/openapi/v1/asset/download/psd/create", params{"executionId": id})) {
			t.Error("it was not started")
		}
		job := until(s, "the layered file", query, func(j wirePSD) bool { return j.Status == "Success" || j.Status == "Failed" })
		if job.Status != "Success" || job.ExecutionID != id {
			t.Fatalf("job %+v", job)
		}
		layers, at := psdLayers(t, s.send(http.MethodGet, job.Result.FileURL, "", http.NoBody))
		if layers < 3 || at != size { // the photo and two results, at least
			t.Errorf("%d layers of %v", layers, at)
		}
	})

	modelled := taskData[struct{ TaskID string }](s, s.post("/openapi/v1/agent/task/create", params{
		"agentName": "aimodel", "agentVersion": "v1.0", "initParams": params{"originalImage": source},
	})).TaskID
	for _, own := range []struct {
		what, id, listing string
		create            params
	}{
		{"myFashionModel", "fashionModelId", "fashionModels", params{"images": []string{source, again}, "name": "Ada", "agentName": "aimodel", "agentVersion": "v1.0"}},
		{"myLocation", "locationId", "locations", params{"image": scene, "name": "Yard", "agentName": "aimodel", "agentVersion": "v1.0"}},
	} {
		t.Run(own.what, func(t *testing.T) {
			s := stranger{t: t, base: s.base, key: s.key}
			path := "/openapi/v1/agent/" + own.what
			id := taskData[map[string]int64](s, s.post(path+"/create", own.create))[own.id]
			query := fmt.Sprintf("%s/query?%s=%d", path, own.id, id)
			made := until(s, own.what, func() params { return taskData[params](s, s.send(http.MethodGet, query, "", http.NoBody)) },
				func(p params) bool { return p["status"] != "prepare" })
			if made["status"] != "complete" || made["name"] != own.create["name"] || made["cover"] == "" {
				t.Fatalf("%v", made)
			}
			info := s.info("agentName=aimodel&resourceType=" + own.listing)
			listed := append(info.Locations, info.FashionModels...)[0]
			if listed.ID != id || listed.Type != "Yours" || listed.Status != "complete" || listed.Name != own.create["name"] {
				t.Errorf("the first of the %s is %+v", own.listing, listed)
			}
			use := params{"generatedContent": "referToOrigin", "maskType": "custom", "customMask": mask, own.id: id, "batchCount": 1}
			execution := taskData[struct{ ExecutionID string }](s, s.post("/openapi/v1/agent/task/execute", params{"taskId": modelled, "params": use})).ExecutionID
			s.pictures(until(s, "its use", func() wireExecution {
				return taskData[wireTask](s, s.post("/openapi/v1/agent/task/query", params{"executionId": execution, "taskId": tasks["removeBG"]})).Executions[0]
			}, s.ended), 1)
			taskData[json.RawMessage](s, s.post(path+"/delete", params{own.id: id}))
			s.refusal(s.send(http.MethodGet, query, "", http.NoBody))
			if said := s.refusal(s.post("/openapi/v1/agent/task/execute", params{"taskId": modelled, "params": use})); !strings.Contains(said, own.id) {
				t.Errorf("a deleted %s is refused with %q", own.what, said)
			}
		})
	}

	t.Run("what is deleted is gone", func(t *testing.T) {
		s := stranger{t: t, base: s.base, key: s.key}
		taskData[json.RawMessage](s, s.post("/openapi/v1/agent/task/delete", params{"taskId": tasks["removeBG"]}))
		s.refusal(s.post("/openapi/v1/agent/task/query", params{"taskId": tasks["removeBG"]}))
		s.refusal(s.post("/openapi/v1/agent/task/query", params{"executionId": layered}))
		s.refusal(s.post("/openapi/v1/asset/download/psd/query", params{"executionId": layered}))
		var gone runReply[json.RawMessage]
		s.read(s.send(http.MethodGet, "/openapi/agent/runs/"+layered, "", http.NoBody), &gone)
		if gone.Success || gone.Error.Code == "" || gone.Error.Message == "" || gone.Error.Retryable {
			t.Errorf("polled as a run: %+v", gone)
		}
	})
}

// smaller scales a picture down to a short side of 520 px, just above what an upload needs.
func smaller(t *testing.T, file []byte) []byte {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds().Size()
	short := min(size.X, size.Y)
	to := image.NewRGBA(image.Rect(0, 0, size.X*520/short, size.Y*520/short))
	draw.ApproxBiLinear.Scale(to, to.Rect, img, img.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, to, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sizeOf(t *testing.T, file string) image.Point {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, _, err := image.DecodeConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	return image.Pt(c.Width, c.Height)
}

// upperHalf is a mask that protects the upper half, as customMask wants it.
func upperHalf(t *testing.T, size image.Point) string {
	t.Helper()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y / 2 {
		for x := range size.X {
			img.SetNRGBA(x, y, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// psdLayers reads the number of layers and the size out of a PSD file: header, colour mode data, image resources, then the
// layer count at the head of the layer section.
func psdLayers(t *testing.T, file []byte) (layers int, size image.Point) {
	t.Helper()
	if len(file) < 40 || string(file[:4]) != "8BPS" || binary.BigEndian.Uint16(file[4:]) != 1 {
		t.Fatalf("%d bytes that are no PSD", len(file))
	}
	size = image.Pt(int(binary.BigEndian.Uint32(file[18:])), int(binary.BigEndian.Uint32(file[14:])))
	at := 26
	for range 2 {
		at += 4 + int(binary.BigEndian.Uint32(file[at:]))
		if at+10 > len(file) {
			t.Fatal("the file ends before its layers")
		}
	}
	n := int16(binary.BigEndian.Uint16(file[at+8:])) // negative when the first alpha channel is the merged picture's
	return int(max(n, -n)), size
}
