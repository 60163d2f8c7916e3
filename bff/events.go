package bff

import (
	"context"
	"net/http"
	"time"

	"atelier/atelier"
	"atelier/bff/hub"
)

// events opens the websocket of a browser.
func (s *Server) events(w http.ResponseWriter, r *http.Request, who visitor) error {
	return s.hub.Serve(w, r, hub.Join{
		User: who.User.ID, Session: who.Session, Since: r.URL.Query().Get("since"), Origin: s.origin(r),
		Hello: atelier.HelloEvent{Build: s.c.Build, Time: s.c.Now().UTC()},
		Valid: func() bool { return s.stillSignedIn(r, who) },
	})
}

// stillSignedIn says whether the session of an open socket still stands. Listening counts as use. A database that cannot be
// asked ends nothing.
func (s *Server) stillSignedIn(r *http.Request, who visitor) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 5*time.Second)
	defer cancel()
	row, err := s.c.DB.FindSession(ctx, who.Session)
	if err != nil {
		return atelier.CodeOf(err) != atelier.NotFound
	}
	if !s.sessions.stands(row) {
		return false
	}
	if _, err := s.sessions.user(ctx, row.UserID); atelier.CodeOf(err) == atelier.Unauthorized {
		return false
	}
	if now := s.c.Now(); now.Sub(row.SeenAt) > touchEvery {
		if err := s.c.DB.TouchSession(ctx, who.Session, now); err != nil {
			s.log.ErrorContext(ctx, "a session cannot be kept alive", "error", err)
		}
	}
	return true
}
