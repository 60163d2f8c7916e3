package service

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"atelier/catalog"
	"atelier/upstream"

	"github.com/goccy/go-yaml"
)

// writeOpenAPI writes the description of both surfaces out of the wire types and the agents that are offered.
func (s *Service) writeOpenAPI() ([]byte, error) {
	data, err := yaml.MarshalWithOptions(describeAPI(s.agents.All()), yaml.Indent(2), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI description: %w", err)
	}
	return data, nil
}

const yamlMedia = "application/yaml"

// getOpenAPI is Run API, "Machine-readable description".
func (s *Service) getOpenAPI(w http.ResponseWriter, r *http.Request) {
	data, err := s.openAPI()
	if err != nil {
		s.send(w, r, http.StatusInternalServerError, runEnvelope(s, reply{}, asFailure(err)), nil)
		return
	}
	h := w.Header()
	h.Set("Content-Type", yamlMedia+"; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	if _, err := w.Write(data); err != nil {
		s.cfg.Logger.Debug("write the OpenAPI description", "error", err)
	}
}

// object is a YAML mapping that keeps its order.
type object = yaml.MapSlice

func pairs(kv ...any) object {
	o := make(object, 0, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		o = append(o, yaml.MapItem{Key: kv[i], Value: kv[i+1]})
	}
	return o
}

func ref(name string) object { return pairs("$ref", "#/components/schemas/"+name) }

// operation is one endpoint of the description.
type operation struct {
	method, path, id, summary string
	surface                   catalog.Surface
	query                     []queryParam
	pathParam                 string
	body                      object   // schema of the JSON body; nil = none
	upload                    string   // the form field of the file; "" = none
	data                      object   // schema of data; nil = none
	media                     []string // of what is answered in place of an envelope; then no key is needed
	told                      object   // schema of data in callbacks; nil = none
}

type queryParam struct {
	name     string
	schema   object
	required bool
	about    string
}

func describeAPI(agents []catalog.Agent) object {
	s := newSchemas()
	paths := object{}
	for _, op := range operations(s, agents) {
		item := pairs(op.method, op.describe())
		if n := len(paths); n > 0 && paths[n-1].Key == op.path {
			paths[n-1].Value = append(paths[n-1].Value.(object), item...)
			continue
		}
		paths = append(paths, yaml.MapItem{Key: op.path, Value: item})
	}
	s.addAgents(agents)
	return pairs(
		"openapi", "3.1.0",
		"info", pairs("title", "Image generation service", "version", "1",
			"description", overview),
		"servers", []object{pairs("url", "/")},
		"security", []object{pairs("apiKey", []string{})},
		"paths", paths,
		"components", pairs(
			"securitySchemes", pairs("apiKey", pairs("type", "apiKey", "in", "header", "name", "Authorization",
				"description", "The raw API key, without the word Bearer.")),
			"schemas", s.list,
		),
	)
}

func (op operation) describe() object {
	o := pairs("operationId", op.id, "summary", op.summary)
	if about, ok := abouts[op.id]; ok {
		o = append(o, yaml.MapItem{Key: "description", Value: about})
	}
	o = append(o, yaml.MapItem{Key: "tags", Value: []string{string(op.surface) + " surface"}})
	var params []object
	for _, q := range op.query {
		param := pairs("name", q.name, "in", "query", "required", q.required, "schema", q.schema)
		if q.about != "" {
			param = append(param, yaml.MapItem{Key: "description", Value: q.about})
		}
		params = append(params, param)
	}
	if op.pathParam != "" {
		params = append(params, pairs("name", op.pathParam, "in", "path", "required", true, "schema", pairs("type", "string")))
	}
	if op.path == upstream.PathRuns && op.method == "post" {
		params = append(params, pairs("name", idempotencyHeader, "in", "header", "required", false,
			"schema", pairs("type", "string", "maxLength", 255), "description", "The same key and body give the same run again."))
	}
	if len(params) > 0 {
		o = append(o, yaml.MapItem{Key: "parameters", Value: params})
	}
	switch {
	case op.upload != "":
		o = append(o, yaml.MapItem{Key: "requestBody", Value: pairs("required", true, "content", pairs("multipart/form-data",
			pairs("schema", pairs("type", "object", "required", []string{op.upload}, "properties",
				pairs(op.upload, pairs("type", "string", "contentMediaType", "application/octet-stream", "description", uploadLimits[op.upload]))))))})
	case op.body != nil:
		o = append(o, yaml.MapItem{Key: "requestBody", Value: pairs("required", true, "content", pairs("application/json", pairs("schema", op.body)))})
	}
	success := response("Success", op.success())
	if op.media != nil {
		o = append(o, yaml.MapItem{Key: "security", Value: []object{}})
		content := object{}
		for _, media := range op.media {
			content = append(content, yaml.MapItem{Key: media, Value: object{}})
		}
		success = pairs("description", "Success", "content", content)
	}
	o = append(o, yaml.MapItem{Key: "responses", Value: pairs(
		"200", success,
		"default", response("Refused or failed", ref(map[catalog.Surface]string{catalog.Task: "TaskFailure", catalog.Run: "RunFailure"}[op.surface])),
	)})
	if op.told != nil {
		o = append(o, yaml.MapItem{Key: "callbacks", Value: pairs("statusChange", pairs("{$request.body#/callbackUrl}", pairs("post", op.callback())))})
	}
	return o
}

