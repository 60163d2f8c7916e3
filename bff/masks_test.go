package bff_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/imaging/probe"
)

func TestMasksAreNamedReusedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(34))
	var m atelier.Mask
	s.json("POST", "/api/masks", atelier.CreateMask{AssetID: asset.ID, Name: "dress", PNG: halfMask(530, 560)}, http.StatusCreated, &m)
	if m.Kept < .49 || m.Kept > .51 {
		t.Errorf("the mask keeps %v", m.Kept)
	}
	var list atelier.MaskList
	s.json("GET", "/api/masks?assetId="+string(asset.ID), nil, http.StatusOK, &list)
	if diff := cmp.Diff([]atelier.Mask{m}, list.Masks); diff != "" {
		t.Errorf("masks (-want +got):\n%s", diff)
	}
	if file := s.send("GET", m.File, nil, nil); probe.Sniff(file.body) != probe.PNG {
		t.Errorf("the file is %d bytes", len(file.body))
	}
	var renamed atelier.Mask
	s.json("PATCH", "/api/masks/"+string(m.ID), atelier.RenameMask{Name: " sleeves "}, http.StatusOK, &renamed)
	s.json("PATCH", "/api/masks/"+string(m.ID), atelier.RenameMask{Name: " "}, http.StatusBadRequest, nil)
	if renamed.Name != "sleeves" || renamed.ID != m.ID {
		t.Errorf("renamed: %+v", renamed)
	}
	start := removal("named mask", asset)
	start.Mask = &atelier.MaskInput{MaskID: m.ID}
	run := s.startRun(start)
	// The run has its own copy.
	s.json("DELETE", "/api/masks/"+string(m.ID), nil, http.StatusNoContent, nil)
	s.untilState(run.ID, atelier.StateDone)
	s.json("GET", "/api/masks", nil, http.StatusOK, &list)
	if len(list.Masks) != 0 {
		t.Errorf("still there: %+v", list.Masks)
	}
}
