package service

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"atelier/upstream"
)

func TestOnlyTheRawKeyOpensTheService(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	tests := []struct {
		name, key string
		code      int
	}{
		{"no key", "", upstream.CodeKey},
		{"the word Bearer before it", "Bearer " + w.key, upstream.CodeKey},
		{"bearer in small letters", "bearer " + w.key, upstream.CodeKey},
		{"another key", strings.Repeat("x", 43), upstream.CodeKey},
		{"a part of the key", w.key[:42], upstream.CodeKey},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := w.get(upstream.PathTaskList, tt.key)
			if a.status != http.StatusUnauthorized || a.Success || a.Code != tt.code || a.Msg == "" {
				t.Errorf("task surface: status %d, %s", a.status, a.raw)
			}
			a = w.get(upstream.PathRuns+"/none", tt.key)
			if a.status != http.StatusUnauthorized || a.Success || a.Error.Code != "40001" || a.Error.Retryable {
				t.Errorf("run surface: status %d, %s", a.status, a.raw)
			}
		})
	}
	if a := w.get(upstream.PathTaskList, w.key); a.status != http.StatusOK {
		t.Errorf("the key itself: status %d, %s", a.status, a.raw)
	}
}

func TestARevokedKeyIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	raw, key, err := w.svc.CreateKey(t.Context(), "studio", "second")
	if err != nil {
		t.Fatal(err)
	}
	if a := w.get(upstream.PathTaskList, raw); a.status != http.StatusOK {
		t.Fatalf("before: status %d", a.status)
	}
	if err := w.svc.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	if a := w.get(upstream.PathTaskList, raw); a.status != http.StatusUnauthorized || a.Code != upstream.CodeKeyExpired {
		t.Errorf("after: status %d, %s", a.status, a.raw)
	}
	if err := w.svc.RevokeKey(t.Context(), key.ID); err == nil {
		t.Error("a key was revoked twice")
	}
	if err := w.svc.EnsureKey(t.Context(), raw, "studio", "again"); err == nil {
		t.Error("a revoked key was taken as a working one")
	}
}

func TestKeysAreMadeBesideARunningService(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	d, err := w.svc.files.draft() // an upload that is under way
	if err != nil {
		t.Fatal(err)
	}
	beside, err := Open(t.Context(), w.cfg) // what "keys create" does in a process of its own
	if err != nil {
		t.Fatal(err)
	}
	raw, key, err := beside.CreateKey(t.Context(), "visitor", "laptop")
	if err != nil {
		t.Fatal(err)
	}
	if a := w.get(upstream.PathTaskList, raw); a.status != http.StatusOK {
		t.Errorf("the new key: status %d, %s", a.status, a.raw)
	}
	if err := beside.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	if a := w.get(upstream.PathTaskList, raw); a.status != http.StatusUnauthorized {
		t.Errorf("the revoked key: status %d, %s", a.status, a.raw)
	}
	if err := beside.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.file.Name()); err != nil {
		t.Errorf("the upload under way lost its file: %v", err)
	}
	if err := d.discard(); err != nil {
		t.Error(err)
	}
}

func TestKeysAreListedWithoutTheKeyItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if err := w.svc.EnsureKey(t.Context(), "a-fixed-key-of-the-studio", "local", "embedded"); err != nil {
		t.Fatal(err)
	}
	if err := w.svc.EnsureKey(t.Context(), "a-fixed-key-of-the-studio", "local", "embedded"); err != nil {
		t.Fatal(err)
	}
	keys, err := w.svc.ListKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) != 2 || keys[0].Account != "studio" || keys[0].Last4 != w.key[39:] || keys[1].Account != "local" || keys[1].Name != "embedded" || keys[1].Last4 != "udio" {
		t.Errorf("keys = %+v", keys)
	}
	w.close()
	for _, name := range []string{"service.db", "service.db-wal"} {
		data, err := os.ReadFile(filepath.Join(w.folder, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(w.key)) || bytes.Contains(data, []byte("a-fixed-key")) {
			t.Errorf("%s holds a key as it is", name)
		}
	}
}

func TestOneAccountSeesNothingOfAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	source := w.upload(jpegOf(photo()))
	task := w.task("removeBG", source)
	execution := w.execute(task, cutOut())
	w.finish(execution)
	w.rest() // a complete row makes the model usable, whoever wrote it
	model := must[upstream.MyFashionModel](t, w.post(upstream.PathFashionModelCreate, w.key, upstream.MyFashionModelCreate{
		Images: []string{w.upload(portrait())}, Name: "Ada", AgentName: "aimodel", AgentVersion: "v1.0",
	})).FashionModelID
	place := must[upstream.MyLocation](t, w.post(upstream.PathLocationCreate, w.key, upstream.MyLocationCreate{
		Image: source, Name: "Yard", AgentName: "aimodel", AgentVersion: "v1.0",
	})).LocationID
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE my_preset SET status = ?`, upstream.PresetComplete); err != nil {
		t.Fatal(err)
	}
	stranger := w.newKey("stranger")

	asked := map[string]answer{
		"query by execution": w.post(upstream.PathTaskQuery, stranger, upstream.TaskQuery{ExecutionID: execution}),
		"query by task":      w.post(upstream.PathTaskQuery, stranger, upstream.TaskQuery{TaskID: task}),
		"execute":            w.post(upstream.PathTaskExecute, stranger, upstream.TaskExecute{TaskID: task, Params: cutOut()}),
		"delete":             w.post(upstream.PathTaskDelete, stranger, map[string]string{"taskId": task}),
		"poll":               w.get(upstream.PathRuns+"/"+execution, stranger),
		"start a PSD":        w.post(upstream.PathPSDCreate, stranger, map[string]string{"executionId": execution}),
		"query a PSD":        w.post(upstream.PathPSDQuery, stranger, map[string]string{"executionId": execution}),
		"query a model":      w.get(upstream.PathFashionModelQuery+"?fashionModelId="+itoa(model), stranger),
		"delete a model":     w.post(upstream.PathFashionModelDelete, stranger, map[string]int64{"fashionModelId": model}),
		"query a location":   w.get(upstream.PathLocationQuery+"?locationId="+itoa(place), stranger),
		"delete a location":  w.post(upstream.PathLocationDelete, stranger, map[string]int64{"locationId": place}),
	}
	for what, a := range asked {
		if a.status != http.StatusNotFound || a.Success {
			t.Errorf("%s: status %d, %s", what, a.status, a.raw)
		}
	}
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, stranger)); len(list.Tasks) != 0 {
		t.Errorf("the stranger lists %d tasks", len(list.Tasks))
	}
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.key)); len(list.Tasks) != 1 {
		t.Errorf("the owner lists %d tasks", len(list.Tasks))
	}
	info := must[upstream.AgentInfo](t, w.get(upstream.PathAgentInfo+"?agentName=aimodel&agentVersion=v1.0", stranger))
	for _, m := range info.FashionModels {
		if m.Type == typeYours {
			t.Errorf("the stranger is offered %+v", m)
		}
	}
	a := w.post(upstream.PathRuns, stranger, upstream.RunStart{
		Agent:  upstream.RunAgent{Name: "aimodel", Version: "v1.0"},
		Input:  map[string]any{"originalImage": source},
		Params: map[string]any{"generatedContent": "freeCreation", "maskType": "autoApparelSegment", "fashionModelId": model},
	})
	if a.Success || !strings.Contains(a.said(), "fashionModelId") {
		t.Errorf("the stranger used the model: %s", a.raw)
	}
}

func TestTasksAreListedByTheKeyThatMadeThemAndOldOnesByAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.task("removeBG", w.upload(jpegOf(photo())))
	second := w.newKey("studio")
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, second)); len(list.Tasks) != 0 {
		t.Errorf("another key of the account lists %d tasks", len(list.Tasks))
	}
	if _, err := w.svc.db.Write.ExecContext(t.Context(), `UPDATE task SET key_id = ''`); err != nil {
		t.Fatal(err)
	}
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, second)); len(list.Tasks) != 1 {
		t.Errorf("a task without a creating key is listed %d times", len(list.Tasks))
	}
	if list := must[upstream.TaskPage](t, w.get(upstream.PathTaskList, w.newKey("stranger"))); len(list.Tasks) != 0 {
		t.Errorf("a stranger lists %d tasks", len(list.Tasks))
	}
}
