package service

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"atelier/catalog"
	"atelier/upstream"

	"github.com/goccy/go-yaml"
)

// schemas collects the component schemas of the OpenAPI description, in the order they are first needed.
type schemas struct {
	list object
	seen map[string]bool
}

func newSchemas() *schemas {
	s := &schemas{seen: map[string]bool{}}
	s.of(upstream.RunMeta{})
	runError := s.of(upstream.RunError{})
	s.add("TaskFailure", pairs("type", "object", "required", []string{"success", "code", "msg"}, "properties",
		pairs("success", pairs("const", false), "code", pairs("type", "integer", "not", pairs("const", 0)), "msg", pairs("type", "string", "minLength", 1))))
	s.add("RunFailure", pairs("type", "object", "required", []string{"success", "error"}, "properties",
		pairs("success", pairs("const", false), "error", runError)))
	return s
}

func (s *schemas) add(name string, schema object) {
	s.seen[name] = true
	s.list = append(s.list, yaml.MapItem{Key: name, Value: schema})
}

// of gives a reference to the schema of a wire type.
func (s *schemas) of(v any) object { return s.ofType(reflect.TypeOf(v)) }

func (s *schemas) ofType(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time](), t == reflect.TypeFor[instant]():
		return pairs("type", "string", "format", "date-time")
	case t == reflect.TypeFor[stored]():
		return pairs("type", "object", "additionalProperties", true)
	case t.Kind() == reflect.Pointer:
		return s.ofType(t.Elem())
	}
	switch t.Kind() {
	case reflect.String:
		return pairs("type", "string")
	case reflect.Bool:
		return pairs("type", "boolean")
	case reflect.Int, reflect.Int64:
		return pairs("type", "integer", "format", "int64")
	case reflect.Float64:
		return pairs("type", "number")
	case reflect.Slice:
		return pairs("type", "array", "items", s.ofType(t.Elem()))
	case reflect.Map:
		return pairs("type", "object", "additionalProperties", true)
	case reflect.Struct:
		return s.ofStruct(t)
	}
	return object{} // anything
}

// alternatives are the fields that stand in an answer only where a switch asks for another reading.
var alternatives = map[string]bool{
	"Execution.results":               true,
	"TaskExecuted.powerConsumption":   true,
	"TaskExecuted.powerBalanceAmount": true,
	"RunStarted.powerConsumption":     true,
	"RunStarted.powerBalanceAmount":   true,
	"RunMeta.powerConsumption":        true,
	"RunMeta.powerBalanceAmount":      true,
}

// facts are what the documents say of a field beyond its type (Task API, "Resources and their fields", "States and
// transitions", "Limits").
var facts = map[string]object{
	"Task.executions":             pairs("maxItems", maxExecutions),
	"Execution.status":            pairs("enum", []string{statusPending, statusSegmenting, statusRunning, statusSuccess, statusFailed}),
	"Execution.executionTime":     pairs("pattern", `^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`, "description", "UTC"),
	"Item.status":                 pairs("enum", []string{statusPending, statusRunning, statusSuccess, statusFailed}),
	"Item.progress":               pairs("pattern", `^[01](\.\d+)?$`, "description", "The share of the work that is done, 0 to 1."),
	"TaskPage.tasks":              pairs("maxItems", maxTasks),
	"Pagination.page":             pairs("minimum", 1),
	"Pagination.pageSize":         pairs("minimum", 1, "maximum", maxPageSize),
	"PageMeta.total":              pairs("minimum", 0),
	"Location.image":              link(),
	"Location.type":               pairs("enum", []string{typeAI, typeYours}),
	"Location.status":             presetStatus(),
	"FashionModel.image":          link(),
	"FashionModel.type":           pairs("enum", []string{typeAI, typeYours}),
	"FashionModel.status":         presetStatus(),
	"Background.image":            link(),
	"Dimension.width":             pairs("minimum", 1, "maximum", 4096),
	"Dimension.height":            pairs("minimum", 1, "maximum", 4096),
	"MyFashionModelCreate.images": append(links(), pairs("minItems", 1, "maxItems", maxModelImages)...),
	"MyFashionModel.images":       links(),
	"MyFashionModelCreate.name":   presetName(), "MyLocationCreate.name": presetName(),
	"MyFashionModelCreate.agentName": pairs("const", "aimodel"), "MyFashionModelCreate.agentVersion": pairs("const", "v1.0"),
	"MyLocationCreate.agentName": pairs("enum", customLocation.agents), "MyLocationCreate.agentVersion": pairs("const", "v1.0"),
	"MyLocationCreate.image": link(),
	"MyFashionModel.status":  presetStatus(), "MyFashionModel.cover": link(),
	"MyLocation.status": presetStatus(), "MyLocation.cover": link(),
	"PSDJob.status":     pairs("enum", []string{psdNotStarted, statusPending, statusRunning, statusSuccess, statusFailed}),
	"PSDResult.fileUrl": link(),
	"Uploaded.image":    link(), "UploadedVideo.video": link(), "UploadedAudio.audio": link(),
	"RunError.message": pairs("minLength", 1),
	"RunError.code":    pairs("pattern", `^\d{5}$`),
}

