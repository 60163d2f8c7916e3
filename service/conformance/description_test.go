package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"

	"atelier/catalog"
	"atelier/service"
)

// description is the service's OpenAPI document, in the hands of a validator that is not ours.
type description struct {
	validator.Validator
	paths map[string]*regexp.Regexp // "GET /openapi/…" with {names}, to what it matches
}

// describe reads the document from the service and validates it against the OpenAPI 3.1 schema.
func describe(t *testing.T, base string) description {
	t.Helper()
	d, err := judgeDocument(fetchDocument(t, base))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func fetchDocument(t *testing.T, base string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/openapi/agent/openapi.yaml", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// judgeDocument holds a document against the OpenAPI 3.1 schema; the error says what is not so.
func judgeDocument(raw []byte) (description, error) {
	doc, err := libopenapi.NewDocument(raw)
	if err != nil {
		return description{}, err
	}
	v, problems := validator.NewValidator(doc, config.WithFormatAssertions())
	if len(problems) > 0 {
		return description{}, fmt.Errorf("the document cannot be read: %v", problems)
	}
	if ok, problems := v.ValidateDocument(); !ok {
		return description{}, fmt.Errorf("the document is not OpenAPI 3.1: %s", inWords(problems))
	}
	model, err := doc.BuildV3Model()
	if err != nil {
		return description{}, err
	}
	d := description{Validator: v, paths: map[string]*regexp.Regexp{}}
	name := regexp.MustCompile(`\\\{[^/]+\\\}`)
	for path, item := range model.Model.Paths.PathItems.FromOldest() {
		for method := range item.GetOperations().FromOldest() {
			op := strings.ToUpper(method) + " " + path
			if d.paths[op], err = regexp.Compile("^" + name.ReplaceAllString(regexp.QuoteMeta(op), "[^/]+") + "$"); err != nil {
				return description{}, err
			}
		}
	}
	return d, nil
}

func inWords(problems []*errors.ValidationError) string {
	var parts []string
	for _, p := range problems {
		parts = append(parts, p.Message+": "+p.Reason)
		for _, s := range p.SchemaValidationErrors {
			parts = append(parts, "  at "+s.FieldPath+" "+s.Reason)
		}
	}
	if len(parts) > 12 {
		parts = append(parts[:12], "…")
	}
	return strings.Join(parts, "\n")
}

// operation finds the endpoint of a request, "" for none.
func (d description) operation(r *http.Request) string {
	for op, pattern := range d.paths {
		if pattern.MatchString(r.Method + " " + r.URL.Path) {
			return op
		}
	}
	return ""
}

// witness is a transport that holds every exchange against the description.
type witness struct {
	description
	next http.RoundTripper

	mu         sync.Mutex
	complaints []string
	answered   map[string]int // "POST /openapi/… 200" to how often
	unsaid     map[string]int // why a request was refused that has the described shape
}

func (w *witness) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(sent))
	resp, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(got))
	w.hold(r, sent, resp, got)
	return resp, nil
}

// hold compares one exchange with the description.
func (w *witness) hold(r *http.Request, sent []byte, resp *http.Response, got []byte) {
	op := w.operation(r)
	if op == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answered[fmt.Sprintf("%s %d", op, resp.StatusCode)]++
	again, answer := r.Clone(r.Context()), *resp
	again.Body, answer.Body = io.NopCloser(bytes.NewReader(sent)), io.NopCloser(bytes.NewReader(got))
	if ok, problems := w.ValidateHttpResponse(again, &answer); !ok {
		w.complain("the answer of %s is not as described: %s\n%.600s", op, inWords(problems), got)
	}
	again.Body = io.NopCloser(bytes.NewReader(sent))
	ok, problems := w.ValidateHttpRequestSync(again)
	switch {
	case resp.StatusCode == http.StatusOK && !ok && !lenient(sent):
		w.complain("%s takes what it describes otherwise: %s\n%.600s", op, inWords(problems), sent)
	case resp.StatusCode == http.StatusBadRequest && ok:
		if reason := unsayable(op, got); reason != "" {
			w.unsaid[reason]++
		} else {
			w.complain("%s refuses what has the described shape: %.300s\n%.600s", op, got, sent)
		}
	}
}

func (w *witness) complain(format string, args ...any) {
	w.complaints = append(w.complaints, fmt.Sprintf(format, args...))
}

// lenient says whether a request is one of those that the service takes beyond its description: numbers as text, and any
// number for batchCount.
func lenient(sent []byte) bool {
	var body struct {
		Params map[string]any `json:"params"`
	}
	if json.Unmarshal(sent, &body) != nil {
		return false
	}
	for name, v := range body.Params {
		switch v := v.(type) {
		case string:
			if name != "textDescription" && strings.Trim(v, "-.0123456789") == "" && v != "" {
				return true
			}
		case float64:
			if name == "batchCount" && v != float64(int(v)) {
				return true
			}
		}
	}
	return false
}

