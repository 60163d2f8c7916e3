package bff

import (
	"net/http"

	"atelier/atelier"
	"atelier/bff/words"
)

// purgeTrash deletes for good what is chosen of the trash. Nothing takes that back.
func (s *Server) purgeTrash(w http.ResponseWriter, r *http.Request, who visitor) error {
	var chosen atelier.PurgeTrash
	if err := readJSON(w, r, maxJSON, &chosen); err != nil {
		return err
	}
	named := len(chosen.Runs) + len(chosen.Results)
	if chosen.All != (named == 0) {
		return atelier.FieldError("all", words.ResultPurgeNothing)
	}
	if named > atelier.MaxChosen {
		return atelier.FieldError("runs", words.RequestChoose(atelier.MaxChosen))
	}
	expired, err := s.c.DB.ExpireTrash(r.Context(), who.User.ID, chosen, s.jobs.PurgeSoon())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, expired)
}
