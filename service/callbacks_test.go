package service

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/imaging/testpics"
	"atelier/service/gen"
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
	list, err := w.svc.read().ListFirstWaitingDeliveries(w.t.Context())
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
	r := newReceiver(t, func(post int) (int, string) { // any status of success
		return []int{http.StatusOK, http.StatusCreated, http.StatusAccepted}[post%3], "SUCCESS"
	})
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	execution := w.executeWithCallback(r.URL + "/hook?token=1")
	w.finish(execution)
	w.settled()
	posts := r.posts()
	// Pending → Running → Success: two changes, each told once.
	if diff := cmp.Diff([]string{"Running [Running]", "Success [Success]"}, told(t, posts)); diff != "" {
		t.Fatalf("statuses told (-want +got):\n%s", diff)
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
		"a line break":        func(int) (int, string) { return http.StatusOK, "SUCCESS\n" },
		"a space before":      func(int) (int, string) { return http.StatusOK, " SUCCESS" },
		"the word in quotes":  func(int) (int, string) { return http.StatusOK, `"SUCCESS"` },
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
	eventually(t, func() int { return w.count(`SELECT max(attempts) FROM delivery`) }, func(n int) bool { return n == 1 })
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
	if diff := cmp.Diff([]string{"Running [Running]", "Running [Running]", "Success [Success]"}, told(t, r.posts())); diff != "" {
		t.Errorf("statuses told (-want +got):\n%s", diff)
	}
}

// told gives the status that each post tells, with those of its items.
func told(t *testing.T, posts [][]byte) []string {
	t.Helper()
	var list []string
	for _, body := range posts {
		var told struct{ Data upstream.Task }
		if err := json.Unmarshal(body, &told); err != nil {
			t.Fatal(err)
		}
		e := told.Data.Executions[0]
		var items []string
		for _, it := range e.Result {
			items = append(items, it.Status)
		}
		list = append(list, fmt.Sprint(e.Status, " ", items))
	}
	return list
}

func TestChangesAreToldInOrderAsTheyWere(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(post int) (int, string) {
		if post == 1 || post == 3 || post == 4 {
			return http.StatusInternalServerError, "later"
		}
		return http.StatusOK, "SUCCESS"
	})
	w := newWorld(t, func(cfg *Config) {
		cfg.CallbackHosts = []string{r.host()}
		cfg.CallbackRetries = [2]time.Duration{50 * time.Millisecond, 50 * time.Millisecond}
	})
	source := w.upload(testpics.JPEG(photoOf(3)))
	execution := must[upstream.TaskExecuted](t, w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{
		TaskID: w.task("removeBG", source), CallbackURL: r.URL,
		Params: map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 2},
	})).ExecutionID
	w.finish(execution)
	w.settled()
	want := []string{
		"Segmenting [Pending Pending]", "Segmenting [Pending Pending]",
		"Running [Running Pending]", "Running [Running Pending]", "Running [Running Pending]",
		"Success [Success Success]",
	}
	if diff := cmp.Diff(want, told(t, r.posts())); diff != "" {
		t.Errorf("statuses told (-want +got):\n%s", diff)
	}
}

