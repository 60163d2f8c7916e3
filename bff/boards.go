package bff

import (
	"net/http"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
)

func (s *Server) listBoards(w http.ResponseWriter, r *http.Request, who visitor) error {
	boards, err := s.c.DB.ListBoards(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	list := atelier.BoardList{Boards: boards}
	if s.c.Team {
		if list.Shown, err = s.c.DB.ListShownBoards(r.Context(), who.User.ID); err != nil {
			return err
		}
	}
	return writeJSON(w, http.StatusOK, list)
}

func (s *Server) createBoard(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.CreateBoard
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if err := checkBoard(&body.Name, &body.Notes); err != nil {
		return err
	}
	board, err := s.c.DB.CreateBoard(r.Context(), who.User.ID, body)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, board)
}

// checkBoard tidies name and notes of a board, and refuses what they cannot be; nil is not looked at.
func checkBoard(name, notes *string) error {
	if name != nil {
		if *name = plainLine(*name); *name == "" || utf8.RuneCountInString(*name) > 100 {
			return atelier.FieldError("name", words.BoardName)
		}
	}
	if notes != nil {
		if *notes = plainText(*notes); utf8.RuneCountInString(*notes) > 5000 {
			return atelier.FieldError("notes", words.BoardNotes)
		}
	}
	return nil
}

func (s *Server) updateBoard(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.UpdateBoard
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if err := checkBoard(body.Name, body.Notes); err != nil {
		return err
	}
	if body.Shared != nil && !s.c.Team {
		return atelier.FieldError("shared", words.BoardNobody)
	}
	board, err := s.c.DB.UpdateBoard(r.Context(), who.User.ID, atelier.BoardID(r.PathValue("id")), body)
	if err != nil {
		return err
	}
	if body.Shared != nil {
		s.hub.PublishToOthers(who.User.ID, atelier.EventShown, "", struct{}{})
	} else {
		s.tellOthers(r.Context(), who.User.ID)
	}
	return writeJSON(w, http.StatusOK, board)
}

func (s *Server) deleteBoard(w http.ResponseWriter, r *http.Request, who visitor) error {
	id := atelier.BoardID(r.PathValue("id"))
	_, unseen := s.c.DB.WhoShows(r.Context(), who.User.ID, id)
	if err := s.c.DB.DeleteBoard(r.Context(), who.User.ID, id); err != nil {
		return err
	}
	if unseen == nil {
		s.hub.PublishToOthers(who.User.ID, atelier.EventShown, "", struct{}{})
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
