package bff_test

import (
	"net/http"
	"testing"

	"atelier/atelier"
	"atelier/imaging/testpics"
	"atelier/service/presets"
)

func TestFacesAreCountedInAPicture(t *testing.T) {
	t.Parallel()
	s := newIdleStudio(t, nil)
	head, err := presets.FashionModels()[0].Draw(t.Context(), 1024, 1280)
	s.check(err)
	for name, tt := range map[string]struct {
		asset atelier.Asset
		want  int
	}{"a head": {s.upload(testpics.JPEG(head)), 1}, "none": {s.upload(photo(5)), 0}} {
		var got atelier.AssetFaces
		if s.json("GET", "/api/assets/"+string(tt.asset.ID)+"/faces", nil, http.StatusOK, &got); got.Faces != tt.want {
			t.Errorf("%s: %d faces", name, got.Faces)
		}
	}
}
