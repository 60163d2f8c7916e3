package bff_test

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/imaging/testpics"
)

func TestOwnPresetsAreCountedUpToTheLimitOfTheAccount(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(3))
	// 998 of two users, one of which failed: it has its place at the image service until it is deleted.
	s.check(s.db.EnsureUser(t.Context(), atelier.User{ID: "other", Name: "Other"}))
	s.check(s.db.Tx(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
			INSERT INTO presets (upstream, kind, upstream_id, user_id, name, cover, status, created_at)
			SELECT 'embedded', 'locations', 900000 + i, CASE WHEN i % 2 = 0 THEN 'other' ELSE 'local' END, 'x', 'https://images.example.com/x.png',
				CASE WHEN i = 997 THEN 'failed' ELSE 'complete' END, 1 FROM n`)
		return err
	}))
	create := atelier.CreatePreset{Name: "Beach", Assets: []atelier.AssetID{asset.ID}}
	count := func(want int) {
		t.Helper()
		var list atelier.PresetList
		s.json("GET", "/api/locations", nil, http.StatusOK, &list)
		if list.Count != want || list.Limit != 1000 {
			t.Errorf("%d of %d, want %d of 1000", list.Count, list.Limit, want)
		}
	}
	count(998)
	s.json("POST", "/api/locations", create, http.StatusCreated, nil)
	s.json("POST", "/api/locations", create, http.StatusCreated, nil)
	count(1000)
	if e := s.json("POST", "/api/locations", create, http.StatusConflict, nil).error(t); !strings.Contains(e.Message, "1000") {
		t.Errorf("one more: %+v", e)
	}
	s.json("POST", "/api/fashion-models", create, http.StatusCreated, nil) // the other kind has a limit of its own
}

func TestEveryPictureOfAPresetIsCheckedBeforeOneIsSent(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	good, heavy := s.upload(photo(3)), s.upload(testpics.PadTo(photo(4), 5<<20+1))
	e := s.json("POST", "/api/fashion-models", atelier.CreatePreset{Name: "Ada", Assets: []atelier.AssetID{good.ID, heavy.ID}}, 400, nil).error(t)
	if !strings.Contains(e.Fields["assets"], "dress.jpg: ") {
		t.Errorf("what is wrong: %+v", e)
	}
	if url, err := s.db.FindUpload(t.Context(), "embedded", good.SHA256); err != nil || url != "" {
		t.Errorf("the good one was sent: %q, %v", url, err)
	}
}

func TestBrowsersHearWhenAPresetIsReady(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(3))
	socket := s.listen("")
	var made atelier.Preset
	s.json("POST", "/api/locations", atelier.CreatePreset{Name: "Beach", Assets: []atelier.AssetID{asset.ID}}, http.StatusCreated, &made)
	var heard atelier.Preset
	s.eventOf(socket, atelier.EventPreset, func(data json.RawMessage) bool {
		return json.Unmarshal(data, &heard) == nil && heard.ID == made.ID && heard.Status == "complete"
	})
	if heard.Kind != "locations" || heard.Name != "Beach" || heard.Type != "Yours" {
		t.Errorf("the event is %+v", heard)
	}
	if got := s.send("GET", heard.Image, nil, nil); got.status != http.StatusOK {
		t.Errorf("its picture %q: %d", heard.Image, got.status)
	}
}
