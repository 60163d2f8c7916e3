package upstreamtest

import (
	"encoding/base64"
	"strconv"
)

func decimal(n int) string { return strconv.Itoa(n) }

// wrong is a request that an agent must refuse: params with something missing or out of range.
type wrong struct {
	name   string
	agent  string
	params object
	run    bool // of the run surface alone
	task   bool // of the task surface alone
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
	own := func(pairs ...any) object { return change(masked(), pairs...) }
	const (
		aimodel = `Task API, "aimodel v1.0"; Run API, "Original agents as run agents"`
		masks   = `Task API, "Errors"; Run API, "Mask and enum semantics"`
		shared  = `Task API, "Shared mask and execution parameters"`
		shape   = `Task API, "Shared mask and execution parameters"; Run API, "Mask and enum semantics"`
		tryOn   = `Run API, "Original agents as run agents"`
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
		{name: "aimodel with a model id that is no number", agent: "aimodel", params: model("fashionModelId", object{}), from: aimodel},
		{name: "aimodel with a location that is not there", agent: "aimodel", params: model("locationId", 999999999), from: aimodel},
		{name: "aimodel with a model that is not there", agent: "aimodel", params: model("fashionModelId", 999999999), from: aimodel},
		{name: "aimodel with words that are a number", agent: "aimodel", params: model("textDescription", 7), from: aimodel},
		{name: "aimodel with location tags that are no list", agent: "aimodel", params: model("locationTagIds", "beach"), task: true, from: `Task API, "aimodel v1.0"`},
		{name: "aimodel with model tags that are no numbers", agent: "aimodel", params: model("fashionModelTagIds", []string{"young"}), task: true, from: `Task API, "aimodel v1.0"`},
		{name: "aimodel with an unknown format of results", agent: "aimodel", params: model("resultImageFormat", "gif"), task: true, from: shared},
		{name: "aimodel with a wish for a size that is neither true nor false", agent: "aimodel", params: model("resizeToOriginalImage", "perhaps"), task: true, from: shared},
		{name: "a mask with a data-URI prefix", agent: "removeBG", params: own("customMask", "data:image/png;base64,"+maskText()), from: shape},
		{name: "a mask that is no base64", agent: "removeBG", params: own("customMask", "***"), from: shape},
		{name: "a mask that is a jpeg", agent: "removeBG", params: own("customMask", base64.StdEncoding.EncodeToString(personJPEG())), from: shape},
		{name: "a mask of half the size", agent: "removeBG", params: own("customMask", base64.StdEncoding.EncodeToString(upperHalf(photoWidth/2, photoHeight/2))), from: shape},
		{name: "a mask one pixel too wide", agent: "removeBG", params: own("customMask", base64.StdEncoding.EncodeToString(upperHalf(photoWidth+1, photoHeight))), from: shape},
		{name: "a mask that lies on its side", agent: "removeBG", params: own("customMask", base64.StdEncoding.EncodeToString(upperHalf(photoHeight, photoWidth))), from: shape},
		{name: "a mask address that is none", agent: "removeBG", params: own("customMask", nil, "customMaskUrl", "mask.png"), from: shape},
		{name: "aimodel with what to avoid in numbers", agent: "aimodel", params: model("negTextDescription", 7), from: aimodel},
		{name: "aimodel with a pose that is a list", agent: "aimodel", params: model("pose", []string{"freePose"}), from: aimodel},
		{name: "aimodel with a batchCount in words", agent: "aimodel", params: model("batchCount", "many"), from: `Task API, "Limits"; Run API, "Limits"`},
		{name: "aiproduct with a location id that is no number", agent: "aiproduct", params: product("locationId", "loft"), from: `Task API, "aiproduct v1.0"; Run API, "Original agents as run agents"`},
		{name: "aiproduct with a location that is not there", agent: "aiproduct", params: product("locationId", 999999999), from: `Task API, "aiproduct v1.0"; Run API, "Original agents as run agents"`},
		{name: "aiproduct with words that are a list", agent: "aiproduct", params: product("textDescription", []string{"marble"}), from: `Task API, "aiproduct v1.0"; Run API, "Original agents as run agents"`},
		{name: "aiproduct with what to avoid in numbers", agent: "aiproduct", params: product("negTextDescription", 7), from: `Task API, "aiproduct v1.0"; Run API, "Original agents as run agents"`},
		{name: "aiproduct with location tags that are no list", agent: "aiproduct", params: product("locationTagIds", "beach"), task: true, from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with an unknown format of results", agent: "aiproduct", params: product("resultImageFormat", "webp"), task: true, from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with a wish for a size that is neither true nor false", agent: "aiproduct", params: product("resizeToOriginalImage", "perhaps"), task: true, from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with a mask address that is none", agent: "aiproduct", params: product("maskType", "custom", "customMaskUrl", "mask.png"), from: shape},
		{name: "aimodel with a mask address that is none", agent: "aimodel", params: model("maskType", "custom", "customMaskUrl", "mask.png"), from: shape},
		{name: "aimodel with a mask that is no base64", agent: "aimodel", params: model("maskType", "custom", "customMask", "***"), from: shape},
		{name: "aipose with words that are a number", agent: "aipose", params: object{"textDescription": 7, "batchCount": 1}, from: `Task API, "aipose v1.0"; Run API, "Original agents as run agents"`},
		{name: "expandimage with a height in words", agent: "expandimage", params: expand("targetHeight", "tall"), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with an upper offset in words", agent: "expandimage", params: expand("fillTop", "top"), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage of a negative height", agent: "expandimage", params: expand("targetHeight", -600), from: `Task API, "expandimage v1.0"`},
		{name: "removeBG with an unknown maskType", agent: "removeBG", params: cut("maskType", "autoHatSegment"), from: `Task API, "removeBG v1.0"; Run API, "Original agents as run agents"`},
		{name: "removeBG with a background id in words", agent: "removeBG", params: cut("backgroundHex", nil, "backgroundId", "paper"), from: `Task API, "removeBG v1.0"; Run API, "Original agents as run agents"`},
		{name: "removeBG with a colour that is a number", agent: "removeBG", params: cut("backgroundHex", 16777215), from: `Task API, "removeBG v1.0"; Run API, "Original agents as run agents"`},
		{name: "virtualtryon with words that are a number", agent: "virtualtryon", params: tryon("descriptionType", "custom", "textDescription", 7), run: true, from: tryOn},
		{name: "virtualtryon with an unknown shape for the partner's engine", agent: "virtualtryon", params: tryon("generateVersion", "partnerPro", "imageSize", "1K", "aspectRatio", "auto"), run: true, from: tryOn},
		{name: "aiproduct without maskType", agent: "aiproduct", params: product("maskType", nil), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with an unknown generatedContent", agent: "aiproduct", params: product("generatedContent", "wild"), from: `Task API, "aiproduct v1.0"`},
		{name: "aipose with empty words", agent: "aipose", params: object{"textDescription": "  ", "batchCount": 1}, from: `Task API, "aipose v1.0"; Run API, "Original agents as run agents"`},
		{name: "expandimage of a negative width", agent: "expandimage", params: expand("targetWidth", -600), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with a width in words", agent: "expandimage", params: expand("targetWidth", "wide"), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with half a pixel", agent: "expandimage", params: expand("targetHeight", 700.5), from: `Task API, "expandimage v1.0"`},
		{name: "expandimage with an offset in words", agent: "expandimage", params: expand("fillLeft", "left"), from: `Task API, "expandimage v1.0"`},
		{name: "removeBG with five digits of colour", agent: "removeBG", params: cut("backgroundHex", "#12345"), from: `Task API, "removeBG v1.0"`},
		{name: "removeBG with digits that are none", agent: "removeBG", params: cut("backgroundHex", "#GG0000"), from: `Task API, "removeBG v1.0"`},
		{name: "removeBG with a background that is not there", agent: "removeBG", params: cut("backgroundHex", nil, "backgroundId", 999999999), from: `Task API, "removeBG v1.0"`},
		{name: "virtualtryon with an unknown descriptionType", agent: "virtualtryon", params: tryon("descriptionType", "manual"), run: true, from: tryOn},
		{name: "virtualtryon with a size that is none", agent: "virtualtryon", params: tryon("generateVersion", "partnerPro", "imageSize", "8K"), run: true, from: tryOn},
		{name: "aiproduct with a maskType of aimodel", agent: "aiproduct", params: product("maskType", "autoApparelSegment"), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct without location and words", agent: "aiproduct", params: product("textDescription", nil), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct without generatedContent", agent: "aiproduct", params: product("generatedContent", nil), from: `Task API, "aiproduct v1.0"`},
		{name: "aiproduct with a custom mask that is missing", agent: "aiproduct", params: product("maskType", "custom"), from: masks},
		{name: "aipose without words", agent: "aipose", params: object{"batchCount": 1}, from: `Task API, "aipose v1.0"; Run API, "Original agents as run agents"`},
		{name: "aipose with an unknown generateVersion", agent: "aipose", params: object{"textDescription": "sitting", "generateVersion": "max", "batchCount": 1}, run: true, from: `Run API, "Original agents as run agents"`},
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
		{name: "virtualtryon without generateVersion", agent: "virtualtryon", params: tryon("generateVersion", nil), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon with an unknown generateVersion", agent: "virtualtryon", params: tryon("generateVersion", "flash9"), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon without descriptionType", agent: "virtualtryon", params: tryon("descriptionType", nil), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon with own words that are missing", agent: "virtualtryon", params: tryon("descriptionType", "custom"), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon with a shape for an engine without", agent: "virtualtryon", params: tryon("aspectRatio", "1:1"), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon with an unknown shape", agent: "virtualtryon", params: tryon("generateVersion", "servicePro", "aspectRatio", "5:4"), run: true, from: `Run API, "Original agents as run agents"`},
		{name: "virtualtryon without the size that its engine needs", agent: "virtualtryon", params: tryon("generateVersion", "partnerPro"), run: true, from: `Run API, "Original agents as run agents"`},
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
		if w.task {
			continue
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
		scenario{name: "task surface refuses an execution without params", from: `Task API, "Execute task"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task("removeBG")}))
		}},
		scenario{name: "task surface refuses params that are no object", from: `Task API, "Execute task"`, check: func(p *probe) {
			p.refused(p.post("/openapi/v1/agent/task/execute", object{"taskId": p.task("removeBG"), "params": []any{}}))
		}},
		scenario{name: "task surface refuses a callback that is no web address", from: `Task API, "Execute task"`, paid: true, check: func(p *probe) {
			for _, address := range callbacksThatAreNone {
				p.refused(p.post("/openapi/v1/agent/task/execute", object{
					"taskId": p.task("aipose"), "params": object{"textDescription": "sitting", "batchCount": 1}, "callbackUrl": address,
				}))
			}
		}},
		scenario{name: "run surface refuses a callback that is no web address", from: `Run API, "Start a run"`, paid: true, check: func(p *probe) {
			for _, address := range callbacksThatAreNone {
				p.refused(p.post("/openapi/agent/runs", object{
					"agent": object{"name": "removeBG", "version": "v1.0"}, "input": object{"originalImage": p.original()}, "params": masked(), "callbackUrl": address,
				}))
			}
		}},
		scenario{name: "run surface refuses a run without input", from: `Run API, "Start a run"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{
				"agent": object{"name": "removeBG", "version": "v1.0"}, "params": change(masked(), "originalImage", p.original()),
			}))
		}},
		scenario{name: "run surface refuses a run without params", from: `Run API, "Start a run"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{"agent": object{"name": "removeBG", "version": "v1.0"}, "input": object{"originalImage": p.original()}}))
		}},
		scenario{name: "run surface refuses a run without a version", from: `Run API, "Start a run"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{"agent": object{"name": "removeBG"}, "input": object{"originalImage": p.original()}, "params": masked()}))
		}},
		scenario{name: "run surface refuses an agent that is a text", from: `Run API, "Start a run"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{"agent": "removeBG", "input": object{"originalImage": p.original()}, "params": masked()}))
		}},
		scenario{name: "run surface refuses an unknown agent", from: `Run API, "Start a run"`, check: func(p *probe) {
			p.refused(p.start("conformance-none", object{}, object{}))
		}},
		scenario{name: "run surface refuses an unknown version", from: `Run API, "Versioning"`, paid: true, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{
				"agent": object{"name": "aipose", "version": "v99.0"}, "input": object{"originalImage": p.original()}, "params": object{"textDescription": "sitting", "batchCount": 1},
			}))
		}},
		scenario{name: "task surface names the version that it does not know", from: `Task API, "Versioning"`, check: func(p *probe) {
			a := p.post("/openapi/v1/agent/task/create", object{"agentName": "removeBG", "agentVersion": "v99.0", "initParams": object{"originalImage": p.original()}})
			p.refused(a)
			p.want(contains(a.body, "agentVersion"), "the refusal does not name the field: %s", a)
		}},
		scenario{name: "run surface refuses a run without an agent", from: `Run API, "Start a run"`, check: func(p *probe) {
			p.refused(p.post("/openapi/agent/runs", object{"input": object{"originalImage": p.original()}, "params": object{}}))
		}},
		scenario{name: "run surface refuses a run without the picture it works on", from: `Run API, "Original agents as run agents"`, paid: true, check: func(p *probe) {
			p.refused(p.start("virtualtryon", object{}, object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
		}},
		scenario{name: "run surface refuses a model photo or a scene that is no address", from: `Run API, "Original agents as run agents"`, paid: true, check: func(p *probe) {
			for _, field := range []string{"fashionModelImage", "locationImage"} {
				p.refused(p.start("virtualtryon", object{"originalImage": p.original(), field: "photo.png"}, object{"generateVersion": "serviceFlash", "descriptionType": "auto", "batchCount": 1}))
			}
		}},
		scenario{name: "run surface refuses each original agent without the picture it works on", from: `Run API, "Start a run"; "Original agents as run agents"`, paid: true, check: func(p *probe) {
			for agent, params := range map[string]object{
				"aimodel":     {"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "textDescription": "at the sea", "batchCount": 1},
				"aiproduct":   {"generatedContent": "freeCreation", "maskType": "autoSubjectSegment", "textDescription": "on marble", "batchCount": 1},
				"aipose":      {"textDescription": "sitting", "batchCount": 1},
				"expandimage": {"targetWidth": 900, "targetHeight": 900, "batchCount": 1},
				"removeBG":    {"maskType": "autoSubjectSegment", "batchCount": 1},
			} {
				p.refused(p.start(agent, object{"taskName": "conformance"}, params))
			}
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
		scenario{name: "run surface refuses to poll an unknown run with 404 in its envelope, not to be repeated", from: `Run API, "Poll a run"; "Error envelope"`, check: func(p *probe) {
			// ASSUMED [HTTP status of refusals]: the documents show none.
			a := p.get("/openapi/agent/runs/conformance-unknown")
			p.refused(a)
			p.want(a.status == 404, "HTTP %d", a.status)
			if e, ok := a.json["error"].(object); ok {
				p.want(e["retryable"] == false, "retryable is %v", e["retryable"])
			}
		}},
	)
}

// callbacksThatAreNone are callback addresses that nobody can be called at ("Full URL starting with https:// or http://").
var callbacksThatAreNone = []string{"ftp://receiver.example/done", "receiver.example/done", "/done", "https://", "mailto:a@receiver.example"}

// start asks for a run.
func (p *probe) start(agent string, input, params object) answer {
	return p.post("/openapi/agent/runs", p.filled(object{"agent": object{"name": agent, "version": "v1.0"}, "input": input, "params": params}))
}
