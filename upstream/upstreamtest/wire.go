package upstreamtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
)

// object is a JSON object as it came.
type object = map[string]any

// answer is what the service sent.
type answer struct {
	asked  string // "POST /openapi/…"
	status int
	header http.Header
	body   []byte
	json   object // nil when the body is no JSON object
}

// String shows the answer, shortened.
func (a answer) String() string {
	body := a.body
	if len(body) > 400 {
		body = append(bytes.Clone(body[:400]), "…"...)
	}
	return fmt.Sprintf("%s answered HTTP %d %s", a.asked, a.status, body)
}

// send makes one request. An address without host goes to the base address. key "" sends no Authorization.
func (p *probe) send(method, address, key, contentType string, body []byte) answer {
	if strings.HasPrefix(address, "/") {
		base := p.on.BaseURL
		if strings.Contains(address, "/asset/download/") {
			base = p.on.DownloadURL
		}
		address = strings.TrimRight(base, "/") + address
	}
	req, err := http.NewRequestWithContext(p.ctx, method, address, bytes.NewReader(body))
	if err != nil {
		p.stop("%s %s is no address: %v", method, address, err)
	}
	if key != "" {
		req.Header.Set("Authorization", key)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.stop("%s %s: %v", method, req.URL.Path, err)
	}
	defer res.Body.Close()
	a := answer{asked: method + " " + req.URL.RequestURI(), status: res.StatusCode, header: res.Header}
	if a.body, err = io.ReadAll(io.LimitReader(res.Body, 256<<20)); err != nil {
		p.stop("%s: the answer breaks off: %v", a.asked, err)
	}
	if json.Unmarshal(a.body, &a.json) != nil {
		a.json = nil
	}
	return a
}

// post sends JSON with the key.
func (p *probe) post(path string, body object) answer { return p.postAs(p.on.Key, path, body) }

func (p *probe) postAs(key, path string, body object) answer {
	b, err := json.Marshal(body)
	if err != nil {
		p.stop("write the request: %v", err)
	}
	return p.send(http.MethodPost, path, key, "application/json", b)
}

// get asks with the key.
func (p *probe) get(path string) answer { return p.send(http.MethodGet, path, p.on.Key, "", nil) }

// upload sends one file as multipart form data.
func (p *probe) upload(path, key, field, contentType string, file []byte) answer {
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	h := textproto.MIMEHeader{}
	h.Set("Content-Disposition", `form-data; name="`+field+`"; filename="picture"`)
	h.Set("Content-Type", contentType)
	part, err := m.CreatePart(h)
	if err != nil {
		p.stop("begin the form: %v", err)
	}
	if _, err := part.Write(file); err != nil {
		p.stop("write the form: %v", err)
	}
	if err := m.Close(); err != nil {
		p.stop("end the form: %v", err)
	}
	return p.send(http.MethodPost, path, key, m.FormDataContentType(), b.Bytes())
}

// onRunSurface says which of the two envelopes an answer must have.
func (a answer) onRunSurface() bool { return strings.Contains(a.asked, " /openapi/agent/") }

// code gives the task envelope's code as text.
func (a answer) code() string {
	switch c := a.json["code"].(type) {
	case string:
		return c
	case float64:
		return fmt.Sprint(int64(c))
	}
	return ""
}

// accepted checks the success envelope of the answer's surface and ends the case when it is none.
func (p *probe) accepted(a answer) {
	if a.json == nil || a.json["success"] != true || a.status < 200 || a.status > 299 {
		p.stop("want success: %s", a)
	}
	if a.onRunSurface() {
		return
	}
	// Task API, "Response envelope of this surface": code 0 as number or text, message or msg.
	p.want(a.code() == "0", "code %v, want 0: %s", a.json["code"], a)
	_, message := a.json["message"].(string)
	_, msg := a.json["msg"].(string)
	p.want(message || msg, "neither message nor msg: %s", a)
}

// data gives the data object of a success.
func (p *probe) data(a answer) object {
	p.accepted(a)
	d, ok := a.json["data"].(object)
	if !ok {
		p.stop("data is no object: %s", a)
	}
	return d
}

