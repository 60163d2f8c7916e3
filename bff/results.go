package bff

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"atelier/atelier"
	"atelier/db"
	"atelier/imaging/probe"
)

func (s *Server) result(r *http.Request, who visitor) (db.Result, error) {
	res, err := s.c.DB.FindResult(r.Context(), who.User.ID, atelier.ResultID(r.PathValue("id")))
	if err == nil && !res.Stored {
		err = atelier.Errorf(atelier.NotFound, "This picture is not here yet.")
	}
	return res, err
}

// nameOf is the file name of a result, without its ending: the run's title and the result's place in it.
func (s *Server) nameOf(r *http.Request, res db.Result) (string, error) {
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d", run.Title, res.Index+1), nil
}

func (s *Server) resultFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.result(r, who)
	if err != nil {
		return err
	}
	attach, err := queryBool(r, "download")
	if err != nil {
		return err
	}
	name, err := s.nameOf(r, res)
	if err != nil {
		return err
	}
	return s.serveBlob(w, r, served{sha: res.SHA256, format: probe.Format(res.Format), name: name, attach: attach})
}

func (s *Server) resultThumb(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.result(r, who)
	if err != nil {
		return err
	}
	sha := res.SHA256
	if res.Kind == "video" {
		if sha = res.PosterSHA; sha == "" {
			return atelier.Errorf(atelier.NotFound, "This video has no preview.")
		}
	}
	return s.serveThumb(w, r, sha, "thumb")
}

// resultLastFrame sends the last frame of a video.
func (s *Server) resultLastFrame(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.result(r, who)
	if err != nil {
		return err
	}
	if res.LastSHA == "" {
		return atelier.Errorf(atelier.NotFound, "The last frame of this video was not kept.")
	}
	name, err := s.nameOf(r, res)
	if err != nil {
		return err
	}
	return s.servePicture(w, r, res.LastSHA, name+" last frame")
}

func (s *Server) updateResult(w http.ResponseWriter, r *http.Request, who visitor) error {
	var u atelier.UpdateResult
	if err := readJSON(w, r, maxJSON, &u); err != nil {
		return err
	}
	if u.Rating != nil && (*u.Rating < 0 || *u.Rating > 5) {
		return atelier.FieldError("rating", "A rating is 0 to 5.")
	}
	if u.Pick != nil && !slices.Contains([]string{"", "pick", "reject"}, *u.Pick) {
		return atelier.FieldError("pick", `pick is "", "pick" or "reject".`)
	}
	if u.Boards != nil && len(*u.Boards) > 100 {
		return atelier.FieldError("boards", "A picture is on at most 100 boards.")
	}
	res, err := s.c.DB.UpdateResult(r.Context(), who.User.ID, atelier.ResultID(r.PathValue("id")), u)
	if err != nil {
		return err
	}
	s.hub.Publish(who.User.ID, atelier.EventResult, string(res.ID), res.Result)
	return writeJSON(w, http.StatusOK, res.Result)
}

// maxZip is how many results one archive holds.
const maxZip = 1000

// zipResults sends results as one archive. It is streamed: nothing is collected first, and pictures are not compressed again.
func (s *Server) zipResults(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.ZipRequest
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if len(body.IDs) == 0 || len(body.IDs) > maxZip {
		return atelier.FieldError("ids", fmt.Sprintf("Choose 1 to %d pictures.", maxZip))
	}
	var entries []zipEntry
	taken := map[string]bool{}
	for _, id := range body.IDs {
		res, err := s.c.DB.FindResult(r.Context(), who.User.ID, id)
		if err != nil {
			return err
		}
		if !res.Stored {
			return atelier.FieldError("ids", "One of the pictures is not here yet.")
		}
		name, err := s.nameOf(r, res)
		if err != nil {
			return err
		}
		entries = append(entries, zipEntry{uniqueName(taken, fileName(name), probe.Format(res.Format).Extension()), res})
	}
	name := strings.TrimSpace(body.Name)
	if name == "" {
		name = "pictures"
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", disposition(stem(name)+".zip", true))
	w.Header().Set("Cache-Control", "no-store")
	if err := s.writeZip(w, entries); err != nil {
		// The answer has begun: breaking it off is the only way to say that it is not whole.
		s.log.ErrorContext(r.Context(), "an archive broke off", "error", err, "request", requestID(r.Context()))
		panic(http.ErrAbortHandler)
	}
	return nil
}

type zipEntry struct {
	name   string
	result db.Result
}

func (s *Server) writeZip(w io.Writer, entries []zipEntry) error {
	archive := zip.NewWriter(w)
	for _, e := range entries {
		if err := s.addToZip(archive, e); err != nil {
			return fmt.Errorf("add %s: %w", e.name, err)
		}
	}
	return archive.Close()
}

func (s *Server) addToZip(archive *zip.Writer, e zipEntry) (err error) {
	f, err := s.c.Store.Open(e.result.SHA256)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	to, err := archive.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store, Modified: s.c.Now()})
	if err != nil {
		return err
	}
	_, err = io.Copy(to, f)
	return err
}

// uniqueName makes a name that is not taken yet.
func uniqueName(taken map[string]bool, name, ending string) string {
	full := name + ending
	for n := 2; taken[strings.ToLower(full)]; n++ {
		full = fmt.Sprintf("%s (%d)%s", name, n, ending)
	}
	taken[strings.ToLower(full)] = true
	return full
}
