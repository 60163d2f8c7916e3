package bff_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging/testpics"
)

// A run is found by everything its designer knows of it: title, agent by name and title, prompt, numbers, lists, what a choice is called
// on screen, the names of scene and model, the name of the photo. So is one that an earlier version recorded with fewer words.
func TestARunIsFoundByAllThatIsKnownOfIt(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	chosen := map[string]atelier.Preset{}
	for _, kind := range []string{"locations", "fashionModels"} {
		var page atelier.PresetPage
		s.json("GET", "/api/agents/aimodel/presets?kind="+kind, nil, http.StatusOK, &page)
		chosen[kind] = page.Presets[3]
	}
	person, _ := testpics.Person(530, 640, 2)
	photo := s.upload(testpics.JPEG(person))
	run := s.startRun(atelier.StartRun{
		IntentKey: intentKey("found"), Agent: "aimodel", Version: "v1.0", Title: "Autumn look",
		Values: map[string]any{
			"textDescription": "under a marquisette lighthouse", "generatedContent": "freeCreation", "maskType": "autoApparelSegment", "pose": "referenceImagePose", "batchCount": 4,
			"locationId": chosen["locations"].ID, "fashionModelId": chosen["fashionModels"].ID, "locationTagIds": []int{90017, 90018},
		},
		Files: map[string][]string{"originalImage": {string(photo.ID)}},
	})
	s.startRun(removal("not found", photo))
	finds := func() (missing []string) {
		for _, query := range []string{
			"autumn", "aimodel", "marqui light", "new model", "4", "90018", "90017 lighthouse", "as in the scene", "referenceImagePose", "dress.jpg autumn",
			chosen["locations"].Name, chosen["fashionModels"].Name,
		} {
			var page atelier.RunPage
			s.json("GET", "/api/runs?q="+url.QueryEscape(query), nil, http.StatusOK, &page)
			if len(page.Runs) != 1 || page.Runs[0].ID != run.ID {
				missing = append(missing, query)
			}
		}
		return missing
	}
	if missing := finds(); len(missing) > 0 {
		t.Fatalf("not found by %q", missing)
	}
	for _, statement := range []string{"UPDATE runs SET search = 'autumn look aimodel'", "DELETE FROM run_search", "DELETE FROM marks"} {
		if _, err := s.db.Write.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if missing := finds(); len(missing) == 0 {
		t.Fatal("an old run is found by words that nobody wrote down")
	}
	s.start()
	s.eventually("old runs have all their words", func() bool {
		mark, err := s.db.FindMark(t.Context(), db.MarkSearch)
		s.check(err)
		return !mark.IsZero()
	})
	if missing := finds(); len(missing) > 0 {
		t.Errorf("an old run is not found by %s", strings.Join(missing, ", "))
	}
}

func TestSearchFoldsFormsOfLetters(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	photo := s.upload(photo(78))
	for i, tt := range []struct{ title, query string }{
		{"검은드레스 가을", "드레스"}, // inside a word
		{"Schuhe Weiße Straße", "strasse"},
		{"MASSBAND", "maßband"},
		{"Ｓｈｏｅ４２", "shoe42"},      // full width
		{"サンダル", "ｻﾝﾀﾞﾙ"},         // half width
		{"ﬂat proﬁle", "profile"}, // ligatures
		{"I\u0307stanbul", "İstanbul"},
	} {
		request := removal("letters"+strconv.Itoa(i), photo)
		request.Title = tt.title
		run := s.startRun(request)
		var page atelier.RunPage
		s.json("GET", "/api/runs?q="+url.QueryEscape(tt.query), nil, http.StatusOK, &page)
		if len(page.Runs) != 1 || page.Runs[0].ID != run.ID {
			t.Errorf("%q: %d runs are found by %q, want 1", tt.title, len(page.Runs), tt.query)
		}
	}
}
