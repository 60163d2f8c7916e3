package client

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"atelier/app/browser"
	"atelier/atelier"
)

// wire answers every request the same and remembers the last one.
type wire struct {
	status int
	body   string
	err    error
	got    browser.Request
}

func (w *wire) send(_ context.Context, r browser.Request) (browser.Response, error) {
	w.got = r
	return browser.Response{Status: w.status, Body: []byte(w.body)}, w.err
}

func (w *wire) upload(_ context.Context, url string, header map[string]string, f browser.File, progress func(sent, total int64)) (browser.Response, error) {
	w.got = browser.Request{Method: "POST", URL: url, Header: header}
	progress(f.Size/2, f.Size)
	return browser.Response{Status: w.status, Body: []byte(w.body)}, w.err
}

func (w *wire) api() *API { return New(w.send, w.upload) }

func TestRequestsFollowTheContract(t *testing.T) {
	tests := []struct {
		name   string
		call   func(*API) error
		method string
		url    string
		marked bool // carries X-Atelier
	}{
		{"session", func(a *API) error { _, err := a.Session(t.Context()); return err }, "GET", "/api/session", false},
		{"login", func(a *API) error { _, err := a.Login(t.Context(), "x"); return err }, "POST", "/api/session", true},
		{"logout", func(a *API) error { return a.Logout(t.Context()) }, "DELETE", "/api/session", true},
		{"presets", func(a *API) error { _, err := a.Presets(t.Context(), "ai/model", "locations", 2, 50); return err }, "GET", "/api/agents/ai%2Fmodel/presets?kind=locations&page=2&pageSize=50", false},
		{"start", func(a *API) error { _, err := a.Start(t.Context(), atelier.StartRun{}); return err }, "POST", "/api/runs", true},
		{"dismiss", func(a *API) error { _, err := a.Dismiss(t.Context(), "r1"); return err }, "POST", "/api/runs/r1/dismiss", true},
		{"doubt", func(a *API) error { _, err := a.Doubt(t.Context(), "r1"); return err }, "DELETE", "/api/runs/r1/dismiss", true},
		{"adopt", func(a *API) error { _, err := a.Adopt(t.Context(), "r1", "e1"); return err }, "POST", "/api/runs/r1/adopt", true},
		{"retry", func(a *API) error {
			_, err := a.Retry(t.Context(), "r1", false)
			return err
		}, "POST", "/api/runs/r1/retry", true},
		{"send next", func(a *API) error { return a.SendNext(t.Context(), "r1", true) }, "POST", "/api/runs/r1/next", true},
		{"send in turn", func(a *API) error { return a.SendNext(t.Context(), "r1", false) }, "DELETE", "/api/runs/r1/next", true},
		{"star", func(a *API) error { return a.UpdateResult(t.Context(), "x1", atelier.UpdateResult{}) }, "PATCH", "/api/results/x1", true},
		{"runs", func(a *API) error {
			_, err := a.Runs(t.Context(), atelier.RunFilter{Limit: 5, Agent: "a b", Starred: true, From: time.Unix(0, 0)})
			return err
		}, "GET", "/api/runs?agent=a+b&from=1970-01-01T00%3A00%3A00Z&limit=5&starred=1", false},
		{"results", func(a *API) error {
			_, err := a.Results(t.Context(), atelier.RunFilter{Rating: 3, Pick: "reject", Changed: true, Apart: true, Sort: atelier.SortFidelity, Cursor: "c"})
			return err
		}, "GET", "/api/results?apart=1&changed=1&cursor=c&pick=reject&rating=3&sort=fidelity", false},
		{"months", func(a *API) error {
			_, err := a.ResultMonths(t.Context(), atelier.RunFilter{Query: "red dress", Cursor: "c", Limit: 5, Sort: atelier.SortRating})
			return err
		}, "GET", "/api/results/dates?q=red+dress", false},
		{"duplicates", func(a *API) error { _, err := a.Duplicates(t.Context(), "ab"); return err }, "GET", "/api/results/duplicates?cursor=ab", false},
		{"mark many", func(a *API) error { _, err := a.UpdateResults(t.Context(), atelier.UpdateResults{}); return err }, "PATCH", "/api/results", true},
		{"trash many", func(a *API) error { _, err := a.Trash(t.Context(), nil); return err }, "POST", "/api/runs/trash", true},
		{"restore many", func(a *API) error { _, err := a.RestoreRuns(t.Context(), nil); return err }, "POST", "/api/runs/restore", true},
		{"throw away", func(a *API) error { _, err := a.TrashResults(t.Context(), nil); return err }, "POST", "/api/results/trash", true},
		{"delete for good", func(a *API) error {
			_, err := a.PurgeTrash(t.Context(), atelier.PurgeTrash{All: true})
			return err
		}, "POST", "/api/trash/purge", true},
		{"take back", func(a *API) error { _, err := a.RestoreResults(t.Context(), nil); return err }, "POST", "/api/results/restore", true},
		{"boards", func(a *API) error { _, err := a.Boards(t.Context()); return err }, "GET", "/api/boards", false},
		{"make a board", func(a *API) error { _, err := a.CreateBoard(t.Context(), atelier.CreateBoard{}); return err }, "POST", "/api/boards", true},
		{"change a board", func(a *API) error { _, err := a.UpdateBoard(t.Context(), "b/1", atelier.UpdateBoard{}); return err }, "PATCH", "/api/boards/b%2F1", true},
		{"delete a board", func(a *API) error { return a.DeleteBoard(t.Context(), "b1") }, "DELETE", "/api/boards/b1", true},
		{"lock", func(a *API) error { _, err := a.Lock(t.Context(), "x1"); return err }, "POST", "/api/results/x1/lock", true},
		{"archive", func(a *API) error { _, err := a.Zip(t.Context(), atelier.StartZip{}); return err }, "POST", "/api/zips", true},
		{"layers", func(a *API) error { _, err := a.Layers(t.Context(), atelier.StartLayers{}); return err }, "POST", "/api/psds", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &wire{status: 200, body: "{}"}
			if err := tt.call(w.api()); err != nil {
				t.Fatal(err)
			}
			if w.got.Method != tt.method || w.got.URL != tt.url {
				t.Errorf("%s %s, want %s %s", w.got.Method, w.got.URL, tt.method, tt.url)
			}
			if got := w.got.Header["X-Atelier"] == "1"; got != tt.marked {
				t.Errorf("X-Atelier sent: %v", got)
			}
		})
	}
}

