package bff

import (
	"encoding/json"
	"fmt"
	"net/http"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/catalog"
)

// agentsJSON writes the catalog down once: it does not change while the studio runs.
func agentsJSON(agents []catalog.Agent) (body []byte, tag string, err error) {
	body, err = json.Marshal(map[string]any{"agents": agents})
	if err != nil {
		return nil, "", fmt.Errorf("encode the catalog: %w", err)
	}
	return body, catalog.ETagOf(agents), nil
}

func (s *Server) listAgents(w http.ResponseWriter, r *http.Request, _ visitor) error {
	h := w.Header()
	h.Set("ETag", s.tag)
	h.Set("Cache-Control", "private, no-cache")
	if r.Header.Get("If-None-Match") == s.tag {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeJSON(w, http.StatusOK, json.RawMessage(s.agents))
}

// listUsual says how long runs of an agent usually take.
func (s *Server) listUsual(w http.ResponseWriter, r *http.Request, _ visitor) error {
	agent, ok := s.agent(r.PathValue("name"), "")
	if !ok {
		return atelier.Refuse(atelier.NotFound, words.RunAgent)
	}
	usual, err := s.jobs.Usual(r.Context(), agent.Name)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.UsualList{Usual: usual})
}