// An execution is queued until its turn has come, and segmenting only while its picture is looked at (Task API, "Execution status values").
func TestOnlyWhatIsLookedAtIsSegmenting(t *testing.T) {
	t.Parallel()
	r := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	source := w.upload(testpics.PNG(photo()))
	begin := func(agent string, params map[string]any) string {
		t.Helper()
		return must[upstream.TaskExecuted](t, w.post(upstream.PathTaskExecute, w.key, upstream.TaskExecute{
			TaskID: w.task(agent, source), CallbackURL: r.URL, Params: params,
		})).ExecutionID
	}
	automatic := map[string]any{"maskType": "autoSubjectSegment", "backgroundHex": "#204060", "batchCount": 1}
	larger := map[string]any{"targetWidth": 530, "targetHeight": 570, "batchCount": 1}
	for _, c := range []struct {
		name, agent string
		params      map[string]any
		want        []string
	}{
		{"an automatic mask", "removeBG", automatic, []string{"Segmenting [Pending]", "Running [Running]", "Success [Success]"}},
		{"a larger canvas", "expandimage", larger, []string{"Segmenting [Pending]", "Running [Running]", "Success [Success]"}},
		{"a mask of one's own", "removeBG", cutOut("batchCount", 1), []string{"Running [Running]", "Success [Success]"}},
	} {
		before := len(r.posts())
		w.finish(begin(c.agent, c.params))
		w.settled()
		if diff := cmp.Diff(c.want, told(t, r.posts()[before:])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	w.rest()
	for agent, params := range map[string]map[string]any{"removeBG": automatic, "expandimage": larger} {
		if got := w.query(begin(agent, params)).Executions[0]; got.Status != statusPending || got.Result[0].Status != statusPending {
			t.Errorf("%s that waits: %+v", agent, got)
		}
	}
}

func TestAPostThatTheServiceCutOffIsMadeAgain(t *testing.T) {
	t.Parallel()
	arrived, hold := make(chan struct{}, 10), make(chan struct{})
	r := newReceiver(t, func(post int) (int, string) {
		arrived <- struct{}{}
		if post == 1 {
			<-hold
		}
		return http.StatusOK, "SUCCESS"
	})
	w := newWorld(t, func(cfg *Config) { cfg.CallbackHosts = []string{r.host()} })
	w.executeWithCallback(r.URL)
	<-arrived
	w.close()
	close(hold)
	w.open()
	w.start()
	w.settled()
	if n := w.count(`SELECT sum(attempts) FROM delivery`); n != 0 {
		t.Errorf("what the receiver never answered counts as %d refusals", n)
	}
	if n := w.count(`SELECT count(*) FROM delivery WHERE state = ?`, deliveryDone); n != 2 {
		t.Errorf("%d of 2 changes were told", n)
	}
}

func TestStalledReceiversHoldUpNobodyElse(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { close(hold) })
	quick := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	w := newWorld(t, func(cfg *Config) {
		cfg.CallbackHosts = []string{quick.host(), strings.TrimPrefix(slow.URL, "http://")}
	})
	for range 2 * postsPerAccount {
		w.executeWithCallback(slow.URL)
	}
	w.finish(w.executeWithCallback(quick.URL))
	eventually(t, func() int { return len(quick.posts()) }, func(n int) bool { return n == 2 })
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	inside := newReceiver(t, func(int) (int, string) { return http.StatusOK, "SUCCESS" })
	outside := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusTemporaryRedirect))
	t.Cleanup(outside.Close)
	w := newWorld(t, func(cfg *Config) {
		cfg.CallbackHosts = []string{strings.TrimPrefix(outside.URL, "http://"), inside.host()}
	})
	w.finish(w.executeWithCallback(outside.URL))
	w.settled()
	if n := len(inside.posts()); n != 0 {
		t.Errorf("%d posts followed a redirect", n)
	}
	if n := w.count(`SELECT count(*) FROM delivery WHERE state = ? AND attempts = ?`, deliveryGivenUp, callbackPosts); n != 2 {
		t.Errorf("%d of 2 changes were given up after %d posts", n, callbackPosts)
	}
}

func TestLanesLimitAHostAndAnAccount(t *testing.T) {
	t.Parallel()
	var l lanes
	at := func(account, host string) gen.FindReceiverRow {
		return gen.FindReceiverRow{AccountID: account, CallbackUrl: "https://" + host + "/hook"}
	}
	var leaves []func()
	enter := func(account, host string) bool {
		leave, ok := l.enter(at(account, host))
		if ok {
			leaves = append(leaves, leave)
		}
		return ok
	}
	for range postsPerHost {
		if !enter("a", "one.example") {
			t.Fatal("a host does not get its share")
		}
	}
	if enter("b", "one.example") {
		t.Error("a host gets more than its share")
	}
	for range postsPerAccount - postsPerHost {
		if !enter("a", "two.example") {
			t.Fatal("an account does not get its share")
		}
	}
	if enter("a", "three.example") {
		t.Error("an account gets more than its share")
	}
	if !enter("b", "three.example") {
		t.Error("others are kept out")
	}
	for _, leave := range leaves {
		leave()
	}
	if !enter("a", "one.example") || len(l.busy) != 2 {
		t.Errorf("lanes stay taken: %v", l.busy)
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