// callback is the request that the service sends (Task API, "Events"): the answer of the query, without a key.
func (op operation) callback() object {
	told := op
	told.data, told.path = op.told, ""
	return pairs(
		"summary", "Told of each change of status",
		"description", "The body is the answer of the query at that moment. The seven bytes SUCCESS end it; anything else gives two more tries. It carries no key and no signature: ask before you believe it.",
		"security", []object{},
		"requestBody", pairs("required", true, "content", pairs("application/json", pairs("schema", told.success()))),
		"responses", pairs("200", pairs("description", "Taken", "content", pairs("text/plain", pairs("schema", pairs("const", "SUCCESS"))))),
	)
}

func response(description string, schema object) object {
	return pairs("description", description, "content", pairs("application/json", pairs("schema", schema)))
}

// success is the envelope of an answer.
func (op operation) success() object {
	properties := pairs("success", pairs("const", true))
	required := []string{"success"}
	if op.surface == catalog.Task {
		properties = append(properties, pairs("code", pairs("const", 0), "msg", pairs("const", successText))...)
		required = append(required, "code", "msg")
	}
	if op.data != nil {
		properties = append(properties, yaml.MapItem{Key: "data", Value: op.data})
		required = append(required, "data")
	}
	if op.surface == catalog.Run && op.upload == "" && op.path != upstream.PathEstimates {
		properties = append(properties, yaml.MapItem{Key: "meta", Value: ref("RunMeta")})
		required = append(required, "meta")
	}
	return pairs("type", "object", "required", required, "properties", properties)
}

