package bff

import (
	"net/http"
	"time"

	"atelier/atelier"
)

// healthz says that the process answers.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request, _ visitor) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz says that the studio can do its work: its database and its content store can be written.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request, _ visitor) error {
	if err := s.c.DB.TouchSession(r.Context(), "", time.Time{}); err != nil {
		return atelier.Wrap(atelier.UpstreamBusy, err, "The database of the studio cannot be written.")
	}
	if err := s.c.Store.Probe(); err != nil {
		return atelier.Wrap(atelier.UpstreamBusy, err, "The content store of the studio cannot be written.")
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
