package upstreamtest

import (
	"strings"
)

// taskScenarios: Task API, "Create task", "Execute task", "Query task execution", "Delete task".
func taskScenarios() []scenario {
	const (
		create = "/openapi/v1/agent/task/create"
		query  = "/openapi/v1/agent/task/query"
		remove = "/openapi/v1/agent/task/delete"
		from   = `Task API, "Create task"`
	)
	refuses := func(body object) func(p *probe) { return func(p *probe) { p.refused(p.post(create, p.filled(body))) } }
	named := func(name string) object {
		return object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"taskName": name, "originalImage": picture}}
	}
	return []scenario{
		{name: "creating a task gives its id", from: from, check: func(p *probe) {
			p.text(p.data(p.post(create, object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"originalImage": p.original()}})), "taskId")
		}},
		{name: "two tasks have two ids", from: `Task API, "Task"`, check: func(p *probe) {
			a, b := p.create("aipose"), p.create("aipose")
			p.want(a != b, "both are %s", a)
		}},
		{name: "a task needs an agent name", from: from, check: refuses(object{"agentVersion": "v1.0", "initParams": object{"originalImage": picture}})},
		{name: "a task needs an agent version", from: from, check: refuses(object{"agentName": "aipose", "initParams": object{"originalImage": picture}})},
		{name: "a task needs a known agent", from: from, check: refuses(object{"agentName": "conformance-none", "agentVersion": "v1.0", "initParams": object{"originalImage": picture}})},
		{name: "a task needs a known version", from: `Task API, "Versioning"`, check: refuses(object{"agentName": "aipose", "agentVersion": "v99.0", "initParams": object{"originalImage": picture}})},
		{name: "a task name of 20 characters is taken", from: `Task API, "Limits"`, check: func(p *probe) {
			p.text(p.data(p.post(create, p.filled(named(strings.Repeat("n", 20))))), "taskId")
		}},
		{name: "a task name of 20 characters that are not bytes is taken", from: `Task API, "Limits"`, check: func(p *probe) {
			p.text(p.data(p.post(create, p.filled(named(strings.Repeat("ü", 20))))), "taskId")
		}},
		{name: "a task name of 21 characters is refused", from: `Task API, "Limits"`, check: refuses(named(strings.Repeat("n", 21)))},
		{name: "a task whose body is no JSON is refused", from: from, check: func(p *probe) {
			p.refused(p.send("POST", create, p.on.Key, "application/json", []byte(`{"agentName": "aipose"`)))
		}},
		{name: "a task needs the picture it works on", from: `Task API, "Agent parameters (v1 surface)"`, check: func(p *probe) {
			for _, agent := range []string{"aimodel", "aiproduct", "aipose", "expandimage", "removeBG"} {
				p.refused(p.post(create, object{"agentName": agent, "agentVersion": "v1.0", "initParams": object{"taskName": "conformance"}}))
			}
		}},
		{name: "a task of a picture that is no address is refused", from: `Task API, "Agent parameters (v1 surface)"`, check: refuses(object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"originalImage": "photo.jpg"}})},
		{name: "a task whose initParams are a list is refused", from: from, check: refuses(object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": []string{"a"}})},
		{name: "a task of an agent that runs alone know is refused", from: `Run API, "Original agents as run agents"`, check: refuses(object{"agentName": "virtualtryon", "agentVersion": "v1.0", "initParams": object{"originalImage": picture}})},
		{name: "a task without a name is taken", from: `Task API, "Agent parameters (v1 surface)"`, check: func(p *probe) {
			id := p.text(p.data(p.post(create, object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"originalImage": p.original()}})), "taskId")
			p.absent(p.nested(p.data(p.post(query, object{"taskId": id})), "initParams"), "taskName")
		}},
		{name: "fields of a task that mean nothing are passed over; it is taken", from: from + "; not shown, public clients do it", check: func(p *probe) {
			p.text(p.data(p.post(create, object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"originalImage": p.original(), "mood": "calm"}, "trace": "conformance"})), "taskId")
		}},
		{name: "the time of a task is told in lists alone; the query of it is taken without", from: `Task API, "Task"`, check: func(p *probe) {
			p.absent(p.data(p.post(query, object{"taskId": p.task("aipose")})), "createdAt")
		}},
		{name: "a query for nothing is refused", from: `Task API, "Query task execution"`, check: func(p *probe) { p.refused(p.post(query, object{})) }},
		{name: "every agent of the task surface can have a task", from: `Task API, "Agent parameters (v1 surface)"`, check: func(p *probe) {
			for _, agent := range []string{"aimodel", "aiproduct", "aipose", "expandimage", "removeBG"} {
				p.task(agent)
			}
		}},
		{name: "a task without executions tells what it was made of", from: `Task API, "Query task execution"`, check: func(p *probe) {
			d := p.data(p.post(query, object{"taskId": p.task("removeBG")}))
			p.want(d["agentName"] == "removeBG" && d["agentVersion"] == "v1.0", "agent is %v %v", d["agentName"], d["agentVersion"])
			init := p.nested(d, "initParams")
			p.want(init["taskName"] == "conformance", "taskName came back as %v", init["taskName"])
			p.want(init["originalImage"] == p.original(), "originalImage came back as %v", init["originalImage"])
			p.want(len(p.list(d, "executions")) == 0, "executions: %v", d["executions"])
		}},
		{name: "an unknown task is not answered with one", from: `Task API, "Query task execution"`, check: func(p *probe) {
			p.refused(p.post(query, object{"taskId": "conformance-unknown"}))
		}},
		{name: "an unknown execution is not answered with one", from: `Task API, "Query task execution"`, check: func(p *probe) {
			p.refused(p.post(query, object{"executionId": "conformance-unknown"}))
		}},
		{name: "a task of another key cannot be executed", from: `Task API, "Authentication"`, two: true, paid: true, check: func(p *probe) {
			p.refused(p.postAs(p.on.OtherKey, "/openapi/v1/agent/task/execute", object{"taskId": p.task("aipose"), "params": object{"textDescription": "sitting", "batchCount": 1}}))
		}},
		{name: "a deleted task is gone", from: `Task API, "Delete task"`, check: func(p *probe) {
			id := p.create("aipose")
			a := p.post(remove, object{"taskId": id})
			p.accepted(a)
			p.absent(a.json, "data")
			p.refused(p.post(query, object{"taskId": id}))
			for _, task := range p.list(p.data(p.get("/openapi/v1/agent/task/list?limit=20")), "tasks") {
				p.want(task["taskId"] != id, "the deleted task %s is still listed", id)
			}
		}},
		{name: "deleting an unknown task is refused", from: `Task API, "Delete task"`, check: func(p *probe) {
			p.refused(p.post(remove, object{"taskId": "conformance-unknown"}))
		}},
		{name: "deleting a task twice is refused", from: `Task API, "Delete task"`, check: func(p *probe) {
			id := p.create("aipose")
			p.accepted(p.post(remove, object{"taskId": id}))
			p.refused(p.post(remove, object{"taskId": id}))
		}},
		{name: "deleting needs a task id", from: `Task API, "Delete task"`, check: func(p *probe) { p.refused(p.post(remove, object{})) }},
		{name: "a deleted task cannot be executed", from: `Task API, "Delete task"`, paid: true, check: func(p *probe) {
			id := p.create("aipose")
			p.accepted(p.post(remove, object{"taskId": id}))
			p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": id, "params": object{"textDescription": "sitting", "batchCount": 1}}))
		}},
	}
}
