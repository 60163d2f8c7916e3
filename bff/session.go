package bff

import (
	"net/http"

	"atelier/atelier"
	"atelier/imaging/probe"
)

// pageSize is the largest page of any list.
const pageSize = 200

func (s *Server) session(w http.ResponseWriter, _ *http.Request, who visitor) error {
	return writeJSON(w, http.StatusOK, s.about(who.User))
}

func (s *Server) about(user atelier.User) atelier.Session {
	return atelier.Session{
		User: user, Upstream: s.c.UpstreamKind, Version: s.c.Version, Build: s.c.Build, PublicURL: s.c.PublicURL,
		Limits:    atelier.Limits{UploadBytes: probe.Upload.MaxBytes, MediaBytes: s.c.MediaBytes, PageSize: pageSize, TrashDays: s.c.TrashDays},
		Estimates: s.c.Estimates, NoVideo: s.c.NoVideo, Team: s.c.Team,
	}
}

// login opens a session for who has a launch code, or the name and password of an account. Failures are limited, successes
// are not.
func (s *Server) login(w http.ResponseWriter, r *http.Request, _ visitor) error {
	from := s.ip(r)
	if s.logins.exhausted(from) {
		return atelier.Errorf(atelier.TooMany, "Too many wrong attempts. Wait a minute and try again.")
	}
	var body atelier.Login
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	if s.c.Team {
		user, err := s.admit(r, body, from)
		if err != nil {
			return err
		}
		return s.enter(w, r, user)
	}
	if body.Token == "" || !s.launch.take(body.Token) {
		s.logins.fail(from)
		s.log.WarnContext(r.Context(), "a launch code was refused", "ip", from, "request", requestID(r.Context()))
		return atelier.Errorf(atelier.Unauthorized, "This launch code is wrong or used up. Ask for a new one.")
	}
	return s.enter(w, r, localUser)
}

// enter opens a session and answers with it. One the browser may already have is not reused: a new sign-in has a new number.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, user atelier.User) error {
	session, err := s.sessions.New(r, s.sessions.name)
	if err != nil {
		return err
	}
	if !session.IsNew {
		if err := s.c.DB.DeleteSession(r.Context(), session.ID); err != nil {
			return err
		}
		s.hub.EndSession(session.ID)
	}
	session.Values[keyUser], session.Values[keyIP] = user.ID, s.ip(r)
	if err := session.Save(r, w); err != nil {
		return err
	}
	if err := s.c.DB.SeeUser(r.Context(), user.ID, s.c.Now()); err != nil {
		return err
	}
	s.log.InfoContext(r.Context(), "signed in", "user", user.ID, "ip", s.ip(r), "request", requestID(r.Context()))
	return writeJSON(w, http.StatusOK, s.about(user))
}

// logout ends the session everywhere: the cookie, the row, and the sockets.
func (s *Server) logout(w http.ResponseWriter, r *http.Request, who visitor) error {
	session, err := s.sessions.Get(r, s.sessions.name)
	if err != nil {
		return err
	}
	session.Options.MaxAge = -1
	if err := session.Save(r, w); err != nil {
		return err
	}
	s.hub.EndSession(who.Session)
	w.Header().Set("Clear-Site-Data", `"cache"`)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// printLink prints a fresh address in the operator's terminal: who can read that may work here.
func (s *Server) printLink(w http.ResponseWriter, _ *http.Request, _ visitor) error {
	if s.c.Team {
		return atelier.Errorf(atelier.NotFound, "This studio is entered by name and password.")
	}
	if !s.links.AllowN(s.c.Now(), 1) {
		return atelier.Errorf(atelier.TooMany, "A new address was printed a moment ago. Look in the terminal.")
	}
	s.log.Warn("open the studio with this address; it works once, for five minutes", "address", s.LaunchLink())
	w.WriteHeader(http.StatusNoContent)
	return nil
}
