package upstreamtest

import "strings"

// formScenarios: what is no request at all is refused in the envelope of its surface, never answered with a page or a
// broken connection (Task API, "Response envelope of this surface"; Run API, "Error envelope").
func formScenarios() []scenario {
	const from = `Task API, "Errors"; Run API, "Error envelope"`
	posts := []string{
		"/openapi/v1/agent/task/create", "/openapi/v1/agent/task/execute", "/openapi/v1/agent/task/query", "/openapi/v1/agent/task/delete",
		"/openapi/v1/asset/download/psd/create", "/openapi/v1/asset/download/psd/query",
		"/openapi/v1/agent/myFashionModel/create", "/openapi/v1/agent/myFashionModel/delete",
		"/openapi/v1/agent/myLocation/create", "/openapi/v1/agent/myLocation/delete", "/openapi/agent/runs",
	}
	everywhere := func(body string) func(p *probe) {
		return func(p *probe) {
			for _, path := range posts {
				a := p.send("POST", path, p.on.Key, "application/json", []byte(body))
				p.refused(a)
				p.want(a.status < 500, "a fault of the service: %s", a)
			}
		}
	}
	return []scenario{
		{name: "an empty body is refused", from: from, check: everywhere("")},
		{name: "a body that is cut off is refused", from: from, check: everywhere(`{"taskId": "a`)},
		{name: "a body that is a list is refused", from: from, check: everywhere(`[]`)},
		{name: "a body that is a text is refused", from: from, check: everywhere(`"taskId"`)},
		{name: "an empty object is refused", from: from, check: everywhere(`{}`)},
		{name: "a body of null is refused", from: from, check: everywhere(`null`)},
		{name: "a body that is no UTF-8 is refused", from: from, check: everywhere("{\"taskId\": \"\xff\xfe\"}")},
		{name: "ids that are objects are refused", from: from, check: everywhere(`{"taskId":{},"executionId":{},"agent":{"name":{}},"agentName":{},"fashionModelId":{},"locationId":{}}`)},
		{name: "a body nested a hundred thousand deep is refused", from: from, check: func(p *probe) {
			deep := `{"taskId":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"
			for _, path := range posts {
				p.refused(p.send("POST", path, p.on.Key, "application/json", []byte(deep)))
			}
		}},
		{name: "what is asked for with the wrong verb is refused", from: from, check: func(p *probe) {
			for _, path := range posts {
				p.want(p.get(path).status >= 400, "GET %s is answered", path)
			}
			for _, path := range []string{"/openapi/v1/agent/task/list", "/openapi/v1/agent/info?agentName=aimodel&agentVersion=v1.0"} {
				p.want(p.post(path, object{}).status >= 400, "POST %s is answered", path)
			}
		}},
	}
}
