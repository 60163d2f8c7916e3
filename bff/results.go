package bff

import (
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/text/unicode/norm"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
)

// result finds the result of a request, which must be the visitor's own.
func (s *Server) result(r *http.Request, who visitor) (db.Result, error) {
	return here(s.c.DB.FindResult(r.Context(), who.User.ID, atelier.ResultID(r.PathValue("id"))))
}

// here refuses a result that was found and is not stored yet.
func here(res db.Result, err error) (db.Result, error) {
	if err == nil && !res.Stored {
		err = atelier.Refuse(atelier.NotFound, words.ResultNotHere)
	}
	return res, err
}

// resultHeat sends the picture that shows where the protected region of a result was changed.
func (s *Server) resultHeat(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.visible(r, who)
	if err != nil {
		return err
	}
	if res.HeatSHA == "" {
		return atelier.Refuse(atelier.NotFound, words.ResultNotCompared)
	}
	return s.serveBlob(w, r, served{sha: res.HeatSHA, format: probe.PNG, name: words.NameChanges, shown: who.sees(res)})
}

func (s *Server) resultThumb(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.visible(r, who)
	if err != nil {
		return err
	}
	sha, err := thumbOf(res)
	if err != nil {
		return err
	}
	return s.serveThumb(w, r, served{sha: sha, name: "thumb", shown: who.sees(res)})
}

// thumbOf is the stored picture that thumbnails of a result are made from.
func thumbOf(res db.Result) (sha string, err error) {
	switch {
	case res.Kind != "video":
		return res.SHA256, nil
	case res.PosterSHA == "":
		return "", atelier.Refuse(atelier.NotFound, words.ResultNoPreview)
	}
	return res.PosterSHA, nil
}

// resultLastFrame sends the last frame of a video; with ?w= smaller.
func (s *Server) resultLastFrame(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.visible(r, who)
	if err != nil {
		return err
	}
	if res.LastSHA == "" {
		return atelier.Refuse(atelier.NotFound, words.ResultNoLastFrame)
	}
	if r.URL.Query().Has("w") {
		return s.serveThumb(w, r, served{sha: res.LastSHA, name: "thumb", shown: who.sees(res)})
	}
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return err
	}
	return s.servePicture(w, r, served{sha: res.LastSHA, name: words.NameLastFrame(nameIn(run, res)), shown: who.sees(res), origin: s.originOf(run)})
}

// maxBoards is how many boards a picture is on.
const maxBoards = 100

func (s *Server) updateResult(w http.ResponseWriter, r *http.Request, who visitor) error {
	var u atelier.UpdateResult
	if err := readJSON(w, r, maxJSON, &u); err != nil {
		return err
	}
	if err := checkMarks(u.Rating, u.Pick); err != nil {
		return err
	}
	if u.Boards != nil && len(*u.Boards) > maxBoards {
		return atelier.FieldError("boards", words.BoardsMany(maxBoards))
	}
	res, err := s.c.DB.UpdateResult(r.Context(), who.User.ID, atelier.ResultID(r.PathValue("id")), u)
	if err != nil {
		return err
	}
	s.hub.Publish(who.User.ID, atelier.EventResult, string(res.ID), res.Result)
	if u.Boards != nil {
		s.tellOthers(r.Context(), who.User.ID)
	}
	return writeJSON(w, http.StatusOK, res.Result)
}

// uniqueName makes a name that is not taken yet, on systems too that tell names apart neither by the size of letters nor by how accents
// are written: one character, or a letter and a mark.
func uniqueName(taken map[string]bool, name, ending string) string {
	same := func(name string) string { return norm.NFC.String(strings.ToLower(name)) }
	full := name + ending
	for n := 2; taken[same(full)]; n++ {
		full = fmt.Sprintf("%s (%d)%s", name, n, ending)
	}
	taken[same(full)] = true
	return full
}
