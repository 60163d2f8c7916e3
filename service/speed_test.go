package service

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"atelier/upstream"
)

// crowded is a service with many tasks of one key, each with one finished execution of four items.
func crowded(b *testing.B, tasks int) (h http.Handler, key, execution string) {
	b.Helper()
	svc, err := Open(b.Context(), Config{Folder: b.TempDir(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := svc.Close(); err != nil {
			b.Error(err)
		}
	})
	key, _, err = svc.CreateKey(b.Context(), "studio", "bench")
	if err != nil {
		b.Fatal(err)
	}
	fill := []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
		 INSERT INTO task SELECT printf('t%%08d', i), account_id, id, 'task', 'removeBG', 'v1.0', '{"originalImage":"x"}', i FROM n, access_key`,
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
		 INSERT INTO execution (id, task_id, account_id, status, params, base_url, created_at, visible_at, segmented_at, ended_at)
		 SELECT printf('e%%08d', i), printf('t%%08d', i), account_id, 'Success', '{"customMask":"` + strings.Repeat("A", 40_000) + `"}', '', i, i, i, i FROM n, access_key`,
		`INSERT INTO item (execution_id, n, status, file_id) SELECT execution.id, v.n, 'Success', 'f.png'
		 FROM execution, (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) v`,
	}
	for _, q := range fill {
		if strings.Contains(q, "%") {
			q = fmt.Sprintf(q, tasks)
		}
		if _, err := svc.db.Write.ExecContext(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
	return svc.Handler(), key, fmt.Sprintf("e%08d", tasks/2)
}

func serveBench(b *testing.B, h http.Handler, key, method, path, body string) {
	b.Helper()
	for b.Loop() {
		r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", key)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatalf("status %d: %s", w.Code, w.Body)
		}
	}
}

// One poll of an execution with a mask of 40 kB in its params, among 5,000.
func BenchmarkQueryExecution(b *testing.B) {
	h, key, execution := crowded(b, 5000)
	serveBench(b, h, key, http.MethodPost, upstream.PathTaskQuery, `{"executionId":"`+execution+`"}`)
}

// One page of ten tasks, each with such an execution.
func BenchmarkListTasks(b *testing.B) {
	h, key, _ := crowded(b, 5000)
	serveBench(b, h, key, http.MethodGet, upstream.PathTaskList, "")
}

// From the request to the stored picture: what the service adds to the pixels of a small cut-out.
func BenchmarkExecution(b *testing.B) {
	svc, err := Open(b.Context(), Config{Folder: b.TempDir(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := svc.Close(); err != nil {
			b.Error(err)
		}
	})
	if err := svc.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	key, _, err := svc.CreateKey(b.Context(), "studio", "bench")
	if err != nil {
		b.Fatal(err)
	}
	ask := asker{b: b, h: svc.Handler(), key: key}
	source := ask.upload(jpegOf(photo()))
	params := mustMarshal(b, cutOut())
	for b.Loop() {
		run := ask.post(upstream.PathRuns, `{"agent":{"name":"removeBG","version":"v1.0"},"input":{"originalImage":"`+source+`"},"params":`+params+`}`)
		_, id, _ := strings.Cut(run, `"executionId":"`)
		id, _, _ = strings.Cut(id, `"`)
		tick := time.NewTicker(2 * time.Millisecond)
		for !strings.Contains(ask.get(upstream.PathRuns+"/"+id), `"status":"Success","params"`) {
			<-tick.C
		}
		tick.Stop()
	}
}

// asker speaks with a handler directly.
type asker struct {
	b   *testing.B
	h   http.Handler
	key string
}

func (a asker) do(method, path, contentType, body string) string {
	a.b.Helper()
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", a.key)
	r.Header.Set("Content-Type", contentType)
	w := httptest.NewRecorder()
	a.h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		a.b.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func (a asker) post(path, body string) string {
	return a.do(http.MethodPost, path, "application/json", body)
}

func (a asker) get(path string) string { return a.do(http.MethodGet, path, "", "") }

func (a asker) upload(data []byte) string {
	a.b.Helper()
	contentType, body := formOf(a.b, "image", data)
	_, url, _ := strings.Cut(a.do(http.MethodPost, upstream.PathRunUpload, contentType, string(body)), `"image":"`)
	url, _, _ = strings.Cut(url, `"`)
	return url
}

func mustMarshal(b *testing.B, v any) string {
	b.Helper()
	data, err := encodeJSON(v)
	if err != nil {
		b.Fatal(err)
	}
	return string(data)
}
