package bff

import (
	"net/http"
	"strings"

	"atelier/atelier"
	"atelier/bff/password"
	"atelier/bff/words"
	"atelier/db"
)

// publicID names a session to its user: the beginning of its hash, from which nobody gets to the cookie.
func publicID(hash string) string { return hash[:16] }

// listSessions shows where one is signed in.
func (s *Server) listSessions(w http.ResponseWriter, r *http.Request, who visitor) error {
	rows, err := s.c.DB.ListSessions(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	out := atelier.SignedInList{Sessions: make([]atelier.SignedIn, 0, len(rows))}
	for _, row := range rows {
		if !s.sessions.stands(row) {
			continue
		}
		out.Sessions = append(out.Sessions, atelier.SignedIn{
			ID: publicID(row.Hash), Browser: browserName(row.Agent), IP: row.IP, CreatedAt: row.CreatedAt, SeenAt: row.SeenAt, Current: row.Hash == who.Session,
		})
	}
	return writeJSON(w, http.StatusOK, out)
}

// endSession signs one of the user's browsers out.
func (s *Server) endSession(w http.ResponseWriter, r *http.Request, who visitor) error {
	rows, err := s.c.DB.ListSessions(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if publicID(row.Hash) == r.PathValue("id") {
			if err := s.c.DB.DeleteSession(r.Context(), row.Hash); err != nil {
				return err
			}
			s.hub.EndSession(row.Hash)
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
	return atelier.Refuse(atelier.NotFound, words.EntryOutAlready)
}

// endOtherSessions signs all browsers of the user out but the one that asks.
func (s *Server) endOtherSessions(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.c.DB.DeleteSessionsOf(r.Context(), who.User.ID, who.Session); err != nil {
		return err
	}
	s.hub.EndUser(who.User.ID, who.Session)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// changePassword takes a new password from who knows the old one. All other sessions end.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.needTeam(); err != nil {
		return err
	}
	var body atelier.ChangePassword
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	user, err := s.c.DB.User(r.Context(), who.User.ID)
	if err != nil {
		return err
	}
	if wait := s.guesses.begin(user.Login); wait > 0 {
		return &atelier.Error{Code: atelier.TooMany, Message: words.PasswordWait(wait), Wait: wait}
	}
	if ok, err := s.hasher.Matches(r.Context(), user.Password, body.Current); err != nil {
		return err
	} else if !ok {
		return atelier.FieldError("current", words.PasswordWrong)
	}
	s.guesses.forget(user.Login)
	if why := password.Refuse(body.Password, user.Name); why != "" {
		return atelier.FieldError("password", why)
	}
	hash, err := s.hasher.Hash(r.Context(), body.Password)
	if err != nil {
		return err
	}
	if _, err := s.c.DB.UpdateAccount(r.Context(), user.ID, db.AccountChange{Password: &hash, Keep: who.Session}); err != nil {
		return err
	}
	s.hub.EndUser(user.ID, who.Session)
	s.log.InfoContext(r.Context(), "a password was changed", "user", user.ID, "ip", s.ip(r))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// browserName says in words which browser a User-Agent stands for: what a person needs to recognise their own.
func browserName(agent string) string {
	find := func(pairs ...string) string {
		for i := 1; i < len(pairs); i += 2 {
			if strings.Contains(agent, pairs[i-1]) {
				return pairs[i]
			}
		}
		return ""
	}
	// The order matters: most browsers also name the ones they resemble.
	browser := find("Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari", "curl/", "curl")
	system := find("Android", "Android", "iPhone", "iPhone", "iPad", "iPad", "Windows", "Windows", "Mac OS X", "macOS", "CrOS", "ChromeOS", "Linux", "Linux")
	switch {
	case browser == "" && system == "":
		return words.BrowserUnknown
	case system == "":
		return browser
	}
	return words.BrowserOn(browser, system)
}
