package service

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

func TestATaskIsCreatedOnlyFromWhatItNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.PNG(photo()))
	init := func(kv ...any) map[string]any {
		m := map[string]any{"originalImage": source}
		for i := 0; i+1 < len(kv); i += 2 {
			m[fmt.Sprint(kv[i])] = kv[i+1]
		}
		return m
	}
	tests := []struct {
		name           string
		agent, version string
		init           map[string]any
		says           string // "" = created
	}{
		{"as documented", "aimodel", "v1.0", init("taskName", "Spring"), ""},
		{"without a name", "aimodel", "v1.0", init(), ""},
		{"a name of 20 characters", "aimodel", "v1.0", init("taskName", strings.Repeat("ä", 20)), ""},
		{"a name of 21 characters", "aimodel", "v1.0", init("taskName", strings.Repeat("ä", 21)), "taskName"},
		{"an unknown field beside", "aimodel", "v1.0", init("mood", "calm"), ""},
		{"no agent", "", "v1.0", init(), "agentName"},
		{"no version", "aimodel", "", init(), "agentVersion"},
		{"an unknown agent", "aimagic", "v1.0", init(), "aimagic"},
		{"another version", "aimodel", "v9.9", init(), "v9.9"},
		{"an agent of the run surface", "virtualtryon", "v1.0", init(), "virtualtryon"},
		{"no picture", "aimodel", "v1.0", nil, "originalImage"},
		{"a picture that is no address", "aimodel", "v1.0", init("originalImage", "photo.png"), "originalImage"},
		{"a picture that is a number", "aimodel", "v1.0", init("originalImage", 7), "originalImage"},
		{"a file of ours that is not there", "aimodel", "v1.0", init("originalImage", w.srv.URL+pathFiles+"nothing.png"), "originalImage"},
		{"a picture on this machine", "aimodel", "v1.0", init("originalImage", "https://127.0.0.1/a.png"), "originalImage"},
		{"a picture on the internet", "aimodel", "v1.0", init("originalImage", "https://pictures.example/a.png"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{AgentName: tt.agent, AgentVersion: tt.version, InitParams: tt.init})
			if tt.says == "" {
				task := must[upstream.TaskCreated](t, a)
				got := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task.TaskID}))
				if diff := cmp.Diff(tt.init, got.InitParams); diff != "" || len(got.Executions) != 0 || got.AgentName != tt.agent {
					t.Errorf("initParams (-want +got):\n%s in %+v", diff, got)
				}
				return
			}
			if a.status != http.StatusBadRequest || a.Code != upstream.CodeParameter || !strings.Contains(a.Msg, tt.says) {
				t.Errorf("status %d, %s", a.status, a.raw)
			}
		})
	}
}

func TestABodyIsTakenUpToItsLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for path, limit := range map[string]int{upstream.PathTaskQuery: 1 << 20, upstream.PathTaskExecute: 32 << 20} {
		body := []byte(`{"pad":"` + strings.Repeat("x", limit-10) + `"}`)
		if a := w.do(http.MethodPost, path, w.key, "application/json", body); len(body) != limit || a.status != http.StatusBadRequest {
			t.Errorf("%s, a body of %d bytes: status %d, %s", path, len(body), a.status, a.raw)
		}
		if a := w.do(http.MethodPost, path, w.key, "application/json", append(body, ' ')); a.status != http.StatusRequestEntityTooLarge || !strings.Contains(a.Msg, itoa(int64(limit))) {
			t.Errorf("%s, a byte more: status %d, %s", path, a.status, a.raw)
		}
	}
}

func TestTasksAreListedNewestFirstPageByPage(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, func(cfg *Config) { cfg.Now = c.now })
	source := w.upload(testpics.JPEG(photo()))
	var want []string
	for i := range 23 {
		if i%3 != 0 { // every third shares its time with the one before: the id decides
			c.pass(time.Minute)
		}
		want = append([]string{w.task("removeBG", source)}, want...)
	}
	var got []string
	path := upstream.PathTaskList + "?limit=5"
	for pages := 1; ; pages++ {
		page := must[upstream.TaskPage](t, w.get(path, w.key))
		for _, task := range page.Tasks {
			got = append(got, task.TaskID)
			if task.CreatedAt == nil || task.AgentName != "removeBG" || task.InitParams["originalImage"] != source || task.Executions == nil {
				t.Fatalf("task = %+v", task)
			}
		}
		if !page.HasMore {
			if page.NextCursor != "" || pages != 5 {
				t.Errorf("page %d ends with %+v", pages, page)
			}
			break
		}
		path = upstream.PathTaskList + "?limit=5&cursor=" + url.QueryEscape(page.NextCursor)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(page.Tasks) != 10 || !page.HasMore {
		t.Errorf("without a limit %d tasks are listed", len(page.Tasks))
	}
}

func TestTheBoundsOfAListAreInclusiveAndExclusive(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, func(cfg *Config) { cfg.Now = c.now })
	source := w.upload(testpics.JPEG(photo()))
	for range 3 { // at 12:00, 12:01 and 12:02
		w.task("removeBG", source)
		c.pass(time.Minute)
	}
	tests := []struct {
		query string
		want  int
	}{
		{"createdAfter=2026-03-01T12:01:00Z", 2},
		{"createdAfter=2026-03-01T12:01:00.0001Z", 1},
		{"createdAfter=2026-03-01T13:01:00%2B01:00", 2},
		{"createdBefore=2026-03-01T12:01:00Z", 1},
		{"createdBefore=2026-03-01T12:01:00.0001Z", 2},
		{"createdAfter=2026-03-01T12:00:00Z&createdBefore=2026-03-01T12:02:00Z", 2},
		{"createdAfter=2027-01-01T00:00:00Z", 0},
	}
	for _, tt := range tests {
		if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList+"?"+tt.query, w.key)); len(page.Tasks) != tt.want || page.Tasks == nil {
			t.Errorf("%s lists %d, want %d", tt.query, len(page.Tasks), tt.want)
		}
	}
}

