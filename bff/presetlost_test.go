package bff_test

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/upstream"
)

// ownLocations gives what the account has made at the service, by name, whoever it is of here.
func (s *studio) ownLocations(name string) (ids []int64) {
	s.t.Helper()
	info, err := s.upstream.AgentInfo(s.background(), upstream.AgentInfoQuery{AgentName: "aimodel", AgentVersion: "v1.0", ResourceType: "locations", PageSize: 100})
	s.check(err)
	for _, l := range info.Locations {
		if l.Type == "Yours" && l.Name == name {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// A preset is made once or not at all, and its owner has it, or is told, when the answer of the image service is lost. It may have others
// of the same name.
func TestAPresetWhoseAnswerIsLostIsFoundOrTold(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]bool{"made": true, "not made": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cut := func(n int64) bool { return n == 2 }
			m := &meddler{path: upstream.PathLocationCreate}
			if made {
				m.after = cut
			} else {
				m.before = cut
			}
			s := meddled(t, m, nil)
			create := atelier.CreatePreset{Name: "Beach", Assets: []atelier.AssetID{s.upload(photo(3)).ID}}
			var older atelier.Preset
			s.json("POST", "/api/locations", create, http.StatusCreated, &older)
			socket := s.listen("")
			if e := s.json("POST", "/api/locations", create, http.StatusBadGateway, nil).error(t); !strings.Contains(e.Message, "within a few minutes") {
				t.Errorf("it says %+v", e)
			}
			if made {
				var found atelier.Preset
				s.eventOf(socket, atelier.EventPreset, func(data json.RawMessage) bool {
					return json.Unmarshal(data, &found) == nil && found.ID != older.ID && found.Name == "Beach"
				})
			} else {
				s.eventOf(socket, atelier.EventNotice, func(data json.RawMessage) bool { return strings.Contains(string(data), "Beach") })
			}
			var list atelier.PresetList
			s.json("GET", "/api/locations", nil, http.StatusOK, &list)
			want := 1
			if made {
				want = 2
			}
			if there := s.ownLocations("Beach"); len(there) != want || len(list.Presets) != want || list.Count != want {
				t.Errorf("the service has %v, the studio %+v, want %d", there, list, want)
			}
			s.json("POST", "/api/locations", create, http.StatusCreated, nil) // the way is free again
		})
	}
}

// While it is not known whether a preset was made, it takes a place, and another one of its name is not made.
func TestAPresetThatIsLookedForIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	create := atelier.CreatePreset{Name: "Beach", Assets: []atelier.AssetID{s.upload(photo(3)).ID}}
	intent := db.PresetIntent{Upstream: "embedded", Kind: "locations", UserID: "local", Name: "Beach"}
	_, err := s.db.CreatePresetIntent(t.Context(), intent, time.Now(), func(string) db.Then { return func(*sql.Tx) error { return nil } })
	s.check(err)
	s.json("POST", "/api/locations", create, http.StatusConflict, nil)
	var list atelier.PresetList
	s.json("GET", "/api/locations", nil, http.StatusOK, &list)
	if there := s.ownLocations("Beach"); len(there) != 0 || list.Count != 1 {
		t.Errorf("the service has %v, %d places are taken", there, list.Count)
	}
	s.start() // nothing came of it
	s.eventually("it is not looked for any more", func() bool {
		open, err := s.db.ListPresetIntents(t.Context(), "embedded")
		s.check(err)
		return len(open) == 0
	})
	s.json("POST", "/api/locations", create, http.StatusCreated, nil)
}

// A preset that is never ready is not waited for without end.
func TestAPresetThatIsNeverReadyIsGivenUp(t *testing.T) {
	t.Parallel()
	clock := &hands{}
	m := &meddler{path: upstream.PathLocationQuery, says: func(int64) string { return `{"success":true,"code":0,"data":{"status":"prepare"}}` }}
	s := meddled(t, m, func(c *bff.Config) { c.Now = clock.now })
	s.json("POST", "/api/locations", atelier.CreatePreset{Name: "Beach", Assets: []atelier.AssetID{s.upload(photo(3)).ID}}, http.StatusCreated, nil)
	s.eventually("it was asked about", func() bool { return m.met.Load() > 3 })
	clock.move(25 * time.Hour)
	s.login()
	s.eventually("it has failed", func() bool {
		var list atelier.PresetList
		s.json("GET", "/api/locations", nil, http.StatusOK, &list)
		return list.Presets[0].Status == upstream.PresetFailed
	})
}
