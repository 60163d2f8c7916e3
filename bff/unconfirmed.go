package bff

import (
	"context"
	"net/http"
	"strings"

	"atelier/atelier"
	"atelier/bff/words"
)

// An unconfirmed run was sent and never answered, and cannot be found: it may have been accepted and billed. The studio does
// not send it again by itself. Its owner runs it again, dismisses it, or gives the id that the image service shows.

// givenUp is why an unconfirmed run counts as failed.
func givenUp(sentence string) *atelier.Error {
	return &atelier.Error{Code: atelier.UpstreamBad, Message: sentence, Retryable: true}
}

func (s *Server) dismissRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	if err := s.c.DB.Tx(r.Context(), s.c.DB.DismissRun(who.User.ID, run.ID, givenUp(words.EndedDismissed))); err != nil {
		return err
	}
	return s.answerRun(w, r, who)
}

// doubtRun takes a dismissal back: the run waits for its owner's decision again.
func (s *Server) doubtRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	why := &atelier.Error{Code: atelier.UpstreamBad, Message: words.StateDoubted}
	if err := s.c.DB.DoubtRun(r.Context(), who.User.ID, run.ID, why); err != nil {
		return err
	}
	return s.answerRun(w, r, who)
}

// adoptRun takes the id of an unconfirmed run that its owner has found at the image service.
func (s *Server) adoptRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.AdoptRun
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	id := strings.TrimSpace(body.ExecutionID)
	if id == "" || len(id) > 128 || strings.ContainsAny(id, " \t\r\n/?#%") {
		return atelier.FieldError("executionId", words.RunIDForm)
	}
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	if err := s.jobs.Adopt(r.Context(), run, id); err != nil {
		return err
	}
	return s.answerRun(w, r, who)
}

// answerRun answers with a run as it is now, and tells the owner's other windows.
func (s *Server) answerRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	s.publishRun(run.Run, who.User.ID)
	return writeJSON(w, http.StatusOK, atelier.RunBody{Run: run.Run})
}

// republish tells the owner's windows how a run is now.
func (s *Server) republish(ctx context.Context, user atelier.UserID, id atelier.RunID) {
	run, err := s.c.DB.FindRun(context.WithoutCancel(ctx), user, id)
	if err != nil {
		s.log.WarnContext(ctx, "a run cannot be published", "run", id, "error", err)
		return
	}
	s.publishRun(run.Run, user)
}
