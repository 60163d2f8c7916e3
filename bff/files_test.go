package bff_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
)

func TestR20FilesAreShownAndNeverRun(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	data := photo(33)
	r := s.send("POST", "/api/assets?name=r%C3%B6ntgen%22%0d%0aX%3A1%E2%80%AE.svg", bytes.NewReader(data), func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	var a atelier.Asset
	s.check(json.Unmarshal(r.body, &a))
	file := s.send("GET", a.File, nil, nil)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Content-Security-Policy": "default-src 'none'; sandbox", "X-Content-Type-Options": "nosniff",
		"Cache-Control": "private, max-age=31536000, immutable", "ETag": `"` + a.SHA256 + `"`,
		"Content-Disposition": `inline; filename="r_ntgen-X-1.jpg"; filename*=UTF-8''r%C3%B6ntgen-X-1.jpg`,
	} {
		if got := file.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !bytes.Equal(file.body, data) {
		t.Error("the bytes differ")
	}
	part := s.send("GET", a.File, nil, func(r *http.Request) { r.Header.Set("Range", "bytes=10-19") })
	if part.status != http.StatusPartialContent || !bytes.Equal(part.body, data[10:20]) {
		t.Errorf("a part = %d, %d bytes", part.status, len(part.body))
	}
	for _, path := range []string{a.File, a.Thumb + "?w=320"} {
		tag := s.send("GET", path, nil, nil).header.Get("ETag")
		if again := s.send("GET", path, nil, func(r *http.Request) { r.Header.Set("If-None-Match", tag) }); again.status != http.StatusNotModified {
			t.Errorf("%s again = %d", path, again.status)
		}
	}
	if r := s.send("GET", a.File+"?download=1", nil, nil); !strings.HasPrefix(r.header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("a download is %s", r.header.Get("Content-Disposition"))
	}
	for _, query := range []string{"?w=x", "?w=0", "?w=99999"} {
		if r := s.send("GET", a.Thumb+query, nil, nil); r.status != http.StatusBadRequest {
			t.Errorf("thumb%s = %d", query, r.status)
		}
	}
	agents := s.send("GET", "/api/agents", nil, nil)
	if again := s.send("GET", "/api/agents", nil, func(r *http.Request) { r.Header.Set("If-None-Match", agents.header.Get("ETag")) }); again.status != http.StatusNotModified {
		t.Errorf("the catalog again = %d", again.status)
	}
}
