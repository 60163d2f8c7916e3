package bff

import (
	"net/http/httptest"
	"testing"
)

func TestPathsThatLetInAreNotLogged(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/review/id.proof/1":                      "/review/…",
		"/openapi/files/0123456789abcdef.png":     "/openapi/files/…",
		"/openapi/files/presets/location-1.jpg":   "/openapi/files/presets/location-1.jpg",
		"/openapi/files/presetsx0123456789abcdef": "/openapi/files/…",
		"/api/runs": "/api/runs",
	} {
		if got := loggedPath(httptest.NewRequestWithContext(t.Context(), "GET", path, nil)); got != want {
			t.Errorf("%s is logged as %s, want %s", path, got, want)
		}
	}
}