func TestUploadNamesTheFileAndTellsProgress(t *testing.T) {
	w := &wire{status: 201, body: `{"id":"a1","width":600}`}
	var sent int64
	asset, err := w.api().Upload(t.Context(), browser.NewFile("a dress.jpg", make([]byte, 100)), func(n, _ int64) { sent = n })
	if err != nil || asset.ID != "a1" || sent != 50 {
		t.Errorf("asset %+v, sent %d, %v", asset, sent, err)
	}
	if w.got.URL != "/api/assets?name=a+dress.jpg" || w.got.Header["X-Atelier"] != "1" {
		t.Errorf("%+v", w.got)
	}
}

func TestErrorsAreSentences(t *testing.T) {
	tests := []struct {
		name string
		wire wire
		code atelier.Code
		want string
	}{
		{"the server's own", wire{status: 422, body: `{"error":{"code":"refused","message":"Not this one.","fields":{"a":"b"}}}`}, atelier.Refused, "Not this one."},
		{"a proxy's page", wire{status: 502, body: "<html>"}, atelier.UpstreamBad, "The server answered with status 502 and no explanation. Try again in a moment."},
		{"an answer that is no JSON", wire{status: 200, body: "<html>"}, atelier.Internal, "The server's answer could not be read. Reload the page."},
		{"no answer", wire{err: browser.ErrOffline}, Offline, "The server does not respond. Check the connection; your work is safe."},
		{"nobody signed in", wire{status: 401, body: ``}, atelier.Unauthorized, "The server answered with status 401 and no explanation. Try again in a moment."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.wire.api().Session(t.Context())
			if got := atelier.CodeOf(err); got != tt.code {
				t.Errorf("code %q, want %q", got, tt.code)
			}
			if e, ok := errors.AsType[*atelier.Error](err); !ok || e.Message != tt.want {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestAgentsAreReadInEitherForm(t *testing.T) {
	for _, body := range []string{`{"agents":[{"name":"aimodel"}]}`, `[{"name":"aimodel"}]`} {
		agents, err := (&wire{status: 200, body: body}).api().Agents(t.Context())
		if err != nil || len(agents) != 1 || agents[0].Name != "aimodel" {
			t.Errorf("%s: %+v, %v", body, agents, err)
		}
	}
}

func TestStartSendsTheIntentAsItIs(t *testing.T) {
	w := &wire{status: 202, body: `{"run":{"id":"r1"}}`}
	want := atelier.StartRun{IntentKey: "k", Agent: "aimodel", Values: map[string]any{"batchCount": 4.0}, Files: map[string][]string{"originalImage": {"a"}}, Mask: &atelier.MaskInput{PNG: "cG5n"}}
	run, err := w.api().Start(t.Context(), want)
	if err != nil || run.ID != "r1" {
		t.Fatalf("%+v, %v", run, err)
	}
	var got atelier.StartRun
	if err := json.Unmarshal(w.got.Body, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheAddressOfADelivery(t *testing.T) {
	r := atelier.Result{File: "/api/results/x1/file"}
	for want, got := range map[string]string{
		"/api/results/x1/file?download=1": FileAs(r, atelier.StartZip{}),
		"/api/results/x1/file?download=1&format=jpeg&quality=80&size=square-2000&template=%7Btitle%7D": FileAs(r, atelier.StartZip{Format: "jpeg", Quality: 80, Size: "square-2000", Template: "{title}"}),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
