package crashes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"atelier/upstream"
)

// ledger is an image service that does nothing but keep books: every run it was made to do, under the name it came with. It
// outlives every studio.
type ledger struct {
	mu         sync.Mutex
	hidden     bool          // runs of the run surface are listed nowhere
	ahead      time.Duration // of its clock
	tasks      []*entry
	executions map[string]*entry // by execution
	polled     map[string]int
	endless    bool // runs go on for as long as it is set
	account    bool // it refuses masks in base64 and no background, and tells what runs cost
	// call delivers a callback and says whether it was taken; nil = callbacks are lost.
	call func(url, body string) bool
	// moment is told of each request before and after it is done; it may not return for a long time.
	moment func(ctx context.Context, name string)
	calls  sync.WaitGroup
}

// entry is a task with its executions, or a run, which is a task of its own.
type entry struct {
	id, name, agent, version string
	run                      bool
	init                     map[string]any
	at                       time.Time
	executions               []string
	params                   []object // of each of them
}

func newLedger() *ledger {
	return &ledger{executions: map[string]*entry{}, polled: map[string]int{}, moment: func(context.Context, string) {}}
}

var result = func() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		panic(err)
	}
	return b.Bytes()
}()

// host is where the ledger is asked.
const host = "ledger.example"

// ServeHTTP answers both surfaces as the documents show them.
func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.Method + " " + r.URL.Path
	if strings.HasPrefix(r.URL.Path, upstream.PathRuns+"/") {
		name = "GET a run"
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever asked is gone before it had asked
	}
	l.moment(r.Context(), "before: "+name)
	answer, status := l.answer(r, body)
	l.moment(r.Context(), "after: "+name)
	if data, ok := answer.([]byte); ok {
		_, _ = w.Write(data) // whoever asked may be gone
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // whoever asked may be gone
}

type object = map[string]any

func said(data any) object { return object{"success": true, "code": 0, "data": data} }

func unknown() object { return object{"success": false, "code": 40000, "msg": "unknown"} }

// refused is a definite no of either surface.
func refused(why string) object {
	return object{"success": false, "code": 40000, "msg": why, "error": object{"code": "40000", "message": why, "retryable": false}}
}

// charged adds what a run cost, where the ledger tells.
func (l *ledger) charged(data object) object {
	if l.account {
		data["powerConsumption"], data["powerBalanceAmount"] = powerOfRun, "100"
	}
	return data
}

// powerOfRun is what a run costs where the ledger tells.
const powerOfRun = 2.5

func (l *ledger) answer(r *http.Request, raw []byte) (answer any, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var body struct {
		AgentName, AgentVersion, TaskID, ExecutionID, CallbackURL string
		InitParams, Input, Params                                 object
		Agent                                                     upstream.RunAgent
	}
	if strings.Contains(r.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(raw, &body); err != nil {
			return unknown(), http.StatusBadRequest
		}
	}
	switch path := r.URL.Path; {
	case path == upstream.PathUploadImage, path == upstream.PathRunUpload:
		return said(object{"image": "https://" + host + "/in.jpg"}), http.StatusOK
	case l.account && path == upstream.PathAgentInfo:
		return said(object{"agentVersion": "v1.0", "backgrounds": []object{{"id": 77, "name": "Transparent"}}}), http.StatusOK
	case l.account && (path == upstream.PathTaskExecute || path == upstream.PathRuns) && body.Params["customMask"] != nil:
		return refused("customMask is not accepted; send customMaskUrl"), http.StatusBadRequest
	case l.account && (path == upstream.PathTaskExecute || path == upstream.PathRuns) && body.Params["backgroundId"] != 77.0:
		return refused("backgroundId or backgroundHex is missing"), http.StatusBadRequest
	case path == upstream.PathTaskCreate:
		e := &entry{id: fmt.Sprint("task-", len(l.tasks)), agent: body.AgentName, version: body.AgentVersion, init: body.InitParams, at: time.Now().Add(l.ahead)}
		e.name, _ = body.InitParams["taskName"].(string)
		l.tasks = append(l.tasks, e)
		return said(object{"taskId": e.id}), http.StatusOK
	case path == upstream.PathTaskExecute:
		for _, e := range l.tasks {
			if e.id == body.TaskID {
				return said(l.charged(object{"executionId": l.execute(e, body.Params, body.CallbackURL)})), http.StatusOK
			}
		}
	case path == upstream.PathRuns:
		e := &entry{id: fmt.Sprint("run-", len(l.tasks)), agent: body.Agent.Name, version: body.Agent.Version, init: body.Input, at: time.Now().Add(l.ahead), run: true}
		e.name, _ = body.Input["taskName"].(string)
		l.tasks = append(l.tasks, e)
		return object{"success": true, "meta": l.charged(object{"executionId": l.execute(e, body.Params, body.CallbackURL)})}, http.StatusOK
	case strings.HasPrefix(path, upstream.PathRuns+"/"):
		id := strings.TrimPrefix(path, upstream.PathRuns+"/")
		if e := l.executions[id]; e != nil {
			l.polled[id]++
			return said(l.describe(e)), http.StatusOK
		}
	case path == upstream.PathTaskQuery:
		for _, e := range l.tasks {
			if e.id == body.TaskID || body.ExecutionID != "" && l.executions[body.ExecutionID] == e {
				for _, id := range e.executions {
					l.polled[id]++
				}
				return said(l.describe(e)), http.StatusOK
			}
		}
	case path == upstream.PathTaskList:
		list := []object{}
		after, _ := time.Parse(time.RFC3339, r.URL.Query().Get("createdAfter")) // none is the beginning of time
		for _, e := range l.tasks {
			if (!e.run || !l.hidden) && e.at.After(after) {
				list = append(list, l.describe(e))
			}
		}
		return said(object{"tasks": list, "hasMore": false}), http.StatusOK
	case strings.HasPrefix(path, "/files/"):
		return result, http.StatusOK
	}
	return unknown(), http.StatusNotFound
}

