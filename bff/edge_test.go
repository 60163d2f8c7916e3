package bff_test

import (
	"encoding/base64"
	"encoding/csv"
	"image"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"atelier/atelier"
	"atelier/imaging/mask"
	"atelier/imaging/testpics"
)

// masked runs a removal of the background with a painted mask, and waits for the comparison.
func (s *studio) masked(name string, source atelier.Asset, keep mask.Plane) atelier.Result {
	s.t.Helper()
	start := removal(name, source)
	start.Mask = &atelier.MaskInput{PNG: base64.StdEncoding.EncodeToString(mask.EncodeRGBA(keep))}
	run := s.startRun(start)
	return s.until(run.ID, "compared", func(r atelier.Run) bool {
		return r.State == atelier.StateDone && r.Results[0].Fidelity != nil
	}).Results[0]
}

// A result that keeps all its mask kept looks right inside it, whatever the mask missed or kept too much.
func TestDoubtfulEdgesAreReported(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	img, exact := testpics.Garment(540, 620, 3)
	source := s.upload(testpics.PNG(img))
	b := exact.Bounds()
	hole, spilled := exact.Clone(), exact.Clone()
	hole.FillRect(image.Rect(0, 0, b.Min.X+b.Dx()/5, exact.H), 0)
	spilled.FillRect(image.Rect(b.Max.X-b.Dx()/6, b.Min.Y+b.Dy()/4, b.Max.X+exact.W/10, b.Max.Y-b.Dy()/4), 255)

	missed, sure, kept := s.masked("missed", source, hole), s.masked("exact", source, exact), s.masked("spilled", source, spilled)
	for name, res := range map[string]atelier.Result{"missed": missed, "exact": sure, "spilled": kept} {
		if f := res.Fidelity; !f.Comparable || f.Score < .98 || f.Changed || f.Edge == nil {
			t.Fatalf("%s: %+v", name, f)
		}
	}
	if e := sure.Fidelity.Edge; e.Doubt != 0 || len(e.Parts) != 0 {
		t.Errorf("the exact mask is in doubt: %+v", e)
	}
	if e := missed.Fidelity.Edge; e.Doubt < .025 || !e.Parts[0].Missed || !strings.Contains(strings.ToLower(string(e.Parts[0].Place)), "left") || e.Parts[0].Changed < .9 {
		t.Errorf("without its left sleeve the edge is %+v", e)
	}
	if e := kept.Fidelity.Edge; e.Doubt < .025 || e.Parts[0].Missed || e.Parts[0].Place != atelier.PlaceRight || e.Parts[0].Changed > .1 {
		t.Errorf("with background at its right the edge is %+v", e)
	}

	want := []atelier.ResultID{sure.ID, missed.ID, kept.ID}
	if missed.Fidelity.Edge.Doubt > kept.Fidelity.Edge.Doubt {
		want[1], want[2] = kept.ID, missed.ID
	}
	var archive atelier.Zip
	s.json("POST", "/api/zips", atelier.StartZip{IDs: []atelier.ResultID{sure.ID, kept.ID}}, http.StatusCreated, &archive)
	_, files := unzip(t, s.send("GET", archive.File, nil, nil).body)
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(files["manifest.csv"]), "\ufeff"))).ReadAll()
	s.check(err)
	if len(rows) != 3 || rows[0][22] != "edge in doubt" || rows[1][22] != "0.0000" || rows[2][22] == "0.0000" || !strings.HasPrefix(rows[2][23], "background kept right ") {
		t.Errorf("the manifest says %q", rows)
	}

	var page atelier.ResultPage
	s.json("GET", "/api/results?sort=fidelity", nil, http.StatusOK, &page)
	var got []atelier.ResultID
	for _, r := range page.Results {
		got = append(got, r.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("closest to the source first (-want +got):\n%s", diff)
	}
}
