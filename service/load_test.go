package service

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// load is a running service as outside clients over HTTP meet it.
type load struct {
	b    *testing.B
	svc  *Service
	srv  *httptest.Server
	http *http.Client
}

func newLoad(b *testing.B) *load {
	b.Helper()
	svc, err := Open(b.Context(), Config{Folder: b.TempDir(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	l := &load{b: b, svc: svc, srv: httptest.NewServer(svc.Handler())}
	l.http = l.srv.Client()
	b.Cleanup(func() {
		l.srv.Close()
		if err := svc.Close(); err != nil {
			b.Error(err)
		}
	})
	return l
}

func (l *load) key(account string) string {
	l.b.Helper()
	raw, _, err := l.svc.CreateKey(l.b.Context(), account, "bench")
	if err != nil {
		l.b.Fatal(err)
	}
	return raw
}

// do sends a request and gives the answer and the time until its last byte; it may be called from any goroutine.
func (l *load) do(method, path, key, contentType string, body []byte) (answer, error) {
	req, err := http.NewRequestWithContext(context.Background(), method, l.srv.URL+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", key)
	req.Header.Set("Content-Type", contentType)
	begun := time.Now()
	resp, err := l.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw := bytes.NewBuffer(make([]byte, 0, max(resp.ContentLength, 0)+bytes.MinRead))
	if _, err := raw.ReadFrom(resp.Body); err != nil {
		return answer{}, err
	}
	a := answer{status: resp.StatusCode, raw: raw.Bytes(), took: time.Since(begun)}
	if err := json.Unmarshal(a.raw, &a); err != nil {
		return a, err
	}
	if !a.Success {
		return a, fmt.Errorf("%s %s: %s", method, path, a.raw)
	}
	return a, nil
}

func (l *load) must(method, path, key, contentType string, body []byte) answer {
	l.b.Helper()
	a, err := l.do(method, path, key, contentType, body)
	if err != nil {
		l.b.Fatal(err)
	}
	return a
}

func (l *load) upload(key string, data []byte) string {
	l.b.Helper()
	contentType, body := formOf(l.b, "image", data)
	var up upstream.Uploaded
	if err := json.Unmarshal(l.must(http.MethodPost, upstream.PathUploadImage, key, contentType, body).Data, &up); err != nil {
		l.b.Fatal(err)
	}
	return up.Image
}

func (l *load) start(key, agent, source string, params map[string]any) (id string, err error) {
	body, err := json.Marshal(upstream.RunStart{
		Agent: upstream.RunAgent{Name: agent, Version: "v1.0"}, Input: map[string]any{"originalImage": source}, Params: params,
	})
	if err != nil {
		return "", err
	}
	a, err := l.do(http.MethodPost, upstream.PathRuns, key, "application/json", body)
	return a.Meta.ExecutionID, err
}

// poll asks for a run once and tells how long the answer took.
func (l *load) poll(key, id string) (status string, took time.Duration, err error) {
	a, err := l.do(http.MethodGet, upstream.PathRuns+"/"+id, key, "", nil)
	took = a.took
	var task upstream.Task
	if err == nil {
		err = json.Unmarshal(a.Data, &task)
	}
	if err != nil {
		return "", took, err
	}
	if e := task.Executions[0]; e.Status == statusFailed {
		return e.Status, took, fmt.Errorf("run %s failed: %+v", id, e.Result)
	}
	return task.Executions[0].Status, took, nil
}

// percentiles reports the median and the 99th percentile in milliseconds.
func percentiles(b *testing.B, name string, list []time.Duration) {
	b.Helper()
	if len(list) == 0 {
		b.Fatalf("nothing was measured for %s", name)
	}
	slices.Sort(list)
	ms := func(p int) float64 { return float64(list[(len(list)-1)*p/100].Microseconds()) / 1000 }
	b.ReportMetric(ms(50), name+"-p50-ms")
	b.ReportMetric(ms(99), name+"-p99-ms")
}

// Fifty small runs of five accounts at once.
func BenchmarkFiftyRunsAtOnce(b *testing.B) {
	source := testpics.JPEG(photo())
	fifty(b, func(int) (string, []byte, map[string]any) { return "removeBG", source, cutOut() })
}

// The same with runs that look for regions, draw scenes and fill: each account asks for the same.
func BenchmarkFiftyMixedRunsAtOnce(b *testing.B) {
	garment := testpics.JPEG(photo())
	jobs := []struct {
		agent  string
		source []byte
		params map[string]any
	}{
		{"aiproduct", garment, map[string]any{"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", "textDescription": "on a beach", "batchCount": 1}},
		{"expandimage", garment, map[string]any{"targetWidth": 900, "targetHeight": 700, "batchCount": 1}},
		{"aimodel", portrait(), map[string]any{"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "locationId": 1001, "batchCount": 1}},
		{"removeBG", garment, map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 1}},
	}
	fifty(b, func(n int) (string, []byte, map[string]any) {
		job := jobs[n%len(jobs)]
		return job.agent, job.source, job.params
	})
}

// fifty starts ten runs of each of five accounts at once and watches them as clients do: what takes how long from the request
// to the end, what a poll takes meanwhile, how many finish, and how much longer the runs of one account take than those of
// another. job gives the n-th run of an account.
func fifty(b *testing.B, job func(n int) (agent string, source []byte, params map[string]any)) {
	b.Helper()
	const accounts, runs = 5, 10
	l := newLoad(b)
	if err := l.svc.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(SoftMemory)) // as a server sets it
	keys, sources := make([]string, accounts), make([]string, accounts*runs)
	for i := range accounts {
		keys[i] = l.key(fmt.Sprint("account ", i))
		for n := range runs {
			_, source, _ := job(n)
			sources[n*accounts+i] = l.upload(keys[i], source)
		}
	}
	var mu sync.Mutex
	var finishes, polls []time.Duration
	waited := make([]time.Duration, accounts)
	rounds := 0
	most := watchPeak()
	for b.Loop() {
		rounds++
		var all sync.WaitGroup
		for i := range accounts * runs {
			key, source := keys[i%accounts], sources[i]
			all.Go(func() {
				begun := time.Now()
				agent, _, params := job(i / accounts)
				id, err := l.start(key, agent, source, params)
				if err != nil {
					b.Error(err)
					return
				}
				tick := time.NewTicker(100 * time.Millisecond)
				defer tick.Stop()
				for {
					status, took, err := l.poll(key, id)
					if err != nil {
						b.Error(err)
						return
					}
					mu.Lock()
					polls = append(polls, took)
					mu.Unlock()
					if ended(status) {
						break
					}
					<-tick.C
				}
				mu.Lock()
				finishes = append(finishes, time.Since(begun))
				waited[i%accounts] += time.Since(begun)
				mu.Unlock()
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(len(finishes))/float64(rounds), "finished")
	b.ReportMetric(float64(slices.Max(waited))/float64(max(1, slices.Min(waited))), "longest/shortest-account")
	percentiles(b, "finish", finishes)
	percentiles(b, "poll", polls)
	most.report(b)
}

// What a poll takes while both workers are busy with pictures that use every core.
func BenchmarkPollsWhilePicturesAreMade(b *testing.B) {
	l := newLoad(b)
	if err := l.svc.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	key := l.key("studio")
	person, _ := testpics.Person(640, 800, 5)
	source := l.upload(key, testpics.JPEG(person))
	var polls []time.Duration
	for b.Loop() {
		var open []string
		for range 4 {
			id, err := l.start(key, "removeBG", source, map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 1})
			if err != nil {
				b.Fatal(err)
			}
			open = append(open, id)
		}
		tick := time.NewTicker(10 * time.Millisecond)
		for len(open) > 0 {
			status, took, err := l.poll(key, open[0])
			if err != nil {
				b.Fatal(err)
			}
			polls = append(polls, took)
			if ended(status) {
				open = open[1:]
			}
			<-tick.C
		}
		tick.Stop()
	}
	percentiles(b, "poll", polls)
}

// A thousand tasks of twenty executions with four items each, listed page by page to the last, all of them and within times, and
// the newest when each execution has a mask among its params.
func BenchmarkListAThousandTasks(b *testing.B) {
	const tasks, executions = 1000, 20
	fill := func(params string) (*load, string) {
		l := newLoad(b)
		key := l.key("studio")
		fillTasks(b, l.svc, tasks, executions, params)
		return l, key
	}
	l, key := fill(`{"maskType":"autoSubjectSegment","backgroundHex":"#204060","batchCount":4,"resultImageFormat":"png"}`)
	walk := func(b *testing.B, query url.Values, want int) {
		var took []time.Duration
		most := watchPeak()
		for b.Loop() {
			listed := 0
			for cursor := ""; ; {
				query.Set("cursor", cursor)
				a := l.must(http.MethodGet, upstream.PathTaskList+"?"+query.Encode(), key, "", nil)
				took = append(took, a.took)
				var page struct { // its params are passed over: what decoding them leaves behind is not the service's
					Tasks []struct {
						TaskID     string
						Executions []struct{}
					}
					NextCursor string
				}
				if err := json.Unmarshal(a.Data, &page); err != nil {
					b.Fatal(err)
				}
				for _, task := range page.Tasks {
					if listed++; len(task.Executions) != executions {
						b.Fatalf("task %s is listed with %d executions", task.TaskID, len(task.Executions))
					}
				}
				if cursor = page.NextCursor; cursor == "" {
					break
				}
			}
			if listed != want {
				b.Fatalf("%d tasks are listed, want %d", listed, want)
			}
		}
		percentiles(b, "page", took)
		most.report(b)
	}
	at := func(n int) string { return time.UnixMilli(int64(n) * 1000).UTC().Format(time.RFC3339) }
	b.Run("pages of 10", func(b *testing.B) { walk(b, url.Values{}, tasks) })
	b.Run("pages of 20", func(b *testing.B) { walk(b, url.Values{"limit": {"20"}}, tasks) })
	b.Run("within times", func(b *testing.B) {
		walk(b, url.Values{"createdAfter": {at(tasks / 4)}, "createdBefore": {at(3 * tasks / 4)}}, tasks/2)
	})
	// A page of ten tasks is eight megabytes then.
	l, key = fill(`{"maskType":"custom","customMask":"` + strings.Repeat("A", 40_000) + `","backgroundHex":"#204060","batchCount":4}`)
	newest := at(tasks - 300)
	b.Run("masks of 40 kB", func(b *testing.B) { walk(b, url.Values{"createdAfter": {newest}}, 300) })
	b.Run("masks of 40 kB, pages of 20", func(b *testing.B) { walk(b, url.Values{"createdAfter": {newest}, "limit": {"20"}}, 300) })
}

// fillTasks stores tasks of one key, one second apart from 1970 on, each with finished executions of four items.
func fillTasks(b *testing.B, svc *Service, tasks, executions int, params string) {
	b.Helper()
	for _, q := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d - 1)
		 INSERT INTO task SELECT printf('t%%08d', i), account_id, id, 'task', 'removeBG', 'v1.0', '{"originalImage":"x"}', i * 1000 FROM n, access_key`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d * %[2]d - 1)
		 INSERT INTO execution (id, task_id, account_id, status, params, base_url, created_at, visible_at, segmented_at, ended_at)
		 SELECT printf('e%%08d', i), printf('t%%08d', i / %[2]d), account_id, 'Success', '%[3]s', '', i, i, i, i FROM n, access_key`,
		`INSERT INTO item (execution_id, n, status, file_id) SELECT execution.id, v.n, 'Success', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.png'
		 FROM execution, (SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) v`,
	} {
		if strings.Contains(q, "%[1]") {
			q = fmt.Sprintf(q, tasks, executions, params)
		}
		if _, err := svc.db.Write.ExecContext(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
}
