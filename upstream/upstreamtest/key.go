package upstreamtest

import "strings"

// keyScenarios: Task API and Run API, "Authentication"; the envelopes of both surfaces.
func keyScenarios() []scenario {
	const from = `Task API and Run API, "Authentication"`
	wrong := func(key func(p *probe) string, ask func(p *probe, key string) answer) func(p *probe) {
		return func(p *probe) { p.refused(ask(p, key(p))) }
	}
	none := func(*probe) string { return "" }
	other := func(p *probe) string { return "not" + p.on.Key[:len(p.on.Key)/2] }
	bearer := func(p *probe) string { return "Bearer " + p.on.Key }
	list := func(p *probe, key string) answer {
		return p.send("GET", "/openapi/v1/agent/task/list", key, "", nil)
	}
	poll := func(p *probe, key string) answer {
		return p.send("GET", "/openapi/agent/runs/conformance-unknown", key, "", nil)
	}
	upload := func(p *probe, key string) answer {
		return p.upload("/openapi/v1/asset/upload/image", key, "image", "image/png", pngOf(flat(520, 520)))
	}
	return []scenario{
		{name: "the task surface needs a key", from: from, check: wrong(none, list)},
		{name: "the task surface knows its keys", from: from, check: wrong(other, list)},
		{name: "the task surface takes the raw key, not Bearer", from: from, check: wrong(bearer, list)},
		{name: "the run surface needs a key", from: from, check: wrong(none, poll)},
		{name: "the run surface knows its keys", from: from, check: wrong(other, poll)},
		{name: "the run surface takes the raw key, not Bearer", from: from, check: wrong(bearer, poll)},
		{name: "uploads need a key", from: from, check: wrong(none, upload)},
		{name: "every endpoint needs a key", from: from + `; "Endpoints"`, check: func(p *probe) {
			for _, endpoint := range []string{
				"POST /openapi/v1/agent/task/create", "POST /openapi/v1/agent/task/execute", "POST /openapi/v1/agent/task/query",
				"GET /openapi/v1/agent/task/list", "POST /openapi/v1/agent/task/delete", "GET /openapi/v1/agent/info",
				"POST /openapi/v1/asset/upload/image", "POST /openapi/v1/asset/download/psd/create", "POST /openapi/v1/asset/download/psd/query",
				"POST /openapi/v1/agent/myFashionModel/create", "GET /openapi/v1/agent/myFashionModel/query", "POST /openapi/v1/agent/myFashionModel/delete",
				"POST /openapi/v1/agent/myLocation/create", "GET /openapi/v1/agent/myLocation/query", "POST /openapi/v1/agent/myLocation/delete",
				"POST /openapi/agent/assets/images", "POST /openapi/agent/runs", "GET /openapi/agent/runs/conformance-unknown",
			} {
				method, path, _ := strings.Cut(endpoint, " ")
				p.refused(p.send(method, path, "", "application/json", []byte("{}")))
			}
		}},
		{name: "the PSD host needs a key", from: from, check: func(p *probe) {
			p.refused(p.postAs("", "/openapi/v1/asset/download/psd/query", object{"executionId": "conformance-unknown"}))
		}},
		{name: "a refused request starts nothing", from: from, check: func(p *probe) {
			p.refused(p.postAs("", "/openapi/agent/runs", object{"agent": object{"name": "aipose", "version": "v1.0"}, "input": object{}, "params": object{}}))
		}},
		{name: "the description of the API is OpenAPI 3.1", from: `Task API, "Versioning"; Run API, "Machine-readable description"`, check: func(p *probe) {
			a := p.get("/openapi/agent/openapi.yaml")
			p.want(a.status == 200, "HTTP %d", a.status)
			for _, part := range []string{
				"openapi: 3.1", "/openapi/v1/agent/task/create", "/openapi/v1/agent/task/execute", "/openapi/v1/agent/task/query",
				"/openapi/v1/agent/task/list", "/openapi/v1/agent/info", "/openapi/v1/asset/upload/image", "/openapi/agent/runs",
			} {
				p.want(contains(a.body, part), "the description lacks %q", part)
			}
		}},
	}
}
