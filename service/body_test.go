package service

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestABodyThatCannotBeReadIsRefusedWithWhatIsWrongAndWhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	nested := func(levels int) string {
		return `{"initParams":` + strings.Repeat(`{"a":`, levels-1) + "1" + strings.Repeat("}", levels)
	}
	tests := []struct {
		name, body string
		says       []string
	}{
		{"nothing", "", []string{"empty", "JSON object"}},
		{"blanks", " \r\n\t", []string{"empty"}},
		{"null", "null", []string{"agentName", "missing"}},
		{"a list", "[]", []string{"body", "object", "list"}},
		{"a text", `"x"`, []string{"body", "object", "text"}},
		{"cut off", `{"agentName":"aimodel"`, []string{"not valid JSON"}},
		{"a comma too many", `{"agentName":"aimodel",}`, []string{"not valid JSON", "byte"}},
		{"two objects", "{} {}", []string{"not valid JSON"}},
		{"not UTF-8", "{\"agentName\":\"\xff\"}", []string{"UTF-8"}},
		{"a number for a text", `{"agentName":7}`, []string{"agentName", "text", "number"}},
		{"a list for an object", `{"initParams":[]}`, []string{"initParams", "object", "list"}},
		{"a number nobody can hold", `{"initParams":{"x":1e400}}`, []string{"initParams", "1e400"}},
		{"a field twice", `{"agentName":"aimodel","agentName":"removeBG"}`, []string{"agentName", "twice"}},
		{"a field twice in other letters", `{"agentName":"aimodel","AgentName":"removeBG"}`, []string{"AgentName", "twice"}},
		{"an inner field twice", `{"initParams":{"taskName":"a","taskName":"b"}}`, []string{"initParams.taskName", "twice"}},
		{"a field of a listed object twice", `{"initParams":{"x":[{"a":1,"a":2}]}}`, []string{"initParams.x.a", "twice"}},
		{"as many values as there may be", `{"initParams":{"x":[` + strings.Repeat("1,", maxTokens-9) + `1]}}`, []string{"agentName"}},
		{"one more", `{"initParams":{"x":[` + strings.Repeat("1,", maxTokens-8) + `1]}}`, []string{"100000 values"}},
		{"objects without end", `{"initParams":{"x":[` + strings.Repeat("{},", 1<<18) + `{}]}}`, []string{"100000 values"}},
		{"32 levels", nested(32), []string{"agentName"}},
		{"33 levels", nested(33), []string{"32 levels", "initParams.a"}},
		{"a thousand levels of lists", `{"initParams":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + "}", []string{"32 levels"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := w.do(http.MethodPost, upstream.PathTaskCreate, w.key, "application/json", []byte(tt.body))
			if a.status != http.StatusBadRequest || a.Success || a.Code != upstream.CodeParameter {
				t.Errorf("task surface: status %d, %s", a.status, a.raw)
			}
			for _, s := range tt.says {
				if !strings.Contains(a.Msg, s) {
					t.Errorf("%q does not say %q", a.Msg, s)
				}
			}
			a = w.do(http.MethodPost, upstream.PathRuns, w.key, "application/json", []byte(tt.body))
			if a.status != http.StatusBadRequest || a.Success || a.Error.Code != "40000" || a.Error.Message == "" || a.Error.Retryable {
				t.Errorf("run surface: status %d, %s", a.status, a.raw)
			}
		})
	}
	// The same name in different objects is no repetition.
	twice := `{"agentName":"aimodel","agentVersion":"v1.0","initParams":{"originalImage":"https://pictures.example/a.png","x":{"a":1},"y":[{"a":1},{"a":2}]}}`
	must[upstream.TaskCreated](t, w.do(http.MethodPost, upstream.PathTaskCreate, w.key, "application/json", []byte(twice)))
}

func TestABodySaysThatItIsJSONOrNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	body := []byte(`{"agentName":"aimodel","agentVersion":"v1.0","initParams":{"originalImage":"https://pictures.example/a.png"}}`)
	for _, kind := range []string{"", "application/json", "application/json; charset=utf-8", "Application/JSON", "application/vnd.atelier+json"} {
		must[upstream.TaskCreated](t, w.do(http.MethodPost, upstream.PathTaskCreate, w.key, kind, body))
	}
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "json", ";"} {
		if a := w.do(http.MethodPost, upstream.PathTaskCreate, w.key, kind, body); a.status != http.StatusUnsupportedMediaType || a.Code != upstream.CodeParameter || !strings.Contains(a.Msg, "application/json") {
			t.Errorf("task surface, %q: status %d, %s", kind, a.status, a.raw)
		}
		if a := w.do(http.MethodPost, upstream.PathRuns, w.key, kind, body); a.status != http.StatusUnsupportedMediaType || a.Error.Code != "40000" || !strings.Contains(a.Error.Message, "application/json") {
			t.Errorf("run surface, %q: status %d, %s", kind, a.status, a.raw)
		}
	}
}

// Large requests wait on disk, whether they come slowly or many at once, and take their memory in turns.
func TestLargeRequestsTakeTurnsAndSmallOnesPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	kept := func() int {
		left, err := os.ReadDir(w.svc.files.tmp())
		if err != nil {
			t.Fatal(err)
		}
		return len(left)
	}
	if err := w.svc.bodies.Acquire(t.Context(), bodyMemory); err != nil {
		t.Fatal(err)
	}
	run := func(fill int) answer {
		return w.post(upstream.PathRuns, w.key, map[string]any{
			"agent": upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, "input": map[string]any{"originalImage": source},
			"params": cutOut("maskType", "autoSubjectSegment"), "x": strings.Repeat("x", fill),
		})
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if a := run(300_000); !a.Success {
				t.Errorf("a large request: %s", a.raw)
			}
		})
	}
	eventually(t, kept, func(n int) bool { return n == 3 })
	if a := run(smallBody / 2); !a.Success {
		t.Errorf("a small one beside them: %s", a.raw)
	}
	if n := w.count(`SELECT count(*) FROM task`); n != 1 {
		t.Errorf("%d runs were begun where there is memory for one", n)
	}
	w.svc.bodies.Release(bodyMemory)
	all.Wait()
	if n := w.count(`SELECT count(*) FROM task`); n != 4 {
		t.Errorf("%d of 4 runs were begun", n)
	}
	if a := run(largestBody); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("one that is too large: status %d", a.status)
	}
	eventually(t, kept, func(n int) bool { return n == 0 })
	if !w.svc.bodies.TryAcquire(bodyMemory) {
		t.Error("memory was not given back")
	}
}
