package upstream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"atelier/upstream"
)

const canary = "canary-key-8f3b27"

// client makes a client of the handler over real HTTP.
func client(t *testing.T, h http.Handler, change ...func(*upstream.Options)) *upstream.Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	o := upstream.Options{BaseURL: server.URL, Key: canary, Estimates: true}
	for _, c := range change {
		c(&o)
	}
	c, err := upstream.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdle)
	return c
}

// says is a handler that answers everything with one body.
func says(status int, body string, header ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(err)
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		if _, err := io.WriteString(w, body); err != nil {
			panic(http.ErrAbortHandler)
		}
	})
}

// operation is one method of the client.
type operation struct {
	name   string
	method string
	path   string
	starts bool   // brings something into being
	good   string // the smallest successful answer
	call   func(ctx context.Context, c *upstream.Client) error
}

func picture() upstream.Upload {
	body := bytes.Repeat([]byte("picture "), 4000)
	return upstream.Upload{Name: "dress.jpg", ContentType: "image/jpeg", Size: int64(len(body)), Body: bytes.NewReader(body)}
}

// reads says whether the operation changes nothing.
func (op operation) reads() bool {
	return op.method == http.MethodGet || strings.HasPrefix(op.name, "query") || op.name == "estimate power"
}

// operations is every endpoint of both surfaces.
func operations() []operation {
	type ctx = context.Context
	type cl = *upstream.Client
	return []operation{
		{"create task", "POST", upstream.PathTaskCreate, true, `{"success":true,"code":0,"data":{"taskId":"t1"}}`, func(ctx ctx, c cl) error {
			_, err := c.CreateTask(ctx, upstream.TaskCreate{AgentName: "aipose", AgentVersion: "v1.0"})
			return err
		}},
		{"execute task", "POST", upstream.PathTaskExecute, true, `{"success":true,"code":0,"data":{"executionId":"e1"}}`, func(ctx ctx, c cl) error {
			_, err := c.ExecuteTask(ctx, upstream.TaskExecute{TaskID: "t1"})
			return err
		}},
		{"query task", "POST", upstream.PathTaskQuery, false, `{"success":true,"code":0,"data":{"executions":[]}}`, func(ctx ctx, c cl) error {
			_, err := c.QueryTask(ctx, upstream.TaskQuery{TaskID: "t1"})
			return err
		}},
		{"list tasks", "GET", upstream.PathTaskList, false, `{"success":true,"code":0,"data":{"tasks":[],"hasMore":false}}`, func(ctx ctx, c cl) error {
			_, err := c.ListTasks(ctx, upstream.TaskFilter{Limit: 5})
			return err
		}},
		{"delete task", "POST", upstream.PathTaskDelete, false, `{"success":true,"code":0}`, func(ctx ctx, c cl) error {
			return c.DeleteTask(ctx, "t1")
		}},
		{"agent info", "GET", upstream.PathAgentInfo, false, `{"success":true,"code":0,"data":{"agentVersion":"v1.0"}}`, func(ctx ctx, c cl) error {
			_, err := c.AgentInfo(ctx, upstream.AgentInfoQuery{AgentName: "aimodel", AgentVersion: "v1.0"})
			return err
		}},
		{"upload image", "POST", upstream.PathUploadImage, false, `{"success":true,"code":0,"data":{"image":"https://a/b.png"}}`, func(ctx ctx, c cl) error {
			_, err := c.UploadImage(ctx, upstream.TaskSurface, picture())
			return err
		}},
		{"upload image", "POST", upstream.PathRunUpload, false, `{"success":true,"data":{"image":"https://a/b.png"}}`, func(ctx ctx, c cl) error {
			_, err := c.UploadImage(ctx, upstream.RunSurface, picture())
			return err
		}},
		{"start psd", "POST", upstream.PathPSDCreate, false, `{"success":true,"code":0,"data":true}`, func(ctx ctx, c cl) error {
			_, err := c.StartPSD(ctx, "e1")
			return err
		}},
		{"query psd", "POST", upstream.PathPSDQuery, false, `{"success":true,"code":0,"data":{"status":"Running"}}`, func(ctx ctx, c cl) error {
			_, err := c.QueryPSD(ctx, "e1")
			return err
		}},
		{"create fashion model", "POST", upstream.PathFashionModelCreate, true, `{"success":true,"code":0,"data":{"fashionModelId":5}}`, func(ctx ctx, c cl) error {
			_, err := c.CreateFashionModel(ctx, upstream.MyFashionModelCreate{Name: "Ada"})
			return err
		}},
		{"query fashion model", "GET", upstream.PathFashionModelQuery, false, `{"success":true,"code":0,"data":{"fashionModelId":5}}`, func(ctx ctx, c cl) error {
			_, err := c.FashionModel(ctx, 5)
			return err
		}},
		{"delete fashion model", "POST", upstream.PathFashionModelDelete, false, `{"success":true,"code":0}`, func(ctx ctx, c cl) error {
			return c.DeleteFashionModel(ctx, 5)
		}},
		{"create location", "POST", upstream.PathLocationCreate, true, `{"success":true,"code":0,"data":{"locationId":6}}`, func(ctx ctx, c cl) error {
			_, err := c.CreateLocation(ctx, upstream.MyLocationCreate{Name: "Loft"})
			return err
		}},
		{"query location", "GET", upstream.PathLocationQuery, false, `{"success":true,"code":0,"data":{"locationId":6}}`, func(ctx ctx, c cl) error {
			_, err := c.Location(ctx, 6)
			return err
		}},
		{"delete location", "POST", upstream.PathLocationDelete, false, `{"success":true,"code":0}`, func(ctx ctx, c cl) error {
			return c.DeleteLocation(ctx, 6)
		}},
		{"start run", "POST", upstream.PathRuns, true, `{"success":true,"meta":{"executionId":"e1"}}`, func(ctx ctx, c cl) error {
			_, err := c.StartRun(ctx, upstream.RunStart{Agent: upstream.RunAgent{Name: "aipose", Version: "v1.0"}}, "")
			return err
		}},
		{"poll run", "GET", upstream.PathRuns + "/e1", false, `{"success":true,"data":{"executions":[]}}`, func(ctx ctx, c cl) error {
			_, err := c.Run(ctx, "e1")
			return err
		}},
		{"openapi", "GET", upstream.PathOpenAPI, false, "openapi: 3.1.0\n", func(ctx ctx, c cl) error {
			_, err := c.OpenAPI(ctx)
			return err
		}},
		{"estimate power", "POST", upstream.PathEstimates, false, `{"success":true,"data":{"totalPower":3}}`, func(ctx ctx, c cl) error {
			_, err := c.EstimatePower(ctx, upstream.RunStart{})
			return err
		}},
	}
}

// failure gives the *Error in err and fails the test when there is none, or when it shows the key.
func failure(t *testing.T, err error) *upstream.Error {
	t.Helper()
	e, ok := errors.AsType[*upstream.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *upstream.Error", err)
	}
	for where, text := range map[string]string{"text": e.Error(), "message": e.Message, "code": e.Code, "raw": string(e.Raw)} {
		if strings.Contains(text, canary) {
			t.Errorf("the key shows in the error's %s", where)
		}
	}
	if len(e.Raw) > 64<<10 {
		t.Errorf("the error carries %d bytes of answer, more than 64 KiB", len(e.Raw))
	}
	return e
}

// quiet is a log for servers whose complaints are part of the test.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }
