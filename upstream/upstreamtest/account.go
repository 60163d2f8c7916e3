package upstreamtest

// accountScenarios: Task API, "Authentication": the calling key identifies the account. What belongs to one account is
// unknown to every other.
func accountScenarios() []scenario {
	const from = `Task API, "Authentication"`
	foreign := func(path string, body func(p *probe) object) func(p *probe) {
		return func(p *probe) { p.refused(p.postAs(p.on.OtherKey, path, body(p))) }
	}
	execution := func(p *probe) string {
		if p.execution1 == "" {
			_, p.execution1 = p.execute("removeBG", masked())
		}
		return p.execution1
	}
	own := func(c custom) func(p *probe) {
		return func(p *probe) {
			id := p.number(p.data(p.post(c.path("create"), c.body(p))), c.id)
			p.refused(p.send("GET", c.path("query")+"?"+c.id+"="+decimal(int(id)), p.on.OtherKey, "", nil))
			p.refused(p.postAs(p.on.OtherKey, c.path("delete"), object{c.id: id}))
			d := p.data(p.send("GET", "/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0&pageSize=100&resourceType="+c.listing, p.on.OtherKey, "", nil))
			for _, o := range p.list(d, c.listing) {
				p.want(p.number(o, "id") != id, "the other account is offered %d", id)
			}
			p.data(p.get(c.path("query") + "?" + c.id + "=" + decimal(int(id)))) // it is still there
			p.accepted(p.post(c.path("delete"), object{c.id: id}))
		}
	}
	return []scenario{
		{name: "a task is refused to another account", from: from, two: true, check: foreign("/openapi/v1/agent/task/query", func(p *probe) object { return object{"taskId": p.task("aipose")} })},
		{name: "deleting a task is refused to another account", from: from, two: true, check: func(p *probe) {
			id := p.task("aipose")
			p.refused(p.postAs(p.on.OtherKey, "/openapi/v1/agent/task/delete", object{"taskId": id}))
			p.data(p.post("/openapi/v1/agent/task/query", object{"taskId": id})) // it is still there
		}},
		{name: "an execution is refused to another account", from: from, two: true, paid: true, check: foreign("/openapi/v1/agent/task/query", func(p *probe) object { return object{"executionId": execution(p)} })},
		{name: "an execution is refused to another account with a task of its own", from: from, two: true, paid: true, check: func(p *probe) {
			id := execution(p)
			d := p.data(p.postAs(p.on.OtherKey, "/openapi/v1/agent/task/create", object{"agentName": "aipose", "agentVersion": "v1.0", "initParams": object{"originalImage": p.original()}}))
			p.refused(p.postAs(p.on.OtherKey, "/openapi/v1/agent/task/query", object{"executionId": id, "taskId": p.text(d, "taskId")}))
		}},
		{name: "a run is refused to another account", from: from, two: true, paid: true, check: func(p *probe) {
			id := p.handle(p.start("removeBG", object{"originalImage": p.original()}, masked()))
			p.refused(p.send("GET", "/openapi/agent/runs/"+id, p.on.OtherKey, "", nil))
		}},
		{name: "a layered file is refused to another account", from: from, two: true, paid: true, check: foreign("/openapi/v1/asset/download/psd/create", func(p *probe) object { return object{"executionId": execution(p)} })},
		{name: "the state of a layered file is refused to another account", from: from, two: true, paid: true, check: foreign("/openapi/v1/asset/download/psd/query", func(p *probe) object { return object{"executionId": execution(p)} })},
		{name: "a fashion model of one's own is refused to another account", from: from, two: true, paid: true, check: own(customs()[0])},
		{name: "a location of one's own is refused to another account", from: from, two: true, paid: true, check: own(customs()[1])},
	}
}