// unsayables are the reasons for a refusal that no schema of one request can express, by what their sentences say.
var unsayables = []struct {
	why  string
	at   string // the endpoints' paths hold this
	says *regexp.Regexp
}{
	{"a mask is looked into", "", regexp.MustCompile(`^customMask(Url)?(:| has| is| must).*(transparent|×|px|valid base64|cut off|characters that are not|that can be read|everything|nothing|damaged)`)},
	{"offsets depend on the picture's size and the canvas", "", regexp.MustCompile(`^fill(Left|Top) must be .* must stay on the canvas`)},
	{"a cursor belongs to a key and filters", "/task/list", regexp.MustCompile(`^cursor is not valid for this key`)},
	{"two bounds are compared", "/task/list", regexp.MustCompile(`^createdBefore must be later than createdAfter`)},
	{"the params are those of another agent", "/task/execute", regexp.MustCompile(`^[a-zA-Z]+( or [a-zA-Z]+)*(:| must be | is required)`)},
	{"files of several fields are counted together", "", regexp.MustCompile(`^[a-zA-Z]+(, [a-zA-Z]+)+: at most `)},
	{"a preset does not exist or is not ready", "", regexp.MustCompile(`^(locationId|fashionModelId|backgroundId): (there is no|location|fashion model|background) `)},
	{"a picture is looked into", "", regexp.MustCompile(`^images?: .*(MB|px|picture|bytes)`)},
	{"a file of ours is not there", "", regexp.MustCompile(`there is no file at this address`)},
	{"the network is looked at", "", regexp.MustCompile(`is not (allowed|reachable|public)|cannot be reached`)},
	{"an execution is looked at", "/psd/", regexp.MustCompile(`^executionId: this execution`)},
	{"a form is looked into", "/asset", regexp.MustCompile(`^(The field "image" with the picture is missing|The upload ended|image: )`)},
	{"JSON repeats, nests or encodes what its schema allows", "", regexp.MustCompile(`stands twice|nested deeper|not in UTF-8`)},
}

