package bff

import (
	"net/http"
	"slices"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

// listFavourites gives the presets a user marked.
func (s *Server) listFavourites(w http.ResponseWriter, r *http.Request, who visitor) error {
	list, err := s.c.DB.ListFavourites(r.Context(), s.jobs.Account(r.Context()).ID, who.User.ID)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, atelier.FavouriteList{Favourites: list})
}

// changeFavourites marks presets and takes marks away; the user's other windows hear of it.
func (s *Server) changeFavourites(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.ChangeFavourites
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	for field, list := range map[string][]atelier.Favourite{"add": body.Add, "remove": body.Remove} {
		if err := checkFavourites(field, list); err != nil {
			return err
		}
	}
	list, err := s.c.DB.ChangeFavourites(r.Context(), s.jobs.Account(r.Context()).ID, who.User.ID, body.Add, body.Remove)
	if err != nil {
		return err
	}
	after := atelier.FavouriteList{Favourites: list}
	s.hub.Publish(who.User.ID, atelier.EventFavourites, "", after)
	return writeJSON(w, http.StatusOK, after)
}

// checkFavourites refuses marks that no preset can have.
func checkFavourites(field string, list []atelier.Favourite) error {
	if len(list) > db.MaxFavourites {
		return atelier.FieldError(field, words.PresetManyMarked(db.MaxFavourites))
	}
	for _, f := range list {
		named := f.Kind == kindDimensions // these have no id (Task API, "Dimension")
		switch {
		case !slices.Contains(presetKinds, f.Kind):
			return atelier.FieldError(field, words.RequestOneOf("kind", presetKinds))
		case named && (f.ID != 0 || f.Name == "" || utf8.RuneCountInString(f.Name) > 200):
			return atelier.FieldError(field, words.PresetDimensionMark)
		case !named && (f.ID <= 0 || f.Name != ""):
			return atelier.FieldError(field, words.PresetMark)
		}
	}
	return nil
}
