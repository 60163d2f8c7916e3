package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/imaging/video"
	"atelier/internal/killable"
	"atelier/upstream"
)

// The process that is killed is this test program itself, started again with these variables.
const (
	childFolder = "ATELIER_TEST_SERVICE_FOLDER"
	childListen = "ATELIER_TEST_SERVICE_LISTEN"
	childHooks  = "ATELIER_TEST_SERVICE_HOOKS"  // host of the receiver of callbacks, which has a picture too
	childMoment = "ATELIER_TEST_SERVICE_MOMENT" // where it dies, "" = nowhere
	childFilms  = "ATELIER_TEST_SERVICE_FILMS"  // of how many frames of a video one is made, "" = it makes no videos
	childCount  = "ATELIER_TEST_SERVICE_COUNT"  // at which passing of that moment
	childPoison = "ATELIER_TEST_SERVICE_POISON" // the execution it dies of whenever a picture is placed while it is worked on
	childPause  = "ATELIER_TEST_SERVICE_PAUSE"  // the first pause of what was interrupted, "" = as always
	childSlow   = "ATELIER_TEST_SERVICE_SLOW"   // what a picture takes longer, "" = nothing
)

const childKey = "test-key-of-an-outside-client-0123456789"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		if err := child(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is an image service in a process of its own, until SIGTERM or its death.
func child(folder string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	background := context.WithoutCancel(ctx)
	var tool *video.Tool
	each := 0
	if films := os.Getenv(childFilms); films != "" {
		var err, missing error
		each, err = strconv.Atoi(films)
		tool, missing = video.Find(ctx, video.Limits{})
		if err := errors.Join(err, missing); err != nil {
			return err
		}
	}
	svc, err := Open(background, Config{
		Video: tool, SparseFilms: each, Folder: folder, CallbackHosts: []string{os.Getenv(childHooks)}, AssetHosts: []string{os.Getenv(childHooks)},
		CallbackRetries: [2]time.Duration{20 * time.Millisecond, 20 * time.Millisecond},
		Logger:          slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	if slow := os.Getenv(childSlow); slow != "" {
		var sw Switches
		if sw.Slow, err = time.ParseDuration(slow); err != nil {
			return err
		}
		svc.SetSwitches(sw)
	}
	svc.atMoment = deathAt(os.Getenv(childMoment), os.Getenv(childCount))
	if poison := os.Getenv(childPoison); poison != "" {
		svc.atMoment = svc.deathOf(poison)
	}
	if pause := os.Getenv(childPause); pause != "" {
		if svc.pause, err = time.ParseDuration(pause); err != nil {
			return err
		}
	}
	if err := errors.Join(svc.EnsureKey(background, childKey, "studio", "studio"), svc.Start(background)); err != nil {
		return err
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", os.Getenv(childListen))
	if err != nil {
		return err
	}
	fmt.Println(killable.Ready)
	server := &http.Server{Handler: answered(svc), ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		_ = server.Close() // the process ends
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return svc.Close()
}

// deathAt ends the process, as kill -9 does, when it passes a moment for the count-th time.
func deathAt(moment, count string) func(string) {
	at, err := strconv.ParseInt(count, 10, 64)
	if moment == "" || err != nil {
		return nil
	}
	var passed atomic.Int64
	return func(name string) {
		if name == moment && passed.Add(1) == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
}

// answered names one more moment per request: everything is done, nothing is answered.
func answered(svc *Service) http.Handler {
	h := svc.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			h.ServeHTTP(w, r)
			return
		}
		kept := httptest.NewRecorder()
		h.ServeHTTP(kept, r)
		svc.moment("handled " + r.URL.Path)
		for name, values := range kept.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(kept.Code)
		_, _ = w.Write(kept.Body.Bytes()) // a client that has gone asks again
	})
}

// deaths are all moments at which the service is killed: between what it does to its files, its rows, others and its caller.
func deaths() []string {
	var list []string
	for _, kind := range []string{kindUpload, kindSource, kindMask, kindResult, kindPSD, kindPreset} {
		list = append(list, "placed "+kind, "recorded "+kind)
	}
	for _, job := range []string{sourcesJob{}.Kind(), segmentJob{}.Kind(), renderJob{}.Kind(), psdJob{}.Kind(), presetJob{}.Kind(), deliveryJob{}.Kind()} {
		list = append(list, "began "+job, "ended "+job)
	}
	for _, path := range []string{
		upstream.PathUploadImage, upstream.PathTaskCreate, upstream.PathTaskExecute, upstream.PathRuns,
		upstream.PathPSDCreate, upstream.PathFashionModelCreate, upstream.PathLocationCreate,
	} {
		list = append(list, "handled "+path)
	}
	return append(list, "posted")
}

// listener receives callbacks, and hands out a picture. It refuses the first post of every third change.
type listener struct {
	*httptest.Server
	mu      sync.Mutex
	changes map[string]int      // posts, by execution and status
	taken   map[string][]string // the statuses it answered SUCCESS to, by execution
}

func newListener(t *testing.T) *listener {
	l := &listener{changes: map[string]int{}, taken: map[string][]string{}}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = w.Write(testpics.JPEG(photo()))
			return
		}
		var body struct{ Data upstream.Task }
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Data.Executions) != 1 {
			return // cut off by the kill
		}
		e := body.Data.Executions[0]
		l.mu.Lock()
		defer l.mu.Unlock()
		change := e.ExecutionID + e.Status
		l.changes[change]++
		if len(l.changes)%3 == 0 && l.changes[change] == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		l.taken[e.ExecutionID] = append(l.taken[e.ExecutionID], e.Status)
		_, _ = io.WriteString(w, callbackAnswer)
	}))
	t.Cleanup(l.Close)
	return l
}

func TestKilledServiceLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	testKills(t, 3, client{models: 1})
}

// An ordinary run has time for less than half of the named moments: the next day's goes on where it ends, so that three days pass all.
// ATELIER_TEST_KILLS asks for another number of kills; ATELIER_TEST_SEED and ATELIER_TEST_DAY for another choice of moments.
func TestSlowKilledServiceLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	kills := killable.Kills(14)
	testKills(t, kills, client{models: kills, canvases: 3, videos: 2})
}

// testKills kills the service at named and at random moments while a client uploads, executes on both surfaces, exports and makes presets
// and as many of what takes a while as most says. Afterwards everything it answered is there, everything it accepted was done once, and was
// told.
func testKills(t *testing.T, kills int, most client) {
	seed, day := killable.Seed(), killable.Day()
	random := rand.New(rand.NewPCG(seed, seed))
	hooks := newListener(t)
	folder, address := t.TempDir(), killable.Address(t)
	films := ""
	if _, err := video.Find(t.Context(), video.Limits{}); err == nil {
		films = strconv.Itoa(sparse)
	} else if !errors.Is(err, video.ErrMissing) {
		t.Fatal(err)
	}
	p := killable.New(t, childFolder+"="+folder, childListen+"="+address, childHooks+"="+strings.TrimPrefix(hooks.URL, "http://"), childFilms+"="+films)
	c := &client{
		t: t, http: &http.Client{Timeout: patience}, address: address, hooks: hooks,
		films: films != "", models: most.models, canvases: most.canvases, videos: most.videos,
		uploads: map[string][]byte{}, tasks: map[string][]string{}, asked: map[string]int{},
		runs: map[string]string{}, bodies: map[string][]byte{}, psds: map[string]bool{}, presets: map[string]bool{},
	}
	t.Logf("seed %d, day %d, %d kills", seed, day, kills)
	moments := deaths()
	random.Shuffle(len(moments), func(i, j int) { moments[i], moments[j] = moments[j], moments[i] })
	for i := range kills {
		// One in four comes at a random time, the others at a moment each.
		if i%4 == 3 {
			p.Start()
			after := time.Duration(random.IntN(500)) * time.Millisecond
			t.Logf("kill %d: after %v", i, after)
			death := time.AfterFunc(after, p.Kill)
			c.live()
			death.Stop()
			p.Kill()
			continue
		}
		named := i - i/4 + day*(kills-kills/4)
		moment, count := moments[named%len(moments)], 1+(i-i/4)/len(moments)%2
		t.Logf("kill %d: passing %q for the %d. time", i, moment, count)
		if !p.Start(childMoment+"="+moment, childCount+"="+strconv.Itoa(count)) {
			continue // it died of what it found undone
		}
		c.live()
		select {
		case <-p.Ended():
		case <-time.After(2 * time.Second): // where there is no second time
			p.Kill()
		}
	}
	p.Start()
	c.checkAnswers()
	if err := p.Terminate(); err != nil {
		t.Errorf("an orderly end: %v", err)
	}
	c.checkStore(folder)
}