// unsayable names the reason of a refusal, "" when a schema could have said it.
func unsayable(op string, got []byte) string {
	var answer struct {
		Msg   string `json:"msg"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(got, &answer) != nil {
		return ""
	}
	for _, u := range unsayables {
		if strings.Contains(op, u.at) && u.says.MatchString(answer.Msg+answer.Error.Message) {
			return u.why
		}
	}
	return ""
}

// refused says whether a request to the endpoint was seen to be refused, in an answer as described.
func (w *witness) refused(op string) bool {
	for answer := range w.answered {
		if at, status, _ := strings.Cut(strings.TrimPrefix(answer, op), " "); at == "" && strings.HasPrefix(answer, op) && status >= "400" {
			return true
		}
	}
	return false
}

// extras are what the documents do not mention: their cases are TestTheExtrasAreAsDescribed's.
var extras = regexp.MustCompile(`/power-estimates$|/assets/(videos|audios)$|/files/`)

// report fails the test for everything that was not as described, and for endpoints that were not seen both to answer and to
// refuse, those of the extras or all others.
func (w *witness) report(t *testing.T, ofExtras bool) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.complaints {
		t.Error(c)
	}
	for op := range w.paths {
		if extras.MatchString(op) != ofExtras {
			continue
		}
		if w.answered[op+" 200"] == 0 {
			t.Errorf("no case was answered by %s", op)
		}
		if !strings.HasSuffix(op, "/openapi.yaml") && !w.refused(op) {
			t.Errorf("no case was refused by %s", op)
		}
	}
	for reason, n := range w.unsaid {
		t.Logf("%4d refusals: %s", n, reason)
	}
}

func TestADocumentThatIsNotOpenAPIIsSeen(t *testing.T) {
	t.Parallel()
	_, srv := newService(t, func(cfg *service.Config) { cfg.Agents = catalog.All()[:1] })
	whole := string(fetchDocument(t, srv.URL))
	if _, err := judgeDocument([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct{ what, from, to string }{
		{"a place of parameters that is none", "in: query", "in: somewhere"},
		{"a path parameter that may be left out", "in: path\n        required: true", "in: path\n        required: false"},
		{"a response without a description", "          description: Success\n", ""},
		{"a field that no object has", "    tags:", "    labels:"},
		{"a reference to nothing", "#/components/schemas/TaskFailure", "#/components/schemas/Nothing"},
	} {
		broken := strings.Replace(whole, change.from, change.to, 1)
		if broken == whole {
			t.Errorf("%s: there is no %q", change.what, change.from)
		} else if _, err := judgeDocument([]byte(broken)); err == nil {
			t.Errorf("%s is taken for OpenAPI 3.1", change.what)
		}
	}
}

func TestTheWitnessSeesWhatIsNotAsDescribed(t *testing.T) {
	t.Parallel()
	_, srv := newService(t, nil)
	tests := []struct {
		name, method, path, sent string
		status                   int
		got                      string
		complains                bool
	}{
		{"a task", "POST", "/openapi/v1/agent/task/create", `{"agentName":"aipose","agentVersion":"v1.0","initParams":{"originalImage":"https://a.example/b.png"}}`, 200, `{"success":true,"code":0,"msg":"success","data":{"taskId":"t"}}`, false},
		{"a task without its id", "POST", "/openapi/v1/agent/task/create", `{"agentName":"aipose","agentVersion":"v1.0","initParams":{"originalImage":"https://a.example/b.png"}}`, 200, `{"success":true,"code":0,"msg":"success","data":{}}`, true},
		{"a task of nothing", "POST", "/openapi/v1/agent/task/create", `{}`, 200, `{"success":true,"code":0,"msg":"success","data":{"taskId":"t"}}`, true},
		{"a refusal of the other surface", "POST", "/openapi/v1/agent/task/create", `{}`, 400, `{"success":false,"error":{"code":"40000","message":"no","retryable":false}}`, true},
		{"a refusal", "POST", "/openapi/v1/agent/task/create", `{}`, 400, `{"success":false,"code":40000,"msg":"agentName is missing."}`, false},
		{"a refusal of what is right", "POST", "/openapi/v1/agent/task/create", `{"agentName":"aipose","agentVersion":"v1.0","initParams":{"originalImage":"https://a.example/b.png"}}`, 400, `{"success":false,"code":40000,"msg":"I will not."}`, true},
		{"an unknown status", "GET", "/openapi/agent/runs/r", "", 200, `{"success":true,"data":{"agentName":"a","agentVersion":"v1.0","initParams":{},"executions":[{"executionId":"r","executionTime":"2026-01-01 00:00:00","status":"Done","params":{},"result":[]}]},"meta":{"executionId":"r"}}`, true},
		{"a failure without its reason", "GET", "/openapi/agent/runs/r", "", 200, `{"success":true,"data":{"agentName":"a","agentVersion":"v1.0","initParams":{},"executions":[{"executionId":"r","executionTime":"2026-01-01 00:00:00","status":"Failed","params":{},"result":[{"status":"Failed","image":""}]}]},"meta":{"executionId":"r"}}`, true},
		{"a failure with its reason", "GET", "/openapi/agent/runs/r", "", 200, `{"success":true,"data":{"agentName":"a","agentVersion":"v1.0","initParams":{},"executions":[{"executionId":"r","executionTime":"2026-01-01 00:00:00","status":"Failed","params":{},"result":[{"status":"Failed","image":"","error":"why"}]}]},"meta":{"executionId":"r"}}`, false},
		{"a cursor on the last page", "GET", "/openapi/v1/agent/task/list", "", 200, `{"success":true,"code":0,"msg":"success","data":{"tasks":[],"hasMore":false,"nextCursor":"c"}}`, true},
		{"a limit beyond the range", "GET", "/openapi/v1/agent/task/list?limit=21", "", 200, `{"success":true,"code":0,"msg":"success","data":{"tasks":[],"hasMore":false}}`, true},
		{"a file before its end", "POST", "/openapi/v1/asset/download/psd/query", `{"executionId":"e"}`, 200, `{"success":true,"code":0,"msg":"success","data":{"executionId":"e","status":"Running","result":{"fileUrl":"https://a.example/b.psd"}}}`, true},
		{"a run with a mask too many", "POST", "/openapi/agent/runs", `{"agent":{"name":"removeBG","version":"v1.0"},"input":{"originalImage":"https://a.example/b.png"},"params":{"maskType":"custom","customMask":"iVBORw0KGgo","customMaskUrl":"https://a.example/m.png"}}`, 200, `{"success":true,"data":{"executionId":"e","taskId":"t"},"meta":{"executionId":"e"}}`, true},
		{"a run without a mask", "POST", "/openapi/agent/runs", `{"agent":{"name":"removeBG","version":"v1.0"},"input":{"originalImage":"https://a.example/b.png"},"params":{"maskType":"autoSubjectSegment"}}`, 200, `{"success":true,"data":{"executionId":"e","taskId":"t"},"meta":{"executionId":"e"}}`, false},
		{"a run without a picture", "POST", "/openapi/agent/runs", `{"agent":{"name":"removeBG","version":"v1.0"},"input":{},"params":{"maskType":"autoSubjectSegment"}}`, 200, `{"success":true,"data":{"executionId":"e","taskId":"t"},"meta":{"executionId":"e"}}`, true},
	}
	d := describe(t, srv.URL)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &witness{description: d, answered: map[string]int{}, unsaid: map[string]int{}}
			req, err := http.NewRequestWithContext(t.Context(), tt.method, srv.URL+tt.path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "a key")
			if tt.sent != "" {
				req.Header.Set("Content-Type", "application/json")
			}
			w.hold(req, []byte(tt.sent), &http.Response{StatusCode: tt.status, Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}}}, []byte(tt.got))
			if got := len(w.complaints) > 0; got != tt.complains {
				t.Errorf("complaints: %v", w.complaints)
			}
		})
	}
}
