package bff_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"atelier/atelier"
)

func TestTitlesHoldNothingUnseen(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	// A direction override that shows "gpj.exe" as another ending, NUL, a line break, an isolate, and letters in two parts.
	const given, want = "  a\u202egpj.\x00exe\nb\u2066 Cafe\u0301 ", "agpj.exe b Café"
	picture := s.upload(photo(79))
	request := removal("unseen", picture)
	request.Title = given
	if run := s.startRun(request); run.Title != want {
		t.Errorf("a run is called %q, want %q", run.Title, want)
	}
	var board atelier.Board
	s.json("POST", "/api/boards", atelier.CreateBoard{Name: given, Notes: "one\x00\ntwo\u202e"}, http.StatusCreated, &board)
	if board.Name != want || board.Notes != "one\ntwo" {
		t.Errorf("a board is called %q, with the notes %q", board.Name, board.Notes)
	}
	r := s.send("POST", "/api/assets?name="+url.QueryEscape("Cafe\u0301.jpg"), bytes.NewReader(photo(80)),
		func(r *http.Request) { r.Header.Set("Content-Type", "image/jpeg") })
	var asset atelier.Asset
	s.check(json.Unmarshal(r.body, &asset))
	if asset.Name != "Café.jpg" {
		t.Errorf("a file is called %q", asset.Name)
	}
}
