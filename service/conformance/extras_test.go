package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"atelier/imaging/testpics"
	"atelier/imaging/video/videotest"
)

// TestTheExtrasAreAsDescribed tries what the documents do not mention and our description does.
func TestTheExtrasAreAsDescribed(t *testing.T) {
	t.Parallel()
	svc, srv := newService(t, nil)
	key := newKey(t, svc, "studio")
	seen := &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	ask := func(want int, key, method, path, contentType string, body []byte) (answer []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, srv.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", key)
		req.Header.Set("Content-Type", contentType)
		resp, err := (&http.Client{Transport: seen}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer, err = io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != want {
			t.Errorf("%s answers %d, want %d", path, resp.StatusCode, want)
		}
		return answer
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
