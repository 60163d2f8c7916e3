package service

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A panic where files and the description are served is counted and logged as one of any other handler, and its answer is broken off.
func TestAPanicBesideTheEnvelopesIsCounted(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	panics := 0
	s := &Service{cfg: Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), Panicked: func() { panics++ }}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+pathFiles+"{id}", func(_ http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") == "cut" {
			panic(http.ErrAbortHandler)
		}
		panic("a broken row")
	})
	for id, want := range map[string]int{"cut": 0, "any": 1} {
		panics = 0
		func() {
			defer func() {
				if p := recover(); p != any(http.ErrAbortHandler) {
					t.Errorf("%s: %v goes on, want the answer broken off", id, p)
				}
			}()
			s.known(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, pathFiles+id, http.NoBody))
		}()
		if panics != want {
			t.Errorf("%s: %d panics counted, want %d", id, panics, want)
		}
	}
	if !strings.Contains(log.String(), "a broken row") {
		t.Errorf("the log says %q", log.String())
	}
}
