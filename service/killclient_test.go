package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/upstream"
)

// client is an outside client that keeps a record of everything it was answered.
type client struct {
	t       *testing.T
	http    *http.Client
	address string
	hooks   *listener
	made    int // for names, pictures and keys of its own
	films   bool
	// How much of what takes a while is still to be asked for.
	canvases, videos, models int

	uploads map[string][]byte   // by URL
	tasks   map[string][]string // the executions that were answered, by task
	asked   map[string]int      // how often an execution was asked for, by task
	runs    map[string]string   // execution by idempotency key; "" until it was answered
	bodies  map[string][]byte   // of the runs
	psds    map[string]bool
	presets map[string]bool // the query that asks for one
}

// ask sends a request; ok is false when the service was not there to answer.
func (c *client) ask(method, path, contentType string, body []byte, out any, header ...string) (ok bool) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.address+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", childKey)
	req.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return false
	}
	raw, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return false
	}
	if resp.StatusCode != http.StatusOK {
		c.t.Fatalf("%s %s = %d %s", method, path, resp.StatusCode, raw)
	}
	if data, isBytes := out.(*[]byte); isBytes {
		*data = raw
		return true
	}
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		c.t.Fatal(err)
	}
	if started, isRun := out.(*runStarted); isRun && a.Meta.ExecutionID != "" {
		started.ExecutionID = a.Meta.ExecutionID
		return true
	}
	if err := json.Unmarshal(a.Data, out); err != nil {
		c.t.Fatalf("%v in %s", err, raw)
	}
	return true
}

func (c *client) post(path string, body, out any, header ...string) (ok bool) {
	c.t.Helper()
	return c.ask(http.MethodPost, path, "application/json", []byte(mustJSON(c.t, body)), out, header...)
}

func (c *client) upload() (url string, ok bool) {
	c.made++
	return c.uploadOf(testpics.JPEG(photoOf(uint64(c.made))))
}

func (c *client) uploadOf(picture []byte) (url string, ok bool) {
	contentType, body := formOf(c.t, "image", picture)
	var up upstream.Uploaded
	if !c.ask(http.MethodPost, upstream.PathUploadImage, contentType, body, &up) {
		return "", false
	}
	c.uploads[up.Image] = picture
	return up.Image, true
}

// execute asks for one more execution of a task.
func (c *client) execute(task string, params map[string]any) (id string, ok bool) {
	c.asked[task]++
	var e upstream.TaskExecuted
	if !c.post(upstream.PathTaskExecute, upstream.TaskExecute{TaskID: task, Params: params, CallbackURL: c.hooks.URL}, &e) {
		return "", false
	}
	c.tasks[task] = append(c.tasks[task], e.ExecutionID)
	return e.ExecutionID, true
}

// run starts a run, and asks for those again that were never answered.
func (c *client) run(agent string, input, params map[string]any) (ok bool) {
	c.made++
	key := fmt.Sprint("run-", c.made)
	c.runs[key] = ""
	c.bodies[key] = []byte(mustJSON(c.t, upstream.RunStart{
		Agent: upstream.RunAgent{Name: agent, Version: "v1.0"}, Input: input, Params: params, CallbackURL: c.hooks.URL,
	}))
	return c.runAgain()
}

// cutOut starts a run of the cheapest kind.
func (c *client) cutOut(source string) (ok bool) {
	return c.run("removeBG", map[string]any{"originalImage": source}, cutOut())
}

// long asks for what takes a while: a larger canvas on the task surface and a video.
func (c *client) long(source string) (ok bool) {
	if c.canvases > 0 {
		task, ok := c.task("expandimage", source)
		if ok {
			_, ok = c.execute(task, map[string]any{"targetWidth": 600, "targetHeight": 580, "batchCount": 1})
		}
		if !ok {
			return false
		}
		c.canvases--
	}
	if c.films && c.videos > 0 {
		c.videos--
		return c.run("frames-to-video", map[string]any{}, map[string]any{"textDescription": "calm", "images": []string{source}, "duration": "2s", "aspectRatio": "1:1"})
	}
	return true
}

// task makes a task; once it was answered it must be there, whatever comes of its executions.
func (c *client) task(agent, source string) (id string, ok bool) {
	var task upstream.TaskCreated
	if !c.post(upstream.PathTaskCreate, upstream.TaskCreate{
		AgentName: agent, AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": source},
	}, &task) {
		return "", false
	}
	c.tasks[task.TaskID] = nil
	return task.TaskID, true
}

func (c *client) runAgain() (ok bool) {
	for key, id := range c.runs {
		var started runStarted
		if id == "" && !c.ask(http.MethodPost, upstream.PathRuns, "application/json", c.bodies[key], &started, idempotencyHeader, key) {
			return false
		}
		if id == "" {
			c.runs[key] = started.ExecutionID
		}
	}
	return true
}

// ended waits for the end of an execution.
func (c *client) ended(id string) (e upstream.Execution, ok bool) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); ; {
		var task upstream.Task
		if !c.post(upstream.PathTaskQuery, upstream.TaskQuery{ExecutionID: id}, &task) {
			return e, false
		}
		if e = task.Executions[0]; ended(e.Status) {
			return e, true
		}
		select {
		case <-tick.C:
		case <-end:
			c.t.Fatalf("execution %s never ends: %+v", id, e)
		}
	}
}

func (c *client) psd(execution string) (ok bool) {
	var accepted bool
	if ok = c.post(upstream.PathPSDCreate, map[string]string{"executionId": execution}, &accepted); ok {
		c.psds[execution] = true
	}
	return ok
}

func (c *client) preset(source string) (ok bool) {
	if c.models == 0 {
		return true
	}
	c.models--
	c.made++
	name := fmt.Sprint("preset ", c.made)
	face, ok := c.uploadOf(portrait())
	if !ok {
		return false
	}
	var m upstream.MyFashionModel
	if !c.post(upstream.PathFashionModelCreate, upstream.MyFashionModelCreate{
		Images: []string{face}, Name: name, AgentName: "aimodel", AgentVersion: "v1.0",
	}, &m) {
		return false
	}
	c.presets[upstream.PathFashionModelQuery+"?fashionModelId="+itoa(m.FashionModelID)] = true
	var l upstream.MyLocation
	if !c.post(upstream.PathLocationCreate, upstream.MyLocationCreate{
		Image: source, Name: name, AgentName: "aimodel", AgentVersion: "v1.0",
	}, &l) {
		return false
	}
	c.presets[upstream.PathLocationQuery+"?locationId="+itoa(l.LocationID)] = true
	return true
}

// live does a bit of everything, as long as the service answers.
func (c *client) live() {
	source, ok := c.upload()
	if !ok {
		return
	}
	task, ok := c.task("removeBG", source)
	if !ok {
		return
	}
	first, ok := c.execute(task, cutOut("batchCount", 2))
	if !ok || !c.long(source) || !c.preset(source) || !c.cutOut(source) || !c.cutOut(c.hooks.URL+"/elsewhere.jpg") {
		return
	}
	if _, ok := c.ended(first); !ok || !c.psd(first) {
		return
	}
	for range 3 {
		if _, ok := c.execute(task, cutOut()); !ok {
			return
		}
	}
}
