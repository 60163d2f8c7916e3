package service

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"atelier/imaging/mask"
	"atelier/imaging/testpics"
	"atelier/internal/sqldb"
	"atelier/service/migrations"
	"atelier/service/presets"
	"atelier/upstream"
)

// world is a running service with an outside client's key.
type world struct {
	t      *testing.T
	moment func(name string) // is called at each moment of the work; may be nil
	folder string
	cfg    Config
	svc    *Service
	srv    *httptest.Server
	key    string
}

// newWorld starts a service in a folder of the test's own; change may alter its configuration.
func newWorld(t *testing.T, change func(*Config)) *world {
	t.Helper()
	return newWatchedWorld(t, change, nil)
}

// newWatchedWorld is newWorld with moment, which is called at each moment of the work and may stop there.
func newWatchedWorld(t *testing.T, change func(*Config), moment func(name string)) *world {
	t.Helper()
	w := &world{t: t, folder: t.TempDir(), moment: moment}
	w.cfg = Config{
		Folder: w.folder, Logger: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
		CallbackRetries: [2]time.Duration{time.Millisecond, time.Millisecond},
	}
	if change != nil {
		change(&w.cfg)
	}
	migrated(t, w.cfg.Folder)
	w.open()
	w.start()
	w.key = w.newKey("studio")
	t.Cleanup(func() { w.close() })
	return w
}

// gate stops the work that comes to a moment, from a number of passings on, until it is opened or the test ends.
type gate struct {
	ctx     context.Context
	moment  string // the beginning of its name
	from    int64  // passings before
	passed  atomic.Int64
	reached chan struct{} // closed when the work stands there
	opened  chan struct{}
	stop    func()
	open    func()
}

func newGate(t *testing.T, moment string, from int64) *gate {
	g := &gate{ctx: t.Context(), moment: moment, from: from, reached: make(chan struct{}), opened: make(chan struct{})}
	g.stop, g.open = sync.OnceFunc(func() { close(g.reached) }), sync.OnceFunc(func() { close(g.opened) })
	return g
}

// pass is the moment function of a world.
func (g *gate) pass(name string) {
	if strings.HasPrefix(name, g.moment) && g.passed.Add(1) > g.from {
		g.stop()
		select {
		case <-g.opened:
		case <-g.ctx.Done():
		}
	}
}

// await waits until the work stands at the gate.
func (g *gate) await(t *testing.T) {
	t.Helper()
	select {
	case <-g.reached:
	case <-time.After(patience):
		t.Fatalf("the work does not come to %q", g.moment)
	}
}

