package bff_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"atelier/atelier"
)

func (s *studio) blob(sha string) string {
	return filepath.Join(s.folder, "files", "blobs", sha[:2], sha[2:4], sha)
}

// Every file that a row speaks of has to be known to the one place that decides what is thrown away.
func TestEveryColumnThatNamesAFileIsKnown(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	asset := s.upload(photo(95))
	run := s.untilState(s.startRun(removal("columns", asset)).ID, atelier.StateDone)
	s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
	s.until(run.ID, "exported", func(r atelier.Run) bool { return r.PSD != nil && r.PSD.File != "" })
	blobs, err := s.db.ListBlobs(t.Context(), "")
	s.check(err)
	columns := map[string]bool{}
	for _, names := range blobs {
		for _, name := range names {
			columns[name] = true
		}
	}
	for _, want := range []string{"assets.sha256", "assets.sent_sha256", "runs.mask_sha256", "results.sha256", "runs.psd_sha256"} {
		if !columns[want] {
			t.Errorf("no file is named in %s: %v", want, columns)
		}
	}
	stored := 0
	s.check(s.store.Walk(t.Context(), "", func(sha string, _ int64, _ time.Time) error {
		stored++
		if blobs[sha] == nil {
			t.Errorf("the file %s is named by no row", sha)
		}
		return nil
	}))
	if stored != len(blobs) {
		t.Errorf("%d files are stored, %d are named", stored, len(blobs))
	}
}

func TestFilesWithoutARowAreRemovedAndRowsWithoutAFileAreBroughtBack(t *testing.T) {
	t.Parallel()
	s := newStudio(t, nil)
	run := s.untilState(s.startRun(removal("tidy", s.upload(photo(96)))).ID, atelier.StateDone)
	s.json("POST", "/api/runs/"+string(run.ID)+"/psd", nil, http.StatusAccepted, nil)
	s.until(run.ID, "exported", func(r atelier.Run) bool { return r.PSD != nil && r.PSD.File != "" })
	orphan, _, err := s.store.Put(t.Context(), strings.NewReader("nobody's"))
	s.check(err)
	young, _, err := s.store.Put(t.Context(), strings.NewReader("somebody's in a moment"))
	s.check(err)
	then := time.Now().Add(-25 * time.Hour)
	s.check(os.Chtimes(s.blob(orphan), then, then))

	s.check(s.bff.Jobs().Tidy(t.Context()))
	if !s.store.Has(orphan) {
		t.Error("a file without a row was removed at the first look")
	}
	s.check(s.bff.Jobs().Tidy(t.Context()))
	if s.store.Has(orphan) || !s.store.Has(young) {
		t.Errorf("after the second look: old one %v, young one %v", s.store.Has(orphan), s.store.Has(young))
	}

	s.untilNoJobs("psd")
	s.untilNoJobs("archive")
	row, err := s.db.LoadRun(t.Context(), run.ID)
	s.check(err)
	result, err := s.db.LoadResult(t.Context(), run.Results[0].ID)
	s.check(err)
	for _, sha := range []string{result.SHA256, row.PSDSHA256} {
		s.check(os.Remove(s.blob(sha)))
	}
	s.check(s.bff.Jobs().Tidy(t.Context()))
	if stock := s.bff.Jobs().Stock(); stock.Missing != 2 || stock.Files == 0 {
		t.Errorf("the stock is %+v", stock)
	}
	for _, sha := range []string{result.SHA256, row.PSDSHA256} {
		s.eventually(fmt.Sprintf("%s is back", sha), func() bool { return s.store.Has(sha) })
	}
	back := s.until(run.ID, "whole again", func(r atelier.Run) bool { return r.Results[0].Stored && r.PSD.File != "" })
	if file := s.send("GET", back.Results[0].File, nil, nil); file.status != http.StatusOK {
		t.Errorf("the picture = %d", file.status)
	}
	s.check(s.bff.Jobs().Tidy(t.Context()))
	if stock := s.bff.Jobs().Stock(); stock.Missing != 0 {
		t.Errorf("the stock is %+v", stock)
	}
}
