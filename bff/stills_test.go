package bff_test

import (
	"bytes"
	"net/http"
	"testing"

	"atelier/atelier"
	"atelier/bff"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/imaging/video/videotest"
)

// A video that came while the studio could not look into videos gets its poster and its last frame as soon as it can, and its last frame
// may begin the next video from then on.
func TestSlowOldVideosGetTheirPictures(t *testing.T) {
	t.Parallel()
	tool := videotest.Tool(t)
	s := newStudio(t, nil)
	run := s.untilState(s.startRun(removal("an old film", s.upload(photo(31)))).ID, atelier.StateDone)
	film := sitterFilm(t, tool, 240, 320, 1)
	sha, bytesOf, err := s.store.Put(t.Context(), bytes.NewReader(film))
	s.check(err)
	s.check(s.db.SetStored(t.Context(), run.Results[0].ID, db.Stored{Blob: db.Blob{SHA256: sha, Format: "mp4", Bytes: bytesOf}, Kind: "video", Width: 240, Height: 320, Seconds: 1}))
	begins := func() (listed atelier.ResultPage) {
		s.json("GET", "/api/results?fits=image", nil, http.StatusOK, &listed)
		return listed
	}
	if r := s.run(run.ID).Results[0]; r.Kind != "video" || r.LastFrame != "" || len(begins().Results) != 0 {
		t.Fatalf("before: %+v", r)
	}

	s.change = func(c *bff.Config) { c.Video = tool }
	s.restart()
	r := s.until(run.ID, "with a last frame", func(r atelier.Run) bool { return r.Results[0].LastFrame != "" }).Results[0]
	for what, path := range map[string]string{"the last frame": r.LastFrame, "the poster": r.Thumb} {
		data := s.send("GET", path, nil, nil).body
		if facts, err := probe.Read(data, int64(len(data))); err != nil || what == "the last frame" && len(probe.Upload.Check(facts)) > 0 {
			t.Errorf("%s: %+v, %v", what, facts, err)
		}
	}
	if listed := begins().Results; len(listed) != 1 || listed[0].LastFrame != r.LastFrame {
		t.Errorf("it is offered where a picture belongs as %+v", listed)
	}
}
