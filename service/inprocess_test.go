package service

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/imaging/testpics"
	"atelier/internal/outbound"
	"atelier/upstream"
)

func TestTheStudioReachesTheServiceWithoutANetwork(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	// What the studio's server does: a key of its own, the client over an in-process transport, downloads through the one
	// way out, which knows the host.
	const key, origin = "the-studio's-own-key", "http://" + EmbeddedHost
	if err := w.svc.EnsureKey(t.Context(), key, "embedded", "studio"); err != nil {
		t.Fatal(err)
	}
	transport := upstream.InProcess(w.svc.Handler())
	client, err := upstream.New(upstream.Options{BaseURL: origin, Key: key, Transport: transport, Idempotency: true, Estimates: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	picture := testpics.JPEG(photo())
	up, err := client.UploadImage(ctx, upstream.TaskSurface, upstream.Upload{Name: "a.jpg", ContentType: "image/jpeg", Size: int64(len(picture)), Body: bytes.NewReader(picture)})
	if err != nil || !strings.HasPrefix(up.Image, origin+pathFiles) {
		t.Fatalf("upload = %+v, %v", up, err)
	}
	created, err := client.CreateTask(ctx, upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": up.Image}})
	if err != nil {
		t.Fatal(err)
	}
	executed, err := client.ExecuteTask(ctx, upstream.TaskExecute{TaskID: created.TaskID, Params: cutOut()})
	if err != nil {
		t.Fatal(err)
	}
	run, err := client.StartRun(ctx, upstream.RunStart{Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, Input: map[string]any{"originalImage": up.Image}, Params: cutOut()}, "once")
	if err != nil || run.ExecutionID == "" || run.TaskID == "" {
		t.Fatalf("run = %+v, %v", run, err)
	}
	downloads := outbound.New(outbound.Policy{InProcess: map[string]http.RoundTripper{EmbeddedHost: transport}})
	for _, id := range []string{executed.ExecutionID, run.ExecutionID} {
		got := eventually(t, func() upstream.Task {
			task, err := client.QueryTask(ctx, upstream.TaskQuery{ExecutionID: id})
			if err != nil {
				t.Fatal(err)
			}
			return task
		}, func(task upstream.Task) bool { return ended(task.Executions[0].Status) })
		result := got.Executions[0].Result[0]
		if result.Status != statusSuccess || !strings.HasPrefix(result.Image, origin) {
			t.Fatalf("result = %+v", result)
		}
		resp, err := downloads.Get(ctx, result.Image, 64<<20)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(resp.Body)
		if cerr := resp.Body.Close(); err != nil || cerr != nil {
			t.Fatal(err, cerr)
		}
		if size := decode(t, data).Rect.Size(); size.X != 520 || size.Y != 560 || resp.ContentType != "image/png" {
			t.Errorf("the download is %v of type %s", size, resp.ContentType)
		}
	}
	if est, err := client.EstimatePower(ctx, upstream.RunStart{Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"}, Input: map[string]any{"originalImage": up.Image}, Params: cutOut()}); err != nil || est.TotalPower != 1 {
		t.Errorf("estimate = %+v, %v", est, err)
	}
	// A client out on the network sees the same picture under the name it came by, but not the studio's tasks.
	if a := w.get(strings.TrimPrefix(up.Image, origin), ""); !bytes.Equal(a.raw, picture) {
		t.Errorf("the upload over the network: status %d", a.status)
	}
	if page := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(page.Tasks) != 0 {
		t.Errorf("an outside key lists %d tasks of the studio", len(page.Tasks))
	}
}

func TestABusyOrDamagedServiceIsUnderstoodByTheClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	client, err := upstream.New(upstream.Options{BaseURL: "http://" + EmbeddedHost, Key: upstream.Secret(w.key), Transport: upstream.InProcess(w.svc.Handler())})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	source := strings.Replace(w.upload(testpics.JPEG(photo())), w.srv.URL, "http://"+EmbeddedHost, 1)
	w.svc.SetSwitches(Switches{CodeAsString: true, MessageField: true, ResultsField: true})
	created, err := client.CreateTask(ctx, upstream.TaskCreate{AgentName: "removeBG", AgentVersion: "v1.0", InitParams: map[string]any{"originalImage": source}})
	if err != nil {
		t.Fatal(err)
	}
	executed, err := client.ExecuteTask(ctx, upstream.TaskExecute{TaskID: created.TaskID, Params: cutOut()})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, func() upstream.Task {
		got, err := client.QueryTask(ctx, upstream.TaskQuery{ExecutionID: executed.ExecutionID})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}, func(got upstream.Task) bool { return got.Executions[0].Result[0].Status == statusSuccess })
	w.svc.SetSwitches(Switches{FailAfter: 1, ConcurrencyLimit: 1, CodeAsString: true, Slow: time.Hour})
	if _, err := client.ExecuteTask(ctx, upstream.TaskExecute{TaskID: created.TaskID, Params: cutOut()}); err == nil {
		t.Error("a cut connection is a success")
	} else if upstream.KindOf(err) == upstream.Busy {
		t.Errorf("a cut connection is said to be busy: %v", err)
	}
	if _, err := client.ExecuteTask(ctx, upstream.TaskExecute{TaskID: created.TaskID, Params: cutOut()}); upstream.KindOf(err) != upstream.Busy {
		t.Errorf("too many at once is %v", err)
	}
}
