package bff

import (
	"context"
	"net/http"
	"slices"

	"atelier/atelier"
	"atelier/bff/password"
	"atelier/bff/words"
	"atelier/db"
)

func (s *Server) listAccounts(w http.ResponseWriter, r *http.Request, _ visitor) error {
	if err := s.needTeam(); err != nil {
		return err
	}
	users, err := s.c.DB.ListAccounts(r.Context())
	if err != nil {
		return err
	}
	asked, err := s.c.DB.AskedThisMonth(r.Context())
	if err != nil {
		return err
	}
	costs, err := s.c.DB.CostsThisMonth(r.Context())
	if err != nil {
		return err
	}
	out := atelier.AccountList{Accounts: make([]atelier.Account, len(users))}
	for i, u := range users {
		out.Accounts[i] = account(u)
		out.Accounts[i].Asked, out.Accounts[i].Cost = asked[u.ID], costs[u.ID]
	}
	return writeJSON(w, http.StatusOK, out)
}

func (s *Server) needTeam() error {
	if !s.c.Team {
		return atelier.Refuse(atelier.NotFound, words.EntryNoAccounts)
	}
	return nil
}

func account(u db.User) atelier.Account {
	a := atelier.Account{User: u.User, Disabled: !u.DisabledAt.IsZero(), CreatedAt: u.CreatedAt, Monthly: u.Monthly}
	if !u.SeenAt.IsZero() {
		a.SeenAt = &u.SeenAt
	}
	return a
}

func (s *Server) createAccount(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.needTeam(); err != nil {
		return err
	}
	var body atelier.CreateAccount
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	name, err := AccountName(body.Name)
	if err != nil {
		return err
	}
	if !slices.Contains(atelier.Roles(), body.Role) {
		return atelier.FieldError("role", words.AccountRole)
	}
	made := ""
	if body.Password == "" {
		made = password.Make()
		body.Password = made
	} else if why := password.Refuse(body.Password, name); why != "" {
		return atelier.FieldError("password", why)
	}
	hash, err := s.hasher.Hash(r.Context(), body.Password)
	if err != nil {
		return err
	}
	user, err := s.c.DB.CreateAccount(r.Context(), name, body.Role, hash)
	if err != nil {
		return err
	}
	s.log.InfoContext(r.Context(), "an account was made", "by", who.User.ID, "account", user.ID, "role", user.Role, "ip", s.ip(r))
	return writeJSON(w, http.StatusCreated, atelier.AccountBody{Account: account(user), Password: made})
}

// updateAccount changes role, password or whether somebody may sign in: then their sessions and sockets end. How much they may ask for
// changes at once, where they are.
func (s *Server) updateAccount(w http.ResponseWriter, r *http.Request, who visitor) error {
	if err := s.needTeam(); err != nil {
		return err
	}
	var body atelier.UpdateAccount
	if err := readJSON(w, r, 4<<10, &body); err != nil {
		return err
	}
	if body.Role != nil && !slices.Contains(atelier.Roles(), *body.Role) {
		return atelier.FieldError("role", words.AccountRole)
	}
	if n := body.Monthly; n != nil && *n != atelier.AnyNumber && (*n < 0 || *n > atelier.MaxMonthly) {
		return atelier.FieldError("monthly", words.AccountMonthly(atelier.MaxMonthly))
	}
	id := atelier.UserID(r.PathValue("id"))
	change := db.AccountChange{Role: body.Role, Disabled: body.Disabled}
	made := ""
	if body.NewPassword {
		if id == who.User.ID {
			return atelier.Refuse(atelier.Invalid, words.AccountOwnPassword)
		}
		made = password.Make()
		hash, err := s.hasher.Hash(r.Context(), made)
		if err != nil {
			return err
		}
		change.Password = &hash
	}
	user, err := s.c.DB.UpdateAccount(r.Context(), id, change)
	if err != nil {
		return err
	}
	if body.Monthly != nil {
		if user, err = s.c.DB.SetMonthly(r.Context(), id, *body.Monthly); err != nil {
			return err
		}
		if err := s.publishAllowance(r.Context(), id, true); err != nil {
			return err
		}
	}
	s.endRevoked(r.Context())
	s.hub.PublishToOthers(user.ID, atelier.EventShown, "", struct{}{})
	s.log.InfoContext(r.Context(), "an account was changed", "by", who.User.ID, "account", user.ID, "role", user.Role, "disabled", !user.DisabledAt.IsZero(),
		"password", body.NewPassword, "monthly", user.Monthly, "ip", s.ip(r))
	return writeJSON(w, http.StatusOK, atelier.AccountBody{Account: account(user), Password: made})
}

// publishAllowance tells a user's browsers what may be asked for now; when it is any number only if that is new.
func (s *Server) publishAllowance(ctx context.Context, user atelier.UserID, changed bool) error {
	a, err := s.c.DB.Allowance(ctx, user)
	if err != nil {
		return err
	}
	if a != nil || changed {
		s.hub.Publish(user, atelier.EventAllowance, "", a)
	}
	return nil
}
