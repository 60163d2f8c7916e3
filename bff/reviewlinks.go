package bff

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
)

// reviewLinks is the purpose of addresses under which clients look at results.
const reviewLinks = "review1"

func (s *Server) listReviewLinks(w http.ResponseWriter, r *http.Request, who visitor) error {
	links, err := s.c.DB.ListReviewLinks(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	for i := range links {
		s.addressReview(r, &links[i])
	}
	return writeJSON(w, http.StatusOK, atelier.ReviewLinkList{Links: links})
}

// reviewPath is where a link's pages begin.
func (s *Server) reviewPath(id atelier.ReviewLinkID) string {
	return "/review/" + string(id) + "." + s.proof(reviewLinks, string(id))
}

// addressReview puts on a link where clients open it: under the studio's public address or, without one, the one it was asked under.
func (s *Server) addressReview(r *http.Request, l *atelier.ReviewLink) {
	base := s.c.PublicURL
	if base == "" {
		base = s.origin(r)
	}
	l.URL = strings.TrimRight(base, "/") + s.reviewPath(l.ID)
	u, err := url.Parse(base)
	if err != nil {
		return
	}
	ip := net.ParseIP(u.Hostname())
	l.Local = u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
}

// told is a link as its owner sees it.
func (s *Server) told(r *http.Request, d db.Reviewed) atelier.ReviewLink {
	l := d.Link
	s.addressReview(r, &l)
	return l
}

func (s *Server) createReviewLink(w http.ResponseWriter, r *http.Request, who visitor) (err error) {
	var body atelier.CreateReviewLink
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if body.IDs, err = checkUpTo(atelier.MaxReviewed, body.IDs); err != nil {
		return err
	}
	if body.Title = plainLine(body.Title); body.Title == "" || utf8.RuneCountInString(body.Title) > atelier.MaxReviewLinkTitle {
		return atelier.FieldError("title", words.ReviewTitle(atelier.MaxReviewLinkTitle))
	}
	if body.Note = plainText(body.Note); utf8.RuneCountInString(body.Note) > atelier.MaxReviewLinkNote {
		return atelier.FieldError("note", words.ReviewNoteLong(atelier.MaxReviewLinkNote))
	}
	if body.Days < 1 || body.Days > atelier.MaxReviewDays {
		return atelier.FieldError("days", words.ReviewDays(atelier.MaxReviewDays))
	}
	id, err := s.c.DB.CreateReviewLink(r.Context(), who.User.ID, body)
	if err != nil {
		return err
	}
	return s.answerLink(w, r, http.StatusCreated, who.User.ID, id)
}

// answerLink answers with a link as it is now, and tells the owner's other windows.
func (s *Server) answerLink(w http.ResponseWriter, r *http.Request, status int, user atelier.UserID, id atelier.ReviewLinkID) error {
	found, err := s.c.DB.FindReviewLink(r.Context(), user, id)
	if err != nil {
		return err
	}
	l := s.told(r, found)
	s.hub.Publish(user, atelier.EventReview, string(id), l)
	return writeJSON(w, status, l)
}

func (s *Server) findReviewLink(w http.ResponseWriter, r *http.Request, who visitor) error {
	found, err := s.c.DB.FindReviewLink(r.Context(), who.User.ID, atelier.ReviewLinkID(r.PathValue("id")))
	if err != nil {
		return err
	}
	out := atelier.ReviewAnswers{Link: s.told(r, found), Answers: make([]atelier.ReviewAnswer, len(found.Answers))}
	for i, a := range found.Answers {
		out.Answers[i] = atelier.ReviewAnswer{
			Number: a.Number, Pick: a.Pick, Comment: a.Comment, Result: atelier.ListedResult{Result: a.Result.Result.Result, Run: a.Result.Run},
		}
	}
	return writeJSON(w, http.StatusOK, out)
}

func (s *Server) updateReviewLink(w http.ResponseWriter, r *http.Request, who visitor) error {
	var body atelier.UpdateReviewLink
	if err := readJSON(w, r, maxJSON, &body); err != nil {
		return err
	}
	if body.Days < 0 || body.Days > atelier.MaxReviewDays {
		return atelier.FieldError("days", words.ReviewDaysMore(atelier.MaxReviewDays))
	}
	id := atelier.ReviewLinkID(r.PathValue("id"))
	if err := s.c.DB.SetReviewEnd(r.Context(), who.User.ID, id, body); err != nil {
		return err
	}
	return s.answerLink(w, r, http.StatusOK, who.User.ID, id)
}

func (s *Server) deleteReviewLink(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.c.DB.DeleteReviewLink(r.Context(), who.User.ID, atelier.ReviewLinkID(r.PathValue("id"))); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
