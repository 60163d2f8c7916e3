package bff

import (
	"context"
	"net/http"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

// visible finds the result of a request that the visitor may look at: their own, or one that somebody shows.
func (s *Server) visible(r *http.Request, who visitor) (db.Result, error) {
	return s.visibleResult(r.Context(), who, atelier.ResultID(r.PathValue("id")))
}

func (s *Server) visibleResult(ctx context.Context, who visitor, id atelier.ResultID) (db.Result, error) {
	return here(s.c.DB.VisibleResult(ctx, who.User.ID, id))
}

// sees says of a result that was found whether it is another's, which the visitor sees as long as it is shown.
func (v visitor) sees(r db.Result) bool { return r.UserID != v.User.ID }

// resultSource sends the picture a result was made of, smaller with ?w=.
func (s *Server) resultSource(w http.ResponseWriter, r *http.Request, who visitor) error {
	res, err := s.visible(r, who)
	if err != nil {
		return err
	}
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return err
	}
	if run.Asset == nil || run.Asset.Kind != "image" {
		return atelier.Refuse(atelier.NotFound, words.ResultNoSource)
	}
	f := served{sha: run.Asset.Pixels, name: stem(run.Asset.Name), shown: who.sees(res)}
	if r.URL.Query().Has("w") {
		return s.serveThumb(w, r, f)
	}
	return s.servePicture(w, r, f)
}

// whose says whose results a list is of. owner is nil for the visitor's own, else who shows them: those of a person, or of a board
// of another's. Where nothing is shown, the list is nobody's and empty.
func (s *Server) whose(ctx context.Context, who visitor, f *atelier.RunFilter) (user atelier.UserID, owner *atelier.Person, err error) {
	person := f.User
	f.User = ""
	if person == who.User.ID || person == "" && (f.Board == "" || !s.c.Team) {
		return who.User.ID, nil, nil
	}
	shows, err := s.c.DB.WhoShows(ctx, person, f.Board)
	switch {
	case atelier.CodeOf(err) == atelier.NotFound && person == "":
		return who.User.ID, nil, nil
	case atelier.CodeOf(err) == atelier.NotFound:
		return "", nil, nil
	case err != nil:
		return "", nil, err
	case shows.ID == who.User.ID && person == "":
		return who.User.ID, nil, nil
	case person != "" && shows.ID != person:
		return "", nil, nil
	}
	f.User = shows.ID
	return shows.ID, &shows, onlyShown(*f)
}

// onlyShown refuses to choose others' results by what is not shown of them: what their owners think of them, and every word they are
// found by.
func onlyShown(f atelier.RunFilter) error {
	for name, asked := range map[string]bool{
		"q": f.Query != "", "starred": f.Starred, "rating": f.Rating > 0, "pick": f.Pick != "", "trashed": f.Trashed, "sort": f.Sort == atelier.SortRating,
	} {
		if asked {
			return atelier.FieldError(name, words.ResultOthers)
		}
	}
	return nil
}

// tellOthers has everybody else's windows look again at what is shown, if the user shows anything.
func (s *Server) tellOthers(ctx context.Context, user atelier.UserID) {
	if !s.c.Team {
		return
	}
	if _, err := s.c.DB.WhoShows(ctx, user, ""); err == nil {
		s.hub.PublishToOthers(user, atelier.EventShown, "", struct{}{})
	}
}
