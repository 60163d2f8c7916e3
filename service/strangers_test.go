package service

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestBodiesThatClientsWriteInOtherWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	order := fmt.Appendf(nil, `{"agentName":"removeBG","agentVersion":"v1.0","initParams":{"originalImage":%q}}`, source)
	send := func(coding string, body []byte) answer {
		return w.do(http.MethodPost, upstream.PathTaskCreate, w.key, "application/json", body, "Content-Encoding", coding)
	}
	must[upstream.TaskCreated](t, send("identity", append([]byte("\xef\xbb\xbf"), order...)))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(order); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if a := send("gzip", packed.Bytes()); a.status != http.StatusUnsupportedMediaType || !strings.Contains(a.said(), `"gzip"`) {
		t.Errorf("a compressed body: status %d, %s", a.status, a.raw)
	}
	form, body := formOf(t, uploadField, testpics.JPEG(photo()))
	if a := w.do(http.MethodPost, upstream.PathRunUpload, w.key, form, body, "Content-Encoding", "br"); a.status != http.StatusUnsupportedMediaType || !strings.Contains(a.said(), `"br"`) {
		t.Errorf("a compressed upload: status %d, %s", a.status, a.raw)
	}
}

func TestARefusalNamesTheFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	form, body := formOf(t, "file", testpics.JPEG(photo()))
	for name, tt := range map[string]struct {
		a    answer
		says []string
	}{
		"another version": {
			w.post(upstream.PathTaskCreate, w.key, map[string]any{"agentName": "removeBG", "agentVersion": "v2.0", "initParams": map[string]any{"originalImage": source}}),
			[]string{"agentVersion", `"v2.0"`, "v1.0"},
		},
		"another version of a run": {
			w.post(upstream.PathRuns, w.key, map[string]any{"agent": upstream.RunAgent{Name: "z-image", Version: "v2.0"}, "input": map[string]any{}, "params": map[string]any{}}),
			[]string{"agent.version", `"v2.0"`, "v1.0"},
		},
		"another agent":           {w.get(upstream.PathAgentInfo+"?agentName=nobody&agentVersion=v1.0", w.key), []string{"agentName", `"nobody"`}},
		"another field of a form": {w.do(http.MethodPost, upstream.PathUploadImage, w.key, form, body), []string{`"image"`, `"file"`}},
		"an id that is a word":    {w.post(upstream.PathLocationDelete, w.key, map[string]any{"locationId": "loft"}), []string{"locationId", "whole number"}},
	} {
		if tt.a.status != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, tt.a.status)
		}
		for _, part := range tt.says {
			if !strings.Contains(tt.a.said(), part) {
				t.Errorf("%s: %q does not say %s", name, tt.a.said(), part)
			}
		}
	}
	if a := w.do(http.MethodGet, "/openapi/agent", w.key, "", nil); a.status != http.StatusNotFound || !strings.Contains(string(a.raw), `"retryable"`) {
		t.Errorf("the root of the run surface answers %d, %s", a.status, a.raw)
	}
}

func TestSchemesOfAddressesAreTheSameInCapitals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	must[upstream.TaskCreated](t, w.post(upstream.PathTaskCreate, w.key, map[string]any{
		"agentName": "removeBG", "agentVersion": "v1.0", "initParams": map[string]any{"originalImage": "HTTPS://pictures.example.com/a.jpg"},
	}))
}

func TestACustomPresetShowsAPictureFromTheStartAndIsDeletedByAnIdWrittenAsText(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	of := map[string]any{"name": "Mia", "agentName": "aimodel", "agentVersion": "v1.0", "images": []string{source}, "image": source}
	model := must[upstream.MyFashionModel](t, w.post(upstream.PathFashionModelCreate, w.key, of)).FashionModelID
	location := must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, of)).LocationID
	if got := must[upstream.MyFashionModel](t, w.get(fmt.Sprintf("%s?fashionModelId=%d", upstream.PathFashionModelQuery, model), w.key)); got.Cover != source {
		t.Errorf("a model that is being prepared is shown by %q, want %q", got.Cover, source)
	}
	if got := must[upstream.MyLocation](t, w.get(fmt.Sprintf("%s?locationId=%d", upstream.PathLocationQuery, location), w.key)); got.Cover != source {
		t.Errorf("a location that is being prepared is shown by %q, want %q", got.Cover, source)
	}
	for path, body := range map[string]map[string]any{
		upstream.PathFashionModelDelete: {"fashionModelId": fmt.Sprint(model)},
		upstream.PathLocationDelete:     {"locationId": fmt.Sprint(location)},
	} {
		if a := w.post(path, w.key, body); !a.Success {
			t.Errorf("%s: status %d, %s", path, a.status, a.raw)
		}
	}
}
