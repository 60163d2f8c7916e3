package upstreamtest

// handle gives the id of a run that was just started.
func (p *probe) handle(a answer) string {
	p.accepted(a)
	return p.text(p.nested(a.json, "meta"), "executionId")
}

// ran starts a run, waits for its end and gives the addresses of its pictures.
func (p *probe) ran(agent string, input, params object) []string {
	id := p.handle(p.start(agent, input, params))
	return p.finish(func() object { return p.poll(id) })
}

// runScenarios: Run API, "Start a run" and "Poll a run".
func runScenarios() []scenario {
	return []scenario{
		{name: "a run reaches Success with one picture", from: `Run API, "Poll a run"`, paid: true, check: func(p *probe) {
			n := len(p.ran("removeBG", object{"taskName": "conformance", "originalImage": p.original()}, masked()))
			p.want(n == 1, "%d pictures for batchCount 1", n)
		}},
		{name: "a run tells what it was made of", from: `Run API, "Run status payload"`, paid: true, check: func(p *probe) {
			id := p.handle(p.start("removeBG", object{"taskName": "conformance", "originalImage": p.original()}, masked()))
			d := p.data(p.get("/openapi/agent/runs/" + id))
			p.want(d["agentName"] == "removeBG" && d["agentVersion"] == "v1.0", "agent is %v %v", d["agentName"], d["agentVersion"])
			init := p.nested(d, "initParams")
			p.want(init["taskName"] == "conformance" && init["originalImage"] == p.original(), "initParams are %v", init)
			p.want(p.nested(p.poll(id), "params")["backgroundHex"] == "#20A040", "params came back otherwise")
		}},
		{name: "a run reads its picture from params", from: `Run API, "File placement in requests"`, paid: true, check: func(p *probe) {
			n := len(p.ran("removeBG", object{}, change(masked(), "originalImage", p.original())))
			p.want(n == 1, "%d pictures", n)
		}},
		{name: "a run reads its picture from both places", from: `Run API, "File placement in requests"`, paid: true, check: func(p *probe) {
			n := len(p.ran("removeBG", object{"originalImage": p.original()}, change(masked(), "originalImage", p.original())))
			p.want(n == 1, "%d pictures", n)
		}},
		{name: "two runs have two handles", from: `Run API, "Success envelope"`, paid: true, check: func(p *probe) {
			a := p.handle(p.start("removeBG", object{"originalImage": p.original()}, masked()))
			b := p.handle(p.start("removeBG", object{"originalImage": p.original()}, masked()))
			p.want(a != b, "both are %s", a)
		}},
		{name: "a garment is tried on", from: `Run API, "Original agents as run agents"`, paid: true, long: true, check: func(p *probe) {
			n := len(p.ran("virtualtryon", object{"originalImage": p.original(), "fashionModelImage": p.original(), "locationImage": p.original()},
				object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
			p.want(n == 1, "%d pictures", n)
		}},
		{name: "a garment is tried on in a shape and size of one's own", from: `Run API, "Original agents as run agents"`, paid: true, long: true, check: func(p *probe) {
			images := p.ran("virtualtryon", object{"originalImage": p.original()}, object{
				"generateVersion": "partnerPro", "descriptionType": "custom", "textDescription": "a person wears Figure 1", "aspectRatio": "1:1", "imageSize": "1K", "batchCount": 1,
			})
			for _, at := range images {
				b := p.picture(at).Bounds()
				p.want(b.Dx() == b.Dy(), "%d × %d for the shape 1:1", b.Dx(), b.Dy())
			}
		}},
		{name: "the shapes that an engine offers are taken", from: `Run API, "Original agents as run agents"`, costly: true, paid: true, check: func(p *probe) {
			for _, engine := range []string{"servicePro", "partnerPro"} {
				for _, shape := range []string{"1:1", "2:3", "3:2", "3:4", "4:3", "9:16", "16:9", "21:9"} {
					p.forget(p.handle(p.start("virtualtryon", object{"originalImage": p.original()}, object{
						"generateVersion": engine, "descriptionType": "auto", "aspectRatio": shape, "imageSize": "1K", "batchCount": 1,
					})))
				}
			}
		}},
		{name: "a stronger engine is taken", from: `Run API, "Original agents as run agents"`, costly: true, paid: true, check: func(p *probe) {
			p.forget(p.handle(p.start("aipose", object{"originalImage": p.original()}, object{"textDescription": "turned to the left", "generateVersion": "pro", "batchCount": 1})))
		}},
		{name: "a run without a batchCount takes the default of its agent, and is taken", from: `Run API, "Limits"`, costly: true, paid: true, check: func(p *probe) {
			for agent, want := range map[string]int{"removeBG": 4, "aimodel": 4, "aiproduct": 4, "aipose": 4, "expandimage": 1, "virtualtryon": 1} {
				params := map[string]object{
					"removeBG":     change(masked(), "batchCount", nil),
					"aimodel":      {"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "textDescription": "at the sea"},
					"aiproduct":    {"generatedContent": "referToOrigin", "maskType": "autoSubjectSegment", "textDescription": "on marble"},
					"aipose":       {"textDescription": "turned to the left"},
					"expandimage":  {"targetWidth": 560, "targetHeight": 680},
					"virtualtryon": {"generateVersion": "serviceFlash", "descriptionType": "auto"},
				}[agent]
				id := p.handle(p.start(agent, object{"originalImage": p.original()}, params))
				n := len(p.results(p.poll(id)))
				p.want(n == want, "%s: %d items, want %d", agent, n, want)
				p.forget(id)
			}
		}},
		{name: "a batchCount out of range is replaced by the default of its agent, and the run is taken", from: `Task API, "Shared mask and execution parameters"; Run API, "Limits"`, costly: true, paid: true, check: func(p *probe) {
			// ASSUMED [batchCount out of]: only the task document says so.
			for agent, want := range map[string]int{"removeBG": 4, "z-image": 1} {
				for _, count := range []any{0, 17, -1, 1.5, 1e300, nil} {
					input, params := object{"originalImage": p.original()}, masked()
					if agent == "z-image" {
						input, params = object{}, object{"textDescription": "a grey cat"}
					}
					id := p.handle(p.start(agent, input, change(params, "batchCount", count)))
					x := p.poll(id)
					p.want(len(p.results(x)) == want, "%s: %d items for batchCount %v, want %d", agent, len(p.results(x)), count, want)
					p.want(p.number(p.nested(x, "params"), "batchCount") == int64(want), "%s: params say %v for batchCount %v", agent, p.nested(x, "params")["batchCount"], count)
					p.forget(id)
				}
			}
		}},
		{name: "a run tells when it began", from: `Run API, "Run status payload"`, paid: true, check: func(p *probe) {
			id := p.handle(p.start("removeBG", object{"originalImage": p.original()}, masked()))
			p.text(p.poll(id), "executionTime") // its form is looked at in every execution
			p.forget(id)
		}},
		{name: "a run keeps its input as it was sent, and is taken", from: `Run API, "Run status payload"`, paid: true, check: func(p *probe) {
			input := object{"taskName": "conformance", "originalImage": p.original(), "fashionModelImage": p.face(), "locationImage": p.original()}
			id := p.handle(p.start("virtualtryon", input, object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
			init := p.nested(p.data(p.get("/openapi/agent/runs/"+id)), "initParams")
			for name, want := range input {
				p.want(init[name] == want, "%s came back as %v", name, init[name])
			}
			p.forget(id)
		}},
		{name: "the handle of a run polls it, and a run is taken as one execution", from: `Run API, "Success envelope"`, paid: true, check: func(p *probe) {
			id := p.handle(p.start("removeBG", object{"originalImage": p.original()}, masked()))
			d := p.data(p.get("/openapi/agent/runs/" + id))
			p.want(len(p.list(d, "executions")) == 1, "%d executions", len(p.list(d, "executions")))
			p.absent(p.nested(d, "initParams"), "taskName")
			p.forget(id)
		}},
		{name: "a pose is changed", from: `Run API, "Original agents as run agents"`, paid: true, long: true, check: func(p *probe) {
			n := len(p.ran("aipose", object{"originalImage": p.original()}, object{"textDescription": "turned to the left", "generateVersion": "lite", "batchCount": 1}))
			p.want(n == 1, "%d pictures", n)
		}},
		{name: "a number may come as text, and is taken", from: `Run API, "Original agents as run agents"`, paid: true, check: func(p *probe) {
			// ASSUMED [Numbers sent as text]: clients written in loosely typed languages send numbers as text; not shown.
			id := p.handle(p.start("expandimage", object{"originalImage": p.original()}, object{"targetWidth": "560", "targetHeight": "640", "batchCount": "2"}))
			n := len(p.results(p.poll(id)))
			p.want(n == 2, "%d items for a batchCount of \"2\"", n)
			p.forget(id)
		}},
		{name: "fields that mean nothing are passed over", from: `Run API, "Start a run"; not shown, public clients do it`, paid: true, check: func(p *probe) {
			a := p.post("/openapi/agent/runs", object{
				"agent": object{"name": "removeBG", "version": "v1.0"}, "input": object{"originalImage": p.original(), "mood": "calm"},
				"params": change(masked(), "seed", 42), "trace": "conformance",
			})
			p.handle(a)
		}},
	}
}

// forget deletes the task of a run where its answer names one, so that what nobody looks at is not waited for.
func (p *probe) forget(execution string) {
	if task, ok := p.data(p.get("/openapi/agent/runs/" + execution))["taskId"].(string); ok {
		p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
	}
}
