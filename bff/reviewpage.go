package bff

import (
	"bytes"
	_ "embed" // the pages
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
	"atelier/imaging/provenance"
)

// The pages a client sees who has a review link: all results behind it, one of them, and that there is nothing. They are read without
// scripts and answered with one (web/static/review.js). Nothing on them names anything of the studio's but what was chosen for the client.

//go:embed reviewpage.html
var reviewPages string

var reviewTemplates = template.Must(template.New("review").Funcs(template.FuncMap{"words": func() words.ReviewWords { return words.Review }}).Parse(reviewPages))

// maxAnswer is the largest answer of a client, bytes: a comment and a name of characters that JSON writes as twelve.
const maxAnswer = 16 << 10

// reviewSheet is what the pages are made of.
type reviewSheet struct {
	Title, Note string
	At          string // path of the sheet
	Until       string
	Picked      int
	Rejected    int
	Downloads   bool
	Pictures    []reviewPicture
	One         *reviewPicture // the picture of a page of its own
	Before      *reviewPicture
	After       *reviewPicture
	Done        bool
	DoneName    string
	DoneWords   string
	MaxComment  int
	MaxName     int
	Problem     string
}

type reviewPicture struct {
	Number        int
	Width, Height int // px, at least 1
	Video         bool
	Poster        bool // there is a picture of it
	Pick, Comment string
}

// shown is the address of a smaller picture.
func (p reviewPicture) shown(at string, width int) string {
	return at + "/" + strconv.Itoa(p.Number) + "/thumb?w=" + strconv.Itoa(width)
}

// Small is the address of a picture on the sheet.
func (v reviewSheet) Small(p reviewPicture) string { return p.shown(v.At, 640) }

// Large is the picture on a page of its own.
func (v reviewSheet) Large(p reviewPicture) string { return p.shown(v.At, 1280) }

// Page is the page of a picture.
func (v reviewSheet) Page(p reviewPicture) string { return v.At + "/" + strconv.Itoa(p.Number) }

// Open is how many pictures have no answer yet.
func (v reviewSheet) Open() int { return len(v.Pictures) - v.Picked - v.Rejected }

// What a client reads where something is not there.
var (
	errNoReview  = atelier.Refuse(atelier.NotFound, words.ReviewEnded)
	errNoPicture = atelier.Refuse(atelier.NotFound, words.ReviewNoPicture)
	errNoPreview = atelier.Refuse(atelier.NotFound, words.ResultNoPreview)
	errNoTaking  = atelier.Refuse(atelier.NotFound, words.ReviewLooksOnly)
	errManySaid  = &atelier.Error{Code: atelier.TooMany, Message: words.ReviewOften, Retryable: true}
)

// reviewOf finds what the link of a request shows.
func (s *Server) reviewOf(r *http.Request) (db.Reviewed, error) {
	id, ok := s.proven(reviewLinks, r.PathValue("token"))
	if !ok {
		return db.Reviewed{}, errNoReview
	}
	found, err := s.c.DB.OpenReviewLink(r.Context(), atelier.ReviewLinkID(id))
	if atelier.CodeOf(err) == atelier.NotFound {
		return found, errNoReview
	}
	return found, err
}

// reviewingOf finds the picture of a request.
func (s *Server) reviewingOf(r *http.Request) (db.Reviewed, int, error) {
	found, err := s.reviewOf(r)
	if err != nil {
		return found, 0, err
	}
	i := slices.IndexFunc(found.Answers, func(a db.Reviewing) bool { return strconv.Itoa(a.Number) == r.PathValue("number") })
	if i < 0 {
		return found, 0, errNoPicture
	}
	return found, i, nil
}

func (s *Server) sheetOf(found db.Reviewed) reviewSheet {
	l := found.Link
	v := reviewSheet{
		Title: l.Title, Note: l.Note, At: s.reviewPath(l.ID), Until: words.ReviewUntil(l.ExpiresAt), Picked: l.Picked, Rejected: l.Rejected,
		Downloads: l.Downloads, Pictures: make([]reviewPicture, len(found.Answers)), Done: l.DoneAt != nil, DoneName: l.DoneName, DoneWords: l.DoneWords,
		MaxComment: atelier.MaxReviewComment, MaxName: atelier.MaxReviewerName,
	}
	for i, a := range found.Answers {
		res := a.Result
		v.Pictures[i] = reviewPicture{
			Number: a.Number, Width: max(res.Width, 1), Height: max(res.Height, 1), Video: res.Kind == "video", Poster: res.Kind != "video" || res.PosterSHA != "",
			Pick: a.Pick, Comment: a.Comment,
		}
	}
	return v
}

