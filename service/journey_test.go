package service

import (
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"testing"

	"atelier/imaging/testpics" // results may be JPEG
	"atelier/upstream"

	"github.com/google/go-cmp/cmp"
)

func TestAPictureIsCutOutFromUploadToResult(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(testpics.PNG(photo()))
	if got := w.fetch(source); got.status != http.StatusOK || !cmp.Equal(got.raw, testpics.PNG(photo())) {
		t.Errorf("the uploaded picture comes back with status %d and %d bytes", got.status, len(got.raw))
	}
	params := cutOut("batchCount", 2)
	execution := w.execute(w.task("removeBG", source), params)
	got := w.finish(execution)
	if got.Status != statusSuccess || len(got.Result) != 2 {
		t.Fatalf("execution = %+v", got)
	}
	if diff := cmp.Diff(params["customMask"], got.Params["customMask"]); diff != "" {
		t.Errorf("customMask changed (-want +got):\n%s", diff)
	}
	want := photo()
	for i, item := range got.Result {
		if item.Status != statusSuccess || item.Progress != "1.00" {
			t.Errorf("item %d = %+v", i, item)
		}
		file := w.fetch(item.Image)
		if file.status != http.StatusOK || file.header.Get("Content-Type") != "image/png" {
			t.Fatalf("result: status %d, %v", file.status, file.header)
		}
		img := decode(t, file.raw)
		if img.NRGBAAt(100, 300) != want.NRGBAAt(100, 300) {
			t.Errorf("item %d: a kept pixel changed from %v to %v", i, want.NRGBAAt(100, 300), img.NRGBAAt(100, 300))
		}
		if c := img.NRGBAAt(500, 300); c.R != 0x20 || c.G != 0x40 || c.B != 0x60 || c.A != 255 {
			t.Errorf("item %d: the background is %v", i, c)
		}
	}
}

func TestARunIsATaskWithOneExecution(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := must[upstream.Uploaded](t, w.tryUpload(upstream.PathRunUpload, w.key, testpics.PNG(photo()))).Image
	a := w.post(upstream.PathRuns, w.key, upstream.RunStart{
		Agent: upstream.RunAgent{Name: "removeBG", Version: "v1.0"},
		Input: map[string]any{"originalImage": source, "taskName": "one"}, Params: cutOut(),
	})
	started := must[upstream.RunStarted](t, a)
	if started.ExecutionID == "" || started.TaskID == "" || a.Meta.ExecutionID != started.ExecutionID {
		t.Fatalf("answer = %s", a.raw)
	}
	end := eventually(t, func() upstream.RunStatus {
		return must[upstream.RunStatus](t, w.get(upstream.PathRuns+"/"+started.ExecutionID, w.key))
	}, func(s upstream.RunStatus) bool { return ended(s.Executions[0].Status) })
	if end.AgentName != "removeBG" || end.InitParams["taskName"] != "one" || end.Executions[0].Status != statusSuccess {
		t.Errorf("run = %+v", end)
	}
	list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key))
	if len(list.Tasks) != 1 || list.Tasks[0].TaskID != started.TaskID {
		t.Errorf("the run is not in the list of tasks: %+v", list)
	}
	w.svc.SetSwitches(Switches{RunsHidden: true})
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(list.Tasks) != 0 {
		t.Errorf("hidden runs are listed: %+v", list)
	}
}
