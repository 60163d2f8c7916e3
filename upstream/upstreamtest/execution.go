package upstreamtest

import (
	"strconv"
	"time"
)

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
			made := "image"
			if r["video"] != nil { // Run API, "Run status payload": image for image agents, or video for video agents
				made = "video"
			}
			p.link(p.text(r, made))
			for _, extra := range []string{"videoPoster", "lastFrame"} {
				if r[extra] != nil {
					p.want(made == "video", "%s of a result that is no video", extra)
					p.link(p.text(r, extra))
				}
			}
		case "Failed":
			p.text(r, "error") // "Always present when status is Failed"
		}
		if done, ok := r["progress"].(string); ok { // "for example a decimal between 0 and 1"
			n, err := strconv.ParseFloat(done, 64)
			p.want(err == nil && n >= 0 && n <= 1, "progress is %q", done)
		} else {
			p.want(r["progress"] == nil, "progress is %v, want a text", r["progress"])
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

// ended waits until look shows Success and gives the items.
func (p *probe) ended(look func() object) []object {
	var last object
	p.await("the execution's end", func() bool {
		last = look()
		return last["status"] == "Success" || last["status"] == "Failed"
	})
	if last["status"] != "Success" {
		p.stop("the execution ended as %v: %v", last["status"], last)
	}
	items := p.results(last)
	if len(items) == 0 {
		p.stop("a Success without results: %v", last)
	}
	for _, r := range items {
		p.want(r["status"] == "Success", "an execution that is a Success holds an item that is %v", r["status"])
	}
	return items
}

// finish waits until look shows an end and gives the addresses of the pictures.
func (p *probe) finish(look func() object) []string {
	var images []string
	for _, r := range p.ended(look) {
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
			p.query(object{"executionId": id, "taskId": "conformance-unknown"}, id)
			p.refused(p.post("/openapi/v1/agent/task/query", object{"executionId": "conformance-unknown", "taskId": p.task("aipose")}))
		}},
		{name: "a mask may come by its address; the execution is taken", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			mask := p.text(p.data(p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/png", upperHalf(photoWidth, photoHeight))), "image")
			n := len(p.made("removeBG", change(masked(), "customMask", nil, "customMaskUrl", mask)))
			p.want(n == 1, "%d pictures", n)
		}},
		{name: "a mask by its address is needed only when the other is absent; with both the execution is taken", from: `Task API, "Shared mask and execution parameters"`, paid: true, check: func(p *probe) {
			mask := p.text(p.data(p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/png", upperHalf(photoWidth, photoHeight))), "image")
			p.executeOn(p.task("removeBG"), change(masked(), "customMaskUrl", mask))
		}},
		{name: "an execution that cannot be done reaches Failed, and each item says why", from: `Task API, "ResultItem"`, paid: true, check: func(p *probe) {
			// Nobody can be at the address of the mask (RFC 6761). A service may look at once.
			a := p.post("/openapi/v1/agent/task/execute", object{"taskId": p.create("removeBG"), "params": change(masked(), "customMask", nil, "customMaskUrl", "https://conformance.invalid/mask.png", "batchCount", 2)})
			if a.json["success"] != true {
				p.refused(a)
				return
			}
			id := p.text(p.data(a), "executionId")
			var last object
			p.await("the execution's end", func() bool {
				last = p.query(object{"executionId": id}, id)
				return last["status"] == "Success" || last["status"] == "Failed"
			})
			items := p.results(last)
			p.want(len(items) == 2, "%d items, want 2", len(items))
			for _, r := range items {
				p.want(r["status"] == "Failed", "an item is %v", r["status"])
				p.text(r, "error")
			}
		}},
		{name: "the canvas may leave 8 px of the photo; the execution is taken", from: `Task API, "expandimage v1.0"`, paid: true, check: func(p *probe) {
			for _, at := range []object{{"fillLeft": 8 - photoWidth, "fillTop": 8 - photoHeight}, {"fillLeft": 192, "fillTop": 192}} {
				at["targetWidth"], at["targetHeight"], at["batchCount"] = 200, 200, 1
				task, _ := p.execute("expandimage", at)
				p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
			}
		}},
		{name: "a canvas of 4096 is taken each way", from: `Task API, "Limits"`, costly: true, paid: true, check: func(p *probe) {
			tall, _ := p.execute("expandimage", object{"targetWidth": 16, "targetHeight": 4096, "batchCount": 1})
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": tall}))
			b := p.picture(p.made("expandimage", object{"targetWidth": 4096, "targetHeight": 16, "batchCount": 1})[0]).Bounds()
			p.want(b.Dx() == 4096 && b.Dy() == 16, "the result is %v, want 4096 × 16", b)
		}},
		{name: "a task shows its 20 most recent executions, all of one is taken", from: `Task API, "Limits"`, costly: true, paid: true, check: func(p *probe) {
			task := p.create("removeBG")
			var ids []string
			for range 21 {
				ids = append(ids, p.executeOn(task, masked()))
			}
			found := map[any]bool{}
			for _, x := range p.list(p.data(p.post("/openapi/v1/agent/task/query", object{"taskId": task})), "executions") {
				found[x["executionId"]] = true
			}
			p.want(len(found) == 20, "%d executions, want 20", len(found))
			p.want(!found[ids[0]], "the oldest of 21 is among them")
			for _, id := range ids[1:] {
				p.want(found[id], "%s is not among them", id)
			}
			for _, t := range p.list(p.data(p.get("/openapi/v1/agent/task/list?limit=20")), "tasks") {
				p.want(len(p.list(t, "executions")) <= 20, "a listed task has %d executions", len(p.list(t, "executions")))
			}
			p.query(object{"executionId": ids[0]}, ids[0])
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
		}},
		{name: "every mask type and pose of aimodel is taken", from: `Task API, "aimodel v1.0"`, costly: true, paid: true, check: func(p *probe) {
			task := p.create("aimodel")
			base := func() object {
				return object{"generatedContent": "referToOrigin", "maskType": "autoApparelSegment", "textDescription": "a grey studio", "batchCount": 1}
			}
			for _, mask := range []string{"autoApparelSegment", "autoUpperApparelSegment", "autoLowerApparelSegment", "autoSubjectSegment", "autoHumanSegment", "inverseAutoHumanSegment"} {
				p.executeOn(task, change(base(), "maskType", mask))
			}
			for _, pose := range []string{"originalImagePose", "referenceImagePose", "freePose"} {
				p.executeOn(task, change(base(), "pose", pose))
			}
			p.executeOn(task, change(base(), "locationTagIds", []int{1}, "fashionModelTagIds", []int{1}, "negTextDescription", "people", "resizeToOriginalImage", true, "resultImageFormat", "jpg"))
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
		}},
		{name: "a preset without effect is no fault; the execution is taken", from: `Task API, "aimodel v1.0"`, costly: true, paid: true, check: func(p *probe) {
			d := p.data(p.get("/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0"))
			place, person := p.number(p.first(d, "locations"), "id"), p.number(p.first(d, "fashionModels"), "id")
			task := p.create("aimodel")
			p.executeOn(task, object{"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", "fashionModelId": person, "batchCount": 1})
			p.executeOn(task, object{"generatedContent": "freeCreation", "maskType": "autoHumanSegment", "locationId": place, "batchCount": 1})
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
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
		{name: "a batchCount out of range is replaced by 4 and is taken", from: `Task API, "Shared mask and execution parameters"`, costly: true, paid: true, check: func(p *probe) {
			for _, count := range []any{0, 17, -1, 1.5, 1e300, nil} {
				task, id := p.execute("removeBG", change(masked(), "batchCount", count))
				x := p.query(object{"executionId": id}, id)
				p.want(len(p.results(x)) == 4, "%d items for batchCount %v", len(p.results(x)), count)
				// "The execution parameters as used"
				p.want(p.number(p.nested(x, "params"), "batchCount") == 4, "params say %v for batchCount %v", p.nested(x, "params")["batchCount"], count)
				p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
			}
		}},
		{name: "a batchCount of 16 gives 16 items; it is taken", from: `Task API, "Limits"`, costly: true, paid: true, check: func(p *probe) {
			task, id := p.execute("removeBG", change(masked(), "batchCount", 16))
			x := p.query(object{"executionId": id}, id)
			p.want(len(p.results(x)) == 16, "%d items", len(p.results(x)))
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
		}},
		{name: "params come back with the defaults that were used; the execution is taken", from: `Task API, "Execution"`, paid: true, check: func(p *probe) {
			task, id := p.execute("aiproduct", object{"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "textDescription": "marble", "batchCount": 1})
			params := p.nested(p.query(object{"executionId": id}, id), "params")
			for name, want := range map[string]any{
				"generatedContent": "freeCreation", "maskType": "custom", "customMask": maskText(), "textDescription": "marble", "batchCount": 1.0,
				"resultImageFormat": "png", "resizeToOriginalImage": false,
			} {
				p.want(params[name] == want, "%s came back as %.80v", name, params[name])
			}
			p.accepted(p.post("/openapi/v1/agent/task/delete", object{"taskId": task}))
		}},
	}
}
