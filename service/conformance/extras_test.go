package conformance

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"testing"

	"atelier/imaging/video/videotest"
)

// TestTheExtrasAreAsDescribed tries what the documents do not mention and our description does.
func TestTheExtrasAreAsDescribed(t *testing.T) {
	svc, srv := newService(t, nil)
	key := newKey(t, svc, "studio")
	seen := &witness{description: describe(t, srv.URL), next: http.DefaultTransport, answered: map[string]int{}, unsaid: map[string]int{}}
	ask := func(path, contentType string, body []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", key)
		req.Header.Set("Content-Type", contentType)
		resp, err := (&http.Client{Transport: seen}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if seen.answered["POST "+path+" 200"] == 0 {
			t.Errorf("%s answers %d", path, resp.StatusCode)
		}
	}
	estimate, err := json.Marshal(map[string]any{
		"agent": map[string]any{"name": "z-image", "version": "v1.0"}, "input": map[string]any{}, "params": map[string]any{"textDescription": "a red door"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ask("/openapi/agent/power-estimates", "application/json", estimate)
	sound, kind := form(t, "audio", videotest.Tone(1))
	ask("/openapi/agent/assets/audios", kind, sound)
	film, kind := form(t, "video", videotest.Make(t, videotest.Film{Seconds: 1})) // skipped without ffmpeg
	ask("/openapi/agent/assets/videos", kind, film)
	for _, c := range seen.complaints {
		t.Error(c)
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
