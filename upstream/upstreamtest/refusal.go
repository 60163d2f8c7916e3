package upstreamtest

import "strconv"

func decimal(n int) string { return strconv.Itoa(n) }

// wrong is a request that an agent must refuse: params with something missing or out of range.
type wrong struct {
	name   string
	agent  string
	params object
	run    bool // of the run surface alone
	from   string
}

// wrongs are the rules of both documents' agent tables, each broken once. Every request asks for one picture, should a
// service be more lenient.
func wrongs() []wrong {
	model := func(pairs ...any) object {
		return change(object{"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "textDescription": "at the sea", "batchCount": 1}, pairs...)
	}
	product := func(pairs ...any) object {
		return change(object{"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", "textDescription": "on marble", "batchCount": 1}, pairs...)
	}
	expand := func(pairs ...any) object {
		return change(object{"targetWidth": 900, "targetHeight": 900, "batchCount": 1}, pairs...)
	}
	cut := func(pairs ...any) object {
		return change(object{"maskType": "autoSubjectSegment", "backgroundHex": "#FFFFFF", "batchCount": 1}, pairs...)
	}
	tryon := func(pairs ...any) object {
		return change(object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}, pairs...)
	}
	const (
		aimodel = `Task API, "aimodel v1.0"; Run API, "aimodel"`
		masks   = `Task API, "Errors"; Run API, "Mask and enum semantics"`
	)
	return []wrong{
		{name: "aimodel without generatedContent", agent: "aimodel", params: model("generatedContent", nil), from: aimodel},
		{name: "aimodel with an unknown generatedContent", agent: "aimodel", params: model("generatedContent", "wild"), from: aimodel},
		{name: "aimodel without maskType", agent: "aimodel", params: model("maskType", nil), from: aimodel},
		{name: "aimodel with an unknown maskType", agent: "aimodel", params: model("maskType", "autoHatSegment"), from: aimodel},
		{name: "aimodel without location, model and words", agent: "aimodel", params: model("textDescription", nil), from: aimodel},
		{name: "aimodel with an unknown pose", agent: "aimodel", params: model("pose", "headstand"), from: aimodel},
		{name: "aimodel with a custom mask that is missing", agent: "aimodel", params: model("maskType", "custom"), from: masks},
		{name: "aimodel with a location id that is no number", agent: "aimodel", params: model("locationId", "loft"), from: aimodel},
		{name: "aiproduct with a maskType of aimodel", agent: "aiproduct", params: product("maskType", "autoApparelSegment"), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct without location and words", agent: "aiproduct", params: product("textDescription", nil), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct without generatedContent", agent: "aiproduct", params: product("generatedContent", nil), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with a custom mask that is missing", agent: "aiproduct", params: product("maskType", "custom"), from: masks},
		{name: "aipose without words", agent: "aipose", params: object{"batchCount": 1}, from: `Task API, "aipose v1.0"; Run API, "aipose"`},
		{name: "aipose with an unknown generateVersion", agent: "aipose", params: object{"textDescription": "sitting", "generateVersion": "max", "batchCount": 1}, run: true, from: `Run API, "aipose"`},
		{name: "expandimage without width", agent: "expandimage", params: expand("targetWidth", nil), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage without height", agent: "expandimage", params: expand("targetHeight", nil), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage 4097 wide", agent: "expandimage", params: expand("targetWidth", 4097), from: `Task API, "Limits"`},
		{name: "expandimage 4097 high", agent: "expandimage", params: expand("targetHeight", 4097), from: `Task API, "Limits"`},
		// The shared picture is 520 × 640: fillLeft from -512 to 892, fillTop from -632 to 892.
		{name: "expandimage with the photo beyond the right edge", agent: "expandimage", params: expand("fillLeft", 893), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with the photo beyond the left edge", agent: "expandimage", params: expand("fillLeft", -513), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with the photo beyond the upper edge", agent: "expandimage", params: expand("fillTop", -633), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with the photo below the lower edge", agent: "expandimage", params: expand("fillTop", 893), from: `Task API, "expandimage v1.0"`},
		{name: "removeBG without maskType", agent: "removeBG", params: cut("maskType", nil), from: `Task API, "removeBG v1.0"`},
		{name: "removeBG with a maskType of aimodel", agent: "removeBG", params: cut("maskType", "autoHumanSegment"), from: `Task API, "removeBG v1.0"`},
		{name: "removeBG with a custom mask that is missing", agent: "removeBG", params: cut("maskType", "custom"), from: masks},
		{name: "removeBG with a colour that is none", agent: "removeBG", params: cut("backgroundHex", "mauve"), from: `Task API, "removeBG v1.0"`},
		{name: "virtualtryon without generateVersion", agent: "virtualtryon", params: tryon("generateVersion", nil), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon with an unknown generateVersion", agent: "virtualtryon", params: tryon("generateVersion", "flash9"), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon without descriptionType", agent: "virtualtryon", params: tryon("descriptionType", nil), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon with own words that are missing", agent: "virtualtryon", params: tryon("descriptionType", "custom"), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon with a shape for an engine without", agent: "virtualtryon", params: tryon("aspectRatio", "1:1"), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon with an unknown shape", agent: "virtualtryon", params: tryon("generateVersion", "servicePro", "aspectRatio", "5:4"), run: true, from: `Run API, "virtualtryon"`},
		{name: "virtualtryon without the size that its engine needs", agent: "virtualtryon", params: tryon("generateVersion", "partnerPro"), run: true, from: `Run API, "virtualtryon"`},
	}
}

// change sets fields of an object; nil takes one away.
func change(o object, pairs ...any) object {
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			panic("upstreamtest: change wants names and values in turn")
		}
		if pairs[i+1] == nil {
			delete(o, name)
		} else {
			o[name] = pairs[i+1]
		}
	}
	return o
}

// refusalScenarios sends every wrong request on every surface that knows its agent.
func refusalScenarios() []scenario {
	var list []scenario
	for _, w := range wrongs() {
		if !w.run {
			list = append(list, scenario{name: "task surface refuses " + w.name, from: w.from, paid: true, check: func(p *probe) {
				p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task(w.agent), "params": w.params}))
			}})
		}
		list = append(list, scenario{name: "run surface refuses " + w.name, from: w.from, paid: true, check: func(p *probe) {
			p.refused(p.start(w.agent, object{"originalImage": p.original()}, w.params))
		}})
	}
	return append(list,
		scenario{name: "task surface refuses the execution of an unknown task", from: `Task API, "Execute task"`, check: func(p *probe) {
			p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": "conformance-unknown", "params": object{"textDescription": "sitting", "batchCount": 1}}))
		}},
		scenario{name: "task surface refuses an execution without a task", from: `Task API, "Execute task"`, check: func(p *probe) {
			p.refused(p.post("/openapi/v1/agent/task/execute", object{"params": object{"textDescription": "sitting", "batchCount": 1}}))
		}},
		scenario{name: "task surface refuses a callback that is no web address", from: `Task API, "Execute task"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/v1/agent/task/execute", object{
				"taskId": p.task("aipose"), "params": object{"textDescription": "sitting", "batchCount": 1}, "callbackUrl": "ftp://receiver.example/done",
			}))
		}},
		scenario{name: "run surface refuses an unknown agent", from: `Run API, "Start a run"`, check: func(p *probe) {
			p.refused(p.start("conformance-none", object{}, object{}))
		}},
		scenario{name: "run surface refuses an unknown version", from: `Run API, "Versioning"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{
				"agent": object{"name": "aipose", "version": "v99.0"}, "input": object{"originalImage": p.original()}, "params": object{"textDescription": "sitting", "batchCount": 1},
			}))
		}},
		scenario{name: "run surface refuses a run without an agent", from: `Run API, "Start a run"`, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{"input": object{"originalImage": p.original()}, "params": object{}}))
		}},
		scenario{name: "run surface refuses a run without the picture it works on", from: `Run API, "virtualtryon"`, paid: true, check: func(p *probe) {
			p.refused(p.start("virtualtryon", object{}, object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
		}},
		scenario{name: "run surface refuses two custom masks at once", from: `Run API, "Mask and enum semantics"`, paid: true, check: func(p *probe) {
			p.refused(p.start("removeBG", object{"originalImage": p.original()}, object{
				"maskType": "custom", "customMask": maskText(), "customMaskUrl": p.original(), "batchCount": 1,
			}))
		}},
		scenario{name: "run surface refuses a body that is no JSON", from: `Run API, "Error envelope"`, check: func(p *probe) {
			p.refused(p.send("POST", "/openapi/agent/runs", p.on.Key, "application/json", []byte(`{"agent":`)))
		}},
		scenario{name: "run surface does not know an unknown run", from: `Run API, "Poll a run"`, check: func(p *probe) {
			p.refused(p.get("/openapi/agent/runs/conformance-unknown"))
		}},
	)
}

// start asks for a run.
func (p *probe) start(agent string, input, params object) answer {
	return p.post("/openapi/agent/runs", object{"agent": object{"name": agent, "version": "v1.0"}, "input": input, "params": params})
}