func (l *ledger) execute(e *entry, params object, callback string) string {
	id := fmt.Sprint("execution-", len(l.executions))
	e.executions, e.params = append(e.executions, id), append(e.params, params)
	l.executions[id] = e
	if callback != "" && l.call != nil {
		call := l.call
		l.calls.Go(func() {
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for range 18_000 { // three minutes: the next studio may take long to open on a busy machine
				if call(callback, fmt.Sprintf(`{"data":{"executions":[{"executionId":%q,"status":"Success"}]}}`, id)) {
					return
				}
				<-tick.C
			}
		})
	}
	return id
}

// describe tells of a task. It runs when it is first asked about, and is done when it is asked again.
func (l *ledger) describe(e *entry) object {
	list := []object{}
	for i := len(e.executions) - 1; i >= 0; i-- {
		id := e.executions[i]
		x := object{"executionId": id, "executionTime": e.at.UTC().Format(upstream.ExecutionTimeLayout), "params": e.params[i], "status": "Running", "result": []object{}}
		if l.polled[id] > 1 && !l.endless {
			x["status"] = "Success"
			x["result"] = []object{{"status": "Success", "image": "https://" + host + "/files/" + id + ".png", "progress": "1.00"}}
		}
		list = append(list, x)
	}
	return object{"taskId": e.id, "agentName": e.agent, "agentVersion": e.version, "initParams": e.init, "executions": list, "createdAt": e.at.UTC().Format(time.RFC3339)}
}

// about says which run a request is about: the name it goes out under, "" when it is about none or about many.
func (l *ledger) about(path string, raw []byte) string {
	var body struct {
		TaskID, ExecutionID string
		InitParams, Input   struct{ TaskName string }
	}
	_ = json.Unmarshal(raw, &body) // not every body is JSON
	if name := body.InitParams.TaskName + body.Input.TaskName; name != "" {
		return name
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, prefix := range []string{upstream.PathRuns + "/", "/files/"} {
		if id, ok := strings.CutPrefix(path, prefix); ok {
			body.ExecutionID = strings.TrimSuffix(id, ".png")
		}
	}
	if e := l.executions[body.ExecutionID]; e != nil {
		return e.name
	}
	for _, e := range l.tasks {
		if e.id == body.TaskID {
			return e.name
		}
	}
	return ""
}

// book gives the executions of each name.
func (l *ledger) book() map[string][]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	book := map[string][]string{}
	for _, e := range l.tasks {
		book[e.name] = append(book[e.name], e.executions...)
	}
	return book
}