// checkAnswers asks the service for everything the client knows of, and waits for what is still to be done.
func (c *client) checkAnswers() {
	c.t.Helper()
	if !c.runAgain() {
		c.t.Fatal("the service does not answer")
	}
	for url, want := range c.uploads {
		var got []byte
		if c.read(url, &got); !bytes.Equal(got, want) {
			c.t.Errorf("upload %s has changed", url)
		}
	}
	for task, answered := range c.tasks {
		var all upstream.Task
		c.post(upstream.PathTaskQuery, upstream.TaskQuery{TaskID: task}, &all)
		if n := len(all.Executions); n < len(answered) || n > c.asked[task] {
			c.t.Errorf("task %s has %d executions, asked for %d times, answered %d times", task, n, c.asked[task], len(answered))
		}
		for _, e := range all.Executions {
			c.checkExecution(e.ExecutionID)
		}
		for _, id := range answered {
			if !slices.ContainsFunc(all.Executions, func(e upstream.Execution) bool { return e.ExecutionID == id }) {
				c.t.Errorf("execution %s was accepted and is lost", id)
			}
		}
	}
	for _, id := range c.runs {
		c.checkExecution(id)
	}
	for id := range c.psds {
		job := eventually(c.t, func() (job upstream.PSDJob) {
			c.post(upstream.PathPSDQuery, map[string]string{"executionId": id}, &job)
			return job
		}, func(job upstream.PSDJob) bool { return ended(job.Status) })
		var file []byte
		if job.Status != statusSuccess {
			c.t.Errorf("the export of %s is %s", id, job.Status)
		} else if c.read(job.Result.FileURL, &file); !bytes.HasPrefix(file, []byte("8BPS")) {
			c.t.Errorf("the export of %s is no layered file", id)
		}
	}
	for query := range c.presets {
		type preset struct{ Status, Cover string }
		p := eventually(c.t, func() (p preset) {
			c.ask(http.MethodGet, query, "", nil, &p)
			return p
		}, func(p preset) bool { return p.Status != upstream.PresetPrepare })
		var cover []byte
		if c.read(p.Cover, &cover); p.Status != upstream.PresetComplete || len(cover) == 0 {
			c.t.Errorf("preset %s is %s", query, p.Status)
		}
	}
}

// read fetches a link of the service.
func (c *client) read(url string, to *[]byte) {
	c.t.Helper()
	_, path, own := strings.Cut(url, c.address)
	if !own || !c.ask(http.MethodGet, path, "", nil, to) {
		c.t.Errorf("%q cannot be read", url)
	}
}

func (c *client) checkExecution(id string) {
	c.t.Helper()
	e, ok := c.ended(id)
	if !ok || e.Status != statusSuccess {
		c.t.Errorf("execution %s is %s: %+v", id, e.Status, e.Result)
		return
	}
	for _, item := range e.Result {
		var picture []byte
		if item.Video != "" {
			var film []byte
			if c.read(item.Video, &film); len(film) < 8 || string(film[4:8]) != "ftyp" {
				c.t.Errorf("the video of %s is %d bytes that are none", id, len(film))
			}
			item.Image = item.VideoPoster
		}
		if c.read(item.Image, &picture); len(picture) > 0 {
			decode(c.t, picture)
		}
	}
}

