package bff

import (
	"net/http"
	"slices"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/imaging/probe"
)

// startPSD records that the layered file of a run that has made something is wanted, unless it is here or on its way: the image service is asked
// for it by a job, so that it comes whatever becomes of the browser and of this process.
func (s *Server) startPSD(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	made := slices.ContainsFunc(run.Results, func(r atelier.Result) bool { return r.Status == atelier.Success })
	if run.ExecutionID == "" || !run.Status.Terminal() || !made {
		return atelier.Refuse(atelier.Conflict, words.LayeredEarly)
	}
	if run.PSD != nil && run.PSD.Status != "Failed" {
		return writeJSON(w, http.StatusAccepted, atelier.RunBody{Run: run.Run})
	}
	if _, err := s.c.DB.AskPSD(r.Context(), run.ID, s.c.Now(), s.jobs.WatchPSD(run.ID)); err != nil {
		return err
	}
	fresh, err := s.run(r, who)
	if err != nil {
		return err
	}
	s.hub.Publish(who.User.ID, atelier.EventPSD, string(run.ID), fresh.Run)
	return writeJSON(w, http.StatusAccepted, atelier.RunBody{Run: fresh.Run})
}

func (s *Server) findPSD(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	psd := atelier.PSD{Status: "NotStart"}
	if run.PSD != nil {
		psd = *run.PSD
	}
	return writeJSON(w, http.StatusOK, psd)
}

func (s *Server) psdFile(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	if run.PSDSHA256 == "" {
		return atelier.Refuse(atelier.NotFound, words.LayeredNotHere)
	}
	return s.serveBlob(w, r, served{sha: run.PSDSHA256, format: probe.PSD, name: titleOf(run), attach: true})
}
