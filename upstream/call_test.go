package upstream_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/upstream"
)

func TestEveryEndpointIsAskedAsDocumented(t *testing.T) {
	for _, op := range operations() {
		t.Run(op.path, func(t *testing.T) {
			var got *http.Request
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r
				says(http.StatusOK, op.good).ServeHTTP(w, r)
			}))
			if err := op.call(t.Context(), c); err != nil {
				t.Fatalf("%s: %v", op.name, err)
			}
			if got.Method != op.method || got.URL.Path != op.path {
				t.Errorf("asked %s %s, want %s %s", got.Method, got.URL.Path, op.method, op.path)
			}
			if auth := got.Header.Values("Authorization"); len(auth) != 1 || auth[0] != canary {
				t.Errorf("Authorization %q, want the raw key", auth)
			}
			for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key", "Referer", "Cookie"} {
				if got.Header.Get(name) != "" {
					t.Errorf("header %s: %q went out", name, got.Header.Get(name))
				}
			}
			if strings.HasSuffix(op.name, "image") || op.method != http.MethodPost {
				return
			}
			if ct := got.Header.Get("Content-Type"); ct != "application/json" {
				t.Errorf("Content-Type %q, want application/json", ct)
			}
		})
	}
}

func TestRequestsCarryTheDocumentedFields(t *testing.T) {
	after := time.Date(2026, 3, 1, 10, 0, 0, 500_000_000, time.FixedZone("", 3600))
	tests := []struct {
		name  string
		call  func(ctx context.Context, c *upstream.Client) error
		query string
		body  string
	}{
		{"create task", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.CreateTask(ctx, upstream.TaskCreate{AgentName: "aimodel", AgentVersion: "v1.0", InitParams: map[string]any{"taskName": "a"}})
			return err
		}, "", `{"agentName":"aimodel","agentVersion":"v1.0","initParams":{"taskName":"a"}}`},
		{"execute task without params", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.ExecuteTask(ctx, upstream.TaskExecute{TaskID: "t", CallbackURL: "https://me/cb"})
			return err
		}, "", `{"taskId":"t","params":{},"callbackUrl":"https://me/cb"}`},
		{"query by execution", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.QueryTask(ctx, upstream.TaskQuery{ExecutionID: "e"})
			return err
		}, "", `{"executionId":"e"}`},
		{"list with everything", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.ListTasks(ctx, upstream.TaskFilter{Limit: 20, Cursor: "a+b/c=", CreatedAfter: after, CreatedBefore: after})
			return err
		}, "createdAfter=2026-03-01T09%3A00%3A00Z&createdBefore=2026-03-01T09%3A00%3A01Z&cursor=a%2Bb%2Fc%3D&limit=20", ""},
		{"list with nothing", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.ListTasks(ctx, upstream.TaskFilter{})
			return err
		}, "", ""},
		{"agent info", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.AgentInfo(ctx, upstream.AgentInfoQuery{AgentName: "aimodel", AgentVersion: "v1.0", Page: 2, PageSize: 100, ResourceType: "locations"})
			return err
		}, "agentName=aimodel&agentVersion=v1.0&page=2&pageSize=100&resourceType=locations", ""},
		{"delete model above 2^31", func(ctx context.Context, c *upstream.Client) error {
			return c.DeleteFashionModel(ctx, 4294967297)
		}, "", `{"fashionModelId":4294967297}`},
		{"query location", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.Location(ctx, 12)
			return err
		}, "locationId=12", ""},
		{"start run", func(ctx context.Context, c *upstream.Client) error {
			_, err := c.StartRun(ctx, upstream.RunStart{Agent: upstream.RunAgent{Name: "z", Version: "v1.0"}}, "never sent")
			return err
		}, "", `{"agent":{"name":"z","version":"v1.0"},"input":{},"params":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var query, body string
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				b, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				query, body = r.URL.RawQuery, string(b)
				says(http.StatusOK, `{"success":true,"code":0,"data":{"taskId":"t","executionId":"e"}}`).ServeHTTP(w, r)
			}))
			if err := tt.call(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.query, query); diff != "" {
				t.Errorf("query (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.body, body); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunIDsCannotLeaveTheirPath(t *testing.T) {
	var paths []string
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.EscapedPath())
		says(http.StatusOK, `{"success":true,"data":{}}`).ServeHTTP(w, r)
	}))
	for _, id := range []string{"", ".", ".."} {
		if _, err := c.Run(t.Context(), id); err == nil {
			t.Errorf("Run(%q) was asked", id)
		}
	}
	for _, id := range []string{"../../../admin", "a/b", "a?b=c", "a#b", "a%2fb"} {
		if _, err := c.Run(t.Context(), id); err != nil {
			t.Errorf("Run(%q): %v", id, err)
		}
	}
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, upstream.PathRuns+"/"); !ok || strings.Contains(rest, "/") {
			t.Errorf("asked %s, which is not one segment below %s", p, upstream.PathRuns)
		}
	}
	if len(paths) != 5 {
		t.Errorf("%d requests, want 5", len(paths))
	}
}

func TestTheBasePathAndTheDownloadHostAreKept(t *testing.T) {
	var mu sync.Mutex
	var got []string
	record := func(host string) http.RoundTripper {
		return upstream.InProcess(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, host+r.Host+r.URL.Path)
			says(http.StatusOK, `{"success":true,"code":0,"data":{}}`).ServeHTTP(w, r)
		}))
	}
	c, err := upstream.New(upstream.Options{
		BaseURL: "https://api.example/gateway/", DownloadURL: "https://files.example", Key: canary, Transport: record(""),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.QueryPSD(t.Context(), "e"); err != nil {
		t.Error(err)
	}
	if _, err := c.Run(t.Context(), "e/1"); err != nil {
		t.Error(err)
	}
	want := []string{"files.example" + upstream.PathPSDQuery, "api.example/gateway" + upstream.PathRuns + "/e/1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestIdempotencyKeyGoesOutOnlyWhenSwitchedOn(t *testing.T) {
	for _, on := range []bool{false, true} {
		var got []string
		seen := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = append(got, r.Header.Get("Idempotency-Key"))
			says(http.StatusOK, `{"success":true,"meta":{"executionId":"e"}}`).ServeHTTP(w, r)
		})
		switchOn := func(o *upstream.Options) { o.Idempotency = on }
		inside := func(o *upstream.Options) { o.Idempotency, o.Transport = on, upstream.InProcess(seen) }
		for _, c := range []*upstream.Client{client(t, seen, switchOn), client(t, seen, inside)} {
			if _, err := c.StartRun(t.Context(), upstream.RunStart{}, "intent-1"); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{"", ""}
		if on {
			want = []string{"intent-1", "intent-1"}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("switched on %v (-want +got):\n%s", on, diff)
		}
	}
}

func TestEstimatesAreAskedOnlyWhenSwitchedOn(t *testing.T) {
	asked := 0
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		says(http.StatusOK, `{"totalPower":"2.5","type":"image","exclusive":true,"isEstimated":1}`).ServeHTTP(w, r)
	})
	off := client(t, h, func(o *upstream.Options) { o.Estimates = false })
	if _, err := off.EstimatePower(t.Context(), upstream.RunStart{}); !errors.Is(err, upstream.ErrEstimatesOff) || asked != 0 {
		t.Errorf("switched off: %v after %d requests, want ErrEstimatesOff after none", err, asked)
	}
	got, err := client(t, h).EstimatePower(t.Context(), upstream.RunStart{})
	want := upstream.Estimate{TotalPower: 2.5, Type: "image", Exclusive: true, IsEstimated: true}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestAnswersAreHeardBeforeTheyAreInterpreted(t *testing.T) {
	type key struct{}
	var heard []string
	hear := func(o *upstream.Options) {
		o.OnAnswer = func(ctx context.Context, op string, raw []byte) {
			heard = append(heard, ctx.Value(key{}).(string)+" "+op+" "+string(raw))
		}
	}
	c := client(t, says(http.StatusOK, `{"success":true,"data":{"executionId":`), hear)
	ctx := context.WithValue(t.Context(), key{}, "intent 7")
	if _, err := c.StartRun(ctx, upstream.RunStart{}, ""); upstream.KindOf(err) != upstream.Ambiguous {
		t.Errorf("got %v, want an ambiguous error", err)
	}
	if _, err := c.Run(ctx, "e"); err == nil {
		t.Error("a cut-off answer was taken")
	}
	want := []string{`intent 7 start run {"success":true,"data":{"executionId":`}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
}

func TestNewRefusesWhatWouldLeakTheKey(t *testing.T) {
	tests := []struct {
		name string
		o    upstream.Options
		ok   bool
	}{
		{"https", upstream.Options{BaseURL: "https://api.example", Key: "k"}, true},
		{"https with path", upstream.Options{BaseURL: "https://api.example/v2/", Key: "k"}, true},
		{"loopback by name", upstream.Options{BaseURL: "http://localhost:8080", Key: "k"}, true},
		{"loopback by number", upstream.Options{BaseURL: "http://127.0.0.1:8080", Key: "k"}, true},
		{"loopback IPv6", upstream.Options{BaseURL: "http://[::1]:8080", Key: "k"}, true},
		{"http in process", upstream.Options{BaseURL: "http://service", Key: "k", Transport: upstream.InProcess(http.NotFoundHandler())}, true},
		{"plain http", upstream.Options{BaseURL: "http://api.example", Key: "k"}, false},
		{"plain http that looks local", upstream.Options{BaseURL: "http://localhost.evil.example", Key: "k"}, false},
		{"plain http for downloads", upstream.Options{BaseURL: "https://api.example", DownloadURL: "http://files.example", Key: "k"}, false},
		{"no host", upstream.Options{BaseURL: "https://", Key: "k"}, false},
		{"no scheme", upstream.Options{BaseURL: "api.example", Key: "k"}, false},
		{"user and password", upstream.Options{BaseURL: "https://me:pw@api.example", Key: "k"}, false},
		{"query", upstream.Options{BaseURL: "https://api.example?x=1", Key: "k"}, false},
		{"nonsense", upstream.Options{BaseURL: "https://a b", Key: "k"}, false},
		{"no key", upstream.Options{BaseURL: "https://api.example"}, false},
		{"key with line break", upstream.Options{BaseURL: "https://api.example", Key: "k\r\nX: y"}, false},
		{"key with blank", upstream.Options{BaseURL: "https://api.example", Key: "Bearer k"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := upstream.New(tt.o)
			if (err == nil) != tt.ok {
				t.Errorf("New(%+v): %v", tt.o, err)
			}
			if err != nil && (strings.Contains(err.Error(), "pw") || strings.Contains(err.Error(), "X: y")) {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
}

// TestPagingWalksEveryPage follows nextCursor as it was given.
func TestPagingWalksEveryPage(t *testing.T) {
	pages := map[string]string{
		"":      `{"tasks":[{"taskId":3},{"taskId":"2"}],"hasMore":true,"nextCursor":"c/1+="}`,
		"c/1+=": `{"tasks":[{"taskId":"1","createdAt":"2026-01-02T03:04:05Z"}],"hasMore":false}`,
	}
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, err := url.ParseQuery(r.URL.RawQuery)
		if err != nil {
			t.Error(err)
		}
		body, err := json.Marshal(map[string]any{"success": true, "code": "0", "data": json.RawMessage(pages[q.Get("cursor")])})
		if err != nil {
			t.Error(err)
		}
		says(http.StatusOK, string(body)).ServeHTTP(w, r)
	}))
	var ids []string
	f := upstream.TaskFilter{}
	for {
		page, err := c.ListTasks(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range page.Tasks {
			ids = append(ids, task.TaskID)
		}
		if !page.HasMore {
			break
		}
		f.Cursor = page.NextCursor
	}
	if diff := cmp.Diff([]string{"3", "2", "1"}, ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
