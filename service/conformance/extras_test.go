package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/imaging/video/videotest"
	"atelier/service"
)

// TestTheExtrasAreAsDescribed tries what the documents do not mention and our description does.
func TestTheExtrasAreAsDescribed(t *testing.T) {
	t.Parallel()
	svc, srv := newService(t, nil)
	key := newKey(t, svc, "studio")
	seen := &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	ask := func(want int, key, method, path, contentType string, body []byte) (answer []byte) {
		t.Helper()
		return seen.ask(t, want, key, method, srv.URL+path, contentType, body)
	}
	estimate, err := json.Marshal(map[string]any{
		"agent": map[string]any{"name": "z-image", "version": "v1.0"}, "input": map[string]any{}, "params": map[string]any{"textDescription": "a red door"},
	})
	if err != nil {
		t.Fatal(err)
	}
	sound, soundForm := form(t, "audio", videotest.Tone(1))
	film, filmForm := form(t, "video", videotest.Make(t, videotest.Film{Seconds: 1})) // skipped without ffmpeg
	for _, extra := range []struct {
		path, contentType string
		body              []byte
	}{
		{"/openapi/agent/power-estimates", "application/json", estimate},
		{"/openapi/agent/assets/audios", soundForm, sound},
		{"/openapi/agent/assets/videos", filmForm, film},
	} {
		ask(http.StatusUnauthorized, "", http.MethodPost, extra.path, extra.contentType, extra.body)
		ask(http.StatusOK, key, http.MethodPost, extra.path, extra.contentType, extra.body)
	}
	// What answers link to needs no key: an upload's file and a preset's picture.
	picture, pictureForm := form(t, "image", testpics.PNG(testpics.Photo(520, 560, 1)))
	var up runReply[struct{ Image string }]
	var info taskReply[wireInfo]
	err = errors.Join(
		json.Unmarshal(ask(http.StatusOK, key, http.MethodPost, "/openapi/agent/assets/images", pictureForm, picture), &up),
		json.Unmarshal(ask(http.StatusOK, key, http.MethodGet, "/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0", "", nil), &info),
	)
	if err != nil || len(info.Data.Locations) == 0 {
		t.Fatalf("%v, %+v", err, info)
	}
	for _, link := range []string{up.Data.Image, info.Data.Locations[0].Image} {
		path := strings.TrimPrefix(link, srv.URL)
		ask(http.StatusOK, "", http.MethodGet, path, "", nil)
		ask(http.StatusNotFound, "", http.MethodGet, path[:strings.LastIndex(path, "/")]+"/nothing.png", "", nil)
	}
	seen.report(t, true)
}

// ask sends a request and gives the body of its answer, which must have the status that is wanted.
func (w *witness) ask(t *testing.T, want int, key, method, address, contentType string, body []byte, header ...string) (answer []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", key)
	req.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := (&http.Client{Transport: w}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err = io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != want {
		t.Errorf("%s answers %d, want %d: %.300s", address, resp.StatusCode, want, answer)
	}
	return answer
}

// TestRefusalsOfEveryStatusAndCallbacksAreAsDescribed: what the cases of the suite do not meet, each answer held against the description.
func TestRefusalsOfEveryStatusAndCallbacksAreAsDescribed(t *testing.T) {
	t.Parallel()
	hooks := newReceiver(t)
	told := hooks.record("SUCCESS")
	svc, srv := newService(t, func(cfg *service.Config) { cfg.CallbackHosts = []string{hooks.host()} })
	key := newKey(t, svc, "studio")
	seen := &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	ask := func(want int, key, path string, body any, header ...string) []byte {
		t.Helper()
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return seen.ask(t, want, key, http.MethodPost, srv.URL+path, "application/json", raw, header...)
	}
	const (
		create, execute, query, runs = "/openapi/v1/agent/task/create", "/openapi/v1/agent/task/execute", "/openapi/v1/agent/task/query", "/openapi/agent/runs"
		taskUpload, runUpload        = "/openapi/v1/asset/upload/image", "/openapi/agent/assets/images"
	)
	photo := testpics.JPEG(testpics.Photo(benchWidth, benchHeight, 1))
	picture, pictureForm := form(t, "image", photo)
	var up taskReply[struct{ Image string }]
	if err := json.Unmarshal(seen.ask(t, http.StatusOK, key, http.MethodPost, srv.URL+taskUpload, pictureForm, picture), &up); err != nil {
		t.Fatal(err)
	}
	run := map[string]any{
		"agent": map[string]any{"name": "removeBG", "version": "v1.0"}, "input": map[string]any{"originalImage": up.Data.Image}, "params": cut(), "callbackUrl": hooks.server.URL,
	}
	var task taskReply[struct{ TaskID string }]
	var executed taskReply[struct{ ExecutionID string }]
	var started runReply[struct{ ExecutionID string }]
	err := json.Unmarshal(ask(http.StatusOK, key, create, map[string]any{"agentName": "removeBG", "agentVersion": "v1.0", "initParams": map[string]any{"originalImage": up.Data.Image}}), &task)
	execution := map[string]any{"taskId": task.Data.TaskID, "params": cut(), "callbackUrl": hooks.server.URL}
	err = errors.Join(err,
		json.Unmarshal(ask(http.StatusOK, key, execute, execution), &executed),
		json.Unmarshal(ask(http.StatusOK, key, runs, run, "Idempotency-Key", "once"), &started),
	)
	if err != nil {
		t.Fatal(err)
	}
	for id, asks := range map[string]string{executed.Data.ExecutionID: query, started.Data.ExecutionID: runs} {
		await(t, "the last callback of "+id, func() bool {
			all := told.about(id)
			return len(all) > 0 && bytes.Contains(all[len(all)-1], []byte(`"status":"Success"`))
		})
		for _, body := range told.about(id) { // "The body has the same content as the query-execution result"
			method, address, sent := http.MethodPost, srv.URL+query, fmt.Appendf(nil, `{"executionId":%q}`, id)
			if asks == runs {
				method, address, sent = http.MethodGet, srv.URL+runs+"/"+id, nil
			}
			asked, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(sent))
			if err != nil {
				t.Fatal(err)
			}
			asked.Header.Set("Authorization", key)
			if len(sent) > 0 {
				asked.Header.Set("Content-Type", "application/json")
			}
			seen.hold(asked, sent, &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}}, body)
		}
	}

	other := maps.Clone(run)
	other["callbackUrl"] = hooks.server.URL + "/other"
	large, largeForm := form(t, "image", testpics.PadTo(photo, 10<<20+1))
	for path, good := range map[string]map[string]any{execute: execution, runs: run} {
		ask(http.StatusUnauthorized, "nobody's", path, good)
		seen.ask(t, http.StatusUnsupportedMediaType, key, http.MethodPost, srv.URL+path, "text/plain", []byte("{}"))
	}
	for _, path := range []string{taskUpload, runUpload} {
		seen.ask(t, http.StatusRequestEntityTooLarge, key, http.MethodPost, srv.URL+path, largeForm, large)
		seen.ask(t, http.StatusUnsupportedMediaType, key, http.MethodPost, srv.URL+path, "image/jpeg", photo)
	}
	ask(http.StatusRequestEntityTooLarge, key, query, map[string]any{"executionId": strings.Repeat("x", 1<<20)})
	ask(http.StatusNotFound, key, query, map[string]any{"executionId": "nothing"})
	seen.ask(t, http.StatusNotFound, key, http.MethodGet, srv.URL+runs+"/nothing", "", nil)
	ask(http.StatusConflict, key, runs, other, "Idempotency-Key", "once")
	svc.SetSwitches(service.Switches{ConcurrencyLimit: 1, Slow: time.Hour})
	ask(http.StatusOK, key, execute, execution)
	ask(http.StatusTooManyRequests, key, execute, execution)
	ask(http.StatusTooManyRequests, key, runs, run)
	for _, complaint := range seen.complaints {
		t.Error(complaint)
	}
}

func form(t *testing.T, field string, data []byte) (body []byte, contentType string) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part, err := m.CreateFormFile(field, "file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), m.FormDataContentType()
}
