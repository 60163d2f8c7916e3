package upstreamtest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// receiver takes callbacks and answers them.
type receiver struct {
	mu     sync.Mutex
	says   string
	bodies []string
	keys   []string // Authorization headers, which must not be there
	verbs  []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, 8<<20))
	if err != nil {
		http.Error(w, "the body breaks off", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bodies = append(r.bodies, string(body))
	r.keys = append(r.keys, req.Header.Get("Authorization"))
	r.verbs = append(r.verbs, req.Method)
	if _, err := io.WriteString(w, r.says); err != nil {
		return // the service hung up; what it sent is noted
	}
}

func (r *receiver) got() (bodies, keys, verbs []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.bodies...), append([]string{}, r.keys...), append([]string{}, r.verbs...)
}

// callbackScenarios: Task API, "Events"; Run API, "Events".
func callbackScenarios() []scenario {
	execution := func(p *probe, address string) string {
		a := p.post("/openapi/v1/agent/task/execute", object{"taskId": p.create("removeBG"), "params": masked(), "callbackUrl": address})
		return p.text(p.data(a), "executionId")
	}
	run := func(p *probe, address string) string {
		return p.handle(p.post("/openapi/agent/runs", object{
			"agent": object{"name": "removeBG", "version": "v1.0"}, "input": object{"originalImage": p.original()}, "params": masked(), "callbackUrl": address,
		}))
	}
	// called starts something and waits until a body tells of its success.
	called := func(p *probe, says string, start func(p *probe, address string) string) (*receiver, string) {
		r := &receiver{says: says}
		id := start(p, p.on.Callbacks(p.t, r))
		p.await("a callback of "+id, func() bool {
			bodies, _, _ := r.got()
			for _, b := range bodies {
				if strings.Contains(b, id) && strings.Contains(b, `"Success"`) {
					return true
				}
			}
			return false
		})
		return r, id
	}
	return []scenario{
		{name: "an execution calls back with what a query answers", from: `Task API, "Events"`, callbacks: true, check: func(p *probe) {
			r, id := called(p, "SUCCESS", execution)
			bodies, keys, verbs := r.got()
			for i, b := range bodies {
				p.want(keys[i] == "", "a callback carries an Authorization header")
				p.want(verbs[i] == http.MethodPost, "a callback is a %s", verbs[i])
				var o object
				if err := json.Unmarshal([]byte(b), &o); err != nil {
					p.stop("a callback is no JSON object: %q", b)
				}
				if d, ok := o["data"].(object); ok { // ASSUMED [Body]: with or without the envelope around it
					o = d
				}
				p.pick(o, id)
			}
		}},
		{name: "a callback that is not answered with SUCCESS comes two times more", from: `Task API, "Events"`, callbacks: true, check: func(p *probe) {
			r, _ := called(p, "no", execution)
			// What is posted may be the state at the time of posting, so that two changes of status look alike on the wire:
			// three posts for every change, and then silence.
			last, quiet := 0, 0
			p.await("three posts of each callback", func() bool {
				bodies, _, _ := r.got()
				told := map[any]bool{}
				for _, b := range bodies {
					told[statusIn(b)] = true
				}
				if quiet++; len(bodies) != last {
					last, quiet = len(bodies), 0
				}
				return quiet >= 10 && last%3 == 0 && last >= 3*len(told)
			})
		}},
		{name: "a callback over https, with a query, is taken", from: `Task API, "Execute task"`, callbacks: true, check: func(p *probe) {
			execution(p, "https://receiver.example/done?order=7")
			run(p, "https://receiver.example/done?order=7")
		}},
		{name: "a run calls back", from: `Run API, "Events"`, callbacks: true, check: func(p *probe) { called(p, "SUCCESS", run) }},
	}
}

// statusIn gives the status of the one execution that a callback tells of, nil when it tells of none.
func statusIn(body string) any {
	var v struct {
		Data       *struct{ Executions []object }
		Executions []object
	}
	if json.Unmarshal([]byte(body), &v) != nil {
		return nil
	}
	list := v.Executions
	if v.Data != nil {
		list = v.Data.Executions
	}
	if len(list) != 1 {
		return nil
	}
	return list[0]["status"]
}
