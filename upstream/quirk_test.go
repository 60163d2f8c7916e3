package upstream_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/upstream"
)

// TestEveryFormOfAnswerIsRead goes through the forms that the documents' examples and public clients show.
func TestEveryFormOfAnswerIsRead(t *testing.T) {
	type ctx = context.Context
	createTask := func(ctx ctx, c *upstream.Client) (any, error) {
		v, err := c.CreateTask(ctx, upstream.TaskCreate{})
		return v.TaskID, err
	}
	execute := func(ctx ctx, c *upstream.Client) (any, error) {
		v, err := c.ExecuteTask(ctx, upstream.TaskExecute{})
		return v.ExecutionID, err
	}
	startRun := func(ctx ctx, c *upstream.Client) (any, error) { return c.StartRun(ctx, upstream.RunStart{}, "") }
	poll := func(ctx ctx, c *upstream.Client) (any, error) { return c.Run(ctx, "e1") }
	query := func(ctx ctx, c *upstream.Client) (any, error) { return c.QueryTask(ctx, upstream.TaskQuery{}) }
	list := func(ctx ctx, c *upstream.Client) (any, error) { return c.ListTasks(ctx, upstream.TaskFilter{}) }
	deleteTask := func(ctx ctx, c *upstream.Client) (any, error) { return nil, c.DeleteTask(ctx, "t") }
	psd := func(ctx ctx, c *upstream.Client) (any, error) { return c.StartPSD(ctx, "e") }
	psdQuery := func(ctx ctx, c *upstream.Client) (any, error) { return c.QueryPSD(ctx, "e") }
	info := func(ctx ctx, c *upstream.Client) (any, error) {
		return c.AgentInfo(ctx, upstream.AgentInfoQuery{})
	}
	model := func(ctx ctx, c *upstream.Client) (any, error) { return c.FashionModel(ctx, 1) }
	newModel := func(ctx ctx, c *upstream.Client) (any, error) {
		v, err := c.CreateFashionModel(ctx, upstream.MyFashionModelCreate{})
		return v.FashionModelID, err
	}
	location := func(ctx ctx, c *upstream.Client) (any, error) { return c.Location(ctx, 1) }
	upload := func(ctx ctx, c *upstream.Client) (any, error) {
		v, err := c.UploadImage(ctx, upstream.TaskSurface, picture())
		return v.Image, err
	}
	at := time.Date(2026, 9, 1, 8, 30, 0, 0, time.UTC)

	tests := []struct {
		name string
		call func(ctx ctx, c *upstream.Client) (any, error)
		body string
		want any
	}{
		{"code as number", createTask, `{"success":true,"code":0,"msg":"ok","data":{"taskId":"t"}}`, "t"},
		{"code as text", createTask, `{"success":true,"code":"0","message":"ok","data":{"taskId":"t"}}`, "t"},
		{"no code", createTask, `{"success":true,"data":{"taskId":"t"}}`, "t"},
		{"code null", createTask, `{"success":true,"code":null,"data":{"taskId":"t"}}`, "t"},
		{"no success but code 0", createTask, `{"code":0,"data":{"taskId":"t"}}`, "t"},
		{"success as text", createTask, `{"success":"true","code":0,"data":{"taskId":"t"}}`, "t"},
		{"success as number", createTask, `{"success":1,"code":0,"data":{"taskId":"t"}}`, "t"},
		{"task id as number", createTask, `{"success":true,"code":0,"data":{"taskId":9007199254740993}}`, "9007199254740993"},
		{"byte order mark", createTask, "\xef\xbb\xbf" + `{"success":true,"data":{"taskId":"t"}}`, "t"},
		{"trailing garbage", createTask, `{"success":true,"data":{"taskId":"t"}}` + "\n<!-- served by x -->", "t"},
		{"two answers", createTask, `{"success":true,"data":{"taskId":"t"}}{"success":false}`, "t"},
		{"error null", createTask, `{"success":true,"error":null,"data":{"taskId":"t"}}`, "t"},
		{"error empty", createTask, `{"success":true,"error":{},"data":{"taskId":"t"}}`, "t"},
		{"error false", createTask, `{"success":true,"error":false,"data":{"taskId":"t"}}`, "t"},
		{"unknown fields", createTask, `{"success":true,"traceId":"x","data":{"taskId":"t","more":[]}}`, "t"},
		{"invalid UTF-8 in the text", createTask, `{"success":true,"msg":"` + "\xff\xfe" + `","data":{"taskId":"t"}}`, "t"},
		{"execution id as number", execute, `{"success":true,"code":0,"data":{"executionId":4294967297}}`, "4294967297"},
		{"execution id in meta", execute, `{"success":true,"meta":{"executionId":"m"}}`, "m"},
		{"handle in meta", startRun, `{"success":true,"data":{},"meta":{"executionId":"m"}}`, upstream.RunStarted{ExecutionID: "m"}},
		{"handle in data", startRun, `{"success":true,"data":{"executionId":"d"}}`, upstream.RunStarted{ExecutionID: "d"}},
		{"handle in data, meta empty", startRun, `{"success":true,"data":{"executionId":"d"},"meta":{}}`, upstream.RunStarted{ExecutionID: "d"}},
		{"handle in data, meta a list", startRun, `{"success":true,"data":{"executionId":"d"},"meta":[]}`, upstream.RunStarted{ExecutionID: "d"}},
		{"handle in both", startRun, `{"success":true,"data":{"executionId":"d","taskId":7},"meta":{"executionId":"m"}}`, upstream.RunStarted{ExecutionID: "m", TaskID: "7"}},
		{
			"what it cost in data", startRun, `{"success":true,"data":{"executionId":"d","powerConsumption":2.5,"powerBalanceAmount":"97.5"}}`,
			upstream.RunStarted{ExecutionID: "d", Charge: upstream.Charge{PowerConsumption: new(2.5), PowerBalanceAmount: new(97.5)}},
		},
		{
			"what it cost in meta", startRun, `{"success":true,"data":{},"meta":{"executionId":"m","powerConsumption":0,"powerBalanceAmount":null}}`,
			upstream.RunStarted{ExecutionID: "m", Charge: upstream.Charge{PowerConsumption: new(0.0)}},
		},
		{
			"a cost that is none", startRun, `{"success":true,"data":{"executionId":"d","powerConsumption":{"n":2},"powerBalanceAmount":"-1"}}`,
			upstream.RunStarted{ExecutionID: "d"},
		},
		{"handle as number", startRun, `{"success":true,"meta":{"executionId":12}}`, upstream.RunStarted{ExecutionID: "12"}},
		{"data null, handle in meta", startRun, `{"success":true,"data":null,"meta":{"executionId":"m"}}`, upstream.RunStarted{ExecutionID: "m"}},
		{"data boolean, handle in meta", startRun, `{"success":true,"data":true,"meta":{"executionId":"m"}}`, upstream.RunStarted{ExecutionID: "m"}},
		{
			"result", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Success","result":[{"status":"Success","image":"https://a/1.png","progress":"1"}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Success", Result: []upstream.ResultItem{{Status: "Success", Image: "https://a/1.png", Progress: "1"}}}}},
		},
		{
			"results", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Success","results":[{"status":"Success","image":"https://a/1.png"}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Success", Result: []upstream.ResultItem{{Status: "Success", Image: "https://a/1.png"}}}}},
		},
		{
			"results beside an empty result", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Success","result":[],"results":[{"status":"Failed","error":"no face"}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Success", Result: []upstream.ResultItem{{Status: "Failed", Error: "no face"}}}}},
		},
		{
			"result null", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Pending","result":null}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Pending"}}},
		},
		{
			"progress as number", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Running","result":[{"status":"Running","image":null,"progress":0.25}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Running", Result: []upstream.ResultItem{{Status: "Running", Progress: "0.25"}}}}},
		},
		{
			"unknown status", poll, `{"success":true,"data":{"executions":[{"executionId":1,"status":"Queued2"}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "1", Status: "Queued2"}}},
		},
		{
			"video", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Success","result":[{"status":"Success","video":"https://a/1.mp4","videoPoster":"https://a/1.jpg","lastFrame":"https://a/l.png"}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Success", Result: []upstream.ResultItem{{Status: "Success", Video: "https://a/1.mp4", VideoPoster: "https://a/1.jpg", LastFrame: "https://a/l.png"}}}}},
		},
		{
			"params an empty list", poll, `{"success":true,"data":{"agentName":"aipose","initParams":[],"executions":[{"executionId":"e1","status":"Success","params":[],"result":{}}]}}`,
			upstream.RunStatus{AgentName: "aipose", Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Success"}}},
		},
		{
			"item error an object", poll, `{"success":true,"data":{"executions":[{"executionId":"e1","status":"Failed","result":[{"status":"Failed","error":{"why":"dark"}}]}]}}`,
			upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "e1", Status: "Failed", Result: []upstream.ResultItem{{Status: "Failed", Error: `{"why":"dark"}`}}}}},
		},
		{
			"no executions", query, `{"success":true,"code":0,"data":{"agentName":"aipose","agentVersion":"v1.0","initParams":{"taskName":"x"},"executions":null}}`,
			upstream.Task{AgentName: "aipose", AgentVersion: "v1.0", InitParams: map[string]any{"taskName": "x"}},
		},
		{
			"list", list, `{"success":true,"code":0,"data":{"tasks":[{"taskId":1,"createdAt":"2026-09-01T10:30:00+02:00","executions":[]}],"hasMore":true,"nextCursor":"c"}}`,
			upstream.TaskPage{Tasks: []upstream.Task{{TaskID: "1", Executions: []upstream.Execution{}, CreatedAt: &at}}, HasMore: true, NextCursor: "c"},
		},
		{
			"list with an unreadable time", list, `{"success":true,"data":{"tasks":[{"taskId":"1","createdAt":"yesterday"}],"hasMore":"false"}}`,
			upstream.TaskPage{Tasks: []upstream.Task{{TaskID: "1"}}},
		},
		{"list null", list, `{"success":true,"data":{"tasks":null,"hasMore":false}}`, upstream.TaskPage{}},
		{"delete without data", deleteTask, `{"success":true,"code":0,"msg":"ok"}`, nil},
		{"delete with data null", deleteTask, `{"success":true,"code":"0","data":null}`, nil},
		{"delete with data", deleteTask, `{"success":true,"code":0,"data":{"deleted":1}}`, nil},
		{"psd started", psd, `{"success":true,"code":0,"data":true}`, true},
		{"psd not started", psd, `{"success":true,"code":0,"data":false}`, false},
		{"psd without data", psd, `{"success":true,"code":0}`, true},
		{"psd with an object", psd, `{"success":true,"code":0,"data":{}}`, true},
		{"psd as text", psd, `{"success":true,"code":0,"data":"true"}`, true},
		{
			"psd done", psdQuery, `{"success":true,"code":0,"data":{"executionId":5,"status":"Success","result":{"fileUrl":"https://a/b.psd"}}}`,
			upstream.PSDJob{ExecutionID: "5", Status: "Success", Result: &upstream.PSDResult{FileURL: "https://a/b.psd"}},
		},
		{
			"psd running", psdQuery, `{"success":true,"code":0,"data":{"executionId":"e","status":"Running","result":{}}}`,
			upstream.PSDJob{ExecutionID: "e", Status: "Running"},
		},
		{
			"psd result null", psdQuery, `{"success":true,"code":0,"data":{"executionId":"e","status":"NotStart","result":null}}`,
			upstream.PSDJob{ExecutionID: "e", Status: "NotStart"},
		},
		{
			"nationality as text", info, `{"success":true,"data":{"agentVersion":"v1.0","fashionModels":[{"id":"8","name":"Ada","profile":{"nationality":"Finnish"},"type":"AI","status":"complete"}]}}`,
			upstream.AgentInfo{AgentVersion: "v1.0", FashionModels: []upstream.FashionModel{{ID: 8, Name: "Ada", Profile: &upstream.Profile{Nationality: "Finnish"}, Type: "AI", Status: "complete"}}},
		},
		{
			"nationality as number", info, `{"success":true,"data":{"fashionModels":[{"id":8,"profile":{"nationality":3,"priceDescription":"2 credits"},"tags":[{"id":"4","name":"casual"}],"status":"prepare"}]}}`,
			upstream.AgentInfo{FashionModels: []upstream.FashionModel{{ID: 8, Profile: &upstream.Profile{Nationality: 3.0, PriceDescription: "2 credits"}, Tags: []upstream.Tag{{ID: 4, Name: "casual"}}, Status: "prepare"}}},
		},
		{
			"locations and paging", info, `{"success":true,"data":{"locations":[{"id":2147483649,"image":"https://a/l.jpg","name":"Loft","categories":"indoor","type":"Yours"}],"pagination":{"page":"2","pageSize":50,"locations":{"total":"51","isLastPage":true}}}}`,
			upstream.AgentInfo{
				Locations:  []upstream.Location{{ID: 2147483649, Image: "https://a/l.jpg", Name: "Loft", Categories: []string{"indoor"}, Type: "Yours"}},
				Pagination: &upstream.Pagination{Page: 2, PageSize: 50, Locations: &upstream.PageMeta{Total: 51, IsLastPage: true}},
			},
		},
		{
			"paging without a last-page flag", info, `{"success":true,"data":{"pagination":{"page":1,"pageSize":50,"locations":{"total":3}}}}`,
			upstream.AgentInfo{Pagination: &upstream.Pagination{Page: 1, PageSize: 50, Locations: &upstream.PageMeta{Total: 3, IsLastPage: true}}},
		},
		{
			"backgrounds and dimensions", info, `{"success":true,"data":{"backgrounds":[{"id":1,"image":"https://a/b.jpg","name":"White"}],"dimensions":[{"name":"Story","width":"1080","height":1920}]}}`,
			upstream.AgentInfo{Backgrounds: []upstream.Background{{ID: 1, Image: "https://a/b.jpg", Name: "White"}}, Dimensions: []upstream.Dimension{{Name: "Story", Width: 1080, Height: 1920}}},
		},
		{
			"own model", model, `{"success":true,"data":{"fashionModelId":"5000000000","name":"Ada","cover":"https://a/c.jpg","images":["https://a/1.jpg"],"status":"failed"}}`,
			upstream.MyFashionModel{FashionModelID: 5000000000, Name: "Ada", Cover: "https://a/c.jpg", Images: []string{"https://a/1.jpg"}, Status: "failed"},
		},
		{"own model made", newModel, `{"success":true,"code":0,"data":{"fashionModelId":"77"}}`, int64(77)},
		{
			"own location", location, `{"success":true,"data":{"locationId":4,"name":"Loft","image":"https://a/1.jpg","status":"complete"}}`,
			upstream.MyLocation{LocationID: 4, Name: "Loft", Image: "https://a/1.jpg", Status: "complete"},
		},
		{"uploaded", upload, `{"success":true,"code":"0","data":{"image":"https://a/u.png"}}`, "https://a/u.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, status := range []int{http.StatusOK, http.StatusCreated} {
				got, err := tt.call(t.Context(), client(t, says(status, tt.body)))
				if err != nil {
					t.Fatalf("HTTP %d: %v", status, err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("HTTP %d (-want +got):\n%s", status, diff)
				}
			}
		})
	}
}

func TestEveryFormOfRefusalIsUnderstood(t *testing.T) {
	tests := []struct {
		name      string
		status    int
		body      string
		kind      upstream.Kind
		code      string
		message   string
		retryable bool
	}{
		{"HTTP 200 and false", 200, `{"success":false,"code":40000,"message":"bad maskType"}`, upstream.Refused, "40000", "bad maskType", false},
		{"code as text", 200, `{"success":false,"code":"40000","msg":"bad maskType"}`, upstream.Refused, "40000", "bad maskType", false},
		{"HTTP 400 with an envelope", 400, `{"success":false,"code":40000,"msg":"bad"}`, upstream.Refused, "40000", "bad", false},
		{"code alone", 200, `{"code":40000,"msg":"bad"}`, upstream.Refused, "40000", "bad", false},
		{"success and an error code", 200, `{"success":true,"code":40000,"msg":"bad"}`, upstream.Refused, "40000", "bad", false},
		{"run error", 200, `{"success":false,"error":{"code":"NO_CREDITS","message":"top up","retryable":false}}`, upstream.Refused, "NO_CREDITS", "top up", false},
		{"run error to be tried again", 200, `{"success":false,"error":{"code":"X","message":"later","retryable":true}}`, upstream.Refused, "X", "later", true},
		{"run error with a number", 422, `{"success":false,"error":{"code":40000,"message":"bad","retryable":"false"}}`, upstream.Refused, "40000", "bad", false},
		{"run error not to be tried again at HTTP 500", 500, `{"success":false,"error":{"code":"X","message":"no","retryable":false}}`, upstream.Refused, "X", "no", false},
		{"error as text", 200, `{"success":false,"error":"no such agent"}`, upstream.Refused, "", "no such agent", false},
		{"false and nothing else", 200, `{"success":false}`, upstream.Refused, "", "The image service refused the request without saying why.", false},
		{"message of many lines", 200, `{"success":false,"code":40000,"msg":"a\r\n\tb\u202ec"}`, upstream.Refused, "40000", "a b c", false},
		{"the key in the message", 200, `{"success":false,"code":40000,"msg":"who is ` + canary + `?"}`, upstream.Refused, "40000", "who is [secret]?", false},
		{"key unknown", 200, `{"success":false,"code":40001,"msg":"no key"}`, upstream.Key, "40001", "no key", false},
		{"key run out", 200, `{"success":false,"code":"40003"}`, upstream.Key, "40003", "The image service refused the request without saying why.", false},
		{"key not allowed", 403, `{"success":false,"code":40004,"msg":"not allowed"}`, upstream.Key, "40004", "not allowed", false},
		{"HTTP 401", 401, `{"success":false,"msg":"who are you"}`, upstream.Key, "", "who are you", false},
		{"HTTP 401 as a page", 401, `<html>`, upstream.Key, "", "The image service does not accept the API key.", false},
		{"HTTP 403 without a body", 403, ``, upstream.Key, "", "The image service does not accept the API key.", false},
		{"too many at once", 200, `{"success":false,"code":40005,"msg":"too many"}`, upstream.Busy, "40005", "too many", true},
		{"too many at once as text at HTTP 500", 500, `{"success":false,"code":"40005","msg":"too many"}`, upstream.Busy, "40005", "too many", true},
		{"too many on the run surface", 429, `{"success":false,"error":{"code":"40005","message":"too many","retryable":false}}`, upstream.Busy, "40005", "too many", true},
		{"HTTP 429", 429, `slow down`, upstream.Busy, "", "The image service is overloaded at the moment.", true},
		{"HTTP 503 with an envelope", 503, `{"success":false,"msg":"maintenance"}`, upstream.Busy, "", "maintenance", true},
		{"system", 200, `{"success":false,"code":50001,"msg":"oops"}`, upstream.Refused, "50001", "oops", true},
		{"system, last", 500, `{"success":false,"code":"50006","msg":"oops"}`, upstream.Refused, "50006", "oops", true},
		{"system without success", 500, `{"code":"50002","message":"oops"}`, upstream.Refused, "50002", "oops", true},
		{"beyond the system codes", 200, `{"success":false,"code":50007,"msg":"no"}`, upstream.Refused, "50007", "no", false},
		{"HTTP 500 with an envelope", 500, `{"success":false,"msg":"oops"}`, upstream.Refused, "", "oops", true},
		{"HTTP 404 as a page", 404, `<html>not here</html>`, upstream.Refused, "", "The image service refused the request without saying why: HTTP 404 Not Found.", false},
		{"HTTP 404 of another program", 404, `{"error":"Not Found","status":404}`, upstream.Refused, "", "Not Found", false},
		{"HTTP 413", 413, ``, upstream.Refused, "", "The image service refused the request without saying why: HTTP 413 Request Entity Too Large.", false},
	}
	for _, op := range operations() {
		if op.name == "openapi" { // answers YAML; what is HTTP 200 is its text
			continue
		}
		for _, tt := range tests {
			t.Run(op.path+"/"+tt.name, func(t *testing.T) {
				e := failure(t, op.call(t.Context(), client(t, says(tt.status, tt.body))))
				if op.reads() && tt.kind == upstream.Refused {
					// To a question only a definite no of the service itself is a refusal.
					if strings.HasPrefix(tt.message, "The image service refused the request without saying why: HTTP") {
						tt.kind, tt.message, tt.retryable = upstream.Broken, "The image service's answer cannot be used.", true
					} else if tt.retryable {
						tt.kind = upstream.Broken
					}
				}
				if e.Kind != tt.kind || e.Code != tt.code || e.Message != tt.message || e.Retryable != tt.retryable {
					t.Errorf("got %s code %q message %q retryable %v, want %s %q %q %v",
						e.Kind, e.Code, e.Message, e.Retryable, tt.kind, tt.code, tt.message, tt.retryable)
				}
				if e.Op != op.name || e.HTTPStatus != tt.status || !e.Sent {
					t.Errorf("got op %q, HTTP %d, sent %v, want %q, %d, true", e.Op, e.HTTPStatus, e.Sent, op.name, tt.status)
				}
				if (upstream.KindOf(e) == upstream.Busy) != (tt.kind == upstream.Busy) {
					t.Errorf("its kind is %s", upstream.KindOf(e))
				}
			})
		}
	}
}

func TestTheServiceSaysHowLongToWait(t *testing.T) {
	tests := []struct {
		header   string
		min, max time.Duration
	}{
		{"", 0, 0},
		{"7", 7 * time.Second, 7 * time.Second},
		{"-3", 0, 0},
		{"soon", 0, 0},
		{"999999", time.Hour, time.Hour},
		{"999999999999999999999", 0, 0},
		{time.Now().Add(30 * time.Minute).UTC().Format(http.TimeFormat), 20 * time.Minute, 30 * time.Minute},
		{time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat), 0, 0},
	}
	for _, tt := range tests {
		e := failure(t, operations()[0].call(t.Context(), client(t, says(429, "", "Retry-After", tt.header))))
		if e.RetryAfter < tt.min || e.RetryAfter > tt.max {
			t.Errorf("Retry-After %q: wait %s, want %s to %s", tt.header, e.RetryAfter, tt.min, tt.max)
		}
	}
}

func TestProgressAsAFraction(t *testing.T) {
	for text, want := range map[upstream.Progress]float64{
		"": 0, "0": 0, "0.25": 0.25, "1": 1, "1.0": 1, "45": 0.45, "100": 1, "45%": 0.45, "0.5%": 0.005, "250": 1, "-1": 0, "NaN": 0, "half": 0,
	} {
		if got := text.Fraction(); got != want {
			t.Errorf("Progress(%q).Fraction() = %v, want %v", text, got, want)
		}
	}
}

func TestExecutionsArePickedByID(t *testing.T) {
	task := upstream.Task{Executions: []upstream.Execution{{ExecutionID: "b", Status: "Running"}, {ExecutionID: "a", Status: "Success"}}}
	if x, ok := task.Execution("a"); !ok || x.Status != "Success" {
		t.Errorf("got %v, %v", x, ok)
	}
	if _, ok := task.Execution("c"); ok {
		t.Error("found an execution that is not there")
	}
	alone := upstream.RunStatus{Executions: []upstream.Execution{{Status: "Pending"}}}
	if x, ok := alone.Execution("a"); !ok || x.Status != "Pending" {
		t.Errorf("the only execution, without an id, was not taken: %v, %v", x, ok)
	}
	other := upstream.RunStatus{Executions: []upstream.Execution{{ExecutionID: "b"}}}
	if _, ok := other.Execution("a"); ok {
		t.Error("took the execution of another id")
	}
}

func TestExecutionTimeIsReadAsUTC(t *testing.T) {
	want := time.Date(2026, 9, 1, 8, 30, 0, 0, time.UTC)
	if got := (upstream.Execution{ExecutionTime: "2026-09-01 08:30:00"}).ExecutedAt(); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := (upstream.Execution{ExecutionTime: strings.Repeat("x", 19)}).ExecutedAt(); !got.IsZero() {
		t.Errorf("got %v of nonsense", got)
	}
}