// refused checks that the service said no in the envelope of its surface.
func (p *probe) refused(a answer) {
	if a.json == nil {
		p.stop("want a refusal in JSON: %s", a)
	}
	if !a.onRunSurface() {
		// Task API, "Errors": the body's shape is not shown; success=true with a success code is success.
		p.want(a.json["success"] == false, "want success=false: %s", a)
		p.want(a.code() != "0", "a refusal with the success code: %s", a)
		return
	}
	// Run API, "Error envelope"
	p.want(a.json["success"] == false, "want success=false: %s", a)
	e, ok := a.json["error"].(object)
	if !ok {
		p.stop("no error object: %s", a)
	}
	_, code := e["code"].(string)
	_, message := e["message"].(string)
	_, retryable := e["retryable"].(bool)
	p.want(code, "error.code is no text: %s", a)
	p.want(message && e["message"] != "", "error.message is no text: %s", a)
	p.want(retryable, "error.retryable is no boolean: %s", a)
}

// text gives a field that must be a text with something in it.
func (p *probe) text(o object, field string) string {
	s, ok := o[field].(string)
	if !ok || s == "" {
		p.stop("%s is %v, want a text", field, o[field])
	}
	return s
}

// number gives a field that must be a whole number.
func (p *probe) number(o object, field string) int64 {
	n, ok := o[field].(float64)
	if !ok || n != float64(int64(n)) {
		p.stop("%s is %v, want a whole number", field, o[field])
	}
	return int64(n)
}

// list gives a field that must be a list of objects.
func (p *probe) list(o object, field string) []object {
	raw, ok := o[field].([]any)
	if !ok {
		p.stop("%s is %v, want a list", field, o[field])
	}
	out := make([]object, len(raw))
	for i, v := range raw {
		if out[i], ok = v.(object); !ok {
			p.stop("%s holds %v, want objects", field, v)
		}
	}
	return out
}

// first gives the first of a list of objects that must not be empty.
func (p *probe) first(o object, field string) object {
	list := p.list(o, field)
	if len(list) == 0 {
		p.stop("%s is empty", field)
	}
	return list[0]
}

// strings gives a field that must be a list of texts.
func (p *probe) strings(o object, field string) []string {
	raw, ok := o[field].([]any)
	if !ok {
		p.stop("%s is %v, want a list", field, o[field])
	}
	out := make([]string, len(raw))
	for i, v := range raw {
		if out[i], ok = v.(string); !ok {
			p.stop("%s holds %v, want texts", field, v)
		}
	}
	return out
}

// nested gives a field that must be an object.
func (p *probe) nested(o object, field string) object {
	n, ok := o[field].(object)
	if !ok {
		p.stop("%s is %v, want an object", field, o[field])
	}
	return n
}

// absent complains about fields that must not be there.
func (p *probe) absent(o object, fields ...string) {
	for _, f := range fields {
		_, there := o[f]
		p.want(!there, "%s is there: %v", f, o[f])
	}
}

// link checks that a text is the address of something.
func (p *probe) link(s string) {
	p.want(strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://"), "%q is no http or https address", s)
}

// original gives the address of a picture that the service stores.
func (p *probe) original() string {
	if p.source == "" {
		a := p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/jpeg", personJPEG())
		p.source = p.text(p.data(a), "image")
	}
	return p.source
}

// face gives the address of a picture that shows a face from the front.
func (p *probe) face() string {
	if p.portrait == "" {
		a := p.upload("/openapi/v1/asset/upload/image", p.on.Key, "image", "image/jpeg", faceJPEG())
		p.portrait = p.text(p.data(a), "image")
	}
	return p.portrait
}

// create makes a task for the agent over the shared picture.
func (p *probe) create(agent string) string {
	a := p.post("/openapi/v1/agent/task/create", object{
		"agentName": agent, "agentVersion": "v1.0", "initParams": object{"taskName": "conformance", "originalImage": p.original()},
	})
	return p.text(p.data(a), "taskId")
}

// task gives a task of the agent that cases share for requests which are refused.
func (p *probe) task(agent string) string {
	if p.tasks[agent] == "" {
		p.tasks[agent] = p.create(agent)
	}
	return p.tasks[agent]
}
