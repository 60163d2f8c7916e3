package service

import (
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// odd are values that stand where something else belongs.
var odd = []any{
	nil, true, 0, -1, 1.5, 1e300, math.MaxInt64, "", " ", "\x00", strings.Repeat("ü", 5000), "-1", "[]", "file:///etc/passwd",
	"http://[::1]:0/",
	[]any{},
	[]any{nil},
	[]any{[]any{map[string]any{}}},
	map[string]any{},
	map[string]any{"$ref": "#"},
}

func TestNoRequestHoweverOddIsAFaultOfTheService(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.rest()
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	model := w.task("aimodel", source)
	execution := w.execute(task, cutOut())
	params := cutOut("backgroundId", 3001, "customMaskUrl", source, "resultImageFormat", "png", "resizeToOriginalImage", true)
	modelParams := map[string]any{
		"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 1001, "fashionModelId": 1,
		"locationTagIds": []int{1}, "fashionModelTagIds": []int{1}, "textDescription": "x", "pose": "freePose", "batchCount": 1,
	}
	run := map[string]any{"agent": map[string]any{"name": "removeBG", "version": "v1.0"}, "input": map[string]any{"originalImage": source, "taskName": "x"}, "params": cutOut(), "callbackUrl": "https://x.example/"}
	bodies := []struct {
		path string
		body map[string]any
	}{
		{upstream.PathTaskCreate, map[string]any{"agentName": "aimodel", "agentVersion": "v1.0", "initParams": map[string]any{"taskName": "x", "originalImage": source}}},
		{upstream.PathTaskExecute, map[string]any{"taskId": task, "params": params, "callbackUrl": "https://x.example/"}},
		{upstream.PathTaskExecute, map[string]any{"taskId": model, "params": modelParams}},
		{upstream.PathTaskQuery, map[string]any{"taskId": task, "executionId": execution}},
		{upstream.PathTaskDelete, map[string]any{"taskId": "none"}},
		{upstream.PathPSDCreate, map[string]any{"executionId": execution}},
		{upstream.PathPSDQuery, map[string]any{"executionId": execution}},
		{upstream.PathFashionModelCreate, map[string]any{"images": []string{source}, "name": "x", "agentName": "aimodel", "agentVersion": "v1.0"}},
		{upstream.PathFashionModelDelete, map[string]any{"fashionModelId": 1}},
		{upstream.PathLocationCreate, map[string]any{"image": source, "name": "x", "agentName": "aimodel", "agentVersion": "v1.0"}},
		{upstream.PathLocationDelete, map[string]any{"locationId": 1}},
		{upstream.PathRuns, run},
		{upstream.PathEstimates, run},
	}
	asked := 0
	for _, b := range bodies {
		for body := range variants(t, b.body) {
			a := w.do(http.MethodPost, b.path, w.key, "application/json", []byte(body))
			asked++
			if a.status >= http.StatusInternalServerError || (a.status != http.StatusOK && a.said() == "") {
				t.Errorf("POST %s %.200s: status %d, %s", b.path, body, a.status, a.raw)
			}
		}
	}
	for _, path := range []string{upstream.PathTaskList, upstream.PathAgentInfo, upstream.PathFashionModelQuery, upstream.PathLocationQuery} {
		for _, q := range []string{"?limit=%00", "?cursor=%FF", "?cursor=AAAA", "?page=1e9", "?agentName=%F0%9F%91%97&agentVersion=v1.0", "?fashionModelId=99999999999999999999", "?locationId=-5", "?createdAfter=0000-00-00T00:00:00Z", "?createdBefore=9999-12-31T23:59:59Z", "?%zz"} {
			if a := w.get(path+q, w.key); a.status >= http.StatusInternalServerError {
				t.Errorf("GET %s%s: status %d, %s", path, q, a.status, a.raw)
			}
		}
	}
	if asked < 500 {
		t.Errorf("only %d requests were tried", asked)
	}
}

// variants gives the body with each of its fields, at any depth, replaced by each odd value.
func variants(t *testing.T, body map[string]any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var walk func(at map[string]any) bool
		walk = func(at map[string]any) bool {
			for field, was := range at {
				for _, v := range odd {
					at[field] = v
					data, err := json.Marshal(body)
					if err != nil {
						t.Fatal(err)
					}
					if !yield(string(data)) {
						return false
					}
				}
				at[field] = was
				if inner, ok := was.(map[string]any); ok && !walk(inner) {
					return false
				}
			}
			return true
		}
		walk(body)
	}
}