func operations(s *schemas, agents []catalog.Agent) []operation {
	text := pairs("type", "string", "minLength", 1)
	id := func(name string, schema object) object {
		return pairs("type", "object", "required", []string{name}, "properties", pairs(name, schema))
	}
	number := pairs("type", "integer", "format", "int64", "minimum", 1)
	task, run := catalog.Task, catalog.Run
	var names, versions, resources []any
	for _, a := range agents {
		names = append(names, a.Name)
		if !slices.Contains(versions, any(a.Version)) {
			versions = append(versions, a.Version)
		}
	}
	resources = append(resources, resourceLocations, resourceFashionModels)
	return []operation{
		{method: "post", path: upstream.PathTaskCreate, id: "createTask", summary: "Create a task", surface: task, body: anyAgent(agents, catalog.Task, "Task"), data: s.of(upstream.TaskCreated{})},
		{method: "post", path: upstream.PathTaskExecute, id: "executeTask", summary: "Execute a task", surface: task, body: executeBody(agents), data: s.of(upstream.TaskExecuted{}), told: s.of(taskAnswer{})},
		{method: "post", path: upstream.PathTaskQuery, id: "queryTask", summary: "Query an execution, or a task's 20 newest", surface: task, body: queryBody(), data: s.of(taskAnswer{})},
		{method: "get", path: upstream.PathTaskList, id: "listTasks", summary: "List tasks, newest first", surface: task, data: s.of(taskPage{}), query: []queryParam{
			{name: "limit", schema: pairs("type", "integer", "minimum", 1, "maximum", maxTasks, "default", tasksPerPage)},
			{name: "cursor", schema: text, about: "nextCursor of the page before, as it is; good for the same key, createdAfter and createdBefore."},
			{name: "createdAfter", schema: pairs("type", "string", "format", "date-time"), about: "The earliest time of creation."},
			{name: "createdBefore", schema: pairs("type", "string", "format", "date-time"), about: "Only tasks created before it; later than createdAfter."},
		}},
		{method: "post", path: upstream.PathTaskDelete, id: "deleteTask", summary: "Delete a task with its executions", surface: task, body: id("taskId", text)},
		{method: "get", path: upstream.PathAgentInfo, id: "agentInfo", summary: "List the presets of an agent", surface: task, data: s.of(upstream.AgentInfo{}), query: []queryParam{
			{name: "agentName", required: true, schema: pairs("type", "string", "enum", names)},
			{name: "agentVersion", required: true, schema: pairs("type", "string", "enum", versions)},
			{name: "page", schema: pairs("type", "integer", "minimum", 1, "default", 1)},
			{name: "pageSize", schema: pairs("type", "integer", "minimum", 1, "maximum", maxPageSize, "default", pageSize), about: "Of each list on its own."},
			{name: "resourceType", schema: pairs("type", "string", "enum", resources), about: "Of aimodel alone: one of its two lists, both without it."},
		}},
		{method: "post", path: upstream.PathUploadImage, id: "uploadImage", summary: "Upload a picture", surface: task, upload: uploadField, data: s.of(upstream.Uploaded{})},
		{method: "post", path: upstream.PathPSDCreate, id: "createPSD", summary: "Start the export of an execution as a layered PSD file", surface: task, body: id("executionId", text), data: pairs("type", "boolean")},
		{method: "post", path: upstream.PathPSDQuery, id: "queryPSD", summary: "Query a PSD export", surface: task, body: id("executionId", text), data: s.of(upstream.PSDJob{})},
		{method: "post", path: upstream.PathFashionModelCreate, id: "createFashionModel", summary: "Create a fashion model of your own", surface: task, body: s.of(upstream.MyFashionModelCreate{}), data: s.of(upstream.MyFashionModel{})},
		{method: "get", path: upstream.PathFashionModelQuery, id: "queryFashionModel", summary: "Query a fashion model of your own", surface: task, data: s.of(upstream.MyFashionModel{}), query: []queryParam{{name: "fashionModelId", schema: number, required: true}}},
		{method: "post", path: upstream.PathFashionModelDelete, id: "deleteFashionModel", summary: "Delete a fashion model of your own", surface: task, body: id("fashionModelId", number)},
		{method: "post", path: upstream.PathLocationCreate, id: "createLocation", summary: "Create a location of your own", surface: task, body: s.of(upstream.MyLocationCreate{}), data: s.of(upstream.MyLocation{})},
		{method: "get", path: upstream.PathLocationQuery, id: "queryLocation", summary: "Query a location of your own", surface: task, data: s.of(upstream.MyLocation{}), query: []queryParam{{name: "locationId", schema: number, required: true}}},
		{method: "post", path: upstream.PathLocationDelete, id: "deleteLocation", summary: "Delete a location of your own", surface: task, body: id("locationId", number)},
		{method: "post", path: upstream.PathRunUpload, id: "uploadRunImage", summary: "Upload a picture", surface: run, upload: uploadField, data: s.of(upstream.Uploaded{})},
		{method: "post", path: upstream.PathRunVideos, id: "uploadRunVideo", summary: "Upload a video (an extra of this service)", surface: run, upload: "video", data: s.of(uploadedVideo{})},
		{method: "post", path: upstream.PathRunAudios, id: "uploadRunAudio", summary: "Upload a sound (an extra of this service)", surface: run, upload: "audio", data: s.of(uploadedAudio{})},
		{method: "post", path: upstream.PathRuns, id: "startRun", summary: "Start a run", surface: run, body: anyAgent(agents, catalog.Run, "Run"), data: s.of(runStarted{}), told: s.of(taskAnswer{})},
		{method: "get", path: upstream.PathRuns + "/{executionId}", id: "pollRun", summary: "Poll a run", surface: run, pathParam: "executionId", data: s.of(taskAnswer{})},
		{method: "post", path: upstream.PathEstimates, id: "estimatePower", summary: "Estimate what a run would cost", surface: run, body: anyAgent(agents, catalog.Run, "Run"), data: s.of(upstream.Estimate{})},
		{method: "get", path: upstream.PathOpenAPI, id: "describe", summary: "This description", surface: run, media: []string{yamlMedia}},
		{method: "get", path: pathFiles + "{id}", id: "getFile", summary: "Read an uploaded file, a result or a layered file", surface: task, pathParam: "id", media: fileTypes()},
		{method: "get", path: pathPreviews + "{name}", id: "getPreview", summary: "Read the picture of a preset", surface: task, pathParam: "name", media: []string{"image/webp"}},
	}
}

