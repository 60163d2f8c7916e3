package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"atelier/service/gen"
	"atelier/upstream"
)

// scale is a response that counts what is written to it and what the process holds meanwhile.
type scale struct {
	header        http.Header
	bytes, looked int64
	most          uint64 // live bytes of the heap
	each          func()
}

func (s *scale) Header() http.Header { return s.header }
func (s *scale) WriteHeader(int)     {}

func (s *scale) Write(p []byte) (int, error) {
	if s.bytes += int64(len(p)); s.bytes-s.looked > 2<<20 {
		s.looked = s.bytes
		s.most = max(s.most, live())
	}
	if s.each != nil {
		s.each()
	}
	return len(p), nil
}

// live is what the heap holds that is still in use.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// large fills a world with three tasks of twenty executions with masks of half a megabyte, one of them with 16.
func large(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, nil)
	for _, change := range []string{
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
		 INSERT INTO task SELECT 't' || i, account_id, id, 'task', 'removeBG', 'v1.0', '{"originalImage":"x"}', i FROM n, access_key`,
		`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
		 INSERT INTO execution (id, task_id, account_id, status, params, base_url, created_at, visible_at, segmented_at, ended_at)
		 SELECT task.id || '-' || i, task.id, account_id, 'Success', '{"customMask":"' || hex(zeroblob(250000)) || '"}', '', i, i, i, 1 FROM n, task`,
		`UPDATE execution SET params = '{"customMask":"' || hex(zeroblob(8000000)) || '"}' WHERE id = 't3-7'`,
	} {
		if _, err := w.svc.db.Write.ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// ask sends a request to the handler itself.
func (w *world) ask(to http.ResponseWriter, method, path, body string) {
	r := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", w.key)
	w.svc.Handler().ServeHTTP(to, r)
}

// It stands alone, without t.Parallel: what the heap holds is everybody's.
func TestAnswersHoldAPieceOfTheirRowsWhateverTheseHold(t *testing.T) {
	w := large(t)
	const allowed = 6 << 20
	for _, test := range []struct {
		method, path, body string
		least              int64
	}{
		{http.MethodGet, upstream.PathTaskList, "", 45e6},
		{http.MethodPost, upstream.PathTaskQuery, `{"taskId":"t3"}`, 25e6},
		{http.MethodPost, upstream.PathTaskQuery, `{"executionId":"t3-7"}`, 16e6},
		{http.MethodGet, upstream.PathRuns + "/t3-7", "", 16e6},
	} {
		to := &scale{header: http.Header{}}
		before := live()
		w.ask(to, test.method, test.path, test.body)
		if length := to.header.Get("Content-Length"); to.bytes < test.least || length != strconv.FormatInt(to.bytes, 10) {
			t.Errorf("%s %s: %d bytes, said to be %s", test.path, test.body, to.bytes, length)
		}
		if to.most > before+allowed {
			t.Errorf("%s %s: %.1f MB are held for an answer of %.1f MB", test.path, test.body, float64(to.most-before)/1e6, float64(to.bytes)/1e6)
		}
	}
}

func TestAnAnswerWhoseRowsGoMeanwhileBreaksOff(t *testing.T) {
	t.Parallel()
	w := large(t)
	to := &scale{header: http.Header{}}
	to.each = func() {
		if _, err := w.svc.db.Write.ExecContext(t.Context(), `DELETE FROM execution WHERE id = 't1-0'`); err != nil {
			t.Error(err)
		}
	}
	defer func() {
		if p := recover(); p != any(http.ErrAbortHandler) {
			t.Errorf("the answer ends with %v", p)
		}
		if to.bytes == 0 {
			t.Error("nothing was written")
		}
	}()
	w.ask(to, http.MethodPost, upstream.PathTaskQuery, `{"taskId":"t1"}`)
}

func TestLongTextsComeBackAsTheyWereSent(t *testing.T) {
	t.Parallel()
	told := make(chan string, 8)
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength {
			told <- fmt.Sprintf("%d of %d bytes: %v", len(body), r.ContentLength, err)
			return
		}
		told <- string(body)
		_, _ = io.WriteString(rw, callbackAnswer)
	}))
	defer hook.Close()
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{strings.TrimPrefix(hook.URL, "http://")} })
	// More than a piece, in signs of one, two and four bytes.
	note := strings.Repeat("aé😀", pieceCharacters*2/5)
	run := w.post(upstream.PathRuns, w.key, upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, CallbackURL: hook.URL,
		Input: map[string]any{"originalImage": w.upload(jpegOf(photo())), "note": note[:7000] + "input"}, Params: cutOut("note", note+"params"),
	})
	w.finish(run.Meta.ExecutionID)
	answers := map[string]string{
		"poll": string(w.get(upstream.PathRuns+"/"+run.Meta.ExecutionID, w.key).raw),
		"list": string(w.get(upstream.PathTaskList, w.key).raw),
	}
	for status := ""; status != statusSuccess; {
		body := <-told
		var said struct{ Data upstream.Task }
		if err := json.Unmarshal([]byte(body), &said); err != nil || len(said.Data.Executions) != 1 {
			t.Fatal(errors.Join(err, errors.New("a callback that cannot be read")))
		}
		status = said.Data.Executions[0].Status
		answers["callback "+status] = body
	}
	for name, answer := range answers {
		for _, want := range []string{`"note":"` + note[:7000] + `input"`, `"note":"` + note + `params"`} {
			if strings.Count(answer, want) != 1 {
				t.Errorf("%s: %d bytes without what was sent", name, len(answer))
			}
		}
	}
}

// writes counts what is written, however it is handed over.
type writes struct{ n, bytes int }

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	w.bytes += len(p)
	return len(p), nil
}

func (w *writes) WriteString(s string) (int, error) { return w.Write([]byte(s)) }

func TestAnAnswerOfManyMasksGoesOutInLargeBlocks(t *testing.T) {
	t.Parallel()
	mask := strings.Repeat("A", 40_000)
	long := &longTexts{}
	answers := make([]stored, 200)
	for i := range answers {
		answers[i] = stored{bytes: int64(len(mask)), long: long, read: func(context.Context, *gen.Queries, int32, int32) (string, error) { return mask, nil }}
	}
	answer, err := encodeAnswer(answers, long)
	if err != nil {
		t.Fatal(err)
	}
	var w writes
	if err := answer.send(&w, answer.reader(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	if w.bytes != int(answer.bytes) || w.n > w.bytes/(32<<10) {
		t.Errorf("%d bytes went out in %d writes, want %d bytes in blocks of 32 kB at least", w.bytes, w.n, answer.bytes)
	}
}
