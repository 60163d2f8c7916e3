package bff

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"atelier/atelier"
	"atelier/bff/words"
	"atelier/db"
	"atelier/imaging/probe"
)

// pageSize is the largest page of any list.
const pageSize = 200

func (s *Server) session(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.answerSession(w, r, who.User)
}

func (s *Server) answerSession(w http.ResponseWriter, r *http.Request, user atelier.User) error {
	allowance, err := s.c.DB.Allowance(r.Context(), user.ID)
	if err != nil {
		return err
	}
	account := s.jobs.Account(r.Context())
	return writeJSON(w, http.StatusOK, atelier.Session{
		User: user, Upstream: account.Kind, Version: s.c.Version, Build: s.c.Build, PublicURL: s.c.PublicURL,
		Limits:    atelier.Limits{UploadBytes: probe.Upload.MaxBytes, MediaBytes: s.c.MediaBytes, PageSize: pageSize, TrashDays: s.c.TrashDays},
		Estimates: account.Estimates, AccountStamp: stamp(account), ServiceHost: s.connections.host(account, user), NoVideo: account.NoVideo, Team: s.c.Team,
		Allowance: allowance,
	})
}

// login opens a session for who has a launch code, or the name and password of an account. Failures are limited, successes
// are not.
func (s *Server) login(w http.ResponseWriter, r *http.Request, _ visitor) error {
	from, failed := s.network(r), false
	if !s.logins.begin(from) {
		return errTooManyAttempts
	}
	defer func() { s.logins.end(from, failed) }()
	var body atelier.Login
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	if s.c.Team {
		user, err := s.admit(r, body)
		failed = errors.Is(err, errWrongPassword)
		if err != nil {
			return err
		}
		return s.enter(w, r, user)
	}
	if body.Token == "" || !s.launch.take(body.Token) {
		failed = true
		s.log.WarnContext(r.Context(), "a launch code was refused", "ip", s.ip(r))
		return atelier.Refuse(atelier.Unauthorized, words.EntryLaunchCode)
	}
	return s.enter(w, r, db.User{User: localUser})
}

var errTooManyAttempts = &atelier.Error{Code: atelier.TooMany, Message: words.EntryAttempts, Wait: time.Minute}

// enter opens a session and answers with it. One the browser may already have is not reused: a new sign-in has a new number.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, user db.User) error {
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
	if err := s.stillTheirs(r.Context(), user); err != nil {
		// Ended before it began: changing a password ends only the sessions that it finds.
		w.Header().Del("Set-Cookie")
		return errors.Join(err, s.c.DB.DeleteSession(context.WithoutCancel(r.Context()), session.ID))
	}
	if err := s.c.DB.SeeUser(r.Context(), user.ID, s.c.Now()); err != nil {
		return err
	}
	s.log.InfoContext(r.Context(), "signed in", "user", user.ID, "ip", s.ip(r))
	return s.answerSession(w, r, user.User)
}

// stillTheirs says whether the password that was compared is still the account's.
func (s *Server) stillTheirs(ctx context.Context, user db.User) error {
	if !s.c.Team {
		return nil
	}
	now, err := s.c.DB.User(ctx, user.ID)
	if err != nil {
		return err
	}
	if now.Password != user.Password || !now.DisabledAt.IsZero() {
		return errWrongPassword
	}
	return nil
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

// printLink prints a fresh address in the operator's terminal: who can read that may work here. Logs are read by others too, and left
// out when they are set to errors alone.
func (s *Server) printLink(w http.ResponseWriter, _ *http.Request, _ visitor) error {
	if s.c.Team {
		return atelier.Refuse(atelier.NotFound, words.EntryByName)
	}
	if !s.links.AllowN(s.c.Now(), 1) {
		return atelier.Refuse(atelier.TooMany, words.EntryPrinted)
	}
	if _, err := fmt.Fprintf(s.c.Terminal, "Open the studio with this address; it works once, for five minutes:\n  %s\n", s.LaunchLink()); err != nil {
		return fmt.Errorf("print an address: %w", err)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
