package service

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// receiver records callbacks and answers what it is told to.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(post int) (status int, body string)
	bodies [][]byte
	header []http.Header
}

func newReceiver(t *testing.T, answer func(post int) (int, string)) *receiver {
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		r.bodies = append(r.bodies, body)
		r.header = append(r.header, req.Header)
		status, says := r.answer(len(r.bodies))
		r.mu.Unlock()
		w.WriteHeader(status)
		_, _ = io.WriteString(w, says)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) posts() [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([][]byte(nil), r.bodies...)
}

func (r *receiver) host() string { return strings.TrimPrefix(r.URL, "http://") }

// waiting counts the callbacks that are not delivered and not given up.
func (w *world) waiting() int {
	w.t.Helper()
	list, err := w.svc.read().ListWaitingDeliveries(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

// settled waits until every callback has ended.
func (w *world) settled() {
	w.t.Helper()
	eventually(w.t, w.waiting, func(n int) bool { return n == 0 })
}

func (w *world) executeWithCallback(url string) string {
	w.t.Helper()
	return must[upstream.TaskExecuted](w.t, w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{
		TaskID: w.task("removeBG", w.upload(testpics.JPEG(photo()))), Params: cutOut(), CallbackURL: url,
	})).ExecutionID
}

func TestACallbackEndsWithTheWordSUCCESS(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	execution := w.executeWithCallback(r.URL + "/hook?token=1")
	w.finish(execution)
	w.settled()
	posts := r.posts()
	// Pending → Running → Success: two changes, each told once.
	if len(posts) != 2 {
		t.Fatalf("%d posts: %s", len(posts), posts)
	}
	var last struct {
		Success bool
		Data    upstream.Task
	}
	if err := json.Unmarshal(posts[1], &last); err != nil {
		t.Fatal(err)
	}
	want := w.query(execution)
	if !last.Success || last.Data.Executions[0].Status != statusSuccess || last.Data.Executions[0].Result[0].Image != want.Executions[0].Result[0].Image {
		t.Errorf("the last callback says %s", posts[1])
	}
	for _, h := range r.header {
		if h.Get("Authorization") != "" || strings.Contains(strings.Join(h["User-Agent"], ""), w.key) {
			t.Errorf("a callback carries %v", h)
		}
	}
}

func TestAnyOtherAnswerGivesTwoRetries(t *testing.T) {
	t.Parallel()
	receivers := map[string]*receiver{}
	var hosts []string
	for name, answer := range map[string]func(int) (int, string){
		"ok in small letters": func(int) (int, string) { return http.StatusOK, "success" },
		"more than the word":  func(int) (int, string) { return http.StatusOK, "SUCCESS!" },
		"nothing":             func(int) (int, string) { return http.StatusOK, "" },
		"an error":            func(int) (int, string) { return http.StatusInternalServerError, "SUCCESS" },
		"a redirect":          func(int) (int, string) { return http.StatusFound, "" },
	} {
		receivers[name] = newReceiver(t, answer)
		hosts = append(hosts, receivers[name].host())
	}
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = hosts })
	var executions []string
	for _, r := range receivers {
		executions = append(executions, w.executeWithCallback(r.URL))
	}
	for _, e := range executions {
		w.finish(e)
	}
	w.settled()
	for name, r := range receivers {
		if n := len(r.posts()); n != 6 { // two changes of status, three posts each
			t.Errorf("%s: %d posts, want 3 for each of 2 changes", name, n)
		}
	}
}

func TestARetryThatIsTakenIsTheLast(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(post int) (int, string) {
		if post == 1 {
			return http.StatusBadGateway, ""
		}
		return http.StatusOK, "SUCCESS"
	})
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	w.finish(w.executeWithCallback(r.URL))
	w.settled()
	if n := len(r.posts()); n != 3 {
		t.Errorf("%d posts, want 1 + 1 retry and 1", n)
	}
}

func TestCallbacksSurviveARestart(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(int) (int, string) { return http.StatusServiceUnavailable, "" })
	w := newWorld(t, func(cfg *Config) {
		cfg.CallbackHosts = []string{r.host()}
		cfg.CallbackRetries = [2]time.Duration{time.Hour, time.Hour}
	})
	w.finish(w.executeWithCallback(r.URL))
	eventually(t, func() int { return len(r.posts()) }, func(n int) bool { return n == 2 })
	w.close()
	r.mu.Lock()
	r.answer = func(int) (int, string) { return http.StatusOK, "SUCCESS" }
	r.mu.Unlock()
	w.open()
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE river_job SET state = 'available', scheduled_at = created_at WHERE kind = 'delivery' AND state = 'scheduled'`); err != nil {
		t.Fatal(err)
	}
	w.start()
	w.settled()
	if n := len(r.posts()); n != 4 {
		t.Errorf("%d posts, want one retry for each of 2 changes", n)
	}
}

func TestLostCallbacksAreNeverSent(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	w := newWorld(t, func(cfg *Config) {
		cfg.CallbackHosts = []string{r.host()}
		cfg.Switches.DropCallbacks = true
	})
	w.finish(w.executeWithCallback(r.URL))
	w.settled()
	if n := len(r.posts()); n != 0 {
		t.Errorf("%d posts", n)
	}
}
