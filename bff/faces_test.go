package bff_test

import (
	"net/http"
	"testing"

	"atelier/atelier"
)

func TestFacesAreCountedInAPicture(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	var page atelier.PresetPage
	s.json("GET", "/api/agents/aimodel/presets?kind=fashionModels", nil, http.StatusOK, &page)
	head := s.send("GET", page.Presets[0].Image, nil, nil)
	for name, tt := range map[string]struct {
		asset atelier.Asset
		want  int
	}{"a head": {s.upload(head.body), 1}, "none": {s.upload(photo(5)), 0}} {
		var got atelier.AssetFaces
		if s.json("GET", "/api/assets/"+string(tt.asset.ID)+"/faces", nil, http.StatusOK, &got); got.Faces != tt.want {
			t.Errorf("%s: %d faces", name, got.Faces)
		}
	}
}
