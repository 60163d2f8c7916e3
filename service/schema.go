package service

import (
	"reflect"
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
	s.add("TaskFailure", pairs("type", "object", "required", []string{"success", "code"}, "properties",
		pairs("success", pairs("const", false), "code", pairs("type", "integer"), "msg", pairs("type", "string"))))
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
	case t == reflect.TypeFor[time.Time]():
		return pairs("type", "string", "format", "date-time")
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

func (s *schemas) ofStruct(t reflect.Type) object {
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
	if s.seen[name] {
		return ref(name)
	}
	s.seen[name] = true
	var required []string
	properties := object{}
	for f := range t.Fields() {
		field, omit, _ := strings.Cut(f.Tag.Get("json"), ",")
		if field == "" || field == "-" {
			continue
		}
		properties = append(properties, yaml.MapItem{Key: field, Value: s.ofType(f.Type)})
		if omit == "" {
			required = append(required, field)
		}
	}
	schema := pairs("type", "object")
	if len(required) > 0 {
		schema = append(schema, yaml.MapItem{Key: "required", Value: required})
	}
	s.add(name, append(schema, yaml.MapItem{Key: "properties", Value: properties}))
	return ref(name)
}

// runBody is the body of a run: one shape per agent.
func (s *schemas) runBody() object {
	var shapes []object
	for _, a := range catalog.All() {
		if a.On(catalog.Run) {
			shapes = append(shapes, ref(title(a.Name)+"Run"))
		}
	}
	return pairs("anyOf", shapes)
}

// addAgents describes what every agent takes: the run body, and the params of the task surface.
func (s *schemas) addAgents() {
	for _, a := range catalog.All() {
		if a.On(catalog.Run) {
			s.add(title(a.Name)+"Run", pairs("type", "object", "title", a.Title, "description", a.Summary,
				"required", []string{"agent", "input", "params"},
				"properties", pairs(
					"agent", pairs("type", "object", "required", []string{"name", "version"},
						"properties", pairs("name", pairs("const", a.Name), "version", pairs("const", a.Version))),
					"input", filesSchema(a),
					"params", paramsSchema(a, catalog.Run),
					"callbackUrl", pairs("type", "string", "format", "uri"),
				)))
		}
		if a.On(catalog.Task) {
			s.add(title(a.Name)+"InitParams", filesSchema(a))
			s.add(title(a.Name)+"Params", paramsSchema(a, catalog.Task))
		}
	}
}

// filesSchema is input, or initParams: the label and the files. Files may stand in params instead, so none is required.
func filesSchema(a catalog.Agent) object {
	properties := pairs("taskName", pairs("type", "string", "maxLength", 20))
	for _, f := range a.Files {
		properties = append(properties, yaml.MapItem{Key: f.Name, Value: fileSchema(f)})
	}
	return pairs("type", "object", "properties", properties)
}

func fileSchema(f catalog.File) object {
	one := pairs("type", "string", "format", "uri")
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
			rules = append(rules, r.Message)
		}
	}
	if len(rules) > 0 {
		schema = append(schema, yaml.MapItem{Key: "description", Value: strings.Join(rules, " ")})
	}
	return schema
}

func paramSchema(p catalog.Param, surface catalog.Surface) object {
	var o object
	switch p.Kind {
	case catalog.Int:
		o = pairs("type", "integer")
		if !p.Lenient { // out of range is replaced, not refused
			o = append(o, bounds(p, "minimum", "maximum")...)
		}
	case catalog.Preset:
		o = pairs("type", "integer", "format", "int64")
	case catalog.Bool:
		o = pairs("type", "boolean")
	case catalog.Tags:
		o = append(pairs("type", "array", "items", pairs("type", "integer")), bounds(p, "minItems", "maxItems")...)
	case catalog.Strings:
		o = append(pairs("type", "array", "items", enum(p)), bounds(p, "minItems", "maxItems")...)
	case catalog.Enum:
		o = enum(p)
	case catalog.Colour:
		o = pairs("type", "string", "pattern", "^#[0-9A-Fa-f]{6}$")
	case catalog.MaskPNG:
		o = pairs("type", "string", "contentEncoding", "base64", "contentMediaType", "image/png")
	case catalog.MaskURL:
		o = pairs("type", "string", "format", "uri")
	case catalog.Duration:
		o = pairs("type", "string", "pattern", "^(-1|[0-9]+s)$")
	default:
		o = append(pairs("type", "string"), bounds(p, "minLength", "maxLength")...)
	}
	if d := p.DefaultOn(surface); d != nil {
		o = append(o, yaml.MapItem{Key: "default", Value: d})
	}
	return append(o, yaml.MapItem{Key: "description", Value: describeField(p.Title, p.Help)})
}

func enum(p catalog.Param) object {
	o := pairs("type", "string")
	if len(p.Options) == 0 {
		return o
	}
	values := make([]string, len(p.Options))
	for i, option := range p.Options {
		values[i] = option.Value
		if option.Wire != "" {
			values[i] = option.Wire
		}
	}
	return append(o, yaml.MapItem{Key: "enum", Value: values})
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
		return title
	}
	return title + ". " + help
}