func link() object { return pairs("format", "uri", "pattern", "^https?://[^/?#]") }

// links replaces what is said of the items of a list of texts.
func links() object { return pairs("items", append(pairs("type", "string"), link()...)) }

func presetName() object { return pairs("pattern", `\S`, "maxLength", maxPresetName) }

func presetStatus() object {
	return pairs("enum", []string{upstream.PresetPrepare, upstream.PresetComplete, upstream.PresetFailed})
}

// schemaName is what a wire type is called: our own answers are called as what they carry.
func schemaName(t reflect.Type) string {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	return strings.TrimSuffix(name, "Answer")
}

func (s *schemas) ofStruct(t reflect.Type) object {
	name := schemaName(t)
	if s.seen[name] {
		return ref(name)
	}
	s.seen[name] = true
	var required []string
	properties := object{}
	for f := range t.Fields() {
		field, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
		if field == "" || field == "-" || alternatives[name+"."+field] {
			continue
		}
		schema := s.ofType(f.Type)
		for _, fact := range facts[name+"."+field] {
			schema = append(slices.DeleteFunc(schema, func(said yaml.MapItem) bool { return said.Key == fact.Key }), fact)
		}
		properties = append(properties, yaml.MapItem{Key: field, Value: schema})
		if omit == "" {
			required = append(required, field)
		}
	}
	schema := pairs("type", "object")
	if len(required) > 0 {
		schema = append(schema, yaml.MapItem{Key: "required", Value: required})
	}
	s.add(name, append(append(schema, yaml.MapItem{Key: "properties", Value: properties}), conditions[name]...))
	return ref(name)
}

// conditions are what the documents say between the fields of an answer.
var conditions = map[string]object{
	"Item": pairs("allOf", []object{ // "Always present when status is Failed"; what is done has an address
		pairs("if", has("status", statusFailed), "then", pairs("required", []string{"error"})),
		pairs("if", has("status", statusSuccess), "then", pairs("anyOf", []object{linked("image"), linked("video")})),
	}),
	// "Present only when hasMore is true"
	"TaskPage": pairs("if", has("hasMore", true), "then", pairs("required", []string{"nextCursor"}), "else", pairs("not", pairs("required", []string{"nextCursor"}))),
	// "present only when status is Success"
	"PSDJob": pairs("if", has("status", statusSuccess), "then", pairs("required", []string{"result"}), "else", pairs("not", pairs("required", []string{"result"}))),
}

func has(field string, value any) object {
	return pairs("required", []string{field}, "properties", object{yaml.MapItem{Key: field, Value: pairs("const", value)}})
}

func linked(field string) object {
	return pairs("required", []string{field}, "properties", object{yaml.MapItem{Key: field, Value: link()}})
}

// component is what a component of an agent is called: "ai-photoshoot" and "Run" give "AgentAiPhotoshootRun".
func component(a catalog.Agent, what string) string { return title(a.Name) + what }

