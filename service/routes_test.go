package service

import (
	"net/http"
	"strings"
	"testing"

	"atelier/upstream"
)

func TestEveryPathTellsWhichMethodsItTakes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, r := range w.svc.routes() {
		path := strings.NewReplacer("{executionId}", "none", "{id}", "none", "{name}", "none").Replace(r.path)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			if method == r.method {
				continue
			}
			a := w.do(method, path, w.key, "", nil)
			allow := r.method
			if allow == http.MethodGet {
				allow = "GET, HEAD"
			}
			if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != allow || a.Success || !strings.Contains(a.said(), r.method) {
				t.Errorf("%s %s: status %d, Allow %q, %s", method, path, a.status, a.header.Get("Allow"), a.raw)
			}
			if inRunForm := a.Error.Code != ""; inRunForm != strings.HasPrefix(path, "/openapi/agent/") {
				t.Errorf("%s %s answers in the other surface's envelope: %s", method, path, a.raw)
			}
		}
	}
}

func TestAPathInAnotherFormIsNoneOfOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, path := range []string{
		"/openapi/", "/openapi/v1/nothing", "/openapi//v1/agent/task/list", "/openapi/v1/agent/task/list/", "/openapi/v1/./agent/task/list",
		"/openapi/agent/nothing", "/openapi/agent/runs/", "/openapi/agent/runs/a/b", "/openapi/agent//runs/a", upstream.PathRuns,
	} {
		a := w.get(path, w.key)
		want := http.StatusNotFound
		if path == upstream.PathRuns {
			want = http.StatusMethodNotAllowed
		}
		if a.status != want || a.Success || a.said() == "" {
			t.Errorf("%s: status %d, %s", path, a.status, a.raw)
		}
		if inRunForm := a.Error.Code != ""; inRunForm != strings.HasPrefix(path, "/openapi/agent/") {
			t.Errorf("%s answers in the other surface's envelope: %s", path, a.raw)
		}
	}
}
