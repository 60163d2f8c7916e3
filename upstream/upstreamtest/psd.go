package upstreamtest

import "strings"

// psdScenarios: Task API, "Start PSD download", "Query PSD download result", "PSD job".
func psdScenarios() []scenario {
	const (
		create = "/openapi/v1/asset/download/psd/create"
		query  = "/openapi/v1/asset/download/psd/query"
	)
	known := map[any]bool{"NotStart": true, "Pending": true, "Running": true, "Success": true, "Failed": true}
	return []scenario{
		{name: "an execution becomes a layered file", from: `Task API, "PSD job"`, paid: true, check: func(p *probe) {
			_, id := p.execute("removeBG", masked())
			p.finish(func() object { return p.query(object{"executionId": id}, id) })
			job := func() object { return p.data(p.post(query, object{"executionId": id})) }
			before := job()
			p.want(before["status"] == "NotStart", "before it is asked for the status is %v", before["status"])
			p.want(before["result"] == nil, "a result before it is asked for: %v", before["result"])

			a := p.post(create, object{"executionId": id})
			p.accepted(a)
			started, ok := a.json["data"].(bool)
			p.want(ok && started, "data is %v, want true", a.json["data"])

			var last object
			p.await("the layered file", func() bool {
				last = job()
				p.want(known[last["status"]], "the status is %v", last["status"])
				p.want(last["executionId"] == id, "executionId is %v", last["executionId"])
				p.want(last["status"] == "Success" || last["result"] == nil, "a result with the status %v", last["status"])
				return last["status"] == "Success" || last["status"] == "Failed"
			})
			if last["status"] != "Success" {
				p.stop("the layered file ended as %v", last["status"])
			}
			file := p.fetch(p.text(p.nested(last, "result"), "fileUrl"))
			p.want(strings.HasPrefix(string(file), "8BPS"), "the file begins with %q, want a PSD", file[:min(len(file), 8)])
		}},
		{name: "an unknown execution becomes no layered file", from: `Task API, "Start PSD download"`, check: func(p *probe) {
			p.refused(p.post(create, object{"executionId": "conformance-unknown"}))
		}},
		{name: "an unknown execution has no layered file", from: `Task API, "Query PSD download result"`, check: func(p *probe) {
			p.refused(p.post(query, object{"executionId": "conformance-unknown"}))
		}},
		{name: "the state of a layered file needs an execution", from: `Task API, "Query PSD download result"`, check: func(p *probe) {
			p.refused(p.post(query, object{}))
		}},
		{name: "a layered file needs an execution", from: `Task API, "Start PSD download"`, check: func(p *probe) {
			p.refused(p.post(create, object{}))
		}},
	}
}