// anyAgent is one shape per agent of the surface.
func anyAgent(agents []catalog.Agent, surface catalog.Surface, what string) object {
	var shapes []object
	for _, a := range agents {
		if a.On(surface) {
			shapes = append(shapes, ref(component(a, what)))
		}
	}
	if len(shapes) == 0 { // an operator may hide all of them
		return pairs("not", object{})
	}
	return pairs("anyOf", shapes)
}

// executeBody is the body of "Execute task". Which agent's params it carries, the task knows.
func executeBody(agents []catalog.Agent) object {
	return pairs("type", "object", "required", []string{"taskId", "params"}, "properties", pairs(
		"taskId", pairs("type", "string", "minLength", 1),
		"params", anyAgent(agents, catalog.Task, "Params"),
		"callbackUrl", callbackSchema(),
	))
}

func callbackSchema() object {
	return append(pairs("type", "string"), append(link(), pairs("description", "Its host must be reachable from the public internet.")...)...)
}

// whatItDoes describes an agent: what it is for and what this service makes of that.
func whatItDoes(a catalog.Agent) string { return strings.TrimSpace(a.Summary + " " + a.EmbeddedText()) }

// addAgents describes what every agent takes: the run body, and the requests of the task surface.
func (s *schemas) addAgents(agents []catalog.Agent) {
	for _, a := range agents {
		if a.On(catalog.Run) {
			s.add(component(a, "Run"), withRules(a, catalog.Run, pairs("type", "object", "title", a.Title, "description", whatItDoes(a),
				"required", []string{"agent", "input", "params"},
				"properties", pairs(
					"agent", pairs("type", "object", "required", []string{"name", "version"},
						"properties", pairs("name", pairs("const", a.Name), "version", pairs("const", a.Version))),
					"input", inputSchema(a, catalog.Run),
					"params", paramsSchema(a, catalog.Run),
					"callbackUrl", callbackSchema(),
				))))
		}
		if a.On(catalog.Task) {
			s.add(component(a, "InitParams"), inputSchema(a, catalog.Task))
			s.add(component(a, "Task"), pairs("type", "object", "title", a.Title, "description", whatItDoes(a),
				"required", []string{"agentName", "agentVersion", "initParams"},
				"properties", pairs(
					"agentName", pairs("const", a.Name), "agentVersion", pairs("const", a.Version),
					"initParams", ref(component(a, "InitParams")),
				)))
			s.add(component(a, "Params"), withRules(a, catalog.Task, paramsSchema(a, catalog.Task)))
		}
	}
}

func withRules(a catalog.Agent, surface catalog.Surface, schema object) object {
	if rules := ruleSchemas(a, surface); len(rules) > 0 {
		return append(schema, yaml.MapItem{Key: "allOf", Value: rules})
	}
	return schema
}

// inputSchema is input, or initParams: the label and the files. On the run surface files may stand in params instead, so
// that none is required here.
func inputSchema(a catalog.Agent, surface catalog.Surface) object {
	properties := pairs("taskName", pairs("type", "string", "maxLength", 20))
	var required []string
	for _, f := range a.Files {
		properties = append(properties, yaml.MapItem{Key: f.Name, Value: fileSchema(f)})
		if surface == catalog.Task && f.Min > 0 {
			required = append(required, f.Name)
		}
	}
	schema := pairs("type", "object")
	if len(required) > 0 {
		schema = append(schema, yaml.MapItem{Key: "required", Value: required})
	}
	return append(schema, yaml.MapItem{Key: "properties", Value: properties})
}

func fileSchema(f catalog.File) object {
	one := append(pairs("type", "string"), link()...)
	if !f.List {
		return append(one, pairs("description", describeField(f.Title, f.Help))...)
	}
	return pairs("type", "array", "items", one, "minItems", f.Min, "maxItems", f.Max, "description", describeField(f.Title, f.Help))
}