// checkStore looks at what the service has stored: nothing twice, nothing half, nothing without an owner, everything told.
func (c *client) checkStore(folder string) {
	c.t.Helper()
	w := newWorld(c.t, func(cfg *Config) {
		cfg.Folder, cfg.CallbackHosts = folder, []string{strings.TrimPrefix(c.hooks.URL, "http://")}
	})
	w.folder = folder
	w.settled()
	// The client does not know of what it asked for when the answer was lost.
	eventually(c.t, func() int {
		return w.count(`SELECT (SELECT count(*) FROM psd WHERE status IN ('Pending', 'Running')) + (SELECT count(*) FROM my_preset WHERE status = 'prepare')`)
	}, func(n int) bool { return n == 0 })
	for what, query := range map[string]string{
		"runs without a key or with two":        `SELECT abs((SELECT count(*) FROM task WHERE surface = 'run') - ` + strconv.Itoa(len(c.runs)) + `)`,
		"tasks of the run surface not run once": `SELECT count(*) FROM task t WHERE surface = 'run' AND (SELECT count(*) FROM execution e WHERE e.task_id = t.id) <> 1`,
		"items without end":                     `SELECT count(*) FROM item WHERE status <> 'Success'`,
		"results beyond those of each item":     `SELECT abs((SELECT count(*) FROM file WHERE kind = 'result') - (SELECT count(*) + sum(poster_file <> '') FROM item))`,
		"results that two items share":          `SELECT count(*) - count(DISTINCT file_id) FROM item`,
		"masks beyond one for each execution":   `SELECT count(*) FROM (SELECT 1 FROM file WHERE kind = 'mask' GROUP BY execution_id HAVING count(*) > 1)`,
		"drawn masks that were not kept":        `SELECT count(*) FROM execution e WHERE params LIKE '%"customMask"%' AND NOT EXISTS (SELECT 1 FROM file f WHERE f.kind = 'mask' AND f.execution_id = e.id)`,
		"exports beyond those asked for":        `SELECT abs((SELECT count(*) FROM file WHERE kind = 'psd') - (SELECT count(*) FROM psd))`,
		"pictures beyond two for each preset":   `SELECT abs((SELECT count(*) FROM file WHERE kind = 'preset') - 2 * (SELECT count(*) FROM my_preset))`,
		"ends that have no callback":            `SELECT count(*) FROM execution e WHERE NOT EXISTS (SELECT 1 FROM delivery d WHERE d.execution_id = e.id AND d.status = 'Success')`,
		"callbacks given up":                    `SELECT count(*) FROM delivery WHERE state <> 'delivered'`,
		"callbacks doubled":                     `SELECT count(*) FROM (SELECT 1 FROM delivery GROUP BY execution_id, status HAVING count(*) > 1)`,
		"faults in the database":                `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
	} {
		if n := w.count(query); n != 0 {
			c.t.Errorf("%d %s", n, what)
		}
	}
	rank := []string{statusPending, statusSegmenting, statusRunning, statusSuccess}
	executions := w.count(`SELECT count(*) FROM execution`)
	c.hooks.mu.Lock()
	if len(c.hooks.taken) != executions {
		c.t.Errorf("%d of %d executions were told", len(c.hooks.taken), executions)
	}
	for id, statuses := range c.hooks.taken {
		byRank := func(a, b string) int { return slices.Index(rank, a) - slices.Index(rank, b) }
		if !slices.IsSortedFunc(statuses, byRank) || statuses[len(statuses)-1] != statusSuccess {
			c.t.Errorf("execution %s was told as %v", id, statuses)
		}
	}
	c.hooks.mu.Unlock()
	c.t.Logf("%d uploads, %d executions, %d larger canvases, %d videos, %d exports, %d presets, %d callbacks", len(c.uploads), executions,
		w.count(`SELECT count(*) FROM task JOIN execution e ON e.task_id = task.id WHERE agent = 'expandimage'`), w.count(`SELECT count(*) FROM item WHERE poster_file <> ''`),
		len(c.psds), len(c.presets), w.count(`SELECT count(*) FROM delivery`))
	contents := w.count(`SELECT count(DISTINCT sha256) FROM file`)
	eventually(c.t, w.files, func(n int) bool { return n == contents })
}

// An operator's stop in the middle of long work ends soon, and the work is taken up at the next start.
func TestOrderlyStopIsSoonAndLosesNothing(t *testing.T) {
	t.Parallel()
	hooks := newListener(t)
	address := killable.Address(t)
	p := killable.New(t, childFolder+"="+t.TempDir(), childListen+"="+address, childHooks+"="+strings.TrimPrefix(hooks.URL, "http://"))
	c := &client{
		t: t, http: &http.Client{Timeout: patience}, address: address, hooks: hooks,
		uploads: map[string][]byte{}, tasks: map[string][]string{}, asked: map[string]int{},
	}
	p.Start()
	source, ok := c.upload()
	var task upstream.TaskCreated
	if !ok || !c.post(upstream.PathTaskCreate, upstream.TaskCreate{
		AgentName: "expandimage", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": source},
	}, &task) {
		t.Fatal("the service does not answer")
	}
	id, _ := c.execute(task.TaskID, map[string]any{"targetWidth": 540, "targetHeight": 580, "batchCount": 2})
	eventually(t, func() (task upstream.Task) {
		c.post(upstream.PathTaskQuery, upstream.TaskQuery{ExecutionID: id}, &task)
		return task
	}, func(task upstream.Task) bool { return task.Executions[0].Status == statusRunning })
	ended := make(chan error)
	go func() { ended <- p.Terminate() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the service ended with %v", err)
		}
	case <-time.After(patience):
		t.Fatal("the service does not end")
	}
	p.Start()
	c.checkExecution(id)
}
