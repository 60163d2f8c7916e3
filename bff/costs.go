package bff

import (
	"net/http"

	"atelier/atelier"
)

// listCosts gives what the visitor's runs cost by months, as far as the image service told, and to administrators what its account has left.
func (s *Server) listCosts(w http.ResponseWriter, r *http.Request, who visitor) error {
	months, err := s.c.DB.ListCosts(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	out := atelier.Costs{Months: months}
	if !s.c.Team || who.User.Role == atelier.Admin {
		if out.Balance, err = s.c.DB.Balance(r.Context(), s.jobs.Account(r.Context()).ID); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, out)
}