func TestListsRefuseWhatTheyCannotHonour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	for range 2 {
		w.task("removeBG", source)
	}
	cursor := url.QueryEscape(must[upstream.TaskPage](t, w.get(upstream.PathTaskList+"?limit=1", w.key)).NextCursor)
	second := w.newKey("studio")
	for name, a := range map[string]answer{
		"limit 0":                w.get(upstream.PathTaskList+"?limit=0", w.key),
		"limit 21":               w.get(upstream.PathTaskList+"?limit=21", w.key),
		"limit in words":         w.get(upstream.PathTaskList+"?limit=ten", w.key),
		"after is not a time":    w.get(upstream.PathTaskList+"?createdAfter=yesterday", w.key),
		"before equals after":    w.get(upstream.PathTaskList+"?createdAfter=2026-01-01T00:00:00Z&createdBefore=2026-01-01T00:00:00Z", w.key),
		"before is year 1":       w.get(upstream.PathTaskList+"?createdAfter=2026-01-01T00:00:00Z&createdBefore=0001-01-01T00:00:00Z", w.key),
		"before precedes after":  w.get(upstream.PathTaskList+"?createdAfter=2026-01-02T00:00:00Z&createdBefore=2026-01-01T00:00:00Z", w.key),
		"a made-up cursor":       w.get(upstream.PathTaskList+"?cursor=abc", w.key),
		"another key's cursor":   w.get(upstream.PathTaskList+"?limit=1&cursor="+cursor, second),
		"a cursor, other filter": w.get(upstream.PathTaskList+"?createdAfter=2026-01-01T00:00:00Z&cursor="+cursor, w.key),
	} {
		if a.status != http.StatusBadRequest || a.Code != upstream.CodeParameter || a.Msg == "" {
			t.Errorf("%s: status %d, %s", name, a.status, a.raw)
		}
	}
	for _, good := range []string{"?limit=1&cursor=" + cursor, "?limit=20&cursor=" + cursor} {
		if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList+good, w.key)); len(page.Tasks) != 1 {
			t.Errorf("%s lists %d", good, len(page.Tasks))
		}
	}
}

func TestATaskShowsItsTwentyNewestExecutions(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := newWorld(t, func(cfg *Config) { cfg.Now, cfg.Switches.Slow = c.now, time.Hour })
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	var want []string
	for i := range 22 {
		if i%7 == 0 { // the others share a moment: the id decides
			c.pass(time.Second)
		}
		want = append([]string{w.execute(task, cutOut())}, want...)
	}
	got := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task}))
	var ids []string
	for _, e := range got.Executions {
		ids = append(ids, e.ExecutionID)
		if len(e.Result) != 1 {
			t.Errorf("execution %s has %d items", e.ExecutionID, len(e.Result))
		}
	}
	if diff := cmp.Diff(want[:20], ids); diff != "" {
		t.Errorf("executions (-want +got):\n%s", diff)
	}
	both := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task, ExecutionID: want[21]}))
	if len(both.Executions) != 1 || both.Executions[0].ExecutionID != want[21] {
		t.Errorf("executionId does not win over taskId: %+v", both.Executions)
	}
	if a := w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{}); a.status != http.StatusBadRequest {
		t.Errorf("a query for nothing: status %d", a.status)
	}

	// A list, which reads a page at once, says of each task what its query says.
	w.task("removeBG", source)
	w.execute(w.task("removeBG", source), cutOut("batchCount", 3))
	page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key))
	for i, task := range page.Tasks {
		if task.CreatedAt = nil; len(page.Tasks) != 3 {
			t.Errorf("%d tasks are listed", len(page.Tasks))
		}
		alone := must[upstream.Task](t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task.TaskID}))
		if diff := cmp.Diff(alone, task); diff != "" {
			t.Errorf("task %d (-queried +listed):\n%s", i, diff)
		}
	}
}

func TestADeletedTaskIsGoneWithItsResults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.JPEG(photo()))
	task := w.task("removeBG", source)
	execution := w.execute(task, cutOut())
	result := w.finish(execution).Result[0].Image
	a := w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task})
	if !a.Success || a.Data != nil {
		t.Fatalf("delete: %s", a.raw)
	}
	for name, a := range map[string]answer{
		"the task":      w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{TaskID: task}),
		"the execution": w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{ExecutionID: execution}),
		"the result":    w.fetch(result),
		"deleting":      w.post(upstream.PathTaskDelete, w.key, map[string]string{"taskId": task}),
	} {
		if a.status != http.StatusNotFound {
			t.Errorf("%s: status %d, %s", name, a.status, a.raw)
		}
	}
	if a := w.fetch(source); a.status != http.StatusOK {
		t.Errorf("the upload is gone too: status %d", a.status)
	}
	if a := w.post(upstream.PathTaskDelete, w.key, map[string]string{}); a.status != http.StatusBadRequest {
		t.Errorf("deleting nothing: status %d", a.status)
	}
}
