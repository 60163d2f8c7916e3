package upstreamtest

import "time"

// statuses are every word for a state that the documents know (Task API, "Execution status values"; Run API, "States and
// transitions").
var statuses = map[any]bool{"Pending": true, "Segmenting": true, "Running": true, "Success": true, "Failed": true}

// execute starts an execution on a task of its own and gives both ids.
func (p *probe) execute(agent string, params object) (task, execution string) {
	task = p.create(agent)
	return task, p.executeOn(task, params)
}

func (p *probe) executeOn(task string, params object) string {
	return p.text(p.data(p.post("/openapi/v1/agent/task/execute", object{"taskId": task, "params": params})), "executionId")
}

// query gives the named execution of a query's answer, checking the form of everything on the way.
func (p *probe) query(by object, id string) object {
	return p.pick(p.data(p.post("/openapi/v1/agent/task/query", by)), id)
}

// poll gives the run's execution.
func (p *probe) poll(id string) object {
	return p.pick(p.data(p.get("/openapi/agent/runs/"+id)), id)
}

func (p *probe) pick(d object, id string) object {
	p.text(d, "agentName")
	p.text(d, "agentVersion")
	p.nested(d, "initParams")
	for _, x := range p.list(d, "executions") {
		if x["executionId"] != id {
			continue
		}
		p.execution(x)
		return x
	}
	p.stop("execution %s is not among %v", id, d["executions"])
	return nil
}

// execution checks the form of an execution and its results.
func (p *probe) execution(x object) {
	p.want(statuses[x["status"]], "status is %v", x["status"])
	if at, ok := x["executionTime"].(string); ok {
		_, err := time.Parse("2006-01-02 15:04:05", at)
		p.want(err == nil, "executionTime %q is not of the form YYYY-MM-DD HH:MM:SS", at)
	}
	p.nested(x, "params")
	for _, r := range p.results(x) {
		p.want(statuses[r["status"]], "the status of a result is %v", r["status"])
		switch r["status"] {
		case "Success":
			p.link(p.text(r, "image"))
		case "Failed":
			p.text(r, "error") // "Always present when status is Failed"
		}
	}
}

// results gives an execution's items, under either name (Task API, "Execution").
func (p *probe) results(x object) []object {
	for _, name := range []string{"result", "results"} {
		if x[name] != nil {
			return p.list(x, name)
		}
	}
	return nil
}

// finish waits until look shows an end and gives the addresses of the pictures. Progress must not fall on the way.
func (p *probe) finish(look func() object) []string {
	var last object
	p.await("the execution's end", func() bool {
		last = look()
		return last["status"] == "Success" || last["status"] == "Failed"
	})
	if last["status"] != "Success" {
		p.stop("the execution ended as %v: %v", last["status"], last)
	}
	var images []string
	for _, r := range p.results(last) {
		p.want(r["status"] == "Success", "an execution that is a Success holds an item that is %v", r["status"])
		images = append(images, p.text(r, "image"))
	}
	return images
}

// made executes and waits.
func (p *probe) made(agent string, params object) []string {
	_, id := p.execute(agent, params)
	return p.finish(func() object { return p.query(object{"executionId": id}, id) })
}

// masked is the cheapest execution there is: a cut-out along a mask that the caller drew.
func masked() object {
	return object{"maskType": "custom", "customMask": maskText(), "backgroundHex": "#20A040", "batchCount": 1}
}

// executionScenarios: Task API, "Execute task" and "Query task execution".
func executionScenarios() []scenario {
	cut := masked()
	return []scenario{
		{name: "an execution reaches Success with one picture", from: `Task API, "What the service does"`, paid: true, check: func(p *probe) {
			p.want(len(p.made("removeBG", cut)) == 1, "not one picture for batchCount 1")
		}},
		{name: "an execution is found by its task and by its id", from: `Task API, "Query task execution"`, paid: true, check: func(p *probe) {
			task, id := p.execute("removeBG", cut)
			byTask := p.query(object{"taskId": task}, id)
			byID := p.query(object{"executionId": id}, id)
			p.want(byTask["executionId"] == byID["executionId"], "two different executions")
			p.want(p.nested(byID, "params")["backgroundHex"] == "#20A040", "params came back as %v", byID["params"])
		}},
		{name: "the execution id wins over the task id", from: `Task API, "Query task execution"`, paid: true, check: func(p *probe) {
			_, id := p.execute("removeBG", cut)
			p.query(object{"executionId": id, "taskId": p.task("aipose")}, id)
		}},
		{name: "a task can have several executions", from: `Task API, "What the service does"`, paid: true, check: func(p *probe) {
			task, first := p.execute("removeBG", cut)
			second := p.executeOn(task, cut)
			p.want(first != second, "both are %s", first)
			p.query(object{"taskId": task}, first)
			p.query(object{"taskId": task}, second)
		}},
		{name: "executions are listed with their task", from: `Task API, "List tasks"`, paid: true, check: func(p *probe) {
			task, id := p.execute("removeBG", cut)
			for _, t := range p.list(p.data(p.get("/openapi/v1/agent/task/list?limit=20")), "tasks") {
				if t["taskId"] != task {
					continue
				}
				for _, x := range p.list(t, "executions") {
					if x["executionId"] == id {
						return
					}
				}
			}
			p.complain("execution %s of task %s is not listed", id, task)
		}},
		{name: "a deleted task takes its executions along", from: `Task API, "Delete task"`, paid: true, check: func(p *probe) {
			task, id := p.execute("removeBG", cut)
			p.finish(func() object { return p.query(object{"executionId": id}, id) })
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
			p.refused(p.post("/openapi/v1/agent/task/query", object{"executionId": id}))
		}},
		{name: "two pictures for a batchCount of 2", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			n := len(p.made("removeBG", change(masked(), "batchCount", 2)))
			p.want(n == 2, "%d pictures", n)
		}},
		{name: "a batchCount out of range is replaced by 4", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			for _, count := range []int{0, 17} {
				n := len(p.made("removeBG", change(masked(), "batchCount", count)))
				p.want(n == 4, "%d pictures for batchCount %d", n, count)
			}
		}},
	}
}