// overview is what a reader needs to know before the endpoints.
const overview = `Makes and edits pictures and videos in the background.

Two surfaces do the same work. Run surface, below /openapi/agent: start a run, poll it. Task surface, below /openapi/v1, for the agents that have it: create a task with its source picture, execute it as often as you like, query.

1. Upload what lies on your machine; the answer holds its address. Public https addresses are taken too.
2. Start the work. Keep executionId.
3. Ask for it, or give a callbackUrl, until its status is Success or Failed; Pending, Segmenting and Running come before.
4. Read result[].image or result[].video. An item that failed says why in error.

Send the key in the header Authorization as it is. Fields that are not known are passed over; null, "" and [] mean that nothing is given.
Refusals say what is wrong with which field. Codes: 40000 the request, 40001 and 40003 the key, 40005 too many at once (wait, then send it again), 50001 the service (try again); on the run surface the same numbers as text, and retryable.`

// abouts say of operations what their summary and schemas leave open.
var abouts = map[string]string{
	"createTask":         "A task holds the source picture and a label, and any number of executions.",
	"executeTask":        "Accepted at once and worked on in the background. A batchCount out of range counts as the default.",
	"queryTask":          "With both ids, executionId wins and its execution alone is answered.",
	"listTasks":          "Those that the calling key created, each with its 20 newest executions, and those of the account from before keys were noted. Go on with nextCursor while hasMore is true.",
	"deleteTask":         "Its executions, results and layered files go with it; what is under way ends.",
	"agentInfo":          "aimodel: locations and fashionModels in pages, your own first. aiproduct: all locations. removeBG: backgrounds. expandimage: dimensions. A preset can be used when its status is complete.",
	"createPSD":          "For executions that have ended with at least one picture; asking twice changes nothing. May be served on a host of its own, as the query is.",
	"queryPSD":           "Ask until the status is Success or Failed; result.fileUrl is there with Success.",
	"createFashionModel": fmt.Sprintf("1 to %d photos of one person, each at most 5 MB, PNG, JPEG or WebP, with the whole face from the front. At most %d of an account. Ask for it until its status is complete or failed.", maxModelImages, maxMyPresets),
	"createLocation":     fmt.Sprintf("One picture of at least 512 × 512 px and at most 5 MB, PNG, JPEG or WebP. At most %d of an account. Ask for it until its status is complete or failed.", maxMyPresets),
	"startRun":           "Accepted at once and worked on in the background. Files may stand in input or in params, where params win.",
	"pollRun":            "Ask until the status is Success or Failed.",
	"estimatePower":      "Takes the body of a run and starts nothing.",
	"getFile":            "Whoever has the address may read it, without a key.",
}

// uploadLimits say what may be uploaded in each form field.
var uploadLimits = map[string]string{
	uploadField: "PNG, JPEG or WebP; each side over 512 px, long side under twice the short one, at most 10 MB.",
	"video":     fmt.Sprintf("MP4 or MOV; at most %d MB, %d seconds and 4096 × 2304 px.", maxMediaBytes>>20, maxMediaLength),
	"audio":     fmt.Sprintf("MP3, WAV or M4A; at most %d MB and %d seconds.", maxMediaBytes>>20, maxMediaLength),
}

// fileTypes are the types of the files that are served.
func fileTypes() []string {
	types := []string{"image/png", "image/jpeg", "image/webp", "image/vnd.adobe.photoshop"}
	for _, f := range mediaFormats() {
		types = append(types, f.MediaType())
	}
	return types
}

// queryBody is the body of "Query task execution": one of the two, executionId first.
func queryBody() object {
	given := func(field string) object {
		return pairs("required", []string{field}, "properties", object{yaml.MapItem{Key: field, Value: pairs("minLength", 1)}})
	}
	return pairs("type", "object", "properties", pairs("executionId", pairs("type", "string"), "taskId", pairs("type", "string")),
		"anyOf", []object{given("executionId"), given("taskId")})
}

// title makes a schema name of an agent's: "ai-photoshoot" becomes "AgentAiPhotoshoot".
func title(agent string) string {
	words := strings.FieldsFunc(agent, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "Agent" + strings.Join(words, "")
}