func paramsSchema(a catalog.Agent, surface catalog.Surface) object {
	var required []string
	properties := object{}
	for _, p := range a.Params {
		if !p.On(surface) {
			continue
		}
		properties = append(properties, yaml.MapItem{Key: p.Name, Value: paramSchema(p, surface)})
		if p.RequiredOn(surface) {
			required = append(required, p.Name)
		}
	}
	if surface == catalog.Run {
		for _, f := range a.Files {
			if _, both := a.Param(f.Name); !both {
				properties = append(properties, yaml.MapItem{Key: f.Name, Value: fileSchema(f)})
			}
		}
	}
	schema := pairs("type", "object")
	if len(required) > 0 {
		schema = append(schema, yaml.MapItem{Key: "required", Value: required})
	}
	schema = append(schema, yaml.MapItem{Key: "properties", Value: properties})
	var rules []string
	for _, r := range a.Rules {
		if r.Message != "" && (len(r.Surfaces) == 0 || r.Surfaces[0] == surface) {
			rules = append(rules, r.Markdown()+". "+r.Message)
		}
	}
	if len(rules) > 0 {
		schema = append(schema, yaml.MapItem{Key: "description", Value: strings.Join(rules, " ")})
	}
	return schema
}

func paramSchema(p catalog.Param, surface catalog.Surface) object {
	var o object
	help := describeField(p.Title, p.Help)
	switch p.Kind {
	case catalog.Int, catalog.Preset:
		o = pairs("type", "integer", "format", "int64")
		if p.Lenient {
			help += fmt.Sprintf(" %d to %d; any other number is replaced by %v, not refused.", *p.Min, *p.Max, p.DefaultOn(surface))
		} else {
			o = append(o, bounds(p, "minimum", "maximum")...)
		}
	case catalog.Bool:
		o = pairs("type", "boolean")
	case catalog.Tags:
		o = append(pairs("type", "array", "items", pairs("type", "integer", "minimum", 1)), bounds(p, "minItems", "maxItems")...)
	case catalog.Strings:
		o = append(pairs("type", "array", "items", enum(p)), bounds(p, "minItems", "maxItems")...)
	case catalog.Enum:
		o = enum(p)
	case catalog.Colour:
		o = pairs("type", "string", "pattern", "^#[0-9A-Fa-f]{6}$")
	case catalog.MaskPNG:
		o = pairs("type", "string", "contentEncoding", "base64", "contentMediaType", "image/png", "pattern", "^iVBORw0KGgo")
	case catalog.MaskURL:
		o = append(pairs("type", "string"), link()...)
	case catalog.Duration:
		o = duration(p)
	default:
		o = append(pairs("type", "string"), bounds(p, "minLength", "maxLength")...)
		if p.RequiredOn(surface) {
			o = append(o, yaml.MapItem{Key: "pattern", Value: `\S`})
		}
	}
	if d := p.DefaultOn(surface); d != nil {
		o = append(o, yaml.MapItem{Key: "default", Value: p.OnWire(d)})
	}
	return append(o, yaml.MapItem{Key: "description", Value: help})
}

// duration lists every length there is: "4s", "5s" …, and the options beside them.
func duration(p catalog.Param) object {
	o := enum(p)
	if p.Min == nil || p.Max == nil {
		if len(p.Options) == 0 {
			o = append(o, yaml.MapItem{Key: "pattern", Value: "^[1-9][0-9]*s$"})
		}
		return o
	}
	var lengths []string
	for n := *p.Min; n <= *p.Max; n++ {
		lengths = append(lengths, strconv.Itoa(n)+"s")
	}
	return pairs("type", "string", "enum", append(lengths, optionsOnWire(p)...))
}

func enum(p catalog.Param) object {
	o := pairs("type", "string")
	if len(p.Options) == 0 {
		return o
	}
	return append(o, yaml.MapItem{Key: "enum", Value: optionsOnWire(p)})
}

func optionsOnWire(p catalog.Param) []string {
	values := make([]string, len(p.Options))
	for i, option := range p.Options {
		values[i] = option.Value
		if option.Wire != "" {
			values[i] = option.Wire
		}
	}
	return values
}

func bounds(p catalog.Param, low, high string) object {
	o := object{}
	if p.Min != nil {
		o = append(o, yaml.MapItem{Key: low, Value: *p.Min})
	}
	if p.Max != nil {
		o = append(o, yaml.MapItem{Key: high, Value: *p.Max})
	}
	return o
}

func describeField(title, help string) string {
	if help == "" {
		return title + "."
	}
	return title + ". " + help
}
