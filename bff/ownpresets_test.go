package bff_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/imaging/probe"
	"atelier/imaging/testpics"
	"atelier/upstream"
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

// A photo that is stored turned is packed anew for the image service: small enough for what it is for, whichever of the two is larger.
func TestATurnedPhotoIsMadeSmallEnoughForAPreset(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	noise := rand.New(rand.NewPCG(1, 2)) // hardly gets smaller
	img := image.NewNRGBA(image.Rect(0, 0, 2300, 2200))
	for at := range img.Pix {
		if img.Pix[at] = 255; at%4 < 3 {
			img.Pix[at] = byte(noise.Uint32())
		}
	}
	asset := s.upload(testpics.Turned(img, "jpeg", 6))
	stored, err := s.db.FindAsset(t.Context(), "local", asset.ID)
	s.check(err)
	if !asset.Turned || stored.Sent.Bytes <= 5<<20 {
		t.Fatalf("turned %v, %d bytes upright: the test needs a larger photo", asset.Turned, stored.Sent.Bytes)
	}
	var listed atelier.AssetPage
	s.json("GET", "/api/assets", nil, http.StatusOK, &listed)
	if len(listed.Assets) != 1 || !listed.Assets[0].Turned {
		t.Errorf("listed are %+v", listed.Assets)
	}
	var made atelier.Preset
	for _, kind := range []string{"fashion-models", "locations"} {
		s.json("POST", "/api/"+kind, atelier.CreatePreset{Name: "Ada", Assets: []atelier.AssetID{asset.ID}}, http.StatusCreated, &made)
	}
	cover := s.send("GET", made.Image, nil, nil)
	if facts, err := probe.Read(cover.body, int64(len(cover.body))); err != nil || facts.RawWidth != 2300 || facts.RawHeight != 2200 || len(cover.body) > 5<<20 {
		t.Errorf("the image service got %+v, %v", facts, err)
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

// The image service knows the account and not its users: what one of them has made there, it offers to all. The studio leaves it out
// for the others, page by page, and takes no run with it from them.
func TestWhatSomebodyMadeAtTheServiceIsOfferedToThemAlone(t *testing.T) {
	t.Parallel()
	s := newTeam(t, func(c *bff.Config) { c.Estimates = true })
	s.start()
	_, owner := s.member("Olga", atelier.Designer)
	_, other := s.member("Ben", atelier.Designer)
	list := func(agent, kind string, size int) (all []atelier.Preset) {
		t.Helper()
		for page := 1; ; page++ {
			var out atelier.PresetPage
			s.json("GET", fmt.Sprintf("/api/agents/%s/presets?kind=%s&page=%d&pageSize=%d", agent, kind, page, size), nil, http.StatusOK, &out)
			all = append(all, out.Presets...)
			if out.LastPage {
				if out.Total != len(all) {
					t.Errorf("%s of %s: %d are there, %d are told", kind, agent, len(all), out.Total)
				}
				return all
			}
			if len(out.Presets) == 0 {
				t.Fatalf("page %d of %s is empty and not the last: nobody asks on", page, kind)
			}
		}
	}
	before := map[string]int{"fashionModels": len(list("aimodel", "fashionModels", 2)), "locations": len(list("aimodel", "locations", 2))}
	made := map[string]atelier.Preset{}
	s.as(owner, func() {
		picture := s.upload(photo(60))
		for path, kind := range map[string]string{"fashion-models": "fashionModels", "locations": "locations"} {
			for range 3 { // more than a page of them
				var p atelier.Preset
				s.json("POST", "/api/"+path, atelier.CreatePreset{Name: "Secret of Olga", Assets: []atelier.AssetID{picture.ID}}, http.StatusCreated, &p)
				made[kind] = p
			}
		}
	})
	run := func(kind string, picture atelier.Asset) atelier.StartRun {
		field := map[string]string{"fashionModels": "fashionModelId", "locations": "locationId"}[kind]
		return atelier.StartRun{
			IntentKey: intentKey("with " + kind + " of Olga"), Agent: "aimodel", Version: "v1.0", Values: map[string]any{field: fmt.Sprint(made[kind].ID), "maskType": "autoSubjectSegment", "generatedContent": "freeCreation"},
			Files: map[string][]string{"originalImage": {string(picture.ID)}},
		}
	}
	for who, browser := range map[string]*http.Client{"another designer": other, "the administrator": s.browser} {
		s.as(browser, func() {
			picture := s.upload(photo(61))
			for kind, preset := range made {
				for _, agent := range []string{"aimodel", "aiproduct"} {
					if agent == "aiproduct" && kind != "locations" {
						continue
					}
					seen := list(agent, kind, 2)
					if len(seen) != before[kind] {
						t.Errorf("%s sees %d %s of %s, and %d before any was made", who, len(seen), kind, agent, before[kind])
					}
					for _, p := range seen {
						if p.Name == "Secret of Olga" || p.ID == preset.ID {
							t.Errorf("%s sees %+v", who, p)
						}
					}
				}
				for _, path := range []string{"/api/runs", "/api/estimates"} {
					if r := s.try(path, run(kind, picture)); r.status != http.StatusNotFound || len(r.error(t).Fields) != 1 {
						t.Errorf("%s, %s with another's %s = %d %s", who, path, kind, r.status, r.body)
					}
				}
			}
		})
	}
	s.as(owner, func() {
		for kind := range made {
			if seen := list("aimodel", kind, 2); len(seen) != before[kind]+3 || seen[0].Name != "Secret of Olga" || seen[0].Image == "" {
				t.Errorf("the owner sees %d %s, want %d", len(seen), kind, before[kind]+3)
			}
			s.startRun(run(kind, s.upload(photo(62))))
		}
	})
}

// What the account has made elsewhere has no owner here. With an account of its own at a service, the team has it in common; the
// embedded service's account is the studio's alone, so that there it is somebody's whose row was lost.
func TestWhatNobodyHereMadeIsTheAccounts(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{"remote": true, "embedded": false} {
		s := newTeam(t, func(c *bff.Config) { c.UpstreamKind = kind })
		picture, err := s.upstream.UploadImage(t.Context(), upstream.TaskSurface, upstream.Upload{Name: "x.jpg", ContentType: "image/jpeg", Size: int64(len(photo(63))), Body: bytes.NewReader(photo(63))})
		s.check(err)
		_, err = s.upstream.CreateLocation(t.Context(), upstream.MyLocationCreate{Image: picture.Image, Name: "House of the account", AgentName: "aimodel", AgentVersion: "v1.0"})
		s.check(err)
		body := s.json("GET", "/api/agents/aimodel/presets?kind=locations", nil, http.StatusOK, nil).body
		if strings.Contains(string(body), "House of the account") != want {
			t.Errorf("%s: %s", kind, body)
		}
	}
}