// page answers with one of the pages.
func (s *Server) page(w http.ResponseWriter, status int, name string, v reviewSheet) error {
	var b bytes.Buffer
	if err := reviewTemplates.ExecuteTemplate(&b, name, v); err != nil {
		return fmt.Errorf("make the page of a review link: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the client going away is not a failure of ours
	return nil
}

// paged makes a handler that says in a page what is not there.
func (s *Server) paged(h handler) handler {
	return func(w http.ResponseWriter, r *http.Request, who visitor) error {
		err := h(w, r, who)
		if e, ok := errors.AsType[*atelier.Error](err); ok && e.Code == atelier.NotFound {
			return s.page(w, http.StatusNotFound, "nothing", reviewSheet{Problem: e.Message})
		}
		return err
	}
}

func (s *Server) showReview(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, err := s.reviewOf(r)
	if err != nil {
		return err
	}
	return s.page(w, http.StatusOK, "sheet", s.sheetOf(found))
}

func (s *Server) showReviewed(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, i, err := s.reviewingOf(r)
	if err != nil {
		return err
	}
	v := s.sheetOf(found)
	v.One = &v.Pictures[i]
	if i > 0 {
		v.Before = &v.Pictures[i-1]
	}
	if i+1 < len(v.Pictures) {
		v.After = &v.Pictures[i+1]
	}
	return s.page(w, http.StatusOK, "picture", v)
}

func (s *Server) reviewThumb(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, i, err := s.reviewingOf(r)
	if err != nil {
		return err
	}
	res := found.Answers[i].Result
	sha := res.SHA256
	if res.Kind == "video" {
		sha = res.PosterSHA
	}
	if sha == "" {
		return errNoPreview
	}
	return s.serveThumb(w, r, served{sha: sha, name: words.NameReviewed, shown: true})
}

// reviewFile sends a picture as it is, where the link lets clients take files, or a video, which cannot be watched otherwise.
func (s *Server) reviewFile(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, i, err := s.reviewingOf(r)
	if err != nil {
		return err
	}
	res := found.Answers[i].Result
	if !found.Link.Downloads && res.Kind != "video" {
		return errNoTaking
	}
	run, err := s.c.DB.LoadRun(r.Context(), res.RunID)
	if err != nil {
		return err
	}
	return s.serveBlob(w, r, served{
		sha: res.SHA256, format: probe.Format(res.Format), name: found.Link.Title + " " + strconv.Itoa(found.Answers[i].Number), attach: found.Link.Downloads && r.URL.Query().Has("download"),
		shown: true, origin: provenance.Origin{Source: s.originOf(run).Source}, // what made it, and of what, is none of a client's
	})
}

// reviewSaid is what the pages' script sends about a picture; nil leaves what was said.
type reviewSaid struct {
	Pick    *string `json:"pick"`
	Comment *string `json:"comment"`
}

// reviewDone is what it sends when the client is done.
type reviewDone struct {
	Name  string `json:"name"`
	Words string `json:"words"`
}

// reviewState is what the script shows then.
type reviewState struct {
	Picked   int `json:"picked"`
	Rejected int `json:"rejected"`
	Open     int `json:"open"`
}

// hear reads what a client says; each link takes a limited number of answers.
func (s *Server) hear(w http.ResponseWriter, r *http.Request, id atelier.ReviewLinkID, v any) error {
	if !s.answers.begin(string(id)) {
		return errManySaid
	}
	s.answers.end(string(id), true)
	return readJSON(w, r, maxAnswer, v)
}

// checkSaid trims a text of a client's and refuses one of too many characters.
func checkSaid(text *string, field string, most int, tooLong func(most int) string) error {
	if *text = strings.TrimSpace(*text); utf8.RuneCountInString(*text) > most {
		return atelier.FieldError(field, tooLong(most))
	}
	return nil
}

// answerReview keeps what a client says of a picture.
func (s *Server) answerReview(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, i, err := s.reviewingOf(r)
	if err != nil {
		return err
	}
	var body reviewSaid
	if err := s.hear(w, r, found.Link.ID, &body); err != nil {
		return err
	}
	if err := checkMarks(nil, body.Pick); err != nil {
		return err
	}
	if body.Comment != nil {
		if err := checkSaid(body.Comment, "comment", atelier.MaxReviewComment, words.ReviewCommentLong); err != nil {
			return err
		}
	}
	if err := s.c.DB.AnswerReview(r.Context(), found.Link.ID, found.Answers[i].Number, body.Pick, body.Comment); err != nil {
		return err
	}
	return s.heard(w, r, found)
}

// finishReview keeps that a client is done.
func (s *Server) finishReview(w http.ResponseWriter, r *http.Request, _ visitor) error {
	found, err := s.reviewOf(r)
	if err != nil {
		return err
	}
	var body reviewDone
	if err := s.hear(w, r, found.Link.ID, &body); err != nil {
		return err
	}
	err = errors.Join(checkSaid(&body.Name, "name", atelier.MaxReviewerName, words.ReviewNameLong), checkSaid(&body.Words, "words", atelier.MaxReviewComment, words.ReviewLastLong))
	if err != nil {
		return err
	}
	if err := s.c.DB.FinishReview(r.Context(), found.Link.ID, body.Name, body.Words); err != nil {
		return err
	}
	return s.heard(w, r, found)
}

// heard tells the owner what is said now, and the client how much.
func (s *Server) heard(w http.ResponseWriter, r *http.Request, before db.Reviewed) error {
	now, err := s.c.DB.FindReviewLink(r.Context(), before.User, before.Link.ID)
	if err != nil {
		return err
	}
	s.hub.Publish(before.User, atelier.EventReview, string(before.Link.ID), s.told(r, now))
	v := s.sheetOf(now)
	return writeJSON(w, http.StatusOK, reviewState{Picked: v.Picked, Rejected: v.Rejected, Open: v.Open()})
}

// Alt says what a picture is, for those who do not see it.
func (p reviewPicture) Alt() string { return words.ReviewPicture(p.Number, p.Video) }
