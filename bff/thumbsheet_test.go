package bff_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
)

// sheet gets the thumbnails of results with one request.
func (s *studio) sheet(query string, of ...atelier.ResultID) reply {
	s.t.Helper()
	names := make([]string, len(of))
	for i, id := range of {
		names[i] = string(id)
	}
	return s.send("GET", "/api/results/thumbs?"+query+"of="+strings.Join(names, ","), nil, nil)
}

// The line of each result is the very picture that is served alone, and that of one which may not be looked at is empty.
func TestThumbnailsComeTogether(t *testing.T) {
	t.Parallel()
	g := newGallery(t)
	others, gone := g.hidden[0].ID, atelier.ResultID("res_none")
	lines := func(a reply, want int) []string {
		t.Helper()
		if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/plain; charset=us-ascii" {
			t.Fatalf("the sheet = %d, %s: %s", a.status, a.header.Get("Content-Type"), a.body)
		}
		all := strings.Split(string(a.body), "\n")
		if len(all) != want+1 || all[want] != "" {
			t.Fatalf("%d lines for %d pictures", len(all)-1, want)
		}
		return all[:want]
	}
	same := func(line string, of atelier.Result, width string) {
		t.Helper()
		alone := g.send("GET", of.Thumb+"?w="+width, nil, nil)
		head := "data:" + alone.header.Get("Content-Type") + ";base64,"
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(line, head))
		if !strings.HasPrefix(line, head) || err != nil || !bytes.Equal(data, alone.body) || len(data) == 0 {
			t.Errorf("a line of %d bytes, %v, is not the thumbnail of %d bytes", len(line), err, len(alone.body))
		}
	}

	seen := g.sheet("w=160&", g.shown[1].ID, others, gone, g.shown[0].ID)
	all := lines(seen, 4)
	same(all[0], g.shown[1], "160")
	same(all[3], g.shown[0], "160")
	if all[1] != "" || all[2] != "" {
		t.Errorf("what is not shown and what is not there: %d and %d bytes", len(all[1]), len(all[2]))
	}
	if got := seen.header.Get("Cache-Control"); got != "private, no-cache" {
		t.Errorf("what somebody shows: Cache-Control %q", got)
	}
	again := g.send("GET", "/api/results/thumbs?w=160&of="+string(g.shown[1].ID)+","+string(others)+","+string(gone)+","+string(g.shown[0].ID), nil,
		func(r *http.Request) { r.Header.Set("If-None-Match", seen.header.Get("ETag")) })
	if again.status != http.StatusNotModified || len(again.body) != 0 {
		t.Errorf("again = %d, %d bytes", again.status, len(again.body))
	}

	g.as(g.owner, func() {
		own := g.sheet("w=320&", g.shown[0].ID, others)
		for i, line := range lines(own, 2) {
			same(line, []atelier.Result{g.shown[0], g.hidden[0]}[i], "320")
		}
		if got := own.header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
			t.Errorf("one's own: Cache-Control %q", got)
		}
		if got := g.sheet("w=320&", g.shown[0].ID, gone).header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("with one that may come yet: Cache-Control %q", got)
		}
		if own.header.Get("ETag") == g.sheet("w=640&", g.shown[0].ID, others).header.Get("ETag") {
			t.Error("sheets of two sizes have one tag")
		}
	})

	many := make([]atelier.ResultID, 101)
	for i := range many {
		many[i] = g.shown[i%2].ID
	}
	for n, want := range map[int]int{99: http.StatusOK, 100: http.StatusOK, 101: http.StatusBadRequest} {
		a := g.sheet("w=160&", many[:n]...)
		if a.status != want || want == http.StatusBadRequest && !strings.Contains(string(a.body), "At most 100 pictures") {
			t.Errorf("%d pictures together = %d: %.200s", n, a.status, a.body)
		}
	}
	for width, want := range map[string]int{"0": http.StatusBadRequest, "1": http.StatusOK, "639": http.StatusOK, "640": http.StatusOK, "641": http.StatusBadRequest, "wide": http.StatusBadRequest} {
		if got := g.sheet("w="+width+"&", g.shown[0].ID).status; got != want {
			t.Errorf("a width of %s = %d", width, got)
		}
	}
}
