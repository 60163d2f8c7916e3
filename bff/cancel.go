package bff

import (
	"context"
	"net/http"

	"atelier/atelier"
)

// cancelRun ends a run that the image service does not have yet, or can be made to stop.
func (s *Server) cancelRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.changeRun(w, r, who, s.jobs.Cancel)
}

// uncancelRun records a run again that was cancelled before it was sent.
func (s *Server) uncancelRun(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.changeRun(w, r, who, s.jobs.Uncancel)
}

// changeRun does something with a run and answers with the run as it is then.
func (s *Server) changeRun(w http.ResponseWriter, r *http.Request, who visitor, change func(context.Context, atelier.UserID, atelier.RunID) error) error {
	run, err := s.run(r, who)
	if err != nil {
		return err
	}
	if err := change(r.Context(), who.User.ID, run.ID); err != nil {
		return err
	}
	s.tellAllowance(r.Context(), who.User.ID)
	if run, err = s.run(r, who); err != nil {
		return err
	}
	s.jobs.Expect(r.Context(), &run)
	return writeJSON(w, http.StatusOK, atelier.RunBody{Run: run.Run})
}

func (s *Server) cancelRuns(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.changeRuns(w, r, who, s.jobs.CancelAll)
}

func (s *Server) uncancelRuns(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.changeRuns(w, r, who, s.jobs.UncancelAll)
}

// changeRuns does something with many runs of the user's. What cannot be changed is named in the answer.
func (s *Server) changeRuns(w http.ResponseWriter, r *http.Request, who visitor, change func(context.Context, atelier.UserID, []atelier.RunID) (atelier.CancelledRuns, error)) error {
	var body atelier.ChosenRuns
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	ids, err := checkChosen(body.IDs)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := s.c.DB.FindRun(r.Context(), who.User.ID, id); err != nil {
			return err
		}
	}
	done, err := change(r.Context(), who.User.ID, ids)
	if err != nil {
		return err
	}
	s.tellAllowance(r.Context(), who.User.ID)
	return writeJSON(w, http.StatusOK, done)
}

// tellAllowance tells the user's windows what may still be asked for.
func (s *Server) tellAllowance(ctx context.Context, user atelier.UserID) {
	if err := s.publishAllowance(ctx, user, false); err != nil {
		s.log.ErrorContext(ctx, "publish allowance", "error", err)
	}
}