// template is the file of an empty database with the schema, migrated once: to migrate takes ten times as long as to copy.
var template = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "service.db")
	db, err := sqldb.Open(context.Background(), path, migrations.Files)
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// migrated copies the template into a folder that holds no database.
func migrated(t *testing.T, folder string) {
	t.Helper()
	path := filepath.Join(folder, "service.db")
	if _, err := os.Stat(path); err == nil {
		return
	}
	file, err := template()
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) open() {
	w.t.Helper()
	svc, err := Open(context.WithoutCancel(w.t.Context()), w.cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	svc.atMoment = w.moment
	w.svc = svc
	w.srv = httptest.NewServer(svc.Handler())
}

func (w *world) start() {
	w.t.Helper()
	if err := w.svc.Start(context.WithoutCancel(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) close() {
	w.t.Helper()
	if w.svc == nil {
		return
	}
	w.srv.Close()
	if err := w.svc.Close(); err != nil {
		w.t.Error(err)
	}
	w.svc = nil
}

// rest ends the background work: what is accepted now waits for a restart.
func (w *world) rest() {
	w.t.Helper()
	w.svc.stop()
	if err := w.svc.jobs.close(); err != nil {
		w.t.Fatal(err)
	}
	w.svc.loops.Wait()
	w.svc.stop = nil
}

// restart closes the service as it stands and opens it again on the same folder.
func (w *world) restart() {
	w.t.Helper()
	w.close()
	w.open()
	w.start()
}

func (w *world) newKey(account string) string {
	w.t.Helper()
	raw, _, err := w.svc.CreateKey(w.t.Context(), account, "test")
	if err != nil {
		w.t.Fatal(err)
	}
	return raw
}

// answer is what came back, whichever the envelope.
type answer struct {
	status  int
	header  http.Header
	raw     []byte
	took    time.Duration     // from the request to the last byte; set by load.do
	Success bool              `json:"success"`
	Code    int               `json:"code"`
	Msg     string            `json:"msg"`
	Data    json.RawMessage   `json:"data"`
	Meta    upstream.RunMeta  `json:"meta"`
	Error   upstream.RunError `json:"error"`
}

// said is the sentence of a refusal.
func (a answer) said() string { return a.Msg + a.Error.Message }

// do asks and reads the answer.
func (w *world) do(method, path, key, contentType string, body []byte, header ...string) answer {
	w.t.Helper()
	a := w.send(method, path, key, contentType, body, header...)
	if a.header.Get("Content-Type") == "application/json; charset=utf-8" {
		if err := json.Unmarshal(a.raw, &a); err != nil {
			w.t.Fatalf("%s %s: %v in %s", method, path, err, a.raw)
		}
	}
	return a
}

// send asks; of the answer, only what is outside its body is read.
func (w *world) send(method, path, key, contentType string, body []byte, header ...string) answer {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.srv.URL+path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", key)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := w.srv.Client().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	if cerr := resp.Body.Close(); err != nil || cerr != nil {
		w.t.Fatal(err, cerr)
	}
	return answer{status: resp.StatusCode, header: resp.Header, raw: raw}
}

func (w *world) post(path, key string, body any, header ...string) answer {
	w.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(http.MethodPost, path, key, "application/json", data, header...)
}

func (w *world) get(path, key string) answer {
	w.t.Helper()
	return w.do(http.MethodGet, path, key, "", nil)
}

// must gives the data of an answer that has to be a success.
func must[T any](t *testing.T, a answer) T {
	t.Helper()
	if a.status != http.StatusOK || !a.Success {
		t.Fatalf("status %d: %s", a.status, a.raw)
	}
	var v T
	if err := json.Unmarshal(a.Data, &v); err != nil {
		t.Fatalf("%v in %s", err, a.Data)
	}
	return v
}

func formOf(t testing.TB, field string, data []byte) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	part, err := m.CreateFormFile(field, "photo.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return m.FormDataContentType(), b.Bytes()
}

func (w *world) tryUpload(path, key string, data []byte) answer {
	w.t.Helper()
	contentType, body := formOf(w.t, "image", data)
	return w.do(http.MethodPost, path, key, contentType, body)
}

// upload stores a picture and gives its URL.
func (w *world) upload(data []byte) string {
	w.t.Helper()
	return must[upstream.Uploaded](w.t, w.tryUpload(upstream.PathUploadImage, w.key, data)).Image
}

// clock is the time of a world, moved by its test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// photo is a small picture that passes every upload rule, photoOf one of many. What stands on a plain ground is found six times
// faster than in testpics.Photo, where nothing stands out.
func photo() *image.NRGBA { return photoOf(1) }

func photoOf(seed uint64) *image.NRGBA {
	img, _ := testpics.Garment(520, 560, seed)
	return img
}

// portrait is a picture that a fashion model can be made of.
var portrait = sync.OnceValue(func() []byte {
	img, err := presets.FashionModels()[0].Draw(context.Background(), 520, 650)
	if err != nil {
		panic(err)
	}
	return testpics.JPEG(img)
})

// leftHalf is a mask that keeps the left half, as base64.
func leftHalf(w, h int) string {
	return base64.StdEncoding.EncodeToString(leftHalfPNG(w, h))
}

func leftHalfPNG(w, h int) []byte {
	m := mask.New(w, h)
	m.FillRect(image.Rect(0, 0, w/2, h), 255)
	return mask.EncodeRGBA(m)
}

// task creates a task for the picture.
func (w *world) task(agent, source string) string {
	w.t.Helper()
	return must[upstream.TaskCreated](w.t, w.post(upstream.PathTaskCreate, w.key, upstream.TaskCreate{
		AgentName:    agent,
		AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": source, "taskName": "a label"},
	})).TaskID
}

// cutOut are the params of a quick execution: one picture, half of it kept.
func cutOut(change ...any) map[string]any {
	p := map[string]any{"maskType": "custom", "customMask": leftHalf(520, 560), "backgroundHex": "#204060", "batchCount": 1}
	for i := 0; i+1 < len(change); i += 2 {
		p[fmt.Sprint(change[i])] = change[i+1]
	}
	return p
}

func (w *world) execute(task string, params map[string]any) string {
	w.t.Helper()
	return must[upstream.TaskExecuted](w.t, w.post(upstream.PathTaskExecute, w.key,
		upstream.TaskExecute{TaskID: task, Params: params})).ExecutionID
}

func (w *world) query(execution string) upstream.Task {
	w.t.Helper()
	return must[upstream.Task](w.t, w.post(upstream.PathTaskQuery, w.key, upstream.TaskQuery{ExecutionID: execution}))
}

// patience bounds every wait for something that must happen: a machine may be busy with other things.
const patience = 5 * time.Minute

// eventually asks until ok says so, at most for the time that patience allows.
func eventually[T any](t *testing.T, ask func() T, ok func(T) bool) T {
	t.Helper()
	end := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		v := ask()
		if ok(v) {
			return v
		}
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("still %+v after %v", v, patience)
		}
	}
}

// finish waits for the end of an execution.
func (w *world) finish(execution string) upstream.Execution {
	w.t.Helper()
	task := eventually(w.t, func() upstream.Task { return w.query(execution) },
		func(task upstream.Task) bool { return ended(task.Executions[0].Status) })
	return task.Executions[0]
}

// fetch reads a link of the service without a key.
func (w *world) fetch(url string) answer {
	w.t.Helper()
	if len(url) < len(w.srv.URL) || url[:len(w.srv.URL)] != w.srv.URL {
		w.t.Fatalf("link %q does not lead to %s", url, w.srv.URL)
	}
	return w.get(url[len(w.srv.URL):], "")
}

func decode(t *testing.T, data []byte) *image.NRGBA {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(img.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.SetNRGBA(x, y, color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA))
		}
	}
	return out
}

func jpegOf(img *image.NRGBA) []byte { return testpics.JPEG(img) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// waitForPreset waits until a custom preset is complete or failed and gives its status.
func (w *world) waitForPreset(field, path string, id int64) string {
	w.t.Helper()
	type preset struct{ Status string }
	return eventually(w.t, func() preset {
		return must[preset](w.t, w.get(path+"?"+field+"="+itoa(id), w.key))
	}, func(p preset) bool { return p.Status != upstream.PresetPrepare }).Status
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// mustRequest is a POST with the world's key, for answers that are read raw.
func mustRequest(t *testing.T, w *world, path, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.srv.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", w.key)
	return req
}

func readAll(t *testing.T, resp *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if cerr := resp.Body.Close(); err != nil || cerr != nil {
		t.Fatal(err, cerr)
	}
	return string(raw)
}
