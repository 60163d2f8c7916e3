package bff

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
)

func (s *Server) listBoards(w http.ResponseWriter, r *http.Request, who visitor) error {
	boards, err := s.c.DB.ListBoards(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.BoardList{Boards: boards})
}

func (s *Server) createBoard(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.CreateBoard
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	name := strings.TrimSpace(body.Name)
	if name == "" || utf8.RuneCountInString(name) > 100 {
		return atelier.FieldError("name", "A board needs a name of at most 100 characters.")
	}
	board, err := s.c.DB.CreateBoard(r.Context(), who.User.ID, name)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, board)
}

func (s *Server) deleteBoard(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.c.DB.DeleteBoard(r.Context(), who.User.ID, atelier.BoardID(r.PathValue("id"))); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
